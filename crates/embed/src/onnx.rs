//! Any sentence-embedding ONNX file, its graph run by tract.
//!
//! Texts are sorted by length and run in batches of like length, so that little is padded; the result comes in the order of the
//! texts. Inputs are found by name (`input_ids`, `attention_mask`, `token_type_ids`); an output per text is taken as it is, an
//! output per token is averaged over the text's tokens. Vectors are L2-normalised.

use std::sync::Arc;

use tract_onnx::prelude::*;
use tract_onnx::tract_core::internal::DimLike;

use crate::batch::{Batch, batches};
use crate::{EmbedError, Embedder, Tokenizer, model_name};

/// Texts in a batch at most: more only need more memory.
const MAX_BATCH: usize = 32;
/// Tokens of a text that are read; the rest is cut off. Chunks have a few hundred.
const MAX_TOKENS: usize = 512;
/// Below this a vector has no direction.
const MIN_NORM: f32 = 1e-12;

/// A model with its tokenizer, ready to run.
#[derive(Debug, Clone)]
pub struct OnnxEmbedder {
    name: String,
    dim: usize,
    tokenizer: Tokenizer,
    inputs: Vec<Input>,
    plan: Arc<TypedRunnableModel>,
    static_rows: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Input {
    Ids,
    Mask,
    Types,
}

impl OnnxEmbedder {
    /// Reads and optimises the graph: some 50 ms for the model that ships, seconds for a large transformer.
    ///
    /// # Errors
    /// If a file is broken, they do not fit together, or the graph has other inputs or outputs than a text-embedding model.
    pub fn new(model: &[u8], tokenizer_json: &[u8]) -> Result<OnnxEmbedder, EmbedError> {
        let tokenizer = Tokenizer::from_json(tokenizer_json)?;
        let graph = crate::proto::graph(model)?;
        let mut inference = tract_onnx::onnx()
            .model_for_read(&mut std::io::Cursor::new(model))
            .map_err(|error| EmbedError::NotOnnx(format!("{error:#}")))?;
        let inputs = name_inputs(&mut inference).map_err(unusable)??;
        let typed = inference.into_optimized().map_err(unusable)?;
        let dim = output_dim(&typed).map_err(unusable)??;
        // The shipped kind of model averages over all tokens itself, however many there are.
        let static_rows = graph
            .nodes
            .iter()
            .all(|node| crate::static_model::OPERATIONS.contains(&node.op.as_str()));
        let plan = typed.into_runnable().map_err(unusable)?;
        Ok(OnnxEmbedder {
            name: model_name(&graph.name, dim, model),
            dim,
            tokenizer,
            inputs,
            plan,
            static_rows,
        })
    }

    fn run(&self, batch: &Batch, vectors: &mut [f32]) -> TractResult<()> {
        let shape = [batch.texts.len(), batch.width];
        let inputs: TVec<TValue> = self
            .inputs
            .iter()
            .map(|input| {
                let cells = match input {
                    Input::Ids => batch.ids.clone(),
                    Input::Mask => batch.mask.clone(),
                    Input::Types => vec![0; batch.ids.len()],
                };
                Ok(Tensor::from_shape(&shape, &cells)?.into())
            })
            .collect::<TractResult<_>>()?;
        let outputs = self.plan.run(inputs)?;
        let output = outputs
            .first()
            .ok_or_else(|| TractError::msg("the model gives nothing"))?
            .cast_to::<f32>()?
            .into_owned();
        let per_text = batch.width * self.dim;
        let plain = output.try_as_plain_ram()?;
        let cells = plain.as_slice::<f32>()?;
        for (row, &text) in batch.texts.iter().enumerate() {
            let vector = vectors
                .get_mut(text * self.dim..(text + 1) * self.dim)
                .ok_or_else(|| TractError::msg("a row too many"))?;
            match output.rank() {
                2 => vector.copy_from_slice(
                    cells
                        .get(row * self.dim..(row + 1) * self.dim)
                        .ok_or_else(|| TractError::msg("a row is missing"))?,
                ),
                _ => average(
                    cells
                        .get(row * per_text..(row + 1) * per_text)
                        .ok_or_else(|| TractError::msg("a row is missing"))?,
                    batch.mask_of(row),
                    vector,
                ),
            }
            normalize(vector);
        }
        Ok(())
    }
}

impl Embedder for OnnxEmbedder {
    fn name(&self) -> &str {
        &self.name
    }

    fn dim(&self) -> usize {
        self.dim
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<f32>, EmbedError> {
        let max_tokens = if self.static_rows {
            usize::MAX
        } else {
            MAX_TOKENS
        };
        let mut vectors = vec![0.0; texts.len() * self.dim];
        for batch in batches(&self.tokenizer, texts, MAX_BATCH, max_tokens) {
            self.run(&batch, &mut vectors)
                .map_err(|error| EmbedError::Run(format!("{error:#}")))?;
        }
        Ok(vectors)
    }
}

fn unusable(error: TractError) -> EmbedError {
    EmbedError::Unsupported(format!("{error:#}"))
}

/// Gives every input the shape batch × tokens, and says which is which.
fn name_inputs(model: &mut InferenceModel) -> TractResult<Result<Vec<Input>, EmbedError>> {
    let (batch, tokens) = (model.symbols.sym("batch"), model.symbols.sym("tokens"));
    let names: Vec<String> = model
        .input_outlets()?
        .iter()
        .map(|outlet| model.node(outlet.node).name.clone())
        .collect();
    let mut inputs = Vec::new();
    for (idx, name) in names.iter().enumerate() {
        inputs.push(match name.as_str() {
            "input_ids" => Input::Ids,
            "attention_mask" => Input::Mask,
            "token_type_ids" => Input::Types,
            other => {
                return Ok(Err(EmbedError::Unsupported(format!(
                    "it has an input {other:?} that text embedding does not know"
                ))));
            }
        });
        let shape = tvec!(batch.to_dim(), tokens.to_dim());
        model.set_input_fact(idx, InferenceFact::dt_shape(i64::datum_type(), shape))?;
    }
    if inputs.contains(&Input::Ids) {
        Ok(Ok(inputs))
    } else {
        Ok(Err(EmbedError::Unsupported(
            "it has no input \"input_ids\"".to_owned(),
        )))
    }
}

/// Numbers in a vector: the last dimension of the first output, which is per text or per token.
fn output_dim(model: &TypedModel) -> TractResult<Result<usize, EmbedError>> {
    let shape = &model.output_fact(0)?.shape;
    let last = shape
        .last()
        .and_then(|dim| dim.to_usize().ok())
        .filter(|&dim| dim > 0);
    Ok(match (shape.rank(), last) {
        (2 | 3, Some(dim)) => Ok(dim),
        _ => Err(EmbedError::Unsupported(
            "its first output is neither one vector a text nor one a token".to_owned(),
        )),
    })
}

fn average(tokens: &[f32], mask: &[i64], vector: &mut [f32]) {
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
