//! Small pieces of a wire form: types, closed objects, null beside another type.

use super::flatten::Flat;
use crate::json::Json;
use std::borrow::Cow;

pub type Wire = Json<'static>;
pub type Members = Vec<(Cow<'static, str>, Wire)>;

/// The type of a node that does not say it: providers want one everywhere.
pub fn inferred_types(flat: &Flat<'_>) -> Vec<String> {
    let constants = match (flat.part("const"), flat.part("enum")) {
        (Some(part), _) => std::slice::from_ref(&part.value),
        (None, Some(part)) => part.value.as_array().unwrap_or_default(),
        (None, None) if flat.declares_properties => return vec!["object".to_owned()],
        (None, None) if flat.part("additionalProperties").is_some() => return vec!["object".to_owned()],
        (None, None) if flat.part("items").or_else(|| flat.part("prefixItems")).is_some() => {
            return vec!["array".to_owned()];
        }
        (None, None) => &[],
    };
    let mut types: Vec<String> = Vec::new();
    for value in constants {
        let name = type_of(value);
        if !types.iter().any(|known| known == name) {
            types.push(name.to_owned());
        }
    }
    if types.iter().any(|name| name == "number") {
        types.retain(|name| name != "integer");
    }
    types
}

fn type_of(value: &Json<'_>) -> &'static str {
    match value {
        Json::Null => "null",
        Json::Bool(_) => "boolean",
        Json::Int(_) | Json::UInt(_) => "integer",
        Json::Number(_) => "number",
        Json::Text(_) | Json::Bytes(_) => "string",
        Json::Array(_) => "array",
        Json::Object(_) => "object",
    }
}

/// `type` as text, or as a list of several.
pub fn type_value(types: &[String]) -> Wire {
    match types {
        [only] => Json::from(only.clone()),
        several => Json::Array(several.iter().cloned().map(Json::from).collect()),
    }
}

/// An object that takes exactly these members.
pub fn closed_object(members: Members) -> Wire {
    let required = members.iter().map(|(name, _)| Json::Text(name.clone())).collect();
    Json::Object(vec![
        (Cow::Borrowed("type"), Json::from("object")),
        (Cow::Borrowed("properties"), Json::Object(members)),
        (Cow::Borrowed("required"), Json::Array(required)),
        (Cow::Borrowed("additionalProperties"), Json::Bool(false)),
    ])
}

/// The same schema, also taking null.
pub fn nullable(wire: Wire) -> Wire {
    let Json::Object(mut members) = wire else {
        return wire;
    };
    let null = || Json::object([("type", Json::from("null"))]);
    let union = members.iter().position(|(key, _)| key == "anyOf");
    if let Some((_, Json::Array(branches))) = union.and_then(|place| members.get_mut(place)) {
        if !branches.contains(&null()) {
            branches.push(null());
        }
        return Json::Object(members);
    }
    let alone = members.iter().any(|(key, _)| key == "$ref" || key == "const");
    if alone {
        return Json::object([("anyOf", Json::Array(vec![Json::Object(members), null()]))]);
    }
    for (key, value) in &mut members {
        match (key.as_ref(), value) {
            ("type", value @ Json::Text(_)) if value.as_text() != Some("null") => {
                *value = Json::Array(vec![value.clone(), Json::from("null")]);
            }
            ("type", Json::Array(names)) if !names.contains(&Json::from("null")) => names.push(Json::from("null")),
            ("enum", Json::Array(values)) if !values.contains(&Json::Null) => values.push(Json::Null),
            _ => {}
        }
    }
    Json::Object(members)
}
