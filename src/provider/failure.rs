//! What a provider answers when it does not answer: HTTP errors in all the shapes that services and gateways have, errors
//! inside a 200, bodies that are no JSON. Shared by all providers.

use std::borrow::Cow;

use crate::error::{Error, ErrorKind, Result};
use crate::json::{self, Json};
use crate::message::error_offset;
use crate::provider::{http_date, rpc_status};

/// Longest text of a provider that goes into a message or a detail, in characters.
pub const MAX_FOREIGN_TEXT: usize = 512;

/// An HTTP answer, whole.
#[derive(Debug)]
pub struct HttpAnswer<'a> {
    /// The called URL, without secrets.
    pub url: &'a str,
    pub status: u16,
    /// Names in lower case.
    pub headers: &'a [(Cow<'a, str>, Json<'a>)],
    pub body: &'a [u8],
}

impl HttpAnswer<'_> {
    pub fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(key, _)| key.eq_ignore_ascii_case(name));
        found.and_then(|(_, value)| value.as_text()).map(str::trim)
    }

    fn request_id(&self) -> Option<&str> {
        [
            "x-request-id",
            "apim-request-id",
            "x-ms-request-id",
            "x-global-transaction-id",
            "x-amzn-requestid",
            "request-id",
        ]
        .into_iter()
        .find_map(|name| self.header(name))
        .filter(|id| !id.is_empty())
    }
}

/// How a provider wants its failures told.
#[derive(Debug)]
pub struct Telling {
    /// Begins every message about an HTTP error.
    pub lead: &'static str,
    /// Begins the message about an answer with nothing in it.
    pub empty: &'static str,
    /// What to check on 401, 403 and 404.
    pub unauthorized: &'static str,
    pub forbidden: &'static str,
    pub not_found: &'static str,
}

/// What a body says about a failure.
#[derive(Debug, Default)]
struct Fault {
    message: Option<String>,
    code: Option<String>,
    kind: Option<String>,
    param: Option<String>,
    /// The service says that a longer period's quota is used up.
    used_up: bool,
    /// Hint in the body, in milliseconds.
    retry_after_ms: Option<i64>,
    /// Where the header does not tell it.
    request_id: Option<String>,
}

/// The error of an answer whose status is not 2xx.
pub fn http_error(answer: &HttpAnswer<'_>, telling: &Telling) -> Error {
    let body = json::parse(answer.body).ok();
    let mut fault = body.as_ref().map(read_fault).unwrap_or_default();
    // AWS names the error in a header, `Name` or `Name:uri`.
    if let (None, Some(name)) = (&fault.code, answer.header("x-amzn-errortype")) {
        let name = name.split(':').next().unwrap_or_default();
        fault.code = Some(name.to_owned()).filter(|name| !name.is_empty());
    }
    let said = match &fault.message {
        Some(message) => foreign_text(message),
        None => describe_body(answer),
    };
    let mut text = format!("{} HTTP status {}", telling.lead, answer.status);
    if let Some(code) = &fault.code {
        text.push_str(&format!(", code {}", foreign_text(code)));
    }
    if let Some(id) = request_id(answer, &fault) {
        text.push_str(&format!(", request id {}", id_text(id)));
    }
    text.push_str(&format!(", from {}: {said}", answer.url));
    if let Some(hint) = hint(answer.status, &fault, telling) {
        if !text.ends_with(['.', '!', '?']) {
            text.push('.');
        }
        text.push(' ');
        text.push_str(hint);
    }
    let retryable = is_retryable(answer, answer.status, &fault);
    provider_error(text, answer, &fault, retryable)
}

/// The error that a 2xx body tells of instead of an answer.
pub fn error_in_success(body: &Json<'_>, answer: &HttpAnswer<'_>, telling: &Telling) -> Option<Error> {
    let first = body.as_array().and_then(<[_]>::first);
    let says_nothing = |error: &Json<'_>| match error {
        Json::Text(text) => text.trim().is_empty(),
        Json::Object(members) => members.is_empty(),
        other => *other == Json::Bool(false),
    };
    let has_error = first
        .unwrap_or(body)
        .get("error")
        .is_some_and(|error| !says_nothing(error))
        || body.get("object").and_then(Json::as_text) == Some("error");
    if !has_error {
        return None;
    }
    Some(body_error(body, answer, telling))
}

/// The error of a 2xx body that says it is one.
pub fn body_error(body: &Json<'_>, answer: &HttpAnswer<'_>, telling: &Telling) -> Error {
    let fault = read_fault(body);
    let said = fault
        .message
        .as_deref()
        .map_or_else(|| describe_body(answer), foreign_text);
    let code = fault
        .code
        .as_deref()
        .map(|code| format!(" (code {})", foreign_text(code)));
    let text = format!(
        "{} HTTP status {} and an error in the body{}: {said}",
        telling.lead,
        answer.status,
        code.unwrap_or_default()
    );
    let status = fault.code.as_deref().and_then(|code| code.parse().ok()).unwrap_or(0);
    let retryable = is_retryable(answer, status, &fault);
    provider_error(text, answer, &fault, retryable)
}

fn provider_error(text: String, answer: &HttpAnswer<'_>, fault: &Fault, retryable: bool) -> Error {
    let owned = |text: &Option<String>| text.as_deref().map(foreign_text);
    Error::new(ErrorKind::ProviderError, text)
        .with("status", i64::from(answer.status))
        .with("code", owned(&fault.code))
        .with("type", owned(&fault.kind))
        .with("param", owned(&fault.param))
        .with("request_id", request_id(answer, fault).map(id_text))
        .with("retryable", retryable)
        .with("retry_after_ms", retry_after_ms(answer).or(fault.retry_after_ms))
}

fn request_id<'f>(answer: &'f HttpAnswer<'_>, fault: &'f Fault) -> Option<&'f str> {
    answer.request_id().or(fault.request_id.as_deref())
}

/// Levels that a result frame puts around what a body holds.
const LEVELS_AROUND: usize = 16;

/// The JSON of a 2xx body, or why there is none.
pub fn read_body<'a>(answer: &HttpAnswer<'a>, telling: &Telling) -> Result<Json<'a>> {
    if answer.body.iter().all(u8::is_ascii_whitespace) {
        return Err(empty_response(answer, telling, "the body is empty"));
    }
    json::parse_inside(answer.body, LEVELS_AROUND).map_err(|error| {
        let content_type = answer.header("content-type").unwrap_or_default();
        let text = format!(
            "{} HTTP status {}, but the body cannot be read as JSON: {}; reading stopped at byte {}. Check the base URL ({}) \
             and whether a proxy answers in the service's place.",
            telling.lead,
            answer.status,
            describe_body(answer),
            error_offset(&error),
            answer.url
        );
        // JSON that breaks off was meant for us; a page of HTML comes again.
        let fault = Fault::default();
        provider_error(text, answer, &fault, content_type.contains("json")).with("body", foreign_bytes(answer.body))
    })
}

/// A 2xx body without what an answer has: an error that says so in a form of its own, as gateways do, or nothing at all.
pub fn no_answer(body: &Json<'_>, answer: &HttpAnswer<'_>, telling: &Telling, what: &str) -> Error {
    match read_fault(body).message {
        Some(_) => body_error(body, answer, telling),
        None => empty_response(answer, telling, what),
    }
}

/// The service answered, with nothing in it.
pub fn empty_response(answer: &HttpAnswer<'_>, telling: &Telling, what: &str) -> Error {
    let text = format!(
        "{} (HTTP status {}): {what}. Repeat the call; if this stays, check the base URL and the model.",
        telling.empty, answer.status
    );
    Error::new(ErrorKind::EmptyResponse, text)
        .with("status", i64::from(answer.status))
        .with("request_id", answer.request_id().map(id_text))
        .with("retryable", true)
        .with("retry_after_ms", retry_after_ms(answer))
        .with("body", foreign_bytes(answer.body))
}

/// The shapes: `{"error":{...}}`, `{"error":"text"}`, `{"object":"error",...}` (older vLLM), `{"statusCode":401,...}` (Azure's
/// gateway), `{"error":{"code":429,"status":"RESOURCE_EXHAUSTED","details":[...]}}`, alone or in a list (Google),
/// `{"errors":[{...}],"trace":...}` (watsonx.ai), `{"code":...,"message":...,"request_id":...}` (DashScope), `{"message":...}` and
/// `{"detail":...}` (others). Codes are texts or integers.
fn read_fault(body: &Json<'_>) -> Fault {
    // Some gateways put the one error into a list.
    let body = body.as_array().and_then(<[_]>::first).unwrap_or(body);
    let several = body.get("errors").and_then(Json::as_array).and_then(<[_]>::first);
    let source = match body.get("error") {
        Some(Json::Text(text)) => {
            return Fault {
                message: Some(text.to_string()),
                code: word(body, "code"),
                request_id: word(body, "request_id"),
                ..Fault::default()
            };
        }
        Some(error @ Json::Object(_)) => error,
        _ => several.unwrap_or(body),
    };
    if let Some(status) = rpc_status::read(source) {
        return Fault {
            message: word(source, "message"),
            code: Some(status.name.to_owned()),
            kind: status.reason.map(str::to_owned),
            param: None,
            used_up: status.used_up,
            retry_after_ms: status.retry_after_ms,
            request_id: None,
        };
    }
    Fault {
        request_id: word(body, "request_id").or_else(|| word(body, "trace")),
        message: ["message", "detail", "Message"]
            .into_iter()
            .find_map(|key| word(source, key)),
        code: ["code", "statusCode", "__type"]
            .into_iter()
            .find_map(|key| word(source, key)),
        kind: word(source, "type"),
        param: word(source, "param"),
        ..Fault::default()
    }
}

/// A text or integer as text; blank is absent.
fn word(json: &Json<'_>, key: &str) -> Option<String> {
    match json.get(key)? {
        Json::Text(text) if !text.trim().is_empty() => Some(text.to_string()),
        number @ (Json::Int(_) | Json::UInt(_)) => Some(number.to_json()),
        _ => None,
    }
}

/// OpenAI's and DashScope's words for it, or what the body says.
fn is_used_up(fault: &Fault) -> bool {
    fault.used_up || says(fault, "insufficient_quota") || says(fault, "Throttling.AllocationQuota")
}

/// Whether the same call may succeed later. A used-up quota never does, whatever the status says.
fn is_retryable(answer: &HttpAnswer<'_>, status: u16, fault: &Fault) -> bool {
    if is_used_up(fault) {
        return false;
    }
    // AWS: the model itself failed, with status 424.
    if says(fault, "ModelErrorException") {
        return true;
    }
    match answer.header("x-should-retry") {
        Some("true") => true,
        Some("false") => false,
        _ => matches!(status, 408 | 409 | 429 | 500..=599) || (status == 0 && is_transient(fault)),
    }
}

/// A body inside a 200 may name its fault with words only.
fn is_transient(fault: &Fault) -> bool {
    const WORDS: [&str; 18] = [
        "rate_limit_exceeded",
        "rate_limit_error",
        "server_error",
        "internal_server_error",
        "overloaded",
        "overloaded_error",
        "service_unavailable",
        "Throttling",
        "Throttling.RateQuota",
        "InternalError",
        "InternalError.Algo",
        "ModelServingError",
        "RESOURCE_EXHAUSTED",
        "UNAVAILABLE",
        "INTERNAL",
        "DEADLINE_EXCEEDED",
        "api_error",
        "timeout_error",
    ];
    WORDS.iter().any(|word| says(fault, word))
}

fn says(fault: &Fault, word: &str) -> bool {
    [&fault.code, &fault.kind]
        .into_iter()
        .flatten()
        .any(|said| said.eq_ignore_ascii_case(word))
}

fn hint(status: u16, fault: &Fault, telling: &Telling) -> Option<&'static str> {
    if is_used_up(fault) {
        return Some("The account's quota is used up: raise it or change the key, a repeat cannot help.");
    }
    if says(fault, "context_length_exceeded") || says(fault, "string_above_max_length") {
        return Some("The messages do not fit the model: shorten them, or take a model with a larger context.");
    }
    if ["content_filter", "data_inspection_failed", "DataInspectionFailed"]
        .iter()
        .any(|word| says(fault, word))
    {
        return Some("The provider's content filter refused the prompt: change the prompt or the filter.");
    }
    let said = |part: &str| fault.message.as_deref().is_some_and(|message| message.contains(part));
    if says(fault, "ValidationException") && said("on-demand throughput") {
        return Some("Call the model by its inference profile: the same id with a prefix such as us., eu. or global.");
    }
    let format = |param: &str| param.starts_with("response_format") || param.starts_with("text.format");
    if fault.param.as_deref().is_some_and(format) {
        return Some("The service refused the schema: change it, or use strategy PROMPT.");
    }
    if says(fault, "API_KEY_INVALID") {
        return Some(telling.unauthorized);
    }
    match status {
        300..=399 => Some("Redirects are not followed: set the base URL to the final address."),
        401 => Some(telling.unauthorized),
        403 => Some(telling.forbidden),
        404 => Some(telling.not_found),
        413 => Some("The request is too large: send fewer or smaller messages and media."),
        429 => Some("Too many requests: repeat later, or send fewer at a time."),
        500..=599 => Some("The fault is the service's: repeat later."),
        _ => None,
    }
}

/// `retry-after-ms`, else `retry-after` in seconds or as a date (counted from the answer's own `date`, since this code reads
/// no clock). Hints that are negative or cannot be read do not count.
pub fn retry_after_ms(answer: &HttpAnswer<'_>) -> Option<i64> {
    let millis = |text: &str, unit: f64| {
        let value = text.parse::<f64>().ok()? * unit;
        (value.is_finite() && value >= 0.0).then(|| value.round().min(1e15) as i64)
    };
    if let Some(value) = answer.header("retry-after-ms").and_then(|text| millis(text, 1.0)) {
        return Some(value);
    }
    let hint = answer.header("retry-after")?;
    millis(hint, 1000.0).or_else(|| {
        let seconds = http_date::seconds(hint)? - http_date::seconds(answer.header("date")?)?;
        (seconds >= 0).then_some(seconds * 1000)
    })
}

/// Type and length of a body, without its text.
fn describe_body(answer: &HttpAnswer<'_>) -> String {
    match answer.body.len() {
        0 => "the body is empty".into(),
        length => {
            let content_type = answer.header("content-type").unwrap_or("no content type");
            format!("{} of {length} bytes", foreign_text(content_type))
        }
    }
}

/// A provider's text, cut and without anything that looks like a secret.
pub fn foreign_text(text: &str) -> String {
    let visible: String = text
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .take(MAX_FOREIGN_TEXT * 4)
        .collect();
    clip(&redact(&without_addresses(&visible)), MAX_FOREIGN_TEXT).into_owned()
}

fn foreign_bytes(bytes: &[u8]) -> Option<String> {
    let start = bytes.get(..bytes.len().min(MAX_FOREIGN_TEXT * 4)).unwrap_or_default();
    let text = foreign_text(&String::from_utf8_lossy(start));
    Some(text).filter(|text| !text.trim().is_empty())
}

/// At most `max` characters; a longer text ends with `…`.
pub fn clip(text: &str, max: usize) -> Cow<'_, str> {
    match text.char_indices().nth(max) {
        None => Cow::Borrowed(text),
        Some(_) => Cow::Owned(text.chars().take(max.saturating_sub(1)).chain(['…']).collect()),
    }
}

/// A request id as the provider gave it, so that its support finds the call; an id as long as a key is no key.
fn id_text(id: &str) -> String {
    let plain = |c: char| c.is_ascii_graphic();
    match id.len() <= MAX_REQUEST_ID && id.chars().all(plain) && !id.to_ascii_lowercase().starts_with("sk-") {
        true => id.to_owned(),
        false => foreign_text(id),
    }
}

/// Longest request id that is shown as it is.
const MAX_REQUEST_ID: usize = 128;

/// Addresses may be signed, and `data:` ones hold the payload: of a provider's text only their scheme is shown.
fn without_addresses(text: &str) -> String {
    let words = text.split_inclusive(char::is_whitespace);
    words
        .map(|word| {
            let (start, rest) = match (word.find("://"), word.find("data:")) {
                (Some(at), _) => word.split_at(at + 3),
                (None, Some(at)) => word.split_at(at + 5),
                (None, None) => return Cow::Borrowed(word),
            };
            let space = rest.chars().next_back().filter(|c| c.is_whitespace());
            Cow::Owned(format!("{start}***{}", space.map(String::from).unwrap_or_default()))
        })
        .collect()
}

/// Hides what looks like a key: words that begin with `sk-` or `Bearer`'s next word, and long runs of letters and digits as keys
/// and tokens are.
fn redact(text: &str) -> String {
    let is_word = |c: char| c.is_ascii_alphanumeric() || "-_.+/=*".contains(c);
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    let mut after_bearer = false;
    while !rest.is_empty() {
        let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
        let (word, behind) = rest.split_at(end);
        let hide = (after_bearer && !word.is_empty()) || looks_secret(word);
        out.push_str(if hide { "***" } else { word });
        if !word.is_empty() {
            after_bearer = word.eq_ignore_ascii_case("bearer");
        }
        let gap = behind.find(is_word).unwrap_or(behind.len());
        let (gap, next) = behind.split_at(gap);
        out.push_str(gap);
        rest = next;
    }
    out
}

fn looks_secret(word: &str) -> bool {
    let has = |test: fn(&char) -> bool| word.chars().any(|c| test(&c));
    word.get(..3).is_some_and(|start| start.eq_ignore_ascii_case("sk-"))
        || (word.len() >= 32 && has(char::is_ascii_digit) && has(char::is_ascii_alphabetic) && !is_uuid(word))
}

/// `8-4-4-4-12` hexadecimal digits.
pub fn is_uuid(text: &str) -> bool {
    text.len() == 36
        && text.bytes().enumerate().all(|(index, byte)| match index {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}

#[cfg(test)]
mod tests {
    use super::{clip, foreign_text, id_text, is_uuid};

    #[test]
    fn what_looks_like_a_key_is_hidden() {
        let table = [
            ("key sk-proj-abc_123 is wrong", "key *** is wrong"),
            ("key: SK-abc.", "key: ***"),
            ("Authorization: Bearer abc def", "Authorization: Bearer *** def"),
            ("api-key 0123456789abcdef0123456789abcdef!", "api-key ***!"),
            ("task-force of a desk-top", "task-force of a desk-top"),
            (
                "trace 0b1c2d3e-4f50-6172-8394-a5b6c7d8e9f0",
                "trace 0b1c2d3e-4f50-6172-8394-a5b6c7d8e9f0",
            ),
            (
                "com.acme.very.long.package.name.of.a.Class",
                "com.acme.very.long.package.name.of.a.Class",
            ),
            ("a\nb", "a b"),
            ("größer – 寿司", "größer – 寿司"),
        ];
        for (text, expected) in table {
            assert_eq!(foreign_text(text), expected);
        }
    }

    #[test]
    fn a_request_id_is_shown_as_the_provider_gave_it() {
        let id = "req_0123456789abcdef0123456789abcdef";
        assert_eq!(id_text(id), id);
        assert_eq!(id_text("sk-0123456789"), "***");
        assert_eq!(id_text("Bearer abc"), "Bearer ***");
    }

    #[test]
    fn a_key_across_the_cut_is_hidden_as_well() {
        let text = format!("{}sk-{}", " ".repeat(500), "a".repeat(3000));
        assert!(!foreign_text(&text).contains("aaa"));
    }

    #[test]
    fn texts_are_cut_by_characters() {
        assert_eq!(clip("äöü", 3), "äöü");
        assert_eq!(clip("äöüß", 3), "äö…");
        assert_eq!(clip("", 0), "");
    }

    #[test]
    fn uuids() {
        assert!(is_uuid("0b1c2d3e-4f50-6172-8394-A5B6C7D8E9F0"));
        assert!(!is_uuid("0b1c2d3e-4f50-6172-8394-a5b6c7d8e9f"));
        assert!(!is_uuid("0b1c2d3e+4f50-6172-8394-a5b6c7d8e9f0"));
        assert!(!is_uuid("gb1c2d3e-4f50-6172-8394-a5b6c7d8e9f0"));
    }
}
