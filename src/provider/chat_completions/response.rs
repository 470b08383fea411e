//! The response of Chat Completions, read into a [`ChatResult`]. Nothing is judged here: a refusal, a cut answer or bad tool
//! arguments are kept for the caller to see.

use std::borrow::Cow;
use std::collections::BTreeSet;

use crate::error::{Error, ErrorKind, Result};
use crate::json::Json;
use crate::message::{
    ChatMessage, ChatResult, ContentBlock, Counts, Members, Reasoning, Role, TokenUsage, ToolCall, read_arguments,
};
use crate::provider::failure::{HttpAnswer, Telling, empty_response, error_in_success, read_body};

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
        model: text(&body, "model").filter(|model| !model.is_empty()),
        response_id: text(&body, "id").filter(|id| !id.is_empty()),
        usage: body.get("usage").and_then(read_usage),
        finish_reason,
        metadata: Vec::new(),
    })
}

fn text(json: &Json<'_>, key: &str) -> Option<Cow<'static, str>> {
    let text = json.get(key).and_then(Json::as_text)?;
    Some(Cow::Owned(text.to_owned()))
}

/// Reasoning first, then text, then the calls.
fn read_message(message: &Json<'_>) -> Result<ChatMessage<'static>> {
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
    let given: BTreeSet<&str> = calls.iter().filter_map(given_id).collect();
    let mut used = BTreeSet::new();
    calls
        .iter()
        .enumerate()
        .map(|(index, call)| {
            let id = given_id(call).filter(|id| used.insert(*id));
            read_call(call, index, id, &given)
        })
        .collect()
}

fn given_id<'j>(call: &'j Json<'_>) -> Option<&'j str> {
    let id = call.get("id").and_then(Json::as_text);
    id.filter(|id| !id.trim().is_empty())
}

/// One call. A missing or repeated id is replaced by one that is the same on every read of the same answer.
fn read_call(call: &Json<'_>, index: usize, id: Option<&str>, given: &BTreeSet<&str>) -> Result<ToolCall<'static>> {
    let mut metadata: Members<'static> = Vec::new();
    let call_id = id.map(str::to_owned).unwrap_or_else(|| {
        metadata.push(("synthetic_id".into(), true.into()));
        synthetic_id(index, given)
    });
    let function = call.get("function");
    let custom = call.get("custom");
    let name = function.or(custom).and_then(|part| text(part, "name"));
    let name = name.filter(|name| !name.is_empty()).ok_or_else(|| nameless(index))?;
    let input = match (function, custom) {
        (None, Some(custom)) => {
            metadata.push(("type".into(), "custom".into()));
            let input = text(custom, "input").unwrap_or_default();
            vec![("input".into(), Json::Text(input))]
        }
        _ => {
            let (input, invalid) = read_input(function.and_then(|function| function.get("arguments")));
            metadata.extend(invalid.map(|invalid| ("invalid_arguments".into(), invalid)));
            input
        }
    };
    Ok(ToolCall {
        call_id: Cow::Owned(call_id),
        name,
        input,
        metadata,
    })
}

fn synthetic_id(index: usize, given: &BTreeSet<&str>) -> String {
    let mut id = format!("call_{index}");
    while given.contains(id.as_str()) {
        id.push('_');
    }
    id
}

fn nameless(index: usize) -> Error {
    let text = format!("tool_calls[{index}] of the answer has no name, so no tool can be chosen; ask the model again");
    Error::new(ErrorKind::InvalidToolCall, text).with("index", index as u64)
}

/// Arguments are JSON in a text; some servers send the object itself.
fn read_input(arguments: Option<&Json<'_>>) -> (Members<'static>, Option<Json<'static>>) {
    match arguments {
        None => (Vec::new(), None),
        Some(Json::Text(raw)) => read_arguments(raw),
        Some(other) => read_arguments(&other.to_json()),
    }
}

/// Counts that are negative or no integers are unknown.
fn read_usage(usage: &Json<'_>) -> Option<TokenUsage<'static>> {
    usage.as_object()?;
    Some(TokenUsage {
        prompt_tokens: usage.get("prompt_tokens").and_then(count),
        completion_tokens: usage.get("completion_tokens").and_then(count),
        prompt_token_details: read_details(usage.get("prompt_tokens_details")),
        completion_token_details: read_details(usage.get("completion_tokens_details")),
    })
}

fn count(json: &Json<'_>) -> Option<i64> {
    json.as_i64().filter(|count| *count >= 0)
}

fn read_details(details: Option<&Json<'_>>) -> Counts<'static> {
    let members = details.and_then(Json::as_object).unwrap_or_default();
    members
        .iter()
        .filter_map(|(name, value)| Some((Cow::Owned(name.to_string()), count(value)?)))
        .collect()
}
