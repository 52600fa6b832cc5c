//! Unused dependencies cost every build, and are updated for nothing. Looked for are names in the
//! sources of the package that declares them: no compiler is asked, so features that are off count, too.

use std::path::Path;

use super::files::{has_word, is_below, text, tracked};
use super::{Outcome, judged};
use crate::setup::Toolbox;
use crate::shell::Result;

/// A dependency that is there without being named: the folder of its package, its name, and why.
const EXCEPTIONS: [(&str, &str, &str); 3] = [
    (
        "crates/search",
        "getrandom",
        "switches on the generator of random numbers that instant-distance's own dependency needs in wasm",
    ),
    (
        "crates/wasm",
        "getrandom",
        "switches on the generator of random numbers that tokenizers' own dependency needs in wasm",
    ),
    ("", "typescript", "is called as `tsc`"),
];

/// Where a kind of dependency may be named, by the key of its table in a manifest.
const TABLES: [(&str, &[&str]); 3] = [
    ("dependencies", &["src"]),
    ("build-dependencies", &["build.rs"]),
    ("dev-dependencies", &["src", "tests", "benches", "examples"]),
];

pub fn check(_: &Toolbox) -> Result<Outcome> {
    let mut faults = Vec::new();
    let sources = tracked(&[".rs"])?;
    let mut named_by_members = Vec::new();
    for manifest in tracked(&["Cargo.toml"])? {
        let table = parsed(&manifest)?;
        let folder = manifest
            .trim_end_matches("Cargo.toml")
            .trim_end_matches('/');
        let declared = declared(&table);
        named_by_members.extend(declared.iter().map(|(name, _)| name.clone()));
        for (name, places) in declared {
            let is_named = || {
                let mut files = sources
                    .iter()
                    .filter(|path| is_within(path, folder, places));
                files.any(|path| uses(&text(path).unwrap_or_default(), &name))
            };
            if !is_excepted(folder, &name) && !is_named() {
                faults.push(format!(
                    "{manifest}: {name} is named nowhere in {}",
                    places.join(", ")
                ));
            }
        }
    }
    let workspace = parsed("Cargo.toml")?;
    let shared = workspace
        .get("workspace")
        .and_then(|table| table.get("dependencies"));
    for name in shared
        .and_then(toml::Value::as_table)
        .into_iter()
        .flat_map(toml::Table::keys)
    {
        if !named_by_members.contains(name) {
            faults.push(format!(
                "Cargo.toml: no crate of the workspace depends on {name}"
            ));
        }
    }
    faults.extend(in_npm()?);
    judged(
        &faults,
        "delete the line, or move it to the table of where it is named; exceptions are in crates/xtask/src/gates/unused.rs",
    )
}

fn parsed(path: &str) -> Result<toml::Table> {
    toml::from_str(&text(path).unwrap_or_default()).map_err(|e| format!("{path}: {e}"))
}

/// The dependencies of a manifest, with the folders that may name each.
fn declared(manifest: &toml::Table) -> Vec<(String, &'static [&'static str])> {
    let targets = manifest.get("target").and_then(toml::Value::as_table);
    let targets = targets.into_iter().flat_map(toml::Table::values);
    let tables = targets.filter_map(toml::Value::as_table);
    let mut found = Vec::new();
    for table in std::iter::once(manifest).chain(tables) {
        for (key, places) in TABLES {
            let names = table.get(key).and_then(toml::Value::as_table);
            let names = names.into_iter().flat_map(toml::Table::keys);
            found.extend(names.map(|name| (name.clone(), places)));
        }
    }
    found
}

fn is_within(path: &str, folder: &str, places: &[&str]) -> bool {
    places.iter().any(|place| {
        let place = Path::new(folder).join(place);
        is_below(path, &place.to_string_lossy())
    })
}

/// Whether Rust names the crate, outside of comments.
fn uses(text: &str, name: &str) -> bool {
    let name = name.replace('-', "_");
    let code = text
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"));
    code.into_iter().any(|line| has_word(line, &name))
}

fn is_excepted(folder: &str, name: &str) -> bool {
    EXCEPTIONS
        .iter()
        .any(|&(where_, what, _)| where_ == folder && what == name)
}

/// The same for npm. The root declares tools that any script of the repository may call.
fn in_npm() -> Result<Vec<String>> {
    let sources = tracked(&[
        ".ts",
        ".tsx",
        ".mjs",
        ".js",
        ".css",
        ".html",
        ".rs",
        "biome.json",
        "tsconfig.json",
    ])?;
    let mut faults = Vec::new();
    for (folder, path) in [
        ("", "package.json"),
        ("pkg", "pkg/package.json"),
        ("www", "www/package.json"),
    ] {
        let manifest: serde_json::Value = serde_json::from_str(&text(path).unwrap_or_default())
            .map_err(|e| format!("{path}: {e}"))?;
        let scripts = manifest["scripts"].to_string();
        let names = ["dependencies", "devDependencies", "optionalDependencies"]
            .into_iter()
            .filter_map(|key| manifest[key].as_object())
            .flat_map(serde_json::Map::keys);
        for name in names {
            let is_named = || {
                let mut files = sources.iter().filter(|path| is_below(path, folder));
                // The settings of the compiler say whose types it reads.
                let name = name.strip_prefix("@types/").unwrap_or(name);
                files.any(|path| imports(&text(path).unwrap_or_default(), name))
            };
            if !is_excepted(folder, name) && !has_word(&scripts, name) && !is_named() {
                faults.push(format!(
                    "{path}: {name} is named by no source and no script"
                ));
            }
        }
    }
    Ok(faults)
}

/// Whether a script imports the package or a part of it, or names a file of it.
fn imports(text: &str, name: &str) -> bool {
    let opens = ['"', '\'', '/', '`'];
    text.match_indices(name).any(|(at, _)| {
        let before = text.get(..at).and_then(|text| text.chars().next_back());
        let after = text
            .get(at + name.len()..)
            .and_then(|text| text.chars().next());
        before.is_some_and(|c| opens.contains(&c)) && after.is_some_and(|c| opens.contains(&c))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_table_is_read() {
        let manifest = "[dependencies]\na = \"1\"\n[dev-dependencies]\nb-c.workspace = true\n[target.'cfg(unix)'.dependencies]\nd = \"1\"\n";
        let manifest = toml::from_str(manifest).expect("TOML");
        let names: Vec<_> = declared(&manifest)
            .into_iter()
            .map(|(name, _)| name)
            .collect();
        assert_eq!(names, ["a", "b-c", "d"]);
    }

    #[test]
    fn a_name_counts_in_code_only() {
        assert!(uses("use tree_sitter::Parser;", "tree-sitter"));
        assert!(!uses("// tree_sitter reads it\n", "tree-sitter"));
        assert!(!uses("use tree_sitter_rust;", "tree-sitter"));
        assert!(is_within("crates/a/src/b.rs", "crates/a", &["src"]));
        assert!(!is_within("crates/a/tests/b.rs", "crates/a", &["src"]));
    }

    #[test]
    fn imports_are_of_the_very_package() {
        assert!(imports("import { h } from \"preact\";", "preact"));
        assert!(imports("import \"preact/hooks\";", "preact"));
        assert!(imports(
            "join(root, \"node_modules/binaryen/bin\")",
            "binaryen"
        ));
        assert!(!imports("import \"@preact/signals\";", "preact-signals"));
        assert!(!imports("import \"preact-x\";", "preact"));
    }
}
