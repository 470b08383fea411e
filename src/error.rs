//! The one error type of the crate, and the one table of kinds.
//!
//! An error says what went wrong, where (message index, JSON Pointer, setting) and what to do. It never holds a secret, a
//! payload or a media URL.

use crate::json::Json;

/// What kind of failure, for programs. The names are the same in Rust, Java, frames and docs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ErrorKind {
    /// The caller passed something unusable. Java: `IllegalArgumentException`.
    InvalidArgument,
    /// A content block that this provider cannot carry. Java: `UnsupportedContentBlockException`.
    UnsupportedBlock,
    /// A setting is missing or wrong; repeating the call cannot help.
    Configuration,
    /// The provider answered with an error. Details: `status`, `code`, `type`, `request_id`, `retryable`, `retry_after_ms`.
    ProviderError,
    /// A deadline passed. Details: `phase`, `timeout_ms`.
    Timeout,
    /// The connection failed before an answer was complete.
    Transport,
    /// The model refused to answer.
    Refusal,
    /// The answer was cut at a token limit.
    Truncated,
    /// The provider's content filter withheld the answer.
    ContentFilter,
    /// The answer does not fit the schema. Details: `pointer`, `violations`.
    InvalidOutput,
    /// A tool call cannot be used.
    InvalidToolCall,
    /// The provider answered with nothing.
    EmptyResponse,
    /// A router could not choose a model.
    Routing,
    /// The call was cancelled by its caller.
    Cancelled,
    /// The client was closed while the call was in flight, or before.
    Closed,
    /// A record of the journal cannot be used, or the journal failed. Java: `JournalException`.
    Journal,
    /// A frame that the other side should never have written: a defect of this library.
    Frame,
}

impl ErrorKind {
    /// Every kind, in the order of the table that Java is tested against.
    pub const ALL: [ErrorKind; 17] = [
        ErrorKind::InvalidArgument,
        ErrorKind::UnsupportedBlock,
        ErrorKind::Configuration,
        ErrorKind::ProviderError,
        ErrorKind::Timeout,
        ErrorKind::Transport,
        ErrorKind::Refusal,
        ErrorKind::Truncated,
        ErrorKind::ContentFilter,
        ErrorKind::InvalidOutput,
        ErrorKind::InvalidToolCall,
        ErrorKind::EmptyResponse,
        ErrorKind::Routing,
        ErrorKind::Cancelled,
        ErrorKind::Closed,
        ErrorKind::Journal,
        ErrorKind::Frame,
    ];

    /// The name that crosses the boundary and stands in outcomes.
    pub const fn name(self) -> &'static str {
        match self {
            ErrorKind::InvalidArgument => "invalid_argument",
            ErrorKind::UnsupportedBlock => "unsupported_block",
            ErrorKind::Configuration => "configuration",
            ErrorKind::ProviderError => "provider_error",
            ErrorKind::Timeout => "timeout",
            ErrorKind::Transport => "transport",
            ErrorKind::Refusal => "refusal",
            ErrorKind::Truncated => "truncated",
            ErrorKind::ContentFilter => "content_filter",
            ErrorKind::InvalidOutput => "invalid_output",
            ErrorKind::InvalidToolCall => "invalid_tool_call",
            ErrorKind::EmptyResponse => "empty_response",
            ErrorKind::Routing => "routing",
            ErrorKind::Cancelled => "cancelled",
            ErrorKind::Closed => "closed",
            ErrorKind::Journal => "journal",
            ErrorKind::Frame => "frame",
        }
    }

    /// The kind of that name.
    pub fn parse(name: &str) -> Option<ErrorKind> {
        ErrorKind::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// The class that Java throws for this kind, as error texts name it (#1149 C2). A rejected finish reason is named as upstream
    /// throws it.
    pub const fn java_class(self) -> &'static str {
        match self {
            ErrorKind::InvalidArgument => "java.lang.IllegalArgumentException",
            ErrorKind::UnsupportedBlock => "io.github.flinkagentsnative.UnsupportedContentBlockException",
            ErrorKind::Configuration => "io.github.flinkagentsnative.ChatConfigurationException",
            ErrorKind::Journal => "io.github.flinkagentsnative.JournalException",
            ErrorKind::Truncated | ErrorKind::ContentFilter | ErrorKind::Frame => "java.lang.IllegalStateException",
            _ => "io.github.flinkagentsnative.ChatModelException",
        }
    }
}

/// A failure that is data: kind, message for people, details for programs.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{message}")]
pub struct Error {
    pub kind: ErrorKind,
    pub message: String,
    pub details: Vec<(&'static str, Json<'static>)>,
}

impl Error {
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Error {
            kind,
            message: message.into(),
            details: Vec::new(),
        }
    }

    pub fn invalid_argument(message: impl Into<String>) -> Self {
        Error::new(ErrorKind::InvalidArgument, message)
    }

    pub fn configuration(message: impl Into<String>) -> Self {
        Error::new(ErrorKind::Configuration, message)
    }

    /// Adds a detail for programs; an absent value is left out.
    pub fn with(mut self, key: &'static str, value: impl Into<Json<'static>>) -> Self {
        let value = value.into();
        if value != Json::Null {
            self.details.push((key, value));
        }
        self
    }
}

pub type Result<T> = std::result::Result<T, Error>;
