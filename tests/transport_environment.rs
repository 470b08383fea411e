//! What a client takes from the environment. Each test runs itself once more with the variables set.

#[path = "transport_support/tls.rs"]
mod tls_server;
mod transport_support;

use std::process::Command;

use flink_agents_native::error::ErrorKind;
use flink_agents_native::json::Json;
use tls_server::Authority;
use transport_support::*;

/// Set in the second run: the URL to call.
const URL: &str = "TRANSPORT_TEST_URL";

/// Runs one test of this file again, with these variables and no other proxy settings.
fn again(test: &str, variables: &[(&str, &str)]) {
    let mut child = Command::new(std::env::current_exe().expect("this test"));
    for name in ["http_proxy", "https_proxy", "all_proxy", "no_proxy"] {
        child.env_remove(name).env_remove(name.to_ascii_uppercase());
    }
    let child = child.args(["--exact", test]).envs(variables.iter().copied());
    let output = child.output().expect("it runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    assert!(String::from_utf8_lossy(&output.stdout).contains("1 passed"));
}

#[test]
fn ssl_cert_file_names_the_trusted_authorities_when_nothing_else_does() {
    if let Ok(url) = std::env::var(URL) {
        assert_eq!(
            Client::open(&options()).expect("opens").call(&request(&url)).status(),
            200
        );
        let other = with(options(), "ca_pem", Json::Bytes(Authority::new().pem().into()));
        let finished = Client::open(&other).expect("opens").call(&request(&url));
        return assert_eq!(finished.reason(), "tls_unknown_issuer");
    }
    let authority = Authority::new();
    let url = format!("https://localhost:{}/", authority.serve("localhost", 2100).port());
    let file = std::env::temp_dir().join(format!("authority-{}.pem", std::process::id()));
    std::fs::write(&file, authority.pem()).expect("written");
    again(
        "ssl_cert_file_names_the_trusted_authorities_when_nothing_else_does",
        &[(URL, &url), ("SSL_CERT_FILE", file.to_str().expect("a text"))],
    );
    std::fs::remove_file(file).expect("removed");
}

#[test]
fn an_ssl_cert_file_that_is_not_there_is_a_configuration_error() {
    if std::env::var_os(URL).is_some() {
        let error = Client::open(&options()).expect_err("no file");
        assert_eq!(error.kind, ErrorKind::Configuration);
        return assert!(error.message.contains("SSL_CERT_FILE"), "{}", error.message);
    }
    let variables = [(URL, ""), ("SSL_CERT_FILE", "/no/such/file.pem")];
    again(
        "an_ssl_cert_file_that_is_not_there_is_a_configuration_error",
        &variables,
    );
}

#[test]
fn the_environments_proxy_counts_only_when_it_is_asked_for() {
    if let Ok(url) = std::env::var(URL) {
        let asked = with(options(), "system_proxy", true);
        let finished = Client::open(&asked)
            .expect("opens")
            .call(&request("http://api.invalid/"));
        assert_eq!(finished.body(), b"by the proxy");
        assert_eq!(
            Client::open(&asked).expect("opens").call(&request(&url)).body(),
            b"direct"
        );
        let finished = Client::open(&options())
            .expect("opens")
            .call(&request("http://api.invalid/"));
        return assert_eq!(finished.reason(), "name_not_resolved");
    }
    let proxy = Server::start(|_, stream| answer(stream, "200 OK", "", b"by the proxy"));
    let server = Server::start(|_, stream| answer(stream, "200 OK", "", b"direct"));
    let variables = [
        (URL, server.url("/")),
        ("http_proxy", proxy.url("")),
        ("no_proxy", "127.0.0.1".to_owned()),
    ];
    let variables: Vec<(&str, &str)> = variables.iter().map(|(name, value)| (*name, value.as_str())).collect();
    again("the_environments_proxy_counts_only_when_it_is_asked_for", &variables);
    assert_eq!(proxy.requests(), 1);
}

/// A proxy of the environment must not see a key that was allowed over plain http only because the server is this host.
#[test]
fn this_host_is_never_reached_through_a_proxy() {
    if let Ok(url) = std::env::var(URL) {
        let asked = with(options(), "system_proxy", true);
        let client = Client::open(&asked).expect("opens");
        return assert_eq!(client.call(&request(&url)).body(), b"direct");
    }
    let proxy = Server::start(|_, stream| answer(stream, "200 OK", "", b"by the proxy"));
    let server = Server::start(|_, stream| answer(stream, "200 OK", "", b"direct"));
    let (url, proxy_url) = (server.url("/"), proxy.url(""));
    let variables = [
        (URL, url.as_str()),
        ("http_proxy", proxy_url.as_str()),
        ("no_proxy", ""),
    ];
    again("this_host_is_never_reached_through_a_proxy", &variables);
    assert_eq!(proxy.requests(), 0);
}
