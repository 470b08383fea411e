//! Google Gemini's generateContent (<https://ai.google.dev/api/generate-content>, read 2026-11; #1326, #1370), on the Gemini API and
//! on Vertex AI.

mod parameters;
mod request;
mod response;

use super::failure::{HttpAnswer, Telling, http_error};
use super::settings::{Auth, BEARER, Settings, percent_encode};
use super::{
    Call, HttpRequest, NativeSchema, Provider, SupportAnswer, by_model, json_headers, no_support, text_parameter,
    translate,
};
use crate::error::{Error, Result};
use crate::message::{ChatMessage, ChatResult};
use crate::schema::{GEMINI, OutputSchema};
use crate::structured::{Reason, ReasonCode, Support};
use parameters::{Parameters, own_format};

#[derive(Debug)]
pub struct Gemini;

/// The name in frames, and the key under which a reasoning block keeps its native part.
const NAME: &str = "gemini";
const DISPLAY_NAME: &str = "Google Gemini";

const DEFAULT_BASE: &str = "https://generativelanguage.googleapis.com";
const DEFAULT_VERSION: &str = "v1beta";
const VERTEX_VERSION: &str = "v1";
const SETTINGS: [&str; 8] = [
    "api_base_url",
    "api_version",
    "model",
    "project",
    "location",
    "auth",
    "native_models",
    "default_headers",
];

const GOOGLE_KEY: Auth = Auth::Key {
    header: "x-goog-api-key",
    prefix: "",
};

/// Month of the rules below.
const TABLE: &str = "2026-11";
/// Whatever its family, such a model draws, speaks, listens or embeds and takes no schema.
const NOT_WITH: [&str; 7] = [
    "-image",
    "-tts",
    "-audio",
    "-live",
    "-transcribe",
    "-embedding",
    "-omni",
];
const FAMILY: &str = "gemini-";
/// The first generation that takes a schema beside tools, and media in tool results.
const THIRD: u32 = 3;

const TELLING: Telling = Telling {
    lead: "Google Gemini answered with",
    empty: "Google Gemini returned no candidate",
    unauthorized: "Check the API key; Vertex AI (project and location) takes a bearer token instead.",
    forbidden: "The key or token may not use this model, project or location: check its permissions.",
    not_found: "Check the model's name, api_version, and on Vertex AI project and location.",
};

/// Whether the model honours a schema. Reads nothing but its argument; a path such as `models/...` is not in the table.
fn honours_schema(model: &str) -> bool {
    !NOT_WITH.iter().any(|part| model.contains(part)) && model.starts_with(FAMILY) && model.len() > FAMILY.len()
}

/// The number behind `gemini-` in the last part of a model's name; none for aliases (`gemini-flash-latest`), other families and
/// tuned models.
fn generation(model: &str) -> Option<u32> {
    let name = model.rsplit('/').next()?.strip_prefix(FAMILY)?;
    let end = name.find(|c: char| !c.is_ascii_digit()).unwrap_or(name.len());
    name.get(..end)?.parse().ok()
}

fn is_before_third(model: &str) -> bool {
    generation(model).is_some_and(|generation| generation < THIRD)
}

/// The settings, checked.
struct Checked<'a> {
    /// Without a trailing slash.
    base: String,
    version: &'a str,
    /// Project and location on Vertex AI.
    vertex: Option<(&'a str, &'a str)>,
    model: Option<&'a str>,
    auth: Option<Auth>,
    native_models: Vec<&'a str>,
    headers: super::Headers,
}

impl<'a> Checked<'a> {
    fn read(call: &'a Call<'_>) -> Result<Self> {
        let settings = Settings::read(call.settings, NAME, &SETTINGS)?;
        let vertex = read_vertex(&settings)?;
        let version = path_part(&settings, "api_version")?;
        // Vertex AI takes tokens, the Gemini API keys; both can be told otherwise.
        let words = match vertex {
            Some(_) => ["bearer", "api_key", "none"],
            None => ["api_key", "bearer", "none"],
        };
        Ok(Checked {
            base: match (settings.base_url("api_base_url")?, vertex) {
                (Some(base), _) => base.to_owned(),
                (None, Some((_, "global"))) => "https://aiplatform.googleapis.com".to_owned(),
                (None, Some((_, location))) => format!("https://{location}-aiplatform.googleapis.com"),
                (None, None) => DEFAULT_BASE.to_owned(),
            },
            version: version.unwrap_or(match vertex {
                Some(_) => VERTEX_VERSION,
                None => DEFAULT_VERSION,
            }),
            vertex,
            model: settings.text("model")?,
            auth: match settings.choice("auth", &words)? {
                "none" => None,
                "bearer" => Some(BEARER),
                _ => Some(GOOGLE_KEY),
            },
            native_models: settings.texts("native_models")?,
            headers: settings.headers()?,
        })
    }

    fn model<'m>(&'m self, call: &'m Call<'_>) -> Option<&'m str> {
        text_parameter(call.parameters, "model").or(self.model)
    }

    fn required_model<'m>(&'m self, call: &'m Call<'_>) -> Result<&'m str> {
        self.model(call).ok_or_else(|| {
            Error::configuration(
                "model is required for Google Gemini API calls: set it as a setting or as a parameter of the call",
            )
        })
    }

    fn url(&self, model: &str) -> Result<String> {
        let path = self.model_path(model)?;
        Ok(format!("{}/{}/{path}:generateContent", self.base, self.version))
    }

    /// A bare name stands in the usual collection; a name with a slash is a path of its own: `models/...`, `tunedModels/...`,
    /// on Vertex AI also `publishers/...`, `endpoints/...` and the full `projects/...`.
    fn model_path(&self, model: &str) -> Result<String> {
        let parts: Vec<&str> = model.split('/').collect();
        if parts.iter().any(|part| part.is_empty() || [".", ".."].contains(part)) {
            return Err(Error::configuration(
                "model must be a name such as gemini-2.5-flash, or a path such as models/gemini-2.5-flash",
            )
            .with("setting", "model"));
        }
        let path: Vec<String> = parts.iter().map(|part| percent_encode(part)).collect();
        let path = path.join("/");
        let Some((project, location)) = self.vertex else {
            return Ok(match path.contains('/') {
                true => path,
                false => format!("models/{path}"),
            });
        };
        let inside = format!("projects/{project}/locations/{location}");
        Ok(match parts.as_slice() {
            ["projects", ..] => path,
            [_] => format!("{inside}/publishers/google/models/{path}"),
            ["models", _] => format!("{inside}/publishers/google/{path}"),
            _ => format!("{inside}/{path}"),
        })
    }
}

/// Vertex AI wants both.
fn read_vertex<'a>(settings: &Settings<'a>) -> Result<Option<(&'a str, &'a str)>> {
    match (path_part(settings, "project")?, path_part(settings, "location")?) {
        (Some(project), Some(location)) => Ok(Some((project, location))),
        (None, None) => Ok(None),
        (Some(_), None) => Err(settings.wrong("location", "is required beside project, for example global")),
        (None, Some(_)) => Err(settings.wrong("project", "is required beside location")),
    }
}

/// A text that stands in a URL as it is.
fn path_part<'a>(settings: &Settings<'a>, name: &'static str) -> Result<Option<&'a str>> {
    let is_plain = |text: &str| {
        text.bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"-_.:".contains(&byte))
    };
    match settings.text(name)? {
        Some(text) if !is_plain(text) || text.starts_with('.') => {
            Err(settings.wrong(name, "must be one part of a URL's path: letters, digits, -, _, . and :"))
        }
        text => Ok(text),
    }
}

impl Provider for Gemini {
    fn name(&self) -> &'static str {
        NAME
    }

    fn display_name(&self) -> &'static str {
        DISPLAY_NAME
    }

    fn table(&self) -> &'static str {
        TABLE
    }

    /// A schema that translates, a model that is in the table or in `native_models`, and no tools beside it before Gemini 3.
    fn support(&self, call: &Call<'_>, schema: Option<&OutputSchema>) -> Result<SupportAnswer> {
        let settings = Checked::read(call)?;
        let rewritten = match translate(schema, &GEMINI) {
            Ok(rewritten) => rewritten,
            Err(reasons) => return Ok(no_support(reasons)),
        };
        let model = settings.model(call);
        let listed = model.is_some_and(|model| honours_schema(model) || settings.native_models.contains(&model));
        let answer = by_model(rewritten, model, listed, TABLE);
        Ok(match call.tools.is_empty() {
            true => answer,
            false => beside_tools(answer, model),
        })
    }

    fn collision(&self, call: &Call<'_>, schema: &str) -> Option<String> {
        let member = own_format(call.parameters)?;
        Some(format!(
            "The output schema {schema} is sent to Google Gemini as generationConfig.responseJsonSchema: {member} must not also \
             be set in additional_kwargs.generationConfig. Remove {member}, or drop the output schema."
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
        let model = settings.required_model(call)?;
        let tools = call.tools.iter();
        let strict = tools.filter(|tool| tool.strict.or(parameters.strict) == Some(true));
        let reasons = strict.map(|tool| not_strict(&tool.name)).collect();
        Ok(HttpRequest {
            method: "POST",
            url: settings.url(model)?,
            body: request::write_body(model, messages, &call.tools, &parameters, native)?,
            auth: settings.auth,
            headers: json_headers(settings.headers),
            reasons,
        })
    }

    fn parse(&self, _call: &Call<'_>, answer: &HttpAnswer<'_>) -> Result<ChatResult<'static>> {
        if !answer.is_success() {
            return Err(http_error(answer, &TELLING));
        }
        response::read_response(answer, &TELLING)
    }
}

/// Before Gemini 3 the service answers 400 to a schema beside tools; of a model without a number nothing is known.
fn beside_tools(mut answer: SupportAnswer, model: Option<&str>) -> SupportAnswer {
    let name = model.unwrap_or("of this call");
    if model.is_some_and(is_before_third) {
        let text = format!("The model {name} takes no schema beside tools (table of {TABLE}); Gemini 3 does.");
        return no_support(vec![
            Reason::new(ReasonCode::ToolsBound, text).with("model", name.to_owned()),
        ]);
    }
    if model.and_then(generation).is_none() {
        let text = format!("The model {name} is not known to take a schema beside tools (table of {TABLE}).");
        answer.support = answer.support.min(Support::Feasible);
        answer.reasons.push(Reason::new(ReasonCode::ToolsBound, text));
    }
    answer
}

fn not_strict(tool: &str) -> Reason {
    let text = format!("The tool {tool} is sent without strict: Google Gemini has no strict tools.");
    Reason::new(ReasonCode::ToolNotStrict, text).with("tool", tool.to_owned())
}

#[cfg(test)]
mod tests {
    use super::{generation, honours_schema};

    /// The rule for names as a table.
    #[test]
    fn models_that_honour_a_schema() {
        let table = [
            ("gemini-2.0-flash", true),
            ("gemini-2.5-flash-lite", true),
            ("gemini-3-pro-preview", true),
            ("gemini-flash-latest", true),
            ("gemini-", false),
            ("gemini", false),
            ("", false),
            ("gemini-2.5-flash-image", false),
            ("gemini-2.5-pro-preview-tts", false),
            ("gemini-2.5-flash-native-audio-latest", false),
            ("gemini-live-2.5-flash", false),
            ("gemini-2.0-flash-live-001", false),
            ("gemini-transcribe", false),
            ("gemini-3-transcribe", false),
            ("gemini-embedding-001", false),
            ("gemini-2-embedding", false),
            ("gemini-3-omni", false),
            ("models/gemini-2.5-flash", false),
            ("tunedModels/gemini-mine", false),
            ("gemma-3-27b-it", false),
        ];
        for (model, expected) in table {
            assert_eq!(honours_schema(model), expected, "{model}");
        }
    }

    #[test]
    fn generations() {
        let table = [
            ("gemini-2.5-flash", Some(2)),
            ("models/gemini-1.5-pro", Some(1)),
            ("gemini-3-pro-preview", Some(3)),
            ("publishers/google/models/gemini-3.1-flash", Some(3)),
            ("gemini-10", Some(10)),
            ("gemini-flash-latest", None),
            ("gemma-3-27b-it", None),
            ("gemini-99999999999999", None),
        ];
        for (model, expected) in table {
            assert_eq!(generation(model), expected, "{model}");
        }
    }
}
