//! Reads the constants of a static model from its ONNX graph, and refuses a graph that is none.

use prost::bytes::Bytes;

use super::Table;
use crate::EmbedError;
use crate::proto::{self, Graph, Tensor};

/// Operations of `normalize(sum(table[ids] * scale[ids] * mask * count ^ (power - 1)) / sum(mask))`, where a count is that of the ids that are
/// equal to a token's own.
pub(crate) const OPERATIONS: &[&str] = &[
    "Equal",
    "Pow",
    "Gather",
    "Cast",
    "Mul",
    "Unsqueeze",
    "ReduceSum",
    "Max",
    "Div",
    "ReduceL2",
];

/// Returns true if a graph of these operations is a static model.
pub(crate) fn knows(operations: &[String]) -> bool {
    !operations.is_empty()
        && operations
            .iter()
            .all(|op| OPERATIONS.contains(&op.as_str()))
}

/// Number of rows, numbers in a row, and the table: the constants that token numbers look up.
pub(super) fn read_table(graph: &Graph) -> Result<(usize, usize, Table), EmbedError> {
    let unsupported = |what: &str| EmbedError::Unsupported(what.to_owned());
    let gathered = graph
        .nodes
        .iter()
        .filter(|node| node.op == "Gather")
        .filter_map(|node| node.inputs.first());
    let mut tables: Vec<(&Tensor, usize, usize)> = gathered
        .filter_map(|name| {
            graph
                .initializers
                .iter()
                .find(|tensor| &tensor.name == name)
        })
        .filter_map(|tensor| Some((tensor, shape(tensor)?)))
        .map(|(tensor, (n_rows, width))| (tensor, n_rows, width))
        .collect();
    tables.sort_by_key(|&(_, _, width)| std::cmp::Reverse(width));
    match tables[..] {
        [(table, n_rows, dim)] => Ok((
            n_rows,
            dim,
            Table::Float {
                rows: floats(table, n_rows * dim)?,
            },
        )),
        [(table, n_rows, dim), (scale, n_scales, 1)] if n_rows == n_scales => {
            let scales = floats(scale, n_rows)?;
            let table = match table.data_type {
                proto::INT8 => Table::Int8 {
                    file: bytes(table, n_rows * dim)?,
                    first: 0,
                    scales,
                },
                _ => Table::Float {
                    rows: scaled(floats(table, n_rows * dim)?, &scales, dim),
                },
            };
            Ok((n_rows, dim, table))
        }
        _ => Err(unsupported(
            "it is not static: its token numbers do not look up one table",
        )),
    }
}

/// The power of counts: one more than what they are raised to beside the sum that holds each of them; 1 where they are not raised at all.
pub(super) fn read_power(graph: &Graph) -> Result<f32, EmbedError> {
    let of = |op: &'static str| graph.nodes.iter().filter(move |node| node.op == op);
    let raised: Vec<&String> = of("Pow").filter_map(|node| node.inputs.get(1)).collect();
    let [name] = raised[..] else {
        return match (raised.len(), of("Equal").count()) {
            (0, 0) => Ok(1.0),
            _ => Err(EmbedError::Unsupported(
                "it is not static: it compares token numbers".to_owned(),
            )),
        };
    };
    let tensor = graph
        .initializers
        .iter()
        .find(|tensor| &tensor.name == name);
    let power = tensor.map(|tensor| floats(tensor, 1)).transpose()?;
    match (power.as_deref(), of("Equal").count()) {
        (Some(&[power]), 1) if (-1.0..=0.0).contains(&power) => Ok(power + 1.0),
        _ => Err(EmbedError::Unsupported(
            "it is not static: it raises something else than counts of tokens".to_owned(),
        )),
    }
}

/// Rows and columns of a matrix.
pub(super) fn shape(tensor: &Tensor) -> Option<(usize, usize)> {
    let &[n_rows, width] = &tensor.dims[..] else {
        return None;
    };
    let (n_rows, width) = (usize::try_from(n_rows).ok()?, usize::try_from(width).ok()?);
    (n_rows > 0 && width > 0 && n_rows.checked_mul(width).is_some()).then_some((n_rows, width))
}

fn floats(tensor: &Tensor, n: usize) -> Result<Vec<f32>, EmbedError> {
    let values: Vec<f32> = match &tensor.raw[..] {
        [] => tensor.floats.clone(),
        raw => raw
            .as_chunks::<4>()
            .0
            .iter()
            .map(|bytes| f32::from_le_bytes(*bytes))
            .collect(),
    };
    let fits = tensor.data_type == proto::FLOAT
        && values.len() == n
        && (tensor.raw.is_empty() || tensor.raw.len() == n * 4);
    if fits {
        Ok(values)
    } else {
        Err(EmbedError::Unsupported(format!(
            "its constant {} does not have the size it says",
            tensor.name
        )))
    }
}

fn bytes(tensor: &Tensor, n: usize) -> Result<Bytes, EmbedError> {
    if tensor.raw.len() != n {
        return Err(EmbedError::Unsupported(format!(
            "its constant {} does not have the size it says",
            tensor.name
        )));
    }
    Ok(tensor.raw.clone())
}

fn scaled(mut rows: Vec<f32>, scales: &[f32], dim: usize) -> Vec<f32> {
    for (row, scale) in rows.chunks_exact_mut(dim).zip(scales) {
        row.iter_mut().for_each(|x| *x *= scale);
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proto::{FLOAT, Node};

    /// A graph that raises counts to `power`, and compares token numbers `n_equal` times.
    fn power_of(power: Option<f32>, n_equal: usize) -> Option<f32> {
        let node = |op: &str, inputs: &[&str]| Node {
            op: op.to_owned(),
            inputs: inputs.iter().map(|&name| name.to_owned()).collect(),
            ..Node::default()
        };
        let mut graph = Graph {
            nodes: vec![node("Equal", &["ids", "ids"]); n_equal],
            ..Graph::default()
        };
        if let Some(power) = power {
            graph.nodes.push(node("Pow", &["times", "power"]));
            graph.initializers = vec![Tensor {
                name: "power".to_owned(),
                data_type: FLOAT,
                floats: vec![power],
                ..Tensor::default()
            }];
        }
        read_power(&graph).ok()
    }

    #[test]
    fn counts_are_raised_as_the_graph_says() {
        assert_eq!(power_of(None, 0), Some(1.0));
        assert_eq!(power_of(Some(-0.5), 1), Some(0.5));
        assert_eq!(power_of(Some(-1.0), 1), Some(0.0));
    }

    #[test]
    fn what_is_not_a_count_to_a_power_is_refused() {
        assert_eq!(power_of(None, 1), None);
        assert_eq!(power_of(Some(-0.5), 0), None);
        assert_eq!(power_of(Some(-0.5), 2), None);
        assert_eq!(power_of(Some(2.0), 1), None);
        assert_eq!(power_of(Some(f32::NAN), 1), None);
    }
}
