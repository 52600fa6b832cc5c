//! The model that turns queries into vectors: held whole, or read row by row.

use embed::{EmbedError, Embedder, RowEmbedder, StaticEmbedder};
use engine::Source;
use js_sys::Function;

use crate::host_file::HostFile;

/// See the module.
pub enum Model {
    Whole(StaticEmbedder),
    Rows(RowEmbedder),
}

impl Model {
    /// Reads model and tokenizer.
    pub fn whole(model: &[u8], tokenizer: &[u8]) -> Result<Self, EmbedError> {
        StaticEmbedder::from_onnx(model, tokenizer).map(Self::Whole)
    }

    /// A model whose file of `n_bytes` the host reads; `lookup` is what `StaticModel.lookup` gave.
    pub fn rows(lookup: &[u8], n_bytes: usize, read: Function) -> Result<Self, EmbedError> {
        let file = HostFile::function(n_bytes, read);
        let read = move |range| Some(file.read(range).ok()?.into_owned());
        RowEmbedder::new(lookup, n_bytes, read).map(Self::Rows)
    }

    fn embedder(&self) -> &dyn Embedder {
        match self {
            Self::Whole(model) => model,
            Self::Rows(model) => model,
        }
    }

    /// Its name, and numbers in a vector.
    pub fn name(&self) -> (&str, usize) {
        (self.embedder().name(), self.embedder().dim())
    }

    /// The vector of a text; none where the model cannot be read: words answer then.
    pub fn vector_of(&self, text: &str) -> Option<Vec<f32>> {
        self.embedder().embed(&[text]).ok()
    }
}
