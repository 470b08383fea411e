//! The thread of ours that owns the tokio runtime, and everything that must be made and dropped near it.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use tokio::runtime::{Builder, Runtime};

use super::exchange::{Command, Exchange, Promise, closed_client};
use super::http::{Answer, Client};
use super::options::Options;
use super::request::Request;
use crate::error::{Error, ErrorKind, Result};

/// One was enough to saturate the measured servers.
const WORKERS: usize = 1;

/// Threads for name resolution, started when needed. Names that hang hold up no more than these.
const MAX_RESOLVERS: usize = 4;

/// How long the end waits for a name resolution that hangs.
const END_TIMEOUT: Duration = Duration::from_secs(3);

const THREAD_NAME: &str = "agents-io";

/// Runs until [`Command::Stop`]. At return all threads of the runtime have ended, except for a name resolution that hung.
pub fn run(exchange: &Arc<Exchange>) {
    let _watch = Watch(exchange);
    let runtime = Builder::new_multi_thread()
        .worker_threads(WORKERS)
        .max_blocking_threads(MAX_RESOLVERS)
        .thread_name(THREAD_NAME)
        .enable_all()
        .build();
    match runtime {
        Ok(runtime) => {
            Dispatcher::new(exchange, &runtime).serve();
            runtime.shutdown_timeout(END_TIMEOUT);
        }
        Err(error) => refuse_all(exchange, &error),
    }
}

/// Ends the exchange when the dispatcher panics, so that nobody waits for it any more.
struct Watch<'a>(&'a Exchange);

impl Drop for Watch<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.end();
        }
    }
}

/// Without a runtime each client is refused, until the last one that tried has gone.
fn refuse_all(exchange: &Exchange, error: &std::io::Error) {
    loop {
        for command in exchange.take_commands() {
            match command {
                Command::Open(_, _, promise) => promise.keep(Err(Error::new(
                    ErrorKind::Transport,
                    format!("the threads of the HTTP transport cannot be started: {error}"),
                ))),
                Command::Stop => return,
                Command::Send(..) | Command::Abort(_) | Command::Close(_) => {}
            }
        }
    }
}

struct Dispatcher<'a> {
    exchange: &'a Arc<Exchange>,
    runtime: &'a Runtime,
    clients: BTreeMap<i64, Arc<Client>>,
}

impl<'a> Dispatcher<'a> {
    fn new(exchange: &'a Arc<Exchange>, runtime: &'a Runtime) -> Self {
        Dispatcher {
            exchange,
            runtime,
            clients: BTreeMap::new(),
        }
    }

    fn serve(mut self) {
        let _context = self.runtime.enter();
        loop {
            for command in self.exchange.take_commands() {
                match command {
                    Command::Open(client, options, promise) => self.open(client, *options, promise),
                    Command::Send(client, call, request) => self.send(client, call, *request),
                    Command::Abort(call) => call.abort(),
                    Command::Close(client) => drop(self.clients.remove(&client)),
                    Command::Stop => return,
                }
            }
        }
    }

    fn open(&mut self, client: i64, options: Options, promise: Promise) {
        let opened = Client::open(options).map(|opened| {
            self.clients.insert(client, Arc::new(opened));
        });
        promise.keep(opened);
    }

    fn send(&self, client: i64, call: i64, request: Request) {
        let Some(submitted) = self.exchange.submitted(call) else {
            return; // cancelled before it began
        };
        let report = Report {
            exchange: Arc::clone(self.exchange),
            call,
        };
        let Some(client) = self.clients.get(&client).cloned() else {
            return report.give(Err(closed_client()));
        };
        let task = self.runtime.spawn(async move {
            let result = client.perform(request, submitted).await;
            report.give(result);
        });
        if let Some(over) = self.exchange.started(call, task.abort_handle()) {
            over.abort();
        }
    }
}

/// The duty to finish a call; a task that panics meets it, too.
struct Report {
    exchange: Arc<Exchange>,
    call: i64,
}

impl Report {
    fn give(self, result: Result<Answer>) {
        self.exchange.finish(self.call, result);
    }
}

impl Drop for Report {
    fn drop(&mut self) {
        let message = "the call ended without a result: a defect of flink-agents-native, please report it";
        self.exchange
            .finish(self.call, Err(Error::new(ErrorKind::Transport, message)));
    }
}
