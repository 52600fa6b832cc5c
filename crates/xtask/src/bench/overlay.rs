//! Measures worktrees of an indexed repository, by the command line: time and disk of each, and the first and the next questions.

use super::data::Repository;
use crate::build::native::{Speed, program};
use crate::paths;
use crate::setup::Toolbox;
use crate::shell::{Result, say};

/// Worktrees of each repository.
const WORKTREES: u32 = 50;

/// The table of all repositories, by each engine.
pub fn run(toolbox: &Toolbox, repositories: &[Repository]) -> Result<String> {
    let native = program(toolbox, Speed::Released)?;
    let native = native.to_string_lossy();
    let mut table = String::from(HEAD);
    for repository in repositories {
        for (engine, program) in [("native", &*native), ("wasm", "no")] {
            let script = paths::root().join("tests/benches/overlay.mjs");
            let call = toolbox.call("node").arg(script).arg(&repository.path);
            let call = call.arg(WORKTREES.to_string());
            let text = call.env("PORTOLAN_NATIVE", program).read()?;
            let line = row(&format!("{}, {engine}", repository.name), &text)?;
            say(&format!("  {}: {}", repository.name, text.trim()));
            table.push_str(&line);
        }
    }
    table.push_str(NOTES);
    Ok(table)
}

/// A row of the table, of what the script printed.
fn row(name: &str, text: &str) -> Result<String> {
    let row: serde_json::Value = serde_json::from_str(text.lines().last().unwrap_or_default())
        .map_err(|e| format!("tests/benches/overlay.mjs printed no JSON: {e}"))?;
    let of = |key: &str| {
        let value = row.get(key).and_then(serde_json::Value::as_f64);
        value.unwrap_or(f64::NAN)
    };
    let share = |key: &str| 100.0 * of(key) / of("base_bytes");
    Ok(format!(
        "| {name} | {} | {:.2} s, {:.1} MB | {:.0} ms | {:.0} KB, {:.1} % | {:.0} KB, {:.1} % | {:.0} ms | {:.0} ms | {:.0} ms | {:.0} ms | {:.2} s |\n",
        of("n_files"),
        of("base_ms") / 1e3,
        of("base_bytes") / 1e6,
        of("overlay_ms"),
        of("overlay_bytes") / 1e3,
        share("overlay_bytes"),
        of("user_bytes") / 1e3,
        share("user_bytes"),
        of("unchanged_ms"),
        of("first_question_ms"),
        of("question_ms"),
        of("whole_ms"),
        of("clone_ms") / 1e3,
    ))
}

const HEAD: &str = "\
| repository, by | files | first worktree, its index | a worktree | its overlay | beside it, for the user | nothing changed | first question | next ones | `--full` | second clone |
|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|
";

const NOTES: &str = "\n\
Fifty worktrees, each with ten changed files of its own; times are those of the whole command, medians. A worktree's index is an overlay: every file is
read and hashed, nothing is parsed. The first question makes the whole index of the overlay and its base in the cache, where the least recently used
goes when it is full; the next ones open that. Beside it, for the user: the record that the overlay was made here, and the sizes and times of the
files. A second clone starts from the kept index.\n";
