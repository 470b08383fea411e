//! JSON Pointers (RFC 6901): where in a schema or an answer something stands.

use super::Json;
use std::borrow::Cow;

/// Appends one reference token, escaped.
pub fn push_token(pointer: &mut String, token: &str) {
    pointer.push('/');
    for character in token.chars() {
        match character {
            '~' => pointer.push_str("~0"),
            '/' => pointer.push_str("~1"),
            other => pointer.push(other),
        }
    }
}

/// The pointer to the member or item `token` of what `pointer` names.
pub fn child(pointer: &str, token: &str) -> String {
    let mut longer = pointer.to_owned();
    push_token(&mut longer, token);
    longer
}

/// The value that `pointer` names below `root`.
pub fn resolve<'j, 'a>(root: &'j Json<'a>, pointer: &str) -> Option<&'j Json<'a>> {
    if pointer.is_empty() {
        return Some(root);
    }
    pointer
        .strip_prefix('/')?
        .split('/')
        .try_fold(root, |value, token| step(value, &unescape(token)))
}

fn step<'j, 'a>(value: &'j Json<'a>, token: &str) -> Option<&'j Json<'a>> {
    match value {
        Json::Object(members) => members
            .iter()
            .rev()
            .find(|(name, _)| name == token)
            .map(|(_, value)| value),
        Json::Array(items) if token == "0" || !token.starts_with('0') => items.get(token.parse::<usize>().ok()?),
        _ => None,
    }
}

fn unescape(token: &str) -> Cow<'_, str> {
    match token.contains('~') {
        true => Cow::Owned(token.replace("~1", "/").replace("~0", "~")),
        false => Cow::Borrowed(token),
    }
}
