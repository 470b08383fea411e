//! Typed access to the parameters of a call. Errors name the parameter and have kind `invalid_argument`.

use std::borrow::Cow;

use crate::error::{Error, Result};
use crate::json::Json;
use crate::message::fields::{Members, borrow_members, member};

const TOOL_CHOICES: [&str; 3] = ["auto", "none", "required"];

pub fn invalid(name: &'static str, fault: &str) -> Error {
    invalid_text(name, format!("Parameter {name} {fault}"))
}

pub fn invalid_text(name: &'static str, text: String) -> Error {
    Error::invalid_argument(text).with("parameter", name)
}

/// Typed access to the given parameters; null counts as absent.
#[derive(Debug)]
pub struct Reader<'a> {
    pub given: &'a [(Cow<'a, str>, Json<'a>)],
}

impl<'a> Reader<'a> {
    fn get(&self, name: &str) -> Option<&'a Json<'a>> {
        member(self.given, name)
    }

    pub fn text(&self, name: &'static str) -> Result<Option<Cow<'a, str>>> {
        match self.get(name) {
            None => Ok(None),
            Some(Json::Text(text)) if !text.trim().is_empty() => Ok(Some(Cow::Borrowed(text.as_ref()))),
            Some(Json::Text(_)) => Ok(None),
            Some(other) => Err(invalid(name, &format!("must be a string, found {}", other.kind()))),
        }
    }

    pub fn flag(&self, name: &'static str) -> Result<Option<bool>> {
        match self.get(name) {
            None => Ok(None),
            Some(Json::Bool(value)) => Ok(Some(*value)),
            Some(other) => Err(invalid(name, &format!("must be a boolean, found {}", other.kind()))),
        }
    }

    pub fn integer(&self, name: &'static str, low: i64, high: i64) -> Result<Option<Json<'a>>> {
        match self.get(name) {
            None => Ok(None),
            Some(Json::Int(value)) if (low..=high).contains(value) => Ok(Some(Json::Int(*value))),
            Some(_) if high < i64::MAX => Err(invalid(name, &format!("must be an integer from {low} to {high}"))),
            Some(_) if low > i64::MIN => Err(invalid(name, &format!("must be an integer of at least {low}"))),
            Some(_) => Err(invalid(name, "must be a 64-bit integer")),
        }
    }

    /// A number whose exact text is sent.
    pub fn number(&self, name: &'static str, low: f64, high: f64) -> Result<Option<Json<'a>>> {
        let (value, number) = match self.get(name) {
            None => return Ok(None),
            Some(Json::Int(value)) => (*value as f64, Some(Json::Int(*value))),
            Some(Json::Number(text)) => (
                text.parse().unwrap_or(f64::NAN),
                Some(Json::Number(Cow::Borrowed(text.as_ref()))),
            ),
            Some(_) => (f64::NAN, None),
        };
        match (low..=high).contains(&value) {
            true => Ok(number),
            false => Err(invalid(name, &format!("must be a number from {low} to {high}"))),
        }
    }

    pub fn object(&self, name: &'static str) -> Result<Option<Members<'a>>> {
        match self.get(name) {
            None => Ok(None),
            Some(Json::Object(members)) => Ok(Some(borrow_members(members))),
            Some(other) => Err(invalid(name, &format!("must be an object, found {}", other.kind()))),
        }
    }

    /// A word, or an object that the service knows, such as `example`.
    pub fn tool_choice(&self, example: &str) -> Result<Option<Json<'a>>> {
        let name = "tool_choice";
        match self.get(name) {
            Some(Json::Text(word)) if TOOL_CHOICES.contains(&word.as_ref()) => {
                Ok(Some(Json::Text(Cow::Borrowed(word.as_ref()))))
            }
            None | Some(Json::Object(_)) => Ok(self.object(name)?.map(Json::Object)),
            Some(_) => Err(invalid(
                name,
                &format!("must be auto, none, required or an object such as {example}"),
            )),
        }
    }

    /// A list of texts.
    pub fn texts(&self, name: &'static str) -> Result<Option<Json<'a>>> {
        let fault = || invalid(name, "must be a list of strings");
        let items = match self.get(name) {
            None => return Ok(None),
            Some(value) => value.as_array().ok_or_else(fault)?,
        };
        let texts = items
            .iter()
            .map(|item| item.as_text().map(Json::from).ok_or_else(fault));
        Ok(Some(Json::Array(texts.collect::<Result<_>>()?)))
    }

    /// One text, or up to four.
    pub fn stop(&self) -> Result<Option<Json<'a>>> {
        let fault = || invalid("stop", "must be a string or a list of one to four strings");
        match self.get("stop") {
            None => Ok(None),
            Some(Json::Text(text)) => Ok(Some(Json::Text(Cow::Borrowed(text.as_ref())))),
            Some(Json::Array(items)) if (1..=4).contains(&items.len()) => items
                .iter()
                .map(|item| item.as_text().map(Json::from).ok_or_else(fault))
                .collect::<Result<Vec<_>>>()
                .map(|texts| Some(Json::Array(texts))),
            Some(_) => Err(fault()),
        }
    }
}
