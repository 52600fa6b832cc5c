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
    /// The model has fewer positions than texts may have tokens.
    #[error(
        "the model has {n_positions} positions, too few for texts of up to {max_tokens} tokens: set the maximum number of tokens to \
         {n_positions} or less"
    )]
    Positions {
        /// Positions of the model.
        n_positions: usize,
        /// Maximum number of tokens of a text.
        max_tokens: usize,
    },
    /// The model failed on an input.
    #[error("the model failed: {0}")]
    Run(String),
}
