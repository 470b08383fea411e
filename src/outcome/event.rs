//! Upstream's events about a chat request as they stand on the wire: [`ChatResponseEvent`], the one terminal event (#1149,
//! #1185), and [`ModelRoutingEvent`], which only tells what a router chose (#964).
//!
//! Reading is strict, since both languages of upstream share one fixed schema: unknown members and attributes, wrong types and
//! mixed payloads are refused. Writing gives the same keys in the same order each time.

use std::borrow::Cow;

use super::{INCONSISTENT, MAX_ERROR_TEXT};
use crate::error::Result;
use crate::json::Json;
use crate::message::fields::{Fields, Members, Path, borrow, borrow_members};
use crate::message::{ChatMessage, ChatResult, Role};
use crate::provider::failure::{clip, is_uuid};

/// When the tables of attributes below were compared with upstream.
pub const ATTRIBUTES_DATE: &str = "2026-11-30";

/// The attributes of a [`ChatResponseEvent`]: six that are always written (#1149), and three that are optional (#1149, #964,
/// #1352).
pub const RESPONSE_ATTRIBUTES: [&str; 9] = [
    "request_id",
    "status",
    "response",
    "error",
    "retry_count",
    "total_retry_wait_sec",
    "structured_output",
    "model_routing",
    "user_context",
];

/// The attributes of a [`ModelRoutingEvent`] (#964, #1042); `reason`, `score` and `decision_ms` are optional.
pub const ROUTING_ATTRIBUTES: [&str; 10] = [
    "request_id",
    "router",
    "candidates",
    "selected_model",
    "decision_source",
    "fallback_enabled",
    "reason",
    "score",
    "metadata",
    "decision_ms",
];

const RESPONSE_TYPE: &str = "_chat_response_event";
const ROUTING_TYPE: &str = "_model_routing_event";

/// Largest count of an event: Java holds them as 32-bit integers.
const MAX_COUNT: i64 = i32::MAX as i64;

/// The terminal event of a chat request.
#[derive(Debug, Clone, PartialEq)]
pub struct ChatResponseEvent<'a> {
    pub envelope: Envelope<'a>,
    /// The UUID of the initial request, over all retries and tool rounds.
    pub request_id: Cow<'a, str>,
    pub payload: Payload<'a>,
    /// Retries that were started, 0 to 2^31-1.
    pub retry_count: i64,
    /// Whole seconds that were waited before retries, 0 to 2^31-1.
    pub total_retry_wait_sec: i64,
    /// What a router did, where one was asked.
    pub model_routing: Option<Members<'a>>,
    /// The request's own map, given back (#1352).
    pub user_context: Option<Members<'a>>,
}

/// What the request ended in.
#[derive(Debug, Clone, PartialEq)]
pub enum Payload<'a> {
    Success {
        response: Box<ChatResult<'a>>,
        /// The typed answer; null when there is none.
        structured_output: Json<'a>,
    },
    /// The error text: not empty, cut to [`MAX_ERROR_TEXT`] characters when written.
    Failed(Cow<'a, str>),
}

/// What every event of upstream has beside its attributes and its type.
#[derive(Debug, Clone, PartialEq)]
pub struct Envelope<'a> {
    /// The event's own UUID.
    pub id: Cow<'a, str>,
    /// Empty in every event that this library makes; kept as read.
    pub attachments: Members<'a>,
}

impl<'a> ChatResponseEvent<'a> {
    /// Reads an event. `response` may be a bare assistant message, as it was between #1149 and #1185.
    pub fn from_json(json: &'a Json<'_>, path: &Path<'_>) -> Result<Self> {
        let (envelope, attributes) = Envelope::read(json, path, RESPONSE_TYPE)?;
        let attributes_path = path.key("attributes");
        let fields = Fields::strict(attributes, &attributes_path, &RESPONSE_ATTRIBUTES)?;
        Ok(ChatResponseEvent {
            envelope,
            request_id: uuid(&fields, "request_id", path)?,
            payload: Payload::read(&fields, path)?,
            retry_count: count(&fields, "retry_count")?.unwrap_or(0),
            total_retry_wait_sec: count(&fields, "total_retry_wait_sec")?.unwrap_or(0),
            model_routing: optional_members(&fields, "model_routing")?,
            user_context: optional_members(&fields, "user_context")?,
        })
    }

    /// The wire form: six attributes always, null where one is unused, and the optional ones where they are set.
    pub fn to_json(&self) -> Json<'_> {
        let (status, response, error, structured_output) = match &self.payload {
            Payload::Success {
                response,
                structured_output,
            } => ("SUCCESS", response.to_json(), Json::Null, borrow(structured_output)),
            Payload::Failed(error) => ("FAILED", Json::Null, clip(error, MAX_ERROR_TEXT).into(), Json::Null),
        };
        let mut attributes = vec![
            ("request_id".into(), self.request_id.as_ref().into()),
            ("status".into(), status.into()),
            ("response".into(), response),
            ("error".into(), error),
            ("retry_count".into(), self.retry_count.into()),
            ("total_retry_wait_sec".into(), self.total_retry_wait_sec.into()),
        ];
        push_present(&mut attributes, "structured_output", structured_output);
        push_present(&mut attributes, "model_routing", members_json(&self.model_routing));
        push_present(&mut attributes, "user_context", members_json(&self.user_context));
        self.envelope.write(attributes, RESPONSE_TYPE)
    }
}

impl<'a> Payload<'a> {
    fn read(fields: &Fields<'a, '_>, path: &Path<'_>) -> Result<Self> {
        let error = fields.text("error")?;
        let structured_output = fields.get("structured_output");
        match (fields.text("status")?.as_deref(), fields.get("response"), error) {
            (Some("SUCCESS"), Some(response), None) => Ok(Payload::Success {
                response: Box::new(read_response(response, &fields.path.key("response"))?),
                structured_output: structured_output.map_or(Json::Null, borrow),
            }),
            (Some("FAILED"), None, Some(error)) if !error.is_empty() && structured_output.is_none() => {
                Ok(Payload::Failed(error))
            }
            _ => Err(path.broken(INCONSISTENT)),
        }
    }
}

/// A result, or a message alone.
fn read_response<'a>(json: &'a Json<'_>, path: &Path<'_>) -> Result<ChatResult<'a>> {
    if json.get("role").is_none() || json.get("message").is_some() {
        return ChatResult::from_json(json, path);
    }
    let message = ChatMessage::from_json(json, path)?;
    if message.role != Role::Assistant {
        return Err(path.broken("ChatResult requires an ASSISTANT message"));
    }
    Ok(ChatResult {
        message,
        model: None,
        response_id: None,
        usage: None,
        finish_reason: None,
        metadata: Vec::new(),
    })
}

/// What a router chose, for whoever watches; nothing is decided by it.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelRoutingEvent<'a> {
    pub envelope: Envelope<'a>,
    /// The UUID of the initial request.
    pub request_id: Cow<'a, str>,
    /// Name of the router.
    pub router: Cow<'a, str>,
    /// Names of the models in declaration order; at least one.
    pub candidates: Vec<Cow<'a, str>>,
    pub selected_model: Cow<'a, str>,
    /// Who chose: `strategy`, `default`, `fallback`, or a judge.
    pub decision_source: Cow<'a, str>,
    pub fallback_enabled: bool,
    pub reason: Option<Cow<'a, str>>,
    /// A number with its exact digits.
    pub score: Option<Json<'a>>,
    pub metadata: Members<'a>,
    /// Milliseconds of the decision, 0 to 2^63-1.
    pub decision_ms: Option<i64>,
}

impl<'a> ModelRoutingEvent<'a> {
    /// Reads an event.
    pub fn from_json(json: &'a Json<'_>, path: &Path<'_>) -> Result<Self> {
        let (envelope, attributes) = Envelope::read(json, path, ROUTING_TYPE)?;
        let attributes_path = path.key("attributes");
        let fields = Fields::strict(attributes, &attributes_path, &ROUTING_ATTRIBUTES)?;
        Ok(ModelRoutingEvent {
            envelope,
            request_id: uuid(&fields, "request_id", path)?,
            router: fields.required_text("router")?,
            candidates: read_candidates(&fields)?,
            selected_model: fields.required_text("selected_model")?,
            decision_source: fields.required_text("decision_source")?,
            fallback_enabled: read_fallback(&fields)?,
            reason: fields.text("reason")?,
            score: read_score(&fields)?,
            metadata: fields.members("metadata")?,
            decision_ms: fields.count("decision_ms")?,
        })
    }

    /// The wire form; the optional attributes stand there only where they are set.
    pub fn to_json(&self) -> Json<'_> {
        let candidates = self.candidates.iter().map(|name| name.as_ref().into()).collect();
        let mut attributes = vec![
            ("request_id".into(), self.request_id.as_ref().into()),
            ("router".into(), self.router.as_ref().into()),
            ("candidates".into(), Json::Array(candidates)),
            ("selected_model".into(), self.selected_model.as_ref().into()),
            ("decision_source".into(), self.decision_source.as_ref().into()),
            ("fallback_enabled".into(), self.fallback_enabled.into()),
        ];
        push_present(&mut attributes, "reason", self.reason.as_deref().into());
        push_present(&mut attributes, "score", self.score.as_ref().map(borrow).into());
        attributes.push(("metadata".into(), Json::Object(borrow_members(&self.metadata))));
        push_present(&mut attributes, "decision_ms", self.decision_ms.into());
        self.envelope.write(attributes, ROUTING_TYPE)
    }
}

fn read_candidates<'a>(fields: &Fields<'a, '_>) -> Result<Vec<Cow<'a, str>>> {
    let path = fields.path.key("candidates");
    let items = fields.list("candidates")?;
    if items.is_empty() {
        return Err(path.broken("a router has at least one candidate"));
    }
    let names = items.iter().enumerate().map(|(index, item)| match item {
        Json::Text(name) if !name.is_empty() => Ok(Cow::Borrowed(name.as_ref())),
        other => Err(path.index(index).expected("a non-empty string", Some(other))),
    });
    names.collect()
}

fn read_fallback(fields: &Fields<'_, '_>) -> Result<bool> {
    let fallback = fields.get("fallback_enabled");
    let path = fields.path.key("fallback_enabled");
    fallback
        .and_then(Json::as_bool)
        .ok_or_else(|| path.expected("a boolean", fallback))
}

fn read_score<'a>(fields: &Fields<'a, '_>) -> Result<Option<Json<'a>>> {
    match fields.get("score") {
        None => Ok(None),
        Some(number @ (Json::Int(_) | Json::UInt(_) | Json::Number(_))) => Ok(Some(borrow(number))),
        Some(other) => Err(fields.path.key("score").expected("a number", Some(other))),
    }
}

impl<'a> Envelope<'a> {
    /// The envelope and the attributes of an event of type `wanted`. Events older than #1149 have no `attachments`.
    fn read(json: &'a Json<'_>, path: &Path<'_>, wanted: &str) -> Result<(Self, &'a Json<'a>)> {
        let fields = Fields::strict(json, path, &["id", "attributes", "attachments", "type"])?;
        if fields.required_text("type")? != wanted {
            let rule = format!("the type of this event must be {wanted}");
            return Err(path.key("type").broken(&rule));
        }
        let envelope = Envelope {
            id: uuid(&fields, "id", path)?,
            attachments: fields.members("attachments")?,
        };
        let attributes = fields.get("attributes");
        let attributes = attributes.ok_or_else(|| path.key("attributes").expected("an object", None))?;
        Ok((envelope, attributes))
    }

    /// The event in Java's order of keys.
    fn write<'j>(&'j self, attributes: Members<'j>, kind: &'static str) -> Json<'j> {
        Json::Object(vec![
            ("id".into(), self.id.as_ref().into()),
            ("attributes".into(), Json::Object(attributes)),
            ("attachments".into(), Json::Object(borrow_members(&self.attachments))),
            ("type".into(), kind.into()),
        ])
    }
}

/// A UUID; upstream's text for all else has no place in it (#1149).
fn uuid<'a>(fields: &Fields<'a, '_>, name: &str, path: &Path<'_>) -> Result<Cow<'a, str>> {
    let id = fields.get(name).and_then(Json::as_text).filter(|id| is_uuid(id));
    id.map(Cow::Borrowed)
        .ok_or_else(|| path.broken(&format!("{name} must be a UUID")))
}

fn count(fields: &Fields<'_, '_>, name: &str) -> Result<Option<i64>> {
    match fields.count(name)? {
        Some(value) if value > MAX_COUNT => {
            let rule = format!("a count of an event is at most {MAX_COUNT}");
            Err(fields.path.key(name).broken(&rule))
        }
        count => Ok(count),
    }
}

fn optional_members<'a>(fields: &Fields<'a, '_>, name: &str) -> Result<Option<Members<'a>>> {
    fields.get(name).map(|_| fields.members(name)).transpose()
}

fn members_json<'j>(members: &'j Option<Members<'_>>) -> Json<'j> {
    members
        .as_ref()
        .map_or(Json::Null, |members| Json::Object(borrow_members(members)))
}

fn push_present<'j>(attributes: &mut Members<'j>, name: &'static str, value: Json<'j>) {
    if value != Json::Null {
        attributes.push((name.into(), value));
    }
}
