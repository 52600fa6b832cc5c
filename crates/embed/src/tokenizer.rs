//! The tokens of a `tokenizer.json`: words cut from code, words cut into pieces of a vocabulary.
//!
//! Of the many kinds of tokenizer that such a file can describe, the one of the model that ships is known here, and read
//! several times faster than by regular expressions: runs of ASCII letters and digits, split at changes of case and between letters and
//! digits, lower-cased; then WordPiece, longest match first.

use rustc_hash::FxHashMap;
use serde::Deserialize;

use crate::EmbedError;

/// How the tokenizer of the shipped model says that it splits: everything but letters and digits separates, …
const SEPARATORS: &str = "[^A-Za-z0-9]+";
/// … and so does each of these borders.
const BORDERS: &str =
    "(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[A-Za-z])(?=[0-9])|(?<=[0-9])(?=[A-Za-z])";

/// Turns text into token numbers.
#[derive(Clone)]
pub struct Tokenizer {
    starts: FxHashMap<Box<[u8]>, u32>,
    continuations: FxHashMap<Box<[u8]>, u32>,
    longest: usize,
    unknown: u32,
    max_word: usize,
    n_tokens: usize,
}

impl Tokenizer {
    /// Reads a `tokenizer.json`.
    ///
    /// # Errors
    /// If it is no such file, or describes another kind of tokenizer.
    pub fn from_json(json: &[u8]) -> Result<Tokenizer, EmbedError> {
        let file: File = serde_json::from_slice(json)
            .map_err(|error| EmbedError::NotATokenizer(error.to_string()))?;
        file.check_kind()?;
        let model = file.model;
        let mut tokenizer = Tokenizer {
            starts: FxHashMap::default(),
            continuations: FxHashMap::default(),
            longest: 0,
            unknown: model
                .vocab
                .get(&model.unk_token)
                .copied()
                .ok_or_else(|| unsupported("its unknown token is not in the vocabulary"))?,
            max_word: model.max_input_chars_per_word,
            n_tokens: model.vocab.values().max().map_or(0, |&id| id as usize + 1),
        };
        for (token, id) in model.vocab {
            match token.strip_prefix(&model.continuing_subword_prefix) {
                Some(piece) => tokenizer.continuations.insert(piece.as_bytes().into(), id),
                None => tokenizer.starts.insert(token.as_bytes().into(), id),
            };
            tokenizer.longest = tokenizer.longest.max(token.len());
        }
        Ok(tokenizer)
    }

    /// One more than the highest token number.
    #[must_use]
    pub fn n_tokens(&self) -> usize {
        self.n_tokens
    }

    /// Appends the token numbers of `text` to `ids`. Linear in `text`.
    pub fn encode(&self, text: &str, ids: &mut Vec<u32>) {
        let mut word = Vec::with_capacity(self.max_word + 1);
        let bytes = text.as_bytes();
        for (idx, &byte) in bytes.iter().enumerate() {
            if !byte.is_ascii_alphanumeric() {
                self.close(&mut word, ids);
                continue;
            }
            let before = idx.checked_sub(1).and_then(|idx| bytes.get(idx)).copied();
            if before.is_some_and(|before| is_border(before, byte, bytes.get(idx + 1).copied())) {
                self.close(&mut word, ids);
            }
            // Longer words are unknown whatever follows: one byte more than allowed says so.
            if word.len() <= self.max_word {
                word.push(byte.to_ascii_lowercase());
            }
        }
        self.close(&mut word, ids);
    }

    fn close(&self, word: &mut Vec<u8>, ids: &mut Vec<u32>) {
        if !word.is_empty() {
            self.pieces(word, ids);
            word.clear();
        }
    }

    /// Longest match first; a word with a rest that no piece matches is unknown as a whole.
    fn pieces(&self, word: &[u8], ids: &mut Vec<u32>) {
        let before = ids.len();
        if word.len() > self.max_word {
            ids.push(self.unknown);
            return;
        }
        let mut rest = word;
        let mut vocabulary = &self.starts;
        while !rest.is_empty() {
            let found = (1..=rest.len().min(self.longest))
                .rev()
                .find_map(|end| Some((end, *vocabulary.get(rest.get(..end)?)?)));
            let Some((end, id)) = found else {
                ids.truncate(before);
                ids.push(self.unknown);
                return;
            };
            ids.push(id);
            rest = &rest[end..];
            vocabulary = &self.continuations;
        }
    }
}

impl std::fmt::Debug for Tokenizer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Tokenizer({} tokens)", self.n_tokens)
    }
}

/// Whether a word ends between two letters or digits, given the one after them.
fn is_border(before: u8, byte: u8, after: Option<u8>) -> bool {
    let small_then_capital = before.is_ascii_lowercase() && byte.is_ascii_uppercase();
    let last_of_capitals = before.is_ascii_uppercase()
        && byte.is_ascii_uppercase()
        && after.is_some_and(|after| after.is_ascii_lowercase());
    let letter_and_digit =
        before.is_ascii_alphanumeric() && before.is_ascii_digit() != byte.is_ascii_digit();
    small_then_capital || last_of_capitals || letter_and_digit
}

fn unsupported(what: &str) -> EmbedError {
    EmbedError::UnsupportedTokenizer(what.to_owned())
}

#[derive(Deserialize)]
struct File {
    normalizer: Option<serde_json::Value>,
    pre_tokenizer: Option<serde_json::Value>,
    post_processor: Option<serde_json::Value>,
    model: WordPiece,
}

#[derive(Deserialize)]
struct WordPiece {
    #[serde(rename = "type")]
    kind: String,
    unk_token: String,
    continuing_subword_prefix: String,
    max_input_chars_per_word: usize,
    vocab: std::collections::BTreeMap<String, u32>,
}

impl File {
    fn check_kind(&self) -> Result<(), EmbedError> {
        let replace = |pattern: &str| serde_json::json!({"type": "Replace", "pattern": {"Regex": pattern}, "content": " "});
        let expected = serde_json::json!({"type": "Sequence", "normalizers": [replace(SEPARATORS), replace(BORDERS), {"type": "Lowercase"}]});
        if self.model.kind != "WordPiece" {
            return Err(unsupported(&format!(
                "its model is {}, not WordPiece",
                self.model.kind
            )));
        }
        if self.model.continuing_subword_prefix.is_empty() {
            return Err(unsupported("it does not mark continuing pieces"));
        }
        if self.normalizer.as_ref() != Some(&expected) {
            return Err(unsupported(
                "it prepares text in another way than by splitting identifiers",
            ));
        }
        if self.pre_tokenizer.as_ref() != Some(&serde_json::json!({"type": "WhitespaceSplit"}))
            || self.post_processor.is_some()
        {
            return Err(unsupported("it splits words or adds tokens in another way"));
        }
        Ok(())
    }
}
