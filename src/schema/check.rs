//! The check of a value against a user's full schema, and what to say about a misfit.

use super::formats;
use super::keywords::{References, children, reference};
use super::stack::with_deep_stack;
use crate::error::{Error, Result};
use crate::json::{Json, pointer};
use jsonschema::error::{TypeKind, ValidationErrorKind};
use jsonschema::{PatternOptions, ValidationError, Validator};

/// At most this many violations are reported.
pub const MAX_VIOLATIONS: usize = 20;

/// One rule that a value breaks. Never holds the value.
#[derive(Debug, Clone, PartialEq)]
pub struct Violation {
    /// JSON Pointer into the answer.
    pub pointer: String,
    /// The schema keyword.
    pub keyword: String,
    /// What the schema wants there, in short.
    pub expected: String,
}

/// A compiled schema. `$schema` picks the draft, 2020-12 when there is none. `format` is asserted: `date`, `time`, `date-time`,
/// `duration` and `uuid` as [`formats`] has them, the others (`email`, `hostname`, `ipv4`, `ipv6`, `uri`, ...) as the draft has
/// them; unknown formats are annotations. `pattern` runs on a linear-time engine.
///
/// Known fault of the validator, pinned by a test: against a bound beyond 64 bits it compares a decimal as a double, so that one
/// within its rounding may pass. Integers, and bounds of 64 bits, are exact.
pub struct Checker {
    /// Only taken by `drop`.
    validator: Option<Validator>,
    subschemas: usize,
}

impl std::fmt::Debug for Checker {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Checker")
            .field("subschemas", &self.subschemas)
            .finish_non_exhaustive()
    }
}

impl Drop for Checker {
    fn drop(&mut self) {
        let validator = self.validator.take();
        with_deep_stack(self.subschemas, || drop(validator));
    }
}

impl Checker {
    /// Compiles `root`. References are only followed inside the document.
    pub fn compile(root: &Json<'static>, references: &References) -> Result<Checker> {
        let subschemas = references.subschemas;
        let validator = with_deep_stack(subschemas, || {
            jsonschema::options()
                .with_pattern_options(PatternOptions::regex())
                .should_validate_formats(true)
                .with_format("date", formats::date)
                .with_format("time", formats::time)
                .with_format("date-time", formats::date_time)
                .with_format("duration", formats::duration)
                .with_format("uuid", formats::uuid)
                .build(&root.to_value())
                .map_err(|error| compile_error(root, &error))
        })?;
        Ok(Checker {
            validator: Some(validator),
            subschemas,
        })
    }

    /// The violations of `value`; empty when it fits.
    pub fn check(&self, value: &Json<'_>) -> Vec<Violation> {
        let Some(validator) = &self.validator else {
            return Vec::new();
        };
        with_deep_stack(self.subschemas, || {
            let value = value.to_value();
            let mut found = Vec::new();
            for error in validator.iter_errors(&value) {
                describe(&error, &mut found);
                if found.len() >= MAX_VIOLATIONS {
                    break;
                }
            }
            found.truncate(MAX_VIOLATIONS);
            found
        })
    }
}

/// The error of kind `invalid_output` for an answer with these violations.
pub fn misfit(violations: &[Violation]) -> Error {
    let Some(first) = violations.first() else {
        return Error::new(
            crate::error::ErrorKind::InvalidOutput,
            "the answer does not fit the schema",
        );
    };
    let more = match violations.len() {
        1 => String::new(),
        count if count >= MAX_VIOLATIONS => format!("; at least {} more violations", count - 1),
        2 => "; 1 more violation".to_owned(),
        count => format!("; {} more violations", count - 1),
    };
    let message = format!(
        "the answer does not fit the schema at {}: expected {} (rule `{}`){more}",
        place(&first.pointer),
        first.expected,
        first.keyword
    );
    let listed = violations.iter().map(|violation| {
        Json::object([
            ("pointer", Json::from(violation.pointer.clone())),
            ("keyword", Json::from(violation.keyword.clone())),
            ("expected", Json::from(violation.expected.clone())),
        ])
    });
    Error::new(crate::error::ErrorKind::InvalidOutput, message)
        .with("pointer", first.pointer.clone())
        .with("violations", Json::Array(listed.collect()))
}

/// A pointer for people: the empty one is the root.
pub fn place(pointer: &str) -> String {
    match pointer {
        "" => "the root".to_owned(),
        inner => format!("`{inner}`"),
    }
}

fn describe(error: &ValidationError<'_>, found: &mut Vec<Violation>) {
    let at = error.instance_path().as_str();
    let kind = error.kind();
    let mut add = |pointer: String, expected: String| {
        found.push(Violation {
            pointer,
            keyword: kind.keyword().to_owned(),
            expected,
        });
    };
    match kind {
        ValidationErrorKind::Required { property } => {
            let name = property.as_str().unwrap_or_default();
            add(pointer::child(at, name), "this member to be there".to_owned());
        }
        ValidationErrorKind::AdditionalProperties { unexpected }
        | ValidationErrorKind::UnevaluatedProperties { unexpected } => {
            for name in unexpected.iter().take(MAX_VIOLATIONS) {
                add(pointer::child(at, name), "no member of this name".to_owned());
            }
        }
        ValidationErrorKind::AnyOf { context } | ValidationErrorKind::OneOfNotValid { context } => {
            match intended_branch(context, at) {
                Some(errors) => errors.iter().for_each(|error| describe(error, found)),
                None => add(at.to_owned(), "a value that one of the alternatives takes".to_owned()),
            }
        }
        ValidationErrorKind::PropertyNames { error } => describe(error, found),
        other => add(at.to_owned(), expected(other)),
    }
}

/// The one branch whose type fits the value, if there is exactly one: its errors say more than those of all branches.
fn intended_branch<'e>(
    context: &'e [Vec<ValidationError<'static>>],
    at: &str,
) -> Option<&'e Vec<ValidationError<'static>>> {
    let fits = |errors: &&Vec<ValidationError<'static>>| {
        !errors.iter().any(|error| {
            error.instance_path().as_str() == at
                && matches!(
                    error.kind(),
                    ValidationErrorKind::Type { .. }
                        | ValidationErrorKind::Enum { .. }
                        | ValidationErrorKind::Constant { .. }
                )
        })
    };
    let mut branches = context.iter().filter(fits);
    match (branches.next(), branches.next()) {
        (Some(only), None) if !only.is_empty() => Some(only),
        _ => None,
    }
}

fn counted(number: u64, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{plural}")
}

fn expected(kind: &ValidationErrorKind) -> String {
    match kind {
        ValidationErrorKind::Type {
            kind: TypeKind::Single(single),
        } => single.to_string(),
        ValidationErrorKind::Type {
            kind: TypeKind::Multiple(types),
        } => types
            .iter()
            .map(|single| single.to_string())
            .collect::<Vec<_>>()
            .join(" or "),
        ValidationErrorKind::Enum { .. } => "one of the listed values".to_owned(),
        ValidationErrorKind::Constant { .. } => "the one value that the schema names".to_owned(),
        ValidationErrorKind::Minimum { limit } => format!("at least {limit}"),
        ValidationErrorKind::Maximum { limit } => format!("at most {limit}"),
        ValidationErrorKind::ExclusiveMinimum { limit } => format!("more than {limit}"),
        ValidationErrorKind::ExclusiveMaximum { limit } => format!("less than {limit}"),
        ValidationErrorKind::MultipleOf { multiple_of } => format!("a multiple of {multiple_of}"),
        ValidationErrorKind::MinLength { limit } => format!("at least {}", counted(*limit, "character")),
        ValidationErrorKind::MaxLength { limit } => format!("at most {}", counted(*limit, "character")),
        ValidationErrorKind::MinItems { limit } => format!("at least {}", counted(*limit, "item")),
        ValidationErrorKind::MaxItems { limit } => format!("at most {}", counted(*limit, "item")),
        ValidationErrorKind::MinProperties { limit } => format!("at least {}", counted(*limit, "member")),
        ValidationErrorKind::MaxProperties { limit } => format!("at most {}", counted(*limit, "member")),
        ValidationErrorKind::UniqueItems => "no item twice".to_owned(),
        ValidationErrorKind::Pattern { .. } => "text that matches the pattern".to_owned(),
        ValidationErrorKind::Format { format } => format!("text of format {format}"),
        ValidationErrorKind::FalseSchema => "nothing here".to_owned(),
        ValidationErrorKind::OneOfMultipleValid { .. } => "a value that only one of the alternatives takes".to_owned(),
        ValidationErrorKind::Not { .. } => "a value that the excluded schema does not take".to_owned(),
        other => format!("a value that `{}` allows", other.keyword()),
    }
}

/// What is wrong with a schema, as an error of kind `invalid_argument` that names the place.
fn compile_error(root: &Json<'static>, error: &ValidationError<'_>) -> Error {
    let at = error.instance_path().as_str();
    let (pointer, message) = match error.kind() {
        ValidationErrorKind::Referencing(cause) => reference_error(root, cause),
        ValidationErrorKind::Format { format } if format == "regex" && at.is_empty() => (
            error.schema_path().as_str().to_owned(),
            "this pattern cannot be used: patterns run on a linear-time engine without look-around and back-references"
                .to_owned(),
        ),
        _ => (at.to_owned(), "this is no valid JSON Schema".to_owned()),
    };
    Error::invalid_argument(format!(
        "The output schema cannot be used, at {}: {message}.",
        place(&pointer)
    ))
    .with("pointer", pointer)
}

fn reference_error(root: &Json<'static>, cause: &jsonschema::ReferencingError) -> (String, String) {
    use jsonschema::ReferencingError;
    let named = match cause {
        ReferencingError::Unretrievable { uri, .. } => uri.as_str(),
        ReferencingError::PointerToNowhere { pointer } => pointer.as_str(),
        ReferencingError::NoSuchAnchor { anchor } => anchor.as_str(),
        ReferencingError::UnknownSpecification { specification } => {
            let message = format!("the meta-schema `{specification}` is unknown; use a published draft of JSON Schema");
            return ("/$schema".to_owned(), message);
        }
        _ => "",
    };
    let pointer = find_reference(root, "", named).unwrap_or_default();
    let message = match cause {
        ReferencingError::Unretrievable { .. } => {
            "this reference leaves the document, and nothing is ever fetched; move its target into `$defs`"
        }
        _ => "this reference leads nowhere in the document",
    };
    (pointer, message.to_owned())
}

/// Where the reference stands whose text ends in `named`.
fn find_reference(schema: &Json<'static>, at: &str, named: &str) -> Option<String> {
    if let Some((keyword, target)) = reference(schema) {
        let document = named.trim_end_matches('#');
        if target.ends_with(named) || !document.is_empty() && target.starts_with(document) {
            return Some(pointer::child(at, keyword));
        }
    }
    children(schema, at)
        .into_iter()
        .find_map(|child| find_reference(child.schema, &child.at, named))
}
