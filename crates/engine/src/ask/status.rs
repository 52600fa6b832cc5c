//! What is in the index: counts, sizes, what was left out.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use snapshot::{ArchivedCounts, SectionKind, symbol_kind};

use crate::order::InOrder;
use crate::words::kind_name;
use crate::{FORMAT_VERSION, Reader};

/// The index at a glance.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Status {
    /// Name given to it.
    pub name: String,
    /// Version of the engine that built it.
    pub built_by: String,
    /// Milliseconds since 1970; 0 if unknown.
    pub built_at: f64,
    /// Version of the snapshot format.
    pub format_version: u32,
    /// Files.
    pub n_files: usize,
    /// Their bytes.
    pub n_bytes: u64,
    /// Their lines.
    pub n_lines: u64,
    /// Definitions.
    pub n_symbols: usize,
    /// Chunks.
    pub n_chunks: usize,
    /// Chunks with a vector.
    pub n_vectors: usize,
    /// Edges.
    pub n_edges: usize,
    /// Embedding model; empty if none.
    pub embedder: String,
    /// Its dimensions.
    pub dimensions: u32,
    /// Files by language, most first.
    pub languages: Vec<(String, usize)>,
    /// Definitions by kind, most first.
    pub kinds: Vec<(String, usize)>,
    /// Edges by kind, most first.
    pub edges: Vec<(String, usize)>,
    /// Bytes of the snapshot by section.
    pub sections: Vec<(String, usize)>,
    /// Files and folders left out.
    pub skipped: Vec<Note>,
    /// Files only partly understood.
    pub problems: Vec<Note>,
}

/// Something said about a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// The file.
    pub path: String,
    /// 0-based; 0 where it is about the whole file.
    pub line: u32,
    /// Stable word.
    pub code: String,
    /// For a person.
    pub message: String,
}

impl Reader {
    /// What was counted when the index was built. Linear in files.
    #[must_use]
    pub fn status(&self) -> Status {
        let info = self.view().info();
        let counts = &info.counts;
        let n_vectors = match self.snapshot().has(SectionKind::Vectors) {
            true => counts.n_vectors.to_native() as usize,
            false => 0,
        };
        Status {
            name: info.name.as_str().to_owned(),
            built_by: info.built_by.as_str().to_owned(),
            built_at: info.built_at.to_native(),
            format_version: FORMAT_VERSION,
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

/// How many of each that there is, most first, then by name.
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

/// Kinds of definitions by their words.
fn kinds(counts: &ArchivedCounts) -> impl Iterator<Item = (&'static str, usize)> + '_ {
    let counts = (0..).zip(counts.kinds.iter());
    counts.filter_map(|(number, count)| {
        let kind = symbol_kind(number)?;
        Some((kind_name(kind), count.to_native() as usize))
    })
}
