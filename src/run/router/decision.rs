//! What a strategy decided.

use crate::error::Result;
use crate::json::Json;
use crate::message::Path;
use crate::message::fields::{Fields, Members, borrow, borrow_members, own_members};

/// How a candidate came to be the one that a request turns to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DecisionSource {
    /// A rule or the user's strategy selected it.
    Strategy,
    /// The strategy abstained.
    Default,
    /// The judge selected it.
    LlmJudge,
    /// One before it has failed.
    Fallback,
}

impl DecisionSource {
    pub const ALL: [DecisionSource; 4] = [
        DecisionSource::Strategy,
        DecisionSource::Default,
        DecisionSource::LlmJudge,
        DecisionSource::Fallback,
    ];

    /// The name in outcomes and events.
    pub const fn name(self) -> &'static str {
        match self {
            DecisionSource::Strategy => "strategy",
            DecisionSource::Default => "default",
            DecisionSource::LlmJudge => "llm_judge",
            DecisionSource::Fallback => "fallback",
        }
    }
}

/// The candidate that a request turns to first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Choice {
    /// Its place among the router's candidates.
    pub candidate: usize,
    pub source: DecisionSource,
}

/// A strategy's decision, as it is journaled under `route:{router}` (#964).
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RoutingDecision {
    /// `None` abstains. Not yet checked against the candidates: [`super::choose`] does that.
    pub selected_model: Option<String>,
    /// One sentence for people.
    pub reason: Option<String>,
    /// How sure the strategy is, a number in its own measure.
    pub score: Option<Json<'static>>,
    pub metadata: Members<'static>,
    /// Milliseconds that the decision took.
    pub decision_ms: Option<i64>,
}

impl RoutingDecision {
    pub fn select(model: impl Into<String>, reason: impl Into<String>) -> Self {
        RoutingDecision {
            selected_model: Some(model.into()),
            reason: Some(reason.into()),
            ..RoutingDecision::default()
        }
    }

    pub fn abstain(reason: impl Into<String>) -> Self {
        RoutingDecision {
            reason: Some(reason.into()),
            ..RoutingDecision::default()
        }
    }

    /// Reads a decision. One that abstains and yet names a model, or does neither, is refused.
    pub fn from_json(json: &Json<'_>, path: &Path<'_>) -> Result<Self> {
        let known = [
            "selected_model",
            "abstain",
            "reason",
            "score",
            "metadata",
            "decision_ms",
        ];
        let fields = Fields::strict(json, path, &known)?;
        let selected = fields.text("selected_model")?;
        match (fields.flag("abstain")?, &selected) {
            (true, Some(_)) => return Err(path.broken("a routing decision that abstains names no model")),
            (false, None) => return Err(path.broken("a routing decision names a model or abstains")),
            (false, Some(name)) if name.trim().is_empty() => {
                return Err(path.key("selected_model").broken("a name must not be blank"));
            }
            _ => {}
        }
        let score = match fields.get("score") {
            None => None,
            Some(number @ (Json::Int(_) | Json::UInt(_) | Json::Number(_))) => Some(borrow(number).into_owned()),
            Some(other) => return Err(path.key("score").expected("a number", Some(other))),
        };
        Ok(RoutingDecision {
            selected_model: selected.map(|name| name.into_owned()),
            reason: fields.text("reason")?.map(|reason| reason.into_owned()),
            score,
            metadata: own_members(fields.members("metadata")?),
            decision_ms: fields.count("decision_ms")?,
        })
    }

    /// `{selected_model, abstain, reason, score, metadata, decision_ms}`; what is unknown is null.
    pub fn to_json(&self) -> Json<'_> {
        Json::Object(vec![
            ("selected_model".into(), self.selected_model.as_deref().into()),
            ("abstain".into(), self.selected_model.is_none().into()),
            ("reason".into(), self.reason.as_deref().into()),
            ("score".into(), self.score.as_ref().map(borrow).into()),
            ("metadata".into(), Json::Object(borrow_members(&self.metadata))),
            ("decision_ms".into(), self.decision_ms.into()),
        ])
    }
}
