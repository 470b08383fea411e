//! Reads the members of a transport frame. Java writes them, so that a wrong shape is a defect of this library; a wrong *value* is
//! the user's setting and is checked where its meaning is known.

use crate::error::{Error, ErrorKind, Result};
use crate::json::Json;

pub fn text<'a>(frame: &'a Json<'_>, key: &str) -> Result<&'a str> {
    frame
        .get(key)
        .and_then(Json::as_text)
        .ok_or_else(|| wrong(key, "a text"))
}

pub fn integer(frame: &Json<'_>, key: &str) -> Result<i64> {
    frame
        .get(key)
        .and_then(Json::as_i64)
        .ok_or_else(|| wrong(key, "an integer"))
}

/// False when absent.
pub fn flag(frame: &Json<'_>, key: &str) -> Result<bool> {
    match frame.get(key) {
        None => Ok(false),
        Some(Json::Bool(value)) => Ok(*value),
        Some(_) => Err(wrong(key, "a boolean")),
    }
}

pub fn bytes<'a>(value: &'a Json<'_>, key: &str) -> Result<&'a [u8]> {
    value.as_bytes().ok_or_else(|| wrong(key, "bytes"))
}

/// Empty when absent.
pub fn list<'a, 'f>(frame: &'a Json<'f>, key: &str) -> Result<&'a [Json<'f>]> {
    match frame.get(key) {
        None => Ok(&[]),
        Some(value) => value.as_array().ok_or_else(|| wrong(key, "a list")),
    }
}

/// Names and texts of a map; empty when absent.
pub fn texts<'a>(frame: &'a Json<'_>, key: &str) -> Result<Vec<(&'a str, &'a str)>> {
    let members = match frame.get(key) {
        None => return Ok(Vec::new()),
        Some(value) => value.as_object().ok_or_else(|| wrong(key, "a map"))?,
    };
    members
        .iter()
        .map(|(name, value)| match value.as_text() {
            Some(text) => Ok((name.as_ref(), text)),
            None => Err(wrong(key, "a map of texts")),
        })
        .collect()
}

pub fn wrong(key: &str, expected: &str) -> Error {
    Error::new(ErrorKind::Frame, format!("invalid frame: `{key}` is not {expected}"))
}
