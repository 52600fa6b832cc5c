//! Both lock files agree with the manifests, so that nobody's first build changes them.

use super::Outcome;
use crate::paths;
use crate::setup::Toolbox;
use crate::shell::Result;

pub fn check(toolbox: &Toolbox) -> Result<Outcome> {
    toolbox
        .call("cargo")
        .args(["metadata", "--locked", "--format-version", "1"])
        .read()
        .map_err(|why| {
            format!("{why}\n→ `cargo check` writes Cargo.lock anew; commit it with the manifest")
        })?;
    let read = |name: &str| paths::read(&paths::root().join(name));
    let lock: serde_json::Value = serde_json::from_str(&read("package-lock.json")?)
        .map_err(|e| format!("package-lock.json: {e}"))?;
    let mut faults = Vec::new();
    for (key, path) in [
        ("", "package.json"),
        ("pkg", "pkg/package.json"),
        ("www", "www/package.json"),
    ] {
        let manifest: serde_json::Value =
            serde_json::from_str(&read(path)?).map_err(|e| format!("{path}: {e}"))?;
        faults.extend(
            differences(&manifest, &lock["packages"][key])
                .map(|field| format!("{path}: {field} are not those of package-lock.json")),
        );
    }
    faults.extend(missing(&lock));
    super::judged(&faults, "run `npm install` and commit package-lock.json")
}

/// Programs for other systems that the lock leaves out, as npm writes it where its registry or mirror lacks them: `npm ci` refuses
/// such a lock on every system.
fn missing(lock: &serde_json::Value) -> Vec<String> {
    let entries = lock["packages"].as_object();
    let has = |name: &str, above: &str| {
        let places = [
            format!("{above}/node_modules/{name}"),
            format!("node_modules/{name}"),
        ];
        entries.is_some_and(|entries| places.iter().any(|place| entries.contains_key(place)))
    };
    let mut faults = Vec::new();
    for (path, entry) in entries.into_iter().flatten() {
        let names = entry["optionalDependencies"].as_object();
        for name in names.into_iter().flat_map(serde_json::Map::keys) {
            if !has(name, path) {
                faults.push(format!("package-lock.json: {name}, of {path}, has no entry; add one like its neighbours'"));
            }
        }
    }
    faults
}

/// The lists of dependencies that differ.
fn differences<'a>(
    manifest: &'a serde_json::Value,
    locked: &'a serde_json::Value,
) -> impl Iterator<Item = &'static str> + 'a {
    [
        "dependencies",
        "devDependencies",
        "peerDependencies",
        "optionalDependencies",
    ]
    .into_iter()
    .filter(|&field| manifest.get(field) != locked.get(field))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_for_other_systems_are_in_the_lock() {
        let lock = serde_json::json!({ "packages": {
            "node_modules/tool": { "optionalDependencies": { "tool-linux": "1.0.0", "tool-darwin": "1.0.0" } },
            "node_modules/tool-linux": { "version": "1.0.0" },
        } });
        let faults = missing(&lock);
        assert_eq!(faults.len(), 1);
        assert!(faults[0].contains("tool-darwin"));
    }

    #[test]
    fn a_list_that_differs_is_named() {
        let manifest = serde_json::json!({ "name": "a", "dependencies": { "b": "1.0.0" } });
        let same = serde_json::json!({ "dependencies": { "b": "1.0.0" } });
        let older = serde_json::json!({ "dependencies": { "b": "0.9.0" } });
        assert_eq!(differences(&manifest, &same).count(), 0);
        assert_eq!(
            differences(&manifest, &older).collect::<Vec<_>>(),
            ["dependencies"]
        );
        assert_eq!(differences(&manifest, &serde_json::Value::Null).count(), 1);
    }
}
