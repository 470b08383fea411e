//! Model routing (#964, #1042, #1149): which of several models a request goes to, decided once, before the first call.
//!
//! | file | what it holds |
//! |---|---|
//! | `mod` | the declared router, and the choice that follows from a decision |
//! | `decision` | what a strategy decided |
//! | `rules` | regular expressions on the last user message |
//! | `judge` | a model as judge: its request, and its verdict |
//! | `record` | what outcome and event say about it |
//!
//! The run asks the strategy ([`by_rules`], [`judge_request`] and [`verdict`], or the user's own code), makes a [`Choice`] of
//! its decision, and turns to the candidates in the order of [`Router::order`].

mod decision;
mod judge;
mod record;
mod rules;

use std::collections::BTreeSet;

pub use decision::{Choice, DecisionSource, RoutingDecision};
pub use judge::{Conversation, Judge, JudgeRequest, NO_TEXT, judge_request, verdict};
pub use record::RoutingRecord;
pub use rules::{MAX_NESTING, MAX_PATTERN, Rule, by_rules, last_user_text};

use crate::error::{Error, ErrorKind, Result};
use crate::json::Json;
use crate::message::Path;
use crate::message::fields::Fields;
use crate::provider::failure::clip;

/// Longest name of a router or a model, in characters.
const MAX_NAME: usize = 200;
/// Longest part of an error's text that comes from a strategy or a list of names, in characters.
const MAX_QUOTED: usize = 200;

/// A declared router: the `ROUTER` shape of docs/routing.md. Read once, then never changed.
#[derive(Debug, Clone)]
pub struct Router {
    pub name: String,
    /// At least one, in declaration order, no name twice.
    pub candidates: Vec<Candidate>,
    /// The candidate that an abstaining strategy leads to.
    pub default: usize,
    /// Whether the other candidates are tried when one has failed for good.
    pub fallback: bool,
    pub strategy: RoutingStrategy,
}

/// A model that requests can go to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    pub name: String,
    /// What it is good at, for a judge or the user's own strategy.
    pub description: Option<String>,
}

/// Who decides (#1042).
#[derive(Debug, Clone)]
pub enum RoutingStrategy {
    /// `RULE_BASED`: the first rule that matches.
    Rules(Vec<Rule>),
    /// `LLM_JUDGE`: a model.
    Judge(Judge),
    /// `CUSTOM`: the user's code, outside this crate.
    Custom,
}

impl RoutingStrategy {
    /// The `type` in a declaration.
    pub const fn name(&self) -> &'static str {
        match self {
            RoutingStrategy::Rules(_) => "RULE_BASED",
            RoutingStrategy::Judge(_) => "LLM_JUDGE",
            RoutingStrategy::Custom => "CUSTOM",
        }
    }

    fn from_json(json: &Json<'_>, path: &Path<'_>, candidates: &[Candidate]) -> Result<Self> {
        match json.get("type").and_then(Json::as_text) {
            Some("RULE_BASED") => rules::read(json, path, candidates).map(RoutingStrategy::Rules),
            Some("LLM_JUDGE") => Judge::from_json(json, path).map(RoutingStrategy::Judge),
            Some("CUSTOM") => Fields::strict(json, path, &["type"]).map(|_| RoutingStrategy::Custom),
            _ => Err(path
                .key("type")
                .broken("a routing strategy is RULE_BASED, LLM_JUDGE or CUSTOM")),
        }
    }

    fn to_json(&self) -> Json<'_> {
        match self {
            RoutingStrategy::Rules(rules) => rules::to_json(self.name(), rules),
            RoutingStrategy::Judge(judge) => judge.to_json(self.name()),
            RoutingStrategy::Custom => Json::object([("type", self.name().into())]),
        }
    }
}

impl Router {
    /// Reads and checks a declaration. Whatever is wrong in it is an error of kind `configuration` that names the place.
    pub fn from_json(json: &Json<'_>, path: &Path<'_>) -> Result<Self> {
        Router::read(json, path).map_err(|error| Error {
            kind: ErrorKind::Configuration,
            ..error
        })
    }

    fn read(json: &Json<'_>, path: &Path<'_>) -> Result<Self> {
        let known = [
            "name",
            "candidates",
            "candidate_descriptions",
            "default_model",
            "fallback",
            "strategy",
        ];
        let fields = Fields::strict(json, path, &known)?;
        let candidates = read_candidates(&fields)?;
        let default = match fields.text("default_model")? {
            None => 0,
            Some(name) => position(&candidates, &name)
                .ok_or_else(|| no_candidate(&path.key("default_model"), &name, &candidates))?,
        };
        let strategy_path = path.key("strategy");
        let strategy = fields
            .get("strategy")
            .ok_or_else(|| strategy_path.expected("a routing strategy", None))?;
        Ok(Router {
            name: read_name(json.get("name"), &path.key("name"))?,
            strategy: RoutingStrategy::from_json(strategy, &strategy_path, &candidates)?,
            candidates,
            default,
            fallback: fields.flag("fallback")?,
        })
    }

    /// The declaration again; reading it gives the same router.
    pub fn to_json(&self) -> Json<'_> {
        let names = self.candidates.iter().map(|candidate| candidate.name.as_str().into());
        let described = self.candidates.iter().filter_map(|candidate| {
            let description = candidate.description.as_deref()?;
            Some((candidate.name.as_str(), description.into()))
        });
        Json::object([
            ("name", self.name.as_str().into()),
            ("candidates", Json::Array(names.collect())),
            ("candidate_descriptions", Json::object(described)),
            ("default_model", self.candidate_name(self.default).into()),
            ("fallback", self.fallback.into()),
            ("strategy", self.strategy.to_json()),
        ])
    }

    /// The place of the candidate of this name.
    pub fn position(&self, name: &str) -> Option<usize> {
        position(&self.candidates, name)
    }

    /// The candidate's name; empty for a place that is none.
    pub fn candidate_name(&self, candidate: usize) -> &str {
        self.candidates.get(candidate).map_or("", |found| found.name.as_str())
    }

    /// The candidates in the order in which a request turns to them: `first`, and with fallback the others as they are declared.
    pub fn order(&self, first: usize) -> impl Iterator<Item = usize> + use<> {
        let others = if self.fallback { self.candidates.len() } else { 0 };
        std::iter::once(first).chain((0..others).filter(move |candidate| *candidate != first))
    }
}

/// What follows from a decision: the candidate to turn to first. An abstaining strategy leads to the default model. A model that
/// is no candidate is an error of kind `routing`, and no model is called (#1149).
pub fn choose(router: &Router, decision: &RoutingDecision) -> Result<Choice> {
    let Some(selected) = &decision.selected_model else {
        return Ok(Choice {
            candidate: router.default,
            source: DecisionSource::Default,
        });
    };
    let candidate = router.position(selected).ok_or_else(|| {
        let message = format!(
            "The strategy of router '{}' returned non-candidate model '{}'; it has to return one of {}, or to abstain.",
            router.name,
            clip(selected, MAX_QUOTED),
            listed(&router.candidates)
        );
        Error::new(ErrorKind::Routing, message).with("router", router.name.clone())
    })?;
    Ok(Choice {
        candidate,
        source: match router.strategy {
            RoutingStrategy::Judge(_) => DecisionSource::LlmJudge,
            RoutingStrategy::Rules(_) | RoutingStrategy::Custom => DecisionSource::Strategy,
        },
    })
}

fn read_candidates(fields: &Fields<'_, '_>) -> Result<Vec<Candidate>> {
    let path = fields.path.key("candidates");
    let names = fields.list("candidates")?;
    if names.is_empty() {
        return Err(path.broken("a router needs at least one candidate"));
    }
    let mut seen = BTreeSet::new();
    let mut candidates = Vec::with_capacity(names.len());
    for (index, name) in names.iter().enumerate() {
        let place = path.index(index);
        let name = read_name(Some(name), &place)?;
        if !seen.insert(name.clone()) {
            return Err(place.broken(&format!("the candidate '{name}' stands twice; name each one once")));
        }
        candidates.push(Candidate {
            name,
            description: None,
        });
    }
    describe(&mut candidates, fields)?;
    Ok(candidates)
}

fn describe(candidates: &mut [Candidate], fields: &Fields<'_, '_>) -> Result<()> {
    let path = fields.path.key("candidate_descriptions");
    for (name, description) in fields.members("candidate_descriptions")? {
        let found = position(candidates, &name).and_then(|place| candidates.get_mut(place));
        let text = match &description {
            Json::Null => continue,
            Json::Text(text) => text.clone().into_owned(),
            other => return Err(path.key(&name).expected("a string", Some(other))),
        };
        match found {
            Some(candidate) => candidate.description = Some(text),
            None => return Err(no_candidate(&path, &name, candidates)),
        }
    }
    Ok(())
}

/// A name that holds something.
fn read_name(json: Option<&Json<'_>>, path: &Path<'_>) -> Result<String> {
    match json {
        Some(Json::Text(name)) if name.chars().count() > MAX_NAME || name.chars().any(char::is_control) => {
            Err(path
                .broken("a name has at most 200 characters and no control characters: it stands in the journal's keys"))
        }
        Some(Json::Text(name)) if !name.trim().is_empty() => Ok(name.clone().into_owned()),
        Some(Json::Text(_)) => Err(path.broken("a name must not be blank")),
        other => Err(path.expected("a name", other)),
    }
}

fn position(candidates: &[Candidate], name: &str) -> Option<usize> {
    candidates.iter().position(|candidate| candidate.name == name)
}

fn no_candidate(path: &Path<'_>, name: &str, candidates: &[Candidate]) -> Error {
    let (name, candidates) = (clip(name, MAX_QUOTED), listed(candidates));
    path.broken(&format!(
        "'{name}' is no candidate of this router; its candidates are {candidates}"
    ))
}

fn listed(candidates: &[Candidate]) -> String {
    let names: Vec<_> = candidates.iter().map(|candidate| candidate.name.as_str()).collect();
    clip(&names.join(", "), MAX_QUOTED).into_owned()
}
