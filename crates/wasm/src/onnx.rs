//! Models run by tract: the artifact of the embedding worker for users' own models.

use embed::{CrossEncoder, Embedder, ModelOptions, OnnxEmbedder};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::errors::{JsResult, error};
use crate::texts::split;

/// A sentence-embedding model.
#[wasm_bindgen]
pub struct OnnxModel {
    embedder: OnnxEmbedder,
}

#[wasm_bindgen]
impl OnnxModel {
    /// Loads an ONNX file and its `tokenizer.json`. `options`: `pooling`, `query_prefix`, `passage_prefix`, `max_tokens`; absent
    /// ones have their defaults. Throws `model.unusable`.
    #[wasm_bindgen(constructor)]
    pub fn new(model: &[u8], tokenizer: &[u8], options: JsValue) -> JsResult<OnnxModel> {
        let options: ModelOptions = serde_wasm_bindgen::from_value(options)
            .map_err(|reason| error("model.unusable", reason))?;
        let embedder = OnnxEmbedder::new(model, tokenizer, options)
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

    /// One vector a text, row after row. The texts are UTF-8, one after the other; `ends` says where each ends.
    pub fn embed(&self, texts: &[u8], ends: &[u32]) -> JsResult<Vec<f32>> {
        let texts = split(texts, ends)?;
        self.embedder
            .embed(&texts)
            .map_err(|reason| error("model.failed", reason))
    }

    /// The vector of a query.
    #[wasm_bindgen(js_name = embedQuery)]
    pub fn embed_query(&self, text: &str) -> JsResult<Vec<f32>> {
        self.embedder
            .embed_query(text)
            .map_err(|reason| error("model.failed", reason))
    }
}

/// A model that reads query and passage together and says how well they fit.
#[wasm_bindgen]
pub struct OnnxScorer {
    scorer: CrossEncoder,
}

#[wasm_bindgen]
impl OnnxScorer {
    /// Loads an ONNX file and its `tokenizer.json`. Throws `model.unusable`.
    #[wasm_bindgen(constructor)]
    pub fn new(model: &[u8], tokenizer: &[u8], max_tokens: Option<usize>) -> JsResult<OnnxScorer> {
        let scorer = CrossEncoder::new(model, tokenizer, max_tokens)
            .map_err(|reason| error("model.unusable", reason))?;
        Ok(Self { scorer })
    }

    /// The model's name.
    #[wasm_bindgen(getter)]
    #[must_use]
    pub fn name(&self) -> String {
        self.scorer.name().to_owned()
    }

    /// Scores how well each passage answers the query; higher is better. The passages are UTF-8, one after the other.
    pub fn score(&self, query: &str, passages: &[u8], ends: &[u32]) -> JsResult<Vec<f32>> {
        let passages = split(passages, ends)?;
        self.scorer
            .score(query, &passages)
            .map_err(|reason| error("model.failed", reason))
    }
}
