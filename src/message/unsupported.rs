//! Blocks that a provider cannot carry (#1164, #1186).

use super::media::Media;
use crate::error::{Error, ErrorKind};

/// `{provider} cannot send a(n) {type} block ({media_type}, {source} source): {reason}.`, never with a URL or payload.
/// `message` is the index of the message, for the details.
pub fn unsupported_media(provider: &str, media: &Media<'_>, message: usize, reason: &str) -> Error {
    let block = media.kind.name();
    let article = if block.starts_with(['a', 'e', 'i', 'o', 'u']) {
        "an"
    } else {
        "a"
    };
    let (media_type, source) = (media.media_type.as_ref(), media.source.name());
    let text = format!("{provider} cannot send {article} {block} block ({media_type}, {source} source): {reason}.");
    Error::new(ErrorKind::UnsupportedBlock, text)
        .with("message", message as u64)
        .with("type", block)
        .with("media_type", media_type.to_owned())
        .with("source", source)
}
