//! A static model evaluated without a runtime: the mean of the rows of a text's tokens, L2-normalised.
//!
//! The ONNX file is the only form of the model. Its constants are read from it (the table of token vectors, eight bits
//! a number with one scale a row, or 32-bit floats). Its operations are only checked to be those of a masked mean, so
//! any other model is refused and not misread. One addition is allowed: raising the count of a token in a text to a
//! power below 1.

mod constants;

use prost::bytes::Bytes;

use crate::arithmetic::{Counter, Table, normalise};
use crate::proto;
use crate::rows::{LaidOut, Layout};
use crate::tokenizer::WordPieces;
use crate::{EmbedError, Embedder, Tokenizer, model_name};

pub(crate) use constants::{OPERATIONS, knows};
use constants::{read_power, read_table, shape};

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

impl StaticEmbedder {
    /// Reads model and tokenizer. Takes some 20 ms for the model that ships; keeps a copy of the file in memory.
    ///
    /// # Errors
    /// If either file is broken, they do not fit together, or the model is not a static one.
    pub fn from_onnx(model: &[u8], tokenizer_json: &[u8]) -> Result<StaticEmbedder, EmbedError> {
        Self::of_bytes(Bytes::copy_from_slice(model), tokenizer_json)
    }

    /// As [`StaticEmbedder::from_onnx`], of a file that is linked into the program: it is read where it is.
    ///
    /// # Errors
    /// As [`StaticEmbedder::from_onnx`].
    pub fn from_static(
        model: &'static [u8],
        tokenizer_json: &[u8],
    ) -> Result<StaticEmbedder, EmbedError> {
        Self::of_bytes(Bytes::from_static(model), tokenizer_json)
    }

    fn of_bytes(model: Bytes, tokenizer_json: &[u8]) -> Result<StaticEmbedder, EmbedError> {
        let tokenizer = Tokenizer::from_json(tokenizer_json)?;
        let graph = proto::graph(model.clone())?;
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
        let name = model_name(&graph.name, dim, &model);
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
                file: model.into(),
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
        let graph = proto::graph(Bytes::copy_from_slice(model)).ok()?;
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
        let (mut ids, mut counter) = (Vec::new(), Counter::new(self.tokenizer.n_tokens()));
        for (text, vector) in texts.iter().zip(vectors.chunks_exact_mut(self.dim)) {
            ids.clear();
            self.tokenizer.encode(text, &mut ids);
            counter.for_each_token(&ids, self.power, |id, times| {
                self.table.add_row(id, times, vector);
            });
            normalise(vector);
        }
        Ok(vectors)
    }
}
