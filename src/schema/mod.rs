//! Output schemas: a JSON Schema document or a row type; what a provider gets of them, and the check of an answer.
//!
//! | file | what it holds |
//! |---|---|
//! | `document` | a compiled document, and the cache of documents |
//! | `keywords` | where subschemas stand; references; the checks that make every walk end |
//! | `check`, `formats` | the check of a value against the user's full schema |
//! | `dialect`, `rewrite`, `flatten`, `wire`, `describe`, `limits` | what a provider gets |
//! | `answer`, `extract`, `prune` | from an answer's text to a checked value |
//! | `row`, `row_answer` | row types |

mod answer;
mod check;
mod describe;
mod dialect;
mod document;
mod extract;
mod flatten;
mod formats;
mod keywords;
mod limits;
mod prune;
mod rewrite;
mod row;
mod row_answer;
mod stack;
mod wire;

use std::sync::Arc;

pub use answer::{Answer, kind_at, read_answer};
pub use check::{MAX_VIOLATIONS, Violation, place};
pub use dialect::{
    ANTHROPIC, AZURE_STRICT, BEDROCK, DASHSCOPE, Dialect, GEMINI, Grammar, Limit, OLLAMA, OPENAI_STRICT, Rewritten,
    Rule, VLLM, WATSONX,
};
pub use document::Document;
pub use keywords::MAX_IN_PLACE;
pub use row::{BasicType, RowType};
pub use stack::MAX_SUBSCHEMAS;

use crate::error::{Error, Result};
use crate::json::Json;
use crate::structured::{Reason, ReasonCode};

/// What an answer has to look like.
#[derive(Debug, Clone)]
pub enum OutputSchema {
    Document(Arc<Document>),
    Row(RowType),
}

impl OutputSchema {
    /// From the `SCHEMA` shape of docs/boundary.md. Fails (kind `invalid_argument`) on a document that is no usable JSON
    /// Schema, naming the place, and on a row type that is none.
    pub fn from_frame(schema: &Json<'_>) -> Result<OutputSchema> {
        match schema.get("form").and_then(Json::as_text) {
            Some("json") => {
                let text = match schema.get("text") {
                    Some(Json::Text(text)) => text.as_ref(),
                    Some(Json::Bytes(bytes)) => std::str::from_utf8(bytes)
                        .map_err(|_| Error::invalid_argument("The output schema is no valid UTF-8."))?,
                    _ => return Err(Error::invalid_argument("The output schema has no text.")),
                };
                let name = schema.get("name").and_then(Json::as_text);
                Document::of(name, text).map(OutputSchema::Document)
            }
            Some("row") => RowType::from_frame(schema).map(OutputSchema::Row),
            _ => Err(Error::new(
                crate::error::ErrorKind::Frame,
                "a schema in a frame needs `form`: `json` or `row`",
            )),
        }
    }

    /// The schema as the prompt path shows it: JSON Schema text, or the string form of a row type without one (#1270).
    pub fn text(&self) -> String {
        match self {
            OutputSchema::Document(document) => document.text(),
            OutputSchema::Row(row) => row.json_schema().unwrap_or_else(|| row.to_string()),
        }
    }

    /// The instruction of the prompt path: constant words, then the schema's text.
    pub fn instruction(&self) -> String {
        let kind = match self {
            OutputSchema::Row(row) if row.json_schema().is_none() => {
                "JSON object whose members are the fields of the row type below"
            }
            _ => "JSON value that is valid against the JSON Schema below",
        };
        format!(
            "Give the final answer as exactly one {kind}. Write nothing before it and nothing after it: no explanation, no code \
             fence.\n{}",
            self.text()
        )
    }

    /// Name on the wire: the class's simple name, the document's `title`, or `schema`; characters outside `[A-Za-z0-9_-]`
    /// become `_`; cut to 64.
    pub fn name(&self) -> String {
        match self {
            OutputSchema::Document(document) => wire_name(document.name()),
            OutputSchema::Row(_) => "schema".to_owned(),
        }
    }

    /// What the schema is called in messages: the class's or document's name, or the row's string form.
    pub fn description(&self) -> String {
        match self {
            OutputSchema::Document(document) => document.name().to_owned(),
            OutputSchema::Row(row) => row.to_string(),
        }
    }

    /// What `dialect` gets of this schema, or the reasons why no request can carry it. Cached.
    pub fn rewrite(&self, dialect: &'static Dialect) -> std::result::Result<Arc<Rewritten>, Vec<Reason>> {
        match self {
            OutputSchema::Document(document) => document.rewrite(dialect),
            OutputSchema::Row(_) => Err(vec![Reason::new(
                ReasonCode::RowType,
                "A row type has no native form on any provider; its schema goes into the prompt.",
            )]),
        }
    }
}

/// A name that every provider takes: `[A-Za-z0-9_-]{1,64}`.
fn wire_name(name: &str) -> String {
    let clean = |character: char| match character {
        'A'..='Z' | 'a'..='z' | '0'..='9' | '_' | '-' => character,
        _ => '_',
    };
    name.chars().take(64).map(clean).collect()
}
