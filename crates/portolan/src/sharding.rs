//! Makes an index in shards of a folder, with one shard in memory at a time: list, parse each shard, then resolve and
//! write each.
//!
//! Between the passes the files of a shard wait in a file without a name, so nothing is read or parsed twice, and a file
//! that changes meanwhile changes nothing.

use std::collections::BTreeSet;
use std::fs::{DirEntry, Metadata};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use engine::{Engine, EngineConfig, Index, OnProgress, unreadable};
use shards::{
    FileSize, GROUPS_OF_SHARD, Root, ShardSize, Shards, ShardsBuilder, is_root, restore,
    shard_name, shards_of, spill,
};
use source::SkipReason;

use crate::file_source::open_lazily;
use crate::folder::{Visitor, read_regular, walk};
use crate::indexing::{FolderIntake, IndexingJob, indexer, name_of, with_job};
use crate::listing::Listing;
use crate::walked::WalkedFolder;
use crate::workers::put_packed;
use crate::{Error, IndexOptions};

/// Keeps the snapshot of a shard under a name.
pub type WriteShard<'a> = &'a mut dyn FnMut(&str, &[u8]) -> Result<(), Error>;

/// An index in shards that was made, except its shards, which are written already.
pub struct Sharded {
    /// The root that joins the shards.
    pub root: Root,
    /// The folders as they looked before their files were read.
    pub walked: Vec<WalkedFolder>,
}

/// Indexes a folder in shards. `write` gets the name and the bytes of each shard's snapshot, which is freed afterwards; the
/// root that joins them is returned. A name is made of the BLAKE3 of the bytes: see [`open_index`]. [`IndexOptions::previous`] is not used: every file is read.
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
    let mut files = Vec::new();
    let mut list = Listing {
        indexer: indexer(options, &name, &mut ())?.0,
        walked: Vec::new(),
        wanted: |path, _: &Path, n_bytes| files.push((path, n_bytes)),
    };
    walk(folder, &mut list)?;
    let (mut indexer, walked) = (list.indexer, list.walked);
    let mut builder = ShardsBuilder::of(indexer.engine_mut());
    let max_bytes = size.bytes(files.iter().map(|(_, n_bytes)| n_bytes).sum());
    // Groups are read one after another, then joined by what they import.
    let groups = groups(files, max_bytes.div_ceil(GROUPS_OF_SHARD));
    let root = with_job(options, &name, progress, |job| {
        let mut waiting = parse_groups(job, folder, options, &name, &groups, &mut builder)?;
        let shard_of = builder.join(max_bytes);
        let n_shards = shard_of.iter().max().map_or(0, |most| most + 1);
        let mut second = builder.resolve();
        for shard in 0..n_shards {
            job.begin_group(options, &name)?;
            for (waiting, _) in waiting
                .iter_mut()
                .zip(&shard_of)
                .filter(|(_, of)| **of == shard)
            {
                waiting.restore(job.indexer.engine_mut())?;
            }
            job.embed_all()?;
            let engine = job.indexer.engine_mut();
            let snapshot = second.build(shard, engine, options.now_millis, job.workers)?;
            while let Some(done) = job.workers.take() {
                put_packed(&snapshot, done)?;
            }
            let bytes = snapshot.to_bytes().map_err(engine::Error::from)?;
            let digest = source::digest(bytes);
            second.saved(shard, digest);
            write(&shard_name(&digest), bytes)?;
        }
        Ok(second.finish(options.now_millis)?)
    })?;
    Ok(Sharded { root, walked })
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
    for group in groups {
        job.begin_group(options, name)?;
        let inner = FolderIntake::of(job);
        walk(folder, &mut OnlyGroup { inner, group })?;
        job.wait_for_parsers()?;
        let engine = job.take_engine();
        builder.skip_all(&engine);
        // A group whose files all turned out to be no texts is no shard.
        if engine.n_files() > 0 {
            builder.add(waiting.len() as u16, &engine)?;
            waiting.push(Waiting::of(&engine)?);
        }
    }
    Ok(waiting)
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

/// The files of a shard between the passes, in a file that nobody else can open by a name.
struct Waiting(std::fs::File);

impl Waiting {
    fn of(engine: &Engine) -> Result<Self, Error> {
        let folder = std::env::temp_dir();
        let unwritable = |source| Error::Unwritable {
            path: folder.clone(),
            source,
        };
        let file = nameless(&folder).map_err(unwritable)?;
        let mut writer = std::io::BufWriter::new(file);
        spill(engine, &mut |record| writer.write_all(record)).map_err(unwritable)?;
        let file = writer.into_inner();
        Ok(Self(file.map_err(|error| unwritable(error.into_error()))?))
    }

    fn restore(&mut self, engine: &mut Engine) -> Result<(), Error> {
        let mut records = Vec::new();
        let read = self.0.seek(SeekFrom::Start(0));
        let read = read.and_then(|_| self.0.read_to_end(&mut records));
        read.map_err(|source| Error::Unreadable {
            path: std::env::temp_dir(),
            source,
        })?;
        Ok(restore(engine, &records)?)
    }
}

/// Makes a file that is new, and has no name once it is open.
fn nameless(folder: &Path) -> std::io::Result<std::fs::File> {
    use std::hash::{BuildHasher, Hasher};
    let random = std::collections::hash_map::RandomState::new();
    let path: PathBuf = folder.join(format!(
        ".portolan-{:016x}.tmp",
        random.build_hasher().finish()
    ));
    let mut options = std::fs::OpenOptions::new();
    options.read(true).write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let file = options.open(&path)?;
    // Where a name cannot be taken from an open file, the system clears the folder.
    let _ = std::fs::remove_file(&path);
    Ok(file)
}

impl IndexingJob<'_, '_, '_> {
    /// Begins anew, with no files.
    fn begin_group(&mut self, options: &IndexOptions, name: &str) -> Result<(), Error> {
        self.indexer = indexer(options, name, &mut ())?.0;
        if let Some(embedder) = self.embedder {
            let engine = self.indexer.engine_mut();
            engine.use_embedder(embedder.name(), embedder.dim());
        }
        Ok(())
    }

    /// Takes the files that have been parsed, with the notes about others.
    fn take_engine(&mut self) -> Engine {
        let empty = Engine::new(EngineConfig::default());
        std::mem::replace(self.indexer.engine_mut(), empty)
    }
}
