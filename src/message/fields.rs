//! Strict reading of objects: no unknown fields, and every error names its place, for example
//! `messages[2].blocks[0].media_type`.

use std::borrow::Cow;
use std::fmt;

use crate::error::{Error, Result};
use crate::json::Json;

/// Members of an object in written order, for maps whose keys are the user's.
pub type Members<'a> = Vec<(Cow<'a, str>, Json<'a>)>;

/// Where a value stands. A chain on the stack: nothing is allocated unless an error has to name the place.
#[derive(Debug, Clone, Copy)]
pub enum Path<'p> {
    Root,
    Key(&'p Path<'p>, &'p str),
    Index(&'p Path<'p>, usize),
}

impl<'p> Path<'p> {
    pub fn key(&'p self, name: &'p str) -> Path<'p> {
        Path::Key(self, name)
    }

    pub fn index(&'p self, index: usize) -> Path<'p> {
        Path::Index(self, index)
    }

    fn is_root(&self) -> bool {
        matches!(self, Path::Root)
    }

    /// A broken rule at this place. The rule's text comes first, unchanged, so that programs can compare it.
    pub fn broken(&self, rule: &str) -> Error {
        if self.is_root() {
            return Error::invalid_argument(rule);
        }
        Error::invalid_argument(format!("{rule} (at {self})")).with("path", self.to_string())
    }

    /// A value of the wrong shape at this place.
    pub fn expected(&self, wanted: &str, found: Option<&Json<'_>>) -> Error {
        let found = found.map_or("nothing", Json::kind);
        let place = if self.is_root() {
            "the value".into()
        } else {
            self.to_string()
        };
        Error::invalid_argument(format!("{place} must be {wanted}, found {found}")).with("path", self.to_string())
    }
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Path::Root => Ok(()),
            Path::Key(Path::Root, name) => f.write_str(name),
            Path::Key(parent, name) => write!(f, "{parent}.{name}"),
            Path::Index(parent, index) => write!(f, "{parent}[{index}]"),
        }
    }
}

/// The fields of one object.
#[derive(Debug, Clone, Copy)]
pub struct Fields<'a, 'p> {
    json: &'a Json<'a>,
    pub path: &'p Path<'p>,
}

impl<'a, 'p> Fields<'a, 'p> {
    /// The object at `path`; every field must be one of `known`.
    pub fn strict(json: &'a Json<'_>, path: &'p Path<'p>, known: &[&str]) -> Result<Self> {
        let members = json.as_object().ok_or_else(|| path.expected("an object", Some(json)))?;
        if let Some((name, _)) = members.iter().find(|(name, _)| !known.contains(&name.as_ref())) {
            let place = path.key(name);
            return Err(Error::invalid_argument(format!(
                "{place} is an unknown field; known here: {}",
                known.join(", ")
            ))
            .with("path", place.to_string()));
        }
        Ok(Fields { json, path })
    }

    /// The field, unless it is absent or null.
    pub fn get(&self, name: &str) -> Option<&'a Json<'a>> {
        self.json.get(name)
    }

    /// An optional text.
    pub fn text(&self, name: &str) -> Result<Option<Cow<'a, str>>> {
        match self.get(name) {
            None => Ok(None),
            Some(Json::Text(text)) => Ok(Some(Cow::Borrowed(text))),
            Some(other) => Err(self.path.key(name).expected("a string", Some(other))),
        }
    }

    /// A text that must be there and hold something.
    pub fn required_text(&self, name: &str) -> Result<Cow<'a, str>> {
        match self.text(name)? {
            Some(text) if !text.is_empty() => Ok(text),
            Some(_) => Err(self.path.key(name).broken("a non-empty string is required")),
            None => Err(self.path.key(name).expected("a non-empty string", None)),
        }
    }

    /// An optional boolean, false when absent.
    pub fn flag(&self, name: &str) -> Result<bool> {
        match self.get(name) {
            None => Ok(false),
            Some(Json::Bool(value)) => Ok(*value),
            Some(other) => Err(self.path.key(name).expected("a boolean", Some(other))),
        }
    }

    /// An optional count: an integer from 0 to 2^63-1.
    pub fn count(&self, name: &str) -> Result<Option<i64>> {
        match self.get(name) {
            None => Ok(None),
            Some(Json::Int(value)) if *value >= 0 => Ok(Some(*value)),
            Some(other) => Err(self.path.key(name).expected("an integer from 0 to 2^63-1", Some(other))),
        }
    }

    /// A map whose keys are the user's; empty when absent.
    pub fn members(&self, name: &str) -> Result<Members<'a>> {
        match self.get(name) {
            None => Ok(Vec::new()),
            Some(Json::Object(members)) => Ok(borrow_members(members)),
            Some(other) => Err(self.path.key(name).expected("an object", Some(other))),
        }
    }

    /// A list; empty when absent.
    pub fn list(&self, name: &str) -> Result<&'a [Json<'a>]> {
        match self.get(name) {
            None => Ok(&[]),
            Some(Json::Array(items)) => Ok(items),
            Some(other) => Err(self.path.key(name).expected("an array", Some(other))),
        }
    }
}

/// The same value, its texts borrowed from `json`: a picture of several megabytes is never copied.
pub fn borrow<'a>(json: &'a Json<'_>) -> Json<'a> {
    match json {
        Json::Null => Json::Null,
        Json::Bool(value) => Json::Bool(*value),
        Json::Int(value) => Json::Int(*value),
        Json::UInt(value) => Json::UInt(*value),
        Json::Number(text) => Json::Number(Cow::Borrowed(text)),
        Json::Text(text) => Json::Text(Cow::Borrowed(text)),
        Json::Bytes(bytes) => Json::Bytes(Cow::Borrowed(bytes)),
        Json::Array(items) => Json::Array(items.iter().map(borrow).collect()),
        Json::Object(members) => Json::Object(borrow_members(members)),
    }
}

/// [`borrow`] for the members of an object.
pub fn borrow_members<'a>(members: &'a [(Cow<'_, str>, Json<'_>)]) -> Members<'a> {
    members
        .iter()
        .map(|(name, value)| (Cow::Borrowed(name.as_ref()), borrow(value)))
        .collect()
}

/// The members, borrowing nothing.
pub fn own_members(members: Members<'_>) -> Members<'static> {
    members
        .into_iter()
        .map(|(name, value)| (Cow::Owned(name.into_owned()), value.into_owned()))
        .collect()
}

/// The member of a map, unless it is absent or null.
pub fn member<'m, 'a>(members: &'m [(Cow<'a, str>, Json<'a>)], key: &str) -> Option<&'m Json<'a>> {
    members
        .iter()
        .rev()
        .find(|(name, _)| name == key)
        .map(|(_, value)| value)
        .filter(|value| !matches!(value, Json::Null))
}
