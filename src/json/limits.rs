//! Numbers that are JSON and yet of no use: Java's and the validator's arithmetic would take them for something else, run out
//! of memory, or never end.

use super::{Json, pointer};

/// Longest text of a number.
pub const MAX_NUMBER_CHARACTERS: usize = 10_000;

/// Largest exponent, either way.
pub const MAX_NUMBER_EXPONENT: u32 = 1_000;

impl Json<'_> {
    /// The JSON Pointer of the first number beyond the limits.
    pub fn oversized_number(&self) -> Option<String> {
        fn find(value: &Json<'_>, at: &mut Vec<String>) -> bool {
            match value {
                Json::Number(text) => is_oversized(text),
                Json::Array(items) => items.iter().enumerate().any(|(index, item)| {
                    at.push(index.to_string());
                    find(item, at) || at.pop().is_none()
                }),
                Json::Object(members) => members.iter().any(|(name, member)| {
                    at.push(name.to_string());
                    find(member, at) || at.pop().is_none()
                }),
                _ => false,
            }
        }
        let mut at = Vec::new();
        find(self, &mut at).then(|| {
            at.iter()
                .fold(String::new(), |parent, token| pointer::child(&parent, token))
        })
    }
}

fn is_oversized(number: &str) -> bool {
    let exponent = number.split_once(['e', 'E']).map_or("", |(_, exponent)| exponent);
    let digits = exponent.trim_start_matches(['+', '-']).trim_start_matches('0');
    let too_large = !digits.is_empty() && digits.parse().unwrap_or(u32::MAX) > MAX_NUMBER_EXPONENT;
    too_large || number.len() > MAX_NUMBER_CHARACTERS
}
