//! Cypher.

use engine::cypher::{Limits, Options, Parameters, Value, label};
use engine::{Edge, EdgeKind, Error, ErrorKind, NodeId, NodeKind, Reader};

use super::budget::{Budget, DEFAULT_BYTES};
use super::{limit, share};
use crate::{
    CypherNode, CypherPath, CypherRelationship, CypherRequest, CypherResponse, CypherValue,
    ErrorBody,
};

const DEFAULT_ROWS: u32 = 200;
const MAX_ROWS: u32 = 100_000;
const MAX_MILLIS: u32 = 60_000;

/// The table that a query gives. `clock`: milliseconds from anywhere.
///
/// # Errors
///
/// `cypher.syntax`, `.write`, `.name`, `.type`, `.unsupported`, each with line and column; `cypher.limit`; `query.invalid`.
pub fn cypher(
    reader: &Reader,
    request: &CypherRequest,
    clock: Option<&dyn Fn() -> f64>,
) -> Result<CypherResponse, ErrorBody> {
    let defaults = Limits::default();
    let millis = request.timeout_ms.unwrap_or(defaults.max_millis as u32);
    if !(1..=MAX_MILLIS).contains(&millis) {
        let message = format!("timeout_ms is {millis}; it can be 1 to {MAX_MILLIS}");
        return Err(Error::new(ErrorKind::QueryInvalid, message).into());
    }
    let mut budget = Budget::new(request.max_bytes, DEFAULT_BYTES)?;
    let parameters = request.parameters.iter().flatten();
    let options = Options {
        parameters: parameters
            .map(|(name, given)| Ok((name.clone(), value(reader, given)?)))
            .collect::<Result<Parameters<'_>, Error>>()?,
        limits: Limits {
            max_rows: limit(request.limit, DEFAULT_ROWS, MAX_ROWS)?,
            max_millis: f64::from(millis),
            ..defaults
        },
        clock,
    };
    let table = reader.cypher(&request.query, &options)?;
    let rows = table.rows.iter();
    let (rows, page) = budget.page(rows, 0, usize::MAX, |row| {
        row.iter()
            .map(|value| shown(reader, value))
            .collect::<Vec<_>>()
    });
    Ok(CypherResponse {
        columns: table.columns,
        rows,
        truncated: table.truncated || page.truncated,
        n_steps: u32::try_from(table.n_steps).unwrap_or(u32::MAX),
    })
}

/// A parameter as the query sees it.
fn value<'a>(reader: &'a Reader, given: &CypherValue) -> Result<Value<'a>, Error> {
    Ok(match given {
        CypherValue::Null => Value::Null,
        CypherValue::Bool(value) => Value::Bool(*value),
        CypherValue::Int(value) => Value::Int(*value),
        CypherValue::Float(value) => Value::Float(*value),
        CypherValue::Text(text) => Value::Text(text.clone().into()),
        CypherValue::List(items) => {
            let items = items.iter().map(|item| value(reader, item));
            Value::List(items.collect::<Result<Vec<_>, _>>()?.into())
        }
        CypherValue::Map(entries) => {
            let entries = entries
                .iter()
                .map(|(key, entry)| Ok((key.clone(), value(reader, entry)?)));
            Value::Map(
                entries
                    .collect::<Result<std::collections::BTreeMap<_, _>, Error>>()?
                    .into(),
            )
        }
        CypherValue::Node(node) if (node.id as usize) < reader.graph().n_nodes() => {
            Value::Node(NodeId(node.id))
        }
        CypherValue::Node(_) | CypherValue::Relationship(_) | CypherValue::Path(_) => {
            let message = "a parameter is a number, a text, a truth value, a list, a map, or a node of this index";
            return Err(Error::new(ErrorKind::QueryInvalid, message));
        }
    })
}

fn shown(reader: &Reader, value: &Value<'_>) -> CypherValue {
    match value {
        Value::Null => CypherValue::Null,
        Value::Bool(value) => CypherValue::Bool(*value),
        Value::Int(value) => CypherValue::Int(*value),
        // JSON has no such numbers.
        Value::Float(value) if !value.is_finite() => CypherValue::Null,
        Value::Float(value) => CypherValue::Float(*value),
        Value::Text(text) => CypherValue::Text(text.to_string()),
        Value::List(items) => {
            CypherValue::List(items.iter().map(|item| shown(reader, item)).collect())
        }
        Value::Map(entries) => CypherValue::Map(
            entries
                .iter()
                .map(|(key, entry)| (key.clone(), shown(reader, entry)))
                .collect(),
        ),
        Value::Node(id) => CypherValue::Node(node(reader, *id)),
        Value::Edge(edge) => CypherValue::Relationship(relationship(edge)),
        Value::Path(path) => CypherValue::Path(CypherPath {
            nodes: path.nodes.iter().map(|id| node(reader, *id)).collect(),
            relationships: path.edges.iter().map(relationship).collect(),
        }),
    }
}

fn node(reader: &Reader, id: NodeId) -> CypherNode {
    let graph = reader.graph();
    let node = graph.node(id);
    let path = match node.kind {
        NodeKind::Folder => Some(graph.path_of(id)),
        _ => node.file.map(|file| reader.path(file)),
    };
    CypherNode {
        id: id.0,
        label: label(graph, id).to_owned(),
        name: node.name.to_owned(),
        qualified_name: graph.qualified_name(id),
        path: path.map(str::to_owned),
        line: (node.kind == NodeKind::Symbol).then(|| node.name_span.start_line.saturating_add(1)),
    }
}

fn relationship(edge: &Edge) -> CypherRelationship {
    CypherRelationship {
        kind: edge.kind.name().to_owned(),
        source: edge.source.0,
        target: edge.target.0,
        confidence: share(edge.confidence),
        reason: edge.reason.name().to_owned(),
        line: (edge.kind != EdgeKind::StepInProcess).then(|| edge.line.saturating_add(1)),
    }
}
