//! Values of expressions: comparison, order and equality.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::rc::Rc;

use graph::Edge;
use graph::{EdgeKind, NodeId};

/// A value. Text of the graph is borrowed from the archive; lists, maps and paths are shared when copied.
#[derive(Debug, Clone, PartialEq)]
pub enum Value<'a> {
    /// Null: no value, or an unknown one.
    Null,
    /// A truth value.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A floating-point number.
    Float(f64),
    /// Text.
    Text(Cow<'a, str>),
    /// A list.
    List(Rc<Vec<Value<'a>>>),
    /// A map.
    Map(Rc<BTreeMap<String, Value<'a>>>),
    /// A node.
    Node(NodeId),
    /// A relationship.
    Edge(Edge),
    /// A path.
    Path(Rc<Path>),
}

/// Nodes and the relationships between them: one more node than relationships.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Path {
    /// The nodes, in order.
    pub nodes: Vec<NodeId>,
    /// Relationship `n` joins nodes `n` and `n + 1`, in either direction.
    pub edges: Vec<Edge>,
}

/// The identity of a relationship: there is at most one of each type from one node to another.
pub(super) type EdgeKey = (NodeId, NodeId, EdgeKind);

pub(super) fn edge_key(edge: &Edge) -> EdgeKey {
    (edge.source, edge.target, edge.kind)
}

impl<'a> Value<'a> {
    pub(super) fn text(text: impl Into<Cow<'a, str>>) -> Self {
        Value::Text(text.into())
    }

    pub(super) fn list(items: Vec<Value<'a>>) -> Self {
        Value::List(Rc::new(items))
    }

    pub(super) fn is_null(&self) -> bool {
        matches!(self, Value::Null)
    }

    /// The name of its type in messages.
    pub(super) fn kind_name(&self) -> &'static str {
        match self {
            Value::Null => "null",
            Value::Bool(_) => "a boolean",
            Value::Int(_) | Value::Float(_) => "a number",
            Value::Text(_) => "a string",
            Value::List(_) => "a list",
            Value::Map(_) => "a map",
            Value::Node(_) => "a node",
            Value::Edge(_) => "a relationship",
            Value::Path(_) => "a path",
        }
    }

    pub(super) fn number(&self) -> Option<f64> {
        match self {
            Value::Int(value) => Some(*value as f64),
            Value::Float(value) => Some(*value),
            _ => None,
        }
    }
}

/// `a = b`: unknown where one of them is null.
pub(super) fn equal(a: &Value<'_>, b: &Value<'_>) -> Option<bool> {
    match (a, b) {
        (Value::Null, _) | (_, Value::Null) => None,
        (Value::Int(a), Value::Int(b)) => Some(a == b),
        (Value::Int(_) | Value::Float(_), Value::Int(_) | Value::Float(_)) => {
            Some(a.number() == b.number())
        }
        (Value::Text(a), Value::Text(b)) => Some(a == b),
        (Value::Bool(a), Value::Bool(b)) => Some(a == b),
        (Value::Node(a), Value::Node(b)) => Some(a == b),
        (Value::Edge(a), Value::Edge(b)) => Some(edge_key(a) == edge_key(b)),
        (Value::Path(a), Value::Path(b)) => Some(a == b),
        (Value::List(a), Value::List(b)) if a.len() == b.len() => {
            all(a.iter().zip(b.iter()).map(|(a, b)| equal(a, b)))
        }
        (Value::Map(a), Value::Map(b)) if a.len() == b.len() && a.keys().eq(b.keys()) => {
            all(a.values().zip(b.values()).map(|(a, b)| equal(a, b)))
        }
        _ => Some(false),
    }
}

/// AND in three-valued logic: false wins, then unknown.
pub(super) fn all(truths: impl IntoIterator<Item = Option<bool>>) -> Option<bool> {
    let mut result = Some(true);
    for truth in truths {
        match truth {
            Some(false) => return Some(false),
            None => result = None,
            Some(true) => {}
        }
    }
    result
}

/// `a < b` and the like: unknown where the two have different types.
pub(super) fn compare(a: &Value<'_>, b: &Value<'_>) -> Option<Ordering> {
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => Some(a.cmp(b)),
        (Value::Int(_) | Value::Float(_), Value::Int(_) | Value::Float(_)) => {
            a.number()?.partial_cmp(&b.number()?)
        }
        (Value::Text(a), Value::Text(b)) => Some(a.cmp(b)),
        (Value::Bool(a), Value::Bool(b)) => Some(a.cmp(b)),
        (Value::List(a), Value::List(b)) => {
            for (a, b) in a.iter().zip(b.iter()) {
                match compare(a, b)? {
                    Ordering::Equal => {}
                    other => return Some(other),
                }
            }
            Some(a.len().cmp(&b.len()))
        }
        _ => None,
    }
}

/// The total order of ORDER BY, min and max: by type first, null last.
pub(super) fn order(a: &Value<'_>, b: &Value<'_>) -> Ordering {
    let rank = |value: &Value<'_>| match value {
        Value::Map(_) => 0,
        Value::Node(_) => 1,
        Value::Edge(_) => 2,
        Value::List(_) => 3,
        Value::Path(_) => 4,
        Value::Text(_) => 5,
        Value::Bool(_) => 6,
        Value::Int(_) | Value::Float(_) => 7,
        Value::Null => 8,
    };
    rank(a).cmp(&rank(b)).then_with(|| match (a, b) {
        (Value::Int(a), Value::Int(b)) => a.cmp(b),
        (Value::Int(_) | Value::Float(_), _) => {
            let (a, b) = (
                a.number().unwrap_or(f64::NAN),
                b.number().unwrap_or(f64::NAN),
            );
            a.total_cmp(&b)
        }
        (Value::Text(a), Value::Text(b)) => a.cmp(b),
        (Value::Bool(a), Value::Bool(b)) => a.cmp(b),
        (Value::Node(a), Value::Node(b)) => a.cmp(b),
        (Value::Edge(a), Value::Edge(b)) => edge_key(a).cmp(&edge_key(b)),
        (Value::Path(a), Value::Path(b)) => a.nodes.cmp(&b.nodes).then_with(|| {
            a.edges
                .iter()
                .map(edge_key)
                .cmp(b.edges.iter().map(edge_key))
        }),
        (Value::List(a), Value::List(b)) => ordered(a.iter().zip(b.iter()), a.len(), b.len()),
        (Value::Map(a), Value::Map(b)) => a
            .keys()
            .cmp(b.keys())
            .then_with(|| ordered(a.values().zip(b.values()), a.len(), b.len())),
        _ => Ordering::Equal,
    })
}

fn ordered<'v, 'a: 'v>(
    mut pairs: impl Iterator<Item = (&'v Value<'a>, &'v Value<'a>)>,
    n_a: usize,
    n_b: usize,
) -> Ordering {
    pairs
        .find_map(|(a, b)| Some(order(a, b)).filter(|order| order.is_ne()))
        .unwrap_or_else(|| n_a.cmp(&n_b))
}

/// Writes bytes that are equal for values that DISTINCT and grouping treat as equal. There null equals null.
pub(super) fn write_key(value: &Value<'_>, key: &mut Vec<u8>) {
    match value {
        Value::Null => key.push(0),
        Value::Bool(value) => key.extend([1, u8::from(*value)]),
        Value::Int(value) => {
            key.push(2);
            key.extend(value.to_le_bytes());
        }
        Value::Float(value) if value.fract() == 0.0 && value.abs() < 9e15 => {
            write_key(&Value::Int(*value as i64), key);
        }
        Value::Float(value) => {
            key.push(3);
            key.extend(value.to_bits().to_le_bytes());
        }
        Value::Text(text) => write_text(text, key),
        Value::List(items) => {
            key.push(5);
            key.extend((items.len() as u64).to_le_bytes());
            items.iter().for_each(|item| write_key(item, key));
        }
        Value::Map(entries) => {
            key.push(6);
            key.extend((entries.len() as u64).to_le_bytes());
            for (name, value) in entries.iter() {
                write_text(name, key);
                write_key(value, key);
            }
        }
        Value::Node(node) => {
            key.push(7);
            key.extend(node.0.to_le_bytes());
        }
        Value::Edge(edge) => write_edge(edge, key),
        Value::Path(path) => {
            key.push(9);
            key.extend((path.nodes.len() as u64).to_le_bytes());
            for node in &path.nodes {
                key.extend(node.0.to_le_bytes());
            }
            path.edges.iter().for_each(|edge| write_edge(edge, key));
        }
    }
}

fn write_text(text: &str, key: &mut Vec<u8>) {
    key.push(4);
    key.extend((text.len() as u64).to_le_bytes());
    key.extend(text.as_bytes());
}

fn write_edge(edge: &Edge, key: &mut Vec<u8>) {
    key.push(8);
    key.extend(edge.source.0.to_le_bytes());
    key.extend(edge.target.0.to_le_bytes());
    key.push(edge.kind as u8);
}
