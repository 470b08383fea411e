//! Content blocks, told apart by `type` (#1060, #1185).

use std::borrow::Cow;

use super::fields::{Fields, Members, Path, borrow, borrow_members, member, own_members};
use super::media::{Media, MediaKind};
use crate::error::Result;
use crate::json::{self, Json};

/// What a message may hold, and what a tool result may hold: for errors.
const TOP_LEVEL: &str = "text, image, audio, video, document, reasoning, tool_call or tool_result";
const NESTED: &str = "text, image, audio, video or document";

/// One part of a message.
#[derive(Debug, Clone, PartialEq)]
pub enum ContentBlock<'a> {
    Text(Cow<'a, str>),
    Media(Media<'a>),
    Reasoning(Reasoning<'a>),
    ToolCall(ToolCall<'a>),
    ToolResult(ToolResult<'a>),
}

/// What a model thought. `metadata` holds one key for each provider that can replay it.
#[derive(Debug, Clone, PartialEq)]
pub struct Reasoning<'a> {
    pub text: Option<Cow<'a, str>>,
    pub metadata: Members<'a>,
}

/// A call that the model asks for.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolCall<'a> {
    /// The provider's id, which the result refers to.
    pub call_id: Cow<'a, str>,
    pub name: Cow<'a, str>,
    pub input: Members<'a>,
    pub metadata: Members<'a>,
}

/// What a tool answered: text and media only, so results cannot nest.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolResult<'a> {
    pub call_id: Cow<'a, str>,
    pub blocks: Vec<DataBlock<'a>>,
    pub is_error: bool,
    pub metadata: Members<'a>,
}

/// A block inside a tool result.
#[derive(Debug, Clone, PartialEq)]
pub enum DataBlock<'a> {
    Text(Cow<'a, str>),
    Media(Media<'a>),
}

impl<'a> ContentBlock<'a> {
    /// The block's `type`.
    pub const fn type_name(&self) -> &'static str {
        match self {
            ContentBlock::Text(_) => "text",
            ContentBlock::Media(media) => media.kind.name(),
            ContentBlock::Reasoning(_) => "reasoning",
            ContentBlock::ToolCall(_) => "tool_call",
            ContentBlock::ToolResult(_) => "tool_result",
        }
    }

    pub(super) fn from_json(json: &'a Json<'_>, path: &Path<'_>) -> Result<Self> {
        Ok(match block_type(json, path)? {
            "reasoning" => {
                let fields = Fields::strict(json, path, &["type", "text", "metadata"])?;
                ContentBlock::Reasoning(Reasoning {
                    text: fields.text("text")?,
                    metadata: fields.members("metadata")?,
                })
            }
            "tool_call" => {
                let fields = Fields::strict(json, path, &["type", "call_id", "name", "input", "metadata"])?;
                ContentBlock::ToolCall(ToolCall {
                    call_id: fields.required_text("call_id")?,
                    name: fields.required_text("name")?,
                    input: fields.members("input")?,
                    metadata: fields.members("metadata")?,
                })
            }
            "tool_result" => ContentBlock::ToolResult(read_tool_result(json, path)?),
            _ => match DataBlock::from_json(json, path, TOP_LEVEL)? {
                DataBlock::Text(text) => ContentBlock::Text(text),
                DataBlock::Media(media) => ContentBlock::Media(media),
            },
        })
    }

    pub(super) fn to_json(&self) -> Json<'_> {
        match self {
            ContentBlock::Text(text) => text_json(text),
            ContentBlock::Media(media) => media.to_json(),
            ContentBlock::Reasoning(reasoning) => Json::Object(vec![
                ("type".into(), "reasoning".into()),
                ("text".into(), reasoning.text.as_deref().into()),
                ("metadata".into(), Json::Object(borrow_members(&reasoning.metadata))),
            ]),
            ContentBlock::ToolCall(call) => Json::object([
                ("type", "tool_call".into()),
                ("call_id", call.call_id.as_ref().into()),
                ("name", call.name.as_ref().into()),
                ("input", Json::Object(borrow_members(&call.input))),
                ("metadata", Json::Object(borrow_members(&call.metadata))),
            ]),
            ContentBlock::ToolResult(result) => Json::object([
                ("type", "tool_result".into()),
                ("call_id", result.call_id.as_ref().into()),
                (
                    "blocks",
                    Json::Array(result.blocks.iter().map(DataBlock::to_json).collect()),
                ),
                ("is_error", result.is_error.into()),
                ("metadata", Json::Object(borrow_members(&result.metadata))),
            ]),
        }
    }

    /// For logs: media without payload and URL, texts and arguments as they are. Of metadata, which may hold anything, only what
    /// this library writes as text stays: `item_id` and `invalid_arguments` of a tool call.
    pub fn sanitize(&self) -> Json<'_> {
        match self {
            ContentBlock::Text(text) => text_json(text),
            ContentBlock::Media(media) => media.sanitize(),
            ContentBlock::Reasoning(reasoning) => {
                Json::object([("type", "reasoning".into()), ("text", reasoning.text.as_deref().into())])
            }
            ContentBlock::ToolCall(call) => Json::object([
                ("type", "tool_call".into()),
                ("call_id", call.call_id.as_ref().into()),
                ("name", call.name.as_ref().into()),
                ("input", Json::Object(borrow_members(&call.input))),
                ("metadata", call.logged_metadata()),
            ]),
            ContentBlock::ToolResult(result) => Json::object([
                ("type", "tool_result".into()),
                ("call_id", result.call_id.as_ref().into()),
                (
                    "blocks",
                    Json::Array(result.blocks.iter().map(DataBlock::sanitize).collect()),
                ),
                ("is_error", result.is_error.into()),
            ]),
        }
    }
}

impl ToolCall<'_> {
    fn logged_metadata(&self) -> Json<'_> {
        let item_id = member(&self.metadata, "item_id").filter(|id| id.as_text().is_some());
        let invalid = member(&self.metadata, "invalid_arguments").filter(|invalid| invalid.as_object().is_some());
        let kept = [("item_id", item_id), ("invalid_arguments", invalid)];
        match kept.iter().all(|(_, value)| value.is_none()) {
            true => Json::Null,
            false => Json::object(kept.map(|(key, value)| (key, value.map_or(Json::Null, borrow)))),
        }
    }

    /// The input as JSON text, `{}` without any.
    pub fn arguments(&self) -> String {
        Json::Object(borrow_members(&self.input)).to_json()
    }
}

impl ToolResult<'_> {
    /// The nested text blocks, concatenated.
    pub fn text(&self) -> String {
        self.blocks
            .iter()
            .filter_map(|block| match block {
                DataBlock::Text(text) => Some(text.as_ref()),
                DataBlock::Media(_) => None,
            })
            .collect()
    }
}

impl<'a> DataBlock<'a> {
    fn from_json(json: &'a Json<'_>, path: &Path<'_>, allowed: &str) -> Result<Self> {
        let kind = match block_type(json, path)? {
            "text" => {
                let fields = Fields::strict(json, path, &["type", "text"])?;
                return Ok(DataBlock::Text(fields.text("text")?.unwrap_or_default()));
            }
            "image" => MediaKind::Image,
            "audio" => MediaKind::Audio,
            "video" => MediaKind::Video,
            "document" => MediaKind::Document,
            _ => return Err(path.key("type").broken(&format!("a block's type here is {allowed}"))),
        };
        Media::from_json(kind, json, path).map(DataBlock::Media)
    }

    fn to_json(&self) -> Json<'_> {
        match self {
            DataBlock::Text(text) => text_json(text),
            DataBlock::Media(media) => media.to_json(),
        }
    }

    fn sanitize(&self) -> Json<'_> {
        match self {
            DataBlock::Text(text) => text_json(text),
            DataBlock::Media(media) => media.sanitize(),
        }
    }
}

fn block_type<'a>(json: &'a Json<'_>, path: &Path<'_>) -> Result<&'a str> {
    let found = json.get("type");
    found
        .and_then(Json::as_text)
        .ok_or_else(|| path.key("type").expected("the block's type", found))
}

fn read_tool_result<'a>(json: &'a Json<'_>, path: &Path<'_>) -> Result<ToolResult<'a>> {
    let fields = Fields::strict(json, path, &["type", "call_id", "blocks", "is_error", "metadata"])?;
    let blocks_path = path.key("blocks");
    let blocks = fields.list("blocks")?.iter().enumerate();
    Ok(ToolResult {
        call_id: fields.required_text("call_id")?,
        blocks: blocks
            .map(|(index, block)| DataBlock::from_json(block, &blocks_path.index(index), NESTED))
            .collect::<Result<_>>()?,
        is_error: fields.flag("is_error")?,
        metadata: fields.members("metadata")?,
    })
}

fn text_json(text: &str) -> Json<'_> {
    Json::object([("type", "text".into()), ("text", text.into())])
}

/// How deep the arguments stand in a frame, in an outcome or in a journal, with some room to spare.
const LEVELS_AROUND_ARGUMENTS: usize = 16;

/// Reads the arguments of a tool call as a model wrote them. Blank text and `null` are no arguments. Text that is no JSON
/// object is kept for people in the second value, `{raw, position}` (byte offset of the fault): the call must not be run.
pub fn read_arguments(raw: &str) -> (Members<'static>, Option<Json<'static>>) {
    if raw.trim().is_empty() {
        return (Vec::new(), None);
    }
    let position = match json::parse_inside(raw.as_bytes(), LEVELS_AROUND_ARGUMENTS) {
        Ok(Json::Null) => return (Vec::new(), None),
        Ok(json) if json.oversized_number().is_some() => 0,
        Ok(Json::Object(members)) => return (own_members(members), None),
        Ok(_) => (raw.len() - raw.trim_start().len()) as u64,
        Err(error) => error_offset(&error),
    };
    let invalid = Json::object([("raw", raw.to_owned().into()), ("position", position.into())]);
    (Vec::new(), Some(invalid))
}

/// Where reading of a JSON text stopped, in bytes.
pub fn error_offset(error: &crate::error::Error) -> u64 {
    let offset = error.details.iter().find(|(key, _)| *key == "offset");
    match offset {
        Some((_, Json::Int(offset))) => u64::try_from(*offset).unwrap_or(0),
        Some((_, Json::UInt(offset))) => *offset,
        _ => 0,
    }
}
