//! A failure inside a run: data, so that a recorded one replays without its exception.

use std::borrow::Cow;

use crate::error::{Error, ErrorKind, Result};
use crate::json::Json;
use crate::message::fields::{Fields, Members, Path, borrow_members, member, own_members};
use crate::outcome::MAX_ERROR_TEXT;
use crate::provider::failure::clip;

/// What went wrong in one call.
#[derive(Debug, Clone, PartialEq)]
pub struct Failure {
    pub kind: ErrorKind,
    /// Class and message, as an outcome shows them (#1149 C2).
    pub error: String,
    pub details: Members<'static>,
}

impl Failure {
    /// A failure that the run found itself; its text names the class that a direct call would throw.
    pub fn of(error: Error) -> Self {
        let text = format!("{}: {}", error.kind.java_class(), error.message);
        Failure {
            kind: error.kind,
            error: clip(&text, MAX_ERROR_TEXT).into_owned(),
            details: error
                .details
                .into_iter()
                .map(|(key, value)| (Cow::Borrowed(key), value))
                .collect(),
        }
    }

    /// Reads the `FAILURE` shape of docs/boundary.md.
    pub fn from_json(json: &Json<'_>, path: &Path<'_>) -> Result<Self> {
        let fields = Fields::strict(json, path, &["kind", "error", "details"])?;
        let kind = fields.required_text("kind")?;
        Ok(Failure {
            kind: ErrorKind::parse(&kind).ok_or_else(|| path.key("kind").broken("an error kind is required"))?,
            error: clip(&fields.required_text("error")?, MAX_ERROR_TEXT).into_owned(),
            details: own_members(fields.members("details")?),
        })
    }

    pub fn to_json(&self) -> Json<'_> {
        Json::object([
            ("kind", self.kind.name().into()),
            ("error", self.error.as_str().into()),
            ("details", Json::Object(borrow_members(&self.details))),
        ])
    }

    /// A detail that is a count.
    pub fn count(&self, name: &str) -> Option<i64> {
        member(&self.details, name).and_then(Json::as_i64)
    }

    /// A detail that is true.
    pub fn flag(&self, name: &str) -> bool {
        member(&self.details, name).and_then(Json::as_bool).unwrap_or(false)
    }

    /// The deadline of the whole run has passed: nothing is tried any more.
    pub fn is_run_deadline(&self) -> bool {
        self.kind == ErrorKind::Timeout && member(&self.details, "phase").and_then(Json::as_text) == Some("run")
    }
}
