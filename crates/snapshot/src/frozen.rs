//! The sections that are the engine's own: what the index is, its files, their texts, columns of chunks, facts.
//!
//! Flat arrays with fixed-width numbers; ids out of range read as empty, so no archive can make a reader panic.

use rkyv::{Archive, Deserialize, Serialize};
use syntax::Language;

use crate::counts::Counts;

/// Name, model, counts, languages and skipped files of the index.
#[derive(Debug, Clone, Default, PartialEq, Archive, Serialize, Deserialize)]
pub struct Info {
    /// Name given to it.
    pub name: String,
    /// Version of the engine that built it.
    pub built_by: String,
    /// Milliseconds since 1970; 0 if unknown.
    pub built_at: f64,
    /// Embedding model; empty if none.
    pub embedder: String,
    /// Its dimensions.
    pub dimensions: u32,
    /// How much there is of what.
    pub counts: Counts,
    /// How the host read files, to be compared before it brings this index up to date.
    pub recipe: String,
    /// For each file its bytes and its time on the disk it came from, milliseconds since 1970; empty where no host said so.
    pub stamps: Vec<(u32, f64)>,
    /// Languages that the user brought, in the order of their numbers.
    pub languages: Vec<LanguageEntry>,
    /// Files and folders left out.
    pub skipped: Vec<SkippedEntry>,
    /// Files partly understood.
    pub problems: Vec<ProblemEntry>,
}

/// A language that the user brought.
#[derive(Debug, Clone, Default, PartialEq, Eq, Archive, Serialize, Deserialize)]
pub struct LanguageEntry {
    /// Its name.
    pub name: String,
    /// Endings of its files.
    pub extensions: Vec<String>,
}

/// A file or folder left out.
#[derive(Debug, Clone, Default, PartialEq, Eq, Archive, Serialize, Deserialize)]
pub struct SkippedEntry {
    /// Its path; a folder's ends in `/`.
    pub path: String,
    /// Stable word.
    pub code: String,
    /// For a person.
    pub message: String,
}

/// Why a file was only partly understood.
#[derive(Debug, Clone, Default, PartialEq, Eq, Archive, Serialize, Deserialize)]
pub struct ProblemEntry {
    /// Number of the file.
    pub file: u32,
    /// 0-based.
    pub line: u32,
    /// Stable word.
    pub code: String,
    /// For a person.
    pub message: String,
}

/// Strings one after another.
#[derive(Debug, Clone, Default, PartialEq, Eq, Archive, Serialize, Deserialize)]
pub struct Strings {
    /// All strings without separators.
    pub text: String,
    /// Byte offsets, one more than there are strings.
    pub offsets: Vec<u32>,
}

impl<'a> FromIterator<&'a str> for Strings {
    fn from_iter<I: IntoIterator<Item = &'a str>>(strings: I) -> Self {
        let mut all = Self {
            text: String::new(),
            offsets: vec![0],
        };
        for string in strings {
            all.text.push_str(string);
            all.offsets.push(all.text.len() as u32);
        }
        all
    }
}

impl ArchivedStrings {
    /// Number of strings.
    #[must_use]
    pub fn len(&self) -> usize {
        self.offsets.len().saturating_sub(1)
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// String `idx`.
    #[must_use]
    pub fn get(&self, idx: usize) -> Option<&str> {
        let start = self.offsets.get(idx)?.to_native() as usize;
        let end = self.offsets.get(idx + 1)?.to_native() as usize;
        self.text.as_str().get(start..end)
    }
}

/// The files in path order; one entry a file in every column.
#[derive(Debug, Clone, Default, PartialEq, Eq, Archive, Serialize, Deserialize)]
pub struct Files {
    /// Paths, rising.
    pub paths: Strings,
    /// Languages.
    pub languages: Vec<Language>,
    /// BLAKE3 of each text.
    pub digests: Vec<[u8; 32]>,
    /// Bytes of each text.
    pub n_bytes: Vec<u32>,
    /// Lines of each text.
    pub n_lines: Vec<u32>,
    /// The class of each path, as bits: see [`search::PathClass`].
    pub classes: Vec<u16>,
    /// Folders that hold files, directly or not; rising, so the root, the empty path, is the first.
    pub folders: Strings,
    /// BLAKE3 of the names and digests of each folder's entries, so that equal folders can be skipped; they follow from `digests`.
    pub folder_digests: Vec<[u8; 32]>,
}

impl ArchivedFiles {
    /// Number of files.
    #[must_use]
    pub fn len(&self) -> usize {
        self.paths.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The language of a file.
    #[must_use]
    pub fn language(&self, idx: usize) -> Language {
        let archived = self.languages.get(idx);
        // A fieldless enum: deserialising it copies a byte and cannot fail.
        let language = archived.map(rkyv::deserialize::<Language, rkyv::rancor::Error>);
        language.and_then(Result::ok).unwrap_or_default()
    }

    /// The number of the file with this path. Logarithmic; where it is not there, linear: paths under a key are in the order of what
    /// they were.
    #[must_use]
    pub fn find(&self, path: &str) -> Option<u32> {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low + (high - low) / 2;
            match self.paths.get(middle)?.cmp(path) {
                std::cmp::Ordering::Equal => return Some(middle as u32),
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        (0..self.len())
            .find(|idx| self.paths.get(*idx) == Some(path))
            .map(|idx| idx as u32)
    }

    /// BLAKE3 of a folder, the root without a path. Logarithmic.
    #[must_use]
    pub fn folder_digest(&self, path: &str) -> Option<[u8; 32]> {
        let (mut low, mut high) = (0, self.folders.len());
        while low < high {
            let middle = low.midpoint(high);
            match self.folders.get(middle)?.cmp(path) {
                std::cmp::Ordering::Equal => return self.folder_digests.get(middle).copied(),
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        None
    }

    /// BLAKE3 of the text of the file with this path.
    #[must_use]
    pub fn digest(&self, path: &str) -> Option<[u8; 32]> {
        self.digests.get(self.find(path)? as usize).copied()
    }

    /// First file at or behind a path.
    #[must_use]
    pub fn lower_bound(&self, path: &str) -> usize {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low.midpoint(high);
            if self.paths.get(middle).is_some_and(|known| known < path) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }

    /// One past the last file below a folder that starts at `first`.
    #[must_use]
    pub fn end_of(&self, folder: &str, first: usize) -> usize {
        // No path that starts with `folder/` is as large as `folder0`: `0` follows `/`.
        self.lower_bound(&format!("{folder}0")).max(first)
    }
}

/// Columns of chunks beside those of the lexical index; one entry a chunk in each.
#[derive(Debug, Clone, Default, PartialEq, Eq, Archive, Serialize, Deserialize)]
pub struct Chunks {
    /// Node of the definition it mainly consists of; `u32::MAX` if none.
    pub symbols: Vec<u32>,
    /// Kinds of the definitions that start in it, one bit for each [`syntax::facts::SymbolKind`].
    pub kinds: Vec<u32>,
    /// Of the keys of their embedding texts: vectors are of these texts.
    pub keys: u64,
}
