//! The one place where Java threads and our threads meet: a mutex and two condition variables.
//!
//! Java threads put commands in and take finished calls out; they never enter tokio, whose thread-locals would keep the library
//! mapped. The dispatcher takes the commands; tasks put the finished calls in. Each call finishes exactly once: whoever removes
//! it from `calls` reports it, everybody else comes too late and says nothing.
//!
//! The lock is held for map operations only, never while something is called, awaited or dropped that has code of its own.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::mem;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use tokio::task::AbortHandle;

use super::http::Answer;
use super::options::Options;
use super::request::Request;
use crate::error::{Error, ErrorKind, Result};

/// What Java asks the dispatcher to do.
pub enum Command {
    Open(i64, Box<Options>, Promise),
    Send(i64, i64, Box<Request>),
    /// The call is finished already; what is left is to close its connection.
    Abort(AbortHandle),
    Close(i64),
    Stop,
}

/// A call that is over.
#[derive(Debug)]
pub struct Finished {
    pub call: i64,
    pub elapsed_ms: u64,
    pub result: Result<Answer>,
}

/// Finished calls for one answer of `awaitCalls`.
#[derive(Debug)]
pub struct Batch {
    pub calls: Vec<Finished>,
    pub ended: bool,
}

struct Pending {
    client: i64,
    submitted: Instant,
    /// There once the dispatcher has started the call.
    abort: Option<AbortHandle>,
}

#[derive(Default)]
struct State {
    clients: BTreeSet<i64>,
    calls: BTreeMap<i64, Pending>,
    commands: VecDeque<Command>,
    finished: VecDeque<Finished>,
    /// Calls of the last batch, in case that it does not reach Java.
    handed_over: Vec<(i64, u64)>,
    ended: bool,
}

/// Shared by the Java threads, the dispatcher and the tasks of one runtime.
#[derive(Default)]
pub struct Exchange {
    state: Mutex<State>,
    command_came: Condvar,
    call_finished: Condvar,
}

/// Headers and bodies in one batch, so that it fits a frame and the JVM gets it in one piece.
const BATCH_BYTES: usize = 32 * 1024 * 1024;

impl Exchange {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn put(&self, command: Command) {
        let mut state = self.lock();
        if state.ended {
            drop(state);
            return drop(command); // which refuses an opening client
        }
        state.commands.push_back(command);
        drop(state);
        self.command_came.notify_one();
    }

    /// Blocks until there are commands.
    pub fn take_commands(&self) -> VecDeque<Command> {
        let mut state = self.lock();
        while state.commands.is_empty() {
            state = self.command_came.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        mem::take(&mut state.commands)
    }

    pub fn add_client(&self, client: i64) {
        self.lock().clients.insert(client);
    }

    /// Registers the call and hands it to the dispatcher.
    pub fn submit(&self, client: i64, call: i64, request: Request) -> Result<()> {
        let mut state = self.lock();
        if state.ended || !state.clients.contains(&client) {
            return Err(closed_client());
        }
        if state.calls.contains_key(&call) {
            return Err(Error::invalid_argument(format!("call {call} is in flight already")));
        }
        let pending = Pending {
            client,
            submitted: Instant::now(),
            abort: None,
        };
        state.calls.insert(call, pending);
        state.commands.push_back(Command::Send(client, call, Box::new(request)));
        drop(state);
        self.command_came.notify_one();
        Ok(())
    }

    /// When the call was submitted, if it still has to be made.
    pub fn submitted(&self, call: i64) -> Option<Instant> {
        self.lock().calls.get(&call).map(|pending| pending.submitted)
    }

    /// Remembers how to stop a started call; gives the handle back if the call is over by now.
    pub fn started(&self, call: i64, abort: AbortHandle) -> Option<AbortHandle> {
        match self.lock().calls.get_mut(&call) {
            Some(pending) => {
                pending.abort = Some(abort);
                None
            }
            None => Some(abort),
        }
    }

    pub fn finish(&self, call: i64, result: Result<Answer>) {
        let mut state = self.lock();
        let Some(pending) = state.calls.remove(&call) else {
            return;
        };
        state.finished.push_back(finished(call, &pending, result));
        drop(state);
        self.call_finished.notify_all();
    }

    /// Finishes the call as cancelled, if it is in flight and of this client.
    pub fn cancel(&self, client: i64, call: i64) {
        let mut state = self.lock();
        if state.calls.get(&call).is_some_and(|pending| pending.client == client) {
            let error = Error::new(ErrorKind::Cancelled, "the call was cancelled");
            state.finish_and_abort(call, error);
        }
        drop(state);
        self.wake_all();
    }

    /// Finishes the client's calls as closed and lets the dispatcher drop its connections.
    pub fn close_client(&self, client: i64) {
        let mut state = self.lock();
        state.clients.remove(&client);
        let calls = state.calls.iter().filter(|(_, pending)| pending.client == client);
        let calls: Vec<i64> = calls.map(|(call, _)| *call).collect();
        for call in calls {
            let error = Error::new(ErrorKind::Closed, "the client was closed while the call was in flight");
            state.finish_and_abort(call, error);
        }
        state.commands.push_back(Command::Close(client));
        drop(state);
        self.wake_all();
    }

    /// Ends the runtime for those who wait. What is still in flight is reported, so that nothing is lost.
    pub fn end(&self) {
        let mut state = self.lock();
        state.ended = true;
        for call in state.calls.keys().copied().collect::<Vec<_>>() {
            let error = Error::new(ErrorKind::Closed, "the transport ended while the call was in flight");
            state.finish_and_abort(call, error);
        }
        let left = mem::take(&mut state.commands);
        drop(state);
        drop(left);
        self.wake_all();
    }

    /// Blocks until calls have finished or the runtime has ended. The end comes alone, after the last calls.
    pub fn take_finished(&self) -> Batch {
        let mut state = self.lock();
        while state.finished.is_empty() && !state.ended {
            state = self.call_finished.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        let calls = state.next_batch();
        state.handed_over = calls.iter().map(|call| (call.call, call.elapsed_ms)).collect();
        let ended = state.ended && calls.is_empty();
        Batch { calls, ended }
    }

    /// The last batch did not reach Java: its calls finish again, as failures that are small.
    pub fn return_batch(&self) {
        let mut state = self.lock();
        let returned = mem::take(&mut state.handed_over);
        for (call, elapsed_ms) in returned {
            let message = "the answer arrived, but the JVM had no memory to take it over; give it more heap, or lower `maxInFlight` \
                           or `maxResponseBytes`";
            let result = Err(Error::new(ErrorKind::Transport, message).with("reason", "no_memory"));
            state.finished.push_back(Finished {
                call,
                elapsed_ms,
                result,
            });
        }
        drop(state);
        self.wake_all();
    }

    fn wake_all(&self) {
        self.command_came.notify_one();
        self.call_finished.notify_all();
    }
}

impl State {
    fn finish_and_abort(&mut self, call: i64, error: Error) {
        if let Some(pending) = self.calls.remove(&call) {
            self.finished.push_back(finished(call, &pending, Err(error)));
            self.commands.extend(pending.abort.map(Command::Abort));
        }
    }

    fn next_batch(&mut self) -> Vec<Finished> {
        let mut calls = Vec::new();
        let mut bytes = 0;
        while let Some(next) = self.finished.front() {
            bytes += next.result.as_ref().map_or(0, Answer::size);
            if bytes > BATCH_BYTES && !calls.is_empty() {
                break;
            }
            calls.extend(self.finished.pop_front());
        }
        calls
    }
}

fn finished(call: i64, pending: &Pending, result: Result<Answer>) -> Finished {
    let elapsed_ms = u64::try_from(pending.submitted.elapsed().as_millis()).unwrap_or(u64::MAX);
    Finished {
        call,
        elapsed_ms,
        result,
    }
}

/// For a client that was closed, or never was.
pub fn closed_client() -> Error {
    Error::new(ErrorKind::Closed, "the client is closed; open a new one")
}

/// Where `openClient` waits for the dispatcher.
#[derive(Default)]
pub struct Reply {
    result: Mutex<Option<Result<()>>>,
    came: Condvar,
}

impl Reply {
    fn lock(&self) -> MutexGuard<'_, Option<Result<()>>> {
        self.result.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn wait(&self) -> Result<()> {
        let mut result = self.lock();
        loop {
            match result.take() {
                Some(result) => return result,
                None => result = self.came.wait(result).unwrap_or_else(PoisonError::into_inner),
            }
        }
    }
}

/// The dispatcher's duty to reply. Dropped without a reply, it refuses, so that nobody waits for a dispatcher that is gone.
pub struct Promise(Option<Arc<Reply>>);

impl Promise {
    pub fn new(reply: &Arc<Reply>) -> Self {
        Promise(Some(Arc::clone(reply)))
    }

    pub fn keep(mut self, result: Result<()>) {
        self.settle(result);
    }

    fn settle(&mut self, result: Result<()>) {
        if let Some(reply) = self.0.take() {
            *reply.lock() = Some(result);
            reply.came.notify_all();
        }
    }
}

impl Drop for Promise {
    fn drop(&mut self) {
        let message =
            "the HTTP transport has ended without an answer: a defect of flink-agents-native, please report it";
        self.settle(Err(Error::new(ErrorKind::Transport, message)));
    }
}
