//! The call parameters of Chat Completions: typed, each checked, unknown ones refused.

use std::borrow::Cow;

use crate::error::{Error, Result};
use crate::json::Json;
use crate::message::fields::{Members, member};
use crate::provider::body::Body;
use crate::provider::reader::{Reader, invalid, invalid_text};

/// Names of the typed parameters; `model_of_azure_deployment` is Azure's alone.
const TYPED: [&str; 16] = [
    "model",
    "temperature",
    "max_tokens",
    "logprobs",
    "top_logprobs",
    "reasoning_effort",
    "strict",
    "tool_choice",
    "parallel_tool_calls",
    "stop",
    "seed",
    "top_p",
    "frequency_penalty",
    "presence_penalty",
    "user",
    "response_format",
];

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

const TOOL_CHOICE_EXAMPLE: &str = r#"{"type":"function","function":{"name":...}}"#;

/// What the caller set for one call. Nothing that is unset is sent.
#[derive(Debug, Default)]
pub struct Parameters<'a> {
    pub strict: Option<bool>,
    /// Sent only together with tools: the service refuses them alone.
    pub tool_choice: Option<Json<'a>>,
    pub parallel_tool_calls: Option<bool>,
    pub response_format: Option<Json<'a>>,
    /// What goes into the body under its own name, in writing order.
    plain: Vec<(&'static str, Json<'a>)>,
    pub additional: Members<'a>,
}

impl<'a> Parameters<'a> {
    /// Reads and checks the parameters of a call. `azure` adds `model_of_azure_deployment`.
    pub fn read(given: &'a [(Cow<'_, str>, Json<'_>)], provider: &str, azure: bool) -> Result<Self> {
        refuse_unknown(given, provider, azure)?;
        let reader = Reader { given };
        // The provider reads these two itself; here only their type counts.
        reader.text("model")?;
        reader.text("model_of_azure_deployment")?;
        let mut parameters = Parameters {
            strict: reader.flag("strict")?,
            tool_choice: reader.tool_choice(TOOL_CHOICE_EXAMPLE)?,
            parallel_tool_calls: reader.flag("parallel_tool_calls")?,
            response_format: reader.object("response_format")?.map(Json::Object),
            plain: Vec::new(),
            additional: reader.object("additional_kwargs")?.unwrap_or_default(),
        };
        parameters.read_plain(&reader)?;
        parameters.additional.retain(|(_, value)| *value != Json::Null);
        parameters.check_additional()?;
        Ok(parameters)
    }

    /// Writes what has a place between the tools and `response_format`.
    pub fn write_plain(&self, body: &mut Body) {
        for (name, value) in &self.plain {
            body.key(name).json(value);
        }
    }

    /// Writes `additional_kwargs` at the end of the body.
    pub fn write_additional(&self, body: &mut Body) {
        for (name, value) in &self.additional {
            body.key(name).json(value);
        }
    }

    fn read_plain(&mut self, reader: &Reader<'a>) -> Result<()> {
        let logprobs = reader.flag("logprobs")?.unwrap_or(false);
        let top_logprobs = reader.integer("top_logprobs", 0, 20)?;
        if top_logprobs.is_some() && !logprobs {
            return Err(invalid("top_logprobs", "needs logprobs = true"));
        }
        let plain = &mut self.plain;
        let mut set = |name: &'static str, value: Option<Json<'a>>| plain.extend(value.map(|value| (name, value)));
        set("temperature", reader.number("temperature", 0.0, 2.0)?);
        // The service refuses `max_tokens` for current models.
        set("max_completion_tokens", reader.integer("max_tokens", 1, i64::MAX)?);
        set("logprobs", logprobs.then_some(Json::Bool(true)));
        set("top_logprobs", top_logprobs);
        set("reasoning_effort", reader.text("reasoning_effort")?.map(Json::Text));
        set("stop", reader.stop()?);
        set("seed", reader.integer("seed", i64::MIN, i64::MAX)?);
        set("top_p", reader.number("top_p", 0.0, 1.0)?);
        set("frequency_penalty", reader.number("frequency_penalty", -2.0, 2.0)?);
        set("presence_penalty", reader.number("presence_penalty", -2.0, 2.0)?);
        set("user", reader.text("user")?.map(Json::Text));
        Ok(())
    }

    fn check_additional(&self) -> Result<()> {
        let is_set = |name: &str| match name {
            "tool_choice" => self.tool_choice.is_some(),
            "parallel_tool_calls" => self.parallel_tool_calls.is_some(),
            "response_format" => self.response_format.is_some(),
            _ => self.plain.iter().any(|(set, _)| *set == name),
        };
        let repeated: Vec<&str> = self
            .additional
            .iter()
            .map(|(name, _)| name.as_ref())
            .filter(|name| RESERVED.contains(name) || is_set(name))
            .collect();
        if !repeated.is_empty() {
            return Err(invalid_text(
                "additional_kwargs",
                format!(
                    "additional_kwargs must not contain reserved typed fields: {}. Pass them as parameters of their own.",
                    repeated.join(", ")
                ),
            ));
        }
        if member(&self.additional, "stream") == Some(&Json::Bool(true)) {
            return Err(invalid_text(
                "additional_kwargs",
                "additional_kwargs must not contain stream = true: answers are read whole. Remove it.".into(),
            ));
        }
        Ok(())
    }
}

/// Whether the caller set a response format, through either channel; null is none. Never fails.
pub fn own_format(given: &[(Cow<'_, str>, Json<'_>)]) -> bool {
    let additional = member(given, "additional_kwargs").and_then(|kwargs| kwargs.get("response_format"));
    additional.or(member(given, "response_format")).is_some()
}

fn refuse_unknown(given: &[(Cow<'_, str>, Json<'_>)], provider: &str, azure: bool) -> Result<()> {
    let is_known = |name: &str| {
        TYPED.contains(&name) || name == "additional_kwargs" || (azure && name == "model_of_azure_deployment")
    };
    match given.iter().find(|(name, _)| !is_known(name)) {
        None => Ok(()),
        Some((name, _)) => Err(Error::invalid_argument(format!(
            "Unknown parameter '{name}' for {provider}. Known parameters: {}. What the service takes beyond them goes \
             into additional_kwargs.",
            TYPED.join(", ")
        ))
        .with("parameter", name.to_string())),
    }
}
