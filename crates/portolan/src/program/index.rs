//! `portolan index`: indexes a folder and writes the index beside it.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Instant, SystemTime};

use portolan::{
    IndexOptions, Indexed, Snapshot, SourceConfig, embed, index_folder, open_lazily, source,
};

use crate::allocator::give_back_at_once;
use crate::arguments::{Command, Failure};
use crate::own_index::{bind_index, is_own_index};
use crate::place::{absolute, find_root, index_path_of, write_index};
use crate::sharded::{self, ShardedRun, size_at};

const OPTIONS: [&str; 14] = [
    "output",
    "full",
    "no-embeddings",
    "threads",
    "shards",
    "memory-budget",
    "name",
    "include",
    "exclude",
    "only-language",
    "max-file-bytes",
    "max-files",
    "json",
    "quiet",
];

pub(crate) fn index(command: &Command) -> Result<String, Failure> {
    command.allow(&OPTIONS)?;
    let started = Instant::now();
    let folder = match command.operands.as_slice() {
        [] => find_root(Path::new(".")),
        [folder] => absolute(Path::new(folder)),
        _ => return Err(Failure::usage("index: one folder is enough".to_owned())),
    };
    let target = match command.value("output") {
        Some(file) => absolute(Path::new(file)),
        None => index_path_of(&folder),
    };
    let mut options = options(command)?;
    let repositories = match command.value("output") {
        Some(_) => vec![find_root(&folder), find_root(Path::new("."))],
        None => vec![folder.clone()],
    };
    let is_full = command.has("full");
    let asked = sharded::size(command)?;
    if let Some(size) = asked.or_else(|| (!is_full).then(|| size_at(&target)).flatten()) {
        let run = ShardedRun {
            folder: &folder,
            target: &target,
            repositories: &repositories,
            options: &options,
            size,
            is_full,
        };
        let (summary, _) = run.make(&mut |_| true)?;
        return Ok(summary.told(command.has("json")));
    }
    if !is_full {
        options.previous = previous(&target);
    }
    if options.previous.is_none() {
        give_back_at_once();
    }
    let indexed = index_folder(&folder, &options, &mut |_| true)?;
    let bytes = bytes_of(&indexed.snapshot)?;
    write_index(&target, &repositories, bytes)?;
    bind(&target, &folder);
    sharded::remove_others(&target, &[]);
    told(command, &indexed, &target, bytes.len(), started)
}

/// Records that an index was made here.
pub(crate) fn bind(target: &Path, folder: &Path) {
    if !bind_index(target, folder) {
        eprintln!(
            "portolan: there is no user folder to record that you built this index: name it with --index in queries [index.unbound]"
        );
    }
}

/// Returns the bytes of an index's file.
pub(crate) fn bytes_of(snapshot: &Snapshot) -> Result<&[u8], Failure> {
    let bytes = snapshot.to_bytes().map_err(portolan::engine::Error::from);
    Ok(bytes.map_err(portolan::Error::from)?)
}

fn options(command: &Command) -> Result<IndexOptions, Failure> {
    let owned = |option| {
        command
            .values(option)
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let defaults = SourceConfig::default();
    Ok(IndexOptions {
        name: command.value("name").unwrap_or_default().to_owned(),
        source: SourceConfig {
            max_file_bytes: command
                .number("max-file-bytes")?
                .unwrap_or(defaults.max_file_bytes),
            max_files: command.number("max-files")?.unwrap_or(defaults.max_files),
            rules: [source::only(&owned("include")), owned("exclude")].concat(),
            ..defaults
        },
        languages: owned("only-language"),
        embedder: match command.has("no-embeddings") {
            true => None,
            false => Some(shipped_model()?),
        },
        threads: command.number("threads")?.unwrap_or_default(),
        now_millis: now_millis(),
        ..IndexOptions::default()
    })
}

/// Milliseconds since 1970, whole ones as in JavaScript.
fn now_millis() -> f64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    since.map_or(0.0, |since| since.as_millis() as f64)
}

/// The model that ships.
pub(crate) fn shipped_model() -> Result<Arc<embed::StaticEmbedder>, Failure> {
    let model = embed::shipped();
    let model = model.map_err(|error| {
        Failure::refused(
            "model.unusable",
            format!("the model cannot be read: {error}"),
            "",
        )
    })?;
    Ok(Arc::new(model))
}

/// The index that is there, where it was made here and can be brought up to date.
fn previous(target: &Path) -> Option<Arc<Snapshot>> {
    if !is_own_index(target) {
        return None;
    }
    open_lazily(target).ok()
}

fn told(
    command: &Command,
    indexed: &Indexed,
    target: &PathBuf,
    n_bytes: usize,
    started: Instant,
) -> Result<String, Failure> {
    let index = portolan::Index::new(Arc::clone(&indexed.snapshot))?;
    let status = index.reader().status();
    let seconds = started.elapsed().as_secs_f64();
    let (n_files, n_symbols, n_skipped) = (status.n_files, status.n_symbols, status.skipped.len());
    if command.has("json") {
        let summary = serde_json::json!({
            "index": target, "n_bytes": n_bytes, "n_files": n_files, "n_skipped": n_skipped, "n_symbols": n_symbols,
            "n_chunks": status.n_chunks, "n_vectors": status.n_vectors, "n_edges": status.n_edges, "seconds": seconds,
        });
        return Ok(format!("{summary}\n"));
    }
    let megabytes = n_bytes as f64 / 1e6;
    Ok(format!(
        "{n_files} files ({n_skipped} skipped), {n_symbols} symbols, {seconds:.1} s\n{} ({megabytes:.1} MB)\n",
        target.display()
    ))
}
