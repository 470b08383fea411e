//! Strategy and support make a decision, with machine-readable reasons (#843, #1129, #1215).

use crate::error::Result;
use crate::json::Json;

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

/// The decision table of #1215. `reasons` are those of the support; the strategy's own reason is added.
pub fn decide(_strategy: Strategy, _support: Support, _reasons: Vec<Reason>) -> (bool, Vec<Reason>) {
    unimplemented!()
}

impl Strategy {
    /// Case-insensitive name; the error is the one of #843.
    pub fn parse(_name: &str) -> Result<Self> {
        unimplemented!()
    }
}

impl Decision {
    pub fn to_json(&self) -> Json<'static> {
        unimplemented!()
    }
}
