//! Other people's work in our artifacts: the crates in the WebAssembly files, the grammars, the npm packages in bundles
//! and in the page.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::Value;

use crate::manifest::Grammars;
use crate::paths;
use crate::shell::{Call, Result};

/// Something of others that we ship.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Component {
    pub name: String,
    pub version: String,
    /// An SPDX expression.
    pub licence: String,
    /// Its package URL.
    pub purl: String,
    /// Its sources, with their licence files.
    pub folder: Option<PathBuf>,
    /// For licences whose file is missing.
    pub authors: String,
}

/// Features of crates/wasm that are built into some artifact; `ingest` holds `read`.
const FEATURES: &str = "ingest,onnx,hnsw,edge,seal,history";
/// Packages that `pkg/tools/bundle.mjs` puts into the package's own files.
const BUNDLED: [&str; 3] = [
    "@decimalturn/toml-patch",
    "@modelcontextprotocol/server",
    "jsonc-parser",
];

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    version: String,
    license: Option<String>,
    manifest_path: PathBuf,
    #[serde(default)]
    authors: Vec<String>,
}

/// Everything, by name.
pub fn components(root: &Path) -> Result<Vec<Component>> {
    let packages = metadata(root)?;
    let mut all = crates(root, &packages)?;
    all.extend(grammars(root, &packages)?);
    all.extend(npm_packages(root)?);
    Ok(all.into_iter().collect())
}

fn metadata(root: &Path) -> Result<Vec<Package>> {
    let text = Call::new("cargo")
        .args(["metadata", "--format-version", "1", "--locked"])
        .args([
            "--all-features",
            "--filter-platform",
            "wasm32-unknown-unknown",
        ])
        .dir(root)
        .read()?;
    let metadata: Metadata =
        serde_json::from_str(&text).map_err(|e| format!("cargo metadata: {e}"))?;
    Ok(metadata.packages)
}

/// The crates of others that some artifact is built of.
fn crates(root: &Path, packages: &[Package]) -> Result<BTreeSet<Component>> {
    let text = Call::new("cargo")
        .args(["tree", "-p", "portolan-wasm", "--locked", "-e", "normal"])
        .args(["--target", "wasm32-unknown-unknown"])
        .args(["--no-default-features", "--features", FEATURES])
        .args(["--prefix", "none", "--format", "{p}"])
        .dir(root)
        .read()?;
    let built: BTreeSet<(&str, &str)> = text.lines().filter_map(name_and_version).collect();
    let of_others = built
        .iter()
        .filter(|(name, _)| !name.starts_with("portolan-"));
    of_others
        .map(|(name, version)| {
            let is_it = |package: &&Package| package.name == *name && package.version == *version;
            let package = packages
                .iter()
                .find(is_it)
                .ok_or_else(|| format!("cargo metadata has no {name} {version}"))?;
            Ok(component(package, format!("pkg:cargo/{name}@{version}")))
        })
        .collect()
}

/// The parts of `name v1.2.3 (proc-macro)`.
fn name_and_version(line: &str) -> Option<(&str, &str)> {
    let mut words = line.split_whitespace();
    Some((words.next()?, words.next()?.strip_prefix('v')?))
}

/// The grammars that the package carries. Those that are compiled and those from npm have the same sources as the crate.
fn grammars(root: &Path, packages: &[Package]) -> Result<BTreeSet<Component>> {
    let file = Grammars::load(root)?;
    let of_crate = |name: &str| {
        let wanted = name.rsplit('/').next().unwrap_or(name);
        packages
            .iter()
            .find(|package| package.name == wanted || package.name == format!("{wanted}-ng"))
            .ok_or_else(|| format!("{name}: no crate of this grammar in Cargo.lock"))
    };
    let mut all = BTreeSet::new();
    for grammar in file.grammar.values() {
        let name = &grammar.package;
        let purl = format!("pkg:npm/{}@{}", name.replace('@', "%40"), grammar.version);
        let package = of_crate(name)?;
        all.insert(Component {
            name: name.clone(),
            version: grammar.version.clone(),
            ..component(package, purl)
        });
    }
    for grammar in file.compiled.values() {
        let package = of_crate(&grammar.crate_name)?;
        let purl = format!("pkg:cargo/{}@{}", package.name, package.version);
        all.insert(component(package, purl));
    }
    Ok(all)
}

fn component(package: &Package, purl: String) -> Component {
    Component {
        name: package.name.clone(),
        version: package.version.clone(),
        licence: expression(package.license.as_deref().unwrap_or("NOASSERTION")),
        purl,
        folder: package.manifest_path.parent().map(Path::to_owned),
        authors: package.authors.join(", "),
    }
}

/// The old form `MIT/Apache-2.0` as an expression.
fn expression(licence: &str) -> String {
    licence
        .split('/')
        .map(str::trim)
        .collect::<Vec<_>>()
        .join(" OR ")
}

/// The npm packages in bundles and in the page, with all that they need.
fn npm_packages(root: &Path) -> Result<BTreeSet<Component>> {
    let lock = json(&root.join("package-lock.json"))?;
    let manifests = ["pkg", "www"].map(|folder| json(&root.join(folder).join("package.json")));
    let mut pending: Vec<String> = BUNDLED.map(str::to_owned).to_vec();
    for manifest in manifests {
        pending.extend(keys(manifest?.get("dependencies")));
    }
    let mut found: BTreeMap<String, Component> = BTreeMap::new();
    while let Some(name) = pending.pop() {
        if name == "portolan" || found.contains_key(&name) {
            continue;
        }
        let place = format!("node_modules/{name}");
        let entry = lock
            .pointer("/packages")
            .and_then(|packages| packages.get(&place))
            .ok_or_else(|| format!("package-lock.json has no {place}"))?;
        pending.extend(keys(entry.get("dependencies")));
        found.insert(name.clone(), npm_component(root, &name, entry));
    }
    Ok(found.into_values().collect())
}

fn npm_component(root: &Path, name: &str, entry: &Value) -> Component {
    let text = |key: &str| entry.get(key).and_then(Value::as_str).unwrap_or_default();
    Component {
        name: name.to_owned(),
        version: text("version").to_owned(),
        licence: expression(text("license")),
        purl: format!("pkg:npm/{}@{}", name.replace('@', "%40"), text("version")),
        folder: Some(root.join("node_modules").join(name)),
        authors: String::new(),
    }
}

fn keys(object: Option<&Value>) -> Vec<String> {
    object
        .and_then(Value::as_object)
        .map(|object| object.keys().cloned().collect())
        .unwrap_or_default()
}

fn json(path: &Path) -> Result<Value> {
    serde_json::from_str(&paths::read(path)?).map_err(|e| format!("{}: {e}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_cargo_tree() {
        assert_eq!(
            name_and_version("serde v1.0.2 (*)"),
            Some(("serde", "1.0.2"))
        );
        assert_eq!(name_and_version(""), None);
        assert_eq!(expression("MIT/Apache-2.0"), "MIT OR Apache-2.0");
    }
}
