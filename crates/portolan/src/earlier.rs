//! An earlier index in shards of the same folder: the facts and vectors of a text that has not changed are taken from it instead of
//! being made again.
//!
//! Nothing else is taken over. Groups, shards and the names that files use of each other follow from all files, so the new
//! index is the one that is made without the earlier one, byte for byte.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use engine::{Engine, FileUnit, Indexer, Snapshot, Text, unreadable};
use shards::Root;
use source::SourceConfig;
use syntax::facts::FileFacts;

use crate::file_source::open_lazily;
use crate::folder::read_regular;
use crate::indexing::recipe;
use crate::sharding::shard_path;
use crate::{Error, IndexOptions};

/// Shards that stay open: the files of a group are in one or two.
const MAX_OPEN: usize = 2;

/// An earlier index, whose shards are opened when files of them are met.
pub struct EarlierShards {
    /// The file of each shard.
    files: Vec<PathBuf>,
    /// Its source files, by path.
    known: HashMap<String, Known>,
}

/// A file of the earlier index.
#[derive(Clone, Copy)]
struct Known {
    shard: u16,
    /// Its number in the shard.
    file: u32,
    /// BLAKE3 of its text.
    digest: [u8; 32],
}

impl EarlierShards {
    /// Opens the index at a path. None where it is not one in shards, or the list of files of an accepted shard was made by another
    /// version of the engine or with other options, or cannot be read: then all files are parsed. `accepts` says of a shard's file
    /// whether it may be used.
    #[must_use]
    pub fn open(
        path: &Path,
        options: &IndexOptions,
        accepts: impl Fn(&Path) -> bool,
    ) -> Option<Self> {
        let recipe = recipe(options);
        let entries = Root::shards_in(&read_regular(path).ok()?).ok()?;
        let mut earlier = Self {
            files: Vec::new(),
            known: HashMap::new(),
        };
        for (shard, entry) in (0..).zip(entries) {
            let file = shard_path(path, &entry.name());
            if accepts(&file) {
                earlier.add(shard, &file, &recipe)?;
            }
            earlier.files.push(file);
        }
        Some(earlier)
    }

    /// Lists the files of a shard.
    fn add(&mut self, shard: u16, file: &Path, recipe: &str) -> Option<()> {
        let digests = Engine::of_digests(&*open_lazily(file).ok()?).ok()?;
        let indexer = Indexer::new(digests, SourceConfig::default(), Vec::new());
        if !indexer.is_made_by(recipe) {
            return None;
        }
        let engine = indexer.engine();
        self.known.reserve(engine.n_files());
        for (file, path) in (0..).zip(engine.paths()) {
            let digest = engine.digest_of(path)?;
            let known = Known {
                shard,
                file,
                digest,
            };
            self.known.insert(path.to_owned(), known);
        }
        Some(())
    }

    /// Gives the chunks of unchanged files their vectors, as far as they are there: those of shards that cannot be read are made anew.
    pub(crate) fn give_vectors(&self, engine: &mut Engine) {
        let mut wanted: BTreeMap<u16, Vec<(String, u32)>> = BTreeMap::new();
        for path in engine.paths() {
            let known = self.known.get(path);
            if let Some(known) = known.filter(|it| engine.digest_of(path) == Some(it.digest)) {
                let of_shard = wanted.entry(known.shard).or_default();
                of_shard.push((path.to_owned(), known.file));
            }
        }
        for (shard, files) in wanted {
            let file = self.files.get(usize::from(shard));
            let Some(Ok(snapshot)) = file.map(open_lazily) else {
                continue;
            };
            for (path, file) in files {
                let _ = engine.take_vectors(&path, &snapshot, file);
            }
        }
    }

    /// The shard of a file that has this text, and its number in it.
    fn place(&self, path: &str, text: &str) -> Option<(u16, u32)> {
        let known = self.known.get(path)?;
        let is_same = known.digest == source::digest(text.as_bytes());
        is_same.then_some((known.shard, known.file))
    }
}

/// The unchanged files of a group, and the shards that their facts are in.
pub(crate) struct Unchanged<'e> {
    earlier: &'e EarlierShards,
    /// Paths by shard and number.
    files: BTreeMap<(u16, u32), String>,
    open: VecDeque<(u16, Arc<Snapshot>)>,
    /// Files that were found so far, of all groups. Those of a block that turns out to be unreadable are among them.
    pub n_found: usize,
}

/// Unchanged files whose facts are in one block of a shard.
pub(crate) struct UnchangedBlock {
    shard: Arc<Snapshot>,
    block: usize,
    /// Number in the shard and path of each.
    files: Vec<(u32, String)>,
}

impl UnchangedBlock {
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.files.iter().map(|(_, path)| path.as_str())
    }

    /// The facts of each file, and its terms, which are counted anew: `texts` are theirs.
    ///
    /// # Errors
    ///
    /// `snapshot.…` where the block cannot be read.
    pub fn units(&self, texts: &[Text]) -> Result<Vec<FileUnit>, Error> {
        let facts = (self.shard).read(|view| view.facts_of_block(self.block));
        let facts = facts.map_err(engine::Error::from)?.unwrap_or_default();
        let mut of_file: HashMap<usize, FileFacts> = facts.into_iter().collect();
        let units = self.files.iter().zip(texts).map(|((file, path), text)| {
            let facts = of_file.remove(&(*file as usize));
            let facts = facts.ok_or_else(|| unreadable("a shard has no facts of one of its files"));
            Ok(FileUnit::new(
                path,
                text,
                facts.map_err(engine::Error::from)?,
            ))
        });
        units.collect()
    }
}

impl<'e> Unchanged<'e> {
    pub fn of(earlier: &'e EarlierShards) -> Self {
        Self {
            earlier,
            files: BTreeMap::new(),
            open: VecDeque::new(),
            n_found: 0,
        }
    }

    /// Whether the earlier index has the facts of this text. They are read with those of the other files of its block.
    pub fn takes(&mut self, path: &str, text: &str) -> bool {
        let place = self.earlier.place(path, text);
        if let Some(place) = place {
            self.files.insert(place, path.to_owned());
        }
        place.is_some()
    }

    /// The files that were taken since the last call, by block, and the paths of those whose shard cannot be read.
    pub fn blocks(&mut self) -> (Vec<UnchangedBlock>, Vec<String>) {
        let mut blocks: Vec<UnchangedBlock> = Vec::new();
        let mut lost = Vec::new();
        for ((shard, file), path) in std::mem::take(&mut self.files) {
            let found = self.shard(shard).and_then(|shard| {
                let facts = shard.read(|view| view.facts()).ok()??;
                Some((facts.block_of(file as usize)?, shard))
            });
            let Some((block, shard)) = found else {
                lost.push(path);
                continue;
            };
            self.n_found += 1;
            match blocks.last_mut() {
                Some(last) if last.block == block && Arc::ptr_eq(&last.shard, &shard) => {
                    last.files.push((file, path));
                }
                _ => blocks.push(UnchangedBlock {
                    shard,
                    block,
                    files: vec![(file, path)],
                }),
            }
        }
        (blocks, lost)
    }

    fn shard(&mut self, shard: u16) -> Option<Arc<Snapshot>> {
        if let Some((_, open)) = self.open.iter().find(|(number, _)| *number == shard) {
            return Some(Arc::clone(open));
        }
        let opened = open_lazily(self.earlier.files.get(usize::from(shard))?).ok()?;
        self.open.truncate(MAX_OPEN - 1);
        self.open.push_front((shard, Arc::clone(&opened)));
        Some(opened)
    }
}
