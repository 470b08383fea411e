//! IBM watsonx.ai's text chat (<https://cloud.ibm.com/apidocs/watsonx-ai>, read 2026-11): Chat Completions with other names at
//! the root of the body, and vLLM's guided decoding behind it. The key is an IAM token, which Java fetches and renews.

use super::chat_completions::{self, Own, OwnKind, Parameters, WireForm, own_format};
use super::failure::{HttpAnswer, Telling, http_error};
use super::settings::{Auth, BEARER, Settings, percent_encode};
use super::{
    Call, HttpRequest, NativeSchema, Provider, SupportAnswer, for_any_model, json_headers, no_support, text_parameter,
    tools, translate,
};
use crate::error::{Error, Result};
use crate::json::{self, Json};
use crate::message::fields::member;
use crate::message::{ChatMessage, ChatResult, ContentBlock, Reasoning, ToolCall, read_arguments};
use crate::schema::{OutputSchema, WATSONX};

#[derive(Debug)]
pub struct Watsonx;

const NAME: &str = "watsonx";
const DISPLAY_NAME: &str = "IBM watsonx.ai";
const SETTINGS: [&str; 7] = [
    "api_base_url",
    "api_version",
    "model",
    "project_id",
    "space_id",
    "auth",
    "default_headers",
];

/// The version of the API that is written here, a date.
const DEFAULT_VERSION: &str = "2025-04-23";

/// Month in which the rules here were last read.
const TABLE: &str = "2026-11";

/// Some models wrap the JSON of their arguments in a JSON text, several times over.
const MOST_WRAPPERS: usize = 3;

/// Takes the thoughts that some models write into their text out of it, as upstream's parameter of this name does.
const EXTRACT_REASONING: &str = "extract_reasoning";
/// The elements in which those models think.
const THOUGHTS: [(&str, &str); 3] = [
    ("<think>", "</think>"),
    ("<analysis>", "</analysis>"),
    ("<reasoning>", "</reasoning>"),
];

static FORM: WireForm = WireForm {
    display_name: DISPLAY_NAME,
    max_tokens: "max_tokens",
    tool_choice_word: "tool_choice_option",
    lacks: &["strict", "user", "parallel_tool_calls", "reasoning_effort"],
    own: &[
        Own {
            name: "time_limit",
            kind: OwnKind::AtLeast(1),
        },
        Own {
            name: EXTRACT_REASONING,
            kind: OwnKind::Switch,
        },
    ],
    reserved: &[
        "model_id",
        "project_id",
        "space_id",
        "tool_choice_option",
        EXTRACT_REASONING,
    ],
    media_fault: |_, _| Some("this integration sends text only".into()),
    ..WireForm::openai(NAME)
};

const TELLING: Telling = Telling {
    lead: "IBM watsonx.ai answered with",
    empty: "IBM watsonx.ai returned no completion",
    unauthorized: "Check the IBM Cloud API key, or that the IAM token has not expired.",
    forbidden: "The key's owner needs access to the project or space, and the project a watsonx.ai Runtime instance.",
    not_found: "Check the model's name and the base URL (that of the region, without /ml/v1).",
};

/// The settings, checked.
struct Checked<'a> {
    base: &'a str,
    version: &'a str,
    model: Option<&'a str>,
    /// `project_id` or `space_id`, and its value.
    scope: (&'static str, &'a str),
    auth: Option<Auth>,
    headers: super::Headers,
}

impl<'a> Checked<'a> {
    fn read(call: &'a Call<'_>) -> Result<Self> {
        let settings = Settings::read(call.settings, NAME, &SETTINGS)?;
        settings.required_text("api_base_url")?;
        let scope = match (settings.text("project_id")?, settings.text("space_id")?) {
            (Some(project), None) => ("project_id", project),
            (None, Some(space)) => ("space_id", space),
            (None, None) => return Err(settings.wrong("project_id", "is required, or space_id in its place")),
            (Some(_), Some(_)) => return Err(settings.wrong("space_id", "excludes project_id: keep one of them")),
        };
        let keyless = settings.choice("auth", &["bearer", "api_key", "none"])? == "none";
        Ok(Checked {
            base: settings.base_url("api_base_url")?.unwrap_or_default(),
            version: settings.text("api_version")?.unwrap_or(DEFAULT_VERSION),
            model: settings.text("model")?,
            scope,
            auth: (!keyless).then_some(BEARER),
            headers: settings.headers()?,
        })
    }

    fn model<'m>(&'m self, call: &'m Call<'_>) -> Option<&'m str> {
        text_parameter(call.parameters, "model").or(self.model)
    }
}

impl Provider for Watsonx {
    fn name(&self) -> &'static str {
        NAME
    }

    fn display_name(&self) -> &'static str {
        DISPLAY_NAME
    }

    fn table(&self) -> &'static str {
        TABLE
    }

    /// Every schema that translates, whatever the model: the service does not tell which of its models honour one.
    fn support(&self, call: &Call<'_>, schema: Option<&OutputSchema>) -> Result<SupportAnswer> {
        let settings = Checked::read(call)?;
        let rewritten = match translate(schema, &WATSONX) {
            Ok(rewritten) => rewritten,
            Err(reasons) => return Ok(no_support(reasons)),
        };
        let cause = format!("IBM watsonx.ai guides the decoding of every model (table of {TABLE}).");
        Ok(for_any_model(rewritten, settings.model(call), cause))
    }

    fn collision(&self, call: &Call<'_>, schema: &str) -> Option<String> {
        own_format(call.parameters).then(|| chat_completions::collision(schema, DISPLAY_NAME))
    }

    fn build(
        &self,
        call: &Call<'_>,
        messages: &[ChatMessage<'_>],
        native: Option<&NativeSchema>,
    ) -> Result<HttpRequest> {
        let settings = Checked::read(call)?;
        let parameters = Parameters::read(call.parameters, &FORM)?;
        let model = settings.model(call).ok_or_else(|| {
            Error::configuration(
                "model is required for IBM watsonx.ai API calls: set it as a setting or as a parameter of the call",
            )
        })?;
        let (tools, reasons) = tools::without_strict(&call.tools, DISPLAY_NAME);
        let head = [("model_id", model), settings.scope];
        Ok(HttpRequest {
            method: "POST",
            url: format!(
                "{}/ml/v1/text/chat?version={}",
                settings.base,
                percent_encode(settings.version)
            ),
            body: chat_completions::write_body(&head, messages, &tools, &parameters, native)?,
            auth: settings.auth,
            headers: json_headers(settings.headers),
            reasons,
        })
    }

    fn parse(&self, call: &Call<'_>, answer: &HttpAnswer<'_>) -> Result<ChatResult<'static>> {
        if !answer.is_success() {
            return Err(http_error(answer, &TELLING));
        }
        let mut result = chat_completions::read_completion(answer, &TELLING)?;
        for block in &mut result.message.blocks {
            if let ContentBlock::ToolCall(tool_call) = block {
                unwrap_arguments(tool_call);
            }
        }
        if member(call.parameters, EXTRACT_REASONING).and_then(Json::as_bool) == Some(true) {
            extract_thoughts(&mut result.message.blocks);
        }
        Ok(result)
    }
}

/// Takes arguments out of the JSON texts that they are wrapped in. What stays broken stays as it was.
fn unwrap_arguments(call: &mut ToolCall<'static>) {
    let invalid = member(&call.metadata, "invalid_arguments").and_then(|invalid| invalid.get("raw"));
    let Some(mut raw) = invalid.and_then(Json::as_text).map(str::to_owned) else {
        return;
    };
    for _ in 0..MOST_WRAPPERS {
        let Ok(Json::Text(inner)) = json::parse(raw.as_bytes()) else {
            return;
        };
        raw = inner.into_owned();
        if let (input, None) = read_arguments(&raw) {
            call.input = input;
            call.metadata.retain(|(key, _)| key != "invalid_arguments");
            return;
        }
    }
}

/// Each thought becomes a reasoning block before the text that it stood in. An element that is not closed stays text.
fn extract_thoughts(blocks: &mut Vec<ContentBlock<'static>>) {
    let read = std::mem::take(blocks);
    for block in read {
        let ContentBlock::Text(text) = &block else {
            blocks.push(block);
            continue;
        };
        let (thoughts, rest) = split_thoughts(text);
        if thoughts.is_empty() && rest == text.trim() {
            blocks.push(block);
            continue;
        }
        let reasoning = |text: String| {
            ContentBlock::Reasoning(Reasoning {
                text: Some(text.into()),
                metadata: Vec::new(),
            })
        };
        blocks.extend(thoughts.into_iter().map(reasoning));
        if !rest.is_empty() {
            blocks.push(ContentBlock::Text(rest.into()));
        }
    }
}

/// The thoughts of a text, and what is left of it, both without the blanks around them.
fn split_thoughts(text: &str) -> (Vec<String>, String) {
    // Same offsets: only ASCII letters change.
    let lower = text.to_ascii_lowercase();
    let mut marks = THOUGHTS.map(|(open, close)| (Mark::new(open), Mark::new(close)));
    let (mut thoughts, mut rest, mut at) = (Vec::new(), String::new(), 0);
    loop {
        let elements = marks.iter_mut().filter_map(|(open, close)| {
            let from = open.next(&lower, at)?;
            let start = from + open.text.len();
            Some((from, start, close.next(&lower, start)?, close.text.len()))
        });
        let Some((from, start, end, length)) = elements.min() else {
            break;
        };
        rest.push_str(text.get(at..from).unwrap_or_default());
        let thought = text.get(start..end).unwrap_or_default().trim();
        if !thought.is_empty() {
            thoughts.push(thought.to_owned());
        }
        at = end + length;
    }
    rest.push_str(text.get(at..).unwrap_or_default());
    (thoughts, rest.trim().to_owned())
}

/// Where a tag stands next. It is looked for once for each place, so that a hostile text takes no more than linear time.
struct Mark {
    text: &'static str,
    /// `None` before the first search.
    known: Option<Option<usize>>,
}

impl Mark {
    fn new(text: &'static str) -> Self {
        Mark { text, known: None }
    }

    /// The first place at or behind `from`, which never goes back.
    fn next(&mut self, lower: &str, from: usize) -> Option<usize> {
        match self.known {
            Some(None) => None,
            Some(Some(place)) if place >= from => Some(place),
            _ => {
                let found = lower.get(from..).and_then(|tail| tail.find(self.text));
                let place = found.map(|offset| from + offset);
                self.known = Some(place);
                place
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::split_thoughts;

    #[test]
    fn thoughts_are_split_from_the_text() {
        let table: [(&str, &[&str], &str); 9] = [
            ("<think>I weigh</think>\n\nhello", &["I weigh"], "hello"),
            ("<THINK>\u{130}</Think>\u{130}", &["\u{130}"], "\u{130}"),
            ("a <analysis>b</analysis> c <think>d</think>", &["b", "d"], "a  c"),
            ("<reasoning></reasoning>hi", &[], "hi"),
            ("<think>never closed", &[], "<think>never closed"),
            ("</think>closed only", &[], "</think>closed only"),
            (
                "<think>a<analysis>b</think>c</analysis>",
                &["a<analysis>b"],
                "c</analysis>",
            ),
            ("<think><think>a</think>b</think>", &["<think>a"], "b</think>"),
            ("", &[], ""),
        ];
        for (text, thoughts, rest) in table {
            let expected = (thoughts.iter().map(|one| (*one).to_owned()).collect(), rest.to_owned());
            assert_eq!(split_thoughts(text), expected, "{text}");
        }
    }

    /// With quadratic time this takes minutes.
    #[test]
    fn thoughts_are_split_in_linear_time() {
        let text = "<think><analysis></think>".repeat(200_000) + "</analysis>";
        assert_eq!(split_thoughts(&text).0.len(), 200_000);
    }
}
