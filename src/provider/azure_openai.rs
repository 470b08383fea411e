//! Azure OpenAI, chat completions (<https://learn.microsoft.com/azure/ai-foundry/openai/reference>, read 2026-11; #930).

use super::chat_completions::{self, Own, OwnKind, Parameters, WireForm, own_format};
use super::failure::{HttpAnswer, Telling, http_error};
use super::settings::{API_KEY, Auth, BEARER, Settings, percent_encode};
use super::{
    Call, HttpRequest, NativeSchema, Provider, SupportAnswer, by_model, json_headers, no_support, text_parameter,
    tools, translate,
};
use crate::error::{Error, Result};
use crate::message::{ChatMessage, ChatResult};
use crate::schema::{AZURE_STRICT, OutputSchema};
use crate::structured::{Reason, ReasonCode};

#[derive(Debug)]
pub struct AzureOpenAi;

const NAME: &str = "azure_openai";

const SETTINGS: [&str; 8] = [
    "azure_endpoint",
    "api_version",
    "azure_url_path_mode",
    "model",
    "model_of_azure_deployment",
    "auth",
    "native_models",
    "default_headers",
];

// ---- what it supports ----

/// Month of the list below (<https://learn.microsoft.com/azure/ai-foundry/openai/how-to/structured-outputs>, #930).
const TABLE: &str = "2026-11";
/// Backing models that honour a schema. A bare `gpt-4o` is left out: its older snapshots do not.
const MODELS: [&str; 13] = [
    "gpt-5.1",
    "gpt-5.1-chat",
    "gpt-5",
    "gpt-5-mini",
    "gpt-5-nano",
    "o3-mini",
    "o1",
    "gpt-4o-mini",
    "gpt-4.1",
    "gpt-4.1-nano",
    "gpt-4.1-mini",
    "o4-mini",
    "o3",
];
/// First api-version that takes a schema; compared as text with an api-version's first ten characters.
const FLOOR: &str = "2024-08-01";

/// Whether the backing model honours a schema. Reads nothing but its argument (#930).
fn honours_schema(model: &str) -> bool {
    MODELS.contains(&model)
}

/// The literal `v1` passes, as every text that sorts behind the floor does.
fn is_below_floor(api_version: &str) -> bool {
    first_ten(api_version) < FLOOR
}

fn first_ten(api_version: &str) -> &str {
    let end = api_version.char_indices().nth(10).map(|(index, _)| index);
    end.and_then(|end| api_version.get(..end)).unwrap_or(api_version)
}

fn has_leading_date(api_version: &str) -> bool {
    let date = first_ten(api_version).as_bytes();
    date.len() == 10
        && date.iter().enumerate().all(|(index, byte)| match index {
            4 | 7 => *byte == b'-',
            _ => byte.is_ascii_digit(),
        })
}

fn floor_reason(api_version: &str) -> Reason {
    let text =
        format!("The api-version {api_version} takes no schema; {FLOOR} is the first that does (table of {TABLE}).");
    Reason::new(ReasonCode::ApiVersionBelowFloor, text)
        .with("api_version", api_version.to_owned())
        .with("floor", FLOOR)
}

static FORM: WireForm = WireForm {
    own: &[Own {
        name: "model_of_azure_deployment",
        kind: OwnKind::Label,
    }],
    ..WireForm::openai(NAME)
};

const TELLING: Telling = Telling {
    lead: "Failed to call Azure OpenAI chat completions API. The service answered with",
    empty: "Azure OpenAI returned no completion",
    unauthorized: "Check the API key or token, and that it belongs to this Azure resource.",
    forbidden: "The key or identity may not use this resource: check its role and the resource's network rules.",
    not_found: "Check azure_endpoint, the deployment's name (model) and api_version.",
};

/// The settings, checked.
struct Checked<'a> {
    endpoint: &'a str,
    api_version: &'a str,
    unified: bool,
    deployment: Option<&'a str>,
    backing_model: Option<&'a str>,
    auth: Option<Auth>,
    native_models: Vec<&'a str>,
    headers: super::Headers,
}

impl<'a> Checked<'a> {
    fn read(call: &'a Call<'_>) -> Result<Self> {
        let settings = Settings::read(call.settings, NAME, &SETTINGS)?;
        settings.required_text("azure_endpoint")?;
        let endpoint = settings.base_url("azure_endpoint")?.unwrap_or_default();
        let api_version = settings.required_text("api_version")?;
        let unified = match settings.choice("azure_url_path_mode", &["AUTO", "LEGACY", "UNIFIED"])? {
            "UNIFIED" => true,
            "LEGACY" => false,
            _ => is_unified(endpoint) || !has_leading_date(api_version),
        };
        Ok(Checked {
            endpoint,
            api_version,
            unified,
            deployment: settings.text("model")?,
            backing_model: settings.text("model_of_azure_deployment")?,
            auth: match settings.choice("auth", &["api_key", "bearer", "none"])? {
                "none" => None,
                "bearer" => Some(BEARER),
                _ => Some(API_KEY),
            },
            native_models: settings.texts("native_models")?,
            headers: settings.headers()?,
        })
    }

    fn backing_model<'m>(&'m self, call: &'m Call<'_>) -> Option<&'m str> {
        text_parameter(call.parameters, "model_of_azure_deployment").or(self.backing_model)
    }

    fn deployment<'m>(&'m self, call: &'m Call<'_>) -> Option<&'m str> {
        text_parameter(call.parameters, "model").or(self.deployment)
    }

    /// The deployment stands in the path, or, in the v1 form, in the body alone. The host decides nothing.
    fn url(&self, deployment: &str) -> String {
        let version = percent_encode(self.api_version);
        if !self.unified {
            let deployment = percent_encode(deployment);
            return format!(
                "{}/openai/deployments/{deployment}/chat/completions?api-version={version}",
                self.endpoint
            );
        }
        let prefix = if is_unified(self.endpoint) { "" } else { "/openai/v1" };
        let query = match self.api_version {
            "v1" => String::new(),
            _ => format!("?api-version={version}"),
        };
        format!("{}{prefix}/chat/completions{query}", self.endpoint)
    }
}

fn is_unified(endpoint: &str) -> bool {
    endpoint.ends_with("/openai/v1")
}

impl Provider for AzureOpenAi {
    fn name(&self) -> &'static str {
        NAME
    }

    fn display_name(&self) -> &'static str {
        "Azure OpenAI"
    }

    fn table(&self) -> &'static str {
        TABLE
    }

    /// Four conditions (#930): a schema, that translates, an api-version at or above the floor, a listed backing model.
    fn support(&self, call: &Call<'_>, schema: Option<&OutputSchema>) -> Result<SupportAnswer> {
        let settings = Checked::read(call)?;
        let translated = translate(schema, &AZURE_STRICT);
        let below_floor = is_below_floor(settings.api_version).then(|| floor_reason(settings.api_version));
        let rewritten = match (translated, below_floor) {
            (Ok(rewritten), None) => rewritten,
            (Ok(_), Some(below)) => return Ok(no_support(vec![below])),
            (Err(mut reasons), below) => {
                reasons.extend(below);
                return Ok(no_support(reasons));
            }
        };
        let model = settings.backing_model(call);
        let listed = model.is_some_and(|model| honours_schema(model) || settings.native_models.contains(&model));
        let mut answer = by_model(rewritten, model, listed, TABLE);
        if let (None, Some(first)) = (model, answer.reasons.first_mut()) {
            first.message = "The model behind the deployment is not known: set model_of_azure_deployment.".into();
        }
        Ok(answer)
    }

    fn collision(&self, call: &Call<'_>, schema: &str) -> Option<String> {
        if !own_format(call.parameters) {
            return None;
        }
        let settings = Checked::read(call).ok()?;
        let deployment = settings.deployment(call).unwrap_or("(not set)");
        Some(chat_completions::collision(
            schema,
            &format!("Azure OpenAI deployment {deployment}"),
        ))
    }

    // ---- how the request looks ----

    fn build(
        &self,
        call: &Call<'_>,
        messages: &[ChatMessage<'_>],
        native: Option<&NativeSchema>,
    ) -> Result<HttpRequest> {
        let settings = Checked::read(call)?;
        let parameters = Parameters::read(call.parameters, &FORM)?;
        let deployment = settings.deployment(call).ok_or_else(|| {
            Error::configuration(
                "model is required for Azure OpenAI API calls: set the deployment's name as a setting or as a parameter of the \
                 call",
            )
        })?;
        if matches!(deployment, "." | "..") {
            return Err(Error::configuration(format!(
                "model '{deployment}' is no name of an Azure deployment: it would change the path of the URL; set the deployment's \
                 name"
            )));
        }
        let (tools, reasons) = tools::prepare(&call.tools, parameters.strict, &AZURE_STRICT);
        Ok(HttpRequest {
            method: "POST",
            url: settings.url(deployment),
            body: chat_completions::write_body(&[("model", deployment)], messages, &tools, &parameters, native)?,
            auth: settings.auth,
            headers: json_headers(settings.headers),
            reasons,
        })
    }

    // ---- how the answer is read ----

    /// Model and usage are attributed to the backing model, so without one there is neither (#930).
    fn parse(&self, call: &Call<'_>, answer: &HttpAnswer<'_>) -> Result<ChatResult<'static>> {
        if !answer.is_success() {
            return Err(http_error(answer, &TELLING));
        }
        let settings = Checked::read(call)?;
        let backing_model = settings.backing_model(call);
        let result = chat_completions::read_completion(answer, &TELLING)?;
        Ok(ChatResult {
            model: backing_model.map(|model| model.to_owned().into()),
            usage: result.usage.filter(|_| backing_model.is_some()),
            ..result
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{honours_schema, is_below_floor};

    /// The same list that the vectors for Java hold (#930).
    #[test]
    fn pr930_c04_a_bare_gpt_4o_is_not_listed() {
        assert!(!honours_schema("gpt-4o"));
        assert!(!honours_schema("gpt-4o-2024-08-06"));
        assert!(!honours_schema("gpt-35-turbo"));
        assert!(!honours_schema(""));
        assert!(honours_schema("gpt-4o-mini"));
        assert!(honours_schema("gpt-4.1"));
        assert!(!honours_schema("gpt-4.1-2025-04-14"), "exact names only");
    }

    #[test]
    fn pr930_c05_the_floor_is_compared_by_the_first_ten_characters() {
        let table = [
            ("2024-06-01", true),
            ("2024-07-31-preview", true),
            ("2024-08-01", false),
            ("2024-08-01-preview", false),
            ("2024-10-21", false),
            ("2025-04-01-preview", false),
            ("v1", false),
            ("preview", false),
            ("latest", false),
            ("1.0", true),
            ("2024-08-0", true),
            ("ÄÖÜ-äöü-€€€-x", false),
        ];
        for (version, below) in table {
            assert_eq!(is_below_floor(version), below, "{version}");
        }
    }
}
