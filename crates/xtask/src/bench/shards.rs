//! Measures an index in shards: made by the native program and in WebAssembly, then asked in one Node process.

use std::fmt::Write as _;

use serde_json::Value;

use super::data::Repository;
use crate::build::native::{Speed, program};
use crate::paths;
use crate::setup::Toolbox;
use crate::shell::{Result, say};

/// About how many shards each index has.
const SHARDS: &str = "16";

/// Questions to every repository.
const SEARCHES: [&str; 5] = [
    "allocate memory aligned to a page",
    "read a configuration value",
    "close the connection when it times out",
    "parse a list of numbers",
    "wait until a lock is free",
];

/// Questions whose answers are known, to repositories with this in their name.
const KNOWN: [(&str, &str); 3] = [
    ("linux", r#"search {"query":"kmalloc","limit":5}"#),
    (
        "linux",
        r#"callers {"symbol":"include/linux/slab.h#kmalloc","limit":5}"#,
    ),
    (
        "linux",
        r#"trace {"from":"kernel/sched/core.c#schedule","to":"context_switch"}"#,
    ),
];

/// The tables of all repositories: the indexes, then the questions.
pub fn run(toolbox: &Toolbox, repositories: &[Repository]) -> Result<String> {
    let native = program(toolbox, Speed::Released)?;
    let mut rows = Vec::new();
    for repository in repositories {
        for engine in ["native", "wasm"] {
            let script = paths::root().join("tests/benches/shards.mjs");
            let call = toolbox.call("node").arg(script).arg(&repository.path);
            let call = call.args([engine, "--shards", SHARDS, "--no-embeddings"]);
            let call = call.args(questions(&repository.name));
            let text = call.env("PORTOLAN_NATIVE", &native).read()?;
            say(&format!("  {} {engine}: {}", repository.name, text.trim()));
            let row = serde_json::from_str(text.lines().last().unwrap_or_default())
                .map_err(|e| format!("tests/benches/shards.mjs printed no JSON: {e}"))?;
            rows.push((format!("{}, {engine}", repository.name), row));
        }
    }
    Ok(table(&rows))
}

fn questions(name: &str) -> Vec<String> {
    let searches = SEARCHES.map(|query| format!(r#"search {{"query":"{query}","limit":5}}"#));
    let known = KNOWN.iter().filter(|(part, _)| name.contains(part));
    let known = known.map(|(_, question)| (*question).to_owned());
    searches.into_iter().chain(known).collect()
}

fn table(rows: &[(String, Value)]) -> String {
    let mut table = String::from(INDEXES);
    for (name, row) in rows {
        let of = |key: &str| number(row, key);
        let _ = writeln!(
            table,
            "| {name} | {} | {} | {:.0} s | {:.0} s | {:.0} MB | {:.0} MB | {:.0} MB | {:.1} s | {:.0} MB |",
            of("n_files"),
            of("n_shards"),
            of("seconds"),
            of("cpu_seconds"),
            of("index_peak_mb"),
            of("n_bytes") / 1e6,
            of("n_root_bytes") / 1e6,
            of("opened_ms") / 1e3,
            of("ask_peak_mb"),
        );
    }
    table.push_str(AGAIN);
    for (name, row) in rows {
        let Some(again) = row.get("again") else {
            continue;
        };
        let of = |key: &str| number(again, key);
        let _ = writeln!(
            table,
            "| {name} | {} | {:.0} s | {:.0} s | {:.0} MB |",
            of("n_unchanged"),
            of("seconds"),
            of("cpu_seconds"),
            of("index_peak_mb"),
        );
    }
    table.push_str(QUESTIONS);
    for (name, row) in rows {
        let answers = row.get("answers").and_then(Value::as_array);
        for answer in answers.into_iter().flatten() {
            let question = answer.get("question").and_then(Value::as_str);
            let _ = writeln!(
                table,
                "| {name} | `{}` | {:.0} ms | {:.0} ms |",
                question.unwrap_or_default(),
                number(answer, "cold_ms"),
                number(answer, "warm_ms"),
            );
        }
    }
    table.push_str(NOTES);
    table
}

fn number(row: &Value, key: &str) -> f64 {
    row.get(key).and_then(Value::as_f64).unwrap_or(f64::NAN)
}

const INDEXES: &str = "\
| repository, made by | files | shards | time | processor time | memory | all files | the root | opened | memory asked |
|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|
";

const AGAIN: &str = "\n\
| one file more, made by | files not parsed again | time | processor time | memory |
|---|--:|--:|--:|--:|
";

const QUESTIONS: &str = "\n\
| repository, made by | question | first | next, median |
|---|---|--:|--:|
";

const NOTES: &str = "\n\
Without vectors. Memory is the highest of one process. Both indexes are asked in WebAssembly; of each question the first answer opens what it needs.\n";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_an_index_and_of_its_questions() {
        let row = serde_json::json!({
            "n_files": 7, "n_shards": 2, "seconds": 3.4, "cpu_seconds": 5, "index_peak_mb": 60, "n_bytes": 2e6,
            "n_root_bytes": 1e6, "opened_ms": 150, "ask_peak_mb": 70,
            "again": {"n_unchanged": 6, "seconds": 1.2, "cpu_seconds": 2, "index_peak_mb": 50},
            "answers": [{"question": "map {}", "cold_ms": 9.6, "warm_ms": 1.2}],
        });
        let table = table(&[("a, wasm".to_owned(), row)]);
        for line in [
            "| a, wasm | 7 | 2 | 3 s | 5 s | 60 MB | 2 MB | 1 MB | 0.1 s | 70 MB |",
            "| a, wasm | 6 | 1 s | 2 s | 50 MB |",
            "| a, wasm | `map {}` | 10 ms | 1 ms |",
        ] {
            assert!(table.contains(line), "{table}");
        }
    }

    #[test]
    fn known_questions_go_to_their_repository() {
        assert_eq!(questions("graph/hono").len(), SEARCHES.len());
        assert_eq!(
            questions("large/linux-6.1").len(),
            SEARCHES.len() + KNOWN.len()
        );
    }
}
