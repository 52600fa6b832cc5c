//! The size of each file that users fetch, as it is and compressed.

use std::fmt::Write as _;

use crate::digest::sha256_of;
use crate::manifest::WasmPack;
use crate::paths;
use crate::setup::Toolbox;
use crate::shell::Result;

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
