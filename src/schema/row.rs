//! Row types as JSON Schema text (#1270), byte-equal with Python's rendering.

use crate::error::{Error, Result};
use crate::json::{Json, write_text};
use std::fmt;

/// Flink's basic types, by their Java class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BasicType {
    String,
    Boolean,
    Byte,
    Short,
    Integer,
    Long,
    Float,
    Double,
    Character,
    Date,
    Void,
    BigInteger,
    BigDecimal,
    Instant,
}

impl BasicType {
    pub const ALL: [BasicType; 14] = [
        BasicType::String,
        BasicType::Boolean,
        BasicType::Byte,
        BasicType::Short,
        BasicType::Integer,
        BasicType::Long,
        BasicType::Float,
        BasicType::Double,
        BasicType::Character,
        BasicType::Date,
        BasicType::Void,
        BasicType::BigInteger,
        BasicType::BigDecimal,
        BasicType::Instant,
    ];

    pub const fn class_name(self) -> &'static str {
        match self {
            BasicType::String => "java.lang.String",
            BasicType::Boolean => "java.lang.Boolean",
            BasicType::Byte => "java.lang.Byte",
            BasicType::Short => "java.lang.Short",
            BasicType::Integer => "java.lang.Integer",
            BasicType::Long => "java.lang.Long",
            BasicType::Float => "java.lang.Float",
            BasicType::Double => "java.lang.Double",
            BasicType::Character => "java.lang.Character",
            BasicType::Date => "java.util.Date",
            BasicType::Void => "java.lang.Void",
            BasicType::BigInteger => "java.math.BigInteger",
            BasicType::BigDecimal => "java.math.BigDecimal",
            BasicType::Instant => "java.time.Instant",
        }
    }

    pub fn simple_name(self) -> &'static str {
        let name = self.class_name();
        name.rsplit_once('.').map_or(name, |(_, simple)| simple)
    }

    /// The JSON Schema type; `None` where #1270 keeps the string form.
    pub const fn json_type(self) -> Option<&'static str> {
        match self {
            BasicType::String => Some("string"),
            BasicType::Boolean => Some("boolean"),
            BasicType::Byte | BasicType::Short | BasicType::Integer | BasicType::Long | BasicType::BigInteger => {
                Some("integer")
            }
            BasicType::Float | BasicType::Double | BasicType::BigDecimal => Some("number"),
            BasicType::Character | BasicType::Date | BasicType::Void | BasicType::Instant => None,
        }
    }
}

/// Field names and basic types, in field order; names are unique.
#[derive(Debug, Clone, PartialEq)]
pub struct RowType {
    pub(super) fields: Vec<(String, BasicType)>,
}

impl RowType {
    /// From `names` and `types` (Java class names) of the `SCHEMA` shape.
    pub fn from_frame(schema: &Json<'_>) -> Result<RowType> {
        let names = texts(schema, "names")?;
        let types = texts(schema, "types")?;
        RowType::new(&names, &types)
    }

    /// Fails (kind `invalid_argument`) on a type that is not basic, on duplicate names, and when the counts differ.
    pub fn new(names: &[&str], types: &[&str]) -> Result<RowType> {
        if names.len() != types.len() {
            return Err(Error::invalid_argument(format!(
                "A row type needs one type for each name, but has {} names and {} types.",
                names.len(),
                types.len()
            )));
        }
        let mut fields: Vec<(String, BasicType)> = Vec::with_capacity(names.len());
        let mut seen = std::collections::HashSet::new();
        for (name, class) in names.iter().zip(types) {
            let Some(basic) = BasicType::ALL.into_iter().find(|basic| basic.class_name() == *class) else {
                return Err(Error::invalid_argument(format!(
                    "Currently, output schema only support row contains basic type. Field `{name}` has type {class}."
                )));
            };
            if !seen.insert(*name) {
                return Err(Error::invalid_argument(format!(
                    "A row type needs different names, but `{name}` stands there twice."
                )));
            }
            fields.push(((*name).to_owned(), basic));
        }
        Ok(RowType { fields })
    }

    /// The JSON Schema text; `None` when a field has no JSON Schema type. The same bytes as Python's
    /// `json.dumps(..., ensure_ascii=False, separators=(',', ':'))`.
    pub fn json_schema(&self) -> Option<String> {
        let mut properties = Vec::new();
        let mut required = Vec::new();
        for (index, (name, basic)) in self.fields.iter().enumerate() {
            if index > 0 {
                properties.push(b',');
                required.push(b',');
            }
            write_text(name, &mut properties);
            properties.extend_from_slice(b":{\"type\":\"");
            properties.extend_from_slice(basic.json_type()?.as_bytes());
            properties.extend_from_slice(b"\"}");
            write_text(name, &mut required);
        }
        let text = [
            b"{\"type\":\"object\",\"properties\":{".as_slice(),
            &properties,
            b"},\"required\":[",
            &required,
            b"],\"additionalProperties\":false}",
        ]
        .concat();
        String::from_utf8(text).ok()
    }
}

/// The string form: `Row(name: String, count: Integer)`.
impl fmt::Display for RowType {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Row(")?;
        for (index, (name, basic)) in self.fields.iter().enumerate() {
            let comma = if index > 0 { ", " } else { "" };
            write!(formatter, "{comma}{name}: {}", basic.simple_name())?;
        }
        formatter.write_str(")")
    }
}

fn texts<'j>(schema: &'j Json<'_>, key: &str) -> Result<Vec<&'j str>> {
    schema
        .get(key)
        .and_then(Json::as_array)
        .unwrap_or_default()
        .iter()
        .map(|item| {
            item.as_text()
                .ok_or_else(|| Error::invalid_argument(format!("A row type's `{key}` must be texts.")))
        })
        .collect()
}
