//! Grammar files that npm does not carry: compiled from the C sources of the crate that native builds link, to the same
//! kind of side module (`dylink.0`). The engine supplies the libc functions of the scanner, as for npm's files.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::c::GRAMMAR_FLAGS;
use super::{Toolbox, wasm_clang};
use crate::digest::Digest;
use crate::manifest::{Compiled, grammar_file};
use crate::paths;
use crate::shell::{Call, Result, timed};

/// Leaves out a pass that makes loops with two entries into loops with one, and takes two minutes to see that the lexer of
/// Swift, one loop around one switch, has none; the file is the same without it. Where a grammar has such a loop, as the
/// scanner of Markdown, the file is not valid, and is made again with the pass. `pkg/test/compiled-grammars.test.mjs` reads
/// sources with every file that is made here. Versions of clang that do not know the option are not slow either.
const QUICKLY: [&str; 2] = ["-mllvm", "-wasm-disable-fix-irreducible-control-flow-pass"];

/// Compiles files that are missing, or that were made of another version or with other flags.
pub fn make(toolbox: &Toolbox, grammars: &BTreeMap<String, Compiled>, out: &Path) -> Result<()> {
    let locked = Lock::load()?;
    let mut folders = None;
    for (name, grammar) in grammars {
        let stamp = locked.stamp(grammar)?;
        let cached = paths::cache()
            .join("grammars")
            .join(format!("{name}-{}.wasm", stamp.get(..16).unwrap_or(&stamp)));
        let file = out.join(grammar_file(name));
        if !cached.is_file() {
            let folders = match &folders {
                Some(folders) => folders,
                None => folders.insert(crate_folders(toolbox)?),
            };
            timed(
                &format!("grammar {name} from {}", grammar.crate_name),
                || compile(toolbox, grammar, folders, &cached),
            )?;
        }
        if paths::read_bytes(&file).ok() != Some(paths::read_bytes(&cached)?) {
            paths::copy(&cached, &file)?;
        }
    }
    Ok(())
}

fn compile(
    toolbox: &Toolbox,
    grammar: &Compiled,
    folders: &BTreeMap<String, PathBuf>,
    out: &Path,
) -> Result<()> {
    let folder = |name: &str| {
        folders
            .get(name)
            .ok_or_else(|| format!("Cargo.lock has no crate {name}"))
    };
    let source = folder(&grammar.crate_name)?.join(&grammar.source);
    // Declarations only; the functions are the engine's.
    let libc = folder("tree-sitter-language")?.join("wasm/include");
    let clang = wasm_clang()?;
    let resources = Call::new(&clang).arg("-print-resource-dir").read()?;
    let scanner = source.join("scanner.c");
    if let Some(dir) = out.parent() {
        paths::make_dir(dir)?;
    }
    let partial = out.with_extension("partial");
    let attempt = |more: &[&str]| {
        Call::new(&clang)
            .args(GRAMMAR_FLAGS)
            .args(more)
            .arg(format!("-Wl,--export={}", grammar.symbol))
            .arg("-isystem")
            .arg(&libc)
            .arg("-isystem")
            .arg(Path::new(resources.trim()).join("include"))
            .arg("-I")
            .arg(&source)
            .arg(source.join("parser.c"))
            .args(scanner.is_file().then_some(&scanner))
            .arg("-o")
            .arg(&partial)
            .read()
    };
    let quickly = attempt(&QUICKLY).and_then(|_| validate(toolbox, &partial));
    if quickly.is_err() {
        attempt(&[])?;
        validate(toolbox, &partial)?;
    }
    std::fs::rename(&partial, out).map_err(|e| format!("{}: {e}", out.display()))
}

/// Fails unless every function of the file is valid WebAssembly.
fn validate(toolbox: &Toolbox, file: &Path) -> Result<()> {
    let script = "new WebAssembly.Module(require('node:fs').readFileSync(process.argv[1]))";
    let node = toolbox.call("node").args(["-e", script]).arg(file);
    node.read().map(|_| ())
}

/// Where cargo keeps the sources of each crate.
fn crate_folders(toolbox: &Toolbox) -> Result<BTreeMap<String, PathBuf>> {
    #[derive(Deserialize)]
    struct Metadata {
        packages: Vec<Package>,
    }
    #[derive(Deserialize)]
    struct Package {
        name: String,
        manifest_path: PathBuf,
    }
    let text = toolbox
        .call("cargo")
        .args(["metadata", "--format-version", "1", "--locked"])
        .read()?;
    let metadata: Metadata =
        serde_json::from_str(&text).map_err(|e| format!("cargo metadata: {e}"))?;
    let folder = |package: Package| {
        let folder = package.manifest_path.parent()?.to_owned();
        Some((package.name, folder))
    };
    Ok(metadata.packages.into_iter().filter_map(folder).collect())
}

/// `Cargo.lock`.
#[derive(Deserialize)]
struct Lock {
    package: Vec<LockedPackage>,
}

#[derive(Deserialize)]
struct LockedPackage {
    name: String,
    version: String,
    #[serde(default)]
    checksum: String,
}

impl Lock {
    fn load() -> Result<Lock> {
        let text = paths::read(&paths::root().join("Cargo.lock"))?;
        toml::from_str(&text).map_err(|e| format!("Cargo.lock: {e}"))
    }

    /// One digest of all sources of a grammar.
    fn stamp(&self, grammar: &Compiled) -> Result<String> {
        let name = &grammar.crate_name;
        let package = self.package.iter().find(|package| package.name == *name);
        let package = package.ok_or_else(|| format!("Cargo.lock has no crate {name}"))?;
        Ok(Digest::default()
            .part("version", package.version.as_bytes())
            .part("checksum", package.checksum.as_bytes())
            .part("source", grammar.source.as_bytes())
            .part("symbol", grammar.symbol.as_bytes())
            .part("flags", GRAMMAR_FLAGS.join(" ").as_bytes())
            .finish())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stamp(lock: &str, source: &str) -> Result<String> {
        let lock: Lock = toml::from_str(lock).expect("a lock file");
        lock.stamp(&Compiled {
            crate_name: "tree-sitter-a".to_owned(),
            source: source.to_owned(),
            symbol: "tree_sitter_a".to_owned(),
        })
    }

    #[test]
    fn another_version_or_folder_is_another_file() {
        let one = "[[package]]\nname = \"tree-sitter-a\"\nversion = \"1.0.0\"\nchecksum = \"x\"\n";
        let two = one.replace("1.0.0", "1.0.1");
        assert_eq!(stamp(one, "src"), stamp(one, "src"));
        assert_ne!(stamp(one, "src"), stamp(&two, "src"));
        assert_ne!(stamp(one, "src"), stamp(one, "a/src"));
        assert!(stamp("package = []", "src").is_err());
    }
}
