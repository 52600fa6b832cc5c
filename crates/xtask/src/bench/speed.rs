//! A cold index, natively and as WebAssembly in Node, each a whole process from start to saved file.

use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use super::data::Repository;
use super::native;
use super::process::{Cost, measure};
use crate::paths;
use crate::setup::Toolbox;
use crate::shell::{Result, say};

const LIMIT: Duration = Duration::from_secs(1200);
/// Runs of each; the fastest counts, since everything else on the machine only ever adds.
const N_RUNS: usize = 3;

/// The table of all repositories.
pub fn run(toolbox: &Toolbox, repositories: &[Repository]) -> Result<String> {
    let program = native::build(toolbox)?;
    let mut table = String::from(
        "| repository | files | MB | native | wasm in Node | wasm / native | wasm MB/s | index MB |\n|---|--:|--:|--:|--:|--:|--:|--:|\n",
    );
    let mut total = (0.0, 0.0, 0.0);
    for repository in repositories {
        let native = fastest(|| native::index(toolbox, &program, &repository.path))?;
        let saved = native::out().join("speed.portolan");
        let wasm = fastest(|| index(toolbox, &repository.path, &saved))?;
        let (n_files, bytes) = read_counts(&native.output, &repository.path);
        let megabytes = bytes as f64 / 1e6;
        let index_megabytes = std::fs::metadata(&saved).map_or(0, |meta| meta.len()) as f64 / 1e6;
        let _ = writeln!(
            table,
            "| {} | {n_files} | {megabytes:.2} | {:.2} s | {:.2} s | {:.2} | {:.1} | {index_megabytes:.2} |",
            repository.name,
            native.seconds,
            wasm.seconds,
            wasm.seconds / native.seconds,
            megabytes / wasm.seconds,
        );
        say(&format!(
            "  {}: native {}, wasm {}",
            repository.name,
            native.shown(),
            wasm.shown()
        ));
        total = (
            total.0 + megabytes,
            total.1 + native.seconds,
            total.2 + wasm.seconds,
        );
    }
    let (megabytes, native, wasm) = total;
    let _ = writeln!(
        table,
        "| all | | {megabytes:.2} | {native:.2} s | {wasm:.2} s | {:.2} | {:.1} | |",
        wasm / native,
        megabytes / wasm
    );
    let _ = writeln!(
        table,
        "\nWhole processes from start to saved index, vectors included, the fastest of {N_RUNS} runs. MB: text that was indexed."
    );
    Ok(table)
}

/// Indexes the repository at `path` with the npm package's command line into the file `saved`.
pub fn index(toolbox: &Toolbox, path: &Path, saved: &Path) -> Result<Cost> {
    paths::make_dir(saved.parent().unwrap_or(saved))?;
    let _ = std::fs::remove_file(saved);
    let root = paths::root();
    let launcher = root.join("pkg/bin/portolan.js");
    let (launcher, path, saved) = (
        launcher.to_string_lossy(),
        path.to_string_lossy(),
        saved.to_string_lossy(),
    );
    let args = [&*launcher, "index", &*path, "-o", &*saved];
    let node = toolbox.program("node");
    measure(&node, &args, &root, &toolbox.env(), LIMIT)
}

/// The fastest of several runs.
pub fn fastest(mut once: impl FnMut() -> Result<Cost>) -> Result<Cost> {
    let mut best = once()?;
    for _ in 1..N_RUNS {
        let cost = once()?;
        if cost.seconds < best.seconds {
            best = cost;
        }
    }
    Ok(best)
}

/// Files and bytes that were indexed, from the program's own JSON line; else what lies in the folder.
fn read_counts(output: &str, path: &Path) -> (u64, u64) {
    let line = output
        .lines()
        .rev()
        .find_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    let number = |key: &str| line.as_ref()?.get(key)?.as_u64();
    match (number("files"), number("bytes")) {
        (Some(files), Some(bytes)) => (files, bytes),
        _ => (
            paths::files_under(path, &[".git"]).len() as u64,
            paths::size_of(path),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_come_from_the_last_json_line() {
        let output = "indexed\n{\"files\": 3, \"bytes\": 400, \"total_ms\": 1.5}\n";
        assert_eq!(read_counts(output, Path::new("/nowhere")), (3, 400));
        assert_eq!(read_counts("indexed", Path::new("/nowhere")), (0, 0));
    }
}
