//! What outcome and event say about the routing of a request.

use super::{Choice, DecisionSource, Router, RoutingDecision};
use crate::json::Json;
use crate::message::fields::{Members, borrow, borrow_members};

/// The routing of one request, from the decision to the model that answered.
#[derive(Debug, Clone, PartialEq)]
pub struct RoutingRecord {
    router: String,
    candidates: Vec<String>,
    fallback_enabled: bool,
    decision: RoutingDecision,
    source: DecisionSource,
    /// The candidates that the request turned to, the chosen one first; never empty.
    tried: Vec<String>,
    answered: bool,
}

impl RoutingRecord {
    /// The record when a choice has been made and nothing called yet.
    pub fn new(router: &Router, decision: RoutingDecision, choice: Choice) -> Self {
        RoutingRecord {
            router: router.name.clone(),
            candidates: router
                .candidates
                .iter()
                .map(|candidate| candidate.name.clone())
                .collect(),
            fallback_enabled: router.fallback,
            decision,
            source: choice.source,
            tried: vec![router.candidate_name(choice.candidate).to_owned()],
            answered: false,
        }
    }

    /// The request turns to the next candidate.
    pub fn fall_back_to(&mut self, candidate: &str) {
        self.tried.push(candidate.to_owned());
    }

    /// The candidate that the request turned to last has answered.
    pub fn answered(&mut self) {
        self.answered = true;
    }

    /// The `model_routing` block of an outcome. `selected_model` is the candidate that the request turned to last, `final_model` the
    /// one that answered, null when none has. `decision_source`, `reason`, `score` and `metadata` tell about the first choice,
    /// `initial_selected_model`; `reason` and `score` are left out when unknown.
    pub fn to_json(&self) -> Json<'_> {
        let fallbacks = self.tried.get(1..).unwrap_or_default();
        let final_model = if self.answered { Some(self.last()) } else { None };
        let mut block: Members<'_> = vec![
            ("router".into(), self.router.as_str().into()),
            ("selected_model".into(), self.last().into()),
            ("initial_selected_model".into(), self.first().into()),
            ("final_model".into(), final_model.into()),
            ("candidates".into(), names(&self.candidates)),
            ("decision_source".into(), self.source.name().into()),
            ("fallback_enabled".into(), self.fallback_enabled.into()),
            ("fallback_attempted".into(), (!fallbacks.is_empty()).into()),
            ("fallback_models_tried".into(), names(fallbacks)),
        ];
        self.push_explanation(&mut block);
        Json::Object(block)
    }

    /// The attributes of the `ModelRoutingEvent` about the choice.
    pub fn event(&self, request_id: &str) -> Json<'static> {
        let mut attributes = self.attributes(request_id, self.first(), self.source);
        self.push_explanation(&mut attributes);
        if let Some(milliseconds) = self.decision.decision_ms {
            attributes.push(("decision_ms".into(), milliseconds.into()));
        }
        Json::Object(attributes).into_owned()
    }

    /// The attributes of the second event, when another candidate than the chosen one has answered. It has no reason and no
    /// metadata: those belong to the choice, and a judge's tokens must not count twice.
    pub fn fallback_event(&self, request_id: &str) -> Option<Json<'static>> {
        if !self.answered || self.tried.len() < 2 {
            return None;
        }
        let mut attributes = self.attributes(request_id, self.last(), DecisionSource::Fallback);
        attributes.push(("metadata".into(), Json::Object(Vec::new())));
        Some(Json::Object(attributes).into_owned())
    }

    fn attributes<'s>(&'s self, request_id: &'s str, model: &'s str, source: DecisionSource) -> Members<'s> {
        vec![
            ("request_id".into(), request_id.into()),
            ("router".into(), self.router.as_str().into()),
            ("candidates".into(), names(&self.candidates)),
            ("selected_model".into(), model.into()),
            ("decision_source".into(), source.name().into()),
            ("fallback_enabled".into(), self.fallback_enabled.into()),
        ]
    }

    fn push_explanation<'s>(&'s self, members: &mut Members<'s>) {
        members.push(("metadata".into(), Json::Object(borrow_members(&self.decision.metadata))));
        if let Some(reason) = &self.decision.reason {
            members.push(("reason".into(), reason.as_str().into()));
        }
        if let Some(score) = &self.decision.score {
            members.push(("score".into(), borrow(score)));
        }
    }

    fn first(&self) -> &str {
        self.tried.first().map_or("", String::as_str)
    }

    fn last(&self) -> &str {
        self.tried.last().map_or("", String::as_str)
    }
}

fn names(names: &[String]) -> Json<'_> {
    Json::Array(names.iter().map(|name| name.as_str().into()).collect())
}
