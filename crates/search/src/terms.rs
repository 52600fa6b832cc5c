//! What the lexical index needs of one chunk, worked out where the file is parsed, without any other file.

use std::cell::RefCell;

use rkyv::{Archive, Deserialize, Serialize};
use rustc_hash::FxHashMap;
use syntax::Language;
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use crate::definitions::defined_names;
use crate::paths;
use crate::tokenize::{for_each_token_of, identifiers, normalize_identifier};

/// Keeps names apart from words in the space of term hashes.
const NAME_SEED: u64 = 0x6e61_6d65;
/// Keeps names that are passed on apart from those that are defined.
const PASSED_ON_SEED: u64 = 0x7061_7373;
/// Keeps names whose case is disregarded apart from both.
const FOLDED_NAME_SEED: u64 = 0x666f_6c64;

/// A chunk as text, with what is known of it.
#[derive(Debug, Clone, Copy)]
pub struct ChunkText<'a> {
    /// Path of its file, `/` between folders.
    pub path: &'a str,
    /// Language of its file.
    pub language: Language,
    /// Names of the definitions that start in it, simple (`add`) or qualified (`Router.add`). Without any (no grammar
    /// for the language), lines that read like definitions are taken for such.
    pub symbols: &'a [&'a str],
    /// Names defined elsewhere that it passes on to others (`pub use`, `export … from`).
    pub passed_on: &'a [&'a str],
    /// Doc comments of these definitions.
    pub doc: &'a str,
    /// The text itself.
    pub body: &'a str,
}

/// Where in a chunk a term stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Field {
    /// In the name of a definition.
    Name,
    /// In the path of the file.
    Path,
    /// In a doc comment.
    Doc,
    /// In the text.
    Body,
}

/// How many [`Field`]s there are.
pub const N_FIELDS: usize = 4;

impl Field {
    /// All, in the order of [`ChunkTerms::counts`].
    pub const ALL: [Field; N_FIELDS] = [Field::Name, Field::Path, Field::Doc, Field::Body];

    /// The bit that stands for this field in a set of fields.
    #[must_use]
    pub fn bit(self) -> u8 {
        1 << self as u8
    }
}

/// The terms of one chunk, counted by field.
#[derive(Debug, Clone, PartialEq, Eq, Default, Archive, Serialize, Deserialize)]
pub struct ChunkTerms {
    /// Distinct terms as [`term_hash`], rising.
    pub terms: Vec<u64>,
    /// For each term, how often it stands in each field; more than 255 counts as 255.
    pub counts: Vec<[u8; N_FIELDS]>,
    /// Number of tokens in each field.
    pub lengths: [u32; N_FIELDS],
    /// Simple names defined in the chunk as [`name_hash`], those passed on as [`passed_on_hash`], rising.
    pub names: Vec<u64>,
    /// The same without regard to case and underscores, as [`folded_name_hash`], rising.
    pub folded_names: Vec<u64>,
}

/// 40 bits of a hash: of a million words ten thousand queries meet one by mistake once, and a sorted column of them takes two and a
/// half bytes a word.
fn short(hash: u64) -> u64 {
    hash >> 24
}

/// The number a term (a token as [`crate::tokenize`] gives it) has in every index.
#[must_use]
pub fn term_hash(token: &str) -> u64 {
    short(xxh3_64(token.as_bytes()))
}

/// The number of a definition's simple name, by its exact spelling.
#[must_use]
pub fn name_hash(name: &str) -> u64 {
    short(xxh3_64_with_seed(name.as_bytes(), NAME_SEED))
}

/// The number of a name that is defined elsewhere and passed on, by its exact spelling.
#[must_use]
pub fn passed_on_hash(name: &str) -> u64 {
    xxh3_64_with_seed(name.as_bytes(), PASSED_ON_SEED)
}

/// The number of a definition's simple name, `HandlerStack` and `handler_stack` alike.
#[must_use]
pub fn folded_name_hash(name: &str) -> u64 {
    short(xxh3_64_with_seed(
        normalize_identifier(name).as_bytes(),
        FOLDED_NAME_SEED,
    ))
}

/// Counts the terms of a chunk. Linear in its text; words met before in this thread cost a look-up.
#[must_use]
pub fn chunk_terms(chunk: &ChunkText<'_>) -> ChunkTerms {
    let guessed;
    let symbols = if chunk.symbols.is_empty() {
        guessed = defined_names(chunk.body);
        &guessed[..]
    } else {
        chunk.symbols
    };
    let mut counter = Counter::default();
    for symbol in symbols {
        counter.count(Field::Name, symbol);
    }
    for word in paths::words(chunk.path) {
        counter.count(Field::Path, word);
    }
    counter.count(Field::Doc, chunk.doc);
    counter.count(Field::Body, chunk.body);
    let simple = || {
        symbols
            .iter()
            .map(|symbol| simple_name(symbol))
            .filter(|name| !name.is_empty())
    };
    counter.finish(
        sorted(
            simple()
                .map(name_hash)
                .chain(chunk.passed_on.iter().map(|name| passed_on_hash(name))),
        ),
        sorted(simple().map(folded_name_hash)),
    )
}

/// `Router.add` → `add`, `a::b` → `b`.
fn simple_name(symbol: &str) -> &str {
    symbol
        .rsplit(['.', ':', '#', '/', '\\'])
        .next()
        .unwrap_or(symbol)
}

fn sorted(hashes: impl Iterator<Item = u64>) -> Vec<u64> {
    let mut hashes: Vec<u64> = hashes.collect();
    hashes.sort_unstable();
    hashes.dedup();
    hashes
}

#[derive(Default)]
struct Counter {
    counts: FxHashMap<u64, [u8; N_FIELDS]>,
    lengths: [u32; N_FIELDS],
}

impl Counter {
    fn count(&mut self, field: Field, text: &str) {
        WORDS.with_borrow_mut(|words| {
            for (_, identifier) in identifiers(text) {
                for &term in words.terms_of(identifier) {
                    let counts = self.counts.entry(term).or_default();
                    counts[field as usize] = counts[field as usize].saturating_add(1);
                    self.lengths[field as usize] += 1;
                }
            }
        });
    }

    fn finish(self, names: Vec<u64>, folded_names: Vec<u64>) -> ChunkTerms {
        let mut counted: Vec<(u64, [u8; N_FIELDS])> = self.counts.into_iter().collect();
        counted.sort_unstable_by_key(|&(term, _)| term);
        let (terms, counts) = counted.into_iter().unzip();
        ChunkTerms {
            terms,
            counts,
            lengths: self.lengths,
            names,
            folded_names,
        }
    }
}

thread_local! {
    /// A cache by hash: nothing but time depends on it, as long as no two words share 64 bits.
    static WORDS: RefCell<Words> = RefCell::default();
}

/// Identifiers whose terms are remembered; then it begins anew.
const MAX_WORDS: usize = 1 << 16;

/// The terms of identifiers met before.
#[derive(Default)]
struct Words {
    /// Hash of an identifier → where its terms stand in `terms`.
    known: FxHashMap<u64, (u32, u32)>,
    terms: Vec<u64>,
}

impl Words {
    fn terms_of(&mut self, identifier: &str) -> &[u64] {
        let key = xxh3_64(identifier.as_bytes());
        let (from, to) = match self.known.get(&key) {
            Some(&range) => range,
            None => self.learn(key, identifier),
        };
        self.terms
            .get(from as usize..to as usize)
            .unwrap_or_default()
    }

    fn learn(&mut self, key: u64, identifier: &str) -> (u32, u32) {
        if self.known.len() >= MAX_WORDS {
            self.known.clear();
            self.terms.clear();
        }
        let from = self.terms.len() as u32;
        for_each_token_of(identifier, |token| self.terms.push(term_hash(token.text)));
        let range = (from, self.terms.len() as u32);
        self.known.insert(key, range);
        range
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chunk<'a>(symbols: &'a [&'a str], body: &'a str) -> ChunkText<'a> {
        ChunkText {
            path: "src/router.rs",
            language: Language::Rust,
            symbols,
            passed_on: &[],
            doc: "Adds a route.",
            body,
        }
    }

    fn counts_of(terms: &ChunkTerms, token: &str) -> [u8; N_FIELDS] {
        terms
            .terms
            .binary_search(&term_hash(token))
            .map_or([0; N_FIELDS], |idx| terms.counts[idx])
    }

    #[test]
    fn terms_are_counted_by_field() {
        let terms = chunk_terms(&chunk(
            &["Router.add"],
            "fn add(&mut self, route: Route) {}",
        ));
        assert_eq!(counts_of(&terms, "add"), [1, 0, 1, 1]);
        assert_eq!(counts_of(&terms, "rout"), [1, 1, 1, 2]);
        assert_eq!(terms.names, [name_hash("add")]);
    }

    #[test]
    fn a_word_met_again_has_the_same_terms() {
        let mut words = Words::default();
        let mut expected = Vec::new();
        crate::tokenize::for_each_token("HandlerStack", |token| {
            expected.push(term_hash(token.text))
        });
        assert_eq!(words.terms_of("HandlerStack"), expected);
        assert_eq!(words.terms_of("add").len(), 1);
        assert_eq!(words.terms_of("HandlerStack"), expected);
    }

    #[test]
    fn without_symbols_definitions_are_read_from_the_lines() {
        let terms = chunk_terms(&chunk(&[], "object HandlerStack {\n"));
        assert_eq!(terms.names, [name_hash("HandlerStack")]);
        assert_eq!(terms.folded_names, [folded_name_hash("handler_stack")]);
    }

    #[test]
    fn words_and_names_have_numbers_of_their_own() {
        assert_ne!(term_hash("add"), name_hash("add"));
        assert_ne!(name_hash("add"), folded_name_hash("add"));
    }
}
