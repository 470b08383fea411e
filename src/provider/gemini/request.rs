//! The request body of generateContent (#1326, #1370).

use std::borrow::Cow;

use super::parameters::Parameters;
use super::{DISPLAY_NAME, NAME, THIRD, generation, is_before_third};
use crate::error::{Error, Result};
use crate::json::Json;
use crate::message::fields::member;
use crate::message::{
    ChatMessage, ContentBlock, DataBlock, Media, MediaSource, Reasoning, Role, ToolCall, ToolResult, every_media,
    unsupported_media,
};
use crate::provider::body::Body;
use crate::provider::{NativeSchema, Tool};

/// A body: contents, system instruction, tools, configuration, extra keys. The model stands in the URL.
pub fn write_body(
    model: &str,
    messages: &[ChatMessage<'_>],
    tools: &[Tool<'_>],
    parameters: &Parameters<'_>,
    native: Option<&NativeSchema>,
) -> Result<Vec<u8>> {
    check_media(model, messages)?;
    let turns = read_turns(messages)?;
    let wants_signatures = generation(model).is_some_and(|generation| generation >= THIRD);
    let mut body = Body::with_capacity(1024);
    body.object(|body| {
        body.key("contents").array(|body| {
            for turn in &turns {
                write_turn(turn, wants_signatures, body);
            }
        });
        write_system(messages, body);
        write_tools(tools, parameters, body);
        write_config(parameters, native, body);
        parameters.write_additional(body);
    });
    Ok(body.finish())
}

/// Refuses the first block that no request can carry. A tool result may hold media from Gemini 3 on (#1370).
fn check_media(model: &str, messages: &[ChatMessage<'_>]) -> Result<()> {
    every_media(messages).try_for_each(|(role, media, place)| {
        let reason = match role {
            Role::User => return Ok(()),
            Role::Tool if !is_before_third(model) => return Ok(()),
            Role::Tool => "only Gemini 3 and later models take media in tool results",
            // A system message never holds media: reading it fails before.
            _ => "only user messages and tool results can carry media, not assistant messages",
        };
        Err(unsupported_media(DISPLAY_NAME, media, &place, reason))
    })
}

/// One entry of `contents`.
enum Turn<'m> {
    User(&'m ChatMessage<'m>),
    Model(&'m ChatMessage<'m>),
    /// Results that follow each other share one turn: the service wants as many as there were calls.
    Results(Vec<(&'m ToolResult<'m>, &'m ToolCall<'m>)>),
}

/// System messages have a place of their own. An assistant's turn that says nothing is left out: the service refuses a turn
/// without parts.
fn read_turns<'m>(messages: &'m [ChatMessage<'m>]) -> Result<Vec<Turn<'m>>> {
    let mut turns = Vec::with_capacity(messages.len());
    for (index, message) in messages.iter().enumerate() {
        match message.role {
            Role::System => (),
            Role::User => turns.push(Turn::User(message)),
            Role::Assistant if says_nothing(message) => (),
            Role::Assistant => turns.push(Turn::Model(message)),
            Role::Tool => {
                let Some(result) = message.tool_result() else { continue };
                let call = call_of(result, messages.get(..index).unwrap_or_default());
                let call = call.ok_or_else(|| unknown_call(index, &result.call_id))?;
                match turns.last_mut() {
                    Some(Turn::Results(results)) => results.push((result, call)),
                    _ => turns.push(Turn::Results(vec![(result, call)])),
                }
            }
        }
    }
    match turns.is_empty() {
        true => Err(Error::invalid_argument(format!(
            "{DISPLAY_NAME} needs a message beside the system messages: add the user's"
        ))),
        false => Ok(turns),
    }
}

/// The latest call of that id: ids that this library made up repeat from answer to answer.
fn call_of<'m>(result: &ToolResult<'_>, before: &'m [ChatMessage<'m>]) -> Option<&'m ToolCall<'m>> {
    let mut calls = before.iter().rev().flat_map(ChatMessage::tool_calls);
    calls.find(|call| call.call_id == result.call_id)
}

fn unknown_call(index: usize, call_id: &str) -> Error {
    let text = format!(
        "messages[{index}] is the result of the tool call '{call_id}', which no message before it holds. {DISPLAY_NAME} wants the \
         function's name with the result: keep the assistant message that made the call."
    );
    Error::invalid_argument(text).with("message", index as u64)
}

fn says_nothing(message: &ChatMessage<'_>) -> bool {
    let is_empty = |block: &ContentBlock<'_>| match block {
        ContentBlock::Text(text) => text.is_empty(),
        ContentBlock::Reasoning(reasoning) => native_part(reasoning).is_none(),
        _ => false,
    };
    message.blocks.iter().all(is_empty) && refusal(message).is_none()
}

fn write_turn(turn: &Turn<'_>, wants_signatures: bool, body: &mut Body) {
    body.object(|body| {
        body.key("role").text(match turn {
            Turn::Model(_) => "model",
            _ => "user",
        });
        body.key("parts").array(|body| match turn {
            Turn::User(message) => write_user(message, body),
            Turn::Model(message) => write_model(message, wants_signatures, body),
            Turn::Results(results) => results
                .iter()
                .for_each(|(result, call)| write_result(result, call, body)),
        });
    });
}

/// Without media one part with the whole text, with media one part for each block.
fn write_user(message: &ChatMessage<'_>, body: &mut Body) {
    let is_media = |block: &ContentBlock<'_>| matches!(block, ContentBlock::Media(_));
    if !message.blocks.iter().any(is_media) {
        return write_text_part(&message.text(), body);
    }
    for block in &message.blocks {
        match block {
            // The service refuses a part without data.
            ContentBlock::Text(text) if !text.is_empty() => write_text_part(text, body),
            ContentBlock::Media(media) => write_media_part(media, body),
            _ => (),
        }
    }
}

fn write_text_part(text: &str, body: &mut Body) {
    body.object(|body| body.key("text").text(text));
}

/// The same in a user message and in a tool result, for every kind (#1326).
fn write_media_part(media: &Media<'_>, body: &mut Body) {
    let (key, payload) = match &media.source {
        MediaSource::Base64(_) => ("inlineData", "data"),
        MediaSource::Url(_) => ("fileData", "fileUri"),
    };
    body.object(|body| {
        body.key(key).object(|body| {
            body.key("mimeType").text(&media.media_type);
            body.key(payload).text(media.source.text());
        });
    });
}

/// Stands for the signature of a call that another model made: without one Gemini 3 refuses the first call of a turn (Google's
/// page "Thought signatures", read 2026-11).
const FOREIGN_CALL: &str = "skip_thought_signature_validator";

/// Parts in block order. A refusal, which only other providers have, is said as text.
fn write_model(message: &ChatMessage<'_>, wants_signatures: bool, body: &mut Body) {
    let mut signature = None;
    let mut foreign = wants_signatures.then_some(FOREIGN_CALL);
    for block in &message.blocks {
        match block {
            ContentBlock::Reasoning(reasoning) => match native_part(reasoning) {
                Some(part) if is_signature_alone(part) => signature = part.get("thoughtSignature"),
                Some(part) => body.json(part),
                None => (),
            },
            ContentBlock::Text(text) if !text.is_empty() => write_signed_text(text, signature.take(), body),
            ContentBlock::ToolCall(call) => write_call(call, foreign.take(), body),
            _ => (),
        }
    }
    if let Some(signature) = signature {
        write_signed_text("", Some(signature), body);
    }
    if let Some(refusal) = refusal(message) {
        write_text_part(refusal, body);
    }
}

fn refusal<'m>(message: &'m ChatMessage<'_>) -> Option<&'m str> {
    let refusal = member(&message.metadata, "refusal").and_then(Json::as_text);
    refusal.filter(|refusal| !refusal.is_empty())
}

/// The part as it came; another provider's reasoning has no place here.
fn native_part<'m>(reasoning: &'m Reasoning<'_>) -> Option<&'m Json<'m>> {
    let part = member(&reasoning.metadata, NAME)?;
    let has_members = part.as_object().is_some_and(|members| !members.is_empty());
    has_members.then_some(part)
}

/// The signature of the text that follows.
fn is_signature_alone(part: &Json<'_>) -> bool {
    let members = part.as_object().unwrap_or_default();
    members.iter().all(|(name, _)| name == "thoughtSignature")
}

fn write_signed_text(text: &str, signature: Option<&Json<'_>>, body: &mut Body) {
    body.object(|body| {
        body.key("text").text(text);
        if let Some(signature) = signature {
            body.key("thoughtSignature").json(signature);
        }
    });
}

/// An id that this library made up is sent neither here nor with the result.
fn given_id<'m>(call: &'m ToolCall<'_>) -> Option<&'m str> {
    let is_synthetic = member(&call.metadata, "synthetic_id") == Some(&Json::Bool(true));
    (!is_synthetic).then_some(call.call_id.as_ref())
}

/// `foreign` is the signature of a call that has none.
fn write_call(call: &ToolCall<'_>, foreign: Option<&str>, body: &mut Body) {
    body.object(|body| {
        body.key("functionCall").object(|body| {
            if let Some(id) = given_id(call) {
                body.key("id").text(id);
            }
            body.key("name").text(&call.name);
            body.key("args").raw(&call.arguments());
        });
        let own = member(&call.metadata, "thought_signature").and_then(Json::as_text);
        if let Some(signature) = own.or(foreign) {
            body.key("thoughtSignature").text(signature);
        }
    });
}

/// The texts in one member of `response`, which tells a failure apart; media in `parts`, in their order (#1370).
fn write_result(result: &ToolResult<'_>, call: &ToolCall<'_>, body: &mut Body) {
    let media = || {
        result.blocks.iter().filter_map(|block| match block {
            DataBlock::Media(media) => Some(media),
            DataBlock::Text(_) => None,
        })
    };
    body.object(|body| {
        body.key("functionResponse").object(|body| {
            if let Some(id) = given_id(call) {
                body.key("id").text(id);
            }
            body.key("name").text(&call.name);
            let key = if result.is_error { "error" } else { "result" };
            body.key("response").object(|body| body.key(key).text(&result.text()));
            if media().next().is_some() {
                body.key("parts")
                    .array(|body| media().for_each(|media| write_media_part(media, body)));
            }
        });
    });
}

/// One part for each system message, wherever it stands.
fn write_system(messages: &[ChatMessage<'_>], body: &mut Body) {
    let system = messages.iter().filter(|message| message.role == Role::System);
    let texts: Vec<Cow<'_, str>> = system.map(ChatMessage::text).filter(|text| !text.is_empty()).collect();
    if texts.is_empty() {
        return;
    }
    body.key("systemInstruction").object(|body| {
        body.key("parts")
            .array(|body| texts.iter().for_each(|text| write_text_part(text, body)));
    });
}

/// One entry holds all functions. Nothing at all without tools.
fn write_tools(tools: &[Tool<'_>], parameters: &Parameters<'_>, body: &mut Body) {
    if tools.is_empty() {
        return;
    }
    body.key("tools").array(|body| {
        body.object(|body| {
            body.key("functionDeclarations")
                .array(|body| tools.iter().for_each(|tool| write_tool(tool, body)));
        });
    });
    let Some(choice) = &parameters.tool_choice else { return };
    body.key("toolConfig").object(|body| {
        body.key("functionCallingConfig").object(|body| {
            body.key("mode").text(choice.mode);
            if let Some(name) = &choice.only {
                body.key("allowedFunctionNames").array(|body| body.text(name));
            }
        });
    });
}

fn write_tool(tool: &Tool<'_>, body: &mut Body) {
    body.object(|body| {
        body.key("name").text(&tool.name);
        if let Some(description) = &tool.description {
            body.key("description").text(description);
        }
        body.key("parametersJsonSchema").json(&tool.input_schema);
    });
}

/// The schema comes last; without `responseMimeType` the service refuses it.
fn write_config(parameters: &Parameters<'_>, native: Option<&NativeSchema>, body: &mut Body) {
    if parameters.config.is_empty() && native.is_none() {
        return;
    }
    body.key("generationConfig").object(|body| {
        for (name, value) in &parameters.config {
            body.key(name).json(value);
        }
        if let Some(schema) = native {
            body.key("responseMimeType").text("application/json");
            body.key("responseJsonSchema").raw(&schema.rewritten.json);
        }
    });
}
