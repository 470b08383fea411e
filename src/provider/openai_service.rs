//! What OpenAI's two APIs, Chat Completions and Responses, share: the settings of an account and the dated table of models.

use super::settings::{API_KEY, Auth, BEARER, Settings};
use super::{Call, SupportAnswer, by_model, no_support, text_parameter, translate};
use crate::error::{Error, Result};
use crate::schema::{OPENAI_STRICT, OutputSchema};

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

/// Month of the lists below (<https://platform.openai.com/docs/guides/structured-outputs>, #919).
pub const TABLE: &str = "2026-11";
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

/// The settings, checked.
#[derive(Debug)]
pub struct Account<'a> {
    /// Without a trailing slash.
    pub base: &'a str,
    model: Option<&'a str>,
    /// Where the key goes; nowhere without one.
    pub auth: Option<Auth>,
    native_models: Vec<&'a str>,
    pub headers: super::Headers,
}

impl<'a> Account<'a> {
    pub fn read(call: &'a Call<'_>, provider: &'static str) -> Result<Self> {
        let settings = Settings::read(call.settings, provider, &SETTINGS)?;
        let mut headers = Vec::new();
        for (setting, header) in [("organization", "OpenAI-Organization"), ("project", "OpenAI-Project")] {
            let value = settings.header_text(setting)?;
            headers.extend(value.map(|value| (header.into(), value.to_owned().into())));
        }
        headers.extend(settings.headers()?);
        Ok(Account {
            base: settings.base_url("api_base_url")?.unwrap_or(DEFAULT_BASE),
            model: settings.text("model")?,
            auth: match settings.choice("auth", &["api_key", "bearer", "api_key_header", "none"])? {
                "none" => None,
                "api_key_header" => Some(API_KEY),
                _ => Some(BEARER),
            },
            native_models: settings.texts("native_models")?,
            headers,
        })
    }

    fn model<'m>(&'m self, call: &'m Call<'_>) -> Option<&'m str> {
        text_parameter(call.parameters, "model").or(self.model)
    }

    /// The call's model, else the setting's.
    pub fn required_model<'m>(&'m self, call: &'m Call<'_>) -> Result<&'m str> {
        self.model(call).ok_or_else(|| {
            Error::configuration(
                "model is required for OpenAI API calls: set it as a setting or as a parameter of the call",
            )
        })
    }

    /// A schema that translates, and a model that is in the table or in `native_models` (#919).
    pub fn support(&self, call: &Call<'_>, schema: Option<&OutputSchema>) -> SupportAnswer {
        let rewritten = match translate(schema, &OPENAI_STRICT) {
            Ok(rewritten) => rewritten,
            Err(reasons) => return no_support(reasons),
        };
        let model = self.model(call);
        let listed = model.is_some_and(|model| honours_schema(model) || self.native_models.contains(&model));
        by_model(rewritten, model, listed, TABLE)
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
