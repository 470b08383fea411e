//! The request body of Converse (#1185). Turns alternate: messages that follow each other on one side are one turn, and in a
//! user's turn tool results come first. Texts that are blank are not sent, since the service refuses them.

use super::media::{Names, fault, format};
use super::parameters::Parameters;
use super::{DISPLAY_NAME, NAME};
use crate::error::{Error, Result};
use crate::json::Json;
use crate::message::fields::{borrow_members, member};
use crate::message::{
    ChatMessage, ContentBlock, DataBlock, Media, MediaKind, MediaSource, Reasoning, Role, ToolCall, ToolResult,
    every_media, unsupported_media,
};
use crate::provider::NativeSchema;
use crate::provider::body::Body;
use crate::provider::tools::SentTool;

/// A body: messages, system, inference, tools, output, the model's own fields.
pub fn write_body(
    messages: &[ChatMessage<'_>],
    tools: &[SentTool<'_>],
    parameters: &Parameters<'_>,
    native: Option<&NativeSchema>,
) -> Result<Vec<u8>> {
    check_media(messages)?;
    let turns = turns(messages);
    check_documents(&turns)?;
    let mut names = Names::default();
    let mut body = Body::with_capacity(1024);
    body.object(|body| {
        body.key("messages").array(|body| {
            for turn in &turns {
                body.object(|body| write_turn(turn, &mut names, body));
            }
        });
        write_system(messages, body);
        parameters.write_inference(body);
        write_tools(tools, parameters, body);
        if native.is_some() || !parameters.output_config.is_empty() {
            body.key("outputConfig")
                .object(|body| write_output(parameters, native, body));
        }
        parameters.write_additional(body);
    });
    Ok(body.finish())
}

/// Refuses the first block that no request can carry.
fn check_media(messages: &[ChatMessage<'_>]) -> Result<()> {
    every_media(messages).try_for_each(|(role, media, place)| match fault(role, media) {
        Some(reason) => Err(unsupported_media(DISPLAY_NAME, media, &place, reason)),
        None => Ok(()),
    })
}

/// Messages that are sent as one.
#[derive(Debug)]
struct Turn<'m, 'a> {
    role: Role,
    messages: Vec<&'m ChatMessage<'a>>,
}

fn turns<'m, 'a>(messages: &'m [ChatMessage<'a>]) -> Vec<Turn<'m, 'a>> {
    let mut turns: Vec<Turn<'m, 'a>> = Vec::new();
    for message in messages.iter().filter(|message| says_something(message)) {
        let role = match message.role {
            Role::Assistant => Role::Assistant,
            _ => Role::User,
        };
        match turns.last_mut() {
            Some(turn) if turn.role == role => turn.messages.push(message),
            _ => turns.push(Turn {
                role,
                messages: vec![message],
            }),
        }
    }
    for turn in &mut turns {
        turn.messages.sort_by_key(|message| message.role != Role::Tool);
    }
    turns
}

/// An empty turn is an error of the service.
fn says_something(message: &ChatMessage<'_>) -> bool {
    message.role != Role::System
        && (refusal(message).is_some()
            || message.blocks.iter().any(|block| match block {
                ContentBlock::Text(text) => !is_blank(text),
                ContentBlock::Reasoning(reasoning) => replayed(reasoning).is_some(),
                _ => true,
            }))
}

fn is_blank(text: &str) -> bool {
    text.trim().is_empty()
}

fn refusal<'m>(message: &'m ChatMessage<'_>) -> Option<&'m str> {
    let refusal = member(&message.metadata, "refusal").and_then(Json::as_text)?;
    Some(refusal).filter(|text| message.role == Role::Assistant && !is_blank(text))
}

/// A document of a user is refused without a text beside it.
fn check_documents(turns: &[Turn<'_, '_>]) -> Result<()> {
    let lacks_text = |turn: &Turn<'_, '_>| {
        let blocks = || turn.messages.iter().flat_map(|message| &message.blocks);
        let document =
            |block: &ContentBlock<'_>| matches!(block, ContentBlock::Media(media) if media.kind == MediaKind::Document);
        let text = |block: &ContentBlock<'_>| matches!(block, ContentBlock::Text(text) if !is_blank(text));
        blocks().any(document) && !blocks().any(text)
    };
    match turns.iter().any(lacks_text) {
        false => Ok(()),
        true => Err(Error::invalid_argument(
            "Amazon Bedrock takes a document only together with a text: add a text block to the user message that holds the \
             document.",
        )),
    }
}

fn write_turn(turn: &Turn<'_, '_>, names: &mut Names, body: &mut Body) {
    body.key("role").text(turn.role.name());
    body.key("content").array(|body| {
        for message in &turn.messages {
            write_content(message, names, body);
        }
    });
}

fn write_content(message: &ChatMessage<'_>, names: &mut Names, body: &mut Body) {
    for block in &message.blocks {
        match block {
            ContentBlock::Text(text) => write_text(text, body),
            ContentBlock::Media(media) => write_media(media, names, body),
            ContentBlock::Reasoning(reasoning) => write_reasoning(reasoning, body),
            ContentBlock::ToolCall(call) => write_call(call, body),
            ContentBlock::ToolResult(result) => write_result(result, names, body),
        }
    }
    if let Some(refusal) = refusal(message) {
        write_text(refusal, body);
    }
}

fn write_text(text: &str, body: &mut Body) {
    if !is_blank(text) {
        body.object(|body| body.key("text").text(text));
    }
}

/// The same in a user's turn and in a tool result.
fn write_media(media: &Media<'_>, names: &mut Names, body: &mut Body) {
    body.object(|body| {
        body.key(media.kind.name()).object(|body| {
            body.key("format").text(format(media).unwrap_or_default());
            if media.kind == MediaKind::Document {
                body.key("name").text(&names.take(media.name.as_deref()));
            }
            body.key("source").object(|body| match &media.source {
                MediaSource::Base64(data) => body.key("bytes").text(data),
                MediaSource::Url(uri) => body.key("s3Location").object(|body| body.key("uri").text(uri)),
            });
        });
    });
}

/// What this provider kept for the replay; another provider's reasoning has no place here.
fn replayed<'m>(reasoning: &'m Reasoning<'_>) -> Option<&'m Json<'m>> {
    let kept = member(&reasoning.metadata, NAME).filter(|kept| kept.as_object().is_some())?;
    (reasoning.text.is_some() || kept.get("redacted_content").is_some()).then_some(kept)
}

fn write_reasoning(reasoning: &Reasoning<'_>, body: &mut Body) {
    let Some(kept) = replayed(reasoning) else { return };
    body.object(|body| {
        body.key("reasoningContent").object(|body| {
            if let Some(redacted) = kept.get("redacted_content") {
                return body.key("redactedContent").json(redacted);
            }
            body.key("reasoningText").object(|body| {
                body.key("text").text(reasoning.text.as_deref().unwrap_or_default());
                if let Some(signature) = kept.get("signature") {
                    body.key("signature").json(signature);
                }
            });
        });
    });
}

fn write_call(call: &ToolCall<'_>, body: &mut Body) {
    body.object(|body| {
        body.key("toolUse").object(|body| {
            body.key("toolUseId").text(&call.call_id);
            body.key("name").text(&call.name);
            body.key("input").json(&Json::Object(borrow_members(&call.input)));
        });
    });
}

fn write_result(result: &ToolResult<'_>, names: &mut Names, body: &mut Body) {
    body.object(|body| {
        body.key("toolResult").object(|body| {
            body.key("toolUseId").text(&result.call_id);
            body.key("content").array(|body| {
                for block in &result.blocks {
                    match block {
                        DataBlock::Text(text) => write_text(text, body),
                        DataBlock::Media(media) => write_media(media, names, body),
                    }
                }
            });
            body.key("status")
                .text(if result.is_error { "error" } else { "success" });
        });
    });
}

/// Each system message is a text of its own.
fn write_system(messages: &[ChatMessage<'_>], body: &mut Body) {
    let texts: Vec<_> = messages
        .iter()
        .filter(|message| message.role == Role::System)
        .map(ChatMessage::text)
        .filter(|text| !is_blank(text))
        .collect();
    if !texts.is_empty() {
        body.key("system").array(|body| {
            for text in &texts {
                write_text(text, body);
            }
        });
    }
}

fn write_tools(tools: &[SentTool<'_>], parameters: &Parameters<'_>, body: &mut Body) {
    if tools.is_empty() {
        return;
    }
    body.key("toolConfig").object(|body| {
        body.key("tools").array(|body| {
            for tool in tools {
                body.object(|body| body.key("toolSpec").object(|body| write_tool(tool, body)));
            }
        });
        if let Some(choice) = &parameters.tool_choice {
            body.key("toolChoice").json(choice);
        }
    });
}

fn write_tool(sent: &SentTool<'_>, body: &mut Body) {
    body.key("name").text(&sent.tool.name);
    if let Some(description) = &sent.tool.description {
        body.key("description").text(description);
    }
    body.key("inputSchema")
        .object(|body| sent.write_schema(body.key("json")));
    if let Some(strict) = sent.strict {
        body.key("strict").boolean(strict);
    }
}

/// The caller's members, and the schema as JSON in a text.
fn write_output(parameters: &Parameters<'_>, native: Option<&NativeSchema>, body: &mut Body) {
    for (name, value) in &parameters.output_config {
        body.key(name).json(value);
    }
    if let Some(schema) = native {
        body.key("textFormat").object(|body| {
            body.key("type").text("json_schema");
            body.key("structure").object(|body| {
                body.key("jsonSchema").object(|body| {
                    body.key("schema").text(&schema.rewritten.json);
                    body.key("name").text(&schema.name);
                });
            });
        });
    }
}
