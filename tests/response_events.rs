//! What always holds for upstream's events: an event reads as it was written, with every digit of its numbers (#1149).

use std::borrow::Cow;

use flink_agents_native::json::{Json, parse};
use flink_agents_native::message::{ChatMessage, ChatResult, ContentBlock, Members, Path, Role};
use flink_agents_native::outcome::event::{Envelope, Payload, RESPONSE_ATTRIBUTES, ROUTING_ATTRIBUTES};
use flink_agents_native::outcome::{ChatResponseEvent, MAX_ERROR_TEXT, ModelRoutingEvent};
use proptest::option;
use proptest::prelude::*;

const ID: &str = "0b1c2d3e-4f50-6172-8394-a5b6c7d8e9f0";

fn number() -> impl Strategy<Value = Json<'static>> {
    prop_oneof![
        any::<i64>().prop_map(Json::Int),
        (1u64 << 63..).prop_map(Json::UInt),
        "-?[1-9][0-9]{20,40}".prop_map(|text| Json::Number(text.into())),
        "-?[0-9]\\.[0-9]{1,30}(e-?[0-9]{1,2})?".prop_map(|text| Json::Number(text.into())),
    ]
}

fn json() -> impl Strategy<Value = Json<'static>> {
    let scalar = prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::Bool),
        number(),
        any::<String>().prop_map(Json::from),
    ];
    scalar.prop_recursive(4, 32, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Json::Array),
            proptest::collection::vec(("\\PC{0,8}".prop_map(Cow::Owned), inner), 0..4).prop_map(Json::Object),
        ]
    })
}

fn members() -> impl Strategy<Value = Members<'static>> {
    proptest::collection::vec(("\\PC{0,8}".prop_map(Cow::Owned), json()), 0..4)
}

fn uuid() -> impl Strategy<Value = Cow<'static, str>> {
    "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}".prop_map(Cow::Owned)
}

fn result(text: String) -> ChatResult<'static> {
    ChatResult {
        message: ChatMessage {
            role: Role::Assistant,
            blocks: vec![ContentBlock::Text(text.into())],
            metadata: Vec::new(),
        },
        model: Some("m".into()),
        response_id: None,
        usage: None,
        finish_reason: None,
        metadata: Vec::new(),
    }
}

fn payload() -> impl Strategy<Value = Payload<'static>> {
    prop_oneof![
        (any::<String>(), json()).prop_map(|(text, structured_output)| Payload::Success {
            response: Box::new(result(text)),
            structured_output,
        }),
        ".{1,200}".prop_map(|error| Payload::Failed(error.into())),
    ]
}

fn envelope() -> impl Strategy<Value = Envelope<'static>> {
    (uuid(), members()).prop_map(|(id, attachments)| Envelope { id, attachments })
}

proptest! {
    #[test]
    fn pr1149_c01_a_response_event_reads_as_it_was_written(
        envelope in envelope(),
        request_id in uuid(),
        payload in payload(),
        counts in (0..=i64::from(i32::MAX), 0..=i64::from(i32::MAX)),
        model_routing in option::of(members()),
        user_context in option::of(members()),
    ) {
        let (retry_count, total_retry_wait_sec) = counts;
        let event = ChatResponseEvent {
            envelope, request_id, payload, retry_count, total_retry_wait_sec, model_routing, user_context,
        };
        let text = event.to_json().to_json();
        let json = parse(text.as_bytes()).expect("JSON");
        let read = ChatResponseEvent::from_json(&json, &Path::Root).expect("read");
        prop_assert_eq!(&read, &event);
        prop_assert_eq!(read.to_json().to_json(), text);
    }

    #[test]
    fn a_routing_event_reads_as_it_was_written(
        envelope in envelope(),
        request_id in uuid(),
        names in proptest::collection::vec(".{1,10}", 1..4),
        fallback_enabled: bool,
        reason in option::of(any::<String>()),
        score in option::of(number()),
        metadata in members(),
        decision_ms in option::of(0..=i64::MAX),
    ) {
        let event = ModelRoutingEvent {
            envelope,
            request_id,
            router: "r".into(),
            selected_model: names.concat().into(),
            candidates: names.into_iter().map(Cow::Owned).collect(),
            decision_source: "strategy".into(),
            fallback_enabled,
            reason: reason.map(Cow::Owned),
            score,
            metadata,
            decision_ms,
        };
        let text = event.to_json().to_json();
        let json = parse(text.as_bytes()).expect("JSON");
        prop_assert_eq!(ModelRoutingEvent::from_json(&json, &Path::Root).expect("read"), event);
    }

    /// Whatever stands there, reading ends in an event or in an error, never in a panic.
    #[test]
    fn any_json_is_read(json in json(), attributes in members()) {
        prop_assert!(ChatResponseEvent::from_json(&json, &Path::Root).is_err());
        let event = Json::object([
            ("id", ID.into()),
            ("type", "_chat_response_event".into()),
            ("attributes", Json::Object(attributes)),
        ]);
        prop_assert!(ChatResponseEvent::from_json(&event, &Path::Root).is_err());
    }
}

#[test]
fn pr1149_an_error_text_is_cut_when_it_is_written() {
    let event = ChatResponseEvent {
        envelope: Envelope {
            id: ID.into(),
            attachments: Vec::new(),
        },
        request_id: ID.into(),
        payload: Payload::Failed("ä".repeat(MAX_ERROR_TEXT + 1).into()),
        retry_count: 0,
        total_retry_wait_sec: 0,
        model_routing: None,
        user_context: None,
    };
    let json = event.to_json();
    let attributes = json.get("attributes").expect("attributes");
    let error = attributes.get("error").and_then(Json::as_text).expect("an error");
    assert_eq!(error.chars().count(), MAX_ERROR_TEXT);
}

#[test]
fn docs_name_every_attribute_of_the_events() {
    let page = include_str!("../docs/failures.md");
    for name in RESPONSE_ATTRIBUTES.iter().chain(&ROUTING_ATTRIBUTES) {
        assert!(page.contains(&format!("`{name}`")), "{name}");
    }
}
