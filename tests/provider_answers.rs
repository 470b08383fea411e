//! What must hold for every answer of Ollama, DashScope and watsonx.ai, and the way of an answer back into the next request.

use flink_agents_native::entry;
use flink_agents_native::json::{self, Json};

const FOLDERS: [&str; 3] = ["ollama", "dashscope", "watsonx"];

fn json(text: &str) -> Json<'static> {
    json::parse(text.as_bytes()).expect("JSON").into_owned()
}

fn parse(model: &Json<'static>, body: String) -> flink_agents_native::error::Result<Json<'static>> {
    entry::parse_response(&Json::object([
        ("model", model.clone()),
        ("url", "https://host/path".into()),
        ("status", 200_i64.into()),
        ("body", Json::Bytes(body.into_bytes().into())),
    ]))
}

/// The body of a request with these messages.
fn body(model: &Json<'static>, messages: Vec<Json<'static>>) -> Json<'static> {
    let frame = Json::object([("model", model.clone()), ("messages", Json::Array(messages))]);
    let request = entry::build_request(&frame).expect("a request");
    let body = request.get("body").and_then(Json::as_bytes).expect("a body");
    json::parse(body).expect("JSON").into_owned()
}

/// The assistant's message of an answer as the next request carries it.
fn replayed(model: &str, answer: &str) -> Json<'static> {
    let model = json(model);
    let parsed = parse(&model, answer.to_owned()).expect("a result");
    let message = parsed.get("result").and_then(|result| result.get("message"));
    let body = body(&model, vec![message.expect("a message").clone()]);
    let messages = body.get("messages").or_else(|| body.get("input")?.get("messages"));
    let first = messages.and_then(Json::as_array).and_then(<[_]>::first);
    first.expect("a message").clone()
}

#[test]
fn an_answer_of_ollama_goes_back_as_it_came() {
    let message = r#"{"role":"assistant","content":"I look","thinking":"hm","tool_calls":[{"function":{"name":"f","arguments":{"a":1.10,"n":9007199254740993}}}]}"#;
    let model = r#"{"provider":"ollama","settings":{"model":"m"}}"#;
    let answer = format!(r#"{{"model":"m","message":{message},"done":true,"done_reason":"stop"}}"#);
    assert_eq!(replayed(model, &answer).to_json(), message);
}

#[test]
fn an_answer_of_dashscope_goes_back_without_its_reasoning() {
    let calls = r#"[{"id":"c1","type":"function","function":{"name":"f","arguments":"{\"a\":1.10}"}}]"#;
    let message = format!(r#"{{"role":"assistant","content":"I look","reasoning_content":"hm","tool_calls":{calls}}}"#);
    let expected = format!(r#"{{"role":"assistant","content":"I look","tool_calls":{calls}}}"#);
    let compatible = format!(r#"{{"choices":[{{"message":{message},"finish_reason":"tool_calls"}}]}}"#);
    let model = r#"{"provider":"dashscope","settings":{"model":"m"}}"#;
    assert_eq!(replayed(model, &compatible).to_json(), expected);
    let own = format!(r#"{{"output":{compatible}}}"#);
    let model = r#"{"provider":"dashscope","settings":{"model":"m","api_type":"text"}}"#;
    assert_eq!(replayed(model, &own).to_json(), expected);
}

/// Every answer of the vectors, with each of its values replaced in turn by each of these.
const JUNK: [&str; 8] = ["null", "true", "-1", "1e400", r#""""#, r#""x""#, "[]", r#"{"a":[{}]}"#];

#[test]
fn no_answer_breaks_the_reading() {
    let mut count = 0;
    for vector in FOLDERS.iter().flat_map(|folder| answers(folder)) {
        let frame = vector.get("frame").expect("a frame");
        let model = frame.get("model").expect("a model");
        let text = frame.get("body").and_then(Json::as_text).expect("a body");
        let Ok(answer) = json::parse(text.as_bytes()) else {
            continue;
        };
        let mut places = Vec::new();
        collect(&answer, &mut Vec::new(), &mut places);
        for place in &places {
            for junk in JUNK {
                let broken = replace(&answer, place, &json(junk));
                // An answer or an error of a known kind: what counts is that there is one.
                if let Ok(parsed) = parse(model, broken.to_json()) {
                    assert!(parsed.get("result").is_some(), "{}", broken.to_json());
                }
                count += 1;
            }
        }
        for end in (0..text.len()).filter(|end| text.is_char_boundary(*end)) {
            let cut = text.get(..end).expect("a prefix");
            assert!(parse(model, cut.to_owned()).is_err(), "{cut}");
        }
    }
    assert!(count > 1000, "{count}");
}

fn answers(folder: &str) -> Vec<Json<'static>> {
    let path = format!("{}/tests/vectors/{folder}/responses.json", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).expect("vectors");
    json(&text).as_array().expect("a list").to_vec()
}

type Place = Vec<usize>;

/// The places of all values, as indices on the way down.
fn collect(value: &Json<'_>, at: &mut Place, places: &mut Vec<Place>) {
    places.push(at.clone());
    let children: Vec<&Json<'_>> = match value {
        Json::Array(items) => items.iter().collect(),
        Json::Object(members) => members.iter().map(|(_, value)| value).collect(),
        _ => Vec::new(),
    };
    for (index, child) in children.into_iter().enumerate() {
        at.push(index);
        collect(child, at, places);
        at.pop();
    }
}

fn replace(value: &Json<'_>, place: &[usize], by: &Json<'static>) -> Json<'static> {
    let mut copy = value.clone().into_owned();
    let mut found = &mut copy;
    for index in place {
        found = match found {
            Json::Array(items) => items.get_mut(*index).expect("an item"),
            Json::Object(members) => &mut members.get_mut(*index).expect("a member").1,
            _ => panic!("no place"),
        };
    }
    *found = by.clone();
    copy
}
