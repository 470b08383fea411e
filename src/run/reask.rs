//! Re-ask: an invalid answer goes back with what is wrong with it, instead of being asked for blindly again.

use super::failure::Failure;
use super::history::Part;
use super::spec::Reask;
use super::state::State;
use crate::error::ErrorKind;
use crate::json::Json;
use crate::message::fields::member;
use crate::schema::{kind_at, place};

/// Most violations that are told to the model.
const MAX_TOLD: usize = 10;

/// Whether the budget allows one more. A truncated answer is never re-asked: the limit would cut it again.
pub fn is_allowed(budget: Option<&Reask>, state: &State, failure: &Failure) -> bool {
    let Some(budget) = budget else {
        return false;
    };
    failure.kind == ErrorKind::InvalidOutput
        && state.answer.is_some()
        && state.reasks < budget.attempts
        && budget.max_tokens.is_none_or(|limit| state.tokens() < limit)
        && budget.max_ms.is_none_or(|limit| state.elapsed_ms < limit)
}

/// The user's turn that follows the invalid answer: pointer, what the schema wants, what kind of value stands there. It repeats
/// nothing of the answer. `text` is the answer's text, `wrapper` what its value may be wrapped in.
pub fn message(failure: &Failure, text: &str, wrapper: Option<&str>) -> Part {
    let mut lines = vec!["Your last answer is not valid:".to_owned()];
    let listed = member(&failure.details, "violations")
        .and_then(Json::as_array)
        .unwrap_or_default();
    for violation in listed.iter().take(MAX_TOLD) {
        let field = |name: &str| violation.get(name).and_then(Json::as_text).unwrap_or_default();
        let found = kind_at(text, field("pointer"), wrapper).map_or(String::new(), |kind| format!(", found {kind}"));
        lines.push(format!(
            "- at {}: expected {}{found}",
            place(field("pointer")),
            field("expected")
        ));
    }
    if listed.is_empty() {
        let pointer = member(&failure.details, "pointer")
            .and_then(Json::as_text)
            .unwrap_or_default();
        lines.push(match member(&failure.details, "offset").is_some() {
            true => "- it is not one complete JSON value".to_owned(),
            false => format!(
                "- at {}: the value cannot be read as the type that is asked for",
                place(pointer)
            ),
        });
    } else if listed.len() > MAX_TOLD {
        lines.push(format!("- and {} more", listed.len() - MAX_TOLD));
    }
    lines.push("Answer again with the whole value, corrected, and nothing else.".to_owned());
    super::machine::user(lines.join("\n"))
}
