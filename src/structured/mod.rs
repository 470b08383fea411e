//! Strategy and support make a decision, with machine-readable reasons (#843, #1129, #1215).

use crate::error::{Error, Result};
use crate::json::Json;
use std::borrow::Cow;

/// What the user asked for (#843).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Strategy {
    Auto,
    Native,
    Prompt,
}

/// What a request of this model can do with a schema (#1129).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Support {
    Infeasible,
    Feasible,
    NativeRecommended,
}

/// Why, for programs: one table for Rust, Java, docs and `explain`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ReasonCode {
    /// No schema was given.
    NoSchema,
    /// A row type has no native translation (#1270).
    RowType,
    /// An object that takes any member, at `pointer`, where the provider wants closed ones.
    OpenObject,
    /// The schema cannot be carried for another reason, at `pointer`.
    Untranslatable,
    /// The api-version is below the floor (#930).
    ApiVersionBelowFloor,
    /// The model is in the dated table or in `native_models`.
    ModelListed,
    /// The model is not in the dated table.
    ModelNotListed,
    /// No (backing) model is known.
    ModelUnknown,
    /// A documented limit of the provider is exceeded, at `pointer`.
    LimitExceeded,
    /// A limit that is not documented may be exceeded, at `pointer`. Does not change the answer.
    LimitWarning,
    /// A keyword that the provider refuses was moved into the description, at `pointer`.
    KeywordMoved,
    /// A keyword that the provider refuses was left out, at `pointer`.
    KeywordDropped,
    /// A keyword was rewritten into one that the provider takes, at `pointer`.
    KeywordRewritten,
    /// An optional property became required and nullable, at `pointer`.
    OptionalMadeNullable,
    /// The root is no object and travels in a wrapper.
    RootWrapped,
    /// The strategy PROMPT wins over any support.
    StrategyPrompt,
    /// AUTO takes native only when it is recommended.
    StrategyAutoNeedsRecommended,
    /// NATIVE was asked for and cannot be honoured.
    StrategyNativeInfeasible,
    /// The caller's own response format collides with the schema.
    FormatCollision,
    /// A tool asked for `strict`, but its schema has no strict form: it is sent as given, without the flag.
    ToolNotStrict,
    /// The model has no connection that could be asked (#1215).
    NoConnection,
    /// The model is reached across a language bridge, which carries no schema (#1215).
    BridgeSetup,
    /// Tools are bound, and the model takes no schema beside them, or is not known to.
    ToolsBound,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Reason {
    pub code: ReasonCode,
    /// One sentence for people.
    pub message: String,
    /// JSON Pointer into the user's schema.
    pub pointer: Option<String>,
    pub details: Vec<(&'static str, Json<'static>)>,
}

/// The record that `explain` prints, metrics count and the journal keeps.
#[derive(Debug, Clone, PartialEq)]
pub struct Decision {
    pub support: Support,
    pub strategy: Strategy,
    pub native: bool,
    pub reasons: Vec<Reason>,
    /// Date of the tables that were read.
    pub table: &'static str,
    /// Name of the schema on the wire.
    pub name: String,
    /// The property that carries a root that is no object.
    pub wrapper: Option<&'static str>,
}

/// The decision table of #1215: is the schema sent natively? `reasons` are those of the support; the strategy's own reason is
/// added when it is the strategy that keeps a schema off the wire.
pub fn decide(strategy: Strategy, support: Support, mut reasons: Vec<Reason>) -> (bool, Vec<Reason>) {
    let (native, reason) = match (strategy, support) {
        (Strategy::Prompt, _) => (
            false,
            Some(Reason::new(
                ReasonCode::StrategyPrompt,
                "The strategy PROMPT always shows the schema in the prompt.",
            )),
        ),
        (Strategy::Auto, Support::NativeRecommended) => (true, None),
        (Strategy::Auto, Support::Infeasible) => (
            false,
            Some(Reason::new(
                ReasonCode::StrategyAutoNeedsRecommended,
                "No request can carry this schema natively, so the strategy AUTO puts it into the prompt.",
            )),
        ),
        (Strategy::Auto, _) => (
            false,
            Some(Reason::new(
                ReasonCode::StrategyAutoNeedsRecommended,
                "The strategy AUTO sends a schema natively only where the model is known to honour it; this one goes into the prompt.",
            )),
        ),
        (Strategy::Native, Support::Infeasible) => (
            false,
            Some(Reason::new(
                ReasonCode::StrategyNativeInfeasible,
                "The strategy NATIVE was requested, but no request can carry this schema; use AUTO or PROMPT.",
            )),
        ),
        (Strategy::Native, _) => (true, None),
    };
    reasons.extend(reason);
    (native, reasons)
}

/// Most reasons that one text tells.
const MAX_TOLD: usize = 10;

/// Sentences of reasons, each with its place, for an error's text: the first few, and how many more there are.
pub fn told<'r>(reasons: impl Iterator<Item = (&'r str, Option<&'r str>)>) -> String {
    let mut texts: Vec<String> = Vec::new();
    let mut more = 0;
    for (message, pointer) in reasons {
        if texts.len() == MAX_TOLD {
            more += 1;
        } else {
            let place = pointer.filter(|pointer| !pointer.is_empty() && !message.contains(pointer));
            texts.push(match place {
                Some(pointer) => format!("{message} (at {pointer})"),
                None => message.to_owned(),
            });
        }
    }
    if more > 0 {
        texts.push(format!("And {more} more."));
    }
    texts.join(" ")
}

/// Whether a value has the `DECISION` shape of docs/boundary.md, with names that this library knows.
pub fn is_decision(json: &Json<'_>) -> bool {
    let text = |json: &Json<'_>, name: &str| json.get(name).and_then(Json::as_text).map(str::to_owned);
    let is_one_of = |name: Option<String>, known: &[&str]| name.is_some_and(|name| known.contains(&name.as_str()));
    let is_reason = |reason: &Json<'_>| {
        is_one_of(text(reason, "code"), &ReasonCode::ALL.map(ReasonCode::name)) && text(reason, "message").is_some()
    };
    let supports = [Support::Infeasible, Support::Feasible, Support::NativeRecommended];
    is_one_of(text(json, "support"), &supports.map(Support::name))
        && is_one_of(text(json, "strategy"), &Strategy::ALL.map(Strategy::name))
        && json.get("native").and_then(Json::as_bool).is_some()
        && json
            .get("reasons")
            .is_none_or(|reasons| reasons.as_array().is_some_and(|all| all.iter().all(is_reason)))
}

impl Strategy {
    pub const ALL: [Strategy; 3] = [Strategy::Auto, Strategy::Native, Strategy::Prompt];

    pub const fn name(self) -> &'static str {
        match self {
            Strategy::Auto => "AUTO",
            Strategy::Native => "NATIVE",
            Strategy::Prompt => "PROMPT",
        }
    }

    /// By name, in any case; the error is the one of #843.
    pub fn parse(name: &str) -> Result<Self> {
        Strategy::ALL
            .into_iter()
            .find(|strategy| strategy.name().eq_ignore_ascii_case(name))
            .ok_or_else(|| {
                Error::invalid_argument(format!(
                    "Unknown structured output strategy '{name}'. Expected one of: AUTO, NATIVE, PROMPT."
                ))
            })
    }
}

impl Support {
    pub const fn name(self) -> &'static str {
        match self {
            Support::Infeasible => "INFEASIBLE",
            Support::Feasible => "FEASIBLE",
            Support::NativeRecommended => "NATIVE_RECOMMENDED",
        }
    }
}

impl ReasonCode {
    /// Every code, in the order of the table that Java is tested against.
    pub const ALL: [ReasonCode; 23] = [
        ReasonCode::NoSchema,
        ReasonCode::RowType,
        ReasonCode::OpenObject,
        ReasonCode::Untranslatable,
        ReasonCode::ApiVersionBelowFloor,
        ReasonCode::ModelListed,
        ReasonCode::ModelNotListed,
        ReasonCode::ModelUnknown,
        ReasonCode::LimitExceeded,
        ReasonCode::LimitWarning,
        ReasonCode::KeywordMoved,
        ReasonCode::KeywordDropped,
        ReasonCode::KeywordRewritten,
        ReasonCode::OptionalMadeNullable,
        ReasonCode::RootWrapped,
        ReasonCode::StrategyPrompt,
        ReasonCode::StrategyAutoNeedsRecommended,
        ReasonCode::StrategyNativeInfeasible,
        ReasonCode::FormatCollision,
        ReasonCode::ToolNotStrict,
        ReasonCode::NoConnection,
        ReasonCode::BridgeSetup,
        ReasonCode::ToolsBound,
    ];

    /// The name that crosses the boundary, metrics and docs use.
    pub const fn name(self) -> &'static str {
        match self {
            ReasonCode::NoSchema => "no_schema",
            ReasonCode::RowType => "row_type",
            ReasonCode::OpenObject => "open_object",
            ReasonCode::Untranslatable => "untranslatable",
            ReasonCode::ApiVersionBelowFloor => "api_version_below_floor",
            ReasonCode::ModelListed => "model_listed",
            ReasonCode::ModelNotListed => "model_not_listed",
            ReasonCode::ModelUnknown => "model_unknown",
            ReasonCode::LimitExceeded => "limit_exceeded",
            ReasonCode::LimitWarning => "limit_warning",
            ReasonCode::KeywordMoved => "keyword_moved",
            ReasonCode::KeywordDropped => "keyword_dropped",
            ReasonCode::KeywordRewritten => "keyword_rewritten",
            ReasonCode::OptionalMadeNullable => "optional_made_nullable",
            ReasonCode::RootWrapped => "root_wrapped",
            ReasonCode::StrategyPrompt => "strategy_prompt",
            ReasonCode::StrategyAutoNeedsRecommended => "strategy_auto_needs_recommended",
            ReasonCode::StrategyNativeInfeasible => "strategy_native_infeasible",
            ReasonCode::FormatCollision => "format_collision",
            ReasonCode::ToolNotStrict => "tool_not_strict",
            ReasonCode::NoConnection => "no_connection",
            ReasonCode::BridgeSetup => "bridge_setup",
            ReasonCode::ToolsBound => "tools_bound",
        }
    }
}

impl Reason {
    /// A reason that belongs to no place in the schema.
    pub fn new(code: ReasonCode, message: impl Into<String>) -> Self {
        Reason {
            code,
            message: message.into(),
            pointer: None,
            details: Vec::new(),
        }
    }

    /// A reason at a JSON Pointer into the user's schema.
    pub fn at(code: ReasonCode, pointer: impl Into<String>, message: impl Into<String>) -> Self {
        Reason {
            pointer: Some(pointer.into()),
            ..Reason::new(code, message)
        }
    }

    /// Adds a detail for programs.
    pub fn with(mut self, key: &'static str, value: impl Into<Json<'static>>) -> Self {
        self.details.push((key, value.into()));
        self
    }

    /// The `REASON` shape of docs/boundary.md.
    pub fn to_json(&self) -> Json<'static> {
        Json::object([
            ("code", Json::from(self.code.name())),
            ("message", Json::from(self.message.clone())),
            ("pointer", Json::from(self.pointer.clone())),
            (
                "details",
                Json::Object(
                    self.details
                        .iter()
                        .map(|(key, value)| (Cow::Borrowed(*key), value.clone()))
                        .collect(),
                ),
            ),
        ])
    }
}

impl Decision {
    /// The `DECISION` shape of docs/boundary.md.
    pub fn to_json(&self) -> Json<'static> {
        Json::object([
            ("support", Json::from(self.support.name())),
            ("strategy", Json::from(self.strategy.name())),
            ("native", Json::from(self.native)),
            (
                "reasons",
                Json::Array(self.reasons.iter().map(Reason::to_json).collect()),
            ),
            ("table", Json::from(self.table)),
            ("name", Json::from(self.name.clone())),
            ("wrapper", Json::from(self.wrapper)),
        ])
    }
}
