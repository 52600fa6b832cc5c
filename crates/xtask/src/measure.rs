//! Numbers that repeat exactly, kept in git: how large each artifact is. Timings are benches and live elsewhere.

use std::fmt::Write as _;
use std::path::PathBuf;

use crate::build;
use crate::build::manifest::WasmPack;
use crate::digest::sha256_of;
use crate::instructions;
use crate::paths;
use crate::setup::{self, Need, Toolbox, node};
use crate::shell::{Result, say};

const SIZES: &str = "tests/measures/size.snap";
const COUNTS: &str = "tests/measures/counts.snap";

/// Published packages that are counted, the same that the page's tests index.
const COUNTED: [&str; 2] = ["express@5.1.0", "fastify@5.6.1"];

/// Sizes in bytes of one file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sizes {
    /// Its size on disk.
    pub raw: u64,
    /// gzip, level 9.
    pub gzip: u64,
    /// Brotli, quality 11.
    pub brotli: u64,
}

/// Builds everything and writes the snapshots; with `check`, compares instead.
pub fn run(check: bool) -> Result<()> {
    let toolbox = setup::prepare(&[Need::Npm, Need::Grammars, Need::Wasm, Need::WasmPack])?;
    let targets = [
        "grammars", "engine", "onnx", "reader", "seal", "hnsw", "edge", "pkg",
    ]
    .map(str::to_owned);
    build::build(&toolbox, &targets, build::Form::Released)?;
    let sizes = keep(SIZES, &table(&toolbox)?, check);
    let counts = keep(COUNTS, &counts(&toolbox)?, check);
    let instructions = instructions::run(&toolbox, check);
    sizes.and(counts).and(instructions)
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

/// Every file that a user fetches, with its sizes and the goal that wasm-pack.toml sets.
pub fn table(toolbox: &Toolbox) -> Result<String> {
    let root = paths::root();
    let file = WasmPack::load(&root)?;
    let mut text = String::from(
        "# bytes: raw, gzip -9, brotli -q 11; `cargo xtask measure` writes this file\n",
    );
    let _ = writeln!(
        text,
        "{:44} {:>10} {:>10} {:>10}  goal (brotli)",
        "file", "raw", "gzip", "brotli"
    );
    for (name, artifact) in &file.artifact {
        let plan = file
            .plan(name)
            .ok_or_else(|| format!("wasm-pack.toml has no artifact `{name}`"))?;
        let path = format!("{}/{name}_bg.wasm", plan.out);
        line(&mut text, toolbox, &path, artifact.brotli_goal)?;
    }
    for folder in ["pkg/grammars", "pkg/model"] {
        for path in paths::files_under(&root.join(folder), &[".records"]) {
            let relative = path
                .strip_prefix(&root)
                .unwrap_or(&path)
                .to_string_lossy()
                .into_owned();
            line(&mut text, toolbox, &relative, None)?;
        }
    }
    Ok(text)
}

fn line(text: &mut String, toolbox: &Toolbox, path: &str, goal: Option<u64>) -> Result<()> {
    let sizes = sizes(toolbox, path)?;
    let goal = match goal {
        None => String::new(),
        Some(goal) if sizes.brotli <= goal => format!("  {goal}: reached"),
        Some(goal) => format!("  {goal}: missed"),
    };
    let _ = writeln!(
        text,
        "{path:44} {:>10} {:>10} {:>10}{goal}",
        sizes.raw, sizes.gzip, sizes.brotli
    );
    Ok(())
}

/// Compresses with Node's zlib, once per content: Brotli at its highest quality is slow.
pub fn sizes(toolbox: &Toolbox, relative: &str) -> Result<Sizes> {
    const SCRIPT: &str = "const z=require('node:zlib'),b=require('node:fs').readFileSync(process.argv[1]);\
        console.log(b.length,z.gzipSync(b,{level:9}).length,z.brotliCompressSync(b,{params:{\
        [z.constants.BROTLI_PARAM_QUALITY]:11,[z.constants.BROTLI_PARAM_LGWIN]:24,\
        [z.constants.BROTLI_PARAM_SIZE_HINT]:b.length}}).length)";
    let file = paths::root().join(relative);
    let kept = paths::cache().join("sizes").join(sha256_of(&file)?);
    let text = match std::fs::read_to_string(&kept) {
        Ok(text) => text,
        Err(_) => {
            let text = toolbox
                .call("node")
                .args(["-e", SCRIPT])
                .arg(&file)
                .read()?;
            paths::write(&kept, &text)?;
            text
        }
    };
    let numbers: Vec<u64> = text
        .split_whitespace()
        .filter_map(|word| word.parse().ok())
        .collect();
    match numbers.as_slice() {
        &[raw, gzip, brotli] => Ok(Sizes { raw, gzip, brotli }),
        _ => Err(format!("{relative}: sizes could not be read from {text:?}")),
    }
}
