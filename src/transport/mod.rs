//! HTTP: the five operations of docs/boundary.md that need threads, as ordinary functions over frames.
//!
//! | thread | what it does |
//! |---|---|
//! | a Java thread | hands a command over and returns; only `openClient` and the last `closeClient` wait |
//! | one Java daemon thread | waits in [`await_calls`] and completes futures |
//! | the dispatcher, ours | owns tokio, takes the commands |
//! | one tokio worker, ours | connections, timers, TLS |
//! | up to four, when needed | name resolution |
//!
//! A call is made once: no retries, no redirects, no cookies, no compression. Its deadline counts from `submitCall` to the last byte.

mod dispatcher;
mod exchange;
mod failure;
mod fields;
mod http;
mod options;
mod proxy;
mod registry;
mod request;
pub mod secret;
mod signing;
mod tls;

use self::exchange::Finished;
use self::options::Options;
use self::request::Request;
use crate::error::Result;
use crate::jni::frame::error_map;
use crate::json::Json;

pub use self::options::MAX_RESPONSE_BYTES;

/// Opens a client: `{client, runtime, started}`.
///
/// # Errors
/// `configuration` for a setting that cannot work; `transport` when no thread can be started.
pub fn open_client(frame: &Json<'_>) -> Result<Json<'static>> {
    let opened = registry::open(Options::read(frame)?)?;
    Ok(Json::object([
        ("client", Json::from(opened.client)),
        ("runtime", Json::from(opened.runtime)),
        ("started", Json::from(opened.started)),
    ]))
}

/// Hands a call over. `call` is chosen by Java, different from every call in flight.
///
/// # Errors
/// `configuration` for a request that cannot be sent, `closed` after `closeClient`.
pub fn submit_call(client: i64, call: i64, frame: &Json<'_>) -> Result<Json<'static>> {
    registry::submit(client, call, Request::read(frame)?)?;
    Ok(nothing())
}

/// Cancels a call, which finishes with kind `cancelled` unless it has finished already.
pub fn cancel_call(client: i64, call: i64) -> Result<Json<'static>> {
    registry::cancel(client, call);
    Ok(nothing())
}

/// Blocks until calls have finished, or the runtime has ended: `{calls, ended}`. One thread per runtime waits.
pub fn await_calls(runtime: i64) -> Result<Json<'static>> {
    let batch = registry::await_calls(runtime);
    let calls: Vec<_> = batch.calls.into_iter().map(finished_call).collect();
    Ok(Json::object([
        ("calls", Json::Array(calls)),
        ("ended", Json::from(batch.ended)),
    ]))
}

/// Takes note that the last answer of [`await_calls`] was lost on its way; its calls finish again, as failures.
pub fn return_calls(runtime: i64) {
    registry::return_batch(runtime);
}

/// Closes a client; its calls in flight finish with kind `closed`. The last one ends the runtime and all its threads.
///
/// # Errors
/// `closed` when it is closed already.
pub fn close_client(client: i64) -> Result<Json<'static>> {
    registry::close(client)?;
    Ok(nothing())
}

fn nothing() -> Json<'static> {
    Json::Object(Vec::new())
}

fn finished_call(finished: Finished) -> Json<'static> {
    let about = [
        ("call", Json::from(finished.call)),
        ("elapsed_ms", Json::from(finished.elapsed_ms)),
    ];
    match finished.result {
        Ok(answer) => {
            let headers = answer
                .headers
                .into_iter()
                .map(|(name, value)| (name, Json::from(value)));
            let answer = [
                ("status", Json::from(i64::from(answer.status))),
                ("headers", Json::object(headers)),
                ("body", Json::Bytes(answer.body.into())),
            ];
            Json::object(about.into_iter().chain(answer))
        }
        Err(error) => Json::object(about.into_iter().chain([("error", error_map(error))])),
    }
}
