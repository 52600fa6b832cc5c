//! Remembers that the quick bare test has passed with the files that decide it. Sources of the engine, the package and the
//! page change every day without changing what a bare machine lacks.

use std::path::PathBuf;

use crate::digest::Digest;
use crate::paths;
use crate::shell::{Call, Result};

/// Files with these names decide what is fetched and compiled, wherever they are.
const MANIFESTS: [&str; 8] = [
    "Cargo.toml",
    "Cargo.lock",
    "package.json",
    "package-lock.json",
    "grammars.toml",
    "wasm-pack.toml",
    "rust-toolchain.toml",
    "requirements.txt",
];

/// Folders and files that set up, build, and start the tests.
const PROGRAMS: [&str; 7] = [
    ".cargo/",
    "crates/xtask/",
    "crates/seal/",
    "pkg/tools/",
    "www/build/",
    "tests/browser/harness.mjs",
    "tests/worker/harness.mjs",
];

/// Has the test passed on this machine with the files of the last commit?
pub fn is_known() -> bool {
    mark().is_ok_and(|mark| mark.is_file())
}

/// Remembers that it has.
pub fn remember() -> Result<()> {
    paths::write(&mark()?, "")
}

fn mark() -> Result<PathBuf> {
    let root = paths::root();
    let listed = Call::new("git")
        .args(["ls-tree", "-r", "--full-tree", "HEAD"])
        .dir(&root)
        .read()?;
    // A line has the object's name, which is a digest of the content.
    let deciding: Vec<_> = listed
        .lines()
        .filter(|line| line.split('\t').nth(1).is_some_and(decides))
        .collect();
    let compiler = Call::new("rustc").arg("--version").read()?;
    let digest = Digest::default()
        .part("files", deciding.join("\n").as_bytes())
        .part("rustc", compiler.as_bytes())
        .finish();
    let name = format!("passed-{}", digest.get(..16).unwrap_or(&digest));
    Ok(paths::cache().join("bare").join(name))
}

fn decides(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    MANIFESTS.contains(&name) || PROGRAMS.iter().any(|start| path.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn manifests_and_build_programs_decide_and_sources_do_not() {
        for path in [
            "Cargo.lock",
            "crates/api/Cargo.toml",
            "crates/xtask/src/main.rs",
            "www/package.json",
        ] {
            assert!(decides(path), "{path}");
        }
        for path in ["crates/api/src/lib.rs", "pkg/src/index.ts", "README.md"] {
            assert!(!decides(path), "{path}");
        }
    }
}
