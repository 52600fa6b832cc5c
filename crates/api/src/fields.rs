//! Names of the fields of a request, as its type declares them: hosts whose values are read field by field find others by them.

use serde::de::{DeserializeOwned, Deserializer, Error, Visitor};

use crate::ErrorBody;

/// Returns the names of a request's fields; `None` for a type that is no struct.
#[must_use]
pub fn fields_of<T: DeserializeOwned>() -> Option<&'static [&'static str]> {
    match T::deserialize(Fields) {
        Err(Declared(fields)) => fields,
        Ok(_) => None,
    }
}

/// The error for a field that a request does not have, in the words of `serde`.
#[must_use]
pub fn unknown_field(name: &str, fields: &[&str]) -> ErrorBody {
    let known: Vec<String> = fields.iter().map(|field| format!("`{field}`")).collect();
    let shown: String = name.chars().take(60).collect();
    let message = match known.as_slice() {
        [] => format!("unknown field `{shown}`, there are no fields"),
        [only] => format!("unknown field `{shown}`, expected {only}"),
        _ => format!(
            "unknown field `{shown}`, expected one of {}",
            known.join(", ")
        ),
    };
    ErrorBody {
        code: "request.invalid".to_owned(),
        message,
        help: "the request is an object with the fields of the tool".to_owned(),
    }
}

/// Ends the reading of a struct with its fields, before anything is read.
struct Fields;

#[derive(Debug)]
struct Declared(Option<&'static [&'static str]>);

impl std::fmt::Display for Declared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the fields of a struct")
    }
}

impl std::error::Error for Declared {}

impl Error for Declared {
    fn custom<T: std::fmt::Display>(_: T) -> Self {
        Self(None)
    }
}

impl<'de> Deserializer<'de> for Fields {
    type Error = Declared;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Declared> {
        Err(Declared(None))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        _: V,
    ) -> Result<V::Value, Declared> {
        Err(Declared(Some(fields)))
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FindRequest, NoRequest};

    #[test]
    fn the_fields_of_a_request_are_known_without_a_request() {
        assert_eq!(
            fields_of::<FindRequest>(),
            Some(["symbol", "kind", "fuzzy", "limit"].as_slice())
        );
        assert_eq!(fields_of::<NoRequest>(), Some([].as_slice()));
        assert_eq!(fields_of::<Vec<u8>>(), None);
    }

    #[test]
    fn unknown_fields_are_refused_in_the_same_words_as_in_json() {
        let json = serde_json::from_str::<FindRequest>(r#"{"symbol":"a","limt":3}"#);
        let message = json.map(|_| ()).unwrap_err().to_string();
        let fields = fields_of::<FindRequest>().unwrap_or_default();
        let ours = unknown_field("limt", fields).message;
        assert!(message.starts_with(&ours), "{message} / {ours}");
    }
}
