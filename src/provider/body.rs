//! Writes a request body straight into bytes: texts are borrowed, and no tree is built in between.

use crate::json::{Json, write_text};

/// A JSON document under construction. Commas are set by the writer; keys and brackets are the caller's.
#[derive(Debug, Default)]
pub struct Body {
    bytes: Vec<u8>,
}

impl Body {
    pub fn with_capacity(bytes: usize) -> Self {
        Body {
            bytes: Vec::with_capacity(bytes),
        }
    }

    pub fn finish(self) -> Vec<u8> {
        self.bytes
    }

    /// Writes `{`, the members that `members` writes, and `}`.
    pub fn object(&mut self, members: impl FnOnce(&mut Body)) {
        self.enclose(b'{', members, b'}');
    }

    /// Writes `[`, the items that `items` writes, and `]`.
    pub fn array(&mut self, items: impl FnOnce(&mut Body)) {
        self.enclose(b'[', items, b']');
    }

    fn enclose(&mut self, open: u8, content: impl FnOnce(&mut Body), close: u8) {
        self.separate();
        self.bytes.push(open);
        content(self);
        self.bytes.push(close);
    }

    /// Starts a member; its value follows.
    pub fn key(&mut self, name: &str) -> &mut Body {
        self.separate();
        write_text(name, &mut self.bytes);
        self.bytes.push(b':');
        self
    }

    pub fn text(&mut self, text: &str) {
        self.separate();
        write_text(text, &mut self.bytes);
    }

    pub fn boolean(&mut self, value: bool) {
        self.raw(if value { "true" } else { "false" });
    }

    pub fn json(&mut self, value: &Json<'_>) {
        self.separate();
        value.write_to(&mut self.bytes);
    }

    /// Appends JSON text that is finished already: a schema, an exact number.
    pub fn raw(&mut self, json: &str) {
        self.separate();
        self.bytes.extend_from_slice(json.as_bytes());
    }

    /// A comma, unless the place is the first in its object or array, or behind a key.
    fn separate(&mut self) {
        // No value ends with one of these bytes, so the last byte alone tells.
        if !matches!(self.bytes.last(), None | Some(b'{' | b'[' | b':')) {
            self.bytes.push(b',');
        }
    }
}
