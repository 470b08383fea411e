//! One schema object with all that stands for the same value: references that must be inlined and the parts of `allOf`
//! merged into it. Where two parts disagree, the wire form may be looser than the user's schema (the answer is checked
//! against that one in full), never stricter in a way that no answer could meet.

use super::describe::sentence;
use super::keywords::{Links, References};
use crate::json::{Json, pointer};
use crate::structured::{Reason, ReasonCode};

pub type Schema<'s> = &'s Json<'static>;

/// A keyword with its place in the user's schema.
#[derive(Debug, Clone)]
pub struct Part<'s> {
    pub keyword: &'s str,
    pub value: Json<'static>,
    pub at: String,
    /// The value in the user's document, for keywords that hold subschemas.
    pub source: Schema<'s>,
}

/// A declared property.
#[derive(Debug, Clone)]
pub struct Property<'s> {
    pub name: &'s str,
    pub schema: Schema<'s>,
    pub at: String,
}

/// A merged schema object.
#[derive(Debug, Default)]
pub struct Flat<'s> {
    pub at: String,
    /// Stays a reference, to this place.
    pub reference: Option<String>,
    pub parts: Vec<Part<'s>>,
    pub declares_properties: bool,
    pub properties: Vec<Property<'s>>,
    /// Required names, each with the place that says so.
    pub required: Vec<(&'s str, String)>,
    /// Sentences for the description.
    pub notes: Vec<String>,
    /// Places that were inlined here.
    pub inlined: Vec<String>,
    pub reasons: Vec<Reason>,
    /// Members that an `additionalProperties: false` inside `allOf` leaves room for, and where it stands.
    closed: Vec<(Vec<&'s str>, String)>,
}

impl<'s> Flat<'s> {
    pub fn part(&self, keyword: &str) -> Option<&Part<'s>> {
        self.parts.iter().find(|part| part.keyword == keyword)
    }

    pub fn text(&self, keyword: &str) -> Option<&str> {
        self.part(keyword)?.value.as_text()
    }

    /// The names under `type`.
    pub fn types(&self) -> Vec<String> {
        match self.part("type").map(|part| &part.value) {
            Some(Json::Text(name)) => vec![name.to_string()],
            Some(Json::Array(names)) => names.iter().filter_map(Json::as_text).map(str::to_owned).collect(),
            _ => Vec::new(),
        }
    }
}

/// Each of these says nothing about values: left out without a word.
const SILENT: &[&str] = &[
    "$schema",
    "$id",
    "$comment",
    "$anchor",
    "$dynamicAnchor",
    "$recursiveAnchor",
    "$vocabulary",
    "$defs",
    "definitions",
];

/// What merging needs to know of the walk around it.
#[derive(Debug)]
pub struct Flattener<'s> {
    pub root: Schema<'s>,
    references: &'s References,
    links: Links<'s>,
    /// Places inlined on the way down to here; inlining one again would never end.
    pub inlining: Vec<String>,
    /// Inlined copies so far.
    copies: usize,
}

/// A document whose definitions double at each step would otherwise grow without bound.
const MAX_COPIES: usize = 2000;

/// Deepest nesting of copies within copies.
const MAX_INLINING: usize = 100;

type Outcome<T> = std::result::Result<T, Reason>;

impl<'s> Flattener<'s> {
    pub fn new(root: Schema<'s>, references: &'s References) -> Flattener<'s> {
        Flattener {
            root,
            references,
            links: Links::of(root, references),
            inlining: Vec::new(),
            copies: 0,
        }
    }

    /// Merges what applies to the value of `schema`. The root must not stay a reference.
    pub fn flatten(&mut self, schema: Schema<'s>, at: &str, is_root: bool) -> Outcome<Flat<'s>> {
        let mut flat = Flat {
            at: at.to_owned(),
            ..Flat::default()
        };
        match lone_reference(schema) {
            Some(target) if !is_root => {
                let (place, _) = self.resolve(target, at)?;
                let bare = description_of(schema).is_none();
                if bare || !self.may_copy(&place) || self.links.is_recursive(&place) {
                    flat.reference = Some(place);
                    self.absorb_annotations(&mut flat, schema, at);
                    return Ok(flat);
                }
            }
            _ => {}
        }
        self.absorb(&mut flat, schema, at, true)?;
        for (names, closed_at) in &flat.closed {
            if flat.properties.iter().any(|property| !names.contains(&property.name)) {
                return Err(untranslatable(
                    closed_at,
                    "`additionalProperties: false` in one part of `allOf` excludes the members of another part",
                ));
            }
        }
        Ok(flat)
    }

    /// Whether the schema at `place` refers to itself, be it through others.
    pub fn is_recursive(&mut self, place: &str) -> bool {
        self.links.is_recursive(place)
    }

    fn resolve(&self, target: &str, at: &str) -> Outcome<(String, Schema<'s>)> {
        if let Some(embedded) = &self.references.embedded {
            return Err(untranslatable(
                embedded,
                "a subschema with an `$id` of its own cannot be sent",
            ));
        }
        let unknown = || {
            untranslatable(
                &pointer::child(at, "$ref"),
                "this reference leads nowhere in the document",
            )
        };
        let (mut place, mut schema) = self.references.resolve(self.root, target).ok_or_else(unknown)?;
        // A definition that is only a reference stands for its target.
        while let Some([(keyword, Json::Text(next))]) = schema.as_object()
            && keyword == "$ref"
        {
            (place, schema) = self.references.resolve(self.root, next).ok_or_else(unknown)?;
        }
        Ok((place, schema))
    }

    fn may_copy(&self, place: &str) -> bool {
        self.copies < MAX_COPIES
            && self.inlining.len() < MAX_INLINING
            && !self.inlining.iter().any(|inlined| inlined == place)
    }

    fn absorb_annotations(&self, flat: &mut Flat<'s>, schema: Schema<'s>, at: &str) {
        for (keyword, value) in schema.as_object().unwrap_or_default() {
            if is_annotation(keyword, value) && !SILENT.contains(&keyword.as_ref()) {
                flat.parts.push(part(keyword, value, at));
            }
        }
    }

    /// Takes `schema` into `flat`. `outer`: its own annotations win over those of parts and targets.
    fn absorb(&mut self, flat: &mut Flat<'s>, schema: Schema<'s>, at: &str, outer: bool) -> Outcome<()> {
        let members = match schema {
            Json::Object(members) => members,
            Json::Bool(true) => return Ok(()),
            _ => return Err(untranslatable(at, "no value is allowed here")),
        };
        if schema.get("additionalProperties") == Some(&Json::Bool(false)) {
            let names = schema.get("properties").and_then(Json::as_object).unwrap_or_default();
            let closed_at = pointer::child(at, "additionalProperties");
            flat.closed
                .push((names.iter().map(|(name, _)| name.as_ref()).collect(), closed_at));
        }
        for (keyword, value) in members {
            let here = pointer::child(at, keyword);
            match (keyword.as_ref(), value) {
                ("$ref", Json::Text(target)) => self.inline(flat, target, at)?,
                ("allOf", Json::Array(parts)) => {
                    for (index, inner) in parts.iter().enumerate() {
                        self.absorb(flat, inner, &pointer::child(&here, &index.to_string()), false)?;
                    }
                }
                ("properties", Json::Object(properties)) => {
                    flat.declares_properties = true;
                    for (name, schema) in properties {
                        add_property(flat, name, schema, pointer::child(&here, name))?;
                    }
                }
                ("required", Json::Array(names)) => {
                    for name in names.iter().filter_map(Json::as_text) {
                        if !flat.required.iter().any(|(known, _)| *known == name) {
                            flat.required.push((name, here.clone()));
                        }
                    }
                }
                ("title" | "description", _) if outer => {
                    flat.parts.retain(|part| part.keyword != keyword.as_ref());
                    flat.parts.push(part(keyword, value, at));
                }
                (silent, _) if SILENT.contains(&silent) => {}
                _ => merge(flat, part(keyword, value, at))?,
            }
        }
        Ok(())
    }

    fn inline(&mut self, flat: &mut Flat<'s>, target: &str, at: &str) -> Outcome<()> {
        let (place, schema) = self.resolve(target, at)?;
        let again = flat.inlined.contains(&place);
        if again || !self.may_copy(&place) {
            return Err(untranslatable(
                &pointer::child(at, "$ref"),
                "a recursive reference cannot stand beside other keywords",
            ));
        }
        self.copies += 1;
        flat.inlined.push(place.clone());
        self.absorb(flat, schema, &place, false)
    }
}

/// The text of a `$ref` that has nothing but annotations beside it; also as the only part of an `allOf`.
fn lone_reference(schema: Schema<'_>) -> Option<&str> {
    let mut target = None;
    for (keyword, value) in schema.as_object()? {
        let found = match keyword.as_ref() {
            "$ref" => value.as_text(),
            "allOf" => match value.as_array() {
                Some([only]) => Some(lone_reference(only)?),
                _ => return None,
            },
            annotation if is_annotation(annotation, value) => continue,
            _ => return None,
        };
        if target.replace(found?).is_some() {
            return None;
        }
    }
    target
}

/// Annotations, and keywords that say nothing about values.
fn is_annotation(keyword: &str, value: &Json<'_>) -> bool {
    SILENT.contains(&keyword) || keyword != "$ref" && !is_structural(keyword) && sentence(keyword, value).is_none()
}

fn is_structural(keyword: &str) -> bool {
    [
        "type",
        "const",
        "allOf",
        "properties",
        "required",
        "items",
        "prefixItems",
        "additionalProperties",
        "patternProperties",
        "unevaluatedProperties",
        "$dynamicRef",
        "$recursiveRef",
    ]
    .contains(&keyword)
}

fn description_of(schema: Schema<'_>) -> Option<&str> {
    ["description", "title"]
        .into_iter()
        .find_map(|keyword| schema.get(keyword)?.as_text())
}

fn part<'s>(keyword: &'s str, value: Schema<'s>, at: &str) -> Part<'s> {
    Part {
        keyword,
        value: value.clone(),
        at: pointer::child(at, keyword),
        source: value,
    }
}

pub fn untranslatable(at: &str, why: &str) -> Reason {
    Reason::at(
        ReasonCode::Untranslatable,
        at,
        format!("The schema cannot be sent: {why}."),
    )
}

fn add_property<'s>(flat: &mut Flat<'s>, name: &'s str, schema: Schema<'s>, at: String) -> Outcome<()> {
    match flat.properties.iter().find(|known| known.name == name) {
        None => flat.properties.push(Property { name, schema, at }),
        Some(known) if known.schema == schema => {}
        Some(_) => {
            return Err(untranslatable(
                &at,
                "two parts of `allOf` declare this property in different ways",
            ));
        }
    }
    Ok(())
}

/// Adds a keyword that may be there already.
fn merge<'s>(flat: &mut Flat<'s>, new: Part<'s>) -> Outcome<()> {
    let Some(known) = flat.parts.iter_mut().find(|known| known.keyword == new.keyword) else {
        flat.parts.push(new);
        return Ok(());
    };
    if known.value == new.value {
        return Ok(());
    }
    match new.keyword {
        "type" => known.value = common_types(&known.value, &new.value).ok_or_else(|| no_value(&new))?,
        "enum" => known.value = common_values(&known.value, &new.value).ok_or_else(|| no_value(&new))?,
        "const" => return Err(no_value(&new)),
        "additionalProperties" | "unevaluatedProperties" => {
            if new.value == Json::Bool(false) {
                *known = new;
            }
        }
        "anyOf" | "oneOf" | "items" | "prefixItems" | "patternProperties" | "$dynamicRef" | "$recursiveRef" => {
            return Err(untranslatable(
                &new.at,
                "two parts of `allOf` use this keyword in different ways",
            ));
        }
        _ => {
            if let Some(sentence) = sentence(new.keyword, &new.value) {
                flat.reasons.push(moved(new.keyword, &new.at));
                flat.notes.push(sentence);
            }
        }
    }
    Ok(())
}

fn no_value(part: &Part<'_>) -> Reason {
    untranslatable(&part.at, "no value fits all parts of `allOf`")
}

pub fn moved(keyword: &str, at: &str) -> Reason {
    Reason::at(
        ReasonCode::KeywordMoved,
        at,
        format!("`{keyword}` became part of the description; the answer is checked against it."),
    )
    .with("keyword", keyword.to_owned())
}

fn names(types: &Json<'static>) -> Vec<Json<'static>> {
    match types {
        Json::Array(names) => names.clone(),
        single => vec![single.clone()],
    }
}

/// Types that both allow; `integer` is a `number`.
fn common_types(left: &Json<'static>, right: &Json<'static>) -> Option<Json<'static>> {
    let (left, right) = (names(left), names(right));
    let number = Json::from("number");
    let allows = |types: &[Json<'static>], name: &Json<'static>| {
        types.contains(name) || *name == Json::from("integer") && types.contains(&number)
    };
    let mut common: Vec<Json<'static>> = left.iter().filter(|name| allows(&right, name)).cloned().collect();
    common.extend(
        right
            .iter()
            .filter(|name| !left.contains(name) && allows(&left, name))
            .cloned(),
    );
    match common.len() {
        0 => None,
        1 => common.pop(),
        _ => Some(Json::Array(common)),
    }
}

fn common_values(left: &Json<'static>, right: &Json<'static>) -> Option<Json<'static>> {
    let right = right.as_array()?;
    let common: Vec<_> = left
        .as_array()?
        .iter()
        .filter(|value| right.contains(value))
        .cloned()
        .collect();
    (!common.is_empty()).then_some(Json::Array(common))
}
