//! One call from its turn to its last byte.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use reqwest::header::HeaderMap;
use reqwest::{Response, redirect, retry};
use tokio::sync::Semaphore;
use tokio::time::{Instant, timeout_at};

use super::failure::{self, Place};
use super::options::Options;
use super::request::{Request, is_loopback, target};
use super::tls;
use crate::error::{Error, ErrorKind, Result};

/// Capacity that a body takes before its first byte: a length in a header is only a claim.
const MAX_TRUSTED_LENGTH: usize = 1024 * 1024;

/// An opened client: connections that are reused, limits, one trust configuration.
#[derive(Debug)]
pub struct Client {
    http: reqwest::Client,
    /// For this very host: what goes there must not go through somebody's proxy, least of all a key over plain http.
    direct: reqwest::Client,
    turns: Arc<Semaphore>,
    options: Options,
}

/// What the server answered, whatever its status. Redirects are answers too.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    /// Names in lower case; values of a name that stands twice are joined by `, `.
    pub headers: BTreeMap<String, String>,
    pub body: Vec<u8>,
}

impl Answer {
    /// Bytes of headers and body, roughly.
    pub fn size(&self) -> usize {
        let headers = self.headers.iter().map(|(name, value)| name.len() + value.len());
        headers.sum::<usize>() + self.body.len()
    }
}

impl Client {
    /// # Errors
    /// `configuration` when the certificates or proxies of the options cannot be used.
    pub fn open(options: Options) -> Result<Client> {
        let idle_connections = match options.idle_timeout.is_zero() {
            true => 0,
            false => options.max_in_flight,
        };
        let tls = tls::client_config(&options.roots)?;
        let builder = || {
            reqwest::Client::builder()
                .tls_backend_preconfigured(tls.clone())
                .http1_only()
                .redirect(redirect::Policy::none())
                .retry(retry::never())
                .referer(false)
                .user_agent(&options.user_agent)
                .connect_timeout(options.connect_timeout)
                .pool_idle_timeout(options.idle_timeout)
                .pool_max_idle_per_host(idle_connections)
        };
        let built = |builder: reqwest::ClientBuilder| {
            builder.build().map_err(|error| {
                Error::configuration(format!(
                    "the HTTP client cannot be built: {}",
                    failure::cause_text(&error)
                ))
            })
        };
        Ok(Client {
            http: built(options.proxies.apply(builder()))?,
            direct: built(builder().no_proxy())?,
            turns: Arc::new(Semaphore::new(options.max_in_flight)),
            options,
        })
    }

    /// Waits for a turn, sends, reads the answer. Dropping the future closes the connection.
    ///
    /// # Errors
    /// `timeout` (details `phase`: `waiting`, `connect` or `total`, and `timeout_ms`), `transport` (details `reason`), `configuration`.
    pub async fn perform(&self, request: Request, submitted: std::time::Instant) -> Result<Answer> {
        request.check_secrecy(self.options.allow_insecure_http)?;
        let timeout = request.timeout;
        let deadline = Instant::from_std(submitted) + timeout;
        let place = Place {
            target: target(&request.url),
            proxy: match is_loopback(&request.url) {
                true => None,
                false => self.options.proxies.address_for(&request.url),
            },
            connect_timeout: self.options.connect_timeout,
        };
        let turn = timeout_at(deadline, self.turns.acquire()).await;
        let Ok(Ok(_turn)) = turn else {
            return Err(self.no_turn(&place, timeout));
        };
        match timeout_at(deadline, self.exchange(request, &place)).await {
            Ok(result) => result,
            Err(_) => Err(failure::timeout(
                "total",
                timeout,
                format!(
                    "no complete answer from {} within {} ms; raise the setting `timeout`, or ask for less",
                    place.target,
                    timeout.as_millis()
                ),
            )),
        }
    }

    fn no_turn(&self, place: &Place, timeout: Duration) -> Error {
        failure::timeout(
            "waiting",
            timeout,
            format!(
                "the call to {} waited {} ms for one of {} calls in flight to finish; raise the setting `maxInFlight` or `timeout`",
                place.target,
                timeout.as_millis(),
                self.options.max_in_flight
            ),
        )
    }

    async fn exchange(&self, request: Request, place: &Place) -> Result<Answer> {
        let http = match is_loopback(&request.url) {
            true => &self.direct,
            false => &self.http,
        };
        let sent = http.execute(request.into_wire(SystemTime::now())?).await;
        let response = sent.map_err(|error| failure::of_request(&error, place))?;
        let status = response.status().as_u16();
        let headers = headers(response.headers());
        let body = self.body(response, place).await?;
        Ok(Answer { status, headers, body })
    }

    async fn body(&self, mut response: Response, place: &Place) -> Result<Vec<u8>> {
        let limit = self.options.max_response_bytes;
        let announced = response
            .content_length()
            .and_then(|length| usize::try_from(length).ok());
        if announced.is_some_and(|length| length > limit) {
            return Err(too_large(place, limit));
        }
        let mut body = Vec::with_capacity(announced.unwrap_or_default().min(MAX_TRUSTED_LENGTH));
        while let Some(chunk) = response
            .chunk()
            .await
            .map_err(|error| failure::of_body(&error, place))?
        {
            if chunk.len() > limit.saturating_sub(body.len()) {
                return Err(too_large(place, limit));
            }
            body.extend_from_slice(&chunk);
        }
        Ok(body)
    }
}

fn too_large(place: &Place, limit: usize) -> Error {
    let message = format!(
        "the answer of {} is larger than the limit of {limit} bytes; raise the setting `maxResponseBytes` if it should be read",
        place.target
    );
    Error::new(ErrorKind::Transport, message)
        .with("reason", "too_large")
        .with("limit_bytes", u64::try_from(limit).unwrap_or(u64::MAX))
}

/// Headers that are no UTF-8 say nothing to anyone and are left out.
fn headers(map: &HeaderMap) -> BTreeMap<String, String> {
    let mut headers: BTreeMap<String, String> = BTreeMap::new();
    for (name, value) in map {
        let Ok(value) = std::str::from_utf8(value.as_bytes()) else {
            continue;
        };
        headers
            .entry(name.as_str().to_owned())
            .and_modify(|joined| {
                joined.push_str(", ");
                joined.push_str(value);
            })
            .or_insert_with(|| value.to_owned());
    }
    headers
}
