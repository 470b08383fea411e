//! Runs the vectors of `tests/vectors`, which Java runs through the boundary as well. A vector is
//! `{name, operation, frame, expect}`; a frame's `body` and `json` are written as text and cross as bytes.
//!
//! | key of `expect` | what has to hold |
//! |---|---|
//! | `error` | the operation fails: `kind`, `message`, `message_starts`, `message_contains`, `message_lacks`, `details` (those given) |
//! | `result`, `value`, `headers`, `auth`, `body`, `json` | equal, in order; bytes are compared as compact JSON; null is absent |
//! | `decision`, `answer` and all else | equal where given |
//! | `codes`, `reasons_contain` | these reason codes, these texts in a reason |
//! | `body_contains`, `body_lacks`, `roles` | parts of the body; the roles of its messages |

use std::fs;
use std::path::PathBuf;

use flink_agents_native::entry;
use flink_agents_native::error::{Error, Result};
use flink_agents_native::json::{self, Json};
use flink_agents_native::provider::PROVIDERS;

const EXACT: [&str; 6] = ["result", "value", "headers", "auth", "body", "json"];

/// Runs every vector of a folder whose name holds `part` as a word.
fn run(folder: &str, part: &str) {
    let mut faults = Vec::new();
    let mut count = 0;
    for path in files(folder) {
        let text = fs::read(&path).expect("a vector file");
        let vectors = json::parse(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        for vector in vectors.as_array().expect("a list of vectors") {
            let name = vector.get("name").and_then(Json::as_text).expect("a name");
            if part.is_empty() || name.split([' ', ',', ':']).any(|word| word == part) {
                count += 1;
                let found = check(vector);
                faults.extend(found.into_iter().map(|fault| format!("{name}: {fault}")));
            }
        }
    }
    assert!(count > 0, "no vector of {folder} is called {part}");
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n"));
}

fn files(folder: &str) -> Vec<PathBuf> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/vectors");
    let entries = fs::read_dir(root.join(folder)).expect("the vectors' folder");
    let mut files: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    files
}

fn operation(name: &str, frame: &Json<'_>) -> Result<Json<'static>> {
    match name {
        "decide" => entry::decide(frame),
        "buildRequest" => entry::build_request(frame),
        "parseResponse" => entry::parse_response(frame),
        "readJson" => entry::read_json(frame),
        "writeJson" => entry::write_json(frame),
        other => panic!("unknown operation {other}"),
    }
}

fn check(vector: &Json<'_>) -> Vec<String> {
    let frame = to_frame(vector.get("frame").expect("a frame"));
    let before = frame.clone();
    let name = vector.get("operation").and_then(Json::as_text).expect("an operation");
    let outcome = operation(name, &frame);
    assert_eq!(frame, before, "a frame is only read");
    let expect = vector.get("expect").expect("expectations");
    let mut faults = Vec::new();
    match (outcome, expect.get("error")) {
        (Err(error), Some(expected)) => covers(expected, &error_json(&error), "error", &mut faults),
        (Ok(result), None) => covers(expect, &result, "", &mut faults),
        (Err(error), None) => faults.push(format!("failed: {error}")),
        (Ok(result), Some(_)) => faults.push(format!("must fail, gave {}", show(&result))),
    }
    faults
}

/// `body` and `json` become bytes.
fn to_frame(json: &Json<'_>) -> Json<'static> {
    let members = json.clone().into_owned();
    let Json::Object(members) = members else {
        return members;
    };
    let to_bytes = |(key, value)| match (key, value) {
        (key, Json::Text(text)) if key == "body" || key == "json" => {
            (key, Json::Bytes(text.into_owned().into_bytes().into()))
        }
        member => member,
    };
    Json::Object(members.into_iter().map(to_bytes).collect())
}

fn error_json(error: &Error) -> Json<'static> {
    Json::object([
        ("kind", Json::from(error.kind.name())),
        ("message", error.message.clone().into()),
        ("details", Json::object(error.details.iter().cloned())),
    ])
}

fn show(json: &Json<'_>) -> String {
    match json {
        Json::Bytes(bytes) => String::from_utf8_lossy(bytes).into_owned(),
        Json::Object(members) => {
            let shown = members.iter().map(|(key, value)| format!("{key}: {}", show(value)));
            format!("{{{}}}", shown.collect::<Vec<_>>().join(", "))
        }
        other => other.to_json(),
    }
}

/// Whether `actual` has everything that `expected` asks for.
fn covers(expected: &Json<'_>, actual: &Json<'_>, path: &str, faults: &mut Vec<String>) {
    let Some(members) = expected.as_object().filter(|_| actual.as_object().is_some()) else {
        if show_compact(expected, actual) != show(actual) {
            faults.push(format!(
                "{path}: expected {}\n    got {}",
                show_compact(expected, actual),
                show(actual)
            ));
        }
        return;
    };
    for (key, value) in members {
        let found = actual.get(key);
        let place = format!("{path}/{key}");
        match (key.as_ref(), value, found) {
            (rule, _, _) if rules(rule, value, actual, &place, faults) => (),
            (_, Json::Null, None) => (),
            (_, _, None) => faults.push(format!("{place} is absent in {}", show(actual))),
            (key, _, Some(found)) if EXACT.contains(&key) => exact(value, found, &place, faults),
            (_, _, Some(found)) => covers(value, found, &place, faults),
        }
    }
}

fn exact(expected: &Json<'_>, actual: &Json<'_>, place: &str, faults: &mut Vec<String>) {
    let (expected, actual) = (show_compact(expected, actual), show_compact(actual, actual));
    if expected != actual {
        faults.push(format!("{place}: expected {expected}\n    got {actual}"));
    }
}

/// Bytes and texts as they are, all else as compact JSON.
fn show_compact(json: &Json<'_>, actual: &Json<'_>) -> String {
    match (json, actual) {
        (Json::Bytes(bytes), _) => String::from_utf8_lossy(bytes).into_owned(),
        (Json::Text(text), Json::Bytes(_)) => text.to_string(),
        _ => json.to_json(),
    }
}

type Holds<'a> = Box<dyn Fn(&str) -> bool + 'a>;

/// Rules that look at several places; false when `rule` is a plain key.
fn rules(rule: &str, value: &Json<'_>, actual: &Json<'_>, place: &str, faults: &mut Vec<String>) -> bool {
    let text = |key: &str| actual.get(key).map(show_text).unwrap_or_default();
    let wanted: Vec<&str> = match value {
        Json::Text(text) => vec![text.as_ref()],
        _ => value
            .as_array()
            .unwrap_or_default()
            .iter()
            .filter_map(Json::as_text)
            .collect(),
    };
    let reasons = actual.get("reasons").and_then(Json::as_array).unwrap_or_default();
    let reason = |key: &str| -> Vec<String> {
        let texts = reasons.iter().filter_map(|reason| reason.get(key));
        texts.map(show_text).collect()
    };
    let (found, holds): (String, Holds<'_>) = match rule {
        "message_starts" => (text("message"), Box::new(|part| text("message").starts_with(part))),
        "message_contains" => (text("message"), Box::new(|part| text("message").contains(part))),
        "message_lacks" => (show(actual), Box::new(|part| !show(actual).contains(part))),
        "body_contains" => (text("body"), Box::new(|part| text("body").contains(part))),
        "body_lacks" => (text("body"), Box::new(|part| !text("body").contains(part))),
        "codes" => (
            reason("code").join(" "),
            Box::new(|code| reason("code").iter().any(|found| found == code)),
        ),
        "reasons_contain" => (
            reason("message").join(" "),
            Box::new(|part| reason("message").iter().any(|found| found.contains(part))),
        ),
        "roles" => {
            let (found, wanted) = (roles(&text("body")), wanted.join(" "));
            if found != wanted {
                faults.push(format!("{place}: expected {wanted}, got {found}"));
            }
            return true;
        }
        _ => return false,
    };
    let broken = wanted.iter().filter(|part| !holds(part));
    faults.extend(broken.map(|part| format!("{place} {part:?} does not hold for {found}")));
    true
}

fn show_text(json: &Json<'_>) -> String {
    json.as_text().map_or_else(|| show(json), str::to_owned)
}

fn roles(body: &str) -> String {
    let body = json::parse(body.as_bytes()).expect("a JSON body");
    let messages = body.get("messages").and_then(Json::as_array).expect("messages");
    let roles = messages
        .iter()
        .filter_map(|message| message.get("role").and_then(Json::as_text));
    roles.collect::<Vec<_>>().join(" ")
}

#[test]
fn messages_results_and_their_previous_forms() {
    run("messages", "");
}

/// The folder has the provider's name.
#[test]
fn every_providers_requests_decisions_and_answers() {
    for provider in PROVIDERS {
        run(provider.name(), "");
    }
}

#[test]
fn outcome_records() {
    run("outcome", "");
}

// The numbered contracts of #930.

#[test]
fn pr930_c01_four_conditions_else_as_without_a_schema() {
    run("azure_openai", "pr930_c01");
}

#[test]
fn pr930_c02_capability_from_the_backing_model_request_to_the_deployment() {
    run("azure_openai", "pr930_c02");
}

#[test]
fn pr930_c03_an_absent_empty_or_unknown_backing_model_is_only_feasible() {
    run("azure_openai", "pr930_c03");
}

#[test]
fn pr930_c04_a_bare_gpt_4o_is_only_feasible() {
    run("azure_openai", "pr930_c04");
}

#[test]
fn pr930_c05_the_floor_by_the_first_ten_characters() {
    run("azure_openai", "pr930_c05");
}

#[test]
fn pr930_c06_rows_keep_the_prompt_path() {
    run("azure_openai", "pr930_c06");
}

#[test]
fn pr930_c07_no_schema_no_change() {
    run("azure_openai", "pr930_c07");
}

#[test]
fn pr930_c08_tools_do_not_suppress() {
    run("azure_openai", "pr930_c08");
}

#[test]
fn pr930_c09_a_collision_raises() {
    run("azure_openai", "pr930_c09");
}

#[test]
fn pr930_c10_elsewhere_the_callers_value_goes_through() {
    run("azure_openai", "pr930_c10");
}

/// Same argument, same answer, whatever the settings, the other parameters and the calls before.
#[test]
fn pr930_c11_the_model_predicate_reads_no_state() {
    for _ in 0..2 {
        run("azure_openai", "pr930_c14");
        run("azure_openai", "pr930_c02");
    }
}

/// Each vector asserts that its frame, and with it the caller's parameters, is the same afterwards.
#[test]
fn pr930_c12_the_callers_parameters_are_not_consumed() {
    run("azure_openai", "pr930_c02");
    run("azure_openai", "pr930_c13");
}

#[test]
fn pr930_c13_usage_only_with_backing_model_and_usage() {
    run("azure_openai", "pr930_c13");
}

#[test]
fn pr930_c14_one_list_for_all_languages() {
    run("azure_openai", "pr930_c14");
}

#[test]
fn pr930_c16_a_refusal_is_empty_text_and_metadata() {
    run("azure_openai", "pr930_c16");
}

// The numbered contracts of #1149.

#[test]
fn pr1149_c01_success_or_failed_with_exclusive_payloads() {
    run("outcome", "pr1149_c01");
}

// The numbered contracts of #1364.

#[test]
fn pr1364_c01_one_item_its_call_id_the_list_in_block_order() {
    run("openai_responses", "pr1364_c01");
}

#[test]
fn pr1364_c02_the_values_of_each_block() {
    run("openai_responses", "pr1364_c02");
}

#[test]
fn pr1364_c03_the_same_values_as_in_a_user_message() {
    run("openai_responses", "pr1364_c03");
}

#[test]
fn pr1364_c04_text_only_is_one_string() {
    run("openai_responses", "pr1364_c04");
}

#[test]
fn pr1364_c05_audio_and_video_raise_the_text_of_a_user_message() {
    run("openai_responses", "pr1364_c05");
}

#[test]
fn pr1364_c06_assistant_media_raises_the_role_reason() {
    run("openai_responses", "pr1364_c06");
}

#[test]
fn pr1364_c07_the_error_flag_is_never_sent() {
    run("openai_responses", "pr1364_c07");
}

#[test]
fn pr1364_c08_one_item_for_each_tool_message() {
    run("openai_responses", "pr1364_c08");
}

// Cases from public bug reports.

#[test]
fn b022_the_deployments_name_decides_nothing() {
    run("azure_openai", "b022");
}

#[test]
fn b023_api_versions() {
    run("azure_openai", "b023");
}

#[test]
fn b027_no_tools_no_tools_key() {
    run("openai", "b027");
    run("azure_openai", "b027");
    run("openai_responses", "b027");
    run("vllm", "b027");
    run("dashscope", "b027");
    run("anthropic", "b027");
}

#[test]
fn b030_the_native_shape() {
    run("openai", "b030");
    run("azure_openai", "b030");
    run("openai_responses", "b030");
}

#[test]
fn b031_no_empty_content_beside_calls() {
    run("openai", "b031");
    run("azure_openai", "b031");
    run("vllm", "b031");
    run("anthropic", "b031");
}

#[test]
fn b034_media_of_a_tool_is_refused() {
    run("openai", "b034");
    run("azure_openai", "b034");
    run("vllm", "b034");
}

#[test]
fn b035_a_data_url_is_sent_as_given() {
    run("openai", "b035");
    run("openai_responses", "b035");
    run("anthropic", "b035");
}

#[test]
fn b038_blank_arguments() {
    run("openai", "b038");
    run("openai_responses", "b038");
}

#[test]
fn b041_invalid_arguments_keep_the_rest() {
    run("openai", "b041");
    run("openai_responses", "b041");
    run("anthropic", "b041");
}

#[test]
fn b043_a_cut_call_is_truncation() {
    run("openai", "b043");
    run("openai_responses", "b043");
    run("vllm", "b043");
    run("anthropic", "b043");
}

#[test]
fn b050_no_completion() {
    run("openai", "b050");
    run("openai_responses", "b050");
    run("anthropic", "b050");
}

#[test]
fn b051_errors_inside_a_200() {
    run("openai", "b051");
    run("openai_responses", "b051");
    run("anthropic", "b051");
}

#[test]
fn b052_any_finish_reason() {
    run("openai", "b052");
    run("openai_responses", "b052");
    run("anthropic", "b052");
}

#[test]
fn b054_a_refusal_is_no_parse_error() {
    run("openai", "b054");
    run("openai_responses", "b054");
    run("anthropic", "b054");
}

#[test]
fn b056_truncation_names_limit_and_use() {
    run("openai", "b056");
    run("anthropic", "b056");
}

#[test]
fn b057_a_cut_answer_never_counts() {
    run("openai", "b057");
    run("openai_responses", "b057");
}

#[test]
fn b058_retry_hints() {
    run("openai", "b058");
}

#[test]
fn b061_which_statuses_are_worth_a_repeat() {
    run("openai", "b061");
}

#[test]
fn b066_nul_characters() {
    run("openai", "b066");
    run("messages", "b066");
}

#[test]
fn b067_astral_characters() {
    run("openai", "b067");
    run("messages", "b067");
    run("openai_responses", "b067");
}

#[test]
fn b068_unpaired_surrogates_in_answers() {
    run("openai", "b068");
    run("messages", "b068");
    run("openai_responses", "b068");
}

#[test]
fn b070_exact_numbers() {
    run("openai", "b070");
    run("messages", "b070");
    run("outcome", "b070");
}

#[test]
fn b078_keys_are_no_settings() {
    run("openai", "b078");
    run("openai_responses", "b078");
}

#[test]
fn b079_base_urls() {
    run("openai", "b079");
}

#[test]
fn b087_strict_tools_have_no_dangling_reference() {
    for provider in ["openai", "azure_openai", "openai_responses", "vllm"] {
        run(provider, "b087");
    }
}

#[test]
fn b089_unlisted_models_are_decided_by_strategy() {
    run("openai", "b089");
    run("openai_responses", "b089");
}

#[test]
fn b092_no_calls_no_key() {
    run("openai", "b092");
    run("vllm", "b092");
}

#[test]
fn b093_nothing_unset_is_sent() {
    run("openai", "b093");
    run("ollama", "b093");
    run("dashscope", "b093");
    run("anthropic", "b093");
}

#[test]
fn b096_media_of_a_tool_on_responses() {
    run("openai_responses", "b096");
    run("anthropic", "b096");
}

#[test]
fn b099_no_arguments_are_an_empty_object() {
    run("openai", "b099");
    run("vllm", "b099");
    run("anthropic", "b099");
}

#[test]
fn b001_an_optional_property_is_required_and_nullable() {
    run("anthropic", "b001");
}

#[test]
fn b017_anthropic_keeps_properties_named_like_keywords() {
    run("anthropic", "b017");
}

#[test]
fn b019_bounds_leave_the_wire_and_are_checked() {
    run("anthropic", "b019");
}

#[test]
fn b033_the_declared_media_type_is_sent() {
    run("anthropic", "b033");
}

#[test]
fn b040_one_user_turn_with_the_results_first() {
    run("anthropic", "b040");
}

#[test]
fn b060_overloaded_is_retryable() {
    run("anthropic", "b060");
}

#[test]
fn b083_anthropic_keeps_the_order_of_properties() {
    run("anthropic", "b083");
}

#[test]
fn b091_a_schema_under_output_config_format() {
    run("anthropic", "b091");
}

#[test]
fn b094_no_blank_text_block() {
    run("anthropic", "b094");
}

#[test]
fn b098_media_types_as_the_service_spells_them() {
    run("anthropic", "b098");
}

#[test]
fn b010_a_list_is_wrapped_and_unwrapped() {
    run("ollama", "b010");
}

#[test]
fn b083_properties_keep_their_order() {
    run("ollama", "b083");
    run("dashscope", "b083");
}

#[test]
fn b088_a_turn_with_tools_has_no_format() {
    run("ollama", "b088");
}

#[test]
fn b090_thinking_takes_no_schema() {
    run("dashscope", "b090");
}

#[test]
fn b095_json_object_needs_the_word_json() {
    run("dashscope", "b095");
}

#[test]
fn b097_images_hold_base64_and_no_url() {
    run("ollama", "b097");
}

// Gemini's media (#1326, #1370), and its cases.

#[test]
fn pr1326_a_users_media_of_all_kinds() {
    run("gemini", "pr1326");
}

#[test]
fn pr1370_media_of_a_tool() {
    run("gemini", "pr1370");
}

#[test]
fn b007_a_map_is_an_open_object_for_gemini() {
    run("gemini", "b007");
}

#[test]
fn b024_schema_and_tools_before_gemini_3() {
    run("gemini", "b024");
}

#[test]
fn b027_no_tools_no_key_for_gemini() {
    run("gemini", "b027");
}

#[test]
fn b029_tools_are_a_list_for_gemini() {
    run("gemini", "b029");
}

#[test]
fn b032_a_signature_goes_back_with_its_call() {
    run("gemini", "b032");
}

#[test]
fn b039_calls_without_ids() {
    run("gemini", "b039");
}

#[test]
fn b053_answers_of_gemini_without_content() {
    run("gemini", "b053");
}

#[test]
fn b083_members_keep_their_order_for_gemini() {
    run("gemini", "b083");
}

#[test]
fn b085_no_schema_no_mime_type() {
    run("gemini", "b085");
}

#[test]
fn b093_nothing_unset_is_sent_to_gemini() {
    run("gemini", "b093");
}
