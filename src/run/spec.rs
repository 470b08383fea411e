//! What a run is told at its start, and again at each step: it never changes.

use std::borrow::Cow;

use super::router::Router;
use crate::error::{Error, Result};
use crate::json::Json;
use crate::message::fields::{Fields, Path};
use crate::provider::failure::is_uuid;
use crate::schema::OutputSchema;
use crate::structured::Strategy;

/// Most retries of one attempt that can be asked for.
pub const MAX_RETRIES: i64 = 1_000;
/// Longest wait before a retry, in milliseconds: ten minutes (#1149 in this project's reading).
pub const MAX_WAIT_MS: i64 = 600_000;
/// Most re-asks of one run that can be asked for.
pub const MAX_REASKS: i64 = 100;
/// Most rounds of tool calls that can be asked for.
pub const MAX_TOOL_ROUNDS: i64 = 10_000;

/// The run: who, what about, and how stubborn.
#[derive(Debug)]
pub struct Spec<'a> {
    /// A UUID; it names the journal, and the request in the outcome.
    pub run_id: Cow<'a, str>,
    /// Digest of what is asked. A record of another input under the same run id is not taken.
    pub input: Cow<'a, str>,
    /// One letter for each message of the caller: see [`super::history`].
    pub history: Cow<'a, str>,
    pub strategy: Strategy,
    pub schema: Option<OutputSchema>,
    pub retry: Retry,
    pub reask: Option<Reask>,
    /// The schema goes with the one call: there is no finalization call.
    pub direct: bool,
    /// Rounds of tool calls after which a model that asks for more has failed.
    pub max_tool_rounds: i64,
    /// The call parameter of that name, for the error text of a truncated answer.
    pub max_tokens: Option<i64>,
    /// Who is called where there is no router.
    pub model: Cow<'a, str>,
    pub router: Option<Router>,
}

/// The one retry loop.
#[derive(Debug)]
pub struct Retry {
    /// Attempts beyond the first, of each round of tool calls and of each candidate.
    pub max_retries: i64,
    /// Wait before the first retry, in milliseconds; it doubles from one to the next.
    pub interval_ms: i64,
    /// Longest wait that doubling leads to, in milliseconds.
    pub max_wait_ms: i64,
    pub retry_on: RetryOn,
}

/// Which failures are repeated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RetryOn {
    /// Every failed attempt, as #1149 says.
    All,
    /// Only what may pass by itself.
    Retryable,
}

/// The budget for sending an invalid answer back with what is wrong with it.
#[derive(Debug)]
pub struct Reask {
    /// Re-asks of the whole run.
    pub attempts: i64,
    /// No re-ask once the run has used this many tokens.
    pub max_tokens: Option<i64>,
    /// No re-ask once the run has taken this long, in milliseconds.
    pub max_ms: Option<i64>,
}

impl<'a> Spec<'a> {
    /// Reads and checks the `RUN` shape of docs/boundary.md. Fails with kind `configuration`, naming the setting.
    pub fn from_json(json: &'a Json<'_>) -> Result<Self> {
        let known = [
            "run_id",
            "input",
            "history",
            "strategy",
            "schema",
            "max_retries",
            "retry_interval_ms",
            "retry_max_wait_ms",
            "retry_on",
            "reask",
            "finalization",
            "tools",
            "max_tool_rounds",
            "max_tokens",
            "model",
            "router",
        ];
        let fields = Fields::strict(json, &Path::Root, &known)?;
        let run_id = fields.text("run_id")?.filter(|id| is_uuid(id));
        let strategy = fields.text("strategy")?;
        Ok(Spec {
            run_id: run_id.ok_or_else(|| Error::configuration("The id of a run must be a UUID."))?,
            input: fields.text("input")?.unwrap_or_default(),
            history: fields.text("history")?.unwrap_or_default(),
            strategy: strategy.map_or(Ok(Strategy::Auto), |name| Strategy::parse(&name))?,
            schema: fields.get("schema").map(OutputSchema::from_frame).transpose()?,
            retry: Retry {
                max_retries: setting(&fields, "max_retries", 0, 0, MAX_RETRIES)?,
                interval_ms: setting(&fields, "retry_interval_ms", 1_000, 0, MAX_WAIT_MS)?,
                max_wait_ms: setting(&fields, "retry_max_wait_ms", MAX_WAIT_MS, 0, MAX_WAIT_MS)?,
                retry_on: RetryOn::parse(fields.text("retry_on")?.as_deref())?,
            },
            reask: fields.get("reask").map(read_reask).transpose()?,
            direct: read_direct(&fields)?,
            max_tool_rounds: setting(&fields, "max_tool_rounds", 100, 0, MAX_TOOL_ROUNDS)?,
            max_tokens: fields.get("max_tokens").and_then(Json::as_i64),
            model: fields.text("model")?.unwrap_or_default(),
            router: fields
                .get("router")
                .map(|router| Router::from_json(router, &Path::Root.key("router")))
                .transpose()?,
        })
    }

    /// Resource name of a candidate, or of the one model.
    pub fn model_name(&self, candidate: usize) -> &str {
        match &self.router {
            None => &self.model,
            Some(router) => router.candidate_name(candidate),
        }
    }

    /// Key of a candidate's calls (#1149).
    pub fn chat_key(&self, candidate: usize) -> String {
        match &self.router {
            None => "chat".to_owned(),
            Some(router) => format!("chat:{}:{}", router.name, self.model_name(candidate)),
        }
    }

    /// Key of a candidate's decision record.
    pub fn decide_key(&self, candidate: usize) -> String {
        match &self.router {
            None => "decide".to_owned(),
            Some(router) => format!("decide:{}:{}", router.name, self.model_name(candidate)),
        }
    }
}

impl RetryOn {
    fn parse(name: Option<&str>) -> Result<Self> {
        match name {
            None | Some("all") => Ok(RetryOn::All),
            Some("retryable") => Ok(RetryOn::Retryable),
            Some(other) => Err(Error::configuration(format!(
                "Setting 'retry-on' is '{other}'; expected one of: all, retryable."
            ))),
        }
    }
}

/// `finalization` is `always` (#1215), or `with_tools`: then a request that offers no tools is one call.
fn read_direct(fields: &Fields<'_, '_>) -> Result<bool> {
    let tools = fields.flag("tools")?;
    match fields.text("finalization")?.as_deref() {
        None | Some("always") => Ok(false),
        Some("with_tools") => Ok(!tools),
        Some(other) => Err(Error::configuration(format!(
            "Setting 'finalization' is '{other}'; expected one of: always, with_tools."
        ))),
    }
}

fn read_reask(json: &Json<'_>) -> Result<Reask> {
    let path = Path::Root.key("reask");
    let fields = Fields::strict(json, &path, &["attempts", "max_tokens", "max_ms"])?;
    let limit = |name: &str| match fields.get(name) {
        None => Ok(None),
        Some(_) => setting(&fields, name, 0, 1, i64::MAX).map(Some),
    };
    Ok(Reask {
        attempts: setting(&fields, "attempts", 1, 1, MAX_REASKS)?,
        max_tokens: limit("max_tokens")?,
        max_ms: limit("max_ms")?,
    })
}

fn setting(fields: &Fields<'_, '_>, name: &str, default: i64, low: i64, high: i64) -> Result<i64> {
    match fields.get(name) {
        None => Ok(default),
        Some(Json::Int(value)) if (low..=high).contains(value) => Ok(*value),
        Some(other) => {
            let found = match other {
                Json::Int(value) => value.to_string(),
                other => other.kind().to_owned(),
            };
            let place = fields.path.key(name);
            Err(Error::configuration(format!(
                "Setting '{place}' of a run must be an integer from {low} to {high}, found {found}."
            )))
        }
    }
}
