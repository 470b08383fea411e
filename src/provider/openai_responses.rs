//! OpenAI Responses (<https://platform.openai.com/docs/api-reference/responses>, read 2026-11; #1275, #1364).

mod parameters;
mod request;
mod response;

use super::failure::{HttpAnswer, Telling, http_error};
use super::openai_service::{Account, TABLE};
use super::{Call, HttpRequest, NativeSchema, Provider, SupportAnswer, json_headers, tools};
use crate::error::Result;
use crate::message::{ChatMessage, ChatResult};
use crate::schema::{OPENAI_STRICT, OutputSchema};
use parameters::{Parameters, own_format};

#[derive(Debug)]
pub struct OpenAiResponses;

/// The name in frames, and the key under which a reasoning block keeps its native item.
const NAME: &str = "openai_responses";
const DISPLAY_NAME: &str = "OpenAI Responses";

const TELLING: Telling = Telling {
    lead: "OpenAI Responses answered with",
    empty: "OpenAI Responses API did not return any output.",
    unauthorized: "Check the API key, and that it belongs to the organization and project.",
    forbidden: "The key may not use this model or region: check its permissions.",
    not_found: "Check the base URL (it is used as given), the model's name, and previous_response_id if it is set.",
};

impl Provider for OpenAiResponses {
    fn name(&self) -> &'static str {
        NAME
    }

    fn display_name(&self) -> &'static str {
        DISPLAY_NAME
    }

    fn table(&self) -> &'static str {
        TABLE
    }

    fn support(&self, call: &Call<'_>, schema: Option<&OutputSchema>) -> Result<SupportAnswer> {
        Ok(Account::read(call, NAME)?.support(call, schema))
    }

    fn collision(&self, call: &Call<'_>, schema: &str) -> Option<String> {
        own_format(call.parameters).then(|| {
            format!(
                "The output schema {schema} is sent to OpenAI Responses as text.format: text.format must not also be set in \
                 additional_kwargs. Remove format from text, or drop the output schema."
            )
        })
    }

    fn build(
        &self,
        call: &Call<'_>,
        messages: &[ChatMessage<'_>],
        native: Option<&NativeSchema>,
    ) -> Result<HttpRequest> {
        let account = Account::read(call, NAME)?;
        let parameters = Parameters::read(call.parameters)?;
        let model = account.required_model(call)?;
        let (tools, reasons) = tools::prepare(&call.tools, parameters.strict, &OPENAI_STRICT);
        Ok(HttpRequest {
            method: "POST",
            url: format!("{}/responses", account.base),
            body: request::write_body(model, messages, &tools, &parameters, native)?,
            auth: account.auth,
            headers: json_headers(account.headers),
            reasons,
        })
    }

    fn parse(&self, _call: &Call<'_>, answer: &HttpAnswer<'_>) -> Result<ChatResult<'static>> {
        if !answer.is_success() {
            return Err(http_error(answer, &TELLING));
        }
        response::read_response(answer, &TELLING)
    }
}
