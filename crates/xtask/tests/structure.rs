//! Rules that no compiler checks: crates depend on each other only as ARCHITECTURE.md allows, every dependency has its
//! reason, and files describe themselves.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

type Names = BTreeSet<String>;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .nth(2)
        .expect("crates/xtask is two folders deep")
        .to_owned()
}

fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|e| panic!("{path}: {e}"))
}

/// Files that git has or would add, with one of these extensions.
fn sources(extensions: &[&str]) -> Vec<String> {
    let output = Command::new("git")
        .args(["ls-files", "-co", "--exclude-standard"])
        .current_dir(root())
        .output()
        .expect("git starts");
    let list = String::from_utf8_lossy(&output.stdout).into_owned();
    let is_wanted = |path: &&str| extensions.iter().any(|extension| path.ends_with(extension));
    let exists = |path: &&str| root().join(path).is_file();
    list.lines()
        .filter(is_wanted)
        .filter(exists)
        .map(str::to_owned)
        .collect()
}

/// Our crates by folder name, each with those of ours that it depends on. Development dependencies do not count.
fn dependencies() -> BTreeMap<String, Names> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--no-deps"])
        .current_dir(root())
        .output()
        .expect("cargo starts");
    let metadata: serde_json::Value =
        serde_json::from_slice(&output.stdout).expect("cargo metadata is JSON");
    let packages = metadata["packages"].as_array().expect("a list of packages");
    packages
        .iter()
        .map(|package| (folder_of(package), dependencies_of(package)))
        .collect()
}

fn folder_of(package: &serde_json::Value) -> String {
    let manifest = Path::new(package["manifest_path"].as_str().expect("a path"));
    let folder = manifest
        .parent()
        .and_then(Path::file_name)
        .expect("a folder");
    folder.to_string_lossy().into_owned()
}

fn dependencies_of(package: &serde_json::Value) -> Names {
    let list = package["dependencies"]
        .as_array()
        .expect("a list of dependencies");
    let is_ours = |dependency: &&serde_json::Value| {
        dependency["path"].is_string() && dependency["kind"] != "dev"
    };
    let folder = |dependency: &serde_json::Value| {
        let path = Path::new(dependency["path"].as_str().expect("a path"));
        path.file_name()
            .expect("a folder")
            .to_string_lossy()
            .into_owned()
    };
    list.iter().filter(is_ours).map(folder).collect()
}

/// The table of ARCHITECTURE.md that begins with `| crate | may depend on |`: crates and the crates of ours that they
/// may depend on, all in backticks. A row that says "anything" allows everything.
fn allowed(text: &str) -> BTreeMap<String, Option<Names>> {
    let mut rows = BTreeMap::new();
    let table = text
        .lines()
        .skip_while(|line| !line.starts_with("| crate | may depend on"))
        .skip(2);
    for line in table.take_while(|line| line.starts_with('|')) {
        let mut cells = line.split('|').skip(1);
        let (crates, may) = (
            cells.next().unwrap_or_default(),
            cells.next().unwrap_or_default(),
        );
        let may = if may.contains("anything") {
            None
        } else {
            Some(in_backticks(may))
        };
        rows.extend(
            in_backticks(crates)
                .into_iter()
                .map(|name| (name, may.clone())),
        );
    }
    rows
}

fn in_backticks(cell: &str) -> Names {
    cell.split('`')
        .skip(1)
        .step_by(2)
        .map(str::to_owned)
        .collect()
}

#[test]
fn crates_depend_on_each_other_as_the_architecture_says() {
    let allowed = allowed(&read("ARCHITECTURE.md"));
    let mut wrong = String::new();
    for (name, found) in dependencies() {
        match allowed.get(&name) {
            None => drop(writeln!(
                wrong,
                "`{name}` has no row in the table of ARCHITECTURE.md"
            )),
            Some(None) => {}
            Some(Some(may)) => {
                for too_much in found.difference(may) {
                    let _ = writeln!(wrong, "`{name}` may not depend on `{too_much}`");
                }
            }
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn the_table_is_read_as_it_is_written() {
    let text = "x\n| crate | may depend on | never sees |\n|---|---|---|\n| `a` | – | `b` |\n| `b`, `c` | `a` (parse) | |\n| `d` | anything | |\n\n| `e` | `a` |\n";
    let allowed = allowed(text);
    assert_eq!(allowed.keys().collect::<Vec<_>>(), ["a", "b", "c", "d"]);
    assert_eq!(allowed["a"], Some(Names::new()));
    assert_eq!(allowed["c"], Some(Names::from(["a".to_owned()])));
    assert_eq!(allowed["d"], None);
}

#[test]
fn every_dependency_has_its_reason() {
    let manifest: toml::Table = toml::from_str(&read("Cargo.toml")).expect("Cargo.toml is TOML");
    let reasons = read("docs/decisions/0002-dependencies.md");
    let dependencies = manifest["workspace"]["dependencies"]
        .as_table()
        .expect("a table of dependencies");
    let is_foreign = |value: &toml::Value| value.get("path").is_none();
    // One line covers all grammars.
    let is_named = |name: &str| reasons.contains(name) || name.starts_with("tree-sitter-");
    let missing: Vec<_> = dependencies
        .iter()
        .filter(|(name, value)| is_foreign(value) && !is_named(name))
        .map(|(name, _)| name.as_str())
        .collect();
    assert!(
        missing.is_empty(),
        "no word about {missing:?} in docs/decisions/0002-dependencies.md"
    );
}

#[test]
fn every_crate_takes_the_lints_of_the_workspace() {
    for path in sources(&["Cargo.toml"])
        .iter()
        .filter(|path| path.as_str() != "Cargo.toml")
    {
        let manifest: toml::Table = toml::from_str(&read(path)).expect("a manifest is TOML");
        let takes_them = manifest
            .get("lints")
            .and_then(|lints| lints.get("workspace"));
        assert_eq!(
            takes_them.and_then(toml::Value::as_bool),
            Some(true),
            "{path} lacks `[lints] workspace = true`"
        );
    }
}

#[test]
fn files_say_what_they_are_and_are_finished() {
    let mut wrong = String::new();
    for path in sources(&[".rs", ".ts", ".tsx", ".mjs"]) {
        let text = read(&path);
        if path.ends_with("src/lib.rs") && !text.starts_with("//!") {
            let _ = writeln!(wrong, "{path}: does not begin with what it is");
        }
        for unfinished in [
            concat!("todo", "!("),
            concat!("unimplemented", "!("),
            concat!("FIX", "ME:\n"),
        ] {
            // Tests read code that is unfinished, too.
            if text.contains(unfinished) && path.contains("/src/") {
                let _ = writeln!(wrong, "{path}: contains {unfinished}");
            }
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn nothing_names_the_machine_it_was_written_on() {
    let home = concat!("/ro", "ot/");
    for path in sources(&[
        ".rs", ".ts", ".tsx", ".mjs", ".js", ".json", ".toml", ".md", ".html", ".css",
    ]) {
        let text = std::fs::read_to_string(root().join(&path)).unwrap_or_default();
        assert!(!text.contains(home), "{path} names a home folder");
    }
}
