//! The chat run: one request, from its first call to its one outcome (#1149, #1215), as a pure state machine. It does no I/O and
//! reads no clock: [`start`] and [`accept`] say what to do next, the caller does it and tells what happened.
//!
//! | file | what it holds |
//! |---|---|
//! | `spec` | what a run is told at its start |
//! | `machine` | the transitions |
//! | `state` | what a run remembers from one step to the next: counters, ids, phase |
//! | `action`, `event` | what to do next, and what happened |
//! | `history` | which messages a call gets |
//! | `gate` | may the schema travel natively? asked once for each candidate |
//! | `retry`, `failure` | is a failure repeated, and when |
//! | `reask` | what a model is told about its invalid answer |
//! | `record` | the records of a journal |
//! | `router` | which model answers |

mod action;
mod event;
mod failure;
mod gate;
pub mod history;
mod machine;
mod reask;
pub mod record;
mod retry;
pub mod router;
mod spec;
mod state;

pub use action::Action;
pub use event::Event;
pub use failure::Failure;
pub use machine::{FINALIZATION, Step, accept, start};
pub use retry::{MAX_HINT_MS, wait_before};
pub use spec::{MAX_REASKS, MAX_RETRIES, MAX_TOOL_ROUNDS, MAX_WAIT_MS, Reask, Retry, RetryOn, Spec};
pub use state::{Phase, State};
