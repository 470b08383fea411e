//! The wire form of Chat Completions, shared by every provider that speaks it: parameters, request body, response. What one of
//! them does differently stands in its [`WireForm`].

mod form;
mod parameters;
mod request;
mod response;

pub use form::{Own, OwnKind, WireForm};
pub use parameters::{Parameters, own_format};
pub use request::{check_media, write_body, write_calls, write_native_format, write_tools};
pub use response::{read_completion, read_message};

/// What the wire form is called in messages; OpenAI, Azure and vLLM share it.
pub const DISPLAY_NAME: &str = "OpenAI Chat Completions";

/// Begins the message about an answer without a choice.
pub const NO_COMPLETION: &str = "OpenAI Chat Completions returned no completion";

/// Why a caller's own `response_format` stands in the way of `schema`, which is sent to `target`.
pub fn collision(schema: &str, target: &str) -> String {
    format!(
        "The output schema {schema} is sent to {target} as response_format: response_format must not also be set in the model \
         parameters or in additional_kwargs. Remove response_format, or drop the output schema."
    )
}
