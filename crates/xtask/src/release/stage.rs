//! Copies of what is published, with the fields filled in that the repository leaves out: the crates as a workspace of their own, the npm
//! package as a folder.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::settings::Settings;
use crate::notices::OWN;
use crate::paths;
use crate::shell::{Call, Result};

/// A development dependency of published crates: cargo leaves it out of what it packs, but wants to see it.
const UNPUBLISHED: [&str; 1] = ["fixture"];
/// Folders of `pkg/` that are no part of the package.
const SOURCES: [&str; 6] = [
    "node_modules",
    "src",
    "test",
    "tools",
    ".records",
    "scripts",
];

/// Copies the crates named into a workspace, with licences and the repository's address.
pub fn crates(root: &Path, names: &[String], settings: &Settings, to: &Path) -> Result<()> {
    let tracked = Call::new("git")
        .args(["ls-files", "crates"])
        .dir(root)
        .read()?;
    let all: Vec<&str> = names
        .iter()
        .map(String::as_str)
        .chain(UNPUBLISHED)
        .collect();
    for path in tracked.lines() {
        let folder = path.split('/').nth(1).unwrap_or_default();
        if all.contains(&folder) && root.join(path).is_file() {
            paths::copy(&root.join(path), &to.join(path))?;
        }
    }
    for name in &all {
        let folder = to.join("crates").join(name);
        for licence in OWN {
            paths::copy(&root.join(licence), &folder.join(licence))?;
        }
        edit(&folder.join("Cargo.toml"), |text| {
            with_address(
                text,
                "license.workspace = true\n",
                "repository.workspace = true\n",
                settings,
            )
        })?;
    }
    paths::copy(&root.join("Cargo.lock"), &to.join("Cargo.lock"))?;
    paths::copy(&root.join("Cargo.toml"), &to.join("Cargo.toml"))?;
    let members: Vec<String> = all
        .iter()
        .map(|name| format!("\"crates/{name}\""))
        .collect();
    edit(&to.join("Cargo.toml"), |text| {
        let text = text.replace(
            "members = [\"crates/*\", \"tests\"]",
            &format!("members = [{}]", members.join(", ")),
        );
        let licence = "license = \"MIT OR Apache-2.0\"\n";
        let address = format!("repository = {:?}\n", settings.repository);
        with_address(&text, licence, &address, settings)
    })
}

/// The text with `address` after the line `line`, if there is an address.
fn with_address(text: &str, line: &str, address: &str, settings: &Settings) -> Result<String> {
    if settings.repository.is_empty() {
        return Ok(text.to_owned());
    }
    if !text.contains(line) {
        return Err(format!("no line `{}`", line.trim_end()));
    }
    Ok(text.replacen(line, &format!("{line}{address}"), 1))
}

fn edit(path: &Path, change: impl FnOnce(&str) -> Result<String>) -> Result<()> {
    let text = paths::read(path)?;
    let changed = change(&text).map_err(|why| format!("{}: {why}", path.display()))?;
    paths::write(path, changed)
}

/// Returns the files that the package's manifest names and its folder lacks: artifacts that were not built.
pub fn missing(folder: &Path) -> Result<Vec<String>> {
    let manifest: Value = serde_json::from_str(&paths::read(&folder.join("package.json"))?)
        .map_err(|e| format!("package.json: {e}"))?;
    let mut named = Vec::new();
    for key in ["exports", "bin", "files"] {
        gather(manifest.get(key).unwrap_or(&Value::Null), &mut named);
    }
    named.retain(|path| {
        !path.starts_with('!') && !path.contains('*') && !folder.join(path).exists()
    });
    named.sort();
    named.dedup();
    Ok(named)
}

fn gather(value: &Value, texts: &mut Vec<String>) {
    match value {
        Value::String(text) => texts.push(text.trim_start_matches("./").to_owned()),
        Value::Array(values) => values.iter().for_each(|value| gather(value, texts)),
        Value::Object(fields) => fields.values().for_each(|value| gather(value, texts)),
        _ => {}
    }
}

/// Copies the built package and completes its manifest. Without an address it stays private, so that npm refuses to publish it.
pub fn npm(root: &Path, settings: &Settings, to: &Path) -> Result<()> {
    let from = root.join("pkg");
    let needed = from.join("dist/index.js");
    if !needed.exists() {
        return Err("pkg is not built: run `cargo xtask build` first".to_owned());
    }
    for file in paths::files_under(&from, &SOURCES) {
        let relative: PathBuf = file.strip_prefix(&from).unwrap_or(&file).to_owned();
        paths::copy(&file, &to.join(relative))?;
    }
    edit(&to.join("package.json"), |text| completed(text, settings))
}

/// The manifest with its addresses. It stays a text: the order of conditions in `exports` has a meaning.
fn completed(text: &str, settings: &Settings) -> Result<String> {
    const PRIVATE: &str = "  \"private\": true,\n";
    if !text.contains(PRIVATE) {
        return Err("it is not private, so that somebody may publish it by mistake".to_owned());
    }
    let Some(name) = settings.mcp_name().filter(|_| settings.is_filled_in()) else {
        return Ok(text.to_owned());
    };
    let address = &settings.repository;
    let fields = json!({
        "repository": { "type": "git", "url": format!("git+{address}.git"), "directory": "pkg" },
        "homepage": format!("{address}#readme"),
        "bugs": format!("{address}/issues"),
        "mcpName": name,
        // An accelerator for those systems where it is built: npm installs the one that fits, if any.
        "optionalDependencies": natives(text)?,
    });
    let fields = serde_json::to_string_pretty(&fields).map_err(|e| e.to_string())?;
    let lines = fields.trim_start_matches("{\n").trim_end_matches("\n}");
    Ok(text.replacen(PRIVATE, &format!("{lines},\n"), 1))
}

/// Systems whose program is published.
const NATIVE: [&str; 1] = ["portolan-linux-x64"];

/// The packages with native programs, of the version of the manifest `text`.
fn natives(text: &str) -> Result<Value> {
    let manifest: Value = serde_json::from_str(text).map_err(|e| format!("package.json: {e}"))?;
    let version = manifest.get("version").cloned().unwrap_or_default();
    let packages = NATIVE.map(|name| (name.to_owned(), version.clone()));
    Ok(Value::Object(packages.into_iter().collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_manifest_is_completed_in_its_order() {
        let text = "{\n  \"name\": \"portolan\",\n  \"version\": \"1.2.3\",\n  \"private\": true,\n  \"exports\": { \"types\": \"a\", \"node\": \"b\", \"default\": \"c\" }\n}\n";
        let none = Settings::default();
        assert_eq!(completed(text, &none).as_deref(), Ok(text));
        let some = Settings {
            repository: "https://github.com/a/b".to_owned(),
            ..none
        };
        let filled = completed(text, &some).expect("a manifest");
        let manifest: Value = serde_json::from_str(&filled).expect("JSON");
        assert_eq!(
            manifest["repository"]["url"],
            "git+https://github.com/a/b.git"
        );
        assert_eq!(manifest["mcpName"], "io.github.a/portolan");
        assert!(manifest["private"].is_null());
        assert_eq!(
            manifest["optionalDependencies"]["portolan-linux-x64"],
            "1.2.3"
        );
        assert!(filled.ends_with(
            "\"exports\": { \"types\": \"a\", \"node\": \"b\", \"default\": \"c\" }\n}\n"
        ));
        assert!(completed("{}", &some).is_err());
    }

    #[test]
    fn files_that_the_manifest_names_and_nobody_built() {
        let folder = std::env::temp_dir().join(format!("portolan-missing-{}", std::process::id()));
        let manifest = r#"{
            "bin": { "a": "a.js" }, "files": ["dist", "!dist/x"],
            "exports": { ".": { "types": "./dist/a.d.ts" }, "./x.wasm": "./wasm/x.wasm", "./g/*": "./g/*" }
        }"#;
        paths::write(&folder.join("package.json"), manifest).expect("a file");
        paths::write(&folder.join("dist/a.d.ts"), "").expect("a file");
        assert_eq!(
            missing(&folder).as_deref(),
            Ok(&["a.js".to_owned(), "wasm/x.wasm".to_owned()][..])
        );
        let _ = std::fs::remove_dir_all(&folder);
    }

    #[test]
    fn an_address_goes_in_where_there_is_one() {
        let text = "[package]\nlicense.workspace = true\ndescription = \"x\"\n";
        let (line, address) = (
            "license.workspace = true\n",
            "repository.workspace = true\n",
        );
        let none = Settings::default();
        assert_eq!(
            with_address(text, line, address, &none).as_deref(),
            Ok(text)
        );
        let some = Settings {
            repository: "https://example.org/a/b".to_owned(),
            ..none
        };
        let filled = with_address(text, line, address, &some).expect("the line is there");
        assert!(
            filled.contains("license.workspace = true\nrepository.workspace = true\ndescription")
        );
        assert!(with_address("[package]\n", line, address, &some).is_err());
    }
}
