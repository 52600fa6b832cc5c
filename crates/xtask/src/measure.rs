//! Numbers that repeat exactly, kept in git: how large each artifact is. Timings are benches and live elsewhere.

use std::fmt::Write as _;
use std::path::PathBuf;

use crate::build;
use crate::instructions;
use crate::paths;
use crate::setup::{self, Need, Toolbox, node};
use crate::shell::{Result, say};
use crate::sizes;

const SIZES: &str = "tests/measures/size.snap";
const COUNTS: &str = "tests/measures/counts.snap";

/// Published packages that are counted, the same that the page's tests index.
const COUNTED: [&str; 2] = ["express@5.1.0", "fastify@5.6.1"];

/// Builds everything and writes the snapshots; with `check`, compares instead.
pub fn run(check: bool) -> Result<()> {
    let toolbox = setup::prepare(&[Need::Npm, Need::Grammars, Need::Wasm, Need::WasmPack])?;
    let targets = [
        "grammars", "engine", "onnx", "reader", "seal", "history", "hnsw", "edge", "pkg",
    ]
    .map(str::to_owned);
    build::build(&toolbox, &targets, build::Form::Released)?;
    let results = [
        keep(SIZES, &sizes::table(&toolbox)?, check),
        keep(COUNTS, &counts(&toolbox)?, check),
        instructions::run(&toolbox, check),
    ];
    // Each is told: whoever mends the first wants to know of the others.
    let faults: Vec<_> = results.into_iter().filter_map(Result::err).collect();
    match faults.is_empty() {
        true => Ok(()),
        false => Err(faults.join("\n")),
    }
}

fn keep(name: &str, text: &str, check: bool) -> Result<()> {
    say(text);
    let file = paths::root().join(name);
    if !check {
        return paths::write(&file, text);
    }
    if std::fs::read_to_string(&file).is_ok_and(|found| found == text) {
        return Ok(());
    }
    Err(format!(
        "{name} is out of date: run `cargo xtask measure` and look at the difference"
    ))
}

/// Counts of the index of a few published packages: a change of parsing or resolution shows here as a difference.
fn counts(toolbox: &Toolbox) -> Result<String> {
    const KEYS: [&str; 7] = [
        "n_files",
        "n_skipped",
        "n_symbols",
        "n_chunks",
        "n_vectors",
        "n_edges",
        "n_bytes",
    ];
    let mut text = String::from("# what an index holds; `cargo xtask measure` writes this file\n");
    let _ = write!(text, "{:16}", "package");
    for key in KEYS {
        let _ = write!(text, " {key:>10}");
    }
    text.push('\n');
    for package in COUNTED {
        let archive = published(toolbox, package)?;
        let saved = paths::root().join("target/xtask/counts.portolan");
        let call = toolbox
            .call("node")
            .args(["pkg/bin/portolan.js", "index"])
            .arg(&archive);
        let line = call
            .arg("-o")
            .arg(&saved)
            .args(["--json", "--quiet"])
            .read()?;
        let summary: serde_json::Value =
            serde_json::from_str(line.trim()).map_err(|e| format!("portolan index --json: {e}"))?;
        let _ = write!(text, "{package:16}");
        for key in KEYS {
            let number = summary.get(key).and_then(serde_json::Value::as_u64);
            let _ = write!(
                text,
                " {:>10}",
                number.ok_or_else(|| format!("no {key} in {line}"))?
            );
        }
        text.push('\n');
    }
    Ok(text)
}

/// The archive of a published package, fetched once.
fn published(toolbox: &Toolbox, package: &str) -> Result<PathBuf> {
    let folder = paths::cache().join("fixtures");
    let file = folder.join(format!("{}.tgz", package.replace('@', "-")));
    if !file.is_file() {
        node::pack(toolbox, &[package.to_owned()], &folder)?;
    }
    Ok(file)
}
