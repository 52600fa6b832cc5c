//! An ONNX graph over tokens, run by tract. Inputs are found by name, whatever their order.

use std::sync::Arc;

use tract_onnx::prelude::*;
use tract_onnx::tract_core::internal::DimLike;

use crate::EmbedError;
use crate::batch::Batch;

/// Outputs with one vector a text, by the names that exports give them; the first output where there is none of them.
const OUTPUTS: &[&str] = &["sentence_embedding", "logits"];

/// A graph, ready to run.
#[derive(Debug, Clone)]
pub(crate) struct Graph {
    /// The name of the graph in the file.
    pub(crate) name: String,
    /// Numbers for each text or token.
    pub(crate) width: usize,
    /// True if the output has a row for each token.
    pub(crate) per_token: bool,
    /// True if the graph averages over all tokens itself, for any number of them.
    pub(crate) is_static: bool,
    /// Rows of its table of positions, if it has one.
    n_positions: Option<usize>,
    inputs: Vec<Input>,
    plan: Arc<TypedRunnableModel>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Input {
    Ids,
    Mask,
    Types,
    Positions,
}

impl Graph {
    /// Reads and optimises: some 50 ms for the model that ships, seconds for a large transformer.
    pub(crate) fn load(model: &[u8]) -> Result<Graph, EmbedError> {
        let outline = crate::proto::outline(model)?;
        let mut inference = tract_onnx::onnx()
            .model_for_read(&mut std::io::Cursor::new(model))
            .map_err(|error| EmbedError::NotOnnx(format!("{error:#}")))?;
        choose_output(&mut inference).map_err(unusable)?;
        let inputs = name_inputs(&mut inference).map_err(unusable)??;
        let typed = inference.into_optimized().map_err(unusable)?;
        let (width, per_token) = output_shape(&typed).map_err(unusable)??;
        Ok(Graph {
            is_static: crate::static_model::knows(&outline.operations),
            name: outline.name,
            n_positions: outline.n_positions,
            width,
            per_token,
            inputs,
            plan: typed.into_runnable().map_err(unusable)?,
        })
    }

    /// Checks that there is a position for every token of the longest text: a longer one would end the run in the middle.
    pub(crate) fn check_positions(&self, max_tokens: Option<usize>) -> Result<(), EmbedError> {
        match (self.n_positions, max_tokens) {
            (Some(n_positions), Some(max_tokens)) if n_positions < max_tokens => {
                Err(EmbedError::Positions {
                    n_positions,
                    max_tokens,
                })
            }
            _ => Ok(()),
        }
    }

    /// The output for a batch: row after row, `width` numbers each, with a row for each token where `per_token`.
    pub(crate) fn run(&self, batch: &Batch) -> Result<Vec<f32>, EmbedError> {
        self.outputs(batch)
            .map_err(|error| EmbedError::Run(format!("{error:#}")))
    }

    fn outputs(&self, batch: &Batch) -> TractResult<Vec<f32>> {
        let (rows, width) = (batch.texts.len(), batch.width);
        let positions: Vec<i64> = (0..rows).flat_map(|_| 0..width as i64).collect();
        let tensor = |input: &Input| {
            let cells = match input {
                Input::Ids => &batch.ids,
                Input::Mask => &batch.mask,
                Input::Types => &batch.types,
                Input::Positions => &positions,
            };
            Ok(Tensor::from_shape(&[rows, width], cells)?.into())
        };
        let inputs: TVec<TValue> = self.inputs.iter().map(tensor).collect::<TractResult<_>>()?;
        let outputs = self.plan.run(inputs)?;
        let output = outputs
            .first()
            .ok_or_else(|| TractError::msg("the model gives nothing"))?
            .cast_to::<f32>()?
            .into_owned();
        let cells = output.try_as_plain_ram()?.as_slice::<f32>()?.to_vec();
        let expected = rows * self.width * if self.per_token { width } else { 1 };
        if cells.len() == expected {
            Ok(cells)
        } else {
            Err(TractError::msg(
                "the model gives more or less than a row for each text",
            ))
        }
    }
}

fn unusable(error: TractError) -> EmbedError {
    EmbedError::Unsupported(format!("{error:#}"))
}

/// Keeps the output that is one vector a text, where there are several.
fn choose_output(model: &mut InferenceModel) -> TractResult<()> {
    let outlets = model.output_outlets()?.to_vec();
    let labels: Vec<String> = outlets
        .iter()
        .map(|outlet| match model.outlet_label(*outlet) {
            Some(label) => label.to_owned(),
            None => model.node(outlet.node).name.clone(),
        })
        .collect();
    let chosen = OUTPUTS
        .iter()
        .find_map(|name| labels.iter().position(|label| label == name))
        .unwrap_or(0);
    match outlets.get(chosen) {
        Some(outlet) => model.select_output_outlets(&[*outlet]),
        None => Err(TractError::msg("it has no output")),
    }
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
            "position_ids" => Input::Positions,
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

/// Numbers in a row, and whether there is one for each token: the output is texts × numbers or texts × tokens × numbers.
fn output_shape(model: &TypedModel) -> TractResult<Result<(usize, bool), EmbedError>> {
    let shape = &model.output_fact(0)?.shape;
    let last = shape
        .last()
        .and_then(|dim| dim.to_usize().ok())
        .filter(|&dim| dim > 0);
    Ok(match (shape.rank(), last) {
        (2, Some(width)) => Ok((width, false)),
        (3, Some(width)) => Ok((width, true)),
        _ => Err(EmbedError::Unsupported(
            "its output is neither one vector a text nor one a token".to_owned(),
        )),
    })
}
