//! The wire form of Chat Completions, shared by every provider that speaks it: parameters, request body, response.

mod parameters;
mod request;
mod response;

pub use parameters::{Parameters, own_format};
pub use request::write_body;
pub use response::read_completion;

/// What the wire form is called in messages; OpenAI and Azure share it.
pub const DISPLAY_NAME: &str = "OpenAI Chat Completions";
