//! The flat forms that queries read, from memory or from a snapshot alike.
//!
//! Arrays of numbers only, fixed-width and little-endian, so that one file serves 32-bit wasm and 64-bit hosts. Bytes
//! of foreign origin are checked twice: `bytecheck` proves that they are arrays, [`ArchivedLexical::validate`] and its
//! siblings that their numbers point into each other. Queries read with `get` all the same.

use rkyv::rend::u32_le;
use rkyv::{Archive, Deserialize, Serialize};
use source::FileId;
use syntax::Language;

use crate::csr::{FrozenError, check_csr, csr, ensure};
use crate::paths::{PathBits, PathClass};
use crate::statistics::idf;
use crate::terms::N_FIELDS;

/// A chunk of one index, counted from 0 in file order. Meaningful only together with that index.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Archive, Serialize, Deserialize,
)]
#[rkyv(derive(Debug, Clone, Copy))]
pub struct ChunkId(pub u32);

impl ChunkId {
    /// As an index into columns that hold one entry a chunk.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Data of a chunk besides its terms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChunkMeta {
    /// The file it is part of.
    pub file: FileId,
    /// First byte in the file.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
    /// First line, 0-based.
    pub start_line: u32,
    /// Last line, 0-based, inclusive.
    pub end_line: u32,
    /// Language of the file.
    pub language: Language,
    /// See [`ChunkFlags`].
    pub flags: ChunkFlags,
}

bitflags::bitflags! {
    /// Properties of a chunk that ranking uses.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub struct ChunkFlags: u8 {
        /// Defines something visible outside its file.
        const EXPORTED = 1;
        /// A test by attribute, decorator or name, in any file.
        const TEST = 1 << 1;
        /// Holds nothing but imports, re-exports or a licence.
        const GLUE = 1 << 2;
    }
}

/// The lexical index: chunk columns, file columns, postings of terms and of defined names.
#[derive(Debug, Clone, PartialEq, Default, Archive, Serialize, Deserialize)]
pub struct Lexical {
    /// Per chunk: its file.
    pub chunk_files: Vec<u32>,
    /// Per chunk: start, end, first line, last line; as in [`ChunkMeta`].
    pub chunk_spans: Vec<[u32; 4]>,
    /// Per chunk: language of the file.
    pub chunk_languages: Vec<Language>,
    /// Per chunk: [`ChunkFlags`] as bits.
    pub chunk_flags: Vec<u8>,
    /// Per chunk: number of tokens in each field, in the order of [`crate::Field::ALL`].
    pub field_lengths: Vec<[u32; N_FIELDS]>,
    /// Per chunk: what one occurrence in each field counts. Follows from the lengths, see [`Lexical::weigh`].
    pub chunk_norms: Vec<[f32; N_FIELDS]>,
    /// Per file: first chunk; one more entry at the end.
    pub file_starts: Vec<u32>,
    /// Per file: its class by its path, such as a test or a licence.
    pub file_classes: Vec<PathBits>,
    /// Per file: first entry in `word_ends`; one more entry at the end.
    pub path_starts: Vec<u32>,
    /// Tokens of the files' stems and folders, one after the other.
    pub path_words: String,
    /// Per token of a path: its end in `path_words`.
    pub word_ends: Vec<u32>,
    /// Per file: how many of its tokens are of the stem; the rest are of the folder.
    pub stem_counts: Vec<u8>,
    /// Per file: the stem as a folded name.
    pub stem_names: Vec<u64>,
    /// Distinct terms, rising.
    pub terms: Vec<u64>,
    /// Per term: first posting; one more entry at the end.
    pub posting_starts: Vec<u32>,
    /// Chunk of each posting, rising within a term.
    pub posting_chunks: Vec<u32>,
    /// Per posting: count of the term in each field, see [`crate::counts`].
    pub posting_counts: Vec<u16>,
    /// Parameters that turn counts into weights.
    pub k1: f32,
    /// Weight of one occurrence in each field.
    pub field_weights: [f32; N_FIELDS],
    /// Length normalisation of each field.
    pub field_b: [f32; N_FIELDS],
    /// Distinct names (exact and folded), rising.
    pub names: Vec<u64>,
    /// Per name: first entry in `name_chunks`; one more at the end.
    pub name_starts: Vec<u32>,
    /// Chunks that define the name, rising within a name.
    pub name_chunks: Vec<u32>,
}

impl Lexical {
    /// Bytes that its archive takes, about: somewhat more than its columns.
    #[must_use]
    pub fn n_bytes(&self) -> usize {
        const CHUNK: usize = 4 + 4 * 4 + 2 + 2 * 4 * N_FIELDS;
        const FILE: usize = 3 * 4 + 1 + 8;
        let longs = self.terms.len() + self.names.len();
        let numbers = [
            self.posting_starts.len(),
            self.posting_chunks.len() * 2,
            self.name_starts.len(),
            self.name_chunks.len(),
            self.word_ends.len(),
        ];
        let numbers: usize = numbers.into_iter().sum();
        CHUNK * self.chunk_files.len()
            + FILE * self.file_starts.len()
            + self.path_words.len()
            + 8 * longs
            + 4 * numbers
            + 4096
    }
}

impl ArchivedLexical {
    /// Number of chunks.
    #[must_use]
    pub fn n_chunks(&self) -> usize {
        self.chunk_files.len()
    }

    /// Number of files.
    #[must_use]
    pub fn n_files(&self) -> usize {
        self.file_classes.len()
    }

    /// Returns the data of a chunk.
    #[must_use]
    pub fn chunk(&self, chunk: ChunkId) -> Option<ChunkMeta> {
        let idx = chunk.index();
        let [start, end, start_line, end_line] = self.chunk_spans.get(idx)?.map(u32_le::to_native);
        Some(ChunkMeta {
            file: self.file_of(chunk)?,
            start,
            end,
            start_line,
            end_line,
            language: language_of(self.chunk_languages.get(idx)?),
            flags: ChunkFlags::from_bits_retain(*self.chunk_flags.get(idx)?),
        })
    }

    /// The file of a chunk.
    #[must_use]
    pub fn file_of(&self, chunk: ChunkId) -> Option<FileId> {
        Some(FileId(self.chunk_files.get(chunk.index())?.to_native()))
    }

    /// The chunks of a file, as a half-open range of [`ChunkId`]s.
    #[must_use]
    pub fn chunks_of(&self, file: FileId) -> std::ops::Range<u32> {
        let at = |idx: usize| {
            self.file_starts
                .get(idx)
                .map_or(0, |start| start.to_native())
        };
        at(file.index())..at(file.index() + 1)
    }

    /// Returns the class of a file by its path.
    #[must_use]
    pub fn path_class(&self, file: FileId) -> PathClass {
        PathClass::from_bits_retain(
            self.file_classes
                .get(file.index())
                .map_or(0, |bits| bits.0.to_native()),
        )
    }

    /// Returns the class of a chunk: that of its path and of its own contents.
    #[must_use]
    pub fn class(&self, chunk: ChunkId) -> PathClass {
        let flags = self
            .chunk_flags
            .get(chunk.index())
            .map_or(ChunkFlags::empty(), |&bits| {
                ChunkFlags::from_bits_retain(bits)
            });
        let mut class = self
            .file_of(chunk)
            .map_or(PathClass::empty(), |file| self.path_class(file));
        class.set(
            PathClass::TEST,
            class.contains(PathClass::TEST) || flags.contains(ChunkFlags::TEST),
        );
        class.set(
            PathClass::GLUE,
            class.contains(PathClass::GLUE) || flags.contains(ChunkFlags::GLUE),
        );
        class
    }

    /// Tokens of the file's stem, tokens of its folder.
    #[must_use]
    pub fn path_words(&self, file: FileId) -> (Vec<&str>, Vec<&str>) {
        let ends = csr(&self.path_starts, &self.word_ends, file.index());
        let first = self
            .path_starts
            .get(file.index())
            .map_or(0, |start| start.to_native());
        let mut start = first
            .checked_sub(1)
            .and_then(|idx| self.word_ends.get(idx as usize))
            .map_or(0, |end| end.to_native());
        let mut words: Vec<&str> = Vec::with_capacity(ends.len());
        for end in ends {
            words.push(
                self.path_words
                    .get(start as usize..end.to_native() as usize)
                    .unwrap_or(""),
            );
            start = end.to_native();
        }
        let n_stem = self
            .stem_counts
            .get(file.index())
            .map_or(0, |&n| usize::from(n))
            .min(words.len());
        let folder = words.split_off(n_stem);
        (words, folder)
    }

    pub(crate) fn term(&self, term: u64) -> Option<usize> {
        self.terms
            .binary_search_by_key(&term, |hash| hash.to_native())
            .ok()
    }

    /// Number of postings.
    #[must_use]
    pub fn n_postings(&self) -> usize {
        self.posting_starts
            .last()
            .map_or(0, |end| end.to_native() as usize)
    }

    /// Returns true if the postings are in these columns; otherwise the opener supplies them: see [`PostingRows`].
    #[must_use]
    pub fn has_rows(&self) -> bool {
        !self.posting_chunks.is_empty() || self.n_postings() == 0
    }

    /// The chunks that define a name, given as [`crate::name_hash`] or [`crate::folded_name_hash`].
    #[must_use]
    pub fn defining(&self, name: u64) -> &[u32_le] {
        match self
            .names
            .binary_search_by_key(&name, |hash| hash.to_native())
        {
            Ok(idx) => csr(&self.name_starts, &self.name_chunks, idx),
            Err(_) => &[],
        }
    }

    /// Returns true if a chunk defines a name, given as for [`ArchivedLexical::defining`].
    #[must_use]
    pub fn defines(&self, name: u64, chunk: ChunkId) -> bool {
        self.defining(name)
            .binary_search_by_key(&chunk.0, |id| id.to_native())
            .is_ok()
    }

    /// Inverse document frequency as in Lucene: never negative, 0 for a term that no chunk holds.
    #[must_use]
    pub fn idf(&self, document_frequency: usize) -> f32 {
        idf(self.n_chunks(), document_frequency)
    }

    /// Checks that the arrays are consistent. Linear; done once when a snapshot is opened.
    ///
    /// # Errors
    /// Names the array that does not.
    pub fn validate(&self) -> Result<(), FrozenError> {
        let (n_chunks, n_files) = (self.n_chunks(), self.n_files());
        let n_postings = match self.has_rows() {
            true => self.posting_chunks.len(),
            false => self.n_postings(),
        };
        let columns = [
            self.chunk_spans.len(),
            self.chunk_languages.len(),
            self.chunk_flags.len(),
            self.field_lengths.len(),
            self.chunk_norms.len(),
        ];
        ensure(
            columns == [n_chunks; 5],
            "chunks",
            "columns differ in length",
        )?;
        ensure(
            self.chunk_files
                .iter()
                .all(|file| (file.to_native() as usize) < n_files),
            "chunks",
            "a file that is not there",
        )?;
        ensure(
            self.stem_counts.len() == n_files && self.stem_names.len() == n_files,
            "files",
            "columns differ in length",
        )?;
        check_csr(&self.file_starts, n_files, n_chunks, "files")?;
        check_csr(&self.path_starts, n_files, self.word_ends.len(), "paths")?;
        check_csr(
            &self.posting_starts,
            self.terms.len(),
            n_postings,
            "postings",
        )?;
        ensure(
            self.posting_counts.len() == self.posting_chunks.len(),
            "postings",
            "columns differ in length",
        )?;
        check_csr(
            &self.name_starts,
            self.names.len(),
            self.name_chunks.len(),
            "names",
        )?;
        let in_range = |ids: &[u32_le]| ids.iter().all(|id| (id.to_native() as usize) < n_chunks);
        ensure(
            in_range(&self.posting_chunks),
            "postings",
            "a chunk that is not there",
        )?;
        ensure(
            in_range(&self.name_chunks),
            "names",
            "a chunk that is not there",
        )?;
        ensure(
            self.terms.is_sorted_by_key(|term| term.to_native()),
            "terms",
            "out of order",
        )?;
        ensure(
            self.names.is_sorted_by_key(|name| name.to_native()),
            "names",
            "out of order",
        )
    }
}

pub(crate) fn language_of(archived: &rkyv::Archived<Language>) -> Language {
    // A fieldless enum: deserialising copies one byte and cannot fail.
    rkyv::deserialize::<Language, rkyv::rancor::Error>(archived).unwrap_or_default()
}
