//! The chat-model core of Flink Agents: which way an output schema travels (and why), what exactly goes on the wire, what came
//! back, and what became of each request.
//!
//! | module | what it holds |
//! |---|---|
//! | [`json`] | values with exact numbers, as they cross the boundary |
//! | [`message`] | `ChatMessage`, content blocks, `ChatResult`, usage |
//! | [`schema`] | output schemas, what a provider gets of them, the check of an answer |
//! | [`structured`] | strategy and support make a decision, with reasons |
//! | [`provider`] | one file for each provider: support, request, response |
//! | [`outcome`] | what became of a request |
//! | [`run`] | the chat run: a pure state machine |
//! | [`transport`] | HTTP: runtime, deadlines, cancellation, completion queue |
//! | [`entry`] | the operations that the boundary offers, as ordinary functions |
//! | [`jni`] | exports, guard and frames; the only place with `unsafe` |

#![deny(unsafe_code)]
#![warn(missing_debug_implementations)]

pub mod entry;
pub mod error;
pub mod json;
pub mod message;
pub mod outcome;
pub mod provider;
pub mod run;
pub mod schema;
pub mod structured;
pub mod transport;

#[allow(unsafe_code)]
pub mod jni;
