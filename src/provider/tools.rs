//! Tools as a request carries them. A strict tool's schema has to be in the provider's strict form, as an output schema has.

use std::borrow::Cow;
use std::sync::Arc;

use crate::json::Json;
use crate::provider::Tool;
use crate::provider::body::Body;
use crate::schema::{Dialect, Document, Rewritten};
use crate::structured::{Reason, ReasonCode};

/// One tool, its strictness settled.
#[derive(Debug)]
pub struct SentTool<'t> {
    pub tool: &'t Tool<'t>,
    /// `None` where nobody set it, or where it could not be honoured.
    pub strict: Option<bool>,
    rewritten: Option<Arc<Rewritten>>,
}

impl SentTool<'_> {
    /// Writes the members of a function as Chat Completions and those that follow it know it.
    pub fn write_function(&self, body: &mut Body) {
        body.key("type").text("function");
        body.key("function").object(|body| {
            body.key("name").text(&self.tool.name);
            if let Some(description) = &self.tool.description {
                body.key("description").text(description);
            }
            self.write_schema(body.key("parameters"));
            if let Some(strict) = self.strict {
                body.key("strict").boolean(strict);
            }
        });
    }

    /// Writes the schema of the tool's arguments.
    pub fn write_schema(&self, body: &mut Body) {
        match &self.rewritten {
            Some(rewritten) => body.raw(&rewritten.json),
            None => body.json(&self.tool.input_schema),
        }
    }
}

/// The tools of a call, and what had to be changed. A tool's own `strict` wins over the call's. A schema that has no strict
/// form is sent as given and not strict, and a reason says why: a request that the service refuses helps nobody.
pub fn prepare<'t>(
    tools: &'t [Tool<'_>],
    strict: Option<bool>,
    dialect: &'static Dialect,
) -> (Vec<SentTool<'t>>, Vec<Reason>) {
    let mut reasons = Vec::new();
    let sent = tools.iter().map(|tool| {
        let wanted = tool.strict.or(strict);
        if wanted != Some(true) {
            return as_given(tool, wanted);
        }
        match strict_form(tool, dialect) {
            Ok(rewritten) => {
                reasons.extend(rewritten.reasons.iter().map(|reason| about(tool, reason.clone())));
                SentTool {
                    tool,
                    strict: wanted,
                    rewritten: Some(rewritten),
                }
            }
            Err(causes) => {
                reasons.extend(causes.into_iter().map(|cause| about(tool, not_strict(tool, cause))));
                as_given(tool, None)
            }
        }
    });
    let sent = sent.collect();
    (sent, reasons)
}

/// The tools of a call for a provider that has no strict ones; a reason for each tool that asks for it.
pub fn without_strict<'t>(tools: &'t [Tool<'_>], provider: &str) -> (Vec<SentTool<'t>>, Vec<Reason>) {
    let wants_strict = tools.iter().filter(|tool| tool.strict == Some(true));
    let reasons = wants_strict.map(|tool| {
        let text = format!(
            "The tool {} is sent without strict: {provider} has no strict tools. Check the arguments where the tool runs.",
            tool.name
        );
        about(tool, Reason::new(ReasonCode::ToolNotStrict, text))
    });
    (
        tools.iter().map(|tool| as_given(tool, None)).collect(),
        reasons.collect(),
    )
}

fn as_given<'t>(tool: &'t Tool<'_>, strict: Option<bool>) -> SentTool<'t> {
    SentTool {
        tool,
        strict,
        rewritten: None,
    }
}

fn strict_form(tool: &Tool<'_>, dialect: &'static Dialect) -> Result<Arc<Rewritten>, Vec<Reason>> {
    let schema = closed_if_empty(&tool.input_schema).to_json();
    let untranslatable = |message: String| vec![Reason::new(ReasonCode::Untranslatable, message)];
    let document = Document::of(Some(&tool.name), &schema).map_err(|error| untranslatable(error.message))?;
    let rewritten = document.rewrite(dialect)?;
    match rewritten.wrapper {
        None => Ok(rewritten),
        Some(_) => Err(untranslatable(
            "The root of a tool's schema must be a plain object.".into(),
        )),
    }
}

/// A tool without arguments takes none: its object is closed, where an empty object elsewhere takes any member.
fn closed_if_empty<'s>(schema: &'s Json<'s>) -> Cow<'s, Json<'s>> {
    let Json::Object(members) = schema else {
        return Cow::Borrowed(schema);
    };
    let is_empty = members.iter().all(|(key, value)| match key.as_ref() {
        "type" => value.as_text() == Some("object"),
        "properties" => value.as_object().is_some_and(<[_]>::is_empty),
        "required" => value.as_array().is_some_and(<[_]>::is_empty),
        "$schema" | "title" | "description" => true,
        _ => false,
    });
    if !is_empty {
        return Cow::Borrowed(schema);
    }
    let mut members = members.clone();
    members.push(("additionalProperties".into(), false.into()));
    Cow::Owned(Json::Object(members))
}

fn not_strict(tool: &Tool<'_>, cause: Reason) -> Reason {
    let message = format!(
        "The tool {} is sent without strict: {} Change its schema, or do not ask for strict.",
        tool.name, cause.message
    );
    Reason {
        code: ReasonCode::ToolNotStrict,
        message,
        ..cause
    }
    .with("cause", cause.code.name())
}

fn about(tool: &Tool<'_>, reason: Reason) -> Reason {
    reason.with("tool", tool.name.to_string())
}
