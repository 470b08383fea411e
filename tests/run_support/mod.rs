//! Drives a run as the Java side does, with a scripted world in place of models and tools, and a journal in memory.

#![allow(dead_code)]

use flink_agents_native::entry;
use flink_agents_native::json::{Json, parse};

pub type Event = Json<'static>;

pub fn json(text: &str) -> Json<'static> {
    parse(text.as_bytes()).expect("JSON").into_owned()
}

pub const RUN_ID: &str = "0b1c2d3e-4f50-6172-8394-a5b6c7d8e9f0";

/// A `RUN` with these members added.
pub fn run(members: &str) -> Json<'static> {
    let more = if members.is_empty() {
        String::new()
    } else {
        format!(",{members}")
    };
    json(&format!(
        r#"{{"run_id":"{RUN_ID}","input":"digest","history":"su","model":"gpt"{more}}}"#
    ))
}

pub const SCHEMA: &str = r#""schema":{"form":"json","name":"Bag","text":"{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"integer\"}},\"required\":[\"n\"],\"additionalProperties\":false}"}"#;

pub fn decision(strategy: &str, support: &str, native: bool) -> Event {
    json(&format!(
        r#"{{"decision":{{"support":"{support}","strategy":"{strategy}","native":{native},"reasons":[],"table":"2026-11","name":"Bag"}},"elapsed_ms":0}}"#
    ))
}

pub fn answer(text: &str) -> Event {
    answer_with(text, "stop", "")
}

pub fn answer_with(text: &str, finish_reason: &str, metadata: &str) -> Event {
    let block = match text {
        "" => String::new(),
        text => {
            let mut quoted = Vec::new();
            flink_agents_native::json::write_text(text, &mut quoted);
            format!(
                r#"{{"type":"text","text":{}}}"#,
                String::from_utf8(quoted).expect("UTF-8")
            )
        }
    };
    json(&format!(
        r#"{{"result":{{"message":{{"role":"assistant","blocks":[{block}],"metadata":{{{metadata}}}}},"model":"gpt-4o",
            "usage":{{"prompt_tokens":10,"completion_tokens":5}},"finish_reason":"{finish_reason}"}},"elapsed_ms":7}}"#
    ))
}

pub fn tool_calls(ids: &[&str]) -> Event {
    let calls: Vec<String> = ids
        .iter()
        .map(|id| format!(r#"{{"type":"tool_call","call_id":"{id}","name":"find","input":{{}}}}"#))
        .collect();
    json(&format!(
        r#"{{"result":{{"message":{{"role":"assistant","blocks":[{}]}},"finish_reason":"tool_calls"}},"elapsed_ms":7}}"#,
        calls.join(",")
    ))
}

pub fn tool_result(call_id: &str) -> Event {
    json(&format!(
        r#"{{"message":{{"role":"tool","blocks":[{{"type":"tool_result","call_id":"{call_id}","blocks":[{{"type":"text","text":"found"}}]}}]}},"elapsed_ms":3}}"#
    ))
}

pub fn failure(kind: &str, details: &str) -> Event {
    json(&format!(
        r#"{{"failure":{{"kind":"{kind}","error":"io.github.flinkagentsnative.ChatModelException: {kind}","details":{{{details}}}}},"elapsed_ms":7}}"#
    ))
}

pub fn text<'j>(value: &'j Json<'_>, key: &str) -> &'j str {
    value.get(key).and_then(Json::as_text).unwrap_or_default()
}

pub fn number(value: &Json<'_>, key: &str) -> i64 {
    value.get(key).and_then(Json::as_i64).unwrap_or_default()
}

/// What a run did.
#[derive(Debug, Default)]
pub struct Done {
    /// Every action but `read` and `finish` that was really done, in order.
    pub actions: Vec<Json<'static>>,
    pub outcome: Option<Json<'static>>,
    /// The typed answer, where there was one.
    pub value: Option<String>,
    /// Actions that a record answered.
    pub replayed: usize,
    pub mismatches: usize,
}

impl Done {
    pub fn keys(&self) -> Vec<&str> {
        self.actions.iter().map(|action| text(action, "key")).collect()
    }

    pub fn outcome(&self) -> &Json<'static> {
        self.outcome.as_ref().expect("an outcome")
    }

    pub fn kind(&self) -> &str {
        text(self.outcome(), "kind")
    }

    pub fn error(&self) -> &str {
        text(self.outcome(), "error")
    }

    pub fn waits(&self) -> Vec<i64> {
        let calls = self.actions.iter().filter(|action| text(action, "do") == "call");
        calls.map(|action| number(action, "wait_ms")).collect()
    }
}

pub type Journal = Vec<(String, Vec<u8>)>;

pub fn step(members: Vec<(&'static str, Json<'static>)>) -> Json<'static> {
    entry::run_step(&Json::object(members)).expect("a step")
}

/// Runs to the end, or until `crash_after` records were written. `world` answers actions.
pub fn drive(
    run: &Json<'static>,
    journal: &mut Journal,
    crash_after: usize,
    world: &mut dyn FnMut(&Json<'static>) -> Event,
) -> Done {
    let mut done = Done::default();
    let mut position = 0;
    let mut now = step(vec![
        ("run", run.clone()),
        ("messages", json(r#"[{"role":"user","blocks":[]}]"#)),
    ]);
    for _ in 0..10_000 {
        let state = now.get("state").expect("a state").clone();
        let action = now.get("action").expect("an action").clone();
        let event = match text(&action, "do") {
            "finish" => {
                done.outcome = action.get("outcome").cloned();
                return done;
            }
            "read" if journal.get(position).is_none_or(|(key, _)| key != "read") => {
                let answer = action.get("answer").and_then(|answer| answer.get("json"));
                let bytes = answer.and_then(Json::as_bytes).expect("JSON bytes");
                let event = world(&action);
                if event.get("failure").is_none() {
                    done.value = Some(String::from_utf8(bytes.to_vec()).expect("UTF-8"));
                }
                event
            }
            _ => match journal.get(position).cloned() {
                Some((key, bytes)) => {
                    let record = Json::object([("key", key.into()), ("bytes", Json::Bytes(bytes.into()))]);
                    let event = Json::object([("record", record)]);
                    let next = step(vec![("run", run.clone()), ("state", state.clone()), ("event", event)]);
                    if next.get("mismatch").and_then(Json::as_bool) == Some(true) {
                        done.mismatches += 1;
                        journal.truncate(position);
                    } else {
                        done.replayed += 1;
                        position += 1;
                        now = next;
                    }
                    continue;
                }
                None => {
                    done.actions.push(action.clone());
                    world(&action)
                }
            },
        };
        now = step(vec![("run", run.clone()), ("state", state), ("event", event)]);
        if let Some(record) = now.get("record") {
            let bytes = record.get("bytes").and_then(Json::as_bytes).expect("bytes");
            journal.push((text(record, "key").to_owned(), bytes.to_vec()));
            position += 1;
            if journal.len() == crash_after {
                return done;
            }
        }
    }
    panic!("the run does not end");
}

/// Runs to the end with these events in order.
pub fn play(run: &Json<'static>, events: Vec<Event>) -> Done {
    let mut events = events.into_iter();
    let done = drive(
        run,
        &mut Vec::new(),
        usize::MAX,
        &mut |action| match text(action, "do") {
            "read" => json("{}"),
            _ => events
                .next()
                .unwrap_or_else(|| panic!("no event is left for {action:?}")),
        },
    );
    assert_eq!(events.next(), None, "an event is left over");
    done
}
