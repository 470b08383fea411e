//! Google's form of an error (`google.rpc.Status`, <https://cloud.google.com/apis/design/errors>, read 2026-11): a word beside the
//! message, and details that tell the reason, a used-up quota, and how long to wait.

use crate::json::Json;

/// What the error says beside its message.
#[derive(Debug)]
pub struct RpcStatus<'j> {
    /// For example `RESOURCE_EXHAUSTED`.
    pub name: &'j str,
    /// For example `API_KEY_INVALID`.
    pub reason: Option<&'j str>,
    /// A quota of a day or longer is used up: no repeat within a call's time helps.
    pub used_up: bool,
    /// How long to wait, in milliseconds.
    pub retry_after_ms: Option<i64>,
}

/// Reads `{code, message, status, details}`; `None` for other forms, which have no word in capitals under `status`.
pub fn read<'j>(error: &'j Json<'_>) -> Option<RpcStatus<'j>> {
    let is_word = |text: &&str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_');
    let name = error.get("status").and_then(Json::as_text).filter(is_word)?;
    let details = error.get("details").and_then(Json::as_array).unwrap_or_default();
    let of_type = |kind: &'static str| {
        let is_kind = move |detail: &&Json<'_>| {
            let name = detail.get("@type").and_then(Json::as_text);
            name.is_some_and(|name| name.rsplit(['.', '/']).next() == Some(kind))
        };
        details.iter().filter(is_kind)
    };
    let quotas = of_type("QuotaFailure").flat_map(|failure| failure.get("violations").and_then(Json::as_array));
    let mut quota_ids = quotas
        .flatten()
        .filter_map(|quota| quota.get("quotaId").and_then(Json::as_text));
    Some(RpcStatus {
        name,
        reason: of_type("ErrorInfo").find_map(|info| info.get("reason").and_then(Json::as_text)),
        used_up: quota_ids.any(|id| id.contains("PerDay") || id.contains("PerMonth")),
        retry_after_ms: of_type("RetryInfo")
            .find_map(|info| info.get("retryDelay").and_then(Json::as_text))
            .and_then(milliseconds),
    })
}

/// `7s`, `0.5s`; anything else is no hint.
fn milliseconds(duration: &str) -> Option<i64> {
    let seconds: f64 = duration.strip_suffix('s')?.parse().ok()?;
    let plain = seconds.is_finite() && seconds >= 0.0;
    plain.then(|| (seconds * 1000.0).round().min(1e15) as i64)
}

#[cfg(test)]
mod tests {
    use super::milliseconds;

    #[test]
    fn durations() {
        let table = [
            ("7s", Some(7_000)),
            ("0.5s", Some(500)),
            ("0s", Some(0)),
            ("-1s", None),
            ("infs", None),
            ("7", None),
            ("s", None),
            ("", None),
        ];
        for (text, expected) in table {
            assert_eq!(milliseconds(text), expected, "{text}");
        }
    }
}
