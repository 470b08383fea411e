//! Output schemas: a JSON Schema document or a row type; what a provider gets of them, and the check of an answer.

mod answer;
mod dialect;
mod row;

use std::sync::Arc;

pub use answer::{Answer, read_answer};
pub use dialect::{Dialect, OPENAI_STRICT, Rewritten};
pub use row::RowType;

use crate::error::{Error, Result};
use crate::json::Json;
use crate::structured::Reason;

/// What an answer has to look like.
#[derive(Debug, Clone)]
pub enum OutputSchema {
    Document(Arc<Document>),
    Row(RowType),
}

/// A JSON Schema document with all that is derived from it, kept in a bounded cache keyed by its text.
#[derive(Debug)]
pub struct Document {
    // R1 owns the fields: parsed value, validator, rewritten forms per dialect
}

impl OutputSchema {
    /// From the `SCHEMA` shape of docs/boundary.md.
    pub fn from_frame(_schema: &Json<'_>) -> Result<OutputSchema> {
        unimplemented!()
    }

    /// The schema as the prompt path shows it: JSON Schema text, or the string form of a row type without one (#1270).
    pub fn text(&self) -> String {
        unimplemented!()
    }

    /// The constant instruction in our own words plus the schema text (Z12).
    pub fn instruction(&self) -> String {
        unimplemented!()
    }

    /// Name on the wire (Z11).
    pub fn name(&self) -> String {
        unimplemented!()
    }

    /// What the schema is called in messages: the class's or document's name, or the row's string form.
    pub fn description(&self) -> String {
        unimplemented!()
    }

    /// What `dialect` gets of this schema, or the reasons why no request can carry it. Cached.
    pub fn rewrite(&self, _dialect: &'static Dialect) -> std::result::Result<Arc<Rewritten>, Vec<Reason>> {
        unimplemented!()
    }
}

#[allow(unused)]
fn unused(_: Error) {}
