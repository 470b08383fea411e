//! Strict modes make optional members required and nullable, so a model says null where it has nothing to say. Where the
//! user's schema knows no null there, such a member counts as absent.

use super::keywords::{References, reference};
use crate::json::Json;
use std::borrow::Cow;

type Schema<'s> = &'s Json<'static>;

/// The value without those nulls; `None` when there was none to drop.
pub fn prune<'v>(root: Schema<'_>, references: &References, value: &'v Json<'v>) -> Option<Json<'v>> {
    let mut pruner = Pruner {
        root,
        references,
        dropped: false,
    };
    let pruned = pruner.value(&[root], value);
    pruner.dropped.then_some(pruned)
}

struct Pruner<'s> {
    root: Schema<'s>,
    references: &'s References,
    dropped: bool,
}

impl<'s> Pruner<'s> {
    /// `schemas` all apply to `value`.
    fn value<'v>(&mut self, schemas: &[Schema<'s>], value: &'v Json<'v>) -> Json<'v> {
        let mut applied = Vec::new();
        for schema in schemas {
            self.collect(schema, value, &mut applied);
        }
        match value {
            Json::Object(members) => Json::Object(self.members(&applied, members)),
            Json::Array(items) => Json::Array(
                items
                    .iter()
                    .enumerate()
                    .map(|(index, item)| self.value(&item_schemas(&applied, index), item))
                    .collect(),
            ),
            other => other.clone(),
        }
    }

    fn members<'v>(
        &mut self,
        applied: &[Schema<'s>],
        members: &'v [(Cow<'v, str>, Json<'v>)],
    ) -> Vec<(Cow<'v, str>, Json<'v>)> {
        let mut kept = Vec::with_capacity(members.len());
        for (name, value) in members {
            let declared = member_schemas(applied, name);
            let needless = matches!(value, Json::Null)
                && !declared.is_empty()
                && !applied.iter().any(|schema| requires(schema, name))
                && declared.iter().any(|schema| !self.allows_null(schema));
            if needless {
                self.dropped = true;
            } else {
                kept.push((Cow::Borrowed(name.as_ref()), self.value(&declared, value)));
            }
        }
        kept
    }

    /// `schema` and all that applies with it to the same value: targets of references, `allOf`, and those branches of `anyOf`
    /// and `oneOf` that the value can mean.
    fn collect(&self, schema: Schema<'s>, value: &Json<'_>, applied: &mut Vec<Schema<'s>>) {
        applied.push(schema);
        if let Some(target) = self.target(schema) {
            self.collect(target, value, applied);
        }
        for part in list(schema, "allOf") {
            self.collect(part, value, applied);
        }
        for branch in list(schema, "anyOf").iter().chain(list(schema, "oneOf")) {
            applied.extend(self.meaning(branch, value).unwrap_or_default());
        }
    }

    fn target(&self, schema: Schema<'s>) -> Option<Schema<'s>> {
        let (_, target) = reference(schema)?;
        self.references.resolve(self.root, target).map(|(_, schema)| schema)
    }

    /// All that applies to `value` with `branch`, if `value` can be an instance of it, judged by type, members and the constants
    /// that tell branches apart.
    fn meaning(&self, branch: Schema<'s>, value: &Json<'_>) -> Option<Vec<Schema<'s>>> {
        let mut applied = Vec::new();
        self.collect(branch, value, &mut applied);
        if !applied.iter().all(|schema| type_allows(schema, value)) {
            return None;
        }
        let closed = applied.iter().any(|schema| schema.get("properties").is_some());
        let fits = value.as_object().unwrap_or_default().iter().all(|(name, member)| {
            let declared = member_schemas(&applied, name);
            let allowed = match member {
                // Strict modes ask for nulls in optional members, also where a constant stands.
                Json::Null if !applied.iter().any(|schema| requires(schema, name)) => true,
                Json::Null => declared.iter().all(|schema| self.allows_null(schema)),
                _ => declared.iter().all(|schema| constant_allows(schema, member)),
            };
            (!closed || !declared.is_empty()) && allowed
        });
        fits.then_some(applied)
    }

    fn allows_null(&self, schema: Schema<'s>) -> bool {
        let branches = |keyword| {
            let branches = list(schema, keyword);
            branches.is_empty() || branches.iter().any(|branch| self.allows_null(branch))
        };
        type_allows(schema, &Json::Null)
            && constant_allows(schema, &Json::Null)
            && !matches!(schema, Json::Bool(false))
            && self.target(schema).is_none_or(|target| self.allows_null(target))
            && list(schema, "allOf").iter().all(|part| self.allows_null(part))
            && branches("anyOf")
            && branches("oneOf")
    }
}

fn list<'s>(schema: Schema<'s>, keyword: &str) -> &'s [Json<'static>] {
    schema.get(keyword).and_then(Json::as_array).unwrap_or_default()
}

fn member<'s>(schema: Schema<'s>, name: &str) -> Option<Schema<'s>> {
    let members = schema.get("properties")?.as_object()?;
    members
        .iter()
        .rev()
        .find(|(key, _)| key == name)
        .map(|(_, schema)| schema)
}

/// The schemas that declare the member, else those for members that nobody declared.
fn member_schemas<'s>(applied: &[Schema<'s>], name: &str) -> Vec<Schema<'s>> {
    let declared: Vec<_> = applied.iter().filter_map(|schema| member(schema, name)).collect();
    if !declared.is_empty() {
        return declared;
    }
    applied
        .iter()
        .filter_map(|schema| schema.get("additionalProperties"))
        .filter(|schema| schema.as_object().is_some())
        .collect()
}

fn item_schemas<'s>(applied: &[Schema<'s>], index: usize) -> Vec<Schema<'s>> {
    applied
        .iter()
        .filter_map(|schema| {
            list(schema, "prefixItems")
                .get(index)
                .or_else(|| schema.get("items").filter(|items| items.as_object().is_some()))
        })
        .collect()
}

fn requires(schema: Schema<'_>, name: &str) -> bool {
    list(schema, "required").iter().any(|item| item.as_text() == Some(name))
}

fn type_allows(schema: Schema<'_>, value: &Json<'_>) -> bool {
    let fits = |name: &str| match name {
        "null" => matches!(value, Json::Null),
        "boolean" => matches!(value, Json::Bool(_)),
        "string" => matches!(value, Json::Text(_)),
        "array" => matches!(value, Json::Array(_)),
        "object" => matches!(value, Json::Object(_)),
        "number" | "integer" => matches!(value, Json::Int(_) | Json::UInt(_) | Json::Number(_)),
        _ => true,
    };
    match schema.get("type") {
        Some(Json::Text(name)) => fits(name),
        Some(Json::Array(names)) => names.iter().filter_map(Json::as_text).any(fits),
        _ => true,
    }
}

/// `const` and `enum` compared as they are written: enough to tell branches apart, the validator judges in the end.
fn constant_allows(schema: Schema<'_>, value: &Json<'_>) -> bool {
    let raw = |keyword: &str| {
        let members = schema.as_object().unwrap_or_default();
        members
            .iter()
            .rev()
            .find(|(key, _)| key == keyword)
            .map(|(_, value)| value)
    };
    raw("const").is_none_or(|constant| constant == value)
        && raw("enum")
            .and_then(Json::as_array)
            .is_none_or(|values| values.contains(value))
}
