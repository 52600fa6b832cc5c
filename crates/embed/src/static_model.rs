//! A static model evaluated without a runtime: the mean of the rows of a text's tokens, L2-normalised.
//!
//! The ONNX file is the only form of the model. Its constants are read from it (the table of token vectors, eight bits
//! a number with one scale a row, or 32-bit floats). Its operations are only checked to be those of a masked mean, so
//! any other model is refused and not misread. One addition is allowed: raising the count of a token in a text to a
//! power below 1.

use crate::proto::{self, Graph, Tensor};
use crate::rows::{LaidOut, Layout};
use crate::tokenizer::WordPieces;
use crate::{EmbedError, Embedder, Tokenizer, model_name};

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

/// Below this a sum of rows has no direction.
const MIN_NORM: f32 = 1e-12;

/// A static token-embedding model.
#[derive(Clone)]
pub struct StaticEmbedder {
    name: String,
    dim: usize,
    tokenizer: Tokenizer,
    table: Table,
    /// Exponent of the count of a token in a text.
    power: f32,
}

#[derive(Clone)]
enum Table {
    /// Rows of `i8`, from the byte `first` of `file` on, and the scale of each.
    Int8 {
        file: Vec<u8>,
        first: usize,
        scales: Vec<f32>,
    },
    Float {
        rows: Vec<f32>,
    },
}

impl StaticEmbedder {
    /// Reads model and tokenizer. Takes some 20 ms for the model that ships; keeps about the file's size in memory.
    ///
    /// # Errors
    /// If either file is broken, they do not fit together, or the model is not a static one.
    pub fn from_onnx(model: &[u8], tokenizer_json: &[u8]) -> Result<StaticEmbedder, EmbedError> {
        let tokenizer = Tokenizer::from_json(tokenizer_json)?;
        let graph = proto::graph(model)?;
        if let Some(node) = graph
            .nodes
            .iter()
            .find(|node| !OPERATIONS.contains(&node.op.as_str()))
        {
            return Err(EmbedError::Unsupported(format!(
                "it is not static: it has the operation {}",
                node.op
            )));
        }
        let (n_rows, dim, table) = read_table(&graph)?;
        let power = read_power(&graph)?;
        if tokenizer.n_tokens() > n_rows {
            return Err(EmbedError::Mismatch(format!(
                "the tokenizer has {} tokens, the model {n_rows} rows",
                tokenizer.n_tokens()
            )));
        }
        let name = model_name(&graph.name, dim, model);
        Ok(StaticEmbedder {
            name,
            dim,
            tokenizer,
            table,
            power,
        })
    }

    /// The model that was laid out ([`StaticEmbedder::lookup`]), from its file: a tenth of the work of reading it anew. None where it is another
    /// file. Keeps the file.
    #[must_use]
    pub fn from_lookup(model: Vec<u8>, lookup: &[u8]) -> Option<StaticEmbedder> {
        let LaidOut {
            name,
            layout,
            pieces,
        } = LaidOut::read(lookup, model.len())?;
        let tokenizer = Tokenizer::of(&pieces);
        let n_rows = tokenizer.n_tokens();
        let end = layout.scales.checked_add(n_rows.checked_mul(4)?)?;
        let scales = model.get(layout.scales..end)?.as_chunks::<4>().0;
        let scales = scales.iter().map(|bytes| f32::from_le_bytes(*bytes));
        let scales = scales.collect();
        let end = layout.rows.checked_add(n_rows.checked_mul(layout.dim)?)?;
        (end <= model.len()).then_some(StaticEmbedder {
            name,
            dim: layout.dim,
            tokenizer,
            table: Table::Int8 {
                file: model,
                first: layout.rows,
                scales,
            },
            power: layout.power,
        })
    }

    /// The tokenizer.
    #[must_use]
    pub fn tokenizer(&self) -> &Tokenizer {
        &self.tokenizer
    }

    /// The model laid out for single texts: see [`crate::RowEmbedder`]. None where the file does not hold its rows in eight bits, one after
    /// the other.
    #[must_use]
    pub fn lookup(&self, model: &[u8], tokenizer_json: &[u8]) -> Option<Vec<u8>> {
        let graph = proto::graph(model).ok()?;
        let place = |bytes: &[u8]| {
            let mut windows = model.windows(bytes.len().max(1));
            windows.position(|window| window == bytes)
        };
        let of_type = |data_type: i32| {
            let mut tensors = graph.initializers.iter();
            tensors.find(|tensor| tensor.data_type == data_type && shape(tensor).is_some())
        };
        let (rows, scales) = (of_type(proto::INT8)?, of_type(proto::FLOAT)?);
        let Table::Int8 {
            file: held,
            scales: factors,
            ..
        } = &self.table
        else {
            return None;
        };
        if held.len() != rows.raw.len() || factors.len() * 4 != scales.raw.len() {
            return None;
        }
        let layout = Layout {
            n_bytes: model.len(),
            rows: place(&rows.raw)?,
            scales: place(&scales.raw)?,
            dim: self.dim,
            power: self.power,
        };
        let pieces = WordPieces::from_json(tokenizer_json).ok()?;
        Some(layout.write(&self.name, pieces))
    }
}

/// Calls `add` with each token of a text and what it counts, in the order in which they come first, each in one go: a chunk says the same
/// words many times. `counts` has a 0 for every token, before and after.
pub(crate) fn for_each_token(
    ids: &[u32],
    counts: &mut [u32],
    power: f32,
    mut add: impl FnMut(usize, f32),
) {
    for &id in ids {
        if let Some(count) = counts.get_mut(id as usize) {
            *count = count.saturating_add(1);
        }
    }
    for &id in ids {
        if let Some(count) = counts.get_mut(id as usize).filter(|count| **count > 0) {
            add(id as usize, weight(std::mem::take(count), power));
        }
    }
}

/// Returns the weight of a token with this count.
fn weight(count: u32, power: f32) -> f32 {
    if count == 1 || power == 1.0 {
        count as f32
    } else if power == 0.5 {
        (count as f32).sqrt()
    } else {
        (count as f32).powf(power)
    }
}

/// A sum of rows as a direction; all zero where it has none.
pub(crate) fn normalise(vector: &mut [f32]) {
    let norm = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
    if norm > MIN_NORM && norm.is_finite() {
        vector.iter_mut().for_each(|x| *x /= norm);
    } else {
        vector.fill(0.0);
    }
}

/// Adds a row of eight-bit numbers, as its bytes.
pub(crate) fn add_scaled(row: &[u8], factor: f32, sum: &mut [f32]) {
    sum.iter_mut()
        .zip(row)
        .for_each(|(x, &cell)| *x += f32::from(cell.cast_signed()) * factor);
}

impl std::fmt::Debug for StaticEmbedder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "StaticEmbedder({})", self.name)
    }
}

impl Embedder for StaticEmbedder {
    fn name(&self) -> &str {
        &self.name
    }

    fn dim(&self) -> usize {
        self.dim
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<f32>, EmbedError> {
        let mut vectors = vec![0.0; texts.len() * self.dim];
        let (mut ids, mut counts) = (Vec::new(), vec![0; self.tokenizer.n_tokens()]);
        for (text, vector) in texts.iter().zip(vectors.chunks_exact_mut(self.dim)) {
            ids.clear();
            self.tokenizer.encode(text, &mut ids);
            for_each_token(&ids, &mut counts, self.power, |id, times| {
                self.table.add_row(id, times, vector);
            });
            normalise(vector);
        }
        Ok(vectors)
    }
}

impl Table {
    fn add_row(&self, id: usize, times: f32, sum: &mut [f32]) {
        let range = |first: usize| first + id * sum.len()..first + (id + 1) * sum.len();
        match self {
            Table::Int8 {
                file,
                first,
                scales,
            } => {
                let (Some(row), Some(&scale)) = (file.get(range(*first)), scales.get(id)) else {
                    return;
                };
                add_scaled(row, scale * times, sum);
            }
            Table::Float { rows } => {
                let Some(row) = rows.get(range(0)) else {
                    return;
                };
                sum.iter_mut()
                    .zip(row)
                    .for_each(|(x, cell)| *x += cell * times);
            }
        }
    }
}

/// Number of rows, numbers in a row, and the table: the constants that token numbers look up.
fn read_table(graph: &Graph) -> Result<(usize, usize, Table), EmbedError> {
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
fn read_power(graph: &Graph) -> Result<f32, EmbedError> {
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

fn shape(tensor: &Tensor) -> Option<(usize, usize)> {
    let &[n_rows, width] = &tensor.dims[..] else {
        return None;
    };
    let (n_rows, width) = (usize::try_from(n_rows).ok()?, usize::try_from(width).ok()?);
    (n_rows > 0 && width > 0 && n_rows.checked_mul(width).is_some()).then_some((n_rows, width))
}

fn floats(tensor: &Tensor, n: usize) -> Result<Vec<f32>, EmbedError> {
    let values: Vec<f32> = match tensor.raw.as_slice() {
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

fn bytes(tensor: &Tensor, n: usize) -> Result<Vec<u8>, EmbedError> {
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
