//! Text to vectors by the static model, which needs no runtime.

use embed::{Embedder, StaticEmbedder};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::errors::{JsResult, error};

/// A static sentence-embedding model.
#[wasm_bindgen]
pub struct StaticModel {
    embedder: StaticEmbedder,
}

#[wasm_bindgen]
impl StaticModel {
    /// Loads an ONNX file and its `tokenizer.json`. Throws `model.unusable`, also where the model is not static.
    #[wasm_bindgen(constructor)]
    pub fn new(model: &[u8], tokenizer: &[u8]) -> JsResult<StaticModel> {
        let embedder = StaticEmbedder::from_onnx(model, tokenizer)
            .map_err(|reason| error("model.unusable", reason))?;
        Ok(Self { embedder })
    }

    /// The model of which `lookup` was laid out, from its file: without reading either anew. Absent where it is another file.
    #[wasm_bindgen(js_name = fromLookup)]
    #[must_use]
    pub fn from_lookup(model: Vec<u8>, lookup: &[u8]) -> Option<StaticModel> {
        let embedder = StaticEmbedder::from_lookup(model, lookup)?;
        Some(Self { embedder })
    }

    /// Returns true for an ONNX file of such a model.
    #[must_use]
    pub fn fits(model: &[u8]) -> bool {
        embed::is_static(model)
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

    /// Returns the tables that find the rows of a few tokens in the file, for `CodeIndex.setModelRows`; none if the
    /// file does not store them uncompressed.
    #[must_use]
    pub fn lookup(&self, model: &[u8], tokenizer: &[u8]) -> Option<Vec<u8>> {
        self.embedder.lookup(model, tokenizer)
    }

    /// One vector a text, row after row. The texts are UTF-8, one after the other; `ends` says where each ends.
    pub fn embed(&self, texts: &[u8], ends: &[u32]) -> JsResult<Vec<f32>> {
        let texts = crate::texts::split(texts, ends)?;
        self.embedder
            .embed(&texts)
            .map_err(|reason| error("model.failed", reason))
    }
}

#[cfg(feature = "ingest")]
#[wasm_bindgen]
impl StaticModel {
    /// As `embed`, rounded to what an index keeps, for `CodeIndexBuilder.setRows`: a quarter of the bytes.
    #[wasm_bindgen(js_name = embedRows)]
    pub fn embed_rows(&self, texts: &[u8], ends: &[u32]) -> JsResult<js_sys::Int8Array> {
        let vectors = self.embed(texts, ends)?;
        let rows = engine::Rows::of(&vectors, self.embedder.dim());
        let rows = rows.map_err(crate::errors::engine_error)?;
        Ok(js_sys::Int8Array::from(rows.cells()))
    }
}
