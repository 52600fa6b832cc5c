//! A snapshot whose sections come when they are asked for: over HTTP, by ranges of its file.
//!
//! The start of the file holds the table of sections. A question names the sections it reads; those that have not come are fetched,
//! compared with their checksums and unpacked. Texts and postings come block by block: an answer that met a block that is not there is
//! thrown away, the block fetched, and the question put again. What has not come is empty, never wrong: who asks must
//! have [`Partial::missing`] answered first.

use std::ops::Range;
use std::sync::Arc;

use super::container::{self, Section};
use super::open::blank;
use super::slot::Slot;
use super::{Held, PARTS, Part, Snapshot};
use crate::{Error, ErrorKind};

/// So many bytes of the start of a file are enough for [`Partial::new`].
pub const N_START: usize = container::HEAD;

/// What blocks of texts are called.
const BLOCK: &str = "block";
/// What blocks of postings are called.
const ROWS: &str = "rows";

/// A piece of a snapshot's file to fetch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wanted {
    /// Section, `block N` or `rows N`.
    pub name: String,
    /// Bytes of the file.
    pub range: Range<u64>,
}

/// See the module.
pub struct Partial {
    sections: Vec<Section>,
    snapshot: Arc<Snapshot>,
    has: [bool; PARTS.len()],
}

impl Partial {
    /// Reads the start of a file of `n_bytes`: [`N_START`] of them, or all.
    ///
    /// # Errors
    ///
    /// As [`Snapshot::open`].
    pub fn new(start: &[u8], n_bytes: usize) -> Result<Self, Error> {
        let mut snapshot = Snapshot::listed(start, n_bytes)?;
        let mut sections = Vec::new();
        for part in PARTS {
            let slot = &mut snapshot.slots[part as usize];
            sections.extend(slot.section.take());
            if !part.is_optional() {
                *slot = Slot::holding(blank(part)?);
            }
        }
        Ok(Self {
            sections,
            snapshot: Arc::new(snapshot),
            has: [false; PARTS.len()],
        })
    }

    /// Of these sections those that have not come and are in the file, in the order in which they must be given to
    /// [`Partial::provide`].
    #[must_use]
    pub fn missing(&self, names: &[&str]) -> Vec<Wanted> {
        let is_wanted = |part: &Part| names.contains(&part.name()) && !self.has[*part as usize];
        PARTS
            .into_iter()
            .filter(is_wanted)
            .filter_map(|part| {
                let range = self.section(part)?.range.clone();
                Some(Wanted {
                    name: part.name().to_owned(),
                    range: range.start as u64..range.end as u64,
                })
            })
            .collect()
    }

    /// Blocks of texts and postings that answers have met without finding them, since this was last asked.
    #[must_use]
    pub fn missing_blocks(&self) -> Vec<Wanted> {
        let wanted = |name: &str, number: u32, part: Part, range: Option<Range<u64>>| {
            let (range, section) = (range?, self.section(part)?);
            let first = section.range.start as u64;
            let range = first + range.start..first + range.end;
            (range.end <= section.range.end as u64).then(|| Wanted {
                name: format!("{name} {number}"),
                range,
            })
        };
        let mut missing = Vec::new();
        if let Some(postings) = self.snapshot.posting_store() {
            let numbers = postings.take_missing().into_iter();
            missing.extend(
                numbers.filter_map(|number| {
                    wanted(ROWS, number, Part::Rows, postings.range_of(number))
                }),
            );
        }
        if let Some(texts) = self.snapshot.texts() {
            let numbers = texts.take_missing().into_iter();
            missing.extend(
                numbers.filter_map(|number| {
                    wanted(BLOCK, number, Part::Blocks, texts.range_of(number))
                }),
            );
        }
        missing
    }

    /// Takes what was fetched under this name.
    ///
    /// # Errors
    ///
    /// `snapshot.checksum` where it is not what was written, `snapshot.damaged` where it is nothing that an engine writes.
    pub fn provide(&mut self, name: &str, bytes: &[u8]) -> Result<(), Error> {
        if let Some((kind, number)) = name.split_once(' ') {
            let number = number.parse().unwrap_or(u32::MAX);
            let (texts, postings) = (self.snapshot.texts(), self.snapshot.posting_store());
            let is_right = match kind {
                BLOCK => texts.is_some_and(|texts| texts.provide(number, bytes)),
                ROWS => postings.is_some_and(|postings| postings.provide(number, bytes)),
                _ => false,
            };
            return if is_right {
                Ok(())
            } else {
                Err(container::changed(name))
            };
        }
        let part = PARTS.into_iter().find(|part| part.name() == name);
        let section = part.and_then(|part| Some((part, self.section(part)?)));
        let Some((part, section)) = section else {
            let message = format!("the snapshot has no section {name}");
            return Err(Error::new(ErrorKind::SnapshotDamaged, message));
        };
        let mut next = self.next();
        let has = &self.has;
        next.take(part, section.clone(), bytes, &|part| has[part as usize])?;
        self.has[part as usize] = true;
        self.snapshot = Arc::new(next);
        Ok(())
    }

    /// Bytes that what has come takes in memory.
    #[must_use]
    pub fn n_bytes(&self) -> usize {
        let has = PARTS.into_iter().filter(|part| self.has[*part as usize]);
        let sections = has.map(|part| self.snapshot.size_of_held(part));
        sections.sum()
    }

    /// Lets go of all blocks of texts and postings, and of the sections that are not among these: they are missing again.
    pub fn forget_but(&mut self, names: &[&str]) {
        let mut next = self.next();
        for part in PARTS {
            let held = match self.snapshot.slots[part as usize].loaded() {
                Some(_) if !names.contains(&part.name()) => blank(part).ok(),
                Some(Held::Texts(texts)) => Some(Held::Texts(Arc::new(texts.emptied()))),
                Some(Held::Postings(postings)) => {
                    Some(Held::Postings(Arc::new(postings.emptied())))
                }
                _ => continue,
            };
            next.slots[part as usize] = held.map_or_else(Slot::default, Slot::holding);
            self.has[part as usize] &= names.contains(&part.name());
        }
        self.snapshot = Arc::new(next);
    }

    /// The snapshot, to be changed.
    fn next(&self) -> Snapshot {
        let mut next = Snapshot::assemble(Some(&self.snapshot), Vec::new());
        next.engine_version
            .clone_from(&self.snapshot.engine_version);
        next.sizes.clone_from(&self.snapshot.sizes);
        next
    }

    /// What has come so far; the rest is empty.
    #[must_use]
    pub fn snapshot(&self) -> Arc<Snapshot> {
        Arc::clone(&self.snapshot)
    }

    fn section(&self, part: Part) -> Option<&Section> {
        let mut sections = self.sections.iter();
        sections.find(|section| section.name == part.name())
    }
}

#[cfg(all(test, feature = "all-languages"))]
mod tests {
    use super::*;
    use crate::{Engine, EngineConfig, FindConfig, Reader, read_file};
    use syntax::{ParseConfig, Parsers};

    fn file() -> Vec<u8> {
        let mut engine = Engine::new(EngineConfig::default());
        let mut parsers = Parsers::new(ParseConfig::default());
        for n in 0..40 {
            let path = format!("src/{n:02}.py");
            let text = format!(
                "def name_{n}():\n    return {}\n\n\n",
                "1 + ".repeat(2_000) + "1"
            )
            .repeat(3);
            let unit = read_file(&mut parsers, &path, &text);
            engine.put(&path, text, unit);
        }
        engine.build(0.0).unwrap().to_bytes().to_vec()
    }

    fn give(partial: &mut Partial, file: &[u8], wanted: Vec<Wanted>) -> usize {
        let mut n_bytes = 0;
        for Wanted { name, range } in wanted {
            let bytes = &file[range.start as usize..range.end as usize];
            partial.provide(&name, bytes).unwrap();
            n_bytes += bytes.len();
        }
        n_bytes
    }

    #[test]
    fn a_symbol_is_found_without_texts_and_a_text_without_the_others() {
        let file = file();
        let mut partial = Partial::new(&file[..N_START.min(file.len())], file.len()).unwrap();
        let symbols = partial.missing(&["info", "files", "graph", "names"]);
        let n_symbols = give(&mut partial, &file, symbols);
        let reader = Reader::new(partial.snapshot());
        let config = FindConfig {
            kind: None,
            fuzzy: false,
            limit: 10,
        };
        assert_eq!(reader.find("name_7", &config).unwrap().symbols.len(), 3);

        let texts = partial.missing(&["texts", "graph"]);
        assert_eq!(texts.len(), 1);
        give(&mut partial, &file, texts);
        let reader = Reader::new(partial.snapshot());
        let last = reader.files().last().unwrap();
        assert!(reader.text(last).is_err());
        let blocks = partial.missing_blocks();
        assert_eq!(blocks.len(), 1);
        let n_block = give(&mut partial, &file, blocks);
        assert!(reader.text(last).unwrap().starts_with("def name_39"));
        assert!(n_symbols + n_block < file.len());
        assert_eq!(partial.missing_blocks(), []);
    }

    #[test]
    fn what_was_let_go_comes_again() {
        let file = file();
        let mut partial = Partial::new(&file, file.len()).unwrap();
        let symbols = ["info", "files", "graph", "names", "texts"];
        let read = |partial: &mut Partial| {
            let wanted = partial.missing(&symbols);
            let n_wanted = wanted.len();
            give(partial, &file, wanted);
            let reader = Reader::new(partial.snapshot());
            let last = reader.files().last().unwrap();
            assert!(reader.text(last).is_err());
            let n_before = partial.n_bytes();
            let blocks = partial.missing_blocks();
            give(partial, &file, blocks);
            assert!(reader.text(last).unwrap().starts_with("def name_39"));
            assert!(partial.n_bytes() > n_before);
            (n_wanted, n_before)
        };
        let first = read(&mut partial);
        partial.forget_but(&symbols);
        assert_eq!(read(&mut partial), (0, first.1));
        let words = ["info", "files", "chunks", "lexical", "postings"];
        let wanted = partial.missing(&words);
        give(&mut partial, &file, wanted);
        assert!(partial.n_bytes() > first.1);
        partial.forget_but(&["info"]);
        assert!(partial.n_bytes() < first.1 / 2);
        assert_eq!(read(&mut partial), (first.0 - 1, first.1));
    }

    #[test]
    fn what_is_wrong_is_refused_by_name() {
        let file = file();
        let mut partial = Partial::new(&file, file.len()).unwrap();
        for wanted in partial.missing(&[
            "info", "files", "chunks", "graph", "names", "lexical", "texts",
        ]) {
            let mut bytes = file[wanted.range.start as usize..wanted.range.end as usize].to_vec();
            bytes[9] ^= 1;
            let refused = partial.provide(&wanted.name, &bytes).unwrap_err();
            assert_eq!(refused.code(), "snapshot.checksum");
            bytes[9] ^= 1;
            assert!(partial.provide(&wanted.name, &bytes[1..]).is_err());
            partial.provide(&wanted.name, &bytes).unwrap();
        }
        assert_eq!(
            Partial::new(&file[..40], file.len()).err().unwrap().code(),
            "snapshot.truncated"
        );
        assert_eq!(
            Partial::new(b"<html>", 6).err().unwrap().code(),
            "snapshot.foreign"
        );
        assert_eq!(
            Partial::new(&file, file.len() - 16).err().unwrap().code(),
            "snapshot.truncated"
        );
    }
}
