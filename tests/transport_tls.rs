//! Whom a client trusts.

#[path = "transport_support/tls.rs"]
mod tls_server;
mod transport_support;

use flink_agents_native::error::ErrorKind;
use flink_agents_native::json::Json;
use tls_server::Authority;
use transport_support::*;

const FAR: i32 = 2100;

fn pem(authority: &Authority) -> Json<'static> {
    with(options(), "ca_pem", Json::Bytes(authority.pem().into()))
}

fn der(certificates: Vec<Vec<u8>>) -> Json<'static> {
    let items = certificates.into_iter().map(|der| Json::Bytes(der.into())).collect();
    with(options(), "ca_der", Json::Array(items))
}

fn call(options: &Json<'_>, url: &str) -> Finished {
    Client::open(options).expect("opens").call(&request(url))
}

#[test]
fn an_authority_of_the_user_is_trusted_by_name_and_by_address() {
    let authority = Authority::new();
    let by_name = authority.serve("localhost", FAR);
    let finished = call(&pem(&authority), &format!("https://localhost:{}/", by_name.port()));
    assert_eq!((finished.status(), finished.body()), (200, b"secure".as_slice()));
    let by_address = authority.serve("127.0.0.1", FAR);
    assert_eq!(call(&pem(&authority), &format!("https://{by_address}/")).status(), 200);
}

#[test]
fn the_jvms_trust_store_counts_and_odd_certificates_in_it_do_not_hurt() {
    let authority = Authority::new();
    let url = format!("https://localhost:{}/", authority.serve("localhost", FAR).port());
    let odd = b"no certificate".to_vec();
    assert_eq!(
        call(&der(vec![odd.clone(), authority.der(), odd.clone()]), &url).status(),
        200
    );
    let error = Client::open(&der(vec![odd])).expect_err("nothing usable");
    assert_eq!(error.kind, ErrorKind::Configuration);
    assert!(error.message.contains("trust store of the JVM"));
}

#[test]
fn the_users_authorities_count_alone() {
    let (chosen, other) = (Authority::new(), Authority::new());
    let url = format!("https://localhost:{}/", other.serve("localhost", FAR).port());
    let both = with(
        pem(&chosen),
        "ca_der",
        Json::Array(vec![Json::Bytes(other.der().into())]),
    );
    assert_eq!(call(&both, &url).reason(), "tls_unknown_issuer");
    let bundle = [chosen.pem(), b"# a comment\n".to_vec(), other.pem()].concat();
    let bundle = with(options(), "ca_pem", Json::Bytes(bundle.into()));
    assert_eq!(call(&bundle, &url).status(), 200);
}

#[test]
fn an_unknown_authority_is_refused_and_the_message_says_what_to_set() {
    let url = format!("https://localhost:{}/", Authority::new().serve("localhost", FAR).port());
    for settings in [options(), pem(&Authority::new())] {
        let finished = call(&settings, &url);
        finished.assert_error(ErrorKind::Transport, &["localhost:", "not trusted", "`caFile`"]);
        assert_eq!(finished.reason(), "tls_unknown_issuer");
    }
}

#[test]
fn a_certificate_for_another_name_or_time_is_refused() {
    let authority = Authority::new();
    let other = format!("https://localhost:{}/", authority.serve("other.example", FAR).port());
    let finished = call(&pem(&authority), &other);
    finished.assert_error(ErrorKind::Transport, &["another host name"]);
    assert_eq!(finished.reason(), "tls_name_mismatch");
    let old = format!("https://localhost:{}/", authority.serve("localhost", 2001).port());
    let finished = call(&pem(&authority), &old);
    finished.assert_error(ErrorKind::Transport, &["expired", "clock"]);
    assert_eq!(finished.reason(), "tls_expired");
}

#[test]
fn https_to_a_port_that_speaks_http_says_so() {
    let server = Server::start(|_, stream| answer(stream, "400 Bad Request", "", b""));
    let finished = call(&options(), &format!("https://{}/", server.address));
    finished.assert_error(ErrorKind::Transport, &[&server.address.to_string()]);
    assert!(
        ["tls", "closed_early", "reset"].contains(&finished.reason()),
        "{finished:?}"
    );
}
