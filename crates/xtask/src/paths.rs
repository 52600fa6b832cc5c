//! Places: the repository, and the cache for downloads and for results that are expensive to make.

use std::path::{Path, PathBuf};

use crate::shell::Result;

/// The root of this repository: the one that `cargo xtask` was called in, even where two checkouts share a target folder.
pub fn root() -> PathBuf {
    let manifest = std::env::var_os("CARGO_MANIFEST_DIR")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    manifest.ancestors().nth(2).unwrap_or(&manifest).to_owned()
}

/// Folders whose test files run under Node, each by one of the suites.
pub const TEST_FOLDERS: [&str; 9] = [
    "pkg/test",
    "www/src",
    "tests/worker",
    "tests/contract",
    "tests/browser",
    "tests/hostile",
    "tests/packaging",
    "tests/matrix",
    "tests/rust-page",
];

/// The cache folder: `PORTOLAN_CACHE`, or `~/.cache/portolan`. Everything in it can be deleted at any time.
pub fn cache() -> PathBuf {
    if let Some(dir) = std::env::var_os("PORTOLAN_CACHE") {
        return PathBuf::from(dir);
    }
    match std::env::var_os("XDG_CACHE_HOME").filter(|dir| !dir.is_empty()) {
        Some(dir) => PathBuf::from(dir).join("portolan"),
        None => PathBuf::from(std::env::var_os("HOME").unwrap_or_default()).join(".cache/portolan"),
    }
}

/// Reads a text file; the error names it.
pub fn read(path: &Path) -> Result<String> {
    std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))
}

/// Reads a file; the error names it.
pub fn read_bytes(path: &Path) -> Result<Vec<u8>> {
    std::fs::read(path).map_err(|e| format!("{}: {e}", path.display()))
}

/// Writes a file and the folders above it, in one step, for programs that read at the same time.
pub fn write(path: &Path, bytes: impl AsRef<[u8]>) -> Result<()> {
    make_parent(path)?;
    let mut partial = path.as_os_str().to_owned();
    partial.push(format!(".{}", std::process::id()));
    let partial = PathBuf::from(partial);
    std::fs::write(&partial, bytes).map_err(|e| format!("{}: {e}", partial.display()))?;
    std::fs::rename(&partial, path).map_err(|e| format!("{}: {e}", path.display()))
}

/// Copies a file, making the folders above the copy.
pub fn copy(from: &Path, to: &Path) -> Result<()> {
    write(to, read_bytes(from)?)
}

/// Makes a folder and those above it.
pub fn make_dir(dir: &Path) -> Result<()> {
    std::fs::create_dir_all(dir).map_err(|e| format!("{}: {e}", dir.display()))
}

fn make_parent(path: &Path) -> Result<()> {
    path.parent().map_or(Ok(()), make_dir)
}

/// The folder of cargo's outputs.
pub fn target_dir(root: &Path) -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), |dir| root.join(dir))
}

/// Every file under `dir`, sorted, without the folders named in `skip`. A missing folder has no files.
pub fn files_under(dir: &Path, skip: &[&str]) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut pending = vec![dir.to_owned()];
    while let Some(dir) = pending.pop() {
        for entry in std::fs::read_dir(&dir).into_iter().flatten().flatten() {
            let path = entry.path();
            let Ok(kind) = entry.file_type() else {
                continue;
            };
            if kind.is_dir() {
                let name = entry.file_name();
                if !skip.iter().any(|skipped| name == *skipped) {
                    pending.push(path);
                }
            } else if kind.is_file() {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// Size in bytes of every file under `dir`.
pub fn size_of(dir: &Path) -> u64 {
    files_under(dir, &[])
        .iter()
        .filter_map(|file| std::fs::metadata(file).ok())
        .map(|meta| meta.len())
        .sum()
}
