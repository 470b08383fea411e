//! vLLM's server (<https://docs.vllm.ai/en/latest/serving/openai_compatible_server>, read 2026-11): Chat Completions, any model,
//! and guided decoding for every schema.

use std::borrow::Cow;

use super::chat_completions::{self, Parameters, WireForm, own_format};
use super::failure::{HttpAnswer, Telling, http_error};
use super::settings::{BEARER, Settings};
use super::{
    Call, HttpRequest, NativeSchema, Provider, SupportAnswer, by_model, json_headers, no_support, text_parameter,
    tools, translate,
};
use crate::error::{Error, Result};
use crate::json::Json;
use crate::message::fields::member;
use crate::message::{ChatMessage, ChatResult};
use crate::schema::{OutputSchema, VLLM};

#[derive(Debug)]
pub struct Vllm;

const NAME: &str = "vllm";
const DEFAULT_BASE: &str = "http://localhost:8000/v1";
const SETTINGS: [&str; 4] = ["api_base_url", "model", "auth", "default_headers"];

/// Month in which the rules here were last read.
const TABLE: &str = "2026-11";

/// The server's own ways to guide an answer; beside `response_format` they contradict it. The `guided_` ones are those before
/// version 0.12.
const OWN_GUIDES: [&str; 5] = [
    "structured_outputs",
    "guided_json",
    "guided_regex",
    "guided_choice",
    "guided_grammar",
];

static FORM: WireForm = WireForm::openai(NAME);

const TELLING: Telling = Telling {
    lead: "vLLM answered with",
    empty: "vLLM returned no completion",
    unauthorized: "Check the API key that the server was started with.",
    forbidden: "A gateway before the server refused the key: check its permissions.",
    not_found: "Check the base URL (it is used as given and ends in /v1) and the name under which the model is served.",
};

/// The settings, checked.
struct Checked<'a> {
    base: &'a str,
    model: Option<&'a str>,
    keyless: bool,
    headers: super::Headers,
}

impl<'a> Checked<'a> {
    fn read(call: &'a Call<'_>) -> Result<Self> {
        let settings = Settings::read(call.settings, NAME, &SETTINGS)?;
        Ok(Checked {
            base: settings.base_url("api_base_url")?.unwrap_or(DEFAULT_BASE),
            model: settings.text("model")?,
            keyless: settings.choice("auth", &["api_key", "bearer", "none"])? == "none",
            headers: settings.headers()?,
        })
    }

    fn model<'m>(&'m self, call: &'m Call<'_>) -> Option<&'m str> {
        text_parameter(call.parameters, "model").or(self.model)
    }
}

/// The caller's own guide, if there is one.
fn own_guide(given: &[(Cow<'_, str>, Json<'_>)]) -> Option<&'static str> {
    let additional = member(given, "additional_kwargs")?;
    OWN_GUIDES.into_iter().find(|guide| additional.get(guide).is_some())
}

impl Provider for Vllm {
    fn name(&self) -> &'static str {
        NAME
    }

    fn display_name(&self) -> &'static str {
        "vLLM"
    }

    fn table(&self) -> &'static str {
        TABLE
    }

    /// Any model that has a name (#945): guided decoding belongs to the server.
    fn support(&self, call: &Call<'_>, schema: Option<&OutputSchema>) -> Result<SupportAnswer> {
        let settings = Checked::read(call)?;
        let rewritten = match translate(schema, &VLLM) {
            Ok(rewritten) => rewritten,
            Err(reasons) => return Ok(no_support(reasons)),
        };
        let model = settings.model(call);
        let mut answer = by_model(rewritten, model, model.is_some(), TABLE);
        if let (Some(model), Some(first)) = (model, answer.reasons.first_mut()) {
            first.message = format!("vLLM guides the decoding of every model, {model} too (table of {TABLE}).");
        }
        Ok(answer)
    }

    fn collision(&self, call: &Call<'_>, schema: &str) -> Option<String> {
        if own_format(call.parameters) {
            return Some(chat_completions::collision(schema, "vLLM"));
        }
        let guide = own_guide(call.parameters)?;
        Some(format!(
            "The output schema {schema} is sent to vLLM as response_format: {guide} must not also be set in additional_kwargs. \
             Remove {guide}, or drop the output schema."
        ))
    }

    fn build(
        &self,
        call: &Call<'_>,
        messages: &[ChatMessage<'_>],
        native: Option<&NativeSchema>,
    ) -> Result<HttpRequest> {
        let settings = Checked::read(call)?;
        let parameters = Parameters::read(call.parameters, &FORM)?;
        let model = settings.model(call).ok_or_else(|| {
            Error::configuration(
                "model is required for vLLM API calls: set it as a setting or as a parameter of the call",
            )
        })?;
        let (tools, reasons) = tools::prepare(&call.tools, parameters.strict, &VLLM);
        Ok(HttpRequest {
            method: "POST",
            url: format!("{}/chat/completions", settings.base),
            body: chat_completions::write_body(&[("model", model)], messages, &tools, &parameters, native)?,
            auth: (!settings.keyless).then_some(BEARER),
            headers: json_headers(settings.headers),
            reasons,
        })
    }

    fn parse(&self, _call: &Call<'_>, answer: &HttpAnswer<'_>) -> Result<ChatResult<'static>> {
        if !answer.is_success() {
            return Err(http_error(answer, &TELLING));
        }
        chat_completions::read_completion(answer, &TELLING)
    }
}
