//! Threads that parse, embed and compress while the thread of the index goes on with it.
//!
//! Which thread does what, and when it is done, changes no index: results are put in by path, key and name.

use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use embed::Embedder;
use engine::{
    Archive, Engine, FileUnit, Indexer, Packers, PartResolution, PendingFile, Rows, Snapshot, Text,
    TextBlock, pack_archive, pack_blocks, read_file,
};
use syntax::{ParseConfig, Parsers};

use crate::Error;
use crate::earlier::{EarlierShards, UnchangedBlock};
use crate::queue::Queue;
use crate::waiting::Waiting;

/// Bytes of jobs that wait for a thread; a walk that is further ahead waits, so that texts do not pile up.
const MAX_WAITING: usize = 16 << 20;
/// Trees of generated code are deep, and grammars in C have frames of their own.
const STACK_BYTES: usize = 16 << 20;

/// Work for any thread.
pub(crate) enum Job {
    Parse {
        path: String,
        text: Text,
    },
    /// Takes the facts of files from an earlier index.
    Restore {
        block: UnchangedBlock,
        texts: Vec<Text>,
    },
    Embed(Vec<PendingFile>),
    Section {
        name: &'static str,
        archive: Archive,
        like: Option<Arc<Snapshot>>,
    },
    Texts {
        first: usize,
        blocks: Vec<TextBlock>,
    },
    /// Puts the files of a group aside.
    PutAside(Box<Engine>),
    /// Takes the files of a shard up, into an indexer that has none.
    TakeUp {
        indexer: Box<Indexer>,
        files: Vec<Waiting>,
    },
    /// Makes the snapshot of a shard.
    LayOut {
        shard: u16,
        engine: Box<Engine>,
        resolution: Box<PartResolution>,
        now_millis: f64,
    },
}

impl Job {
    /// How much there is to do, by the bytes that it reads.
    fn n_bytes(&self) -> usize {
        match self {
            Self::Parse { text, .. } => text.len(),
            Self::Restore { texts, .. } => texts.iter().map(|text| text.len()).sum(),
            Self::Embed(files) => files.iter().map(PendingFile::n_bytes).sum(),
            Self::Section { archive, .. } => archive.len(),
            Self::Texts { blocks, .. } => blocks.iter().map(|block| block.len()).sum(),
            // Each is more than any file.
            Self::PutAside(_) | Self::TakeUp { .. } | Self::LayOut { .. } => usize::MAX,
        }
    }

    /// Bytes that nobody else holds: the other jobs share theirs with the index.
    fn n_held(&self) -> usize {
        match self {
            Self::Parse { text, .. } => text.len(),
            _ => 0,
        }
    }
}

/// The result of a [`Job`].
pub(crate) enum Done {
    /// Files that were parsed, or whose facts were there.
    Read(Vec<(String, FileUnit)>),
    Embedded {
        keys: Vec<u64>,
        rows: Rows,
    },
    Sections(Vec<(&'static str, Vec<u8>)>),
    Texts {
        first: usize,
        blocks: Vec<Vec<u8>>,
    },
    PutAside(Waiting),
    TakenUp(Box<Indexer>),
    LaidOut(LaidOut),
    Failed(Error),
}

/// A shard that was made, with its bytes.
pub(crate) struct LaidOut {
    pub shard: u16,
    pub snapshot: Box<Snapshot>,
    /// BLAKE3 of the bytes.
    pub digest: [u8; 32],
}

/// Everything that threads share.
pub(crate) struct Tools<'a> {
    pub parse: &'a ParseConfig,
    pub embedder: Option<&'a (dyn Embedder + Send + Sync)>,
    /// An index in shards that has some of the vectors.
    pub earlier: Option<&'a EarlierShards>,
}

/// Starts threads that do the jobs of a queue; returns how many could be started.
type Start<'a> = &'a dyn Fn(&Arc<Queue<Job>>, Sender<Done>) -> usize;

/// The threads, as the thread of the index sees them.
pub(crate) struct Workers<'a> {
    start: Start<'a>,
    jobs: Arc<Queue<Job>>,
    /// 0 where none could be started: the thread of the index does the jobs.
    n_threads: usize,
    results: Sender<Done>,
    done: Receiver<Done>,
    here: Bench<'a>,
    n_under_way: usize,
    /// A snapshot that has much in common with the one that is packed.
    like: Option<Arc<Snapshot>>,
}

impl<'a> Workers<'a> {
    fn new(start: Start<'a>, tools: &'a Tools<'a>) -> Self {
        let (results, done) = channel();
        let jobs = Arc::new(Queue::new(MAX_WAITING));
        Self {
            n_threads: start(&jobs, results.clone()),
            start,
            jobs,
            results,
            done,
            here: Bench {
                tools,
                parsers: None,
            },
            n_under_way: 0,
            like: None,
        }
    }

    /// The number of threads; 0 where the thread of the index does the jobs.
    pub fn n_threads(&self) -> usize {
        self.n_threads
    }

    /// Ends the threads once they have done what they were given, and starts others: their parsers and caches go, and so does memory that
    /// they allocated and another thread frees, which an allocator returns to its owner only.
    pub fn renew(&mut self) {
        if self.n_threads == 0 {
            self.here.parsers = None;
            return;
        }
        let jobs = Arc::new(Queue::new(MAX_WAITING));
        self.n_threads = (self.start)(&jobs, self.results.clone());
        std::mem::replace(&mut self.jobs, jobs).close();
    }

    /// Gives a job to the next thread that is free. Waits where many are waiting already.
    pub fn give(&mut self, job: Job) {
        self.n_under_way += 1;
        if self.n_threads > 0 {
            self.jobs.put(job.n_bytes(), job.n_held(), job);
        } else {
            // The receiver is in `self`.
            let _ = self.results.send(self.here.run(job));
        }
    }

    /// Returns a result, if there is one by now.
    pub fn take_ready(&mut self) -> Option<Done> {
        let done = self.done.try_recv().ok()?;
        self.n_under_way -= 1;
        Some(done)
    }

    /// Waits for the next result; none where nothing is under way.
    pub fn take(&mut self) -> Option<Done> {
        if self.n_under_way == 0 {
            return None;
        }
        let done = self.done.recv().ok()?;
        self.n_under_way -= 1;
        Some(done)
    }
}

/// Compresses finished sections, so that they need not be when the index is written.
impl Packers for Workers<'_> {
    fn each(&mut self, n: usize, work: &(dyn Fn(usize) + Sync)) {
        side_by_side(self.n_threads, n, work);
    }

    fn like(&mut self, last: &Arc<Snapshot>) {
        self.like = Some(Arc::clone(last));
    }

    fn section(&mut self, name: &'static str, archive: &Archive) {
        self.give(Job::Section {
            name,
            archive: Archive::clone(archive),
            like: self.like.clone(),
        });
    }

    fn texts(&mut self, first: usize, blocks: &[TextBlock]) {
        self.give(Job::Texts {
            first,
            blocks: blocks.to_vec(),
        });
    }
}

/// Does `work` once for each number below `n`, by at most `n_threads` threads, of which this is one.
pub(crate) fn side_by_side(n_threads: usize, n: usize, work: &(dyn Fn(usize) + Sync)) {
    let next = AtomicUsize::new(0);
    let rest = || {
        while let Some(number) = Some(next.fetch_add(1, Ordering::Relaxed)).filter(|it| *it < n) {
            work(number);
        }
    };
    thread::scope(|scope| {
        for _ in 1..n_threads.min(n) {
            // Where no thread can be had, this one does more.
            let _ = thread::Builder::new().spawn_scoped(scope, rest);
        }
        rest();
    });
}

/// The number of threads that were asked for, where 0 means one for each core.
pub(crate) fn n_threads(asked: usize) -> usize {
    match asked {
        0 => thread::available_parallelism().map_or(1, NonZero::get),
        asked => asked,
    }
}

/// Puts a compressed part into the index that it was made of.
pub(crate) fn put_packed(snapshot: &Snapshot, done: Done) -> Result<(), Error> {
    match done {
        Done::Sections(sections) => {
            for (name, packed) in sections {
                snapshot.set_packed(name, packed);
            }
        }
        Done::Texts { first, blocks } => {
            for (number, packed) in (first..).zip(blocks) {
                snapshot.set_packed_texts(number, packed);
            }
        }
        Done::Failed(error) => return Err(error),
        _ => {}
    }
    Ok(())
}

/// Starts `asked` threads (0: one for each core), runs `work` with them, and ends them. Where the system has no threads, as in a page,
/// the thread of the index does the jobs.
pub(crate) fn with_workers<T>(
    asked: usize,
    tools: &Tools<'_>,
    work: impl FnOnce(&mut Workers<'_>) -> T,
) -> T {
    let n_threads = n_threads(asked);
    thread::scope(|scope| {
        let start = |jobs: &Arc<Queue<Job>>, results: Sender<Done>| {
            let started = (0..n_threads).take_while(|n| {
                let (jobs, results) = (Arc::clone(jobs), results.clone());
                let named = thread::Builder::new().name(format!("portolan {n}"));
                let named = named.stack_size(STACK_BYTES);
                let started = named.spawn_scoped(scope, move || serve(&jobs, &results, tools));
                started.is_ok()
            });
            started.count()
        };
        work(&mut Workers::new(&start, tools))
    })
}

/// Closes the queue at the end, also of work that panics: the threads end.
impl Drop for Workers<'_> {
    fn drop(&mut self) {
        self.jobs.close();
    }
}

/// Does jobs until the queue is closed.
fn serve(jobs: &Queue<Job>, results: &Sender<Done>, tools: &Tools<'_>) {
    let mut bench = Bench {
        tools,
        parsers: None,
    };
    while let Some(job) = jobs.take() {
        if results.send(bench.run(job)).is_err() {
            return;
        }
    }
}

/// The tools of one thread. Its parsers are made when it parses first.
struct Bench<'a> {
    tools: &'a Tools<'a>,
    parsers: Option<Parsers>,
}

impl Bench<'_> {
    fn run(&mut self, job: Job) -> Done {
        match job {
            Job::Parse { path, text } => {
                let unit = self.parse(&path, &text);
                Done::Read(vec![(path, unit)])
            }
            Job::Restore { block, texts } => Done::Read(self.restore(&block, &texts)),
            Job::Embed(files) => self.embed(&files).unwrap_or_else(Done::Failed),
            Job::Section {
                name,
                archive,
                like,
            } => match pack_archive(name, archive, like.as_deref()) {
                Ok(sections) => Done::Sections(sections),
                Err(error) => Done::Failed(engine::Error::from(error).into()),
            },
            Job::Texts { first, blocks } => Done::Texts {
                first,
                blocks: pack_blocks(&blocks),
            },
            Job::PutAside(engine) => Waiting::of(&engine).map_or_else(Done::Failed, Done::PutAside),
            Job::TakeUp { indexer, files } => {
                (self.take_up(indexer, files)).unwrap_or_else(Done::Failed)
            }
            Job::LayOut {
                shard,
                engine,
                resolution,
                now_millis,
            } => lay_out(shard, &engine, *resolution, now_millis).unwrap_or_else(Done::Failed),
        }
    }

    fn parse(&mut self, path: &str, text: &str) -> FileUnit {
        let new = || Parsers::new(self.tools.parse.clone());
        read_file(self.parsers.get_or_insert_with(new), path, text)
    }

    /// The files of a block; those of one that cannot be read are parsed.
    fn restore(&mut self, block: &UnchangedBlock, texts: &[Text]) -> Vec<(String, FileUnit)> {
        let paths = block.paths().map(str::to_owned);
        match block.units(texts) {
            Ok(units) => paths.zip(units).collect(),
            Err(_) => (paths.zip(texts))
                .map(|(path, text)| (path.clone(), self.parse(&path, text)))
                .collect(),
        }
    }

    fn take_up(&self, mut indexer: Box<Indexer>, files: Vec<Waiting>) -> Result<Done, Error> {
        let engine = indexer.engine_mut();
        for mut waiting in files {
            waiting.restore(engine)?;
        }
        if let Some(earlier) = self.tools.earlier.filter(|_| self.tools.embedder.is_some()) {
            earlier.give_vectors(engine);
        }
        Ok(Done::TakenUp(indexer))
    }

    fn embed(&self, files: &[PendingFile]) -> Result<Done, Error> {
        let texts: Vec<String> = files.iter().flat_map(PendingFile::texts).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let embed = |embedder: &(dyn Embedder + Send + Sync)| {
            let vectors = embedder.embed(&texts).map_err(|error| {
                let message = format!("the embedder failed: {error}");
                engine::Error::new(engine::ErrorKind::VectorsMismatch, message)
            })?;
            Rows::of(&vectors, embedder.dim())
        };
        let rows = self.tools.embedder.map(embed).transpose()?;
        Ok(Done::Embedded {
            keys: files.iter().flat_map(PendingFile::keys).collect(),
            rows: rows.unwrap_or_default(),
        })
    }
}

fn lay_out(
    shard: u16,
    engine: &Engine,
    resolution: PartResolution,
    now_millis: f64,
) -> Result<Done, Error> {
    let snapshot = Box::new(engine.build_part(resolution, now_millis, &mut ())?);
    let bytes = snapshot.to_bytes().map_err(engine::Error::from)?;
    let digest = source::digest(bytes);
    Ok(Done::LaidOut(LaidOut {
        shard,
        snapshot,
        digest,
    }))
}
