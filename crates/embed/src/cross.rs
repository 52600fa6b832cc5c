//! Cross-encoders: a transformer reads query and passage together and says how well they fit.
//!
//! Better than comparing vectors, and hundreds of times as dear: every pair costs a whole run of the model. So it only
//! looks at the first hits, and only where it is asked for.

use crate::batch::batches;
use crate::encoder::Encoder;
use crate::graph::Graph;
use crate::{EmbedError, model_name};

/// Pairs in a batch.
const MAX_BATCH: usize = 16;

/// A cross-encoder with its tokenizer, ready to run.
#[derive(Debug, Clone)]
pub struct CrossEncoder {
    name: String,
    encoder: Encoder,
    graph: Graph,
}

impl CrossEncoder {
    /// Reads and optimises the graph. `max_tokens` limits query and passage together (default: the tokenizer's value,
    /// or 512).
    ///
    /// # Errors
    /// If a file is broken, or the graph does not give one row of numbers for each pair.
    pub fn new(
        model: &[u8],
        tokenizer_json: &[u8],
        max_tokens: Option<usize>,
    ) -> Result<CrossEncoder, EmbedError> {
        let encoder = Encoder::from_json(tokenizer_json, max_tokens)?;
        let graph = Graph::load(model)?;
        if graph.per_token {
            return Err(EmbedError::Unsupported(
                "it gives a vector for each token, not a score for each pair".to_owned(),
            ));
        }
        graph.check_positions(encoder.max_tokens())?;
        // Fails where the tokenizer cannot put two texts together.
        encoder.encode_pair("", "")?;
        Ok(CrossEncoder {
            name: model_name(&graph.name, graph.width, model),
            encoder,
            graph,
        })
    }

    /// The model by name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Scores how well each passage answers the query: higher is better, comparable within one call only. The score is
    /// the output if it is one number, otherwise the difference of the last number ("yes") from the first ("no").
    ///
    /// # Errors
    /// If the model cannot be run on these texts.
    pub fn score(&self, query: &str, passages: &[&str]) -> Result<Vec<f32>, EmbedError> {
        let encode = |passage: &&str| self.encoder.encode_pair(query, passage);
        let tokens = passages.iter().map(encode).collect::<Result<_, _>>()?;
        let mut scores = vec![0.0; passages.len()];
        for batch in batches(tokens, MAX_BATCH, self.encoder.padding()) {
            let rows = self.graph.run(&batch)?;
            for (row, &text) in rows.chunks_exact(self.graph.width).zip(&batch.texts) {
                if let Some(score) = scores.get_mut(text) {
                    *score = match row {
                        [] => 0.0,
                        [score] => *score,
                        [no, .., yes] => yes - no,
                    };
                }
            }
        }
        Ok(scores)
    }
}
