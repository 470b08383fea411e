//! From an answer's text to a checked value.

use flink_agents_native::error::{Error, ErrorKind};
use flink_agents_native::json::Json;
use flink_agents_native::schema::{Answer, MAX_VIOLATIONS, OPENAI_STRICT, OutputSchema, read_answer};

const PARCEL: &str = r#"{"type":"object","properties":{"code":{"type":"string"}},"required":["code"]}"#;

fn schema(text: &str) -> OutputSchema {
    let frame = Json::object([("form", Json::from("json")), ("text", Json::from(text))]);
    OutputSchema::from_frame(&frame).expect(text)
}

fn read(text: &str, answer: &str) -> Result<String, Error> {
    read_wrapped(text, answer, None)
}

fn read_wrapped(text: &str, answer: &str, wrapper: Option<&str>) -> Result<String, Error> {
    match read_answer(&schema(text), answer, wrapper)? {
        Answer::Json(json) => Ok(json),
        Answer::Row(_) => panic!("a document gives JSON"),
    }
}

fn pointer_of(error: &Error) -> &str {
    assert_eq!(error.kind, ErrorKind::InvalidOutput);
    error.details[0].1.as_text().unwrap()
}

#[test]
fn b045_fences_and_prose_around_json_are_stepped_over() {
    let cases = [
        "```json\n{\"code\":\"A\"}\n```",
        "```\n{\"code\":\"A\"}```",
        "```JSON {\"code\":\"A\"} ```",
        "Here it is:\n```json\n{\"code\":\"A\"}\n```\nHope it helps!",
        "  {\"code\":\"A\"}\n",
        "Sure: {\"code\":\"A\"}. Done.",
        "I read [1] and {that}: {\"code\":\"A\"}",
        "\u{feff}{\"code\":\"A\"}",
        "Not `{\"code\": 1}` ähm, but {\"code\":\"A\"}",
        "````\n{\"code\":\"A\"}\n````",
    ];
    for case in cases {
        assert_eq!(read(PARCEL, case).expect(case), r#"{"code":"A"}"#, "{case}");
    }
}

#[test]
fn b046_strings_inside_json_are_never_changed() {
    let cases = [
        (r#"{"code":"use `pip`"}"#, r#"{"code":"use `pip`"}"#),
        (r#"{"code":"```py\nx=1\n```"}"#, r#"{"code":"```py\nx=1\n```"}"#),
        (
            "```json\n{\"code\":\"wrap in ```json fences\"}\n```",
            r#"{"code":"wrap in ```json fences"}"#,
        ),
        (r#"{"code":"a</think>b"}"#, r#"{"code":"a</think>b"}"#),
        (
            r#"So: {"code":"a</think>b ```[1]```"}"#,
            r#"{"code":"a</think>b ```[1]```"}"#,
        ),
    ];
    for (case, expected) in cases {
        assert_eq!(read(PARCEL, case).expect(case), expected, "{case}");
    }
}

#[test]
fn b048_nothing_is_taken_from_reasoning() {
    let cases = [
        "<thinking>maybe {\"code\":\"B\"}?</thinking>\n{\"code\":\"A\"}",
        "<think>\n</think>{\"code\":\"A\"}",
        "plan...</think>{\"code\":\"A\"}",
        "<think>{\"code\":\"B\"}</think>\n```json\n{\"code\":\"A\"}\n```",
        "<think>a</think> <think>{\"code\":\"B\"}</think> so {\"code\":\"A\"}",
        "<think>open { and [ and \" in it</think>{\"code\":\"A\"}",
    ];
    for case in cases {
        assert_eq!(read(PARCEL, case).expect(case), r#"{"code":"A"}"#, "{case}");
    }
    for case in [
        "<think>{\"code\":\"B\"}",
        "<think>{\"code\":\"B\"}</think>sorry",
        "plan {\"code\":\"B\"}</think> no",
    ] {
        assert_eq!(read(PARCEL, case).unwrap_err().kind, ErrorKind::InvalidOutput, "{case}");
    }
}

#[test]
fn broken_json_is_not_mined_for_values() {
    let cases = [
        r#"{"items":[{"code":"A"}"#,
        r#"{"items":[{"code":"A"}], oops}"#,
        r#"Here: {"items":[{"code":"A"}"#,
        r#"Here: {"x":{"code":"A"} oops}"#,
        "```json\n{\"items\":[{\"code\":\"A\"}\n```",
        r#""{\"code\":\"A\"}"#,
    ];
    for case in cases {
        let error = read(PARCEL, case).expect_err(case);
        assert_eq!(pointer_of(&error), "", "{case}");
    }
    let error = read(PARCEL, r#"{"code":"A""#).unwrap_err();
    assert_eq!(error.message, "the answer's JSON is broken or incomplete at byte 11");
    assert_eq!(error.details[1], ("offset", Json::Int(11)));
    assert_eq!(read(PARCEL, " \n").unwrap_err().message, "the answer is empty");
    assert_eq!(
        read(PARCEL, "no idea").unwrap_err().message,
        "the answer holds no JSON value"
    );
}

#[test]
fn of_several_values_in_prose_the_one_that_fits_counts_and_two_are_none() {
    assert_eq!(
        read(PARCEL, r#"From {"id":1} I get {"code":"A"}."#).unwrap(),
        r#"{"code":"A"}"#
    );
    assert_eq!(
        read(PARCEL, r#"{"code":"A"}{"code":"A"}"#).unwrap_err().message,
        "the answer's JSON is broken or incomplete at byte 12"
    );
    assert!(read(PARCEL, r#"So {"code":"A"}, again {"code":"A"}"#).is_ok());
    let error = read(PARCEL, r#"Either {"code":"A"} or {"code":"B"}"#).unwrap_err();
    assert!(error.message.contains("several JSON values"));
}

#[test]
fn b070_numbers_are_exact_and_a_long_has_its_range() {
    let ledger = r#"{"type":"object","properties":{"id":{"type":"integer"},"max":{"type":"integer","maximum":9223372036854775807},"big":{"type":"integer"},"price":{"type":"number"},"cent":{"type":"number"}},"required":["id","max","big","price","cent"]}"#;
    let answer = r#"{"id":9007199254740993,"max":9223372036854775807,"big":9223372036854775817,"price":1234567890.123456789,"cent":1.10}"#;
    assert_eq!(read(ledger, answer).unwrap(), answer);
    let over = answer.replace("775807", "775808");
    assert_eq!(pointer_of(&read(ledger, &over).unwrap_err()), "/max");
}

#[test]
fn b071_integers_in_any_notation_pass_and_the_rest_names_its_place() {
    let count = r#"{"type":"object","properties":{"n":{"type":"integer","minimum":-2147483648,"maximum":2147483647}},"required":["n"]}"#;
    for good in [r#"{"n":1.5009969E7}"#, r#"{"n":15009969.0}"#] {
        assert_eq!(read(count, good).unwrap(), good);
    }
    for bad in [r#"{"n":3.7}"#, r#"{"n":2147483648}"#, r#"{"n":"42"}"#] {
        assert_eq!(pointer_of(&read(count, bad).unwrap_err()), "/n", "{bad}");
    }
}

#[test]
fn the_validators_known_fault_is_only_the_rounding_of_a_decimal_against_a_huge_bound() {
    let bound = r#"{"type":"number","maximum":99999999999999999999}"#;
    for over in ["100000000000000000000", "100000000000000100000.5", "1.5e30"] {
        assert!(read(bound, over).is_err(), "{over}");
    }
    // Wrong within the precision of a double. When this fails, the validator was repaired: take the note out of `Checker`.
    assert!(read(bound, "99999999999999999999.5").is_ok());
    let within_64_bits = r#"{"type":"number","maximum":9223372036854775807}"#;
    assert!(read(within_64_bits, "9223372036854775807.5").is_err());
}

#[test]
fn b019_the_answer_is_checked_against_what_left_the_wire() {
    let score = r#"{"type":"object","properties":{"score":{"type":"integer","minimum":1,"maximum":10},"note":{"type":"string","minLength":1}},"required":["score","note"]}"#;
    let error = read(score, r#"{"score":11,"note":""}"#).unwrap_err();
    assert_eq!(pointer_of(&error), "/score");
    assert_eq!(
        error.message,
        "the answer does not fit the schema at `/score`: expected at most 10 (rule `maximum`); 1 more violation"
    );
    let second = &error.details[1].1.as_array().unwrap()[1];
    assert_eq!(
        second.to_json(),
        r#"{"pointer":"/note","keyword":"minLength","expected":"at least 1 character"}"#
    );
}

#[test]
fn b010_b016_the_wrapper_is_undone_and_its_absence_forgiven() {
    let list = format!(r#"{{"type":"array","items":{PARCEL}}}"#);
    let wrapper = schema(&list).rewrite(&OPENAI_STRICT).unwrap().wrapper;
    assert_eq!(wrapper, Some("values"));
    for answer in [r#"{"values":[{"code":"A"}]}"#, r#"[{"code":"A"}]"#] {
        assert_eq!(read_wrapped(&list, answer, wrapper).unwrap(), r#"[{"code":"A"}]"#);
    }
    let error = read_wrapped(&list, r#"{"values":[{"code":1}]}"#, wrapper).unwrap_err();
    assert_eq!(pointer_of(&error), "/0/code");
    // A root that looks like the wrapper itself.
    let own = r#"{"anyOf":[{"type":"object","properties":{"value":{"type":"integer"}},"required":["value"]},{"type":"string"}]}"#;
    assert_eq!(
        read_wrapped(own, r#"{"value":5}"#, Some("value")).unwrap(),
        r#"{"value":5}"#
    );
    assert_eq!(
        read_wrapped(own, r#"{"value":{"value":5}}"#, Some("value")).unwrap(),
        r#"{"value":5}"#
    );
    assert_eq!(read_wrapped(own, r#"{"value":"x"}"#, Some("value")).unwrap(), r#""x""#);
}

#[test]
fn b001_a_null_in_an_optional_member_counts_as_absent() {
    let parcel = r#"{"type":"object","properties":{"code":{"type":"string"},"parent":{"type":"string"},"weight":{"type":["integer","null"]}},"required":["code"],"additionalProperties":false}"#;
    assert_eq!(
        read(parcel, r#"{"code":"A","parent":null,"weight":null}"#).unwrap(),
        r#"{"code":"A","weight":null}"#
    );
    let error = read(parcel, r#"{"code":null,"parent":null}"#).unwrap_err();
    assert_eq!(pointer_of(&error), "/code");
    let error = read(parcel, r#"{"code":"A","other":null}"#).unwrap_err();
    assert_eq!(pointer_of(&error), "/other");
}

#[test]
fn nulls_are_dropped_wherever_the_schema_reaches() {
    let table = [
        // Through a list and a reference.
        (
            r##"{"type":"array","items":{"$ref":"#/$defs/P"},"$defs":{"P":{"type":"object","properties":{"a":{"type":"string"}}}}}"##,
            r#"[{"a":null},{"a":"x"}]"#,
            Some(r#"[{},{"a":"x"}]"#),
        ),
        // Through allOf.
        (
            r#"{"allOf":[{"properties":{"a":{"type":"string"}}},{"properties":{"b":{"type":"object","properties":{"c":{"const":1}}}}}]}"#,
            r#"{"a":null,"b":{"c":null}}"#,
            Some(r#"{"b":{}}"#),
        ),
        // The branch that the constant picks.
        (
            r#"{"anyOf":[{"type":"object","properties":{"k":{"const":"x"},"v":{"type":"integer"}},"required":["k"]},{"type":"object","properties":{"k":{"const":"y"},"v":{"type":"integer"}},"required":["k","v"]}]}"#,
            r#"{"k":"x","v":null}"#,
            Some(r#"{"k":"x"}"#),
        ),
        (
            r#"{"anyOf":[{"type":"object","properties":{"k":{"const":"x"},"v":{"type":"integer"}},"required":["k"]},{"type":"object","properties":{"k":{"const":"y"},"v":{"type":"integer"}},"required":["k","v"]}]}"#,
            r#"{"k":"y","v":null}"#,
            None,
        ),
        // Null is one of the values, so it is meant.
        (
            r#"{"properties":{"a":{"enum":["x",null]},"b":{"type":"string"}}}"#,
            r#"{"a":null,"b":null}"#,
            Some(r#"{"a":null}"#),
        ),
        // Recursion.
        (
            r##"{"type":"object","properties":{"next":{"$ref":"#"},"n":{"type":"integer"}}}"##,
            r#"{"next":{"next":null,"n":null},"n":1}"#,
            Some(r#"{"next":{},"n":1}"#),
        ),
        // Members of a map.
        (
            r#"{"type":"object","additionalProperties":{"type":"object","properties":{"a":{"type":"string"}}}}"#,
            r#"{"k":{"a":null}}"#,
            Some(r#"{"k":{}}"#),
        ),
    ];
    for (schema, answer, expected) in table {
        assert_eq!(read(schema, answer).ok().as_deref(), expected, "{schema} {answer}");
    }
}

#[test]
fn violations_name_rule_and_place_and_never_the_value() {
    let text = r#"{"type":"object","properties":{"a/b":{"type":["string","null"]},"u":{"anyOf":[{"type":"object","properties":{"n":{"type":"integer"}}},{"type":"null"}]},"f":{"type":"string","format":"date"},"c":{"const":"k"}},"required":["z"],"additionalProperties":false}"#;
    let error = read(
        text,
        r#"{"a/b":12345,"u":{"n":"hush"},"f":"hush","c":"hush","hush-member":1}"#,
    )
    .unwrap_err();
    let listed = error.details[1].1.as_array().unwrap();
    let mut found: Vec<(&str, &str)> = listed
        .iter()
        .map(|violation| {
            let text = |key| violation.get(key).and_then(Json::as_text).unwrap();
            (text("pointer"), text("keyword"))
        })
        .collect();
    found.sort();
    assert_eq!(
        found,
        [
            ("/a~1b", "type"),
            ("/c", "const"),
            ("/f", "format"),
            ("/hush-member", "additionalProperties"),
            ("/u/n", "type"),
            ("/z", "required"),
        ]
    );
    assert!(!error.message.contains("hush\"") && !error.message.contains("12345"));
}

#[test]
fn violations_are_capped() {
    let list = r#"{"type":"array","items":{"type":"string"}}"#;
    let answer = format!("[{}0]", "0,".repeat(99));
    let error = read(list, &answer).unwrap_err();
    assert_eq!(error.details[1].1.as_array().unwrap().len(), MAX_VIOLATIONS);
    assert!(
        error.message.ends_with("; at least 19 more violations"),
        "{}",
        error.message
    );
}

#[test]
fn b081_formats_take_what_java_time_writes() {
    let stamp = r#"{"type":"object","properties":{"id":{"type":"string","format":"uuid"},"at":{"type":"string","format":"time"},"local":{"type":"string","format":"date-time"},"seen":{"type":"string","format":"date-time"},"took":{"type":"string","format":"duration"}},"required":["id"]}"#;
    let answer = r#"{"id":"123e4567-e89b-12d3-a456-426614174000","at":"09:30:00","local":"2024-05-01T09:30:00","seen":"2024-05-01T09:30:00+02:00","took":"PT15M"}"#;
    assert_eq!(read(stamp, answer).unwrap(), answer);
    assert_eq!(
        pointer_of(&read(stamp, &answer.replace("PT15M", "15 min")).unwrap_err()),
        "/took"
    );
    let mail = r#"{"type":"string","format":"email"}"#;
    assert!(read(mail, r#""a@example.com""#).is_ok());
    assert!(read(mail, r#""nobody""#).is_err());
    assert!(read(r#"{"type":"string","format":"tracking-code"}"#, r#""x""#).is_ok());
}

#[test]
fn a_hostile_pattern_takes_linear_time() {
    let text = r#"{"type":"string","pattern":"^(a+)+$"}"#;
    let answer = format!("\"{}b\"", "a".repeat(50_000));
    let start = std::time::Instant::now();
    assert!(read(text, &answer).is_err());
    assert!(start.elapsed().as_secs() < 5);
}

#[test]
fn b068_an_unpaired_surrogate_does_not_lose_the_answer() {
    assert_eq!(
        read(PARCEL, r#"{"code":"a\ud83db"}"#).unwrap(),
        "{\"code\":\"a\u{fffd}b\"}"
    );
}

#[test]
fn a_key_that_stands_twice_is_read_as_it_was_checked() {
    let answer = r#"{"code":5,"code":"A","more":{"a":1,"a":2}}"#;
    assert_eq!(read(PARCEL, answer).unwrap(), r#"{"code":"A","more":{"a":2}}"#);
    assert_eq!(
        pointer_of(&read(PARCEL, r#"{"code":"A","code":5}"#).unwrap_err()),
        "/code"
    );
}

#[test]
fn numbers_that_no_arithmetic_holds_are_refused() {
    let schema = r#"{"type":"object","properties":{"x":{"type":"number"}}}"#;
    for number in [
        "1e10000",
        "1e-10000",
        "1e99999999999",
        "1E+2147483648",
        "-1e-99999999999",
    ] {
        let error = read(schema, &format!("{{\"x\":{number}}}")).unwrap_err();
        assert_eq!(error.kind, ErrorKind::InvalidOutput, "{number}");
    }
    let long = format!("{{\"x\":{}}}", "9".repeat(10_001));
    assert_eq!(read(schema, &long).unwrap_err().kind, ErrorKind::InvalidOutput);
    for number in ["1e400", "1e1000", "1e-1000", "1e0000000000005"] {
        read(schema, &format!("{{\"x\":{number}}}")).expect(number);
    }
}

/// Quadratic reading would take minutes here.
#[test]
fn hostile_prose_is_read_in_linear_time() {
    let started = std::time::Instant::now();
    for answer in [
        format!("x {}[", "`".repeat(1_000_000)),
        "[".repeat(1_000_000),
        format!("<think>{}", "{".repeat(1_000_000)),
        "x ```[".repeat(200_000),
    ] {
        assert_eq!(read(PARCEL, &answer).unwrap_err().kind, ErrorKind::InvalidOutput);
    }
    assert!(started.elapsed().as_secs() < 20, "{:?}", started.elapsed());
}
