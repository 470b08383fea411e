//! Records: what a recovered run takes from them, and which it refuses. Properties of whole runs over random worlds.

mod run_support;

use flink_agents_native::entry;
use flink_agents_native::error::ErrorKind;
use flink_agents_native::json::Json;
use proptest::prelude::*;
use run_support::*;

fn native() -> Event {
    decision("AUTO", "NATIVE_RECOMMENDED", true)
}

fn prompt() -> Event {
    decision("AUTO", "FEASIBLE", false)
}

fn schema_run() -> Json<'static> {
    run(&format!(r#"{SCHEMA},"max_retries":2"#))
}

/// A journal of one whole run.
fn recorded() -> (Journal, Done) {
    let mut journal = Vec::new();
    let events = [native(), failure("transport", ""), answer("one"), answer(r#"{"n":1}"#)];
    let mut events = events.into_iter();
    let done = drive(&schema_run(), &mut journal, usize::MAX, &mut |action| {
        next(&mut events, action)
    });
    (journal, done)
}

fn nobody(action: &Json<'static>) -> Event {
    match text(action, "do") {
        "read" => json("{}"),
        _ => panic!("nothing may be called: {action:?}"),
    }
}

fn next(events: &mut impl Iterator<Item = Event>, action: &Json<'static>) -> Event {
    match text(action, "do") {
        "read" => json("{}"),
        _ => events.next().expect("an event"),
    }
}

#[test]
fn pr1149_c04_pr1215_c07_a_replay_calls_nobody_and_ends_the_same() {
    let (mut journal, first) = recorded();
    let keys: Vec<&str> = journal.iter().map(|(key, _)| key.as_str()).collect();
    assert_eq!(keys, ["decide", "chat", "chat", "chat:final"]);
    let again = drive(&schema_run(), &mut journal, usize::MAX, &mut nobody);
    assert_eq!(again.replayed, 4);
    assert_eq!(again.outcome().to_json(), first.outcome().to_json());
    assert_eq!(again.value, first.value);
}

#[test]
fn pr1149_c04_a_recorded_failure_replays_as_data() {
    let mut journal = Vec::new();
    let details = r#""status":401,"retryable":false"#;
    let first = drive(&run(""), &mut journal, usize::MAX, &mut |_| {
        failure("provider_error", details)
    });
    let again = drive(&run(""), &mut journal, usize::MAX, &mut nobody);
    assert_eq!(again.outcome().to_json(), first.outcome().to_json());
    assert_eq!(again.kind(), "provider_error");
}

#[test]
fn a_recovered_run_goes_on_behind_its_last_record() {
    for crash_after in 1..=4 {
        let (_, first) = recorded();
        let events = [native(), failure("transport", ""), answer("one"), answer(r#"{"n":1}"#)];
        let mut journal = Vec::new();
        let mut events = events.into_iter();
        let mut calls = 0;
        let mut world = |action: &Json<'static>| {
            calls += usize::from(text(action, "do") != "read");
            next(&mut events, action)
        };
        let crashed = drive(&schema_run(), &mut journal, crash_after, &mut world);
        assert!(crashed.outcome.is_none());
        let again = drive(&schema_run(), &mut journal, usize::MAX, &mut world);
        assert_eq!(
            again.outcome().to_json(),
            first.outcome().to_json(),
            "after {crash_after}"
        );
        assert_eq!(calls, 4, "no recorded call is made again");
    }
}

#[test]
fn a_recovered_run_takes_the_recorded_decision_whatever_is_configured_by_then() {
    let (mut journal, first) = recorded();
    let changed = run(&format!(r#"{SCHEMA},"max_retries":2,"strategy":"PROMPT""#));
    let again = drive(&changed, &mut journal, usize::MAX, &mut nobody);
    assert_eq!(again.outcome().to_json(), first.outcome().to_json());

    // Also the decision about a model without a connection.
    let unbound = json(r#"{"binding":"none","setup":"S"}"#);
    let mut journal = Vec::new();
    let auto = run(&format!(r#"{SCHEMA},"strategy":"AUTO""#));
    let mut events = [unbound, answer(r#"{"n":1}"#)].into_iter();
    drive(&auto, &mut journal, usize::MAX, &mut |action| next(&mut events, action));
    let native = run(&format!(r#"{SCHEMA},"strategy":"NATIVE""#));
    assert_eq!(drive(&native, &mut journal, usize::MAX, &mut nobody).error(), "");
}

#[test]
fn a_recovered_run_repeats_what_was_repeated_whatever_the_settings_say_by_then() {
    let (mut journal, first) = recorded();
    let changed = run(&format!(r#"{SCHEMA},"max_retries":0"#));
    let again = drive(&changed, &mut journal, usize::MAX, &mut nobody);
    assert_eq!(again.outcome().to_json(), first.outcome().to_json());

    // And ends where it ended.
    let mut journal = Vec::new();
    let first = drive(&run(""), &mut journal, usize::MAX, &mut |_| failure("transport", ""));
    let again = drive(&run(r#""max_retries":9"#), &mut journal, usize::MAX, &mut nobody);
    assert_eq!(again.outcome().to_json(), first.outcome().to_json());
}

#[test]
fn a_recorded_wait_counts_with_its_recorded_length() {
    let (mut journal, first) = recorded();
    let changed = run(&format!(r#"{SCHEMA},"max_retries":2,"retry_interval_ms":9000"#));
    let again = drive(&changed, &mut journal, usize::MAX, &mut nobody);
    assert_eq!(number(again.outcome(), "total_retry_wait_sec"), 1);
    assert_eq!(again.outcome().to_json(), first.outcome().to_json());
}

#[test]
fn a_record_of_another_call_is_discarded_with_all_later_ones() {
    let (mut journal, _) = recorded();
    journal[1].0 = "chat".to_owned();
    // Without a schema there is no decision: the first record does not match.
    let done = drive(&run(""), &mut journal, usize::MAX, &mut |_| answer("hi"));
    assert_eq!((done.mismatches, done.replayed, done.keys()), (1, 0, vec!["chat"]));
    assert_eq!(journal.len(), 1);
}

#[test]
fn a_record_of_another_question_under_the_same_run_is_discarded() {
    let (mut journal, _) = recorded();
    let mut other = schema_run().as_object().expect("members").to_vec();
    for (name, value) in &mut other {
        if name == "input" {
            *value = "another digest".into();
        }
    }
    let mut events = [native(), answer("two"), answer(r#"{"n":2}"#)].into_iter();
    let done = drive(&Json::Object(other), &mut journal, usize::MAX, &mut |action| {
        next(&mut events, action)
    });
    assert_eq!((done.mismatches, done.replayed), (1, 0));
    assert_eq!(done.value.as_deref(), Some(r#"{"n":2}"#));
}

#[test]
fn what_is_recorded_can_differ_from_what_happened() {
    let mut journal = Vec::new();
    let mut event = answer("my number is 4711").as_object().expect("members").to_vec();
    let redacted = answer("my number is ***");
    event.push(("recorded".into(), redacted.get("result").expect("a result").clone()));
    drive(&run(""), &mut journal, usize::MAX, &mut |_| Json::Object(event.clone()));
    let bytes = String::from_utf8(journal[0].1.clone()).expect("UTF-8");
    assert!(bytes.contains("***") && !bytes.contains("4711"), "{bytes}");
}

#[test]
fn records_that_cannot_be_used_are_named() {
    let (journal, _) = recorded();
    let good = journal[0].1.clone();
    let change = |from: &str, to: &str| {
        let text = String::from_utf8(good.clone()).expect("UTF-8");
        text.replacen(from, to, 1).into_bytes()
    };
    let table: Vec<(Vec<u8>, &str)> = vec![
        (Vec::new(), "not written by this library"),
        (vec![0xff, 0xfe, 0, 1], "not written by this library"),
        (b"FANJ".to_vec(), "it is cut"),
        (b"FANJ1 12".to_vec(), "it is cut"),
        (good[..good.len() - 1].to_vec(), "checksum does not match"),
        (
            change("FANJ1", "FANJ2"),
            "its version is 2, and this library reads version 1",
        ),
        (change("FANJ1", "FANJx"), "its version is unknown"),
        (change("decide", "decade"), "checksum does not match"),
    ];
    let spec = schema_run();
    let first = step(vec![("run", spec.clone())]);
    let accept = |spec: &Json<'static>, key: &str, bytes: Vec<u8>| {
        let record = Json::object([
            ("key", Json::from(key.to_owned())),
            ("bytes", Json::Bytes(bytes.into())),
        ]);
        let state = first.get("state").expect("a state").clone();
        let event = Json::object([("record", record)]);
        entry::run_step(&Json::object([
            ("run", spec.clone()),
            ("state", state),
            ("event", event),
        ]))
    };
    for (bytes, said) in table {
        let error = accept(&spec, "decide", bytes).expect_err(said);
        assert_eq!(error.kind, ErrorKind::Journal);
        assert!(error.message.contains(said), "{said}: {}", error.message);
    }
    let error = accept(&spec, "chat", good.clone()).expect_err("another key");
    assert!(error.message.contains("under another key"), "{}", error.message);
    let mut other = spec.as_object().expect("members").to_vec();
    other[0].1 = "0b1c2d3e-4f50-6172-8394-a5b6c7d8e9f1".into();
    let error = accept(&Json::Object(other), "decide", good).expect_err("another run");
    assert!(error.message.contains("it belongs to another run"), "{}", error.message);
}

#[test]
fn an_answer_that_the_callers_type_refused_is_recorded() {
    let spec = run(&format!(r#"{SCHEMA},"max_retries":1"#));
    let refused = failure("invalid_output", r#""pointer":"/n""#);
    let mut events = vec![
        native(),
        answer("one"),
        answer(r#"{"n":1}"#),
        refused,
        answer("two"),
        answer(r#"{"n":2}"#),
        json("{}"),
    ]
    .into_iter();
    let mut journal = Vec::new();
    let first = drive(&spec, &mut journal, usize::MAX, &mut |_| {
        events.next().expect("an event")
    });
    let keys: Vec<&str> = journal.iter().map(|(key, _)| key.as_str()).collect();
    assert_eq!(keys, ["decide", "chat", "chat:final", "read", "chat", "chat:final"]);
    // With fewer retries, and a type that takes every answer by now: the way stays the same.
    let changed = run(SCHEMA);
    let again = drive(&changed, &mut journal, usize::MAX, &mut nobody);
    assert_eq!(again.outcome().to_json(), first.outcome().to_json());
    assert_eq!(again.value, first.value);
}

#[test]
fn a_recovered_run_goes_the_same_way_under_every_other_setting() {
    let custom = r#""router":{"name":"r","candidates":["a","b"],"fallback":true,"strategy":{"type":"CUSTOM"}}"#;
    let changed = r#""router":{"name":"r","candidates":["a","b"],"default_model":"b","strategy":{"type":"CUSTOM"}}"#;
    let abstain = || json(r#"{"route":{"abstain":true}}"#);
    let cut = || answer_with(r#"{"n":1}"#, "length", "");
    // settings, what happened, settings by then
    let table: Vec<(String, Vec<Event>, String)> = vec![
        (
            SCHEMA.into(),
            vec![native(), answer("one"), answer(r#"{"n":1}"#)],
            format!(r#"{SCHEMA},"finalization":"with_tools""#),
        ),
        (
            format!(r#"{SCHEMA},"finalization":"with_tools""#),
            vec![native(), answer(r#"{"n":1}"#)],
            SCHEMA.into(),
        ),
        (
            String::new(),
            vec![
                tool_calls(&["a"]),
                tool_result("a"),
                tool_calls(&["b"]),
                tool_result("b"),
                answer("hi"),
            ],
            r#""max_tool_rounds":1"#.into(),
        ),
        (r#""max_tool_rounds":0"#.into(), vec![tool_calls(&["a"])], String::new()),
        (
            custom.into(),
            vec![abstain(), failure("transport", ""), answer("hi")],
            changed.into(),
        ),
        (
            SCHEMA.into(),
            vec![native(), cut()],
            format!(r#"{SCHEMA},"max_tokens":7,"max_retries":3"#),
        ),
        (
            format!(r#"{SCHEMA},"reask":{{"attempts":1}}"#),
            vec![native(), answer("one"), answer("x"), answer(r#"{"n":1}"#)],
            SCHEMA.into(),
        ),
    ];
    for (before, events, after) in table {
        let mut journal = Vec::new();
        let mut events = events.into_iter();
        let first = drive(&run(&before), &mut journal, usize::MAX, &mut |action| {
            next(&mut events, action)
        });
        let again = drive(&run(&after), &mut journal, usize::MAX, &mut nobody);
        let without_setting = |done: &Done| {
            done.outcome()
                .to_json()
                .replace(r#""fallback_enabled":true"#, r#""fallback_enabled":false"#)
        };
        assert_eq!(without_setting(&again), without_setting(&first), "{before} -> {after}");
        assert_eq!(again.value, first.value);
    }
}

#[test]
fn a_redaction_that_changes_what_follows_is_an_error_and_no_second_call() {
    // A tool call is dropped; an answer does not fit its schema any more.
    let table = [
        (
            run(r#""tools":true"#),
            vec![tool_calls(&["a"]), tool_result("a"), answer("hi")],
            answer(""),
        ),
        (schema_run(), vec![prompt(), answer(r#"{"n":1}"#)], answer("***")),
    ];
    for (spec, events, redacted) in table {
        let mut journal = Vec::new();
        let mut events = events.into_iter();
        drive(
            &spec,
            &mut journal,
            usize::MAX,
            &mut |action| match next(&mut events, action) {
                event if event.get("result").is_some() && !event.to_json().contains("hi") => {
                    let mut members = event.as_object().expect("members").to_vec();
                    members.push(("recorded".into(), redacted.get("result").expect("a result").clone()));
                    Json::Object(members)
                }
                event => event,
            },
        );
        let mut now = step(vec![("run", spec.clone())]);
        let error = journal.iter().find_map(|(key, bytes)| {
            let record = Json::object([
                ("key", Json::from(key.clone())),
                ("bytes", Json::Bytes(bytes.clone().into())),
            ]);
            let state = now.get("state").expect("a state").clone();
            let frame = Json::object([
                ("run", spec.clone()),
                ("state", state),
                ("event", Json::object([("record", record)])),
            ]);
            match entry::run_step(&frame) {
                Ok(step) => {
                    now = step;
                    None
                }
                Err(error) => Some(error),
            }
        });
        let error = error.expect("an error");
        assert_eq!(error.kind, ErrorKind::Journal);
        assert!(error.message.contains("redactRecords"), "{}", error.message);
    }
}

#[test]
fn a_record_with_a_good_checksum_and_a_wrong_content_is_an_error_of_the_journal() {
    let written = |key: &str, rest: &str| {
        flink_agents_native::run::record::write(&json(&format!(
            r#"{{"run_id":"{RUN_ID}","key":"{key}","input":"digest",{rest}}}"#
        )))
    };
    let result = answer("x").get("result").expect("a result").to_json();
    let table = [
        ("decide", format!(r#""event":{{"result":{result}}}"#)),
        ("decide", r#""event":{}"#.into()),
        ("decide", r#""event":{"decision":5}"#.into()),
        ("decide", r#""event":{"decision":{"native":true}}"#.into()),
        ("decide", r#""wait_ms":9000000000000000000,"event":{}"#.into()),
        ("decide", r#""wait_ms":-5,"event":{}"#.into()),
        ("decide", r#""then":"dance","event":{}"#.into()),
        ("decide", r#""event":{"unknown":1}"#.into()),
    ];
    for (key, rest) in table {
        let first = step(vec![("run", schema_run())]);
        let record = Json::object([
            ("key", Json::from(key)),
            ("bytes", Json::Bytes(written(key, &rest).into())),
        ]);
        let state = first.get("state").expect("a state").clone();
        let frame = Json::object([
            ("run", schema_run()),
            ("state", state),
            ("event", Json::object([("record", record)])),
        ]);
        assert_eq!(
            entry::run_step(&frame).expect_err(&rest).kind,
            ErrorKind::Journal,
            "{rest}"
        );
    }
}

/// What a model may do when it is called.
fn any_event() -> impl Strategy<Value = u8> {
    0_u8..14
}

fn happened(code: u8, action: &Json<'static>) -> Event {
    match text(action, "do") {
        "decide" => match code % 5 {
            0 => decision("AUTO", "FEASIBLE", false),
            1 => json(r#"{"binding":"none","setup":"S"}"#),
            2 => failure("configuration", ""),
            _ => native(),
        },
        "route" if action.get("decided").and_then(Json::as_bool) == Some(true) => json("{}"),
        "route" => match code % 4 {
            0 => json(r#"{"route":{"selected_model":"b","abstain":false}}"#),
            1 => json(r#"{"route":{"abstain":true}}"#),
            2 => json(r#"{"route":{"selected_model":"nobody","abstain":false}}"#),
            _ => failure("routing", ""),
        },
        "read" if code < 4 || code == 10 => failure("invalid_output", r#""pointer":"/n""#),
        "read" => json("{}"),
        "tool" => tool_result(text(action, "call_id")),
        _ => match code {
            0 => failure("transport", ""),
            1 => failure(
                "provider_error",
                r#""status":429,"retryable":true,"retry_after_ms":2500"#,
            ),
            2 => failure("provider_error", r#""status":401,"retryable":false"#),
            3 => failure("timeout", r#""phase":"run""#),
            4 => answer_with("x", "length", ""),
            5 => answer_with("", "stop", r#""refusal":"no""#),
            6 => answer(""),
            7 => answer("no JSON"),
            8 => tool_calls(&["a", "b"]),
            9 => failure("configuration", ""),
            _ => answer(r#"{"n":1}"#),
        },
    }
}

fn any_run() -> impl Strategy<Value = Json<'static>> {
    let router = prop::sample::select(vec![
        "",
        r#","router":{"name":"r","candidates":["a","b","c"],"fallback":true,"strategy":{"type":"CUSTOM"}}"#,
        r#","router":{"name":"r","candidates":["a","b"],"fallback":false,"strategy":{"type":"LLM_JUDGE","judge_model":"j"}}"#,
    ]);
    (any::<bool>(), 0..4_i64, any::<bool>(), any::<bool>(), router).prop_map(
        |(schema, retries, retryable, reask, router)| {
            let schema = if schema { format!("{SCHEMA},") } else { String::new() };
            let retry_on = if retryable { "retryable" } else { "all" };
            let reask = if reask { r#","reask":{"attempts":2}"# } else { "" };
            run(&format!(
                r#"{schema}"max_retries":{retries},"retry_on":"{retry_on}","max_tool_rounds":3{reask}{router}"#
            ))
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// One outcome, SUCCESS or FAILED; counts equal what was seen; a replay and every crash end in the same bytes.
    #[test]
    fn runs_end_in_one_outcome_and_replay_byte_for_byte(run in any_run(), codes in prop::collection::vec(any_event(), 1..40)) {
        // Each action but `read` takes the next code, so that a recovered run finds its place again.
        let world = |at: &mut usize, action: &Json<'static>| {
            *at += usize::from(text(action, "do") != "read");
            happened(codes[(*at + codes.len() - 1) % codes.len()], action)
        };
        let calls_of = |journal: &Journal| journal.iter().filter(|(key, _)| key != "read").count();
        let (mut journal, mut at) = (Vec::new(), 0);
        let first = drive(&run, &mut journal, usize::MAX, &mut |action| world(&mut at, action));
        let outcome = first.outcome();
        prop_assert_eq!(first.error().is_empty(), first.kind().is_empty());
        prop_assert_eq!(calls_of(&journal), first.actions.len());

        let calls: Vec<&Json<'static>> = first.actions.iter().filter(|action| text(action, "do") == "call").collect();
        let attempts = outcome.get("attempts").and_then(Json::as_array).map_or(0, <[_]>::len);
        prop_assert_eq!(attempts, calls.len());
        let waits: i64 = calls.iter().map(|call| number(call, "wait_ms")).sum();
        prop_assert_eq!(number(outcome, "total_retry_wait_sec"), (waits + 999) / 1000);
        let retries = calls.iter().filter(|call| number(call, "wait_ms") > 0).count();
        prop_assert_eq!(number(outcome, "retry_count"), retries as i64);

        let again = drive(&run, &mut journal.clone(), usize::MAX, &mut nobody);
        prop_assert_eq!(again.outcome().to_json(), outcome.to_json());
        prop_assert_eq!(&again.value, &first.value);

        for crash_after in 1..journal.len() {
            let mut half = journal[..crash_after].to_vec();
            let mut at = calls_of(&half);
            let again = drive(&run, &mut half, usize::MAX, &mut |action| world(&mut at, action));
            prop_assert_eq!(again.outcome().to_json(), outcome.to_json());
            prop_assert_eq!(&half, &journal);
        }
    }

    /// Bytes that no library wrote are an error, never a panic and never a step.
    #[test]
    fn foreign_records_are_errors(bytes in prop::collection::vec(any::<u8>(), 0..200), own in any::<bool>()) {
        let bytes = if own { [b"FANJ1 ".as_slice(), &bytes].concat() } else { bytes };
        let first = step(vec![("run", run(""))]);
        let record = Json::object([("key", "chat".into()), ("bytes", Json::Bytes(bytes.into()))]);
        let frame = Json::object([
            ("run", run("")),
            ("state", first.get("state").expect("a state").clone()),
            ("event", Json::object([("record", record)])),
        ]);
        prop_assert_eq!(entry::run_step(&frame).expect_err("an error").kind, ErrorKind::Journal);
    }
}
