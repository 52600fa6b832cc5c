//! How a model that a user brings is to be used.

use serde::Deserialize;

/// What becomes of an output that has a vector for each token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Pooling {
    /// The mean over the text's tokens.
    #[default]
    Mean,
    /// The vector of the first token.
    Cls,
}

/// What the files of a model do not say. The defaults are those of most sentence-embedding models.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ModelOptions {
    /// What becomes of an output that has a vector for each token.
    pub pooling: Pooling,
    /// Put before each query: `"query: "` for the E5 family.
    pub query_prefix: String,
    /// Put before each text that is searched: `"passage: "` for the E5 family.
    pub passage_prefix: String,
    /// Tokens of a text that are read, special ones included; the rest is cut off. As the tokenizer says, or 512, if absent.
    pub max_tokens: Option<usize>,
}
