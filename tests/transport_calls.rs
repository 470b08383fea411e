//! What comes out of one call, against servers that behave well or badly.

mod transport_support;

use std::io::Write;
use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

use flink_agents_native::error::ErrorKind;
use flink_agents_native::json::Json;
use flink_agents_native::transport::MAX_RESPONSE_BYTES;
use transport_support::*;

fn client() -> Client {
    Client::open(&options()).expect("opens")
}

fn echo() -> Server {
    Server::start(|seen, stream| answer(stream, "200 OK", "X-Id: 7\r\nx-two: a\r\nX-Two: b\r\n", &seen.body))
}

#[test]
fn an_answer_arrives_with_status_lower_case_headers_and_body() {
    let server = echo();
    let body = "{\"text\":\"zażółć 🦀\"}".as_bytes();
    let finished = client().call(&with(request(&server.url("/v1?x=1")), "body", Json::Bytes(body.into())));
    assert_eq!(finished.status(), 200);
    assert_eq!(finished.body(), body);
    assert_eq!(finished.header("x-id"), Some("7"));
    assert_eq!(finished.header("x-two"), Some("a, b"));
    let seen = server.seen.lock().unwrap()[0].clone();
    assert_eq!(seen.line, "POST /v1?x=1 HTTP/1.1");
    assert_eq!(seen.headers["content-type"], "application/json");
    assert_eq!(seen.headers["user-agent"], "test/1");
    assert_eq!(seen.headers["content-length"], body.len().to_string());
    assert!(!seen.headers.contains_key("accept-encoding"));
    assert!(!seen.headers.contains_key("authorization"));
}

#[test]
fn two_calls_share_one_connection() {
    let server = echo();
    let client = client();
    for _ in 0..2 {
        assert_eq!(client.call(&request(&server.url("/"))).status(), 200);
    }
    assert_eq!(server.connections.load(Ordering::SeqCst), 1);
    assert_eq!(server.requests(), 2);
}

#[test]
fn an_idle_time_of_zero_keeps_no_connection() {
    let server = echo();
    let client = Client::open(&with(options(), "idle_timeout_ms", Json::Int(0))).expect("opens");
    for _ in 0..2 {
        assert_eq!(client.call(&request(&server.url("/"))).status(), 200);
    }
    assert_eq!(server.connections.load(Ordering::SeqCst), 2);
}

#[test]
fn an_error_status_is_an_answer_and_is_not_repeated() {
    let server = Server::start(|_, stream| answer(stream, "429 Too Many Requests", "Retry-After: 2\r\n", b"slow down"));
    let finished = client().call(&request(&server.url("/")));
    assert_eq!((finished.status(), finished.body()), (429, b"slow down".as_slice()));
    assert_eq!(finished.header("retry-after"), Some("2"));
    assert_eq!(server.requests(), 1);
}

#[test]
fn a_redirect_is_an_answer_and_is_not_followed() {
    let other = echo();
    let location = format!("Location: {}\r\n", other.url("/elsewhere"));
    let server = Server::start(move |_, stream| answer(stream, "307 Temporary Redirect", &location, b""));
    assert_eq!(client().call(&request(&server.url("/"))).status(), 307);
    assert_eq!(other.requests(), 0);
}

#[test]
fn a_refused_connection_names_host_and_port() {
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let finished = client().call(&request(&format!("http://127.0.0.1:{port}/v1?key=hidden")));
    finished.assert_error(
        ErrorKind::Transport,
        &[&format!("127.0.0.1:{port} refused"), "check host and port"],
    );
    assert_eq!(finished.reason(), "refused");
    assert!(!format!("{:?}", finished.0).contains("hidden"));
}

#[test]
fn a_name_that_does_not_resolve_is_named() {
    let finished = client().call(&request("http://no-such-host.invalid/"));
    finished.assert_error(ErrorKind::Transport, &["no-such-host.invalid:80", "cannot be resolved"]);
    assert_eq!(finished.reason(), "name_not_resolved");
}

/// A listener whose queue is full: the kernel drops further connection attempts, as a firewall does.
#[cfg(target_os = "linux")]
#[test]
fn a_connection_that_never_comes_about_ends_at_the_connect_timeout() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let mut queued = Vec::new();
    while let Ok(stream) = std::net::TcpStream::connect_timeout(&address, Duration::from_millis(300)) {
        queued.push(stream);
        assert!(queued.len() < 10_000, "the queue does not fill");
    }
    let client = Client::open(&with(options(), "connect_timeout_ms", Json::Int(200))).expect("opens");
    let begun = Instant::now();
    let finished = client.call(&request(&format!("http://{address}/")));
    finished.assert_error(
        ErrorKind::Timeout,
        &[&address.to_string(), "200 ms", "`connectTimeout`"],
    );
    assert_eq!(finished.detail("phase"), Some(&"connect".into()));
    assert_eq!(finished.detail("timeout_ms"), Some(&Json::Int(200)));
    assert!(begun.elapsed() < Duration::from_secs(5));
}

#[test]
fn a_server_that_says_nothing_ends_at_the_deadline() {
    let server = Server::start(|_, stream| hold(stream));
    let finished = client().call(&with(request(&server.url("/")), "timeout_ms", Json::Int(200)));
    finished.assert_error(
        ErrorKind::Timeout,
        &[&server.address.to_string(), "200 ms", "`timeout`"],
    );
    assert_eq!(finished.detail("phase"), Some(&"total".into()));
}

#[test]
fn a_body_that_drips_ends_at_the_deadline() {
    let client = client();
    let drip = Server::start(|_, stream| {
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n");
        while stream.write_all(b"x").is_ok() {
            sleep(Duration::from_millis(20));
        }
        false
    });
    let finished = client.call(&with(request(&drip.url("/")), "timeout_ms", Json::Int(300)));
    finished.assert_error(ErrorKind::Timeout, &["300 ms"]);
}

#[test]
fn a_cut_body_is_no_answer() {
    for head in [
        "content-length: 100\r\n\r\n",
        "transfer-encoding: chunked\r\n\r\n50\r\n",
    ] {
        let server = Server::start(move |_, stream| {
            let _ = write!(stream, "HTTP/1.1 200 OK\r\n{head}{{\"half\":");
            false
        });
        let finished = client().call(&request(&server.url("/")));
        finished.assert_error(
            ErrorKind::Transport,
            &[&server.address.to_string(), "before the answer was complete"],
        );
        assert_eq!(finished.reason(), "closed_early");
    }
}

#[test]
fn a_connection_closed_without_an_answer_is_a_transport_error() {
    let server = Server::start(|_, _| false);
    let finished = client().call(&request(&server.url("/")));
    finished.assert_error(ErrorKind::Transport, &["before the answer was complete"]);
    assert!(["closed_early", "reset"].contains(&finished.reason()));
}

#[test]
fn a_server_that_does_not_speak_http_is_told_apart() {
    let server = Server::start(|_, stream| stream.write_all(b"\x15\x03\x01\x00\x02\x02\x0a hello\r\n\r\n").is_err());
    let finished = client().call(&request(&server.url("/")));
    finished.assert_error(ErrorKind::Transport, &["HTTP/1.1"]);
    assert_eq!(finished.reason(), "not_http");
}

#[test]
fn the_size_limit_holds_with_and_without_an_announced_length() {
    let small = with(options(), "max_response_bytes", Json::Int(1000));
    let chunked = |_: &Seen, stream: &mut std::net::TcpStream| {
        let chunk = format!("400\r\n{}\r\n", "x".repeat(0x400));
        let _ = write!(
            stream,
            "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n{chunk}0\r\n\r\n"
        );
        true
    };
    let servers = [
        Server::start(|_, stream| answer(stream, "200 OK", "", &[b'x'; 1001])),
        Server::start(chunked),
    ];
    for server in servers {
        let finished = Client::open(&small).expect("opens").call(&request(&server.url("/")));
        finished.assert_error(ErrorKind::Transport, &["1000 bytes", "`maxResponseBytes`"]);
        assert_eq!(finished.reason(), "too_large");
        assert_eq!(finished.detail("limit_bytes"), Some(&Json::Int(1000)));
    }
    let exact = Server::start(|_, stream| answer(stream, "200 OK", "", &[b'x'; 1000]));
    let finished = Client::open(&small).expect("opens").call(&request(&exact.url("/")));
    assert_eq!(finished.body().len(), 1000);
}

#[test]
fn credentials_are_not_sent_in_the_clear_to_another_host() {
    let secret = object([("Authorization", "Bearer sk-verysecret".into())]);
    let client = client();
    for host in ["gateway.example", "10.0.0.1", "localhost.example", "[2001:db8::1]"] {
        let finished = client.call(&with(
            request(&format!("http://{host}/v1")),
            "secret_headers",
            secret.clone(),
        ));
        finished.assert_error(ErrorKind::Configuration, &[host, "https://", "`allowInsecureHttp`"]);
        assert!(!format!("{:?}", finished.0).contains("verysecret"));
    }
}

#[test]
fn credentials_reach_loopback_and_hosts_that_are_allowed() {
    let server = Server::start(|_, stream| answer(stream, "200 OK", "", b""));
    let secret = object([("Authorization", "Bearer sk-verysecret".into())]);
    for url in [server.url("/"), format!("http://localhost:{}/", server.address.port())] {
        let finished = client().call(&with(request(&url), "secret_headers", secret.clone()));
        assert_eq!(finished.status(), 200);
    }
    let seen = server.seen.lock().unwrap()[0].clone();
    assert_eq!(seen.headers["authorization"], "Bearer sk-verysecret");

    // With the setting the call is made: what fails then is the name.
    let allowed = Client::open(&with(options(), "allow_insecure_http", true)).expect("opens");
    let finished = allowed.call(&with(request("http://no-such-host.invalid/"), "secret_headers", secret));
    assert_eq!(finished.reason(), "name_not_resolved");
}

#[test]
fn vllms_default_key_is_no_secret_and_any_other_is() {
    let url = "http://no-such-host.invalid/v1";
    let call = |key: &str| {
        let secret = object([("Authorization", key.into())]);
        client().call(&with(request(url), "secret_headers", secret))
    };
    // The call is made: what fails is the name.
    assert_eq!(call("Bearer EMPTY").reason(), "name_not_resolved");
    for key in ["Bearer EMPTY1", "Bearer empty", "EMPTY"] {
        call(key).assert_error(ErrorKind::Configuration, &["allowInsecureHttp"]);
    }
}

#[test]
fn b078_a_credential_that_cannot_be_a_header_is_a_configuration_error_without_its_text() {
    let client = client();
    let values = [
        "sk-x\n",
        " sk-x ",
        "",
        "   ",
        "sk-ü",
        "Bearer ",
        "sk\u{0}x",
        "sk-x\r\nX-Evil: 1",
    ];
    for value in values {
        let secret = object([("api-key", value.into())]);
        let finished = client.call(&with(request("https://h.example/v1"), "secret_headers", secret));
        finished.assert_error(ErrorKind::Configuration, &["`api-key`"]);
        assert!(!format!("{:?}", finished.0).contains("sk-"), "{value:?}");
        assert!(!format!("{:?}", finished.0).contains("Evil"), "{value:?}");
    }
}

#[test]
fn requests_that_cannot_be_sent_are_configuration_errors() {
    let client = client();
    for (url, part) in [
        ("", "not valid"),
        ("h.example/v1", "not valid"),
        ("ftp://h.example/", "`ftp`"),
        ("https://user:pa55word@h.example/", "user name or password"),
        ("https://h.example:99999/", "not valid"),
        ("http://", "not valid"),
    ] {
        let finished = client.call(&request(url));
        finished.assert_error(ErrorKind::Configuration, &[part]);
        assert!(!finished.message().contains("pa55word"));
    }
    for (name, value) in [
        ("bad name", "x"),
        ("x-good", "line\nbreak"),
        ("Content-Length", "5"),
        ("transfer-encoding", "chunked"),
    ] {
        let headers = object([(name, value.into())]);
        let finished = client.call(&with(request("http://127.0.0.1:9/"), "headers", headers));
        finished.assert_error(ErrorKind::Configuration, &[]);
    }
    let finished = client.call(&with(request("http://127.0.0.1:9/"), "timeout_ms", Json::Int(0)));
    finished.assert_error(ErrorKind::Configuration, &["`timeout`"]);
}

#[test]
fn settings_that_cannot_work_are_refused_by_name() {
    let table: [(&str, Json<'static>, &str); 9] = [
        ("connect_timeout_ms", Json::Int(0), "`connectTimeout`"),
        ("max_in_flight", Json::Int(0), "`maxInFlight`"),
        ("max_in_flight", Json::Int(-1), "`maxInFlight`"),
        ("max_response_bytes", Json::Int(0), "`maxResponseBytes`"),
        (
            "max_response_bytes",
            Json::Int(MAX_RESPONSE_BYTES as i64 + 1),
            "`maxResponseBytes`",
        ),
        ("idle_timeout_ms", Json::Int(-1), "`idleTimeout`"),
        ("user_agent", "".into(), "`userAgent`"),
        ("user_agent", "a\nb".into(), "`userAgent`"),
        ("ca_pem", Json::Bytes(b"no certificate".as_slice().into()), "`caFile`"),
    ];
    for (key, value, part) in table {
        let error = Client::open(&with(options(), key, value)).expect_err(key);
        assert_eq!(error.kind, ErrorKind::Configuration, "{key}");
        assert!(error.message.contains(part), "{}", error.message);
    }
    let error = Client::open(&with(options(), "max_in_flight", "many")).expect_err("a text");
    assert_eq!(error.kind, ErrorKind::Frame);
}

#[test]
fn b076_a_cancelled_call_ends_at_once_and_closes_its_connection() {
    let closed = Arc::new(AtomicBool::new(false));
    let told = closed.clone();
    let server = Server::start(move |_, stream| {
        hold(stream);
        told.store(true, Ordering::SeqCst);
        false
    });
    let client = client();
    let call = client.submit(&request(&server.url("/"))).expect("submitted");
    until(|| server.requests() == 1);
    let begun = Instant::now();
    client.cancel(call);
    let finished = wait_for(call);
    assert_eq!(finished.kind(), ErrorKind::Cancelled.name());
    assert!(begun.elapsed() < Duration::from_secs(1));
    until(|| closed.load(Ordering::SeqCst));
    client.cancel(call); // too late, and ignored
    client.cancel(i64::MAX);
    assert_eq!(server.requests(), 1);
}

#[test]
fn b076_a_call_that_is_cancelled_right_after_it_was_submitted_finishes_once() {
    let server = echo();
    let client = client();
    for _ in 0..200 {
        let call = client.submit(&request(&server.url("/"))).expect("submitted");
        client.cancel(call);
        let finished = wait_for(call);
        assert!(finished.0.get("status").is_some() || finished.kind() == ErrorKind::Cancelled.name());
    }
    assert_eq!(client.call(&request(&server.url("/"))).status(), 200);
}

#[test]
fn no_more_calls_are_in_flight_than_allowed() {
    let (now, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let (inside, highest) = (now.clone(), most.clone());
    let server = Server::start(move |_, stream| {
        highest.fetch_max(inside.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
        sleep(Duration::from_millis(20));
        inside.fetch_sub(1, Ordering::SeqCst);
        answer(stream, "200 OK", "", b"")
    });
    let client = Client::open(&with(options(), "max_in_flight", Json::Int(3))).expect("opens");
    let calls: Vec<i64> = (0..20)
        .map(|_| client.submit(&request(&server.url("/"))).expect("submitted"))
        .collect();
    for call in calls {
        assert_eq!(wait_for(call).status(), 200);
    }
    assert_eq!(most.load(Ordering::SeqCst), 3);
    assert!(server.connections.load(Ordering::SeqCst) <= 3);
}

#[test]
fn waiting_for_a_turn_counts_for_the_deadline() {
    let server = Server::start(|_, stream| hold(stream));
    let client = Client::open(&with(options(), "max_in_flight", Json::Int(1))).expect("opens");
    let first = client.submit(&request(&server.url("/"))).expect("submitted");
    until(|| server.requests() == 1);
    let finished = client.call(&with(request(&server.url("/")), "timeout_ms", Json::Int(150)));
    finished.assert_error(ErrorKind::Timeout, &["150 ms", "`maxInFlight`"]);
    assert_eq!(finished.detail("phase"), Some(&"waiting".into()));
    client.cancel(first);
    assert_eq!(server.requests(), 1);
}

fn proxy(port: u16, no_proxy: &[&'static str]) -> Json<'static> {
    let proxy = object([
        ("host", "127.0.0.1".into()),
        ("port", Json::Int(port.into())),
        ("username", "me".into()),
        ("password", "pr0xypass".into()),
    ]);
    let patterns: Vec<Json<'static>> = no_proxy.iter().map(|pattern| Json::from(*pattern)).collect();
    object([
        ("http", proxy.clone()),
        ("https", proxy),
        ("no_proxy", Json::Array(patterns)),
    ])
    .into_owned()
}

#[test]
fn an_explicit_proxy_gets_the_request_with_its_credentials() {
    let proxy_server = Server::start(|_, stream| answer(stream, "200 OK", "", b"by the proxy"));
    let settings = with(
        options(),
        "proxy",
        proxy(proxy_server.address.port(), &["127.*", "*.direct.invalid"]),
    );
    let client = Client::open(&settings).expect("opens");
    let finished = client.call(&request("http://api.invalid/v1/chat"));
    assert_eq!(finished.body(), b"by the proxy");
    let seen = proxy_server.seen.lock().unwrap()[0].clone();
    assert_eq!(seen.line, "POST http://api.invalid/v1/chat HTTP/1.1");
    assert_eq!(seen.headers["proxy-authorization"], "Basic bWU6cHIweHlwYXNz");

    let server = echo();
    assert_eq!(client.call(&request(&server.url("/"))).status(), 200);
    assert_eq!(server.requests(), 1);
    assert_eq!(
        client.call(&request("http://x.direct.invalid/")).reason(),
        "name_not_resolved"
    );
    assert_eq!(proxy_server.requests(), 1);
}

#[test]
fn a_proxy_that_refuses_a_tunnel_is_named_without_its_password() {
    for status in ["407 Proxy Authentication Required", "403 Forbidden"] {
        let proxy_server = Server::start(move |_, stream| answer(stream, status, "", b""));
        let settings = with(options(), "proxy", proxy(proxy_server.address.port(), &[]));
        let finished = Client::open(&settings)
            .expect("opens")
            .call(&request("https://api.invalid/"));
        let proxy_name = format!("the proxy {} refused a tunnel to api.invalid:443", proxy_server.address);
        finished.assert_error(ErrorKind::Transport, &[&proxy_name, "`proxy`"]);
        assert_eq!(finished.reason(), "proxy_refused");
        assert!(!finished.message().contains("pr0xypass"));
        assert_eq!(
            proxy_server.seen.lock().unwrap()[0].line,
            "CONNECT api.invalid:443 HTTP/1.1"
        );
    }
}

#[test]
fn a_proxy_that_is_down_is_named() {
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let client = Client::open(&with(options(), "proxy", proxy(port, &[]))).expect("opens");
    for url in ["http://api.invalid/", "https://api.invalid/"] {
        let finished = client.call(&request(url));
        finished.assert_error(
            ErrorKind::Transport,
            &[&format!("the proxy 127.0.0.1:{port}"), "refused the connection"],
        );
    }
}

#[test]
fn a_proxy_host_that_would_make_another_url_is_refused() {
    for host in ["a@b", "a/b", "", "a b", "a?b"] {
        let http = object([("host", host.into()), ("port", Json::Int(80))]);
        let error = Client::open(&with(options(), "proxy", object([("http", http)]))).expect_err(host);
        assert_eq!(error.kind, ErrorKind::Configuration, "{host}");
    }
}

#[test]
fn many_threads_submit_at_once_and_each_gets_its_own_answer() {
    let server = echo();
    let client = Arc::new(client());
    let threads: Vec<_> = (0..16)
        .map(|thread| {
            let (client, url) = (client.clone(), server.url("/"));
            std::thread::spawn(move || {
                for number in 0..25 {
                    let body = format!("{thread}/{number}").into_bytes();
                    let finished = client.call(&with(request(&url), "body", Json::Bytes(body.clone().into())));
                    assert_eq!(finished.body(), body);
                }
            })
        })
        .collect();
    for thread in threads {
        thread.join().expect("no answer was mixed up");
    }
}

fn until(condition: impl Fn() -> bool) {
    let begun = Instant::now();
    while !condition() {
        assert!(begun.elapsed() < Duration::from_secs(20), "it does not come about");
        sleep(Duration::from_millis(5));
    }
}
