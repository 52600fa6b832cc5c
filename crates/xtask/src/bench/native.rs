//! The native bench program (`crates/measure`): quality of answers, and the yardstick for WebAssembly's speed.

use std::path::{Path, PathBuf};

use super::latency;
use crate::paths;
use crate::setup::Toolbox;
use crate::shell::{Call, Result, say, timed};

/// Runs the bench of quality called `name` over the set of that name in `data`, held against `truth`, and returns what
/// it printed.
pub fn quality(
    toolbox: &Toolbox,
    name: &str,
    data: &[&str],
    truth: Option<&str>,
) -> Result<String> {
    if name == "symbols" {
        return symbols(toolbox, data, truth);
    }
    let truth = truth
        .map(|dir| Path::new(dir).join(name))
        .filter(|dir| dir.is_dir());
    let truth = truth.ok_or_else(|| {
        format!("bench {name} needs --truth DIR, where DIR/{name} says which answers are right")
    })?;
    let sets = data.iter().map(|dir| Path::new(dir).join(name));
    let set = sets.into_iter().find(|dir| dir.is_dir());
    let set = set.ok_or_else(|| format!("none of {} has a folder {name}", data.join(", ")))?;
    let program = build(toolbox)?;
    paths::make_dir(&out())?;
    match name {
        "graph" => graph(&program, &set, &truth),
        _ => {
            let call = Call::new(program).arg(name).arg("--data").arg(&set);
            let printed = call.arg("--truth").arg(&truth).read()?;
            let latency = latency::run(toolbox, &set, &truth)?;
            Ok(format!("```\n{}\n```\n\n{latency}", printed.trim_end()))
        }
    }
}

/// Definitions beside those of the SCIP indexes in `truth`/graph/scip; the sources of NAME lie in `data`/SET/NAME.
fn symbols(toolbox: &Toolbox, data: &[&str], truth: Option<&str>) -> Result<String> {
    let indexes = truth
        .map(|dir| Path::new(dir).join("graph/scip"))
        .filter(|dir| dir.is_dir());
    let indexes = indexes.ok_or(
        "bench symbols needs --truth DIR, where DIR/graph/scip holds SCIP indexes: NAME.scip or NAME.scip.gz",
    )?;
    let sets = ["scip", "graph", "retrieval"];
    let folders = data
        .iter()
        .flat_map(|dir| sets.iter().map(|set| Path::new(dir).join(set)))
        .filter(|dir| dir.is_dir())
        .map(|dir| dir.display().to_string());
    let folders = folders.collect::<Vec<_>>().join(",");
    let call = Call::new(build(toolbox)?).args(["symbols", "--data", &folders]);
    let table = call.arg("--truth").arg(indexes).read()?;
    Ok(format!("{}\n\n{SYMBOLS}\n", table.trim_end()))
}

const SYMBOLS: &str = "\
The SCIP indexes are compilers' (rust-analyzer) or type checkers' (TypeScript's, pyright). Found: a definition of ours has the same name on the
same line. Counted are functions, methods, constructors, types, aliases, variants, macros, and constants and variables at file level, nested
ones too; not parameters, type parameters, local variables and modules; fields apart. False: ours that the index does not know at its place.
Not counted as false: callbacks and anonymous exports (they have no name for a compiler), `x.f = function () {}` (scip-typescript has no symbol
for it, and none for a computed name such as `[Symbol.iterator]`), and members of an object whose type is known (for it they are mentions of the
type's members). `cargo run --release -p portolan-measure -- symbols --data DIR --truth DIR --verbose` lists every one that does not agree. Indexes are made by `npx @sourcegraph/scip-typescript@0.4.0 index`,
`npx @sourcegraph/scip-python@0.6.6 index . --project-name NAME` and `rust-analyzer scip .` in the repository.";

/// The edges of every repository, scored by the benchmark's own script.
fn graph(program: &Path, set: &Path, truth: &Path) -> Result<String> {
    let edges = out().join("graph");
    let _ = std::fs::remove_dir_all(&edges);
    let call = Call::new(program)
        .args(["graph", "--data"])
        .arg(set)
        .arg("--out")
        .arg(&edges);
    let table = call.read()?;
    let pairs = paths::files_under(&edges, &[])
        .into_iter()
        .filter_map(|file| {
            let name = file
                .file_name()?
                .to_str()?
                .strip_suffix(".jsonl")?
                .to_owned();
            Some(format!("{name}={}", file.display()))
        });
    let scores = Call::new("python3")
        .arg(truth.join("score.py"))
        .args(pairs)
        .read();
    let scores = scores.unwrap_or_else(|why| {
        say(&why);
        format!("not scored: {}", why.lines().next().unwrap_or_default())
    });
    Ok(format!(
        "{table}\n```\n{}\n```\n\n{}",
        scores.trim_end(),
        peers()?
    ))
}

/// What other tools reach on the same truth by the same script, as measured once and kept in `tests/relevance/`.
fn peers() -> Result<String> {
    let text = paths::read(&paths::root().join("tests/relevance/graph-peers.tsv"))?;
    let mut rows = text
        .lines()
        .map(|line| format!("| {} |\n", line.replace('\t', " | ")));
    let head = rows.next().unwrap_or_default();
    let rule = "|---|--:|--:|--:|--:|\n";
    Ok(format!(
        "Other tools on the same repositories (product code, lenient precision / recall; an earlier run):\n\n{head}{rule}{}",
        rows.collect::<String>()
    ))
}

/// What indexing a repository cost natively.
#[derive(Clone, Copy, Debug, Default)]
pub struct Native {
    /// Files that were indexed.
    pub n_files: u64,
    /// Bytes of their text.
    pub n_bytes: u64,
    /// From the first file read to the finished snapshot, without start and exit of the process.
    pub seconds: f64,
}

/// Indexes the repository at `path`, the fastest of three runs, without vectors and in one thread.
pub fn index(program: &Path, path: &Path) -> Result<Native> {
    let out = out().join("native");
    let call = Call::new(program).args(["index", "--no-vectors", "--repeat", "3", "--data"]);
    call.arg(path).arg("--out").arg(&out).read()?;
    let text = paths::read(&out.join("index.jsonl"))?;
    parse(text.lines().next().unwrap_or_default())
}

fn parse(line: &str) -> Result<Native> {
    let value: serde_json::Value =
        serde_json::from_str(line).map_err(|e| format!("portolan-measure: {e}"))?;
    let number = |key: &str| {
        value
            .get(key)
            .and_then(serde_json::Value::as_f64)
            .unwrap_or(0.0)
    };
    let steps = ["reading", "parsing", "building", "attaching"];
    Ok(Native {
        n_files: number("files") as u64,
        n_bytes: number("bytes") as u64,
        seconds: steps.into_iter().map(number).sum::<f64>() / 1000.0,
    })
}

/// Builds the program and returns where it lies.
pub fn build(toolbox: &Toolbox) -> Result<PathBuf> {
    timed("portolan-measure built", || {
        toolbox
            .call("cargo")
            .args(["build", "--release", "--package", "portolan-measure"])
            .run_quietly()
    })?;
    let target = std::env::var_os("CARGO_TARGET_DIR")
        .map_or_else(|| paths::root().join("target"), PathBuf::from);
    Ok(target.join("release/portolan-measure"))
}

/// Where benches leave what they write.
pub fn out() -> PathBuf {
    paths::root().join("target/bench")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_steps_of_indexing_are_added() {
        let line = r#"{"files": 3, "bytes": 1000, "reading": 1.5, "parsing": 10, "building": 4.5, "attaching": 4, "opening": 99}"#;
        let native = parse(line).expect("a line");
        assert_eq!((native.n_files, native.n_bytes), (3, 1000));
        assert!((native.seconds - 0.02).abs() < 1e-9);
    }
}
