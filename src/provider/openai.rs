//! OpenAI Chat Completions (<https://platform.openai.com/docs/api-reference/chat>, read 2026-11).

use super::chat_completions::{self, DISPLAY_NAME, Parameters, own_format};
use super::failure::{HttpAnswer, Telling, http_error};
use super::settings::{BEARER, Settings};
use super::{
    Call, Headers, HttpRequest, NativeSchema, Provider, SupportAnswer, by_model, json_headers, no_support,
    text_parameter, translate,
};
use crate::error::{Error, Result};
use crate::message::{ChatMessage, ChatResult};
use crate::schema::{OPENAI_STRICT, OutputSchema};

#[derive(Debug)]
pub struct OpenAi;

const DEFAULT_BASE: &str = "https://api.openai.com/v1";
const SETTINGS: [&str; 7] = [
    "api_base_url",
    "model",
    "organization",
    "project",
    "auth",
    "native_models",
    "default_headers",
];

// ---- what it supports ----

/// Month of the lists below (<https://platform.openai.com/docs/guides/structured-outputs>, #919).
const TABLE: &str = "2026-11";
/// Whatever its family, such a model speaks or listens and takes no schema.
const NOT_WITH: [&str; 4] = ["-audio", "-realtime", "-tts", "-transcribe"];
const PREFIXES: [&str; 6] = [
    "gpt-4o-mini",
    "gpt-4o-search-preview",
    "gpt-4.1",
    "gpt-5",
    "o3",
    "o4-mini",
];
/// Older snapshots of these families do not honour a schema, so only the named ones count.
const EXACT: [&str; 5] = [
    "gpt-4o",
    "gpt-4o-2024-08-06",
    "gpt-4o-2024-11-20",
    "o1",
    "o1-2024-12-17",
];

/// Whether the model honours a schema. Reads nothing but its argument.
fn honours_schema(model: &str) -> bool {
    !NOT_WITH.iter().any(|part| model.contains(part))
        && (PREFIXES.iter().any(|prefix| model.starts_with(prefix)) || EXACT.contains(&model))
}

const TELLING: Telling = Telling {
    lead: "OpenAI Chat Completions answered with",
    display: DISPLAY_NAME,
    unauthorized: "Check the API key, and that it belongs to the organization and project.",
    forbidden: "The key may not use this model or region: check its permissions.",
    not_found: "Check the base URL (it is used as given) and the model's name.",
};

/// The settings, checked.
struct Checked<'a> {
    base: &'a str,
    model: Option<&'a str>,
    keyless: bool,
    native_models: Vec<&'a str>,
    headers: Headers,
}

impl<'a> Checked<'a> {
    fn read(call: &'a Call<'_>) -> Result<Self> {
        let settings = Settings::read(call.settings, "openai", &SETTINGS)?;
        let mut headers = Headers::new();
        for (setting, header) in [("organization", "OpenAI-Organization"), ("project", "OpenAI-Project")] {
            let value = settings.header_text(setting)?;
            headers.extend(value.map(|value| (header.into(), value.to_owned().into())));
        }
        headers.extend(settings.headers()?);
        Ok(Checked {
            base: settings.base_url("api_base_url")?.unwrap_or(DEFAULT_BASE),
            model: settings.text("model")?,
            keyless: settings.choice("auth", &["api_key", "bearer", "none"])? == "none",
            native_models: settings.texts("native_models")?,
            headers,
        })
    }

    fn model<'m>(&'m self, call: &'m Call<'_>) -> Option<&'m str> {
        text_parameter(call.parameters, "model").or(self.model)
    }
}

impl Provider for OpenAi {
    fn name(&self) -> &'static str {
        "openai"
    }

    fn display_name(&self) -> &'static str {
        DISPLAY_NAME
    }

    fn table(&self) -> &'static str {
        TABLE
    }

    fn support(&self, call: &Call<'_>, schema: Option<&OutputSchema>) -> Result<SupportAnswer> {
        let settings = Checked::read(call)?;
        let rewritten = match translate(schema, &OPENAI_STRICT) {
            Ok(rewritten) => rewritten,
            Err(reasons) => return Ok(no_support(reasons)),
        };
        let model = settings.model(call);
        let listed = model.is_some_and(|model| honours_schema(model) || settings.native_models.contains(&model));
        Ok(by_model(rewritten, model, listed, TABLE))
    }

    fn collision(&self, call: &Call<'_>, schema: &str) -> Option<String> {
        own_format(call.parameters).then(|| {
            format!(
                "The output schema {schema} is sent to OpenAI as response_format: response_format must not also be set in the \
                 model parameters or in additional_kwargs. Remove response_format, or drop the output schema."
            )
        })
    }

    // ---- how the request looks ----

    fn build(
        &self,
        call: &Call<'_>,
        messages: &[ChatMessage<'_>],
        native: Option<&NativeSchema>,
    ) -> Result<HttpRequest> {
        let settings = Checked::read(call)?;
        let parameters = Parameters::read(call.parameters, "openai", false)?;
        let model = settings.model(call).ok_or_else(|| {
            Error::configuration(
                "model is required for OpenAI API calls: set it as a setting or as a parameter of the call",
            )
        })?;
        Ok(HttpRequest {
            method: "POST",
            url: [settings.base, "/chat/completions"].concat(),
            body: chat_completions::write_body(model, messages, &call.tools, &parameters, native)?,
            auth: (!settings.keyless).then_some(BEARER),
            headers: json_headers(settings.headers),
        })
    }

    // ---- how the answer is read ----

    fn parse(&self, _call: &Call<'_>, answer: &HttpAnswer<'_>) -> Result<ChatResult<'static>> {
        if !answer.is_success() {
            return Err(http_error(answer, &TELLING));
        }
        chat_completions::read_completion(answer, &TELLING)
    }
}

#[cfg(test)]
mod tests {
    use super::honours_schema;

    /// The rule of #919 as a table.
    #[test]
    fn models_that_honour_a_schema() {
        let table = [
            ("gpt-4o", true),
            ("gpt-4o-2024-08-06", true),
            ("gpt-4o-2024-11-20", true),
            ("gpt-4o-2024-05-13", false),
            ("gpt-4o-mini", true),
            ("gpt-4o-mini-2024-07-18", true),
            ("gpt-4o-search-preview", true),
            ("gpt-4o-audio-preview", false),
            ("gpt-4o-mini-audio-preview", false),
            ("gpt-4o-mini-realtime-preview", false),
            ("gpt-4o-mini-tts", false),
            ("gpt-4o-mini-transcribe", false),
            ("gpt-4.1-nano", true),
            ("gpt-5.1-codex", true),
            ("gpt-4", false),
            ("gpt-3.5-turbo", false),
            ("o1", true),
            ("o1-2024-12-17", true),
            ("o1-mini", false),
            ("o1-preview", false),
            ("o3", true),
            ("o3-mini", true),
            ("o4-mini-2025-04-16", true),
            ("", false),
            (" gpt-4o", false),
            ("my-org/own-model", false),
        ];
        for (model, expected) in table {
            assert_eq!(honours_schema(model), expected, "{model}");
        }
    }
}
