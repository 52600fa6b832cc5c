//! The native bench program (`crates/measure`): quality of answers, and the yardstick for WebAssembly's speed.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::process::{Cost, measure};
use crate::paths;
use crate::setup::Toolbox;
use crate::shell::{Result, timed};

const LIMIT: Duration = Duration::from_secs(1200);

/// Runs `portolan-measure NAME` over `data` and returns the Markdown that it wrote.
pub fn quality(toolbox: &Toolbox, name: &str, data: &[&str]) -> Result<String> {
    let program = build(toolbox)?;
    let out = out();
    paths::make_dir(&out)?;
    let file = out.join(format!("{name}.md"));
    let _ = std::fs::remove_file(&file);
    for dir in data {
        let dir = std::path::absolute(dir).map_err(|e| format!("{dir}: {e}"))?;
        toolbox
            .call(&program.to_string_lossy())
            .args([name, "--data"])
            .arg(dir)
            .arg("--out")
            .arg(&out)
            .run()?;
    }
    paths::read(&file)
}

/// Indexes the repository at `path` once, in a process of its own.
pub fn index(toolbox: &Toolbox, program: &Path, path: &Path) -> Result<Cost> {
    let (path, out) = (path.to_string_lossy(), out());
    let args = ["index", "--data", &path, "--out", &out.to_string_lossy()];
    measure(program, &args, &paths::root(), &toolbox.env(), LIMIT)
}

/// Builds the program and returns where it lies.
pub fn build(toolbox: &Toolbox) -> Result<PathBuf> {
    timed("portolan-measure built", || {
        toolbox
            .call("cargo")
            .args(["build", "--release", "--package", "portolan-measure"])
            .run_quietly()
    })?;
    let target = std::env::var_os("CARGO_TARGET_DIR")
        .map_or_else(|| paths::root().join("target"), PathBuf::from);
    Ok(target.join("release/portolan-measure"))
}

/// Where benches leave what they write.
pub fn out() -> PathBuf {
    paths::root().join("target/bench")
}
