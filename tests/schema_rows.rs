//! Row types: their text, their string form, their answers.

use flink_agents_native::error::ErrorKind;
use flink_agents_native::json::{Json, parse};
use flink_agents_native::schema::{Answer, BasicType, OutputSchema, RowType, read_answer};
use std::io::Write;
use std::process::{Command, Stdio};

const STRING: &str = "java.lang.String";

fn row(fields: &[(&str, BasicType)]) -> RowType {
    let names: Vec<&str> = fields.iter().map(|(name, _)| *name).collect();
    let types: Vec<&str> = fields.iter().map(|(_, basic)| basic.class_name()).collect();
    RowType::new(&names, &types).unwrap()
}

fn read(fields: &[(&str, BasicType)], text: &str) -> Result<Vec<Json<'static>>, flink_agents_native::error::Error> {
    match read_answer(&OutputSchema::Row(row(fields)), text, None)? {
        Answer::Row(values) => Ok(values),
        Answer::Json(_) => panic!("a row gives values"),
    }
}

#[test]
fn pr1270_c01_c02_c03_text_has_field_order_all_required_and_is_closed() {
    let text = row(&[("name", BasicType::String), ("count", BasicType::Integer)]).json_schema();
    assert_eq!(
        text.unwrap(),
        r#"{"type":"object","properties":{"name":{"type":"string"},"count":{"type":"integer"}},"required":["name","count"],"additionalProperties":false}"#
    );
}

#[test]
fn pr1270_types_map_as_listed_and_the_rest_has_no_schema() {
    let types: Vec<_> = BasicType::ALL
        .iter()
        .map(|basic| (basic.simple_name(), basic.json_type()))
        .collect();
    assert_eq!(
        types,
        [
            ("String", Some("string")),
            ("Boolean", Some("boolean")),
            ("Byte", Some("integer")),
            ("Short", Some("integer")),
            ("Integer", Some("integer")),
            ("Long", Some("integer")),
            ("Float", Some("number")),
            ("Double", Some("number")),
            ("Character", None),
            ("Date", None),
            ("Void", None),
            ("BigInteger", Some("integer")),
            ("BigDecimal", Some("number")),
            ("Instant", None),
        ]
    );
}

#[test]
fn pr1270_c04_text_equals_pythons_for_the_shared_names() {
    let bytes = std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/vectors/row/names.json")).unwrap();
    let cases = parse(&bytes).unwrap();
    let cases = cases.as_array().unwrap();
    assert!(cases.len() >= 200);
    for case in cases {
        let name = case.get("name").and_then(Json::as_text).unwrap();
        let text = row(&[(name, BasicType::String)]).json_schema().unwrap();
        assert_eq!(Some(text.as_str()), case.get("schema").and_then(Json::as_text));
    }
}

/// Names from a small generator of its own, so that every run asks the same.
fn generated_names() -> Vec<String> {
    let alphabet = [
        'a',
        'Z',
        '0',
        '"',
        '\\',
        '/',
        '\u{8}',
        '\u{c}',
        '\n',
        '\r',
        '\t',
        '\0',
        '\u{1}',
        '\u{1f}',
        '\u{7f}',
        '\u{80}',
        '\u{2028}',
        'é',
        '日',
        '\u{fffd}',
        '\u{ffff}',
        '\u{1f575}',
        '\u{20bb7}',
        '\u{10ffff}',
        '<',
        '&',
        '\'',
        ' ',
    ];
    let mut state: u64 = 0x9E37_79B9_7F4A_7C15;
    let mut next = move |bound: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % bound as u64) as usize
    };
    (0..300)
        .map(|_| (0..next(20)).map(|_| alphabet[next(alphabet.len())]).collect())
        .collect()
}

#[test]
fn pr1270_c04_text_equals_what_python_renders_now() {
    let script = "import json,sys\n\
        texts=[json.dumps({'type':'object','properties':{n:{'type':'string'}},'required':[n],'additionalProperties':False},\
        ensure_ascii=False,separators=(',',':')) for n in json.loads(sys.stdin.buffer.read())]\n\
        sys.stdout.buffer.write(json.dumps(texts).encode())";
    let spawned = Command::new("python3")
        .args(["-c", script])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn();
    let mut python = match spawned {
        Ok(python) => python,
        Err(error) => {
            eprintln!("not compared with Python, since python3 does not start here: {error}");
            return;
        }
    };
    let names = generated_names();
    let input = Json::Array(names.iter().map(|name| Json::from(name.as_str())).collect()).to_json();
    python.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = python.wait_with_output().unwrap();
    assert!(output.status.success());
    let texts = parse(&output.stdout).unwrap();
    let texts = texts.as_array().unwrap();
    assert_eq!(texts.len(), names.len());
    for (name, expected) in names.iter().zip(texts) {
        let text = row(&[(name, BasicType::String)]).json_schema().unwrap();
        assert_eq!(Some(text.as_str()), expected.as_text());
    }
}

#[test]
fn pr1270_c06_unmapped_fields_keep_the_string_form() {
    for basic in [
        BasicType::Character,
        BasicType::Date,
        BasicType::Void,
        BasicType::Instant,
    ] {
        let row = row(&[("name", BasicType::String), ("x", basic)]);
        assert_eq!(row.json_schema(), None);
        let schema = OutputSchema::Row(row);
        let form = format!("Row(name: String, x: {})", basic.simple_name());
        assert_eq!(schema.text(), form);
        assert_eq!(schema.description(), form);
        assert!(schema.instruction().ends_with(&form));
    }
}

#[test]
fn a_row_without_fields_renders_empty_properties() {
    assert_eq!(
        row(&[]).json_schema().unwrap(),
        r#"{"type":"object","properties":{},"required":[],"additionalProperties":false}"#
    );
}

#[test]
fn pr1270_other_field_types_fail_and_name_the_field() {
    for class in ["java.util.List", "java.time.LocalDateTime", "int", "String"] {
        let error = RowType::new(&["id", "tags"], &[STRING, class]).unwrap_err();
        assert_eq!(error.kind, ErrorKind::InvalidArgument);
        assert_eq!(
            error.message,
            format!("Currently, output schema only support row contains basic type. Field `tags` has type {class}.")
        );
    }
}

#[test]
fn duplicate_names_and_a_count_mismatch_fail() {
    let error = RowType::new(&["a", "a"], &[STRING, STRING]).unwrap_err();
    assert_eq!(
        error.message,
        "A row type needs different names, but `a` stands there twice."
    );
    let error = RowType::new(&["a"], &[]).unwrap_err();
    assert!(error.message.contains("1 names and 0 types"));
}

#[test]
fn values_are_converted_to_the_declared_types() {
    use BasicType::*;
    let text = |text: &'static str| Json::from(text);
    let number = |text: &'static str| Json::Number(text.into());
    let table: &[(BasicType, &str, Option<Json<'static>>)] = &[
        (String, r#""a""#, Some(text("a"))),
        (String, "1", None),
        (String, "null", None),
        (Boolean, "true", Some(Json::Bool(true))),
        (Boolean, r#""true""#, None),
        (Byte, "127", Some(Json::Int(127))),
        (Byte, "128", None),
        (Byte, "-129", None),
        (Short, "-32768", Some(Json::Int(-32768))),
        (Short, "32768", None),
        (Integer, "1.5009969E7", Some(Json::Int(15_009_969))),
        (Integer, "15009969.0", Some(Json::Int(15_009_969))),
        (Integer, "3.7", None),
        (Integer, "2147483648", None),
        (Integer, r#""42""#, None),
        (Integer, "-0", Some(Json::Int(0))),
        (Integer, "-0.0", Some(Json::Int(0))),
        (Integer, "120e-1", Some(Json::Int(12))),
        (Integer, "125e-1", None),
        (Long, "9223372036854775807", Some(Json::Int(i64::MAX))),
        (Long, "9223372036854775808", None),
        (Long, "9007199254740993.00", Some(Json::Int(9_007_199_254_740_993))),
        (Long, "-9.223372036854775808e18", Some(Json::Int(i64::MIN))),
        (
            BigInteger,
            "9223372036854775817",
            Some(Json::UInt(9_223_372_036_854_775_817)),
        ),
        (
            BigInteger,
            "123456789012345678901234567890",
            Some(number("123456789012345678901234567890")),
        ),
        (BigInteger, "-1.5e30", Some(number("-1500000000000000000000000000000"))),
        (BigInteger, "1e1000000000", None),
        (BigInteger, "1e99999999999999999999", None),
        (BigInteger, "0.5", None),
        (Float, "3.4e38", Some(number("3.4e38"))),
        (Float, "3.5e38", None),
        (Float, "5", Some(Json::Int(5))),
        (Double, "1e308", Some(number("1e308"))),
        (Double, "1e309", None),
        (Double, "1e-400", Some(number("1e-400"))),
        (BigDecimal, "1.10", Some(number("1.10"))),
        (BigDecimal, "1234567890.123456789", Some(number("1234567890.123456789"))),
        (BigDecimal, "1e99999999999", None),
        (BigDecimal, r#""1.10""#, None),
        (Character, r#""é""#, Some(text("é"))),
        (Character, r#""🕵""#, None),
        (Character, r#""ab""#, None),
        (Character, r#""""#, None),
        (
            Instant,
            r#""2024-05-01T09:30:00+02:00""#,
            Some(text("2024-05-01T09:30:00+02:00")),
        ),
        (Instant, r#""2024-05-01T09:30:00""#, None),
        (
            Date,
            r#""2024-05-01T07:30:00.250Z""#,
            Some(text("2024-05-01T07:30:00.250Z")),
        ),
        (Date, "1714548600", None),
        (Void, "null", Some(Json::Null)),
        (Void, "0", None),
    ];
    for (basic, value, expected) in table {
        let answer = format!(r#"{{"n":{value}}}"#);
        let found = read(&[("n", *basic)], &answer);
        match expected {
            Some(expected) => assert_eq!(found.unwrap(), std::slice::from_ref(expected), "{basic:?} {value}"),
            None => {
                let error = found.expect_err(value);
                assert_eq!(error.kind, ErrorKind::InvalidOutput);
                assert_eq!(error.details[0], ("pointer", Json::from("/n")), "{basic:?} {value}");
            }
        }
    }
}

#[test]
fn b065_values_come_in_field_order() {
    let fields = [("id", BasicType::Long), ("price", BasicType::BigDecimal)];
    let values = read(&fields, r#"{"price":1.10,"id":5}"#).unwrap();
    assert_eq!(values, [Json::Int(5), Json::Number("1.10".into())]);
}

#[test]
fn missing_null_and_unknown_members_are_violations_with_their_pointers() {
    let fields = [("a/b", BasicType::String), ("n", BasicType::Integer)];
    let cases = [
        (r#"{"n":1}"#, "/a~1b", "required"),
        (r#"{"a/b":"x","n":null}"#, "/n", "type"),
        (r#"{"a/b":"x","n":1,"more":2}"#, "/more", "additionalProperties"),
        (r#"[1]"#, "", "type"),
    ];
    for (answer, pointer, rule) in cases {
        let error = read(&fields, answer).unwrap_err();
        assert_eq!(error.details[0], ("pointer", Json::from(pointer)), "{answer}");
        assert!(error.message.contains(&format!("rule `{rule}`")), "{}", error.message);
    }
    let error = read(&fields, r#"{"more":"secret"}"#).unwrap_err();
    assert_eq!(error.details[1].1.as_array().unwrap().len(), 3);
    assert!(!error.message.contains("secret"));
}

#[test]
fn b011_basic_fields_render_and_nested_ones_fail_at_construction() {
    let names = ["id", "tags", "at", "inner", "price", "raw"];
    let nested = RowType::new(
        &names,
        &[
            "java.lang.Long",
            "java.util.List",
            "java.time.LocalDateTime",
            "org.apache.flink.types.Row",
            "java.math.BigDecimal",
            "[B",
        ],
    );
    let message = nested.expect_err("a list is no basic type").message;
    assert!(
        message.contains("Currently, output schema only support row contains basic type."),
        "{message}"
    );
    assert!(message.contains("tags"), "{message}");
    let basic = row(&[("id", BasicType::Long), ("price", BasicType::BigDecimal)]);
    assert_eq!(
        basic.json_schema().unwrap(),
        r#"{"type":"object","properties":{"id":{"type":"integer"},"price":{"type":"number"}},"required":["id","price"],"additionalProperties":false}"#
    );
}
