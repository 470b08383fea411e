//! The transitions of a run.

use super::action::{Action, Call};
use super::event::{Event, What};
use super::failure::Failure;
use super::history::{self, Part};
use super::router::{self, Conversation, RoutingDecision, RoutingRecord, RoutingStrategy};
use super::spec::Spec;
use super::state::{Phase, State};
use super::{gate, reask, record, retry};
use crate::error::{Error, ErrorKind, Result};
use crate::json::Json;
use crate::message::fields::{Path, borrow};
use crate::message::{ChatMessage, ChatResult};
use crate::outcome::{rejected_finish_reason, typed_answer, unusable_answer};
use crate::schema::{Answer, OutputSchema};

/// The user's turn of the finalization call (#1215 B4.5, in this project's words).
pub const FINALIZATION: &str =
    "Convert your previous answer into the required output format. Keep its content, and add nothing to it.";

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
    let mut run = Run {
        spec,
        state: State::new(&spec.history),
        then: None,
    };
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
    let mut run = Run {
        spec,
        state,
        then: None,
    };
    let Some(stored) = event.get("record") else {
        return run.live(event);
    };
    let expected = run.next();
    let key = stored.get("key").and_then(Json::as_text).unwrap_or_default();
    let bytes = stored.get("bytes").and_then(Json::as_bytes).unwrap_or_default();
    let json = record::read(bytes)?;
    if json.get("run_id").and_then(Json::as_text) != Some(spec.run_id.as_ref()) {
        return Err(record::unusable("it belongs to another run"));
    }
    if json.get("key").and_then(Json::as_text) != Some(key) {
        return Err(record::unusable("it stands under another key than it was written for"));
    }
    let other_input =
        run.state.position == 0 && json.get("input").and_then(Json::as_text).unwrap_or_default() != spec.input.as_ref();
    if expected.key() != Some(key) || other_input {
        return Ok(Step {
            state: run.state,
            action: expected,
            record: None,
            mismatch: true,
            routing_event: None,
            replayed: None,
        });
    }
    let wait_ms = json.get("wait_ms").and_then(Json::as_i64).unwrap_or(0);
    let happened = json.get("event").ok_or_else(|| record::unusable("it holds no event"))?;
    let event = Event::from_json(happened).map_err(|error| record::unusable(&error.message))?;
    run.state.wait_ms = wait_ms;
    run.then = Then::recorded(&json);
    let action = run.accept(event)?;
    run.state.position += 1;
    let brought = Json::object(["result", "message"].map(|name| (name, happened.get(name).map_or(Json::Null, borrow))));
    Ok(Step {
        state: run.state,
        action,
        record: None,
        mismatch: false,
        routing_event: None,
        replayed: Some(brought.into_owned()),
    })
}

struct Run<'s, 'a> {
    spec: &'s Spec<'a>,
    state: State,
    /// What followed from a failed attempt: from its record, or as it is decided now. A recovered run takes the same way,
    /// whatever the settings say by then.
    then: Option<Then>,
}

/// What follows from a failed attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Then {
    Retry,
    Reask,
    End,
}

impl Then {
    const ALL: [Then; 3] = [Then::Retry, Then::Reask, Then::End];

    const fn name(self) -> &'static str {
        match self {
            Then::Retry => "retry",
            Then::Reask => "reask",
            Then::End => "end",
        }
    }

    fn recorded(record: &Json<'_>) -> Option<Then> {
        let name = record.get("then").and_then(Json::as_text)?;
        Then::ALL.into_iter().find(|then| then.name() == name)
    }
}

impl Run<'_, '_> {
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
        let key = self.next().key().map(str::to_owned);
        let (position, wait_ms) = (self.state.position, self.state.wait_ms);
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
                ("input", (position == 0).then_some(self.spec.input.as_ref()).into()),
                ("wait_ms", (wait_ms > 0).then_some(wait_ms).into()),
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
        let decided = match (&event.what, self.state.phase) {
            (What::Unbound { bridge, setup }, Phase::Decide) => {
                ("decision", gate::unbound(self.spec.strategy, *bridge, setup))
            }
            (What::Done, Phase::Route) => ("route", self.state.route.clone()?),
            _ => return None,
        };
        Some(Json::object([decided, ("elapsed_ms", event.elapsed_ms.into())]))
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
                    key: format!("tool:{}", tool.name),
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
            schema: native && (self.spec.direct || purpose == "final" || purpose == "reask"),
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
        Ok(match (phase, event.what) {
            (Phase::Judge, What::Answered(result)) => self.judged(&result),
            (Phase::Chat, What::Answered(result)) => self.chatted(&result),
            (Phase::Final | Phase::Reask, What::Answered(result)) => self.finalized(&result),
            (Phase::Judge | Phase::Chat | Phase::Final | Phase::Reask, What::Failed(failure)) => {
                self.state.answer = None;
                self.attempt_failed(failure)
            }
            (Phase::Route, What::Routed(decision)) => self.routed(&decision),
            (Phase::Route, What::Done) => self.routed_before(),
            (Phase::Route, What::Failed(failure)) => self.routing_failed(failure),
            (Phase::Decide, What::Decided(decision)) => self.decided(&decision),
            (Phase::Decide, What::Unbound { bridge, setup }) => {
                self.decided(&gate::unbound(self.spec.strategy, bridge, &setup))
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

    fn decided(&mut self, decision: &Json<'_>) -> Action {
        self.state.decision = Some(decision.clone().into_owned());
        let schema = self
            .spec
            .schema
            .as_ref()
            .map(OutputSchema::description)
            .unwrap_or_default();
        let model = self.spec.model_name(self.state.candidate).to_owned();
        match gate::pass(decision, &model, &schema) {
            Ok(native) => {
                self.state.native = native;
                self.begin_attempt()
            }
            Err(failure) => self.candidate_failed(failure),
        }
    }

    fn begin_attempt(&mut self) -> Action {
        self.state.phase = Phase::Chat;
        self.state.tail.clear();
        self.next()
    }

    /// The answer of the loop call.
    fn chatted(&mut self, result: &ChatResult<'_>) -> Action {
        let parameters = self.spec.parameters();
        let typed = match &self.spec.schema {
            None => rejected_finish_reason(result, &parameters).map(Err),
            Some(schema) if self.spec.direct => typed_answer(result, schema, self.wrapper(), &parameters),
            // The finalization call is only paid for after a complete, unrefused answer with text.
            Some(_) if self.state.native => unusable_answer(result, &parameters).map(Err),
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

    fn begin_finalization(&mut self) -> Action {
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
        match typed_answer(result, schema, self.wrapper(), &self.spec.parameters()) {
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
        self.state.phase = Phase::Read;
        Action::Read {
            call: self.state.answer.unwrap_or_default(),
            answer,
        }
    }

    /// An answer arrived, but it does not count. `text` is what it says.
    fn answer_failed(&mut self, failure: Failure, text: &str) -> Action {
        let allowed = match self.then {
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
        let then = self.then.unwrap_or(match wait_ms {
            Some(_) => Then::Retry,
            None => Then::End,
        });
        self.then = Some(then);
        if then != Then::Retry {
            return match self.state.phase {
                Phase::Judge => self.routing_failed(failure),
                _ => self.candidate_failed(failure),
            };
        }
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
        let first = tried.first().copied().unwrap_or_default();
        let next = router.order(first).find(|candidate| !tried.contains(candidate));
        match next.filter(|_| self.state.round == 0 && !failure.is_run_deadline()) {
            Some(candidate) => self.begin_candidate(candidate),
            None => self.fail(failure),
        }
    }

    fn begin_tools(&mut self, result: &ChatResult<'_>) -> Action {
        if self.state.round >= self.spec.max_tool_rounds {
            let text = format!(
                "The model asked for tools again after {} rounds of tool calls. Raise max_tool_rounds, or mend the tools or the \
                 prompt that keep it asking.",
                self.state.round
            );
            let failure = Failure::of(Error::new(ErrorKind::InvalidToolCall, text));
            self.blame_last_call(&failure);
            return self.fail(failure);
        }
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
        if let Some(error) = rejected_finish_reason(result, &self.spec.parameters()) {
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
        self.state.tail.clear();
        self.state.answer = None;
        self.state.phase = Phase::Route;
        self.next()
    }

    /// Rules and judge: the run knows its choice already.
    fn routed_before(&mut self) -> Action {
        let decision = self.state.route.clone().unwrap_or(Json::Null);
        match RoutingDecision::from_json(&decision, &Path::Root) {
            Ok(decision) => self.routed(&decision),
            Err(error) => self.routing_failed(Failure::of(error)),
        }
    }

    fn routed(&mut self, decision: &RoutingDecision) -> Action {
        let Some(router) = &self.spec.router else {
            return self.done();
        };
        self.state.route = Some(decision.to_json().into_owned());
        match router::choose(router, decision) {
            Ok(choice) => self.begin_candidate(choice.candidate),
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
        self.state.failure = Some(failure);
        self.done()
    }

    fn done(&mut self) -> Action {
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
        let choice = router::choose(router, &decision).ok()?;
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

/// A failure in a call's line.
fn about(failure: &Failure) -> [(&'static str, Json<'static>); 2] {
    [
        ("kind", failure.kind.name().into()),
        ("error", failure.error.clone().into()),
    ]
}
