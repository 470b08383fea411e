//! The `explain` example answers why a schema was not sent natively.

#[path = "../examples/explain.rs"]
#[allow(dead_code)]
mod example;

use std::path::PathBuf;

use flink_agents_native::json::{self, Json};

/// A file for one test, removed at its end.
struct File(PathBuf);

impl File {
    fn new(name: &str, text: &str) -> File {
        let path = std::env::temp_dir().join(format!("explain-{}-{name}", std::process::id()));
        std::fs::write(&path, text).expect("a file in the temporary folder");
        File(path)
    }

    fn path(&self) -> &str {
        self.0.to_str().expect("a path in UTF-8")
    }
}

impl Drop for File {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

const SCHEMA: &str = r#"{"type":"object","title":"Verdict","properties":{"topic":{"type":"string","minLength":1},"note":{"type":"string"}},"required":["topic"]}"#;
const AZURE: [&str; 8] = [
    "--provider",
    "azure_openai",
    "--setting",
    "azure_endpoint=https://res.openai.azure.com",
    "--setting",
    "model=team-a",
    "--setting",
    "api_version=2024-10-21",
];

fn explain(arguments: &[&str]) -> Result<String, String> {
    let owned: Vec<String> = arguments.iter().map(|argument| (*argument).to_owned()).collect();
    example::explain(&owned)
}

fn holds(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "{part:?} is missing in\n{text}");
    }
}

#[test]
fn why_was_native_not_used_an_unknown_backing_model() {
    let schema = File::new("azure.json", SCHEMA);
    let text = explain(&[&AZURE[..], &["--schema", schema.path(), "--message", "Charged twice!"]].concat());
    holds(
        &text.expect("an explanation"),
        &[
            "The schema Verdict does not travel natively: strategy AUTO, support FEASIBLE",
            "- model_unknown: The model behind the deployment is not known: set model_of_azure_deployment.",
            "- keyword_moved at /properties/topic/minLength",
            "- optional_made_nullable at /properties/note",
            "- strategy_auto_needs_recommended",
            "POST https://res.openai.azure.com/openai/deployments/team-a/chat/completions?api-version=2024-10-21",
            "\napi-key: ***\n",
            "\n      \"content\": \"Charged twice!\"",
        ],
    );
}

#[test]
fn a_native_schema_shows_its_body() {
    let schema = File::new("native.json", SCHEMA);
    let backing = ["--setting", "model_of_azure_deployment=gpt-4.1", "--strategy", "auto"];
    let text = explain(&[&AZURE[..], &backing, &["--schema", schema.path()]].concat()).expect("an explanation");
    holds(&text, &["The schema Verdict travels natively", "model_listed"]);
    let (_, body) = text.rsplit_once("\n\n").expect("a body at the end");
    let body = json::parse(body.as_bytes()).expect("the printed body is JSON");
    let format = body.get("response_format").and_then(|format| format.get("type"));
    assert_eq!(format.and_then(Json::as_text), Some("json_schema"));
}

#[test]
fn a_request_that_cannot_be_built_says_why() {
    let schema = File::new("open.json", r#"{"type":"object","properties":{"m":{"type":"object"}}}"#);
    let openai = [
        "--provider",
        "openai",
        "--setting",
        "model=gpt-4o",
        "--strategy",
        "NATIVE",
    ];
    let text = explain(&[&openai[..], &["--schema", schema.path()]].concat());
    holds(
        &text.expect("an explanation"),
        &[
            "open_object at /properties/m",
            "strategy_native_infeasible",
            "No request (invalid_argument): ",
        ],
    );
}

#[test]
fn strict_tools_are_explained_and_parameters_are_read() {
    let tools = File::new(
        "tools.json",
        r#"[{"name":"t","input_schema":"{\"type\":\"array\"}","strict":true}]"#,
    );
    let openai = ["--provider", "openai_responses", "--setting", "model=gpt-4o"];
    let rest = ["--tools", tools.path(), "--parameter", "temperature=0.50"];
    holds(
        &explain(&[&openai[..], &rest].concat()).expect("an explanation"),
        &[
            "tool_not_strict at the root",
            "\"temperature\": 0.50",
            "\"strict\": false",
            "/responses\n",
        ],
    );
}

#[test]
fn wrong_arguments_are_named() {
    let table: [(&[&str], &str); 7] = [
        (&[], "--provider is missing"),
        (&["--provider"], "--provider needs a value"),
        (&["--what", "x"], "Unknown option --what"),
        (&["--provider", "x"], "Unknown provider 'x'"),
        (
            &["--provider", "openai", "--setting", "x"],
            "--setting needs NAME=VALUE",
        ),
        (
            &["--provider", "openai", "--schema", "/no/such/file"],
            "Cannot read /no/such/file",
        ),
        (&["--provider", "openai"], "model is required"),
    ];
    for (arguments, expected) in table {
        let text = explain(arguments).unwrap_or_else(|fault| fault);
        assert!(text.contains(expected), "{expected:?} is missing in {text}");
    }
}
