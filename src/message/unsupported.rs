//! Blocks that a provider cannot carry (#1164, #1186).

use super::{ChatMessage, ContentBlock, DataBlock, Media, Role};
use crate::error::{Error, ErrorKind};

/// Where a block stands: index of the message, of its block, and of the block in a tool result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    pub message: usize,
    pub block: usize,
    pub nested: Option<usize>,
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "messages[{}].blocks[{}]", self.message, self.block)?;
        match self.nested {
            Some(nested) => write!(f, ".blocks[{nested}]"),
            None => Ok(()),
        }
    }
}

/// Every medium in order, those in tool results too, with the role of its message.
pub fn every_media<'m, 'a>(messages: &'m [ChatMessage<'a>]) -> impl Iterator<Item = (Role, &'m Media<'a>, Place)> {
    messages.iter().enumerate().flat_map(|(index, message)| {
        let blocks = message.blocks.iter().enumerate();
        blocks.flat_map(move |(block, content)| {
            let place = move |nested| Place {
                message: index,
                block,
                nested,
            };
            media_of(content).map(move |(nested, media)| (message.role, media, place(nested)))
        })
    })
}

/// A block's own medium, or those of its tool result with their indices.
fn media_of<'m, 'a>(block: &'m ContentBlock<'a>) -> impl Iterator<Item = (Option<usize>, &'m Media<'a>)> {
    let (own, result) = match block {
        ContentBlock::Media(media) => (Some((None, media)), &[][..]),
        ContentBlock::ToolResult(result) => (None, result.blocks.as_slice()),
        _ => (None, &[][..]),
    };
    let nested = result.iter().enumerate().filter_map(|(index, block)| match block {
        DataBlock::Media(media) => Some((Some(index), media)),
        DataBlock::Text(_) => None,
    });
    own.into_iter().chain(nested)
}

/// `{provider} cannot send a(n) {type} block ({media_type}, {source} source): {reason}.`, never with a URL or payload. The
/// text is upstream's, so the place is in the details: `message` (index) and `path`.
pub fn unsupported_media(provider: &str, media: &Media<'_>, place: &Place, reason: &str) -> Error {
    let block = media.kind.name();
    let article = if block.starts_with(['a', 'e', 'i', 'o', 'u']) {
        "an"
    } else {
        "a"
    };
    let (media_type, source) = (media.media_type.as_ref(), media.source.name());
    let text = format!("{provider} cannot send {article} {block} block ({media_type}, {source} source): {reason}.");
    Error::new(ErrorKind::UnsupportedBlock, text)
        .with("message", place.message as u64)
        .with("path", place.to_string())
        .with("type", block)
        .with("media_type", media_type.to_owned())
        .with("source", source)
}
