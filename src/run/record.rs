//! The records of a journal: what one finished call brought, so that a recovered run need not make it again.
//!
//! A record is a line of text: `FANJ`, the version, a space, the CRC-32 of the rest in eight hexadecimal digits, a space, and one
//! JSON object. A record that cannot be read is an error of kind `journal`, never a guess.

use crate::error::{Error, ErrorKind, Result};
use crate::json::{self, Json};

/// Version of the records that this library writes, and the only one that it reads.
pub const RECORD_VERSION: u32 = 1;

const MAGIC: &[u8] = b"FANJ";
const CHECKSUM_DIGITS: usize = 8;

/// One record as bytes.
pub fn write(record: &Json<'_>) -> Vec<u8> {
    let json = record.to_json();
    let checksum = crc32fast::hash(json.as_bytes());
    let mut bytes = format!("FANJ{RECORD_VERSION} {checksum:08x} ").into_bytes();
    bytes.extend_from_slice(json.as_bytes());
    bytes
}

/// The JSON object of a record.
pub fn read(bytes: &[u8]) -> Result<Json<'_>> {
    let rest = bytes
        .strip_prefix(MAGIC)
        .ok_or_else(|| unusable("it was not written by this library"))?;
    let end = rest.iter().position(|byte| *byte == b' ').ok_or_else(cut)?;
    let (version, rest) = rest.split_at(end);
    if version != RECORD_VERSION.to_string().as_bytes() {
        let version = match version.iter().all(u8::is_ascii_digit) && (1..=9).contains(&version.len()) {
            true => String::from_utf8_lossy(version).into_owned(),
            false => "unknown".to_owned(),
        };
        return Err(unusable(&format!(
            "its version is {version}, and this library reads version {RECORD_VERSION}: finish the job with the library that \
             wrote it"
        )));
    }
    let (checksum, json) = rest.get(1..).and_then(split_checksum).ok_or_else(cut)?;
    let stated = std::str::from_utf8(checksum)
        .ok()
        .and_then(|digits| u32::from_str_radix(digits, 16).ok());
    if stated != Some(crc32fast::hash(json)) {
        return Err(unusable("its checksum does not match: it was cut or changed"));
    }
    json::parse(json).map_err(|_| unusable("it holds no JSON"))
}

fn split_checksum(rest: &[u8]) -> Option<(&[u8], &[u8])> {
    let (checksum, rest) = rest.split_at_checked(CHECKSUM_DIGITS)?;
    Some((checksum, rest.strip_prefix(b" ")?))
}

fn cut() -> Error {
    unusable("it is cut")
}

/// Why a record cannot be used.
pub fn unusable(why: &str) -> Error {
    Error::new(
        ErrorKind::Journal,
        format!("A record of the journal cannot be used: {why}. Remove the run's records to make its calls again."),
    )
}
