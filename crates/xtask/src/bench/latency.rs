//! How long warm questions take in WebAssembly, through the public JavaScript API in Node, on the largest repository of a set.

use std::fmt::Write as _;
use std::path::Path;

use super::{native, speed};
use crate::paths;
use crate::setup::Toolbox;
use crate::shell::{Result, say};

/// The timed tools, by the names of the bench and of the table.
const ROWS: [(&str, &str); 6] = [
    ("search", "search"),
    ("words", "search, words only"),
    ("typing", "search at every letter typed"),
    ("misspelt", "search for a misspelt name"),
    ("find", "symbol by name"),
    ("assemble", "code context of 4,096 tokens"),
];

/// The table for the largest repository in `set`, with the questions that `truth` has for it.
pub fn run(toolbox: &Toolbox, set: &Path, truth: &Path) -> Result<String> {
    let size = |dir: &Path| -> u64 {
        let files = paths::files_under(dir, &[]);
        let sizes = files.iter().filter_map(|file| std::fs::metadata(file).ok());
        sizes.map(|meta| meta.len()).sum()
    };
    let folders = std::fs::read_dir(set).into_iter().flatten().flatten();
    let largest = folders
        .map(|entry| entry.path())
        .filter(|path| path.is_dir())
        .max_by_key(|path| size(path))
        .ok_or_else(|| format!("{} has no repositories", set.display()))?;
    let name = largest.file_name().unwrap_or_default().to_string_lossy();
    let saved = native::out().join("latency.portolan");
    speed::index(toolbox, &largest, &saved, speed::Engine::Wasm, &[])?;
    let questions = truth.join("annotations").join(format!("{name}.json"));
    let script = paths::root().join("tests/benches/latency.mjs");
    let call = toolbox.call("node").arg(script).arg(&saved).arg(questions);
    let text = call.read()?;
    say(text.trim());
    table(&name, text.lines().last().unwrap_or_default())
}

fn table(name: &str, line: &str) -> Result<String> {
    let row: serde_json::Value = serde_json::from_str(line)
        .map_err(|e| format!("tests/benches/latency.mjs printed no JSON: {e}"))?;
    let mut table = format!(
        "Warm questions in WebAssembly (Node), the query's embedding included, on {name}, the largest repository of the set; of each question\n\
         the fastest of five:\n\n| question | number | p50 ms | p99 ms | most ms |\n|---|--:|--:|--:|--:|\n"
    );
    for (key, title) in ROWS {
        let number = |field: &str| {
            let value = row.get(key).and_then(|cell| cell.get(field));
            value
                .and_then(serde_json::Value::as_f64)
                .unwrap_or(f64::NAN)
        };
        let _ = writeln!(
            table,
            "| {title} | {} | {:.2} | {:.2} | {:.2} |",
            number("n"),
            number("p50"),
            number("p99"),
            number("most")
        );
    }
    Ok(table)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_for_each_question() {
        let line = r#"{"search": {"n": 20, "p50": 0.5, "p99": 2.25, "most": 3}}"#;
        let table = table("gson", line).expect("a table");
        assert!(table.contains("on gson,"), "{table}");
        assert!(
            table.contains("| search | 20 | 0.50 | 2.25 | 3.00 |"),
            "{table}"
        );
    }
}
