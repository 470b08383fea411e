//! AWS Signature Version 4
//! (<https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html>, read 2026-11).

use std::time::SystemTime;

use aws_credential_types::Credentials;
use aws_sigv4::http_request::{PayloadChecksumKind, SignableBody, SignableRequest, SigningSettings, sign};
use aws_sigv4::sign::v4;
use reqwest::Url;
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};

use super::fields;
use super::secret::Secret;
use crate::error::{Error, Result};
use crate::json::Json;

/// Who signs, and for what. A request is signed when it is sent: a signature counts for five minutes.
#[derive(Debug)]
pub struct Signing {
    region: String,
    service: String,
    access_key_id: Secret,
    secret_access_key: Secret,
    /// Of temporary keys.
    session_token: Option<Secret>,
}

impl Signing {
    /// Reads `{region, service, access_key_id, secret_access_key, session_token?}`; absent gives none.
    pub fn read(frame: &Json<'_>) -> Result<Option<Signing>> {
        let Some(signing) = frame.get("aws_sigv4") else {
            return Ok(None);
        };
        Ok(Some(Signing {
            region: fields::text(signing, "region")?.to_owned(),
            service: fields::text(signing, "service")?.to_owned(),
            access_key_id: Secret::new(fields::text(signing, "access_key_id")?),
            secret_access_key: Secret::new(fields::text(signing, "secret_access_key")?),
            session_token: match signing.get("session_token") {
                None => None,
                Some(_) => Some(Secret::new(fields::text(signing, "session_token")?)),
            },
        }))
    }

    /// The headers that make the request a signed one. The host and the content type are signed with it; other headers are
    /// not, because gateways change them.
    ///
    /// # Errors
    /// `configuration` when the request cannot be signed.
    pub fn headers(
        &self,
        method: &str,
        url: &Url,
        headers: &HeaderMap,
        body: &[u8],
        now: SystemTime,
    ) -> Result<Vec<(HeaderName, HeaderValue)>> {
        let host = host(url);
        let mut signed = vec![("host", host.as_str())];
        if let Some(content_type) = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()) {
            signed.push(("content-type", content_type));
        }
        let identity = Credentials::new(
            text(&self.access_key_id),
            text(&self.secret_access_key),
            self.session_token.as_ref().map(text),
            None,
            "flink-agents-native",
        )
        .into();
        let mut settings = SigningSettings::default();
        settings.payload_checksum_kind = PayloadChecksumKind::XAmzSha256;
        let parameters = v4::SigningParams::builder()
            .identity(&identity)
            .region(&self.region)
            .name(&self.service)
            .time(now)
            .settings(settings)
            .build()
            .map_err(|error| unsigned(&error))?;
        let request = SignableRequest::new(method, url.as_str(), signed.into_iter(), SignableBody::Bytes(body))
            .map_err(|error| unsigned(&error))?;
        let (instructions, _) = sign(request, &parameters.into())
            .map_err(|error| unsigned(&error))?
            .into_parts();
        instructions
            .headers()
            .map(|(name, value)| header(name, value))
            .collect()
    }
}

/// As the HTTP client will send it: without the scheme's own port.
fn host(url: &Url) -> String {
    let name = url.host_str().unwrap_or_default();
    url.port()
        .map_or_else(|| name.to_owned(), |port| format!("{name}:{port}"))
}

fn text(secret: &Secret) -> String {
    String::from_utf8_lossy(secret.reveal()).into_owned()
}

fn header(name: &str, value: &str) -> Result<(HeaderName, HeaderValue)> {
    let name = HeaderName::from_bytes(name.as_bytes()).map_err(|error| unsigned(&error))?;
    let mut value = HeaderValue::from_str(value).map_err(|error| unsigned(&error))?;
    value.set_sensitive(true);
    Ok((name, value))
}

/// The signer's texts name parts of a request, never their values.
fn unsigned(error: &dyn std::error::Error) -> Error {
    Error::configuration(format!(
        "the request cannot be signed ({error}); check the region and the AWS keys that are set"
    ))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::json;

    const VECTORS: &str = include_str!("../../tests/vectors/signatures/aws_sigv4.json");

    fn text<'v>(json: &'v Json<'_>, key: &str) -> &'v str {
        json.get(key).and_then(Json::as_text).expect(key)
    }

    fn signing(vector: &Json<'_>) -> Signing {
        let mut members: Vec<_> = vector.get("keys").and_then(Json::as_object).expect("keys").to_vec();
        members.push(("region".into(), Json::from(text(vector, "region"))));
        members.push(("service".into(), Json::from("bedrock")));
        let frame = Json::object([("aws_sigv4", Json::Object(members))]);
        Signing::read(&frame).expect("valid").expect("there")
    }

    fn made(vector: &Json<'_>, url: &str) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers.insert("x-own", HeaderValue::from_static("not signed"));
        let url = Url::parse(url).expect("valid");
        let seconds = vector.get("now_seconds").and_then(Json::as_i64).expect("seconds");
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(u64::try_from(seconds).expect("positive"));
        let body = text(vector, "body").as_bytes();
        let made = signing(vector).headers("POST", &url, &headers, body, now);
        made.expect("signed").into_iter().collect()
    }

    /// The Java tests have the AWS SDK's signer sign the same.
    #[test]
    fn signs_as_the_aws_sdk_does() {
        let vectors = json::parse(VECTORS.as_bytes()).expect("JSON");
        for vector in vectors.as_array().expect("a list") {
            let name = text(vector, "name");
            let found = made(vector, text(vector, "url"));
            let expected = vector.get("expect").and_then(Json::as_object).expect("expect");
            assert_eq!(found.len(), expected.len(), "{name}");
            for (header, value) in expected {
                let value = value.as_text().expect("a text");
                assert_eq!(found.get(header.as_ref()).expect(header), value, "{name}: {header}");
            }
        }
    }

    #[test]
    fn the_schemes_own_port_is_not_signed() {
        let vectors = json::parse(VECTORS.as_bytes()).expect("JSON");
        let vector = vectors.as_array().and_then(|all| all.first()).expect("one");
        let plain = made(vector, "https://h.example/model/a%3A0/converse");
        let same = made(vector, "https://h.example:443/model/a%3A0/converse");
        let other = made(vector, "https://h.example:8443/model/a%3A0/converse");
        assert_eq!(plain["authorization"], same["authorization"]);
        assert_ne!(plain["authorization"], other["authorization"]);
    }

    #[test]
    fn no_way_of_printing_shows_the_keys() {
        let vectors = json::parse(VECTORS.as_bytes()).expect("JSON");
        for vector in vectors.as_array().expect("a list") {
            let shown = format!("{:?}", signing(vector));
            for (name, key) in vector.get("keys").and_then(Json::as_object).expect("keys") {
                assert!(!shown.contains(key.as_text().expect("a text")), "{name}");
            }
        }
    }
}
