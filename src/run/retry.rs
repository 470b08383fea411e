//! The one retry decision: is this failure repeated, and after which wait?

use super::failure::Failure;
use super::spec::{Retry, RetryOn};
use crate::error::ErrorKind;

/// A provider's hint counts for at most a minute.
pub const MAX_HINT_MS: i64 = 60_000;

/// Milliseconds before retry number `retry` (from 1), or `None` when the attempt is not repeated.
///
/// The wait is `interval * 2^(retry-1)`, saturating, at most the longest wait that is set; the provider's `Retry-After` raises it when longer.
pub fn wait_before(settings: &Retry, retry: i64, failure: &Failure) -> Option<i64> {
    if retry > settings.max_retries || !is_repeated(settings.retry_on, failure) {
        return None;
    }
    let doublings = u32::try_from(retry - 1).unwrap_or(u32::MAX).min(62);
    let backoff = settings
        .interval_ms
        .saturating_mul(1_i64 << doublings)
        .min(settings.max_wait_ms);
    let hint = failure.count("retry_after_ms").unwrap_or(0).min(MAX_HINT_MS);
    Some(backoff.max(hint))
}

/// Whether a failure of this kind is repeated while there is budget. What fails before anything is sent fails each time.
fn is_repeated(retry_on: RetryOn, failure: &Failure) -> bool {
    match failure.kind {
        ErrorKind::Configuration
        | ErrorKind::InvalidArgument
        | ErrorKind::UnsupportedBlock
        | ErrorKind::Routing
        | ErrorKind::Cancelled
        | ErrorKind::Closed
        | ErrorKind::Journal
        | ErrorKind::Frame => false,
        _ if failure.is_run_deadline() => false,
        _ if retry_on == RetryOn::All => true,
        ErrorKind::Transport | ErrorKind::Timeout | ErrorKind::EmptyResponse => true,
        ErrorKind::ProviderError => failure.flag("retryable"),
        ErrorKind::Refusal
        | ErrorKind::Truncated
        | ErrorKind::ContentFilter
        | ErrorKind::InvalidOutput
        | ErrorKind::InvalidToolCall => false,
    }
}
