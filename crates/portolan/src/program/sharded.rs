//! `portolan index --shards` and `--memory-budget`: an index in several files, for folders that one memory does not hold.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use portolan::engine::OnProgress;
use portolan::{
    EarlierShards, IndexOptions, ShardSize, WalkedFolder, index_in_shards, shard_path,
    shard_size_at,
};
use serde::Serialize;
use serde_json::json;

use crate::allocator::keep_for_shards;
use crate::arguments::{Command, Failure};
use crate::index::bind;
use crate::own_index::is_own_index;
use crate::place::write_index;

/// Maximum number of megabytes of a budget: a terabyte.
const MAX_BUDGET: u64 = 1 << 20;

/// The size of shards that the command line asks for, if it does.
pub(crate) fn size(command: &Command) -> Result<Option<ShardSize>, Failure> {
    let shards = command.number::<u64>("shards")?;
    let budget = command.number::<u64>("memory-budget")?;
    match (shards, budget) {
        (None, None) => Ok(None),
        (Some(n), None) if n > 0 => Ok(Some(ShardSize::Number(n))),
        (None, Some(megabytes)) if (64..=MAX_BUDGET).contains(&megabytes) => {
            Ok(Some(ShardSize::Memory(megabytes * 1_000_000)))
        }
        (Some(_), Some(_)) => Err(Failure::usage(
            "index: give --shards or --memory-budget, not both".to_owned(),
        )),
        (Some(_), None) => Err(Failure::usage("--shards begins at 1".to_owned())),
        (None, Some(_)) => Err(Failure::usage(format!(
            "--memory-budget is 64 to {MAX_BUDGET} megabytes"
        ))),
    }
}

/// Shards as large as those of the index at `target`; none where that is in one piece, or was not made here.
pub(crate) fn size_at(target: &Path) -> Option<ShardSize> {
    if !is_own_index(target) {
        return None;
    }
    shard_size_at(target).ok()?
}

/// A run that makes shards.
pub(crate) struct ShardedRun<'a> {
    pub(crate) folder: &'a Path,
    pub(crate) target: &'a Path,
    /// Below these no link is followed.
    pub(crate) repositories: &'a [PathBuf],
    pub(crate) options: &'a IndexOptions,
    pub(crate) size: ShardSize,
    /// Parse every file, also those that the index at `target` has facts of.
    pub(crate) is_full: bool,
}

/// The index that a run made and wrote.
#[derive(Debug, Serialize)]
pub(crate) struct Summary {
    index: PathBuf,
    /// Of the root and its shards.
    n_bytes: usize,
    n_files: u32,
    n_shards: usize,
    n_root_bytes: usize,
    /// Files whose facts were taken from the earlier index.
    n_unchanged: usize,
    seconds: f64,
}

impl ShardedRun<'_> {
    /// Makes the index and writes it; returns the folders as they were walked, too.
    pub(crate) fn make(
        &self,
        progress: OnProgress<'_>,
    ) -> Result<(Summary, Vec<WalkedFolder>), Failure> {
        let started = Instant::now();
        let mut written: Vec<PathBuf> = Vec::new();
        let mut n_bytes = 0;
        let mut write = |name: &str, bytes: &[u8]| {
            written.push(self.write_shard(name, bytes)?);
            n_bytes += bytes.len();
            Ok(())
        };
        keep_for_shards();
        let options = IndexOptions {
            earlier: self.earlier().map(Arc::new),
            ..self.options.clone()
        };
        let made = index_in_shards(self.folder, &options, self.size, &mut write, progress)?;
        // Until here a reader has the old index, whose shards are all there.
        write_index(self.target, self.repositories, &made.bytes)?;
        bind(self.target, self.folder);
        remove_others(self.target, &written);
        let summary = Summary {
            index: self.target.to_owned(),
            n_bytes: made.bytes.len() + n_bytes,
            n_files: made.root.shards().iter().map(|shard| shard.n_files).sum(),
            n_shards: made.root.shards().len(),
            n_root_bytes: made.bytes.len(),
            n_unchanged: made.n_unchanged,
            seconds: started.elapsed().as_secs_f64(),
        };
        Ok((summary, made.walked))
    }

    /// The index that is there, where it was made here and is to be used.
    fn earlier(&self) -> Option<EarlierShards> {
        let is_used = !self.is_full && is_own_index(self.target);
        is_used.then(|| EarlierShards::open(self.target, self.options, is_own_index))?
    }

    fn write_shard(&self, name: &str, bytes: &[u8]) -> Result<PathBuf, portolan::Error> {
        let file = shard_path(self.target, name);
        match write_index(&file, self.repositories, bytes) {
            Ok(()) => {}
            Err(Failure::Refused(body)) => return Err(portolan::Error::Question(body)),
            Err(Failure::Usage(message)) => {
                return Err(portolan::Error::Question(portolan::ErrorBody {
                    code: "output.unwritable".to_owned(),
                    message,
                    help: String::new(),
                }));
            }
        }
        bind(&file, self.folder);
        Ok(file)
    }
}

impl Summary {
    /// As JSON, or for a person.
    pub(crate) fn told(&self, is_json: bool) -> String {
        if is_json {
            return format!("{}\n", json!(self));
        }
        let megabytes = |n_bytes: usize| n_bytes as f64 / 1e6;
        format!(
            "{} files in {} shards, {:.1} s\n{} ({:.1} MB, and {:.1} MB of shards beside it)\n",
            self.n_files,
            self.n_shards,
            self.seconds,
            self.index.display(),
            megabytes(self.n_root_bytes),
            megabytes(self.n_bytes - self.n_root_bytes)
        )
    }
}

/// Removes the shards of earlier indexes beside a root: those that are not among these.
pub(crate) fn remove_others(target: &Path, kept: &[PathBuf]) {
    let kept: BTreeSet<&Path> = kept.iter().map(PathBuf::as_path).collect();
    for shard in shards_beside(target) {
        if !kept.contains(shard.as_path()) {
            // One that cannot be removed is in nobody's way.
            let _ = std::fs::remove_file(shard);
        }
    }
}

/// The files beside a root that are named as shards of it.
fn shards_beside(target: &Path) -> Vec<PathBuf> {
    let (Some(folder), Some(stem)) = (target.parent(), target.file_stem()) else {
        return Vec::new();
    };
    let before = format!("{}-", stem.to_string_lossy());
    let is_shard = |name: &str| {
        let digits = name.strip_prefix(before.as_str());
        let digits = digits.and_then(|rest| rest.strip_suffix(".portolan"));
        digits.is_some_and(|digits| {
            digits.len() == 32 && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
        })
    };
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .filter(|entry| is_shard(&entry.file_name().to_string_lossy()))
        .map(|entry| entry.path())
        .collect()
}
