//! The operations as Java calls them: tables, wrong frames, and what must hold for every provider.

use std::borrow::Cow;
use std::fs;
use std::path::PathBuf;

use flink_agents_native::entry;
use flink_agents_native::error::ErrorKind;
use flink_agents_native::json::{Json, parse};
use flink_agents_native::provider::{self, Call, PROVIDERS};
use flink_agents_native::schema::OutputSchema;
use flink_agents_native::structured::{ReasonCode, Support};

fn json(text: &str) -> Json<'_> {
    parse(text.as_bytes()).expect("JSON")
}

/// The settings of the first request among the provider's vectors.
fn settings(provider: &str) -> Json<'static> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("tests/vectors")
        .join(provider);
    let mut files: Vec<_> = fs::read_dir(&folder)
        .unwrap_or_else(|error| panic!("{} has no vectors: {error}", folder.display()))
        .map(|entry| entry.expect("an entry").path())
        .collect();
    files.sort();
    let found = files.iter().find_map(|file| {
        let text = fs::read(file).expect("a vector file");
        let vectors = parse(&text).expect("JSON");
        let requests = vectors.as_array().expect("a list").iter().filter(|vector| {
            vector.get("operation").and_then(Json::as_text) == Some("buildRequest")
                && vector.get("expect").is_some_and(|expect| expect.get("error").is_none())
        });
        requests
            .filter_map(|vector| vector.get("frame")?.get("model")?.get("settings"))
            .find(|settings| settings.get("model").is_some())
            .map(|settings| settings.clone().into_owned())
    });
    found.unwrap_or_else(|| panic!("{} has no request whose settings name a model", folder.display()))
}

fn call<'a>(settings: &'a Json<'a>) -> Call<'a> {
    Call {
        settings,
        parameters: &[],
        tools: Vec::new(),
    }
}

#[test]
fn the_handshake_names_every_table() {
    let tables = entry::handshake(&json("{}")).expect("tables");
    let texts = |key: &str| -> Vec<String> {
        let items = tables.get(key).and_then(Json::as_array).expect("a list");
        items
            .iter()
            .filter_map(|item| item.as_text().map(str::to_owned))
            .collect()
    };
    assert_eq!(
        tables.get("version").and_then(Json::as_text),
        Some(env!("CARGO_PKG_VERSION"))
    );
    assert_eq!(tables.get("frame_version").and_then(Json::as_i64), Some(1));
    assert_eq!(tables.get("number_extension").and_then(Json::as_i64), Some(1));
    assert_eq!(tables.get("max_frame_bytes").and_then(Json::as_i64), Some(268_435_456));
    assert_eq!(tables.get("max_depth").and_then(Json::as_i64), Some(128));
    assert_eq!(texts("error_kinds"), ErrorKind::ALL.map(ErrorKind::name));
    assert_eq!(texts("reason_codes"), ReasonCode::ALL.map(ReasonCode::name));
    assert_eq!(
        texts("providers"),
        PROVIDERS.iter().map(|provider| provider.name()).collect::<Vec<_>>()
    );
}

/// Every provider translates a schema or refuses it with a reason; none ignores it.
#[test]
fn pr930_c15_every_provider_translates_a_schema_or_refuses_it() {
    let frame = json(
        r#"{"form":"json","name":"P","text":"{\"type\":\"object\",\"properties\":{\"c\":{\"type\":\"string\"}}}"}"#,
    );
    let schema = OutputSchema::from_frame(&frame).expect("a schema");
    for provider in PROVIDERS {
        let settings = settings(provider.name());
        let answer = provider.support(&call(&settings), Some(&schema)).expect("an answer");
        match answer.support {
            Support::Infeasible => assert!(answer.rewritten.is_none() && !answer.reasons.is_empty()),
            _ => {
                let rewritten = answer.rewritten.expect("a translation");
                let frame = Json::object([
                    (
                        "model",
                        Json::object([("provider", provider.name().into()), ("settings", settings.clone())]),
                    ),
                    ("schema", frame.clone()),
                    ("strategy", "NATIVE".into()),
                    (
                        "messages",
                        json(r#"[{"role":"user","blocks":[{"type":"text","text":"Hi"}]}]"#),
                    ),
                ]);
                let request = entry::build_request(&frame).expect("a request");
                let body = request.get("body").and_then(Json::as_bytes).expect("a body");
                let body = String::from_utf8_lossy(body);
                // Bedrock carries it as JSON in a text.
                let quoted = Json::from(rewritten.json.clone()).to_json();
                let carried = body.contains(&rewritten.json) || body.contains(&quoted);
                assert!(carried, "{} drops the schema", provider.name());
            }
        }
    }
}

#[test]
fn every_provider_answers_without_schema_tools_and_parameters() {
    for provider in PROVIDERS {
        let settings = settings(provider.name());
        let answer = provider.support(&call(&settings), None).expect("an answer");
        assert_eq!(answer.support, Support::Infeasible);
        assert_eq!(
            answer.reasons.first().map(|reason| reason.code),
            Some(ReasonCode::NoSchema)
        );
        let found = provider::by_name(provider.name()).expect("by name");
        assert_eq!(found.name(), provider.name());
    }
}

#[test]
fn what_is_absent_in_a_request_is_empty_or_the_default() {
    for provider in PROVIDERS {
        let model = Json::object([
            ("provider", provider.name().into()),
            ("settings", settings(provider.name())),
        ]);
        let request = |rest: &str| {
            let mut frame = json(rest).into_owned();
            let Json::Object(members) = &mut frame else {
                panic!("an object")
            };
            members.push(("model".into(), model.clone()));
            frame
        };
        let short = request(r#"{"messages":[{"role":"user","blocks":[{"type":"text","text":"Hi"}]}]}"#);
        let long = request(
            r#"{"messages":[{"role":"user","blocks":[{"type":"text","text":"Hi"}],"metadata":{}}],"tools":[],"parameters":{},
                "strategy":"AUTO","when_infeasible":"FAIL","schema":null}"#,
        );
        assert_eq!(
            entry::build_request(&short).expect("short"),
            entry::build_request(&long).expect("long")
        );
        assert_eq!(
            entry::decide(&short).expect("short"),
            entry::decide(&long).expect("long")
        );
    }
}

/// Java compares all that comes before the body with the request before.
#[test]
fn the_body_of_a_built_request_comes_last_but_for_a_decision() {
    let schema = r#","schema":{"form":"json","text":"{\"type\":\"object\"}"}"#;
    for (schema, expected) in [
        ("", &["method", "url", "headers", "auth", "body"][..]),
        (schema, &["method", "url", "headers", "auth", "body", "decision"]),
    ] {
        let frame = format!(
            r#"{{"model":{{"provider":"openai","settings":{{"model":"gpt-5"}}}},
                 "messages":[{{"role":"user","blocks":[{{"type":"text","text":"Hi"}}]}}]{schema}}}"#
        );
        let built = entry::build_request(&json(&frame)).expect("built");
        let members = built.as_object().expect("an object");
        let names: Vec<&str> = members.iter().map(|(name, _)| name.as_ref()).collect();
        assert_eq!(names, expected);
    }
}

#[test]
fn frames_that_java_never_writes_have_a_kind_of_their_own() {
    type Operation = fn(&Json<'_>) -> flink_agents_native::error::Result<Json<'static>>;
    let table: [(Operation, &str); 14] = [
        (entry::decide, "{}"),
        (entry::decide, r#"{"model":{}}"#),
        (entry::decide, r#"{"model":{"provider":"openai"},"tools":{}}"#),
        (entry::decide, r#"{"model":{"provider":"openai"},"parameters":[]}"#),
        (entry::decide, r#"{"model":{"provider":"openai"},"strategy":5}"#),
        (
            entry::decide,
            r#"{"model":{"provider":"openai"},"schema":{"form":"xml"}}"#,
        ),
        (entry::build_request, r#"{"model":{"provider":"openai"},"messages":5}"#),
        (
            entry::build_request,
            r#"{"model":{"provider":"openai"},"when_infeasible":"MAYBE"}"#,
        ),
        (entry::parse_response, r#"{"model":{"provider":"openai"},"url":"u"}"#),
        (
            entry::parse_response,
            r#"{"model":{"provider":"openai"},"url":"u","status":70000}"#,
        ),
        (
            entry::parse_response,
            r#"{"model":{"provider":"openai"},"url":"u","status":200,"body":"text"}"#,
        ),
        (entry::read_answer, r#"{"text":"x"}"#),
        (entry::schema_text, "{}"),
        (entry::write_json, r#"{"type":"event","value":{}}"#),
    ];
    for (operation, frame) in table {
        let error = operation(&json(frame)).expect_err(frame);
        assert_eq!(error.kind, ErrorKind::Frame, "{frame}: {error}");
        assert!(error.message.contains("frame"), "{error}");
    }
}

#[test]
fn schema_text_gives_text_instruction_and_name() {
    let frame = json(r#"{"schema":{"form":"row","names":["name"],"types":["java.lang.String"]}}"#);
    let answer = entry::schema_text(&frame).expect("texts");
    let text = answer.get("text").and_then(Json::as_text).expect("text");
    let instruction = answer.get("instruction").and_then(Json::as_text).expect("instruction");
    assert!(text.starts_with(r#"{"type":"object""#));
    assert!(instruction.ends_with(text));
    assert_eq!(answer.get("name").and_then(Json::as_text), Some("schema"));
}

#[test]
fn read_answer_gives_a_value_or_a_failure_but_no_error() {
    let answer = |text: &str| {
        let schema = json(r#"{"form":"row","names":["n"],"types":["java.lang.Integer"]}"#);
        entry::read_answer(&Json::object([("schema", schema), ("text", text.to_owned().into())])).expect("an answer")
    };
    assert_eq!(answer(r#"{"n":3}"#), json(r#"{"values":[3]}"#));
    let failure = answer(r#"{"n":"x"}"#);
    let failure = failure.get("failure").expect("a failure");
    assert_eq!(failure.get("kind").and_then(Json::as_text), Some("invalid_output"));
    let pointer = failure.get("details").and_then(|details| details.get("pointer"));
    assert_eq!(pointer.and_then(Json::as_text), Some("/n"));
}

/// A request borrows what it writes: a picture of 8 MiB costs little more than itself.
#[test]
fn large_media_pass_through() {
    let data = "QUJD".repeat(2 * 1024 * 1024);
    let source = Json::object([
        ("type", "base64".into()),
        ("data", Json::Text(Cow::Borrowed(data.as_str()))),
    ]);
    let block = Json::object([
        ("type", "image".into()),
        ("media_type", "image/png".into()),
        ("source", source),
    ]);
    let message = Json::object([("role", "user".into()), ("blocks", Json::Array(vec![block]))]);
    let frame = Json::object([
        ("model", json(r#"{"provider":"openai","settings":{"model":"gpt-4o"}}"#)),
        ("messages", Json::Array(vec![message])),
    ]);
    let request = entry::build_request(&frame).expect("a request");
    let body = request.get("body").and_then(Json::as_bytes).expect("a body");
    assert!(body.len() > data.len() && body.len() < data.len() + 300);
}

fn build(settings: &str, parameters: &str) -> flink_agents_native::error::Result<Json<'static>> {
    let frame = format!(
        r#"{{"model":{settings},"parameters":{parameters},"messages":[{{"role":"user","blocks":[{{"type":"text","text":"hi"}}]}}]}}"#
    );
    entry::build_request(&json(&frame).into_owned())
}

#[test]
fn tool_arguments_that_no_frame_or_arithmetic_holds_are_invalid_arguments() {
    let deep = format!("{{\"a\":{}1{}}}", "[".repeat(125), "]".repeat(125));
    for arguments in ["{\"x\":1e99999999999}".to_owned(), deep] {
        let mut raw = Vec::new();
        flink_agents_native::json::write_text(&arguments, &mut raw);
        let body = format!(
            r#"{{"choices":[{{"message":{{"tool_calls":[{{"id":"c","type":"function","function":{{"name":"f","arguments":{}}}}}]}}}}]}}"#,
            String::from_utf8(raw).expect("UTF-8")
        );
        let frame = Json::object([
            ("model", json(r#"{"provider":"openai","settings":{"model":"gpt-4o"}}"#)),
            ("url", "https://h/v1/chat/completions".into()),
            ("status", 200_i64.into()),
            ("headers", json("{}")),
            ("body", Json::Bytes(Cow::Owned(body.into_bytes()))),
        ]);
        let result = entry::parse_response(&frame).expect("a result");
        let written = result.to_json();
        assert!(written.contains("\"invalid_arguments\""), "{written}");
        assert!(flink_agents_native::jni::frame::write(&result).is_ok());
    }
}

#[test]
fn parameters_and_settings_that_would_slip_through_are_refused() {
    let openai = r#"{"provider":"openai","settings":{"model":"gpt-4o"}}"#;
    for parameters in [
        r#"{"strict":true,"additional_kwargs":{"strict":false}}"#,
        r#"{"additional_kwargs":{"stream":1}}"#,
        r#"{"additional_kwargs":{"stream":"true"}}"#,
    ] {
        let error = build(openai, parameters).expect_err(parameters);
        assert_eq!(error.kind, ErrorKind::InvalidArgument, "{parameters}");
    }
    build(openai, r#"{"additional_kwargs":{"stream":false}}"#).expect("false is the default");
    let gzip = r#"{"provider":"openai","settings":{"model":"gpt-4o","default_headers":{"Accept-Encoding":"gzip"}}}"#;
    assert_eq!(build(gzip, "{}").expect_err("gzip").kind, ErrorKind::Configuration);
    for deployment in [".", ".."] {
        let azure = format!(
            r#"{{"provider":"azure_openai","settings":{{"azure_endpoint":"https://h","api_version":"2024-10-21","model":"{deployment}"}}}}"#
        );
        assert_eq!(
            build(&azure, "{}").expect_err(deployment).kind,
            ErrorKind::Configuration
        );
    }
}
