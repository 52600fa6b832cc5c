//! Texts as the token numbers that a model wants: by the tokenizer of the model that ships where the file describes that
//! one, by Hugging Face's `tokenizers` where it describes another.

use tokenizers::{TruncationDirection, TruncationParams, TruncationStrategy};

use crate::{EmbedError, Tokenizer};

/// Token limit if neither caller nor file gives one: the limit of most transformers.
const MAX_TOKENS: usize = 512;

/// The tokens of a text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Tokens {
    pub(crate) ids: Vec<u32>,
    /// Segment of each token in a pair of texts; empty for a single text.
    pub(crate) types: Vec<u32>,
}

/// Turns a text into tokens.
#[derive(Debug, Clone)]
pub(crate) enum Encoder {
    /// The kind of the model that ships: fast, and without a limit.
    Words(Box<Tokenizer>),
    /// Any kind.
    General(Box<tokenizers::Tokenizer>),
}

impl Encoder {
    /// Reads a `tokenizer.json`; `max_tokens` goes before what the file says.
    pub(crate) fn from_json(json: &[u8], max_tokens: Option<usize>) -> Result<Encoder, EmbedError> {
        match Tokenizer::from_json(json) {
            Ok(tokenizer) => Ok(Encoder::Words(Box::new(tokenizer))),
            Err(reason) => general(json, max_tokens)
                .map(|tokenizer| Encoder::General(Box::new(tokenizer)))
                // A file that neither reads: the first reason is of a file that is none, the second of a kind that is unknown.
                .map_err(|general| match reason {
                    EmbedError::NotATokenizer(_) if !is_object(json) => reason,
                    _ => general,
                }),
        }
    }

    /// Returns the number of tokens that a text has at most, if there is a limit.
    pub(crate) fn max_tokens(&self) -> Option<usize> {
        match self {
            Encoder::Words(_) => None,
            Encoder::General(tokenizer) => tokenizer
                .get_truncation()
                .map(|truncation| truncation.max_length),
        }
    }

    /// Returns the padding token, at the end of short texts in a batch.
    pub(crate) fn padding(&self) -> u32 {
        match self {
            Encoder::Words(_) => 0,
            Encoder::General(tokenizer) => tokenizer
                .get_padding()
                .map(|padding| padding.pad_id)
                .or_else(|| {
                    ["[PAD]", "<pad>"]
                        .iter()
                        .find_map(|pad| tokenizer.token_to_id(pad))
                })
                .unwrap_or(0),
        }
    }

    /// The tokens of a text, special ones included.
    pub(crate) fn encode(&self, text: &str) -> Result<Tokens, EmbedError> {
        match self {
            Encoder::Words(tokenizer) => {
                let mut ids = Vec::new();
                tokenizer.encode(text, &mut ids);
                Ok(Tokens {
                    ids,
                    types: Vec::new(),
                })
            }
            Encoder::General(tokenizer) => tokenizer
                .encode_fast(text, true)
                .map(|encoding| tokens(&encoding))
                .map_err(failed),
        }
    }

    /// Returns the tokens of a pair of texts; truncates only the second if they are too long.
    pub(crate) fn encode_pair(&self, first: &str, second: &str) -> Result<Tokens, EmbedError> {
        match self {
            Encoder::Words(_) => Err(EmbedError::UnsupportedTokenizer(
                "it does not say how two texts are put together".to_owned(),
            )),
            Encoder::General(tokenizer) => tokenizer
                .encode_fast((first, second), true)
                .map(|encoding| tokens(&encoding))
                .map_err(failed),
        }
    }
}

fn tokens(encoding: &tokenizers::Encoding) -> Tokens {
    let length = encoding
        .get_attention_mask()
        .iter()
        .rposition(|&used| used != 0)
        .map_or(0, |last| last + 1);
    let cut = |numbers: &[u32]| numbers.iter().take(length).copied().collect();
    Tokens {
        ids: cut(encoding.get_ids()),
        types: cut(encoding.get_type_ids()),
    }
}

fn general(json: &[u8], max_tokens: Option<usize>) -> Result<tokenizers::Tokenizer, EmbedError> {
    let mut tokenizer = tokenizers::Tokenizer::from_bytes(json)
        .map_err(|error| EmbedError::NotATokenizer(error.to_string()))?;
    let said = tokenizer
        .get_truncation()
        .map(|truncation| truncation.max_length);
    // Room for the special tokens of a pair, and a word of it.
    let max_length = max_tokens.or(said).unwrap_or(MAX_TOKENS).max(8);
    let truncation = TruncationParams {
        direction: TruncationDirection::Right,
        max_length,
        strategy: TruncationStrategy::LongestFirst,
        stride: 0,
    };
    tokenizer
        .with_truncation(Some(truncation))
        .map_err(|error| EmbedError::UnsupportedTokenizer(error.to_string()))?;
    Ok(tokenizer)
}

fn is_object(json: &[u8]) -> bool {
    serde_json::from_slice::<serde::de::IgnoredAny>(json).is_ok()
        && json.trim_ascii_start().starts_with(b"{")
}

#[expect(clippy::needless_pass_by_value, reason = "what map_err hands over")]
fn failed(error: tokenizers::Error) -> EmbedError {
    EmbedError::Run(format!("the tokenizer failed: {error}"))
}
