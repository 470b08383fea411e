//! The models of Bedrock that honour a schema (#1097).

/// Month of the list below.
pub const TABLE: &str = "2026-11";

const EXACT: [&str; 41] = [
    "anthropic.claude-sonnet-4-5-20250929-v1:0",
    "anthropic.claude-opus-4-5-20251101-v1:0",
    "anthropic.claude-haiku-4-5-20251001-v1:0",
    "anthropic.claude-opus-4-6-v1",
    "anthropic.claude-sonnet-4-6",
    "deepseek.v3-v1:0",
    "deepseek.v3.2",
    "google.gemma-3-12b-it",
    "google.gemma-3-27b-it",
    "minimax.minimax-m2",
    "minimax.minimax-m2.1",
    "minimax.minimax-m2.5",
    "mistral.mistral-large-3-675b-instruct",
    "mistral.devstral-2-123b",
    "mistral.magistral-small-2509",
    "mistral.ministral-3-14b-instruct",
    "mistral.ministral-3-3b-instruct",
    "mistral.ministral-3-8b-instruct",
    "mistral.voxtral-mini-3b-2507",
    "mistral.voxtral-small-24b-2507",
    "moonshot.kimi-k2-thinking",
    "moonshotai.kimi-k2.5",
    "nvidia.nemotron-nano-12b-v2",
    "nvidia.nemotron-nano-3-30b",
    "nvidia.nemotron-nano-9b-v2",
    "nvidia.nemotron-super-3-120b",
    "openai.gpt-oss-120b-1:0",
    "openai.gpt-oss-20b-1:0",
    "openai.gpt-5.6-luna",
    "openai.gpt-oss-safeguard-120b",
    "openai.gpt-oss-safeguard-20b",
    "qwen.qwen3-235b-a22b-2507-v1:0",
    "qwen.qwen3-32b-v1:0",
    "qwen.qwen3-coder-30b-a3b-v1:0",
    "qwen.qwen3-coder-480b-a35b-v1:0",
    "qwen.qwen3-coder-next",
    "qwen.qwen3-next-80b-a3b",
    "writer.palmyra-vision-7b",
    "zai.glm-4.7",
    "zai.glm-4.7-flash",
    "zai.glm-5",
];

/// Whether the model honours a schema: the exact id, or the id behind the prefix of an inference profile (`us.`, `eu.`, `global.`).
/// An ARN does not tell which model it stands for. Reads nothing but its argument.
pub fn honours_schema(model: &str) -> bool {
    EXACT.contains(&model) || without_profile(model).is_some_and(|model| EXACT.contains(&model))
}

/// What stands behind one leading segment of `[a-z0-9-]+.`.
fn without_profile(model: &str) -> Option<&str> {
    let (profile, rest) = model.split_once('.')?;
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    (!profile.is_empty() && profile.bytes().all(plain)).then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::honours_schema;

    /// The rule of #1097 as a table.
    #[test]
    fn pr1097_models_that_honour_a_schema() {
        let table = [
            ("anthropic.claude-sonnet-4-6", true),
            ("us.anthropic.claude-sonnet-4-6", true),
            ("us-gov.anthropic.claude-sonnet-4-5-20250929-v1:0", true),
            ("global.anthropic.claude-opus-4-6-v1", true),
            ("us.eu.anthropic.claude-sonnet-4-6", false),
            ("US.anthropic.claude-sonnet-4-6", false),
            (".anthropic.claude-sonnet-4-6", false),
            ("anthropic.claude-3-haiku-20240307-v1:0", false),
            (
                "arn:aws:bedrock:us-east-1:1:inference-profile/us.anthropic.claude-sonnet-4-6",
                false,
            ),
            ("deepseek.v3.2", true),
            ("", false),
        ];
        for (model, expected) in table {
            assert_eq!(honours_schema(model), expected, "{model}");
        }
    }
}
