//! Ollama's own API (<https://docs.ollama.com/api/chat>, read 2026-11): one call of `/api/chat`, not streamed. The server turns
//! a schema into a grammar for any model; it wants no key unless it is Ollama Cloud.

mod parameters;
mod request;
mod response;

use super::failure::{HttpAnswer, Telling, http_error};
use super::settings::{Auth, BEARER, Settings};
use super::{
    Call, HttpRequest, NativeSchema, Provider, SupportAnswer, for_any_model, json_headers, no_support, text_parameter,
    tools, translate,
};
use crate::error::{Error, Result};
use crate::json::Json;
use crate::message::fields::member;
use crate::message::{ChatMessage, ChatResult, ContentBlock};
use crate::schema::{OLLAMA, OutputSchema};
use parameters::Parameters;

#[derive(Debug)]
pub struct Ollama;

const NAME: &str = "ollama";
const DISPLAY_NAME: &str = "Ollama";
const DEFAULT_BASE: &str = "http://localhost:11434";
const SETTINGS: [&str; 4] = ["api_base_url", "model", "auth", "default_headers"];

/// Month in which the rules here were last read.
const TABLE: &str = "2026-11";

const TELLING: Telling = Telling {
    lead: "Ollama answered with",
    empty: "Ollama returned no completion",
    unauthorized: "Ollama Cloud wants a key: set it as the model's API key.",
    forbidden: "The key or a gateway before the server does not allow this: check the account and the gateway.",
    not_found: "Pull the model on the server (ollama pull), and check its name and the base URL (without /api).",
};

/// The settings, checked.
struct Checked<'a> {
    base: &'a str,
    model: Option<&'a str>,
    auth: Option<Auth>,
    headers: super::Headers,
}

impl<'a> Checked<'a> {
    fn read(call: &'a Call<'_>) -> Result<Self> {
        let settings = Settings::read(call.settings, NAME, &SETTINGS)?;
        let keyless = settings.choice("auth", &["none", "api_key", "bearer"])? == "none";
        Ok(Checked {
            base: settings.base_url("api_base_url")?.unwrap_or(DEFAULT_BASE),
            model: settings.text("model")?,
            auth: (!keyless).then_some(BEARER),
            headers: settings.headers()?,
        })
    }

    fn model<'m>(&'m self, call: &'m Call<'_>) -> Option<&'m str> {
        text_parameter(call.parameters, "model").or(self.model)
    }
}

impl Provider for Ollama {
    fn name(&self) -> &'static str {
        NAME
    }

    fn display_name(&self) -> &'static str {
        DISPLAY_NAME
    }

    fn table(&self) -> &'static str {
        TABLE
    }

    /// Every schema that the grammar can express, whatever the model (#981).
    fn support(&self, call: &Call<'_>, schema: Option<&OutputSchema>) -> Result<SupportAnswer> {
        let settings = Checked::read(call)?;
        let rewritten = match translate(schema, &OLLAMA) {
            Ok(rewritten) => rewritten,
            Err(reasons) => return Ok(no_support(reasons)),
        };
        let cause = format!(
            "Ollama guides the decoding of every model (table of {TABLE}). Ollama Cloud takes the schema, but does not enforce it; \
             servers before 0.5.0 refuse it."
        );
        Ok(for_any_model(rewritten, settings.model(call), cause))
    }

    fn collision(&self, call: &Call<'_>, schema: &str) -> Option<String> {
        let additional = member(call.parameters, "additional_kwargs").and_then(|kwargs| kwargs.get("format"));
        additional.or(member(call.parameters, "format"))?;
        Some(format!(
            "The output schema {schema} is sent to Ollama as format: format must not also be set in the model parameters or in \
             additional_kwargs. Remove format, or drop the output schema."
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
                "model is required for Ollama API calls: set it as a setting or as a parameter of the call",
            )
        })?;
        let (tools, reasons) = tools::without_strict(&call.tools, DISPLAY_NAME);
        Ok(HttpRequest {
            method: "POST",
            url: format!("{}/api/chat", settings.base),
            body: request::write_body(model, messages, &tools, &parameters, native)?,
            auth: settings.auth,
            headers: json_headers(settings.headers),
            reasons,
        })
    }

    fn parse(&self, call: &Call<'_>, answer: &HttpAnswer<'_>) -> Result<ChatResult<'static>> {
        if !answer.is_success() {
            return Err(http_error(answer, &TELLING));
        }
        let mut result = response::read_chat(answer, &TELLING)?;
        if member(call.parameters, "extract_reasoning").and_then(Json::as_bool) == Some(false) {
            let is_kept = |block: &ContentBlock<'_>| !matches!(block, ContentBlock::Reasoning(_));
            result.message.blocks.retain(is_kept);
        }
        Ok(result)
    }
}
