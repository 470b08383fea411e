//! The request body of Chat Completions (#1164, #1185).

use std::borrow::Cow;

use super::form::WireForm;
use super::parameters::Parameters;
use crate::error::Result;
use crate::json::Json;
use crate::message::fields::member;
use crate::message::{ChatMessage, ContentBlock, Media, MediaKind, MediaSource, Role, ToolCall};
use crate::message::{every_media, unsupported_media};
use crate::provider::NativeSchema;
use crate::provider::body::Body;
use crate::provider::tools::SentTool;

/// A body: `head` (the model, and what else the provider wants first), messages, tools, parameters, response format, extra
/// keys.
pub fn write_body(
    head: &[(&'static str, &str)],
    messages: &[ChatMessage<'_>],
    tools: &[SentTool<'_>],
    parameters: &Parameters<'_>,
    native: Option<&NativeSchema>,
) -> Result<Vec<u8>> {
    check_media(messages, parameters.form)?;
    let mut body = Body::with_capacity(1024);
    body.object(|body| {
        for (key, text) in head {
            body.key(key).text(text);
        }
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

/// Refuses the first block that no request of this form can carry.
pub fn check_media(messages: &[ChatMessage<'_>], form: &WireForm) -> Result<()> {
    every_media(messages).try_for_each(|(role, media, place)| match (form.media_fault)(role, media) {
        Some(reason) => Err(unsupported_media(form.display_name, media, &place, &reason)),
        None => Ok(()),
    })
}

/// What OpenAI and those that follow it to the letter cannot carry (#1164).
pub fn openai_fault(role: Role, media: &Media<'_>) -> Option<Cow<'static, str>> {
    let is_url = matches!(media.source, MediaSource::Url(_));
    if role != Role::User {
        return Some(format!("only user messages can carry media, not {} messages", role.name()).into());
    }
    let reason = match media.kind {
        MediaKind::Video => "there is no content part for it",
        MediaKind::Audio if is_url => "audio input takes base64 data, not a URL",
        MediaKind::Audio if audio_format(&media.media_type).is_none() => "audio input takes WAV or MP3 only",
        MediaKind::Document if is_url => "file input takes base64 data, not a URL",
        _ => return None,
    };
    Some(reason.into())
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
    write_calls(message, body);
}

/// The calls of an assistant's message, if there are any.
pub fn write_calls(message: &ChatMessage<'_>, body: &mut Body) {
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
    body.key("type").text("function");
    body.key("function").object(|body| {
        body.key("name").text(&call.name);
        body.key("arguments").text(&call.arguments());
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
                body.key("data").text(media.source.text());
                body.key("format").text(format);
            });
        }
        MediaKind::Document => {
            body.key("type").text("file");
            body.key("file").object(|body| {
                body.key("file_data").text(&media.url_or_data());
                body.key("filename").text(media.name.as_deref().unwrap_or("document"));
            });
        }
        MediaKind::Image => write_url("image_url", media, body),
        MediaKind::Video => write_url("video_url", media, body),
    }
}

fn write_url(kind: &'static str, media: &Media<'_>, body: &mut Body) {
    body.key("type").text(kind);
    body.key(kind).object(|body| body.key("url").text(&media.url_or_data()));
}

/// The tools and, only with them, how the model chooses.
pub fn write_tools(tools: &[SentTool<'_>], parameters: &Parameters<'_>, body: &mut Body) {
    if tools.is_empty() {
        return;
    }
    body.key("tools").array(|body| {
        for tool in tools {
            body.object(|body| tool.write_function(body));
        }
    });
    if let Some(choice) = &parameters.tool_choice {
        let key = match choice {
            Json::Text(_) => parameters.form.tool_choice_word,
            _ => "tool_choice",
        };
        body.key(key).json(choice);
    }
    if let Some(parallel) = parameters.parallel_tool_calls {
        body.key("parallel_tool_calls").boolean(parallel);
    }
}

/// Schemas always travel strict.
pub fn write_native_format(schema: &NativeSchema, body: &mut Body) {
    body.object(|body| {
        body.key("type").text("json_schema");
        body.key("json_schema").object(|body| {
            body.key("name").text(&schema.name);
            body.key("schema").raw(&schema.rewritten.json);
            body.key("strict").boolean(true);
        });
    });
}
