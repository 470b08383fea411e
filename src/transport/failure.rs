//! What went wrong on the way, in words that say where and what to check.
//!
//! Neither the URL's path and query nor any header is in a message: keys travel there.

use std::error::Error as StdError;
use std::io;
use std::time::Duration;

use rustls::CertificateError;

use crate::error::{Error, ErrorKind};

/// Where a call went.
#[derive(Debug)]
pub struct Place {
    /// `host:port`
    pub target: String,
    /// `host:port` of an explicit proxy.
    pub proxy: Option<String>,
    pub connect_timeout: Duration,
}

impl Place {
    /// The host that a connection is made to.
    fn peer(&self) -> String {
        match &self.proxy {
            Some(proxy) => format!("the proxy {proxy} (for {})", self.target),
            None => self.target.clone(),
        }
    }
}

/// Why a connection or an answer failed; the names stand in the detail `reason`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reason {
    NameNotResolved,
    Refused,
    Unreachable,
    ProxyRefused,
    TlsUnknownIssuer,
    TlsNameMismatch,
    TlsExpired,
    Tls,
    Reset,
    ClosedEarly,
    NotHttp,
    Other,
}

impl Reason {
    fn name(self) -> &'static str {
        match self {
            Reason::NameNotResolved => "name_not_resolved",
            Reason::Refused => "refused",
            Reason::Unreachable => "unreachable",
            Reason::ProxyRefused => "proxy_refused",
            Reason::TlsUnknownIssuer => "tls_unknown_issuer",
            Reason::TlsNameMismatch => "tls_name_mismatch",
            Reason::TlsExpired => "tls_expired",
            Reason::Tls => "tls",
            Reason::Reset => "reset",
            Reason::ClosedEarly => "closed_early",
            Reason::NotHttp => "not_http",
            Reason::Other => "other",
        }
    }

    fn message(self, place: &Place, cause: &str) -> String {
        let (peer, target) = (place.peer(), &place.target);
        match self {
            Reason::NameNotResolved => {
                format!(
                    "the host name of {peer} cannot be resolved; check the base URL, DNS, and whether a proxy is needed (`proxy`)"
                )
            }
            Reason::Refused => {
                format!("{peer} refused the connection; check host and port, and that the server is running")
            }
            Reason::Unreachable => {
                format!("{peer} cannot be reached ({cause}); check the network and whether a proxy is needed (`proxy`)")
            }
            Reason::ProxyRefused => format!(
                "{} refused a tunnel to {target} ({cause}); check the proxy's credentials and its rules (`proxy`, `noProxy`)",
                place
                    .proxy
                    .as_ref()
                    .map_or("the proxy".to_owned(), |proxy| format!("the proxy {proxy}"))
            ),
            Reason::TlsUnknownIssuer => format!(
                "the certificate of {target} comes from an authority that is not trusted; add that authority with `caFile` or to the \
                 JVM's trust store"
            ),
            Reason::TlsNameMismatch => {
                format!("the certificate of {target} is for another host name; check the host in the base URL")
            }
            Reason::TlsExpired => {
                format!(
                    "the certificate of {target} is expired or not valid yet; check the server's certificate and this host's clock"
                )
            }
            Reason::Tls => format!("TLS with {target} failed ({cause}); check that the port speaks https"),
            Reason::Reset => format!("{peer} reset the connection before the answer was complete"),
            Reason::ClosedEarly => format!("{peer} closed the connection before the answer was complete"),
            Reason::NotHttp => {
                format!("{peer} did not answer in HTTP/1.1 ({cause}); check the port and the scheme of the base URL")
            }
            Reason::Other => format!("the exchange with {peer} failed: {cause}"),
        }
    }
}

/// A failure before the head of the answer was there.
pub fn of_request(error: &reqwest::Error, place: &Place) -> Error {
    if error.is_timeout() && error.is_connect() {
        let milliseconds = place.connect_timeout.as_millis();
        let message = format!(
            "no connection to {} within {milliseconds} ms; check the address, the network and whether a proxy is needed, or raise \
             the setting `connectTimeout`",
            place.peer()
        );
        return timeout("connect", place.connect_timeout, message);
    }
    let reason = match reason_of(error) {
        Reason::Other if error.is_dns() => Reason::NameNotResolved,
        reason => reason,
    };
    transport(reason, error, place)
}

/// A failure while the body of the answer was read.
pub fn of_body(error: &reqwest::Error, place: &Place) -> Error {
    match reason_of(error) {
        Reason::Other => transport(Reason::ClosedEarly, error, place),
        reason => transport(reason, error, place),
    }
}

/// A deadline that passed. `phase` is `waiting`, `connect` or `total`.
pub fn timeout(phase: &'static str, after: Duration, message: String) -> Error {
    Error::new(ErrorKind::Timeout, message)
        .with("phase", phase)
        .with("timeout_ms", u64::try_from(after.as_millis()).unwrap_or(u64::MAX))
}

fn transport(reason: Reason, error: &reqwest::Error, place: &Place) -> Error {
    Error::new(ErrorKind::Transport, reason.message(place, &cause_text(error)))
        .with("reason", reason.name())
        .with("target", place.target.clone())
}

/// The innermost cause. The outer ones may quote the URL.
pub fn cause_text(error: &reqwest::Error) -> String {
    let innermost = causes(error).last();
    innermost.map_or_else(|| "no further cause is known".to_owned(), |cause| cause.to_string())
}

/// The causes of an error, outermost first.
fn causes(error: &reqwest::Error) -> impl Iterator<Item = &(dyn StdError + 'static)> {
    std::iter::successors(error.source(), |cause| inner_cause(*cause))
}

/// An I/O error hides what it wraps from `source`, so that it is looked into.
fn inner_cause<'a>(cause: &'a (dyn StdError + 'static)) -> Option<&'a (dyn StdError + 'static)> {
    match cause.downcast_ref::<io::Error>() {
        Some(wrapper) => wrapper.get_ref().map(|inner| inner as &(dyn StdError + 'static)),
        None => cause.source(),
    }
}

/// The first cause that says enough, from the inside out.
fn reason_of(error: &reqwest::Error) -> Reason {
    let causes: Vec<_> = causes(error).collect();
    let told = causes.iter().rev().find_map(|cause| {
        let tls = cause.downcast_ref::<rustls::Error>().map(of_tls);
        let io = || cause.downcast_ref::<io::Error>().and_then(of_io);
        tls.or_else(io).or_else(|| of_hyper(&cause.to_string()))
    });
    told.unwrap_or(Reason::Other)
}

fn of_tls(error: &rustls::Error) -> Reason {
    match error {
        rustls::Error::InvalidCertificate(certificate) => match certificate {
            // A bad signature: the trusted authority has the right name and another key, as after a private one was made anew.
            CertificateError::UnknownIssuer | CertificateError::BadSignature => Reason::TlsUnknownIssuer,
            CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
                Reason::TlsNameMismatch
            }
            CertificateError::Expired
            | CertificateError::ExpiredContext { .. }
            | CertificateError::NotValidYet
            | CertificateError::NotValidYetContext { .. } => Reason::TlsExpired,
            _ => Reason::Tls,
        },
        _ => Reason::Tls,
    }
}

fn of_io(error: &io::Error) -> Option<Reason> {
    match error.kind() {
        io::ErrorKind::ConnectionRefused => Some(Reason::Refused),
        io::ErrorKind::ConnectionReset | io::ErrorKind::ConnectionAborted | io::ErrorKind::BrokenPipe => {
            Some(Reason::Reset)
        }
        io::ErrorKind::UnexpectedEof => Some(Reason::ClosedEarly),
        io::ErrorKind::HostUnreachable | io::ErrorKind::NetworkUnreachable | io::ErrorKind::AddrNotAvailable => {
            Some(Reason::Unreachable)
        }
        _ => None,
    }
}

/// What the HTTP layer says in words only. The tests hold each of them.
fn of_hyper(text: &str) -> Option<Reason> {
    const TEXTS: [(&str, Reason); 4] = [
        ("tunnel", Reason::ProxyRefused),
        ("connection closed before message completed", Reason::ClosedEarly),
        ("invalid HTTP", Reason::NotHttp),
        ("dns error", Reason::NameNotResolved),
    ];
    let found = TEXTS.iter().find(|(known, _)| text.starts_with(known));
    found.map(|(_, reason)| *reason)
}
