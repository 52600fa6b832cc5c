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
    Archive, EmbeddingTask, FileUnit, Packers, Snapshot, pack_archive, pack_texts, read_file,
};
use syntax::{ParseConfig, Parsers};

use crate::Error;
use crate::queue::Queue;

/// Bytes of jobs that wait for a thread; a walk that is further ahead waits, so that texts do not pile up.
const MAX_WAITING: usize = 16 << 20;
/// Trees of generated code are deep, and grammars in C have frames of their own.
const STACK_BYTES: usize = 16 << 20;

/// Work for any thread.
pub(crate) enum Job {
    Parse {
        path: String,
        text: String,
    },
    Embed(Vec<EmbeddingTask>),
    Section {
        name: &'static str,
        archive: Archive,
        like: Option<Arc<Snapshot>>,
    },
    Texts {
        first: usize,
        blocks: Vec<u8>,
        ends: Vec<u32>,
    },
}

impl Job {
    /// How much there is to do, by the bytes that it reads.
    fn n_bytes(&self) -> usize {
        match self {
            Self::Parse { text, .. } => text.len(),
            Self::Embed(tasks) => tasks.iter().map(|task| task.text.len()).sum(),
            Self::Section { archive, .. } => archive.len(),
            Self::Texts { blocks, .. } => blocks.len(),
        }
    }
}

/// The result of a [`Job`].
pub(crate) enum Done {
    Parsed { path: String, unit: Box<FileUnit> },
    Embedded { keys: Vec<u64>, rows: Vec<f32> },
    Sections(Vec<(&'static str, Vec<u8>)>),
    Texts { first: usize, blocks: Vec<Vec<u8>> },
    Failed(Error),
}

/// Everything that threads share.
pub(crate) struct Tools<'a> {
    pub parse: &'a ParseConfig,
    pub embedder: Option<&'a (dyn Embedder + Send + Sync)>,
}

/// The threads, as the thread of the index sees them.
pub(crate) struct Workers<'a> {
    jobs: &'a Queue<Job>,
    /// 0 where none could be started: the thread of the index does the jobs.
    n_threads: usize,
    results: Sender<Done>,
    done: Receiver<Done>,
    here: Bench<'a>,
    n_under_way: usize,
    /// A snapshot that has much in common with the one that is packed.
    like: Option<Arc<Snapshot>>,
}

impl Workers<'_> {
    /// Gives a job to the next thread that is free. Waits where many are waiting already.
    pub fn give(&mut self, job: Job) {
        self.n_under_way += 1;
        if self.n_threads > 0 {
            self.jobs.put(job.n_bytes(), job);
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
        let next = AtomicUsize::new(0);
        let rest = || {
            while let Some(number) = Some(next.fetch_add(1, Ordering::Relaxed)).filter(|it| *it < n)
            {
                work(number);
            }
        };
        thread::scope(|scope| {
            for _ in 1..self.n_threads.min(n) {
                // Where no thread can be had, this one does more.
                let _ = thread::Builder::new().spawn_scoped(scope, rest);
            }
            rest();
        });
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

    fn texts(&mut self, first: usize, blocks: &[&[u8]]) {
        let mut end = 0;
        let ends = blocks.iter().map(|block| {
            end += block.len() as u32;
            end
        });
        let ends = ends.collect();
        let blocks = blocks.concat();
        self.give(Job::Texts {
            first,
            blocks,
            ends,
        });
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
        Done::Parsed { .. } | Done::Embedded { .. } => {}
    }
    Ok(())
}

/// Starts `n_threads` threads (0: one for each core), runs `work` with them, and ends them. Where the system has no threads, as in a page,
/// the thread of the index does the jobs.
pub(crate) fn with_workers<T>(
    n_threads: usize,
    tools: &Tools<'_>,
    work: impl FnOnce(&mut Workers<'_>) -> T,
) -> T {
    let n_cores = thread::available_parallelism().map_or(1, NonZero::get);
    let n_threads = if n_threads == 0 { n_cores } else { n_threads };
    let jobs = Queue::new(MAX_WAITING);
    let (results, done) = channel();
    thread::scope(|scope| {
        let started = (0..n_threads).take_while(|n| {
            let (jobs, results) = (&jobs, results.clone());
            let named = thread::Builder::new().name(format!("portolan {n}"));
            let named = named.stack_size(STACK_BYTES);
            let started = named.spawn_scoped(scope, move || serve(jobs, &results, tools));
            started.is_ok()
        });
        let n_started = started.count();
        let _closing = Closing(&jobs);
        work(&mut Workers {
            jobs: &jobs,
            n_threads: n_started,
            results,
            done,
            here: Bench {
                tools,
                parsers: None,
            },
            n_under_way: 0,
            like: None,
        })
    })
}

/// Closes the queue at the end, also of work that panics: the threads end.
struct Closing<'a>(&'a Queue<Job>);

impl Drop for Closing<'_> {
    fn drop(&mut self) {
        self.0.close();
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
                let new = || Parsers::new(self.tools.parse.clone());
                let parsers = self.parsers.get_or_insert_with(new);
                let unit = Box::new(read_file(parsers, &path, &text));
                Done::Parsed { path, unit }
            }
            Job::Embed(tasks) => self.embed(&tasks).unwrap_or_else(Done::Failed),
            Job::Section {
                name,
                archive,
                like,
            } => match pack_archive(name, archive, like.as_deref()) {
                Ok(sections) => Done::Sections(sections),
                Err(error) => Done::Failed(engine::Error::from(error).into()),
            },
            Job::Texts {
                first,
                blocks,
                ends,
            } => Done::Texts {
                first,
                blocks: pack_texts(&blocks, &ends),
            },
        }
    }

    fn embed(&self, tasks: &[EmbeddingTask]) -> Result<Done, Error> {
        let texts: Vec<&str> = tasks.iter().map(|task| task.text.as_str()).collect();
        let embedded = self.tools.embedder.map(|embedder| embedder.embed(&texts));
        let rows = embedded.transpose().map_err(|error| {
            let message = format!("the embedder failed: {error}");
            engine::Error::new(engine::ErrorKind::VectorsMismatch, message)
        })?;
        Ok(Done::Embedded {
            keys: tasks.iter().map(|task| task.key).collect(),
            rows: rows.unwrap_or_default(),
        })
    }
}
