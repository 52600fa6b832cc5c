//! Makes an index in shards of a folder, with a few shards in memory at a time: list, parse each shard, then resolve and
//! write each.

use std::collections::BTreeSet;
use std::fs::{DirEntry, Metadata};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use engine::{Engine, EngineConfig, Index, Indexer, OnProgress, Packers, unreadable};
use shards::{
    FileSize, GROUPS_OF_SHARD, MEMORY_OF_THREE, Root, SecondPass, ShardSize, Shards, ShardsBuilder,
    is_root, shard_name, shards_of,
};
use source::SkipReason;

use crate::file_source::open_lazily;
use crate::folder::{Visitor, read_regular, walk};
use crate::indexing::{IndexingJob, indexer, name_of, with_job};
use crate::intake::FolderIntake;
use crate::listing::Listing;
use crate::waiting::Waiting;
use crate::walked::WalkedFolder;
use crate::workers::{Job, LaidOut};
use crate::{Error, IndexOptions};

/// Keeps the snapshot of a shard under a name.
pub type WriteShard<'a> = &'a mut dyn FnMut(&str, &[u8]) -> Result<(), Error>;

/// An index in shards that was made, except its shards, which are written already.
pub struct Sharded {
    /// The root that joins the shards.
    pub root: Root,
    /// The bytes of the root.
    pub bytes: Vec<u8>,
    /// The folders as they looked before their files were read.
    pub walked: Vec<WalkedFolder>,
    /// Number of files whose facts are those of the earlier index.
    pub n_unchanged: usize,
}

/// Indexes a folder in shards. `write` gets the name and the bytes of each shard's snapshot, which is freed afterwards; the
/// root that joins them is returned. A name is made of the BLAKE3 of the bytes: see [`open_index`]. Every file is read; the facts of those that have not
/// changed since [`IndexOptions::earlier`] are taken from it. [`IndexOptions::previous`] is not used.
///
/// # Errors
///
/// As [`crate::index_folder`], and those of `write`; `output.unwritable` where files cannot wait in the system's folder
/// for temporary files.
pub fn index_in_shards(
    folder: &Path,
    options: &IndexOptions,
    size: ShardSize,
    write: WriteShard<'_>,
    progress: OnProgress<'_>,
) -> Result<Sharded, Error> {
    let options = &IndexOptions {
        previous: None,
        ..options.clone()
    };
    let name = match options.name.as_str() {
        "" => name_of(folder),
        name => name.to_owned(),
    };
    let mut list = Listing {
        indexer: indexer(options, &name, &mut ())?.0,
        walked: Vec::new(),
        places: Vec::new(),
    };
    walk(folder, &mut list)?;
    let (mut indexer, walked) = (list.indexer, list.walked);
    let places = list.places.into_iter();
    let files: Vec<(String, u64)> = places.map(|file| (file.path, file.n_bytes)).collect();
    let mut builder = ShardsBuilder::of(indexer.engine_mut());
    let max_bytes = size.bytes(
        files.iter().map(|(_, n_bytes)| n_bytes).sum(),
        MEMORY_OF_THREE,
    );
    // Groups are read one after another, then joined by what they import.
    let groups = groups(files, max_bytes.div_ceil(GROUPS_OF_SHARD));
    let (root, bytes, n_unchanged) = with_job(options, &name, progress, |job| {
        let waiting = parse_groups(job, folder, options, &name, &groups, &mut builder)?;
        let unchanged = job.unchanged.take();
        let n_unchanged = unchanged.map_or(0, |unchanged| unchanged.n_found);
        let waiting = by_shard(waiting, &builder.join(max_bytes));
        let root = make_shards(job, options, &name, builder.resolve(), waiting, write)?;
        let each = &mut |n, work: &(dyn Fn(usize) + Sync)| job.workers.each(n, work);
        let bytes = root.to_bytes_with(each)?;
        Ok((root, bytes, n_unchanged))
    })?;
    Ok(Sharded {
        root,
        bytes,
        walked,
        n_unchanged,
    })
}

/// The first pass: parses each group, and puts its files aside.
fn parse_groups(
    job: &mut IndexingJob<'_, '_, '_>,
    folder: &Path,
    options: &IndexOptions,
    name: &str,
    groups: &[BTreeSet<String>],
    builder: &mut ShardsBuilder,
) -> Result<Vec<Waiting>, Error> {
    let mut waiting = Vec::new();
    let mut parsed: Option<Engine> = None;
    let mut n_groups = 0;
    let mut take = |job: &mut IndexingJob<'_, '_, '_>, engine: Engine| {
        builder.skip_all(&engine);
        // A group whose files all turned out to be no texts is no shard.
        if engine.n_files() > 0 {
            builder.add(n_groups, &engine)?;
            n_groups += 1;
            job.workers.give(Job::PutAside(Box::new(engine)));
        }
        Ok::<_, Error>(())
    };
    for group in groups {
        job.indexer = begun(options, name)?;
        let inner = FolderIntake::of(job);
        walk(folder, &mut OnlyGroup { inner, group })?;
        job.restore()?;
        // The group before is taken while this one is parsed.
        if let Some(engine) = parsed.take() {
            take(job, engine)?;
        }
        job.wait()?;
        waiting.extend(job.came.waiting.take());
        parsed = Some(job.take_engine());
    }
    if let Some(engine) = parsed {
        take(job, engine)?;
    }
    job.wait()?;
    waiting.extend(job.came.waiting.take());
    job.workers.renew();
    Ok(waiting)
}

/// The waiting files of each shard; `shard_of` has the shard of each group.
fn by_shard(waiting: Vec<Waiting>, shard_of: &[u16]) -> Vec<Vec<Waiting>> {
    let mut shards: Vec<Vec<Waiting>> = Vec::new();
    for (waiting, shard) in waiting.into_iter().zip(shard_of) {
        let shard = usize::from(*shard);
        shards.resize_with(shards.len().max(shard + 1), Vec::new);
        shards[shard].push(waiting);
    }
    shards
}

/// The second pass. While the names of a shard are resolved, other threads lay out the shard before it and take up the next one: three are
/// in memory.
fn make_shards(
    job: &mut IndexingJob<'_, '_, '_>,
    options: &IndexOptions,
    name: &str,
    mut second: SecondPass,
    waiting: Vec<Vec<Waiting>>,
    write: WriteShard<'_>,
) -> Result<Root, Error> {
    let mut waiting = waiting.into_iter();
    let mut take_up = |job: &mut IndexingJob<'_, '_, '_>| {
        let Some(files) = waiting.next() else {
            return Ok(());
        };
        let indexer = Box::new(begun(options, name)?);
        job.workers.give(Job::TakeUp { indexer, files });
        Ok::<_, Error>(())
    };
    take_up(job)?;
    second.declare();
    job.wait()?;
    for shard in 0.. {
        let Some(indexer) = job.came.indexer.take() else {
            break;
        };
        job.indexer = *indexer;
        job.embed_all()?;
        take_up(job)?;
        let engine = Box::new(job.take_engine());
        let resolution = Box::new(second.resolved(shard, &engine));
        job.wait()?;
        save(&mut second, job, write)?;
        job.workers.give(Job::LayOut {
            shard,
            engine,
            resolution,
            now_millis: options.now_millis,
        });
    }
    job.wait()?;
    save(&mut second, job, write)?;
    let each = &mut |n, work: &(dyn Fn(usize) + Sync)| job.workers.each(n, work);
    Ok(second.finish_with(options.now_millis, each)?)
}

/// Writes the shard that was laid out, if there is one.
fn save(
    second: &mut SecondPass,
    job: &mut IndexingJob<'_, '_, '_>,
    write: WriteShard<'_>,
) -> Result<(), Error> {
    let Some(laid_out) = job.came.shard.take() else {
        return Ok(());
    };
    let LaidOut {
        shard,
        snapshot,
        digest,
    } = laid_out;
    second.built(&snapshot)?;
    second.saved(shard, digest);
    let bytes = snapshot.to_bytes().map_err(engine::Error::from)?;
    write(&shard_name(&digest), bytes)
}

/// An indexer with no files.
fn begun(options: &IndexOptions, name: &str) -> Result<Indexer, Error> {
    let mut indexer = indexer(options, name, &mut ())?.0;
    if let Some(embedder) = &options.embedder {
        let engine = indexer.engine_mut();
        engine.use_embedder(embedder.name(), embedder.dim());
    }
    Ok(indexer)
}

/// The file of a shard, beside that of the root: `index.portolan` and `index-NAME.portolan`.
#[must_use]
pub fn shard_path(root: &Path, name: &str) -> PathBuf {
    let stem = root.file_stem().unwrap_or_default().to_string_lossy();
    root.with_file_name(format!("{stem}-{name}.portolan"))
}

/// Opens an index: a snapshot, or a root with its shards beside it, which are opened when a question reaches them.
/// `accepts` says of a shard's file whether it may be used.
///
/// # Errors
///
/// `input.unreadable`; `snapshot.…` for faults of the table or the root.
pub fn open_index(
    path: &Path,
    accepts: impl Fn(&Path) -> bool + Send + Sync + 'static,
) -> Result<Index, Error> {
    if !is_root_at(path)? {
        return Ok(Index::new(open_lazily(path)?)?);
    }
    let bytes = read_regular(path).map_err(|source| Error::Unreadable {
        path: path.to_owned(),
        source,
    })?;
    let root = Root::from_bytes(&bytes).map_err(engine::Error::from)?;
    let files: Vec<PathBuf> = (root.shards().iter())
        .map(|shard| shard_path(path, &shard.name()))
        .collect();
    let open = move |shard: u16| {
        let file = files.get(usize::from(shard));
        let file = file.ok_or_else(|| unreadable("there is no such shard"))?;
        if !accepts(file) {
            let message = format!("{} was not made here, or was changed since", file.display());
            return Err(unreadable(&message));
        }
        open_lazily(file).map_err(|error| unreadable(&error.to_string()))
    };
    Ok(Arc::new(Shards::new(root, Box::new(open))).index()?)
}

/// Whether the index at a path is one in shards: its file begins as a root does.
///
/// # Errors
///
/// `input.unreadable`.
pub fn is_root_at(path: &Path) -> Result<bool, Error> {
    let read = || {
        let mut start = Vec::new();
        let file = std::fs::File::open(path)?;
        if file.metadata()?.is_file() {
            file.take(8).read_to_end(&mut start)?;
        }
        Ok(is_root(&start))
    };
    read().map_err(|source| Error::Unreadable {
        path: path.to_owned(),
        source,
    })
}

/// Shards as large as those of the index at a path; none where that is in one piece.
///
/// # Errors
///
/// `input.unreadable`; `snapshot.…` for faults of the root.
pub fn shard_size_at(path: &Path) -> Result<Option<ShardSize>, Error> {
    if !is_root_at(path)? {
        return Ok(None);
    }
    let bytes = read_regular(path).map_err(|source| Error::Unreadable {
        path: path.to_owned(),
        source,
    })?;
    let shards = Root::shards_in(&bytes).map_err(engine::Error::from)?;
    let sizes: Vec<u64> = shards.iter().map(|shard| shard.n_bytes).collect();
    Ok(Some(ShardSize::of(&sizes)))
}

/// The files of each group, by path.
fn groups(mut files: Vec<(String, u64)>, max_bytes: u64) -> Vec<BTreeSet<String>> {
    files.sort_unstable();
    let sizes: Vec<FileSize<'_>> = (files.iter())
        .map(|(path, n_bytes)| FileSize {
            path,
            n_bytes: *n_bytes,
        })
        .collect();
    let groups = shards_of(&sizes, max_bytes);
    let mut found: Vec<BTreeSet<String>> = Vec::new();
    for ((path, _), group) in files.into_iter().zip(groups) {
        found.resize_with(found.len().max(usize::from(group) + 1), BTreeSet::new);
        found[usize::from(group)].insert(path);
    }
    found
}

/// Shows of a walk the files of one group only.
struct OnlyGroup<'g, V> {
    inner: V,
    group: &'g BTreeSet<String>,
}

impl<V: Visitor> Visitor for OnlyGroup<'_, V> {
    fn folder(&mut self, prefix: &str, place: &Path, entries: &[DirEntry]) {
        self.inner.folder(prefix, place, entries);
    }

    fn ignore_file(&mut self, path: &str, bytes: &[u8]) {
        self.inner.ignore_file(path, bytes);
    }

    fn enters(&mut self, path: &str) -> bool {
        let first = self.group.range(format!("{path}/")..).next();
        let has_files = first.is_some_and(|first| {
            let rest = first.strip_prefix(path);
            rest.is_some_and(|rest| rest.starts_with('/'))
        });
        self.inner.enters(path) && has_files
    }

    fn file(&mut self, path: String, place: &Path, metadata: &Metadata) -> Result<(), Error> {
        match self.group.contains(&path) {
            true => self.inner.file(path, place, metadata),
            false => Ok(()),
        }
    }

    // Noted when the files were listed.
    fn skip(&mut self, _: String, _: SkipReason) {}
}

impl IndexingJob<'_, '_, '_> {
    /// Takes the files that have been parsed, with the notes about others.
    fn take_engine(&mut self) -> Engine {
        let empty = Engine::new(EngineConfig::default());
        std::mem::replace(self.indexer.engine_mut(), empty)
    }
}
