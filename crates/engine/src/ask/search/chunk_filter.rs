//! Which chunks may answer a query: by file, kinds of definitions, syntax and complexity.

use std::cell::RefCell;

use rustc_hash::FxHashMap;
use search::ChunkId;
use source::FileId;

use crate::ask::search::SearchQuery;
use crate::{Error, ErrorKind, Reader};

/// Conditions on chunks beyond their file; the default passes every chunk.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ChunkConditions {
    /// Kinds of the syntax node that the chunk was cut at (`function_item`); any if empty.
    pub node_types: Vec<String>,
    /// Least cyclomatic complexity of the definition in it.
    pub min_complexity: u32,
    /// Greatest cyclomatic complexity; any if `None`.
    pub max_complexity: Option<u32>,
}

impl ChunkConditions {
    fn has_complexity(&self) -> bool {
        self.min_complexity > 0 || self.max_complexity.is_some()
    }
}

impl Reader {
    /// Checks that the conditions can be answered from what the snapshot holds.
    pub(crate) fn check_conditions(&self, only: &ChunkConditions) -> Result<(), Error> {
        if only.node_types.is_empty() {
            return Ok(());
        }
        // Facts that are damaged, or were not fetched, must not look like chunks without a type.
        if self.view().facts()?.is_some() {
            return self.facts_of(FileId(0)).map(|_| ());
        }
        let message = "node types are in the facts of an index, which are not here";
        Err(Error::new(ErrorKind::QueryUnsupported, message)
            .with_help("filter by `kinds`, or index again"))
    }

    pub(crate) fn chunk_filter<'a>(
        &'a self,
        query: &'a SearchQuery<'_>,
    ) -> impl Fn(ChunkId) -> bool + use<'a> {
        let kinds = query
            .kinds
            .iter()
            .fold(0, |bits, kind| bits | 1 << *kind as u32);
        let files: Option<Vec<bool>> = (!query.files.is_open()).then(|| {
            self.files()
                .map(|file| query.files.passes(self.path(file), self.language(file)))
                .collect()
        });
        let node_types = NodeTypes::default();
        move |chunk| {
            let passes = |file: FileId| {
                files
                    .as_ref()
                    .is_none_or(|files| files.get(file.index()) == Some(&true))
            };
            let has_kind = || {
                self.view()
                    .chunks()
                    .kinds
                    .get(chunk.index())
                    .is_some_and(|bits| bits.to_native() & kinds != 0)
            };
            let only = &query.only;
            self.view().lexical().file_of(chunk).is_some_and(passes)
                && (kinds == 0 || has_kind())
                && (!only.has_complexity() || self.has_complexity(chunk, only))
                && (only.node_types.is_empty() || node_types.has(self, chunk, &only.node_types))
        }
    }

    fn has_complexity(&self, chunk: ChunkId, only: &ChunkConditions) -> bool {
        let complexity = u32::from(self.complexity_of(chunk));
        let most = only.max_complexity.unwrap_or(u32::MAX);
        (only.min_complexity..=most).contains(&complexity)
    }
}

/// Whether each chunk of a file has one of the wanted node types, for the files that were asked about.
#[derive(Default)]
struct NodeTypes(RefCell<FxHashMap<FileId, Vec<bool>>>);

impl NodeTypes {
    fn has(&self, reader: &Reader, chunk: ChunkId, wanted: &[String]) -> bool {
        let Some(file) = reader.view().lexical().file_of(chunk) else {
            return false;
        };
        let mut known = self.0.borrow_mut();
        let of_file = known.entry(file).or_insert_with(|| {
            let facts = reader.facts_of(file).ok().flatten();
            let chunks = facts.map_or_else(Vec::new, |facts| facts.chunks);
            let is_wanted = |chunk: &syntax::facts::Chunk| wanted.contains(&chunk.node_kind);
            chunks.iter().map(is_wanted).collect()
        });
        let first = reader.view().lexical().chunks_of(file).start;
        let at = chunk.0.wrapping_sub(first) as usize;
        of_file.get(at) == Some(&true)
    }
}
