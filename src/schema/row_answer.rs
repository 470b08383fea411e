//! An answer's members as the values of a row: converted to the declared types, or refused with their pointer.

use super::check::{MAX_VIOLATIONS, Violation};
use super::formats;
use super::row::{BasicType, RowType};
use crate::json::{Json, parse, pointer};
use std::borrow::Cow;

/// More digits than any amount or id has; an exponent could ask for a thousand million.
const MAX_INTEGER_DIGITS: usize = 4096;

/// Java's `BigDecimal` keeps its exponent in 32 bits.
const MAX_EXPONENT: i64 = 999_999_999;

/// The row's values in field order, or everything that does not fit.
pub fn convert(row: &RowType, answer: &Json<'_>) -> Result<Vec<Json<'static>>, Vec<Violation>> {
    let Json::Object(members) = answer else {
        return Err(vec![violation(String::new(), "type", "object")]);
    };
    let mut misfits = Vec::new();
    let mut values = Vec::with_capacity(row.fields.len());
    for (name, basic) in &row.fields {
        let member = members.iter().rev().find(|(key, _)| key == name);
        let at = pointer::child("", name);
        match member {
            None => misfits.push(violation(at, "required", "this member to be there")),
            Some((_, value)) => match field(*basic, value) {
                Some(converted) => values.push(converted),
                None => misfits.push(violation(at, "type", wanted(*basic))),
            },
        }
    }
    for (key, _) in members {
        if !row.fields.iter().any(|(name, _)| name == key) {
            let at = pointer::child("", key);
            misfits.push(violation(at, "additionalProperties", "no member of this name"));
        }
    }
    misfits.truncate(MAX_VIOLATIONS);
    if misfits.is_empty() { Ok(values) } else { Err(misfits) }
}

fn violation(pointer: String, keyword: &str, expected: &str) -> Violation {
    Violation {
        pointer,
        keyword: keyword.to_owned(),
        expected: expected.to_owned(),
    }
}

fn wanted(basic: BasicType) -> &'static str {
    match basic {
        BasicType::String => "string",
        BasicType::Boolean => "boolean",
        BasicType::Byte => "integer of 8 bits",
        BasicType::Short => "integer of 16 bits",
        BasicType::Integer => "integer of 32 bits",
        BasicType::Long => "integer of 64 bits",
        BasicType::BigInteger => "integer",
        BasicType::Float => "number within the range of a float",
        BasicType::Double => "number within the range of a double",
        BasicType::BigDecimal => "number",
        BasicType::Character => "string of one UTF-16 unit",
        BasicType::Date | BasicType::Instant => "point in time as RFC 3339 text with offset",
        BasicType::Void => "null",
    }
}

/// The value as the declared type wants it. Numbers stay exact; Java makes the last step to its class.
fn field(basic: BasicType, value: &Json<'_>) -> Option<Json<'static>> {
    match basic {
        BasicType::Byte => integer(value, i8::MIN.into(), i8::MAX.into()),
        BasicType::Short => integer(value, i16::MIN.into(), i16::MAX.into()),
        BasicType::Integer => integer(value, i32::MIN.into(), i32::MAX.into()),
        BasicType::Long => integer(value, i64::MIN, i64::MAX),
        BasicType::BigInteger => big_integer(value),
        BasicType::Float => number(value, |text| text.parse::<f32>().is_ok_and(f32::is_finite)),
        BasicType::Double => number(value, |text| text.parse::<f64>().is_ok_and(f64::is_finite)),
        BasicType::BigDecimal => number(value, |text| exponent(text).is_some()),
        BasicType::Boolean => value.as_bool().map(Json::Bool),
        BasicType::Void => matches!(value, Json::Null).then_some(Json::Null),
        BasicType::String => text(value, |_| true),
        BasicType::Character => text(value, |text| text.encode_utf16().count() == 1),
        BasicType::Date | BasicType::Instant => text(value, formats::instant),
    }
}

fn text(value: &Json<'_>, fits: impl Fn(&str) -> bool) -> Option<Json<'static>> {
    let text = value.as_text()?;
    fits(text).then(|| Json::from(text.to_owned()))
}

fn number(value: &Json<'_>, fits: impl Fn(&str) -> bool) -> Option<Json<'static>> {
    match value {
        Json::Int(_) | Json::UInt(_) | Json::Number(_) if fits(&value.to_json()) => Some(value.clone().into_owned()),
        _ => None,
    }
}

fn integer(value: &Json<'_>, least: i64, most: i64) -> Option<Json<'static>> {
    match big_integer(value)? {
        Json::Int(value) if (least..=most).contains(&value) => Some(Json::Int(value)),
        _ => None,
    }
}

/// An integer in any notation: `15009969`, `15009969.0` and `1.5009969E7` are one value.
fn big_integer(value: &Json<'_>) -> Option<Json<'static>> {
    match value {
        Json::Int(value) => Some(Json::Int(*value)),
        Json::UInt(value) => Some(Json::UInt(*value)),
        Json::Number(text) => {
            let plain = plain_integer(text)?;
            parse(plain.as_bytes()).ok().map(Json::into_owned)
        }
        _ => None,
    }
}

fn exponent(text: &str) -> Option<i64> {
    let exponent = match text.split_once(['e', 'E']) {
        Some((_, exponent)) => exponent.parse::<i64>().ok()?,
        None => 0,
    };
    (exponent.abs() <= MAX_EXPONENT).then_some(exponent)
}

/// The digits of a number that is an integer; `None` for a fraction, or for more than [`MAX_INTEGER_DIGITS`] digits.
fn plain_integer(text: &str) -> Option<Cow<'_, str>> {
    let (sign, magnitude) = match text.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", text),
    };
    let mantissa = magnitude.split(['e', 'E']).next().unwrap_or_default();
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    let significant = digits.trim_end_matches('0');
    if significant.is_empty() {
        return Some(Cow::Borrowed("0"));
    }
    let length = i64::try_from(whole.len()).ok()? + exponent(text)?;
    let zeros = length - i64::try_from(significant.len()).ok()?;
    if zeros < 0 || length > i64::try_from(MAX_INTEGER_DIGITS).ok()? {
        return None;
    }
    let zeros = "0".repeat(usize::try_from(zeros).ok()?);
    let all = format!("{significant}{zeros}");
    Some(Cow::Owned(format!("{sign}{}", all.trim_start_matches('0'))))
}
