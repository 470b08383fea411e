//! The settings of a model: known names only, each checked before the first call.

use std::borrow::Cow;

use super::Headers;
use crate::error::{Error, Result};
use crate::json::Json;
use crate::message::fields::member;

/// Settings as they came, with typed access. Errors name the setting and have kind `configuration`.
#[derive(Debug, Clone, Copy)]
pub struct Settings<'a> {
    members: &'a [(Cow<'a, str>, Json<'a>)],
    provider: &'static str,
}

/// How a call proves who makes it; the secrets themselves never come here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Auth {
    /// The header that carries the key.
    Key {
        header: &'static str,
        /// Stands before the key, for example `Bearer `.
        prefix: &'static str,
    },
    /// AWS Signature Version 4: the transport signs when it sends.
    AwsSigV4 { region: String, service: &'static str },
}

/// `Authorization: Bearer ...`.
pub const BEARER: Auth = Auth::Key {
    header: "Authorization",
    prefix: "Bearer ",
};

/// `api-key: ...`, as Azure takes a resource's key.
pub const API_KEY: Auth = Auth::Key {
    header: "api-key",
    prefix: "",
};

impl Auth {
    /// `{header, prefix}`, and `aws_sigv4: {region, service}` where the prefix introduces a signature in place of a key.
    pub fn to_json(&self) -> Json<'static> {
        match self {
            Auth::Key { header, prefix } => Json::object([("header", (*header).into()), ("prefix", (*prefix).into())]),
            Auth::AwsSigV4 { region, service } => Json::object([
                ("header", "Authorization".into()),
                ("prefix", "AWS4-HMAC-SHA256 ".into()),
                (
                    "aws_sigv4",
                    Json::object([("region", region.clone().into()), ("service", (*service).into())]),
                ),
            ]),
        }
    }
}

/// Headers that carry secrets or belong to the transport.
const RESERVED_HEADERS: [&str; 15] = [
    "authorization",
    "api-key",
    "x-api-key",
    "x-goog-api-key",
    "proxy-authorization",
    "cookie",
    "content-type",
    "content-length",
    "host",
    "connection",
    "transfer-encoding",
    "accept-encoding",
    "upgrade",
    "te",
    "expect",
];

impl<'a> Settings<'a> {
    /// Refuses settings that the provider does not know; null counts as absent.
    pub fn read(json: &'a Json<'_>, provider: &'static str, known: &[&str]) -> Result<Self> {
        let members = json
            .as_object()
            .ok_or_else(|| Error::configuration(format!("settings must be an object, found {}", json.kind())))?;
        if let Some((name, _)) = members.iter().find(|(name, _)| !known.contains(&name.as_ref())) {
            return Err(Error::configuration(format!(
                "Unknown setting '{name}' for {provider}. Known settings: {}.",
                known.join(", ")
            ))
            .with("setting", name.to_string()));
        }
        Ok(Settings { members, provider })
    }

    /// An optional text; blank counts as absent.
    pub fn text(&self, name: &'static str) -> Result<Option<&'a str>> {
        match member(self.members, name) {
            None => Ok(None),
            Some(Json::Text(text)) => Ok(Some(text.trim()).filter(|text| !text.is_empty())),
            Some(other) => Err(self.wrong(name, &format!("must be a string, found {}", other.kind()))),
        }
    }

    /// A text that is sent as the value of a header.
    pub fn header_text(&self, name: &'static str) -> Result<Option<&'a str>> {
        match self.text(name)? {
            Some(text) if !is_header_value(text) => Err(self.wrong(name, "must be visible ASCII text")),
            text => Ok(text),
        }
    }

    /// A text that must be there.
    pub fn required_text(&self, name: &'static str) -> Result<&'a str> {
        self.text(name)?
            .ok_or_else(|| self.wrong(name, "is required and must not be blank"))
    }

    /// One of several words; the first is the default.
    pub fn choice(&self, name: &'static str, words: &[&'static str]) -> Result<&'static str> {
        let default = words.first().copied().unwrap_or_default();
        let Some(given) = self.text(name)? else {
            return Ok(default);
        };
        let found = words.iter().find(|word| word.eq_ignore_ascii_case(given));
        found
            .copied()
            .ok_or_else(|| self.wrong(name, &format!("must be one of {}", words.join(", "))))
    }

    /// A list of texts; empty when absent.
    pub fn texts(&self, name: &'static str) -> Result<Vec<&'a str>> {
        let wanted = "must be a list of strings";
        let items = match member(self.members, name) {
            None => return Ok(Vec::new()),
            Some(value) => value.as_array().ok_or_else(|| self.wrong(name, wanted))?,
        };
        items
            .iter()
            .map(|item| item.as_text().ok_or_else(|| self.wrong(name, wanted)))
            .collect()
    }

    /// An absolute http or https URL without query, fragment and user info, used as given apart from trailing slashes.
    pub fn base_url(&self, name: &'static str) -> Result<Option<&'a str>> {
        let Some(url) = self.text(name)? else {
            return Ok(None);
        };
        match base_url_fault(url) {
            Some(fault) => Err(self.wrong(name, fault)),
            None => Ok(Some(url.trim_end_matches('/'))),
        }
    }

    /// The user's own headers for every call.
    pub fn headers(&self) -> Result<Headers> {
        let name = "default_headers";
        let members = match member(self.members, name) {
            None => return Ok(Vec::new()),
            Some(value) => value
                .as_object()
                .ok_or_else(|| self.wrong(name, "must be a map of texts"))?,
        };
        members
            .iter()
            .map(|(header, value)| match (header_fault(header), value.as_text()) {
                (Some(fault), _) => Err(self.wrong(name, &format!("{fault}: '{}'", header.escape_debug()))),
                (None, Some(value)) if is_header_value(value) => {
                    Ok((header.to_string().into(), value.to_owned().into()))
                }
                (None, _) => Err(self.wrong(name, &format!("needs visible ASCII text as the value of '{header}'"))),
            })
            .collect()
    }

    /// A fault of one setting.
    pub fn wrong(&self, name: &'static str, fault: &str) -> Error {
        Error::configuration(format!("Setting {name} of {} {fault}", self.provider)).with("setting", name)
    }
}

fn base_url_fault(url: &str) -> Option<&'static str> {
    let (scheme, rest) = url.split_once("://").unwrap_or_default();
    let authority = rest.split('/').next().unwrap_or_default();
    if !scheme.eq_ignore_ascii_case("https") && !scheme.eq_ignore_ascii_case("http") {
        return Some("must be an absolute URL that starts with https:// or http://");
    }
    if rest.contains(['?', '#']) {
        return Some("must have no query and no fragment");
    }
    if authority.contains('@') {
        return Some("must have no user info: pass the key as the model's API key");
    }
    if authority.is_empty() || !url.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Some("must name a host, in visible ASCII characters");
    }
    None
}

fn header_fault(name: &str) -> Option<&'static str> {
    if RESERVED_HEADERS.contains(&name.to_ascii_lowercase().as_str()) {
        return Some("must not hold this header, it is set by the library (keys are passed as the model's API key)");
    }
    let is_token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    (name.is_empty() || !name.bytes().all(is_token)).then_some("holds a name that is no HTTP header name")
}

fn is_header_value(value: &str) -> bool {
    value.bytes().all(|byte| byte == b' ' || byte.is_ascii_graphic())
}

/// Percent-encodes everything but unreserved characters.
pub fn percent_encode(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => out.push(byte as char),
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}
