//! From an answer's text to a checked value.

use super::check::{Violation, misfit};
use super::document::Document;
use super::extract::{Found, NoJson, find};
use super::prune::prune;
use super::row_answer;
use super::stack::with_deep_stack;
use super::{OutputSchema, RowType};
use crate::error::{Error, ErrorKind, Result};
use crate::json::{Json, MAX_NUMBER_CHARACTERS, MAX_NUMBER_EXPONENT};

/// A checked answer.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    /// The value as compact JSON, wrapper undone, numbers exact.
    Json(String),
    /// A row's values in field order, converted to the declared types. Points in time stay text.
    Row(Vec<Json<'static>>),
}

impl Answer {
    /// The `ANSWER` shape of docs/boundary.md.
    pub fn into_json(self) -> Json<'static> {
        match self {
            Answer::Json(json) => Json::object([("json", Json::Bytes(json.into_bytes().into()))]),
            // A null in a row is a value.
            Answer::Row(values) => Json::Object(vec![("values".into(), Json::Array(values))]),
        }
    }
}

/// Reads `text` against `schema`; reasoning, a code fence or prose around the JSON is stepped over. `wrapper` is undone, and
/// its absence forgiven. A null in an optional member that may not be null counts as absent: strict modes ask for such nulls.
/// Several values in prose are an answer only if exactly one fits.
///
/// Fails with kind `invalid_output`, details `pointer` and `violations` (or `offset`, where the text is no JSON); the message
/// never holds the answer's values.
pub fn read_answer(schema: &OutputSchema, text: &str, wrapper: Option<&str>) -> Result<Answer> {
    let read = |value: Json<'_>| {
        let value = value.without_repeated_keys();
        match schema {
            OutputSchema::Document(document) => read_document(document, value, wrapper),
            OutputSchema::Row(row) => read_row(row, value, wrapper),
        }
    };
    match find(text).map_err(no_json)? {
        Found::One(value) => read(value).map_err(|violations| misfit(&violations)),
        Found::Several(values) => only_fit(values.into_iter().map(read)),
    }
}

fn no_json(reason: NoJson) -> Error {
    let offset = reason.offset.map(|offset| offset as u64);
    Error::new(ErrorKind::InvalidOutput, reason.message)
        .with("pointer", Json::from(""))
        .with("offset", offset)
}

type Checked = std::result::Result<Answer, Vec<Violation>>;

/// The one answer that fits; which of several fitting ones is meant is not guessed.
fn only_fit(answers: impl Iterator<Item = Checked>) -> Result<Answer> {
    let mut fit: Option<Answer> = None;
    let mut misfits = None;
    for answer in answers {
        match answer {
            Err(violations) => misfits = misfits.or(Some(violations)),
            Ok(answer) => match &fit {
                Some(known) if *known != answer => {
                    return Err(Error::new(
                        ErrorKind::InvalidOutput,
                        "the answer holds several JSON values that fit the schema",
                    )
                    .with("pointer", Json::from("")));
                }
                _ => fit = Some(answer),
            },
        }
    }
    fit.ok_or_else(|| misfit(&misfits.unwrap_or_default()))
}

/// What kind of value stands at `pointer` in the answer `text`, for people: `a string`, `nothing`, ... `None` where the text is
/// no single JSON value. The pointer counts from inside a wrapper, if there is one.
pub fn kind_at(text: &str, pointer: &str, wrapper: Option<&str>) -> Option<&'static str> {
    let Ok(Found::One(value)) = find(text) else {
        return None;
    };
    let root = unwrapped(&value, wrapper).unwrap_or(&value);
    Some(crate::json::pointer::resolve(root, pointer).map_or("nothing", Json::kind))
}

/// The value inside the wrapper object, if this is one.
fn unwrapped<'v, 'a>(value: &'v Json<'a>, wrapper: Option<&str>) -> Option<&'v Json<'a>> {
    match value {
        Json::Object(members) => match members.as_slice() {
            [(name, inner)] if Some(name.as_ref()) == wrapper => Some(inner),
            _ => None,
        },
        _ => None,
    }
}

fn read_document(document: &Document, value: Json<'_>, wrapper: Option<&str>) -> Checked {
    let Some(inner) = unwrapped(&value, wrapper) else {
        return fit(document, &value);
    };
    // A root may itself be an object with the wrapper's name.
    fit(document, inner).or_else(|violations| fit(document, &value).map_err(|_| violations))
}

fn fit(document: &Document, value: &Json<'_>) -> Checked {
    if let Some(pointer) = value.oversized_number() {
        return Err(vec![Violation {
            pointer,
            keyword: "type".to_owned(),
            expected: format!(
                "a number of at most {MAX_NUMBER_CHARACTERS} characters and an exponent of at most {MAX_NUMBER_EXPONENT}"
            ),
        }]);
    }
    let violations = document.checker.check(value);
    if violations.is_empty() {
        return Ok(Answer::Json(value.to_json()));
    }
    let subschemas = document.references.subschemas;
    let pruned = with_deep_stack(subschemas, || prune(&document.root, &document.references, value));
    match pruned {
        None => Err(violations),
        Some(pruned) => match document.checker.check(&pruned) {
            violations if violations.is_empty() => Ok(Answer::Json(pruned.to_json())),
            violations => Err(violations),
        },
    }
}

fn read_row(row: &RowType, value: Json<'_>, wrapper: Option<&str>) -> Checked {
    row_answer::convert(row, unwrapped(&value, wrapper).unwrap_or(&value)).map(Answer::Row)
}
