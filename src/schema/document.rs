//! A JSON Schema document and all that is derived from it, kept in a bounded cache.

use super::check::Checker;
use super::dialect::{Dialect, Rewritten};
use super::keywords::{MAX_IN_PLACE, MAX_IN_PLACE_VISITS, References, Unwalkable, check_in_place};
use super::rewrite;
use super::stack::{MAX_SUBSCHEMAS, with_deep_stack};
use crate::error::{Error, Result};
use crate::json::{Json, lone_surrogate, parse};
use crate::structured::Reason;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

type Rewrite = std::result::Result<Arc<Rewritten>, Vec<Reason>>;

/// A JSON Schema document, compiled. Compiling comes first, so that a schema that can never check an answer fails before
/// a call is paid for.
#[derive(Debug)]
pub struct Document {
    /// As given: the class's simple name, or what the user called it.
    name: Option<String>,
    source: String,
    pub(super) root: Json<'static>,
    pub(super) references: References,
    pub(super) checker: Checker,
    /// One entry for each dialect that was asked for.
    rewritten: Mutex<Vec<(&'static str, Rewrite)>>,
}

impl Document {
    /// The document for this text and name: the same object as long as the cache holds it.
    pub fn of(name: Option<&str>, source: &str) -> Result<Arc<Document>> {
        let key = key_of(name, source);
        if let Some(known) = cache().find(key, name, source) {
            return Ok(known);
        }
        // Compiled outside the lock: two threads may do the same work once, none waits for another's.
        let document = Arc::new(Document::compile(name, source)?);
        cache().insert(key, Arc::clone(&document));
        Ok(document)
    }

    fn compile(name: Option<&str>, source: &str) -> Result<Document> {
        if let Some(offset) = lone_surrogate(source.as_bytes()) {
            return Err(Error::invalid_argument(format!(
                "The output schema holds half a character (an unpaired surrogate) at byte {offset}; remove or replace it."
            )));
        }
        let root = parse(source.as_bytes())
            .map_err(|error| Error::invalid_argument(format!("The output schema is no JSON: {error}.")))?
            .into_owned()
            .without_repeated_keys();
        if root.as_object().is_none() {
            return Err(Error::invalid_argument(format!(
                "The output schema must be a JSON object, but is {}.",
                root.kind()
            )));
        }
        let references = with_deep_stack(0, || References::of(&root));
        if references.subschemas > MAX_SUBSCHEMAS {
            return Err(Error::invalid_argument(format!(
                "The output schema has more than {MAX_SUBSCHEMAS} subschemas; make it smaller."
            )));
        }
        with_deep_stack(references.subschemas, || check_in_place(&root, &references)).map_err(unwalkable)?;
        let checker = Checker::compile(&root, &references)?;
        Ok(Document {
            name: name.filter(|name| !name.is_empty()).map(str::to_owned),
            source: source.to_owned(),
            root,
            references,
            checker,
            rewritten: Mutex::new(Vec::new()),
        })
    }

    /// The document's text, compact, members in the given order.
    pub fn text(&self) -> String {
        self.root.to_json()
    }

    /// The given name, else the document's `title`, else `schema`.
    pub fn name(&self) -> &str {
        self.name
            .as_deref()
            .or_else(|| self.root.get("title").and_then(Json::as_text))
            .filter(|name| !name.is_empty())
            .unwrap_or("schema")
    }

    /// What `dialect` gets of it; kept once it is worked out.
    pub fn rewrite(&self, dialect: &'static Dialect) -> Rewrite {
        if let Some((_, done)) = self.rewrites().iter().find(|(name, _)| *name == dialect.name) {
            return done.clone();
        }
        let done = with_deep_stack(self.references.subschemas, || {
            rewrite::rewrite(&self.root, &self.references, dialect).map(Arc::new)
        });
        let mut known = self.rewrites();
        if !known.iter().any(|(name, _)| *name == dialect.name) {
            known.push((dialect.name, done.clone()));
        }
        done
    }

    fn rewrites(&self) -> MutexGuard<'_, Vec<(&'static str, Rewrite)>> {
        self.rewritten.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn unwalkable(reason: Unwalkable) -> Error {
    let (pointer, message) = match reason {
        Unwalkable::Loop(at) => (at, "it refers to itself without going into a member or item".to_owned()),
        Unwalkable::Long(at) => (
            at,
            format!("more than {MAX_IN_PLACE} schemas refer to one another for one value"),
        ),
        Unwalkable::Wide(at) => (
            at,
            format!(
                "more than {MAX_IN_PLACE_VISITS} schemas apply to one value, because its unions double with each reference; \
                 make them fewer"
            ),
        ),
    };
    Error::invalid_argument(format!(
        "The output schema cannot be used, at {}: {message}.",
        super::check::place(&pointer)
    ))
    .with("pointer", pointer)
}

/// So many documents stay compiled: more than a job has schemas.
const CACHE_SIZE: usize = 128;

/// Most recently used last.
struct Cache(Vec<(u64, Arc<Document>)>);

static CACHE: Mutex<Cache> = Mutex::new(Cache(Vec::new()));

/// Held for a look-up only.
fn cache() -> MutexGuard<'static, Cache> {
    CACHE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn key_of(name: Option<&str>, source: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    (name, source).hash(&mut hasher);
    hasher.finish()
}

impl Cache {
    fn find(&mut self, key: u64, name: Option<&str>, source: &str) -> Option<Arc<Document>> {
        let name = name.filter(|name| !name.is_empty());
        let place = self.0.iter().rposition(|(known, document)| {
            *known == key && document.source == source && document.name.as_deref() == name
        })?;
        let found = self.0.remove(place);
        let document = Arc::clone(&found.1);
        self.0.push(found);
        Some(document)
    }

    fn insert(&mut self, key: u64, document: Arc<Document>) {
        if self.0.len() >= CACHE_SIZE {
            self.0.remove(0);
        }
        self.0.push((key, document));
    }
}
