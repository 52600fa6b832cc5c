//! Whether sections fit together: each with itself, and with those that it is of.

use super::open::Has;
use super::{Section, SectionKind, Snapshot, archived_in, damaged};
use crate::Error;
use crate::frozen::{ArchivedFiles, Chunks, Files, Info};
use ::graph::frozen::Graph;
use search::{Lexical, Names, Vectors};

impl Snapshot {
    /// Checks a section that was put in from outside, and is an archive of its type: its columns, and that it fits those
    /// beside it.
    ///
    /// # Errors
    ///
    /// `snapshot.damaged`.
    pub fn check_section(&self, kind: SectionKind) -> Result<(), Error> {
        match self.try_load(kind)? {
            Some(held) => self.check(kind, held, &|kind| kind == SectionKind::Files),
            None => Err(damaged(kind, "it is missing")),
        }
    }

    /// Sections that were each written by an engine, but not of one index; columns that do not fit each other.
    pub(super) fn check(
        &self,
        kind: SectionKind,
        held: &Section,
        has: Has<'_>,
    ) -> Result<(), Error> {
        let same = |found, expected| same(kind, found, expected);
        let n_files = || Ok(self.try_archive::<Files>(SectionKind::Files)?.len());
        let n_chunks = || Ok(self.try_archive::<Chunks>(SectionKind::Chunks)?.kinds.len());
        match (kind, held) {
            (SectionKind::Files, Section::Archive(bytes)) => {
                let files = archived_in::<Files>(bytes);
                let mut columns = columns(files).into_iter();
                columns.try_for_each(|column| same(column, files.len()))
            }
            (SectionKind::Chunks, Section::Archive(bytes)) => {
                let chunks = archived_in::<Chunks>(bytes);
                same(chunks.symbols.len(), chunks.kinds.len())
            }
            (SectionKind::Graph, Section::Archive(bytes)) => {
                let graph = archived_in::<Graph>(bytes);
                if has(SectionKind::Files) {
                    same(graph.n_files.to_native() as usize, n_files()?)?;
                }
                let valid = graph.validate();
                valid.map_err(|fault| damaged(kind, fault))
            }
            (SectionKind::Names, Section::Archive(bytes)) => {
                let valid = archived_in::<Names>(bytes).validate();
                valid.map_err(|error| damaged(kind, &error.to_string()))
            }
            (SectionKind::Lexical, Section::Archive(bytes)) => {
                let lexical = archived_in::<Lexical>(bytes);
                if has(SectionKind::Files) {
                    same(lexical.n_files(), n_files()?)?;
                }
                if has(SectionKind::Chunks) {
                    same(lexical.n_chunks(), n_chunks()?)?;
                }
                let valid = lexical.validate();
                valid.map_err(|error| damaged(kind, &error.to_string()))
            }
            (SectionKind::Postings, Section::Postings(postings)) if has(SectionKind::Lexical) => {
                same(
                    postings.n_terms(),
                    self.try_archive::<Lexical>(SectionKind::Lexical)?
                        .terms
                        .len(),
                )
            }
            (SectionKind::Vectors, Section::Archive(bytes)) => {
                let vectors = archived_in::<Vectors>(bytes);
                if has(SectionKind::Chunks) {
                    same(vectors.n_chunks(), n_chunks()?)?;
                }
                if has(SectionKind::Info) {
                    let info = self.try_archive::<Info>(SectionKind::Info)?;
                    let (dim, known) = (vectors.dim.to_native(), info.dimensions.to_native());
                    same(dim as usize, known as usize)?;
                }
                let valid = vectors.validate();
                valid.map_err(|error| damaged(kind, &error.to_string()))
            }
            (SectionKind::Texts, Section::Texts(texts)) if has(SectionKind::Files) => {
                same(texts.len(), n_files()?)
            }
            (SectionKind::Facts, Section::Facts(facts)) if has(SectionKind::Files) => {
                same(facts.len(), n_files()?)
            }
            _ => Ok(()),
        }
    }
}

fn same(kind: SectionKind, found: usize, expected: usize) -> Result<(), Error> {
    if found == expected {
        return Ok(());
    }
    let what = format!("it has {found} entries, {expected} were expected");
    Err(damaged(kind, &what))
}

/// The lengths of the columns, one entry for each file.
fn columns(files: &ArchivedFiles) -> [usize; 5] {
    [
        files.n_bytes.len(),
        files.languages.len(),
        files.digests.len(),
        files.n_lines.len(),
        files.classes.len(),
    ]
}
