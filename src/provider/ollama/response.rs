//! The answer of `/api/chat`, read into a [`ChatResult`]. Nothing is judged here: a cut answer or bad tool arguments are kept
//! for the caller to see.

use std::borrow::Cow;

use super::NAME;
use crate::error::Result;
use crate::json::Json;
use crate::message::{ChatMessage, ChatResult, ContentBlock, Members, Reasoning, Role, TokenUsage, ToolCall};
use crate::provider::failure::{HttpAnswer, Telling, empty_response, error_in_success, read_body};
use crate::provider::tool_calls::{CallIds, nameless, read_input};
use crate::provider::usage::count;

/// How long the parts of the work took, in nanoseconds: kept in the result's metadata.
const DURATIONS: [&str; 4] = [
    "total_duration",
    "load_duration",
    "prompt_eval_duration",
    "eval_duration",
];

/// Reads a 2xx answer. An `error` member in it is a provider error, no message is an empty response.
pub fn read_chat(answer: &HttpAnswer<'_>, telling: &Telling) -> Result<ChatResult<'static>> {
    let body = read_body(answer, telling)?;
    if let Some(error) = error_in_success(&body, answer, telling) {
        return Err(error);
    }
    let message = body.get("message").filter(|message| message.as_object().is_some());
    let message = message.ok_or_else(|| empty_response(answer, telling, "the answer has no message"))?;
    let duration = |name: &'static str| Some((Cow::Borrowed(name), Json::Int(body.get(name).and_then(count)?)));
    Ok(ChatResult {
        message: read_message(message)?,
        model: text(&body, "model"),
        response_id: None,
        usage: read_usage(&body),
        finish_reason: text(&body, "done_reason"),
        metadata: DURATIONS.into_iter().filter_map(duration).collect(),
    })
}

/// A prompt that the server had in its cache is not counted by older servers.
fn read_usage(body: &Json<'_>) -> Option<TokenUsage<'static>> {
    let usage = TokenUsage {
        prompt_tokens: body.get("prompt_eval_count").and_then(count),
        completion_tokens: body.get("eval_count").and_then(count),
        ..TokenUsage::default()
    };
    (usage.prompt_tokens.is_some() || usage.completion_tokens.is_some()).then_some(usage)
}

/// A text that holds something.
fn text(json: &Json<'_>, key: &str) -> Option<Cow<'static, str>> {
    let text = json.get(key).and_then(Json::as_text)?;
    (!text.is_empty()).then(|| Cow::Owned(text.to_owned()))
}

/// Reasoning first, then text, then the calls.
fn read_message(message: &Json<'_>) -> Result<ChatMessage<'static>> {
    let thinking = text(message, "thinking").map(|text| {
        ContentBlock::Reasoning(Reasoning {
            text: Some(text),
            metadata: vec![(NAME.into(), true.into())],
        })
    });
    let mut blocks: Vec<_> = thinking.into_iter().collect();
    blocks.extend(text(message, "content").map(ContentBlock::Text));
    let calls = message.get("tool_calls").and_then(Json::as_array).unwrap_or_default();
    let mut ids = CallIds::new(calls.iter().filter_map(given_id));
    for (index, call) in calls.iter().enumerate() {
        blocks.push(ContentBlock::ToolCall(read_call(call, index, &mut ids)?));
    }
    Ok(ChatMessage {
        role: Role::Assistant,
        blocks,
        metadata: Vec::new(),
    })
}

fn given_id<'j>(call: &'j Json<'_>) -> Option<&'j str> {
    call.get("id").and_then(Json::as_text)
}

/// Newer servers give an id; otherwise there is a made one.
fn read_call<'j>(call: &'j Json<'_>, index: usize, ids: &mut CallIds<'j>) -> Result<ToolCall<'static>> {
    let mut metadata: Members<'static> = Vec::new();
    let call_id = ids.take(index, given_id(call), &mut metadata);
    let function = call.get("function");
    let name = function.and_then(|function| text(function, "name"));
    let name = name.ok_or_else(|| nameless(&format!("message.tool_calls[{index}]"), index))?;
    let input = read_input(function.and_then(|function| function.get("arguments")), &mut metadata);
    Ok(ToolCall {
        call_id: Cow::Owned(call_id),
        name,
        input,
        metadata,
    })
}
