//! The answer of Converse, read into a [`ChatResult`]. Nothing is judged here: a cut answer or bad tool arguments are kept for
//! the caller to see.

use std::borrow::Cow;

use super::NAME;
use crate::error::Result;
use crate::json::Json;
use crate::message::{ChatMessage, ChatResult, ContentBlock, Reasoning, Role, TokenUsage, ToolCall};
use crate::provider::failure::{HttpAnswer, Telling, body_error, empty_response, error_in_success, read_body};
use crate::provider::tool_calls::{CallIds, nameless, read_input};

/// Reads a 2xx answer; `model` is the one that was called.
pub fn read_response(answer: &HttpAnswer<'_>, model: Option<&str>, telling: &Telling) -> Result<ChatResult<'static>> {
    let body = read_body(answer, telling)?;
    if let Some(error) = error_in_success(&body, answer, telling) {
        return Err(error);
    }
    let message = body.get("output").and_then(|output| output.get("message"));
    let Some(message) = message.filter(|message| message.as_object().is_some()) else {
        let said = ["message", "Message", "__type"]
            .iter()
            .any(|key| body.get(key).is_some());
        return Err(match said {
            true => body_error(&body, answer, telling),
            false => empty_response(answer, telling, "the answer has no output message"),
        });
    };
    let reason = body.get("stopReason").and_then(Json::as_text);
    let blocks = message.get("content").and_then(Json::as_array).unwrap_or_default();
    if blocks.is_empty() && !reason.is_some_and(explains_no_content) {
        return Err(empty_response(answer, telling, "the answer has no content"));
    }
    let metrics = body.get("metrics").map(|metrics| metrics.clone().into_owned());
    Ok(ChatResult {
        message: read_message(blocks)?,
        model: model.map(|model| model.to_owned().into()),
        response_id: answer.header("x-amzn-requestid").map(|id| id.to_owned().into()),
        usage: body.get("usage").and_then(read_usage),
        finish_reason: reason.map(|reason| finish_reason(reason).to_owned().into()),
        metadata: metrics.map(|metrics| ("metrics".into(), metrics)).into_iter().collect(),
    })
}

/// An answer that was cut, blocked or broken off before its first block says why.
fn explains_no_content(reason: &str) -> bool {
    !["end_turn", "stop_sequence", "tool_use"].contains(&reason)
}

/// The reasons that have one name for all providers; every other stays as given.
fn finish_reason(reason: &str) -> &str {
    match reason {
        "max_tokens" | "model_context_window_exceeded" => "length",
        "guardrail_intervened" | "content_filtered" => "content_filter",
        "malformed_tool_use" => "invalid_tool_call",
        other => other,
    }
}

/// `inputTokens` does not count what came from the cache or went into it; those are details.
fn read_usage(usage: &Json<'_>) -> Option<TokenUsage<'static>> {
    usage.as_object()?;
    let count = |key: &str| usage.get(key).and_then(Json::as_i64).filter(|count| *count >= 0);
    let details = [
        ("cache_read_input_tokens", count("cacheReadInputTokens")),
        ("cache_write_input_tokens", count("cacheWriteInputTokens")),
    ];
    let details = details.into_iter();
    Some(TokenUsage {
        prompt_tokens: count("inputTokens"),
        completion_tokens: count("outputTokens"),
        prompt_token_details: details
            .filter_map(|(name, count)| Some((Cow::Borrowed(name), count?)))
            .collect(),
        completion_token_details: Vec::new(),
    })
}

/// The blocks in their order; unknown kinds are skipped. Texts that follow each other are one, without a separator.
fn read_message(items: &[Json<'_>]) -> Result<ChatMessage<'static>> {
    let mut blocks: Vec<ContentBlock<'static>> = Vec::new();
    let mut ids = CallIds::new(items.iter().filter_map(call_id));
    let mut calls = 0;
    for (index, item) in items.iter().enumerate() {
        if let Some(text) = item.get("text").and_then(Json::as_text) {
            add_text(text, &mut blocks);
        } else if let Some(reasoning) = item.get("reasoningContent") {
            blocks.extend(read_reasoning(reasoning).map(ContentBlock::Reasoning));
        } else if let Some(call) = item.get("toolUse") {
            blocks.push(ContentBlock::ToolCall(read_call(
                call,
                index,
                calls,
                &mut ids,
                call_id(item),
            )?));
            calls += 1;
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

/// The text for people; signature or redacted content for the replay.
fn read_reasoning(reasoning: &Json<'_>) -> Option<Reasoning<'static>> {
    let owned = |json: &Json<'_>, key: &str| json.get(key).map(|value| value.clone().into_owned());
    if let Some(redacted) = owned(reasoning, "redactedContent") {
        return Some(Reasoning {
            text: None,
            metadata: vec![(NAME.into(), Json::object([("redacted_content", redacted)]))],
        });
    }
    let said = reasoning.get("reasoningText")?;
    let kept = owned(said, "signature").map(|signature| ("signature".into(), signature));
    let text = said.get("text").and_then(Json::as_text)?;
    Some(Reasoning {
        text: Some(Cow::Owned(text.to_owned())),
        metadata: vec![(NAME.into(), Json::Object(kept.into_iter().collect()))],
    })
}

fn call_id<'j>(item: &'j Json<'_>) -> Option<&'j str> {
    item.get("toolUse")?.get("toolUseId").and_then(Json::as_text)
}

fn read_call<'j>(
    call: &Json<'_>,
    index: usize,
    number: usize,
    ids: &mut CallIds<'j>,
    id: Option<&'j str>,
) -> Result<ToolCall<'static>> {
    let name = call.get("name").and_then(Json::as_text).filter(|name| !name.is_empty());
    let name = name.ok_or_else(|| nameless(&format!("output.message.content[{index}]"), index))?;
    let mut metadata = Vec::new();
    let id = ids.take(number, id, &mut metadata);
    let input = read_input(call.get("input"), &mut metadata);
    Ok(ToolCall {
        call_id: id.into(),
        name: Cow::Owned(name.to_owned()),
        input,
        metadata,
    })
}
