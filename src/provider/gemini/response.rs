//! The answer of generateContent, read into a [`ChatResult`]. Nothing is judged here: a blocked prompt, a cut answer or a broken
//! call are kept for the caller to see.

use std::borrow::Cow;

use super::NAME;
use crate::error::Result;
use crate::json::Json;
use crate::message::{
    ChatMessage, ChatResult, ContentBlock, Counts, Media, MediaKind, MediaSource, Members, Reasoning, Role, TokenUsage,
    ToolCall,
};
use crate::provider::failure::{HttpAnswer, Telling, empty_response, error_in_success, foreign_text, read_body};
use crate::provider::tool_calls::{CallIds, nameless, read_input};

/// Reads a 2xx answer. A prompt that was blocked has no candidate and is a filtered answer.
pub fn read_response(answer: &HttpAnswer<'_>, telling: &Telling) -> Result<ChatResult<'static>> {
    let body = read_body(answer, telling)?;
    if let Some(error) = error_in_success(&body, answer, telling) {
        return Err(error);
    }
    let candidates = body.get("candidates").and_then(Json::as_array).unwrap_or_default();
    let feedback = body.get("promptFeedback");
    let blocked = feedback.and_then(|feedback| word(feedback, "blockReason"));
    let candidate = match (candidates.first(), blocked) {
        (Some(candidate), _) => candidate,
        (None, Some(_)) => &Json::Null,
        (None, None) => return Err(empty_response(answer, telling, "the answer has no candidates")),
    };
    let given = word(candidate, "finishReason");
    let reason = given.map(finish_reason).or(blocked.map(|_| "content_filter"));
    let message = feedback.and_then(|feedback| word(feedback, "blockReasonMessage"));
    let message = word(candidate, "finishMessage").or(message);
    let metadata = [
        ("native_finish_reason", given.filter(|given| reason != Some(given))),
        ("block_reason", blocked),
        ("finish_message", message),
    ];
    Ok(ChatResult {
        message: read_candidate(candidate)?,
        model: word(&body, "modelVersion").map(owned),
        response_id: word(&body, "responseId").map(owned),
        usage: body.get("usageMetadata").and_then(read_usage),
        finish_reason: reason.map(owned),
        metadata: metadata
            .into_iter()
            .filter_map(|(key, value)| Some((key.into(), foreign_text(value?).into())))
            .collect(),
    })
}

/// Reasons that have another name in every other API.
fn finish_reason(given: &str) -> &str {
    match given {
        "MAX_TOKENS" => "length",
        "SAFETY" | "RECITATION" | "BLOCKLIST" | "PROHIBITED_CONTENT" | "SPII" => "content_filter",
        "MALFORMED_FUNCTION_CALL" => "invalid_tool_call",
        other if other.starts_with("IMAGE_") => "content_filter",
        other => other,
    }
}

fn word<'j>(json: &'j Json<'_>, key: &str) -> Option<&'j str> {
    json.get(key).and_then(Json::as_text).filter(|text| !text.is_empty())
}

fn owned(text: &str) -> Cow<'static, str> {
    Cow::Owned(text.to_owned())
}

fn read_candidate(candidate: &Json<'_>) -> Result<ChatMessage<'static>> {
    let content = candidate.get("content");
    let parts = content
        .and_then(|content| content.get("parts"))
        .and_then(Json::as_array);
    let parts = parts.unwrap_or_default();
    let mut blocks = Vec::with_capacity(parts.len());
    let mut ids = CallIds::new(parts.iter().filter_map(call_id));
    let mut calls = 0;
    for (index, part) in parts.iter().enumerate() {
        if let Some(call) = part.get("functionCall") {
            let mut metadata = Vec::new();
            let id = ids.take(calls, call_id(part), &mut metadata);
            blocks.push(ContentBlock::ToolCall(read_call(part, call, index, id, metadata)?));
            calls += 1;
        } else {
            read_part(part, &mut blocks);
        }
    }
    Ok(ChatMessage {
        role: Role::Assistant,
        blocks,
        metadata: Vec::new(),
    })
}

/// Thoughts, and parts of kinds that only Gemini has, are kept whole for their replay and are never content.
fn read_part(part: &Json<'_>, blocks: &mut Vec<ContentBlock<'static>>) {
    let is_thought = part.get("thought").and_then(Json::as_bool) == Some(true);
    let text = part.get("text").and_then(Json::as_text);
    let signature = part.get("thoughtSignature");
    match (text, signature) {
        (Some(""), None) => (),
        (Some(text), None) if !is_thought => blocks.push(ContentBlock::Text(owned(text))),
        // The signature belongs to this very text: a block before it keeps it.
        (Some(text), Some(signature)) if !is_thought && !text.is_empty() => {
            let signed = Json::object([("thoughtSignature", signature.clone().into_owned())]);
            blocks.push(native(None, signed));
            blocks.push(ContentBlock::Text(owned(text)));
        }
        _ => match read_media(part).filter(|_| !is_thought) {
            Some(media) => blocks.push(ContentBlock::Media(media)),
            None if part.as_object().is_some_and(|members| !members.is_empty()) => {
                blocks.push(native(text.filter(|_| is_thought), part.clone().into_owned()));
            }
            None => (),
        },
    }
}

fn native(text: Option<&str>, part: Json<'static>) -> ContentBlock<'static> {
    ContentBlock::Reasoning(Reasoning {
        text: text.map(owned),
        metadata: vec![(NAME.into(), part)],
    })
}

fn read_media(part: &Json<'_>) -> Option<Media<'static>> {
    let (data, source) = match (part.get("inlineData"), part.get("fileData")) {
        (Some(data), _) => (data, MediaSource::Base64(owned(word(data, "data")?))),
        (None, Some(data)) => (data, MediaSource::Url(owned(word(data, "fileUri")?))),
        (None, None) => return None,
    };
    let media_type = word(data, "mimeType")?;
    let kind = match media_type.split('/').next() {
        Some("image") => MediaKind::Image,
        Some("audio") => MediaKind::Audio,
        Some("video") => MediaKind::Video,
        _ => MediaKind::Document,
    };
    Some(Media {
        kind,
        media_type: owned(media_type),
        source,
        name: None,
        size_bytes: None,
        sha256: None,
    })
}

fn call_id<'j>(part: &'j Json<'_>) -> Option<&'j str> {
    part.get("functionCall").and_then(|call| word(call, "id"))
}

fn read_call(
    part: &Json<'_>,
    call: &Json<'_>,
    index: usize,
    id: String,
    mut metadata: Members<'static>,
) -> Result<ToolCall<'static>> {
    let place = || format!("candidates[0].content.parts[{index}]");
    let name = word(call, "name").ok_or_else(|| nameless(&place(), index))?;
    let signature = word(part, "thoughtSignature");
    metadata.extend(signature.map(|signature| ("thought_signature".into(), signature.to_owned().into())));
    let input = read_input(call.get("args"), &mut metadata);
    Ok(ToolCall {
        call_id: Cow::Owned(id),
        name: owned(name),
        input,
        metadata,
    })
}

/// Thoughts are paid for as answers are, but stand beside `candidatesTokenCount`: here they are part of the completion, and of its
/// details. A count of zero is left out by the service; one that is negative or no integer is unknown.
fn read_usage(usage: &Json<'_>) -> Option<TokenUsage<'static>> {
    usage.as_object()?;
    let count = |key: &str| usage.get(key).and_then(Json::as_i64).filter(|count| *count >= 0);
    let (candidates, thoughts) = (count("candidatesTokenCount"), count("thoughtsTokenCount"));
    let completion = match (candidates, thoughts) {
        (None, None) => None,
        _ => candidates.unwrap_or(0).checked_add(thoughts.unwrap_or(0)),
    };
    let details = |pairs: &[(&'static str, Option<i64>)]| -> Counts<'static> {
        let known = pairs.iter().filter_map(|(key, count)| Some(((*key).into(), (*count)?)));
        known.collect()
    };
    Some(TokenUsage {
        prompt_tokens: count("promptTokenCount"),
        completion_tokens: completion,
        prompt_token_details: details(&[
            ("cached_tokens", count("cachedContentTokenCount")),
            ("tool_use_tokens", count("toolUsePromptTokenCount")),
        ]),
        completion_token_details: details(&[("reasoning_tokens", thoughts)]),
    })
}
