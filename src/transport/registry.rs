//! The runtimes and clients of this copy of the library.
//!
//! The first client starts a runtime, the last one ends it with all its threads; the next client starts another. So
//! a copy whose clients are closed has no thread and can be unloaded.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::dispatcher;
use super::exchange::{Batch, Command, Exchange, Promise, Reply, closed_client};
use super::options::Options;
use super::request::Request;
use crate::error::{Error, ErrorKind, Result};
use crate::jni::thread::{self, Thread};

const DISPATCHER_NAME: &str = "agents-dispatch";

/// A runtime and those who use it.
struct Running {
    id: i64,
    exchange: Arc<Exchange>,
    dispatcher: Thread,
    /// Clients that are open or being opened.
    users: usize,
    /// Somebody was told to wait for this runtime's calls.
    announced: bool,
}

struct Registry {
    last_id: i64,
    running: Option<Running>,
    /// Clients of the running runtime.
    clients: BTreeMap<i64, Arc<Exchange>>,
    /// Runtimes whose end nobody has taken note of yet.
    awaited: BTreeMap<i64, Arc<Exchange>>,
}

static REGISTRY: Mutex<Registry> = Mutex::new(Registry {
    last_id: 0,
    running: None,
    clients: BTreeMap::new(),
    awaited: BTreeMap::new(),
});

fn registry() -> MutexGuard<'static, Registry> {
    REGISTRY.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A client that is open.
#[derive(Debug)]
pub struct Opened {
    pub client: i64,
    pub runtime: i64,
    /// The caller has to wait for this runtime's calls from now on.
    pub started: bool,
}

/// Opens a client and waits until it is ready or refused.
pub fn open(options: Options) -> Result<Opened> {
    let (client, exchange) = registry().join()?;
    let reply = Arc::new(Reply::default());
    exchange.put(Command::Open(client, Box::new(options), Promise::new(&reply)));
    match reply.wait() {
        Ok(()) => Ok(registry().opened(client, exchange)),
        Err(error) => {
            leave();
            Err(error)
        }
    }
}

/// Closes a client; when it was the last, waits for the end of all threads.
pub fn close(client: i64) -> Result<()> {
    let exchange = registry().clients.remove(&client).ok_or_else(closed_client)?;
    exchange.close_client(client);
    leave();
    Ok(())
}

pub fn submit(client: i64, call: i64, request: Request) -> Result<()> {
    let exchange = registry().clients.get(&client).cloned();
    exchange.ok_or_else(closed_client)?.submit(client, call, request)
}

/// Unknown clients and calls are ignored: the call may have finished in between.
pub fn cancel(client: i64, call: i64) {
    let exchange = registry().clients.get(&client).cloned();
    if let Some(exchange) = exchange {
        exchange.cancel(client, call);
    }
}

/// Blocks until calls have finished or the runtime has ended. A runtime that is not known has ended.
pub fn await_calls(runtime: i64) -> Batch {
    let exchange = registry().awaited.get(&runtime).cloned();
    let Some(exchange) = exchange else {
        return Batch {
            calls: Vec::new(),
            ended: true,
        };
    };
    let batch = exchange.take_finished();
    if batch.ended {
        registry().awaited.remove(&runtime);
    }
    batch
}

/// The last batch of this runtime did not reach Java.
pub fn return_batch(runtime: i64) {
    let exchange = registry().awaited.get(&runtime).cloned();
    if let Some(exchange) = exchange {
        exchange.return_batch();
    }
}

impl Registry {
    fn next_id(&mut self) -> i64 {
        self.last_id += 1;
        self.last_id
    }

    /// Counts one more user, of a new runtime if there is none.
    fn join(&mut self) -> Result<(i64, Arc<Exchange>)> {
        let client = self.next_id();
        if let Some(running) = &mut self.running {
            running.users += 1;
            return Ok((client, Arc::clone(&running.exchange)));
        }
        let exchange = Arc::new(Exchange::default());
        let dispatcher = start_dispatcher(Arc::clone(&exchange))?;
        let id = self.next_id();
        self.awaited.insert(id, Arc::clone(&exchange));
        self.running = Some(Running {
            id,
            exchange: Arc::clone(&exchange),
            dispatcher,
            users: 1,
            announced: false,
        });
        Ok((client, exchange))
    }

    fn opened(&mut self, client: i64, exchange: Arc<Exchange>) -> Opened {
        exchange.add_client(client);
        self.clients.insert(client, exchange);
        // The runtime runs as long as this client counts as a user.
        let running = self.running.as_mut();
        let (runtime, started) = running.map_or((0, false), |running| {
            (running.id, !std::mem::replace(&mut running.announced, true))
        });
        Opened {
            client,
            runtime,
            started,
        }
    }
}

fn start_dispatcher(exchange: Arc<Exchange>) -> Result<Thread> {
    thread::start(DISPATCHER_NAME, Box::new(move || dispatcher::run(&exchange))).map_err(|error| {
        Error::new(
            ErrorKind::Transport,
            format!("the thread of the HTTP transport cannot be started: {error}"),
        )
    })
}

/// Counts one user less. The last one ends the runtime and waits for its threads, holding no lock.
fn leave() {
    let mut registry = registry();
    let Some(running) = registry.running.as_mut() else {
        return;
    };
    running.users -= 1;
    if running.users > 0 {
        return;
    }
    let last = registry.running.take();
    drop(registry);
    if let Some(running) = last {
        end(running);
    }
}

fn end(running: Running) {
    running.exchange.put(Command::Stop);
    running.dispatcher.join();
    running.exchange.end();
    if !running.announced {
        registry().awaited.remove(&running.id);
    }
}
