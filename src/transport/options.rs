//! What a client is opened with.

use std::time::Duration;

use super::fields;
use super::proxy::Proxies;
use super::tls::Roots;
use crate::error::{Error, Result};
use crate::jni::frame::MAX_FRAME_BYTES;
use crate::json::Json;

/// Part of the largest frame that is kept for headers and the frame itself.
const FRAME_RESERVE_BYTES: usize = 1024 * 1024;

/// Largest answer that can cross to Java.
pub const MAX_RESPONSE_BYTES: usize = MAX_FRAME_BYTES - FRAME_RESERVE_BYTES;

/// No timer of the runtime has to think about more.
const MAX_TIMEOUT_MS: i64 = 365 * 24 * 60 * 60 * 1000;

const MAX_IN_FLIGHT: i64 = 1_000_000;

/// The settings of one client, checked.
#[derive(Debug)]
pub struct Options {
    pub connect_timeout: Duration,
    pub max_in_flight: usize,
    pub max_response_bytes: usize,
    pub allow_insecure_http: bool,
    pub user_agent: String,
    /// Zero: connections are not kept.
    pub idle_timeout: Duration,
    pub proxies: Proxies,
    pub roots: Roots,
}

impl Options {
    /// Reads the frame of `openClient`.
    ///
    /// # Errors
    /// `configuration`, naming the setting; `frame` for a shape that Java should not have written.
    pub fn read(frame: &Json<'_>) -> Result<Options> {
        Ok(Options {
            connect_timeout: milliseconds(frame, "connect_timeout_ms", "connectTimeout", 1)?,
            max_in_flight: count(frame, "max_in_flight", "maxInFlight", MAX_IN_FLIGHT)?,
            max_response_bytes: count(
                frame,
                "max_response_bytes",
                "maxResponseBytes",
                MAX_RESPONSE_BYTES as i64,
            )?,
            allow_insecure_http: fields::flag(frame, "allow_insecure_http")?,
            user_agent: user_agent(frame)?,
            idle_timeout: milliseconds(frame, "idle_timeout_ms", "idleTimeout", 0)?,
            proxies: Proxies::read(frame)?,
            roots: Roots::read(frame)?,
        })
    }
}

/// A duration, at least `least` milliseconds; more than a year counts as a year.
pub fn milliseconds(frame: &Json<'_>, key: &str, setting: &str, least: i64) -> Result<Duration> {
    let value = fields::integer(frame, key)?;
    match u64::try_from(value.min(MAX_TIMEOUT_MS)) {
        Ok(checked) if value >= least => Ok(Duration::from_millis(checked)),
        _ => Err(Error::configuration(format!(
            "`{setting}` is {value} ms; it has to be at least {least} ms"
        ))),
    }
}

fn count(frame: &Json<'_>, key: &str, setting: &str, most: i64) -> Result<usize> {
    let value = fields::integer(frame, key)?;
    match usize::try_from(value) {
        Ok(checked) if (1..=most).contains(&value) => Ok(checked),
        _ => Err(Error::configuration(format!(
            "`{setting}` is {value}; it has to be between 1 and {most}"
        ))),
    }
}

fn user_agent(frame: &Json<'_>) -> Result<String> {
    let text = fields::text(frame, "user_agent")?;
    if text.is_empty() || !text.bytes().all(|byte| (b' '..=b'~').contains(&byte)) {
        return Err(Error::configuration(
            "`userAgent` has to be printable ASCII and not empty",
        ));
    }
    Ok(text.to_owned())
}
