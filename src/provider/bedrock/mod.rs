//! Amazon Bedrock Converse (<https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html>, read 2026-11;
//! #1097, #1185, #1186).

mod media;
mod models;
mod parameters;
mod request;
mod response;

use super::failure::{HttpAnswer, Telling, http_error};
use super::settings::{Auth, BEARER, Settings, percent_encode};
use super::{
    Call, Headers, HttpRequest, NativeSchema, Provider, SupportAnswer, by_model, json_headers, no_support,
    text_parameter, tools, translate,
};
use crate::error::{Error, Result};
use crate::json::Json;
use crate::message::{ChatMessage, ChatResult};
use crate::schema::{BEDROCK, OutputSchema};
use parameters::{Parameters, own_format};

#[derive(Debug)]
pub struct Bedrock;

/// The name in frames, and the key under which a reasoning block keeps what its replay needs.
const NAME: &str = "bedrock";
const DISPLAY_NAME: &str = "Amazon Bedrock";

/// The service's name in signatures.
const SIGNING_NAME: &str = "bedrock";

const SETTINGS: [&str; 6] = [
    "region",
    "api_base_url",
    "model",
    "auth",
    "native_models",
    "default_headers",
];

const TELLING: Telling = Telling {
    lead: "Amazon Bedrock answered with",
    empty: "Amazon Bedrock did not return any output.",
    unauthorized: "Check the Bedrock API key, and that it has not expired.",
    forbidden: "Check the key, that it has not expired, that it may invoke this model in this region, and this host's clock (a \
                signature counts for five minutes).",
    not_found: "Check the model's id, and that the region has it.",
};

/// The settings, checked.
#[derive(Debug)]
struct Account<'a> {
    /// Without a trailing slash.
    base: String,
    model: Option<&'a str>,
    auth: Option<Auth>,
    native_models: Vec<&'a str>,
    headers: Headers,
}

impl<'a> Account<'a> {
    fn read(call: &'a Call<'_>) -> Result<Self> {
        let settings = Settings::read(call.settings, NAME, &SETTINGS)?;
        let region = settings.text("region")?;
        if let Some(region) = region
            && !is_region(region)
        {
            return Err(settings.wrong("region", "must be the name of an AWS region, for example us-east-1"));
        }
        let base = match (settings.base_url("api_base_url")?, region) {
            (Some(base), _) => base.to_owned(),
            (None, Some(region)) => endpoint(region),
            (None, None) => return Err(settings.wrong("region", "is required unless api_base_url is set")),
        };
        Ok(Account {
            base,
            model: settings.text("model")?,
            auth: match (settings.choice("auth", &["bearer", "aws_sigv4", "none"])?, region) {
                ("aws_sigv4", Some(region)) => Some(Auth::AwsSigV4 {
                    region: region.to_owned(),
                    service: SIGNING_NAME,
                }),
                ("aws_sigv4", None) => {
                    return Err(settings.wrong("region", "is required, because requests are signed for it"));
                }
                ("none", _) => None,
                _ => Some(BEARER),
            },
            native_models: settings.texts("native_models")?,
            headers: settings.headers()?,
        })
    }

    fn model<'m>(&'m self, call: &'m Call<'_>) -> Option<&'m str> {
        text_parameter(call.parameters, "model").or(self.model)
    }
}

/// The service's own endpoint; China's regions have a domain of their own.
fn endpoint(region: &str) -> String {
    let suffix = if region.starts_with("cn-") { ".cn" } else { "" };
    format!("https://bedrock-runtime.{region}.amazonaws.com{suffix}")
}

/// Lower-case letters, digits and hyphens: what may stand in the host name.
fn is_region(region: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    region.len() <= 40 && region.bytes().all(plain)
}

impl Provider for Bedrock {
    fn name(&self) -> &'static str {
        NAME
    }

    fn display_name(&self) -> &'static str {
        DISPLAY_NAME
    }

    fn table(&self) -> &'static str {
        models::TABLE
    }

    /// A schema that translates, and a model that is in the table or in `native_models` (#1097).
    fn support(&self, call: &Call<'_>, schema: Option<&OutputSchema>) -> Result<SupportAnswer> {
        let account = Account::read(call)?;
        let rewritten = match translate(schema, &BEDROCK) {
            Ok(rewritten) => rewritten,
            Err(reasons) => return Ok(no_support(reasons)),
        };
        let model = account.model(call);
        let listed = model.is_some_and(|model| models::honours_schema(model) || account.native_models.contains(&model));
        Ok(by_model(rewritten, model, listed, models::TABLE))
    }

    fn collision(&self, call: &Call<'_>, schema: &str) -> Option<String> {
        own_format(call.parameters).then(|| {
            format!(
                "The output schema {schema} is sent to Amazon Bedrock as outputConfig.textFormat: outputConfig.textFormat must \
                 not also be set in additional_kwargs. Remove textFormat from outputConfig, or drop the output schema."
            )
        })
    }

    fn build(
        &self,
        call: &Call<'_>,
        messages: &[ChatMessage<'_>],
        native: Option<&NativeSchema>,
    ) -> Result<HttpRequest> {
        let account = Account::read(call)?;
        let parameters = Parameters::read(call.parameters)?;
        let model = account.model(call).ok_or_else(|| {
            Error::configuration(
                "model is required for Amazon Bedrock calls: set it as a setting or as a parameter of the call",
            )
        })?;
        let (tools, reasons) = tools::prepare(&call.tools, parameters.strict, &BEDROCK);
        Ok(HttpRequest {
            method: "POST",
            url: format!("{}/model/{}/converse", account.base, percent_encode(model)),
            body: request::write_body(messages, &tools, &parameters, native)?,
            auth: account.auth,
            headers: json_headers(account.headers),
            reasons,
        })
    }

    fn parse(&self, call: &Call<'_>, answer: &HttpAnswer<'_>) -> Result<ChatResult<'static>> {
        if !answer.is_success() {
            return Err(http_error(answer, &TELLING));
        }
        // The answer does not name its model.
        let setting = call.settings.get("model").and_then(Json::as_text).map(str::trim);
        let model = text_parameter(call.parameters, "model").or(setting);
        response::read_response(answer, model.filter(|model| !model.is_empty()), &TELLING)
    }
}
