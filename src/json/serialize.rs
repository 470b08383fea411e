//! [`Json`] for whoever writes with serde: pretty printing, other formats. Numbers stay exact in serde_json.

use super::Json;
use serde::ser::{Error, Serialize, SerializeMap, Serializer};

impl Serialize for Json<'_> {
    /// Bytes have no JSON form: null. A number text that is no JSON number is an error.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Json::Null | Json::Bytes(_) => serializer.serialize_unit(),
            Json::Bool(value) => serializer.serialize_bool(*value),
            Json::Int(value) => serializer.serialize_i64(*value),
            Json::UInt(value) => serializer.serialize_u64(*value),
            Json::Number(text) => text
                .parse::<serde_json::Number>()
                .map_err(|_| S::Error::custom("a number text that is no JSON number"))?
                .serialize(serializer),
            Json::Text(text) => serializer.serialize_str(text),
            Json::Array(items) => serializer.collect_seq(items),
            Json::Object(members) => {
                let mut map = serializer.serialize_map(Some(members.len()))?;
                for (name, value) in members {
                    map.serialize_entry(name, value)?;
                }
                map.end()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::json::parse;

    #[test]
    fn serde_writes_what_we_write() {
        let text = r#"{"a":[1,-2,18446744073709551615,1.10,12345678901234567890123],"$serde_json::private::Number":"7","é":"\u0000","n":null,"t":true}"#;
        let json = parse(text.as_bytes()).expect("valid");
        assert_eq!(serde_json::to_string(&json).expect("exact"), json.to_json());
    }
}
