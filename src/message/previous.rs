//! The message form before #1060 and #1185: `content`, `tool_calls`, `extra_args`. Read only; journals and callers still
//! hold it.

use std::borrow::Cow;

use super::block::{ContentBlock, DataBlock, ToolCall, ToolResult, read_arguments};
use super::fields::{Fields, Members, Path, borrow};
use super::{ChatMessage, Role};
use crate::error::Result;
use crate::json::Json;

/// Keys of `extra_args` that hold the id of the answered call, Java's and Python's.
const ANSWERED_CALL: [&str; 2] = ["externalId", "external_id"];

/// Whether the object is of this form: it has one of its fields and no `blocks`.
pub fn is_previous(json: &Json<'_>) -> bool {
    let Some(members) = json.as_object() else { return false };
    let has = |key: &str| members.iter().any(|(name, _)| name == key);
    !has("blocks") && (has("content") || has("tool_calls") || has("extra_args"))
}

/// Reads the form into today's message. What `extra_args` holds beside the answered call's id becomes metadata.
pub fn read<'a>(json: &'a Json<'_>, role: Role, path: &Path<'_>) -> Result<ChatMessage<'a>> {
    let fields = Fields::strict(json, path, &["role", "content", "tool_calls", "extra_args"])?;
    let text = fields.text("content")?.filter(|text| !text.is_empty());
    let mut metadata = fields.members("extra_args")?;
    let mut blocks = Vec::new();
    if role == Role::Tool {
        blocks.push(tool_result(text, &metadata, path)?);
        metadata.retain(|(key, _)| !ANSWERED_CALL.contains(&key.as_ref()));
    } else {
        blocks.extend(text.map(ContentBlock::Text));
    }
    let calls_path = path.key("tool_calls");
    for (index, call) in fields.list("tool_calls")?.iter().enumerate() {
        let call = tool_call(call, &calls_path.index(index))?;
        blocks.push(ContentBlock::ToolCall(call));
    }
    Ok(ChatMessage { role, blocks, metadata })
}

fn tool_result<'a>(text: Option<Cow<'a, str>>, extra_args: &Members<'a>, path: &Path<'_>) -> Result<ContentBlock<'a>> {
    let id = extra_args
        .iter()
        .filter(|(key, _)| ANSWERED_CALL.contains(&key.as_ref()))
        .find_map(|(_, value)| match value {
            Json::Text(id) if !id.is_empty() => Some(id.clone()),
            _ => None,
        });
    let call_id = id.ok_or_else(|| {
        path.key("extra_args")
            .broken("A TOOL message needs externalId (or external_id), the id of the tool call that it answers")
    })?;
    Ok(ContentBlock::ToolResult(ToolResult {
        call_id,
        blocks: text.into_iter().map(DataBlock::Text).collect(),
        is_error: false,
        metadata: Vec::new(),
    }))
}

/// `{id, original_id?, type: "function", function: {name, arguments: object or JSON text}}`. The provider's id is
/// `original_id` where both are there; other keys become metadata.
fn tool_call<'a>(json: &'a Json<'_>, path: &Path<'_>) -> Result<ToolCall<'a>> {
    let members = json.as_object().ok_or_else(|| path.expected("an object", Some(json)))?;
    let id = ["original_id", "id"]
        .into_iter()
        .find_map(|key| json.get(key).and_then(Json::as_text).filter(|id| !id.is_empty()))
        .ok_or_else(|| path.key("id").expected("a non-empty string", json.get("id")))?;
    let function_path = path.key("function");
    let function = json
        .get("function")
        .ok_or_else(|| function_path.expected("an object", None))?;
    let function = Fields::strict(function, &function_path, &["name", "arguments"])?;
    let (input, invalid) = match function.get("arguments") {
        Some(Json::Text(raw)) => read_arguments(raw),
        _ => (function.members("arguments")?, None),
    };
    let mut metadata: Members<'a> = members
        .iter()
        .filter(|(key, _)| !["id", "original_id", "type", "function"].contains(&key.as_ref()))
        .map(|(key, value)| (Cow::Borrowed(key.as_ref()), borrow(value)))
        .collect();
    metadata.extend(invalid.map(|invalid| (Cow::Borrowed("invalid_arguments"), invalid)));
    Ok(ToolCall {
        call_id: Cow::Borrowed(id),
        name: function.required_text("name")?,
        input,
        metadata,
    })
}
