//! Licences of our dependencies, compared with the list in deny.toml, which `cargo deny` reads, too. Its own check
//! would take minutes of compiling on every machine; names and expressions are in `cargo metadata` anyway.

use serde::Deserialize;
use spdx::{Expression, ParseMode};

use super::{Outcome, judged};
use crate::paths;
use crate::setup::Toolbox;
use crate::shell::Result;

#[derive(Deserialize)]
struct Deny {
    licenses: Licences,
}

#[derive(Deserialize)]
struct Licences {
    allow: Vec<String>,
}

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    license: Option<String>,
}

pub fn check(toolbox: &Toolbox) -> Result<Outcome> {
    let root = paths::root();
    let deny: Deny = toml::from_str(&paths::read(&root.join("deny.toml"))?)
        .map_err(|e| format!("deny.toml: {e}"))?;
    let allowed = deny.licenses.allow;
    let metadata = toolbox
        .call("cargo")
        .args(["metadata", "--locked", "--format-version", "1"])
        .read()?;
    let crates: Metadata =
        serde_json::from_str(&metadata).map_err(|e| format!("cargo metadata: {e}"))?;
    let lock = paths::read(&root.join("package-lock.json"))?;
    let lock = serde_json::from_str(&lock).map_err(|e| format!("package-lock.json: {e}"))?;
    let packages = crates.packages.into_iter().chain(given_on(&lock));
    let faults: Vec<_> = packages
        .filter_map(|package| fault(&package, &allowed))
        .collect();
    judged(
        &faults,
        "choose another dependency, or add the licence to deny.toml once someone has read it and it obliges nobody who uses us",
    )
}

/// The npm packages that go into the page or along with the package. Tools of the build and the tests are given to nobody.
fn given_on(lock: &serde_json::Value) -> Vec<Package> {
    let entries = lock["packages"].as_object().into_iter().flatten();
    let is_given_on = |entry: &serde_json::Value| {
        ["dev", "devOptional", "link"]
            .iter()
            .all(|key| entry[key] != true)
    };
    entries
        .filter(|(path, entry)| path.contains("node_modules/") && is_given_on(entry))
        .map(|(path, entry)| Package {
            name: path.clone(),
            license: entry["license"].as_str().map(str::to_owned),
        })
        .collect()
}

fn fault(package: &Package, allowed: &[String]) -> Option<String> {
    let Package { name, license } = package;
    let Some(license) = license else {
        return Some(format!("{name}: says no licence"));
    };
    match is_allowed(license, allowed) {
        Ok(true) => None,
        Ok(false) => Some(format!("{name}: {license} is not in deny.toml")),
        Err(why) => Some(format!("{name}: {license}: {why}")),
    }
}

/// Whether the licences in `allowed` are enough to use what has this expression.
fn is_allowed(expression: &str, allowed: &[String]) -> Result<bool> {
    // Older manifests write `MIT/Apache-2.0`.
    let parsed = Expression::parse_mode(expression, ParseMode::LAX).map_err(|e| e.to_string())?;
    Ok(parsed.evaluate(|licence| {
        let licence = licence.to_string();
        allowed.contains(&licence)
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(expression: &str, want: bool) {
        let allowed = [
            "MIT",
            "Apache-2.0",
            "Unicode-3.0",
            "Apache-2.0 WITH LLVM-exception",
        ];
        let allowed = allowed.map(str::to_owned);
        assert_eq!(is_allowed(expression, &allowed), Ok(want), "{expression}");
    }

    #[test]
    fn one_of_several_is_enough_and_both_are_needed() {
        check("MIT", true);
        check("MIT/GPL-3.0", true);
        check("MIT OR LGPL-2.1-or-later", true);
        check("GPL-3.0-only", false);
        check("(MIT OR Apache-2.0) AND Unicode-3.0", true);
        check("MIT AND GPL-3.0-only", false);
        check("Apache-2.0 WITH LLVM-exception", true);
    }

    #[test]
    fn a_package_without_a_licence_is_a_fault() {
        let package = |license: Option<&str>| Package {
            name: "a".to_owned(),
            license: license.map(str::to_owned),
        };
        let allowed = ["MIT".to_owned()];
        assert_eq!(fault(&package(Some("MIT")), &allowed), None);
        assert!(fault(&package(None), &allowed).is_some());
        assert!(fault(&package(Some("SEE LICENSE")), &allowed).is_some());
    }

    #[test]
    fn tools_are_given_to_nobody() {
        let lock = serde_json::json!({ "packages": {
            "": { "license": "MIT" },
            "node_modules/page": { "license": "ISC" },
            "node_modules/tool": { "license": "MPL-2.0", "dev": true },
            "node_modules/us": { "link": true },
        } });
        let names: Vec<_> = given_on(&lock)
            .into_iter()
            .map(|package| package.name)
            .collect();
        assert_eq!(names, ["node_modules/page"]);
    }
}
