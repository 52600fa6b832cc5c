//! Errors of models and tokenizers.

/// Why a model cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum EmbedError {
    /// The bytes are not an ONNX file.
    #[error("not an ONNX model: {0}")]
    NotOnnx(String),
    /// An ONNX file, but not one that this embedder can evaluate.
    #[error("this ONNX model cannot be used: {0}")]
    Unsupported(String),
    /// The tokenizer file is not JSON of the expected form.
    #[error("not a tokenizer.json: {0}")]
    NotATokenizer(String),
    /// A tokenizer file of another kind than those that are known.
    #[error("this tokenizer.json cannot be used: {0}")]
    UnsupportedTokenizer(String),
    /// Model and tokenizer do not belong together.
    #[error("model and tokenizer do not fit: {0}")]
    Mismatch(String),
    /// The model failed on an input.
    #[error("the model failed: {0}")]
    Run(String),
}
