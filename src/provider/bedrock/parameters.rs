//! The call parameters of Converse: typed, each checked, unknown ones refused.

use std::borrow::Cow;

use super::{DISPLAY_NAME, NAME};
use crate::error::{Error, Result};
use crate::json::Json;
use crate::message::fields::{Members, member};
use crate::provider::body::Body;
use crate::provider::reader::{Reader, invalid, invalid_text};

const TYPED: [&str; 8] = [
    "model",
    "temperature",
    "max_tokens",
    "top_p",
    "stop",
    "tool_choice",
    "strict",
    "additional_kwargs",
];

/// Root members of Converse that the library writes.
const WRITTEN: [&str; 5] = ["modelId", "messages", "system", "inferenceConfig", "toolConfig"];

/// Root members of Converse that `additional_kwargs` may hold; every other key belongs to the model.
const ROOT: [&str; 6] = [
    "guardrailConfig",
    "promptVariables",
    "additionalModelResponseFieldPaths",
    "requestMetadata",
    "performanceConfig",
    "serviceTier",
];

const OUTPUT_CONFIG: &str = "outputConfig";
const MODEL_FIELDS: &str = "additionalModelRequestFields";
const TOOL_CHOICES: &str = r#"must be auto, required, or {"auto":{}}, {"any":{}} or {"tool":{"name":...}}"#;

/// What the caller set for one call. Nothing that is unset is sent.
#[derive(Debug, Default)]
pub struct Parameters<'a> {
    pub strict: Option<bool>,
    /// In Converse's own form; sent only together with tools.
    pub tool_choice: Option<Json<'a>>,
    /// Members of `inferenceConfig`.
    inference: Vec<(&'static str, Json<'a>)>,
    /// The caller's `outputConfig`; the schema's `textFormat` joins it.
    pub output_config: Members<'a>,
    root: Members<'a>,
    model_fields: Members<'a>,
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
        let output_config = take_object(&mut additional, OUTPUT_CONFIG)?;
        let mut model_fields = take_object(&mut additional, MODEL_FIELDS)?;
        let (root, fields): (Members<'a>, Members<'a>) = additional
            .into_iter()
            .partition(|(name, _)| ROOT.contains(&name.as_ref()));
        if let Some((name, _)) = fields.iter().find(|(name, _)| member(&model_fields, name).is_some()) {
            let fault = format!("additional_kwargs must not contain {name} twice, also in {MODEL_FIELDS}");
            return Err(invalid_text("additional_kwargs", fault));
        }
        model_fields.extend(fields);
        Ok(Parameters {
            strict: reader.flag("strict")?,
            tool_choice: read_tool_choice(&reader)?,
            inference: read_inference(&reader)?,
            output_config,
            root,
            model_fields,
        })
    }

    /// Writes `inferenceConfig` where something is set.
    pub fn write_inference(&self, body: &mut Body) {
        if self.inference.is_empty() {
            return;
        }
        body.key("inferenceConfig").object(|body| {
            for (name, value) in &self.inference {
                body.key(name).json(value);
            }
        });
    }

    /// Writes what came in `additional_kwargs`: the model's own fields, then members of the root.
    pub fn write_additional(&self, body: &mut Body) {
        if !self.model_fields.is_empty() {
            body.key(MODEL_FIELDS).object(|body| {
                for (name, value) in &self.model_fields {
                    body.key(name).json(value);
                }
            });
        }
        for (name, value) in &self.root {
            body.key(name).json(value);
        }
    }
}

/// Whether the caller set `outputConfig.textFormat`; null is none. Never fails.
pub fn own_format(given: &[(Cow<'_, str>, Json<'_>)]) -> bool {
    let config = member(given, "additional_kwargs").and_then(|kwargs| kwargs.get(OUTPUT_CONFIG));
    config.and_then(|config| config.get("textFormat")).is_some()
}

fn read_inference<'a>(reader: &Reader<'a>) -> Result<Vec<(&'static str, Json<'a>)>> {
    let mut inference = Vec::new();
    let mut set = |name: &'static str, value: Option<Json<'a>>| inference.extend(value.map(|value| (name, value)));
    set("maxTokens", reader.integer("max_tokens", 1, i64::from(i32::MAX))?);
    set("temperature", reader.number("temperature", 0.0, 1.0)?);
    set("topP", reader.number("top_p", 0.0, 1.0)?);
    set("stopSequences", read_stop(reader)?);
    Ok(inference)
}

/// One text, or a list of any length.
fn read_stop<'a>(reader: &Reader<'a>) -> Result<Option<Json<'a>>> {
    match member(reader.given, "stop") {
        Some(Json::Text(text)) => Ok(Some(Json::Array(vec![Json::Text(Cow::Borrowed(text.as_ref()))]))),
        _ => reader.texts("stop"),
    }
}

/// Converse has no word for "no tool": such a request is one without tools.
fn read_tool_choice<'a>(reader: &Reader<'a>) -> Result<Option<Json<'a>>> {
    let choice = |name: &'static str| Some(Json::Object(vec![(name.into(), Json::Object(Vec::new()))]));
    match member(reader.given, "tool_choice").map(|given| (given, given.as_text())) {
        None => Ok(None),
        Some((_, Some("auto"))) => Ok(choice("auto")),
        Some((_, Some("required"))) => Ok(choice("any")),
        Some((_, Some("none"))) => Err(invalid(
            "tool_choice",
            "cannot be none on Amazon Bedrock: leave the tools out of the call",
        )),
        Some((Json::Object(members), _)) => match members.as_slice() {
            [(name, Json::Object(_))] if ["auto", "any", "tool"].contains(&name.as_ref()) => {
                reader.object("tool_choice").map(|choice| choice.map(Json::Object))
            }
            _ => Err(invalid("tool_choice", TOOL_CHOICES)),
        },
        Some(_) => Err(invalid("tool_choice", TOOL_CHOICES)),
    }
}

fn refuse_unknown(given: &[(Cow<'_, str>, Json<'_>)]) -> Result<()> {
    let Some((name, _)) = given.iter().find(|(name, _)| !TYPED.contains(&name.as_ref())) else {
        return Ok(());
    };
    let text = match name.as_ref() {
        "response_format" => format!(
            "{DISPLAY_NAME} has no parameter response_format: give an output schema, or set outputConfig.textFormat in \
             additional_kwargs."
        ),
        name => format!(
            "Unknown parameter '{name}' for {NAME}. Known parameters: {}. What the model takes beyond them goes into \
             additional_kwargs.",
            TYPED.join(", ")
        ),
    };
    Err(Error::invalid_argument(text).with("parameter", name.to_string()))
}

fn check_additional(additional: &Members<'_>) -> Result<()> {
    let names = additional.iter().map(|(name, _)| name.as_ref());
    let repeated: Vec<&str> = names
        .filter(|name| WRITTEN.contains(name) || TYPED.contains(name))
        .collect();
    if repeated.is_empty() {
        return Ok(());
    }
    let text = format!(
        "additional_kwargs must not contain reserved typed fields: {}. Pass them as parameters of their own.",
        repeated.join(", ")
    );
    Err(invalid_text("additional_kwargs", text))
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
