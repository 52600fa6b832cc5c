//! Biome formats and lints everything except Rust; its settings are in biome.json.

use super::Outcome;
use crate::paths;
use crate::setup::Toolbox;
use crate::shell::Result;

/// Formats and lints in one pass over the files.
pub fn biome(toolbox: &Toolbox) -> Result<Outcome> {
    let script = paths::root().join("node_modules/@biomejs/biome/bin/biome");
    let heard = toolbox
        .call("node")
        .arg(script)
        .args([
            "ci",
            "--error-on-warnings",
            "--max-diagnostics=40",
            "--colors=off",
        ])
        .listen_quietly()?;
    if heard.ok {
        return Ok(Outcome::Passed);
    }
    if heard.text.contains("is not installed") || heard.text.contains("MODULE_NOT_FOUND") {
        return Err(format!(
            "{}\n→ Biome is a program of its own for each system: `npm install --no-save @biomejs/cli-SYSTEM-CPU@VERSION`, with the version in package.json",
            heard.text
        ));
    }
    Err(format!(
        "{}\n→ `npx biome check --write` mends formatting and what can be mended without thought; the rest by hand",
        heard.text
    ))
}
