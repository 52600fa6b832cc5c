//! The lexical data of the chunks of one file, computed where it is parsed, without any other file.

use std::cell::RefCell;
use std::ops::Range;

use rkyv::{Archive, Deserialize, Serialize};
use rustc_hash::FxHashMap;
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use crate::definitions::defined_names;
use crate::tokenize::{for_each_token_of, hashed_identifiers, normalize_identifier};
use crate::{counts, paths};

/// Keeps names apart from words in the space of term hashes.
const NAME_SEED: u64 = 0x6e61_6d65;
/// Keeps names that are passed on apart from those that are defined.
const PASSED_ON_SEED: u64 = 0x7061_7373;
/// Keeps names whose case is disregarded apart from both.
const FOLDED_NAME_SEED: u64 = 0x666f_6c64;

/// A chunk as text, with its properties.
#[derive(Debug, Clone, Copy)]
pub struct ChunkText<'a> {
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

/// Field of a chunk that contains a term.
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

/// Number of [`Field`]s.
pub const N_FIELDS: usize = 4;

impl Field {
    /// All, in the order in which they are counted.
    pub const ALL: [Field; N_FIELDS] = [Field::Name, Field::Path, Field::Doc, Field::Body];

    /// Returns the bit of this field in a set of fields.
    #[must_use]
    pub fn bit(self) -> u8 {
        1 << self as u8
    }
}

/// The terms of the chunks of a file, counted by field. A word in several chunks is stored once, with its number in
/// each.
#[derive(Debug, Clone, PartialEq, Eq, Default, Archive, Serialize, Deserialize)]
pub struct FileTerms {
    /// Distinct terms as [`term_hash`], in the order in which the file has them.
    pub(crate) terms: Vec<u64>,
    /// Places in `terms`: those of the first chunk, each once, then those of the second, …
    pub(crate) places: Vec<u32>,
    /// For each of `places`, the counts of the term in the fields of the chunk: see [`crate::counts`].
    pub(crate) counts: Vec<u16>,
    /// End of each chunk's places.
    pub(crate) ends: Vec<u32>,
    /// Number of tokens in each field of each chunk.
    pub(crate) lengths: Vec<[u32; N_FIELDS]>,
    /// Simple names defined in each chunk as [`name_hash`] and as [`folded_name_hash`], those passed on as [`passed_on_hash`]; each once
    /// a chunk.
    pub(crate) names: Vec<u64>,
    /// End of each chunk's names.
    pub(crate) name_ends: Vec<u32>,
}

impl FileTerms {
    /// Number of chunks.
    #[must_use]
    pub fn n_chunks(&self) -> usize {
        self.ends.len()
    }

    /// Takes everything out and keeps the room.
    fn clear(&mut self) {
        self.terms.clear();
        self.places.clear();
        self.counts.clear();
        self.ends.clear();
        self.lengths.clear();
        self.names.clear();
        self.name_ends.clear();
    }

    /// Returns true if the arrays are consistent, as [`TermCounter`] builds them.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        let are_ends = |ends: &[u32], end: usize| {
            ends.is_sorted() && ends.last().map_or(0, |last| *last as usize) == end
        };
        self.lengths.len() == self.n_chunks()
            && self.name_ends.len() == self.n_chunks()
            && self.counts.len() == self.places.len()
            && are_ends(&self.ends, self.places.len())
            && are_ends(&self.name_ends, self.names.len())
            && self
                .places
                .iter()
                .all(|place| (*place as usize) < self.terms.len())
    }
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

/// `Router.add` → `add`, `a::b` → `b`.
fn simple_name(symbol: &str) -> &str {
    symbol
        .rsplit(['.', ':', '#', '/', '\\'])
        .next()
        .unwrap_or(symbol)
}

/// Counts the terms of a file, chunk by chunk. Linear in the text; words met before in this thread cost a look-up.
pub struct TermCounter<'a> {
    path: &'a str,
    words: Words,
    /// Terms of the present chunk, and of the file, by number.
    met: Vec<u32>,
    met_in_file: Vec<u32>,
    /// Grows from file to file in this thread; the file's terms are a copy, which has no room to grow.
    counted: FileTerms,
}

impl<'a> TermCounter<'a> {
    /// For the file at `path`, `/` between folders.
    #[must_use]
    pub fn new(path: &'a str) -> TermCounter<'a> {
        let mut words = WORDS.take();
        if words.known.len() >= MAX_WORDS {
            words = Words::default();
        }
        let mut counted = COUNTED.take();
        counted.clear();
        TermCounter {
            path,
            words,
            met: Vec::new(),
            met_in_file: Vec::new(),
            counted,
        }
    }

    /// The next chunk.
    pub fn add(&mut self, chunk: &ChunkText<'_>) {
        let guessed;
        let symbols = if chunk.symbols.is_empty() {
            guessed = defined_names(chunk.body);
            &guessed[..]
        } else {
            chunk.symbols
        };
        let (path, mut lengths) = (self.path, [0; N_FIELDS]);
        let mut count = |field, text| lengths[field as usize] += self.count(field, text);
        symbols.iter().for_each(|symbol| count(Field::Name, symbol));
        paths::words(path).for_each(|word| count(Field::Path, word));
        count(Field::Doc, chunk.doc);
        count(Field::Body, chunk.body);
        self.counted.lengths.push(lengths);
        self.end_chunk();
        self.add_names(symbols, chunk.passed_on);
    }

    /// The terms of all chunks.
    #[must_use]
    pub fn finish(mut self) -> FileTerms {
        for number in self.met_in_file {
            self.words.slots[number as usize].place = NOWHERE;
        }
        WORDS.set(self.words);
        let terms = self.counted.clone();
        COUNTED.set(self.counted);
        terms
    }

    /// Gives the number of tokens.
    fn count(&mut self, field: Field, text: &str) -> u32 {
        let mut n_tokens = 0;
        for (hash, identifier) in hashed_identifiers(text) {
            let range = self.words.terms_of(hash, identifier);
            n_tokens += range.len() as u32;
            for &number in &self.words.terms[range] {
                let counts = &mut self.words.slots[number as usize].counts;
                if *counts == [0; N_FIELDS] {
                    self.met.push(number);
                }
                counts[field as usize] = counts[field as usize].saturating_add(1);
            }
        }
        n_tokens
    }

    fn end_chunk(&mut self) {
        let counted = &mut self.counted;
        for number in self.met.drain(..) {
            let slot = &mut self.words.slots[number as usize];
            if slot.place == NOWHERE {
                slot.place = counted.terms.len() as u32;
                counted.terms.push(slot.term);
                self.met_in_file.push(number);
            }
            counted.places.push(slot.place);
            counted.counts.push(counts::pack(&slot.counts));
            slot.counts = [0; N_FIELDS];
        }
        counted.ends.push(counted.places.len() as u32);
    }

    fn add_names(&mut self, symbols: &[&str], passed_on: &[&str]) {
        let names = &mut self.counted.names;
        let first = names.len();
        for name in symbols.iter().map(|symbol| simple_name(symbol)) {
            if !name.is_empty() {
                names.extend([name_hash(name), folded_name_hash(name)]);
            }
        }
        names.extend(passed_on.iter().map(|name| passed_on_hash(name)));
        let mut own = names.split_off(first);
        own.sort_unstable();
        own.dedup();
        names.append(&mut own);
        self.counted.name_ends.push(names.len() as u32);
    }
}

thread_local! {
    /// A cache by hash: nothing but time depends on it, as long as no two words share 64 bits.
    static WORDS: RefCell<Words> = RefCell::default();
    static COUNTED: RefCell<FileTerms> = RefCell::default();
}

/// Maximum number of identifiers whose terms are remembered; beyond it the next file starts with none.
const MAX_WORDS: usize = 1 << 16;

/// The terms of identifiers met before, by number.
#[derive(Default)]
struct Words {
    /// Hash of an identifier → range of its terms' numbers in `terms`.
    known: FxHashMap<u64, (u32, u32)>,
    terms: Vec<u32>,
    numbers: FxHashMap<u64, u32>,
    slots: Vec<Slot>,
}

/// A term, and its counts while a file is read.
struct Slot {
    term: u64,
    /// Its place in [`FileTerms::terms`].
    place: u32,
    /// Its counts in the present chunk.
    counts: [u8; N_FIELDS],
}

/// Not in the file so far.
const NOWHERE: u32 = u32::MAX;

impl Words {
    fn terms_of(&mut self, hash: u64, identifier: &str) -> Range<usize> {
        let (from, to) = match self.known.get(&hash) {
            Some(&range) => range,
            None => self.learn(hash, identifier),
        };
        from as usize..to as usize
    }

    fn learn(&mut self, hash: u64, identifier: &str) -> (u32, u32) {
        let from = self.terms.len() as u32;
        for_each_token_of(identifier, |token| {
            let term = term_hash(token.text);
            let number = *self.numbers.entry(term).or_insert_with(|| {
                self.slots.push(Slot {
                    term,
                    place: NOWHERE,
                    counts: [0; N_FIELDS],
                });
                self.slots.len() as u32 - 1
            });
            self.terms.push(number);
        });
        let range = (from, self.terms.len() as u32);
        self.known.insert(hash, range);
        range
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(chunks: &[ChunkText<'_>]) -> FileTerms {
        let mut counter = TermCounter::new("src/router.rs");
        chunks.iter().for_each(|chunk| counter.add(chunk));
        counter.finish()
    }

    fn chunk<'a>(symbols: &'a [&'a str], body: &'a str) -> ChunkText<'a> {
        ChunkText {
            symbols,
            passed_on: &[],
            doc: "Adds a route.",
            body,
        }
    }

    /// Packed counts of a token in a chunk.
    fn counts_of(terms: &FileTerms, chunk: usize, token: &str) -> u16 {
        let start = chunk.checked_sub(1).map_or(0, |before| terms.ends[before]);
        let places = start as usize..terms.ends[chunk] as usize;
        let mut counts = places.filter(|at| {
            let place = terms.places[*at];
            terms.terms[place as usize] == term_hash(token)
        });
        counts.next().map_or(0, |at| terms.counts[at])
    }

    #[test]
    fn terms_are_counted_by_field() {
        let terms = count(&[chunk(&["Router.add"], "fn add(&mut self, route: Route) {}")]);
        assert_eq!(counts_of(&terms, 0, "add"), counts::pack(&[1, 0, 1, 1]));
        assert_eq!(counts_of(&terms, 0, "rout"), counts::pack(&[1, 1, 1, 2]));
        let mut names = [name_hash("add"), folded_name_hash("add")];
        names.sort_unstable();
        assert_eq!(terms.names, names);
        assert!(terms.is_sound());
    }

    #[test]
    fn each_chunk_has_its_own_counts() {
        let chunks = [chunk(&["a1"], "route"), chunk(&["b1"], "route route")];
        let terms = count(&chunks);
        assert_eq!(counts_of(&terms, 0, "rout"), counts::pack(&[0, 1, 1, 1]));
        assert_eq!(counts_of(&terms, 1, "rout"), counts::pack(&[0, 1, 1, 2]));
        assert_eq!(counts_of(&terms, 1, "a1"), 0);
        // Earlier counts leave no trace.
        assert_eq!(count(&chunks), terms);
        let damaged = FileTerms {
            ends: vec![9, 2],
            ..terms
        };
        assert!(!damaged.is_sound());
    }

    #[test]
    fn a_word_met_again_has_the_same_terms() {
        let mut words = Words::default();
        let mut expected = Vec::new();
        crate::tokenize::for_each_token("HandlerStack", |token| {
            expected.push(term_hash(token.text))
        });
        let mut terms_of = |hash, identifier| {
            let range = words.terms_of(hash, identifier);
            let numbers = words.terms[range].iter();
            numbers
                .map(|number| words.slots[*number as usize].term)
                .collect::<Vec<_>>()
        };
        assert_eq!(terms_of(1, "HandlerStack"), expected);
        assert_eq!(terms_of(2, "add").len(), 1);
        assert_eq!(terms_of(1, "HandlerStack"), expected);
    }

    #[test]
    fn without_symbols_definitions_are_read_from_the_lines() {
        let terms = count(&[chunk(&[], "object HandlerStack {\n")]);
        assert!(terms.names.contains(&name_hash("HandlerStack")));
        let folded = folded_name_hash("handler_stack");
        assert!(terms.names.contains(&folded));
        assert_eq!(terms.names.len(), 2);
    }

    #[test]
    fn words_and_names_have_numbers_of_their_own() {
        assert_ne!(term_hash("add"), name_hash("add"));
        assert_ne!(name_hash("add"), folded_name_hash("add"));
    }
}
