//! The run's decision tables (#1149, #1215), as tables.

mod run_support;

use flink_agents_native::entry;
use flink_agents_native::json::Json;
use run_support::*;

const FINALIZATION: &str =
    "Convert your previous answer into the required output format. Keep its content, and add nothing to it.";

fn with_schema(strategy: &str, members: &str) -> Json<'static> {
    let more = if members.is_empty() {
        String::new()
    } else {
        format!(",{members}")
    };
    run(&format!(r#"{SCHEMA},"strategy":"{strategy}"{more}"#))
}

fn native() -> Event {
    decision("AUTO", "NATIVE_RECOMMENDED", true)
}

fn prompt() -> Event {
    decision("AUTO", "FEASIBLE", false)
}

#[test]
fn a_request_without_a_schema_is_one_call() {
    let done = play(&run(""), vec![answer("hi")]);
    assert_eq!(done.keys(), ["chat"]);
    assert_eq!(done.error(), "");
    assert_eq!(number(done.outcome(), "retry_count"), 0);
    assert_eq!(number(done.outcome(), "elapsed_ms"), 7);
    assert_eq!(
        done.actions[0].to_json(),
        r#"{"do":"call","key":"chat","model":"gpt","purpose":"chat","wait_ms":0,"messages":[{"history":[0,2]}],"tools":true,"schema":false}"#
    );
}

#[test]
fn pr1215_the_decision_table() {
    // strategy, answer, native, what happens: calls, or an error before any call
    let table = [
        ("PROMPT", "NATIVE_RECOMMENDED", false, Some(vec!["decide", "chat"])),
        (
            "AUTO",
            "NATIVE_RECOMMENDED",
            true,
            Some(vec!["decide", "chat", "chat:final"]),
        ),
        ("AUTO", "FEASIBLE", false, Some(vec!["decide", "chat"])),
        ("AUTO", "INFEASIBLE", false, Some(vec!["decide", "chat"])),
        (
            "NATIVE",
            "NATIVE_RECOMMENDED",
            true,
            Some(vec!["decide", "chat", "chat:final"]),
        ),
        ("NATIVE", "FEASIBLE", true, Some(vec!["decide", "chat", "chat:final"])),
        ("NATIVE", "INFEASIBLE", false, None),
    ];
    for (strategy, support, native, calls) in table {
        let mut events = vec![decision(strategy, support, native)];
        if let Some(calls) = &calls {
            events.extend((1..calls.len()).map(|_| answer(r#"{"n":1}"#)));
        }
        let done = play(&with_schema(strategy, ""), events);
        match calls {
            Some(calls) => {
                assert_eq!(done.keys(), calls, "{strategy} {support}");
                assert_eq!(done.value.as_deref(), Some(r#"{"n":1}"#));
            }
            None => {
                assert_eq!(done.keys(), ["decide"]);
                assert_eq!(done.kind(), "configuration");
                let start = "java.lang.IllegalArgumentException: Structured output strategy NATIVE was requested, but gpt cannot \
                             apply the output schema Bag natively.";
                assert!(done.error().starts_with(start), "{}", done.error());
                assert!(
                    done.error()
                        .ends_with("AUTO or PROMPT, which put the schema into the prompt.")
                );
                assert_eq!(number(done.outcome(), "retry_count"), 0);
            }
        }
    }
}

#[test]
fn pr1215_a_model_without_a_connection_or_behind_a_bridge_is_never_native() {
    let table = [("none", "has no connection"), ("bridge", "language bridge")];
    for (binding, said) in table {
        let event = json(&format!(r#"{{"binding":"{binding}","setup":"MySetup"}}"#));
        for strategy in ["AUTO", "PROMPT"] {
            let events = vec![event.clone(), answer(r#"{"n":1}"#)];
            let done = play(&with_schema(strategy, ""), events);
            assert_eq!(done.keys(), ["decide", "chat"]);
            assert_eq!(done.error(), "");
        }
        let done = play(&with_schema("NATIVE", r#""max_retries":3"#), vec![event]);
        assert_eq!(done.keys(), ["decide"]);
        assert!(
            done.error().contains("MySetup") && done.error().contains(said),
            "{}",
            done.error()
        );
    }
}

#[test]
fn pr1215_c01_c02_c03_the_extra_call_has_the_history_the_answer_and_the_instruction_and_no_tools() {
    // A history with tool traffic: those messages are dropped whole.
    let spec = run(&format!(r#"{SCHEMA},"history":"suctua""#).replace(r#""history":"suctua""#, r#""strategy":"AUTO""#));
    let mut spec_members = spec.as_object().expect("members").to_vec();
    for (name, value) in &mut spec_members {
        if name == "history" {
            *value = "suctua".into();
        }
    }
    let done = play(
        &Json::Object(spec_members),
        vec![native(), answer("it is one"), answer(r#"{"n":1}"#)],
    );
    let last = &done.actions[2];
    assert_eq!(
        last.to_json(),
        format!(
            r#"{{"do":"call","key":"chat:final","model":"gpt","purpose":"final","wait_ms":0,"messages":[{{"history":[0,2]}},{{"history":[4,6]}},{{"answer":0}},{{"message":{{"role":"user","blocks":[{{"type":"text","text":"{FINALIZATION}"}}],"metadata":{{}}}}}}],"tools":false,"schema":true}}"#
        )
    );
    // The loop call goes without the schema, with the tools, with the whole history, and without the instruction.
    assert_eq!(text(&done.actions[1], "purpose"), "chat");
    assert_eq!(
        done.actions[1].get("messages").expect("messages").to_json(),
        r#"[{"history":[0,6]}]"#
    );
    assert_eq!(done.actions[1].get("schema"), Some(&Json::Bool(false)));
}

#[test]
fn pr1215_c04_the_answer_of_the_extra_call_is_the_one_that_is_parsed() {
    let done = play(
        &with_schema("AUTO", ""),
        vec![native(), answer(r#"{"n":1}"#), answer(r#"{"n":2}"#)],
    );
    assert_eq!(done.value.as_deref(), Some(r#"{"n":2}"#));
}

#[test]
fn pr1215_c06_the_instruction_stands_behind_the_first_system_message_on_the_prompt_path_only() {
    let done = play(&with_schema("AUTO", ""), vec![prompt(), answer(r#"{"n":1}"#)]);
    let messages = done.actions[1]
        .get("messages")
        .and_then(Json::as_array)
        .expect("messages");
    assert_eq!(messages[0].to_json(), r#"{"history":[0,1]}"#);
    assert_eq!(text(messages[1].get("message").expect("a message"), "role"), "system");
    assert_eq!(messages[2].to_json(), r#"{"history":[1,2]}"#);
}

#[test]
fn pr1215_an_answer_with_tool_calls_is_not_finalized() {
    let events = vec![
        native(),
        tool_calls(&["a", "b"]),
        tool_result("a"),
        tool_result("b"),
        answer("x"),
        answer(r#"{"n":1}"#),
    ];
    let done = play(&with_schema("AUTO", ""), events);
    assert_eq!(
        done.keys(),
        ["decide", "chat", "tool:find", "tool:find", "chat", "chat:final"]
    );
    assert_eq!(
        done.actions[4].get("messages").expect("messages").to_json(),
        r#"[{"history":[0,5]}]"#
    );
    let last = done.actions[5].get("messages").expect("messages").to_json();
    assert!(last.starts_with(r#"[{"history":[0,2]},{"answer":1}"#), "{last}");
}

#[test]
fn with_tools_only_a_request_without_tools_is_one_call_with_its_schema() {
    let spec = with_schema("AUTO", r#""finalization":"with_tools""#);
    let done = play(&spec, vec![native(), answer(r#"{"n":1}"#)]);
    assert_eq!(done.keys(), ["decide", "chat"]);
    assert_eq!(done.actions[1].get("schema"), Some(&Json::Bool(true)));
    assert_eq!(done.value.as_deref(), Some(r#"{"n":1}"#));

    let spec = with_schema("AUTO", r#""finalization":"with_tools","tools":true"#);
    let done = play(&spec, vec![native(), answer("one"), answer(r#"{"n":1}"#)]);
    assert_eq!(done.keys(), ["decide", "chat", "chat:final"]);
}

#[test]
fn pr1215_a_failed_finalization_repeats_the_attempt_but_not_the_tool_rounds() {
    let broken = [
        failure("provider_error", r#""status":500,"retryable":true"#),
        answer_with(r#"{"n":1}"#, "length", ""),
        answer("no JSON"),
        answer_with("", "stop", r#""refusal":"no""#),
        answer(""),
        tool_calls(&["z"]),
    ];
    for broken in broken {
        let events = vec![
            native(),
            tool_calls(&["a"]),
            tool_result("a"),
            answer("one"),
            broken,
            answer("one"),
            answer(r#"{"n":1}"#),
        ];
        let done = play(&with_schema("AUTO", r#""max_retries":1"#), events);
        assert_eq!(
            done.keys(),
            [
                "decide",
                "chat",
                "tool:find",
                "chat",
                "chat:final",
                "chat",
                "chat:final"
            ]
        );
        assert_eq!(number(done.outcome(), "retry_count"), 1);
        assert_eq!(done.value.as_deref(), Some(r#"{"n":1}"#));
    }
}

#[test]
fn pr1215_the_extra_call_is_only_paid_for_after_a_complete_unrefused_answer_with_text() {
    let table = [
        (answer_with("", "stop", r#""refusal":"I will not""#), "refusal"),
        (answer_with("I am", "stop", r#""refusal":"I will not""#), "refusal"),
        (answer_with("x", "length", ""), "truncated"),
        (answer_with("x", "content_filter", ""), "content_filter"),
        (answer(""), "empty_response"),
    ];
    for (event, kind) in table {
        let done = play(&with_schema("AUTO", ""), vec![native(), event]);
        assert_eq!((done.keys(), done.kind()), (vec!["decide", "chat"], kind));
    }
}

#[test]
fn pr1149_without_a_schema_a_refusal_is_a_success_and_a_rejected_finish_reason_is_none() {
    let table = [
        (answer_with("", "stop", r#""refusal":"I will not""#), ""),
        (answer_with("x", "length", ""), "truncated"),
        (answer_with("x", "content_filter", ""), "content_filter"),
        (answer_with("x", "something_new", ""), ""),
        (answer(""), ""),
    ];
    for (event, kind) in table {
        assert_eq!(play(&run(""), vec![event]).kind(), kind);
    }
    let done = play(&run(""), vec![answer_with("x", "length", "")]);
    let start = "java.lang.IllegalStateException: ChatModel response is truncated (finish_reason='length')";
    assert!(done.error().starts_with(start), "{}", done.error());
}

#[test]
fn pr1149_what_is_repeated() {
    // kind, details, repeated under `all`, under `retryable`
    let table = [
        ("provider_error", r#""status":500,"retryable":true"#, true, true),
        ("provider_error", r#""status":429,"retryable":true"#, true, true),
        (
            "provider_error",
            r#""status":429,"code":"insufficient_quota","retryable":false"#,
            true,
            false,
        ),
        ("provider_error", r#""status":400,"retryable":false"#, true, false),
        ("timeout", r#""phase":"response""#, true, true),
        ("timeout", r#""phase":"run""#, false, false),
        ("transport", "", true, true),
        ("empty_response", "", true, true),
        ("refusal", "", true, false),
        ("truncated", "", true, false),
        ("content_filter", "", true, false),
        ("invalid_output", "", true, false),
        ("invalid_tool_call", "", true, false),
        ("configuration", "", false, false),
        ("invalid_argument", "", false, false),
        ("unsupported_block", "", false, false),
    ];
    for (kind, details, all, retryable) in table {
        for (retry_on, repeated) in [("all", all), ("retryable", retryable)] {
            let spec = run(&format!(r#""max_retries":1,"retry_on":"{retry_on}""#));
            let mut events = vec![failure(kind, details)];
            events.extend(repeated.then(|| answer("hi")));
            let done = play(&spec, events);
            assert_eq!(
                done.actions.len(),
                1 + usize::from(repeated),
                "{kind} {details} {retry_on}"
            );
            assert_eq!(done.kind(), if repeated { "" } else { kind });
        }
    }
}

#[test]
fn pr1149_waits_double_and_saturate() {
    let fail = || failure("transport", "");
    let spec = run(r#""max_retries":4,"retry_interval_ms":400"#);
    let done = play(&spec, vec![fail(), fail(), fail(), fail(), answer("hi")]);
    assert_eq!(done.waits(), [0, 400, 800, 1600, 3200]);
    assert_eq!(number(done.outcome(), "retry_count"), 4);
    // 6.0 seconds exactly; one millisecond more would be 7.
    assert_eq!(number(done.outcome(), "total_retry_wait_sec"), 6);

    let spec = run(r#""max_retries":1000,"retry_interval_ms":600000"#);
    let done = play(&spec, (0..1001).map(|_| fail()).collect());
    assert!(done.waits().iter().skip(1).all(|wait| *wait == 600_000));
    assert_eq!(number(done.outcome(), "retry_count"), 1000);
    assert_eq!(number(done.outcome(), "total_retry_wait_sec"), 600_000);

    let spec = run(r#""max_retries":3,"retry_interval_ms":500,"retry_max_wait_ms":800"#);
    assert_eq!(
        play(&spec, (0..4).map(|_| fail()).collect()).waits(),
        [0, 500, 800, 800]
    );

    let spec = run(r#""max_retries":2,"retry_interval_ms":0"#);
    let done = play(&spec, vec![fail(), fail(), fail()]);
    assert_eq!(
        (done.waits(), number(done.outcome(), "total_retry_wait_sec")),
        (vec![0, 0, 0], 0)
    );
}

#[test]
fn pr1149_default_is_no_retry() {
    let done = play(&run(""), vec![failure("transport", "")]);
    assert_eq!((done.keys().len(), done.kind()), (1, "transport"));
}

#[test]
fn b058_retry_after_raises_the_wait_and_counts_for_a_minute_at_most() {
    let table = [
        ("1500", 1_500),
        ("9", 1_000),
        ("60000", 60_000),
        ("3600000", 60_000),
        ("null", 1_000),
    ];
    for (hint, wait) in table {
        let details = format!(r#""status":429,"retryable":true,"retry_after_ms":{hint}"#);
        let events = vec![failure("provider_error", &details), answer("hi")];
        assert_eq!(play(&run(r#""max_retries":1"#), events).waits(), [0, wait], "{hint}");
    }
}

#[test]
fn pr1149_c03_retries_sum_over_tool_rounds_and_each_round_has_its_own_budget() {
    let fail = || failure("transport", "");
    let events = vec![fail(), tool_calls(&["a"]), tool_result("a"), fail(), answer("hi")];
    let done = play(&run(r#""max_retries":1"#), events);
    assert_eq!(done.keys(), ["chat", "chat", "tool:find", "chat", "chat"]);
    assert_eq!(number(done.outcome(), "retry_count"), 2);
    assert_eq!(number(done.outcome(), "total_retry_wait_sec"), 2);
    assert_eq!(number(done.outcome(), "elapsed_ms"), 4 * 7 + 3 + 2_000);
    assert_eq!(text(done.outcome(), "request_id"), RUN_ID);
}

#[test]
fn the_outcome_lists_every_call_and_sums_their_usage() {
    let events = vec![
        prompt(),
        failure("transport", ""),
        answer("no JSON"),
        answer(r#"{"n":1}"#),
    ];
    let done = play(&with_schema("AUTO", r#""max_retries":2,"retry_interval_ms":1"#), events);
    let attempts = done
        .outcome()
        .get("attempts")
        .and_then(Json::as_array)
        .expect("attempts");
    let kinds: Vec<&str> = attempts.iter().map(|attempt| text(attempt, "kind")).collect();
    assert_eq!(kinds, ["transport", "invalid_output", ""]);
    assert_eq!(number(&attempts[2], "wait_ms"), 2);
    assert_eq!(
        done.outcome().get("usage").expect("usage").to_json(),
        r#"{"prompt_tokens":20,"completion_tokens":10,"prompt_token_details":{},"completion_token_details":{}}"#
    );
}

#[test]
fn an_invalid_answer_is_sent_back_with_what_is_wrong_with_it() {
    let events = vec![prompt(), answer(r#"{"n":"secret"}"#), answer(r#"{"n":1}"#)];
    let done = play(&with_schema("AUTO", r#""reask":{"attempts":1}"#), events);
    assert_eq!(done.keys(), ["decide", "chat", "chat"]);
    let again = &done.actions[2];
    assert_eq!(
        (text(again, "purpose"), again.get("tools")),
        ("reask", Some(&Json::Bool(false)))
    );
    let messages = again.get("messages").expect("messages").to_json();
    assert!(messages.contains(r#"{"answer":0}"#), "{messages}");
    assert!(
        messages.contains("at `/n`: expected integer, found a string"),
        "{messages}"
    );
    assert!(!messages.contains("secret"), "{messages}");
    assert_eq!(number(done.outcome(), "retry_count"), 0);
    let attempts = done.outcome().get("attempts").expect("attempts").to_json();
    assert!(attempts.contains(r#""reask":true"#), "{attempts}");
}

#[test]
fn a_reask_on_the_native_path_goes_natively_and_grows() {
    let events = vec![
        native(),
        answer("one"),
        answer("x"),
        answer(r#"{"n":null}"#),
        answer(r#"{"n":1}"#),
    ];
    let done = play(&with_schema("AUTO", r#""reask":{"attempts":2}"#), events);
    assert_eq!(
        done.keys(),
        ["decide", "chat", "chat:final", "chat:final", "chat:final"]
    );
    let last = &done.actions[4];
    assert_eq!(last.get("schema"), Some(&Json::Bool(true)));
    let messages = last.get("messages").expect("messages").to_json();
    let places: Vec<usize> = (0..3)
        .map(|call| messages.find(&format!(r#"{{"answer":{call}}}"#)).expect("an answer"))
        .collect();
    assert!(places.is_sorted(), "{messages}");
}

#[test]
fn reasks_end_with_their_budget_and_then_the_retry_is_blind() {
    // budget, calls until the blind retry
    let table = [
        (r#""attempts":2"#, 3),
        (r#""attempts":9,"max_tokens":30"#, 2),
        (r#""attempts":9,"max_ms":14"#, 2),
    ];
    for (budget, calls) in table {
        let mut events = vec![prompt()];
        events.extend((0..calls).map(|_| answer("no JSON")));
        events.push(answer(r#"{"n":1}"#));
        let spec = with_schema("AUTO", &format!(r#""max_retries":1,"reask":{{{budget}}}"#));
        let done = play(&spec, events);
        assert_eq!(text(&done.actions[1 + calls], "purpose"), "chat", "{budget}");
        assert_eq!(number(done.outcome(), "retry_count"), 1);
    }
}

#[test]
fn b056_a_truncated_answer_is_never_sent_back() {
    let spec = with_schema("AUTO", r#""reask":{"attempts":5},"max_tokens":16"#);
    let done = play(&spec, vec![prompt(), answer_with(r#"{"n":1}"#, "length", "")]);
    assert_eq!((done.keys().len(), done.kind()), (2, "truncated"));
    assert!(done.error().contains("Raise max_tokens (now 16)"), "{}", done.error());
}

#[test]
fn invalid_arguments_are_answered_and_never_run() {
    let event = json(
        r#"{"result":{"message":{"role":"assistant","blocks":[{"type":"tool_call","call_id":"a","name":"find","input":{},
            "metadata":{"invalid_arguments":{"raw":"{\"q\":","position":5}}}]}},"elapsed_ms":1}"#,
    );
    let done = play(&run(""), vec![event, tool_result("a"), answer("hi")]);
    let said = text(&done.actions[1], "error");
    assert!(
        said.contains("no JSON object (position 5)") && !said.contains("{\"q\""),
        "{said}"
    );
}

#[test]
fn tool_rounds_end() {
    let spec = run(r#""max_tool_rounds":1"#);
    let events = vec![tool_calls(&["a"]), tool_result("a"), tool_calls(&["b"])];
    let done = play(&spec, events);
    assert_eq!(done.kind(), "invalid_tool_call");
    assert!(done.error().contains("Raise max_tool_rounds"), "{}", done.error());
}

#[test]
fn a_schema_that_the_callers_own_type_refuses_uses_the_retry_budget() {
    let spec = with_schema("AUTO", r#""max_retries":1"#);
    let mut now = step(vec![("run", spec.clone())]);
    let unreadable = json(r#"{"failure":{"kind":"invalid_output","error":"E: x","details":{"pointer":"/n"}}}"#);
    for event in [prompt(), answer(r#"{"n":1}"#), unreadable] {
        let state = now.get("state").expect("a state").clone();
        now = step(vec![("run", spec.clone()), ("state", state), ("event", event)]);
    }
    let action = now.get("action").expect("an action");
    assert_eq!((text(action, "do"), number(action, "wait_ms")), ("call", 1000));
}

#[test]
fn wrong_settings_are_named() {
    let table = [
        (
            r#""max_retries":-1"#,
            "'max_retries' of a run must be an integer from 0 to 1000, found -1",
        ),
        (r#""max_retries":1001"#, "found 1001"),
        (r#""retry_interval_ms":600001"#, "retry_interval_ms"),
        (r#""retry_on":"sometimes""#, "'retry-on' is 'sometimes'"),
        (r#""reask":{"attempts":0}"#, "'reask.attempts'"),
        (r#""reask":{"attempts":1,"max_tokens":0}"#, "'reask.max_tokens'"),
        (r#""max_tool_rounds":-5"#, "max_tool_rounds"),
        (
            r#""finalization":"never""#,
            "'finalization' is 'never'; expected one of: always, with_tools.",
        ),
        (r#""strategy":"MAYBE""#, "Expected one of: AUTO, NATIVE, PROMPT."),
    ];
    for (members, said) in table {
        let frame = Json::object([("run", run(members))]);
        let error = entry::run_step(&frame).expect_err(members);
        assert!(error.message.contains(said), "{members}: {}", error.message);
    }
    let frame = Json::object([("run", json(r#"{"run_id":"7"}"#))]);
    assert!(
        entry::run_step(&frame)
            .expect_err("an id")
            .message
            .contains("must be a UUID")
    );
}

const CUSTOM: &str = r#""router":{"name":"r","candidates":["a","b","c"],"fallback":true,"strategy":{"type":"CUSTOM"}}"#;
const JUDGE: &str =
    r#""router":{"name":"r","candidates":["a","b"],"fallback":true,"strategy":{"type":"LLM_JUDGE","judge_model":"j"}}"#;

fn selected(model: &str) -> Event {
    json(&format!(
        r#"{{"route":{{"selected_model":"{model}","abstain":false,"reason":"because"}}}}"#
    ))
}

fn routing(done: &Done) -> &Json<'static> {
    done.outcome().get("model_routing").expect("model_routing")
}

#[test]
fn pr1149_c09_the_selected_candidate_answers_and_tool_rounds_keep_it() {
    let events = vec![selected("b"), tool_calls(&["x"]), tool_result("x"), answer("hi")];
    let done = play(&run(CUSTOM), events);
    assert_eq!(done.keys(), ["route:r", "chat:r:b", "tool:find", "chat:r:b"]);
    assert_eq!(
        routing(&done).to_json(),
        r#"{"router":"r","selected_model":"b","initial_selected_model":"b","final_model":"b","candidates":["a","b","c"],"decision_source":"strategy","fallback_enabled":true,"fallback_attempted":false,"fallback_models_tried":[],"metadata":{},"reason":"because"}"#
    );
}

#[test]
fn pr1149_c09_fallback_goes_through_the_others_in_declaration_order_each_with_a_fresh_budget() {
    let fail = || failure("transport", "");
    let spec = run(&format!(r#"{CUSTOM},"max_retries":1"#));
    let events = vec![selected("b"), fail(), fail(), fail(), fail(), answer("hi")];
    let done = play(&spec, events);
    assert_eq!(
        done.keys(),
        ["route:r", "chat:r:b", "chat:r:b", "chat:r:a", "chat:r:a", "chat:r:c"]
    );
    assert_eq!(number(done.outcome(), "retry_count"), 2);
    assert_eq!(text(routing(&done), "final_model"), "c");
    assert_eq!(
        routing(&done).get("fallback_models_tried").expect("names").to_json(),
        r#"["a","c"]"#
    );

    // All fail: the last candidate's error.
    let last = failure("provider_error", r#""status":500"#);
    let done = play(&run(CUSTOM), vec![selected("b"), fail(), fail(), last]);
    assert_eq!(done.kind(), "provider_error");
    assert_eq!(routing(&done).get("final_model"), None);

    // After a tool round the model stays.
    let done = play(
        &run(CUSTOM),
        vec![selected("b"), tool_calls(&["x"]), tool_result("x"), fail()],
    );
    assert_eq!((done.keys().len(), done.kind()), (4, "transport"));
}

#[test]
fn pr1149_c09_a_candidate_whose_gate_fails_falls_back_with_no_retry_used() {
    let spec = run(&format!(r#"{SCHEMA},{CUSTOM},"max_retries":3"#));
    let infeasible = decision("NATIVE", "INFEASIBLE", false);
    let events = vec![selected("a"), infeasible, native(), answer("x"), answer(r#"{"n":1}"#)];
    let done = play(&spec, events);
    assert_eq!(
        done.keys(),
        ["route:r", "decide:r:a", "decide:r:b", "chat:r:b", "chat:r:b:final"]
    );
    assert_eq!(number(done.outcome(), "retry_count"), 0);
}

#[test]
fn pr1149_c09_what_a_router_cannot_choose_is_a_failed_outcome() {
    let cases = [
        (selected("nobody"), "returned non-candidate model"),
        (failure("provider_error", ""), "provider_error"),
    ];
    for (event, said) in cases {
        let done = play(&run(CUSTOM), vec![event]);
        assert_eq!(done.kind(), "routing");
        assert!(done.error().contains(said), "{}", done.error());
    }
}

#[test]
fn pr1149_c09_a_judge_has_its_own_retries_and_never_falls_back_to_the_default() {
    let fail = || failure("transport", "");
    let spec = run(&format!(r#"{JUDGE},"max_retries":1"#));
    let done = play(
        &spec,
        vec![fail(), answer(r#"{"model": "b"}"#), json("{}"), answer("hi")],
    );
    assert_eq!(done.keys(), ["judge:r", "judge:r", "route:r", "chat:r:b"]);
    assert_eq!(number(done.outcome(), "retry_count"), 1);
    assert_eq!(text(routing(&done), "decision_source"), "llm_judge");
    assert_eq!(
        (text(&done.actions[0], "model"), text(&done.actions[0], "purpose")),
        ("j", "judge")
    );

    let done = play(&spec, vec![fail(), fail()]);
    assert_eq!((done.keys(), done.kind()), (vec!["judge:r", "judge:r"], "routing"));
    assert_eq!(
        text(done.outcome().get("details").expect("details"), "cause"),
        "transport"
    );

    // A verdict that names nobody abstains.
    let done = play(&run(JUDGE), vec![answer("no idea"), json("{}"), answer("hi")]);
    assert_eq!(done.keys(), ["judge:r", "route:r", "chat:r:a"]);
    assert_eq!(text(routing(&done), "decision_source"), "default");
}

#[test]
fn pr1149_c09_rules_are_decided_and_recorded_without_asking_anybody() {
    let rules =
        r#""router":{"name":"r","candidates":["a","b"],"strategy":{"type":"RULE_BASED","rules":{"b":"refund"}}}"#;
    let messages = json(r#"[{"role":"user","blocks":[{"type":"text","text":"I want a REFUND"}]}]"#);
    let first = step(vec![("run", run(rules)), ("messages", messages)]);
    let action = first.get("action").expect("an action");
    assert_eq!(action.to_json(), r#"{"do":"route","key":"route:r","decided":true}"#);
    let state = first.get("state").expect("a state").clone();
    let next = step(vec![("run", run(rules)), ("state", state), ("event", json("{}"))]);
    assert_eq!(text(next.get("action").expect("an action"), "key"), "chat:r:b");
    let event = next.get("routing_event").expect("an event").to_json();
    assert!(
        event.contains(r#""selected_model":"b","decision_source":"strategy""#),
        "{event}"
    );
    let record = next
        .get("record")
        .and_then(|record| record.get("bytes"))
        .and_then(Json::as_bytes)
        .expect("a record");
    assert!(String::from_utf8_lossy(record).contains(r#""selected_model":"b""#));
}

#[test]
fn the_name_of_a_tool_is_the_models_and_its_key_is_one_that_every_journal_holds() {
    let long = format!("a\\u0000{}", "x".repeat(2_000));
    let event = json(&format!(
        r#"{{"result":{{"message":{{"role":"assistant","blocks":[{{"type":"tool_call","call_id":"a","name":"{long}","input":{{}}}}]}}}}}}"#
    ));
    let done = play(&run(""), vec![event, tool_result("a"), answer("hi")]);
    let key = text(&done.actions[1], "key");
    assert!(
        key.starts_with("tool:a_xx") && key.chars().count() < 200 && !key.contains('\0'),
        "{key}"
    );
}
