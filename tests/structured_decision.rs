//! The decision table of #1215 and the names that cross the boundary.

use flink_agents_native::error::ErrorKind;
use flink_agents_native::json::Json;
use flink_agents_native::structured::{Decision, Reason, ReasonCode, Strategy, Support, decide};
use std::collections::HashSet;

#[test]
fn pr1215_decision_table() {
    use ReasonCode::{StrategyAutoNeedsRecommended, StrategyNativeInfeasible, StrategyPrompt};
    let table = [
        (Strategy::Prompt, Support::Infeasible, false, Some(StrategyPrompt)),
        (Strategy::Prompt, Support::Feasible, false, Some(StrategyPrompt)),
        (
            Strategy::Prompt,
            Support::NativeRecommended,
            false,
            Some(StrategyPrompt),
        ),
        (
            Strategy::Auto,
            Support::Infeasible,
            false,
            Some(StrategyAutoNeedsRecommended),
        ),
        (
            Strategy::Auto,
            Support::Feasible,
            false,
            Some(StrategyAutoNeedsRecommended),
        ),
        (Strategy::Auto, Support::NativeRecommended, true, None),
        (
            Strategy::Native,
            Support::Infeasible,
            false,
            Some(StrategyNativeInfeasible),
        ),
        (Strategy::Native, Support::Feasible, true, None),
        (Strategy::Native, Support::NativeRecommended, true, None),
    ];
    let own = Reason::at(ReasonCode::OpenObject, "/properties/x", "open");
    for (strategy, support, native, reason) in table {
        let (found, reasons) = decide(strategy, support, vec![own.clone()]);
        assert_eq!(found, native, "{strategy:?} {support:?}");
        assert_eq!(reasons[0], own, "the support's reasons stay first");
        assert_eq!(
            reasons.get(1).map(|reason| reason.code),
            reason,
            "{strategy:?} {support:?}"
        );
    }
}

#[test]
fn pr843_strategy_names_are_read_in_any_case() {
    for strategy in Strategy::ALL {
        assert_eq!(Strategy::parse(strategy.name()).unwrap(), strategy);
        assert_eq!(Strategy::parse(&strategy.name().to_lowercase()).unwrap(), strategy);
    }
    for wrong in ["", "native ", "both"] {
        let error = Strategy::parse(wrong).unwrap_err();
        assert_eq!(error.kind, ErrorKind::InvalidArgument);
        assert_eq!(
            error.message,
            format!("Unknown structured output strategy '{wrong}'. Expected one of: AUTO, NATIVE, PROMPT.")
        );
    }
}

#[test]
fn reason_names_are_distinct_snake_case() {
    let names: HashSet<_> = ReasonCode::ALL.iter().map(|code| code.name()).collect();
    assert_eq!(names.len(), ReasonCode::ALL.len());
    assert!(
        names
            .iter()
            .all(|name| name.bytes().all(|byte| byte == b'_' || byte.is_ascii_lowercase()))
    );
}

#[test]
fn a_decision_crosses_in_the_documented_shape() {
    let decision = Decision {
        support: Support::Feasible,
        strategy: Strategy::Native,
        native: true,
        reasons: vec![
            Reason::new(ReasonCode::ModelNotListed, "not listed").with("model", "gpt-x"),
            Reason::at(ReasonCode::RootWrapped, "", "wrapped"),
        ],
        table: "2026-11",
        name: "Parcel".to_owned(),
        wrapper: Some("values"),
    };
    assert_eq!(
        decision.to_json().to_json(),
        r#"{"support":"FEASIBLE","strategy":"NATIVE","native":true,"reasons":[{"code":"model_not_listed","message":"not listed","details":{"model":"gpt-x"}},{"code":"root_wrapped","message":"wrapped","pointer":"","details":{}}],"table":"2026-11","name":"Parcel","wrapper":"values"}"#
    );
    let plain = Decision {
        wrapper: None,
        reasons: Vec::new(),
        ..decision
    };
    assert_eq!(plain.to_json().get("wrapper"), None);
    assert_eq!(plain.to_json().get("reasons"), Some(&Json::Array(Vec::new())));
}
