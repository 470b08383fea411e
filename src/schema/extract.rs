//! Finds the JSON in an answer's text. Nothing is changed inside JSON strings, and nothing is repaired: a text that is
//! JSON as a whole is taken as it is; else reasoning, a code fence or prose around the JSON is stepped over.

use crate::error::Error;
use crate::json::{Json, parse, parse_prefix};

/// What may be the answer.
#[derive(Debug)]
pub enum Found<'t> {
    /// The answer is this value.
    One(Json<'t>),
    /// Prose holds several values; the schema has to choose.
    Several(Vec<Json<'t>>),
}

/// Why there is none: what was wrong, and the byte offset into the text where there is one.
#[derive(Debug)]
pub struct NoJson {
    pub message: String,
    pub offset: Option<usize>,
}

/// The JSON in `text`.
pub fn find(text: &str) -> Result<Found<'_>, NoJson> {
    let whole = match parse(text.as_bytes()) {
        Ok(value) => return Ok(Found::One(value)),
        Err(error) => error,
    };
    if text.trim().is_empty() {
        return Err(NoJson {
            message: "the answer is empty".to_owned(),
            offset: None,
        });
    }
    let start = behind_reasoning(text)?;
    let body = text.get(start..).unwrap_or_default();
    if start > 0
        && let Ok(value) = parse(body.as_bytes())
    {
        return Ok(Found::One(value));
    }
    // JSON that is broken or cut must not be mined for the values that it holds.
    if body.trim_start().starts_with(['{', '[', '"']) {
        let error = if start > 0 {
            parse(body.as_bytes()).err()
        } else {
            Some(whole)
        };
        return Err(no_json(error.as_ref(), start));
    }
    let mut values = candidates(body);
    match values.len() {
        0 => Err(NoJson {
            message: "the answer holds no JSON value".to_owned(),
            offset: None,
        }),
        1 => Ok(Found::One(values.swap_remove(0))),
        _ => Ok(Found::Several(values)),
    }
}

fn no_json(error: Option<&Error>, start: usize) -> NoJson {
    let offset = error.and_then(offset_of).map(|offset| offset + start);
    let message = match offset {
        Some(offset) => format!("the answer's JSON is broken or incomplete at byte {offset}"),
        None => "the answer's JSON is broken".to_owned(),
    };
    NoJson { message, offset }
}

fn offset_of(error: &Error) -> Option<usize> {
    let (_, value) = error.details.iter().find(|(key, _)| *key == "offset")?;
    usize::try_from(value.as_i64()?).ok()
}

const OPENS: [&str; 2] = ["<think>", "<thinking>"];
const CLOSES: [&str; 2] = ["</think>", "</thinking>"];

/// Where the text behind the model's reasoning starts; 0 when there is none. The opening tag may be missing, since some
/// servers put it into the prompt.
fn behind_reasoning(text: &str) -> Result<usize, NoJson> {
    let opened = OPENS.iter().any(|tag| text.trim_start().starts_with(tag));
    match last_close(text) {
        Some(end) => Ok(end),
        None if opened => Err(NoJson {
            message: "the answer ends inside the model's reasoning".to_owned(),
            offset: None,
        }),
        None => Ok(0),
    }
}

/// The end of the last closing tag that does not stand inside a JSON value.
fn last_close(text: &str) -> Option<usize> {
    let mut last = None;
    let mut at = 0;
    // Broken JSON is read again from its second byte, because a tag may stand in what looked like a string of it. That must
    // not become quadratic: once so many bytes were read in vain, what was read is stepped over.
    let mut in_vain = 4 * text.len() + 4096;
    while let Some(rest) = text.get(at..) {
        let Some(next) = rest.find(['<', '{', '[']) else {
            break;
        };
        at += next;
        let rest = text.get(at..).unwrap_or_default();
        if let Some(tag) = CLOSES.iter().find(|tag| rest.starts_with(**tag)) {
            at += tag.len();
            last = Some(at);
        } else if rest.starts_with('<') {
            at += 1;
        } else {
            at = match parse_prefix(text, at) {
                Ok((_, end)) => end,
                Err(error) => {
                    let broken = offset_of(&error).unwrap_or(at).max(at + 1);
                    let patience = in_vain.checked_sub(broken - at);
                    in_vain = patience.unwrap_or(0);
                    let next = if patience.is_some() { at + 1 } else { broken };
                    (next..).find(|next| text.is_char_boundary(*next)).unwrap_or(text.len())
                }
            };
        }
    }
    last
}

/// The values that stand in prose: those in code fences if there are any, else bare objects and arrays.
fn candidates(text: &str) -> Vec<Json<'_>> {
    let mut bare = Vec::new();
    let mut fenced = Vec::new();
    let mut at = 0;
    while let Some(next) = text.get(at..).and_then(|rest| rest.find(['`', '{', '['])) {
        at += next;
        let rest = text.get(at..).unwrap_or_default();
        if rest.starts_with("```") {
            match fenced_value(text, at) {
                Some((value, end)) => {
                    fenced.push(value);
                    at = end;
                }
                None => at += count(text, at, |character| character == '`'),
            }
        } else if rest.starts_with('`') {
            at += 1;
        } else {
            match parse_prefix(text, at) {
                Ok((value, end)) => {
                    bare.push(value);
                    at = end;
                }
                // Behind the place where it broke, so that nothing inside broken JSON is taken for an answer.
                Err(error) => at = offset_of(&error).map_or(at + 1, |broken| broken.max(at + 1)),
            }
            while !text.is_char_boundary(at) {
                at += 1;
            }
        }
    }
    if fenced.is_empty() { bare } else { fenced }
}

/// The value in the fence that opens at `at`, and the end of its closing backticks. The language tag is optional, and may be
/// on the same line as the value.
fn fenced_value(text: &str, at: usize) -> Option<(Json<'_>, usize)> {
    let ticks = count(text, at, |character| character == '`');
    let tag = count(text, at + ticks, |character| {
        character.is_ascii_alphanumeric() || "_-+.".contains(character)
    });
    // A scalar looks like a tag: try without one, then with one.
    [0, tag].into_iter().find_map(|tag| {
        let (value, end) = parse_prefix(text, at + ticks + tag).ok()?;
        let behind = text.get(end..)?;
        let space = behind.len() - behind.trim_start().len();
        let closing = count(text, end + space, |character| character == '`');
        (closing >= ticks).then_some((value, end + space + closing))
    })
}

fn count(text: &str, at: usize, wanted: impl Fn(char) -> bool) -> usize {
    text.get(at..)
        .unwrap_or_default()
        .chars()
        .take_while(|character| wanted(*character))
        .map(char::len_utf8)
        .sum()
}
