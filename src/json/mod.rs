//! JSON values as they cross the boundary: exact numbers, strings that borrow from the frame or document they came from.
//!
//! serde_json's own `Value` is used where a schema is rewritten or checked (`schema`); it is always built from a [`Json`]
//! and never deserialized from untrusted text, because with exact numbers it takes a user's key
//! `$serde_json::private::Number` for a number.

mod limits;
pub mod pointer;
mod read;
mod serialize;
mod value;
mod write;

pub use limits::{MAX_NUMBER_CHARACTERS, MAX_NUMBER_EXPONENT};
pub use read::{MAX_DEPTH, lone_surrogate, parse, parse_inside, parse_prefix};
pub use write::write_text;

use std::borrow::Cow;
use std::collections::HashMap;

/// A JSON value, or bytes in a frame.
#[derive(Debug, Clone, PartialEq)]
pub enum Json<'a> {
    Null,
    Bool(bool),
    Int(i64),
    /// Only above `i64::MAX`.
    UInt(u64),
    /// The exact text of any other number.
    Number(Cow<'a, str>),
    Text(Cow<'a, str>),
    /// Frames only: a body or a JSON document.
    Bytes(Cow<'a, [u8]>),
    Array(Vec<Json<'a>>),
    /// In written order. A key that is written twice counts with its last value.
    Object(Vec<(Cow<'a, str>, Json<'a>)>),
}

impl<'a> Json<'a> {
    /// The member of an object; `None` for other values, and for a member that is null.
    pub fn get(&self, key: &str) -> Option<&Json<'a>> {
        match self {
            Json::Object(members) => members
                .iter()
                .rev()
                .find(|(name, _)| name == key)
                .map(|(_, value)| value)
                .filter(|value| !matches!(value, Json::Null)),
            _ => None,
        }
    }

    pub fn as_text(&self) -> Option<&str> {
        match self {
            Json::Text(text) => Some(text),
            _ => None,
        }
    }

    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Json::Bool(value) => Some(*value),
            _ => None,
        }
    }

    pub fn as_i64(&self) -> Option<i64> {
        match self {
            Json::Int(value) => Some(*value),
            _ => None,
        }
    }

    pub fn as_array(&self) -> Option<&[Json<'a>]> {
        match self {
            Json::Array(items) => Some(items),
            _ => None,
        }
    }

    pub fn as_object(&self) -> Option<&[(Cow<'a, str>, Json<'a>)]> {
        match self {
            Json::Object(members) => Some(members),
            _ => None,
        }
    }

    pub fn as_bytes(&self) -> Option<&[u8]> {
        match self {
            Json::Bytes(bytes) => Some(bytes),
            _ => None,
        }
    }

    /// What the value is, for messages.
    pub fn kind(&self) -> &'static str {
        match self {
            Json::Null => "null",
            Json::Bool(_) => "a boolean",
            Json::Int(_) | Json::UInt(_) | Json::Number(_) => "a number",
            Json::Text(_) => "a string",
            Json::Bytes(_) => "bytes",
            Json::Array(_) => "an array",
            Json::Object(_) => "an object",
        }
    }

    /// An object from pairs; absent values (`Json::Null`) are left out.
    pub fn object<K: Into<Cow<'a, str>>>(members: impl IntoIterator<Item = (K, Json<'a>)>) -> Json<'a> {
        let members = members.into_iter();
        // A filtered iterator promises nothing, so that `collect` would allocate several times.
        let mut present = Vec::with_capacity(members.size_hint().0);
        present.extend(
            members
                .filter(|(_, value)| !matches!(value, Json::Null))
                .map(|(key, value)| (key.into(), value)),
        );
        Json::Object(present)
    }

    /// The same value with each key once: the last value, at the place where the key first stood. What is checked and what
    /// is read from the text must be the same, and JSON readers do not agree on keys that stand twice.
    pub fn without_repeated_keys(self) -> Json<'a> {
        match self {
            Json::Array(items) => Json::Array(items.into_iter().map(Json::without_repeated_keys).collect()),
            Json::Object(members) => {
                let mut places: HashMap<Cow<'a, str>, usize> = HashMap::with_capacity(members.len());
                let mut kept: Vec<(Cow<'a, str>, Json<'a>)> = Vec::with_capacity(members.len());
                for (key, value) in members {
                    let value = value.without_repeated_keys();
                    match places.get(&key).and_then(|place| kept.get_mut(*place)) {
                        Some(known) => known.1 = value,
                        None => {
                            places.insert(key.clone(), kept.len());
                            kept.push((key, value));
                        }
                    }
                }
                Json::Object(kept)
            }
            scalar => scalar,
        }
    }

    /// The same value, borrowing nothing.
    pub fn into_owned(self) -> Json<'static> {
        match self {
            Json::Null => Json::Null,
            Json::Bool(value) => Json::Bool(value),
            Json::Int(value) => Json::Int(value),
            Json::UInt(value) => Json::UInt(value),
            Json::Number(text) => Json::Number(Cow::Owned(text.into_owned())),
            Json::Text(text) => Json::Text(Cow::Owned(text.into_owned())),
            Json::Bytes(bytes) => Json::Bytes(Cow::Owned(bytes.into_owned())),
            Json::Array(items) => Json::Array(items.into_iter().map(Json::into_owned).collect()),
            Json::Object(members) => Json::Object(
                members
                    .into_iter()
                    .map(|(key, value)| (Cow::Owned(key.into_owned()), value.into_owned()))
                    .collect(),
            ),
        }
    }
}

impl From<bool> for Json<'_> {
    fn from(value: bool) -> Self {
        Json::Bool(value)
    }
}

impl From<i64> for Json<'_> {
    fn from(value: i64) -> Self {
        Json::Int(value)
    }
}

impl From<u64> for Json<'_> {
    fn from(value: u64) -> Self {
        i64::try_from(value).map_or(Json::UInt(value), Json::Int)
    }
}

impl From<String> for Json<'_> {
    fn from(value: String) -> Self {
        Json::Text(Cow::Owned(value))
    }
}

impl<'a> From<&'a str> for Json<'a> {
    fn from(value: &'a str) -> Self {
        Json::Text(Cow::Borrowed(value))
    }
}

impl<'a> From<Cow<'a, str>> for Json<'a> {
    fn from(value: Cow<'a, str>) -> Self {
        Json::Text(value)
    }
}

impl<'a> From<Vec<Json<'a>>> for Json<'a> {
    fn from(value: Vec<Json<'a>>) -> Self {
        Json::Array(value)
    }
}

impl<'a, T: Into<Json<'a>>> From<Option<T>> for Json<'a> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Json::Null, Into::into)
    }
}
