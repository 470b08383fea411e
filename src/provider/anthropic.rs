//! Anthropic Messages (<https://docs.claude.com/en/api/messages>, read 2026-11; #965, #1204, #1331).

mod parameters;
mod request;
mod response;

use super::failure::{HttpAnswer, Telling, http_error};
use super::settings::{Auth, BEARER, Settings};
use super::{
    Call, HttpRequest, NativeSchema, Provider, SupportAnswer, by_model, json_headers, no_support, text_parameter,
    tools, translate,
};
use crate::error::{Error, Result};
use crate::message::fields::member;
use crate::message::{ChatMessage, ChatResult};
use crate::schema::{ANTHROPIC, OutputSchema};
use parameters::{Parameters, own_format, own_output_config};

#[derive(Debug)]
pub struct Anthropic;

/// The name in frames, and the key under which a reasoning block keeps its native block.
const NAME: &str = "anthropic";
const DISPLAY_NAME: &str = "Anthropic";

const SETTINGS: [&str; 6] = [
    "api_base_url",
    "model",
    "anthropic_version",
    "auth",
    "native_models",
    "default_headers",
];

const DEFAULT_BASE: &str = "https://api.anthropic.com";
const DEFAULT_VERSION: &str = "2023-06-01";
const VERSION_HEADER: &str = "anthropic-version";

/// `x-api-key: ...`.
const X_API_KEY: Auth = Auth::Key {
    header: "x-api-key",
    prefix: "",
};

const TELLING: Telling = Telling {
    lead: "Anthropic answered with",
    empty: "Anthropic response did not contain any content.",
    unauthorized: "Check the API key; a token of another kind needs the setting auth = bearer.",
    forbidden: "The key may not use this model or workspace: check its permissions.",
    not_found: "Check the model's name (older models are retired) and the base URL, which stands without /v1/messages.",
};

// ---- what it supports ----

/// Month of the lists below (<https://docs.claude.com/en/docs/build-with-claude/structured-outputs>, #965).
const TABLE: &str = "2026-11";
/// Models that honour a schema and refuse a prefilled answer.
const MODELS: [&str; 12] = [
    "claude-opus-4-6",
    "claude-opus-4-7",
    "claude-opus-4-8",
    "claude-opus-5",
    "claude-opus-5-5",
    "claude-sonnet-4-6",
    "claude-sonnet-5",
    "claude-sonnet-5-5",
    "claude-fable-5",
    "claude-fable-5-1",
    "claude-mythos-5",
    "claude-mythos-preview",
];
/// Models that honour a schema and take a prefilled answer, by name or with a date behind it.
const ALIASES: [&str; 3] = ["claude-opus-4-5", "claude-sonnet-4-5", "claude-haiku-4-5"];

/// Whether the model honours a schema. Reads nothing but its argument.
fn honours_schema(model: &str) -> bool {
    let dated = |alias: &str| {
        model
            .strip_prefix(alias)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
    };
    MODELS.contains(&model) || ALIASES.into_iter().any(dated)
}

/// Whether the model answers a prefill with a 400 (#1009). A name that nobody knows takes it.
fn refuses_prefill(model: &str) -> bool {
    MODELS.contains(&model)
}

/// The settings, checked.
struct Checked<'a> {
    base: &'a str,
    model: Option<&'a str>,
    auth: Option<Auth>,
    native_models: Vec<&'a str>,
    headers: super::Headers,
}

impl<'a> Checked<'a> {
    fn read(call: &'a Call<'_>) -> Result<Self> {
        let settings = Settings::read(call.settings, NAME, &SETTINGS)?;
        let version = settings.header_text("anthropic_version")?.unwrap_or(DEFAULT_VERSION);
        let own = settings.headers()?;
        if own.iter().any(|(name, _)| name.eq_ignore_ascii_case(VERSION_HEADER)) {
            return Err(settings.wrong(
                "default_headers",
                "must not hold anthropic-version: it is the setting anthropic_version",
            ));
        }
        let mut headers = vec![(VERSION_HEADER.into(), version.to_owned().into())];
        headers.extend(own);
        Ok(Checked {
            base: settings.base_url("api_base_url")?.unwrap_or(DEFAULT_BASE),
            model: settings.text("model")?,
            auth: match settings.choice("auth", &["api_key", "bearer", "none"])? {
                "none" => None,
                "bearer" => Some(BEARER),
                _ => Some(X_API_KEY),
            },
            native_models: settings.texts("native_models")?,
            headers,
        })
    }

    fn model<'m>(&'m self, call: &'m Call<'_>) -> Option<&'m str> {
        text_parameter(call.parameters, "model").or(self.model)
    }
}

/// Whether the model's answer is begun for it with `{`: asked for with `json_prefill`, and only where nothing speaks against it
/// (#965). Never fails.
fn prefills(call: &Call<'_>, model: Option<&str>) -> bool {
    let asked = member(call.parameters, "json_prefill").and_then(crate::json::Json::as_bool);
    asked == Some(true)
        && call.tools.is_empty()
        && !own_output_config(call.parameters)
        && model.is_some_and(|model| !refuses_prefill(model))
}

impl Provider for Anthropic {
    fn name(&self) -> &'static str {
        NAME
    }

    fn display_name(&self) -> &'static str {
        DISPLAY_NAME
    }

    fn table(&self) -> &'static str {
        TABLE
    }

    /// A schema that translates, and a model that is in the table or in `native_models` (#965).
    fn support(&self, call: &Call<'_>, schema: Option<&OutputSchema>) -> Result<SupportAnswer> {
        let settings = Checked::read(call)?;
        let rewritten = match translate(schema, &ANTHROPIC) {
            Ok(rewritten) => rewritten,
            Err(reasons) => return Ok(no_support(reasons)),
        };
        let model = settings.model(call);
        let listed = model.is_some_and(|model| honours_schema(model) || settings.native_models.contains(&model));
        Ok(by_model(rewritten, model, listed, TABLE))
    }

    fn collision(&self, call: &Call<'_>, schema: &str) -> Option<String> {
        let own = own_format(call.parameters)?;
        Some(format!(
            "The output schema {schema} is sent to Anthropic as output_config.format: {own} must not also be set in \
             additional_kwargs. Remove {own}, or drop the output schema."
        ))
    }

    fn build(
        &self,
        call: &Call<'_>,
        messages: &[ChatMessage<'_>],
        native: Option<&NativeSchema>,
    ) -> Result<HttpRequest> {
        let settings = Checked::read(call)?;
        let parameters = Parameters::read(call.parameters)?;
        let model = settings.model(call).ok_or_else(|| {
            Error::configuration(
                "model is required for Anthropic API calls: set it as a setting or as a parameter of the call",
            )
        })?;
        let (tools, reasons) = tools::prepare(&call.tools, parameters.strict, &ANTHROPIC);
        let prefill = native.is_none() && prefills(call, Some(model));
        Ok(HttpRequest {
            method: "POST",
            url: format!("{}/v1/messages", settings.base),
            body: request::write_body(model, messages, &tools, &parameters, native, prefill)?,
            auth: settings.auth,
            headers: json_headers(settings.headers),
            reasons,
        })
    }

    fn parse(&self, call: &Call<'_>, answer: &HttpAnswer<'_>) -> Result<ChatResult<'static>> {
        if !answer.is_success() {
            return Err(http_error(answer, &TELLING));
        }
        let settings = Checked::read(call)?;
        response::read_response(answer, prefills(call, settings.model(call)))
    }
}

#[cfg(test)]
mod tests {
    use super::{honours_schema, refuses_prefill};

    /// The rules of #965 as a table: honours a schema, refuses a prefill.
    #[test]
    fn what_is_known_of_models() {
        let table = [
            ("claude-opus-4-6", true, true),
            ("claude-opus-4-7", true, true),
            ("claude-opus-4-8", true, true),
            ("claude-opus-5", true, true),
            ("claude-opus-5-5", true, true),
            ("claude-sonnet-4-6", true, true),
            ("claude-sonnet-5", true, true),
            ("claude-sonnet-5-5", true, true),
            ("claude-fable-5", true, true),
            ("claude-fable-5-1", true, true),
            ("claude-mythos-5", true, true),
            ("claude-mythos-preview", true, true),
            ("claude-opus-4-5", true, false),
            ("claude-opus-4-5-20251101", true, false),
            ("claude-sonnet-4-5-20250929", true, false),
            ("claude-haiku-4-5", true, false),
            ("claude-haiku-4-50", false, false),
            ("claude-sonnet-4-20250514", false, false),
            ("claude-3-5-haiku-latest", false, false),
            ("my-gateway/claude-opus-5", false, false),
            ("", false, false),
        ];
        for (model, honours, refuses) in table {
            assert_eq!(honours_schema(model), honours, "{model}");
            assert_eq!(refuses_prefill(model), refuses, "{model}");
        }
    }
}
