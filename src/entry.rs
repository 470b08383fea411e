//! The operations of docs/boundary.md that need no thread: a request frame in, a result frame out, ordinary Rust.
//!
//! A frame that Java should never have written is an error of kind `frame`; what the user passed in it has kinds of its own.

use std::borrow::Cow;

use crate::error::{Error, ErrorKind, Result};
use crate::jni::frame::{FRAME_VERSION, MAX_FRAME_BYTES, NUMBER_EXTENSION};
use crate::json::{self, Json, MAX_DEPTH};
use crate::message::fields::{Path, borrow};
use crate::message::{ChatMessage, ChatResult};
use crate::outcome::{ChatOutcome, ChatResponseEvent, ModelRoutingEvent, rejected_finish_reason, typed_answer};
use crate::provider::{self, Call, HttpAnswer, HttpRequest, PROVIDERS, Provider, Tool, WhenInfeasible};
use crate::run::{self, Spec, State};
use crate::schema::{Answer, OutputSchema, read_answer as read_text};
use crate::structured::{Reason, ReasonCode, Strategy};

/// The versions and tables that Java checks itself against.
pub fn handshake(_frame: &Json<'_>) -> Result<Json<'static>> {
    fn names<'n>(names: impl IntoIterator<Item = &'n str>) -> Json<'static> {
        Json::Array(names.into_iter().map(|name| name.to_owned().into()).collect())
    }
    Ok(Json::object([
        ("version", env!("CARGO_PKG_VERSION").into()),
        ("frame_version", FRAME_VERSION.into()),
        ("number_extension", i64::from(NUMBER_EXTENSION).into()),
        ("max_frame_bytes", (MAX_FRAME_BYTES as u64).into()),
        ("max_depth", (MAX_DEPTH as u64).into()),
        ("error_kinds", names(ErrorKind::ALL.map(ErrorKind::name))),
        ("reason_codes", names(ReasonCode::ALL.map(ReasonCode::name))),
        ("providers", names(PROVIDERS.iter().map(|provider| provider.name()))),
    ]))
}

/// Which way a schema travels, and why.
pub fn decide(frame: &Json<'_>) -> Result<Json<'static>> {
    let request = Request::read(frame)?;
    let decision = provider::decide(
        request.provider,
        &request.call,
        request.strategy,
        request.schema.as_ref(),
    )?;
    Ok(decision.to_json())
}

/// One provider request, finished.
pub fn build_request(frame: &Json<'_>) -> Result<Json<'static>> {
    let request = Request::read(frame)?;
    let when_infeasible = match frame.get("when_infeasible").map(|value| value.as_text()) {
        None | Some(Some("FAIL")) => WhenInfeasible::Fail,
        Some(Some("OMIT")) => WhenInfeasible::Omit,
        Some(_) => return Err(wrong_shape("when_infeasible", "FAIL or OMIT")),
    };
    let messages = read_messages(frame)?;
    let (http, decision) = provider::build_request(
        request.provider,
        &request.call,
        messages,
        request.strategy,
        request.schema.as_ref(),
        when_infeasible,
    )?;
    Ok(http_frame(http, decision.map(|decision| decision.to_json())))
}

fn http_frame(http: HttpRequest, decision: Option<Json<'static>>) -> Json<'static> {
    let headers = http.headers.into_iter();
    let reasons: Vec<_> = http.reasons.iter().map(Reason::to_json).collect();
    let auth = http.auth.as_ref().map(|auth| auth.to_json());
    Json::object([
        ("method", http.method.into()),
        ("url", http.url.into()),
        (
            "headers",
            Json::object(headers.map(|(name, value)| (name, value.into()))),
        ),
        ("auth", auth.into()),
        ("body", Json::Bytes(Cow::Owned(http.body))),
        ("decision", decision.into()),
        ("reasons", (!reasons.is_empty()).then_some(reasons).into()),
    ])
}

/// An HTTP answer as a result, and as a typed answer when a schema is given.
pub fn parse_response(frame: &Json<'_>) -> Result<Json<'static>> {
    let request = Request::read(frame)?;
    let answer = HttpAnswer {
        url: text(frame, "url")?,
        status: frame
            .get("status")
            .and_then(Json::as_i64)
            .and_then(|status| u16::try_from(status).ok())
            .ok_or_else(|| wrong_shape("status", "an HTTP status"))?,
        headers: object(frame, "headers")?,
        body: bytes(frame, "body")?,
    };
    let result = request.provider.parse(&request.call, &answer)?;
    let wrapper = frame.get("wrapper").and_then(Json::as_text);
    let typed = request
        .schema
        .as_ref()
        .and_then(|schema| typed_answer(&result, schema, wrapper, request.call.parameters));
    let typed = typed.map(|typed| typed.map_or_else(|error| failure_frame(&error), Answer::into_json));
    // A cut or filtered answer is no success without a schema either.
    let typed = typed.or_else(|| {
        let rejected = rejected_finish_reason(&result, request.call.parameters).filter(|_| request.schema.is_none());
        rejected.map(|error| failure_frame(&error))
    });
    Ok(Json::object([
        ("result", result.to_json().into_owned()),
        ("answer", typed.into()),
    ]))
}

/// A text against a schema.
pub fn read_answer(frame: &Json<'_>) -> Result<Json<'static>> {
    let schema = schema(frame)?.ok_or_else(|| wrong_shape("schema", "a schema"))?;
    let wrapper = frame.get("wrapper").and_then(Json::as_text);
    let answer = read_text(&schema, text(frame, "text")?, wrapper);
    Ok(answer.map_or_else(|error| failure_frame(&error), Answer::into_json))
}

fn failure_frame(error: &Error) -> Json<'static> {
    let failure = Json::object([
        ("kind", error.kind.name().into()),
        ("message", error.message.clone().into()),
        ("details", Json::object(error.details.iter().cloned())),
    ]);
    Json::object([("failure", failure)])
}

/// The schema as text, and the instruction for the prompt path.
pub fn schema_text(frame: &Json<'_>) -> Result<Json<'static>> {
    let schema = schema(frame)?.ok_or_else(|| wrong_shape("schema", "a schema"))?;
    Ok(Json::object([
        ("text", schema.text().into()),
        ("instruction", schema.instruction().into()),
        ("name", schema.name().into()),
    ]))
}

/// One step of a chat run: what to do next, and the record of what has just happened.
pub fn run_step(frame: &Json<'_>) -> Result<Json<'static>> {
    let spec = Spec::from_json(frame.get("run").ok_or_else(|| wrong_shape("run", "an object"))?)?;
    let step = match frame.get("state") {
        None => run::start(&spec, &read_messages(frame)?)?,
        Some(state) => {
            let state = State::from_bytes(state.as_bytes().ok_or_else(|| wrong_shape("state", "bytes"))?)?;
            let event = frame.get("event").ok_or_else(|| wrong_shape("event", "an object"))?;
            run::accept(&spec, state, event)?
        }
    };
    let record = step
        .record
        .map(|(key, bytes)| Json::object([("key", key.into()), ("bytes", Json::Bytes(Cow::Owned(bytes)))]));
    Ok(Json::object([
        ("state", Json::Bytes(Cow::Owned(step.state.to_bytes()))),
        ("action", step.action.to_json()),
        ("record", record.into()),
        ("mismatch", step.mismatch.into()),
        ("routing_event", step.routing_event.into()),
        ("replayed", step.replayed.into()),
    ]))
}

/// Upstream JSON to one of our types, checked.
pub fn read_json(frame: &Json<'_>) -> Result<Json<'static>> {
    let document = bytes(frame, "json")?;
    let json = json::parse(document)?;
    let value = checked(text(frame, "type")?, &json)?;
    Ok(Json::object([("value", value)]))
}

/// One of our types to upstream JSON, checked.
pub fn write_json(frame: &Json<'_>) -> Result<Json<'static>> {
    let value = frame.get("value").ok_or_else(|| wrong_shape("value", "an object"))?;
    let mut json = Vec::new();
    checked(text(frame, "type")?, value)?.write_to(&mut json);
    Ok(Json::object([("json", Json::Bytes(Cow::Owned(json)))]))
}

fn checked(kind: &str, json: &Json<'_>) -> Result<Json<'static>> {
    let root = Path::Root;
    Ok(match kind {
        "message" => ChatMessage::from_json(json, &root)?.to_json().into_owned(),
        "result" => ChatResult::from_json(json, &root)?.to_json().into_owned(),
        "outcome" => ChatOutcome::from_json(json, &root)?.to_json().into_owned(),
        "response_event" => ChatResponseEvent::from_json(json, &root)?.to_json().into_owned(),
        "routing_event" => ModelRoutingEvent::from_json(json, &root)?.to_json().into_owned(),
        _ => {
            let known = "message, result, outcome, response_event or routing_event";
            return Err(wrong_shape("type", known));
        }
    })
}

/// What `decide`, `buildRequest` and `parseResponse` have in common.
struct Request<'a> {
    provider: &'static dyn Provider,
    call: Call<'a>,
    strategy: Strategy,
    schema: Option<OutputSchema>,
}

impl<'a> Request<'a> {
    fn read(frame: &'a Json<'_>) -> Result<Self> {
        const NO_SETTINGS: &Json<'static> = &Json::Object(Vec::new());
        let model = frame.get("model").ok_or_else(|| wrong_shape("model", "an object"))?;
        Ok(Request {
            provider: provider::by_name(text(model, "provider")?)?,
            call: Call {
                settings: model.get("settings").unwrap_or(NO_SETTINGS),
                parameters: object(frame, "parameters")?,
                tools: read_tools(frame)?,
            },
            strategy: match frame.get("strategy").map(|value| value.as_text()) {
                None => Strategy::Auto,
                Some(Some(name)) => Strategy::parse(name)?,
                Some(None) => return Err(wrong_shape("strategy", "a string")),
            },
            schema: schema(frame)?,
        })
    }
}

fn read_messages<'a>(frame: &'a Json<'_>) -> Result<Vec<ChatMessage<'a>>> {
    let path = Path::Root.key("messages");
    let messages = array(frame, "messages")?.iter().enumerate();
    messages
        .map(|(index, message)| ChatMessage::from_json(message, &path.index(index)))
        .collect()
}

fn read_tools<'a>(frame: &'a Json<'_>) -> Result<Vec<Tool<'a>>> {
    let tools = array(frame, "tools")?.iter().enumerate();
    tools.map(|(index, tool)| read_tool(index, tool)).collect()
}

fn read_tool<'a>(index: usize, json: &'a Json<'_>) -> Result<Tool<'a>> {
    let fault = |fault: String| Error::invalid_argument(format!("tools[{index}].{fault}"));
    let name = json.get("name").and_then(Json::as_text).unwrap_or_default();
    if name.is_empty() {
        return Err(fault("name must be a non-empty string".into()));
    }
    Ok(Tool {
        name: Cow::Borrowed(name),
        description: json.get("description").and_then(Json::as_text).map(Cow::Borrowed),
        input_schema: read_input_schema(json).map_err(|error| fault(format!("input_schema of {name} {error}")))?,
        strict: json.get("strict").and_then(Json::as_bool),
    })
}

/// JSON text of an object; a tool without one takes no arguments.
fn read_input_schema<'a>(tool: &'a Json<'_>) -> std::result::Result<Json<'a>, String> {
    let text = match tool.get("input_schema") {
        Some(Json::Text(text)) => text.as_bytes(),
        Some(Json::Bytes(bytes)) => bytes,
        Some(object @ Json::Object(_)) => return Ok(borrow(object)),
        Some(other) => return Err(format!("must be JSON text of an object, found {}", other.kind())),
        None => b"",
    };
    if text.iter().all(u8::is_ascii_whitespace) {
        let properties = ("properties", Json::Object(Vec::new()));
        return Ok(Json::object([("type", "object".into()), properties]));
    }
    if let Some(offset) = json::lone_surrogate(text) {
        return Err(format!(
            "holds half a character (an unpaired surrogate) at byte {offset}"
        ));
    }
    match json::parse(text).map(Json::without_repeated_keys) {
        Ok(object @ Json::Object(_)) => Ok(object),
        Ok(other) => Err(format!("must be a JSON object, found {}", other.kind())),
        Err(error) => Err(format!("cannot be read: {error}")),
    }
}

fn schema(frame: &Json<'_>) -> Result<Option<OutputSchema>> {
    frame.get("schema").map(OutputSchema::from_frame).transpose()
}

fn text<'a>(frame: &'a Json<'_>, key: &str) -> Result<&'a str> {
    let value = frame.get(key).and_then(Json::as_text);
    value.ok_or_else(|| wrong_shape(key, "a string"))
}

fn bytes<'a>(frame: &'a Json<'_>, key: &str) -> Result<&'a [u8]> {
    match frame.get(key) {
        None => Ok(&[]),
        Some(value) => value.as_bytes().ok_or_else(|| wrong_shape(key, "bytes")),
    }
}

fn array<'a>(frame: &'a Json<'_>, key: &str) -> Result<&'a [Json<'a>]> {
    match frame.get(key) {
        None => Ok(&[]),
        Some(value) => value.as_array().ok_or_else(|| wrong_shape(key, "an array")),
    }
}

fn object<'a>(frame: &'a Json<'_>, key: &str) -> Result<&'a [(Cow<'a, str>, Json<'a>)]> {
    match frame.get(key) {
        None => Ok(&[]),
        Some(value) => value.as_object().ok_or_else(|| wrong_shape(key, "an object")),
    }
}

fn wrong_shape(key: &str, wanted: &str) -> Error {
    Error::new(ErrorKind::Frame, format!("the frame's {key} must be {wanted}"))
}
