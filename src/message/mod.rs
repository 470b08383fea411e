//! Messages, content blocks, results, in upstream's JSON shapes (#1060, #1163, #1185).
//!
//! They are read from a [`Json`] tree and borrow its texts; the rules of a role are checked while reading. Where a rule is
//! broken the error's text begins with the rule and ends with the place, for example
//! `size_bytes must not be negative. (at messages[2].blocks[0].size_bytes)`.

mod block;
pub mod fields;
mod media;
mod previous;
mod result;
mod unsupported;

use std::borrow::Cow;

pub use block::{ContentBlock, DataBlock, Reasoning, ToolCall, ToolResult, error_offset, read_arguments};
pub use fields::{Members, Path};
pub use media::{Media, MediaKind, MediaSource};
pub use result::{ChatResult, Counts, TokenUsage};
pub use unsupported::{Place, every_media, unsupported_media};

use crate::error::Result;
use crate::json::Json;
use fields::{Fields, borrow_members};

/// Who speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    System,
    User,
    Assistant,
    Tool,
}

impl Role {
    /// The role on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Role::System => "system",
            Role::User => "user",
            Role::Assistant => "assistant",
            Role::Tool => "tool",
        }
    }

    fn from_json(json: Option<&Json<'_>>, path: &Path<'_>) -> Result<Self> {
        match json.and_then(Json::as_text) {
            Some("system") => Ok(Role::System),
            Some("user") => Ok(Role::User),
            Some("assistant") => Ok(Role::Assistant),
            Some("tool") => Ok(Role::Tool),
            Some(_) => Err(path.broken("a role is system, user, assistant or tool")),
            None => Err(path.expected("system, user, assistant or tool", json)),
        }
    }
}

/// One turn of a conversation.
#[derive(Debug, Clone, PartialEq)]
pub struct ChatMessage<'a> {
    pub role: Role,
    pub blocks: Vec<ContentBlock<'a>>,
    /// A free map; adapters write and read `refusal` in it.
    pub metadata: Members<'a>,
}

impl<'a> ChatMessage<'a> {
    /// A system message; no block when the text is empty.
    pub fn system(text: impl Into<Cow<'a, str>>) -> Self {
        ChatMessage::of_text(Role::System, text.into())
    }

    /// A user's message; no block when the text is empty.
    pub fn user(text: impl Into<Cow<'a, str>>) -> Self {
        ChatMessage::of_text(Role::User, text.into())
    }

    fn of_text(role: Role, text: Cow<'a, str>) -> Self {
        let blocks = match text.is_empty() {
            true => Vec::new(),
            false => vec![ContentBlock::Text(text)],
        };
        ChatMessage {
            role,
            blocks,
            metadata: Vec::new(),
        }
    }

    /// Reads and checks a message, in today's form or the previous one.
    pub fn from_json(json: &'a Json<'_>, path: &Path<'_>) -> Result<Self> {
        if json.as_object().is_none() {
            return Err(path.expected("a message", Some(json)));
        }
        let role = Role::from_json(json.get("role"), &path.key("role"))?;
        let message = if previous::is_previous(json) {
            previous::read(json, role, path)?
        } else {
            let fields = Fields::strict(json, path, &["role", "blocks", "metadata"])?;
            let blocks_path = path.key("blocks");
            let blocks = fields.list("blocks")?.iter().enumerate();
            ChatMessage {
                role,
                blocks: blocks
                    .map(|(index, block)| ContentBlock::from_json(block, &blocks_path.index(index)))
                    .collect::<Result<_>>()?,
                metadata: fields.members("metadata")?,
            }
        };
        message.check(path)?;
        Ok(message)
    }

    /// `{role, blocks, metadata}`.
    pub fn to_json(&self) -> Json<'_> {
        Json::object([
            ("role", self.role.name().into()),
            (
                "blocks",
                Json::Array(self.blocks.iter().map(ContentBlock::to_json).collect()),
            ),
            ("metadata", Json::Object(borrow_members(&self.metadata))),
        ])
    }

    /// For logs: `{role, blocks, metadata?}` with each block [sanitized](ContentBlock::sanitize). Of the metadata, which may hold
    /// anything, only the text `refusal` stays.
    pub fn sanitize(&self) -> Json<'_> {
        let refusal = fields::member(&self.metadata, "refusal").and_then(Json::as_text);
        Json::object([
            ("role", self.role.name().into()),
            (
                "blocks",
                Json::Array(self.blocks.iter().map(ContentBlock::sanitize).collect()),
            ),
            (
                "metadata",
                refusal.map_or(Json::Null, |refusal| Json::object([("refusal", refusal.into())])),
            ),
        ])
    }

    /// The top-level text blocks, concatenated; borrowed when there is only one.
    pub fn text(&self) -> Cow<'_, str> {
        let mut texts = self.blocks.iter().filter_map(|block| match block {
            ContentBlock::Text(text) => Some(text.as_ref()),
            _ => None,
        });
        match (texts.next(), texts.next()) {
            (None, _) => Cow::Borrowed(""),
            (Some(only), None) => Cow::Borrowed(only),
            (Some(first), Some(second)) => [first, second].into_iter().chain(texts).collect(),
        }
    }

    /// The text, or the refusal where there is no other: for providers whose messages have no place for one.
    pub fn text_or_refusal(&self) -> Cow<'_, str> {
        let text = self.text();
        match fields::member(&self.metadata, "refusal").and_then(Json::as_text) {
            Some(refusal) if text.is_empty() && self.role == Role::Assistant => Cow::Borrowed(refusal),
            _ => text,
        }
    }

    /// The calls in block order.
    pub fn tool_calls(&self) -> impl Iterator<Item = &ToolCall<'a>> {
        self.blocks.iter().filter_map(|block| match block {
            ContentBlock::ToolCall(call) => Some(call),
            _ => None,
        })
    }

    /// The result that a tool message holds.
    pub fn tool_result(&self) -> Option<&ToolResult<'a>> {
        self.blocks.iter().find_map(|block| match block {
            ContentBlock::ToolResult(result) => Some(result),
            _ => None,
        })
    }

    fn check(&self, path: &Path<'_>) -> Result<()> {
        let is_result = |block: &ContentBlock<'_>| matches!(block, ContentBlock::ToolResult(_));
        if self.role == Role::Tool {
            return match self.blocks.as_slice() {
                [ContentBlock::ToolResult(_)] => Ok(()),
                _ => Err(path.broken("A TOOL message requires exactly one ToolResultBlock")),
            };
        }
        if self.blocks.iter().any(is_result) {
            return Err(path.broken("ToolResultBlock requires TOOL role"));
        }
        let only = |allowed: fn(&ContentBlock<'_>) -> bool, rule: &str| match self.blocks.iter().all(allowed) {
            true => Ok(()),
            false => Err(path.broken(rule)),
        };
        match self.role {
            Role::System => only(
                |block| matches!(block, ContentBlock::Text(_)),
                "SYSTEM messages accept only text",
            ),
            Role::User => only(
                |block| matches!(block, ContentBlock::Text(_) | ContentBlock::Media(_)),
                "USER messages accept only text and media",
            ),
            Role::Assistant | Role::Tool => self.check_unique_calls(path),
        }
    }

    fn check_unique_calls(&self, path: &Path<'_>) -> Result<()> {
        let mut seen = std::collections::BTreeSet::new();
        match self.tool_calls().all(|call| seen.insert(call.call_id.as_ref())) {
            true => Ok(()),
            false => Err(path.broken("Duplicate tool call ID in one message")),
        }
    }
}
