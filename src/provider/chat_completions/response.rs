//! The response of Chat Completions, read into a [`ChatResult`]. Nothing is judged here: a refusal, a cut answer or bad tool
//! arguments are kept for the caller to see.

use std::borrow::Cow;

use crate::error::Result;
use crate::json::Json;
use crate::message::{ChatMessage, ChatResult, ContentBlock, Members, Reasoning, Role, ToolCall};
use crate::provider::failure::{HttpAnswer, Telling, empty_response, error_in_success, read_body};
use crate::provider::tool_calls::{CallIds, nameless, read_input};
use crate::provider::usage::{UsageKeys, read_usage};

const USAGE: UsageKeys = UsageKeys {
    prompt: "prompt_tokens",
    completion: "completion_tokens",
    prompt_details: "prompt_tokens_details",
    completion_details: "completion_tokens_details",
};

/// Reads a 2xx answer. An `error` member in it is a provider error, no choice is an empty response.
pub fn read_completion(answer: &HttpAnswer<'_>, telling: &Telling) -> Result<ChatResult<'static>> {
    let body = read_body(answer, telling)?;
    if let Some(error) = error_in_success(&body, answer, telling) {
        return Err(error);
    }
    let choice = body.get("choices").and_then(Json::as_array).and_then(<[_]>::first);
    let choice = choice.ok_or_else(|| empty_response(answer, telling, "the answer has no choices"))?;
    let finish_reason = text(choice, "finish_reason");
    // Azure leaves the message out where its filter withheld it.
    let nothing = Json::Null;
    let message = match choice.get("message") {
        Some(message) => message,
        None if finish_reason.as_deref() == Some("content_filter") => &nothing,
        None => return Err(empty_response(answer, telling, "the first choice has no message")),
    };
    Ok(ChatResult {
        message: read_message(message)?,
        // watsonx.ai's name for it.
        model: ["model", "model_id"]
            .into_iter()
            .find_map(|key| text(&body, key).filter(|model| !model.is_empty())),
        response_id: text(&body, "id").filter(|id| !id.is_empty()),
        usage: body.get("usage").and_then(|usage| read_usage(usage, &USAGE)),
        finish_reason,
        metadata: Vec::new(),
    })
}

fn text(json: &Json<'_>, key: &str) -> Option<Cow<'static, str>> {
    let text = json.get(key).and_then(Json::as_text)?;
    Some(Cow::Owned(text.to_owned()))
}

/// The message of a choice: reasoning first, then text, then the calls.
pub fn read_message(message: &Json<'_>) -> Result<ChatMessage<'static>> {
    let reasoning = text(message, "reasoning_content").or_else(|| text(message, "reasoning"));
    let reasoning = reasoning.filter(|text| !text.is_empty()).map(|text| {
        ContentBlock::Reasoning(Reasoning {
            text: Some(text),
            metadata: Vec::new(),
        })
    });
    let content = read_content(message.get("content"));
    let mut blocks: Vec<_> = reasoning.into_iter().collect();
    if !content.is_empty() {
        blocks.push(ContentBlock::Text(Cow::Owned(content)));
    }
    blocks.extend(read_calls(message)?.into_iter().map(ContentBlock::ToolCall));
    let refusal = text(message, "refusal").filter(|refusal| !refusal.is_empty());
    Ok(ChatMessage {
        role: Role::Assistant,
        blocks,
        metadata: refusal
            .map(|refusal| ("refusal".into(), Json::Text(refusal)))
            .into_iter()
            .collect(),
    })
}

/// A text, or the text parts that some gateways send.
fn read_content(content: Option<&Json<'_>>) -> String {
    match content {
        Some(Json::Text(text)) => text.to_string(),
        Some(Json::Array(parts)) => parts
            .iter()
            .filter_map(|part| part.get("text").and_then(Json::as_text))
            .collect(),
        _ => String::new(),
    }
}

fn read_calls(message: &Json<'_>) -> Result<Vec<ToolCall<'static>>> {
    let calls = message.get("tool_calls").and_then(Json::as_array).unwrap_or_default();
    let mut ids = CallIds::new(calls.iter().filter_map(given_id));
    calls
        .iter()
        .enumerate()
        .map(|(index, call)| read_call(call, index, &mut ids))
        .collect()
}

fn given_id<'j>(call: &'j Json<'_>) -> Option<&'j str> {
    call.get("id").and_then(Json::as_text)
}

fn read_call<'j>(call: &'j Json<'_>, index: usize, ids: &mut CallIds<'j>) -> Result<ToolCall<'static>> {
    let mut metadata: Members<'static> = Vec::new();
    let call_id = ids.take(index, given_id(call), &mut metadata);
    let function = call.get("function");
    let custom = call.get("custom");
    let name = function.or(custom).and_then(|part| text(part, "name"));
    let name = name.filter(|name| !name.is_empty());
    let name = name.ok_or_else(|| nameless(&format!("tool_calls[{index}]"), index))?;
    let input = match (function, custom) {
        (None, Some(custom)) => {
            metadata.push(("type".into(), "custom".into()));
            let input = text(custom, "input").unwrap_or_default();
            vec![("input".into(), Json::Text(input))]
        }
        _ => {
            let arguments = function.and_then(|function| function.get("arguments"));
            read_input(arguments, &mut metadata)
        }
    };
    Ok(ToolCall {
        call_id: Cow::Owned(call_id),
        name,
        input,
        metadata,
    })
}
