//! Grammar files: fetched from npm at their pinned version, checked against their digest, laid into the package. Those
//! that npm does not carry are compiled.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::{Toolbox, compiled, node};
use crate::digest::sha256_of;
use crate::manifest::{Grammar, Grammars, grammar_file};
use crate::paths;
use crate::shell::{Call, Result, say, timed};

/// Puts every grammar file of grammars.toml into its place. Files with the right digest stay.
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
    let uncached: Vec<_> = by_package
        .iter()
        .filter(|(package, grammars)| !is_cached(package, grammars))
        .map(|(package, _)| package.clone())
        .collect();
    if !uncached.is_empty() {
        timed(&format!("{} grammars from npm", uncached.len()), || {
            download(toolbox, &uncached)
        })?;
    }
    by_package
        .iter()
        .try_for_each(|(package, grammars)| put(package, grammars, out))
}

/// Where the contents of a package are kept.
fn home(package: &str) -> PathBuf {
    paths::cache()
        .join("grammars")
        .join(package.replace('/', "+"))
}

fn is_cached(package: &str, grammars: &[(&String, &Grammar)]) -> bool {
    let home = home(package).join("package");
    grammars
        .iter()
        .all(|(_, grammar)| is_right(&home.join(&grammar.file), grammar))
}

/// Copies the files of one package into their places, if they are the right ones.
fn put(package: &str, grammars: &[(&String, &Grammar)], out: &Path) -> Result<()> {
    for (name, grammar) in grammars {
        let file = home(package).join("package").join(&grammar.file);
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

/// Fetches all `packages` by one call: npm takes longer to start than to fetch one.
fn download(toolbox: &Toolbox, packages: &[String]) -> Result<()> {
    let folder = paths::cache().join("grammars/fetched");
    node::pack(toolbox, packages, &folder)?;
    for package in packages {
        let archive = folder.join(archive_name(package));
        let home = home(package);
        paths::make_dir(&home)?;
        Call::new("tar")
            .arg("-xzf")
            .arg(&archive)
            .arg("-C")
            .arg(&home)
            .read()?;
    }
    let _ = std::fs::remove_dir_all(folder);
    Ok(())
}

/// `@scope/name@1.0.0` → `scope-name-1.0.0.tgz`, as `npm pack` names it.
fn archive_name(package: &str) -> String {
    let name = package.trim_start_matches('@').replace(['/', '@'], "-");
    format!("{name}.tgz")
}

fn is_right(file: &Path, grammar: &Grammar) -> bool {
    sha256_of(file).is_ok_and(|digest| digest == grammar.sha256)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn archives_are_named_as_npm_does() {
        assert_eq!(
            archive_name("tree-sitter-c@0.24.1"),
            "tree-sitter-c-0.24.1.tgz"
        );
        assert_eq!(
            archive_name("@tree-sitter-grammars/tree-sitter-lua@0.4.1"),
            "tree-sitter-grammars-tree-sitter-lua-0.4.1.tgz"
        );
    }
}
