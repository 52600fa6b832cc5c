//! Builds an index in shards in two passes, with one shard in memory at a time, or a few where the host has threads.
//!
//! The resolver reads of another file its declarations, imports and values, never its uses. So the first pass keeps of
//! each file its interface only; the second resolves the uses of each shard against the interfaces of all. Edges are
//! those of an index in one piece.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use engine::{
    AllFiles, ChunkTable, Each, Engine, EngineConfig, Error, FileId, Joint, JointBuilder, Lengths,
    Packers, PartResolution, Snapshot,
};

use crate::partition::{import_links, joined};
use crate::root::{Root, ShardEntry, joint_archive};

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

    /// Creates a builder of an index with the name, the options and the notes about skipped files of an engine.
    #[must_use]
    pub fn of(engine: &Engine) -> Self {
        let mut builder = Self::new(engine.config().clone());
        builder.skip_all(engine);
        builder
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

    /// Notes which files and folders an engine left out, and why.
    pub fn skip_all(&mut self, engine: &Engine) {
        for skipped in engine.all_skipped() {
            self.all.skip(skipped.clone());
        }
    }

    /// Joins shards, so far groups of files, into fewer of at most `max_bytes` of texts: those whose files import each other
    /// first. Returns the shard of each group.
    pub fn join(&mut self, max_bytes: u64) -> Vec<u16> {
        let n_groups = self
            .shard_of
            .values()
            .max()
            .map_or(0, |most| usize::from(*most) + 1);
        let mut sizes = vec![0; n_groups];
        let mut files = Vec::new();
        for ((path, n_bytes, modules), group) in self.all.imports().zip(self.shard_of.values()) {
            sizes[usize::from(*group)] += n_bytes;
            files.push((path, *group, modules));
        }
        let shard_of = joined(&sizes, &import_links(&files), max_bytes);
        for group in self.shard_of.values_mut() {
            *group = shard_of[usize::from(*group)];
        }
        shard_of
    }

    /// Begins the second pass.
    #[must_use]
    pub fn resolve(self) -> SecondPass {
        let shards: Vec<u16> = self.shard_of.into_values().collect();
        SecondPass {
            entries: Vec::new(),
            joint: JointBuilder::new(shards.clone()),
            shards,
            chunks: Vec::new(),
            lengths: Lengths::default(),
            all: self.all,
        }
    }
}

/// The second pass: makes the snapshot of each shard, then the root.
pub struct SecondPass {
    all: AllFiles,
    joint: JointBuilder,
    entries: Vec<ShardEntry>,
    /// Shard of each file.
    shards: Vec<u16>,
    /// Of each shard: the number of chunks in each of its files.
    chunks: Vec<VecDeque<u32>>,
    lengths: Lengths,
}

impl SecondPass {
    /// Builds the snapshot of a shard from the files that it had in the first pass. Shards are built in the order of their numbers.
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
        let resolution = self.resolved(shard, engine);
        let snapshot = engine.build_part(resolution, now_millis, packers)?;
        self.built(&snapshot)?;
        Ok(snapshot)
    }

    /// Makes the tables of all names before the first shard is in memory. Else that shard makes them.
    pub fn declare(&mut self) {
        self.all.declare();
    }

    /// The first part of [`SecondPass::build`], which needs the interfaces of all files: resolves the names in a shard. The
    /// result is for [`Engine::build_part`], which may run beside the next shard's.
    pub fn resolved(&mut self, shard: u16, engine: &Engine) -> PartResolution {
        self.all.resolved(engine, shard, &mut self.joint)
    }

    /// The last part of [`SecondPass::build`]: notes what the root says of a shard. Shards come in the order of their numbers.
    ///
    /// # Errors
    ///
    /// `snapshot.…` where it cannot be read.
    pub fn built(&mut self, snapshot: &Snapshot) -> Result<(), Error> {
        self.entries.push(ShardEntry::of(snapshot)?);
        let chunks = snapshot.read(|view| {
            let lexical = view.lexical();
            self.lengths.add(&lexical.lengths());
            let files = (0..lexical.n_files() as u32).map(FileId);
            Ok::<_, Error>(
                files
                    .map(|file| lexical.chunks_of(file).len() as u32)
                    .collect(),
            )
        })?;
        self.chunks.push(chunks);
        Ok(())
    }

    /// Notes the BLAKE3 of the bytes of a shard that was saved, by which a host may name its file.
    pub fn saved(&mut self, shard: u16, file: [u8; 32]) {
        if let Some(entry) = self.entries.get_mut(usize::from(shard)) {
            entry.file = file;
        }
    }

    /// Makes the root of all shards that were built.
    ///
    /// # Errors
    ///
    /// `index.too-large` where a section would pass 2 GiB.
    pub fn finish(mut self, now_millis: f64) -> Result<Root, Error> {
        let chunks = self.chunk_table();
        let joint = self.all.joint(self.joint);
        let archive = joint_archive(&joint)?;
        // Names take as much memory as the columns of the joint, which are in the archive.
        let joint = Joint {
            symbol_offsets: joint.symbol_offsets,
            n_edges: joint.n_edges,
            edge_kinds: joint.edge_kinds,
            ..Joint::default()
        };
        let snapshot = Arc::new(self.all.root(&joint, None, now_millis)?);
        Root::new(snapshot, archive, &chunks, self.entries)
    }

    /// As [`SecondPass::finish`]; `each` may make parts of the root side by side, which takes more memory.
    ///
    /// # Errors
    ///
    /// As [`SecondPass::finish`].
    pub fn finish_with(mut self, now_millis: f64, each: Each<'_>) -> Result<Root, Error> {
        let chunks = self.chunk_table();
        let (joint, names) = self.all.joint_and_names(self.joint, each)?;
        let archive = joint_archive(&joint)?;
        let snapshot = Arc::new(self.all.root(&joint, names, now_millis)?);
        Root::new(snapshot, archive, &chunks, self.entries)
    }

    /// Numbers the chunks of all shards in the order of all files.
    fn chunk_table(&mut self) -> ChunkTable {
        let mut starts = vec![0];
        let mut end = 0_u32;
        for shard in &self.shards {
            let of_shard = self.chunks.get_mut(usize::from(*shard));
            let n_chunks = of_shard.and_then(VecDeque::pop_front).unwrap_or(0);
            end = end.saturating_add(n_chunks);
            starts.push(end);
        }
        ChunkTable {
            starts,
            lengths: self.lengths,
        }
    }
}
