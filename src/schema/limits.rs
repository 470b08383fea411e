//! Counts what goes on the wire against the dialect's limits.

use super::dialect::{Dialect, Limit, Rule};
use crate::json::Json;
use crate::structured::{Reason, ReasonCode};

/// An `enum` with more texts than this has a limit of its own.
const LARGE_ENUM: usize = 250;

#[derive(Debug)]
pub struct Counts {
    dialect: &'static Dialect,
    properties: usize,
    characters: usize,
    enum_values: usize,
    unions: usize,
    /// For each limit of the dialect: the largest count above it, and where it was first passed.
    passed: Vec<Option<(usize, String)>>,
}

impl Counts {
    pub fn new(dialect: &'static Dialect) -> Counts {
        Counts {
            dialect,
            properties: 0,
            characters: 0,
            enum_values: 0,
            unions: 0,
            passed: vec![None; dialect.limits.len()],
        }
    }

    pub fn property(&mut self, name: &str, at: &str) {
        self.properties += 1;
        self.note(Rule::Properties, self.properties, at);
        self.characters(name, at);
    }

    pub fn characters(&mut self, text: &str, at: &str) {
        self.characters += text.chars().count();
        self.note(Rule::StringCharacters, self.characters, at);
    }

    pub fn depth(&mut self, depth: usize, at: &str) {
        self.note(Rule::Depth, depth, at);
    }

    pub fn union_property(&mut self, at: &str) {
        self.unions += 1;
        self.note(Rule::UnionProperties, self.unions, at);
    }

    pub fn enumeration(&mut self, values: &[Json<'_>], at: &str) {
        self.enum_values += values.len();
        self.note(Rule::EnumValues, self.enum_values, at);
        let texts: Vec<&str> = values.iter().filter_map(Json::as_text).collect();
        for text in &texts {
            self.characters(text, at);
        }
        if texts.len() > LARGE_ENUM {
            let characters = texts.iter().map(|text| text.chars().count()).sum();
            self.note(Rule::LargeEnumCharacters, characters, at);
        }
    }

    fn note(&mut self, rule: Rule, count: usize, at: &str) {
        for (limit, passed) in self.dialect.limits.iter().zip(&mut self.passed) {
            if limit.rule == rule && count > limit.most {
                let (most, _) = passed.get_or_insert_with(|| (count, at.to_owned()));
                *most = count.max(*most);
            }
        }
    }

    /// The reasons, and whether a documented limit is among them.
    pub fn finish(self) -> (Vec<Reason>, bool) {
        let exceeded = |(limit, passed): (&Limit, Option<(usize, String)>)| {
            let (found, at) = passed?;
            Some((limit.documented, reason(self.dialect, limit, found, at)))
        };
        let (documented, reasons): (Vec<bool>, Vec<Reason>) =
            self.dialect.limits.iter().zip(self.passed).filter_map(exceeded).unzip();
        (reasons, documented.contains(&true))
    }
}

fn reason(dialect: &Dialect, limit: &Limit, found: usize, at: String) -> Reason {
    let what = match limit.rule {
        Rule::Properties => "properties in all",
        Rule::Depth => "levels of nesting",
        Rule::StringCharacters => "characters in names and constants",
        Rule::EnumValues => "enum values in all",
        Rule::LargeEnumCharacters => "characters in one large enum",
        Rule::UnionProperties => "properties of several types",
    };
    let (code, source) = match limit.documented {
        true => (ReasonCode::LimitExceeded, "documented"),
        false => (ReasonCode::LimitWarning, "unconfirmed"),
    };
    let message = format!(
        "{found} {what}; the {source} limit of {} is {} (table of {}).",
        dialect.name, limit.most, dialect.table
    );
    Reason::at(code, at, message)
        .with("rule", limit.rule.name())
        .with("limit", limit.most as u64)
        .with("found", found as u64)
        .with("table", dialect.table)
}
