//! Measures a server of shared indexes from the command line: how long a clone takes to its first answer, and what a push sends.

use std::fmt::Write as _;

use serde_json::Value;

use super::data::Repository;
use crate::build::native::{Speed, program};
use crate::paths;
use crate::setup::Toolbox;
use crate::shell::{Result, say};

/// Newest commits of each repository, which are pushed one after another.
const COMMITS: &str = "5";

/// Fails where a repository has no history: `git clone` gives one that has.
pub fn check(repositories: &[Repository]) -> Result<()> {
    let without = repositories
        .iter()
        .find(|repository| !repository.path.join(".git").exists());
    match without {
        None => Ok(()),
        Some(repository) => Err(format!(
            "{} has no git history, which `bench shared` pushes commits of\n\nclone it: git clone https://github.com/OWNER/NAME {}",
            repository.path.display(),
            repository.path.display()
        )),
    }
}

/// The tables of all repositories, by each engine.
pub fn run(toolbox: &Toolbox, repositories: &[Repository]) -> Result<String> {
    let native = program(toolbox, Speed::Released)?;
    let native = native.to_string_lossy();
    let mut rows = Vec::new();
    for repository in repositories {
        for (engine, program) in [("native", &*native), ("wasm", "no")] {
            let script = paths::root().join("tests/benches/shared.mjs");
            let call = toolbox.call("node").arg(script).arg(&repository.path);
            let text = call
                .args(["--commits", COMMITS, "--native", program])
                .read()?;
            say(&format!("  {} {engine}: {}", repository.name, text.trim()));
            let row = serde_json::from_str(text.lines().last().unwrap_or_default())
                .map_err(|e| format!("tests/benches/shared.mjs printed no JSON: {e}"))?;
            rows.push((repository.name.clone(), engine, row));
        }
    }
    Ok(table(&rows))
}

fn table(rows: &[(String, &str, Value)]) -> String {
    let mut table = String::from(ASKED);
    for (name, engine, row) in rows {
        let number = |path: &str| number(row, path);
        let mut line = format!(
            "| {name}, {engine} | {} | {:.1} MB |",
            number("/n_files"),
            number("/n_bytes") / 1e6
        );
        for way in ["fresh", "behind", "next"] {
            let of = |key: &str| number(&format!("/{way}/{key}"));
            let _ = write!(
                line,
                " {:.2} MB, {:.0} + {:.0} = **{:.0} ms** |",
                of("n_bytes") / 1e6,
                of("pull"),
                of("answer"),
                of("sum"),
            );
        }
        let _ = writeln!(table, "{line}");
    }
    table.push_str(PUSHED);
    for (name, engine, row) in rows {
        let commits = row.get("commits").and_then(Value::as_array);
        for (n, commit) in commits.into_iter().flatten().enumerate() {
            let number = |path: &str| number(commit, path);
            let megabytes = |kind: &str| number(&format!("/sent/{kind}/n_bytes")) / 1e6;
            let _ = writeln!(
                table,
                "| {name}, {engine}, {} | {:.2} MB | {:.2} MB | {:.2} MB | {} of {} | {:.2} s |",
                n + 1,
                megabytes("section"),
                megabytes("fixed"),
                megabytes("content"),
                number("/sent/content/n_new"),
                number("/sent/content/n"),
                number("/seconds"),
            );
        }
    }
    table.push_str(NOTES);
    table
}

fn number(row: &Value, path: &str) -> f64 {
    let value = row.pointer(path).and_then(Value::as_f64);
    value.unwrap_or(f64::NAN)
}

const ASKED: &str = "\
Clone and ask: what is fetched, then `portolan pull` + `portolan search`, whole commands.

| repository, by | files | index | a fresh clone of a commit that was pushed | of one that was not, with one new and one edited file | the next commit, over the version before |
|---|--:|--:|--:|--:|--:|
";

const PUSHED: &str = "
A push of each of five commits, the first of which sends all: bytes that are new if the unit is a section, a piece of 256 KiB, or a piece that is cut by content, as `push` cuts.

| repository, by, commit | sections | pieces of one size | by content | pieces | time |
|---|--:|--:|--:|--:|--:|
";

const NOTES: &str = "
Server and clients on one machine, over loopback: the network's time is not in it. Medians of five clones; the time of `git clone` is not in them, that of starting Node is, twice. A
clone that has no version takes the one of the nearest commit before, and indexes the difference. The question is a search by words and meaning.
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_for_each_engine_and_for_each_commit() {
        let way = serde_json::json!({"pull": 200.4, "answer": 99.6, "sum": 300, "n_bytes": 2.5e6});
        let sent = serde_json::json!({"n_bytes": 1e6, "n_new": 3, "n": 9});
        let row = serde_json::json!({
            "n_files": 7, "n_bytes": 3e6, "fresh": way, "behind": way, "next": way,
            "commits": [{"sent": {"section": sent, "fixed": sent, "content": sent}, "seconds": 0.5}],
        });
        let table = table(&[("a".to_owned(), "wasm", row)]);
        let asked = "| 2.50 MB, 200 + 100 = **300 ms** ".repeat(3);
        for line in [
            format!("| a, wasm | 7 | 3.0 MB {asked}|"),
            "| a, wasm, 1 | 1.00 MB | 1.00 MB | 1.00 MB | 3 of 9 | 0.50 s |".to_owned(),
        ] {
            assert!(table.contains(&line), "{table}");
        }
    }

    #[test]
    fn without_a_history_the_way_to_get_one_is_told() {
        let path = std::env::temp_dir();
        let name = "a".to_owned();
        let why = check(&[Repository { name, path }]).expect_err("no history");
        assert!(why.contains("git clone"), "{why}");
    }
}
