//! What OpenAI's and Azure's strict modes get of a schema.

use flink_agents_native::json::{Json, parse, pointer};
use flink_agents_native::schema::{AZURE_STRICT, Dialect, GEMINI, OPENAI_STRICT, OutputSchema, Rewritten};
use flink_agents_native::structured::{Reason, ReasonCode};
use proptest::prelude::*;
use std::sync::Arc;

fn schema(text: &str) -> OutputSchema {
    let frame = Json::object([("form", Json::from("json")), ("text", Json::from(text))]);
    OutputSchema::from_frame(&frame).expect(text)
}

fn rewrite(text: &str) -> Result<Arc<Rewritten>, Vec<Reason>> {
    schema(text).rewrite(&OPENAI_STRICT)
}

fn wire(text: &str) -> Json<'static> {
    parse(rewrite(text).expect(text).json.as_bytes()).unwrap().into_owned()
}

fn summary(reasons: &[Reason]) -> Json<'static> {
    Json::Array(
        reasons
            .iter()
            .map(|reason| {
                Json::object([
                    ("code", Json::from(reason.code.name())),
                    ("pointer", Json::from(reason.pointer.clone())),
                ])
            })
            .collect(),
    )
}

#[test]
fn vectors_hold_byte_by_byte() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/vectors/schema");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let bytes = std::fs::read(&path).unwrap();
        let vector = parse(&bytes).unwrap();
        let name = vector.get("name").and_then(Json::as_text).unwrap().to_owned();
        let dialect: &'static Dialect = [&OPENAI_STRICT, &AZURE_STRICT, &GEMINI]
            .into_iter()
            .find(|dialect| Some(dialect.name) == vector.get("dialect").and_then(Json::as_text))
            .unwrap();
        let text = vector.get("schema").unwrap().to_json();
        match schema(&text).rewrite(dialect) {
            Ok(rewritten) => {
                assert_eq!(rewritten.json, vector.get("wire").expect(&name).to_json(), "{name}");
                assert_eq!(
                    rewritten.wrapper,
                    vector.get("wrapper").and_then(Json::as_text),
                    "{name}"
                );
                assert_eq!(
                    Some(rewritten.limited),
                    vector.get("limited").and_then(Json::as_bool),
                    "{name}"
                );
                assert_eq!(&summary(&rewritten.reasons), vector.get("reasons").unwrap(), "{name}");
            }
            Err(reasons) => {
                assert_eq!(vector.get("infeasible"), Some(&Json::Bool(true)), "{name}: {reasons:?}");
                assert_eq!(&summary(&reasons), vector.get("reasons").unwrap(), "{name}");
            }
        }
        count += 1;
    }
    assert!(count >= 40, "{count} vectors");
}

#[test]
fn reasons_say_what_and_where_in_words() {
    let open = rewrite(
        r#"{"type":"object","properties":{"counts":{"type":"object","additionalProperties":{"type":"integer"}}}}"#,
    );
    assert_eq!(
        open.unwrap_err()[0].message,
        "`/properties/counts` takes any member or value, but openai-strict needs every member declared: declare them, or use a list of objects with key and value."
    );
    let moved =
        rewrite(r#"{"type":"object","properties":{"n":{"type":"string","minLength":2}},"required":["n"]}"#).unwrap();
    let reason = &moved.reasons[0];
    assert_eq!(reason.code, ReasonCode::KeywordMoved);
    assert_eq!(reason.pointer.as_deref(), Some("/properties/n/minLength"));
    assert_eq!(reason.details, [("keyword", Json::from("minLength"))]);
}

#[test]
fn a_row_type_has_no_native_form() {
    let row = Json::object([
        ("form", Json::from("row")),
        ("names", Json::Array(vec![Json::from("a")])),
        ("types", Json::Array(vec![Json::from("java.lang.String")])),
    ]);
    let reasons = OutputSchema::from_frame(&row)
        .unwrap()
        .rewrite(&OPENAI_STRICT)
        .unwrap_err();
    assert_eq!(reasons[0].code, ReasonCode::RowType);
}

fn object_of(properties: usize) -> String {
    let members: Vec<String> = (0..properties)
        .map(|n| format!(r#""p{n}":{{"type":"string"}}"#))
        .collect();
    let names: Vec<String> = (0..properties).map(|n| format!(r#""p{n}""#)).collect();
    format!(
        r#"{{"type":"object","properties":{{{}}},"required":[{}]}}"#,
        members.join(","),
        names.join(",")
    )
}

fn enum_of(values: usize, characters: usize) -> String {
    let values: Vec<String> = (0..values).map(|n| format!(r#""{n:0characters$}""#)).collect();
    format!(
        r#"{{"type":"object","properties":{{"e":{{"enum":[{}]}}}},"required":["e"]}}"#,
        values.join(",")
    )
}

#[test]
fn each_documented_limit_is_named_when_it_is_passed_and_not_before() {
    let long = |characters: usize| {
        format!(
            r#"{{"type":"object","properties":{{"e":{{"const":"{}"}}}},"required":["e"]}}"#,
            "x".repeat(characters)
        )
    };
    let table = [
        (object_of(5000), None),
        (object_of(5001), Some(("properties", 5001, "/properties/p5000"))),
        (enum_of(1000, 4), None),
        (enum_of(1001, 4), Some(("enum_values", 1001, "/properties/e/enum"))),
        (enum_of(250, 100), None),
        (enum_of(251, 59), None),
        (
            enum_of(251, 60),
            Some(("large_enum_characters", 15_060, "/properties/e/enum")),
        ),
        (long(119_999), None),
        (
            long(120_000),
            Some(("string_characters", 120_001, "/properties/e/const")),
        ),
    ];
    for (text, expected) in table {
        let rewritten = rewrite(&text).unwrap();
        let found = rewritten.reasons.first().map(|reason| {
            assert_eq!(reason.code, ReasonCode::LimitExceeded);
            let detail = |key| reason.details.iter().find(|(name, _)| *name == key).unwrap().1.clone();
            assert_eq!(detail("table"), Json::from("2026-11"));
            (
                detail("rule"),
                detail("found").as_i64().unwrap(),
                reason.pointer.clone().unwrap(),
            )
        });
        let expected = expected.map(|(rule, found, at)| (Json::from(rule), found, at.to_owned()));
        assert_eq!(found, expected);
        assert_eq!(rewritten.limited, expected.is_some());
    }
}

#[test]
fn limits_that_are_not_confirmed_only_warn() {
    let rewritten = schema(&object_of(101)).rewrite(&AZURE_STRICT).unwrap();
    assert_eq!(rewritten.reasons[0].code, ReasonCode::LimitWarning);
    assert!(!rewritten.limited);
    assert!(rewrite(&object_of(101)).unwrap().reasons.is_empty());
}

#[test]
fn chains_of_described_references_do_not_grow_without_bound() {
    let mut definitions = String::new();
    for n in 0..40 {
        definitions += &format!(
            r##""d{n}":{{"type":"object","properties":{{"l":{{"$ref":"#/$defs/d{next}","description":"l"}},"r":{{"$ref":"#/$defs/d{next}","description":"r"}}}},"required":["l","r"]}},"##,
            next = n + 1
        );
    }
    let text = format!(r##"{{"$ref":"#/$defs/d0","$defs":{{{definitions}"d40":{{"type":"string"}}}}}}"##);
    let json = &rewrite(&text).unwrap().json;
    assert!(json.len() < 2_000_000, "{} bytes", json.len());
    assert_valid_wire(&parse(json.as_bytes()).unwrap().into_owned());
}

#[test]
fn answers_come_from_one_rewrite_for_all_threads() {
    let text = object_of(20);
    let first = rewrite(&text).unwrap();
    let others: Vec<_> = (0..16)
        .map(|_| {
            let text = text.clone();
            std::thread::spawn(move || rewrite(&text).unwrap())
        })
        .collect();
    for other in others {
        assert!(Arc::ptr_eq(&first, &other.join().unwrap()));
    }
}

/// What must hold for every wire form: objects closed and complete, references alone and resolving, a type or a union in
/// every node, no keyword outside the provider's list.
fn assert_valid_wire(root: &Json<'static>) {
    assert_eq!(
        root.get("type"),
        Some(&Json::from("object")),
        "the root is a plain object"
    );
    assert!(root.get("anyOf").is_none());
    visit(root, root);
    for (_, definition) in root.get("$defs").and_then(Json::as_object).unwrap_or_default() {
        visit(root, definition);
    }
}

const ALLOWED: &[&str] = &[
    "type",
    "title",
    "description",
    "enum",
    "const",
    "anyOf",
    "properties",
    "required",
    "additionalProperties",
    "items",
    "$defs",
    "$ref",
    "pattern",
    "format",
    "multipleOf",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "minItems",
    "maxItems",
];

fn visit(root: &Json<'static>, node: &Json<'static>) {
    let members = node.as_object().expect("a schema is an object");
    for (keyword, _) in members {
        assert!(
            ALLOWED.contains(&keyword.as_ref()),
            "{keyword} on the wire: {}",
            node.to_json()
        );
    }
    if let Some(reference) = node.get("$ref").and_then(Json::as_text) {
        assert_eq!(members.len(), 1, "a reference stands alone: {}", node.to_json());
        assert!(reference.starts_with("#/$defs/"), "{reference} leads to a definition");
        let target = reference.strip_prefix('#').expect("inside the document");
        assert!(pointer::resolve(root, target).is_some(), "{reference} resolves");
        return;
    }
    if let Some(branches) = node.get("anyOf").and_then(Json::as_array) {
        branches.iter().for_each(|branch| visit(root, branch));
        return;
    }
    let types = match node.get("type") {
        Some(Json::Array(types)) => types.clone(),
        Some(single) => vec![single.clone()],
        None => panic!("no type: {}", node.to_json()),
    };
    if types.contains(&Json::from("object")) {
        assert_eq!(node.get("additionalProperties"), Some(&Json::Bool(false)));
        let properties = node.get("properties").and_then(Json::as_object).unwrap();
        let names: Vec<Json> = properties.iter().map(|(name, _)| Json::Text(name.clone())).collect();
        assert_eq!(node.get("required").and_then(Json::as_array).unwrap(), names.as_slice());
        properties.iter().for_each(|(_, property)| visit(root, property));
    }
    if types.contains(&Json::from("array")) {
        visit(root, node.get("items").unwrap());
    }
}

/// Schemas of all kinds, sendable or not; references go to two definitions and the root.
fn any_schema() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just(r#"{"type":"string","minLength":1}"#.to_owned()),
        Just(r#"{"type":["integer","null"],"minimum":1.50}"#.to_owned()),
        Just(r#"{"enum":["a",null,2]}"#.to_owned()),
        Just(r#"{"const":true,"description":"c"}"#.to_owned()),
        Just(r##"{"$ref":"#/$defs/A"}"##.to_owned()),
        Just(r##"{"$ref":"#/$defs/B","description":"d"}"##.to_owned()),
        Just(r##"{"allOf":[{"$ref":"#"}],"default":{}}"##.to_owned()),
        Just(r#"{"type":"object"}"#.to_owned()),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        let members = proptest::collection::vec((inner.clone(), any::<bool>()), 1..4);
        prop_oneof![
            4 => members.prop_map(object_text),
            1 => inner.clone().prop_map(|items| format!(r#"{{"type":"array","items":{items},"uniqueItems":true}}"#)),
            1 => proptest::collection::vec(inner.clone(), 1..3)
                .prop_map(|branches| format!(r#"{{"oneOf":[{}],"discriminator":{{}}}}"#, branches.join(","))),
            1 => proptest::collection::vec(inner, 1..3).prop_map(|parts| format!(r#"{{"allOf":[{}]}}"#, parts.join(","))),
        ]
    })
}

fn object_text(members: Vec<(String, bool)>) -> String {
    let properties: Vec<String> = members
        .iter()
        .enumerate()
        .map(|(index, (schema, _))| format!(r#""p{index}":{schema}"#))
        .collect();
    let required: Vec<String> = members
        .iter()
        .enumerate()
        .filter(|(_, (_, required))| *required)
        .map(|(index, _)| format!(r#""p{index}""#))
        .collect();
    format!(
        r#"{{"type":"object","properties":{{{}}},"required":[{}]}}"#,
        properties.join(","),
        required.join(",")
    )
}

proptest! {
    #[test]
    fn every_wire_form_keeps_the_providers_rules(root in any_schema(), a in any_schema(), b in any_schema()) {
        let text = format!(r#"{},"$defs":{{"A":{a},"B":{b}}}}}"#, &root[..root.len() - 1]);
        let frame = Json::object([("form", Json::from("json")), ("text", Json::from(text.clone()))]);
        // Loops of references are refused, the rest is sent or not, with a reason and its place.
        if let Ok(schema) = OutputSchema::from_frame(&frame) {
            match schema.rewrite(&OPENAI_STRICT) {
                Ok(rewritten) => assert_valid_wire(&parse(rewritten.json.as_bytes()).unwrap().into_owned()),
                Err(reasons) => {
                    let user = parse(text.as_bytes()).unwrap();
                    prop_assert!(!reasons.is_empty());
                    for reason in reasons {
                        let at = reason.pointer.unwrap();
                        prop_assert!(pointer::resolve(&user, &at).is_some(), "{} in {}", at, text);
                    }
                }
            }
            match schema.rewrite(&GEMINI) {
                Ok(rewritten) => prop_assert!(!rewritten.json.contains(r#""const":"#), "{}", rewritten.json),
                Err(reasons) => prop_assert!(reasons.iter().all(|reason| reason.pointer.is_some())),
            }
        }
    }
}

#[test]
fn property_order_is_kept() {
    let wire = wire(
        r#"{"type":"object","properties":{"thought":{"type":"string"},"answer":{"type":"string"},"confidence":{"type":"integer"}},"required":["answer","confidence","thought"]}"#,
    );
    let names = wire.get("required").unwrap().to_json();
    assert_eq!(names, r#"["thought","answer","confidence"]"#);
}
