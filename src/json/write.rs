//! Writes JSON text, compact, non-ASCII as is, lower-case hex in escapes.

use super::Json;

impl Json<'_> {
    /// Appends the value as compact JSON. Bytes have no JSON form and are a defect of the caller: written as null.
    pub fn write_to(&self, out: &mut Vec<u8>) {
        match self {
            Json::Null | Json::Bytes(_) => out.extend_from_slice(b"null"),
            Json::Bool(true) => out.extend_from_slice(b"true"),
            Json::Bool(false) => out.extend_from_slice(b"false"),
            Json::Int(value) => out.extend_from_slice(value.to_string().as_bytes()),
            Json::UInt(value) => out.extend_from_slice(value.to_string().as_bytes()),
            Json::Number(text) => out.extend_from_slice(text.as_bytes()),
            Json::Text(text) => write_text(text, out),
            Json::Array(items) => {
                out.push(b'[');
                for (index, item) in items.iter().enumerate() {
                    if index > 0 {
                        out.push(b',');
                    }
                    item.write_to(out);
                }
                out.push(b']');
            }
            Json::Object(members) => {
                out.push(b'{');
                for (index, (name, value)) in members.iter().enumerate() {
                    if index > 0 {
                        out.push(b',');
                    }
                    write_text(name, out);
                    out.push(b':');
                    value.write_to(out);
                }
                out.push(b'}');
            }
        }
    }

    /// The value as compact JSON.
    pub fn to_json(&self) -> String {
        let mut out = Vec::new();
        self.write_to(&mut out);
        String::from_utf8(out).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
    }
}

/// Appends a JSON string with its quotes. Only quotes, backslashes and characters below U+0020 are escaped, as Python's
/// `json.dumps(..., ensure_ascii=False)` does.
pub fn write_text(text: &str, out: &mut Vec<u8>) {
    let mut rest = text.as_bytes();
    // With room for a few escapes, so that a long text is not copied once more when the first of them makes it longer.
    out.reserve(rest.len() + rest.len() / 16 + 2);
    out.push(b'"');
    loop {
        let (plain, special) = rest.split_at(plain_run(rest));
        out.extend_from_slice(plain);
        let Some((&byte, behind)) = special.split_first() else {
            break;
        };
        write_escape(byte, out);
        rest = behind;
    }
    out.push(b'"');
}

fn write_escape(byte: u8, out: &mut Vec<u8>) {
    let short = match byte {
        b'"' => b'"',
        b'\\' => b'\\',
        0x08 => b'b',
        0x0c => b'f',
        b'\n' => b'n',
        b'\r' => b'r',
        b'\t' => b't',
        _ => {
            let hex = |digit: u8| if digit < 10 { b'0' + digit } else { b'a' + digit - 10 };
            out.extend_from_slice(&[b'\\', b'u', b'0', b'0', hex(byte >> 4), hex(byte & 15)]);
            return;
        }
    };
    out.extend_from_slice(&[b'\\', short]);
}

/// How many leading bytes need no escape: neither a quote, nor a backslash, nor below 0x20. Eight bytes at a time, since
/// prompts and answers are long and mostly plain.
pub(super) fn plain_run(bytes: &[u8]) -> usize {
    let (words, _) = bytes.as_chunks::<8>();
    for (index, word) in words.iter().enumerate() {
        let marks = special_bytes(u64::from_le_bytes(*word));
        if marks != 0 {
            // Only the lowest mark is exact (a borrow may set false ones above it), and the lowest is the first byte.
            return index * 8 + marks.trailing_zeros() as usize / 8;
        }
    }
    let whole = words.len() * 8;
    let tail = bytes.get(whole..).unwrap_or_default();
    whole
        + tail
            .iter()
            .position(|&byte| byte < 0x20 || byte == b'"' || byte == b'\\')
            .unwrap_or(tail.len())
}

/// Sets the high bit of each byte that is below 0x20, a quote or a backslash.
fn special_bytes(word: u64) -> u64 {
    const ONES: u64 = u64::MAX / 255;
    const HIGH: u64 = ONES * 0x80;
    let below = |word: u64, bound: u64| word.wrapping_sub(ONES * bound) & !word & HIGH;
    let equal = |byte: u8| below(word ^ (ONES * u64::from(byte)), 1);
    below(word, 0x20) | equal(b'"') | equal(b'\\')
}
