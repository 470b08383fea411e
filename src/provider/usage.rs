//! Token counts of an answer, whatever the provider calls them.

use std::borrow::Cow;

use crate::json::Json;
use crate::message::{Counts, TokenUsage};

/// The provider's names of the counts.
#[derive(Debug)]
pub struct UsageKeys {
    pub prompt: &'static str,
    pub completion: &'static str,
    pub prompt_details: &'static str,
    pub completion_details: &'static str,
}

/// Counts that are negative or no integers are unknown.
pub fn read_usage(usage: &Json<'_>, keys: &UsageKeys) -> Option<TokenUsage<'static>> {
    usage.as_object()?;
    Some(TokenUsage {
        prompt_tokens: usage.get(keys.prompt).and_then(count),
        completion_tokens: usage.get(keys.completion).and_then(count),
        prompt_token_details: read_details(usage.get(keys.prompt_details)),
        completion_token_details: read_details(usage.get(keys.completion_details)),
    })
}

/// A count that is neither negative nor anything but an integer.
pub fn count(json: &Json<'_>) -> Option<i64> {
    json.as_i64().filter(|count| *count >= 0)
}

fn read_details(details: Option<&Json<'_>>) -> Counts<'static> {
    let members = details.and_then(Json::as_object).unwrap_or_default();
    members
        .iter()
        .filter_map(|(name, value)| Some((Cow::Owned(name.to_string()), count(value)?)))
        .collect()
}
