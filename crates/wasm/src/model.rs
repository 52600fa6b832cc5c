//! Text to vectors without a runtime: the model that ships is a table, which every artifact can read by itself.

use embed::{Embedder, StaticEmbedder};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::errors::{JsResult, error};

/// A static sentence-embedding model; `OnnxModel` of the ONNX artifact gives the same vectors for it, and runs all others.
#[wasm_bindgen]
pub struct StaticModel {
    embedder: StaticEmbedder,
}

#[wasm_bindgen]
impl StaticModel {
    /// Loads an ONNX file and its `tokenizer.json`. Throws `model.unusable` for a model that is no static one.
    #[wasm_bindgen(constructor)]
    pub fn new(model: &[u8], tokenizer: &[u8]) -> JsResult<StaticModel> {
        let embedder = StaticEmbedder::from_onnx(model, tokenizer)
            .map_err(|reason| error("model.unusable", reason))?;
        Ok(Self { embedder })
    }

    /// The model's name.
    #[wasm_bindgen(getter)]
    #[must_use]
    pub fn name(&self) -> String {
        self.embedder.name().to_owned()
    }

    /// Numbers in a vector.
    #[wasm_bindgen(getter)]
    #[must_use]
    pub fn dimensions(&self) -> usize {
        self.embedder.dim()
    }

    /// One vector a text, row after row.
    #[expect(
        clippy::needless_pass_by_value,
        reason = "strings come over the boundary by value"
    )]
    pub fn embed(&self, texts: Vec<String>) -> JsResult<Vec<f32>> {
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        self.embedder
            .embed(&texts)
            .map_err(|reason| error("model.failed", reason))
    }
}
