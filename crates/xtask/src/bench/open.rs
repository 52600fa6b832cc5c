//! How long a saved index takes to open, and a warm question to answer, through the public JavaScript API in Node.

use std::fmt::Write as _;

use super::data::Repository;
use super::{native, speed};
use crate::paths;
use crate::setup::Toolbox;
use crate::shell::{Result, say};

/// The table of all repositories.
pub fn run(toolbox: &Toolbox, repositories: &[Repository]) -> Result<String> {
    let mut table = String::from(
        "| repository | index MB | first open | open | open, find | open, search | search p50 | search p95 | symbol p50 | callers p50 | context p50, p95 | impact p50, p95 | two-hop Cypher p50, p95 |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n",
    );
    for repository in repositories {
        let saved = native::out().join("open.portolan");
        speed::index(toolbox, &repository.path, &saved, speed::Engine::Wasm, &[])?;
        let script = paths::root().join("tests/benches/open.mjs");
        let text = toolbox.call("node").arg(script).arg(&saved).read()?;
        let row: serde_json::Value = serde_json::from_str(text.lines().last().unwrap_or_default())
            .map_err(|e| format!("tests/benches/open.mjs printed no JSON: {e}"))?;
        let ms = |key: &str| {
            row.get(key)
                .and_then(serde_json::Value::as_f64)
                .unwrap_or(f64::NAN)
        };
        let _ = writeln!(
            table,
            "| {} | {:.2} | {:.1} ms | {:.1} ms | {:.1} ms | {:.1} ms | {:.2} ms | {:.2} ms | {:.2} ms | {:.2} ms | {:.2}, {:.2} ms | {:.2}, {:.2} ms | {:.2}, {:.2} ms |",
            repository.name,
            ms("bytes") / 1e6,
            ms("open_first_ms"),
            ms("open_ms"),
            ms("open_find_ms"),
            ms("open_search_ms"),
            ms("search_p50_ms"),
            ms("search_p95_ms"),
            ms("find_p50_ms"),
            ms("callers_p50_ms"),
            ms("context_p50_ms"),
            ms("context_p95_ms"),
            ms("impact_p50_ms"),
            ms("impact_p95_ms"),
            ms("cypher_p50_ms"),
            ms("cypher_p95_ms"),
        );
        say(&format!("  {}: {}", repository.name, text.trim()));
    }
    table.push_str("\nOpen: from bytes in memory to what the index holds; the first time with loading the WebAssembly, then the median of six. Open, find and open, search: from bytes to the first such answer, the model of vectors loaded anew. Queries: words and symbol names of the repository itself, warm, vectors included. Impact goes three steps; the Cypher query asks for callers of callers of a name.\n");
    Ok(table)
}
