//! DashScope's own calls: the messages stand under `input`, everything else under `parameters`.

use super::Endpoint;
use crate::error::Result;
use crate::json::Json;
use crate::message::{ChatMessage, ChatResult, ContentBlock, MediaKind, Role};
use crate::provider::NativeSchema;
use crate::provider::body::Body;
use crate::provider::chat_completions::{
    Parameters, check_media, read_message, write_calls, write_native_format, write_tools,
};
use crate::provider::failure::{HttpAnswer, Telling, body_error, empty_response, error_in_success, read_body};
use crate::provider::tools::SentTool;
use crate::provider::usage::{UsageKeys, read_usage};

const USAGE: UsageKeys = UsageKeys {
    prompt: "input_tokens",
    completion: "output_tokens",
    prompt_details: "prompt_tokens_details",
    completion_details: "output_tokens_details",
};

pub fn write_body(
    model: &str,
    endpoint: Endpoint,
    messages: &[ChatMessage<'_>],
    tools: &[SentTool<'_>],
    parameters: &Parameters<'_>,
    native: Option<&NativeSchema>,
) -> Result<Vec<u8>> {
    check_media(messages, parameters.form)?;
    let mut body = Body::with_capacity(1024);
    body.object(|body| {
        body.key("model").text(model);
        body.key("input").object(|body| {
            body.key("messages").array(|body| {
                for message in messages {
                    body.object(|body| write_message(message, endpoint, body));
                }
            });
        });
        body.key("parameters").object(|body| {
            // Without it the answer has another shape, which holds no calls.
            body.key("result_format").text("message");
            write_tools(tools, parameters, body);
            parameters.write_plain(body);
            match (native, &parameters.response_format) {
                (Some(schema), _) => write_native_format(schema, body.key("response_format")),
                (None, Some(own)) => body.key("response_format").json(own),
                (None, None) => (),
            }
            parameters.write_additional(body);
        });
    });
    Ok(body.finish())
}

/// The content is a text, or, on the multimodal endpoint, a list of parts.
fn write_message(message: &ChatMessage<'_>, endpoint: Endpoint, body: &mut Body) {
    let result = message.tool_result();
    body.key("role").text(message.role.name());
    let text = result.map_or_else(|| message.text_or_refusal(), |result| result.text().into());
    match (endpoint, message.role) {
        (Endpoint::Multimodal, Role::User) => body.key("content").array(|body| write_parts(message, body)),
        (Endpoint::Multimodal, _) => body.key("content").array(|body| {
            if !text.is_empty() {
                body.object(|body| body.key("text").text(&text));
            }
        }),
        _ => body.key("content").text(&text),
    }
    if let Some(result) = result {
        body.key("tool_call_id").text(&result.call_id);
    }
    write_calls(message, body);
}

fn write_parts(message: &ChatMessage<'_>, body: &mut Body) {
    for block in &message.blocks {
        let (key, value) = match block {
            ContentBlock::Text(text) => ("text", text.clone()),
            ContentBlock::Media(media) if media.kind == MediaKind::Video => ("video", media.url_or_data()),
            ContentBlock::Media(media) => ("image", media.url_or_data()),
            _ => continue,
        };
        body.object(|body| body.key(key).text(&value));
    }
}

/// Reads a 2xx answer. It names no model, so `model` is the one that was called.
pub fn read_generation(answer: &HttpAnswer<'_>, telling: &Telling, model: Option<&str>) -> Result<ChatResult<'static>> {
    let body = read_body(answer, telling)?;
    if let Some(error) = error_in_success(&body, answer, telling) {
        return Err(error);
    }
    let output = body.get("output");
    let said = body.get("code").and_then(Json::as_text).unwrap_or_default();
    if output.is_none() && !said.is_empty() {
        return Err(body_error(&body, answer, telling));
    }
    let choices = output.and_then(|output| output.get("choices"));
    let choice = choices.and_then(Json::as_array).and_then(<[_]>::first);
    let choice = choice.ok_or_else(|| empty_response(answer, telling, "the answer has no choices"))?;
    let message = choice
        .get("message")
        .ok_or_else(|| empty_response(answer, telling, "the first choice has no message"))?;
    let text = |json: &Json<'_>, key: &str| json.get(key).and_then(Json::as_text).map(|text| text.to_owned().into());
    Ok(ChatResult {
        message: read_message(message)?,
        model: model.map(|model| model.to_owned().into()),
        response_id: text(&body, "request_id"),
        usage: body.get("usage").and_then(|usage| read_usage(usage, &USAGE)),
        finish_reason: text(choice, "finish_reason"),
        metadata: Vec::new(),
    })
}
