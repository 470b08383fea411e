//! Images and documents as Converse takes them: formats by media type, names of documents.

use std::collections::BTreeSet;

use crate::message::{Media, MediaKind, MediaSource, Role};

const IMAGES: [(&str, &str); 5] = [
    ("image/png", "png"),
    ("image/jpeg", "jpeg"),
    ("image/jpg", "jpeg"),
    ("image/gif", "gif"),
    ("image/webp", "webp"),
];

const DOCUMENTS: [(&str, &str); 9] = [
    ("application/pdf", "pdf"),
    ("text/csv", "csv"),
    ("application/msword", "doc"),
    (
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "docx",
    ),
    ("application/vnd.ms-excel", "xls"),
    (
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        "xlsx",
    ),
    ("text/html", "html"),
    ("text/plain", "txt"),
    ("text/markdown", "md"),
];

/// Characters of a document's name.
const LONGEST_NAME: usize = 200;

/// Converse's word for the media type; parameters such as `charset` do not count.
pub fn format(media: &Media<'_>) -> Option<&'static str> {
    let bare = media.media_type.split(';').next().unwrap_or_default().trim();
    let table: &[(&str, &str)] = match media.kind {
        MediaKind::Image => &IMAGES,
        MediaKind::Document => &DOCUMENTS,
        _ => &[],
    };
    let found = table.iter().find(|(name, _)| name.eq_ignore_ascii_case(bare));
    found.map(|(_, format)| *format)
}

/// Why no request can carry the medium, if none can.
pub fn fault(role: Role, media: &Media<'_>) -> Option<&'static str> {
    match (role, media.kind) {
        (Role::User | Role::Tool, MediaKind::Audio | MediaKind::Video) => {
            Some("Amazon Bedrock takes images and documents only")
        }
        (Role::User | Role::Tool, kind) => match (&media.source, kind) {
            (MediaSource::Url(url), _) if !url.starts_with("s3://") => {
                Some("Amazon Bedrock opens no URLs but s3:// locations; send the content as base64")
            }
            _ if format(media).is_some() => None,
            (_, MediaKind::Image) => Some("images must be PNG, JPEG, GIF or WebP"),
            _ => Some("documents must be PDF, CSV, DOC, DOCX, XLS, XLSX, HTML, plain text or Markdown"),
        },
        // A system message never holds media: reading it fails before.
        _ => Some("only user messages and tool results can carry media, not assistant messages"),
    }
}

/// The names of one request's documents: the service refuses two that are the same.
#[derive(Debug, Default)]
pub struct Names {
    used: BTreeSet<String>,
}

impl Names {
    /// The name without its extension, with nothing but ASCII letters, digits, hyphens, brackets and single spaces, 1 to 200
    /// characters long; a number makes it unique.
    pub fn take(&mut self, given: Option<&str>) -> String {
        let plain = plain_name(given.unwrap_or_default());
        let mut name = plain.clone();
        let mut number = 2;
        while !self.used.insert(name.clone()) {
            let suffix = format!(" {number}");
            let stem: String = plain.chars().take(LONGEST_NAME - suffix.len()).collect();
            name = format!("{}{suffix}", stem.trim_end());
            number += 1;
        }
        name
    }
}

fn plain_name(given: &str) -> String {
    let stem = match given.rsplit_once('.') {
        Some((stem, extension)) if extension.len() <= 5 && extension.chars().all(|c| c.is_ascii_alphanumeric()) => stem,
        _ => given,
    };
    let allowed = |c: char| c.is_ascii_alphanumeric() || "-()[]".contains(c);
    let words = stem.split(|c| !allowed(c)).filter(|word| !word.is_empty());
    let name: String = words.collect::<Vec<_>>().join(" ");
    let name: String = name.chars().take(LONGEST_NAME).collect();
    match name.trim_end() {
        "" => "document".into(),
        name => name.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::Names;

    #[test]
    fn b036_names_of_documents() {
        let long = format!("{}.pdf", "x".repeat(250));
        let table = [
            (Some("contract.pdf"), "contract".to_owned()),
            (Some("contract.docx"), "contract 2".to_owned()),
            (Some("Team's report.pdf"), "Team s report".to_owned()),
            (Some("invoice #123.v2.pdf"), "invoice 123 v2".to_owned()),
            (Some("Report -  Final.pdf"), "Report - Final".to_owned()),
            (Some(".pdf"), "document".to_owned()),
            (Some("報告書.pdf"), "document 2".to_owned()),
            (None, "document 3".to_owned()),
            (Some(long.as_str()), "x".repeat(200)),
            (Some(long.as_str()), format!("{} 2", "x".repeat(198))),
        ];
        let mut names = Names::default();
        for (given, expected) in table {
            assert_eq!(names.take(given), expected, "{given:?}");
        }
    }
}
