//! What must hold for every conversation on Responses, and the way of an answer back into the next request.

use flink_agents_native::entry;
use flink_agents_native::json::{self, Json};
use proptest::prelude::*;

fn json(text: &str) -> Json<'static> {
    json::parse(text.as_bytes()).expect("JSON").into_owned()
}

fn model() -> Json<'static> {
    json(r#"{"provider":"openai_responses","settings":{"model":"gpt-4o"}}"#)
}

fn input(messages: Vec<Json<'static>>) -> Vec<Json<'static>> {
    let frame = Json::object([("model", model()), ("messages", Json::Array(messages))]);
    let request = entry::build_request(&frame).expect("a request");
    let body = request.get("body").and_then(Json::as_bytes).expect("a body");
    let body = json::parse(body).expect("JSON").into_owned();
    body.get("input").and_then(Json::as_array).expect("input").to_vec()
}

fn message(role: &'static str, blocks: Vec<Json<'static>>) -> Json<'static> {
    Json::object([("role", Json::from(role)), ("blocks", Json::Array(blocks))])
}

fn tool_message(id: &str, blocks: Vec<Json<'static>>, is_error: bool) -> Json<'static> {
    let result = Json::object([
        ("type", Json::from("tool_result")),
        ("call_id", id.to_owned().into()),
        ("blocks", Json::Array(blocks)),
        ("is_error", is_error.into()),
    ]);
    message("tool", vec![result])
}

/// A text, an image or a document, from either source, named or not.
fn block() -> impl Strategy<Value = Json<'static>> {
    let text = ".{0,8}".prop_map(|text| Json::object([("type", Json::from("text")), ("text", text.into())]));
    let source = prop_oneof![
        "[A-Za-z0-9+/]{4,8}".prop_map(|data| Json::object([("type", Json::from("base64")), ("data", data.into())])),
        "https://h[.]example/.{1,8}".prop_map(|url| Json::object([("type", Json::from("url")), ("url", url.into())])),
    ];
    let name = proptest::option::of(".{1,8}");
    let media = (any::<bool>(), source, name).prop_map(|(is_image, source, name)| {
        let (kind, media_type) = if is_image {
            ("image", "image/png")
        } else {
            ("document", "application/pdf")
        };
        Json::object([
            ("type", Json::from(kind)),
            ("media_type", media_type.into()),
            ("source", source),
            ("name", name.into()),
        ])
    });
    prop_oneof![1 => text, 2 => media]
}

fn is_text(block: &Json<'_>) -> bool {
    block.get("type").and_then(Json::as_text) == Some("text")
}

proptest! {
    #[test]
    fn pr1364_c03_c08_a_result_is_one_item_with_the_values_of_a_user_message(
        results in proptest::collection::vec((proptest::collection::vec(block(), 0..6), any::<bool>()), 1..4),
    ) {
        for (index, (blocks, _)) in results.iter().enumerate() {
            let messages = results
                .iter()
                .enumerate()
                .map(|(index, (blocks, is_error))| tool_message(&format!("c{index}"), blocks.clone(), *is_error));
            let items = input(messages.collect());
            prop_assert_eq!(items.len(), results.len());
            let item = items.get(index).expect("an item");
            let keys: Vec<&str> = item.as_object().expect("an object").iter().map(|(key, _)| key.as_ref()).collect();
            prop_assert_eq!(keys, ["type", "call_id", "output"]);
            let call_id = format!("c{index}");
            prop_assert_eq!(item.get("call_id").and_then(Json::as_text), Some(call_id.as_str()));
            let output = item.get("output").expect("an output");
            if blocks.iter().all(is_text) {
                let texts: String = blocks.iter().filter_map(|block| block.get("text")?.as_text()).collect();
                prop_assert_eq!(output, &Json::from(texts));
            } else {
                let user = input(vec![message("user", blocks.clone())]);
                prop_assert_eq!(Some(output), user.first().and_then(|item| item.get("content")));
            }
        }
    }
}

/// Reasoning must come back right before its call, as it was, or the service refuses the call.
#[test]
fn an_answer_goes_back_as_it_came() {
    let output = r#"[{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"gA=","later":{"n":1.10}},
        {"type":"message","id":"msg_1","role":"assistant","content":[{"type":"output_text","text":"I look"}]},
        {"type":"function_call","id":"fc_1","call_id":"call_1","name":"f","arguments":"{\"a\":1.10}","status":"completed"}]"#;
    let body = format!(r#"{{"id":"resp_1","status":"completed","output":{output}}}"#);
    let frame = Json::object([
        ("model", model()),
        ("url", "https://api.openai.com/v1/responses".into()),
        ("status", 200_i64.into()),
        ("body", Json::Bytes(body.into_bytes().into())),
    ]);
    let parsed = entry::parse_response(&frame).expect("a result");
    let answer = parsed.get("result").and_then(|result| result.get("message"));
    let items = input(vec![answer.expect("a message").clone()]);
    let sent = json(output);
    let sent = sent.as_array().expect("items");
    assert_eq!(items.first(), sent.first(), "reasoning");
    assert_eq!(items.get(1), Some(&json(r#"{"role":"assistant","content":"I look"}"#)));
    assert_eq!(items.get(2), sent.get(2), "the call");
    assert_eq!(items.len(), 3);
}
