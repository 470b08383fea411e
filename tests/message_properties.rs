//! What always holds for messages: reading and writing keep every text, and a request body is JSON that holds it.

use flink_agents_native::entry;
use flink_agents_native::json::{Json, parse};
use flink_agents_native::message::{Path, read_arguments};
use proptest::prelude::*;

fn text_block(text: &str) -> Json<'_> {
    Json::object([("type", "text".into()), ("text", text.into())])
}

fn message<'a>(role: &'static str, blocks: Vec<Json<'a>>) -> Json<'a> {
    Json::object([
        ("role", role.into()),
        ("blocks", Json::Array(blocks)),
        ("metadata", Json::Object(Vec::new())),
    ])
}

fn body_of(messages: Vec<Json<'_>>) -> Vec<u8> {
    let frame = Json::object([
        (
            "model",
            parse(br#"{"provider":"openai","settings":{"model":"m"}}"#).expect("JSON"),
        ),
        ("messages", Json::Array(messages)),
    ]);
    let request = entry::build_request(&frame).expect("a request");
    request.get("body").and_then(Json::as_bytes).expect("a body").to_vec()
}

proptest! {
    #[test]
    fn a_message_reads_as_it_was_written(texts in proptest::collection::vec(".{0,40}", 0..4), call in "[a-z0-9]{1,8}") {
        let mut blocks: Vec<_> = texts.iter().map(|text| text_block(text)).collect();
        blocks.push(Json::object([
            ("type", "tool_call".into()),
            ("call_id", call.as_str().into()),
            ("name", "f".into()),
            ("input", Json::Object(texts.iter().take(1).map(|text| (text.as_str().into(), Json::Null)).collect())),
            ("metadata", Json::Object(Vec::new())),
        ]));
        let value = message("assistant", blocks);
        let frame = Json::object([("type", Json::from("message")), ("value", value.clone())]);
        let written = entry::write_json(&frame).expect("written");
        let json = written.get("json").and_then(Json::as_bytes).expect("bytes");
        prop_assert_eq!(parse(json).expect("JSON"), value.clone());
        let frame = Json::object([("type", Json::from("message")), ("json", Json::Bytes(json.into()))]);
        let read = entry::read_json(&frame).expect("read");
        prop_assert_eq!(read.get("value"), Some(&value));
    }

    #[test]
    fn a_body_holds_the_text_it_was_given(system in "\\PC{0,40}", user in any::<String>()) {
        let body = body_of(vec![message("system", vec![text_block(&system)]), message("user", vec![text_block(&user)])]);
        let body = parse(&body).expect("a body is JSON");
        let messages = body.get("messages").and_then(Json::as_array).expect("messages");
        let contents: Vec<_> = messages.iter().map(|message| message.get("content").and_then(Json::as_text)).collect();
        prop_assert_eq!(contents, vec![Some(system.as_str()), Some(user.as_str())]);
    }

    #[test]
    fn arguments_never_get_lost(raw in any::<String>()) {
        let (input, invalid) = read_arguments(&raw);
        let is_blank = raw.trim().is_empty() || raw.trim() == "null";
        match invalid {
            None => prop_assert!(is_blank || raw.trim_start().starts_with('{'), "{input:?}"),
            Some(invalid) => {
                prop_assert!(input.is_empty());
                prop_assert_eq!(invalid.get("raw").and_then(Json::as_text), Some(raw.as_str()));
                let position = invalid.get("position").and_then(Json::as_i64).expect("a position");
                prop_assert!(position >= 0 && position as usize <= raw.len());
            }
        }
    }

    /// Whatever a service answers, reading it ends in a result or in an error, never in a panic.
    #[test]
    fn any_answer_is_read(status in 100u16..600, body in any::<Vec<u8>>(), hint in any::<String>()) {
        let frame = Json::object([
            ("model", parse(br#"{"provider":"azure_openai","settings":{"azure_endpoint":"https://h","api_version":"v1"}}"#).expect("JSON")),
            ("url", "https://h".into()),
            ("status", i64::from(status).into()),
            ("headers", Json::object([("retry-after", Json::from(hint.as_str()))])),
            ("body", Json::Bytes(body.into())),
        ]);
        if let Err(error) = entry::parse_response(&frame) {
            prop_assert!(!error.message.is_empty());
        }
    }
}

#[test]
fn a_path_prints_as_people_write_it() {
    let root = Path::Root;
    let messages = root.key("messages");
    let second = messages.index(2);
    let blocks = second.key("blocks");
    let first = blocks.index(0);
    assert_eq!(first.key("media_type").to_string(), "messages[2].blocks[0].media_type");
}
