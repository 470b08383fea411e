//! Model routing: declarations, the three strategies, the choice, and what outcome and event say about it.

use flink_agents_native::error::{Error, ErrorKind};
use flink_agents_native::json::{Json, parse};
use flink_agents_native::message::{ChatMessage, ContentBlock, Media, MediaKind, MediaSource, Path, Role, TokenUsage};
use flink_agents_native::run::router::{
    Choice, Conversation, DecisionSource, Judge, MAX_NESTING, MAX_PATTERN, NO_TEXT, Router, RoutingDecision,
    RoutingRecord, RoutingStrategy, Rule, by_rules, choose, judge_request, last_user_text, verdict,
};
use proptest::prelude::*;

const RULES: &str =
    r#"{"name":"r","candidates":["a","b","c"],"strategy":{"type":"RULE_BASED","rules":{"b":"refund","a":"re"}}}"#;
const CUSTOM: &str = r#"{"name":"r","candidates":["a","b","c"],"default_model":"b","strategy":{"type":"CUSTOM"}}"#;

fn router(declaration: &str) -> Router {
    read(declaration).expect("a router")
}

fn read(declaration: &str) -> Result<Router, Error> {
    Router::from_json(&parse(declaration.as_bytes()).expect("JSON"), &Path::Root.key("router"))
}

fn judged(arguments: &str) -> (Router, Judge) {
    let router = router(&format!(
        r#"{{"name":"r","candidates":["a","b","gpt/4"],"candidate_descriptions":{{"b":"long texts"}},"strategy":{{"type":"LLM_JUDGE","judge_model":"j"{arguments}}}}}"#
    ));
    let RoutingStrategy::Judge(judge) = router.strategy.clone() else {
        panic!("no judge")
    };
    (router, judge)
}

fn rules_of(router: &Router) -> &[Rule] {
    match &router.strategy {
        RoutingStrategy::Rules(rules) => rules,
        other => panic!("no rules: {other:?}"),
    }
}

fn message(role: Role, text: &str) -> ChatMessage<'static> {
    ChatMessage {
        role,
        blocks: vec![ContentBlock::Text(text.to_owned().into())],
        metadata: Vec::new(),
    }
}

fn picture() -> ChatMessage<'static> {
    ChatMessage {
        role: Role::User,
        blocks: vec![ContentBlock::Media(Media {
            kind: MediaKind::Image,
            media_type: "image/png".into(),
            source: MediaSource::Url("https://example.org/x.png".into()),
            name: None,
            size_bytes: None,
            sha256: None,
        })],
        metadata: Vec::new(),
    }
}

// ---- declarations

#[test]
fn pr964_a_declaration_survives_reading_and_writing() {
    for declaration in [
        r#"{"name":"r","candidates":["a","b"],"candidate_descriptions":{"b":"long"},"default_model":"b","fallback":true,"strategy":{"type":"RULE_BASED","rules":{"b":"refund|money","a":"."}}}"#,
        r#"{"name":"r","candidates":["a"],"candidate_descriptions":{},"default_model":"a","fallback":false,"strategy":{"type":"LLM_JUDGE","judge_model":"j","prompt_template":"Choose: {candidates}","max_context_chars":400}}"#,
        r#"{"name":"r","candidates":["a"],"candidate_descriptions":{},"default_model":"a","fallback":false,"strategy":{"type":"CUSTOM"}}"#,
    ] {
        assert_eq!(router(declaration).to_json().to_json(), declaration);
    }
}

#[test]
fn pr964_declarations_as_java_writes_them_are_read() {
    let vectors = parse(include_bytes!("vectors/routing/routers.json")).expect("JSON");
    for vector in vectors.as_array().expect("a list of vectors") {
        let declaration = vector.get("router").expect("a router");
        let router = Router::from_json(declaration, &Path::Root).expect("a router");
        let written = router.to_json();
        let given = declaration.as_object().expect("an object");
        for (key, value) in given.iter().filter(|(key, _)| key != "candidate_descriptions") {
            assert_eq!(written.get(key), Some(value), "{key}");
        }
    }
}

#[test]
fn pr964_the_first_candidate_is_the_default_unless_one_is_named() {
    assert_eq!(router(RULES).default, 0);
    assert_eq!(router(CUSTOM).default, 1);
}

#[test]
fn pr964_a_bad_declaration_is_a_configuration_error_that_names_the_place() {
    let custom = r#""strategy":{"type":"CUSTOM"}"#;
    let rules = |rules: &str| {
        format!(r#"{{"name":"r","candidates":["a","b"],"strategy":{{"type":"RULE_BASED","rules":{rules}}}}}"#)
    };
    let judge = |rest: &str| format!(r#"{{"name":"r","candidates":["a"],"strategy":{{"type":"LLM_JUDGE"{rest}}}}}"#);
    let table = [
        ("[]".to_owned(), "router must be an object"),
        (
            format!(r#"{{"candidates":["a"],{custom}}}"#),
            "router.name must be a name, found nothing",
        ),
        (
            format!(r#"{{"name":" ","candidates":["a"],{custom}}}"#),
            "a name must not be blank (at router.name)",
        ),
        (
            format!(r#"{{"name":"r",{custom}}}"#),
            "at least one candidate (at router.candidates)",
        ),
        (
            format!(r#"{{"name":"r","candidates":[],{custom}}}"#),
            "at least one candidate",
        ),
        (
            format!(r#"{{"name":"r","candidates":"a",{custom}}}"#),
            "router.candidates must be an array",
        ),
        (
            format!(r#"{{"name":"r","candidates":["a",""],{custom}}}"#),
            "a name must not be blank (at router.candidates[1])",
        ),
        (
            format!(r#"{{"name":"r","candidates":["a",7],{custom}}}"#),
            "router.candidates[1] must be a name, found a number",
        ),
        (
            format!(r#"{{"name":"r","candidates":["a","b","a"],{custom}}}"#),
            "'a' stands twice; name each one once (at router.candidates[2])",
        ),
        (
            format!(r#"{{"name":"r","candidates":["a"],"default_model":"z",{custom}}}"#),
            "'z' is no candidate of this router; its candidates are a (at router.default_model)",
        ),
        (
            format!(r#"{{"name":"r","candidates":["a"],"candidate_descriptions":{{"z":"x"}},{custom}}}"#),
            "'z' is no candidate of this router; its candidates are a (at router.candidate_descriptions)",
        ),
        (
            format!(r#"{{"name":"r","candidates":["a"],"candidate_descriptions":{{"a":1}},{custom}}}"#),
            "router.candidate_descriptions.a must be a string",
        ),
        (
            format!(r#"{{"name":"r","candidates":["a"],"fallback":1,{custom}}}"#),
            "router.fallback must be a boolean",
        ),
        (
            format!(r#"{{"name":"r","candidates":["a"],"retries":1,{custom}}}"#),
            "router.retries is an unknown field",
        ),
        (
            r#"{"name":"r","candidates":["a"]}"#.to_owned(),
            "router.strategy must be a routing strategy, found nothing",
        ),
        (
            r#"{"name":"r","candidates":["a"],"strategy":{"type":"DICE"}}"#.to_owned(),
            "RULE_BASED, LLM_JUDGE or CUSTOM (at router.strategy.type)",
        ),
        (
            r#"{"name":"r","candidates":["a"],"strategy":{"type":"CUSTOM","rules":{}}}"#.to_owned(),
            "router.strategy.rules is an unknown field",
        ),
        (rules("{}"), "at least one rule (at router.strategy.rules)"),
        (
            rules(r#"{"z":"x"}"#),
            "'z' is no candidate of this router; its candidates are a, b (at router.strategy.rules)",
        ),
        (
            rules(r#"{"a":"x","a":"y"}"#),
            "a candidate has one rule; join its patterns with `|` (at router.strategy.rules.a)",
        ),
        (
            rules(r#"{"a":1}"#),
            "router.strategy.rules.a must be a regular expression, found a number",
        ),
        (rules(r#"{"a":""}"#), "an empty pattern"),
        (
            rules(r#"{"a":"s3cr3t("}"#),
            "unclosed group (at router.strategy.rules.a)",
        ),
        (judge(""), "router.strategy.judge_model must be a name, found nothing"),
        (
            judge(r#","judge_model":"""#),
            "a name must not be blank (at router.strategy.judge_model)",
        ),
        (
            judge(r#","judge_model":"j","prompt_template":" ""#),
            "a template must not be blank",
        ),
        (
            judge(r#","judge_model":"j","max_context_chars":-1"#),
            "router.strategy.max_context_chars must be an integer of at least 1",
        ),
        (
            judge(r#","judge_model":"j","max_context_chars":0"#),
            "router.strategy.max_context_chars must be an integer of at least 1",
        ),
        (
            judge(r#","judge_model":"j","max_context_chars":"9""#),
            "router.strategy.max_context_chars must be an integer of at least 1",
        ),
    ];
    for (declaration, expected) in table {
        let error = read(&declaration).expect_err(&declaration);
        assert_eq!(error.kind, ErrorKind::Configuration, "{declaration}");
        assert!(error.message.contains(expected), "{declaration}: {}", error.message);
        assert!(!error.message.contains("s3cr3t"), "{}", error.message);
    }
}

// ---- rules

#[test]
fn pr1042_the_first_rule_in_map_order_that_is_found_wins() {
    let router = router(RULES);
    let table = [
        (Some("I want a REFUND"), Some("b")),
        (Some("I want a reply"), Some("a")),
        (Some("Hello"), None),
        (Some(""), None),
        (None, None),
    ];
    for (text, expected) in table {
        let decision = by_rules(rules_of(&router), text);
        assert_eq!(decision.selected_model.as_deref(), expected, "{text:?}");
        assert!(decision.reason.is_some(), "{text:?}");
    }
}

#[test]
fn pr1042_rules_read_only_the_text_of_the_last_user_message() {
    let found = |messages: &[ChatMessage<'_>]| last_user_text(messages).map(|text| text.into_owned());
    let user = message(Role::User, "first");
    let assistant = message(Role::Assistant, "answer");
    assert_eq!(
        found(&[user.clone(), message(Role::User, "last"), assistant.clone()]),
        Some("last".to_owned())
    );
    assert_eq!(found(&[user.clone(), assistant.clone()]), Some("first".to_owned()));
    assert_eq!(found(&[user, picture()]), None, "an earlier message never stands in");
    assert_eq!(found(&[assistant]), None);
    assert_eq!(found(&[]), None);
    let everything = [Rule::new("a", ".*", &Path::Root).expect("a rule")];
    assert_eq!(by_rules(&everything, None).selected_model, None);
}

/// Java runs the same table through `java.util.regex`.
#[test]
fn rules_find_what_java_finds_but_for_stated_line_breaks() {
    let vectors = parse(include_bytes!("vectors/routing_rules/patterns.json")).expect("JSON");
    for vector in vectors.as_array().expect("a list of vectors") {
        let text = |key| vector.get(key).and_then(Json::as_text).expect("a text");
        let rule = Rule::new("a", text("pattern"), &Path::Root).expect("a rule");
        assert_eq!(rule.pattern(), text("pattern"));
        let found = by_rules(&[rule], Some(text("text"))).selected_model.is_some();
        assert_eq!(Some(found), vector.get("found").and_then(Json::as_bool), "{vector:?}");
    }
}

#[test]
fn patterns_without_a_linear_matcher_or_with_another_meaning_in_java_are_refused() {
    let too_long = "a".repeat(MAX_PATTERN + 1);
    let too_deep = "(".repeat(MAX_NESTING as usize + 1) + "a" + &")".repeat(MAX_NESTING as usize + 1);
    let table = [
        ("a(?=b)", "look-around"),
        (r"(a)\1", "backreferences"),
        ("(?>a)", "unrecognized flag"),
        ("(?u)a", "inline flags"),
        ("(?U:a)", "inline flags"),
        ("a*+b", "two quantifiers"),
        ("a++", "two quantifiers"),
        (r"\<a", "`\\b`"),
        (r"x[\v]", "`\\v`"),
        (r"\v", "`\\v`"),
        ("[[:alpha:]]", "`[:name:]`"),
        (r"[\p{alpha}]", "POSIX class"),
        (r"\p{Punct}", "POSIX class"),
        ("[a-z--b]", "`--`"),
        ("[a-z~~b]", "`--`"),
        (r"\p{Nonsense}", "Unicode property not found"),
        ("(a{1000}){1000}", "compiles to more than"),
        (&too_long, "at most 4096 bytes"),
        (&too_deep, "nested"),
    ];
    for (pattern, expected) in table {
        let error = Rule::new("a", pattern, &Path::Root).expect_err(pattern);
        assert!(error.message.contains(expected), "{pattern}: {}", error.message);
    }
}

#[test]
fn a_rule_needs_little_stack_and_time_linear_in_the_text() {
    let work = || {
        let nesting = MAX_NESTING as usize / 2 - 1; // a group and its quantifier are two levels
        let deep = "(".repeat(nesting) + "a|b" + &")*".repeat(nesting);
        for pattern in [deep.as_str(), "(a+)+c", r"(\w+\s?)*!"] {
            let rule = Rule::new("a", pattern, &Path::Root).expect(pattern);
            let text = "a".repeat(200_000);
            assert_eq!(
                by_rules(&[rule], Some(&text)).selected_model.is_some(),
                pattern.ends_with(")*")
            );
        }
    };
    let thread = std::thread::Builder::new().stack_size(160 << 10).spawn(work);
    thread.expect("a thread").join().expect("no panic");
}

// ---- judge

fn request_of(arguments: &str, conversation: &Conversation<'_>) -> (String, String, bool) {
    let (router, judge) = judged(arguments);
    let request = judge_request(&router, &judge, conversation);
    let [system, user] = request.messages.as_slice() else {
        panic!("two messages: {request:?}")
    };
    assert_eq!((system.role, user.role), (Role::System, Role::User));
    (system.text().into_owned(), user.text().into_owned(), request.truncated)
}

#[test]
fn pr1042_the_built_in_prompt_lists_candidates_demands_json_and_forbids_obeying() {
    let messages = [message(Role::User, "hi")];
    let (system, user, truncated) = request_of("", &Conversation::of(&messages));
    assert!(system.contains("- a\n- b: long texts\n- gpt/4\n"), "{system}");
    assert!(system.contains(r#"{"model": "<candidate name>"}"#), "{system}");
    assert!(system.contains("Do not answer it"), "{system}");
    assert_eq!(user, "USER: hi");
    assert!(!truncated);
}

#[test]
fn pr1042_a_template_gets_the_candidates_wherever_it_names_them() {
    let messages = [message(Role::User, "hi")];
    let template = r#","prompt_template":"{candidates} or {candidates}""#;
    let (system, _, _) = request_of(template, &Conversation::of(&messages));
    assert_eq!(system, "- a\n- b: long texts\n- gpt/4 or - a\n- b: long texts\n- gpt/4");
}

#[test]
fn pr1042_the_conversation_is_shown_line_by_line_without_empty_messages() {
    let messages = [
        message(Role::System, "be kind"),
        message(Role::User, "first"),
        message(Role::Assistant, " \n"),
        message(Role::Assistant, "answer"),
        picture(),
        message(Role::User, "second\nline"),
    ];
    let (_, user, _) = request_of("", &Conversation::of(&messages));
    assert_eq!(
        user,
        "SYSTEM: be kind\nUSER: first\nASSISTANT: answer\nUSER: second\nline"
    );
}

#[test]
fn pr1042_without_request_text_the_prompt_arguments_are_shown() {
    let arguments = [
        ("city".into(), "Rome".into()),
        ("days".into(), Json::Int(3)),
        ("note".into(), Json::Null),
    ];
    let system = [message(Role::System, "be kind")];
    let with = |messages, arguments| Conversation {
        messages,
        prompt_generated: 0,
        arguments,
    };
    let (_, user, _) = request_of("", &with(&system, &arguments));
    assert_eq!(user, "SYSTEM: be kind\nRequest arguments:\ncity: Rome\ndays: 3\nnote: ");
    let (_, user, _) = request_of("", &with(&[], &arguments));
    assert_eq!(user, "Request arguments:\ncity: Rome\ndays: 3\nnote: ");
    let asked = [message(Role::User, "hi")];
    assert_eq!(request_of("", &with(&asked, &arguments)).1, "USER: hi");
    let image = [picture()];
    assert_eq!(request_of("", &with(&image, &[])).1, NO_TEXT);
}

#[test]
fn pr1042_the_cap_keeps_the_newest_then_system_and_prompt_then_newer_before_older() {
    let messages = [
        message(Role::System, "sys"),       // 11 characters
        message(Role::User, "prompt"),      // 12, made by the prompt
        message(Role::User, "old"),         // 9
        message(Role::Assistant, "middle"), // 17
        message(Role::User, "né€🦀"),       // 10, but many more bytes
    ];
    let conversation = Conversation {
        messages: &messages,
        prompt_generated: 2,
        arguments: &[],
    };
    let (system, prompt, old) = ("SYSTEM: sys", "USER: prompt", "USER: old");
    let (middle, newest) = ("ASSISTANT: middle", "USER: né€🦀");
    let table = [
        (63, vec![system, prompt, old, middle, newest], false),
        (62, vec![system, prompt, "USER: ol", middle, newest], true),
        (60, vec![system, prompt, middle, newest], true),
        (53, vec![system, prompt, middle, newest], true),
        (52, vec![system, prompt, "ASSISTANT: middl", newest], true),
        (46, vec![system, prompt, newest], true),
        (35, vec![system, prompt, newest], true),
        (34, vec![system, "USER: promp", newest], true),
        (22, vec![system, newest], true),
        (20, vec!["SYSTEM: s", newest], true),
        (19, vec![newest], true),
        (10, vec![newest], true),
        (9, vec!["USER: né€"], true),
        (6, vec!["USER: "], true),
        (1, vec!["U"], true),
    ];
    for (cap, expected, truncated) in table {
        let (_, user, cut) = request_of(&format!(r#","max_context_chars":{cap}"#), &conversation);
        assert_eq!((user, cut), (expected.join("\n"), truncated), "{cap}");
    }
}

#[test]
fn pr1042_a_verdict_selects_one_candidate_or_abstains() {
    let (router, judge) = judged("");
    let selected = |name| (Some(name), "llm judge verdict");
    let ambiguous = (None, "judge verdict named more than one candidate");
    let unrecognised = (None, "judge verdict was not a candidate name");
    let table = [
        (r#"{"model": "a"}"#, selected("a")),
        (r#"{"model":"b","why":"long"}"#, selected("b")),
        ("```json\n{ \"model\"\n:\t\"b\" }\n```", selected("b")),
        (r#"I think {"model": "a"}, yes: {"model": "a"}."#, selected("a")),
        (r#"{"model": "z"} no, {"model": "b"}"#, selected("b")),
        (r#"{"model": "gpt\/4"}"#, selected("gpt/4")),
        (r#"{"model": "\u0061"}"#, selected("a")),
        (r#"{"model": "a"} or {"model": "b"}"#, ambiguous),
        ("a", selected("a")),
        (" gpt/4\n", selected("gpt/4")),
        (r#"{"model": "z"}"#, unrecognised),
        (r#"{"model": "A"}"#, unrecognised),
        (r#"{"model": " a"}"#, unrecognised),
        (r#"{"model": ["a"]}"#, unrecognised),
        (r#"{"model": "a"#, unrecognised),
        (r#"{"models": "a"}"#, unrecognised),
        ("'a'", unrecognised),
        ("model a", unrecognised),
        ("", unrecognised),
    ];
    for (reply, (model, reason)) in table {
        let decision = verdict(&router, &judge, reply, None, false, None);
        assert_eq!(decision.selected_model.as_deref(), model, "{reply}");
        assert_eq!(decision.reason.as_deref(), Some(reason), "{reply}");
    }
}

#[test]
fn pr1042_a_verdict_says_who_judged_what_it_cost_and_what_was_cut() {
    let (router, judge) = judged("");
    let usage = |prompt_tokens, completion_tokens| TokenUsage {
        prompt_tokens,
        completion_tokens,
        ..TokenUsage::default()
    };
    let metadata = |usage: Option<&TokenUsage<'_>>, truncated, model| {
        Json::Object(verdict(&router, &judge, "a", usage, truncated, model).metadata).to_json()
    };
    assert_eq!(metadata(None, false, None), r#"{"judge_model":"j"}"#);
    assert_eq!(
        metadata(Some(&usage(Some(7), None)), false, Some("gpt-x")),
        r#"{"judge_model":"gpt-x"}"#
    );
    assert_eq!(
        metadata(Some(&usage(Some(7), Some(2))), true, None),
        r#"{"judge_model":"j","judge_prompt_tokens":7,"judge_completion_tokens":2,"judge_context_truncated":true}"#
    );
}

#[test]
fn a_hostile_verdict_takes_time_linear_in_its_length() {
    let (router, judge) = judged("");
    for unit in [
        r#""model":"#,
        r#""model": ""#,
        r#"\"model":"x"#,
        r#""model"     "#,
        r#"{"model":""#,
    ] {
        let decision = verdict(&router, &judge, &unit.repeat(1 << 18), None, false, None);
        assert_eq!(decision.selected_model, None, "{unit}");
    }
}

// ---- choice

#[test]
fn pr964_what_a_decision_leads_to() {
    let (judge_router, _) = judged("");
    let chosen = |router: &Router, decision: &RoutingDecision| {
        let choice = choose(router, decision).expect("a choice");
        (router.candidate_name(choice.candidate).to_owned(), choice.source.name())
    };
    let to_c = RoutingDecision::select("c", "x");
    let abstain = RoutingDecision::abstain("x");
    assert_eq!(chosen(&router(RULES), &to_c), ("c".to_owned(), "strategy"));
    assert_eq!(chosen(&router(CUSTOM), &to_c), ("c".to_owned(), "strategy"));
    assert_eq!(
        chosen(&judge_router, &RoutingDecision::select("b", "x")),
        ("b".to_owned(), "llm_judge")
    );
    assert_eq!(chosen(&router(CUSTOM), &abstain), ("b".to_owned(), "default"));
    assert_eq!(chosen(&judge_router, &abstain), ("a".to_owned(), "default"));
}

#[test]
fn pr1149_a_selected_model_that_is_no_candidate_is_a_routing_error() {
    let error = choose(&router(CUSTOM), &RoutingDecision::select("z".repeat(9000), "x")).expect_err("no candidate");
    assert_eq!(error.kind, ErrorKind::Routing);
    assert!(
        error.message.contains("router 'r' returned non-candidate model 'zzz"),
        "{}",
        error.message
    );
    assert!(error.message.contains("a, b, c"), "{}", error.message);
    assert!(error.message.chars().count() < 600, "{}", error.message);
}

#[test]
fn pr964_fallback_turns_to_the_others_in_declaration_order() {
    let order = |fallback: bool, first: usize| {
        let declaration = CUSTOM.replace(r#""strategy""#, &format!(r#""fallback":{fallback},"strategy""#));
        router(&declaration).order(first).collect::<Vec<_>>()
    };
    assert_eq!(order(false, 1), [1]);
    assert_eq!(order(true, 0), [0, 1, 2]);
    assert_eq!(order(true, 1), [1, 0, 2]);
    assert_eq!(order(true, 2), [2, 0, 1]);
}

// ---- decision and record

#[test]
fn pr964_a_decision_is_written_with_six_keys_and_read_again() {
    let read = |json: &str| RoutingDecision::from_json(&parse(json.as_bytes()).expect("JSON"), &Path::Root);
    for json in [
        r#"{"selected_model":"a","abstain":false,"reason":"fits","score":0.75,"metadata":{"k":[1]},"decision_ms":12}"#,
        r#"{"selected_model":null,"abstain":true,"reason":null,"score":null,"metadata":{},"decision_ms":null}"#,
    ] {
        assert_eq!(read(json).expect("a decision").to_json().to_json(), json);
    }
    assert_eq!(
        read(r#"{"selected_model":"a"}"#)
            .expect("a decision")
            .selected_model
            .as_deref(),
        Some("a")
    );
    let table = [
        (
            r#"{"selected_model":"a","abstain":true}"#,
            "a routing decision that abstains names no model",
        ),
        (
            r#"{"selected_model":null,"abstain":false}"#,
            "a routing decision names a model or abstains",
        ),
        ("{}", "a routing decision names a model or abstains"),
        (
            r#"{"selected_model":" "}"#,
            "a name must not be blank (at selected_model)",
        ),
        (
            r#"{"abstain":true,"score":"high"}"#,
            "score must be a number, found a string",
        ),
        (
            r#"{"abstain":true,"decision_ms":-1}"#,
            "decision_ms must be an integer from 0",
        ),
        (r#"{"abstain":true,"confidence":1}"#, "confidence is an unknown field"),
    ];
    for (json, expected) in table {
        let error = read(json).expect_err(json);
        assert!(error.message.contains(expected), "{json}: {}", error.message);
    }
}

fn record(decision: RoutingDecision) -> RoutingRecord {
    let router = router(&CUSTOM.replace(r#""strategy""#, r#""fallback":true,"strategy""#));
    let choice = choose(&router, &decision).expect("a choice");
    RoutingRecord::new(&router, decision, choice)
}

#[test]
fn pr1149_the_outcome_tells_the_whole_way_to_the_model_that_answered() {
    let mut record = record(RoutingDecision {
        score: Some(Json::Number("0.9".into())),
        metadata: vec![("k".into(), true.into())],
        decision_ms: Some(3),
        ..RoutingDecision::select("c", "fits")
    });
    let head = r#"{"router":"r","#;
    let tail = r#""metadata":{"k":true},"reason":"fits","score":0.9}"#;
    let block = |selected: &str, last: &str, attempted: bool, tried: &str| {
        format!(
            r#"{head}"selected_model":"{selected}","initial_selected_model":"c","final_model":{last},"candidates":["a","b","c"],"decision_source":"strategy","fallback_enabled":true,"fallback_attempted":{attempted},"fallback_models_tried":{tried},{tail}"#
        )
    };
    assert_eq!(record.to_json().to_json(), block("c", "null", false, "[]"));
    let mut direct = record.clone();
    direct.answered();
    assert_eq!(direct.to_json().to_json(), block("c", r#""c""#, false, "[]"));
    assert_eq!(direct.fallback_event("id"), None);
    record.fall_back_to("a");
    record.fall_back_to("b");
    assert_eq!(record.to_json().to_json(), block("b", "null", true, r#"["a","b"]"#));
    assert_eq!(
        record.fallback_event("id"),
        None,
        "no event before a candidate has answered"
    );
    record.answered();
    assert_eq!(record.to_json().to_json(), block("b", r#""b""#, true, r#"["a","b"]"#));
    assert_eq!(
        record.event("id").to_json(),
        r#"{"request_id":"id","router":"r","candidates":["a","b","c"],"selected_model":"c","decision_source":"strategy","fallback_enabled":true,"metadata":{"k":true},"reason":"fits","score":0.9,"decision_ms":3}"#
    );
    assert_eq!(
        record.fallback_event("id").expect("an event").to_json(),
        r#"{"request_id":"id","router":"r","candidates":["a","b","c"],"selected_model":"b","decision_source":"fallback","fallback_enabled":true,"metadata":{}}"#
    );
}

#[test]
fn pr964_an_unknown_reason_and_score_are_left_out() {
    let record = record(RoutingDecision::default());
    let block = record.to_json();
    assert_eq!(block.get("selected_model").and_then(Json::as_text), Some("b"));
    assert_eq!(block.get("decision_source").and_then(Json::as_text), Some("default"));
    for json in [record.to_json(), record.event("id")] {
        let names: Vec<_> = json
            .as_object()
            .expect("an object")
            .iter()
            .map(|(name, _)| name.as_ref())
            .collect();
        for absent in ["reason", "score", "decision_ms"] {
            assert!(!names.contains(&absent), "{names:?}");
        }
    }
}

#[test]
fn the_page_names_every_decision_source() {
    let page = include_str!("../docs/routing.md");
    for source in DecisionSource::ALL {
        assert!(page.contains(&format!("| `{}` |", source.name())), "{}", source.name());
    }
}

// ---- properties

/// Text in which keys, names, quotes and escapes meet often.
fn scraps() -> impl Strategy<Value = String> {
    let scrap = prop_oneof![
        Just("\"model\"".to_owned()),
        Just("\"a\"".to_owned()),
        Just("\"gpt/4\"".to_owned()),
        Just("a".to_owned()),
        Just(":".to_owned()),
        Just("\"".to_owned()),
        Just("\\".to_owned()),
        Just(" ".to_owned()),
        Just("refund".to_owned()),
        any::<String>(),
    ];
    proptest::collection::vec(scrap, 0..12).prop_map(|scraps| scraps.concat())
}

proptest! {
    #[test]
    fn a_decision_on_any_text_is_a_candidate_or_an_abstention(text in scraps()) {
        let (judge_router, judge) = judged("");
        let rule_router = router(RULES);
        for (router, decision) in [
            (&judge_router, verdict(&judge_router, &judge, &text, None, false, None)),
            (&rule_router, by_rules(rules_of(&rule_router), Some(&text))),
        ] {
            let Choice { candidate, source } = choose(router, &decision).expect("a choice");
            prop_assert!(candidate < router.candidates.len());
            prop_assert_eq!(source == DecisionSource::Default, decision.selected_model.is_none());
        }
    }

    #[test]
    fn any_pattern_is_a_rule_or_an_error(pattern in "[a-z\\\\.*+?()\\[\\]{}|^$&~<>:,0-9-]{0,24}") {
        if let Ok(rule) = Rule::new("a", &pattern, &Path::Root) {
            let found = by_rules(&[rule], Some("some text")).selected_model;
            prop_assert!(found.is_none() || found.as_deref() == Some("a"));
        }
    }

    #[test]
    fn the_judge_is_never_shown_more_than_the_cap(
        texts in proptest::collection::vec((0..3usize, "\\PC{0,30}"), 0..6),
        prompt_generated in 0..3usize,
        cap in 1..120usize,
    ) {
        let roles = [Role::System, Role::User, Role::Assistant];
        let messages: Vec<_> = texts.iter().map(|(role, text)| message(roles[*role], text)).collect();
        let conversation = Conversation { messages: &messages, prompt_generated, arguments: &[] };
        let (_, capped, truncated) = request_of(&format!(r#","max_context_chars":{cap}"#), &conversation);
        let (_, whole, _) = request_of("", &conversation);
        prop_assert!((1..=cap).contains(&capped.chars().count()));
        prop_assert_eq!(truncated, capped != whole);
    }
}
