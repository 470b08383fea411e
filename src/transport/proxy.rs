//! Which proxy a request goes through.
//!
//! Explicit proxies (the user's, or those of the JVM's properties, which Java reads) come first; else the environment's
//! (`https_proxy`, `http_proxy`, `all_proxy`, `no_proxy`) when that is asked for; else none.

use std::net::IpAddr;
use std::sync::Arc;

use reqwest::Url;

use super::fields;
use super::secret::Secret;
use crate::error::{Error, Result};
use crate::json::Json;

/// The choice of a client.
#[derive(Debug)]
pub enum Proxies {
    None,
    Environment,
    Explicit(Arc<Explicit>),
}

/// One proxy for each scheme of a target, and the hosts that are reached directly.
#[derive(Debug)]
pub struct Explicit {
    http: Option<Proxy>,
    https: Option<Proxy>,
    bypass: Vec<Bypass>,
}

/// An HTTP proxy. Targets with `https` are reached by a CONNECT tunnel.
#[derive(Debug)]
pub struct Proxy {
    /// `http://host:port`, without credentials.
    url: Url,
    credentials: Option<(String, Secret)>,
}

impl Proxies {
    pub fn read(frame: &Json<'_>) -> Result<Proxies> {
        if let Some(proxy) = frame.get("proxy") {
            let explicit = Explicit::read(proxy)?;
            return Ok(Proxies::Explicit(Arc::new(explicit)));
        }
        match fields::flag(frame, "system_proxy")? {
            true => Ok(Proxies::Environment),
            false => Ok(Proxies::None),
        }
    }

    /// `host:port` of the explicit proxy that a target is reached through.
    pub fn address_for(&self, target: &Url) -> Option<String> {
        match self {
            Proxies::Explicit(explicit) => explicit.proxy_for(target).map(Proxy::address),
            Proxies::None | Proxies::Environment => None,
        }
    }

    /// Hands the choice to reqwest.
    pub fn apply(&self, builder: reqwest::ClientBuilder) -> reqwest::ClientBuilder {
        match self {
            Proxies::Environment => builder,
            Proxies::None => builder.no_proxy(),
            Proxies::Explicit(explicit) => {
                let builder = builder.no_proxy();
                let both = [("http", &explicit.http), ("https", &explicit.https)];
                both.into_iter()
                    .filter_map(|(scheme, proxy)| proxy.as_ref().map(|proxy| (scheme, proxy)))
                    .fold(builder, |builder, (scheme, proxy)| {
                        builder.proxy(explicit.rule(scheme, proxy))
                    })
            }
        }
    }
}

impl Explicit {
    fn read(frame: &Json<'_>) -> Result<Explicit> {
        let patterns = fields::list(frame, "no_proxy")?
            .iter()
            .map(|pattern| match pattern.as_text() {
                Some(pattern) => Ok(Bypass::read(pattern)),
                None => Err(fields::wrong("no_proxy", "a list of texts")),
            });
        Ok(Explicit {
            http: frame.get("http").map(Proxy::read).transpose()?,
            https: frame.get("https").map(Proxy::read).transpose()?,
            bypass: patterns.collect::<Result<_>>()?,
        })
    }

    fn proxy_for(&self, target: &Url) -> Option<&Proxy> {
        let proxy = match target.scheme() {
            "https" => self.https.as_ref(),
            _ => self.http.as_ref(),
        };
        proxy.filter(|_| !self.is_bypassed(target))
    }

    fn is_bypassed(&self, target: &Url) -> bool {
        let host = bare_host(target.host_str().unwrap_or_default());
        self.bypass.iter().any(|bypass| bypass.matches(&host))
    }

    fn rule(self: &Arc<Self>, scheme: &'static str, proxy: &Proxy) -> reqwest::Proxy {
        let explicit = Arc::clone(self);
        let rule = reqwest::Proxy::custom(move |target| {
            let proxy = explicit.proxy_for(target).filter(|_| target.scheme() == scheme);
            proxy.map(|proxy| proxy.url.clone())
        });
        match &proxy.credentials {
            Some((name, password)) => rule.basic_auth(name, &String::from_utf8_lossy(password.reveal())),
            None => rule,
        }
    }
}

impl Proxy {
    fn read(frame: &Json<'_>) -> Result<Proxy> {
        let host = fields::text(frame, "host")?;
        let port = fields::integer(frame, "port")?;
        let username = frame.get("username").and_then(Json::as_text);
        let password = frame.get("password").and_then(Json::as_text).unwrap_or_default();
        let host = match host.contains(':') && !host.starts_with('[') {
            true => format!("[{host}]"),
            false => host.to_owned(),
        };
        let parsed = Url::parse(&format!("http://{host}:{port}/")).ok();
        // A host with `/`, `@` or the like in it would make another URL than the one meant.
        let url = parsed.filter(|url| url.host_str().is_some_and(|parsed| parsed.eq_ignore_ascii_case(&host)));
        let url = url.ok_or_else(|| {
            Error::configuration(format!(
                "the proxy host or its port {port} is not valid; check `proxy`, or the JVM's `http.proxyHost`, \
                 `https.proxyHost` and their ports"
            ))
        })?;
        Ok(Proxy {
            url,
            credentials: username.map(|name| (name.to_owned(), Secret::new(password))),
        })
    }

    fn address(&self) -> String {
        let port = self.url.port_or_known_default().unwrap_or_default();
        format!("{}:{port}", self.url.host_str().unwrap_or_default())
    }
}

/// Hosts that are reached without a proxy.
#[derive(Debug, PartialEq)]
enum Bypass {
    /// `10.0.0.0/8`, `fd00::/8`, or one address.
    Network(IpAddr, u8),
    /// A name in which `*` stands for any text. `.corp` is `corp` and all below it.
    Name(String),
}

impl Bypass {
    fn read(pattern: &str) -> Bypass {
        let pattern = bare_host(pattern.trim());
        let (address, length) = match pattern.split_once('/') {
            Some((address, length)) => (address, length.parse().ok()),
            None => (pattern.as_str(), Some(u8::MAX)),
        };
        match (address.parse(), length) {
            (Ok(address), Some(length)) => Bypass::Network(address, length),
            _ => Bypass::Name(pattern),
        }
    }

    fn matches(&self, host: &str) -> bool {
        match self {
            Bypass::Network(network, length) => match host.parse() {
                Ok(address) => in_network(address, *network, *length),
                Err(_) => false,
            },
            Bypass::Name(pattern) => match pattern.strip_prefix('.') {
                Some(domain) => host == domain || host.strip_suffix(pattern.as_str()).is_some(),
                None => matches_wildcards(pattern, host),
            },
        }
    }
}

/// Lower case, without the brackets of IPv6 and the dot of a full name.
fn bare_host(host: &str) -> String {
    let host = host.strip_suffix('.').unwrap_or(host);
    host.trim_matches(['[', ']']).to_ascii_lowercase()
}

fn in_network(address: IpAddr, network: IpAddr, length: u8) -> bool {
    match (address, network) {
        (IpAddr::V4(address), IpAddr::V4(network)) => {
            let ignored = 32 - u32::from(length.min(32));
            same_prefix(address.to_bits().into(), network.to_bits().into(), ignored)
        }
        (IpAddr::V6(address), IpAddr::V6(network)) => {
            let ignored = 128 - u32::from(length.min(128));
            same_prefix(address.to_bits(), network.to_bits(), ignored)
        }
        _ => false,
    }
}

fn same_prefix(left: u128, right: u128, ignored_bits: u32) -> bool {
    (left ^ right).checked_shr(ignored_bits).unwrap_or(0) == 0
}

/// `*` stands for any text, also none. Each piece is taken at its first place, which finds a match whenever there is one.
fn matches_wildcards(pattern: &str, host: &str) -> bool {
    let mut pieces = pattern.split('*');
    let first = pieces.next().unwrap_or_default();
    let Some(mut rest) = host.strip_prefix(first) else {
        return false;
    };
    let Some(last) = pieces.next_back() else {
        return rest.is_empty();
    };
    for piece in pieces {
        match rest.split_once(piece) {
            Some((_, after)) => rest = after,
            None => return false,
        }
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_that_are_reached_directly() {
        let table = [
            ("localhost", "localhost", true),
            ("localhost", "localhost.example", false),
            ("LocalHost", "localhost", true),
            ("127.*", "127.0.0.1", true),
            ("127.*", "128.0.0.1", false),
            ("[::1]", "[::1]", true),
            ("::1", "[::1]", true),
            ("*.corp", "a.b.corp", true),
            ("*.corp", "corp", false),
            (".corp", "corp", true),
            (".corp", "a.corp", true),
            (".corp", "acorp", false),
            ("10.0.0.0/8", "10.200.3.4", true),
            ("10.0.0.0/8", "11.0.0.1", false),
            ("10.0.0.0/8", "ten.example", false),
            ("0.0.0.0/0", "203.0.113.9", true),
            ("fd00::/8", "[fd12::1]", true),
            ("fd00::/8", "[fe80::1]", false),
            ("192.168.1.7", "192.168.1.7", true),
            ("192.168.1.7", "192.168.1.70", false),
            ("*", "anything.example", true),
            ("a*b*c", "axxbyyc", true),
            ("a*b*c", "abc", true),
            ("a*b*c", "acb", false),
            ("a*a", "a", false),
            ("api.example", "api.example.", true),
            ("", "api.example", false),
        ];
        for (pattern, host, expected) in table {
            assert_eq!(
                Bypass::read(pattern).matches(&bare_host(host)),
                expected,
                "{pattern} on {host}"
            );
        }
    }
}
