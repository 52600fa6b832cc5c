//! The native bench program (`crates/measure`): quality of answers, and the yardstick for WebAssembly's speed.

use std::path::{Path, PathBuf};

use super::latency;
use crate::paths;
use crate::setup::Toolbox;
use crate::shell::{Call, Result, say, timed};

/// Runs the quality bench `name` over the set of that name in `data`, compares it with `truth`, and returns its output.
pub fn quality(
    toolbox: &Toolbox,
    name: &str,
    data: &[&str],
    truths: super::Truths<'_>,
) -> Result<String> {
    if name == "symbols" {
        return symbols(toolbox, data, truths.given);
    }
    let truth = truths
        .given
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
        "graph" => graph(&program, &set, &truth, made(data, truths.made)),
        _ => {
            let call = Call::new(program).arg(name).arg("--data").arg(&set);
            let printed = call.arg("--truth").arg(&truth).read()?;
            let latency = latency::run(toolbox, &set, &truth)?;
            Ok(format!("```\n{}\n```\n\n{latency}", printed.trim_end()))
        }
    }
}

/// Compares definitions with those of the SCIP indexes in `truth`/graph/scip; the sources of NAME are in
/// `data`/SET/NAME.
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

/// Asks for every unique name of the repositories in `folders`, and returns the table.
pub fn names(toolbox: &Toolbox, folders: &[&str]) -> Result<String> {
    let call = Call::new(build(toolbox)?).args(["names", "--data", &folders.join(",")]);
    call.read()
}

/// The tables of `locate`, with weights fitted without each repository; indexes are kept in the build folder where no other is named.
pub fn locate(
    toolbox: &Toolbox,
    data: &str,
    repos: Option<&str>,
    kept: Option<&str>,
) -> Result<String> {
    let program = build(toolbox)?;
    let own = out().join("locate").display().to_string();
    let call = Call::new(program).args(["locate", "--fit", "--history", "--data", data]);
    let call = call.args(["--kept", kept.unwrap_or(&own)]);
    let call = match repos {
        Some(repos) => call.args(["--repos", repos]),
        None => call,
    };
    Ok(format!("{}\n\n{LOCATE}\n", call.read()?.trim_end()))
}

const LOCATE: &str = "\
Strict: all right files are among the first k. Functions: the share of the right ones among the first ten of all files. Issues and published
figures: the development split of Loc-Bench V1 as ChronoRepo published it; issues of other repositories are measured elsewhere. Told: how
sure answers were that the right files are among the first five; foreign issues are those of another repository, which no file answers. The
history of git up to each commit counts, as it does over MCP; without it is the row *together* of what is left out.";

const SYMBOLS: &str = "\
The SCIP indexes are compilers' (rust-analyzer) or type checkers' (TypeScript's, pyright). Found: a definition of ours has the same name on the
same line. Counted are functions, methods, constructors, types, aliases, variants, macros, and constants and variables at file level, nested
ones too; not parameters, type parameters, local variables and modules; fields apart. False: ours that the index does not know at its place.
Not counted as false: callbacks and anonymous exports (they have no name for a compiler), `x.f = function () {}` (scip-typescript has no symbol
for it, and none for a computed name such as `[Symbol.iterator]`), and members of an object whose type is known (for it they are mentions of the
type's members). `cargo run --release -p portolan-measure -- symbols --data DIR --truth DIR --verbose` lists every one that does not agree. Indexes are made by `npx @sourcegraph/scip-typescript@0.4.0 index`,
`npx @sourcegraph/scip-python@0.6.6 index . --project-name NAME` and `rust-analyzer scip .` in the repository.";

/// A folder of truths that `tools/truth` made, and the repositories they are about.
struct Made {
    truth: PathBuf,
    repositories: Vec<PathBuf>,
}

/// The truths of a folder whose repositories are among the data; says how to make them where there are none.
fn made(data: &[&str], folder: Option<&str>) -> Option<Made> {
    let Some(folder) = folder.map(Path::new).filter(|folder| folder.is_dir()) else {
        say(
            "Only the given truths are scored. For Go, Java, C and C++: `python3 tools/truth/truth.py LANGUAGE NAME CHECKOUT --out DIR \
             --files GLOB` (tools/truth/README.md), then --made DIR; NAME is the checkout's folder, which lies in one of --data",
        );
        return None;
    };
    let all = super::data::repositories(data);
    let mut repositories: Vec<PathBuf> = Vec::new();
    for path in all.into_iter().map(|repository| repository.path) {
        let is_new = repositories
            .iter()
            .all(|other| other.file_name() != path.file_name());
        if is_new && is_about(folder, &path) {
            repositories.push(path);
        }
    }
    Some(Made {
        truth: folder.to_owned(),
        repositories,
    })
}

/// Whether a truth is about the repository at `path`: has its name, and files that are all there.
fn is_about(folder: &Path, path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let Ok(table) = paths::read(&folder.join(format!("{name}.files.tsv"))) else {
        return false;
    };
    let mut files = table
        .lines()
        .skip(1)
        .filter_map(|row| row.split('\t').next());
    files.all(|file| path.join(file).is_file())
}

/// The edges of every repository, scored by the benchmark's own script, and how often each rule is right.
fn graph(program: &Path, set: &Path, truth: &Path, made: Option<Made>) -> Result<String> {
    let edges = out().join("graph");
    let _ = std::fs::remove_dir_all(&edges);
    let mut table = edges_of(program, set, None, &edges)?;
    let mut truths = vec![truth.join("truth")];
    let mut further = Vec::new();
    for repository in made.iter().flat_map(|made| &made.repositories) {
        let (Some(folder), Some(name)) = (repository.parent(), repository.file_name()) else {
            continue;
        };
        let name = name.to_string_lossy().into_owned();
        let printed = edges_of(program, folder, Some(&name), &edges)?;
        // Without the head, which was printed already.
        let row = printed.lines().filter(|line| line.contains(&name));
        table.extend(row.map(|line| format!("{line}\n")));
        further.push(name);
    }
    truths.extend(made.map(|made| made.truth));
    // Takes out what no compiler saw, so it comes first.
    let script = paths::root().join("tools/truth/reliability.py");
    let reliability = scored(
        Call::new("python3")
            .arg(script)
            .arg(&edges)
            .args(truths.iter().map(|folder| folder.display().to_string())),
    );
    let names = paths::files_under(&edges, &[]);
    let names = names.iter().filter_map(|file| {
        let name = file.file_name()?.to_str()?.strip_suffix(".jsonl")?;
        (!further.iter().any(|one| one == name)).then(|| name.to_owned())
    });
    let pair = |name: &String| format!("{name}={}", edges.join(format!("{name}.jsonl")).display());
    let given: Vec<String> = names.collect();
    let script = truth.join("score.py");
    let mut scores = scored(
        Call::new("python3")
            .arg(&script)
            .args(given.iter().map(pair)),
    );
    if let [_, made] = truths.as_slice()
        && !further.is_empty()
    {
        let call = Call::new("python3").arg(&script).arg("--truth").arg(made);
        scores = format!(
            "{}\n\nfurther repositories, by truths of tools/truth:\n{}",
            scores.trim_end(),
            scored(call.args(further.iter().map(pair)))
        );
    }
    Ok(format!(
        "{table}\n```\n{}\n```\n\n{}\n\n{}",
        scores.trim_end(),
        reliability.trim_end(),
        peers()?
    ))
}

/// Writes the edges of a folder's repositories, or of one of them; returns the table that was printed.
fn edges_of(program: &Path, data: &Path, only: Option<&str>, edges: &Path) -> Result<String> {
    let call = Call::new(program).args(["graph", "--data"]).arg(data);
    let call = call.arg("--out").arg(edges);
    match only {
        Some(name) => call.args(["--repos", name]).read(),
        None => call.read(),
    }
}

/// Returns a script's output; a bench does not fail because one cannot be run.
fn scored(call: Call) -> String {
    call.read().unwrap_or_else(|why| {
        say(&why);
        format!("not scored: {}", why.lines().next().unwrap_or_default())
    })
}

/// Results of other tools on the same truth by the same script, measured once and kept in `tests/relevance/`.
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

/// Cost of indexing a repository natively.
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

/// Builds the program and returns its path.
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
