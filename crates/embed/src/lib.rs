//! Text in, vectors out.
//!
//! [`StaticEmbedder`] evaluates the model that ships with Portolan (a table of token vectors in an ONNX file): small code, no
//! runtime. `OnnxEmbedder` (feature `onnx`) runs the graph of any sentence-embedding ONNX file with tract, and reads any
//! `tokenizer.json`; `CrossEncoder` scores pairs of query and text. Both embedders give the same vectors for the same static model. Vectors computed elsewhere are as welcome: they are given
//! to the index directly.
//!
//! ```
//! use portolan_embed::{Embedder, StaticEmbedder};
//!
//! let model = include_bytes!("../model/code-embed-128.int8.onnx");
//! let tokenizer = include_bytes!("../model/tokenizer.json");
//! let embedder = StaticEmbedder::from_onnx(model, tokenizer).unwrap();
//! let vectors = embedder.embed(&["parse an http request", "fn parse_http_request()", "render a triangle"]).unwrap();
//! let [query, near, far] = [0, 1, 2].map(|row| &vectors[row * embedder.dim()..][..embedder.dim()]);
//! let cosine = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f32>();
//! assert!(cosine(query, near) > cosine(query, far) + 0.3);
//! ```

mod error;
mod pieces;
mod tokenizer;

mod arithmetic;
mod options;
mod proto;
mod rows;
mod static_model;

#[cfg(feature = "onnx")]
mod batch;
#[cfg(feature = "onnx")]
mod cross;
#[cfg(feature = "onnx")]
mod encoder;
#[cfg(feature = "onnx")]
mod graph;
#[cfg(feature = "onnx")]
mod onnx;

#[cfg(feature = "onnx")]
pub use cross::CrossEncoder;
pub use error::EmbedError;
#[cfg(feature = "onnx")]
pub use onnx::OnnxEmbedder;
pub use options::{ModelOptions, Pooling};
pub use rows::RowEmbedder;
pub use static_model::StaticEmbedder;
pub use tokenizer::Tokenizer;

/// Returns the model that ships with Portolan. Costs as much as reading its files: some 10 ms.
///
/// # Errors
/// None: its files are linked in, and a test reads them.
#[cfg(feature = "shipped")]
pub fn shipped() -> Result<StaticEmbedder, EmbedError> {
    let model = include_bytes!("../model/code-embed-128.int8.onnx");
    let tokenizer = include_bytes!("../model/tokenizer.json");
    StaticEmbedder::from_static(model, tokenizer)
}

/// Returns true for an ONNX file that [`StaticEmbedder`] can evaluate; others need `OnnxEmbedder`.
#[must_use]
pub fn is_static(model: &[u8]) -> bool {
    proto::outline(model).is_ok_and(|outline| static_model::knows(&outline.operations))
}

/// Returns a model's name: that of its graph, made unique by a digest of the file.
fn model_name(graph: &str, dim: usize, model: &[u8]) -> String {
    format!(
        "{graph}-{dim}-{:08x}",
        xxhash_rust::xxh3::xxh3_64(model) as u32
    )
}

/// Turns texts into vectors.
pub trait Embedder {
    /// The model by name; vectors of different models are not comparable.
    fn name(&self) -> &str;

    /// Numbers in a vector.
    fn dim(&self) -> usize;

    /// One vector a text, row after row, L2-normalised; all zero for a text without a known token.
    ///
    /// # Errors
    /// If the model cannot be run on these texts.
    fn embed(&self, texts: &[&str]) -> Result<Vec<f32>, EmbedError>;

    /// The vector of a query: as of a text, unless the model tells them apart.
    ///
    /// # Errors
    /// If the model cannot be run on it.
    fn embed_query(&self, text: &str) -> Result<Vec<f32>, EmbedError> {
        self.embed(&[text])
    }
}
