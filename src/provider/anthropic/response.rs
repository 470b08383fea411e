//! The answer of Messages, read into a [`ChatResult`]. Nothing is judged here: a refusal, a cut answer or bad tool arguments are
//! kept for the caller to see.

use std::borrow::Cow;

use super::{NAME, TELLING};
use crate::error::Result;
use crate::json::Json;
use crate::message::{ChatMessage, ChatResult, ContentBlock, Members, Reasoning, Role, TokenUsage, ToolCall};
use crate::provider::failure::{HttpAnswer, empty_response, error_in_success, read_body};
use crate::provider::tool_calls::{CallIds, nameless, read_input};
use crate::provider::usage::{UsageKeys, read_usage};

const USAGE: UsageKeys = UsageKeys {
    prompt: "input_tokens",
    completion: "output_tokens",
    prompt_details: "cache_creation",
    completion_details: "output_tokens_details",
};

/// Counts that stand beside `input_tokens` and are not part of it.
const CACHE_COUNTS: [&str; 2] = ["cache_creation_input_tokens", "cache_read_input_tokens"];

/// Reads a 2xx answer. `prefilled`: the request may have begun the answer with `{`.
pub fn read_response(answer: &HttpAnswer<'_>, prefilled: bool) -> Result<ChatResult<'static>> {
    let body = read_body(answer, &TELLING)?;
    if let Some(error) = error_in_success(&body, answer, &TELLING) {
        return Err(error);
    }
    let stop_reason = body.get("stop_reason").and_then(Json::as_text);
    let blocks = body.get("content").and_then(Json::as_array).unwrap_or_default();
    // An answer that was cut, refused or paused before its first block says why.
    if blocks.is_empty() && !stop_reason.is_some_and(explains_no_content) {
        return Err(empty_response(answer, &TELLING, "the answer has no content"));
    }
    let mut message = read_content(blocks)?;
    match stop_reason {
        Some("refusal") => refuse(&mut message, &body),
        _ if prefilled => restore_prefill(&mut message),
        _ => (),
    }
    Ok(ChatResult {
        message,
        model: text(&body, "model").filter(|model| !model.is_empty()),
        response_id: text(&body, "id").filter(|id| !id.is_empty()),
        usage: body.get("usage").and_then(usage),
        finish_reason: stop_reason.map(|reason| finish_reason(reason).to_owned().into()),
        metadata: metadata(&body),
    })
}

fn explains_no_content(stop_reason: &str) -> bool {
    ["refusal", "pause_turn"].contains(&stop_reason) || finish_reason(stop_reason) == "length"
}

/// Both limits are told as every provider's; all else is as given.
fn finish_reason(stop_reason: &str) -> &str {
    match stop_reason {
        "max_tokens" | "model_context_window_exceeded" => "length",
        other => other,
    }
}

/// What says more about the end of the answer: the text that stopped it, which limit it was, and why it was refused.
fn metadata(body: &Json<'_>) -> Members<'static> {
    let window = body
        .get("stop_reason")
        .filter(|reason| reason.as_text() == Some("model_context_window_exceeded"));
    let facts = [
        ("stop_reason", window),
        ("stop_sequence", body.get("stop_sequence")),
        ("stop_details", body.get("stop_details")),
    ];
    facts
        .into_iter()
        .filter_map(|(name, value)| Some((name.into(), value?.clone().into_owned())))
        .collect()
}

fn text(json: &Json<'_>, key: &str) -> Option<Cow<'static, str>> {
    let text = json.get(key).and_then(Json::as_text)?;
    Some(Cow::Owned(text.to_owned()))
}

fn usage(json: &Json<'_>) -> Option<TokenUsage<'static>> {
    let mut usage = read_usage(json, &USAGE)?;
    let counts = CACHE_COUNTS.into_iter().filter_map(|name| {
        let count = json.get(name)?.as_i64().filter(|count| *count >= 0)?;
        Some((name.into(), count))
    });
    usage.prompt_token_details.splice(0..0, counts);
    Some(usage)
}

/// The blocks in their order; unknown kinds are skipped. Texts that follow each other are one, without a separator.
fn read_content(content: &[Json<'_>]) -> Result<ChatMessage<'static>> {
    let mut blocks: Vec<ContentBlock<'static>> = Vec::new();
    let mut ids = CallIds::new(content.iter().filter_map(call_id));
    let mut calls = 0;
    for (index, block) in content.iter().enumerate() {
        match block.get("type").and_then(Json::as_text) {
            Some("text") => add_text(
                block.get("text").and_then(Json::as_text).unwrap_or_default(),
                &mut blocks,
            ),
            Some("thinking" | "redacted_thinking") => blocks.push(ContentBlock::Reasoning(read_thinking(block))),
            Some("tool_use") => {
                let mut metadata = Vec::new();
                let id = ids.take(calls, call_id(block), &mut metadata);
                blocks.push(ContentBlock::ToolCall(read_call(block, index, id, metadata)?));
                calls += 1;
            }
            _ => (),
        }
    }
    Ok(ChatMessage {
        role: Role::Assistant,
        blocks,
        metadata: Vec::new(),
    })
}

fn add_text(text: &str, blocks: &mut Vec<ContentBlock<'static>>) {
    match blocks.last_mut() {
        _ if text.is_empty() => (),
        Some(ContentBlock::Text(before)) => before.to_mut().push_str(text),
        _ => blocks.push(ContentBlock::Text(Cow::Owned(text.to_owned()))),
    }
}

/// The thought for people, the whole block with its signature for its replay.
fn read_thinking(block: &Json<'_>) -> Reasoning<'static> {
    Reasoning {
        text: text(block, "thinking").filter(|text| !text.is_empty()),
        metadata: vec![(NAME.into(), block.clone().into_owned())],
    }
}

fn call_id<'j>(block: &'j Json<'_>) -> Option<&'j str> {
    let is_call = block.get("type").and_then(Json::as_text) == Some("tool_use");
    block.get("id").filter(|_| is_call).and_then(Json::as_text)
}

fn read_call(block: &Json<'_>, index: usize, id: String, mut metadata: Members<'static>) -> Result<ToolCall<'static>> {
    let name = text(block, "name").filter(|name| !name.is_empty());
    let name = name.ok_or_else(|| nameless(&format!("content[{index}]"), index))?;
    let input = read_input(block.get("input"), &mut metadata);
    Ok(ToolCall {
        call_id: Cow::Owned(id),
        name,
        input,
        metadata,
    })
}

/// A refusal is no text: what the model had written until then and the service's explanation go into `refusal`.
fn refuse(message: &mut ChatMessage<'static>, body: &Json<'_>) {
    let details = body.get("stop_details");
    let detail = |key: &str| details.and_then(|details| details.get(key)).and_then(Json::as_text);
    let said = message.text().into_owned();
    let parts: Vec<&str> = [Some(said.as_str()), detail("explanation")]
        .into_iter()
        .flatten()
        .filter(|part| !part.trim().is_empty())
        .collect();
    let refusal = match (parts.is_empty(), detail("category")) {
        (false, _) => parts.join("\n"),
        (true, Some(category)) => format!("stop_reason refusal, category {category}"),
        (true, None) => "stop_reason refusal".to_owned(),
    };
    message.blocks.retain(|block| !matches!(block, ContentBlock::Text(_)));
    message.metadata.push(("refusal".into(), refusal.into()));
}

/// Puts the `{` of the request before the text. Only what goes on with an object gets it: where the request had none after all
/// (a native schema, tools), the text begins with `{` itself or is no JSON.
fn restore_prefill(message: &mut ChatMessage<'static>) {
    if message.tool_calls().next().is_some() {
        return;
    }
    let first = message.blocks.iter_mut().find_map(|block| match block {
        ContentBlock::Text(text) => Some(text),
        _ => None,
    });
    if let Some(text) = first.filter(|text| text.trim_start().starts_with(['"', '}'])) {
        text.to_mut().insert(0, '{');
    }
}
