//! Measures an edit of one file, until the index is searchable and its graph right, through the public JavaScript API
//! in Node.

use std::fmt::Write as _;

use super::data::Repository;
use crate::paths;
use crate::setup::Toolbox;
use crate::shell::{Result, say};

/// Kinds of edits, as `tests/benches/update.mjs` calls them, and what the table calls them.
const EDITS: [(&str, &str); 4] = [
    ("body", "a line within"),
    ("function", "a new function"),
    ("rename", "a function renamed"),
    ("deleted", "a file deleted"),
];

/// The table of all repositories.
pub fn run(toolbox: &Toolbox, repositories: &[Repository]) -> Result<String> {
    let mut table = String::from("| repository | files | chunks |");
    for (_, name) in EDITS {
        let _ = write!(table, " {name} | CPU |");
    }
    let _ = write!(table, "\n|---|--:|--:|{}\n", "--:|--:|".repeat(EDITS.len()));
    for repository in repositories {
        let script = paths::root().join("tests/benches/update.mjs");
        let text = toolbox
            .call("node")
            .arg(script)
            .arg(&repository.path)
            .read()?;
        let row: serde_json::Value = serde_json::from_str(text.lines().last().unwrap_or_default())
            .map_err(|e| format!("tests/benches/update.mjs printed no JSON: {e}"))?;
        let number = |value: Option<&serde_json::Value>| {
            value
                .and_then(serde_json::Value::as_f64)
                .unwrap_or(f64::NAN)
        };
        let _ = write!(
            table,
            "| {} | {} | {} |",
            repository.name,
            number(row.get("n_files")),
            number(row.get("n_chunks"))
        );
        for (key, _) in EDITS {
            let of = |what: &str| number(row.get(key).and_then(|edit| edit.get(what)));
            let _ = write!(
                table,
                " {:.0} ms, {:.0} ms | {:.0} ms |",
                of("given"),
                of("looked"),
                of("cpu")
            );
        }
        table.push('\n');
        say(&format!("  {}: {}", repository.name, text.trim()));
    }
    table.push_str("\nOne file is edited, then the index is asked to come up to date: with the file given, and by looking at the whole folder; medians over seven files that others call into. CPU: of all threads, file given.\n");
    Ok(table)
}
