//! Which messages a call gets. The messages themselves stay with the caller: a run knows only the shape of the history, one
//! letter for each message, and names ranges of it.
//!
//! | letter | message |
//! |---|---|
//! | `s`, `u` | system, user |
//! | `a` | assistant without tool calls |
//! | `c` | assistant with tool calls |
//! | `t` | tool result |

use crate::error::{Error, ErrorKind, Result};
use crate::json::Json;
use crate::message::ChatMessage;

/// A piece of the messages of a call, in order.
#[derive(Debug, Clone, PartialEq)]
pub enum Part {
    /// Messages of the history, from the first up to but without the second index.
    History(usize, usize),
    /// The message of an answer, by the number of the call that brought it.
    Answer(i64),
    /// A message of the run's own, as JSON.
    Message(Json<'static>),
}

/// Fails on a letter that stands for no message.
pub fn check(history: &str) -> Result<()> {
    match history.chars().find(|letter| !"suact".contains(*letter)) {
        None => Ok(()),
        Some(letter) => Err(Error::new(
            ErrorKind::Frame,
            format!("a run's history must consist of the letters s, u, a, c, t; found {letter:?}"),
        )),
    }
}

/// The whole history; `instruction` goes behind the first system message, else to the head (#1215 C6).
pub fn whole(history: &str, instruction: Option<&str>) -> Vec<Part> {
    parts(history, instruction, |_| true)
}

/// The history without tool traffic (#1215 C3): services refuse calls and results of tools in a request that offers none, so
/// tool results, and assistant messages with tool calls, are dropped whole.
pub fn without_tools(history: &str, instruction: Option<&str>) -> Vec<Part> {
    parts(history, instruction, |letter| letter != b'c' && letter != b't')
}

fn parts(history: &str, instruction: Option<&str>, keep: impl Fn(u8) -> bool) -> Vec<Part> {
    let letters = history.as_bytes();
    let place = letters
        .iter()
        .position(|letter| *letter == b's')
        .map_or(0, |index| index + 1);
    let mut parts = Vec::new();
    for (index, letter) in letters.iter().enumerate() {
        push_instruction(&mut parts, instruction.filter(|_| index == place));
        if keep(*letter) {
            match parts.last_mut() {
                Some(Part::History(_, end)) if *end == index => *end = index + 1,
                _ => parts.push(Part::History(index, index + 1)),
            }
        }
    }
    push_instruction(&mut parts, instruction.filter(|_| letters.len() <= place));
    parts
}

fn push_instruction(parts: &mut Vec<Part>, instruction: Option<&str>) {
    if let Some(text) = instruction {
        parts.push(Part::Message(
            ChatMessage::system(text.to_owned()).to_json().into_owned(),
        ));
    }
}

impl Part {
    /// The `PART` shape of docs/boundary.md.
    pub fn to_json(&self) -> Json<'static> {
        match self {
            Part::History(from, to) => {
                Json::object([("history", Json::Array(vec![(*from as u64).into(), (*to as u64).into()]))])
            }
            Part::Answer(call) => Json::object([("answer", (*call).into())]),
            Part::Message(message) => Json::object([("message", message.clone())]),
        }
    }

    pub fn from_json(json: &Json<'_>) -> Option<Part> {
        if let Some(call) = json.get("answer") {
            return call.as_i64().map(Part::Answer);
        }
        json.get("message")
            .map(|message| Part::Message(message.clone().into_owned()))
    }
}
