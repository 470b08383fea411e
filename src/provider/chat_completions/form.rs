//! What a provider that speaks Chat Completions does differently from OpenAI.

use std::borrow::Cow;

use super::DISPLAY_NAME;
use super::request::openai_fault;
use crate::message::{Media, Role};

/// Never allowed in `additional_kwargs`, set or not: the library writes them itself or has a typed parameter that changes
/// more than the body (#930). Every other typed name is refused there only beside its typed twin.
const RESERVED: [&str; 9] = [
    "model",
    "model_of_azure_deployment",
    "messages",
    "tools",
    "temperature",
    "max_tokens",
    "logprobs",
    "top_logprobs",
    "reasoning_effort",
];

/// One provider's form of the wire format.
#[derive(Debug)]
pub struct WireForm {
    /// The provider's name, in errors about parameters.
    pub provider: &'static str,
    /// Its name for people, in errors about blocks.
    pub display_name: &'static str,
    /// What the body calls the limit of the answer.
    pub max_tokens: &'static str,
    /// What the body calls a tool choice that is a word.
    pub tool_choice_word: &'static str,
    /// OpenAI's typed parameters that it does not have.
    pub lacks: &'static [&'static str],
    /// Typed parameters beside OpenAI's.
    pub own: &'static [Own],
    /// Further names that `additional_kwargs` must not hold, because the library writes them.
    pub reserved: &'static [&'static str],
    /// Why a medium cannot be sent.
    pub media_fault: fn(Role, &Media<'_>) -> Option<Cow<'static, str>>,
}

/// A parameter that only this provider has.
#[derive(Debug)]
pub struct Own {
    pub name: &'static str,
    pub kind: OwnKind,
}

#[derive(Debug, Clone, Copy)]
pub enum OwnKind {
    /// A text that the provider reads itself; not sent.
    Label,
    /// A flag about the answer that the provider reads itself; not sent.
    Switch,
    Flag,
    /// An integer of at least this.
    AtLeast(i64),
}

impl WireForm {
    /// OpenAI's own.
    pub const fn openai(provider: &'static str) -> WireForm {
        WireForm {
            provider,
            display_name: DISPLAY_NAME,
            // The service refuses `max_tokens` for current models.
            max_tokens: "max_completion_tokens",
            tool_choice_word: "tool_choice",
            lacks: &[],
            own: &[],
            reserved: &[],
            media_fault: openai_fault,
        }
    }

    /// Whether `additional_kwargs` must not hold this name.
    pub fn reserves(&self, name: &str) -> bool {
        self.reserved.contains(&name) || RESERVED.contains(&name) && !self.lacks.contains(&name)
    }
}
