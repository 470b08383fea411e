//! What each provider takes of JSON Schema: one walker, one small table for each dialect.

use crate::structured::Reason;

/// The rules of one provider.
#[derive(Debug)]
pub struct Dialect {
    pub name: &'static str,
    /// Month in which the rules were last read on the provider's page.
    pub table: &'static str,
}

/// OpenAI's strict mode, for Chat Completions and Azure.
pub static OPENAI_STRICT: Dialect = Dialect {
    name: "openai-strict",
    table: "2026-11",
};

/// A schema as one provider gets it.
#[derive(Debug)]
pub struct Rewritten {
    /// Compact JSON, ready to be put into a body.
    pub json: String,
    /// The property that carries a root that is no object: `values` for a list, `value` otherwise (Z3).
    pub wrapper: Option<&'static str>,
    /// What was rewritten, moved or left out, and limits that make native only FEASIBLE.
    pub reasons: Vec<Reason>,
    /// A documented limit is exceeded: the support is FEASIBLE at most (Z3).
    pub limited: bool,
}
