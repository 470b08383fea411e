//! What became of a request: one record, SUCCESS or FAILED, with exclusive payloads (#1149); how a result becomes a typed
//! answer; and upstream's events about it.

mod answer;
pub mod event;

use std::borrow::Cow;

pub use answer::{MAX_QUOTED_TEXT, refusal, rejected_finish_reason, typed_answer, unusable_answer};
pub use event::{ChatResponseEvent, ModelRoutingEvent};

use crate::error::{Error, ErrorKind, Result};
use crate::json::Json;
use crate::message::fields::{Fields, Members, Path, borrow, borrow_members};
use crate::message::{ChatResult, TokenUsage};
use crate::provider::failure::{clip, is_uuid};

/// Longest error text of an outcome, in characters.
pub const MAX_ERROR_TEXT: usize = 4096;

/// Upstream's text for every inconsistency (#1149).
const INCONSISTENT: &str = "Chat response requires SUCCESS with response or FAILED with error.";

const FIELDS: [&str; 14] = [
    "request_id",
    "status",
    "response",
    "value",
    "error",
    "kind",
    "details",
    "retry_count",
    "total_retry_wait_sec",
    "elapsed_ms",
    "decision",
    "attempts",
    "usage",
    "model_routing",
];

/// The terminal record of one request.
#[derive(Debug, Clone, PartialEq)]
pub struct ChatOutcome<'a> {
    /// A UUID, chosen by the caller.
    pub request_id: Cow<'a, str>,
    pub end: End<'a>,
    /// Retries that were started.
    pub retry_count: i64,
    /// Whole seconds that were slept before retries.
    pub total_retry_wait_sec: i64,
    /// Milliseconds from the first call to the end.
    pub elapsed_ms: i64,
    /// The decision record about the schema, where there was one.
    pub decision: Option<Json<'a>>,
    /// Every call of a model that a run made: key, waits, times, and why its answer did not count. Empty for a single call.
    pub attempts: Vec<Json<'a>>,
    /// Tokens of all calls together.
    pub usage: Option<TokenUsage<'a>>,
    /// The `model_routing` block of #1149, where a router chose the model.
    pub model_routing: Option<Json<'a>>,
}

/// How the request ended.
#[derive(Debug, Clone, PartialEq)]
pub enum End<'a> {
    Success {
        response: Box<ChatResult<'a>>,
        /// The typed answer, where a schema was given; null is an answer, too.
        value: Json<'a>,
    },
    Failed {
        /// Not empty, at most [`MAX_ERROR_TEXT`] characters.
        error: Cow<'a, str>,
        kind: Option<ErrorKind>,
        details: Members<'a>,
    },
}

impl<'a> ChatOutcome<'a> {
    /// Reads a record; unknown fields, a missing status and mixed payloads are refused.
    pub fn from_json(json: &'a Json<'_>, path: &Path<'_>) -> Result<Self> {
        let fields = Fields::strict(json, path, &FIELDS)?;
        let request_id = fields.text("request_id")?.filter(|id| is_uuid(id));
        let count = |name: &str| Ok::<i64, Error>(fields.count(name)?.unwrap_or(0));
        Ok(ChatOutcome {
            request_id: request_id.ok_or_else(|| path.broken("request_id must be a UUID"))?,
            end: End::read(&fields)?,
            retry_count: count("retry_count")?,
            total_retry_wait_sec: count("total_retry_wait_sec")?,
            elapsed_ms: count("elapsed_ms")?,
            decision: fields.get("decision").map(borrow),
            attempts: fields.list("attempts")?.iter().map(borrow).collect(),
            usage: fields
                .get("usage")
                .map(|usage| TokenUsage::from_json(usage, &path.key("usage")))
                .transpose()?,
            model_routing: fields.get("model_routing").map(borrow),
        })
    }

    /// Every field is written, null where it does not apply.
    pub fn to_json(&self) -> Json<'_> {
        let (status, response, value, error, kind, details) = match &self.end {
            End::Success { response, value } => (
                "SUCCESS",
                response.to_json(),
                borrow(value),
                Json::Null,
                None,
                Vec::new(),
            ),
            End::Failed { error, kind, details } => {
                let error = Json::Text(clip(error, MAX_ERROR_TEXT));
                ("FAILED", Json::Null, Json::Null, error, *kind, borrow_members(details))
            }
        };
        Json::Object(vec![
            ("request_id".into(), self.request_id.as_ref().into()),
            ("status".into(), status.into()),
            ("response".into(), response),
            ("value".into(), value),
            ("error".into(), error),
            ("kind".into(), kind.map(ErrorKind::name).into()),
            ("details".into(), Json::Object(details)),
            ("retry_count".into(), self.retry_count.into()),
            ("total_retry_wait_sec".into(), self.total_retry_wait_sec.into()),
            ("elapsed_ms".into(), self.elapsed_ms.into()),
            ("decision".into(), self.decision.as_ref().map_or(Json::Null, borrow)),
            (
                "attempts".into(),
                Json::Array(self.attempts.iter().map(borrow).collect()),
            ),
            ("usage".into(), self.usage.as_ref().map(TokenUsage::to_json).into()),
            (
                "model_routing".into(),
                self.model_routing.as_ref().map_or(Json::Null, borrow),
            ),
        ])
    }
}

impl<'a> End<'a> {
    fn read(fields: &Fields<'a, '_>) -> Result<Self> {
        let error = fields.text("error")?.filter(|error| !error.is_empty());
        let kind = fields.text("kind")?;
        let details = fields.members("details")?;
        let (response, value) = (fields.get("response"), fields.get("value"));
        match (fields.text("status")?.as_deref(), response, error) {
            (Some("SUCCESS"), Some(response), None) if kind.is_none() && details.is_empty() => Ok(End::Success {
                response: Box::new(ChatResult::from_json(response, &fields.path.key("response"))?),
                value: value.map_or(Json::Null, borrow),
            }),
            (Some("FAILED"), None, Some(error)) if value.is_none() => Ok(End::Failed {
                error,
                kind: kind.map(|kind| read_kind(&kind, fields.path)).transpose()?,
                details,
            }),
            _ => Err(fields.path.broken(INCONSISTENT)),
        }
    }
}

fn read_kind(name: &str, path: &Path<'_>) -> Result<ErrorKind> {
    ErrorKind::parse(name).ok_or_else(|| {
        path.key("kind")
            .broken("the kind of a failure is one of the library's kinds")
    })
}
