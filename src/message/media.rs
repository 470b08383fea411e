//! Media in a message: image, audio, video, document (#1060, #1163).

use std::borrow::Cow;

use super::fields::{Fields, Path};
use crate::error::Result;
use crate::json::Json;

/// The four kinds of media block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MediaKind {
    Image,
    Audio,
    Video,
    Document,
}

impl MediaKind {
    /// The block's `type`.
    pub const fn name(self) -> &'static str {
        match self {
            MediaKind::Image => "image",
            MediaKind::Audio => "audio",
            MediaKind::Video => "video",
            MediaKind::Document => "document",
        }
    }
}

/// Where the media comes from. Neither is opened or checked: Base64 is not decoded, a URL may be a provider's file URI.
#[derive(Clone, PartialEq)]
pub enum MediaSource<'a> {
    Base64(Cow<'a, str>),
    Url(Cow<'a, str>),
}

impl MediaSource<'_> {
    /// The source's `type`.
    pub const fn name(&self) -> &'static str {
        match self {
            MediaSource::Base64(_) => "base64",
            MediaSource::Url(_) => "url",
        }
    }

    /// Size of Base64 content in bytes, inferred from the length of its text and its padding.
    pub fn size_bytes(&self) -> Option<i64> {
        let MediaSource::Base64(data) = self else { return None };
        let padding = match (data.ends_with("=="), data.ends_with('=')) {
            (true, _) => 2,
            (false, true) => 1,
            (false, false) => 0,
        };
        let length = i64::try_from(data.encode_utf16().count()).ok()?;
        Some((length.checked_mul(3)? / 4 - padding).max(0))
    }

    /// The payload or the URL.
    pub fn text(&self) -> &str {
        match self {
            MediaSource::Base64(text) | MediaSource::Url(text) => text,
        }
    }
}

/// Payloads and URLs stay out of every debug print.
impl std::fmt::Debug for MediaSource<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "MediaSource({}, hidden)", self.name())
    }
}

/// One media block.
#[derive(Debug, Clone, PartialEq)]
pub struct Media<'a> {
    pub kind: MediaKind,
    /// For example `image/png`; required, not otherwise checked.
    pub media_type: Cow<'a, str>,
    pub source: MediaSource<'a>,
    /// File name, where the user gave one.
    pub name: Option<Cow<'a, str>>,
    /// 0 to 2^63-1 bytes.
    pub size_bytes: Option<i64>,
    pub sha256: Option<Cow<'a, str>>,
}

impl<'a> Media<'a> {
    /// The URL as given, or the payload as a `data:` URL.
    pub fn url_or_data(&self) -> Cow<'_, str> {
        match &self.source {
            MediaSource::Url(url) => Cow::Borrowed(url),
            MediaSource::Base64(data) => Cow::Owned(format!("data:{};base64,{data}", self.media_type)),
        }
    }

    pub(super) fn from_json(kind: MediaKind, json: &'a Json<'_>, path: &Path<'_>) -> Result<Self> {
        let known = ["type", "media_type", "source", "name", "size_bytes", "sha256"];
        let fields = Fields::strict(json, path, &known)?;
        let media_type = fields.text("media_type")?.filter(|text| !text.is_empty());
        let media_type =
            media_type.ok_or_else(|| path.key("media_type").broken("A media block requires a media type."))?;
        let source_path = path.key("source");
        let source = fields
            .get("source")
            .ok_or_else(|| source_path.broken("A media block requires a source."))?;
        if let Some(Json::Int(..0)) = fields.get("size_bytes") {
            return Err(path.key("size_bytes").broken("size_bytes must not be negative."));
        }
        Ok(Media {
            kind,
            media_type,
            source: read_source(source, &source_path)?,
            name: fields.text("name")?,
            size_bytes: fields.count("size_bytes")?,
            sha256: fields.text("sha256")?,
        })
    }

    /// `{type, media_type, source, name?, size_bytes?, sha256?}`.
    pub(super) fn to_json(&self) -> Json<'_> {
        Json::object([
            ("type", self.kind.name().into()),
            ("media_type", self.media_type.as_ref().into()),
            ("source", source_json(&self.source)),
            ("name", self.name.as_deref().into()),
            ("size_bytes", self.size_bytes.into()),
            ("sha256", self.sha256.as_deref().into()),
        ])
    }

    /// For logs: `{type, media_type, name?, size_bytes?, sha256?, source: {type}}`, never payload or URL (#1060). A size that is not
    /// given is that of the Base64 data; behind a URL it is unknown.
    pub(super) fn sanitize(&self) -> Json<'_> {
        Json::object([
            ("type", self.kind.name().into()),
            ("media_type", self.media_type.as_ref().into()),
            ("name", self.name.as_deref().into()),
            (
                "size_bytes",
                self.size_bytes.or_else(|| self.source.size_bytes()).into(),
            ),
            ("sha256", self.sha256.as_deref().into()),
            ("source", Json::object([("type", self.source.name().into())])),
        ])
    }
}

fn read_source<'a>(json: &'a Json<'_>, path: &Path<'_>) -> Result<MediaSource<'a>> {
    match json.get("type").and_then(Json::as_text) {
        Some("base64") => {
            let fields = Fields::strict(json, path, &["type", "data"])?;
            fields.required_text("data").map(MediaSource::Base64)
        }
        Some("url") => {
            let fields = Fields::strict(json, path, &["type", "url"])?;
            fields.required_text("url").map(MediaSource::Url)
        }
        Some(_) => Err(path.key("type").broken("a source's type is base64 or url")),
        None => Err(path.key("type").expected("base64 or url", json.get("type"))),
    }
}

fn source_json<'a>(source: &'a MediaSource<'_>) -> Json<'a> {
    let (key, text) = match source {
        MediaSource::Base64(data) => ("data", data),
        MediaSource::Url(url) => ("url", url),
    };
    Json::object([("type", source.name().into()), (key, text.as_ref().into())])
}
