//! What reading a tool call has in common: ids that are there and unique, arguments that may be broken, names that must be.

use std::collections::BTreeSet;

use crate::error::{Error, ErrorKind};
use crate::json::Json;
use crate::message::{Members, read_arguments};

/// The ids of one answer's calls.
#[derive(Debug)]
pub struct CallIds<'j> {
    given: BTreeSet<&'j str>,
    used: BTreeSet<&'j str>,
}

impl<'j> CallIds<'j> {
    /// `given` are all ids of the answer.
    pub fn new(given: impl Iterator<Item = &'j str>) -> Self {
        CallIds {
            given: given.filter(|id| is_id(id)).collect(),
            used: BTreeSet::new(),
        }
    }

    /// The id of call `index`. One that is missing, blank or repeated is replaced by one that is the same on every read of
    /// the same answer, and `synthetic_id` says so in the call's metadata.
    pub fn take(&mut self, index: usize, id: Option<&'j str>, metadata: &mut Members<'static>) -> String {
        match id.filter(|id| is_id(id) && self.used.insert(id)) {
            Some(id) => id.to_owned(),
            None => {
                metadata.push(("synthetic_id".into(), true.into()));
                self.synthetic(index)
            }
        }
    }

    fn synthetic(&self, index: usize) -> String {
        let mut id = format!("call_{index}");
        while self.given.contains(id.as_str()) {
            id.push('_');
        }
        id
    }
}

fn is_id(id: &str) -> bool {
    !id.trim().is_empty()
}

/// A call, standing at `place` of the answer, that names no tool.
pub fn nameless(place: &str, index: usize) -> Error {
    let text = format!("{place} of the answer has no name, so no tool can be chosen; ask the model again");
    Error::new(ErrorKind::InvalidToolCall, text).with("index", index as u64)
}

/// Arguments are JSON in a text; some servers send the object itself. Broken ones go into `metadata`.
pub fn read_input(arguments: Option<&Json<'_>>, metadata: &mut Members<'static>) -> Members<'static> {
    let (input, invalid) = match arguments {
        None => (Vec::new(), None),
        Some(Json::Text(raw)) => read_arguments(raw),
        Some(other) => read_arguments(&other.to_json()),
    };
    metadata.extend(invalid.map(|invalid| ("invalid_arguments".into(), invalid)));
    input
}
