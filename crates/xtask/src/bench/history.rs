//! How long the git history of a made repository takes to read and to bring up to date, in Node and in a tab, as WebAssembly.

use std::fmt::Write as _;

use crate::paths;
use crate::setup::Toolbox;
use crate::shell::{Result, say};

/// The table for the most commits that a history has.
pub fn run(toolbox: &Toolbox) -> Result<String> {
    let script = paths::root().join("tests/benches/history.mjs");
    let text = toolbox.call("node").arg(script).read()?;
    say(text.trim());
    table(text.lines().last().unwrap_or_default())
}

/// The rows: their titles, and where in the line of JSON Node and the tab have them.
const ROWS: [(&str, Option<&str>, &str); 5] = [
    ("first read, with fetching the reader", None, "first"),
    ("read, median of five", Some("read"), "read"),
    (
        "update after one commit, median of seven",
        Some("update"),
        "update",
    ),
    ("commits of every file", None, "churn"),
    ("blame of the file with most commits", None, "blame"),
];

fn table(line: &str) -> Result<String> {
    let row: serde_json::Value = serde_json::from_str(line)
        .map_err(|e| format!("tests/benches/history.mjs printed no JSON: {e}"))?;
    let number = |path: &str| {
        row.pointer(path)
            .and_then(serde_json::Value::as_f64)
            .unwrap_or(f64::NAN)
    };
    let mut table = format!(
        "A repository made by `git fast-import`: {} commits over {} files, one pack of {:.0} MB, branches, merges and renames; further\n\
         commits are loose objects. In the tab the worker is new for each read, and the files are those of a list that the browser gives.\n\n\
         | | Node | tab |\n|---|--:|--:|\n",
        number("/n_commits"),
        number("/n_files"),
        number("/pack_bytes") / 1e6
    );
    for (title, node, tab) in ROWS {
        let node = node.map_or_else(String::new, |key| {
            format!("{:.0} ms", number(&format!("/node/{key}")))
        });
        let tab = number(&format!("/page/{tab}"));
        let _ = writeln!(table, "| {title} | {node} | {tab:.0} ms |");
    }
    Ok(table)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_for_each_step() {
        let line = r#"{"n_commits": 20, "n_files": 3, "pack_bytes": 2e6, "node": {"read": 5.2, "update": 1},
            "page": {"first": 9, "read": 8, "update": 2.4, "churn": 1, "blame": 3}}"#;
        let table = table(&line.replace('\n', "")).expect("a table");
        for row in [
            "20 commits over 3 files, one pack of 2 MB",
            "| first read, with fetching the reader |  | 9 ms |",
            "| update after one commit, median of seven | 1 ms | 2 ms |",
        ] {
            assert!(table.contains(row), "{table}");
        }
    }
}
