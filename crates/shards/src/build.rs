//! Builds an index in shards in two passes, with one shard in memory at a time.
//!
//! The resolver reads of another file its declarations, imports and values, never its uses. So the first pass keeps of
//! each file its interface only; the second resolves the uses of each shard against the interfaces of all. Edges are
//! those of an index in one piece.

use std::collections::BTreeMap;
use std::sync::Arc;

use engine::{AllFiles, Engine, EngineConfig, Error, JointBuilder, Packers, Skipped, Snapshot};

use crate::root::{Root, ShardEntry};

/// The first pass: takes the files of each shard.
pub struct ShardsBuilder {
    all: AllFiles,
    shard_of: BTreeMap<String, u16>,
}

impl ShardsBuilder {
    /// Creates a builder of an index of this name and options.
    #[must_use]
    pub fn new(config: EngineConfig) -> Self {
        Self {
            all: AllFiles::new(config),
            shard_of: BTreeMap::new(),
        }
    }

    /// Takes the files of a shard; the engine may be freed afterwards, if it can be made again for the second pass. Shards
    /// are numbered from 0 without gaps, and each has a file.
    ///
    /// # Errors
    ///
    /// `query.unsupported` for an engine with documents of a compiler's index.
    pub fn add(&mut self, shard: u16, engine: &Engine) -> Result<(), Error> {
        let paths = engine.paths().map(|path| (path.to_owned(), shard));
        self.shard_of.extend(paths);
        self.all.add(engine)
    }

    /// Notes that a file or folder was left out, and why.
    pub fn skip(&mut self, skipped: Skipped) {
        self.all.skip(skipped);
    }

    /// Begins the second pass.
    #[must_use]
    pub fn resolve(self) -> SecondPass {
        let shards: Vec<u16> = self.shard_of.into_values().collect();
        SecondPass {
            entries: BTreeMap::new(),
            joint: JointBuilder::new(shards),
            all: self.all,
        }
    }
}

/// The second pass: makes the snapshot of each shard, then the root.
pub struct SecondPass {
    all: AllFiles,
    joint: JointBuilder,
    entries: BTreeMap<u16, ShardEntry>,
}

impl SecondPass {
    /// Builds the snapshot of a shard from the files that it had in the first pass.
    ///
    /// # Errors
    ///
    /// As [`Engine::build`].
    pub fn build(
        &mut self,
        shard: u16,
        engine: &Engine,
        now_millis: f64,
        packers: &mut dyn Packers,
    ) -> Result<Snapshot, Error> {
        let graph = self.all.graph_of(engine, shard, &mut self.joint);
        let snapshot = engine.build_part(&graph, now_millis, packers)?;
        let entry = ShardEntry::of(&snapshot)?;
        self.entries.insert(shard, entry);
        Ok(snapshot)
    }

    /// Notes the BLAKE3 of the bytes of a shard that was saved, by which a host may name its file.
    pub fn saved(&mut self, shard: u16, file: [u8; 32]) {
        if let Some(entry) = self.entries.get_mut(&shard) {
            entry.file = file;
        }
    }

    /// Makes the root of all shards that were built.
    ///
    /// # Errors
    ///
    /// `index.too-large` where a section would pass 2 GiB.
    pub fn finish(self, now_millis: f64) -> Result<Root, Error> {
        let joint = self.all.joint(self.joint);
        let snapshot = Arc::new(self.all.root(&joint, now_millis)?);
        Root::new(snapshot, &joint, self.entries.into_values().collect())
    }
}
