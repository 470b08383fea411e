//! The call parameters of Responses: typed, each checked, unknown ones refused.

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
    "reasoning_effort",
    "instructions",
    "store",
    "top_p",
    "strict",
    "tool_choice",
    "parallel_tool_calls",
    "top_logprobs",
    "previous_response_id",
    "include",
    "additional_kwargs",
];

/// What Chat Completions has and this API has not; the service would answer with a 400.
const ABSENT: [&str; 6] = [
    "stop",
    "seed",
    "logit_bias",
    "n",
    "frequency_penalty",
    "presence_penalty",
];

/// Body keys that `additional_kwargs` may not hold beside the typed names: the library writes them.
const WRITTEN: [&str; 3] = ["input", "tools", "max_output_tokens"];

const TOOL_CHOICE_EXAMPLE: &str = r#"{"type":"function","name":...}"#;

/// What the caller set for one call. Nothing that is unset is sent.
#[derive(Debug, Default)]
pub struct Parameters<'a> {
    pub strict: Option<bool>,
    /// Sent only together with tools: the service refuses them alone.
    pub tool_choice: Option<Json<'a>>,
    pub parallel_tool_calls: Option<bool>,
    /// What goes into the body under its own name, in writing order.
    plain: Vec<(&'static str, Json<'a>)>,
    /// The caller's `text`; the schema's `format` joins it.
    pub text: Members<'a>,
    additional: Members<'a>,
}

impl<'a> Parameters<'a> {
    pub fn read(given: &'a [(Cow<'_, str>, Json<'_>)]) -> Result<Self> {
        refuse_unknown(given)?;
        let reader = Reader { given };
        // The provider reads it itself; here only its type counts.
        reader.text("model")?;
        let mut additional = reader.object("additional_kwargs")?.unwrap_or_default();
        additional.retain(|(_, value)| *value != Json::Null);
        check_additional(&additional)?;
        let text = take_object(&mut additional, "text")?;
        let reasoning = take_object(&mut additional, "reasoning")?;
        Ok(Parameters {
            strict: reader.flag("strict")?,
            tool_choice: read_tool_choice(&reader)?,
            parallel_tool_calls: reader.flag("parallel_tool_calls")?,
            plain: read_plain(&reader, reasoning)?,
            text,
            additional,
        })
    }

    /// Writes what has a place between the tools and `text`.
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

/// Whether the caller set `text.format`; null is none. Never fails.
pub fn own_format(given: &[(Cow<'_, str>, Json<'_>)]) -> bool {
    let text = member(given, "additional_kwargs").and_then(|kwargs| kwargs.get("text"));
    text.and_then(|text| text.get("format")).is_some()
}

fn read_plain<'a>(reader: &Reader<'a>, mut reasoning: Members<'a>) -> Result<Vec<(&'static str, Json<'a>)>> {
    if let Some(effort) = reader.text("reasoning_effort")? {
        reasoning.insert(0, ("effort".into(), Json::Text(effort)));
    }
    let mut plain = Vec::new();
    let mut set = |name: &'static str, value: Option<Json<'a>>| plain.extend(value.map(|value| (name, value)));
    set("temperature", reader.number("temperature", 0.0, 2.0)?);
    set("max_output_tokens", reader.integer("max_tokens", 1, i64::MAX)?);
    set("reasoning", (!reasoning.is_empty()).then_some(Json::Object(reasoning)));
    set("instructions", reader.text("instructions")?.map(Json::Text));
    set("store", reader.flag("store")?.map(Json::Bool));
    set("top_p", reader.number("top_p", 0.0, 1.0)?);
    set("top_logprobs", reader.integer("top_logprobs", 0, 20)?);
    set(
        "previous_response_id",
        reader.text("previous_response_id")?.map(Json::Text),
    );
    set("include", reader.texts("include")?);
    Ok(plain)
}

/// Chat Completions nests the tool's name one level deeper; the service would answer with a 400.
fn read_tool_choice<'a>(reader: &Reader<'a>) -> Result<Option<Json<'a>>> {
    let choice = reader.tool_choice(TOOL_CHOICE_EXAMPLE)?;
    match &choice {
        Some(nested) if nested.get("function").is_some() => {
            let fault = format!("has the form of OpenAI Chat Completions; here it is {TOOL_CHOICE_EXAMPLE}");
            Err(invalid("tool_choice", &fault))
        }
        _ => Ok(choice),
    }
}

fn refuse_unknown(given: &[(Cow<'_, str>, Json<'_>)]) -> Result<()> {
    let Some((name, _)) = given.iter().find(|(name, _)| !TYPED.contains(&name.as_ref())) else {
        return Ok(());
    };
    let text = match name.as_ref() {
        name if ABSENT.contains(&name) => absent(name),
        "response_format" => format!(
            "{DISPLAY_NAME} has no parameter response_format: give an output schema, or set text.format in additional_kwargs."
        ),
        "logprobs" => format!(
            "{DISPLAY_NAME} has no parameter logprobs: set top_logprobs, and include = [\"message.output_text.logprobs\"]."
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
    format!("{DISPLAY_NAME} has no parameter {name}: remove it, or use OpenAI Chat Completions.")
}

fn check_additional(additional: &Members<'_>) -> Result<()> {
    let names = || additional.iter().map(|(name, _)| name.as_ref());
    if let Some(name) = names().find(|name| ABSENT.contains(name)) {
        return Err(invalid_text("additional_kwargs", absent(name)));
    }
    let mut repeated: Vec<&str> = names()
        .filter(|name| TYPED.contains(name) || WRITTEN.contains(name))
        .collect();
    let reasoning = member(additional, "reasoning");
    if reasoning.and_then(|reasoning| reasoning.get("effort")).is_some() {
        repeated.push("reasoning.effort");
    }
    if !repeated.is_empty() {
        return Err(invalid_text(
            "additional_kwargs",
            format!(
                "additional_kwargs must not contain reserved typed fields: {}. Pass them as parameters of their own.",
                repeated.join(", ")
            ),
        ));
    }
    let set = |name: &&str| !matches!(member(additional, name), None | Some(Json::Bool(false)));
    match ["stream", "background"].iter().find(|name| set(name)) {
        None => Ok(()),
        Some(name) => Err(invalid_text(
            "additional_kwargs",
            format!("additional_kwargs must not contain {name}, except as false: answers are read whole. Remove it."),
        )),
    }
}

/// Takes the members of an object out of `additional_kwargs`; those that are null are left out.
fn take_object<'a>(additional: &mut Members<'a>, name: &'static str) -> Result<Members<'a>> {
    let mut taken = Vec::new();
    for (_, value) in additional.extract_if(.., |(key, _)| key == name) {
        taken = match value {
            Json::Object(members) => members,
            other => {
                let fault = format!("additional_kwargs.{name} must be an object, found {}", other.kind());
                return Err(invalid_text("additional_kwargs", fault));
            }
        };
    }
    taken.retain(|(_, value)| *value != Json::Null);
    Ok(taken)
}
