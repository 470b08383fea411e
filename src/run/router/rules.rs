//! Rules: the first regular expression that is found in the last user message selects its candidate.
//!
//! Patterns are written in the syntax that the crate `regex` and `java.util.regex` share, are found anywhere in the text, in any
//! case (Unicode), and take time linear in it. What the two read differently without saying so is refused: a rule that was
//! tried in Java must not route differently. They find what Java finds with `CASE_INSENSITIVE`, `UNICODE_CASE` and
//! `UNICODE_CHARACTER_CLASS`, but for line breaks: `.` is anything but a line feed; `$` and `\z` hold at the end of the text and
//! before a last `\n` or `\r\n`.

use std::borrow::Cow;
use std::collections::BTreeSet;

use regex::{Regex, RegexBuilder};
use regex_syntax::ast;

use super::{Candidate, RoutingDecision, no_candidate, position};
use crate::error::Result;
use crate::json::Json;
use crate::message::fields::Fields;
use crate::message::{ChatMessage, Path, Role};

/// Longest pattern, in bytes.
pub const MAX_PATTERN: usize = 4096;

/// Deepest nesting of groups, classes and quantifiers: compilation recurses with it.
pub const MAX_NESTING: u32 = 32;

/// Memory of one compiled rule, and of its cache while it matches, in bytes.
const MAX_COMPILED: usize = 1 << 20;

/// What the POSIX classes of `\p{...}` are called: ASCII only in Java, all of Unicode here.
const POSIX_CLASSES: [&str; 12] = [
    "alnum", "alpha", "blank", "cntrl", "digit", "graph", "lower", "print", "punct", "space", "upper", "xdigit",
];

/// A pattern and the candidate that it selects.
#[derive(Debug, Clone)]
pub struct Rule {
    pub candidate: String,
    regex: Regex,
}

impl Rule {
    /// Compiles the rule; the error says what is wrong with the pattern, and never holds it.
    pub fn new(candidate: impl Into<String>, pattern: &str, path: &Path<'_>) -> Result<Self> {
        if pattern.is_empty() {
            return Err(path.broken("an empty pattern is found in every text; leave the rule out or write `.*`"));
        }
        if pattern.len() > MAX_PATTERN {
            return Err(path.broken(&format!("a pattern has at most {MAX_PATTERN} bytes; split it")));
        }
        let regex = RegexBuilder::new(pattern)
            .case_insensitive(true)
            .nest_limit(MAX_NESTING)
            .size_limit(MAX_COMPILED)
            .dfa_size_limit(MAX_COMPILED)
            .build()
            .map_err(|error| path.broken(&format!("this pattern cannot be used: {}", fault(&error))))?;
        if let Some(difference) = difference_to_java(pattern) {
            return Err(path.broken(&format!(
                "this pattern cannot be used: Java reads {difference} differently"
            )));
        }
        Ok(Rule {
            candidate: candidate.into(),
            regex,
        })
    }

    pub fn pattern(&self) -> &str {
        self.regex.as_str()
    }

    /// The second look lets `$` hold before the last line break.
    fn is_found_in(&self, text: &str) -> bool {
        let shorter = text
            .strip_suffix('\n')
            .map(|line| line.strip_suffix('\r').unwrap_or(line));
        self.regex.is_match(text) || shorter.is_some_and(|shorter| self.regex.is_match(shorter))
    }
}

/// The text of the last user message; `None` when there is none, or when it has no text.
pub fn last_user_text<'m>(messages: &'m [ChatMessage<'_>]) -> Option<Cow<'m, str>> {
    let last = messages.iter().rev().find(|message| message.role == Role::User)?;
    Some(last.text()).filter(|text| !text.is_empty())
}

/// The decision of the rules: the first in declaration order whose pattern is found in the text. Without a text, or a rule that
/// matches, they abstain; so a message of nothing but media never matches, not even `.*`.
pub fn by_rules(rules: &[Rule], last_user_text: Option<&str>) -> RoutingDecision {
    let Some(text) = last_user_text.filter(|text| !text.is_empty()) else {
        return RoutingDecision::abstain("the last user message has no text");
    };
    match rules.iter().find(|rule| rule.is_found_in(text)) {
        Some(rule) => RoutingDecision::select(rule.candidate.as_str(), "a rule matched the last user message"),
        None => RoutingDecision::abstain("no rule matched the last user message"),
    }
}

/// Reads `{type, rules: {candidate: pattern}}`.
pub(super) fn read(json: &Json<'_>, path: &Path<'_>, candidates: &[Candidate]) -> Result<Vec<Rule>> {
    let fields = Fields::strict(json, path, &["type", "rules"])?;
    let path = path.key("rules");
    let members = fields.members("rules")?;
    if members.is_empty() {
        return Err(path.broken("a rule-based strategy needs at least one rule"));
    }
    let mut seen = BTreeSet::new();
    let mut rules = Vec::with_capacity(members.len());
    for (candidate, pattern) in &members {
        if position(candidates, candidate).is_none() {
            return Err(no_candidate(&path, candidate, candidates));
        }
        let place = path.key(candidate);
        if !seen.insert(candidate) {
            return Err(place.broken("a candidate has one rule; join its patterns with `|`"));
        }
        let text = pattern.as_text();
        let pattern = text.ok_or_else(|| place.expected("a regular expression", Some(pattern)))?;
        rules.push(Rule::new(candidate.as_ref(), pattern, &place)?);
    }
    Ok(rules)
}

pub(super) fn to_json<'r>(name: &'static str, rules: &'r [Rule]) -> Json<'r> {
    let rules = rules
        .iter()
        .map(|rule| (rule.candidate.as_str(), rule.pattern().into()));
    Json::object([("type", Json::from(name)), ("rules", Json::object(rules))])
}

/// The last line of the crate's text; the lines before it show the pattern.
fn fault(error: &regex::Error) -> String {
    match error {
        regex::Error::CompiledTooBig(limit) => format!("it compiles to more than {limit} bytes; make it smaller"),
        other => {
            let text = other.to_string();
            let last = text.lines().next_back().unwrap_or_default();
            last.trim_start_matches("error: ").to_owned()
        }
    }
}

/// The first part of a valid pattern that `java.util.regex` gives another meaning.
fn difference_to_java(pattern: &str) -> Option<&'static str> {
    let parsed = ast::parse::ParserBuilder::new()
        .nest_limit(MAX_NESTING)
        .build()
        .parse(pattern);
    parsed.ok().and_then(|ast| ast::visit(&ast, JavaDifference).err())
}

/// Walks a pattern without recursion and stops at the first difference.
struct JavaDifference;

impl JavaDifference {
    fn literal(literal: &ast::Literal) -> std::result::Result<(), &'static str> {
        match literal.kind {
            ast::LiteralKind::Special(ast::SpecialLiteralKind::VerticalTab) => Err("`\\v`"),
            _ => Ok(()),
        }
    }

    fn unicode_class(class: &ast::ClassUnicode) -> std::result::Result<(), &'static str> {
        match &class.kind {
            ast::ClassUnicodeKind::Named(name)
                if POSIX_CLASSES.iter().any(|posix| name.eq_ignore_ascii_case(posix)) =>
            {
                Err("a POSIX class such as `\\p{Alpha}` (write `\\p{L}`, `[a-z]`, ...)")
            }
            _ => Ok(()),
        }
    }

    fn flags(flags: &ast::Flags) -> std::result::Result<(), &'static str> {
        use ast::{Flag, FlagsItemKind};
        let foreign = flags.items.iter().any(|item| {
            matches!(
                item.kind,
                FlagsItemKind::Flag(Flag::Unicode | Flag::SwapGreed | Flag::CRLF)
            )
        });
        match foreign {
            true => Err("inline flags other than `i`, `m`, `s` and `x`"),
            false => Ok(()),
        }
    }
}

impl ast::Visitor for JavaDifference {
    type Output = ();
    type Err = &'static str;

    fn finish(self) -> std::result::Result<(), &'static str> {
        Ok(())
    }

    fn visit_pre(&mut self, part: &ast::Ast) -> std::result::Result<(), &'static str> {
        use ast::{AssertionKind, Ast, GroupKind};
        match part {
            Ast::Repetition(outer) if matches!(*outer.ast, Ast::Repetition(_)) => {
                Err("two quantifiers in a row (possessive, as in `a*+`)")
            }
            Ast::Literal(literal) => JavaDifference::literal(literal),
            Ast::ClassUnicode(class) => JavaDifference::unicode_class(class),
            Ast::Flags(set) => JavaDifference::flags(&set.flags),
            Ast::Group(group) => match &group.kind {
                GroupKind::NonCapturing(flags) => JavaDifference::flags(flags),
                _ => Ok(()),
            },
            Ast::Assertion(assertion) => match assertion.kind {
                AssertionKind::WordBoundaryStartAngle | AssertionKind::WordBoundaryEndAngle => {
                    Err("`\\<` and `\\>` (write `\\b`)")
                }
                _ => Ok(()),
            },
            _ => Ok(()),
        }
    }

    fn visit_class_set_item_pre(&mut self, item: &ast::ClassSetItem) -> std::result::Result<(), &'static str> {
        match item {
            ast::ClassSetItem::Ascii(_) => Err("`[:name:]` (write `\\p{L}`, `[a-z]`, ...)"),
            ast::ClassSetItem::Literal(literal) => JavaDifference::literal(literal),
            ast::ClassSetItem::Unicode(class) => JavaDifference::unicode_class(class),
            _ => Ok(()),
        }
    }

    fn visit_class_set_binary_op_pre(
        &mut self,
        operation: &ast::ClassSetBinaryOp,
    ) -> std::result::Result<(), &'static str> {
        match operation.kind {
            ast::ClassSetBinaryOpKind::Intersection => Ok(()),
            _ => Err("`--` and `~~` inside brackets (write `&&[^...]`)"),
        }
    }
}
