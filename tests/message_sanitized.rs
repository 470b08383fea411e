//! Messages for logs (#1059, #1060). The vectors of `tests/vectors/sanitized` are `{name, message, sanitized}`; Java reads them too.

use flink_agents_native::json::{Json, parse};
use flink_agents_native::message::{ChatMessage, Path};

#[test]
fn pr1060_messages_for_logs_hold_neither_payload_nor_url() {
    let text = include_str!("vectors/sanitized/messages.json");
    let vectors = parse(text.as_bytes()).expect("JSON");
    for vector in vectors.as_array().expect("a list of vectors") {
        let name = vector.get("name").and_then(Json::as_text).expect("a name");
        let message = vector.get("message").expect("a message");
        let message = ChatMessage::from_json(message, &Path::Root).expect("a message");
        let sanitized = message.sanitize().to_json();
        assert_eq!(
            sanitized,
            vector.get("sanitized").expect("its form for logs").to_json(),
            "{name}"
        );
        assert!(!sanitized.contains("SECRET"), "{name}: {sanitized}");
    }
}
