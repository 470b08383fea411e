//! What to do next.

use super::history::Part;
use crate::json::Json;
use crate::schema::Answer;

/// One thing for the caller to do. All but `Read` and `Finish` end in a record under `key`.
#[derive(Debug, Clone, PartialEq)]
pub enum Action {
    /// Ask the model's connection whether the schema can travel natively, without tools.
    Decide { key: String, model: String },
    /// Wait, then call a model.
    Call(Call),
    /// Ask the router's own strategy; `decided` when the run knows its choice and only the record is missing.
    Route { key: String, decided: bool },
    /// Answer one tool call of the answer of `call`; with an `error` the tool is not called, and the error is its result.
    Tool {
        key: String,
        call: i64,
        call_id: String,
        error: Option<String>,
    },
    /// Turn the checked answer into the caller's type.
    Read { call: i64, answer: Answer },
    /// The end: the outcome's parts; `call` brought the answer that it is about.
    Finish { outcome: Json<'static>, call: Option<i64> },
}

/// A call of a model.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    pub key: String,
    pub model: String,
    /// `chat`, `final`, `reask` or `judge`.
    pub purpose: &'static str,
    /// Milliseconds to wait before.
    pub wait_ms: i64,
    pub messages: Vec<Part>,
    /// Whether the caller's tools are offered.
    pub tools: bool,
    /// Whether the schema goes with the request, natively.
    pub schema: bool,
}

impl Action {
    /// The key of the record that answers this action.
    pub fn key(&self) -> Option<&str> {
        match self {
            Action::Decide { key, .. } | Action::Route { key, .. } | Action::Tool { key, .. } => Some(key),
            Action::Call(call) => Some(&call.key),
            Action::Read { .. } | Action::Finish { .. } => None,
        }
    }

    /// The `ACTION` shape of docs/boundary.md.
    pub fn to_json(&self) -> Json<'static> {
        let text = |value: &str| Json::from(value.to_owned());
        match self {
            Action::Decide { key, model } => {
                Json::object([("do", "decide".into()), ("key", text(key)), ("model", text(model))])
            }
            Action::Call(call) => Json::object([
                ("do", "call".into()),
                ("key", text(&call.key)),
                ("model", text(&call.model)),
                ("purpose", call.purpose.into()),
                ("wait_ms", call.wait_ms.into()),
                (
                    "messages",
                    Json::Array(call.messages.iter().map(Part::to_json).collect()),
                ),
                ("tools", call.tools.into()),
                ("schema", call.schema.into()),
            ]),
            Action::Route { key, decided } => Json::object([
                ("do", "route".into()),
                ("key", text(key)),
                ("decided", (*decided).into()),
            ]),
            Action::Tool {
                key,
                call,
                call_id,
                error,
            } => Json::object([
                ("do", "tool".into()),
                ("key", text(key)),
                ("call", (*call).into()),
                ("call_id", text(call_id)),
                ("error", error.clone().into()),
            ]),
            Action::Read { call, answer } => Json::object([
                ("do", "read".into()),
                ("call", (*call).into()),
                ("answer", answer.clone().into_json()),
            ]),
            Action::Finish { outcome, call } => Json::object([
                ("do", "finish".into()),
                ("outcome", outcome.clone()),
                ("call", (*call).into()),
            ]),
        }
    }
}
