//! Cargo.lock: which version of a package is pinned, and what stands behind a package.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

use crate::digest::Digest;
use crate::shell::Result;

#[derive(Deserialize)]
struct Lockfile {
    package: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    version: String,
    #[serde(default)]
    checksum: String,
    #[serde(default)]
    dependencies: Vec<String>,
}

/// The pinned version of `name`, which must be there once.
pub fn version_of(text: &str, name: &str) -> Result<String> {
    let mut versions = parse(text)?
        .package
        .into_iter()
        .filter(|package| package.name == name);
    match (versions.next(), versions.next()) {
        (Some(package), None) => Ok(package.version),
        (None, _) => Err(format!("Cargo.lock has no {name}")),
        (Some(_), Some(_)) => Err(format!("Cargo.lock has more than one {name}")),
    }
}

/// A digest of everything that `root` depends on, directly or not. A change elsewhere in Cargo.lock leaves it alone.
/// Development dependencies are part of Cargo.lock and so of the digest: it changes rather too often than too seldom.
pub fn digest_behind(text: &str, root: &str) -> Result<String> {
    let lockfile = parse(text)?;
    let mut by_name: BTreeMap<&str, Vec<&Package>> = BTreeMap::new();
    for package in &lockfile.package {
        by_name.entry(&package.name).or_default().push(package);
    }
    let mut seen = BTreeSet::new();
    let mut pending = vec![root];
    while let Some(wanted) = pending.pop() {
        // "name" or, where a name has several versions, "name version".
        let mut words = wanted.split(' ');
        let (name, version) = (words.next().unwrap_or_default(), words.next());
        for package in by_name.get(name).into_iter().flatten() {
            let is_meant = version.is_none_or(|version| package.version == version);
            if is_meant && seen.insert((&package.name, &package.version, &package.checksum)) {
                pending.extend(package.dependencies.iter().map(String::as_str));
            }
        }
    }
    let empty = Digest::default();
    let all = seen
        .iter()
        .fold(empty, |digest, (name, version, checksum)| {
            digest
                .part(name, version.as_bytes())
                .part("checksum", checksum.as_bytes())
        });
    Ok(all.finish())
}

fn parse(text: &str) -> Result<Lockfile> {
    toml::from_str(text).map_err(|e| format!("Cargo.lock: {e}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOCK: &str = r#"
[[package]]
name = "a"
version = "1.0.0"
dependencies = ["b 1.0.0"]

[[package]]
name = "b"
version = "1.0.0"

[[package]]
name = "b"
version = "2.0.0"
"#;

    #[test]
    fn only_what_is_behind_a_package_counts() {
        let digest = |text: &str| digest_behind(text, "a").expect("a readable lock file");
        let elsewhere = LOCK.replace("2.0.0", "2.0.1");
        assert_eq!(digest(LOCK), digest(&elsewhere));
        let below = LOCK.replace("b 1.0.0", "b 2.0.0");
        assert_ne!(digest(LOCK), digest(&below));
    }

    #[test]
    fn a_name_with_two_versions_has_no_version() {
        assert_eq!(version_of(LOCK, "a").as_deref(), Ok("1.0.0"));
        assert!(version_of(LOCK, "b").is_err());
        assert!(version_of(LOCK, "c").is_err());
    }
}
