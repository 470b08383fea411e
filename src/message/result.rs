//! What a provider answered (#1185).

use std::borrow::Cow;

use super::fields::{Fields, Members, Path, borrow_members, member};
use super::{ChatMessage, Role};
use crate::error::Result;
use crate::json::Json;

/// An assistant message with what came beside it. Only the message enters a conversation's history.
#[derive(Debug, Clone, PartialEq)]
pub struct ChatResult<'a> {
    pub message: ChatMessage<'a>,
    /// The model that usage is attributed to; on Azure the model behind the deployment.
    pub model: Option<Cow<'a, str>>,
    /// The provider's id of the response.
    pub response_id: Option<Cow<'a, str>>,
    pub usage: Option<TokenUsage<'a>>,
    /// As the provider gave it.
    pub finish_reason: Option<Cow<'a, str>>,
    pub metadata: Members<'a>,
}

/// Token counts; `None` is unknown.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TokenUsage<'a> {
    pub prompt_tokens: Option<i64>,
    pub completion_tokens: Option<i64>,
    /// For example `cached_tokens`.
    pub prompt_token_details: Counts<'a>,
    /// For example `reasoning_tokens`.
    pub completion_token_details: Counts<'a>,
}

/// Named counts in written order.
pub type Counts<'a> = Vec<(Cow<'a, str>, i64)>;

impl<'a> ChatResult<'a> {
    /// Reads and checks a result.
    pub fn from_json(json: &'a Json<'_>, path: &Path<'_>) -> Result<Self> {
        let known = ["message", "model", "response_id", "usage", "finish_reason", "metadata"];
        let fields = Fields::strict(json, path, &known)?;
        let message_path = path.key("message");
        let message = fields
            .get("message")
            .ok_or_else(|| message_path.expected("an assistant message", None))?;
        let message = ChatMessage::from_json(message, &message_path)?;
        if message.role != Role::Assistant {
            return Err(path.broken("ChatResult requires an ASSISTANT message"));
        }
        let usage_path = path.key("usage");
        Ok(ChatResult {
            message,
            model: fields.text("model")?,
            response_id: fields.text("response_id")?,
            usage: fields
                .get("usage")
                .map(|usage| TokenUsage::from_json(usage, &usage_path))
                .transpose()?,
            finish_reason: fields.text("finish_reason")?,
            metadata: fields.members("metadata")?,
        })
    }

    /// `{message, model, response_id, usage, finish_reason, metadata}`; what is unknown is null.
    pub fn to_json(&self) -> Json<'_> {
        Json::Object(vec![
            ("message".into(), self.message.to_json()),
            ("model".into(), self.model.as_deref().into()),
            ("response_id".into(), self.response_id.as_deref().into()),
            ("usage".into(), self.usage.as_ref().map(TokenUsage::to_json).into()),
            ("finish_reason".into(), self.finish_reason.as_deref().into()),
            ("metadata".into(), Json::Object(borrow_members(&self.metadata))),
        ])
    }

    /// What the model said when it refused to answer.
    pub fn refusal(&self) -> Option<&str> {
        member(&self.message.metadata, "refusal").and_then(Json::as_text)
    }
}

impl<'a> TokenUsage<'a> {
    /// Both counts added, name by name; what both leave open stays open.
    pub fn plus(&self, other: &TokenUsage<'_>) -> TokenUsage<'static> {
        TokenUsage {
            prompt_tokens: sum(self.prompt_tokens, other.prompt_tokens),
            completion_tokens: sum(self.completion_tokens, other.completion_tokens),
            prompt_token_details: sums(&self.prompt_token_details, &other.prompt_token_details),
            completion_token_details: sums(&self.completion_token_details, &other.completion_token_details),
        }
    }

    /// Reads and checks usage.
    pub fn from_json(json: &'a Json<'_>, path: &Path<'_>) -> Result<Self> {
        let known = [
            "prompt_tokens",
            "completion_tokens",
            "prompt_token_details",
            "completion_token_details",
        ];
        let fields = Fields::strict(json, path, &known)?;
        Ok(TokenUsage {
            prompt_tokens: fields.count("prompt_tokens")?,
            completion_tokens: fields.count("completion_tokens")?,
            prompt_token_details: read_counts(&fields, "prompt_token_details")?,
            completion_token_details: read_counts(&fields, "completion_token_details")?,
        })
    }

    /// `{prompt_tokens, completion_tokens, prompt_token_details, completion_token_details}`.
    pub fn to_json(&self) -> Json<'_> {
        Json::Object(vec![
            ("prompt_tokens".into(), self.prompt_tokens.into()),
            ("completion_tokens".into(), self.completion_tokens.into()),
            ("prompt_token_details".into(), counts_json(&self.prompt_token_details)),
            (
                "completion_token_details".into(),
                counts_json(&self.completion_token_details),
            ),
        ])
    }
}

fn sum(one: Option<i64>, other: Option<i64>) -> Option<i64> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.saturating_add(other)),
        (one, other) => one.or(other),
    }
}

fn sums(one: &Counts<'_>, other: &Counts<'_>) -> Counts<'static> {
    let mut sums: Counts<'static> = Vec::with_capacity(one.len().max(other.len()));
    for (name, count) in one.iter().chain(other) {
        match sums.iter_mut().find(|(known, _)| known == name) {
            Some((_, known)) => *known = known.saturating_add(*count),
            None => sums.push((Cow::Owned(name.as_ref().to_owned()), *count)),
        }
    }
    sums
}

fn read_counts<'a>(fields: &Fields<'a, '_>, name: &str) -> Result<Counts<'a>> {
    let Some(json) = fields.get(name) else {
        return Ok(Vec::new());
    };
    let path = fields.path.key(name);
    let members = json.as_object().ok_or_else(|| path.expected("an object", Some(json)))?;
    members
        .iter()
        .map(|(key, value)| match value {
            Json::Int(count) if *count >= 0 => Ok((Cow::Borrowed(key.as_ref()), *count)),
            other => Err(path.key(key).expected("an integer from 0 to 2^63-1", Some(other))),
        })
        .collect()
}

fn counts_json<'a>(counts: &'a Counts<'_>) -> Json<'a> {
    Json::Object(
        counts
            .iter()
            .map(|(key, count)| (Cow::Borrowed(key.as_ref()), Json::Int(*count)))
            .collect(),
    )
}
