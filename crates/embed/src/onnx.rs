//! Any sentence-embedding ONNX file: the graph run by tract, its tokens by its own `tokenizer.json`.
//!
//! Texts are sorted by length and run in batches of like length, so that little is padded; the result comes in the order of the
//! texts. An output per text is taken as it is, one per token is pooled. Vectors are L2-normalised.

use crate::batch::{Batch, batches};
use crate::encoder::Encoder;
use crate::graph::Graph;
use crate::{EmbedError, Embedder, ModelOptions, Pooling, model_name};

/// Texts in a batch at most: more only need more memory.
const MAX_BATCH: usize = 32;
/// Below this a vector has no direction.
const MIN_NORM: f32 = 1e-12;

/// A model with its tokenizer, ready to run.
#[derive(Debug, Clone)]
pub struct OnnxEmbedder {
    name: String,
    encoder: Encoder,
    graph: Graph,
    options: ModelOptions,
}

impl OnnxEmbedder {
    /// Reads and optimises the graph: some 50 ms for the model that ships, seconds for a large transformer.
    ///
    /// # Errors
    /// If a file is broken, they do not fit together, or the graph has other inputs or outputs than a text-embedding model.
    pub fn new(
        model: &[u8],
        tokenizer_json: &[u8],
        options: ModelOptions,
    ) -> Result<OnnxEmbedder, EmbedError> {
        let encoder = Encoder::from_json(tokenizer_json, options.max_tokens)?;
        let graph = Graph::load(model)?;
        if matches!(encoder, Encoder::Words(_)) && !graph.is_static {
            return Err(EmbedError::Mismatch(
                "the tokenizer is of a static model, the graph is not".to_owned(),
            ));
        }
        graph.check_positions(encoder.max_tokens())?;
        let mut name = model_name(&graph.name, graph.width, model);
        if options != ModelOptions::default() {
            let digest = xxhash_rust::xxh3::xxh3_64(format!("{options:?}").as_bytes());
            name = format!("{name}-{:04x}", digest as u16);
        }
        Ok(OnnxEmbedder {
            name,
            encoder,
            graph,
            options,
        })
    }

    fn embed_all(&self, prefix: &str, texts: &[&str]) -> Result<Vec<f32>, EmbedError> {
        let encode = |text: &&str| match prefix {
            "" => self.encoder.encode(text),
            _ => self.encoder.encode(&format!("{prefix}{text}")),
        };
        let tokens = texts.iter().map(encode).collect::<Result<_, _>>()?;
        let width = self.graph.width;
        let mut vectors = vec![0.0; texts.len() * width];
        for batch in batches(tokens, MAX_BATCH, self.encoder.padding()) {
            let rows = self.graph.run(&batch)?;
            let per_text = rows.len() / batch.texts.len().max(1);
            for (row, (cells, &text)) in rows
                .chunks_exact(per_text.max(1))
                .zip(&batch.texts)
                .enumerate()
            {
                let vector = vectors.get_mut(text * width..(text + 1) * width);
                self.pool(cells, &batch, row, vector.unwrap_or_default());
            }
        }
        Ok(vectors)
    }

    /// Pools the graph's output for a text into its vector.
    fn pool(&self, cells: &[f32], batch: &Batch, row: usize, vector: &mut [f32]) {
        match self.options.pooling {
            Pooling::Mean if self.graph.per_token => average(cells, batch.mask_of(row), vector),
            _ => vector
                .iter_mut()
                .zip(cells)
                .for_each(|(to, from)| *to = *from),
        }
        normalize(vector);
    }
}

impl Embedder for OnnxEmbedder {
    fn name(&self) -> &str {
        &self.name
    }

    fn dim(&self) -> usize {
        self.graph.width
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<f32>, EmbedError> {
        self.embed_all(&self.options.passage_prefix, texts)
    }

    fn embed_query(&self, text: &str) -> Result<Vec<f32>, EmbedError> {
        self.embed_all(&self.options.query_prefix, &[text])
    }
}

fn average(tokens: &[f32], mask: &[i64], vector: &mut [f32]) {
    if vector.is_empty() {
        return;
    }
    for (token, _) in tokens
        .chunks_exact(vector.len())
        .zip(mask)
        .filter(|&(_, &used)| used != 0)
    {
        vector.iter_mut().zip(token).for_each(|(x, y)| *x += y);
    }
}

fn normalize(vector: &mut [f32]) {
    let norm = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
    if norm > MIN_NORM && norm.is_finite() {
        vector.iter_mut().for_each(|x| *x /= norm);
    } else {
        vector.fill(0.0);
    }
}
