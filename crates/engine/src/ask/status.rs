//! Statistics of the index: counts, sizes, and files that were left out.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use snapshot::{ArchivedCounts, SectionKind, symbol_kind};

use crate::words::kind_name;
use crate::{FORMAT_VERSION, Reader};
use syntax::order::InOrder;

/// Statistics of an index.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Status {
    /// Name of the index.
    pub name: String,
    /// Version of the engine that built it.
    pub built_by: String,
    /// Time of the build, in milliseconds since 1970; 0 if unknown.
    pub built_at: f64,
    /// Version of the snapshot format.
    pub format_version: u32,
    /// Number of shards; `None` for an index in one piece.
    pub n_shards: Option<usize>,
    /// Number of files.
    pub n_files: usize,
    /// Number of bytes of the files.
    pub n_bytes: u64,
    /// Number of lines of the files.
    pub n_lines: u64,
    /// Number of definitions.
    pub n_symbols: usize,
    /// Number of chunks.
    pub n_chunks: usize,
    /// Number of chunks with a vector.
    pub n_vectors: usize,
    /// Number of edges.
    pub n_edges: usize,
    /// Name of the embedding model; empty if none.
    pub embedder: String,
    /// Dimensions of its vectors.
    pub dimensions: u32,
    /// Number of files by language, most first.
    pub languages: Vec<(String, usize)>,
    /// Number of definitions by kind, most first.
    pub kinds: Vec<(String, usize)>,
    /// Number of edges by kind, most first.
    pub edges: Vec<(String, usize)>,
    /// Number of bytes of the snapshot by section.
    pub sections: Vec<(String, usize)>,
    /// Files and folders that were left out.
    pub skipped: Vec<Note>,
    /// Files that were only partly understood.
    pub problems: Vec<Note>,
}

/// A note about a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// The file.
    pub path: String,
    /// 0-based line; 0 if the note is about the whole file.
    pub line: u32,
    /// Stable code of the note.
    pub code: String,
    /// Message for a person.
    pub message: String,
}

impl Reader {
    /// Returns the statistics of the index, mostly as counted when it was built. Linear in files.
    #[must_use]
    pub fn status(&self) -> Status {
        let info = self.view().info();
        let counts = &info.counts;
        let n_shards = (self.index().shards()).map(|shards| shards.joint().n_parts());
        let n_vectors = match n_shards.is_some() || self.snapshot().has(SectionKind::Vectors) {
            true => counts.n_vectors.to_native() as usize,
            false => 0,
        };
        Status {
            name: info.name.as_str().to_owned(),
            built_by: info.built_by.as_str().to_owned(),
            built_at: info.built_at.to_native(),
            format_version: FORMAT_VERSION,
            n_shards,
            n_files: self.n_files(),
            n_bytes: self.files().map(|file| u64::from(self.n_bytes(file))).sum(),
            n_lines: self.files().map(|file| u64::from(self.n_lines(file))).sum(),
            n_symbols: counts.n_symbols.to_native() as usize,
            n_chunks: counts.n_chunks.to_native() as usize,
            n_vectors,
            n_edges: counts.n_edges.to_native() as usize,
            embedder: info.embedder.as_str().to_owned(),
            dimensions: info.dimensions.to_native(),
            languages: counted(self.files().map(|file| (self.language_name(file), 1))),
            kinds: counted(kinds(counts)),
            edges: counted(counts.edges()),
            sections: self
                .snapshot()
                .sections()
                .map(|(name, size)| (name.to_owned(), size))
                .collect(),
            skipped: self.skipped(),
            problems: self.problems(),
        }
    }

    fn skipped(&self) -> Vec<Note> {
        let entries = self.view().info().skipped.iter();
        let note = |path: &str, code: &str, message: &str| Note {
            path: path.to_owned(),
            line: 0,
            code: code.to_owned(),
            message: message.to_owned(),
        };
        entries
            .map(|entry| note(&entry.path, &entry.code, &entry.message))
            .collect()
    }

    fn problems(&self) -> Vec<Note> {
        let entries = self.view().info().problems.iter();
        entries
            .map(|entry| Note {
                path: self.path(source::FileId(entry.file.to_native())).to_owned(),
                line: entry.line.to_native(),
                code: entry.code.as_str().to_owned(),
                message: entry.message.as_str().to_owned(),
            })
            .collect()
    }
}

/// Sums the counts of each name, most first, then by name.
fn counted<'a>(names: impl Iterator<Item = (&'a str, usize)>) -> Vec<(String, usize)> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for (name, count) in names.filter(|(_, count)| *count > 0) {
        *counts.entry(name).or_default() += count;
    }
    let mut counts: Vec<(String, usize)> = counts
        .into_iter()
        .map(|(name, count)| (name.to_owned(), count))
        .collect();
    counts.order_by_key(|(_, count)| Reverse(*count));
    counts
}

/// Names of the kinds of definitions, with their counts.
fn kinds(counts: &ArchivedCounts) -> impl Iterator<Item = (&'static str, usize)> + '_ {
    let counts = (0..).zip(counts.kinds.iter());
    counts.filter_map(|(number, count)| {
        let kind = symbol_kind(number)?;
        Some((kind_name(kind), count.to_native() as usize))
    })
}
