//! `portolan index --shards` and `--memory-budget`: an index in several files, for folders that one memory does not hold.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Instant;

use portolan::{IndexOptions, ShardSize, index_in_shards, shard_path};

use crate::arguments::{Command, Failure};
use crate::index::bind;
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

pub(crate) fn index(
    command: &Command,
    folder: &Path,
    target: &Path,
    repositories: &[PathBuf],
    options: &IndexOptions,
    size: ShardSize,
) -> Result<String, Failure> {
    let started = Instant::now();
    let mut written: Vec<PathBuf> = Vec::new();
    let mut n_bytes = 0;
    let mut write = |name: &str, bytes: &[u8]| {
        let file = shard_path(target, name);
        match write_index(&file, repositories, bytes) {
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
        bind(&file, folder);
        n_bytes += bytes.len();
        written.push(file);
        Ok(())
    };
    let root = index_in_shards(folder, options, size, &mut write, &mut |_| true)?;
    let bytes = root.to_bytes().map_err(portolan::Error::from)?;
    // Until here a reader has the old index, whose shards are all there.
    write_index(target, repositories, &bytes)?;
    bind(target, folder);
    remove_others(target, &written);
    let n_files: u32 = root.shards().iter().map(|shard| shard.n_files).sum();
    let (n_shards, seconds) = (root.shards().len(), started.elapsed().as_secs_f64());
    if command.has("json") {
        let summary = serde_json::json!({
            "index": target, "n_bytes": bytes.len() + n_bytes, "n_files": n_files, "n_shards": n_shards,
            "n_root_bytes": bytes.len(), "seconds": seconds,
        });
        return Ok(format!("{summary}\n"));
    }
    let megabytes = |n_bytes: usize| n_bytes as f64 / 1e6;
    Ok(format!(
        "{n_files} files in {n_shards} shards, {seconds:.1} s\n{} ({:.1} MB, and {:.1} MB of shards beside it)\n",
        target.display(),
        megabytes(bytes.len()),
        megabytes(n_bytes)
    ))
}

/// Removes shards of earlier indexes beside a root: files that have the name of one, and are not among these.
pub(crate) fn remove_others(target: &Path, kept: &[PathBuf]) {
    let (Some(folder), Some(stem)) = (target.parent(), target.file_stem()) else {
        return;
    };
    let before = format!("{}-", stem.to_string_lossy());
    let kept: BTreeSet<&Path> = kept.iter().map(PathBuf::as_path).collect();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let digits = name.strip_prefix(before.as_str());
        let digits = digits.and_then(|rest| rest.strip_suffix(".portolan"));
        let is_shard = digits.is_some_and(|digits| {
            digits.len() == 32 && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
        });
        if is_shard && !kept.contains(entry.path().as_path()) {
            // One that cannot be removed is in nobody's way.
            let _ = std::fs::remove_file(entry.path());
        }
    }
}
