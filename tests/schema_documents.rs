//! Schema documents: what is accepted, what is refused and where, names and texts.

use flink_agents_native::error::{Error, ErrorKind};
use flink_agents_native::json::Json;
use flink_agents_native::schema::{MAX_IN_PLACE, MAX_SUBSCHEMAS, OPENAI_STRICT, OutputSchema, read_answer};
use std::sync::Arc;

fn named(name: Option<&str>, text: &str) -> Result<OutputSchema, Error> {
    let frame = Json::object([
        ("form", Json::from("json")),
        ("name", Json::from(name)),
        ("text", Json::from(text)),
    ]);
    OutputSchema::from_frame(&frame)
}

fn refused(text: &str) -> (String, String) {
    let error = named(None, text).expect_err(text);
    assert_eq!(error.kind, ErrorKind::InvalidArgument);
    let pointer = error.details.iter().find(|(key, _)| *key == "pointer");
    let pointer = pointer.and_then(|(_, value)| value.as_text()).unwrap_or("none");
    (pointer.to_owned(), error.message)
}

#[test]
fn unusable_documents_are_refused_with_the_place() {
    let table = [
        ("", "none", "is no JSON: invalid JSON at byte 0"),
        ("{", "none", "is no JSON"),
        ("true", "none", "must be a JSON object, but is a boolean"),
        ("[]", "none", "must be a JSON object, but is an array"),
        (
            r#"{"properties":{"a":{"type":"strin"}}}"#,
            "/properties/a/type",
            "no valid JSON Schema",
        ),
        (
            r#"{"properties":{"a":{"minimum":"x"}}}"#,
            "/properties/a/minimum",
            "no valid JSON Schema",
        ),
        (
            r#"{"properties":{"a/b":{"pattern":"(?=x)y"}}}"#,
            "/properties/a~1b/pattern",
            "linear-time",
        ),
        (
            r#"{"properties":{"a":{"pattern":"(a)\\1"}}}"#,
            "/properties/a/pattern",
            "linear-time",
        ),
        (
            r#"{"patternProperties":{"(?=x)":{}}}"#,
            "/patternProperties/(?=x)",
            "linear-time",
        ),
        (
            r#"{"properties":{"a":{"$ref":"http://127.0.0.1:1/x"}}}"#,
            "/properties/a/$ref",
            "nothing is ever fetched",
        ),
        (
            r#"{"items":{"$ref":"file:///etc/passwd"}}"#,
            "/items/$ref",
            "nothing is ever fetched",
        ),
        (
            r#"{"items":{"$ref":"other.json#/a"}}"#,
            "/items/$ref",
            "nothing is ever fetched",
        ),
        (
            r##"{"properties":{"a":{"$ref":"#/$defs/none"}}}"##,
            "/properties/a/$ref",
            "leads nowhere",
        ),
        (
            r##"{"properties":{"a":{"$ref":"#none"}}}"##,
            "/properties/a/$ref",
            "leads nowhere",
        ),
        (r#"{"$schema":"http://example.com/x#"}"#, "/$schema", "is unknown"),
        (r##"{"$ref":"#"}"##, "", "refers to itself"),
        (
            r##"{"properties":{"a":{"anyOf":[{"$ref":"#/properties/a"}]}}}"##,
            "/properties/a",
            "refers to itself",
        ),
    ];
    for (text, pointer, message) in table {
        let (found, said) = refused(text);
        assert_eq!(found, pointer, "{text}: {said}");
        assert!(said.contains(message), "{text}: {said}");
    }
}

#[test]
fn a_property_named_ref_is_no_reference() {
    named(None, r#"{"type":"object","properties":{"$ref":{"type":"string"}}}"#).unwrap();
    named(
        None,
        r##"{"const":{"$ref":"http://127.0.0.1:1/x"},"default":{"$ref":"#/none"}}"##,
    )
    .unwrap();
}

#[test]
fn a_bomb_is_an_error() {
    let (_, message) = refused(&"{\"not\":".repeat(1_000_000));
    assert!(message.contains("128 levels"));
    let many = format!(
        r#"{{"anyOf":[{}{{}}]}}"#,
        r#"{"type":"string"},"#.repeat(MAX_SUBSCHEMAS)
    );
    assert!(refused(&many).1.contains("subschemas"));
}

/// A chain of definitions, each referring to the next.
fn chain(length: usize, link: impl Fn(usize) -> String, last: &str) -> String {
    let links: String = (0..length).map(|n| format!(r#""d{n}":{},"#, link(n + 1))).collect();
    format!(r##"{{"$ref":"#/$defs/d0","$defs":{{{links}"d{length}":{last}}}}}"##)
}

#[test]
fn long_chains_for_one_value_are_refused() {
    let link = |next: usize| format!(r##"{{"$ref":"#/$defs/d{next}"}}"##);
    named(None, &chain(MAX_IN_PLACE - 2, link, r#"{"type":"string"}"#)).unwrap();
    let (_, message) = refused(&chain(MAX_IN_PLACE, link, r#"{"type":"string"}"#));
    assert!(message.contains("refer to one another"));
}

/// Everything that walks a schema, on a stack as small as a Java thread may have.
fn on_small_stack(work: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new()
        .stack_size(256 * 1024)
        .spawn(work)
        .unwrap()
        .join()
        .unwrap();
}

#[test]
fn the_deepest_schemas_work_on_a_small_stack() {
    let open = r#"{"type":"object","required":["a"],"properties":{"a":"#;
    let nested = format!("{}{{\"type\":\"string\"}}{}", open.repeat(63), "}}".repeat(63));
    let answer = format!("{}1{}", r#"{"a":"#.repeat(63), "}".repeat(63));
    let items = format!(
        "{}{{\"type\":\"string\"}}{}",
        r#"{"type":"array","items":"#.repeat(127),
        "}".repeat(127)
    );
    let list = format!("{}1{}", "[".repeat(127), "]".repeat(127));
    for (text, answer) in [(nested, answer), (items, list)] {
        on_small_stack(move || {
            let schema = named(None, &text).unwrap();
            let rewritten = schema.rewrite(&OPENAI_STRICT).unwrap();
            assert!(rewritten.limited);
            let error = read_answer(&schema, &answer, None).unwrap_err();
            assert!(error.message.contains("expected string"), "{}", error.message);
            drop(schema);
        });
    }
}

#[test]
fn long_chains_through_members_work_on_a_small_stack() {
    let plain = |next: usize| {
        format!(r##"{{"type":"object","properties":{{"a":{{"$ref":"#/$defs/d{next}"}}}},"required":["a"]}}"##)
    };
    let described = |next: usize| {
        format!(
            r##"{{"type":"object","properties":{{"a":{{"description":"next","$ref":"#/$defs/d{next}"}}}},"required":["a"]}}"##
        )
    };
    for text in [
        chain(2_500, plain, r#"{"type":"string"}"#),
        chain(1_500, described, r#"{"type":"string"}"#),
    ] {
        on_small_stack(move || {
            let schema = named(None, &text).unwrap();
            schema.rewrite(&OPENAI_STRICT).unwrap();
            read_answer(&schema, r#"{"a":{"a":1}}"#, None).unwrap_err();
        });
    }
}

#[test]
fn the_longest_chains_at_each_level_of_the_deepest_answer_work_on_a_small_stack() {
    let link = |next: usize| format!(r##"{{"allOf":[{{"$ref":"#/$defs/d{next}"}}]}}"##);
    let last = r##"{"type":"object","properties":{"a":{"$ref":"#"}}}"##;
    let text = chain(MAX_IN_PLACE / 2 - 2, link, last);
    let answer = format!("{}1{}", r#"{"a":"#.repeat(127), "}".repeat(127));
    on_small_stack(move || {
        let schema = named(None, &text).unwrap();
        assert!(read_answer(&schema, &answer, None).is_err());
    });
}

#[test]
fn dropping_the_last_holder_works_on_a_small_stack() {
    let link = |next: usize| format!(r##"{{"type":"object","properties":{{"b":{{"$ref":"#/$defs/d{next}"}}}}}}"##);
    let schema = named(None, &chain(3_000, link, "{}")).unwrap();
    // Push it out of the cache, so that the thread holds the last reference.
    for n in 0..200 {
        named(None, &format!(r#"{{"maxLength":{n}}}"#)).unwrap();
    }
    on_small_stack(move || drop(schema));
}

#[test]
fn b075_equal_texts_are_one_document_for_all_threads() {
    let text = r#"{"title":"Shared","type":"string"}"#;
    let threads: Vec<_> = (0..64)
        .map(|_| std::thread::spawn(move || named(None, text).unwrap().text()))
        .collect();
    for thread in threads {
        assert_eq!(thread.join().unwrap(), text);
    }
    let document = |schema: OutputSchema| match schema {
        OutputSchema::Document(document) => document,
        OutputSchema::Row(_) => panic!("a document"),
    };
    let one = document(named(None, text).unwrap());
    assert!(Arc::ptr_eq(&one, &document(named(None, text).unwrap())));
    assert!(!Arc::ptr_eq(&one, &document(named(Some("Other"), text).unwrap())));
}

#[test]
fn b021_names_are_clean_and_stable() {
    let long = "N".repeat(90);
    let cut = "N".repeat(64);
    let table = [
        (
            Some("com.acme.Outer$Inner<java.lang.String>"),
            "{}",
            "com_acme_Outer_Inner_java_lang_String_",
        ),
        (Some(long.as_str()), "{}", cut.as_str()),
        (Some(""), "{}", "schema"),
        (Some("Größe"), "{}", "Gr__e"),
        (None, "{}", "schema"),
        (None, r#"{"title":"My title"}"#, "My_title"),
        (Some("Parcel"), r#"{"title":"My title"}"#, "Parcel"),
    ];
    for (name, text, expected) in table {
        assert_eq!(named(name, text).unwrap().name(), expected);
    }
    assert_eq!(named(Some("Größe"), "{}").unwrap().description(), "Größe");
    let one = named(Some("A.b"), r#"{"type":"object","properties":{"x":{"type":"string"}}}"#).unwrap();
    let other = named(Some("A-b"), r#"{"type":"object","properties":{"y":{"type":"string"}}}"#).unwrap();
    assert_ne!(
        one.rewrite(&OPENAI_STRICT).unwrap().json,
        other.rewrite(&OPENAI_STRICT).unwrap().json
    );
}

#[test]
fn b083_text_keeps_order_and_numbers() {
    let text = " { \"b\" : 1.10, \"a\" : [ 9007199254740993 ] , \"$schema\" : \"https://json-schema.org/draft/2020-12/schema\" } ";
    let schema = named(None, text).unwrap();
    let compact = r#"{"b":1.10,"a":[9007199254740993],"$schema":"https://json-schema.org/draft/2020-12/schema"}"#;
    assert_eq!(schema.text(), compact);
    assert_eq!(
        schema.instruction(),
        format!(
            "Give the final answer as exactly one JSON value that is valid against the JSON Schema below. Write nothing before it \
             and nothing after it: no explanation, no code fence.\n{compact}"
        )
    );
}

#[test]
fn a_schema_may_cross_as_bytes() {
    let frame = Json::object([
        ("form", Json::from("json")),
        ("text", Json::Bytes(b"{}".as_slice().into())),
    ]);
    assert_eq!(OutputSchema::from_frame(&frame).unwrap().text(), "{}");
    let broken = Json::object([
        ("form", Json::from("json")),
        ("text", Json::Bytes(b"\xff".as_slice().into())),
    ]);
    assert!(OutputSchema::from_frame(&broken).is_err());
}

/// Two to the power of thirty branches for one value: refused, since it would be checked for days.
#[test]
fn unions_that_double_with_each_reference_are_refused() {
    let definitions: Vec<String> = (0..30)
        .map(|number| {
            let next = number + 1;
            format!("\"d{number}\":{{\"anyOf\":[{{\"$ref\":\"#/$defs/d{next}\"}},{{\"$ref\":\"#/$defs/d{next}\"}}]}}")
        })
        .collect();
    let text = format!(
        "{{\"type\":\"object\",\"properties\":{{\"x\":{{\"$ref\":\"#/$defs/d0\"}}}},\"$defs\":{{{},\"d30\":{{\"type\":\"string\"}}}}}}",
        definitions.join(",")
    );
    let frame = Json::object([("form", Json::from("json")), ("text", Json::from(text))]);
    let error = OutputSchema::from_frame(&frame).expect_err("too wide");
    assert_eq!(error.kind, ErrorKind::InvalidArgument);
    assert!(error.message.contains("double"), "{}", error.message);
}
