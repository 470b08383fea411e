//! The transitions of a run.

use super::action::{Action, Call};
use super::event::{Event, What};
use super::failure::Failure;
use super::history::{self, Part};
use super::router::{self, Choice, Conversation, RoutingDecision, RoutingRecord, RoutingStrategy};
use super::spec::{MAX_WAIT_MS, Spec};
use super::state::{Phase, State};
use super::{gate, reask, record, retry};
use crate::error::{Error, ErrorKind, Result};
use crate::json::Json;
use crate::message::fields::{Members, Path, borrow};
use crate::message::{ChatMessage, ChatResult};
use crate::outcome::{refusal, rejected_finish_reason, typed_answer, unusable_answer};
use crate::provider::failure::clip;
use crate::schema::{Answer, OutputSchema};
use crate::structured::is_decision;

/// The user's turn of the finalization call (#1215 B4.5, in this project's words).
pub const FINALIZATION: &str =
    "Convert your previous answer into the required output format. Keep its content, and add nothing to it.";

/// Longest error text of a call's line in the outcome, in characters.
const MAX_LINE_ERROR: usize = 512;
/// Longest part of a tool's name in the key of its record, in characters.
const MAX_TOOL_KEY: usize = 128;

/// The step that follows: what to do, and what to keep.
#[derive(Debug)]
pub struct Step {
    pub state: State,
    pub action: Action,
    /// Key and bytes of the record of what just happened; to be durable before the action is done.
    pub record: Option<(String, Vec<u8>)>,
    /// The record that was given belongs to another call: discard it and all later ones, then do the action.
    pub mismatch: bool,
    /// Attributes of a `ModelRoutingEvent` (#1149) that has to be told.
    pub routing_event: Option<Json<'static>>,
    /// What a record brought: members `result` or `message` of its event.
    pub replayed: Option<Json<'static>>,
}

/// The first step of a run. `messages` are the caller's, and needed only where a router is declared.
pub fn start(spec: &Spec<'_>, messages: &[ChatMessage<'_>]) -> Result<Step> {
    history::check(&spec.history)?;
    let mut run = Run::new(spec, State::new(&spec.history));
    let action = match &spec.router {
        None => run.begin_candidate(0),
        Some(router) => match &router.strategy {
            RoutingStrategy::Judge(judge) => {
                let request = router::judge_request(router, judge, &Conversation::of(messages));
                run.state.judge_truncated = request.truncated;
                run.state.phase = Phase::Judge;
                run.state.tail = request
                    .messages
                    .iter()
                    .map(|message| Part::Message(message.to_json().into_owned()))
                    .collect();
                run.next()
            }
            RoutingStrategy::Rules(rules) => {
                let decision = RoutingDecision {
                    decision_ms: Some(0),
                    ..router::by_rules(rules, router::last_user_text(messages).as_deref())
                };
                run.state.route = Some(decision.to_json().into_owned());
                run.state.phase = Phase::Route;
                run.next()
            }
            RoutingStrategy::Custom => {
                run.state.phase = Phase::Route;
                run.next()
            }
        },
    };
    Ok(Step {
        state: run.state,
        action,
        record: None,
        mismatch: false,
        routing_event: None,
        replayed: None,
    })
}

/// The step after `event`, the `EVENT` shape of docs/boundary.md: `{record: {key, bytes}}` replays a record of the journal,
/// anything else is what has just happened.
pub fn accept(spec: &Spec<'_>, state: State, event: &Json<'_>) -> Result<Step> {
    let run = Run::new(spec, state);
    let Some(stored) = event.get("record") else {
        return run.live(event);
    };
    let key = stored.get("key").and_then(Json::as_text).unwrap_or_default();
    let bytes = stored.get("bytes").and_then(Json::as_bytes).unwrap_or_default();
    let json = record::read(bytes)?;
    if json.get("run_id").and_then(Json::as_text) != Some(spec.run_id.as_ref()) {
        return Err(record::unusable("it belongs to another run"));
    }
    if json.get("key").and_then(Json::as_text) != Some(key) {
        return Err(record::unusable("it stands under another key than it was written for"));
    }
    let input = json.get("input").and_then(Json::as_text).unwrap_or_default();
    if run.key().as_deref() != Some(key) || input != spec.input.as_ref() {
        return Ok(Step {
            action: run.next(),
            state: run.state,
            record: None,
            mismatch: true,
            routing_event: None,
            replayed: None,
        });
    }
    run.replay(&json)
}

struct Run<'s, 'a> {
    spec: &'s Spec<'a>,
    state: State,
    /// The call parameter of that name, as it was when the call was made.
    max_tokens: Option<i64>,
    /// What followed from the event according to its record. A recovered run takes the same way, whatever the settings say by
    /// then.
    recorded: Option<Then>,
    /// What follows from the event.
    then: Option<Then>,
}

/// What follows from an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Then {
    /// It counts, and the run goes on.
    Answer,
    /// Its tool calls are answered.
    Tools,
    /// The attempt is repeated.
    Retry,
    /// The answer is sent back.
    Reask,
    /// The next candidate is called.
    Fallback,
    /// The run has failed.
    End,
}

impl Then {
    const ALL: [Then; 6] = [
        Then::Answer,
        Then::Tools,
        Then::Retry,
        Then::Reask,
        Then::Fallback,
        Then::End,
    ];

    const fn name(self) -> &'static str {
        match self {
            Then::Answer => "answer",
            Then::Tools => "tools",
            Then::Retry => "retry",
            Then::Reask => "reask",
            Then::Fallback => "fallback",
            Then::End => "end",
        }
    }

    fn recorded(record: &Json<'_>) -> Result<Option<Then>> {
        let Some(name) = record.get("then") else {
            return Ok(None);
        };
        let found = Then::ALL.into_iter().find(|then| Some(then.name()) == name.as_text());
        found
            .map(Some)
            .ok_or_else(|| record::unusable("what followed from it is unknown"))
    }
}

impl<'s, 'a> Run<'s, 'a> {
    fn new(spec: &'s Spec<'a>, state: State) -> Self {
        Run {
            spec,
            state,
            max_tokens: spec.max_tokens,
            recorded: None,
            then: None,
        }
    }

    /// Takes a record in place of doing what the run waits for.
    fn replay(mut self, record: &Json<'_>) -> Result<Step> {
        let happened = record
            .get("event")
            .ok_or_else(|| record::unusable("it holds no event"))?;
        let event = Event::from_json(happened).map_err(|error| record::unusable(&error.message))?;
        let wait_ms = record.get("wait_ms").map_or(Some(0), Json::as_i64);
        self.state.wait_ms = wait_ms
            .filter(|wait_ms| (0..=MAX_WAIT_MS).contains(wait_ms))
            .ok_or_else(|| record::unusable("its wait is out of range"))?;
        self.max_tokens = record.get("max_tokens").and_then(Json::as_i64);
        self.recorded = Then::recorded(record)?;
        let action = self.accept(event).map_err(|error| record::unusable(&error.message))?;
        if self.recorded.is_some() && self.then != self.recorded {
            return Err(record::unusable(
                "what followed from it does not follow any more: its content was changed, by redactRecords for example, which \
                 has to keep tool calls, and answers that fit their schema",
            ));
        }
        self.state.position += 1;
        let brought = ["result", "message"].map(|name| (name, happened.get(name).map_or(Json::Null, borrow)));
        Ok(Step {
            state: self.state,
            action,
            record: None,
            mismatch: false,
            routing_event: None,
            replayed: Some(Json::object(brought).into_owned()),
        })
    }

    /// The key under which the next record has to stand.
    fn key(&self) -> Option<String> {
        match self.state.phase {
            // Only where the caller's own type has refused the answer.
            Phase::Read => Some("read".to_owned()),
            _ => self.next().key().map(str::to_owned),
        }
    }

    /// Takes what has just happened, and makes its record.
    fn live(mut self, json: &Json<'_>) -> Result<Step> {
        let recorded = json.get("recorded").map(borrow);
        let Json::Object(members) = borrow(json) else {
            return Err(Error::new(ErrorKind::Frame, "an event of a run must be an object"));
        };
        let happened = Json::Object(members.into_iter().filter(|(name, _)| name != "recorded").collect());
        let event = Event::from_json(&happened)?;
        let resolved = self.resolve(&event);
        let phase = self.state.phase;
        let is_recorded = phase != Phase::Read || matches!(event.what, What::Failed(_));
        let key = self.key().filter(|_| is_recorded);
        let wait_ms = self.state.wait_ms;
        let action = self.accept(event)?;
        let record = key.map(|key| {
            let event = Json::object(happened.as_object().unwrap_or_default().iter().map(|(name, value)| {
                let value = match (name.as_ref(), &recorded) {
                    ("result", Some(recorded)) => borrow(recorded),
                    _ => borrow(value),
                };
                (name.as_ref(), value)
            }));
            let record = Json::object([
                ("run_id", self.spec.run_id.as_ref().into()),
                ("key", key.as_str().into()),
                (
                    "input",
                    Some(self.spec.input.as_ref()).filter(|input| !input.is_empty()).into(),
                ),
                ("wait_ms", (wait_ms > 0).then_some(wait_ms).into()),
                ("max_tokens", self.max_tokens.into()),
                ("then", self.then.map(Then::name).into()),
                ("event", resolved.as_ref().map_or(event, borrow)),
            ]);
            let bytes = record::write(&record);
            (key, bytes)
        });
        self.state.position += i64::from(record.is_some());
        Ok(Step {
            routing_event: self.routing_event(phase),
            state: self.state,
            action,
            record,
            mismatch: false,
            replayed: None,
        })
    }

    /// The event as it is recorded, where that is not the event itself: a decision is recorded as it was taken, so that a
    /// recovered run takes the same way whatever the configuration says by then.
    fn resolve(&self, event: &Event<'_>) -> Option<Json<'static>> {
        let elapsed = ("elapsed_ms", event.elapsed_ms.into());
        let decision = match (&event.what, self.state.phase) {
            (What::Unbound { bridge, setup }, Phase::Decide) => gate::unbound(self.spec.strategy, *bridge, setup),
            (What::Decided(decision), Phase::Decide) => borrow(decision).into_owned(),
            (What::Done, Phase::Route) => return Some(self.resolved_route(self.state.route.clone()?, elapsed)),
            (What::Routed(decision), Phase::Route) => {
                return Some(self.resolved_route(decision.to_json().into_owned(), elapsed));
            }
            _ => return None,
        };
        Some(Json::object([
            ("decision", decision),
            ("direct", self.spec.direct.into()),
            elapsed,
        ]))
    }

    /// A router's decision with the candidate that it led to.
    fn resolved_route(&self, route: Json<'static>, elapsed: (&'static str, Json<'static>)) -> Json<'static> {
        let candidate = self
            .choose(&route)
            .ok()
            .map(|candidate| self.spec.model_name(candidate).to_owned());
        Json::object([("route", route), ("candidate", candidate.into()), elapsed])
    }

    fn choose(&self, route: &Json<'_>) -> Result<usize> {
        let router = self
            .spec
            .router
            .as_ref()
            .ok_or_else(|| record::unusable("there is no router"))?;
        let decision = RoutingDecision::from_json(route, &Path::Root)?;
        router::choose(router, &decision).map(|choice| choice.candidate)
    }

    /// What the run waits for.
    fn next(&self) -> Action {
        let state = &self.state;
        let candidate = state.candidate;
        match state.phase {
            Phase::Judge => self.call("judge", self.judge_model(), state.tail.clone()),
            Phase::Route => Action::Route {
                key: format!("route:{}", self.router_name()),
                decided: state.route.is_some(),
            },
            Phase::Decide => Action::Decide {
                key: self.spec.decide_key(candidate),
                model: self.spec.model_name(candidate).to_owned(),
            },
            Phase::Chat => {
                let messages = history::whole(&state.history, self.instruction().as_deref());
                self.call("chat", self.spec.model_name(candidate), messages)
            }
            Phase::Final | Phase::Reask => {
                let mut messages = history::without_tools(&state.history, self.instruction().as_deref());
                messages.extend(state.tail.iter().cloned());
                self.call(state.phase.name(), self.spec.model_name(candidate), messages)
            }
            Phase::Tool => match state.tools.get(state.next_tool) {
                Some(tool) => Action::Tool {
                    key: tool_key(&tool.name),
                    call: state.answer.unwrap_or_default(),
                    call_id: tool.call_id.clone(),
                    error: tool.error.clone(),
                },
                None => self.finish(),
            },
            Phase::Read | Phase::Done => self.finish(),
        }
    }

    fn call(&self, purpose: &'static str, model: &str, messages: Vec<Part>) -> Action {
        let chat = self.spec.chat_key(self.state.candidate);
        let native = self.state.native;
        let key = match purpose {
            "judge" => format!("judge:{}", self.router_name()),
            "chat" => chat,
            "reask" if !native => chat,
            _ => format!("{chat}:final"),
        };
        Action::Call(Call {
            key,
            model: model.to_owned(),
            purpose,
            wait_ms: self.state.wait_ms,
            messages,
            tools: purpose == "chat",
            schema: native && (self.state.direct || purpose == "final" || purpose == "reask"),
        })
    }

    fn router_name(&self) -> &str {
        self.spec.router.as_ref().map_or("", |router| router.name.as_str())
    }

    fn judge_model(&self) -> &str {
        match self.spec.router.as_ref().map(|router| &router.strategy) {
            Some(RoutingStrategy::Judge(judge)) => &judge.model,
            _ => "",
        }
    }

    /// The schema in the prompt: on the prompt path only.
    fn instruction(&self) -> Option<String> {
        let schema = self.spec.schema.as_ref().filter(|_| !self.state.native);
        schema.map(OutputSchema::instruction)
    }

    fn accept(&mut self, event: Event<'_>) -> Result<Action> {
        let phase = self.state.phase;
        self.state.elapsed_ms = self.state.elapsed_ms.saturating_add(event.elapsed_ms);
        if let (Phase::Judge | Phase::Chat | Phase::Final | Phase::Reask, What::Answered(_) | What::Failed(_)) =
            (phase, &event.what)
        {
            self.count_call(&event);
        }
        let candidate = event.candidate;
        if phase == Phase::Decide {
            self.state.direct = event.direct.unwrap_or(self.spec.direct);
        }
        Ok(match (phase, event.what) {
            (Phase::Judge, What::Answered(result)) => self.judged(&result),
            (Phase::Chat, What::Answered(result)) => self.chatted(&result),
            (Phase::Final | Phase::Reask, What::Answered(result)) => self.finalized(&result),
            (Phase::Judge | Phase::Chat | Phase::Final | Phase::Reask, What::Failed(failure)) => {
                self.state.answer = None;
                self.attempt_failed(failure)
            }
            (Phase::Route, What::Routed(decision)) => self.routed(&decision, candidate.as_deref()),
            (Phase::Route, What::Done) => self.routed_before(),
            (Phase::Route, What::Failed(failure)) => self.routing_failed(failure),
            (Phase::Decide, What::Decided(decision)) => self.decided(&decision)?,
            (Phase::Decide, What::Unbound { bridge, setup }) => {
                self.decided(&gate::unbound(self.spec.strategy, bridge, &setup))?
            }
            (Phase::Decide, What::Failed(failure)) => self.candidate_failed(failure),
            (Phase::Tool, What::ToolAnswered(message)) => self.tool_answered(&message)?,
            (Phase::Tool, What::Failed(failure)) => self.fail(failure),
            (Phase::Read, What::Done) => self.done(),
            (Phase::Read, What::Failed(failure)) => self.answer_failed(failure, ""),
            (phase, _) => {
                let text = format!("a run in phase {} cannot take this event", phase.name());
                return Err(Error::new(ErrorKind::Frame, text));
            }
        })
    }

    /// Counts a call that was made: waits, retries, usage, and its line in the outcome.
    fn count_call(&mut self, event: &Event<'_>) {
        let key = self.next().key().unwrap_or_default().to_owned();
        let state = &mut self.state;
        let wait_ms = if event.started { state.wait_ms } else { 0 };
        let is_retry = state.attempt > 0 && matches!(state.phase, Phase::Chat | Phase::Judge);
        state.retry_count += i64::from(is_retry && event.started);
        state.total_wait_ms = state.total_wait_ms.saturating_add(wait_ms);
        state.elapsed_ms = state.elapsed_ms.saturating_add(wait_ms);
        state.wait_ms = 0;
        let mut line = vec![
            ("key", Json::from(key)),
            ("wait_ms", wait_ms.into()),
            ("elapsed_ms", event.elapsed_ms.into()),
        ];
        if state.phase == Phase::Reask {
            line.push(("reask", true.into()));
        }
        match &event.what {
            What::Answered(result) => {
                state.answer = Some(state.calls);
                state.calls += 1;
                line.push(("model", result.model.as_deref().map(str::to_owned).into()));
                line.push((
                    "finish_reason",
                    result.finish_reason.as_deref().map(str::to_owned).into(),
                ));
                if let Some(usage) = &result.usage {
                    line.push(("usage", usage.to_json().into_owned()));
                    state.add_usage(usage);
                }
            }
            What::Failed(failure) => line.extend(about(failure)),
            _ => (),
        }
        state.attempts.push(Json::object(line));
    }

    /// Writes into the last call's line why its answer does not count.
    fn blame_last_call(&mut self, failure: &Failure) {
        if let Some(Json::Object(line)) = self.state.attempts.last_mut()
            && !line.iter().any(|(name, _)| name == "kind")
        {
            line.extend(about(failure).map(|(name, value)| (name.into(), value)));
        }
    }

    fn begin_candidate(&mut self, candidate: usize) -> Action {
        self.state.candidate = candidate;
        self.state.attempt = 0;
        self.state.answer = None;
        self.state.decision = None;
        self.state.native = false;
        match self.spec.schema {
            None => self.begin_attempt(),
            Some(_) => {
                self.state.phase = Phase::Decide;
                self.next()
            }
        }
    }

    fn decided(&mut self, decision: &Json<'_>) -> Result<Action> {
        if !is_decision(decision) {
            return Err(Error::new(ErrorKind::Frame, "a decision must have the shape of one"));
        }
        self.state.decision = Some(decision.clone().into_owned());
        let schema = self
            .spec
            .schema
            .as_ref()
            .map(OutputSchema::description)
            .unwrap_or_default();
        let model = self.spec.model_name(self.state.candidate).to_owned();
        Ok(match gate::pass(decision, &model, &schema) {
            Ok(native) => {
                self.state.native = native;
                self.then = Some(Then::Answer);
                self.begin_attempt()
            }
            Err(failure) => self.candidate_failed(failure),
        })
    }

    fn begin_attempt(&mut self) -> Action {
        self.state.phase = Phase::Chat;
        self.state.tail.clear();
        self.next()
    }

    /// The answer of the loop call.
    fn chatted(&mut self, result: &ChatResult<'_>) -> Action {
        let parameters = self.parameters();
        let typed = match &self.spec.schema {
            None => rejected_finish_reason(result, &parameters).map(Err),
            Some(schema) if self.state.direct => typed_answer(result, schema, self.wrapper(), &parameters),
            // The finalization call is only paid for after a complete, unrefused answer with text.
            Some(_) if self.state.native => unusable_answer(result, &parameters)
                .or_else(|| refusal(result))
                .map(Err),
            Some(schema) => typed_answer(result, schema, None, &parameters),
        };
        match typed {
            Some(Err(error)) => return self.answer_failed(Failure::of(error), &result.message.text()),
            Some(Ok(answer)) => return self.read(answer),
            None => (),
        }
        if result.message.tool_calls().next().is_some() {
            return self.begin_tools(result);
        }
        match self.spec.schema {
            None => self.done(),
            Some(_) => self.begin_finalization(),
        }
    }

    /// The call parameters that error texts speak of.
    fn parameters(&self) -> Members<'static> {
        let max_tokens = self.max_tokens.map(|limit| ("max_tokens".into(), limit.into()));
        max_tokens.into_iter().collect()
    }

    fn begin_finalization(&mut self) -> Action {
        self.then = Some(Then::Answer);
        let answer = self.state.answer.unwrap_or_default();
        self.state.tail = vec![Part::Answer(answer), user(FINALIZATION.to_owned())];
        self.state.phase = Phase::Final;
        self.next()
    }

    /// The answer of a finalization call or of a re-ask: neither offers tools.
    fn finalized(&mut self, result: &ChatResult<'_>) -> Action {
        let Some(schema) = &self.spec.schema else {
            return self.done();
        };
        match typed_answer(result, schema, self.wrapper(), &self.parameters()) {
            Some(Ok(answer)) => self.read(answer),
            Some(Err(error)) => self.answer_failed(Failure::of(error), &result.message.text()),
            None => {
                let text = "The model answered with a tool call where no tool was offered. Repeat the call; if this stays, use \
                            another model.";
                self.attempt_failed(Failure::of(Error::new(ErrorKind::InvalidToolCall, text)))
            }
        }
    }

    /// The property that carries a root that is no object.
    fn wrapper(&self) -> Option<&str> {
        let decision = self.state.decision.as_ref().filter(|_| self.state.native);
        decision?.get("wrapper").and_then(Json::as_text)
    }

    fn read(&mut self, answer: Answer) -> Action {
        self.then = Some(Then::Answer);
        self.state.phase = Phase::Read;
        Action::Read {
            call: self.state.answer.unwrap_or_default(),
            answer,
        }
    }

    /// An answer arrived, but it does not count. `text` is what it says.
    fn answer_failed(&mut self, failure: Failure, text: &str) -> Action {
        let allowed = match self.recorded {
            None => reask::is_allowed(self.spec.reask.as_ref(), &self.state, &failure),
            Some(then) => then == Then::Reask,
        };
        if !allowed {
            return self.attempt_failed(failure);
        }
        self.then = Some(Then::Reask);
        self.blame_last_call(&failure);
        let answer = self.state.answer.unwrap_or_default();
        let message = reask::message(&failure, text, self.wrapper());
        self.state.reasks += 1;
        self.state.tail.extend([Part::Answer(answer), message]);
        self.state.phase = Phase::Reask;
        self.next()
    }

    /// One more attempt where the budget allows it: the loop call and its finalization, not the tool rounds before.
    fn attempt_failed(&mut self, failure: Failure) -> Action {
        self.blame_last_call(&failure);
        let wait_ms = retry::wait_before(&self.spec.retry, self.state.attempt + 1, &failure);
        let repeated = self.recorded.map_or(wait_ms.is_some(), |then| then == Then::Retry);
        if !repeated {
            return match self.state.phase {
                Phase::Judge => self.routing_failed(failure),
                _ => self.candidate_failed(failure),
            };
        }
        self.then = Some(Then::Retry);
        self.state.attempt += 1;
        self.state.wait_ms = wait_ms.unwrap_or(0);
        match self.state.phase {
            Phase::Judge => self.next(),
            _ => self.begin_attempt(),
        }
    }

    /// The next candidate, where the router has one left and no tool round is finished (#1149); else the end.
    fn candidate_failed(&mut self, failure: Failure) -> Action {
        let Some(router) = &self.spec.router else {
            return self.fail(failure);
        };
        self.state.tried.push(self.state.candidate);
        let tried = &self.state.tried;
        let next = (0..router.candidates.len()).find(|candidate| !tried.contains(candidate));
        let now = router.fallback && self.state.round == 0 && !failure.is_run_deadline();
        let goes_on = self.recorded.map_or(now, |then| then == Then::Fallback);
        match next.filter(|_| goes_on) {
            Some(candidate) => {
                self.then = Some(Then::Fallback);
                self.begin_candidate(candidate)
            }
            None => self.fail(failure),
        }
    }

    fn begin_tools(&mut self, result: &ChatResult<'_>) -> Action {
        let exceeded = self.state.round >= self.spec.max_tool_rounds;
        if self.recorded.map_or(exceeded, |then| then == Then::End) {
            let text = format!(
                "The model asked for tools again after {} rounds of tool calls. Raise max_tool_rounds, or mend the tools or the \
                 prompt that keep it asking.",
                self.state.round
            );
            let failure = Failure::of(Error::new(ErrorKind::InvalidToolCall, text));
            self.blame_last_call(&failure);
            return self.fail(failure);
        }
        self.then = Some(Then::Tools);
        self.state.set_tools(result.message.tool_calls());
        self.state.phase = Phase::Tool;
        self.next()
    }

    fn tool_answered(&mut self, message: &ChatMessage<'_>) -> Result<Action> {
        let expected = self
            .state
            .tools
            .get(self.state.next_tool)
            .map(|tool| tool.call_id.as_str());
        if message.tool_result().map(|result| result.call_id.as_ref()) != expected {
            let text = "a tool's result must carry the id of the tool call that it answers";
            return Err(Error::new(ErrorKind::Frame, text));
        }
        self.state.next_tool += 1;
        if self.state.next_tool < self.state.tools.len() {
            return Ok(self.next());
        }
        self.state.history.push('c');
        self.state.history.extend(self.state.tools.iter().map(|_| 't'));
        self.state.tools.clear();
        self.state.round += 1;
        self.state.attempt = 0;
        Ok(self.begin_attempt())
    }

    fn judged(&mut self, result: &ChatResult<'_>) -> Action {
        if let Some(error) = rejected_finish_reason(result, &self.parameters()) {
            return self.attempt_failed(Failure::of(error));
        }
        if let Some(router) = &self.spec.router
            && let RoutingStrategy::Judge(judge) = &router.strategy
        {
            let text = result.message.text();
            let usage = result.usage.as_ref();
            let truncated = self.state.judge_truncated;
            let decision = router::verdict(router, judge, &text, usage, truncated, result.model.as_deref());
            let decision = RoutingDecision {
                decision_ms: Some(self.state.elapsed_ms),
                ..decision
            };
            self.state.route = Some(decision.to_json().into_owned());
        }
        self.then = Some(Then::Answer);
        self.state.tail.clear();
        self.state.answer = None;
        self.state.phase = Phase::Route;
        self.next()
    }

    /// Rules and judge: the run knows its choice already.
    fn routed_before(&mut self) -> Action {
        let decision = self.state.route.clone().unwrap_or(Json::Null);
        match RoutingDecision::from_json(&decision, &Path::Root) {
            Ok(decision) => self.routed(&decision, None),
            Err(error) => self.routing_failed(Failure::of(error)),
        }
    }

    /// `recorded` is the candidate that the decision led to when it was taken.
    fn routed(&mut self, decision: &RoutingDecision, recorded: Option<&str>) -> Action {
        let route = decision.to_json().into_owned();
        let candidate = match (&self.spec.router, recorded) {
            (Some(router), Some(name)) => router.position(name).ok_or_else(|| {
                let text = format!(
                    "The recorded choice '{name}' is no candidate of router '{}' any more.",
                    router.name
                );
                Error::new(ErrorKind::Routing, text)
            }),
            _ => self.choose(&route),
        };
        self.state.route = Some(route);
        match candidate {
            Ok(candidate) => {
                self.then = Some(Then::Answer);
                self.state.first = Some(candidate);
                self.begin_candidate(candidate)
            }
            Err(error) => self.routing_failed(Failure::of(error)),
        }
    }

    /// No model was chosen. The text stays that of the cause; `details.cause` keeps its kind.
    fn routing_failed(&mut self, mut failure: Failure) -> Action {
        if failure.kind != ErrorKind::Routing && !failure.is_run_deadline() {
            failure.details.push(("cause".into(), failure.kind.name().into()));
            failure.kind = ErrorKind::Routing;
        }
        self.fail(failure)
    }

    fn fail(&mut self, failure: Failure) -> Action {
        self.then = Some(Then::End);
        self.state.failure = Some(failure);
        self.state.phase = Phase::Done;
        self.next()
    }

    fn done(&mut self) -> Action {
        self.then = Some(Then::Answer);
        self.state.phase = Phase::Done;
        self.next()
    }

    /// The parts of the outcome that the run knows.
    fn finish(&self) -> Action {
        let state = &self.state;
        let failure = state.failure.as_ref();
        let outcome = Json::object([
            ("request_id", Json::from(self.spec.run_id.as_ref().to_owned())),
            ("error", failure.map(|failure| failure.error.clone()).into()),
            ("kind", failure.map(|failure| failure.kind.name()).into()),
            (
                "details",
                failure.map(|failure| Json::Object(failure.details.clone())).into(),
            ),
            ("retry_count", state.retry_count.into()),
            ("total_retry_wait_sec", whole_seconds(state.total_wait_ms).into()),
            ("elapsed_ms", state.elapsed_ms.into()),
            ("decision", state.decision.clone().unwrap_or(Json::Null)),
            ("attempts", Json::Array(state.attempts.clone())),
            ("usage", state.usage.clone().unwrap_or(Json::Null)),
            (
                "model_routing",
                self.routing().map(|record| record.to_json().into_owned()).into(),
            ),
        ]);
        Action::Finish {
            outcome,
            call: state.answer,
        }
    }

    /// What outcome and events say about the routing, once a candidate was chosen.
    fn routing(&self) -> Option<RoutingRecord> {
        let router = self.spec.router.as_ref()?;
        let decision = RoutingDecision::from_json(self.state.route.as_ref()?, &Path::Root).ok()?;
        let choice = Choice {
            candidate: self.state.first?,
            ..router::choose(router, &decision).ok()?
        };
        let mut record = RoutingRecord::new(router, decision, choice);
        let turned_to = self.state.tried.iter().chain(std::iter::once(&self.state.candidate));
        let mut last = choice.candidate;
        for candidate in turned_to {
            if *candidate != last {
                record.fall_back_to(router.candidate_name(*candidate));
                last = *candidate;
            }
        }
        if self.state.phase == Phase::Done && self.state.failure.is_none() {
            record.answered();
        }
        Some(record)
    }

    /// The `ModelRoutingEvent` that follows from what has just happened: about the choice, and about a fallback that answered.
    fn routing_event(&self, before: Phase) -> Option<Json<'static>> {
        match (before, self.state.phase) {
            (Phase::Route, _) => Some(self.routing()?.event(&self.spec.run_id)),
            (_, Phase::Done) => self.routing()?.fallback_event(&self.spec.run_id),
            _ => None,
        }
    }
}

/// A user's turn of the run's own.
pub(super) fn user(text: String) -> Part {
    Part::Message(ChatMessage::user(text).to_json().into_owned())
}

/// Waits sum in milliseconds and are rounded up once.
fn whole_seconds(ms: i64) -> i64 {
    ms / 1_000 + i64::from(ms % 1_000 > 0)
}

/// A failure in a call's line; its text is cut, because the lines cross with every step.
fn about(failure: &Failure) -> [(&'static str, Json<'static>); 2] {
    [
        ("kind", failure.kind.name().into()),
        ("error", clip(&failure.error, MAX_LINE_ERROR).into_owned().into()),
    ]
}

/// The key of a tool's record. The name is the model's: only so much of it as any journal holds.
fn tool_key(name: &str) -> String {
    let plain: String = name.chars().map(|c| if c.is_control() { '_' } else { c }).collect();
    format!("tool:{}", clip(&plain, MAX_TOOL_KEY))
}
