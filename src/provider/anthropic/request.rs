//! The request body of Messages (#1204, #1331).

use std::borrow::Cow;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::parameters::Parameters;
use super::{DISPLAY_NAME, NAME};
use crate::error::{Error, Result};
use crate::json::Json;
use crate::message::fields::{borrow_members, member};
use crate::message::{
    ChatMessage, ContentBlock, DataBlock, Media, MediaKind, MediaSource, Place, Reasoning, Role, ToolCall, ToolResult,
    every_media, unsupported_media,
};
use crate::provider::NativeSchema;
use crate::provider::body::Body;
use crate::provider::tools::SentTool;

const IMAGES: [&str; 4] = ["image/jpeg", "image/png", "image/gif", "image/webp"];
const PDF: &str = "application/pdf";
const PLAIN: &str = "text/plain";

/// A body: model, parameters, system, messages, tools, output_config, extra keys.
pub fn write_body(
    model: &str,
    messages: &[ChatMessage<'_>],
    tools: &[SentTool<'_>],
    parameters: &Parameters<'_>,
    native: Option<&NativeSchema>,
    prefill: bool,
) -> Result<Vec<u8>> {
    check_media(messages)?;
    let turns = turns(messages);
    if turns.is_empty() {
        return Err(Error::invalid_argument(
            "Anthropic needs at least one message of a user, assistant or tool that is not blank: system messages travel apart.",
        ));
    }
    let mut body = Body::with_capacity(1024);
    body.object(|body| {
        body.key("model").text(model);
        parameters.write_plain(body);
        write_system(messages, body);
        body.key("messages").array(|body| write_turns(&turns, prefill, body));
        write_tools(tools, parameters, body);
        if native.is_some() || !parameters.output_config.is_empty() {
            body.key("output_config")
                .object(|body| write_output_config(parameters, native, body));
        }
        parameters.write_additional(body);
    });
    Ok(body.finish())
}

// ---- media ----

/// Refuses the first block that no request can carry. A tool result may hold what a user message may (#1331).
fn check_media(messages: &[ChatMessage<'_>]) -> Result<()> {
    every_media(messages).try_for_each(|(role, media, place)| match fault(role, media) {
        Some(reason) => Err(unsupported_media(DISPLAY_NAME, media, &place, reason)),
        None => check_text(media, &place),
    })
}

fn fault(role: Role, media: &Media<'_>) -> Option<&'static str> {
    if !matches!(role, Role::User | Role::Tool) {
        // A system message never holds media: reading it fails before.
        return Some("only user messages and tool results can carry media, not assistant messages");
    }
    let media_type = media_type(media);
    match (media.kind, &media.source) {
        (MediaKind::Image, _) if IMAGES.contains(&media_type.as_str()) => None,
        (MediaKind::Image, _) => Some("image input takes JPEG, PNG, GIF or WebP only"),
        (MediaKind::Document, _) if media_type == PDF => None,
        (MediaKind::Document, MediaSource::Base64(_)) if media_type == PLAIN => None,
        (MediaKind::Document, MediaSource::Url(_)) if media_type == PLAIN => {
            Some("plain text input takes base64 data, not a URL")
        }
        (MediaKind::Document, _) => Some("document input takes PDF or plain text only"),
        _ => Some("Anthropic takes images and documents only"),
    }
}

/// The type as the service spells it: without parameters, in lower case, `image/jpg` as `image/jpeg`.
fn media_type(media: &Media<'_>) -> String {
    let essence = media.media_type.split(';').next().unwrap_or_default();
    match essence.trim().to_ascii_lowercase().as_str() {
        "image/jpg" => "image/jpeg".to_owned(),
        other => other.to_owned(),
    }
}

/// A text document travels decoded, so it has to be Base64 of UTF-8 text.
fn check_text(media: &Media<'_>, place: &Place) -> Result<()> {
    let fault = match decoded(media) {
        None | Some(Ok(_)) => return Ok(()),
        Some(Err(fault)) => fault,
    };
    Err(Error::invalid_argument(fault)
        .with("message", place.message as u64)
        .with("path", place.to_string()))
}

/// The text of a plain text document; `None` for all else.
fn decoded(media: &Media<'_>) -> Option<std::result::Result<String, &'static str>> {
    match &media.source {
        MediaSource::Base64(data) if media.kind == MediaKind::Document && media_type(media) == PLAIN => {
            let bytes = STANDARD.decode(data.as_bytes());
            let bytes = bytes.map_err(|_| "A document block's base64 data could not be decoded.");
            Some(bytes.and_then(|bytes| {
                String::from_utf8(bytes).map_err(|_| "A text document's data is no valid UTF-8 text.")
            }))
        }
        _ => None,
    }
}

fn write_media(media: &Media<'_>, body: &mut Body) {
    let is_document = media.kind == MediaKind::Document;
    body.object(|body| {
        body.key("type").text(media.kind.name());
        body.key("source").object(|body| write_source(media, body));
        if let (true, Some(name)) = (is_document, &media.name) {
            body.key("title").text(name);
        }
    });
}

fn write_source(media: &Media<'_>, body: &mut Body) {
    match (decoded(media), &media.source) {
        (Some(text), _) => {
            body.key("type").text("text");
            body.key("media_type").text(PLAIN);
            body.key("data").text(&text.unwrap_or_default());
        }
        (None, MediaSource::Base64(data)) => {
            body.key("type").text("base64");
            body.key("media_type").text(&media_type(media));
            body.key("data").text(data);
        }
        (None, MediaSource::Url(url)) => {
            body.key("type").text("url");
            body.key("url").text(url);
        }
    }
}

// ---- messages ----

/// A piece of a turn.
enum Piece<'m> {
    /// Never blank: the service refuses a blank text.
    Text(Cow<'m, str>),
    Media(&'m Media<'m>),
    Thinking(&'m Json<'m>),
    Call(&'m ToolCall<'m>),
    Result(&'m ToolResult<'m>),
}

/// What one side says until the other one speaks.
struct Turn<'m> {
    is_user: bool,
    pieces: Vec<Piece<'m>>,
}

/// The conversation in turns that alternate, as the service wants it: messages of one side that follow each other are one turn,
/// and tool results, of which all have to stand in the turn behind their calls, come first in it. A message in which nothing
/// can be sent (blank text, reasoning of another provider) is no turn.
fn turns<'m>(messages: &'m [ChatMessage<'m>]) -> Vec<Turn<'m>> {
    let mut turns: Vec<Turn<'m>> = Vec::new();
    for message in messages.iter().filter(|message| message.role != Role::System) {
        let is_user = message.role != Role::Assistant;
        let pieces = pieces(message);
        match turns.last_mut() {
            _ if pieces.is_empty() => (),
            Some(last) if last.is_user == is_user => last.pieces.extend(pieces),
            _ => turns.push(Turn { is_user, pieces }),
        }
    }
    for turn in &mut turns {
        // Stable, so that all else keeps its order.
        turn.pieces.sort_by_key(|piece| !matches!(piece, Piece::Result(_)));
    }
    turns
}

/// A user's message without media is one text.
fn pieces<'m>(message: &'m ChatMessage<'m>) -> Vec<Piece<'m>> {
    let is_text = |block: &ContentBlock<'_>| matches!(block, ContentBlock::Text(_));
    if message.role == Role::User && message.blocks.iter().all(is_text) {
        return text_piece(message.text()).into_iter().collect();
    }
    let mut pieces: Vec<Piece<'m>> = message.blocks.iter().filter_map(piece).collect();
    // The service has no place for a refusal: it stays in the history as what the model said.
    let refusal = member(&message.metadata, "refusal").and_then(Json::as_text);
    if let (Some(refusal), false) = (refusal, message.blocks.iter().any(is_text)) {
        pieces.extend(text_piece(Cow::Borrowed(refusal)));
    }
    pieces
}

fn piece<'m>(block: &'m ContentBlock<'m>) -> Option<Piece<'m>> {
    match block {
        ContentBlock::Text(text) => text_piece(Cow::Borrowed(text.as_ref())),
        ContentBlock::Media(media) => Some(Piece::Media(media)),
        ContentBlock::Reasoning(reasoning) => native_thinking(reasoning).map(Piece::Thinking),
        ContentBlock::ToolCall(call) => Some(Piece::Call(call)),
        ContentBlock::ToolResult(result) => Some(Piece::Result(result)),
    }
}

fn text_piece(text: Cow<'_, str>) -> Option<Piece<'_>> {
    (!text.trim().is_empty()).then_some(Piece::Text(text))
}

/// The native block as it came, with its signature; another provider's reasoning has no place here.
fn native_thinking<'m>(reasoning: &'m Reasoning<'m>) -> Option<&'m Json<'m>> {
    member(&reasoning.metadata, NAME).filter(|block| block.as_object().is_some())
}

/// One text block for each system message, in order.
fn write_system(messages: &[ChatMessage<'_>], body: &mut Body) {
    let systems = messages.iter().filter(|message| message.role == Role::System);
    let texts: Vec<Cow<'_, str>> = systems
        .map(ChatMessage::text)
        .filter(|text| !text.trim().is_empty())
        .collect();
    if texts.is_empty() {
        return;
    }
    body.key("system").array(|body| {
        for text in &texts {
            write_text(text, body);
        }
    });
}

fn write_turns(turns: &[Turn<'_>], prefill: bool, body: &mut Body) {
    for (index, turn) in turns.iter().enumerate() {
        let is_last = index + 1 == turns.len();
        body.object(|body| write_turn(turn, is_last, body));
    }
    if prefill && turns.last().is_some_and(|turn| turn.is_user) {
        body.object(|body| {
            body.key("role").text("assistant");
            body.key("content").text("{");
        });
    }
}

fn write_turn(turn: &Turn<'_>, is_last: bool, body: &mut Body) {
    body.key("role").text(if turn.is_user { "user" } else { "assistant" });
    let content = body.key("content");
    if let ([Piece::Text(text)], true) = (turn.pieces.as_slice(), turn.is_user) {
        return content.text(text);
    }
    content.array(|body| {
        for (index, piece) in turn.pieces.iter().enumerate() {
            // The service refuses white space at the end of an answer that it is to go on with.
            let is_end = is_last && !turn.is_user && index + 1 == turn.pieces.len();
            match piece {
                Piece::Text(text) if is_end => write_text(text.trim_end(), body),
                Piece::Text(text) => write_text(text, body),
                Piece::Media(media) => write_media(media, body),
                Piece::Thinking(block) => body.json(block),
                Piece::Call(call) => body.object(|body| write_call(call, body)),
                Piece::Result(result) => body.object(|body| write_result(result, body)),
            }
        }
    });
}

fn write_text(text: &str, body: &mut Body) {
    body.object(|body| {
        body.key("type").text("text");
        body.key("text").text(text);
    });
}

fn write_call(call: &ToolCall<'_>, body: &mut Body) {
    body.key("type").text("tool_use");
    body.key("id").text(&wire_id(&call.call_id));
    body.key("name").text(&call.name);
    body.key("input").json(&Json::Object(borrow_members(&call.input)));
}

/// One string when there is nothing but text (none when it is blank), else a list in block order (#1331).
fn write_result(result: &ToolResult<'_>, body: &mut Body) {
    body.key("type").text("tool_result");
    body.key("tool_use_id").text(&wire_id(&result.call_id));
    let is_text = |block: &DataBlock<'_>| matches!(block, DataBlock::Text(_));
    match result.blocks.iter().all(is_text) {
        true => write_result_text(result, body),
        false => body.key("content").array(|body| {
            for block in &result.blocks {
                match block {
                    DataBlock::Text(text) if text.trim().is_empty() => (),
                    DataBlock::Text(text) => write_text(text, body),
                    DataBlock::Media(media) => write_media(media, body),
                }
            }
        }),
    }
    if result.is_error {
        body.key("is_error").boolean(true);
    }
}

fn write_result_text(result: &ToolResult<'_>, body: &mut Body) {
    let text = result.text();
    match (text.trim().is_empty(), result.is_error) {
        (false, _) => body.key("content").text(&text),
        // The service wants a text with an error.
        (true, true) => body.key("content").text("error"),
        (true, false) => (),
    }
}

/// An id of another provider may hold what this service refuses: such bytes become `_` and two digits, in call and result alike.
fn wire_id(id: &str) -> Cow<'_, str> {
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    if id.as_bytes().iter().all(is_plain) {
        return Cow::Borrowed(id);
    }
    let spell = |byte: u8| match is_plain(&byte) {
        true => char::from(byte).to_string(),
        false => format!("_{byte:02x}"),
    };
    Cow::Owned(id.bytes().map(spell).collect())
}

// ---- tools and schema ----

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
}

fn write_tool(sent: &SentTool<'_>, body: &mut Body) {
    body.key("name").text(&sent.tool.name);
    if let Some(description) = &sent.tool.description {
        body.key("description").text(description);
    }
    sent.write_schema(body.key("input_schema"));
    if let Some(strict) = sent.strict {
        body.key("strict").boolean(strict);
    }
}

/// The caller's members, and the schema's format. It has neither name nor flag.
fn write_output_config(parameters: &Parameters<'_>, native: Option<&NativeSchema>, body: &mut Body) {
    for (name, value) in &parameters.output_config {
        body.key(name).json(value);
    }
    if let Some(schema) = native {
        body.key("format").object(|body| {
            body.key("type").text("json_schema");
            body.key("schema").raw(&schema.rewritten.json);
        });
    }
}
