//! A user's schema as one provider takes it. One walk; what differs between providers stands in the dialect's table.
//!
//! Where the dialect asks for it, every object on the wire is closed and requires all its members; an optional one becomes
//! nullable. An object that declares properties and does not speak of others is closed in any dialect.

use super::describe::{description, sentence};
use super::dialect::{Dialect, Rewritten};
use super::flatten::{Flat, Flattener, Part, Schema, moved, untranslatable};
use super::keywords::References;
use super::limits::Counts;
use super::wire::{Members, Wire, closed_object, inferred_types, nullable, type_value};
use super::wire_name;
use crate::json::{Json, pointer};
use crate::structured::{Reason, ReasonCode};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet, VecDeque};

/// The wire form of `root`, or everything that no request can carry.
pub fn rewrite(root: Schema<'_>, references: &References, dialect: &'static Dialect) -> Result<Rewritten, Vec<Reason>> {
    let mut walk = Walk {
        flattener: Flattener::new(root, references),
        dialect,
        counts: Counts::new(dialect),
        reasons: Vec::new(),
        blockers: Vec::new(),
        definitions: Vec::new(),
        waiting: VecDeque::new(),
        ways: Ways::default(),
    };
    let flat = walk.flattener.flatten(root, "", true).map_err(|reason| vec![reason])?;
    let wrapper = wrapper_for(&flat);
    let mut wire = match wrapper {
        None => walk.emit(flat, 0),
        Some(name) => walk.wrap(name, flat),
    };
    let definitions = walk.emit_definitions();
    walk.refuse_cycles();
    if !walk.blockers.is_empty() {
        return Err(walk.blockers);
    }
    if let (Json::Object(members), false) = (&mut wire, definitions.is_empty()) {
        members.push((Cow::Borrowed("$defs"), Json::Object(definitions)));
    }
    let (limits, limited) = walk.counts.finish();
    let mut reasons = walk.reasons;
    // A schema that was copied gives its reasons once.
    let mut seen = HashSet::new();
    reasons.retain(|reason| seen.insert((reason.code, reason.pointer.clone())));
    reasons.extend(limits);
    Ok(Rewritten {
        json: wire.to_json(),
        wrapper,
        reasons,
        limited,
    })
}

/// A root that is a plain object needs none.
fn wrapper_for(flat: &Flat<'_>) -> Option<&'static str> {
    let union = flat.part("anyOf").or_else(|| flat.part("oneOf")).is_some();
    let types = flat.types();
    let object = match types.as_slice() {
        [only] => only == "object",
        [] => flat.part("enum").is_none() && flat.part("const").is_none() && flat.part("items").is_none(),
        _ => false,
    };
    if object && (!union || flat.declares_properties) {
        return None;
    }
    let list = !union && (types == ["array"] || types.is_empty() && flat.part("items").is_some());
    Some(if list { "values" } else { "value" })
}

struct Walk<'s> {
    flattener: Flattener<'s>,
    dialect: &'static Dialect,
    counts: Counts,
    reasons: Vec<Reason>,
    blockers: Vec<Reason>,
    /// Place in the user's schema, name on the wire.
    definitions: Vec<(String, String)>,
    /// Definitions that are referred to and not yet written.
    waiting: VecDeque<(String, String)>,
    ways: Ways,
}

impl<'s> Walk<'s> {
    fn wrap(&mut self, name: &'static str, flat: Flat<'s>) -> Wire {
        let message = format!("The root is no plain object and travels as the property `{name}` of one.");
        self.reasons
            .push(Reason::at(ReasonCode::RootWrapped, "", message).with("wrapper", name));
        self.counts.property(name, "");
        let inner = self.emit(flat, 1);
        closed_object(vec![(Cow::Borrowed(name), inner)])
    }

    fn emit_definitions(&mut self) -> Members {
        let mut written = Vec::new();
        while let Some((place, name)) = self.waiting.pop_front() {
            self.counts.characters(&name, &place);
            self.ways.enter(&place);
            let schema = pointer::resolve(self.flattener.root, &place).unwrap_or(&Json::Null);
            let wire = match self.flattener.flatten(schema, &place, true) {
                Ok(flat) => self.emit(flat, 1),
                Err(reason) => self.block(reason),
            };
            written.push((Cow::Owned(name), wire));
        }
        written
    }

    /// The wire's reference to a place in the user's schema: always to a definition, under a name that no other has.
    ///
    /// OpenAI takes `#` for a recursive root too, but some servers that enforce schemas (llama.cpp) know definitions only, and a
    /// definition is read by all. So a root that recurs stands twice on the wire: as the root object, and as a definition that
    /// the references lead to. Its properties and constants count twice against the limits, as the service sees them twice.
    fn refer(&mut self, place: &str) -> Wire {
        let known = self.definitions.iter().find(|(known, _)| known == place);
        let name = match known {
            Some((_, name)) => name.clone(),
            None => {
                let name = self.free_name(place);
                self.definitions.push((place.to_owned(), name.clone()));
                self.waiting.push_back((place.to_owned(), name.clone()));
                name
            }
        };
        Json::from(format!("#/$defs/{name}"))
    }

    fn free_name(&self, place: &str) -> String {
        let last = place
            .rsplit('/')
            .next()
            .filter(|token| !token.is_empty())
            .unwrap_or("root");
        let wanted = wire_name(&last.replace("~1", "/").replace("~0", "~"));
        let taken = |name: &str| self.definitions.iter().any(|(_, known)| known == name);
        if !taken(&wanted) {
            return wanted;
        }
        (2..)
            .map(|number| format!("{wanted}_{number}"))
            .find(|name| !taken(name))
            .unwrap_or(wanted)
    }

    /// Some providers take a cycle only where an optional member breaks it.
    fn refuse_cycles(&mut self) {
        if self.dialect.required_cycles {
            return;
        }
        for at in self.ways.cycles() {
            let message = "a schema may lead back to itself only through a member that is not required";
            self.block(untranslatable(&at, message));
        }
    }

    /// Notes what cannot be sent and goes on, so that the user sees everything at once.
    fn block(&mut self, reason: Reason) -> Wire {
        if !self.blockers.contains(&reason) {
            self.blockers.push(reason);
        }
        Json::Null
    }

    /// What takes anything at all.
    fn open(&mut self, at: &str) -> Wire {
        if self.dialect.open {
            return Json::Object(Vec::new());
        }
        self.open_object(at)
    }

    fn open_object(&mut self, at: &str) -> Wire {
        let message = format!(
            "{} takes any member or value, but {} needs every member declared: declare them, or use a list of objects with key and \
             value.",
            super::check::place(at),
            self.dialect.name
        );
        self.block(Reason::at(ReasonCode::OpenObject, at, capitalized(&message)))
    }

    fn node(&mut self, schema: Schema<'s>, at: &str, depth: usize) -> Wire {
        match self.flattener.flatten(schema, at, false) {
            Ok(flat) => self.emit(flat, depth),
            Err(reason) => self.block(reason),
        }
    }

    fn emit(&mut self, mut flat: Flat<'s>, depth: usize) -> Wire {
        self.counts.depth(depth, &flat.at);
        self.reasons.append(&mut flat.reasons);
        let mark = self.flattener.inlining.len();
        self.flattener.inlining.append(&mut flat.inlined);
        let wire = self.body(flat, depth);
        self.flattener.inlining.truncate(mark);
        wire
    }

    fn body(&mut self, mut flat: Flat<'s>, depth: usize) -> Wire {
        if let Some(place) = flat.reference.take() {
            return self.reference(&place, flat);
        }
        if let Some(part) = flat.part("$dynamicRef").or_else(|| flat.part("$recursiveRef")) {
            let reason = untranslatable(&part.at, "dynamic references are not supported");
            return self.block(reason);
        }
        let union = ["anyOf", "oneOf"]
            .into_iter()
            .find(|keyword| flat.part(keyword).is_some());
        match union {
            Some(keyword) if !self.move_union(&mut flat) => self.union(flat, keyword, depth),
            _ => self.typed(flat, depth),
        }
    }

    fn reference(&mut self, place: &str, flat: Flat<'s>) -> Wire {
        if !self.dialect.recursive && self.flattener.is_recursive(place) {
            let why = format!("{} takes no schema that refers to itself", self.dialect.name);
            return self.block(untranslatable(&flat.at, &why));
        }
        self.ways.note(place, &flat.at);
        let target = Json::object([("$ref", self.refer(place))]);
        let (_, mut head) = self.head(&flat);
        if head.is_empty() {
            return target;
        }
        // A reference must stand alone: beside a description it goes into a union of one.
        head.push((Cow::Borrowed("anyOf"), Json::Array(vec![target])));
        Json::Object(head)
    }

    /// Kept keywords, and `title` and `description` with what was moved there.
    fn head(&mut self, flat: &Flat<'s>) -> (Members, Members) {
        let mut kept = Vec::new();
        let mut notes = flat.notes.clone();
        for part in &flat.parts {
            if is_walked(part.keyword) {
                continue;
            }
            if self.keeps(part, flat) {
                kept.push((Cow::Owned(part.keyword.to_owned()), part.value.clone()));
            } else if let Some(sentence) = sentence(part.keyword, &part.value) {
                self.reasons.push(moved(part.keyword, &part.at));
                notes.push(sentence);
            } else if !restricts_nothing(part) {
                let message = format!("`{}` says nothing about values and was left out.", part.keyword);
                let reason = Reason::at(ReasonCode::KeywordDropped, &part.at, message);
                self.reasons.push(reason.with("keyword", part.keyword.to_owned()));
            }
        }
        let mut head = Vec::new();
        if let Some(title) = flat.text("title") {
            head.push((Cow::Borrowed("title"), Json::from(title.to_owned())));
        }
        if let Some(description) = description(flat.text("description"), &notes) {
            head.push((Cow::Borrowed("description"), Json::from(description)));
        }
        (kept, head)
    }

    fn keeps(&self, part: &Part<'_>, flat: &Flat<'_>) -> bool {
        let grammar = self.dialect.grammar.as_ref();
        self.dialect.kept.contains(&part.keyword)
            && grammar.is_none_or(|grammar| grammar.enforces(part.keyword, &part.value, &flat.types()))
            && match (part.keyword, &part.value) {
                ("format", Json::Text(format)) => self.dialect.formats.contains(&format.as_ref()),
                ("exclusiveMinimum" | "exclusiveMaximum", Json::Bool(_)) => false,
                _ => true,
            }
    }

    /// A union beside members, items or constants only restricts them: it becomes a sentence. False if it stays.
    fn move_union(&mut self, flat: &mut Flat<'s>) -> bool {
        let structured = flat.declares_properties
            || ["items", "enum", "const"]
                .iter()
                .any(|keyword| flat.part(keyword).is_some())
            || flat.part("anyOf").is_some() && flat.part("oneOf").is_some();
        if !structured {
            return false;
        }
        for keyword in ["oneOf", "anyOf"] {
            let Some(place) = flat.parts.iter().position(|part| part.keyword == keyword) else {
                continue;
            };
            let part = flat.parts.remove(place);
            self.reasons.push(moved(keyword, &part.at));
            flat.notes.extend(sentence(keyword, &part.value));
        }
        true
    }

    fn union(&mut self, flat: Flat<'s>, keyword: &'static str, depth: usize) -> Wire {
        let Some(part) = flat.part(keyword) else {
            return Json::Null;
        };
        if keyword == "oneOf" {
            let message = "`oneOf` became `anyOf`; the answer is checked against `oneOf`.";
            let reason = Reason::at(ReasonCode::KeywordRewritten, &part.at, message);
            self.reasons
                .push(reason.with("keyword", keyword).with("became", "anyOf"));
        }
        let shared = flat.part("type");
        let mut branches = Vec::new();
        for (index, branch) in part.source.as_array().unwrap_or_default().iter().enumerate() {
            let at = pointer::child(&part.at, &index.to_string());
            branches.push(match self.flattener.flatten(branch, &at, false) {
                Ok(mut inner) => {
                    if let (Some(shared), true) = (shared, lacks_type(&inner)) {
                        inner.parts.push(shared.clone());
                    }
                    self.emit(inner, depth + 1)
                }
                Err(reason) => self.block(reason),
            });
        }
        let (mut kept, mut wire) = self.head(&flat);
        wire.append(&mut kept);
        wire.push((Cow::Borrowed("anyOf"), Json::Array(branches)));
        Json::Object(wire)
    }

    fn typed(&mut self, mut flat: Flat<'s>, depth: usize) -> Wire {
        let mut types = match flat.types() {
            types if types.is_empty() => inferred_types(&flat),
            types => types,
        };
        if types.is_empty() && !self.dialect.open {
            return self.open(&flat.at);
        }
        if !self.dialect.constants && self.plain_constants(&mut flat) && types.len() > 1 {
            // The other values of an `enum` cannot say that null is one of them.
            types.retain(|name| name != "null");
            let null = Json::object([("type", Json::from("null"))]);
            let other = self.typed_as(&flat, &types, depth);
            return Json::object([("anyOf", Json::Array(vec![other, null]))]);
        }
        self.typed_as(&flat, &types, depth)
    }

    fn typed_as(&mut self, flat: &Flat<'s>, types: &[String], depth: usize) -> Wire {
        let (mut kept, mut wire) = self.head(flat);
        if types.is_empty() {
            wire.append(&mut kept);
            return Json::Object(wire);
        }
        wire.push((Cow::Borrowed("type"), type_value(types)));
        for part in ["enum", "const"].into_iter().filter_map(|keyword| flat.part(keyword)) {
            match self.constants(part) {
                Some(constants) => wire.push(constants),
                None => return Json::Null,
            }
        }
        wire.append(&mut kept);
        if types.iter().any(|name| name == "object") {
            wire.extend(self.members(flat, depth));
        }
        if types.iter().any(|name| name == "array") {
            let items = self.items(flat, depth);
            wire.push((Cow::Borrowed("items"), items));
        }
        Json::Object(wire)
    }

    /// Leaves an `enum` of texts and numbers, and says in a sentence what else the constants ask for. True if null is one of
    /// several values and has to be told apart.
    fn plain_constants(&mut self, flat: &mut Flat<'s>) -> bool {
        let mut null = false;
        for place in (0..flat.parts.len()).rev() {
            let Some(part) = flat.parts.get_mut(place) else {
                continue;
            };
            let values = match (part.keyword, &part.value) {
                ("enum", Json::Array(values)) => values.clone(),
                ("const", value) => vec![value.clone()],
                _ => continue,
            };
            let is_plain = |value: &Json<'_>| !matches!(value, Json::Null | Json::Bool(_));
            let plain: Vec<Json<'static>> = values.iter().filter(|value| is_plain(value)).cloned().collect();
            let booleans = values.iter().any(|value| matches!(value, Json::Bool(_)));
            if booleans {
                self.reasons.push(moved(part.keyword, &part.at));
                flat.notes.extend(sentence("enum", &Json::Array(values)));
                flat.parts.remove(place);
                continue;
            }
            null |= values.len() > plain.len() && !plain.is_empty();
            if plain.is_empty() {
                flat.parts.remove(place);
                continue;
            }
            if part.keyword == "const" {
                let message = "`const` became an `enum` of one value.";
                let reason = Reason::at(ReasonCode::KeywordRewritten, &part.at, message);
                self.reasons
                    .push(reason.with("keyword", "const").with("became", "enum"));
            }
            part.keyword = "enum";
            part.value = Json::Array(plain);
        }
        null
    }

    fn constants(&mut self, part: &Part<'s>) -> Option<(Cow<'static, str>, Wire)> {
        let values = match (&part.value, part.keyword) {
            (Json::Array(values), "enum") => values.clone(),
            (value, _) => vec![value.clone()],
        };
        if values
            .iter()
            .any(|value| matches!(value, Json::Object(_) | Json::Array(_)))
        {
            self.block(untranslatable(&part.at, "objects and lists cannot be constants"));
            return None;
        }
        match part.keyword {
            "enum" => self.counts.enumeration(&values, &part.at),
            _ => values
                .iter()
                .filter_map(Json::as_text)
                .for_each(|text| self.counts.characters(text, &part.at)),
        }
        Some((Cow::Owned(part.keyword.to_owned()), part.value.clone()))
    }

    /// `properties`, `required`, `additionalProperties` of an object.
    fn members(&mut self, flat: &Flat<'s>, depth: usize) -> Members {
        let says = |keyword| flat.part(keyword).map(|part| &part.value);
        let extras = [says("additionalProperties"), says("unevaluatedProperties")];
        let patterns = says("patternProperties").and_then(Json::as_object);
        let taken = extras.iter().flatten().any(|value| **value != Json::Bool(false));
        let silent = extras.iter().all(Option::is_none) && flat.properties.is_empty();
        let patterned = patterns.is_some_and(|patterns| !patterns.is_empty());
        let open = taken || silent || patterned;
        if open && (patterned || !self.dialect.open) {
            self.open_object(&flat.at);
            return Vec::new();
        }
        for (name, at) in &flat.required {
            if !flat.properties.iter().any(|property| property.name == *name) {
                self.block(untranslatable(
                    at,
                    &format!("`{name}` is required, but not among the properties"),
                ));
            }
        }
        let mut members: Members = Vec::with_capacity(flat.properties.len());
        for property in &flat.properties {
            self.counts.property(property.name, &property.at);
            let optional = !flat.requires(property.name);
            self.ways.optional += usize::from(optional);
            let mut wire = self.node(property.schema, &property.at, depth + 1);
            self.ways.optional -= usize::from(optional);
            if optional && !self.dialect.optional {
                wire = nullable(wire);
                self.reasons.push(Reason::at(
                    ReasonCode::OptionalMadeNullable,
                    &property.at,
                    "This optional property became required and nullable; a null counts as absent.",
                ));
            }
            if is_union(&wire) {
                self.counts.union_property(&property.at);
            }
            members.push((Cow::Owned(property.name.to_owned()), wire));
        }
        let order: Vec<Wire> = members.iter().map(|(name, _)| Json::Text(name.clone())).collect();
        let Json::Object(mut wire) = closed_object(members) else {
            return Vec::new();
        };
        wire.retain(|(key, _)| key != "type");
        if self.dialect.optional
            && let Some((_, Json::Array(names))) = wire.iter_mut().find(|(key, _)| key == "required")
        {
            names.retain(|name| name.as_text().is_some_and(|name| flat.requires(name)));
        }
        if self.dialect.ordering {
            wire.push((Cow::Borrowed("propertyOrdering"), Json::Array(order)));
        }
        if open {
            let extras = self.extras(flat, depth);
            wire.retain(|(key, _)| key != "additionalProperties");
            wire.push((Cow::Borrowed("additionalProperties"), extras));
        }
        wire
    }

    /// What undeclared members of an open object look like.
    fn extras(&mut self, flat: &Flat<'s>, depth: usize) -> Wire {
        match flat
            .part("additionalProperties")
            .map(|part| (part.source, part.at.clone()))
        {
            Some((schema @ Json::Object(_), at)) => self.node(schema, &at, depth + 1),
            _ => Json::Bool(true),
        }
    }

    fn items(&mut self, flat: &Flat<'s>, depth: usize) -> Wire {
        if let Some(part) = flat.part("prefixItems") {
            let reason = untranslatable(&part.at, "lists with a schema for each place are not supported");
            return self.block(reason);
        }
        match flat.part("items").map(|part| (part.source, part.at.clone())) {
            None => self.open(&flat.at),
            Some((Json::Array(_), at)) => self.block(untranslatable(
                &at,
                "lists with a schema for each place are not supported",
            )),
            Some((schema, at)) => self.node(schema, &at, depth + 1),
        }
    }
}

/// Which definitions refer to which without an optional member in between. The root is a definition here, at the place "".
#[derive(Debug, Default)]
struct Ways {
    /// The definition that is being written.
    from: String,
    /// Optional members between that definition and the walk.
    optional: usize,
    /// From, to, and where the reference stands.
    known: Vec<(String, String, String)>,
}

impl Ways {
    fn enter(&mut self, place: &str) {
        self.from = place.to_owned();
        self.optional = 0;
    }

    fn note(&mut self, to: &str, at: &str) {
        if self.optional == 0 {
            self.known.push((self.from.clone(), to.to_owned(), at.to_owned()));
        }
    }

    /// Where the references stand that lead back.
    fn cycles(&self) -> Vec<String> {
        let mut next: HashMap<&str, HashSet<&str>> = HashMap::new();
        for (from, to, _) in &self.known {
            next.entry(from).or_default().insert(to);
        }
        let mut found: HashMap<&str, HashSet<&str>> = HashMap::new();
        let back = self.known.iter().filter(|(from, to, _)| {
            let reached = found.entry(to).or_insert_with(|| reachable(to, &next));
            reached.contains(from.as_str())
        });
        back.map(|(_, _, at)| at.clone()).collect()
    }
}

/// `start` and every place that it leads to.
fn reachable<'w>(start: &'w str, next: &HashMap<&'w str, HashSet<&'w str>>) -> HashSet<&'w str> {
    let mut seen = HashSet::from([start]);
    let mut open = vec![start];
    while let Some(place) = open.pop() {
        let further = next.get(place).into_iter().flatten();
        open.extend(further.copied().filter(|to| seen.insert(to)));
    }
    seen
}

/// Keywords that the walk itself turns into the wire form.
fn is_walked(keyword: &str) -> bool {
    [
        "title",
        "description",
        "type",
        "enum",
        "const",
        "anyOf",
        "oneOf",
        "items",
        "prefixItems",
        "additionalProperties",
        "patternProperties",
        "unevaluatedProperties",
    ]
    .contains(&keyword)
}

/// `uniqueItems: false` and the like: nothing is lost.
fn restricts_nothing(part: &Part<'_>) -> bool {
    part.value == Json::Bool(false) && ["uniqueItems", "exclusiveMinimum", "exclusiveMaximum"].contains(&part.keyword)
}

fn lacks_type(flat: &Flat<'_>) -> bool {
    flat.reference.is_none()
        && ["type", "anyOf", "oneOf", "enum", "const"]
            .iter()
            .all(|keyword| flat.part(keyword).is_none())
}

/// Several types, or several schemas.
fn is_union(wire: &Wire) -> bool {
    let branches = |keyword| wire.get(keyword).and_then(Json::as_array).map_or(0, <[_]>::len);
    branches("type") > 1 || branches("anyOf") > 1
}

fn capitalized(message: &str) -> String {
    let mut characters = message.chars();
    match characters.next() {
        Some(first) => first.to_uppercase().chain(characters).collect(),
        None => String::new(),
    }
}
