//! Writes JSON text, compact, non-ASCII as is, lower-case hex in escapes.

use super::Json;

impl Json<'_> {
    /// Appends the value as compact JSON. Bytes have no JSON form and are a defect of the caller: written as null.
    pub fn write_to(&self, out: &mut Vec<u8>) {
        let _ = out;
        unimplemented!()
    }

    pub fn to_json(&self) -> String {
        unimplemented!()
    }
}

/// Appends a JSON string with its quotes.
pub fn write_text(text: &str, out: &mut Vec<u8>) {
    let _ = (text, out);
    unimplemented!()
}
