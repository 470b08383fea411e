//! OpenAI Chat Completions (<https://platform.openai.com/docs/api-reference/chat>, read 2026-11).

use super::chat_completions::{self, DISPLAY_NAME, Parameters, WireForm, own_format};
use super::failure::{HttpAnswer, Telling, http_error};
use super::openai_service::{Account, TABLE};
use super::{Call, HttpRequest, NativeSchema, Provider, SupportAnswer, json_headers, tools};
use crate::error::Result;
use crate::message::{ChatMessage, ChatResult};
use crate::schema::{OPENAI_STRICT, OutputSchema};

#[derive(Debug)]
pub struct OpenAi;

const NAME: &str = "openai";

static FORM: WireForm = WireForm::openai(NAME);

const TELLING: Telling = Telling {
    lead: "OpenAI Chat Completions answered with",
    unauthorized: "Check the API key, and that it belongs to the organization and project.",
    forbidden: "The key may not use this model or region: check its permissions.",
    empty: chat_completions::NO_COMPLETION,
    not_found: "Check the base URL (it is used as given) and the model's name.",
};

impl Provider for OpenAi {
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
        own_format(call.parameters).then(|| chat_completions::collision(schema, "OpenAI"))
    }

    // ---- how the request looks ----

    fn build(
        &self,
        call: &Call<'_>,
        messages: &[ChatMessage<'_>],
        native: Option<&NativeSchema>,
    ) -> Result<HttpRequest> {
        let account = Account::read(call, NAME)?;
        let parameters = Parameters::read(call.parameters, &FORM)?;
        let model = account.required_model(call)?;
        let (tools, reasons) = tools::prepare(&call.tools, parameters.strict, &OPENAI_STRICT);
        Ok(HttpRequest {
            method: "POST",
            url: format!("{}/chat/completions", account.base),
            body: chat_completions::write_body(&[("model", model)], messages, &tools, &parameters, native)?,
            auth: account.auth,
            headers: json_headers(account.headers),
            reasons,
        })
    }

    // ---- how the answer is read ----

    fn parse(&self, _call: &Call<'_>, answer: &HttpAnswer<'_>) -> Result<ChatResult<'static>> {
        if !answer.is_success() {
            return Err(http_error(answer, &TELLING));
        }
        chat_completions::read_completion(answer, &TELLING)
    }
}
