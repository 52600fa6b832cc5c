//! The folders of this crate import in one direction: no cycle crosses two of them.

use std::path::{Path, PathBuf};

/// Each folder or file may use those before it.
const ORDER: [&str; 6] = [
    "program",
    "confidence",
    "modules",
    "types",
    "resolver",
    "languages",
];

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder of this crate") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            files(&path, found);
        } else {
            found.push(path);
        }
    }
}

/// Names that follow `crate::` in a text, outside of comments.
fn used(text: &str) -> impl Iterator<Item = &str> {
    let code = text
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"));
    code.flat_map(|line| line.split("crate::").skip(1))
        .map(|rest| {
            let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
            &rest[..end.unwrap_or(rest.len())]
        })
}

#[test]
fn folders_import_in_one_direction() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut wrong = Vec::new();
    let mut n_files = 0;
    for (place, folder) in ORDER.iter().enumerate() {
        let mut paths = Vec::new();
        match src.join(folder) {
            path if path.is_dir() => files(&path, &mut paths),
            path => paths.push(path.with_extension("rs")),
        }
        n_files += paths.len();
        for path in paths {
            let text = std::fs::read_to_string(&path).expect("a source file");
            for name in used(&text) {
                let is_before = ORDER
                    .iter()
                    .position(|other| *other == name)
                    .is_some_and(|other| other <= place);
                if !is_before {
                    wrong.push(format!("{} uses crate::{name}", path.display()));
                }
            }
        }
    }
    assert!(n_files > 50, "the test reads the crate's files: {n_files}");
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn names_are_found_in_code_only() {
    let text = "use crate::a::B;\n// crate::c\nfn f() { crate::d::g(crate::e) }";
    assert_eq!(used(text).collect::<Vec<_>>(), ["a", "d", "e"]);
}
