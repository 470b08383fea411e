//! The response of Responses, read into a [`ChatResult`]. Nothing is judged here: a refusal, a cut answer or bad tool
//! arguments are kept for the caller to see.

use std::borrow::Cow;

use super::NAME;
use crate::error::Result;
use crate::json::Json;
use crate::message::{ChatMessage, ChatResult, ContentBlock, Members, Reasoning, Role, ToolCall};
use crate::provider::failure::{
    HttpAnswer, Telling, body_error, empty_response, error_in_success, no_answer, read_body,
};
use crate::provider::tool_calls::{CallIds, nameless, read_input};
use crate::provider::usage::{UsageKeys, read_usage};

const USAGE: UsageKeys = UsageKeys {
    prompt: "input_tokens",
    completion: "output_tokens",
    prompt_details: "input_tokens_details",
    completion_details: "output_tokens_details",
};

/// Reads a 2xx answer. A response that failed comes as one, too: it is a provider error.
pub fn read_response(answer: &HttpAnswer<'_>, telling: &Telling) -> Result<ChatResult<'static>> {
    let body = read_body(answer, telling)?;
    if let Some(error) = error_in_success(&body, answer, telling) {
        return Err(error);
    }
    let status = body.get("status").and_then(Json::as_text);
    if status == Some("failed") {
        return Err(body_error(&body, answer, telling));
    }
    let cut = body
        .get("incomplete_details")
        .and_then(|details| details.get("reason"))
        .and_then(Json::as_text);
    let items = body.get("output").and_then(Json::as_array).unwrap_or_default();
    // An answer that was cut before its first item is a cut answer, and says why.
    if items.is_empty() && cut.is_none() {
        let what = status.map_or_else(
            || "the answer has no output".to_owned(),
            |status| format!("the response is {status} and has no output"),
        );
        return Err(no_answer(&body, answer, telling, &what));
    }
    // Whatever it holds so far, there is more to come, or there never will be.
    if let (Some(open @ ("incomplete" | "in_progress" | "queued" | "cancelled")), None) = (status, cut) {
        let what = format!("the response is {open} and says no reason");
        return Err(empty_response(answer, telling, &what));
    }
    Ok(ChatResult {
        message: read_output(items)?,
        model: text(&body, "model").filter(|model| !model.is_empty()),
        response_id: text(&body, "id").filter(|id| !id.is_empty()),
        usage: body.get("usage").and_then(|usage| read_usage(usage, &USAGE)),
        finish_reason: cut.map(finish_reason).or(status).map(|reason| reason.to_owned().into()),
        metadata: Vec::new(),
    })
}

/// The one reason that has another name in every other API.
fn finish_reason(cut: &str) -> &str {
    match cut {
        "max_output_tokens" => "length",
        other => other,
    }
}

fn text(json: &Json<'_>, key: &str) -> Option<Cow<'static, str>> {
    let text = json.get(key).and_then(Json::as_text)?;
    Some(Cow::Owned(text.to_owned()))
}

/// The items in their order; unknown kinds are skipped. Messages that follow each other are one text, without a separator.
fn read_output(items: &[Json<'_>]) -> Result<ChatMessage<'static>> {
    let mut blocks: Vec<ContentBlock<'static>> = Vec::new();
    let mut refusal = String::new();
    let mut ids = CallIds::new(items.iter().filter_map(call_id));
    let mut calls = 0;
    for (index, item) in items.iter().enumerate() {
        match item.get("type").and_then(Json::as_text) {
            Some("message") => {
                add_text(&parts(item, "output_text", "text"), &mut blocks);
                refusal.push_str(&parts(item, "refusal", "refusal"));
            }
            Some("reasoning") => blocks.push(ContentBlock::Reasoning(read_reasoning(item))),
            Some("function_call") => {
                let mut metadata = Vec::new();
                let id = ids.take(calls, call_id(item), &mut metadata);
                blocks.push(ContentBlock::ToolCall(read_call(item, index, id, metadata)?));
                calls += 1;
            }
            _ => (),
        }
    }
    let refusal = Some(refusal).filter(|refusal| !refusal.is_empty());
    let metadata = refusal.map(|refusal| ("refusal".into(), refusal.into()));
    Ok(ChatMessage {
        role: Role::Assistant,
        blocks,
        metadata: metadata.into_iter().collect(),
    })
}

fn add_text(text: &str, blocks: &mut Vec<ContentBlock<'static>>) {
    match blocks.last_mut() {
        _ if text.is_empty() => (),
        Some(ContentBlock::Text(before)) => before.to_mut().push_str(text),
        _ => blocks.push(ContentBlock::Text(Cow::Owned(text.to_owned()))),
    }
}

/// The texts `key` of a message's parts of one kind, concatenated.
fn parts(item: &Json<'_>, kind: &str, key: &str) -> String {
    let parts = item.get("content").and_then(Json::as_array).unwrap_or_default();
    let wanted = parts
        .iter()
        .filter(|part| part.get("type").and_then(Json::as_text) == Some(kind));
    wanted
        .filter_map(|part| part.get(key).and_then(Json::as_text))
        .collect()
}

/// The summary for people, the whole item for its replay.
fn read_reasoning(item: &Json<'_>) -> Reasoning<'static> {
    let summary = item.get("summary").and_then(Json::as_array).unwrap_or_default();
    let texts: Vec<&str> = summary
        .iter()
        .filter_map(|part| part.get("text").and_then(Json::as_text))
        .collect();
    Reasoning {
        text: (!texts.is_empty()).then(|| texts.join("\n").into()),
        metadata: vec![(NAME.into(), item.clone().into_owned())],
    }
}

fn call_id<'j>(item: &'j Json<'_>) -> Option<&'j str> {
    let is_call = item.get("type").and_then(Json::as_text) == Some("function_call");
    item.get("call_id").filter(|_| is_call).and_then(Json::as_text)
}

fn read_call(item: &Json<'_>, index: usize, id: String, mut metadata: Members<'static>) -> Result<ToolCall<'static>> {
    let name = text(item, "name").filter(|name| !name.is_empty());
    let name = name.ok_or_else(|| nameless(&format!("output[{index}]"), index))?;
    let item_id = text(item, "id").filter(|id| !id.is_empty());
    metadata.extend(item_id.map(|id| ("item_id".into(), Json::Text(id))));
    let input = read_input(item.get("arguments"), &mut metadata);
    Ok(ToolCall {
        call_id: Cow::Owned(id),
        name,
        input,
        metadata,
    })
}
