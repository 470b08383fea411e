//! Frames: one MessagePack map, to and from [`Json`].
//!
//! Reading borrows texts and bytes from the frame. It is written on the marker table of `rmp` and not on `rmp-serde`, because
//! that one hands a text that is no UTF-8 over as bytes, turns NaN into null and knows no offset; here each is an error that
//! says where.
//!
//! | row | value |
//! |---|---|
//! | integers | MessagePack integers |
//! | other numbers | extension 1: the exact text of the JSON number |
//! | floats | refused: they are not exact |
//! | keys | texts, each once in a map |
//! | limits | [`MAX_FRAME_BYTES`], [`MAX_DEPTH`] |
//!
//! A frame that breaks a rule is a defect of this library, never of the user: [`ErrorKind::Frame`].

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use rmp::{Marker, encode};

use crate::error::{Error, ErrorKind, Result};
use crate::json::Json;
pub use crate::json::MAX_DEPTH;

/// Version of the frame table; both sides refuse another one in the handshake.
pub const FRAME_VERSION: i64 = 1;

/// MessagePack extension type of a number that is no 64-bit integer.
pub const NUMBER_EXTENSION: i8 = 1;

/// Largest frame, in bytes.
pub const MAX_FRAME_BYTES: usize = 256 * 1024 * 1024;

/// Longest part of a path that an error shows; keys come from users.
const MAX_SEGMENT_CHARS: usize = 64;

/// Up to so many members, comparing all keys with one another is faster than a tree, which costs allocations. Nearly every map
/// of a frame is this small; a map of the user's may have any size, and stays linear with the tree.
const FEW_MEMBERS: usize = 16;

/// Capacity that a container takes before its first member is read: a length in a frame is only a claim.
const MAX_TRUSTED_CAPACITY: usize = 1024;

/// Reads a frame. Texts, bytes and number texts borrow from it.
///
/// # Errors
/// [`ErrorKind::Frame`] with the byte offset and the JSON Pointer of the place.
pub fn read(frame: &[u8]) -> Result<Json<'_>> {
    if frame.len() > MAX_FRAME_BYTES {
        return Err(too_large(frame.len()));
    }
    let mut reader = Reader { frame, offset: 0 };
    let value = reader.value(1).and_then(|value| reader.end(value));
    value.map_err(Fault::into_error)
}

/// Writes a frame. Of a key that stands twice in an object only the last value is written.
///
/// # Errors
/// [`ErrorKind::Frame`] for what no frame can carry: no map at the root, too deep, too large, a number text that is no number.
pub fn write(value: &Json<'_>) -> Result<Vec<u8>> {
    let mut out = Vec::new();
    write_into(value, &mut out)?;
    Ok(out)
}

/// Like [`write()`], behind what `out` holds already.
pub fn write_into(value: &Json<'_>, out: &mut Vec<u8>) -> Result<()> {
    let Json::Object(_) = value else {
        return Err(frame_error(format!("a frame is a map, not {}", value.kind())));
    };
    // One allocation instead of one for each doubling, each with a copy of what is written already.
    out.reserve(room(value).min(MAX_FRAME_BYTES));
    write_value(value, 1, out).map_err(Fault::into_error)
}

/// At least the bytes that the value takes: its texts and bytes, and the longest head for each value. Deeper than a frame may
/// be nothing counts, because nothing of that is written.
fn room(value: &Json<'_>) -> usize {
    fn below(value: &Json<'_>, levels: usize) -> usize {
        const LONGEST_HEAD: usize = 9;
        let content = match value {
            _ if levels == 0 => 0,
            Json::Text(text) | Json::Number(text) => text.len(),
            Json::Bytes(bytes) => bytes.len(),
            Json::Array(items) => items.iter().map(|item| below(item, levels - 1)).sum(),
            Json::Object(members) => members
                .iter()
                .map(|(key, value)| LONGEST_HEAD + key.len() + below(value, levels - 1))
                .sum(),
            _ => 0,
        };
        LONGEST_HEAD + content
    }
    below(value, MAX_DEPTH + 1)
}

/// `{kind, message, details}`, the shape in which a failure crosses.
pub fn error_map(error: Error) -> Json<'static> {
    Json::object([
        ("kind", Json::from(error.kind.name())),
        ("message", Json::from(error.message)),
        ("details", Json::object(error.details)),
    ])
}

fn frame_error(message: String) -> Error {
    Error::new(ErrorKind::Frame, format!("invalid frame: {message}"))
}

fn too_large(bytes: usize) -> Error {
    frame_error(format!("{bytes} bytes are more than the limit of {MAX_FRAME_BYTES}"))
}

/// What is wrong and where; the path grows from the leaf to the root while the error travels up. Boxed, so that results
/// stay small on the stack.
struct Fault(Box<Details>);

struct Details {
    message: String,
    offset: Option<usize>,
    path: Vec<String>,
}

type Checked<T> = std::result::Result<T, Fault>;

impl Fault {
    fn new(message: impl Into<String>) -> Self {
        Fault(Box::new(Details {
            message: message.into(),
            offset: None,
            path: Vec::new(),
        }))
    }

    fn at(mut self, offset: usize) -> Self {
        self.0.offset = Some(offset);
        self
    }

    fn below(mut self, segment: impl ToString) -> Self {
        let segment: String = segment.to_string().chars().take(MAX_SEGMENT_CHARS).collect();
        self.0.path.push(segment.replace('~', "~0").replace('/', "~1"));
        self
    }

    fn into_error(self) -> Error {
        let Details { message, offset, path } = *self.0;
        let pointer: String = path.iter().rev().map(|segment| format!("/{segment}")).collect();
        let offset = offset.map(|at| format!(" at byte {at}")).unwrap_or_default();
        frame_error(format!("{message}{offset} (pointer \"{pointer}\")")).with("pointer", pointer)
    }
}

struct Reader<'a> {
    frame: &'a [u8],
    offset: usize,
}

impl<'a> Reader<'a> {
    fn fault(&self, message: impl Into<String>) -> Fault {
        Fault::new(message).at(self.offset)
    }

    fn end(&self, value: Json<'a>) -> Checked<Json<'a>> {
        match value {
            Json::Object(_) if self.left() == 0 => Ok(value),
            Json::Object(_) => Err(self.fault(format!("{} bytes follow the map", self.left()))),
            other => Err(Fault::new(format!("a frame is a map, not {}", other.kind()))),
        }
    }

    fn left(&self) -> usize {
        self.frame.len().saturating_sub(self.offset)
    }

    #[inline]
    fn take(&mut self, length: usize) -> Checked<&'a [u8]> {
        let rest = self.frame.get(self.offset..).unwrap_or_default();
        match rest.get(..length) {
            Some(bytes) => {
                self.offset += length;
                Ok(bytes)
            }
            None => Err(self.cut_short(length)),
        }
    }

    /// Out of line, so that what reads each byte stays small.
    #[cold]
    fn cut_short(&self, length: usize) -> Fault {
        self.fault(format!("{length} bytes expected, {} left", self.left()))
    }

    #[inline]
    fn fixed<const N: usize>(&mut self) -> Checked<[u8; N]> {
        let rest = self.frame.get(self.offset..).unwrap_or_default();
        match rest.first_chunk() {
            Some(bytes) => {
                self.offset += N;
                Ok(*bytes)
            }
            None => Err(self.cut_short(N)),
        }
    }

    fn marker(&mut self) -> Checked<Marker> {
        let [byte] = self.fixed()?;
        Ok(Marker::from_u8(byte))
    }

    /// Reads a value whose own level is `depth`; only containers count. The recursion goes through here, `array` and `map`, which
    /// keep little on the stack: a Java thread may have no more than 200 KiB of it.
    fn value(&mut self, depth: usize) -> Checked<Json<'a>> {
        let marker = self.marker()?;
        match marker {
            Marker::FixArray(_) | Marker::Array16 | Marker::Array32 => self.array(marker, depth),
            Marker::FixMap(_) | Marker::Map16 | Marker::Map32 => self.map(marker, depth),
            _ => self.scalar(marker),
        }
    }

    #[inline(never)]
    fn scalar(&mut self, marker: Marker) -> Checked<Json<'a>> {
        Ok(match marker {
            Marker::Null => Json::Null,
            Marker::False => Json::Bool(false),
            Marker::True => Json::Bool(true),
            Marker::FixPos(value) => Json::Int(value.into()),
            Marker::FixNeg(value) => Json::Int(value.into()),
            Marker::U8 => Json::Int(u8::from_be_bytes(self.fixed()?).into()),
            Marker::U16 => Json::Int(u16::from_be_bytes(self.fixed()?).into()),
            Marker::U32 => Json::Int(u32::from_be_bytes(self.fixed()?).into()),
            Marker::U64 => Json::from(u64::from_be_bytes(self.fixed()?)),
            Marker::I8 => Json::Int(i8::from_be_bytes(self.fixed()?).into()),
            Marker::I16 => Json::Int(i16::from_be_bytes(self.fixed()?).into()),
            Marker::I32 => Json::Int(i32::from_be_bytes(self.fixed()?).into()),
            Marker::I64 => Json::Int(i64::from_be_bytes(self.fixed()?)),
            Marker::FixStr(_) | Marker::Str8 | Marker::Str16 | Marker::Str32 => {
                Json::Text(Cow::Borrowed(self.text(marker)?))
            }
            Marker::Bin8 | Marker::Bin16 | Marker::Bin32 => {
                let length = self.length(marker)?;
                Json::Bytes(Cow::Borrowed(self.take(length)?))
            }
            Marker::F32 | Marker::F64 => {
                return Err(self.fault("a float, which is not exact; decimals cross as extension 1"));
            }
            Marker::Reserved => return Err(self.fault("the byte 0xc1, which MessagePack never uses")),
            _ => self.extension(marker)?,
        })
    }

    /// The length that a marker carries or that follows it.
    fn length(&mut self, marker: Marker) -> Checked<usize> {
        Ok(match marker {
            Marker::FixStr(length) | Marker::FixArray(length) | Marker::FixMap(length) => length.into(),
            Marker::FixExt1 => 1,
            Marker::FixExt2 => 2,
            Marker::FixExt4 => 4,
            Marker::FixExt8 => 8,
            Marker::FixExt16 => 16,
            Marker::Str8 | Marker::Bin8 | Marker::Ext8 => u8::from_be_bytes(self.fixed()?).into(),
            Marker::Str16 | Marker::Bin16 | Marker::Ext16 | Marker::Array16 | Marker::Map16 => {
                u16::from_be_bytes(self.fixed()?).into()
            }
            _ => {
                let length = u32::from_be_bytes(self.fixed()?);
                usize::try_from(length).map_err(|_| self.fault(format!("length {length} is too large")))?
            }
        })
    }

    fn text(&mut self, marker: Marker) -> Checked<&'a str> {
        let length = self.length(marker)?;
        let bytes = self.take(length)?;
        std::str::from_utf8(bytes).map_err(|error| {
            let start = self.offset - bytes.len();
            Fault::new("a text that is no UTF-8").at(start + error.valid_up_to())
        })
    }

    fn key(&mut self) -> Checked<&'a str> {
        match self.marker()? {
            marker @ (Marker::FixStr(_) | Marker::Str8 | Marker::Str16 | Marker::Str32) => self.text(marker),
            _ => Err(self.fault("a key that is no text")),
        }
    }

    fn extension(&mut self, marker: Marker) -> Checked<Json<'a>> {
        let length = self.length(marker)?;
        let kind = i8::from_be_bytes(self.fixed()?);
        if kind != NUMBER_EXTENSION {
            return Err(self.fault(format!("extension {kind}, which is not in the frame table")));
        }
        let bytes = self.take(length)?;
        number(bytes).ok_or_else(|| self.fault("extension 1 without a JSON number in it"))
    }

    fn array(&mut self, marker: Marker, depth: usize) -> Checked<Json<'a>> {
        let length = self.length(marker)?;
        self.check_container(length, depth)?;
        let mut items = Vec::with_capacity(length.min(MAX_TRUSTED_CAPACITY));
        for index in 0..length {
            items.push(self.value(depth + 1).map_err(|fault| fault.below(index))?);
        }
        Ok(Json::Array(items))
    }

    fn map(&mut self, marker: Marker, depth: usize) -> Checked<Json<'a>> {
        let length = self.length(marker)?;
        self.check_container(length.saturating_mul(2), depth)?;
        let mut members = Vec::with_capacity(length.min(MAX_TRUSTED_CAPACITY));
        let mut tree = (length > FEW_MEMBERS).then(BTreeSet::new);
        for _ in 0..length {
            let key = self.key()?;
            let is_new = match &mut tree {
                Some(keys) => keys.insert(key),
                None => !holds_key(&members, key),
            };
            if !is_new {
                return Err(self.fault("a key that stands twice in its map").below(key));
            }
            let value = self.value(depth + 1).map_err(|fault| fault.below(key))?;
            members.push((Cow::Borrowed(key), value));
        }
        Ok(Json::Object(members))
    }

    /// Each value takes at least one byte, so that a false length fails before anything is allocated.
    fn check_container(&self, least_bytes: usize, depth: usize) -> Checked<()> {
        if depth > MAX_DEPTH {
            return Err(self.fault(format!("deeper than {MAX_DEPTH} levels")));
        }
        if least_bytes > self.left() {
            return Err(self.fault(format!("at least {least_bytes} bytes expected, {} left", self.left())));
        }
        Ok(())
    }
}

fn holds_key(members: &[(Cow<'_, str>, Json<'_>)], key: &str) -> bool {
    members.iter().any(|(known, _)| known == key)
}

/// The text of a JSON number as a value: `Int` or `UInt` when it is a plain 64-bit integer, its exact text otherwise.
fn number(bytes: &[u8]) -> Option<Json<'_>> {
    let text = std::str::from_utf8(bytes).ok().filter(|text| is_json_number(text))?;
    // `-0` is no plain integer: its sign would be lost.
    let integer = if text == "-0" {
        None
    } else {
        text.parse()
            .map(Json::Int)
            .or_else(|_| text.parse().map(Json::UInt))
            .ok()
    };
    Some(integer.unwrap_or(Json::Number(Cow::Borrowed(text))))
}

/// `-? (0 | [1-9][0-9]*) (. [0-9]+)? ([eE] [+-]? [0-9]+)?`
fn is_json_number(text: &str) -> bool {
    let rest = text.strip_prefix('-').unwrap_or(text);
    let (digits, rest) = split_digits(rest);
    if digits.is_empty() || (digits.len() > 1 && digits.starts_with('0')) {
        return false;
    }
    let rest = match rest.strip_prefix('.') {
        Some(fraction) => match split_digits(fraction) {
            ("", _) => return false,
            (_, rest) => rest,
        },
        None => rest,
    };
    match rest.strip_prefix(['e', 'E']) {
        Some(exponent) => {
            let (digits, rest) = split_digits(exponent.strip_prefix(['+', '-']).unwrap_or(exponent));
            !digits.is_empty() && rest.is_empty()
        }
        None => rest.is_empty(),
    }
}

fn split_digits(text: &str) -> (&str, &str) {
    let end = text
        .bytes()
        .position(|byte| !byte.is_ascii_digit())
        .unwrap_or(text.len());
    text.split_at(end)
}

fn write_value(value: &Json<'_>, depth: usize, out: &mut Vec<u8>) -> Checked<()> {
    match value {
        Json::Null => encode::write_nil(out).map_err(refused),
        Json::Bool(value) => encode::write_bool(out, *value).map_err(refused),
        Json::Int(value) => encode::write_sint(out, *value).map(drop).map_err(refused),
        Json::UInt(value) => encode::write_uint(out, *value).map(drop).map_err(refused),
        Json::Number(text) => write_number(text, out),
        Json::Text(text) => write_text(text, out),
        Json::Bytes(bytes) => write_bytes(bytes, out),
        Json::Array(items) => write_array(items, depth, out),
        Json::Object(members) => write_map(members, depth, out),
    }?;
    check_size(out, 0)
}

/// A write into memory does not fail; if it ever does, it is an error and no panic.
fn refused(error: impl std::fmt::Display) -> Fault {
    Fault::new(format!("cannot be written: {error}"))
}

/// Checked before a large piece is copied, and after each value.
fn check_size(out: &[u8], more: usize) -> Checked<()> {
    let size = out.len().saturating_add(more);
    if size > MAX_FRAME_BYTES {
        return Err(Fault::new(format!(
            "larger than the limit of {MAX_FRAME_BYTES} bytes for a frame"
        )));
    }
    Ok(())
}

fn length(length: usize) -> Checked<u32> {
    u32::try_from(length).map_err(refused)
}

fn write_number(text: &str, out: &mut Vec<u8>) -> Checked<()> {
    match number(text.as_bytes()) {
        Some(Json::Number(text)) => {
            encode::write_ext_meta(out, length(text.len())?, NUMBER_EXTENSION).map_err(refused)?;
            out.extend_from_slice(text.as_bytes());
            Ok(())
        }
        Some(integer) => write_value(&integer, 0, out),
        None => Err(Fault::new("a number whose text is no JSON number")),
    }
}

fn write_text(text: &str, out: &mut Vec<u8>) -> Checked<()> {
    check_size(out, text.len())?;
    encode::write_str(out, text).map_err(refused)
}

fn write_bytes(bytes: &[u8], out: &mut Vec<u8>) -> Checked<()> {
    check_size(out, bytes.len())?;
    encode::write_bin(out, bytes).map_err(refused)
}

fn write_array(items: &[Json<'_>], depth: usize, out: &mut Vec<u8>) -> Checked<()> {
    check_depth(depth)?;
    encode::write_array_len(out, length(items.len())?).map_err(refused)?;
    for (index, item) in items.iter().enumerate() {
        write_value(item, depth + 1, out).map_err(|fault| fault.below(index))?;
    }
    Ok(())
}

fn write_map(members: &[(Cow<'_, str>, Json<'_>)], depth: usize, out: &mut Vec<u8>) -> Checked<()> {
    check_depth(depth)?;
    if has_few_distinct_keys(members) {
        encode::write_map_len(out, length(members.len())?).map_err(refused)?;
        return members
            .iter()
            .try_for_each(|(key, value)| write_member(key, value, depth, out));
    }
    // A key's last value, at the place where the key first stood: how JSON readers treat a key that stands twice.
    let mut last: BTreeMap<&str, &Json<'_>> = BTreeMap::new();
    for (key, value) in members {
        last.insert(key, value);
    }
    encode::write_map_len(out, length(last.len())?).map_err(refused)?;
    for (key, _) in members {
        if let Some(value) = last.remove(key.as_ref()) {
            write_member(key, value, depth, out)?;
        }
    }
    Ok(())
}

fn write_member(key: &str, value: &Json<'_>, depth: usize, out: &mut Vec<u8>) -> Checked<()> {
    write_text(key, out)?;
    write_value(value, depth + 1, out).map_err(|fault| fault.below(key))
}

fn has_few_distinct_keys(members: &[(Cow<'_, str>, Json<'_>)]) -> bool {
    let behind = |index: usize| members.get(index + 1..).unwrap_or_default();
    let mut keys = members.iter().enumerate();
    members.len() <= FEW_MEMBERS && !keys.any(|(index, (key, _))| holds_key(behind(index), key))
}

fn check_depth(depth: usize) -> Checked<()> {
    if depth > MAX_DEPTH {
        return Err(Fault::new(format!("deeper than {MAX_DEPTH} levels")));
    }
    Ok(())
}
