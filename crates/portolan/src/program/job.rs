//! `portolan job`: one run from a folder to an index for the npm package, which settled where it is written and what of the
//! repository's settings holds. The job comes as a line of JSON on stdin, with the bytes of files after it where it has some; events leave as lines
//! of JSON on stdout, and bytes, those of the index or of files, on descriptor 3.

use std::fs::File;
use std::io::{self, BufRead, Read, Write};
use std::os::fd::FromRawFd;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use portolan::engine::{Differences, Phase, Progress};
use portolan::source::{SkipReason, Skipped};
use portolan::{
    Difference, EntryKind, Index, IndexOptions, ShardSize, Snapshot, SourceConfig, WalkedEntry,
    WalkedFolder, difference, index_folder, open_lazily, replay, source,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::allocator::give_back_at_once;
use crate::arguments::Failure;
use crate::index::{bytes_of, shipped_model};
use crate::place::INDEX_FOLDER;
use crate::sharded::ShardedRun;
use crate::user_folder::name_for_units;

/// Where bytes are written to.
const OUTPUT: i32 = 3;
/// Events of progress are this far apart.
const PAUSE: Duration = Duration::from_millis(50);

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Job {
    /// That of the package: another one may make other indexes.
    version: String,
    folder: PathBuf,
    /// Without it an index from before keeps its own, and a new one has the folder's.
    #[serde(default)]
    name: String,
    #[serde(default)]
    source: Source,
    embeddings: bool,
    /// The time of the index, in milliseconds since 1970.
    now: f64,
    #[serde(default)]
    threads: usize,
    /// The index to bring up to date.
    previous: Option<PathBuf>,
    /// Read every file to see whether it changed.
    #[serde(default)]
    reads_all: bool,
    /// Make an index in shards, and write it: what it takes would not fit into one answer.
    sharded: Option<Sharded>,
    /// Find the difference from the earlier index: the maximum size of the files that differ, in bytes.
    differs: Option<u64>,
    /// Make the index of the earlier one and this difference.
    replay: Option<Replay>,
}

/// A difference from an index without the bytes of its files, which follow the job or leave on the descriptor.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Replay {
    /// The files with their numbers of bytes.
    files: Vec<(String, usize)>,
    deleted: Vec<String>,
    skipped: Vec<SkippedNote>,
}

#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct SkippedNote {
    path: String,
    code: String,
    message: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Sharded {
    /// The file of the root.
    output: PathBuf,
    /// Below these no link is followed.
    repositories: Vec<PathBuf>,
    /// The number of shards, or bytes of memory.
    size: u64,
    is_memory: bool,
    /// Parse every file, also those that the index there has facts of.
    #[serde(default)]
    is_full: bool,
}

/// As in the npm package (`SourceOptions`).
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
struct Source {
    max_file_bytes: Option<u32>,
    max_files: Option<u32>,
    default_excludes: Option<bool>,
    include_generated: Option<bool>,
    exclude: Vec<String>,
    include: Vec<String>,
    languages: Vec<String>,
}

/// Does the job of stdin. A failure is an event, too.
pub(crate) fn job() -> Result<String, Failure> {
    let done = run();
    if let Err(Failure::Refused(error)) = &done {
        let _ = event(&json!({ "type": "error", "error": error }));
    }
    done
}

fn run() -> Result<String, Failure> {
    let mut stdin = io::stdin().lock();
    let mut text = String::new();
    stdin.read_line(&mut text).map_err(invalid)?;
    let mut job: Job = serde_json::from_str(&text).map_err(invalid)?;
    let version = env!("CARGO_PKG_VERSION");
    if job.version != version {
        let message = format!(
            "the program is of version {version}, the package of {}",
            job.version
        );
        return Err(invalid(message));
    }
    let options = options(&job)?;
    if options.previous.is_none() {
        give_back_at_once();
    }
    let mut last = None;
    let mut on_progress = |progress: Progress<'_>| {
        let is_due = last.is_none_or(|last: Instant| last.elapsed() >= PAUSE);
        if is_due || progress.done == progress.total {
            last = Some(Instant::now());
            return event(&shown(progress)).is_ok();
        }
        true
    };
    if let Some(sharded) = &job.sharded {
        let (summary, walked) = sharded.run(&job.folder, &options).make(&mut on_progress)?;
        let _ = event(&json!({ "type": "sharded", "summary": summary, "walked": all(&walked) }));
        return Ok(String::new());
    }
    if let Some(max_bytes) = job.differs {
        return differ(&job.folder, &options, max_bytes);
    }
    if let Some(given) = job.replay.take() {
        let difference = given.with_bytes(&mut stdin)?;
        let snapshot = replay(difference, &options, &mut on_progress)?;
        return done(&snapshot, Value::Null, Value::Null);
    }
    let indexed = index_folder(&job.folder, &options, &mut on_progress)?;
    let changes = indexed.changes.as_ref().map(changes);
    let walked = all(&indexed.walked);
    done(&indexed.snapshot, json!(changes), json!(walked))
}

/// Hands the index over, and says that it is done.
fn done(snapshot: &Arc<Snapshot>, changes: Value, walked: Value) -> Result<String, Failure> {
    write(&[bytes_of(snapshot)?])?;
    let index = Index::new(Arc::clone(snapshot))?;
    let status: Value = serde_json::from_str(&index.ask("status", "{}")?).unwrap_or_default();
    let done = json!({ "type": "done", "status": status, "changes": changes, "walked": walked });
    let _ = event(&done);
    Ok(String::new())
}

/// Hands the difference from the earlier index over; none where not all can be told by one.
fn differ(folder: &Path, options: &IndexOptions, max_bytes: u64) -> Result<String, Failure> {
    let found = difference(folder, options, max_bytes)?;
    if let Some(found) = &found {
        let pieces: Vec<&[u8]> = found.files.iter().map(|(_, bytes)| &**bytes).collect();
        write(&pieces)?;
    }
    let told = found.as_ref().map(|found| {
        json!({
            "difference": Replay::of(found),
            "n_unchanged": found.n_unchanged,
            "walked": all(&found.walked),
        })
    });
    let _ = event(&json!({ "type": "differs", "found": told }));
    Ok(String::new())
}

impl Replay {
    fn of(found: &Difference) -> Self {
        let files = found.files.iter();
        let skipped = found.skipped.iter().map(|note| SkippedNote {
            path: note.path.clone(),
            code: note.reason.code().to_owned(),
            message: note.reason.to_string(),
        });
        Self {
            files: files
                .map(|(path, bytes)| (path.clone(), bytes.len()))
                .collect(),
            deleted: found.deleted.clone(),
            skipped: skipped.collect(),
        }
    }

    /// The difference, with the bytes of its files from `input`.
    fn with_bytes(self, input: &mut impl Read) -> Result<Difference, Failure> {
        let mut files = Vec::with_capacity(self.files.len());
        for (path, n_bytes) in self.files {
            let mut bytes = Vec::new();
            let read = input.by_ref().take(n_bytes as u64).read_to_end(&mut bytes);
            if read.map_err(invalid)? < n_bytes {
                return Err(invalid("the bytes of a file are cut off"));
            }
            files.push((path, bytes));
        }
        let skipped = self.skipped.into_iter();
        let skipped = skipped.map(
            |SkippedNote {
                 path,
                 code,
                 message,
             }| Skipped {
                path,
                reason: SkipReason::Noted { code, message },
            },
        );
        Ok(Difference {
            files,
            deleted: self.deleted,
            skipped: skipped.collect(),
            ..Difference::default()
        })
    }
}

fn invalid(message: impl ToString) -> Failure {
    Failure::refused("job.invalid", message.to_string(), "")
}

impl Sharded {
    fn run<'a>(&'a self, folder: &'a Path, options: &'a IndexOptions) -> ShardedRun<'a> {
        ShardedRun {
            folder,
            target: &self.output,
            repositories: &self.repositories,
            options,
            size: match self.is_memory {
                true => ShardSize::Memory(self.size),
                false => ShardSize::Number(self.size.max(1)),
            },
            is_full: self.is_full,
        }
    }
}

/// The folders as the package remembers them; none where the system does not say when each changed.
fn all(folders: &[WalkedFolder]) -> Option<Vec<Value>> {
    folders.iter().map(walked).collect()
}

fn options(job: &Job) -> Result<IndexOptions, Failure> {
    let defaults = SourceConfig::default();
    let given = &job.source;
    let previous = job.previous.as_ref();
    let previous = previous.and_then(|path| open_lazily(path).ok());
    Ok(IndexOptions {
        name: job.name.clone(),
        source: SourceConfig {
            max_file_bytes: given.max_file_bytes.unwrap_or(defaults.max_file_bytes),
            max_files: given.max_files.unwrap_or(defaults.max_files),
            default_excludes: given.default_excludes.unwrap_or(defaults.default_excludes),
            include_generated: given
                .include_generated
                .unwrap_or(defaults.include_generated),
            rules: [source::only(&given.include), given.exclude.clone()].concat(),
            ..defaults
        },
        languages: given.languages.clone(),
        embedder: match job.embeddings {
            true => Some(shipped_model()?),
            false => None,
        },
        threads: job.threads,
        previous,
        earlier: None,
        reads_all: job.reads_all,
        now_millis: job.now,
    })
}

fn shown(progress: Progress<'_>) -> Value {
    let phase = match progress.phase {
        Phase::Parsing => "parsing",
        Phase::Embedding => "embedding",
        Phase::Building => "building",
    };
    json!({
        "type": "progress",
        "progress": { "phase": phase, "done": progress.done, "total": progress.total, "detail": progress.path },
    })
}

fn changes(changes: &Differences) -> Value {
    let renamed = changes.renamed.iter();
    let renamed = renamed.map(|(from, to)| json!({ "from": from, "to": to }));
    json!({
        "added": changes.added,
        "modified": changes.modified,
        "deleted": changes.deleted,
        "renamed": renamed.collect::<Vec<_>>(),
        "n_unchanged": changes.n_unchanged,
    })
}

/// A folder as the package remembers it (`pkg/src/node/look.ts`); none where the system does not say when it changed.
fn walked(folder: &WalkedFolder) -> Option<Value> {
    let mut names: Vec<Vec<u16>> = Vec::with_capacity(folder.entries.len());
    for WalkedEntry { name, kind } in &folder.entries {
        let kind = match kind {
            EntryKind::File => "file",
            EntryKind::Folder => "folder",
            EntryKind::Other => "other",
        };
        if *kind != *"folder" || name != INDEX_FOLDER {
            names.push(format!("{kind} {name}").encode_utf16().collect());
        }
    }
    names.sort_unstable();
    let digest = format!(
        "{} {}",
        names.len(),
        name_for_units(&names.join(&u16::from(b'\n')))
    );
    let files = folder.files.iter();
    let files = files.map(|file| json!([file.name, file.n_bytes, file.changed]));
    Some(json!([
        folder.path,
        folder.modified?,
        digest,
        files.collect::<Vec<_>>()
    ]))
}

fn event(event: &Value) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    writeln!(stdout, "{event}")?;
    stdout.flush()
}

fn write(pieces: &[&[u8]]) -> Result<(), Failure> {
    // SAFETY: the package opens this descriptor for the bytes of a job, and nothing else here uses it.
    #[expect(unsafe_code, reason = "a descriptor comes by its number")]
    let mut output = unsafe { File::from_raw_fd(OUTPUT) };
    let written = pieces.iter().try_for_each(|piece| output.write_all(piece));
    written.map_err(|error| invalid(format!("the bytes cannot be handed over: {error}")))
}
