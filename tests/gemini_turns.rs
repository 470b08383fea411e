//! Whole turns with Gemini: what an answer holds goes back with the next request, also after a durable write and read.

use std::borrow::Cow;

use flink_agents_native::entry;
use flink_agents_native::json::{Json, parse};

fn json(text: &str) -> Json<'static> {
    parse(text.as_bytes()).expect("JSON").into_owned()
}

fn model(name: &str) -> Json<'static> {
    json(&format!(r#"{{"provider":"gemini","settings":{{"model":"{name}"}}}}"#))
}

/// The message of an answer with these parts, written and read again.
fn answered(parts: &str) -> Json<'static> {
    let body = format!(
        r#"{{"candidates":[{{"content":{{"role":"model","parts":{parts}}},"finishReason":"STOP"}}],"modelVersion":"m"}}"#
    );
    let frame = Json::object([
        ("model", model("gemini-2.5-flash")),
        ("url", "https://h/v1beta/models/m:generateContent".into()),
        ("status", 200_i64.into()),
        ("headers", json("{}")),
        ("body", Json::Bytes(Cow::Owned(body.into_bytes()))),
    ]);
    let result = entry::parse_response(&frame).expect("a result");
    let result = result.get("result").expect("a result").clone();
    let written = entry::write_json(&Json::object([("type", "result".into()), ("value", result.clone())]));
    let bytes = written.expect("bytes").get("json").expect("bytes").clone();
    let read = entry::read_json(&Json::object([("type", "result".into()), ("json", bytes)])).expect("a value");
    let read = read.get("value").expect("a value");
    assert_eq!(read.get("message"), result.get("message"));
    read.get("message").expect("a message").clone()
}

fn tool(call_id: &str, text: &str) -> Json<'static> {
    json(&format!(
        r#"{{"role":"tool","blocks":[{{"type":"tool_result","call_id":"{call_id}","blocks":[{{"type":"text","text":"{text}"}}]}}]}}"#
    ))
}

/// The turns behind the user's first one.
fn next(messages: Vec<Json<'static>>) -> String {
    let mut all = vec![json(r#"{"role":"user","blocks":[{"type":"text","text":"q"}]}"#)];
    all.extend(messages);
    let frame = Json::object([("model", model("gemini-2.5-flash")), ("messages", Json::Array(all))]);
    let request = entry::build_request(&frame).expect("a request");
    let body = parse(request.get("body").and_then(Json::as_bytes).expect("a body")).expect("JSON");
    let contents = body.get("contents").and_then(Json::as_array).expect("contents");
    Json::Array(contents.iter().skip(1).cloned().collect()).to_json()
}

#[test]
fn b032_a_signature_survives_on_its_call() {
    let parts = r#"[{"functionCall":{"name":"now","args":{}},"thoughtSignature":"c2ln"}]"#;
    assert_eq!(
        next(vec![answered(parts), tool("call_0", "12:00")]),
        format!(
            r#"[{{"role":"model","parts":{parts}}},{{"role":"user","parts":[{{"functionResponse":{{"name":"now","response":{{"result":"12:00"}}}}}}]}}]"#
        )
    );
}

#[test]
fn b039_two_calls_of_one_function_without_ids() {
    let parts = r#"[{"functionCall":{"name":"temp","args":{"city":"A"}}},{"functionCall":{"name":"temp","args":{"city":"B"}}}]"#;
    let message = answered(parts);
    assert_eq!(message, answered(parts), "the ids are the same on every read");
    assert_eq!(
        next(vec![message, tool("call_0", "10"), tool("call_1", "20")]),
        format!(
            r#"[{{"role":"model","parts":{parts}}},{{"role":"user","parts":[{{"functionResponse":{{"name":"temp","response":{{"result":"10"}}}}}},{{"functionResponse":{{"name":"temp","response":{{"result":"20"}}}}}}]}}]"#
        )
    );
}

#[test]
fn every_part_of_an_answer_goes_back_as_it_came() {
    let parts = concat!(
        r#"[{"text":"I weigh","thought":true},{"text":"","thoughtSignature":"ZW1w"},{"text":"a","thoughtSignature":"dHh0"},{"text":"b"},"#,
        r#"{"functionCall":{"id":"id-1","name":"f","args":{"n":1.10}},"thoughtSignature":"c2ln"},{"executableCode":{"code":"1"}}]"#
    );
    assert_eq!(
        next(vec![answered(parts)]),
        format!(r#"[{{"role":"model","parts":{parts}}}]"#)
    );
}

/// The value with place number `left`, counted in reading order, as `junk`; `left` is `None` afterwards if there was one.
fn broken(value: &Json<'static>, junk: &Json<'static>, left: &mut Option<usize>) -> Json<'static> {
    match left {
        Some(0) => {
            *left = None;
            return junk.clone();
        }
        Some(places) => *places -= 1,
        None => return value.clone(),
    }
    match value {
        Json::Array(items) => Json::Array(items.iter().map(|item| broken(item, junk, left)).collect()),
        Json::Object(members) => Json::Object(
            members
                .iter()
                .map(|(name, member)| (name.clone(), broken(member, junk, left)))
                .collect(),
        ),
        other => other.clone(),
    }
}

/// Whatever was read can be sent, but for media, which an assistant cannot carry.
fn goes_back(message: Option<&Json<'_>>) {
    let message = message.expect("a message").clone().into_owned();
    let user = json(r#"{"role":"user","blocks":[{"type":"text","text":"q"}]}"#);
    let frame = Json::object([
        ("model", model("gemini-3-pro-preview")),
        ("messages", Json::Array(vec![user, message])),
    ]);
    if let Err(error) = entry::build_request(&frame) {
        assert_eq!(error.kind.name(), "unsupported_block", "{error}");
    }
}

#[test]
fn an_answer_that_is_broken_in_any_place_is_read_or_refused() {
    let bodies = [
        r#"{"candidates":[{"content":{"role":"model","parts":[{"text":"a","thought":true,"thoughtSignature":"cw=="},{"text":"b"},{"functionCall":{"id":"i","name":"f","args":{"a":1}}},{"inlineData":{"mimeType":"image/png","data":"QUJD"}}]},"finishReason":"STOP","finishMessage":"m"}],"promptFeedback":{"blockReason":"SAFETY"},"usageMetadata":{"promptTokenCount":1,"candidatesTokenCount":2,"thoughtsTokenCount":3},"modelVersion":"m","responseId":"r"}"#,
        r#"[{"error":{"code":429,"message":"m","status":"RESOURCE_EXHAUSTED","details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"7s"},{"@type":"type.googleapis.com/google.rpc.QuotaFailure","violations":[{"quotaId":"PerDay"}]},{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"R"}]}}]"#,
    ];
    let junk = [
        "null",
        "true",
        "-1",
        "\"\"",
        "\"x\"",
        "[]",
        "[null]",
        "{}",
        "{\"x\":{}}",
    ]
    .map(json);
    let mut count = 0;
    for (body, status) in bodies.iter().flat_map(|body| [(body, 200_i64), (body, 429)]) {
        let whole = json(body);
        for junk in &junk {
            for place in 0.. {
                let mut left = Some(place);
                let answer = broken(&whole, junk, &mut left);
                if left.is_some() {
                    break;
                }
                let frame = Json::object([
                    ("model", model("gemini-2.5-flash")),
                    ("url", "https://h/v1beta/models/m:generateContent".into()),
                    ("status", status.into()),
                    ("headers", json("{}")),
                    ("body", Json::Bytes(Cow::Owned(answer.to_json().into_bytes()))),
                ]);
                match entry::parse_response(&frame) {
                    Ok(result) => goes_back(result.get("result").and_then(|result| result.get("message"))),
                    Err(error) => assert_ne!(error.kind.name(), "frame", "{}: {error}", answer.to_json()),
                }
                count += 1;
            }
        }
    }
    assert!(count > 800, "{count} answers");
}
