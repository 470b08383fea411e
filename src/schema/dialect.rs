//! What each provider takes of JSON Schema: one walker (`rewrite`), one small table for each dialect.

use crate::json::Json;
use crate::structured::Reason;

/// The rules of one provider. What is in no list is moved into the description when it restricts values, else left out.
#[derive(Debug)]
pub struct Dialect {
    pub name: &'static str,
    /// Month in which the rules were last read on the provider's page.
    pub table: &'static str,
    /// Restricting keywords that the provider enforces itself.
    pub kept: &'static [&'static str],
    /// Values of `format` that it takes.
    pub formats: &'static [&'static str],
    pub limits: &'static [Limit],
    /// Takes objects with members that nobody declared, and nodes without a type. Others want every object closed.
    pub open: bool,
    /// Takes objects with members that may be absent. Elsewhere an optional member becomes required and nullable.
    pub optional: bool,
    /// Takes schemas that refer to themselves.
    pub recursive: bool,
    /// Where the provider makes a grammar of the schema: how far that counts.
    pub grammar: Option<Grammar>,
    /// Takes references that lead back to where they stand through required members alone.
    pub required_cycles: bool,
    /// Knows `const`, and constants of every plain type. Elsewhere an `enum` of texts and numbers is all there is.
    pub constants: bool,
    /// Wants the order of an object's members told in `propertyOrdering`.
    pub ordering: bool,
}

/// What a grammar can count. A larger number goes into the description: with it servers fail or never end.
#[derive(Debug)]
pub struct Grammar {
    /// Largest amount of a bound; only those of integers are enforced.
    pub bound: i64,
    /// Largest length of a text or list.
    pub repetitions: i64,
}

impl Grammar {
    /// Whether it enforces `keyword` with this value on a node of these types.
    pub fn enforces(&self, keyword: &str, value: &Json<'_>, types: &[String]) -> bool {
        let within = |most: i64| matches!(value, Json::Int(number) if (-most..=most).contains(number));
        match keyword {
            "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" => {
                within(self.bound) && !types.iter().any(|name| name == "number")
            }
            "minLength" | "maxLength" | "minItems" | "maxItems" => within(self.repetitions),
            _ => true,
        }
    }
}

/// What a limit counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// Properties of all objects together.
    Properties,
    /// Levels of subschemas below the root; a reference is one level, its target starts below the root.
    Depth,
    /// Characters of property names, definition names and the texts of `enum` and `const` together.
    StringCharacters,
    /// Values of all `enum`s together.
    EnumValues,
    /// Characters of the texts of one `enum` that has more than 250 of them.
    LargeEnumCharacters,
    /// Properties that take more than one type.
    UnionProperties,
}

impl Rule {
    pub const fn name(self) -> &'static str {
        match self {
            Rule::Properties => "properties",
            Rule::Depth => "depth",
            Rule::StringCharacters => "string_characters",
            Rule::EnumValues => "enum_values",
            Rule::LargeEnumCharacters => "large_enum_characters",
            Rule::UnionProperties => "union_properties",
        }
    }
}

/// A bound of the provider.
#[derive(Debug)]
pub struct Limit {
    pub rule: Rule,
    pub most: usize,
    /// Stated on the provider's page today: exceeding it makes native FEASIBLE at most. Otherwise it only warns.
    pub documented: bool,
}

const fn documented(rule: Rule, most: usize) -> Limit {
    Limit {
        rule,
        most,
        documented: true,
    }
}

const fn remembered(rule: Rule, most: usize) -> Limit {
    Limit {
        rule,
        most,
        documented: false,
    }
}

const KEPT: &[&str] = &[
    "pattern",
    "format",
    "multipleOf",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "minItems",
    "maxItems",
];

const FORMATS: &[&str] = &[
    "date-time",
    "time",
    "date",
    "duration",
    "email",
    "hostname",
    "ipv4",
    "ipv6",
    "uuid",
];

/// OpenAI's strict mode (developers' guide "Structured model outputs", section "Supported schemas").
pub static OPENAI_STRICT: Dialect = Dialect {
    name: "openai-strict",
    table: "2026-11",
    kept: KEPT,
    formats: FORMATS,
    limits: &[
        documented(Rule::Properties, 5000),
        documented(Rule::Depth, 10),
        documented(Rule::StringCharacters, 120_000),
        documented(Rule::EnumValues, 1000),
        documented(Rule::LargeEnumCharacters, 15_000),
    ],
    open: false,
    optional: false,
    recursive: true,
    grammar: None,
    required_cycles: true,
    constants: true,
    ordering: false,
};

/// Azure OpenAI: OpenAI's rules. Its page used to state lower bounds, which are not confirmed and only warn.
pub static AZURE_STRICT: Dialect = Dialect {
    name: "azure-strict",
    table: "2026-11",
    kept: KEPT,
    formats: FORMATS,
    limits: &[
        remembered(Rule::Properties, 100),
        remembered(Rule::Depth, 5),
        documented(Rule::Properties, 5000),
        documented(Rule::Depth, 10),
        documented(Rule::StringCharacters, 120_000),
        documented(Rule::EnumValues, 1000),
        documented(Rule::LargeEnumCharacters, 15_000),
    ],
    open: false,
    optional: false,
    recursive: true,
    grammar: None,
    required_cycles: true,
    constants: true,
    ordering: false,
};

const GRAMMAR_KEPT: &[&str] = &[
    "pattern",
    "format",
    "multipleOf",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
];

/// vLLM: the server's grammar back ends take JSON Schema as it is, open objects too, and state no limits. The form stays that of
/// OpenAI (closed objects, all members required), since it is sent as `strict`.
pub static VLLM: Dialect = Dialect {
    name: "vllm",
    table: "2026-11",
    kept: GRAMMAR_KEPT,
    formats: FORMATS,
    limits: &[],
    open: true,
    optional: false,
    recursive: true,
    grammar: None,
    required_cycles: true,
    constants: true,
    ordering: false,
};

/// Ollama: its server turns a schema into a grammar with llama.cpp's converter (docs "Structured outputs"; #981). What the
/// converter skips (`multipleOf`, most formats) or does not take everywhere (`pattern`, which it wants anchored) goes into the
/// description. A recursive schema is answered with HTTP 400.
pub static OLLAMA: Dialect = Dialect {
    name: "ollama",
    table: "2026-11",
    kept: &[
        "format",
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "minLength",
        "maxLength",
        "minItems",
        "maxItems",
    ],
    formats: &["date-time", "time", "date", "uuid"],
    limits: &[],
    open: true,
    optional: true,
    recursive: false,
    // llama.cpp fails at 2000 repetitions, and a minimum near 2^63 takes all memory (tried 2026-11).
    grammar: Some(Grammar {
        bound: 1_000_000_000_000_000,
        repetitions: 1000,
    }),
    required_cycles: true,
    constants: true,
    ordering: false,
};

/// DashScope: `json_schema` is sent as `strict`, so the form is OpenAI's. Its page names no keyword that restricts values, so those
/// go into the description.
pub static DASHSCOPE: Dialect = Dialect {
    name: "dashscope",
    table: "2026-11",
    kept: &[],
    formats: &[],
    limits: &[],
    open: true,
    optional: false,
    recursive: true,
    grammar: None,
    required_cycles: true,
    constants: true,
    ordering: false,
};

/// watsonx.ai: vLLM's guided decoding behind the chat endpoint.
pub static WATSONX: Dialect = Dialect {
    name: "watsonx",
    table: "2026-11",
    kept: GRAMMAR_KEPT,
    formats: FORMATS,
    limits: &[],
    open: true,
    optional: false,
    recursive: true,
    grammar: None,
    required_cycles: true,
    constants: true,
    ordering: false,
};

/// Gemini's `responseJsonSchema` (reference of generateContent, `GenerationConfig`; guide "Structured outputs"). It ignores every
/// other keyword without a word, takes cycles through members that are not required only, and states no counts. Gemini 2.0 keeps
/// the order of members only where it is told.
pub static GEMINI: Dialect = Dialect {
    name: "gemini",
    table: "2026-11",
    kept: &["format", "minimum", "maximum", "minItems", "maxItems"],
    formats: &["date-time", "date", "time"],
    limits: &[],
    open: false,
    optional: true,
    required_cycles: false,
    constants: false,
    ordering: true,
    recursive: true,
    grammar: None,
};

/// Bedrock: the service compiles a subset of Draft 2020-12 without recursion and without bounds of numbers and texts (#1097).
pub static BEDROCK: Dialect = Dialect {
    name: "bedrock",
    table: "2026-11",
    kept: &["format"],
    formats: FORMATS,
    limits: &[],
    open: false,
    optional: false,
    recursive: false,
    grammar: None,
    required_cycles: true,
    constants: true,
    ordering: false,
};

/// Anthropic's `output_config.format` and strict tools (guide "Structured outputs"): nothing that bounds a value, no recursion. The
/// form stays that of OpenAI, all members required, as the official SDK sends it. How many unions a request may have is not confirmed.
pub static ANTHROPIC: Dialect = Dialect {
    name: "anthropic",
    table: "2026-11",
    kept: &["format"],
    formats: &[
        "date-time",
        "time",
        "date",
        "duration",
        "email",
        "hostname",
        "uri",
        "ipv4",
        "ipv6",
        "uuid",
    ],
    limits: &[remembered(Rule::UnionProperties, 16)],
    open: false,
    optional: false,
    recursive: false,
    grammar: None,
    required_cycles: true,
    constants: true,
    ordering: false,
};

/// A schema as one provider gets it.
#[derive(Debug)]
pub struct Rewritten {
    /// Compact JSON, ready to be put into a body.
    pub json: String,
    /// The property that carries a root that is no object: `values` for a list, `value` otherwise.
    pub wrapper: Option<&'static str>,
    /// What was rewritten, moved or left out, and limits that make native only FEASIBLE.
    pub reasons: Vec<Reason>,
    /// A documented limit is exceeded: the support is FEASIBLE at most.
    pub limited: bool,
}
