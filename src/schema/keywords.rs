//! Where subschemas stand in a schema: the one table that every walk over a user's schema uses. What stands elsewhere
//! (`enum`, `const`, `default`, `examples`, unknown keywords) is data and never looked into.

use crate::json::{Json, pointer};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

/// What the value of a keyword holds.
#[derive(Clone, Copy, PartialEq)]
enum Holds {
    One,
    List,
    Map,
    OneOrList,
}

/// Shape of a keyword's value, and whether its subschemas apply to the same value as the schema itself.
fn holds(keyword: &str) -> Option<(Holds, bool)> {
    Some(match keyword {
        "allOf" | "anyOf" | "oneOf" => (Holds::List, true),
        "not" | "if" | "then" | "else" => (Holds::One, true),
        "dependentSchemas" | "dependencies" => (Holds::Map, true),
        "properties" | "patternProperties" | "$defs" | "definitions" => (Holds::Map, false),
        "prefixItems" => (Holds::List, false),
        "items" => (Holds::OneOrList, false),
        "additionalProperties"
        | "unevaluatedProperties"
        | "propertyNames"
        | "contains"
        | "additionalItems"
        | "unevaluatedItems"
        | "contentSchema" => (Holds::One, false),
        _ => return None,
    })
}

/// A subschema of a schema.
pub struct Child<'s> {
    pub schema: &'s Json<'static>,
    pub at: String,
    /// It applies to the same value as its parent.
    pub in_place: bool,
}

/// The direct subschemas of `schema`, which stands at `at`.
pub fn children<'s>(schema: &'s Json<'static>, at: &str) -> Vec<Child<'s>> {
    let mut found = Vec::new();
    for (keyword, value) in schema.as_object().unwrap_or_default() {
        let Some((shape, in_place)) = holds(keyword) else {
            continue;
        };
        let here = pointer::child(at, keyword);
        let mut add = |schema, at| {
            if is_schema(schema) {
                found.push(Child { schema, at, in_place });
            }
        };
        match (shape, value) {
            (Holds::One | Holds::OneOrList, Json::Object(_) | Json::Bool(_)) => add(value, here),
            (Holds::List | Holds::OneOrList, Json::Array(items)) => {
                for (index, item) in items.iter().enumerate() {
                    add(item, pointer::child(&here, &index.to_string()));
                }
            }
            (Holds::Map, Json::Object(members)) => {
                for (name, member) in members {
                    add(member, pointer::child(&here, name));
                }
            }
            _ => {}
        }
    }
    found
}

fn is_schema(value: &Json<'_>) -> bool {
    matches!(value, Json::Object(_) | Json::Bool(_))
}

/// A keyword that refers to another place, `$ref` first.
pub fn reference<'s>(schema: &'s Json<'static>) -> Option<(&'static str, &'s str)> {
    ["$ref", "$dynamicRef", "$recursiveRef"]
        .into_iter()
        .find_map(|keyword| Some((keyword, schema.get(keyword)?.as_text()?)))
}

/// Resolves references inside one document.
#[derive(Debug)]
pub struct References {
    anchors: HashMap<String, String>,
    base: Option<String>,
    /// Where an inner schema has an `$id` of its own: references below it count from there.
    pub embedded: Option<String>,
    /// How many subschemas the document has.
    pub subschemas: usize,
}

impl References {
    pub fn of(root: &Json<'static>) -> References {
        let base = root.get("$id").and_then(Json::as_text);
        let mut found = References {
            anchors: HashMap::new(),
            base: base.map(|id| id.trim_end_matches('#').to_owned()),
            embedded: None,
            subschemas: 0,
        };
        found.visit(root, "");
        found
    }

    fn visit(&mut self, schema: &Json<'static>, at: &str) {
        self.subschemas += 1;
        for keyword in ["$anchor", "$dynamicAnchor"] {
            if let Some(anchor) = schema.get(keyword).and_then(Json::as_text) {
                self.anchors.insert(anchor.to_owned(), at.to_owned());
            }
        }
        if !at.is_empty() && schema.get("$id").is_some() {
            self.embedded.get_or_insert_with(|| at.to_owned());
        }
        for child in children(schema, at) {
            self.visit(child.schema, &child.at);
        }
    }

    /// The pointer and the schema that `target` (a `$ref`'s text) names; `None` when it is not in this document.
    pub fn resolve<'s>(&self, root: &'s Json<'static>, target: &str) -> Option<(String, &'s Json<'static>)> {
        let (document, fragment) = target.split_once('#').unwrap_or((target, ""));
        if !document.is_empty() && self.base.as_deref() != Some(document) {
            return None;
        }
        let decoded = percent_decode(fragment)?;
        let place = match decoded.is_empty() || decoded.starts_with('/') {
            true => decoded.into_owned(),
            false => self.anchors.get(decoded.as_ref())?.clone(),
        };
        let schema = pointer::resolve(root, &place)?;
        is_schema(schema).then_some((place, schema))
    }
}

fn percent_decode(fragment: &str) -> Option<Cow<'_, str>> {
    if !fragment.contains('%') {
        return Some(Cow::Borrowed(fragment));
    }
    let mut bytes = Vec::with_capacity(fragment.len());
    let mut rest = fragment.bytes();
    while let Some(byte) = rest.next() {
        let decoded = match byte {
            b'%' => {
                let high = char::from(rest.next()?).to_digit(16)?;
                let low = char::from(rest.next()?).to_digit(16)?;
                u8::try_from(high * 16 + low).ok()?
            }
            other => other,
        };
        bytes.push(decoded);
    }
    String::from_utf8(bytes).ok().map(Cow::Owned)
}

/// Which places lead to which through references, for one walk over a document.
#[derive(Debug)]
pub struct Links<'s> {
    root: &'s Json<'static>,
    references: &'s References,
    /// Places that the subschemas at and below a place refer to.
    next: HashMap<String, Vec<String>>,
    recursive: HashMap<String, bool>,
}

impl<'s> Links<'s> {
    pub fn of(root: &'s Json<'static>, references: &'s References) -> Links<'s> {
        Links {
            root,
            references,
            next: HashMap::new(),
            recursive: HashMap::new(),
        }
    }

    /// Whether the schema at `place` leads back to itself, or into itself.
    pub fn is_recursive(&mut self, place: &str) -> bool {
        if let Some(known) = self.recursive.get(place) {
            return *known;
        }
        let mut seen = HashSet::from([place.to_owned()]);
        let mut open = vec![place.to_owned()];
        let mut found = false;
        while let Some(from) = open.pop() {
            for target in self.targets(&from) {
                found |= is_within(place, target);
                if !seen.contains(target) {
                    seen.insert(target.clone());
                    open.push(target.clone());
                }
            }
        }
        self.recursive.insert(place.to_owned(), found);
        found
    }

    fn targets(&mut self, place: &str) -> &[String] {
        if !self.next.contains_key(place) {
            let mut targets = Vec::new();
            if let Some(schema) = pointer::resolve(self.root, place) {
                self.collect(schema, &mut targets);
            }
            self.next.insert(place.to_owned(), targets);
        }
        self.next.get(place).map(Vec::as_slice).unwrap_or_default()
    }

    fn collect(&self, schema: &'s Json<'static>, targets: &mut Vec<String>) {
        let target = reference(schema).and_then(|(_, target)| self.references.resolve(self.root, target));
        targets.extend(target.map(|(place, _)| place));
        for child in children(schema, "") {
            self.collect(child.schema, targets);
        }
    }
}

/// `inner` is `outer` or stands below it.
fn is_within(outer: &str, inner: &str) -> bool {
    inner
        .strip_prefix(outer)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Longest chain of schemas that apply to one value, and where it starts.
pub const MAX_IN_PLACE: usize = 64;

/// Most schemas that apply to one value, those counted again that are reached in several ways.
pub const MAX_IN_PLACE_VISITS: usize = 10_000;

/// Why a schema cannot be walked.
pub enum Unwalkable {
    /// It leads back to itself without ever going into a member or item.
    Loop(String),
    /// More than [`MAX_IN_PLACE`] schemas apply to one value in a chain.
    Long(String),
    /// More than [`MAX_IN_PLACE_VISITS`] schemas apply to one value: unions of references to unions double with each step.
    Wide(String),
}

/// Finds loops and overlong chains of in-place schemas, so that every other walk ends and has a bounded depth.
pub fn check_in_place(root: &Json<'static>, references: &References) -> Result<(), Unwalkable> {
    let mut check = InPlace {
        root,
        references,
        lengths: HashMap::new(),
    };
    check.tree(root, "")
}

struct InPlace<'s> {
    root: &'s Json<'static>,
    references: &'s References,
    /// Longest chain and number of visits from each place; `None` while they are being measured.
    lengths: HashMap<String, Option<(usize, usize)>>,
}

impl<'s> InPlace<'s> {
    fn tree(&mut self, schema: &'s Json<'static>, at: &str) -> Result<(), Unwalkable> {
        self.length(schema, at)?;
        for child in children(schema, at) {
            self.tree(child.schema, &child.at)?;
        }
        Ok(())
    }

    fn length(&mut self, schema: &'s Json<'static>, at: &str) -> Result<(usize, usize), Unwalkable> {
        match self.lengths.get(at) {
            Some(Some(measured)) => return Ok(*measured),
            Some(None) => return Err(Unwalkable::Loop(at.to_owned())),
            None => self.lengths.insert(at.to_owned(), None),
        };
        let (mut longest, mut visits) = (0, 1_usize);
        let target = reference(schema).and_then(|(_, target)| self.references.resolve(self.root, target));
        if let Some((place, target)) = target {
            let below = self.length(target, &place)?;
            (longest, visits) = (below.0, visits.saturating_add(below.1));
        }
        for child in children(schema, at) {
            if child.in_place {
                let below = self.length(child.schema, &child.at)?;
                (longest, visits) = (longest.max(below.0), visits.saturating_add(below.1));
            }
        }
        if longest >= MAX_IN_PLACE {
            return Err(Unwalkable::Long(at.to_owned()));
        }
        if visits > MAX_IN_PLACE_VISITS {
            return Err(Unwalkable::Wide(at.to_owned()));
        }
        self.lengths.insert(at.to_owned(), Some((longest + 1, visits)));
        Ok((longest + 1, visits))
    }
}
