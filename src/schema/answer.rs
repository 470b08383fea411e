//! From an answer's text to a checked value.

use super::OutputSchema;
use crate::error::Result;
use crate::json::Json;

/// A checked answer.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    /// The value as JSON, wrapper undone.
    Json(String),
    /// A row's values in field order, converted to the declared types.
    Row(Vec<Json<'static>>),
}

/// Reads `text` (fences and reasoning tags removed) against `schema`. Fails with kind `invalid_output`, details `pointer` and
/// `violations`; the message never holds the answer's values.
pub fn read_answer(_schema: &OutputSchema, _text: &str, _wrapper: Option<&str>) -> Result<Answer> {
    unimplemented!()
}
