//! The call parameters of Messages: typed, each checked, unknown ones refused.

use std::borrow::Cow;

use super::DISPLAY_NAME;
use crate::error::{Error, Result};
use crate::json::Json;
use crate::message::fields::{Members, member};
use crate::provider::body::Body;
use crate::provider::reader::{Reader, invalid, invalid_text};

const TYPED: [&str; 14] = [
    "model",
    "temperature",
    "max_tokens",
    "top_p",
    "top_k",
    "stop",
    "reasoning_effort",
    "thinking",
    "json_prefill",
    "strict",
    "tool_choice",
    "parallel_tool_calls",
    "service_tier",
    "additional_kwargs",
];

/// What other services have and this one has not; it would answer with a 400.
const ABSENT: [&str; 8] = [
    "seed",
    "logprobs",
    "top_logprobs",
    "logit_bias",
    "n",
    "frequency_penalty",
    "presence_penalty",
    "user",
];

/// Body keys that `additional_kwargs` may not hold beside the typed names: the library writes them.
const WRITTEN: [&str; 4] = ["messages", "system", "tools", "stop_sequences"];

const TOOL_CHOICE_EXAMPLE: &str = r#"{"type":"tool","name":...}"#;

/// The service wants a limit with each request. Every model takes this one, the oldest no larger one.
const DEFAULT_MAX_TOKENS: i64 = 4096;

/// What the caller set for one call. Nothing that is unset is sent, but for `max_tokens`.
#[derive(Debug)]
pub struct Parameters<'a> {
    pub strict: Option<bool>,
    /// Sent only together with tools.
    pub tool_choice: Option<Json<'a>>,
    /// What goes into the body under its own name, in writing order.
    plain: Vec<(&'static str, Json<'a>)>,
    /// The caller's `output_config`; the schema's `format` joins it.
    pub output_config: Members<'a>,
    additional: Members<'a>,
}

impl<'a> Parameters<'a> {
    pub fn read(given: &'a [(Cow<'_, str>, Json<'_>)]) -> Result<Self> {
        refuse_unknown(given)?;
        let reader = Reader { given };
        // The provider reads these itself; here only their type counts.
        reader.text("model")?;
        reader.flag("json_prefill")?;
        let mut additional = reader.object("additional_kwargs")?.unwrap_or_default();
        additional.retain(|(_, value)| *value != Json::Null);
        check_additional(&additional)?;
        let mut output_config = take_output_config(&mut additional)?;
        if let Some(effort) = reader.text("reasoning_effort")? {
            output_config.insert(0, ("effort".into(), Json::Text(effort)));
        }
        Ok(Parameters {
            strict: reader.flag("strict")?,
            tool_choice: read_tool_choice(&reader)?,
            plain: read_plain(&reader)?,
            output_config,
            additional,
        })
    }

    /// Writes what has a place between the model and the messages.
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
}

fn additional<'j>(given: &'j [(Cow<'_, str>, Json<'_>)], key: &str) -> Option<&'j Json<'j>> {
    member(given, "additional_kwargs").and_then(|kwargs| kwargs.get(key))
}

/// Where the caller set a format of its own; null is none. `output_format` is the former name. Never fails.
pub fn own_format(given: &[(Cow<'_, str>, Json<'_>)]) -> Option<&'static str> {
    let format = additional(given, "output_config").and_then(|config| config.get("format"));
    match format {
        Some(_) => Some("output_config.format"),
        None => additional(given, "output_format").map(|_| "output_format"),
    }
}

/// Whether the request has an `output_config` without any schema. Never fails.
pub fn own_output_config(given: &[(Cow<'_, str>, Json<'_>)]) -> bool {
    member(given, "reasoning_effort").is_some()
        || additional(given, "output_config").is_some()
        || additional(given, "output_format").is_some()
}

fn read_plain<'a>(reader: &Reader<'a>) -> Result<Vec<(&'static str, Json<'a>)>> {
    let mut plain = Vec::new();
    let mut set = |name: &'static str, value: Option<Json<'a>>| plain.extend(value.map(|value| (name, value)));
    let limit = reader.integer("max_tokens", 1, i64::MAX)?;
    set("max_tokens", limit.or(Some(Json::Int(DEFAULT_MAX_TOKENS))));
    set("temperature", reader.number("temperature", 0.0, 1.0)?);
    set("top_p", reader.number("top_p", 0.0, 1.0)?);
    set("top_k", reader.integer("top_k", 0, i64::MAX)?);
    set("stop_sequences", read_stop(reader)?);
    set("thinking", reader.object("thinking")?.map(Json::Object));
    set("service_tier", reader.text("service_tier")?.map(Json::Text));
    Ok(plain)
}

/// One text, or a list of any length.
fn read_stop<'a>(reader: &Reader<'a>) -> Result<Option<Json<'a>>> {
    match member(reader.given, "stop") {
        Some(Json::Text(text)) => Ok(Some(Json::Array(vec![Json::Text(Cow::Borrowed(text.as_ref()))]))),
        _ => reader.texts("stop"),
    }
}

/// The service's form: `required` is called `any`, and `parallel_tool_calls: false` is a member of the choice.
fn read_tool_choice<'a>(reader: &Reader<'a>) -> Result<Option<Json<'a>>> {
    let choice = reader.tool_choice(TOOL_CHOICE_EXAMPLE)?;
    let mut members = match choice {
        None => None,
        Some(Json::Text(word)) if word == "required" => Some(vec![("type".into(), "any".into())]),
        Some(Json::Text(word)) => Some(vec![("type".into(), Json::Text(word))]),
        Some(nested) if nested.get("function").is_some() => {
            let fault = format!("has the form of OpenAI Chat Completions; here it is {TOOL_CHOICE_EXAMPLE}");
            return Err(invalid("tool_choice", &fault));
        }
        Some(Json::Object(members)) => Some(members),
        Some(_) => None,
    };
    if reader.flag("parallel_tool_calls")? == Some(false) {
        let chosen = members.get_or_insert_with(|| vec![("type".into(), "auto".into())]);
        let none = member(chosen, "type").and_then(Json::as_text) == Some("none");
        if !none && member(chosen, "disable_parallel_tool_use").is_none() {
            chosen.push(("disable_parallel_tool_use".into(), true.into()));
        }
    }
    Ok(members.map(Json::Object))
}

fn refuse_unknown(given: &[(Cow<'_, str>, Json<'_>)]) -> Result<()> {
    let Some((name, _)) = given.iter().find(|(name, _)| !TYPED.contains(&name.as_ref())) else {
        return Ok(());
    };
    let text = match name.as_ref() {
        "user" => {
            format!("{DISPLAY_NAME} has no parameter user: set metadata = {{\"user_id\": ...}} in additional_kwargs.")
        }
        name if ABSENT.contains(&name) => absent(name),
        "response_format" => format!(
            "{DISPLAY_NAME} has no parameter response_format: give an output schema, or set output_config.format in \
             additional_kwargs."
        ),
        name => format!(
            "Unknown parameter '{name}' for {}. Known parameters: {}. What the service takes beyond them goes into \
             additional_kwargs.",
            super::NAME,
            TYPED.join(", ")
        ),
    };
    Err(Error::invalid_argument(text).with("parameter", name.to_string()))
}

fn absent(name: &str) -> String {
    format!("{DISPLAY_NAME} has no parameter {name}: remove it.")
}

fn check_additional(additional: &Members<'_>) -> Result<()> {
    let names = || additional.iter().map(|(name, _)| name.as_ref());
    if let Some(name) = names().find(|name| ABSENT.contains(name)) {
        return Err(invalid_text("additional_kwargs", absent(name)));
    }
    // `reasoning_effort` is no key of the body; beside the typed one only `output_config.effort` would be.
    let repeated: Vec<&str> = names()
        .filter(|name| TYPED.contains(name) || WRITTEN.contains(name))
        .collect();
    let effort = member(additional, "output_config").and_then(|config| config.get("effort"));
    let repeated = match effort {
        Some(_) => [repeated.as_slice(), &["output_config.effort (reasoning_effort)"]].concat(),
        None => repeated,
    };
    if !repeated.is_empty() {
        return Err(invalid_text(
            "additional_kwargs",
            format!(
                "additional_kwargs must not contain reserved typed fields: {}. Pass them as parameters of their own.",
                repeated.join(", ")
            ),
        ));
    }
    match member(additional, "stream") {
        Some(Json::Bool(true)) => Err(invalid_text(
            "additional_kwargs",
            "additional_kwargs must not contain stream = true: answers are read whole. Remove it.".to_owned(),
        )),
        _ => Ok(()),
    }
}

/// Takes the members of `output_config` out of `additional_kwargs`; those that are null are left out.
fn take_output_config<'a>(additional: &mut Members<'a>) -> Result<Members<'a>> {
    let mut taken = Vec::new();
    for (_, value) in additional.extract_if(.., |(key, _)| key == "output_config") {
        taken = match value {
            Json::Object(members) => members,
            other => {
                let fault = format!(
                    "additional_kwargs.output_config must be an object, found {}",
                    other.kind()
                );
                return Err(invalid_text("additional_kwargs", fault));
            }
        };
    }
    taken.retain(|(_, value)| *value != Json::Null);
    Ok(taken)
}
