//! Frames: what crosses exactly, and what is refused and where.

use std::borrow::Cow;

use flink_agents_native::error::{Error, ErrorKind};
use flink_agents_native::jni::frame::{self, FRAME_VERSION, MAX_DEPTH, MAX_FRAME_BYTES, NUMBER_EXTENSION};
use flink_agents_native::json::Json;
use proptest::prelude::*;

fn text(value: &str) -> Json<'_> {
    Json::from(value)
}

fn number(value: &str) -> Json<'_> {
    Json::Number(Cow::Borrowed(value))
}

fn root(value: Json<'_>) -> Json<'_> {
    Json::Object(vec![(Cow::Borrowed("v"), value)])
}

/// A frame `{"v": ...}` around the bytes of one value.
fn framed(value: &[u8]) -> Vec<u8> {
    [&[0x81, 0xa1, b'v'], value].concat()
}

fn refused(frame: &[u8]) -> Error {
    let error = frame::read(frame).expect_err("refused");
    assert_eq!(error.kind, ErrorKind::Frame);
    error
}

#[test]
fn the_frame_table_is_the_documented_one() {
    assert_eq!(FRAME_VERSION, 1);
    assert_eq!(NUMBER_EXTENSION, 1);
    assert_eq!(MAX_FRAME_BYTES, 268_435_456);
    assert_eq!(MAX_DEPTH, 128);
    let document = std::fs::read_to_string("docs/boundary.md").expect("the document");
    for row in [
        "| frame version | 1 |",
        "| largest frame | 268435456 bytes |",
        "| deepest frame | 128 levels |",
    ] {
        assert!(document.contains(row), "{row}");
    }
}

#[test]
fn values_are_written_in_their_shortest_form() {
    let table: [(Json<'_>, &[u8]); 17] = [
        (Json::Null, &[0xc0]),
        (Json::Bool(false), &[0xc2]),
        (Json::Bool(true), &[0xc3]),
        (Json::Int(0), &[0x00]),
        (Json::Int(127), &[0x7f]),
        (Json::Int(128), &[0xcc, 0x80]),
        (Json::Int(-1), &[0xff]),
        (Json::Int(-32), &[0xe0]),
        (Json::Int(-33), &[0xd0, 0xdf]),
        (Json::Int(i64::MIN), &[0xd3, 0x80, 0, 0, 0, 0, 0, 0, 0]),
        (
            Json::Int(i64::MAX),
            &[0xcf, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
        ),
        (
            Json::UInt(u64::MAX),
            &[0xcf, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
        ),
        (text("é"), &[0xa2, 0xc3, 0xa9]),
        (Json::Bytes(Cow::Borrowed(&[1, 2])), &[0xc4, 2, 1, 2]),
        (Json::Array(vec![]), &[0x90]),
        (Json::Object(vec![]), &[0x80]),
        (number("1.10"), &[0xd6, 1, b'1', b'.', b'1', b'0']),
    ];
    for (value, bytes) in table {
        let frame = framed(bytes);
        assert_eq!(frame::write(&root(value.clone())).expect("written"), frame, "{value:?}");
        assert_eq!(frame::read(&frame).expect("read"), root(value));
    }
}

#[test]
fn longer_forms_of_a_value_are_read_too() {
    let table: [(&[u8], Json<'_>); 7] = [
        (&[0xcd, 0, 5], Json::Int(5)),
        (&[0xd3, 0, 0, 0, 0, 0, 0, 0, 5], Json::Int(5)),
        (&[0xcf, 0x80, 0, 0, 0, 0, 0, 0, 0], Json::UInt(1 << 63)),
        (&[0xd9, 1, b'a'], text("a")),
        (&[0xdb, 0, 0, 0, 1, b'a'], text("a")),
        (&[0xdd, 0, 0, 0, 1, 0xc0], Json::Array(vec![Json::Null])),
        (&[0xc9, 0, 0, 0, 3, 1, b'0', b'.', b'5'], number("0.5")),
    ];
    for (bytes, value) in table {
        assert_eq!(frame::read(&framed(bytes)).expect("read"), root(value));
    }
}

#[test]
fn number_texts_become_integers_where_that_loses_nothing() {
    let table = [
        ("7", Json::Int(7)),
        ("-9223372036854775808", Json::Int(i64::MIN)),
        ("9223372036854775807", Json::Int(i64::MAX)),
        ("9223372036854775808", Json::UInt(1 << 63)),
        ("18446744073709551615", Json::UInt(u64::MAX)),
        ("18446744073709551616", number("18446744073709551616")),
        ("-9223372036854775809", number("-9223372036854775809")),
        ("-0", number("-0")),
        ("1.0", number("1.0")),
        ("1e3", number("1e3")),
        ("-1.50E-400", number("-1.50E-400")),
        ("1e+1000000000", number("1e+1000000000")),
    ];
    for (written, value) in table {
        let length = u8::try_from(written.len()).expect("short");
        let frame = framed(&[&[0xc7, length, 1], written.as_bytes()].concat());
        assert_eq!(frame::read(&frame).expect("read"), root(value.clone()), "{written}");
        let again = frame::write(&root(number(written))).expect("written");
        assert_eq!(frame::read(&again).expect("read"), root(value), "{written}");
    }
}

#[test]
fn number_texts_that_are_no_json_numbers_are_refused_both_ways() {
    for written in [
        "", "-", "01", "-01", "1.", ".5", "+1", "1e", "1e+", "0x1", "NaN", "Infinity", " 1", "1 ", "1,0", "１",
    ] {
        let length = u8::try_from(written.len()).expect("short");
        let frame = framed(&[&[0xc7, length, 1], written.as_bytes()].concat());
        assert!(refused(&frame).message.contains("number"), "{written}");
        let error = frame::write(&root(number(written))).expect_err("refused");
        assert_eq!(error.kind, ErrorKind::Frame);
    }
}

#[test]
fn what_breaks_the_table_is_refused_with_its_place() {
    let table: [(&[u8], &str, &str); 12] = [
        (&[0xcb, 0x3f, 0xf0, 0, 0, 0, 0, 0, 0], "float", "/v"),
        (&[0xca, 0x7f, 0xc0, 0, 0], "float", "/v"),
        (&[0xc1], "0xc1", "/v"),
        (&[0xd4, 2, 0], "extension 2", "/v"),
        (&[0xd4, 0xff, 0], "extension -1", "/v"),
        (&[0xa2, 0xc3, 0x28], "no UTF-8", "/v"),
        (&[0xa3, 0xed, 0xa0, 0x80], "no UTF-8", "/v"),
        (&[0x92, 0xc0, 0xa5, b'x'], "5 bytes expected, 1 left", "/v/1"),
        (&[0x82, 0xa1, b'a', 0xc0, 0xa1, b'a', 0xc0], "twice", "/v/a"),
        (&[0x81, 0x01, 0xc0], "a key that is no text", "/v"),
        (&[0x81, 0xa3, b'a', b'/', b'~', 0xc1], "0xc1", "/v/a~1~0"),
        (&[0xdd, 0xff, 0xff, 0xff, 0xff], "4294967295 bytes expected", "/v"),
    ];
    for (bytes, part, pointer) in table {
        let error = refused(&framed(bytes));
        assert!(error.message.contains(part), "{part}: {}", error.message);
        assert!(error.message.contains(" at byte "), "{}", error.message);
        assert_eq!(error.details, vec![("pointer", text(pointer).into_owned())], "{part}");
    }
}

#[test]
fn invalid_utf_8_is_reported_at_its_first_bad_byte() {
    assert!(
        refused(&framed(&[0xa4, b'a', b'b', 0xff, b'c']))
            .message
            .contains("at byte 6")
    );
}

#[test]
fn a_frame_is_one_map_and_nothing_else() {
    refused(&[]);
    refused(&[0xc0]);
    refused(&[0x90]);
    refused(&[0xa1, b'a']);
    assert!(refused(&[0x80, 0xc0]).message.contains("1 bytes follow"));
    let error = frame::write(&Json::Array(vec![])).expect_err("no map");
    assert_eq!(error.kind, ErrorKind::Frame);
    assert!(error.message.contains("an array"));
}

#[test]
fn nul_and_astral_characters_survive() {
    let value = root(text("a\u{0}b \u{1f980} \u{10ffff}"));
    let frame = frame::write(&value).expect("written");
    assert_eq!(frame::read(&frame).expect("read"), value);
}

#[test]
fn texts_and_bytes_borrow_from_the_frame() {
    let frame = frame::write(&Json::Object(vec![
        ("t".into(), text("borrowed")),
        ("b".into(), Json::Bytes(Cow::Borrowed(b"bytes"))),
        ("n".into(), number("0.10")),
    ]));
    let frame = frame.expect("written");
    let Json::Object(members) = frame::read(&frame).expect("read") else {
        panic!("no map");
    };
    for (key, value) in &members {
        assert!(matches!(key, Cow::Borrowed(_)));
        let borrowed = match value {
            Json::Text(text) | Json::Number(text) => matches!(text, Cow::Borrowed(_)),
            Json::Bytes(bytes) => matches!(bytes, Cow::Borrowed(_)),
            other => panic!("{other:?}"),
        };
        assert!(borrowed, "{key}");
    }
}

#[test]
fn of_a_key_that_stands_twice_the_last_value_is_written_in_the_first_place() {
    let twice = Json::Object(vec![
        ("a".into(), Json::Int(1)),
        ("b".into(), Json::Int(2)),
        ("a".into(), Json::Int(3)),
    ]);
    let frame = frame::write(&twice).expect("written");
    let expected = Json::Object(vec![("a".into(), Json::Int(3)), ("b".into(), Json::Int(2))]);
    assert_eq!(frame::read(&frame).expect("read"), expected);
}

/// Small maps compare their keys with one another, larger ones use a tree: both must see the same.
#[test]
fn maps_of_every_size_find_a_key_that_stands_twice() {
    for size in [2, 3, 15, 16, 17, 18, 40] {
        for (first, second) in [(0, size - 1), (0, 1), (size - 2, size - 1), (size / 2 - 1, size - 1)] {
            let name = |index: usize| format!("k{}", if index == second { first } else { index });
            let value = |index: usize| Json::Int(i64::try_from(index).expect("small"));
            let members: Vec<_> = (0..size).map(|index| (Cow::Owned(name(index)), value(index))).collect();

            let mut expected = members.clone();
            expected[first].1 = value(second);
            expected.remove(second);
            let frame = frame::write(&Json::Object(members)).expect("written");
            assert_eq!(
                frame::read(&frame).expect("read"),
                Json::Object(expected),
                "{size} {first} {second}"
            );

            let mut twice = vec![0xde, 0, u8::try_from(size).expect("small")];
            for index in 0..size {
                let name = name(index);
                twice.push(0xa0 | u8::try_from(name.len()).expect("short"));
                twice.extend(name.bytes());
                twice.push(0xc0);
            }
            assert!(
                refused(&twice).message.contains("a key that stands twice"),
                "{size} {first} {second}"
            );
        }
    }
}

fn nested_arrays(levels: usize) -> Vec<u8> {
    framed(&[vec![0x91; levels], vec![0xc0]].concat())
}

#[test]
fn depth_is_bounded_both_ways() {
    let deepest = nested_arrays(MAX_DEPTH - 1);
    let value = frame::read(&deepest).expect("the deepest frame");
    assert_eq!(frame::write(&value).expect("written"), deepest);
    assert!(
        refused(&nested_arrays(MAX_DEPTH))
            .message
            .contains("deeper than 128 levels")
    );
    let error = frame::write(&root(Json::Array(vec![value]))).expect_err("too deep");
    assert!(error.message.contains("deeper than 128 levels"));
}

#[test]
fn depth_bombs_are_errors_on_a_small_stack() {
    let bombs = [
        nested_arrays(1_000_000),
        [0x81, 0xa1, b'a'].repeat(1_000_000),
        framed(&[0xdd, 0, 0, 0, 1].repeat(1_000_000)),
        [0xdf, 0, 0, 0, 1, 0xa1, b'a'].repeat(1_000_000),
    ];
    let small = std::thread::Builder::new().stack_size(200 * 1024);
    let thread = small.spawn(move || {
        let deepest = nested_arrays(MAX_DEPTH - 1);
        let value = frame::read(&deepest).expect("the deepest frame");
        assert_eq!(frame::write(&value).expect("written"), deepest);
        for bomb in &bombs {
            assert!(refused(bomb).message.contains("deeper than"));
        }
    });
    thread.expect("started").join().expect("no overflow");
}

#[test]
fn nested_claims_that_are_each_possible_run_out_together() {
    let claims = [[0xdd, 0, 0x0f, 0, 0].repeat(100), vec![0xc0; 1_000_000]].concat();
    assert!(refused(&framed(&claims)).message.contains("bytes expected, 0 left"));
}

#[test]
fn a_frame_above_the_limit_is_refused_both_ways() {
    let large = vec![0; MAX_FRAME_BYTES + 1];
    assert!(refused(&large).message.contains("268435456"));
    let value = root(Json::Bytes(Cow::Borrowed(large.as_slice())));
    let error = frame::write(&value).expect_err("too large");
    assert_eq!(error.kind, ErrorKind::Frame);
    assert!(error.message.contains("larger than the limit"));
}

fn tree() -> impl Strategy<Value = Json<'static>> {
    let decimal = (any::<i128>(), any::<u32>(), any::<Option<i16>>()).prop_map(|(whole, fraction, exponent)| {
        let exponent = exponent.map(|exponent| format!("e{exponent}")).unwrap_or_default();
        Json::Number(format!("{whole}.{fraction}{exponent}").into())
    });
    let leaf = prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::Bool),
        any::<i64>().prop_map(Json::Int),
        any::<u64>().prop_map(Json::from),
        (i64::MAX as i128 * 4..i128::MAX).prop_map(|big| Json::Number(big.to_string().into())),
        decimal,
        any::<String>().prop_map(Json::from),
        proptest::collection::vec(any::<u8>(), 0..40).prop_map(|bytes| Json::Bytes(bytes.into())),
    ];
    leaf.prop_recursive(6, 80, 20, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..20).prop_map(Json::Array),
            proptest::collection::btree_map(any::<String>(), inner, 0..20).prop_map(|members| Json::Object(
                members.into_iter().map(|(key, value)| (key.into(), value)).collect()
            )),
        ]
    })
}

proptest! {
    #[test]
    fn every_tree_comes_back_as_it_was(value in tree()) {
        let value = root(value);
        let frame = frame::write(&value).expect("written");
        prop_assert_eq!(frame::read(&frame).expect("read"), value);
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        if let Err(error) = frame::read(&bytes) {
            prop_assert_eq!(error.kind, ErrorKind::Frame);
        }
        let _ = frame::read(&framed(&bytes));
    }

    #[test]
    fn a_damaged_frame_is_read_or_refused(value in tree(), at in any::<prop::sample::Index>(), byte in any::<u8>(), cut in any::<bool>()) {
        let mut frame = frame::write(&root(value)).expect("written");
        let at = at.index(frame.len());
        if cut {
            frame.truncate(at);
            prop_assert!(frame::read(&frame).is_err());
        } else {
            frame[at] = byte;
            if let Ok(value) = frame::read(&frame) {
                let again = frame::write(&value).expect("what was read can be written");
                prop_assert_eq!(frame::read(&again).expect("read"), value);
            }
        }
    }
}
