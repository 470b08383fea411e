//! From a result to a typed answer, or to the reason why it is none (#1040, #1149).

use std::borrow::Cow;

use crate::error::{Error, ErrorKind, Result};
use crate::json::Json;
use crate::message::ChatResult;
use crate::message::fields::member;
use crate::provider::failure::clip;
use crate::schema::{Answer, OutputSchema, read_answer};

/// Longest text of a model that goes into an error, in characters.
pub const MAX_QUOTED_TEXT: usize = 512;

/// The typed answer of `result`; `None` when the model asks for tools instead. The order is: a refusal, a cut answer, a
/// filtered one, tool calls, nothing at all, and only then the text against the schema, so that a refusal is never told as a
/// parse error, and a cut answer never counts, however complete it looks. `parameters` are those of the call.
pub fn typed_answer(
    result: &ChatResult<'_>,
    schema: &OutputSchema,
    wrapper: Option<&str>,
    parameters: &[(Cow<'_, str>, Json<'_>)],
) -> Option<Result<Answer>> {
    if let Some(error) = unusable_answer(result, parameters) {
        return Some(Err(error));
    }
    if result.message.tool_calls().next().is_some() {
        return None;
    }
    let answer = read_answer(schema, &result.message.text(), wrapper);
    // Words beside a refusal are no broken answer.
    Some(match (answer, result.refusal()) {
        (Err(_), Some(refusal)) if !refusal.is_empty() => Err(refused(refusal)),
        (answer, _) => answer,
    })
}

/// Why a result is no complete answer, whatever schema it should follow: a refusal, a rejected finish reason, or nothing at all.
pub fn unusable_answer(result: &ChatResult<'_>, parameters: &[(Cow<'_, str>, Json<'_>)]) -> Option<Error> {
    let text = result.message.text();
    match result.refusal() {
        Some(refusal) if !refusal.is_empty() && text.trim().is_empty() => return Some(refused(refusal)),
        _ => (),
    }
    rejected_finish_reason(result, parameters)
        .or_else(|| (result.message.tool_calls().next().is_none() && text.trim().is_empty()).then(empty))
}

/// The refusal of a result, also one with words beside it.
pub fn refusal(result: &ChatResult<'_>) -> Option<Error> {
    result.refusal().filter(|refusal| !refusal.is_empty()).map(refused)
}

/// A finish reason that is rejected with or without a schema, with or without tool calls (#1040).
pub fn rejected_finish_reason(result: &ChatResult<'_>, parameters: &[(Cow<'_, str>, Json<'_>)]) -> Option<Error> {
    match result.finish_reason.as_deref() {
        Some("length") => Some(truncated(result, parameters)),
        Some("content_filter") => Some(filtered()),
        Some("invalid_tool_call") => Some(broken_call(result)),
        _ => None,
    }
}

fn refused(refusal: &str) -> Error {
    let said = clip(refusal, MAX_QUOTED_TEXT).into_owned();
    let text = format!("The model refused to answer: {said}");
    Error::new(ErrorKind::Refusal, text).with("refusal", said)
}

fn truncated(result: &ChatResult<'_>, parameters: &[(Cow<'_, str>, Json<'_>)]) -> Error {
    let used = result.usage.as_ref().and_then(|usage| usage.completion_tokens);
    let limit = member(parameters, "max_tokens").and_then(Json::as_i64);
    let at = used.map_or(String::new(), |used| format!(" after {used} completion tokens"));
    let now = limit.map_or("unset, so the model's own limit holds".into(), |limit| {
        limit.to_string()
    });
    let text = format!(
        "ChatModel response is truncated (finish_reason='length'): it was cut{at}. Raise max_tokens (now {now}), or ask for a \
         smaller answer."
    );
    Error::new(ErrorKind::Truncated, text)
        .with("finish_reason", "length")
        .with("completion_tokens", used)
        .with("max_tokens", limit)
}

fn filtered() -> Error {
    let text = "ChatModel response was withheld by the provider's content filter (finish_reason='content_filter'). Change the \
                prompt, or the filter's configuration.";
    Error::new(ErrorKind::ContentFilter, text).with("finish_reason", "content_filter")
}

/// The model tried to call a tool and wrote no call that can be read.
fn broken_call(result: &ChatResult<'_>) -> Error {
    let said = member(&result.metadata, "finish_message").and_then(Json::as_text);
    let text = "The model wrote a tool call that the provider could not read. Ask the model again; if this stays, simplify the \
                tools' schemas.";
    Error::new(ErrorKind::InvalidToolCall, text)
        .with("finish_reason", "invalid_tool_call")
        .with(
            "finish_message",
            said.map(|said| clip(said, MAX_QUOTED_TEXT).into_owned()),
        )
}

fn empty() -> Error {
    let text = "The model answered with no text and no tool call. Repeat the call; if this stays, check the prompt.";
    Error::new(ErrorKind::EmptyResponse, text).with("retryable", true)
}
