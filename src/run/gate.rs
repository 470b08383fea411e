//! The gate of #1215: is the schema sent natively with this candidate's final answer? It is asked once, before any call is paid
//! for, and its answer is the first record of the candidate.

use super::failure::Failure;
use crate::error::{Error, ErrorKind};
use crate::json::Json;
use crate::structured::{Decision, Reason, ReasonCode, Strategy, Support, told};

/// The decision for a model that has no connection to ask, or that is reached across a language bridge: never native.
pub fn unbound(strategy: Strategy, bridge: bool, setup: &str) -> Json<'static> {
    let reason = match bridge {
        true => Reason::new(
            ReasonCode::BridgeSetup,
            format!("{setup} is reached across a language bridge, which carries no output schema."),
        ),
        false => Reason::new(
            ReasonCode::NoConnection,
            format!("{setup} has no connection that could be asked."),
        ),
    };
    Decision {
        support: Support::Infeasible,
        strategy,
        native: false,
        reasons: vec![reason],
        table: "",
        name: String::new(),
        wrapper: None,
    }
    .to_json()
}

/// Whether the decision is native, or why the candidate fails before any call: NATIVE cannot be honoured, or the caller's own
/// response format stands in the way.
pub fn pass(decision: &Json<'_>, model: &str, schema: &str) -> Result<bool, Failure> {
    let native = decision.get("native").and_then(Json::as_bool).unwrap_or(false);
    let reasons = decision.get("reasons").and_then(Json::as_array).unwrap_or_default();
    let message = |reason: &Json<'_>| {
        reason
            .get("message")
            .and_then(Json::as_text)
            .unwrap_or_default()
            .to_owned()
    };
    let has_code =
        |reason: &&Json<'_>, code: ReasonCode| reason.get("code").and_then(Json::as_text) == Some(code.name());
    if let Some(collision) = reasons
        .iter()
        .find(|reason| has_code(reason, ReasonCode::FormatCollision))
    {
        return Err(refused(message(collision)));
    }
    let strategy = decision.get("strategy").and_then(Json::as_text);
    if native || strategy != Some(Strategy::Native.name()) {
        return Ok(native);
    }
    let others = reasons
        .iter()
        .filter(|reason| !has_code(reason, ReasonCode::StrategyNativeInfeasible));
    let why = told(others.map(|reason| {
        let text = |name: &str| reason.get(name).and_then(Json::as_text);
        (text("message").unwrap_or_default(), text("pointer"))
    }));
    Err(refused(format!(
        "Structured output strategy NATIVE was requested, but {model} cannot apply the output schema {schema} natively. {} Use the \
         strategy AUTO or PROMPT, which put the schema into the prompt.",
        why
    )))
}

/// An argument that no repetition mends; a direct call would throw an `IllegalArgumentException`.
fn refused(message: String) -> Failure {
    let failure = Failure::of(Error::new(ErrorKind::InvalidArgument, message));
    Failure {
        kind: ErrorKind::Configuration,
        ..failure
    }
}
