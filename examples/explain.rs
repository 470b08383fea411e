//! Why was native not used? Prints which way a schema would travel and why, and the request as it would be sent. Sends nothing
//! and needs no key:
//!
//! ```sh
//! cargo run --example explain -- --provider azure_openai --setting azure_endpoint=https://my.openai.azure.com \
//!     --setting api_version=2024-10-21 --setting model=team-a --schema verdict.json --message "Charged twice!"
//! ```

use std::process::ExitCode;

use flink_agents_native::entry;
use flink_agents_native::error::Error;
use flink_agents_native::json::{self, Json};

pub const USAGE: &str = "\
Usage: explain --provider NAME [OPTION VALUE]...
  --provider NAME      openai, azure_openai, openai_responses, vllm, ollama, dashscope, watsonx, anthropic, gemini, bedrock
  --setting NAME=VALUE a setting of the provider, repeatable (docs/boundary.md lists them); VALUE is JSON or plain text
  --schema FILE        a JSON Schema document
  --strategy NAME      AUTO (default), NATIVE or PROMPT
  --parameter NAME=VALUE  a call parameter, repeatable; VALUE is JSON or plain text
  --tools FILE         a JSON list of {name, description, input_schema, strict}
  --message TEXT       the user's message (default: Hello)
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match explain(&arguments) {
        Ok(text) => {
            println!("{text}");
            ExitCode::SUCCESS
        }
        Err(fault) => {
            eprintln!("{fault}");
            ExitCode::FAILURE
        }
    }
}

/// The whole text, or what is wrong with the arguments.
pub fn explain(arguments: &[String]) -> Result<String, String> {
    let Options {
        frame,
        has_schema,
        has_tools,
    } = Options::read(arguments)?;
    let mut sections = Vec::new();
    if has_schema {
        let decision = entry::decide(&frame).map_err(|error| error.message)?;
        sections.push(decision_text(&decision));
    }
    match entry::build_request(&frame) {
        Ok(request) => {
            if has_tools {
                sections.push(tools_text(&request));
            }
            sections.push(request_text(&request)?);
        }
        Err(error) => sections.push(failure_text(&error)),
    }
    Ok(sections.join("\n\n"))
}

/// What the arguments say, as the frame of `buildRequest`.
struct Options {
    frame: Json<'static>,
    has_schema: bool,
    has_tools: bool,
}

impl Options {
    fn read(arguments: &[String]) -> Result<Self, String> {
        let (mut settings, mut parameters) = (Vec::new(), Vec::new());
        let (mut provider, mut schema, mut tools) = (None, Json::Null, Json::Null);
        let (mut strategy, mut message) = ("AUTO".to_owned(), "Hello".to_owned());
        let mut rest = arguments.iter();
        while let Some(option) = rest.next() {
            if option == "--help" {
                return Err(USAGE.to_owned());
            }
            let value = rest
                .next()
                .ok_or_else(|| format!("{option} needs a value\n\n{USAGE}"))?;
            match option.as_str() {
                "--provider" => provider = Some(value.clone()),
                "--setting" => settings.push(pair(option, value)?),
                "--parameter" => parameters.push(pair(option, value)?),
                "--schema" => {
                    let text = ("text", read_file(value)?.into());
                    schema = Json::object([("form", Json::from("json")), text]);
                }
                "--tools" => tools = list(value)?,
                "--strategy" => strategy = value.to_uppercase(),
                "--message" => message = value.clone(),
                _ => return Err(format!("Unknown option {option}\n\n{USAGE}")),
            }
        }
        let provider = provider.ok_or_else(|| format!("--provider is missing\n\n{USAGE}"))?;
        let model = Json::object([("provider", Json::from(provider)), ("settings", Json::object(settings))]);
        let text = Json::object([("type", Json::from("text")), ("text", message.into())]);
        let message = Json::object([("role", Json::from("user")), ("blocks", Json::Array(vec![text]))]);
        Ok(Options {
            has_schema: schema != Json::Null,
            has_tools: tools != Json::Null,
            frame: Json::object([
                ("model", model),
                ("strategy", strategy.into()),
                ("schema", schema),
                ("tools", tools),
                ("parameters", Json::object(parameters)),
                ("messages", Json::Array(vec![message])),
            ]),
        })
    }
}

/// `NAME=VALUE`; a value that is no JSON is a plain text.
fn pair(option: &str, argument: &str) -> Result<(String, Json<'static>), String> {
    let (name, value) = argument
        .split_once('=')
        .ok_or_else(|| format!("{option} needs NAME=VALUE"))?;
    let json = json::parse(value.as_bytes()).map(Json::into_owned);
    Ok((name.to_owned(), json.unwrap_or_else(|_| value.to_owned().into())))
}

fn read_file(path: &str) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|error| format!("Cannot read {path}: {error}"))
}

fn list(path: &str) -> Result<Json<'static>, String> {
    let text = read_file(path)?;
    match json::parse(text.as_bytes()) {
        Ok(tools @ Json::Array(_)) => Ok(tools.into_owned()),
        Ok(other) => Err(format!("{path} must hold a JSON list, found {}", other.kind())),
        Err(error) => Err(format!("{path} cannot be read: {error}")),
    }
}

fn decision_text(decision: &Json<'_>) -> String {
    let text = |key: &str| decision.get(key).and_then(Json::as_text).unwrap_or_default();
    let way = match decision.get("native").and_then(Json::as_bool) {
        Some(true) => "travels natively",
        _ => "does not travel natively",
    };
    let mut out = format!(
        "The schema {} {way}: strategy {}, support {}, tables of {}.",
        text("name"),
        text("strategy"),
        text("support"),
        text("table")
    );
    if let Some(wrapper) = decision.get("wrapper").and_then(Json::as_text) {
        out.push_str(&format!("\nThe answer travels in the property {wrapper} of an object."));
    }
    out + &reasons_text(decision)
}

fn tools_text(request: &Json<'_>) -> String {
    match reasons_text(request) {
        reasons if reasons.is_empty() => "Tools: sent as given.".to_owned(),
        reasons => format!("Tools:{reasons}"),
    }
}

/// One line for each reason, with its place.
fn reasons_text(json: &Json<'_>) -> String {
    let reasons = json.get("reasons").and_then(Json::as_array).unwrap_or_default();
    let line = |reason: &Json<'_>| {
        let text = |key: &str| reason.get(key).and_then(Json::as_text);
        let place = match text("pointer") {
            None => String::new(),
            Some("") => " at the root".to_owned(),
            Some(pointer) => format!(" at {pointer}"),
        };
        let (code, message) = (text("code").unwrap_or_default(), text("message").unwrap_or_default());
        format!("\n  - {code}{place}: {message}")
    };
    reasons.iter().map(line).collect()
}

fn request_text(request: &Json<'_>) -> Result<String, String> {
    let text = |json: &Json<'_>, key: &str| json.get(key).and_then(Json::as_text).unwrap_or_default().to_owned();
    let mut out = format!("{} {}", text(request, "method"), text(request, "url"));
    let headers = request.get("headers").and_then(Json::as_object).unwrap_or_default();
    for (name, value) in headers {
        // What the user set may be a key.
        let own = ["Content-Type", "Accept"].contains(&name.as_ref());
        out.push_str(&format!(
            "\n{name}: {}",
            if own {
                value.as_text().unwrap_or_default()
            } else {
                "***"
            }
        ));
    }
    if let Some(auth) = request.get("auth") {
        out.push_str(&format!("\n{}: {}***", text(auth, "header"), text(auth, "prefix")));
    }
    let body = request.get("body").and_then(Json::as_bytes).unwrap_or_default();
    let body = json::parse(body).map_err(|error| error.message)?;
    let mut pretty = String::new();
    write_pretty(&body, 0, &mut pretty);
    Ok(format!("{out}\n\n{pretty}"))
}

fn failure_text(error: &Error) -> String {
    format!("No request ({}): {}", error.kind.name(), error.message)
}

/// Two spaces a level; empty lists and objects stay on their line.
fn write_pretty(json: &Json<'_>, level: usize, out: &mut String) {
    let (open, close, items): (char, char, Vec<(String, &Json<'_>)>) = match json {
        Json::Array(items) if !items.is_empty() => ('[', ']', items.iter().map(|item| (String::new(), item)).collect()),
        Json::Object(members) if !members.is_empty() => {
            let named = |(name, value)| (format!("{}: ", Json::from(name as &str).to_json()), value);
            (
                '{',
                '}',
                members
                    .iter()
                    .map(|(name, value)| named((name.as_ref(), value)))
                    .collect(),
            )
        }
        plain => return out.push_str(&plain.to_json()),
    };
    out.push(open);
    for (index, (name, item)) in items.iter().enumerate() {
        let comma = if index == 0 { "" } else { "," };
        out.push_str(&format!("{comma}\n{}{name}", "  ".repeat(level + 1)));
        write_pretty(item, level + 1, out);
    }
    out.push_str(&format!("\n{}{close}", "  ".repeat(level)));
}
