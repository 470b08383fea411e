//! What the dialects of Ollama, DashScope and watsonx.ai make of a schema, beside OpenAI's strict form.

use flink_agents_native::json::Json;
use flink_agents_native::schema::{DASHSCOPE, Dialect, OLLAMA, OPENAI_STRICT, OutputSchema, Rewritten, VLLM, WATSONX};
use flink_agents_native::structured::{Reason, ReasonCode};
use std::sync::Arc;

fn rewrite(text: &str, dialect: &'static Dialect) -> Result<Arc<Rewritten>, Vec<Reason>> {
    let frame = Json::object([("form", Json::from("json")), ("text", Json::from(text))]);
    OutputSchema::from_frame(&frame).expect(text).rewrite(dialect)
}

fn wire(text: &str, dialect: &'static Dialect) -> String {
    rewrite(text, dialect).expect(text).json.clone()
}

fn pointers(reasons: &[Reason], code: ReasonCode) -> Vec<&str> {
    let wanted = reasons.iter().filter(|reason| reason.code == code);
    wanted.filter_map(|reason| reason.pointer.as_deref()).collect()
}

#[test]
fn ollama_refuses_what_refers_to_itself_and_says_where() {
    let table = [
        (
            r##"{"type":"object","properties":{"next":{"$ref":"#"}}}"##,
            &["/properties/next"][..],
        ),
        (
            r##"{"type":"object","properties":{"tree":{"$ref":"#/$defs/T"}},
                "$defs":{"T":{"type":"object","properties":{"kids":{"type":"array","items":{"$ref":"#/$defs/T"}}}}}}"##,
            &["/properties/tree"],
        ),
        (
            r##"{"type":"object","properties":{"a":{"$ref":"#/$defs/A"},"b":{"description":"x","$ref":"#/$defs/B"}},
                "$defs":{"A":{"type":"object","properties":{"b":{"$ref":"#/$defs/B"}}},
                         "B":{"type":"object","properties":{"a":{"$ref":"#/$defs/A"}}}}}"##,
            &["/properties/a", "/properties/b"],
        ),
        (
            r##"{"$ref":"#/$defs/T","$defs":{"T":{"type":"object","properties":{"kid":{"$ref":"#/$defs/T"}}}}}"##,
            &["/properties/kid"],
        ),
    ];
    for (text, expected) in table {
        let reasons = rewrite(text, &OLLAMA).expect_err(text);
        assert_eq!(
            pointers(&reasons, ReasonCode::Untranslatable).len(),
            expected.len(),
            "{text}"
        );
        let found = pointers(&reasons, ReasonCode::Untranslatable);
        for (found, expected) in found.iter().zip(expected) {
            assert!(found.ends_with(expected), "{text}: {found}");
        }
        assert!(reasons.iter().all(|reason| reason.message.contains("refers to itself")));
        for dialect in [&OPENAI_STRICT, &DASHSCOPE, &WATSONX] {
            assert!(rewrite(text, dialect).is_ok(), "{} takes {text}", dialect.name);
        }
    }
}

#[test]
fn a_definition_that_is_used_twice_is_no_recursion() {
    let text = r##"{"type":"object","properties":{"a":{"$ref":"#/$defs/P"},"b":{"$ref":"#/$defs/P"}},"required":["a"],
        "$defs":{"P":{"type":"object","properties":{"x":{"type":"integer"}},"required":["x"]}}}"##;
    assert_eq!(
        wire(text, &OLLAMA),
        concat!(
            r##"{"type":"object","properties":{"a":{"$ref":"#/$defs/P"},"b":{"$ref":"#/$defs/P"}},"required":["a"],"##,
            r##""additionalProperties":false,"##,
            r##""$defs":{"P":{"type":"object","properties":{"x":{"type":"integer"}},"required":["x"],"additionalProperties":false}}}"##
        )
    );
}

#[test]
fn optional_members_stay_optional_on_ollama_only() {
    let text = r#"{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}},"required":["b"]}"#;
    let ollama = rewrite(text, &OLLAMA).expect(text);
    assert_eq!(
        ollama.json,
        r#"{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}},"required":["b"],"additionalProperties":false}"#
    );
    assert!(ollama.reasons.is_empty());
    for dialect in [&DASHSCOPE, &WATSONX, &VLLM] {
        let rewritten = rewrite(text, dialect).expect(text);
        assert!(rewritten.json.contains(r#""a":{"type":["string","null"]}"#));
        assert!(rewritten.json.contains(r#""required":["a","b"]"#));
        assert_eq!(
            pointers(&rewritten.reasons, ReasonCode::OptionalMadeNullable),
            ["/properties/a"]
        );
    }
}

#[test]
fn each_keeps_the_restrictions_that_it_enforces() {
    let text = r#"{"type":"object","properties":{
        "n":{"type":"integer","minimum":1},"t":{"type":"string","minLength":2},"p":{"type":"string","pattern":"^a$"},
        "m":{"type":"integer","multipleOf":5},"d":{"type":"string","format":"date"},"e":{"type":"string","format":"email"},
        "l":{"type":"array","items":{"type":"string"},"maxItems":3}},
        "required":["n","t","p","m","d","e","l"]}"#;
    let table: [(&'static Dialect, &[&str]); 3] = [
        (
            &OLLAMA,
            &[
                "/properties/p/pattern",
                "/properties/m/multipleOf",
                "/properties/e/format",
            ],
        ),
        (
            &DASHSCOPE,
            &[
                "/properties/n/minimum",
                "/properties/t/minLength",
                "/properties/p/pattern",
                "/properties/m/multipleOf",
                "/properties/d/format",
                "/properties/e/format",
                "/properties/l/maxItems",
            ],
        ),
        (&WATSONX, &[]),
    ];
    for (dialect, moved) in table {
        let rewritten = rewrite(text, dialect).expect(text);
        assert_eq!(
            pointers(&rewritten.reasons, ReasonCode::KeywordMoved),
            moved,
            "{}",
            dialect.name
        );
    }
}

/// llama.cpp answers 400 to the first ones, and takes all memory of the machine for the second.
#[test]
fn ollama_gets_no_number_that_its_grammar_cannot_count() {
    let table = [
        (r#"{"type":"string","minLength":2001}"#, false),
        (r#"{"type":"array","items":{"type":"string"},"maxItems":2000}"#, false),
        (r#"{"type":"integer","minimum":9223372036854775807}"#, false),
        (r#"{"type":"integer","exclusiveMaximum":-9223372036854775807}"#, false),
        (r#"{"type":"integer","maximum":1e30}"#, false),
        (r#"{"type":"integer","minimum":0.5}"#, false),
        (r#"{"type":"number","minimum":3}"#, false),
        (r#"{"type":["integer","number"],"minimum":3}"#, false),
        (r#"{"type":"integer","minimum":-1000000000000000}"#, true),
        (r#"{"type":["integer","null"],"minimum":3}"#, true),
        (r#"{"type":"string","maxLength":1000}"#, true),
    ];
    for (node, kept) in table {
        let text = format!(r#"{{"type":"object","properties":{{"x":{node}}},"required":["x"]}}"#);
        let ollama = rewrite(&text, &OLLAMA).expect(&text);
        assert_eq!(ollama.json.contains(node), kept, "{node}: {}", ollama.json);
        let moved = pointers(&ollama.reasons, ReasonCode::KeywordMoved);
        assert_eq!(moved.is_empty(), kept, "{node}: {moved:?}");
        assert!(ollama.json.contains("description") != kept, "{node}: {}", ollama.json);
    }
}

#[test]
fn watsonx_takes_what_vllm_takes() {
    let text = r#"{"type":"object","properties":{"any":{},"map":{"type":"object","additionalProperties":{"type":"integer"}},
        "code":{"type":"string","pattern":"^[A-Z]+$","minLength":1}},"required":["any","map","code"]}"#;
    assert_eq!(wire(text, &WATSONX), wire(text, &VLLM));
}
