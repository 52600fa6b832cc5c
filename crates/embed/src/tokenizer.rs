//! The tokens of a `tokenizer.json`: words cut from code, words cut into pieces of a vocabulary.
//!
//! Of the many kinds of tokenizer that such a file can describe, the one of the model that ships is known here, and read
//! several times faster than by regular expressions: runs of ASCII letters and digits, split at changes of case and between letters and
//! digits, lower-cased; then WordPiece, longest match first.

use std::borrow::Cow;

use serde::Deserialize;

use crate::EmbedError;
use crate::pieces::Pieces;
use crate::rows::Sorted;

/// The bundled model's separator pattern: everything except letters and digits separates, …
const SEPARATORS: &str = "[^A-Za-z0-9]+";
/// … and so does each of these borders.
const BORDERS: &str =
    "(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[A-Za-z])(?=[0-9])|(?<=[0-9])(?=[A-Za-z])";

/// Turns text into token numbers.
#[derive(Clone)]
pub struct Tokenizer(WordPieces<Pieces>);

/// The pieces of words, however they are kept. They are looked up without regard to ASCII case.
pub(crate) trait Vocabulary {
    /// The number of a piece that is a whole word of letters or digits; `text` begins with the word.
    fn get(&self, word: &[u8], text: &[u8]) -> Option<u32>;
    /// The longest piece that `word` begins with: its length and number.
    fn longest(&self, word: &[u8]) -> Option<(usize, u32)>;
}

/// Cuts words into pieces of two vocabularies: what a word begins with, and what goes on.
#[derive(Clone)]
pub(crate) struct WordPieces<V> {
    pub(crate) starts: V,
    pub(crate) continuations: V,
    pub(crate) unknown: u32,
    pub(crate) max_word: usize,
    /// One more than the highest token number.
    pub(crate) n_tokens: usize,
}

/// A vocabulary as its file lists it.
pub(crate) type Listed = Vec<(Vec<u8>, u32)>;

impl WordPieces<Listed> {
    /// Reads a `tokenizer.json`.
    pub(crate) fn from_json(json: &[u8]) -> Result<Self, EmbedError> {
        read(
            json,
            |_| Vec::new(),
            |list, piece, id| {
                list.push((piece.to_vec(), id));
            },
        )
    }
}

impl Tokenizer {
    /// Reads a `tokenizer.json`.
    ///
    /// # Errors
    /// If it is no such file, or describes another kind of tokenizer.
    pub fn from_json(json: &[u8]) -> Result<Tokenizer, EmbedError> {
        read(json, Pieces::with_capacity, Pieces::insert).map(Tokenizer)
    }

    /// Builds a tokenizer from sorted pieces, in tables that are faster to look up.
    pub(crate) fn of(sorted: &WordPieces<Sorted>) -> Tokenizer {
        let hashed = |from: &Sorted| {
            let mut pieces = Pieces::with_capacity(from.iter().len());
            from.iter().for_each(|(piece, id)| pieces.insert(piece, id));
            pieces
        };
        Tokenizer(WordPieces {
            starts: hashed(&sorted.starts),
            continuations: hashed(&sorted.continuations),
            unknown: sorted.unknown,
            max_word: sorted.max_word,
            n_tokens: sorted.n_tokens,
        })
    }

    /// One more than the highest token number.
    #[must_use]
    pub fn n_tokens(&self) -> usize {
        self.0.n_tokens
    }

    /// Appends the token numbers of `text` to `ids`. Linear in `text`.
    pub fn encode(&self, text: &str, ids: &mut Vec<u32>) {
        self.0.encode(text, ids);
    }
}

/// Reads a `tokenizer.json` into vocabularies with the given capacity.
fn read<V>(
    json: &[u8],
    with_capacity: impl Fn(usize) -> V,
    insert: impl Fn(&mut V, &[u8], u32),
) -> Result<WordPieces<V>, EmbedError> {
    let file: File = serde_json::from_slice(json)
        .map_err(|error| EmbedError::NotATokenizer(error.to_string()))?;
    file.check_kind()?;
    let model = file.model;
    let n_tokens = model.vocab.0.iter().map(|&(_, id)| id as usize + 1).max();
    let unknown = model
        .vocab
        .0
        .iter()
        .find(|(token, _)| *token == model.unk_token)
        .map(|&(_, id)| id)
        .ok_or_else(|| unsupported("its unknown token is not in the vocabulary"))?;
    let continues = |token: &str| token.starts_with(&*model.continuing_subword_prefix);
    let n_continuations = model
        .vocab
        .0
        .iter()
        .filter(|(token, _)| continues(token))
        .count();
    let mut tokenizer = WordPieces {
        starts: with_capacity(model.vocab.0.len() - n_continuations),
        continuations: with_capacity(n_continuations),
        unknown,
        max_word: model.max_input_chars_per_word,
        n_tokens: n_tokens.unwrap_or(0),
    };
    for (token, id) in &model.vocab.0 {
        match token.strip_prefix(&*model.continuing_subword_prefix) {
            Some(piece) => insert(&mut tokenizer.continuations, piece.as_bytes(), *id),
            None => insert(&mut tokenizer.starts, token.as_bytes(), *id),
        }
    }
    Ok(tokenizer)
}

impl<V: Vocabulary> WordPieces<V> {
    /// Appends the token numbers of `text` to `ids`. Linear in `text`.
    /// Lines said several times at the beginning, as chunks have them, are looked up once.
    pub(crate) fn encode(&self, text: &str, ids: &mut Vec<u32>) {
        fn without<'a>(text: &'a str, line: &str) -> Option<&'a str> {
            text.strip_prefix(line)?.strip_prefix('\n')
        }
        let mut rest = text;
        while let Some((line, after)) = rest.split_once('\n') {
            if line.is_empty() || without(after, line).is_none() {
                break;
            }
            let before = ids.len();
            self.encode_words(line, ids);
            let said = before..ids.len();
            rest = after;
            while let Some(after) = without(rest, line) {
                ids.extend_from_within(said.clone());
                rest = after;
            }
        }
        self.encode_words(rest, ids);
    }

    fn encode_words(&self, text: &str, ids: &mut Vec<u32>) {
        for_each_word(text.as_bytes(), |word, after| self.pieces(word, after, ids));
    }

    /// Longest match first; a word with a rest that no piece matches is unknown as a whole.
    #[inline]
    fn pieces(&self, word: &[u8], after: &[u8], ids: &mut Vec<u32>) {
        match self.starts.get(word, after) {
            Some(id) if word.len() <= self.max_word => ids.push(id),
            _ => self.split(word, ids),
        }
    }

    #[cold]
    fn split(&self, word: &[u8], ids: &mut Vec<u32>) {
        if word.len() > self.max_word {
            ids.push(self.unknown);
            return;
        }
        let before = ids.len();
        let mut rest = word;
        let mut vocabulary = &self.starts;
        while !rest.is_empty() {
            let Some((length, id)) = vocabulary.longest(rest) else {
                ids.truncate(before);
                ids.push(self.unknown);
                return;
            };
            ids.push(id);
            rest = rest.get(length..).unwrap_or_default();
            vocabulary = &self.continuations;
        }
    }
}

impl std::fmt::Debug for Tokenizer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Tokenizer({} tokens)", self.n_tokens())
    }
}

/// Class of a byte within words.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
enum Class {
    Separator,
    Small,
    Capital,
    Digit,
}

static CLASSES: [Class; 256] = {
    let mut classes = [Class::Separator; 256];
    let mut byte = 0;
    while byte < 256 {
        classes[byte] = match byte as u8 {
            b'a'..=b'z' => Class::Small,
            b'A'..=b'Z' => Class::Capital,
            b'0'..=b'9' => Class::Digit,
            _ => Class::Separator,
        };
        byte += 1;
    }
    classes
};

/// The words of a text, as they are written (runs of digits, of small letters with at most one capital before them, of
/// capitals), each with the text that begins with it.
fn for_each_word(text: &[u8], mut word: impl FnMut(&[u8], &[u8])) {
    let class = |at: usize| text.get(at).map(|&byte| CLASSES[byte as usize]);
    let run = |class: Class, mut at: usize| {
        while text
            .get(at)
            .is_some_and(|&byte| CLASSES[byte as usize] == class)
        {
            at += 1;
        }
        at
    };
    let mut at = 0;
    while let Some(first) = class(at) {
        let end = match first {
            Class::Separator => {
                at += 1;
                continue;
            }
            Class::Small | Class::Digit => run(first, at + 1),
            Class::Capital => {
                let capitals = run(Class::Capital, at + 1);
                match (class(capitals) == Some(Class::Small), capitals - at) {
                    (false, _) => capitals,
                    (true, 1) => run(Class::Small, capitals),
                    // The last one begins the next word.
                    (true, _) => capitals - 1,
                }
            }
        };
        let from = text.get(at..).unwrap_or_default();
        word(from.get(..end - at).unwrap_or_default(), from);
        at = end;
    }
}

fn unsupported(what: &str) -> EmbedError {
    EmbedError::UnsupportedTokenizer(what.to_owned())
}

#[derive(Deserialize)]
struct File<'a> {
    normalizer: Option<serde_json::Value>,
    pre_tokenizer: Option<serde_json::Value>,
    post_processor: Option<serde_json::Value>,
    #[serde(borrow)]
    model: WordPiece<'a>,
}

#[derive(Deserialize)]
struct WordPiece<'a> {
    #[serde(rename = "type")]
    kind: String,
    unk_token: String,
    continuing_subword_prefix: String,
    max_input_chars_per_word: usize,
    #[serde(borrow)]
    vocab: Tokens<'a>,
}

/// Tokens and their numbers, in the order of the file and without a copy.
struct Tokens<'a>(Vec<(Cow<'a, str>, u32)>);

impl<'de: 'a, 'a> Deserialize<'de> for Tokens<'a> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Entries;
        impl<'de> serde::de::Visitor<'de> for Entries {
            type Value = Vec<(Cow<'de, str>, u32)>;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a map of tokens to numbers")
            }

            fn visit_map<A: serde::de::MapAccess<'de>>(
                self,
                mut map: A,
            ) -> Result<Self::Value, A::Error> {
                let mut entries = Vec::new();
                while let Some((Token(token), id)) = map.next_entry::<Token<'de>, u32>()? {
                    entries.push((token, id));
                }
                Ok(entries)
            }
        }
        deserializer.deserialize_map(Entries).map(Self)
    }
}

/// A string, borrowed where nothing in it is escaped (`Cow` by itself always copies).
#[derive(Deserialize)]
struct Token<'a>(#[serde(borrow)] Cow<'a, str>);

impl File<'_> {
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
