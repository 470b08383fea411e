//! Reads JSON text: exact numbers, bounded depth, unpaired surrogates become U+FFFD.

use super::Json;
use crate::error::Result;

/// Deepest nesting of a document or frame.
pub const MAX_DEPTH: usize = 128;

/// Reads one JSON document. The error names the byte offset and what was expected there, never the text itself.
pub fn parse(text: &[u8]) -> Result<Json<'_>> {
    let _ = text;
    unimplemented!()
}
