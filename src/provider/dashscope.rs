//! DashScope, Alibaba Cloud's Model Studio (<https://www.alibabacloud.com/help/en/model-studio/qwen-api-reference>, read 2026-11).
//! Its OpenAI-compatible endpoint is used unless the setting `api_type` names one of its own: text or multimodal generation (#1374).

mod generation;

use std::borrow::Cow;

use super::chat_completions::{self, Own, OwnKind, Parameters, WireForm, own_format};
use super::failure::{HttpAnswer, Telling, http_error};
use super::settings::{Auth, BEARER, Settings};
use super::{
    Call, HttpRequest, NativeSchema, Provider, SupportAnswer, by_model, insert_instruction, json_headers, no_support,
    text_parameter, tools, translate,
};
use crate::error::{Error, Result};
use crate::json::Json;
use crate::message::fields::member;
use crate::message::{ChatMessage, ChatResult, Media, MediaKind, Role};
use crate::schema::{DASHSCOPE, OutputSchema};
use crate::structured::{Reason, ReasonCode};

#[derive(Debug)]
pub struct DashScope;

const NAME: &str = "dashscope";
const DISPLAY_NAME: &str = "DashScope";
const SETTINGS: [&str; 7] = [
    "api_base_url",
    "region",
    "api_type",
    "model",
    "auth",
    "native_models",
    "default_headers",
];

/// Month of the list below and of the rules here. The service's list changes often: `native_models` adds to it.
const TABLE: &str = "2026-11";
const MODELS: [&str; 4] = [
    "qwen3.7-max",
    "qwen3.7-max-preview",
    "qwen3.7-max-2026-05-17",
    "qwen3.7-max-2026-05-20",
];

/// Parts of the names of models that `api_type` = `auto` calls by the multimodal endpoint.
const MULTIMODAL: [&str; 4] = ["-vl", "qvq", "-omni", "-ocr"];

/// What the service answers 400 to when the messages lack it.
const JSON_WORD: &str = "json";

static FORM: WireForm = WireForm {
    display_name: DISPLAY_NAME,
    max_tokens: "max_tokens",
    lacks: &["strict", "user", "frequency_penalty", "reasoning_effort"],
    own: &[
        Own {
            name: "top_k",
            kind: OwnKind::AtLeast(0),
        },
        Own {
            name: "enable_thinking",
            kind: OwnKind::Flag,
        },
        Own {
            name: "thinking_budget",
            kind: OwnKind::AtLeast(1),
        },
    ],
    reserved: &["input", "parameters", "result_format", "incremental_output"],
    media_fault,
    ..WireForm::openai(NAME)
};

/// As `FORM`, for the endpoint that takes texts only.
static TEXT_FORM: WireForm = WireForm {
    media_fault: |_, _| Some("the text generation call takes no media, api_type multimodal does".into()),
    ..FORM
};

fn media_fault(role: Role, media: &Media<'_>) -> Option<Cow<'static, str>> {
    if role != Role::User {
        return Some(format!("only user messages can carry media, not {} messages", role.name()).into());
    }
    match media.kind {
        MediaKind::Image | MediaKind::Video => None,
        MediaKind::Audio | MediaKind::Document => Some("DashScope takes images and videos only".into()),
    }
}

const TELLING: Telling = Telling {
    lead: "DashScope answered with",
    empty: "DashScope returned no completion",
    unauthorized: "Check the API key, and that it belongs to the region of the base URL.",
    forbidden: "The account may not use this model: check that the model is activated and the key's workspace allows it.",
    not_found: "Check the model's name, the region and the base URL (it is used as given).",
};

/// Which of the service's endpoints is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Endpoint {
    Compatible,
    Text,
    Multimodal,
}

impl Endpoint {
    fn form(self) -> &'static WireForm {
        match self {
            Endpoint::Text => &TEXT_FORM,
            _ => &FORM,
        }
    }

    fn path(self) -> &'static str {
        match self {
            Endpoint::Compatible => "/chat/completions",
            Endpoint::Text => "/services/aigc/text-generation/generation",
            Endpoint::Multimodal => "/services/aigc/multimodal-generation/generation",
        }
    }

    fn default_base(self, region: &str) -> &'static str {
        match (self, region) {
            (Endpoint::Compatible, "intl") => "https://dashscope-intl.aliyuncs.com/compatible-mode/v1",
            (Endpoint::Compatible, _) => "https://dashscope.aliyuncs.com/compatible-mode/v1",
            (_, "intl") => "https://dashscope-intl.aliyuncs.com/api/v1",
            (_, _) => "https://dashscope.aliyuncs.com/api/v1",
        }
    }
}

/// The settings, checked.
struct Checked<'a> {
    base: &'a str,
    model: Option<&'a str>,
    endpoint: Endpoint,
    auth: Option<Auth>,
    native_models: Vec<&'a str>,
    headers: super::Headers,
}

impl<'a> Checked<'a> {
    fn read(call: &'a Call<'_>) -> Result<Self> {
        let settings = Settings::read(call.settings, NAME, &SETTINGS)?;
        let model = text_parameter(call.parameters, "model").or(settings.text("model")?);
        let multimodal = |model: &str| MULTIMODAL.iter().any(|part| model.contains(part));
        let endpoint = match settings.choice("api_type", &["compatible", "text", "multimodal", "auto"])? {
            "text" => Endpoint::Text,
            "multimodal" => Endpoint::Multimodal,
            "auto" if model.is_some_and(multimodal) => Endpoint::Multimodal,
            "auto" => Endpoint::Text,
            _ => Endpoint::Compatible,
        };
        let own_base = settings.base_url("api_base_url")?;
        let region = settings.choice("region", &["cn", "intl"])?;
        if own_base.is_some() && settings.text("region")?.is_some() {
            return Err(settings.wrong("region", "says nothing beside api_base_url: remove one of them"));
        }
        let keyless = settings.choice("auth", &["api_key", "bearer", "none"])? == "none";
        Ok(Checked {
            base: own_base.unwrap_or(endpoint.default_base(region)),
            model,
            endpoint,
            auth: (!keyless).then_some(BEARER),
            native_models: settings.texts("native_models")?,
            headers: settings.headers()?,
        })
    }
}

/// Whether the caller turned thinking on: the service takes no schema with it.
fn thinks(given: &[(Cow<'_, str>, Json<'_>)]) -> bool {
    let additional = member(given, "additional_kwargs").and_then(|kwargs| kwargs.get("enable_thinking"));
    additional.or(member(given, "enable_thinking")) == Some(&Json::Bool(true))
}

/// What keeps a schema out of every request of this call.
fn obstacle(call: &Call<'_>, endpoint: Endpoint) -> Option<Reason> {
    let text = if endpoint == Endpoint::Multimodal {
        "DashScope's multimodal generation call takes no schema; the compatible endpoint does (api_type)."
    } else if thinks(call.parameters) {
        "DashScope takes no schema while enable_thinking is true; set it to false for a native schema."
    } else {
        return None;
    };
    Some(Reason::new(ReasonCode::Untranslatable, text))
}

/// The messages as sent. The service wants the word in a system's or a user's message when it is asked for `json_object`.
fn with_json_word<'m, 'a>(messages: &'m [ChatMessage<'a>], parameters: &Parameters<'_>) -> Cow<'m, [ChatMessage<'a>]> {
    let additional = member(&parameters.additional, "response_format");
    let format = parameters.response_format.as_ref().or(additional);
    let kind = format.and_then(|format| format.get("type")).and_then(Json::as_text);
    let says_it = |message: &ChatMessage<'_>| {
        matches!(message.role, Role::System | Role::User) && message.text().to_ascii_lowercase().contains(JSON_WORD)
    };
    if kind != Some("json_object") || messages.iter().any(says_it) {
        return Cow::Borrowed(messages);
    }
    let mut messages = messages.to_vec();
    insert_instruction(&mut messages, "Answer with one JSON object.".to_owned());
    Cow::Owned(messages)
}

impl Provider for DashScope {
    fn name(&self) -> &'static str {
        NAME
    }

    fn display_name(&self) -> &'static str {
        DISPLAY_NAME
    }

    fn table(&self) -> &'static str {
        TABLE
    }

    /// A schema that translates, no thinking, not the multimodal call; and a model of the table or of `native_models`.
    fn support(&self, call: &Call<'_>, schema: Option<&OutputSchema>) -> Result<SupportAnswer> {
        let settings = Checked::read(call)?;
        let rewritten = match (translate(schema, &DASHSCOPE), obstacle(call, settings.endpoint)) {
            (Ok(rewritten), None) => rewritten,
            (Ok(_), Some(obstacle)) => return Ok(no_support(vec![obstacle])),
            (Err(reasons), _) => return Ok(no_support(reasons)),
        };
        let listed = |model: &str| MODELS.contains(&model) || settings.native_models.contains(&model);
        let model = settings.model;
        Ok(by_model(rewritten, model, model.is_some_and(listed), TABLE))
    }

    fn collision(&self, call: &Call<'_>, schema: &str) -> Option<String> {
        if !own_format(call.parameters) {
            return None;
        }
        let model = Checked::read(call).ok()?.model.unwrap_or("(not set)");
        Some(chat_completions::collision(schema, &format!("DashScope model {model}")))
    }

    fn build(
        &self,
        call: &Call<'_>,
        messages: &[ChatMessage<'_>],
        native: Option<&NativeSchema>,
    ) -> Result<HttpRequest> {
        let settings = Checked::read(call)?;
        let parameters = Parameters::read(call.parameters, settings.endpoint.form())?;
        let model = settings.model.ok_or_else(|| {
            Error::configuration(
                "model is required for DashScope API calls: set it as a setting or as a parameter of the call",
            )
        })?;
        let (tools, reasons) = tools::without_strict(&call.tools, DISPLAY_NAME);
        let messages = with_json_word(messages, &parameters);
        let body = match settings.endpoint {
            Endpoint::Compatible => {
                chat_completions::write_body(&[("model", model)], &messages, &tools, &parameters, native)?
            }
            endpoint => generation::write_body(model, endpoint, &messages, &tools, &parameters, native)?,
        };
        Ok(HttpRequest {
            method: "POST",
            url: format!("{}{}", settings.base, settings.endpoint.path()),
            body,
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
        match settings.endpoint {
            Endpoint::Compatible => chat_completions::read_completion(answer, &TELLING),
            _ => generation::read_generation(answer, &TELLING, settings.model),
        }
    }
}
