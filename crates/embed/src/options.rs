//! Options for a user's own model.

use serde::Deserialize;

/// Pooling of an output that has a vector for each token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Pooling {
    /// The mean over the text's tokens.
    #[default]
    Mean,
    /// The vector of the first token.
    Cls,
}

/// Options that the files of a model do not contain. The defaults are those of most sentence-embedding models.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ModelOptions {
    /// Pooling of an output that has a vector for each token.
    pub pooling: Pooling,
    /// Put before each query: `"query: "` for the E5 family.
    pub query_prefix: String,
    /// Put before each text that is searched: `"passage: "` for the E5 family.
    pub passage_prefix: String,
    /// Maximum number of tokens of a text, special ones included (default: the tokenizer's value, or 512). The rest is
    /// cut off.
    pub max_tokens: Option<usize>,
}
