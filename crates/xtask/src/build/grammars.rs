//! Grammar files: fetched from npm at their pinned version, checked against their digest, laid into the package. Those
//! that npm does not carry are compiled.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::compiled;
use super::manifest::{Grammar, Grammars, grammar_file};
use crate::digest::sha256_of;
use crate::paths;
use crate::setup::{Toolbox, node};
use crate::shell::{Call, Result, say, timed};

/// Puts every grammar file of grammars.toml into its place. What is there with the right digest stays.
pub fn fetch(toolbox: &Toolbox) -> Result<()> {
    let root = paths::root();
    let grammars = Grammars::load(&root)?;
    let out = root.join(&grammars.build.out);
    compiled::make(toolbox, &grammars.compiled, &out)?;
    fetch_all(toolbox, &grammars.grammar, &out)?;
    fetch_all(
        toolbox,
        &grammars.test,
        &root.join(&grammars.build.test_out),
    )?;
    let n_files = grammars.grammar.len() + grammars.compiled.len();
    say(&format!("  ✓ {n_files} grammar files"));
    Ok(())
}

fn fetch_all(toolbox: &Toolbox, grammars: &BTreeMap<String, Grammar>, out: &Path) -> Result<()> {
    let missing: Vec<_> = grammars
        .iter()
        .filter(|(name, grammar)| !is_right(&out.join(grammar_file(name)), grammar))
        .collect();
    let mut by_package: BTreeMap<String, Vec<(&String, &Grammar)>> = BTreeMap::new();
    for (name, grammar) in missing {
        by_package
            .entry(format!("{}@{}", grammar.package, grammar.version))
            .or_default()
            .push((name, grammar));
    }
    for (package, grammars) in by_package {
        timed(&format!("grammar {package}"), || {
            fetch_package(toolbox, &package, &grammars, out)
        })?;
    }
    Ok(())
}

fn fetch_package(
    toolbox: &Toolbox,
    package: &str,
    grammars: &[(&String, &Grammar)],
    out: &Path,
) -> Result<()> {
    let home = paths::cache()
        .join("grammars")
        .join(package.replace('/', "+"));
    let is_cached = grammars
        .iter()
        .all(|(_, grammar)| is_right(&home.join("package").join(&grammar.file), grammar));
    if !is_cached {
        download(toolbox, package, &home)?;
    }
    for (name, grammar) in grammars {
        let file = home.join("package").join(&grammar.file);
        if !is_right(&file, grammar) {
            let found = sha256_of(&file).unwrap_or_else(|why| why);
            return Err(format!(
                "{package}: {} has digest {found}, grammars.toml says {}",
                grammar.file, grammar.sha256
            ));
        }
        paths::copy(&file, &out.join(grammar_file(name)))?;
    }
    Ok(())
}

fn download(toolbox: &Toolbox, package: &str, home: &Path) -> Result<()> {
    node::pack(toolbox, &[package.to_owned()], home)?;
    let archive = archive_in(home).ok_or_else(|| format!("npm pack {package} left no archive"))?;
    Call::new("tar")
        .arg("-xzf")
        .arg(&archive)
        .arg("-C")
        .arg(home)
        .read()?;
    std::fs::remove_file(&archive).map_err(|e| format!("{}: {e}", archive.display()))
}

fn archive_in(dir: &Path) -> Option<PathBuf> {
    let mut entries = std::fs::read_dir(dir)
        .ok()?
        .flatten()
        .map(|entry| entry.path());
    entries.find(|path| path.extension().is_some_and(|extension| extension == "tgz"))
}

fn is_right(file: &Path, grammar: &Grammar) -> bool {
    sha256_of(file).is_ok_and(|digest| digest == grammar.sha256)
}
