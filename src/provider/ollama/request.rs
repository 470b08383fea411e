//! The request body of `/api/chat` (#1178, #1166, #981).

use std::borrow::Cow;

use super::parameters::Parameters;
use super::{DISPLAY_NAME, NAME};
use crate::error::{Error, Result};
use crate::message::fields::member;
use crate::message::{ChatMessage, ContentBlock, Media, MediaKind, MediaSource, Role, ToolCall};
use crate::message::{every_media, unsupported_media};
use crate::provider::NativeSchema;
use crate::provider::body::Body;
use crate::provider::tools::SentTool;

pub fn write_body(
    model: &str,
    messages: &[ChatMessage<'_>],
    tools: &[SentTool<'_>],
    parameters: &Parameters<'_>,
    native: Option<&NativeSchema>,
) -> Result<Vec<u8>> {
    check_media(messages)?;
    let mut body = Body::with_capacity(1024);
    body.object(|body| {
        body.key("model").text(model);
        // The server streams unless it is told not to.
        body.key("stream").boolean(false);
        body.key("messages").array(|body| {
            for (index, message) in messages.iter().enumerate() {
                let before = messages.get(..index).unwrap_or_default();
                body.object(|body| write_message(message, before, body));
            }
        });
        if !tools.is_empty() {
            body.key("tools").array(|body| {
                for tool in tools {
                    body.object(|body| tool.write_function(body));
                }
            });
        }
        match (native, &parameters.format) {
            (Some(schema), _) => body.key("format").raw(&schema.rewritten.json),
            (None, Some(own)) => body.key("format").json(own),
            (None, None) => (),
        }
        parameters.write(body);
    });
    Ok(body.finish())
}

/// Refuses the first block that no request can carry.
fn check_media(messages: &[ChatMessage<'_>]) -> Result<()> {
    for (role, media, place) in every_media(messages) {
        let reason: Cow<'_, str> = match media.kind {
            _ if role != Role::User => {
                format!("only user messages can carry media, not {} messages", role.name()).into()
            }
            MediaKind::Image => match (base64_text(media), &media.source) {
                (Some(_), _) => continue,
                (None, MediaSource::Url(url)) if !is_data_url(url) => {
                    "Ollama takes base64 image data, not a URL".into()
                }
                (None, _) => {
                    let text = "An image block's base64 data could not be decoded.";
                    return Err(Error::invalid_argument(text)
                        .with("message", place.message as u64)
                        .with("path", place.to_string()));
                }
            },
            _ => "Ollama accepts images only".into(),
        };
        return Err(unsupported_media(DISPLAY_NAME, media, &place, &reason));
    }
    Ok(())
}

fn is_data_url(url: &str) -> bool {
    url.get(..5).is_some_and(|scheme| scheme.eq_ignore_ascii_case("data:"))
}

/// The image as the server decodes it, padding included; that of a `data:` URL, too. `None` if it is no Base64.
fn base64_text<'m>(media: &'m Media<'_>) -> Option<Cow<'m, str>> {
    let data = match &media.source {
        MediaSource::Base64(data) => data.as_ref(),
        MediaSource::Url(url) if is_data_url(url) => {
            let (head, data) = url.split_once(',')?;
            let is_base64 = head.rsplit(';').next()?.trim().eq_ignore_ascii_case("base64");
            is_base64.then_some(data)?
        }
        MediaSource::Url(_) => return None,
    };
    let digits = data.trim_end_matches('=');
    let is_digit = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'+' || byte == b'/';
    let padding = match digits.len() % 4 {
        2 => "==",
        3 => "=",
        0 => "",
        _ => return None,
    };
    let given = data.get(digits.len()..)?;
    match !digits.is_empty() && digits.bytes().all(is_digit) {
        true if given == padding => Some(Cow::Borrowed(data)),
        true if given.is_empty() => Some(Cow::Owned(format!("{digits}{padding}"))),
        _ => None,
    }
}

fn write_message(message: &ChatMessage<'_>, before: &[ChatMessage<'_>], body: &mut Body) {
    body.key("role").text(message.role.name());
    if let Some(result) = message.tool_result() {
        body.key("content").text(&result.text());
        if let Some(name) = called_name(before, &result.call_id) {
            body.key("tool_name").text(name);
        }
        return;
    }
    body.key("content").text(&message.text_or_refusal());
    match message.role {
        Role::Assistant => write_assistant(message, body),
        _ => write_images(message, body),
    }
}

/// The tool that the call with this id named. Ids that the library made may come again in later turns: the last one counts.
fn called_name<'m>(before: &'m [ChatMessage<'_>], call_id: &str) -> Option<&'m str> {
    let mut calls = before.iter().rev().flat_map(ChatMessage::tool_calls);
    calls
        .find(|call| call.call_id == call_id)
        .map(|call| call.name.as_ref())
}

/// Ollama's own reasoning is replayed, that of other providers is left out.
fn write_assistant(message: &ChatMessage<'_>, body: &mut Body) {
    let thinking: String = message
        .blocks
        .iter()
        .filter_map(|block| match block {
            ContentBlock::Reasoning(reasoning) => member(&reasoning.metadata, NAME).and(reasoning.text.as_deref()),
            _ => None,
        })
        .collect();
    if !thinking.is_empty() {
        body.key("thinking").text(&thinking);
    }
    if message.tool_calls().next().is_some() {
        body.key("tool_calls").array(|body| {
            for call in message.tool_calls() {
                body.object(|body| write_call(call, body));
            }
        });
    }
}

/// The arguments are an object, and there is no id (#1166).
fn write_call(call: &ToolCall<'_>, body: &mut Body) {
    body.key("function").object(|body| {
        body.key("name").text(&call.name);
        body.key("arguments").raw(&call.arguments());
    });
}

/// In block order; where they stood between the texts is lost (#1178).
fn write_images(message: &ChatMessage<'_>, body: &mut Body) {
    let images = message.blocks.iter().filter_map(|block| match block {
        ContentBlock::Media(media) => base64_text(media),
        _ => None,
    });
    let mut images = images.peekable();
    if images.peek().is_some() {
        body.key("images").array(|body| {
            for image in images {
                body.text(&image);
            }
        });
    }
}
