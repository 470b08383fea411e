//! The call parameters of Gemini: typed, each checked, unknown ones refused.

use std::borrow::Cow;

use super::DISPLAY_NAME;
use crate::error::{Error, Result};
use crate::json::Json;
use crate::message::fields::{Members, member};
use crate::provider::body::Body;
use crate::provider::reader::{Reader, invalid, invalid_text};

const TYPED: [&str; 18] = [
    "model",
    "temperature",
    "max_tokens",
    "top_p",
    "top_k",
    "seed",
    "stop",
    "logprobs",
    "top_logprobs",
    "frequency_penalty",
    "presence_penalty",
    "reasoning_effort",
    "thinking_budget",
    "include_thoughts",
    "strict",
    "tool_choice",
    "additional_kwargs",
    "parallel_tool_calls",
];

/// Members of `generationConfig` that a typed parameter or the schema writes.
const WRITTEN_IN_CONFIG: [(&str, &str); 11] = [
    ("temperature", "temperature"),
    ("maxOutputTokens", "max_tokens"),
    ("topP", "top_p"),
    ("topK", "top_k"),
    ("seed", "seed"),
    ("stopSequences", "stop"),
    ("responseLogprobs", "logprobs"),
    ("logprobs", "top_logprobs"),
    ("frequencyPenalty", "frequency_penalty"),
    ("presencePenalty", "presence_penalty"),
    (
        "thinkingConfig",
        "reasoning_effort, thinking_budget and include_thoughts",
    ),
];

/// The members of `generationConfig` in which a caller asks for a format.
const FORMAT: [&str; 3] = ["responseMimeType", "responseJsonSchema", "responseSchema"];

/// Body keys that the library writes itself.
const WRITTEN: [&str; 3] = ["contents", "systemInstruction", "tools"];

const TOOL_CHOICE_EXAMPLE: &str = r#"{"type":"function","function":{"name":...}}"#;

/// What the model has to do with its tools.
#[derive(Debug)]
pub struct ToolChoice<'a> {
    pub mode: &'static str,
    pub only: Option<Cow<'a, str>>,
}

/// What the caller set for one call. Nothing that is unset is sent.
#[derive(Debug, Default)]
pub struct Parameters<'a> {
    pub strict: Option<bool>,
    /// Sent only together with tools.
    pub tool_choice: Option<ToolChoice<'a>>,
    /// Members of `generationConfig`, in writing order; the caller's own come last.
    pub config: Members<'a>,
    additional: Members<'a>,
}

impl<'a> Parameters<'a> {
    pub fn read(given: &'a [(Cow<'_, str>, Json<'_>)]) -> Result<Self> {
        if given.is_empty() {
            return Ok(Parameters::default());
        }
        refuse_unknown(given)?;
        let reader = Reader { given };
        // The provider reads it itself; here only its type counts.
        reader.text("model")?;
        // Parallel calls are the model's choice: true changes nothing, and false cannot be asked for.
        if reader.flag("parallel_tool_calls")? == Some(false) {
            return Err(invalid(
                "parallel_tool_calls",
                &format!("cannot be false: {DISPLAY_NAME} has no such switch. Remove it."),
            ));
        }
        let mut config = read_config(&reader)?;
        let mut additional = reader.object("additional_kwargs")?.unwrap_or_default();
        additional.retain(|(_, value)| *value != Json::Null);
        let tool_choice = read_tool_choice(&reader)?;
        check_additional(&additional, tool_choice.is_some())?;
        config.extend(take_config(&mut additional)?);
        Ok(Parameters {
            strict: reader.flag("strict")?,
            tool_choice,
            config,
            additional,
        })
    }

    /// Writes `additional_kwargs` at the end of the body.
    pub fn write_additional(&self, body: &mut Body) {
        for (name, value) in &self.additional {
            body.key(name).json(value);
        }
    }
}

/// The member by which the caller asks for a format, if one is set; null is none. Never fails.
pub fn own_format(given: &[(Cow<'_, str>, Json<'_>)]) -> Option<&'static str> {
    let additional = member(given, "additional_kwargs")?.as_object()?;
    let configs = additional.iter().filter(|(name, _)| camel(name) == "generationConfig");
    let mut members = configs.flat_map(|(_, config)| config.as_object().unwrap_or_default());
    members.find_map(|(name, value)| {
        let format = FORMAT.into_iter().find(|format| *format == camel(name));
        format.filter(|_| *value != Json::Null)
    })
}

/// `response_schema` is `responseSchema`: the service takes both.
fn camel(name: &str) -> String {
    let mut words = name.split('_');
    let mut out = words.next().unwrap_or_default().to_owned();
    for word in words {
        let mut letters = word.chars();
        out.extend(letters.next().map(|first| first.to_ascii_uppercase()));
        out.push_str(letters.as_str());
    }
    out
}

fn read_config<'a>(reader: &Reader<'a>) -> Result<Members<'a>> {
    let logprobs = reader.flag("logprobs")?.unwrap_or(false);
    let top_logprobs = reader.integer("top_logprobs", 0, 20)?;
    if top_logprobs.is_some() && !logprobs {
        return Err(invalid("top_logprobs", "needs logprobs = true"));
    }
    let mut config = Vec::new();
    let mut set = |name: &'static str, value: Option<Json<'a>>| config.extend(value.map(|value| (name.into(), value)));
    set("temperature", reader.number("temperature", 0.0, 2.0)?);
    set("maxOutputTokens", reader.integer("max_tokens", 1, i64::from(i32::MAX))?);
    set("topP", reader.number("top_p", 0.0, 1.0)?);
    set("topK", reader.number("top_k", 0.0, f64::from(i32::MAX))?);
    let (low, high) = (i64::from(i32::MIN), i64::from(i32::MAX));
    set("seed", reader.integer("seed", low, high)?);
    set("stopSequences", read_stop(reader)?);
    set("responseLogprobs", logprobs.then_some(Json::Bool(true)));
    set("logprobs", top_logprobs);
    set("frequencyPenalty", reader.number("frequency_penalty", -2.0, 2.0)?);
    set("presencePenalty", reader.number("presence_penalty", -2.0, 2.0)?);
    let thinking = Json::object([
        (
            "thinkingLevel",
            reader.text("reasoning_effort")?.map_or(Json::Null, Json::Text),
        ),
        (
            "thinkingBudget",
            reader.integer("thinking_budget", -1, high)?.unwrap_or(Json::Null),
        ),
        ("includeThoughts", reader.flag("include_thoughts")?.into()),
    ]);
    let is_set = thinking.as_object().is_some_and(|members| !members.is_empty());
    set("thinkingConfig", is_set.then_some(thinking));
    Ok(config)
}

/// Always a list, of up to five.
fn read_stop<'a>(reader: &Reader<'a>) -> Result<Option<Json<'a>>> {
    let fault = || invalid("stop", "must be a string or a list of one to five strings");
    match member(reader.given, "stop") {
        None => Ok(None),
        Some(Json::Text(text)) => Ok(Some(Json::Array(vec![Json::from(text.as_ref())]))),
        Some(Json::Array(items)) if (1..=5).contains(&items.len()) => reader.texts("stop").map_err(|_| fault()),
        Some(_) => Err(fault()),
    }
}

fn read_tool_choice<'a>(reader: &Reader<'a>) -> Result<Option<ToolChoice<'a>>> {
    let Some(choice) = reader.tool_choice(TOOL_CHOICE_EXAMPLE)? else {
        return Ok(None);
    };
    let mode = match choice.as_text() {
        Some("auto") => "AUTO",
        Some("none") => "NONE",
        _ => "ANY",
    };
    if choice.as_text().is_some() {
        return Ok(Some(ToolChoice { mode, only: None }));
    }
    // The name stands where Chat Completions has it, or where Responses has it.
    let name = choice.get("function").unwrap_or(&choice).get("name");
    let name = name.and_then(Json::as_text).filter(|name| !name.is_empty());
    let fault = || {
        invalid(
            "tool_choice",
            &format!("must name a function, as in {TOOL_CHOICE_EXAMPLE}"),
        )
    };
    Ok(Some(ToolChoice {
        mode,
        only: Some(name.ok_or_else(fault)?.to_owned().into()),
    }))
}

fn refuse_unknown(given: &[(Cow<'_, str>, Json<'_>)]) -> Result<()> {
    let Some((name, _)) = given.iter().find(|(name, _)| !TYPED.contains(&name.as_ref())) else {
        return Ok(());
    };
    let text = match name.as_ref() {
        "max_output_tokens" => renamed(name, "max_tokens"),
        "stop_sequences" => renamed(name, "stop"),
        "response_format" => format!(
            "{DISPLAY_NAME} has no parameter response_format: give an output schema, or set responseMimeType in \
             additional_kwargs.generationConfig."
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

fn renamed(name: &str, here: &str) -> String {
    format!("{DISPLAY_NAME} takes the parameter {name} under the name {here} here: use {here}.")
}

fn check_additional(additional: &Members<'_>, tool_choice: bool) -> Result<()> {
    let is_reserved = |name: &str| {
        let plain = camel(name);
        TYPED.contains(&name) || WRITTEN.contains(&plain.as_str()) || (tool_choice && plain == "toolConfig")
    };
    let names = || additional.iter().map(|(name, _)| name.as_ref());
    let repeated: Vec<&str> = names().filter(|name| is_reserved(name)).collect();
    if !repeated.is_empty() {
        return Err(invalid_text(
            "additional_kwargs",
            format!(
                "additional_kwargs must not contain reserved typed fields: {}. Pass them as parameters, messages and tools of \
                 their own.",
                repeated.join(", ")
            ),
        ));
    }
    Ok(())
}

/// Takes the members of `generationConfig` out of `additional_kwargs`; those that are null are left out.
fn take_config<'a>(additional: &mut Members<'a>) -> Result<Members<'a>> {
    let mut taken = Vec::new();
    for (name, value) in additional.extract_if(.., |(name, _)| camel(name) == "generationConfig") {
        match value {
            Json::Object(members) => taken.extend(members),
            other => {
                let fault = format!("additional_kwargs.{name} must be an object, found {}", other.kind());
                return Err(invalid_text("additional_kwargs", fault));
            }
        }
    }
    taken.retain(|(_, value)| *value != Json::Null);
    for (name, value) in &taken {
        let plain = camel(name);
        if let Some((_, typed)) = WRITTEN_IN_CONFIG.iter().find(|(written, _)| *written == plain) {
            let fault = format!(
                "additional_kwargs.generationConfig must not contain {name}, which has parameters of its own here: {typed}."
            );
            return Err(invalid_text("additional_kwargs", fault));
        }
        if plain == "candidateCount" && *value != Json::Int(1) {
            let fault = "additional_kwargs.generationConfig must not ask for several candidates: only one is read. Remove \
                         candidateCount.";
            return Err(invalid_text("additional_kwargs", fault.into()));
        }
    }
    Ok(taken)
}
