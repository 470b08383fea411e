//! Reads JSON text as RFC 8259 has it: exact numbers, bounded depth, strings that borrow from the text.
//!
//! serde_json cannot do this work. With exact numbers it reads a user's key `$serde_json::private::Number` as a number,
//! and it refuses the unpaired surrogates that models do write; here they become U+FFFD and the answer survives.

use super::Json;
use super::write::plain_run;
use crate::error::{Error, Result};
use std::borrow::Cow;

/// Deepest nesting of a document or frame.
pub const MAX_DEPTH: usize = 128;

const BOM: &[u8] = b"\xEF\xBB\xBF";

/// Reads one JSON document; a leading byte order mark is skipped. The error (kind `invalid_argument`, detail `offset` in
/// bytes) says where reading stopped and what was expected there, never what the text holds.
pub fn parse(text: &[u8]) -> Result<Json<'_>> {
    parse_inside(text, 0)
}

/// Where a JSON text escapes a surrogate that has no partner: the reader makes U+FFFD of it, which is right for answers, but
/// what is sent must not change on the way.
pub fn lone_surrogate(text: &[u8]) -> Option<usize> {
    let unit = |at: usize| -> Option<u16> {
        let digits = text.get(at..at + 6)?.strip_prefix(b"\\u")?;
        u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
    };
    let mut at = 0;
    while let Some(found) = text.get(at..)?.iter().position(|byte| *byte == b'\\') {
        at += found;
        at += match unit(at) {
            None => 2,
            Some(0xD800..=0xDBFF) if matches!(unit(at + 6), Some(0xDC00..=0xDFFF)) => 12,
            Some(0xD800..=0xDFFF) => return Some(at),
            Some(_) => 6,
        };
    }
    None
}

/// As [`parse`], for a document that will stand `levels` deep inside a frame or document, and must leave it that room.
pub fn parse_inside(text: &[u8], levels: usize) -> Result<Json<'_>> {
    let skipped = if text.starts_with(BOM) { BOM.len() } else { 0 };
    let valid = std::str::from_utf8(text).map_err(|error| unexpected(error.valid_up_to(), "valid UTF-8"))?;
    let mut reader = Reader {
        text: valid,
        at: skipped,
    };
    let value = reader.value(levels)?;
    reader.skip_space();
    match reader.peek() {
        None => Ok(value),
        Some(_) => Err(reader.expected("the end of the document")),
    }
}

/// Reads the JSON value that starts at byte `from` of `text` and returns it with the offset behind it; what follows is
/// not looked at. For a value that stands inside prose.
pub fn parse_prefix(text: &str, from: usize) -> Result<(Json<'_>, usize)> {
    let mut reader = Reader { text, at: from };
    let value = reader.value(0)?;
    Ok((value, reader.at))
}

fn unexpected(offset: usize, wanted: &str) -> Error {
    Error::invalid_argument(format!("invalid JSON at byte {offset}: expected {wanted}")).with("offset", offset as u64)
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn rest(&self) -> &'a [u8] {
        self.text.as_bytes().get(self.at..).unwrap_or_default()
    }

    fn slice(&self, from: usize, to: usize) -> &'a str {
        self.text.get(from..to).unwrap_or_default()
    }

    fn expected(&self, wanted: &str) -> Error {
        unexpected(self.at, wanted)
    }

    fn skip_space(&mut self) {
        while let Some(b' ' | b'\n' | b'\r' | b'\t') = self.peek() {
            self.at += 1;
        }
    }

    fn value(&mut self, depth: usize) -> Result<Json<'a>> {
        self.skip_space();
        match self.peek() {
            Some(b'"') => self.string().map(Json::Text),
            Some(b'{') => self.object(depth + 1),
            Some(b'[') => self.array(depth + 1),
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(b't') => self.word("true", Json::Bool(true)),
            Some(b'f') => self.word("false", Json::Bool(false)),
            Some(b'n') => self.word("null", Json::Null),
            _ => Err(self.expected("a value")),
        }
    }

    fn word(&mut self, word: &str, value: Json<'a>) -> Result<Json<'a>> {
        if !self.rest().starts_with(word.as_bytes()) {
            return Err(self.expected("a value"));
        }
        self.at += word.len();
        Ok(value)
    }

    /// Steps over an opening bracket, unless that would be too deep.
    fn open(&mut self, depth: usize) -> Result<()> {
        if depth > MAX_DEPTH {
            return Err(self.expected(&format!("at most {MAX_DEPTH} levels of nesting")));
        }
        self.at += 1;
        self.skip_space();
        Ok(())
    }

    fn object(&mut self, depth: usize) -> Result<Json<'a>> {
        self.open(depth)?;
        let mut members = Vec::new();
        if self.peek() == Some(b'}') {
            self.at += 1;
            return Ok(Json::Object(members));
        }
        loop {
            self.skip_space();
            if self.peek() != Some(b'"') {
                return Err(self.expected("a member name"));
            }
            let name = self.string()?;
            self.skip_space();
            if self.peek() != Some(b':') {
                return Err(self.expected("':'"));
            }
            self.at += 1;
            members.push((name, self.value(depth)?));
            if self.closes(b'}', "',' or '}'")? {
                return Ok(Json::Object(members));
            }
        }
    }

    fn array(&mut self, depth: usize) -> Result<Json<'a>> {
        self.open(depth)?;
        let mut items = Vec::new();
        if self.peek() == Some(b']') {
            self.at += 1;
            return Ok(Json::Array(items));
        }
        loop {
            items.push(self.value(depth)?);
            if self.closes(b']', "',' or ']'")? {
                return Ok(Json::Array(items));
            }
        }
    }

    /// Steps over a comma (false) or the closing bracket (true).
    fn closes(&mut self, bracket: u8, wanted: &str) -> Result<bool> {
        self.skip_space();
        match self.peek() {
            Some(b',') => {
                self.at += 1;
                Ok(false)
            }
            Some(byte) if byte == bracket => {
                self.at += 1;
                Ok(true)
            }
            _ => Err(self.expected(wanted)),
        }
    }

    fn number(&mut self) -> Result<Json<'a>> {
        let start = self.at;
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        match self.peek() {
            Some(b'0') => self.at += 1,
            _ => self.digits()?,
        }
        let mut integer = true;
        if self.peek() == Some(b'.') {
            integer = false;
            self.at += 1;
            self.digits()?;
        }
        if let Some(b'e' | b'E') = self.peek() {
            integer = false;
            self.at += 1;
            if let Some(b'+' | b'-') = self.peek() {
                self.at += 1;
            }
            self.digits()?;
        }
        Ok(exact(self.slice(start, self.at), integer))
    }

    fn digits(&mut self) -> Result<()> {
        let start = self.at;
        while let Some(b'0'..=b'9') = self.peek() {
            self.at += 1;
        }
        if self.at == start {
            return Err(self.expected("a digit"));
        }
        Ok(())
    }

    /// A string from its opening quote; borrowed unless it holds an escape.
    fn string(&mut self) -> Result<Cow<'a, str>> {
        self.at += 1;
        let start = self.at;
        self.at += plain_run(self.rest());
        if self.peek() == Some(b'"') {
            self.at += 1;
            return Ok(Cow::Borrowed(self.slice(start, self.at - 1)));
        }
        let mut text = self.slice(start, self.at).to_owned();
        loop {
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(Cow::Owned(text));
                }
                Some(b'\\') => text.push(self.escape()?),
                Some(_) => return Err(self.expected("an escape: control characters are not allowed in strings")),
                None => return Err(self.expected("the end of the string")),
            }
            let run = self.at;
            self.at += plain_run(self.rest());
            text.push_str(self.slice(run, self.at));
        }
    }

    fn escape(&mut self) -> Result<char> {
        self.at += 1;
        let decoded = match self.peek() {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => {
                self.at += 1;
                return self.unicode_escape();
            }
            _ => return Err(self.expected("an escape character")),
        };
        self.at += 1;
        Ok(decoded)
    }

    /// The character of one `\uXXXX`, or of two that make a pair. A surrogate without its partner is U+FFFD.
    fn unicode_escape(&mut self) -> Result<char> {
        let unit = self.hex4()?;
        if (0xD800..0xDC00).contains(&unit) && self.rest().starts_with(b"\\u") {
            let behind_first = self.at;
            self.at += 2;
            let second = self.hex4()?;
            if (0xDC00..0xE000).contains(&second) {
                let code = 0x10000 + ((unit - 0xD800) << 10) + (second - 0xDC00);
                return Ok(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
            }
            self.at = behind_first;
        }
        Ok(char::from_u32(unit).unwrap_or(char::REPLACEMENT_CHARACTER))
    }

    fn hex4(&mut self) -> Result<u32> {
        let mut unit = 0;
        for _ in 0..4 {
            let digit = self.peek().and_then(|byte| char::from(byte).to_digit(16));
            unit = unit * 16 + digit.ok_or_else(|| self.expected("a hexadecimal digit"))?;
            self.at += 1;
        }
        Ok(unit)
    }
}

/// A number from its text. Minus zero stays text: an integer would lose its sign.
fn exact(text: &str, integer: bool) -> Json<'_> {
    if integer && text != "-0" {
        if let Ok(value) = text.parse::<i64>() {
            return Json::Int(value);
        }
        if let Ok(value) = text.parse::<u64>() {
            return Json::UInt(value);
        }
    }
    Json::Number(Cow::Borrowed(text))
}
