//! The call parameters of Chat Completions: typed, each checked, unknown ones refused.

use std::borrow::Cow;

use super::form::{OwnKind, WireForm};
use crate::error::{Error, Result};
use crate::json::Json;
use crate::message::fields::{Members, member};
use crate::provider::body::Body;
use crate::provider::reader::{Reader, invalid, invalid_text};

/// Names of the typed parameters that all have.
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

const TOOL_CHOICE_EXAMPLE: &str = r#"{"type":"function","function":{"name":...}}"#;

/// What the caller set for one call. Nothing that is unset is sent.
#[derive(Debug)]
pub struct Parameters<'a> {
    pub form: &'static WireForm,
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
    /// Reads and checks the parameters of a call.
    pub fn read(given: &'a [(Cow<'_, str>, Json<'_>)], form: &'static WireForm) -> Result<Self> {
        refuse_unknown(given, form)?;
        let reader = Reader { given };
        // The provider reads it itself; here only its type counts.
        reader.text("model")?;
        let mut parameters = Parameters {
            form,
            strict: reader.flag("strict")?,
            tool_choice: reader.tool_choice(TOOL_CHOICE_EXAMPLE)?,
            parallel_tool_calls: reader.flag("parallel_tool_calls")?,
            response_format: reader.object("response_format")?.map(Json::Object),
            plain: Vec::new(),
            additional: reader.object("additional_kwargs")?.unwrap_or_default(),
        };
        if given.is_empty() {
            return Ok(parameters);
        }
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
        set(self.form.max_tokens, reader.integer("max_tokens", 1, i64::MAX)?);
        set("logprobs", logprobs.then_some(Json::Bool(true)));
        set("top_logprobs", top_logprobs);
        set("reasoning_effort", reader.text("reasoning_effort")?.map(Json::Text));
        set("stop", reader.stop()?);
        set("seed", reader.integer("seed", i64::MIN, i64::MAX)?);
        set("top_p", reader.number("top_p", 0.0, 1.0)?);
        set("frequency_penalty", reader.number("frequency_penalty", -2.0, 2.0)?);
        set("presence_penalty", reader.number("presence_penalty", -2.0, 2.0)?);
        set("user", reader.text("user")?.map(Json::Text));
        for own in self.form.own {
            match own.kind {
                OwnKind::Label => drop(reader.text(own.name)?),
                OwnKind::Switch => drop(reader.flag(own.name)?),
                OwnKind::Flag => set(own.name, reader.flag(own.name)?.map(Json::Bool)),
                OwnKind::AtLeast(low) => set(own.name, reader.integer(own.name, low, i64::MAX)?),
            }
        }
        Ok(())
    }

    fn check_additional(&self) -> Result<()> {
        let is_set = |name: &str| match name {
            "tool_choice" => self.tool_choice.is_some(),
            "parallel_tool_calls" => self.parallel_tool_calls.is_some(),
            "strict" => self.strict.is_some(),
            "response_format" => self.response_format.is_some(),
            _ => self.plain.iter().any(|(set, _)| *set == name),
        };
        let repeated: Vec<&str> = self
            .additional
            .iter()
            .map(|(name, _)| name.as_ref())
            .filter(|name| self.form.reserves(name) || is_set(name) || *name == "strict")
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
        if !matches!(member(&self.additional, "stream"), None | Some(Json::Bool(false))) {
            return Err(invalid_text(
                "additional_kwargs",
                "additional_kwargs must not contain stream, except as false: answers are read whole. Remove it.".into(),
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

fn refuse_unknown(given: &[(Cow<'_, str>, Json<'_>)], form: &WireForm) -> Result<()> {
    let typed = || TYPED.into_iter().filter(|name| !form.lacks.contains(name));
    let known = || typed().chain(form.own.iter().map(|own| own.name));
    let is_known = |name: &str| name == "additional_kwargs" || known().any(|known| known == name);
    match given.iter().find(|(name, _)| !is_known(name)) {
        None => Ok(()),
        Some((name, _)) => Err(Error::invalid_argument(format!(
            "Unknown parameter '{name}' for {}. Known parameters: {}. What the service takes beyond them goes into \
             additional_kwargs.",
            form.provider,
            known().collect::<Vec<_>>().join(", ")
        ))
        .with("parameter", name.to_string())),
    }
}
