//! A restricting keyword as a sentence for the model, where the provider does not take the keyword itself.

use crate::json::Json;

/// What the keyword asks of the value; `None` for an annotation, or for a value that restricts nothing.
pub fn sentence(keyword: &str, value: &Json<'_>) -> Option<String> {
    let text = || match value {
        Json::Text(text) => text.to_string(),
        other => other.to_json(),
    };
    let restricts = !matches!(value, Json::Bool(false));
    Some(match keyword {
        "minLength" => format!("At least {}.", count(value, "character")),
        "maxLength" => format!("At most {}.", count(value, "character")),
        "pattern" => format!("Matches the regular expression {}", text()),
        "format" => format!("Format: {}.", text()),
        "multipleOf" => format!("A multiple of {}.", text()),
        "minimum" => format!("At least {}.", text()),
        "maximum" => format!("At most {}.", text()),
        "exclusiveMinimum" | "exclusiveMaximum" if matches!(value, Json::Bool(_)) => {
            let bound = if keyword == "exclusiveMinimum" {
                "lower"
            } else {
                "upper"
            };
            return restricts.then(|| format!("The {bound} bound itself is not allowed."));
        }
        "exclusiveMinimum" => format!("More than {}.", text()),
        "exclusiveMaximum" => format!("Less than {}.", text()),
        "minItems" => format!("At least {}.", count(value, "item")),
        "maxItems" => format!("At most {}.", count(value, "item")),
        "uniqueItems" if restricts => "No item twice.".to_owned(),
        "contains" => format!("At least one item matches {}.", text()),
        "minContains" => format!("What it must contain, it contains at least {} times.", text()),
        "maxContains" => format!("What it must contain, it contains at most {} times.", text()),
        "minProperties" => format!("At least {} not null.", count(value, "member")),
        "maxProperties" => format!("At most {} not null.", count(value, "member")),
        "propertyNames" => format!("Each member name matches {}.", text()),
        "not" => format!("Must not match {}.", text()),
        "if" => format!("Where the value matches {}:", text()),
        "then" => format!("it then also matches {}.", text()),
        "else" => format!("Otherwise it matches {}.", text()),
        "dependentRequired" | "dependencies" | "dependentSchemas" => {
            format!(
                "If a member named here is there, what stands beside its name holds too: {}.",
                text()
            )
        }
        "anyOf" => format!("Also matches at least one of {}.", text()),
        "oneOf" => format!("Also matches exactly one of {}.", text()),
        "enum" => format!("One of {}.", text()),
        "contentEncoding" => format!("Encoded as {}.", text()),
        "contentMediaType" => format!("Content of type {}.", text()),
        "contentSchema" => format!("The content matches {}.", text()),
        _ => return None,
    })
}

fn count(value: &Json<'_>, noun: &str) -> String {
    let plural = if *value == Json::Int(1) { "" } else { "s" };
    format!("{} {noun}{plural}", value.to_json())
}

/// The user's description with the sentences behind it.
pub fn description(given: Option<&str>, notes: &[String]) -> Option<String> {
    let given = given.map(str::trim_end).filter(|given| !given.is_empty());
    let mut parts: Vec<String> = Vec::with_capacity(notes.len() + 1);
    if let Some(given) = given {
        let stop = if notes.is_empty() || given.ends_with(['.', '!', '?', ':']) {
            ""
        } else {
            "."
        };
        parts.push(format!("{given}{stop}"));
    }
    parts.extend_from_slice(notes);
    (!parts.is_empty()).then(|| parts.join(" "))
}
