//! What a run remembers from one step to the next. It travels as JSON between the steps, opaque to the caller.

use super::failure::Failure;
use super::history::Part;
use crate::error::{Error, ErrorKind, Result};
use crate::json::{self, Json};
use crate::message::fields::Path;
use crate::message::{TokenUsage, ToolCall};

/// Where a run stands: which action it waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    Judge,
    Route,
    Decide,
    Chat,
    Final,
    Reask,
    Tool,
    Read,
    Done,
}

impl Phase {
    const ALL: [Phase; 9] = [
        Phase::Judge,
        Phase::Route,
        Phase::Decide,
        Phase::Chat,
        Phase::Final,
        Phase::Reask,
        Phase::Tool,
        Phase::Read,
        Phase::Done,
    ];

    pub const fn name(self) -> &'static str {
        match self {
            Phase::Judge => "judge",
            Phase::Route => "route",
            Phase::Decide => "decide",
            Phase::Chat => "chat",
            Phase::Final => "final",
            Phase::Reask => "reask",
            Phase::Tool => "tool",
            Phase::Read => "read",
            Phase::Done => "done",
        }
    }
}

/// One tool call of the last answer.
#[derive(Debug, Clone, PartialEq)]
pub struct PendingTool {
    pub call_id: String,
    pub name: String,
    /// Why the tool is not called.
    pub error: Option<String>,
}

/// Counters, ids, phase; no message of the history.
#[derive(Debug, Clone, PartialEq)]
pub struct State {
    pub phase: Phase,
    /// Records so far.
    pub position: i64,
    /// The shape of the history, with the tool rounds that are finished.
    pub history: String,
    /// Who is called: an index into the router's candidates, 0 without a router.
    pub candidate: usize,
    /// Candidates that have failed, in order.
    pub tried: Vec<usize>,
    /// What the router decided, and the candidate that it led to.
    pub route: Option<Json<'static>>,
    pub first: Option<usize>,
    /// The judge saw only a part of the conversation.
    pub judge_truncated: bool,
    /// The candidate's decision record.
    pub decision: Option<Json<'static>>,
    pub native: bool,
    /// The schema goes with the one call.
    pub direct: bool,
    /// Rounds of tool calls that are finished.
    pub round: i64,
    /// Retries of this attempt's first call so far.
    pub attempt: i64,
    pub reasks: i64,
    /// Wait before the next call.
    pub wait_ms: i64,
    /// What follows the history in the next call.
    pub tail: Vec<Part>,
    /// Answers of models so far.
    pub calls: i64,
    /// The call whose answer is looked at.
    pub answer: Option<i64>,
    pub tools: Vec<PendingTool>,
    pub next_tool: usize,
    pub retry_count: i64,
    pub total_wait_ms: i64,
    /// Of all calls, tools and waits.
    pub elapsed_ms: i64,
    pub usage: Option<Json<'static>>,
    /// Every call of a model, as the outcome lists it.
    pub attempts: Vec<Json<'static>>,
    /// What ended the run.
    pub failure: Option<Failure>,
}

impl State {
    pub fn new(history: &str) -> State {
        State {
            phase: Phase::Decide,
            position: 0,
            history: history.to_owned(),
            candidate: 0,
            tried: Vec::new(),
            route: None,
            first: None,
            judge_truncated: false,
            decision: None,
            native: false,
            direct: false,
            round: 0,
            attempt: 0,
            reasks: 0,
            wait_ms: 0,
            tail: Vec::new(),
            calls: 0,
            answer: None,
            tools: Vec::new(),
            next_tool: 0,
            retry_count: 0,
            total_wait_ms: 0,
            elapsed_ms: 0,
            usage: None,
            attempts: Vec::new(),
            failure: None,
        }
    }

    /// Tokens of all calls so far.
    pub fn tokens(&self) -> i64 {
        let count = |name: &str| {
            let usage = self.usage.as_ref().and_then(|usage| usage.get(name));
            usage.and_then(Json::as_i64).unwrap_or(0)
        };
        count("prompt_tokens").saturating_add(count("completion_tokens"))
    }

    /// Adds the usage of one call.
    pub fn add_usage(&mut self, usage: &TokenUsage<'_>) {
        let before = self.usage.take();
        let before = before
            .as_ref()
            .and_then(|json| TokenUsage::from_json(json, &Path::Root).ok())
            .unwrap_or_default();
        self.usage = Some(before.plus(usage).to_json().into_owned());
    }

    /// Remembers the tool calls of an answer.
    pub fn set_tools<'c>(&mut self, calls: impl Iterator<Item = &'c ToolCall<'c>>) {
        self.tools = calls
            .map(|call| PendingTool {
                call_id: call.call_id.clone().into_owned(),
                name: call.name.clone().into_owned(),
                error: invalid_arguments(call),
            })
            .collect();
        self.next_tool = 0;
    }

    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(512);
        self.to_json().write_to(&mut out);
        out
    }

    fn to_json(&self) -> Json<'_> {
        let tools = self.tools.iter().map(|tool| {
            Json::object([
                ("call_id", tool.call_id.as_str().into()),
                ("name", tool.name.as_str().into()),
                ("error", tool.error.as_deref().into()),
            ])
        });
        Json::object([
            ("phase", self.phase.name().into()),
            ("position", self.position.into()),
            ("history", self.history.as_str().into()),
            ("candidate", (self.candidate as u64).into()),
            (
                "tried",
                Json::Array(self.tried.iter().map(|index| (*index as u64).into()).collect()),
            ),
            ("route", self.route.clone().into_json()),
            ("judge_truncated", self.judge_truncated.into()),
            ("decision", self.decision.clone().into_json()),
            ("native", self.native.into()),
            ("direct", self.direct.into()),
            ("first", self.first.map(|first| first as u64).into()),
            ("round", self.round.into()),
            ("attempt", self.attempt.into()),
            ("reasks", self.reasks.into()),
            ("wait_ms", self.wait_ms.into()),
            ("tail", Json::Array(self.tail.iter().map(Part::to_json).collect())),
            ("calls", self.calls.into()),
            ("answer", self.answer.into()),
            ("tools", Json::Array(tools.collect())),
            ("next_tool", (self.next_tool as u64).into()),
            ("retry_count", self.retry_count.into()),
            ("total_wait_ms", self.total_wait_ms.into()),
            ("elapsed_ms", self.elapsed_ms.into()),
            ("usage", self.usage.clone().into_json()),
            ("attempts", Json::Array(self.attempts.clone())),
            ("failure", self.failure.as_ref().map(Failure::to_json).into()),
        ])
    }

    /// Reads what [`State::to_bytes`] wrote; anything else is an error of kind `frame`.
    pub fn from_bytes(bytes: &[u8]) -> Result<State> {
        let json = json::parse(bytes)?;
        State::read(&json)
            .ok_or_else(|| Error::new(ErrorKind::Frame, "the state of a run must come from the step before"))
    }

    fn read(json: &Json<'_>) -> Option<State> {
        let int = |name: &str| json.get(name).and_then(Json::as_i64);
        let index = |name: &str| usize::try_from(int(name)?).ok();
        let flag = |name: &str| json.get(name).and_then(Json::as_bool);
        let text = |name: &str| json.get(name).and_then(Json::as_text).map(str::to_owned);
        let list = |name: &str| json.get(name).and_then(Json::as_array);
        let owned = |name: &str| json.get(name).map(|value| value.clone().into_owned());
        let phase = text("phase")?;
        let indices = list("tried")?.iter();
        Some(State {
            phase: Phase::ALL.into_iter().find(|known| known.name() == phase)?,
            position: int("position")?,
            history: text("history")?,
            candidate: index("candidate")?,
            tried: indices
                .map(|item| usize::try_from(item.as_i64()?).ok())
                .collect::<Option<_>>()?,
            route: owned("route"),
            judge_truncated: flag("judge_truncated")?,
            decision: owned("decision"),
            native: flag("native")?,
            direct: flag("direct")?,
            first: index("first"),
            round: int("round")?,
            attempt: int("attempt")?,
            reasks: int("reasks")?,
            wait_ms: int("wait_ms")?,
            tail: list("tail")?.iter().map(Part::from_json).collect::<Option<_>>()?,
            calls: int("calls")?,
            answer: int("answer"),
            tools: list("tools")?.iter().map(read_tool).collect::<Option<_>>()?,
            next_tool: index("next_tool")?,
            retry_count: int("retry_count")?,
            total_wait_ms: int("total_wait_ms")?,
            elapsed_ms: int("elapsed_ms")?,
            usage: owned("usage"),
            attempts: list("attempts")?
                .iter()
                .map(|attempt| attempt.clone().into_owned())
                .collect(),
            failure: match json.get("failure") {
                None => None,
                Some(failure) => Some(Failure::from_json(failure, &Path::Root).ok()?),
            },
        })
    }
}

/// What a model is told about arguments that are no JSON object.
fn invalid_arguments(call: &ToolCall<'_>) -> Option<String> {
    let invalid = crate::message::fields::member(&call.metadata, "invalid_arguments")?;
    let position = invalid.get("position").and_then(Json::as_i64);
    let place = position.map_or(String::new(), |position| format!(" (position {position})"));
    Some(format!(
        "The tool was not called: the arguments are no JSON object{place}. Call it again with one complete JSON object."
    ))
}

fn read_tool(json: &Json<'_>) -> Option<PendingTool> {
    let text = |name: &str| json.get(name).and_then(Json::as_text).map(str::to_owned);
    Some(PendingTool {
        call_id: text("call_id")?,
        name: text("name")?,
        error: text("error"),
    })
}

/// An optional value as itself or null.
trait IntoJson {
    fn into_json(self) -> Json<'static>;
}

impl IntoJson for Option<Json<'static>> {
    fn into_json(self) -> Json<'static> {
        self.unwrap_or(Json::Null)
    }
}
