//! The licences of what is not ours but goes out with us, in one text: components under the same licence text share it, and only their
//! copyright lines are apart.

pub mod inventory;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use crate::paths;
use crate::shell::Result;
use inventory::Component;

/// Its name in the npm package.
pub const FILE: &str = "THIRD-PARTY-NOTICES.txt";
/// The licences under which Portolan itself is.
pub const OWN: [&str; 2] = ["LICENSE-APACHE", "LICENSE-MIT"];

/// A licence text, and who gives what under it.
struct Group {
    text: String,
    members: BTreeMap<String, Vec<String>>,
}

/// Puts our licences and those of others into a package's folder.
pub fn write_into(root: &Path, folder: &Path) -> Result<()> {
    for name in OWN {
        paths::copy(&root.join(name), &folder.join(name))?;
    }
    paths::write(
        &folder.join(FILE),
        text(root, &inventory::components(root)?)?,
    )
}

/// Whether a file of the package is one of these, made and not written.
pub fn is_made(path: &Path) -> bool {
    let name = file_name(path);
    name == FILE || OWN.contains(&name.as_str())
}

/// The whole text.
pub fn text(root: &Path, components: &[Component]) -> Result<String> {
    let mut groups: BTreeMap<String, Group> = BTreeMap::new();
    for component in components {
        let title = format!(
            "{} {} ({})",
            component.name, component.version, component.licence
        );
        for licence in licences_of(root, component)? {
            let (copyrights, body) = parted(&licence);
            let group = groups.entry(key_of(&body)).or_insert_with(|| Group {
                text: body,
                members: BTreeMap::new(),
            });
            let lines = group.members.entry(title.clone()).or_default();
            lines.extend(copyrights);
            lines.sort();
            lines.dedup();
        }
    }
    Ok(printed(groups.into_values().collect()))
}

fn printed(mut groups: Vec<Group>) -> String {
    groups.sort_by_key(|group| std::cmp::Reverse(group.members.len()));
    let mut out = String::from(
        "Portolan contains these works of others. Where one is offered under several licences, the text of one follows.\n",
    );
    for Group { text, members } in groups {
        let _ = write!(out, "\n{}\n\n", "=".repeat(80));
        for (title, copyrights) in members {
            let _ = writeln!(out, "{title}");
            for line in copyrights {
                let _ = writeln!(out, "    {line}");
            }
        }
        let _ = write!(out, "\n{text}\n");
    }
    out
}

/// The licence texts that hold for a component: one where it offers a choice, all where it does not.
fn licences_of(root: &Path, component: &Component) -> Result<Vec<String>> {
    let files = component
        .folder
        .as_deref()
        .map(licence_files)
        .unwrap_or_default();
    let named = |word: &str| {
        files
            .iter()
            .find(|file| file_name(file).to_uppercase().contains(word))
    };
    let is_choice = component.licence.contains(" OR ");
    let chosen: Vec<&PathBuf> = match (is_choice, named("MIT"), named("APACHE")) {
        (true, Some(file), _) | (true, None, Some(file)) => vec![file],
        _ => files.iter().collect(),
    };
    if chosen.is_empty() {
        return standard(root, component).map(|text| vec![text]);
    }
    chosen.into_iter().map(|file| readable(file)).collect()
}

/// Licence files at the top of a folder and of the works that it carries, in two levels below.
fn licence_files(folder: &Path) -> Vec<PathBuf> {
    let depth = folder.components().count();
    let skipped = [
        "node_modules",
        "target",
        "tests",
        "test",
        "testdata",
        "benches",
        "examples",
    ];
    let mut files: Vec<PathBuf> = paths::files_under(folder, &skipped)
        .into_iter()
        .filter(|file| file.components().count() <= depth + 3)
        .filter(|file| is_licence(&file_name(file)))
        .collect();
    // zstd has the BSD licence or the GPL: we choose its LICENSE.
    let all = files.clone();
    files.retain(|file| {
        let beside = all.iter().any(|other| {
            other.parent() == file.parent()
                && file_name(other).to_uppercase().starts_with("LICENSE")
        });
        !(beside && file_name(file).to_uppercase().starts_with("COPYING"))
    });
    files
}

fn is_licence(name: &str) -> bool {
    let upper = name.to_uppercase();
    let stem = upper
        .strip_suffix(".TXT")
        .or_else(|| upper.strip_suffix(".MD"))
        .unwrap_or(&upper);
    let is_first = ["LICENSE", "LICENCE", "COPYING", "NOTICE", "UNLICENSE"]
        .iter()
        .any(|word| stem.starts_with(word));
    let is_source = [".RS", ".JS", ".TS", ".JSON", ".HTML", ".C", ".H"]
        .iter()
        .any(|ending| upper.ends_with(ending));
    is_first && !is_source
}

/// The text of a common licence, for a package that names it and leaves its file out.
fn standard(root: &Path, component: &Component) -> Result<String> {
    let has = |id: &str| {
        component
            .licence
            .split([' ', '(', ')'])
            .any(|word| word == id)
    };
    let by = if component.authors.is_empty() {
        format!("the authors of {}", component.name)
    } else {
        component.authors.clone()
    };
    if has("MIT") {
        let ours = paths::read(&root.join("LICENSE-MIT"))?;
        let (_, body) = parted(&ours);
        return Ok(format!("MIT License\n\nCopyright (c) {by}\n\n{body}"));
    }
    if has("Apache-2.0") {
        return paths::read(&root.join("LICENSE-APACHE"));
    }
    Err(format!(
        "{} {}: its package has no licence file, and {} has no text here; add one to `standard` in notices/mod.rs",
        component.name, component.version, component.licence
    ))
}

/// Copyright lines, and the rest without the title that only some have.
fn parted(text: &str) -> (Vec<String>, String) {
    let is_copyright = |line: &&str| {
        let line = line.trim_start().to_lowercase();
        (line.starts_with("copyright (c)")
            || line.starts_with("copyright ©")
            || line.starts_with("copyright 2")
            || line.starts_with("copyright 1"))
            && line.len() < 200
    };
    let copyrights = text
        .lines()
        .filter(is_copyright)
        .map(|line| line.trim().to_owned());
    let body: Vec<&str> = text
        .lines()
        .filter(|line| !is_copyright(line))
        .skip_while(|line| is_title(line))
        .collect();
    (copyrights.collect(), body.join("\n").trim().to_owned())
}

fn is_title(line: &str) -> bool {
    let line = line
        .trim()
        .trim_matches(['#', '(', ')', ' '])
        .to_lowercase();
    ["", "mit license", "the mit license", "the mit license mit"].contains(&line.as_str())
}

/// Texts that differ only in spaces, quotes and case are one.
fn key_of(body: &str) -> String {
    body.to_lowercase()
        .replace(['“', '”', '`', '\''], "\"")
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
}

fn readable(file: &Path) -> Result<String> {
    Ok(String::from_utf8_lossy(&paths::read_bytes(file)?).replace('\r', ""))
}

fn file_name(file: &Path) -> String {
    file.file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_text_is_printed_once() {
        let root = std::env::temp_dir().join(format!("portolan-notices-{}", std::process::id()));
        let component = |name: &str, copyright: &str, space: &str| {
            let folder = root.join(name);
            let text = format!("MIT License\n\n{copyright}\n\nPermission is{space}granted.\n");
            paths::write(&folder.join("LICENSE"), text).expect("a file");
            Component {
                name: name.to_owned(),
                version: "1.0.0".to_owned(),
                licence: "MIT".to_owned(),
                purl: String::new(),
                folder: Some(folder),
                authors: String::new(),
            }
        };
        let components = [
            component("a", "Copyright (c) 2020 A", " "),
            component("b", "Copyright (c) 2021 B", "\n"),
        ];
        let text = text(&root, &components).expect("a text");
        assert_eq!(text.matches("Permission is").count(), 1, "{text}");
        assert!(text.contains(
            "a 1.0.0 (MIT)\n    Copyright (c) 2020 A\nb 1.0.0 (MIT)\n    Copyright (c) 2021 B\n"
        ));
        let _ = std::fs::remove_dir_all(&root);
    }

    #[test]
    fn sources_are_no_licences() {
        assert!(is_licence("LICENSE-MIT") && is_licence("licence.md") && is_licence("COPYING"));
        assert!(!is_licence("license.rs") && !is_licence("README.md"));
    }
}
