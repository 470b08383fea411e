//! The request body of Responses (#1275, #1364).

use super::parameters::Parameters;
use super::{DISPLAY_NAME, NAME};
use crate::error::Result;
use crate::json::Json;
use crate::message::fields::member;
use crate::message::{
    ChatMessage, ContentBlock, DataBlock, Media, MediaKind, MediaSource, Reasoning, Role, ToolCall, ToolResult,
    every_media, unsupported_media,
};
use crate::provider::NativeSchema;
use crate::provider::body::Body;
use crate::provider::tools::SentTool;

/// A body: model, input, tools, parameters, text, extra keys.
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
        body.key("input").array(|body| {
            for message in messages {
                write_message(message, body);
            }
        });
        write_tools(tools, parameters, body);
        parameters.write_plain(body);
        if native.is_some() || !parameters.text.is_empty() {
            body.key("text").object(|body| write_text(parameters, native, body));
        }
        parameters.write_additional(body);
    });
    Ok(body.finish())
}

/// Refuses the first block that no request can carry. A tool result may hold what a user message may (#1364).
fn check_media(messages: &[ChatMessage<'_>]) -> Result<()> {
    every_media(messages).try_for_each(|(role, media, place)| match fault(role, media.kind) {
        Some(reason) => Err(unsupported_media(DISPLAY_NAME, media, &place, reason)),
        None => Ok(()),
    })
}

fn fault(role: Role, kind: MediaKind) -> Option<&'static str> {
    match (role, kind) {
        (Role::User | Role::Tool, MediaKind::Image | MediaKind::Document) => None,
        (Role::User | Role::Tool, _) => Some("OpenAI Responses takes images and documents only"),
        // A system message never holds media: reading it fails before.
        _ => Some("only user messages and tool results can carry media, not assistant messages"),
    }
}

/// One message gives one item, an assistant's as many as it has blocks, in their order.
fn write_message(message: &ChatMessage<'_>, body: &mut Body) {
    match message.role {
        Role::System | Role::User => body.object(|body| {
            body.key("role").text(message.role.name());
            body.key("content").array(|body| write_content(message, body));
        }),
        Role::Assistant => write_assistant(message, body),
        Role::Tool => {
            for block in &message.blocks {
                if let ContentBlock::ToolResult(result) = block {
                    body.object(|body| write_result(result, body));
                }
            }
        }
    }
}

/// Without media one part with the whole text, with media one part for each block.
fn write_content(message: &ChatMessage<'_>, body: &mut Body) {
    let is_media = |block: &ContentBlock<'_>| matches!(block, ContentBlock::Media(_));
    if !message.blocks.iter().any(is_media) {
        return write_text_part(&message.text(), body);
    }
    for block in &message.blocks {
        match block {
            ContentBlock::Text(text) => write_text_part(text, body),
            ContentBlock::Media(media) => write_media_part(media, body),
            _ => (),
        }
    }
}

fn write_text_part(text: &str, body: &mut Body) {
    body.object(|body| {
        body.key("type").text("input_text");
        body.key("text").text(text);
    });
}

/// The same in a user message and in a tool result (#1364).
fn write_media_part(media: &Media<'_>, body: &mut Body) {
    body.object(|body| match (media.kind, &media.source) {
        (MediaKind::Document, MediaSource::Base64(_)) => {
            body.key("type").text("input_file");
            body.key("file_data").text(&media.url_or_data());
            body.key("filename").text(
                media
                    .name
                    .as_deref()
                    .filter(|name| !name.is_empty())
                    .unwrap_or("document"),
            );
        }
        (MediaKind::Document, MediaSource::Url(url)) => {
            body.key("type").text("input_file");
            body.key("file_url").text(url);
            if let Some(name) = &media.name {
                body.key("filename").text(name);
            }
        }
        _ => {
            body.key("type").text("input_image");
            body.key("image_url").text(&media.url_or_data());
            body.key("detail").text("auto");
        }
    });
}

/// A refusal comes last, as an item in the form of an output: a turn that only refused stays in the history.
fn write_assistant(message: &ChatMessage<'_>, body: &mut Body) {
    for block in &message.blocks {
        match block {
            ContentBlock::Text(text) if !text.is_empty() => body.object(|body| {
                body.key("role").text("assistant");
                body.key("content").text(text);
            }),
            ContentBlock::Reasoning(reasoning) => write_reasoning(reasoning, body),
            ContentBlock::ToolCall(call) => body.object(|body| write_call(call, body)),
            _ => (),
        }
    }
    if let Some(refusal) = member(&message.metadata, "refusal").and_then(Json::as_text) {
        body.object(|body| {
            body.key("type").text("message");
            body.key("role").text("assistant");
            body.key("content").array(|body| {
                body.object(|body| {
                    body.key("type").text("refusal");
                    body.key("refusal").text(refusal);
                });
            });
        });
    }
}

/// The native item as it came; another provider's reasoning has no place here.
fn write_reasoning(reasoning: &Reasoning<'_>, body: &mut Body) {
    if let Some(item @ Json::Object(_)) = member(&reasoning.metadata, NAME) {
        body.json(item);
    }
}

fn write_call(call: &ToolCall<'_>, body: &mut Body) {
    body.key("type").text("function_call");
    // The service takes only ids of its own here; `call_id` is what links call and result.
    let id = member(&call.metadata, "item_id").and_then(Json::as_text);
    if let Some(id) = id.filter(|id| id.starts_with("fc_")) {
        body.key("id").text(id);
    }
    body.key("call_id").text(&call.call_id);
    body.key("name").text(&call.name);
    body.key("arguments").text(&call.arguments());
    body.key("status").text("completed");
}

/// One string when there is nothing but text, else a list in block order; no other field, and no error flag (#1364).
fn write_result(result: &ToolResult<'_>, body: &mut Body) {
    body.key("type").text("function_call_output");
    body.key("call_id").text(&result.call_id);
    let is_text = |block: &DataBlock<'_>| matches!(block, DataBlock::Text(_));
    let output = body.key("output");
    if result.blocks.iter().all(is_text) {
        return output.text(&result.text());
    }
    output.array(|body| {
        for block in &result.blocks {
            match block {
                DataBlock::Text(text) => write_text_part(text, body),
                DataBlock::Media(media) => write_media_part(media, body),
            }
        }
    });
}

fn write_tools(tools: &[SentTool<'_>], parameters: &Parameters<'_>, body: &mut Body) {
    if tools.is_empty() {
        return;
    }
    body.key("tools").array(|body| {
        for tool in tools {
            body.object(|body| write_tool(tool, body));
        }
    });
    if let Some(choice) = &parameters.tool_choice {
        body.key("tool_choice").json(choice);
    }
    if let Some(parallel) = parameters.parallel_tool_calls {
        body.key("parallel_tool_calls").boolean(parallel);
    }
}

/// `strict` is always there: where it is absent the service takes it for true.
fn write_tool(sent: &SentTool<'_>, body: &mut Body) {
    body.key("type").text("function");
    body.key("name").text(&sent.tool.name);
    if let Some(description) = &sent.tool.description {
        body.key("description").text(description);
    }
    sent.write_schema(body.key("parameters"));
    body.key("strict").boolean(sent.strict.unwrap_or(false));
}

/// The caller's members, and the schema's format. Schemas always travel strict.
fn write_text(parameters: &Parameters<'_>, native: Option<&NativeSchema>, body: &mut Body) {
    for (name, value) in &parameters.text {
        body.key(name).json(value);
    }
    if let Some(schema) = native {
        body.key("format").object(|body| {
            body.key("type").text("json_schema");
            body.key("name").text(&schema.name);
            body.key("schema").raw(&schema.rewritten.json);
            body.key("strict").boolean(true);
        });
    }
}
