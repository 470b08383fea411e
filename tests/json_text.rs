//! JSON text: what is read, what is refused, what is written. serde_json is the oracle where it can be one.

use flink_agents_native::json::{Json, MAX_DEPTH, parse, parse_prefix, pointer, write_text};
use proptest::prelude::*;
use std::borrow::Cow;

fn read(text: &str) -> Json<'_> {
    parse(text.as_bytes()).expect(text)
}

fn error(text: &[u8]) -> String {
    parse(text).expect_err("must be refused").message
}

#[test]
fn numbers_stay_exact() {
    let cases: &[(&str, Json<'static>)] = &[
        ("0", Json::Int(0)),
        ("-1", Json::Int(-1)),
        ("9223372036854775807", Json::Int(i64::MAX)),
        ("-9223372036854775808", Json::Int(i64::MIN)),
        ("9223372036854775808", Json::UInt(9_223_372_036_854_775_808)),
        ("18446744073709551615", Json::UInt(u64::MAX)),
        ("18446744073709551616", Json::Number("18446744073709551616".into())),
        ("-9223372036854775809", Json::Number("-9223372036854775809".into())),
        ("-0", Json::Number("-0".into())),
        ("1.10", Json::Number("1.10".into())),
        ("1E400", Json::Number("1E400".into())),
        ("0e+1", Json::Number("0e+1".into())),
    ];
    for (text, expected) in cases {
        assert_eq!(&read(text), expected, "{text}");
        assert_eq!(&read(text).to_json(), text);
    }
}

#[test]
fn b070_large_and_scaled_numbers_are_written_as_they_were_read() {
    let text = r#"{"id":9007199254740993,"max":9223372036854775807,"big":9223372036854775817,"price":1234567890.123456789,"cent":1.10}"#;
    assert_eq!(read(text).to_json(), text);
}

#[test]
fn keys_that_serde_json_keeps_for_itself_are_ordinary_keys() {
    for text in [
        r#"{"$serde_json::private::Number":"7"}"#,
        r#"{"$serde_json::private::RawValue":"[1,2]"}"#,
    ] {
        assert_eq!(read(text).to_json(), text);
        assert!(read(text).to_value().is_object());
    }
}

#[test]
fn b068_unpaired_surrogates_become_the_replacement_character() {
    let cases = [
        (r#""a\ud83db""#, "a\u{fffd}b"),
        (r#""\udc00""#, "\u{fffd}"),
        (r#""\ud83d\ud83d\ude00""#, "\u{fffd}😀"),
        (r#""\ud83d\u0041""#, "\u{fffd}A"),
        (r#""\ud83d\n""#, "\u{fffd}\n"),
        (r#""\uD83D\uDE00""#, "😀"),
    ];
    for (text, expected) in cases {
        assert_eq!(read(text).as_text(), Some(expected), "{text}");
    }
}

#[test]
fn b066_b067_nul_and_astral_characters_survive_both_ways() {
    let text = "a\0b x\u{1f575}y \u{20bb7}";
    let mut out = Vec::new();
    write_text(text, &mut out);
    assert_eq!(out, "\"a\\u0000b x\u{1f575}y \u{20bb7}\"".as_bytes());
    assert_eq!(parse(&out).unwrap().as_text(), Some(text));
}

#[test]
fn strings_without_escapes_borrow() {
    assert!(matches!(
        read(r#""plain text, long enough""#),
        Json::Text(Cow::Borrowed(_))
    ));
    assert!(matches!(read(r#""tab\t""#), Json::Text(Cow::Owned(_))));
}

#[test]
fn errors_name_offset_and_expectation() {
    let cases: &[(&[u8], &str)] = &[
        (b"", "invalid JSON at byte 0: expected a value"),
        (b"{\"a\" 1}", "invalid JSON at byte 5: expected ':'"),
        (b"{\"a\":1,}", "invalid JSON at byte 7: expected a member name"),
        (b"[1 2]", "invalid JSON at byte 3: expected ',' or ']'"),
        (b"[1,]", "invalid JSON at byte 3: expected a value"),
        (b"{\"a\":1", "invalid JSON at byte 6: expected ',' or '}'"),
        (b"1 1", "invalid JSON at byte 2: expected the end of the document"),
        (b"01", "invalid JSON at byte 1: expected the end of the document"),
        (b"-", "invalid JSON at byte 1: expected a digit"),
        (b"1.", "invalid JSON at byte 2: expected a digit"),
        (b"1e+", "invalid JSON at byte 3: expected a digit"),
        (b"\"abc", "invalid JSON at byte 4: expected the end of the string"),
        (b"\"\\x\"", "invalid JSON at byte 2: expected an escape character"),
        (b"\"\\u12G4\"", "invalid JSON at byte 5: expected a hexadecimal digit"),
        (b"tru", "invalid JSON at byte 0: expected a value"),
        (b"NaN", "invalid JSON at byte 0: expected a value"),
        (b"\"\xff\"", "invalid JSON at byte 1: expected valid UTF-8"),
        (b"\"\xed\xa0\x80\"", "invalid JSON at byte 1: expected valid UTF-8"),
    ];
    for (text, expected) in cases {
        assert_eq!(&error(text), expected);
    }
    assert!(error(b"\"secret\x01\"").starts_with("invalid JSON at byte 7: expected an escape"));
}

#[test]
fn a_leading_byte_order_mark_is_skipped() {
    assert_eq!(parse(b"\xEF\xBB\xBF{}").unwrap(), Json::Object(Vec::new()));
    assert!(parse(b"{}\xEF\xBB\xBF").is_err());
}

#[test]
fn nesting_has_a_bound_and_a_bomb_is_an_error() {
    let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    assert!(parse(nested(MAX_DEPTH).as_bytes()).is_ok());
    assert_eq!(
        error(nested(MAX_DEPTH + 1).as_bytes()),
        "invalid JSON at byte 128: expected at most 128 levels of nesting"
    );
    for bomb in ["[", "{\"a\":", "[{\"a\":"] {
        assert!(error(bomb.repeat(1_000_000).as_bytes()).contains("128 levels"));
    }
}

#[test]
fn a_small_java_stack_is_enough() {
    let run = || {
        let text = format!("{}1{}", "{\"a\":[".repeat(64), "]}".repeat(64));
        let value = parse(text.as_bytes()).unwrap();
        assert_eq!(value.to_json(), text);
        drop(value.to_value());
    };
    std::thread::Builder::new()
        .stack_size(256 * 1024)
        .spawn(run)
        .unwrap()
        .join()
        .unwrap();
}

#[test]
fn a_value_can_be_read_out_of_prose() {
    let text = "Here: {\"a\":[1]} and more";
    let (value, end) = parse_prefix(text, 6).unwrap();
    assert_eq!(value.to_json(), r#"{"a":[1]}"#);
    assert_eq!(&text[end..], " and more");
    assert!(parse_prefix(text, 1000).is_err());
}

#[test]
fn pointers_escape_and_resolve() {
    let document = read(r#"{"a/b":{"m~n":[10,{"":1}]},"":0}"#);
    let inner = pointer::child(&pointer::child("", "a/b"), "m~n");
    assert_eq!(inner, "/a~1b/m~0n");
    assert_eq!(
        pointer::resolve(&document, &pointer::child(&inner, "0")),
        Some(&Json::Int(10))
    );
    assert_eq!(pointer::resolve(&document, "/a~1b/m~0n/1/"), Some(&Json::Int(1)));
    assert_eq!(pointer::resolve(&document, "/"), Some(&Json::Int(0)));
    assert_eq!(pointer::resolve(&document, ""), Some(&document));
    for dangling in ["a", "/x", "/a~1b/m~0n/01", "/a~1b/m~0n/2", "/a~1b/m~0n/-1", "//0"] {
        assert_eq!(pointer::resolve(&document, dangling), None, "{dangling}");
    }
}

/// Any JSON value, exact numbers included.
fn any_json() -> impl Strategy<Value = Json<'static>> {
    let number = "-?(0|[1-9][0-9]{0,25})(\\.[0-9]{1,20})?([eE][+-]?[0-9]{1,3})?";
    let leaf = prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::Bool),
        any::<i64>().prop_map(Json::Int),
        any::<u64>().prop_map(Json::from),
        number.prop_map(|text| parse(text.as_bytes()).unwrap().into_owned()),
        any::<String>().prop_map(Json::from),
    ];
    leaf.prop_recursive(5, 60, 6, |inner| {
        let members = proptest::collection::btree_map(any::<String>(), inner.clone(), 0..6);
        prop_oneof![
            proptest::collection::vec(inner, 0..6).prop_map(Json::Array),
            members.prop_map(|map| Json::Object(map.into_iter().map(|(k, v)| (Cow::Owned(k), v)).collect())),
        ]
    })
}

proptest! {
    #[test]
    fn what_is_written_reads_back_equal(value in any_json()) {
        let text = value.to_json();
        prop_assert_eq!(&parse(text.as_bytes()).unwrap(), &value);
        let oracle: serde_json::Value = serde_json::from_str(&text).unwrap();
        prop_assert_eq!(value.to_value(), oracle);
    }

    #[test]
    fn strings_are_written_as_serde_json_writes_them(text in any::<String>()) {
        let mut out = Vec::new();
        write_text(&text, &mut out);
        prop_assert_eq!(String::from_utf8(out).unwrap(), serde_json::to_string(&text).unwrap());
    }

    #[test]
    fn serde_json_accepts_exactly_the_same_texts(text in r#"[\[\]{}:,"\\ue0-9.+\-tfn \nÄ]{0,12}|(\[|\{"a":)?(true|false|null|-?[0-9.eE+-]{1,6}|"[a\\u0"]{0,8}")(\]|\}|,)?"#) {
        let ours = parse(text.as_bytes());
        match serde_json::from_str::<serde_json::Value>(&text) {
            Ok(oracle) => prop_assert_eq!(ours.map(|value| value.to_value()).ok(), Some(oracle)),
            Err(_) => prop_assert!(ours.is_err(), "{}", text),
        }
    }

    #[test]
    fn no_bytes_make_the_reader_panic(bytes in proptest::collection::vec(any::<u8>(), 0..40)) {
        let _ = parse(&bytes);
    }
}
