//! One HTTP request as Java hands it over, checked before anything is sent.

use std::net::IpAddr;
use std::time::{Duration, SystemTime};

use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use reqwest::{Method, Url};

use super::secret::Secret;
use super::signing::Signing;
use super::{fields, options};
use crate::error::{Error, Result};
use crate::json::Json;

/// Headers that belong to the transport: a second one would cut the request in another place than the server does.
const RESERVED_HEADERS: [&str; 4] = ["content-length", "transfer-encoding", "connection", "upgrade"];

/// What a model without a key sends to vLLM. It stands in vLLM's own documentation.
const VLLM_DEFAULT_KEY: &[u8] = b"Bearer EMPTY";

/// A checked request.
#[derive(Debug)]
pub struct Request {
    pub method: Method,
    pub url: Url,
    headers: HeaderMap,
    secret_headers: Vec<(HeaderName, Secret)>,
    /// Of a request that carries a signature in place of a key.
    signing: Option<Signing>,
    body: Vec<u8>,
    /// For the whole call, waiting for its turn included.
    pub timeout: Duration,
}

impl Request {
    /// Reads the frame of `submitCall`.
    ///
    /// # Errors
    /// `configuration` for a URL or header that cannot be sent; the message names the header, never its value.
    pub fn read(frame: &Json<'_>) -> Result<Request> {
        let mut headers = HeaderMap::new();
        for (name, value) in fields::texts(frame, "headers")? {
            headers.insert(header_name(name)?, header_value(name, value.as_bytes())?);
        }
        let mut secret_headers = Vec::new();
        for (name, value) in fields::texts(frame, "secret_headers")? {
            check_secret(name, value)?;
            secret_headers.push((header_name(name)?, Secret::new(value)));
        }
        Ok(Request {
            method: method(fields::text(frame, "method")?)?,
            url: url(fields::text(frame, "url")?)?,
            headers,
            secret_headers,
            signing: Signing::read(frame)?,
            body: body(frame)?,
            timeout: options::milliseconds(frame, "timeout_ms", "timeout", 1)?,
        })
    }

    /// Refuses to send a secret in the clear to another host. vLLM's default key is none: a server inside a cluster that was
    /// started without a key is called as it is.
    pub fn check_secrecy(&self, allow_insecure_http: bool) -> Result<()> {
        let is_secret = |secret: &Secret| secret.reveal() != VLLM_DEFAULT_KEY;
        // A signature gives nothing away, but a session token travels with it.
        let has_secret = self.signing.is_some() || self.secret_headers.iter().any(|(_, secret)| is_secret(secret));
        let exposed = self.url.scheme() == "http" && has_secret;
        if exposed && !allow_insecure_http && !is_loopback(&self.url) {
            return Err(Error::configuration(format!(
                "the credentials would travel unencrypted to {}; use an https:// base URL, or set `allowInsecureHttp` if the \
                 network between is trusted",
                target(&self.url)
            )));
        }
        Ok(())
    }

    /// The request for the wire, signed for `now` if it is to be signed. From here on the secrets are marked as sensitive headers.
    pub fn into_wire(self, now: SystemTime) -> Result<reqwest::Request> {
        let signature = match &self.signing {
            Some(signing) => signing.headers(self.method.as_str(), &self.url, &self.headers, &self.body, now)?,
            None => Vec::new(),
        };
        let mut wire = reqwest::Request::new(self.method, self.url);
        *wire.headers_mut() = self.headers;
        wire.headers_mut().extend(signature);
        for (name, secret) in self.secret_headers {
            let mut value = header_value(name.as_str(), secret.reveal())?;
            value.set_sensitive(true);
            wire.headers_mut().insert(name, value);
        }
        *wire.body_mut() = Some(self.body.into());
        Ok(wire)
    }
}

/// `host:port`, for messages.
pub fn target(url: &Url) -> String {
    let port = url.port_or_known_default().unwrap_or_default();
    format!("{}:{port}", url.host_str().unwrap_or_default())
}

/// Whether the URL is of this very host.
pub fn is_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    match host.trim_matches(['[', ']']).parse::<IpAddr>() {
        Ok(address) => address.to_canonical().is_loopback(),
        Err(_) => host == "localhost",
    }
}

fn method(text: &str) -> Result<Method> {
    Method::from_bytes(text.as_bytes()).map_err(|_| Error::configuration("the HTTP method is not valid"))
}

fn url(text: &str) -> Result<Url> {
    const CHECK: &str = "check the base URL or endpoint (`api_base_url`, `azure_endpoint`)";
    let url = Url::parse(text)
        .map_err(|error| Error::configuration(format!("the URL of the request is not valid ({error}); {CHECK}")))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(Error::configuration(format!(
            "the URL of the request has the scheme `{}`, only http and https work; {CHECK}",
            url.scheme()
        )));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(Error::configuration(format!(
            "the URL of the request to {} has a user name or password in it; give credentials by the settings made for them",
            target(&url)
        )));
    }
    Ok(url)
}

fn body(frame: &Json<'_>) -> Result<Vec<u8>> {
    match frame.get("body") {
        None => Ok(Vec::new()),
        Some(body) => fields::bytes(body, "body").map(<[u8]>::to_vec),
    }
}

fn header_name(name: &str) -> Result<HeaderName> {
    let parsed = HeaderName::from_bytes(name.as_bytes())
        .map_err(|_| Error::configuration(format!("`{}` is not a valid header name", name.escape_debug())))?;
    if RESERVED_HEADERS.contains(&parsed.as_str()) {
        return Err(Error::configuration(format!(
            "the header `{parsed}` is set by the transport; remove it from the headers that are given"
        )));
    }
    Ok(parsed)
}

fn header_value(name: &str, value: &[u8]) -> Result<HeaderValue> {
    let printable = value.iter().all(|byte| matches!(byte, b'\t' | b' '..=b'~'));
    let parsed = HeaderValue::from_bytes(value).ok().filter(|_| printable);
    parsed.ok_or_else(|| {
        Error::configuration(format!(
            "the value of the header `{}` has a line break, another control character or a character outside ASCII",
            name.escape_debug()
        ))
    })
}

/// A key that was read with its line break, or that is blank, would else look like a wrong key to the server or break the header.
fn check_secret(name: &str, value: &str) -> Result<()> {
    header_value(name, value.as_bytes())?;
    if value.trim() != value || value.is_empty() {
        return Err(Error::configuration(format!(
            "the credential for the header `{}` is empty, or begins or ends with a blank; check the key or token that is set",
            name.escape_debug()
        )));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neither_the_request_nor_its_wire_form_shows_its_secrets() {
        let frame = Json::object([
            ("method", "POST".into()),
            ("url", "https://h.example/v1".into()),
            ("secret_headers", Json::object([("Api-Key", "sk-verysecret".into())])),
            ("timeout_ms", Json::Int(1)),
        ]);
        let request = Request::read(&frame).expect("valid");
        assert!(!format!("{request:?}").contains("verysecret"));
        let wire = request.into_wire(SystemTime::UNIX_EPOCH).expect("valid");
        assert_eq!(wire.headers()["api-key"], "sk-verysecret");
        assert!(!format!("{wire:?}").contains("verysecret"));
    }

    #[test]
    fn hosts_that_count_as_loopback() {
        let table = [
            ("http://localhost/", true),
            ("http://LOCALHOST:8080/", true),
            ("http://127.0.0.1/", true),
            ("http://127.9.9.9/", true),
            ("http://2130706433/", true),
            ("http://[::1]/", true),
            ("http://[::ffff:127.0.0.1]/", true),
            ("http://0.0.0.0/", false),
            ("http://localhost.example/", false),
            ("http://127.0.0.1.example/", false),
            ("http://[::]/", false),
            ("http://10.0.0.1/", false),
        ];
        for (url, expected) in table {
            assert_eq!(is_loopback(&Url::parse(url).expect("valid")), expected, "{url}");
        }
    }
}
