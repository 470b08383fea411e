//! The call parameters of Ollama: most of them are sampling options, which the body holds under `options`.

use std::borrow::Cow;

use super::NAME;
use crate::error::{Error, Result};
use crate::json::Json;
use crate::message::fields::{Members, member};
use crate::provider::body::Body;
use crate::provider::reader::{Reader, invalid, invalid_text};

const TYPED: [&str; 17] = [
    "model",
    "temperature",
    "max_tokens",
    "top_p",
    "top_k",
    "min_p",
    "seed",
    "stop",
    "num_ctx",
    "repeat_penalty",
    "frequency_penalty",
    "presence_penalty",
    "think",
    "extract_reasoning",
    "keep_alive",
    "format",
    "options",
];

/// Never allowed in `additional_kwargs`: the library writes them itself, or a parameter of that name does.
const RESERVED: [&str; 5] = ["model", "messages", "tools", "stream", "options"];

const THINK_WORDS: [&str; 3] = ["low", "medium", "high"];

/// What the caller set for one call. Nothing that is unset is sent.
#[derive(Debug, Default)]
pub struct Parameters<'a> {
    /// `json`, or a schema in the server's own form.
    pub format: Option<Json<'a>>,
    options: Members<'a>,
    /// `think` and `keep_alive`, where set.
    plain: Vec<(&'static str, Json<'a>)>,
    additional: Members<'a>,
}

impl<'a> Parameters<'a> {
    pub fn read(given: &'a [(Cow<'_, str>, Json<'_>)]) -> Result<Self> {
        let is_known = |name: &str| TYPED.contains(&name) || name == "additional_kwargs";
        if let Some((name, _)) = given.iter().find(|(name, _)| !is_known(name)) {
            return Err(Error::invalid_argument(format!(
                "Unknown parameter '{name}' for {NAME}. Known parameters: {}. Further sampling options go into options, what else \
                 the service takes into additional_kwargs.",
                TYPED.join(", ")
            ))
            .with("parameter", name.to_string()));
        }
        let reader = Reader { given };
        reader.text("model")?;
        // Of the answer; here only its type counts.
        reader.flag("extract_reasoning")?;
        let mut plain = Vec::new();
        plain.extend(read_think(given)?.map(|think| ("think", think)));
        plain.extend(read_keep_alive(given)?.map(|time| ("keep_alive", time)));
        let mut additional = reader.object("additional_kwargs")?.unwrap_or_default();
        additional.retain(|(_, value)| *value != Json::Null);
        let parameters = Parameters {
            format: read_format(given)?,
            options: read_options(&reader)?,
            plain,
            additional,
        };
        parameters.check_additional()?;
        Ok(parameters)
    }

    /// Writes what follows the tools and the format.
    pub fn write(&self, body: &mut Body) {
        if !self.options.is_empty() {
            body.key("options").object(|body| {
                for (name, value) in &self.options {
                    body.key(name).json(value);
                }
            });
        }
        for (name, value) in &self.plain {
            body.key(name).json(value);
        }
        for (name, value) in &self.additional {
            body.key(name).json(value);
        }
    }

    fn check_additional(&self) -> Result<()> {
        let is_set = |name: &str| match name {
            "format" => self.format.is_some(),
            _ => self.plain.iter().any(|(set, _)| *set == name),
        };
        let names = self.additional.iter().map(|(name, _)| name.as_ref());
        let repeated: Vec<&str> = names.filter(|name| RESERVED.contains(name) || is_set(name)).collect();
        if repeated.is_empty() {
            return Ok(());
        }
        Err(invalid_text(
            "additional_kwargs",
            format!(
                "additional_kwargs must not contain reserved typed fields: {}. Pass options and the like as parameters of their \
                 own; the rest is written by the library.",
                repeated.join(", ")
            ),
        ))
    }
}

/// The typed options under their names on the wire, then the caller's own `options`.
fn read_options<'a>(reader: &Reader<'a>) -> Result<Members<'a>> {
    let mut options: Members<'a> = Vec::new();
    let mut set = |name: &'static str, value: Option<Json<'a>>| {
        options.extend(value.map(|value| (Cow::Borrowed(name), value)));
    };
    set("temperature", reader.number("temperature", 0.0, 2.0)?);
    set("num_predict", reader.integer("max_tokens", 1, i64::MAX)?);
    set("top_p", reader.number("top_p", 0.0, 1.0)?);
    set("top_k", reader.integer("top_k", 0, i64::MAX)?);
    set("min_p", reader.number("min_p", 0.0, 1.0)?);
    set("seed", reader.integer("seed", i64::MIN, i64::MAX)?);
    set("stop", read_stop(reader)?);
    set("num_ctx", reader.integer("num_ctx", 1, i64::MAX)?);
    set("repeat_penalty", reader.number("repeat_penalty", 0.0, 10.0)?);
    set("frequency_penalty", reader.number("frequency_penalty", -2.0, 2.0)?);
    set("presence_penalty", reader.number("presence_penalty", -2.0, 2.0)?);
    for (name, value) in reader.object("options")?.unwrap_or_default() {
        if options.iter().any(|(known, _)| *known == name) {
            let typed = if name == "num_predict" { "max_tokens" } else { &name };
            return Err(invalid(
                "options",
                &format!("must not hold {name} beside the parameter {typed}: keep one of them"),
            ));
        }
        if value != Json::Null {
            options.push((name, value));
        }
    }
    Ok(options)
}

/// The server takes a list only.
fn read_stop<'a>(reader: &Reader<'a>) -> Result<Option<Json<'a>>> {
    match member(reader.given, "stop") {
        Some(Json::Text(text)) => Ok(Some(Json::Array(vec![Json::from(text.as_ref())]))),
        Some(Json::Array(_)) => reader.texts("stop"),
        None => Ok(None),
        Some(_) => Err(invalid("stop", "must be a string or a list of strings")),
    }
}

fn read_format<'a>(given: &'a [(Cow<'_, str>, Json<'_>)]) -> Result<Option<Json<'a>>> {
    match member(given, "format") {
        Some(Json::Text(word)) if word == "json" => Ok(Some(Json::from("json"))),
        None | Some(Json::Object(_)) => Ok(Reader { given }.object("format")?.map(Json::Object)),
        Some(_) => Err(invalid("format", "must be json or a JSON Schema object")),
    }
}

fn read_think<'a>(given: &'a [(Cow<'_, str>, Json<'_>)]) -> Result<Option<Json<'a>>> {
    match member(given, "think") {
        None => Ok(None),
        Some(Json::Bool(think)) => Ok(Some(Json::Bool(*think))),
        Some(Json::Text(word)) if THINK_WORDS.contains(&word.as_ref()) => Ok(Some(Json::from(word.as_ref()))),
        Some(_) => Err(invalid("think", "must be a boolean or one of low, medium, high")),
    }
}

fn read_keep_alive<'a>(given: &'a [(Cow<'_, str>, Json<'_>)]) -> Result<Option<Json<'a>>> {
    match member(given, "keep_alive") {
        None => Ok(None),
        Some(Json::Int(seconds)) => Ok(Some(Json::Int(*seconds))),
        Some(Json::Text(time)) if !time.trim().is_empty() => Ok(Some(Json::from(time.as_ref()))),
        Some(_) => Err(invalid(
            "keep_alive",
            "must be seconds (an integer) or a duration such as 5m",
        )),
    }
}
