//! Questions over an index in shards: its reader finds the shard of a file or symbol, and opens it.
//!
//! The graph and the texts are read through the same methods as those of one snapshot, and nodes have the same numbers,
//! so each question about symbols has one code for both. Questions about words, chunks and meanings do not: they need
//! statistics of all shards.

use std::ops::Range;

use graph::frozen::ArchivedGraph;
use graph::{ArchivedJoint, Parts};
use search::{ArchivedChunkTable, ChunkId, ShardPart, ShardQuery, Survey};
use snapshot::View;
use source::FileId;

use crate::{Error, ErrorKind, Index, Reader, Snapshot, SnapshotError};

/// Where a shard answers the rounds of a search.
#[derive(Debug, Clone, PartialEq)]
pub enum Held<T> {
    /// Here: its index is asked.
    Here,
    /// Elsewhere, with its answer; none where it has not come. A search goes on as if the shard had nothing.
    Away(Option<T>),
}

/// A shard that did not answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AbsentShard {
    /// Its number.
    pub shard: u16,
    /// Number of its files.
    pub n_files: u32,
    /// Why, as a code of errors: `shard.late`, `snapshot.not-found`.
    pub code: String,
    /// Why, as a sentence.
    pub message: String,
}

/// The shards of an index, opened when a question needs them.
pub trait ShardSource: Send + Sync {
    /// The joint of their graphs, which has been validated.
    fn joint(&self) -> &ArchivedJoint;

    /// The snapshot of a shard, which fits the joint.
    ///
    /// # Errors
    ///
    /// `snapshot.…` where it cannot be read.
    fn shard(&self, part: u16) -> Result<&Snapshot, SnapshotError>;

    /// The index over that snapshot, [`Index::among`] all chunks.
    ///
    /// # Errors
    ///
    /// As [`ShardSource::shard`].
    fn index(&self, part: u16) -> Result<&Index, Error>;

    /// The chunks of all shards, in a table that has been validated.
    fn chunks(&self) -> &ArchivedChunkTable;

    /// The first round of a search for a text, of a shard that may be elsewhere.
    fn survey(&self, _part: u16, _text: &str) -> Held<Survey> {
        Held::Here
    }

    /// The second round of a search, likewise.
    fn find(&self, _part: u16, _asked: &ShardQuery) -> Held<ShardPart> {
        Held::Here
    }

    /// Shards that did not answer this question, so that its answer is partial.
    fn absent(&self) -> &[AbsentShard] {
        &[]
    }
}

impl Parts for Reader {
    fn graph(&self, part: u16) -> Option<&ArchivedGraph> {
        Some(self.shard(part)?.graph())
    }
}

impl Reader {
    /// The contents of a shard; a fault is recorded for this question. None of a shard that is absent.
    pub(crate) fn shard(&self, part: u16) -> Option<View<'_>> {
        let shards = self.index().shards()?;
        if shards.absent().iter().any(|absent| absent.shard == part) {
            return None;
        }
        match shards.shard(part) {
            Ok(snapshot) => Some(snapshot.view(self.faults())),
            Err(fault) => {
                self.faults().put(&fault);
                None
            }
        }
    }

    /// The snapshot that has a file, and the number of the file in it.
    pub(crate) fn view_of(&self, file: FileId) -> Option<(View<'_>, usize)> {
        let Some(shards) = self.index().shards() else {
            return Some((self.view(), file.index()));
        };
        let joint = shards.joint();
        let part = joint.part_of_file.get(file.index())?.to_native();
        let files = joint.files_of(part);
        let local = files.binary_search_by_key(&file.0, |other| other.to_native());
        Some((self.shard(part)?, local.ok()?))
    }

    /// The chunks of a file, as a half-open range of their numbers in the whole index: no more than its shard has, whatever the root
    /// says. None where the shard is absent.
    pub(crate) fn chunks_of(&self, file: FileId) -> Range<u32> {
        let Some(shards) = self.index().shards() else {
            return self.view().lexical().chunks_of(file);
        };
        let Range { start, end } = shards.chunks().chunks_of(file);
        let own = self
            .view_of(file)
            .map(|(view, local)| view.lexical().chunks_of(FileId(local as u32)));
        let n_own = own.map_or(0, |own| own.len() as u32);
        start..end.min(start.saturating_add(n_own))
    }

    /// The snapshot that has a chunk of an index in shards, the number of the chunk in it, and its file in the whole index.
    pub(crate) fn part_of_chunk(&self, chunk: ChunkId) -> Option<(View<'_>, ChunkId, FileId)> {
        let table = self.index().shards()?.chunks();
        let file = table.file_of(chunk)?;
        let (view, local) = self.view_of(file)?;
        let own = view.lexical().chunks_of(FileId(local as u32));
        let within = chunk.0 - table.chunks_of(file).start;
        let own = own
            .start
            .checked_add(within)
            .filter(|own_chunk| own.contains(own_chunk))?;
        Some((view, ChunkId(own), file))
    }

    /// Shards that did not answer; the answer is partial where there are any.
    #[must_use]
    pub fn absent_shards(&self) -> &[AbsentShard] {
        self.index().shards().map_or(&[], ShardSource::absent)
    }

    /// Refuses a question that an index in shards cannot answer.
    ///
    /// # Errors
    ///
    /// `query.unsupported` where the index is in shards.
    pub fn needs_one_piece(&self, what: &str) -> Result<(), Error> {
        if self.index().shards().is_none() {
            return Ok(());
        }
        let message = format!("{what} cannot be answered over an index in shards yet");
        let help = "ask by name or search, or index in one piece";
        Err(Error::new(ErrorKind::QueryUnsupported, message).with_help(help))
    }
}
