//! Makes an index of files with all cores, or brings one up to date: walk, parse, build, embed, compress.
//!
//! The same files give the same bytes as in WebAssembly, however many threads there are.

use std::borrow::Cow;
use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;

use embed::Embedder;
use engine::{
    Admitted, Differences, Engine, EngineConfig, ErrorKind, Indexer, OnProgress, Packers, Phase,
    Progress, RoundKind, Rows, Snapshot,
};
use source::{FileSet, Skipped, SourceConfig};
use syntax::ParseConfig;

use crate::earlier::Unchanged;
use crate::folder::walk;
use crate::intake::FolderIntake;
use crate::reading::{Place, read_each};
use crate::waiting::Waiting;
use crate::walked::WalkedFolder;
use crate::workers::{Done, Job, LaidOut, Tools, Workers, put_packed, with_workers};
use crate::{Error, IndexOptions};

/// Texts that are embedded in one job.
const EMBEDDING_BATCH: usize = 256;

/// An index that was made, and the changes since the one before.
pub struct Indexed {
    /// The index.
    pub snapshot: Arc<Snapshot>,
    /// The changes, where an earlier index was brought up to date.
    pub changes: Option<Differences>,
    /// The folders that were entered.
    pub walked: Vec<WalkedFolder>,
}

/// Reads and indexes a folder. With [`IndexOptions::previous`] only files that changed since are read. `progress` hears of every step and
/// stops the work by returning `false`.
///
/// # Errors
///
/// `input.unreadable` if the folder cannot be listed; `language.unknown`; `cancelled`; `index.too-large`; `vectors.mismatch` if the
/// embedder fails.
pub fn index_folder(
    folder: &Path,
    options: &IndexOptions,
    progress: OnProgress<'_>,
) -> Result<Indexed, Error> {
    with_job(options, &name_of(folder), progress, |job| {
        let is_update = job.is_update;
        if is_update {
            job.indexer.begin_walk();
        }
        let (places, walked) = job.walk(folder)?;
        let changed = job.changed(places);
        let changes = is_update.then(|| job.indexer.end_round(RoundKind::Walk));
        if let Some(changes) = &changes {
            job.parse_changed(changed, changes)?;
        }
        let snapshot = job.finish(options)?;
        Ok(Indexed {
            snapshot,
            changes,
            walked,
        })
    })
}

/// Indexes files held in memory.
pub(crate) fn index_files(
    files: FileSet,
    options: &IndexOptions,
    progress: OnProgress<'_>,
) -> Result<Arc<Snapshot>, Error> {
    with_job(options, "", progress, |job| {
        for Skipped { path, reason } in files.skipped {
            job.indexer.skip(path, reason);
        }
        for file in files.files {
            if let Some(Admitted { path, .. }) = job.indexer.add_text(file.path, file.text) {
                job.parse(path)?;
            }
        }
        job.finish(options)
    })
}

/// One run from files to an index.
pub(crate) struct IndexingJob<'a, 'w, 'p> {
    pub indexer: Indexer,
    pub workers: &'a mut Workers<'w>,
    progress: OnProgress<'p>,
    /// Whether it updates an index from before.
    pub is_update: bool,
    pub trusts_stamps: bool,
    /// When it began, in milliseconds since 1970.
    pub started: f64,
    n_admitted: usize,
    n_parsed: usize,
    pub embedder: Option<&'a (dyn Embedder + Send + Sync)>,
    /// Chunks to embed beside building.
    n_texts: usize,
    n_embedded: usize,
    pub came: Came,
    /// Files that need not be parsed, of an index in shards.
    pub unchanged: Option<Unchanged<'a>>,
}

/// Results of the jobs of an index in shards.
#[derive(Default)]
pub(crate) struct Came {
    /// The group that was put aside.
    pub waiting: Option<Waiting>,
    /// The files of the shard that was taken up.
    pub indexer: Option<Box<Indexer>>,
    /// The shard that was laid out.
    pub shard: Option<LaidOut>,
}

pub(crate) fn with_job<T>(
    options: &IndexOptions,
    default_name: &str,
    progress: OnProgress<'_>,
    work: impl FnOnce(&mut IndexingJob<'_, '_, '_>) -> Result<T, Error>,
) -> Result<T, Error> {
    let parse = ParseConfig {
        clock: Some(now_millis),
        ..ParseConfig::default()
    };
    let tools = Tools {
        parse: &parse,
        embedder: options.embedder.as_deref(),
        earlier: options.earlier.as_deref(),
    };
    with_workers(options.threads, &tools, |workers| {
        let (mut indexer, is_update) = indexer(options, default_name, workers)?;
        if let Some(embedder) = &options.embedder {
            let engine = indexer.engine_mut();
            engine.use_embedder(embedder.name(), embedder.dim());
        }
        work(&mut IndexingJob {
            indexer,
            workers,
            progress,
            is_update,
            trusts_stamps: !options.reads_all,
            started: options.now_millis,
            n_admitted: 0,
            n_parsed: 0,
            embedder: tools.embedder,
            n_texts: 0,
            n_embedded: 0,
            came: Came::default(),
            unchanged: options.earlier.as_deref().map(Unchanged::of),
        })
    })
}

/// Returns the indexer, and whether it continues the earlier index: another version of the engine reads all files again.
pub(crate) fn indexer(
    options: &IndexOptions,
    default_name: &str,
    packers: &mut dyn Packers,
) -> Result<(Indexer, bool), Error> {
    let make = |engine| Indexer::new(engine, options.source.clone(), options.languages.clone());
    if let Some(previous) = &options.previous {
        let mut indexer = make(Engine::reopen_with(Arc::clone(previous), packers)?);
        if indexer.is_made_by(&recipe(options)) {
            if !options.name.is_empty() {
                indexer.engine_mut().set_name(options.name.clone());
            }
            if options.embedder.is_none() {
                indexer.engine_mut().drop_vectors();
            }
            return Ok((indexer, true));
        }
    }
    let name = match options.name.as_str() {
        "" => default_name,
        name => name,
    };
    let mut indexer = make(Engine::new(EngineConfig {
        name: name.to_owned(),
        ..EngineConfig::default()
    }));
    indexer.set_recipe(&recipe(options));
    if let Some(name) = indexer.unknown_language() {
        let name = name.to_owned();
        return Err(Error::UnknownLanguage { name });
    }
    Ok((indexer, false))
}

/// How the texts of files are admitted: an index that was made otherwise cannot be brought up to date. The package writes the same
/// (`pkg/src/indexing/builders.ts`).
pub(crate) fn recipe(options: &IndexOptions) -> String {
    let (source, usual) = (&options.source, SourceConfig::default());
    let mut parts = Vec::new();
    if source.include_generated {
        parts.push("with generated files".to_owned());
    }
    if source.max_line_bytes != usual.max_line_bytes {
        parts.push(format!("lines of {} bytes", source.max_line_bytes));
    }
    if !options.languages.is_empty() {
        parts.push(format!("only {}", options.languages.join(", ")));
    }
    parts.join("; ")
}

impl IndexingJob<'_, '_, '_> {
    /// Walks a folder. A new index parses each file at once; an update returns the files that are to be compared.
    fn walk(&mut self, folder: &Path) -> Result<(Vec<Place>, Vec<WalkedFolder>), Error> {
        let mut intake = FolderIntake::of(self);
        walk(folder, &mut intake)?;
        Ok((intake.places, intake.walked))
    }

    /// Reads files, and returns those that differ from the ones of the index.
    fn changed(&mut self, places: Vec<Place>) -> Vec<String> {
        let mut changed = Vec::new();
        read_each(places, self.workers.n_threads(), |place, read| {
            changed.extend(self.compare(place, read));
            true
        });
        changed
    }

    /// Queues the files of a round that were added or modified, and were not renamed only.
    pub fn parse_changed(
        &mut self,
        admitted: Vec<String>,
        changes: &Differences,
    ) -> Result<(), Error> {
        let changed = changes.added.iter().chain(&changes.modified);
        let changed: HashSet<&str> = changed.map(String::as_str).collect();
        for path in admitted {
            if changed.contains(path.as_str()) {
                self.parse(path)?;
            }
        }
        Ok(())
    }

    /// Queues an admitted file for parsing, and adds the files that have been parsed meanwhile.
    pub fn parse(&mut self, path: String) -> Result<(), Error> {
        let Some(text) = self.indexer.text_of(&path).cloned() else {
            return Ok(());
        };
        self.n_admitted += 1;
        if self
            .unchanged
            .as_mut()
            .is_some_and(|it| it.takes(&path, &text))
        {
            return Ok(());
        }
        self.give(Job::Parse { path, text })
    }

    /// Queues the admitted files that an earlier index in shards has facts of.
    pub fn restore(&mut self) -> Result<(), Error> {
        let Some(unchanged) = &mut self.unchanged else {
            return Ok(());
        };
        let (blocks, lost) = unchanged.blocks();
        for block in blocks {
            let texts = block.paths().filter_map(|path| self.indexer.text_of(path));
            let texts = texts.cloned().collect();
            self.give(Job::Restore { block, texts })?;
        }
        for path in lost {
            if let Some(text) = self.indexer.text_of(&path).cloned() {
                self.give(Job::Parse { path, text })?;
            }
        }
        Ok(())
    }

    fn give(&mut self, job: Job) -> Result<(), Error> {
        self.workers.give(job);
        while let Some(done) = self.workers.take_ready() {
            self.put(done)?;
        }
        Ok(())
    }

    fn put(&mut self, done: Done) -> Result<(), Error> {
        match done {
            Done::Read(units) => {
                for (path, unit) in units {
                    self.n_parsed += 1;
                    let (done, total) = (self.n_parsed, self.n_admitted);
                    self.report(Phase::Parsing, done, total, &path)?;
                    self.indexer.put(&path, unit)?;
                }
                Ok(())
            }
            Done::Failed(error) => Err(error),
            Done::PutAside(waiting) => {
                self.came.waiting = Some(waiting);
                Ok(())
            }
            Done::TakenUp(indexer) => {
                self.came.indexer = Some(indexer);
                Ok(())
            }
            Done::LaidOut(shard) => {
                self.came.shard = Some(shard);
                Ok(())
            }
            Done::Embedded { .. } | Done::Sections(_) | Done::Texts { .. } => Ok(()),
        }
    }

    /// Waits for the parsers, then builds. Meanwhile the other threads embed and compress.
    pub fn finish(&mut self, options: &IndexOptions) -> Result<Arc<Snapshot>, Error> {
        self.restore()?;
        self.wait()?;
        self.workers.renew();
        if !self.is_update {
            self.indexer.engine_mut().join_texts();
        }
        self.embed();
        self.report(Phase::Building, 0, 1, "")?;
        let mut snapshot = self.indexer.build(options.now_millis, self.workers)?;
        self.report(Phase::Building, 1, 1, "")?;
        let mut packed = Vec::new();
        while let Some(done) = self.workers.take() {
            match done {
                Done::Embedded { keys, rows } => self.put_vectors(&keys, &rows)?,
                done => packed.push(done),
            }
        }
        if self.n_texts > 0 {
            let engine = self.indexer.engine_mut();
            snapshot = engine.update_vectors(options.now_millis)?;
        }
        for done in packed {
            put_packed(&snapshot, done)?;
        }
        Ok(snapshot)
    }

    /// Takes in all files that are being parsed, and what else is under way.
    pub fn wait(&mut self) -> Result<(), Error> {
        while let Some(done) = self.workers.take() {
            self.put(done)?;
        }
        Ok(())
    }

    /// Gives every chunk its vector. Other work that is under way goes on.
    pub fn embed_all(&mut self) -> Result<(), Error> {
        self.embed();
        while self.n_embedded < self.n_texts {
            match self.workers.take() {
                Some(Done::Embedded { keys, rows }) => self.put_vectors(&keys, &rows)?,
                Some(done) => self.put(done)?,
                None => break,
            }
        }
        Ok(())
    }

    /// Queues the texts without vectors for embedding, which runs beside the caller.
    fn embed(&mut self) {
        if self.embedder.is_none() {
            return;
        }
        let mut batch = Vec::new();
        let mut n_texts = 0;
        for file in self.indexer.engine().pending_files(EMBEDDING_BATCH) {
            self.n_texts += file.len();
            n_texts += file.len();
            batch.push(file);
            if n_texts >= EMBEDDING_BATCH {
                self.workers.give(Job::Embed(std::mem::take(&mut batch)));
                n_texts = 0;
            }
        }
        if n_texts > 0 {
            self.workers.give(Job::Embed(batch));
        }
    }

    fn put_vectors(&mut self, keys: &[u64], rows: &Rows) -> Result<(), Error> {
        self.n_embedded += keys.len();
        let (done, total) = (self.n_embedded, self.n_texts);
        self.report(Phase::Embedding, done, total, "")?;
        if let Some(embedder) = self.embedder {
            let engine = self.indexer.engine_mut();
            engine.set_rows(keys, rows, embedder.name())?;
        }
        Ok(())
    }

    fn report(&mut self, phase: Phase, done: usize, total: usize, path: &str) -> Result<(), Error> {
        let goes_on = (self.progress)(Progress {
            phase,
            done,
            total,
            path,
        });
        if goes_on {
            return Ok(());
        }
        let cancelled = engine::Error::new(ErrorKind::Cancelled, "indexing was cancelled");
        Err(cancelled.into())
    }
}

/// The name of a folder, also where it is given as `.`.
pub(crate) fn name_of(folder: &Path) -> String {
    let whole = folder.canonicalize();
    let whole = whole.as_deref().unwrap_or(folder);
    let name = whole.file_name().map(|name| name.to_string_lossy());
    name.map_or_else(|| "root".to_owned(), Cow::into_owned)
}

/// Milliseconds since 1970.
pub(crate) fn now_millis() -> f64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    since.map_or(0.0, |since| since.as_secs_f64() * 1000.0)
}
