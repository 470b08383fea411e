//! Runtimes begin with the first client and end with the last, and leave no thread behind.
//!
//! One test, because threads are counted for the whole process.

mod transport_support;

use std::time::{Duration, Instant};

use flink_agents_native::error::ErrorKind;
use flink_agents_native::json::Json;
use flink_agents_native::transport;
use transport_support::*;

const ROUNDS: usize = 200;

#[test]
fn the_life_of_runtimes() {
    a_client_that_is_refused_leaves_no_thread();
    clients_share_a_runtime_and_the_next_one_after_the_end_is_new();
    a_double_close_and_a_call_after_close_are_errors();
    close_finishes_the_calls_in_flight();
    closing_one_client_leaves_the_calls_of_another();
    calls_that_did_not_reach_java_finish_again_as_failures();
    no_thread_is_left_after_many_runtimes();
    clients_that_open_and_close_in_many_threads_end_well();
}

fn open() -> Client {
    Client::open(&options()).expect("opens")
}

fn a_client_that_is_refused_leaves_no_thread() {
    let bad = with(options(), "ca_pem", Json::Bytes(b"nothing".as_slice().into()));
    let error = Client::open(&bad).expect_err("no certificate");
    assert_eq!(error.kind, ErrorKind::Configuration);
    assert_threads(&[]);
}

fn clients_share_a_runtime_and_the_next_one_after_the_end_is_new() {
    let (first, second) = (open(), open());
    assert_eq!(first.runtime, second.runtime);
    assert_ne!(first.id, second.id);
    if cfg!(target_os = "linux") {
        assert_threads(&["agents-dispatch", "agents-io"]);
    }
    let runtime = first.runtime;
    first.close();
    second.close();
    assert_threads(&[]);
    let third = open();
    assert_ne!(third.runtime, runtime);
    let ended = transport::await_calls(runtime).expect("never fails");
    assert_eq!(ended.get("ended"), Some(&Json::Bool(true)));
}

fn a_double_close_and_a_call_after_close_are_errors() {
    let keeps_the_runtime = open();
    let client = open();
    let id = client.id;
    client.close();
    let twice = transport::close_client(id).expect_err("closed");
    assert_eq!(twice.kind, ErrorKind::Closed);
    let late = transport::submit_call(id, -1, &request("http://127.0.0.1:9/")).expect_err("closed");
    assert_eq!(late.kind, ErrorKind::Closed);
    assert!(late.message.contains("open a new one"));
    transport::cancel_call(id, -1).expect("ignored");
    keeps_the_runtime.close();
}

fn close_finishes_the_calls_in_flight() {
    let server = Server::start(|_, stream| hold(stream));
    let client = open();
    let calls: Vec<i64> = (0..20)
        .map(|_| client.submit(&request(&server.url("/"))).expect("submitted"))
        .collect();
    let begun = Instant::now();
    client.close();
    assert!(begun.elapsed() < Duration::from_secs(2), "{:?}", begun.elapsed());
    for call in calls {
        assert_eq!(wait_for(call).kind(), ErrorKind::Closed.name());
    }
}

fn closing_one_client_leaves_the_calls_of_another() {
    let server = Server::start(|_, stream| {
        std::thread::sleep(Duration::from_millis(200));
        answer(stream, "200 OK", "", b"")
    });
    let (first, second) = (open(), open());
    let call = second.submit(&request(&server.url("/"))).expect("submitted");
    first.cancel(call); // not its own call
    first.close();
    assert_eq!(wait_for(call).status(), 200);
}

fn calls_that_did_not_reach_java_finish_again_as_failures() {
    let server = Server::start(|_, stream| answer(stream, "200 OK", "", b"large"));
    // No daemon thread here: this test takes the answers itself.
    let opened = transport::open_client(&options()).expect("opens");
    let number = |key| opened.get(key).and_then(Json::as_i64).expect("a number");
    transport::submit_call(number("client"), i64::MAX, &request(&server.url("/"))).expect("submitted");
    let calls = |answer: &Json<'static>| {
        answer
            .get("calls")
            .and_then(Json::as_array)
            .map(<[_]>::to_vec)
            .expect("a list")
    };
    let lost = transport::await_calls(number("runtime")).expect("never fails");
    assert_eq!(calls(&lost)[0].get("status"), Some(&Json::Int(200)));
    transport::return_calls(number("runtime"));
    let again = transport::await_calls(number("runtime")).expect("never fails");
    let finished = Finished(calls(&again)[0].clone());
    finished.assert_error(ErrorKind::Transport, &["no memory", "heap"]);
    assert_eq!(finished.0.get("call"), Some(&Json::Int(i64::MAX)));
    transport::close_client(number("client")).expect("closed once");
    let end = transport::await_calls(number("runtime")).expect("never fails");
    assert!(calls(&end).is_empty());
    assert_eq!(end.get("ended"), Some(&Json::Bool(true)));
}

fn no_thread_is_left_after_many_runtimes() {
    let server = Server::start(|_, stream| answer(stream, "200 OK", "", b"{}"));
    // A name, so that threads for name resolution start as well.
    let url = format!("http://localhost:{}/", server.address.port());
    let mut before = 0;
    for round in 0..ROUNDS {
        let client = open();
        assert_eq!(client.call(&request(&url)).status(), 200);
        client.close();
        assert_threads(&[]);
        if round == 10 {
            before = resident_kilobytes();
        }
    }
    let grown = resident_kilobytes().saturating_sub(before);
    assert!(grown < 20_000, "{grown} KB in {ROUNDS} rounds");
}

fn clients_that_open_and_close_in_many_threads_end_well() {
    let threads: Vec<_> = (0..8)
        .map(|_| {
            std::thread::spawn(|| {
                let server = Server::start(|_, stream| answer(stream, "200 OK", "", b"{}"));
                for _ in 0..25 {
                    let client = open();
                    let calls: Vec<i64> = (0..3)
                        .map(|_| client.submit(&request(&server.url("/"))).expect("submitted"))
                        .collect();
                    client.close();
                    for call in calls {
                        let finished = wait_for(call);
                        let closed = || finished.kind() == ErrorKind::Closed.name();
                        assert!(finished.0.get("status").is_some() || closed(), "{finished:?}");
                    }
                }
            })
        })
        .collect();
    for thread in threads {
        thread.join().expect("no assertion failed");
    }
    assert_threads(&[]);
}

/// A thread that was joined stays listed for the moment in which the kernel clears it away, and a new one gets its name late.
#[track_caller]
fn assert_threads(expected: &[&str]) {
    let begun = Instant::now();
    while our_threads() != expected {
        let names = our_threads();
        assert!(
            begun.elapsed() < Duration::from_secs(2),
            "{names:?} instead of {expected:?}"
        );
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Names of the library's threads, sorted. Empty where the system does not tell.
fn our_threads() -> Vec<String> {
    let tasks = std::fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
    let names = tasks.filter_map(|task| std::fs::read_to_string(task.path().join("comm")).ok());
    let mut ours: Vec<String> = names
        .map(|name| name.trim().to_owned())
        .filter(|name| name.starts_with("agents-"))
        .collect();
    ours.sort();
    ours
}

fn resident_kilobytes() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok())
        .unwrap_or(0)
}
