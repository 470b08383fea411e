//! What happened: the event that answers an action, live or from a record.

use super::failure::Failure;
use super::router::RoutingDecision;
use crate::error::{Error, ErrorKind, Result};
use crate::json::Json;
use crate::message::fields::{Fields, Path};
use crate::message::{ChatMessage, ChatResult, Role};

/// An event, read.
#[derive(Debug)]
pub struct Event<'a> {
    pub what: What<'a>,
    /// Milliseconds that it took.
    pub elapsed_ms: i64,
    /// Whether a call was started; false when the deadline passed while waiting for it.
    pub started: bool,
    /// In the record of a decision: the schema goes with the one call.
    pub direct: Option<bool>,
    /// In the record of a routing decision: the candidate that it led to.
    pub candidate: Option<String>,
}

/// What an event tells.
#[derive(Debug)]
pub enum What<'a> {
    /// The action has nothing to tell.
    Done,
    Failed(Failure),
    /// The model's own answer about the schema.
    Decided(Json<'a>),
    /// There is no connection to ask.
    Unbound {
        bridge: bool,
        setup: String,
    },
    Answered(Box<ChatResult<'a>>),
    Routed(RoutingDecision),
    ToolAnswered(ChatMessage<'a>),
}

/// Members of an event that are not part of what happened.
const KNOWN: [&str; 11] = [
    "direct",
    "candidate",
    "failure",
    "decision",
    "binding",
    "setup",
    "result",
    "route",
    "message",
    "elapsed_ms",
    "started",
];

impl<'a> Event<'a> {
    /// Reads the `EVENT` shape of docs/boundary.md.
    pub fn from_json(json: &'a Json<'_>) -> Result<Self> {
        let path = Path::Root.key("event");
        let fields = Fields::strict(json, &path, &KNOWN)?;
        let wrong = |error: Error| Error::new(ErrorKind::Frame, error.message);
        Ok(Event {
            what: What::read(&fields).map_err(wrong)?,
            elapsed_ms: fields.count("elapsed_ms")?.unwrap_or(0),
            started: fields.get("started").and_then(Json::as_bool).unwrap_or(true),
            direct: fields.get("direct").and_then(Json::as_bool),
            candidate: fields.text("candidate")?.map(|name| name.into_owned()),
        })
    }
}

impl<'a> What<'a> {
    fn read(fields: &Fields<'a, '_>) -> Result<Self> {
        let path = fields.path;
        if let Some(failure) = fields.get("failure") {
            return Failure::from_json(failure, &path.key("failure")).map(What::Failed);
        }
        if let Some(decision) = fields.get("decision") {
            return Ok(What::Decided(crate::message::fields::borrow(decision)));
        }
        if let Some(binding) = fields.text("binding")? {
            return Ok(What::Unbound {
                bridge: binding == "bridge",
                setup: fields.text("setup")?.unwrap_or_default().into_owned(),
            });
        }
        if let Some(result) = fields.get("result") {
            return Ok(What::Answered(Box::new(ChatResult::from_json(
                result,
                &path.key("result"),
            )?)));
        }
        if let Some(route) = fields.get("route") {
            return RoutingDecision::from_json(route, &path.key("route")).map(What::Routed);
        }
        if let Some(message) = fields.get("message") {
            let message_path = path.key("message");
            let message = ChatMessage::from_json(message, &message_path)?;
            return match message.role {
                Role::Tool => Ok(What::ToolAnswered(message)),
                _ => Err(message_path.broken("a tool answers with a TOOL message")),
            };
        }
        Ok(What::Done)
    }
}
