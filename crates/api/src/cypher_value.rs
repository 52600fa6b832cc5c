//! Reading a Cypher value of whatever format, in one pass: a guess at each level, as serde makes it for untagged enums,
//! copies all that is below once a level.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use crate::guard::MAX_DEPTH;
use crate::{CypherNode, CypherPath, CypherRelationship, CypherValue};

impl<'de> Deserialize<'de> for CypherValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Level(0).deserialize(deserializer)
    }
}

/// Depth of the value that is read next.
#[derive(Clone, Copy)]
struct Level(usize);

impl Level {
    fn deeper<E: Error>(self) -> Result<Level, E> {
        if self.0 < MAX_DEPTH {
            return Ok(Level(self.0 + 1));
        }
        Err(E::custom(format_args!(
            "more than {MAX_DEPTH} lists and maps within each other"
        )))
    }
}

impl<'de> DeserializeSeed<'de> for Level {
    type Value = CypherValue;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<CypherValue, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Level {
    type Value = CypherValue;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number, a text, a truth value, null, a list or a map")
    }

    fn visit_unit<E>(self) -> Result<CypherValue, E> {
        Ok(CypherValue::Null)
    }

    fn visit_none<E>(self) -> Result<CypherValue, E> {
        Ok(CypherValue::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<CypherValue, D::Error> {
        self.deserialize(deserializer)
    }

    fn visit_bool<E>(self, value: bool) -> Result<CypherValue, E> {
        Ok(CypherValue::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<CypherValue, E> {
        Ok(CypherValue::Int(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<CypherValue, E> {
        let whole = i64::try_from(value).map(CypherValue::Int);
        Ok(whole.unwrap_or(CypherValue::Float(value as f64)))
    }

    fn visit_f64<E>(self, value: f64) -> Result<CypherValue, E> {
        Ok(CypherValue::Float(value))
    }

    fn visit_str<E>(self, text: &str) -> Result<CypherValue, E> {
        Ok(CypherValue::Text(text.to_owned()))
    }

    fn visit_string<E>(self, text: String) -> Result<CypherValue, E> {
        Ok(CypherValue::Text(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<CypherValue, A::Error> {
        let level = self.deeper()?;
        let mut items = Vec::new();
        while let Some(item) = seq.next_element_seed(level)? {
            items.push(item);
        }
        Ok(CypherValue::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<CypherValue, A::Error> {
        let level = self.deeper()?;
        let mut entries = BTreeMap::new();
        while let Some(key) = map.next_key::<String>()? {
            entries.insert(key, map.next_value_seed(level)?);
        }
        Ok(of_map(entries))
    }
}

/// A map, or what of an answer has its fields.
fn of_map(mut map: BTreeMap<String, CypherValue>) -> CypherValue {
    if let Some(node) = node(&mut map) {
        return CypherValue::Node(node);
    }
    if let Some(relationship) = relationship(&mut map) {
        return CypherValue::Relationship(relationship);
    }
    match path(&map) {
        Some(path) => CypherValue::Path(path),
        None => CypherValue::Map(map),
    }
}

fn number(map: &BTreeMap<String, CypherValue>, key: &str) -> Option<u32> {
    match map.get(key)? {
        CypherValue::Int(value) => u32::try_from(*value).ok(),
        _ => None,
    }
}

fn are_texts(map: &BTreeMap<String, CypherValue>, keys: &[&str]) -> bool {
    let is_text = |key: &&str| matches!(map.get(*key), Some(CypherValue::Text(_)));
    keys.iter().all(is_text)
}

fn take(map: &mut BTreeMap<String, CypherValue>, key: &str) -> Option<String> {
    match map.remove(key)? {
        CypherValue::Text(text) => Some(text),
        _ => None,
    }
}

fn node(map: &mut BTreeMap<String, CypherValue>) -> Option<CypherNode> {
    let id = number(map, "id")?;
    if !are_texts(map, &["label", "name", "qualified_name"]) {
        return None;
    }
    Some(CypherNode {
        id,
        line: number(map, "line"),
        label: take(map, "label")?,
        name: take(map, "name")?,
        qualified_name: take(map, "qualified_name")?,
        path: take(map, "path"),
    })
}

fn relationship(map: &mut BTreeMap<String, CypherValue>) -> Option<CypherRelationship> {
    let (source, target) = (number(map, "source")?, number(map, "target")?);
    let confidence = match map.get("confidence")? {
        CypherValue::Float(share) => *share as f32,
        CypherValue::Int(share) => *share as f32,
        _ => return None,
    };
    if !are_texts(map, &["type", "reason"]) {
        return None;
    }
    Some(CypherRelationship {
        source,
        target,
        confidence,
        line: number(map, "line"),
        kind: take(map, "type")?,
        reason: take(map, "reason")?,
    })
}

fn path(map: &BTreeMap<String, CypherValue>) -> Option<CypherPath> {
    let (CypherValue::List(nodes), CypherValue::List(relationships)) =
        (map.get("nodes")?, map.get("relationships")?)
    else {
        return None;
    };
    let nodes = nodes.iter().map(|value| match value {
        CypherValue::Node(node) => Some(node.clone()),
        _ => None,
    });
    let relationships = relationships.iter().map(|value| match value {
        CypherValue::Relationship(relationship) => Some(relationship.clone()),
        _ => None,
    });
    Some(CypherPath {
        nodes: nodes.collect::<Option<_>>()?,
        relationships: relationships.collect::<Option<_>>()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> CypherValue {
        serde_json::from_str(json).unwrap()
    }

    #[test]
    fn values_come_back_as_they_were_written() {
        let node = r#"{"id":7,"label":"Function","name":"f","qualified_name":"a.f","path":"a.py","line":3}"#;
        let edge =
            r#"{"type":"CALLS","source":1,"target":2,"confidence":0.5,"reason":"x","line":1}"#;
        for json in [
            "null".to_owned(),
            "[true,1,-2,0.5,\"a\",[],{}]".to_owned(),
            "{\"a\":{\"b\":[null]},\"id\":1}".to_owned(),
            node.to_owned(),
            edge.to_owned(),
            format!(r#"{{"nodes":[{node},{node}],"relationships":[{edge}]}}"#),
        ] {
            let value = read(&json);
            assert_eq!(read(&serde_json::to_string(&value).unwrap()), value);
        }
        assert!(matches!(read(node), CypherValue::Node(_)));
        assert!(matches!(read(edge), CypherValue::Relationship(_)));
        assert!(matches!(read("{\"id\": 1}"), CypherValue::Map(_)));
        assert_eq!(
            read("18446744073709551615"),
            CypherValue::Float(18446744073709551615.0)
        );
    }

    #[test]
    fn deep_values_are_refused() {
        let nested = |n: usize| format!("{}1{}", "[".repeat(n), "]".repeat(n));
        assert!(serde_json::from_str::<CypherValue>(&nested(MAX_DEPTH)).is_ok());
        let error = serde_json::from_str::<CypherValue>(&nested(MAX_DEPTH + 1)).unwrap_err();
        assert!(error.to_string().contains("within each other"), "{error}");
    }
}
