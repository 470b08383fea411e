//! A client as Java uses it, and a server that answers as a test says.
#![allow(dead_code)] // each test file uses its part

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use flink_agents_native::error::{Error, ErrorKind};
use flink_agents_native::json::Json;
use flink_agents_native::transport;

/// No call of these tests takes longer unless something hangs.
const PATIENCE: Duration = Duration::from_secs(30);

static LAST_CALL: AtomicI64 = AtomicI64::new(0);
static FINISHED: Mutex<BTreeMap<i64, Json<'static>>> = Mutex::new(BTreeMap::new());
static CAME: Condvar = Condvar::new();

/// An object from pairs.
pub fn object<'a>(members: impl IntoIterator<Item = (&'a str, Json<'a>)>) -> Json<'a> {
    Json::object(members)
}

/// The same object with one member set.
pub fn with<'a>(frame: Json<'a>, key: &'a str, value: impl Into<Json<'a>>) -> Json<'a> {
    let Json::Object(mut members) = frame else {
        panic!("not an object");
    };
    members.retain(|(name, _)| name != key);
    members.push((key.into(), value.into()));
    Json::Object(members)
}

pub fn options() -> Json<'static> {
    object([
        ("connect_timeout_ms", Json::Int(5_000)),
        ("max_in_flight", Json::Int(64)),
        ("max_response_bytes", Json::Int(1_000_000)),
        ("allow_insecure_http", Json::Bool(false)),
        ("user_agent", "test/1".into()),
        ("idle_timeout_ms", Json::Int(30_000)),
        ("system_proxy", Json::Bool(false)),
    ])
}

pub fn request(url: &str) -> Json<'static> {
    object([
        ("method", "POST".into()),
        ("url", url.to_owned().into()),
        ("headers", object([("content-type", "application/json".into())])),
        ("body", Json::Bytes(b"{}".as_slice().into())),
        ("timeout_ms", Json::Int(20_000)),
    ])
    .into_owned()
}

#[derive(Debug)]
pub struct Client {
    pub id: i64,
    pub runtime: i64,
    closed: bool,
}

impl Client {
    pub fn open(options: &Json<'_>) -> Result<Client, Error> {
        let opened = transport::open_client(options)?;
        let number = |key| opened.get(key).and_then(Json::as_i64).expect("a number");
        let (id, runtime) = (number("client"), number("runtime"));
        if opened.get("started").and_then(Json::as_bool).expect("a boolean") {
            std::thread::spawn(move || collect(runtime));
        }
        Ok(Client {
            id,
            runtime,
            closed: false,
        })
    }

    pub fn submit(&self, request: &Json<'_>) -> Result<i64, Error> {
        let call = LAST_CALL.fetch_add(1, Ordering::SeqCst) + 1;
        transport::submit_call(self.id, call, request).map(|_| call)
    }

    /// Submits and waits: the CALL of docs/boundary.md, or the error of the submission in the same shape.
    pub fn call(&self, request: &Json<'_>) -> Finished {
        match self.submit(request) {
            Ok(call) => wait_for(call),
            Err(error) => Finished(object([("error", flink_agents_native::jni::frame::error_map(error))]).into_owned()),
        }
    }

    pub fn cancel(&self, call: i64) {
        transport::cancel_call(self.id, call).expect("never fails");
    }

    pub fn close(mut self) {
        self.closed = true;
        transport::close_client(self.id).expect("closed once");
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        if !self.closed {
            transport::close_client(self.id).expect("closed once");
        }
    }
}

/// What the Java daemon thread does.
fn collect(runtime: i64) {
    loop {
        let answer = transport::await_calls(runtime).expect("never fails");
        for finished in answer.get("calls").and_then(Json::as_array).expect("a list") {
            let call = finished.get("call").and_then(Json::as_i64).expect("a number");
            let twice = FINISHED.lock().unwrap().insert(call, finished.clone());
            assert!(twice.is_none(), "call {call} finished twice");
        }
        CAME.notify_all();
        if answer.get("ended").and_then(Json::as_bool).expect("a boolean") {
            return;
        }
    }
}

/// Waits for a submitted call.
pub fn wait_for(call: i64) -> Finished {
    let finished = FINISHED.lock().unwrap();
    let (finished, timeout) = CAME
        .wait_timeout_while(finished, PATIENCE, |finished| !finished.contains_key(&call))
        .unwrap();
    assert!(!timeout.timed_out(), "call {call} does not finish");
    Finished(finished.get(&call).cloned().expect("it is there"))
}

/// A finished call.
#[derive(Debug)]
pub struct Finished(pub Json<'static>);

impl Finished {
    pub fn status(&self) -> i64 {
        let status = self.0.get("status").and_then(Json::as_i64);
        status.unwrap_or_else(|| panic!("no answer: {:?}", self.0))
    }

    pub fn body(&self) -> &[u8] {
        self.0
            .get("body")
            .and_then(Json::as_bytes)
            .unwrap_or_else(|| panic!("no answer: {:?}", self.0))
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.0
            .get("headers")
            .and_then(|headers| headers.get(name))
            .and_then(Json::as_text)
    }

    fn error(&self) -> &Json<'static> {
        self.0.get("error").unwrap_or_else(|| panic!("no error: {:?}", self.0))
    }

    pub fn kind(&self) -> &str {
        self.error().get("kind").and_then(Json::as_text).expect("a kind")
    }

    pub fn message(&self) -> &str {
        self.error().get("message").and_then(Json::as_text).expect("a message")
    }

    pub fn detail(&self, key: &str) -> Option<&Json<'static>> {
        self.error().get("details").and_then(|details| details.get(key))
    }

    pub fn reason(&self) -> &str {
        self.detail("reason")
            .and_then(Json::as_text)
            .unwrap_or_else(|| panic!("no reason: {:?}", self.0))
    }

    #[track_caller]
    pub fn assert_error(&self, kind: ErrorKind, parts: &[&str]) {
        assert_eq!(self.kind(), kind.name(), "{:?}", self.0);
        for part in parts {
            assert!(self.message().contains(part), "`{part}` is not in: {}", self.message());
        }
    }
}

/// A request as the server saw it.
#[derive(Debug, Clone)]
pub struct Seen {
    pub line: String,
    pub headers: BTreeMap<String, String>,
    pub body: Vec<u8>,
}

/// A server on loopback, one thread for each connection.
pub struct Server {
    pub address: SocketAddr,
    pub connections: Arc<AtomicUsize>,
    pub seen: Arc<Mutex<Vec<Seen>>>,
}

impl Server {
    /// `answer` writes to the connection and says whether it stays open.
    pub fn start(answer: impl Fn(&Seen, &mut TcpStream) -> bool + Send + Sync + 'static) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let server = Server {
            address: listener.local_addr().expect("an address"),
            connections: Arc::default(),
            seen: Arc::default(),
        };
        let (connections, seen, answer) = (server.connections.clone(), server.seen.clone(), Arc::new(answer));
        std::thread::spawn(move || {
            for connection in listener.incoming().flatten() {
                connections.fetch_add(1, Ordering::SeqCst);
                let (seen, answer) = (seen.clone(), answer.clone());
                std::thread::spawn(move || serve(connection, &seen, &*answer));
            }
        });
        server
    }

    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    pub fn requests(&self) -> usize {
        self.seen.lock().unwrap().len()
    }
}

fn serve(connection: TcpStream, seen: &Mutex<Vec<Seen>>, answer: &dyn Fn(&Seen, &mut TcpStream) -> bool) {
    let mut reader = BufReader::new(connection.try_clone().expect("a second handle"));
    let mut writer = connection;
    while let Some(request) = read_request(&mut reader) {
        seen.lock().unwrap().push(request.clone());
        if !answer(&request, &mut writer) {
            return;
        }
    }
}

pub fn read_request(reader: &mut impl BufRead) -> Option<Seen> {
    let mut line = String::new();
    if reader.read_line(&mut line).ok()? == 0 {
        return None;
    }
    let mut headers = BTreeMap::new();
    loop {
        let mut header = String::new();
        reader.read_line(&mut header).ok()?;
        let Some((name, value)) = header.split_once(':') else {
            break;
        };
        headers.insert(name.to_ascii_lowercase(), value.trim().to_owned());
    }
    let length = headers
        .get("content-length")
        .and_then(|length| length.parse().ok())
        .unwrap_or(0);
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some(Seen {
        line: line.trim().to_owned(),
        headers,
        body,
    })
}

/// Writes an answer with a length and keeps the connection.
pub fn answer(stream: &mut impl Write, status: &str, headers: &str, body: &[u8]) -> bool {
    let head = format!("HTTP/1.1 {status}\r\ncontent-length: {}\r\n{headers}\r\n", body.len());
    stream
        .write_all(head.as_bytes())
        .and_then(|()| stream.write_all(body))
        .is_ok()
}

/// Sleeps as long as the other side keeps the connection, at most as long as tests are patient.
pub fn hold(stream: &mut TcpStream) -> bool {
    stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
    let _ = stream.read(&mut [0]);
    false
}
