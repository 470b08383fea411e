//! IBM watsonx.ai's text chat (<https://cloud.ibm.com/apidocs/watsonx-ai>, read 2026-11): Chat Completions with other names at
//! the root of the body, and vLLM's guided decoding behind it. The key is an IAM token, which Java fetches and renews.

use super::chat_completions::{self, Own, OwnKind, Parameters, WireForm, own_format};
use super::failure::{HttpAnswer, Telling, http_error};
use super::settings::{Auth, BEARER, Settings, percent_encode};
use super::{
    Call, HttpRequest, NativeSchema, Provider, SupportAnswer, for_any_model, json_headers, no_support, text_parameter,
    tools, translate,
};
use crate::error::{Error, Result};
use crate::json::{self, Json};
use crate::message::fields::member;
use crate::message::{ChatMessage, ChatResult, ContentBlock, ToolCall, read_arguments};
use crate::schema::{OutputSchema, WATSONX};

#[derive(Debug)]
pub struct Watsonx;

const NAME: &str = "watsonx";
const DISPLAY_NAME: &str = "IBM watsonx.ai";
const SETTINGS: [&str; 7] = [
    "api_base_url",
    "api_version",
    "model",
    "project_id",
    "space_id",
    "auth",
    "default_headers",
];

/// The version of the API that is written here, a date.
const DEFAULT_VERSION: &str = "2025-04-23";

/// Month in which the rules here were last read.
const TABLE: &str = "2026-11";

/// Some models wrap the JSON of their arguments in a JSON text, several times over.
const MOST_WRAPPERS: usize = 3;

static FORM: WireForm = WireForm {
    display_name: DISPLAY_NAME,
    max_tokens: "max_tokens",
    tool_choice_word: "tool_choice_option",
    lacks: &["strict", "user", "parallel_tool_calls", "reasoning_effort"],
    own: &[Own {
        name: "time_limit",
        kind: OwnKind::AtLeast(1),
    }],
    reserved: &["model_id", "project_id", "space_id", "tool_choice_option"],
    media_fault: |_, _| Some("this integration sends text only".into()),
    ..WireForm::openai(NAME)
};

const TELLING: Telling = Telling {
    lead: "IBM watsonx.ai answered with",
    empty: "IBM watsonx.ai returned no completion",
    unauthorized: "Check the IBM Cloud API key, or that the IAM token has not expired.",
    forbidden: "The key's owner needs access to the project or space, and the project a watsonx.ai Runtime instance.",
    not_found: "Check the model's name and the base URL (that of the region, without /ml/v1).",
};

/// The settings, checked.
struct Checked<'a> {
    base: &'a str,
    version: &'a str,
    model: Option<&'a str>,
    /// `project_id` or `space_id`, and its value.
    scope: (&'static str, &'a str),
    auth: Option<Auth>,
    headers: super::Headers,
}

impl<'a> Checked<'a> {
    fn read(call: &'a Call<'_>) -> Result<Self> {
        let settings = Settings::read(call.settings, NAME, &SETTINGS)?;
        settings.required_text("api_base_url")?;
        let scope = match (settings.text("project_id")?, settings.text("space_id")?) {
            (Some(project), None) => ("project_id", project),
            (None, Some(space)) => ("space_id", space),
            (None, None) => return Err(settings.wrong("project_id", "is required, or space_id in its place")),
            (Some(_), Some(_)) => return Err(settings.wrong("space_id", "excludes project_id: keep one of them")),
        };
        let keyless = settings.choice("auth", &["bearer", "api_key", "none"])? == "none";
        Ok(Checked {
            base: settings.base_url("api_base_url")?.unwrap_or_default(),
            version: settings.text("api_version")?.unwrap_or(DEFAULT_VERSION),
            model: settings.text("model")?,
            scope,
            auth: (!keyless).then_some(BEARER),
            headers: settings.headers()?,
        })
    }

    fn model<'m>(&'m self, call: &'m Call<'_>) -> Option<&'m str> {
        text_parameter(call.parameters, "model").or(self.model)
    }
}

impl Provider for Watsonx {
    fn name(&self) -> &'static str {
        NAME
    }

    fn display_name(&self) -> &'static str {
        DISPLAY_NAME
    }

    fn table(&self) -> &'static str {
        TABLE
    }

    /// Every schema that translates, whatever the model: the service does not tell which of its models honour one.
    fn support(&self, call: &Call<'_>, schema: Option<&OutputSchema>) -> Result<SupportAnswer> {
        let settings = Checked::read(call)?;
        let rewritten = match translate(schema, &WATSONX) {
            Ok(rewritten) => rewritten,
            Err(reasons) => return Ok(no_support(reasons)),
        };
        let cause = format!("IBM watsonx.ai guides the decoding of every model (table of {TABLE}).");
        Ok(for_any_model(rewritten, settings.model(call), cause))
    }

    fn collision(&self, call: &Call<'_>, schema: &str) -> Option<String> {
        own_format(call.parameters).then(|| chat_completions::collision(schema, DISPLAY_NAME))
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
                "model is required for IBM watsonx.ai API calls: set it as a setting or as a parameter of the call",
            )
        })?;
        let (tools, reasons) = tools::without_strict(&call.tools, DISPLAY_NAME);
        let head = [("model_id", model), settings.scope];
        Ok(HttpRequest {
            method: "POST",
            url: format!(
                "{}/ml/v1/text/chat?version={}",
                settings.base,
                percent_encode(settings.version)
            ),
            body: chat_completions::write_body(&head, messages, &tools, &parameters, native)?,
            auth: settings.auth,
            headers: json_headers(settings.headers),
            reasons,
        })
    }

    fn parse(&self, _call: &Call<'_>, answer: &HttpAnswer<'_>) -> Result<ChatResult<'static>> {
        if !answer.is_success() {
            return Err(http_error(answer, &TELLING));
        }
        let mut result = chat_completions::read_completion(answer, &TELLING)?;
        for block in &mut result.message.blocks {
            if let ContentBlock::ToolCall(call) = block {
                unwrap_arguments(call);
            }
        }
        Ok(result)
    }
}

/// Takes arguments out of the JSON texts that they are wrapped in. What stays broken stays as it was.
fn unwrap_arguments(call: &mut ToolCall<'static>) {
    let invalid = member(&call.metadata, "invalid_arguments").and_then(|invalid| invalid.get("raw"));
    let Some(mut raw) = invalid.and_then(Json::as_text).map(str::to_owned) else {
        return;
    };
    for _ in 0..MOST_WRAPPERS {
        let Ok(Json::Text(inner)) = json::parse(raw.as_bytes()) else {
            return;
        };
        raw = inner.into_owned();
        if let (input, None) = read_arguments(&raw) {
            call.input = input;
            call.metadata.retain(|(key, _)| key != "invalid_arguments");
            return;
        }
    }
}
