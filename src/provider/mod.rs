//! Providers: what each supports, how its request looks, how its answer is read. One file each, one line each in
//! [`PROVIDERS`]. No provider keeps state: settings and parameters come with every call.

mod anthropic;
mod azure_openai;
mod bedrock;
mod body;
mod chat_completions;
mod dashscope;
pub mod failure;
mod gemini;
mod http_date;
mod ollama;
mod openai;
mod openai_responses;
mod openai_service;
mod reader;
mod rpc_status;
mod settings;
mod tool_calls;
mod tools;
mod usage;
mod vllm;
mod watsonx;

use std::borrow::Cow;
use std::fmt::Debug;
use std::sync::Arc;

pub use failure::HttpAnswer;
pub use settings::Auth;

use crate::error::{Error, Result};
use crate::json::Json;
use crate::message::{ChatMessage, ChatResult, Role};
use crate::schema::{Dialect, OutputSchema, Rewritten};
use crate::structured::{self, Decision, Reason, ReasonCode, Strategy, Support};

/// Every provider of this library.
pub static PROVIDERS: &[&dyn Provider] = &[
    &openai::OpenAi,
    &azure_openai::AzureOpenAi,
    &openai_responses::OpenAiResponses,
    &vllm::Vllm,
    &ollama::Ollama,
    &dashscope::DashScope,
    &watsonx::Watsonx,
    &gemini::Gemini,
    &bedrock::Bedrock,
    &anthropic::Anthropic,
];

/// One provider.
pub trait Provider: Sync + Debug {
    /// The name in frames and settings.
    fn name(&self) -> &'static str;

    /// The name in messages for people.
    fn display_name(&self) -> &'static str;

    /// Month in which the tables of this provider were last read, for example `2026-11`.
    fn table(&self) -> &'static str;

    /// What a request of this call can do with `schema`, and why (#1129). Absent schema, tools and parameters are no error.
    fn support(&self, call: &Call<'_>, schema: Option<&OutputSchema>) -> Result<SupportAnswer>;

    /// Why the caller's own response format stands in the way of a native schema called `schema`, if it does.
    fn collision(&self, call: &Call<'_>, schema: &str) -> Option<String>;

    /// The finished request; `native` is the schema that it carries.
    fn build(
        &self,
        call: &Call<'_>,
        messages: &[ChatMessage<'_>],
        native: Option<&NativeSchema>,
    ) -> Result<HttpRequest>;

    /// The answer as a result. A refusal or a cut answer is a result, too.
    fn parse(&self, call: &Call<'_>, answer: &HttpAnswer<'_>) -> Result<ChatResult<'static>>;
}

/// The provider called `name`.
pub fn by_name(name: &str) -> Result<&'static dyn Provider> {
    let found = PROVIDERS.iter().find(|provider| provider.name() == name);
    found.copied().ok_or_else(|| {
        let known: Vec<&str> = PROVIDERS.iter().map(|provider| provider.name()).collect();
        Error::configuration(format!(
            "Unknown provider '{name}'. Known providers: {}.",
            known.join(", ")
        ))
    })
}

/// What every operation of a provider gets to see.
#[derive(Debug)]
pub struct Call<'a> {
    /// An object; the provider checks it.
    pub settings: &'a Json<'a>,
    pub parameters: &'a [(Cow<'a, str>, Json<'a>)],
    pub tools: Vec<Tool<'a>>,
}

/// A tool that the model may call.
#[derive(Debug, Clone)]
pub struct Tool<'a> {
    pub name: Cow<'a, str>,
    pub description: Option<Cow<'a, str>>,
    /// A JSON Schema object.
    pub input_schema: Json<'a>,
    pub strict: Option<bool>,
}

/// A provider's answer about a schema. `rewritten` is there unless the support is INFEASIBLE.
#[derive(Debug)]
pub struct SupportAnswer {
    pub support: Support,
    pub reasons: Vec<Reason>,
    pub rewritten: Option<Arc<Rewritten>>,
}

/// A schema as a request carries it.
#[derive(Debug)]
pub struct NativeSchema {
    /// At most 64 characters of `[A-Za-z0-9_-]`.
    pub name: String,
    pub rewritten: Arc<Rewritten>,
}

/// Names and values; the library's own are constants.
pub type Headers = Vec<(Cow<'static, str>, Cow<'static, str>)>;

/// A request that only lacks its key.
#[derive(Debug)]
pub struct HttpRequest {
    pub method: &'static str,
    pub url: String,
    pub headers: Headers,
    /// Where the key goes; `None` sends none.
    pub auth: Option<Auth>,
    pub body: Vec<u8>,
    /// What became of the schemas of strict tools.
    pub reasons: Vec<Reason>,
}

/// What to do with a schema that cannot travel natively.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WhenInfeasible {
    /// Strategy NATIVE fails; other strategies put the schema into the prompt.
    Fail,
    /// The schema is left out: the caller has put it into the prompt already.
    Omit,
}

/// The way of a schema, and the rewritten schema if that way is native.
fn choose(
    provider: &dyn Provider,
    call: &Call<'_>,
    strategy: Strategy,
    schema: Option<&OutputSchema>,
) -> Result<(Decision, Option<NativeSchema>)> {
    let answer = provider.support(call, schema)?;
    let (native, mut reasons) = structured::decide(strategy, answer.support, answer.reasons);
    let name = schema.map(OutputSchema::name).unwrap_or_default();
    let carried = answer.rewritten.filter(|_| native).map(|rewritten| NativeSchema {
        name: name.clone(),
        rewritten,
    });
    let collision = carried
        .as_ref()
        .and_then(|_| provider.collision(call, &describe(schema)));
    reasons.extend(collision.map(|message| Reason::new(ReasonCode::FormatCollision, message)));
    let decision = Decision {
        support: answer.support,
        strategy,
        native: carried.is_some(),
        reasons,
        table: provider.table(),
        name,
        wrapper: carried.as_ref().and_then(|schema| schema.rewritten.wrapper),
    };
    Ok((decision, carried))
}

/// Which way a schema travels, and why. A collision with the caller's own format is a reason here; [`build_request`] raises it.
pub fn decide(
    provider: &dyn Provider,
    call: &Call<'_>,
    strategy: Strategy,
    schema: Option<&OutputSchema>,
) -> Result<Decision> {
    choose(provider, call, strategy, schema).map(|(decision, _)| decision)
}

/// The finished request of a call, and the decision about its schema.
pub fn build_request(
    provider: &dyn Provider,
    call: &Call<'_>,
    mut messages: Vec<ChatMessage<'_>>,
    strategy: Strategy,
    schema: Option<&OutputSchema>,
    when_infeasible: WhenInfeasible,
) -> Result<(HttpRequest, Option<Decision>)> {
    if messages.is_empty() {
        return Err(Error::invalid_argument("A chat request needs at least one message"));
    }
    let Some(schema) = schema else {
        return Ok((provider.build(call, &messages, None)?, None));
    };
    let (decision, native) = choose(provider, call, strategy, Some(schema))?;
    let omit = when_infeasible == WhenInfeasible::Omit;
    match &native {
        Some(_) => {
            if let Some(collision) = provider.collision(call, &describe(Some(schema))) {
                return Err(Error::invalid_argument(collision));
            }
        }
        None if strategy == Strategy::Native && !omit => return Err(infeasible(provider, schema, &decision)),
        None if !omit => {
            let place = insert_instruction(&mut messages, schema.instruction());
            let request = provider.build(call, &messages, None).map_err(|error| {
                // The caller's own messages are counted without the instruction.
                messages.remove(place);
                provider.build(call, &messages, None).err().unwrap_or(error)
            })?;
            return Ok((request, Some(decision)));
        }
        None => (),
    }
    let request = provider.build(call, &messages, native.as_ref())?;
    Ok((request, Some(decision)))
}

fn describe(schema: Option<&OutputSchema>) -> String {
    schema.map(OutputSchema::description).unwrap_or_default()
}

/// Behind the first system message, else at the head; gives the place.
fn insert_instruction(messages: &mut Vec<ChatMessage<'_>>, instruction: String) -> usize {
    let system = messages.iter().position(|message| message.role == Role::System);
    let place = system.map_or(0, |index| index + 1);
    messages.insert(place, ChatMessage::system(instruction));
    place
}

fn infeasible(provider: &dyn Provider, schema: &OutputSchema, decision: &Decision) -> Error {
    let why = structured::told(decision.reasons.iter().filter_map(|reason| {
        let told = (reason.message.as_str(), reason.pointer.as_deref());
        (reason.code != ReasonCode::StrategyNativeInfeasible).then_some(told)
    }));
    let text = format!(
        "Structured output strategy NATIVE was requested, but {} cannot apply the output schema {} natively. {} Use the strategy \
         AUTO or PROMPT, which put the schema into the prompt.",
        provider.display_name(),
        schema.description(),
        why
    );
    Error::invalid_argument(text).with("decision", decision.to_json())
}

/// The conditions that are the same for all: a schema is there, and the dialect can carry it.
fn translate(
    schema: Option<&OutputSchema>,
    dialect: &'static Dialect,
) -> std::result::Result<Arc<Rewritten>, Vec<Reason>> {
    match schema {
        None => Err(vec![Reason::new(ReasonCode::NoSchema, "No output schema was given.")]),
        Some(schema) => schema.rewrite(dialect),
    }
}

/// Support by model: `listed` says whether the table or the user's own names have it.
fn by_model(rewritten: Arc<Rewritten>, model: Option<&str>, listed: bool, table: &str) -> SupportAnswer {
    let mut reasons = vec![about_model(model, listed, table)];
    reasons.extend(rewritten.reasons.iter().cloned());
    let recommended = listed && model.is_some() && !rewritten.limited;
    SupportAnswer {
        support: if recommended {
            Support::NativeRecommended
        } else {
            Support::Feasible
        },
        reasons,
        rewritten: Some(rewritten),
    }
}

/// Support that is the same for every model, for the `cause` given.
fn for_any_model(rewritten: Arc<Rewritten>, model: Option<&str>, cause: String) -> SupportAnswer {
    let mut cause = Reason::new(ReasonCode::ModelListed, cause);
    if let Some(model) = model {
        cause = cause.with("model", model.to_owned());
    }
    let mut reasons = vec![cause];
    reasons.extend(rewritten.reasons.iter().cloned());
    SupportAnswer {
        support: match rewritten.limited {
            true => Support::Feasible,
            false => Support::NativeRecommended,
        },
        reasons,
        rewritten: Some(rewritten),
    }
}

fn about_model(model: Option<&str>, listed: bool, table: &str) -> Reason {
    let Some(model) = model else {
        return Reason::new(
            ReasonCode::ModelUnknown,
            "No model is known: neither a setting nor a parameter names it.",
        );
    };
    let (code, verdict) = match listed {
        true => (ReasonCode::ModelListed, "is known to honour a schema"),
        false => (
            ReasonCode::ModelNotListed,
            "is not known to honour a schema; native_models adds it",
        ),
    };
    let text = format!("The model {model} {verdict} (table of {table}).");
    Reason::new(code, text).with("model", model.to_owned())
}

fn no_support(reasons: Vec<Reason>) -> SupportAnswer {
    SupportAnswer {
        support: Support::Infeasible,
        reasons,
        rewritten: None,
    }
}

/// The text of a parameter, blank counts as absent; never fails, for answers that must not.
fn text_parameter<'a>(parameters: &'a [(Cow<'_, str>, Json<'_>)], name: &str) -> Option<&'a str> {
    crate::message::fields::member(parameters, name)
        .and_then(Json::as_text)
        .map(str::trim)
        .filter(|text| !text.is_empty())
}

/// JSON bodies in both directions, then the user's own headers.
fn json_headers(own: Headers) -> Headers {
    let mut headers: Headers = Vec::with_capacity(2 + own.len());
    headers.push(("Content-Type".into(), "application/json".into()));
    headers.push(("Accept".into(), "application/json".into()));
    headers.extend(own);
    headers
}
