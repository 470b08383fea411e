//! The request body of Chat Completions (#1164, #1185).

use std::borrow::Cow;

use super::DISPLAY_NAME;
use super::parameters::Parameters;
use crate::error::Result;
use crate::json::Json;
use crate::message::fields::member;
use crate::message::unsupported_media;
use crate::message::{ChatMessage, ContentBlock, DataBlock, Media, MediaKind, MediaSource, Role, ToolCall, ToolResult};
use crate::provider::body::Body;
use crate::provider::{NativeSchema, Tool};

/// A body: model, messages, tools, parameters, response format, extra keys.
pub fn write_body(
    model: &str,
    messages: &[ChatMessage<'_>],
    tools: &[Tool<'_>],
    parameters: &Parameters<'_>,
    native: Option<&NativeSchema>,
) -> Result<Vec<u8>> {
    check_media(messages)?;
    let mut body = Body::with_capacity(1024);
    body.object(|body| {
        body.key("model").text(model);
        body.key("messages").array(|body| {
            for message in messages {
                body.object(|body| write_message(message, body));
            }
        });
        write_tools(tools, parameters, body);
        parameters.write_plain(body);
        match (native, &parameters.response_format) {
            (Some(schema), _) => write_native_format(schema, body.key("response_format")),
            (None, Some(own)) => body.key("response_format").json(own),
            (None, None) => (),
        }
        parameters.write_additional(body);
    });
    Ok(body.finish())
}

/// Refuses the first block that no Chat Completions request can carry.
fn check_media(messages: &[ChatMessage<'_>]) -> Result<()> {
    for (index, message) in messages.iter().enumerate() {
        for block in &message.blocks {
            match block {
                ContentBlock::Media(media) => check_block(message.role, media, index)?,
                ContentBlock::ToolResult(result) => check_result(result, index)?,
                _ => (),
            }
        }
    }
    Ok(())
}

fn check_result(result: &ToolResult<'_>, index: usize) -> Result<()> {
    result.blocks.iter().try_for_each(|block| match block {
        DataBlock::Media(media) => check_block(Role::Tool, media, index),
        DataBlock::Text(_) => Ok(()),
    })
}

fn check_block(role: Role, media: &Media<'_>, index: usize) -> Result<()> {
    let is_url = matches!(media.source, MediaSource::Url(_));
    if role != Role::User {
        let reason = format!("only user messages can carry media, not {} messages", role.name());
        return Err(unsupported_media(DISPLAY_NAME, media, index, &reason));
    }
    let reason = match media.kind {
        MediaKind::Video => "there is no content part for it",
        MediaKind::Audio if is_url => "audio input takes base64 data, not a URL",
        MediaKind::Audio if audio_format(&media.media_type).is_none() => "audio input takes WAV or MP3 only",
        MediaKind::Document if is_url => "file input takes base64 data, not a URL",
        _ => return Ok(()),
    };
    Err(unsupported_media(DISPLAY_NAME, media, index, reason))
}

/// The service's name of an audio format; parameters behind `;` and case do not count.
fn audio_format(media_type: &str) -> Option<&'static str> {
    let essence = media_type.split(';').next().unwrap_or_default().trim();
    match essence.to_ascii_lowercase().as_str() {
        "audio/wav" | "audio/wave" | "audio/x-wav" | "audio/vnd.wave" => Some("wav"),
        "audio/mpeg" | "audio/mp3" => Some("mp3"),
        _ => None,
    }
}

fn write_message(message: &ChatMessage<'_>, body: &mut Body) {
    let result = message.blocks.iter().find_map(|block| match block {
        ContentBlock::ToolResult(result) => Some(result),
        _ => None,
    });
    body.key("role").text(message.role.name());
    match (message.role, result) {
        (Role::Tool, Some(result)) => {
            body.key("tool_call_id").text(&result.call_id);
            body.key("content").text(&result.text());
        }
        (Role::Assistant, _) => write_assistant(message, body),
        _ if message
            .blocks
            .iter()
            .any(|block| matches!(block, ContentBlock::Media(_))) =>
        {
            body.key("content").array(|body| write_parts(message, body));
        }
        _ => body.key("content").text(&message.text()),
    }
}

/// No empty `content` and no empty `tool_calls`: both are refused by some servers. Reasoning has no place here.
fn write_assistant(message: &ChatMessage<'_>, body: &mut Body) {
    let text = message.text();
    if !text.is_empty() {
        body.key("content").text(&text);
    }
    if let Some(refusal) = member(&message.metadata, "refusal").and_then(Json::as_text) {
        body.key("refusal").text(refusal);
    }
    if message.tool_calls().next().is_some() {
        body.key("tool_calls").array(|body| {
            for call in message.tool_calls() {
                body.object(|body| write_call(call, body));
            }
        });
    }
}

fn write_call(call: &ToolCall<'_>, body: &mut Body) {
    body.key("id").text(&call.call_id);
    if is_custom(call) {
        let input = member(&call.input, "input").and_then(Json::as_text).unwrap_or_default();
        body.key("type").text("custom");
        body.key("custom").object(|body| {
            body.key("name").text(&call.name);
            body.key("input").text(input);
        });
        return;
    }
    let mut arguments = Body::default();
    arguments.object(|arguments| {
        for (name, value) in &call.input {
            arguments.key(name).json(value);
        }
    });
    let arguments = arguments.finish();
    body.key("type").text("function");
    body.key("function").object(|body| {
        body.key("name").text(&call.name);
        body.key("arguments").text(&String::from_utf8_lossy(&arguments));
    });
}

/// A call of a custom tool, whose input is free text.
fn is_custom(call: &ToolCall<'_>) -> bool {
    member(&call.metadata, "type").and_then(Json::as_text) == Some("custom")
}

fn write_parts(message: &ChatMessage<'_>, body: &mut Body) {
    for block in &message.blocks {
        match block {
            ContentBlock::Text(text) => body.object(|body| {
                body.key("type").text("text");
                body.key("text").text(text);
            }),
            ContentBlock::Media(media) => body.object(|body| write_media(media, body)),
            _ => (),
        }
    }
}

fn write_media(media: &Media<'_>, body: &mut Body) {
    match media.kind {
        MediaKind::Audio => {
            let format = audio_format(&media.media_type).unwrap_or_default();
            body.key("type").text("input_audio");
            body.key("input_audio").object(|body| {
                body.key("data").text(source_text(&media.source));
                body.key("format").text(format);
            });
        }
        MediaKind::Document => {
            body.key("type").text("file");
            body.key("file").object(|body| {
                body.key("file_data").text(&url_or_data(media));
                body.key("filename").text(media.name.as_deref().unwrap_or("document"));
            });
        }
        MediaKind::Image | MediaKind::Video => {
            body.key("type").text("image_url");
            body.key("image_url")
                .object(|body| body.key("url").text(&url_or_data(media)));
        }
    }
}

fn source_text<'m>(source: &'m MediaSource<'_>) -> &'m str {
    match source {
        MediaSource::Base64(text) | MediaSource::Url(text) => text,
    }
}

fn url_or_data<'m>(media: &'m Media<'_>) -> Cow<'m, str> {
    match &media.source {
        MediaSource::Url(url) => Cow::Borrowed(url),
        MediaSource::Base64(data) => Cow::Owned(format!("data:{};base64,{data}", media.media_type)),
    }
}

fn write_tools(tools: &[Tool<'_>], parameters: &Parameters<'_>, body: &mut Body) {
    if tools.is_empty() {
        return;
    }
    body.key("tools").array(|body| {
        for tool in tools {
            body.object(|body| write_tool(tool, parameters.strict, body));
        }
    });
    if let Some(choice) = &parameters.tool_choice {
        body.key("tool_choice").json(choice);
    }
    if let Some(parallel) = parameters.parallel_tool_calls {
        body.key("parallel_tool_calls").boolean(parallel);
    }
}

/// A tool's own `strict` wins over the call's.
fn write_tool(tool: &Tool<'_>, strict: Option<bool>, body: &mut Body) {
    body.key("type").text("function");
    body.key("function").object(|body| {
        body.key("name").text(&tool.name);
        if let Some(description) = &tool.description {
            body.key("description").text(description);
        }
        body.key("parameters").json(&tool.input_schema);
        if let Some(strict) = tool.strict.or(strict) {
            body.key("strict").boolean(strict);
        }
    });
}

/// Schemas always travel strict.
fn write_native_format(schema: &NativeSchema, body: &mut Body) {
    body.object(|body| {
        body.key("type").text("json_schema");
        body.key("json_schema").object(|body| {
            body.key("name").text(&schema.name);
            body.key("schema").raw(&schema.rewritten.json);
            body.key("strict").boolean(true);
        });
    });
}
