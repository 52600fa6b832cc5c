//! Whether sections fit together: each with itself, and with those that it is of.

use super::open::Has;
use super::{Held, Part, Snapshot, archived_in, damaged};
use crate::Error;
use crate::frozen::{Chunks, Files};
use ::graph::frozen::Graph;
use search::{Lexical, Names, Vectors};

impl Snapshot {
    /// Sections that were each written by an engine, but not of one index; columns that do not fit each other.
    pub(super) fn check(&self, part: Part, held: &Held, has: Has<'_>) -> Result<(), Error> {
        let same = |found: usize, expected: usize| {
            if found == expected {
                return Ok(());
            }
            let what = format!("it has {found} entries, {expected} were expected");
            Err(damaged(part, &what))
        };
        let n_files = || self.files().len();
        let n_chunks = || self.chunks().kinds.len();
        match (part, held) {
            (Part::Files, Held::Archive(bytes)) => {
                let files = archived_in::<Files>(bytes);
                let columns = [
                    files.n_bytes.len(),
                    files.languages.len(),
                    files.digests.len(),
                    files.n_lines.len(),
                    files.classes.len(),
                ];
                columns
                    .into_iter()
                    .try_for_each(|column| same(column, files.len()))
            }
            (Part::Chunks, Held::Archive(bytes)) => {
                let chunks = archived_in::<Chunks>(bytes);
                same(chunks.symbols.len(), chunks.kinds.len())
            }
            (Part::Graph, Held::Archive(bytes)) => {
                let graph = archived_in::<Graph>(bytes);
                if has(Part::Files) {
                    same(graph.n_files.to_native() as usize, n_files())?;
                }
                let valid = graph.validate();
                valid.map_err(|fault| damaged(part, fault))
            }
            (Part::Names, Held::Archive(bytes)) => {
                let valid = archived_in::<Names>(bytes).validate();
                valid.map_err(|error| damaged(part, &error.to_string()))
            }
            (Part::Lexical, Held::Archive(bytes)) => {
                let lexical = archived_in::<Lexical>(bytes);
                if has(Part::Files) {
                    same(lexical.n_files(), n_files())?;
                }
                if has(Part::Chunks) {
                    same(lexical.n_chunks(), n_chunks())?;
                }
                let valid = lexical.validate();
                valid.map_err(|error| damaged(part, &error.to_string()))
            }
            (Part::Postings, Held::Postings(postings)) if has(Part::Lexical) => {
                same(postings.n_terms(), self.lexical().terms.len())
            }
            (Part::Vectors, Held::Archive(bytes)) => {
                let vectors = archived_in::<Vectors>(bytes);
                if has(Part::Chunks) {
                    same(vectors.n_chunks(), n_chunks())?;
                }
                let valid = vectors.validate();
                valid.map_err(|error| damaged(part, &error.to_string()))
            }
            (Part::Texts, Held::Texts(texts)) if has(Part::Files) => same(texts.len(), n_files()),
            (Part::Facts, Held::Facts(facts)) if has(Part::Files) => same(facts.len(), n_files()),
            _ => Ok(()),
        }
    }
}
