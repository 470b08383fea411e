//! Between [`Json`] and serde_json's `Value`, which the schema validator reads. Never through serde: see [`super`].

use super::Json;
use serde_json::{Map, Number, Value};
use std::borrow::Cow;

impl Json<'_> {
    /// The same value for the validator. Bytes have no JSON form: null. A key that is written twice counts with its last
    /// value.
    pub fn to_value(&self) -> Value {
        match self {
            Json::Null | Json::Bytes(_) => Value::Null,
            Json::Bool(value) => Value::Bool(*value),
            Json::Int(value) => Value::from(*value),
            Json::UInt(value) => Value::from(*value),
            Json::Number(text) => text.parse::<Number>().map_or(Value::Null, Value::Number),
            Json::Text(text) => Value::String(text.clone().into_owned()),
            Json::Array(items) => Value::Array(items.iter().map(Json::to_value).collect()),
            Json::Object(members) => Value::Object(
                members
                    .iter()
                    .map(|(name, value)| (name.clone().into_owned(), value.to_value()))
                    .collect::<Map<_, _>>(),
            ),
        }
    }
}

impl From<&Value> for Json<'static> {
    fn from(value: &Value) -> Self {
        match value {
            Value::Null => Json::Null,
            Value::Bool(value) => Json::Bool(*value),
            Value::Number(number) => match (number.as_i64(), number.as_u64()) {
                (Some(value), _) => Json::Int(value),
                (None, Some(value)) => Json::UInt(value),
                (None, None) => Json::Number(Cow::Owned(number.to_string())),
            },
            Value::String(text) => Json::Text(Cow::Owned(text.clone())),
            Value::Array(items) => Json::Array(items.iter().map(Json::from).collect()),
            Value::Object(members) => Json::Object(
                members
                    .iter()
                    .map(|(name, value)| (Cow::Owned(name.clone()), Json::from(value)))
                    .collect(),
            ),
        }
    }
}
