//! A cold index, natively and as WebAssembly in Node.

use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use super::data::Repository;
use super::native;
use super::process::{Cost, measure};
use crate::build::native::{Speed, place};
use crate::paths;
use crate::setup::Toolbox;
use crate::shell::{Result, say};

const LIMIT: Duration = Duration::from_secs(1200);
/// Runs of each; the fastest counts, since everything else on the machine only ever adds.
const N_RUNS: usize = 3;

/// The engine that `portolan index` uses.
#[derive(Clone, Copy)]
pub enum Engine {
    Wasm,
    /// The program that `cargo xtask build native` makes.
    Native,
}

/// The command line of the npm package, timed from outside.
pub struct Indexed {
    /// The whole process.
    pub cost: Cost,
    /// Its own measurement, without the start of Node.
    pub seconds: f64,
    /// Size of the saved index.
    pub n_bytes: u64,
}

/// The table of all repositories.
pub fn run(toolbox: &Toolbox, repositories: &[Repository]) -> Result<String> {
    let program = native::build(toolbox)?;
    let saved = native::out().join("speed.portolan");
    let mut table = String::from(
        "| repository | files | MB | native | wasm, one worker | wasm / native | whole command | with vectors | MB/s | index MB |\n\
         |---|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n",
    );
    let mut total = Sums::default();
    for repository in repositories {
        let path = &repository.path;
        let native = native::index(&program, path)?;
        let plain = || {
            index(
                toolbox,
                path,
                &saved,
                Engine::Wasm,
                &["--no-embeddings", "--workers", "1"],
            )
        };
        let one = best(|| plain().map(|run| (run.seconds, run)))?;
        let whole = || index(toolbox, path, &saved, Engine::Wasm, &["--no-embeddings"]);
        let whole = best(|| whole().map(|run| (run.cost.seconds, run)))?;
        let vectors = best(|| {
            index(toolbox, path, &saved, Engine::Wasm, &[]).map(|run| (run.cost.seconds, run))
        })?;
        let row = Sums {
            megabytes: native.n_bytes as f64 / 1e6,
            native: native.seconds,
            wasm: one.seconds,
            whole: whole.cost.seconds,
            vectors: vectors.cost.seconds,
        };
        let index_megabytes = vectors.n_bytes as f64 / 1e6;
        let line = format!(
            "| {} | {} | {} {index_megabytes:.2} |",
            repository.name,
            native.n_files,
            row.shown()
        );
        say(&format!("  {line}"));
        let _ = writeln!(table, "{line}");
        total.add(&row);
    }
    let _ = writeln!(table, "| all | | {} |", total.shown());
    let _ = writeln!(
        table,
        "\nThe fastest of {N_RUNS} runs. Native and one worker: the same work in one thread, from the first file read to the snapshot,\n\
         without vectors and without the start of the process. Whole command: `portolan index` from start to saved file with all\n\
         workers, without vectors and (with MB/s) with them. MB: text that was indexed."
    );
    Ok(table)
}

#[derive(Default)]
struct Sums {
    megabytes: f64,
    native: f64,
    wasm: f64,
    whole: f64,
    vectors: f64,
}

impl Sums {
    fn add(&mut self, row: &Self) {
        self.megabytes += row.megabytes;
        self.native += row.native;
        self.wasm += row.wasm;
        self.whole += row.whole;
        self.vectors += row.vectors;
    }

    fn shown(&self) -> String {
        let Self {
            megabytes,
            native,
            wasm,
            whole,
            vectors,
        } = self;
        let (ratio, speed) = (wasm / native, megabytes / vectors);
        format!(
            "{megabytes:.2} | {native:.2} s | {wasm:.2} s | {ratio:.2} | {whole:.2} s | {vectors:.2} s | {speed:.1} |"
        )
    }
}

/// Indexes the repository at `path` with the npm package's command line into the file `saved`.
pub fn index(
    toolbox: &Toolbox,
    path: &Path,
    saved: &Path,
    engine: Engine,
    more: &[&str],
) -> Result<Indexed> {
    paths::make_dir(saved.parent().unwrap_or(saved))?;
    let _ = std::fs::remove_file(saved);
    let root = paths::root();
    let launcher = root.join("pkg/bin/portolan.js");
    let (launcher, path, file) = (
        launcher.to_string_lossy(),
        path.to_string_lossy(),
        saved.to_string_lossy(),
    );
    let name = match engine {
        Engine::Wasm => "wasm",
        Engine::Native => "native",
    };
    let mut args = vec![
        &*launcher, "index", &*path, "-o", &*file, "--json", "--quiet", "--engine", name,
    ];
    args.extend(more);
    let mut env = toolbox.env();
    let program = place(Speed::Released);
    env.push((
        "PORTOLAN_NATIVE".to_owned(),
        program.to_string_lossy().into_owned(),
    ));
    let cost = measure(&toolbox.program("node"), &args, &root, &env, LIMIT)?;
    let n_bytes = std::fs::metadata(saved).map_or(0, |meta| meta.len());
    let seconds = read_seconds(&cost.output).unwrap_or(cost.seconds);
    Ok(Indexed {
        cost,
        seconds,
        n_bytes,
    })
}

/// The run with the smallest figure of several.
pub fn best<T>(mut once: impl FnMut() -> Result<(f64, T)>) -> Result<T> {
    let (mut least, mut kept) = once()?;
    for _ in 1..N_RUNS {
        let (figure, run) = once()?;
        if figure < least {
            (least, kept) = (figure, run);
        }
    }
    Ok(kept)
}

/// `seconds` of the last line that is JSON.
fn read_seconds(output: &str) -> Option<f64> {
    let parsed = output
        .lines()
        .rev()
        .find_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    parsed?.get("seconds")?.as_f64()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_come_from_the_last_json_line() {
        assert_eq!(
            read_seconds("indexed\n{\"n_files\": 3, \"seconds\": 0.5}\n"),
            Some(0.5)
        );
        assert_eq!(read_seconds("indexed"), None);
    }

    #[test]
    fn the_best_run_is_kept() {
        let mut figures = [3.0, 1.0, 2.0].into_iter();
        let kept = best(|| {
            figures
                .next()
                .map(|figure| (figure, figure))
                .ok_or_else(String::new)
        });
        assert_eq!(kept, Ok(1.0));
    }
}
