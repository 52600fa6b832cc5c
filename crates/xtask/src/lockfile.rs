//! Cargo.lock: which version of a package is pinned.

use serde::Deserialize;

use crate::shell::Result;

#[derive(Deserialize)]
struct Lockfile {
    package: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    version: String,
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
    fn a_name_with_two_versions_has_no_version() {
        assert_eq!(version_of(LOCK, "a").as_deref(), Ok("1.0.0"));
        assert!(version_of(LOCK, "b").is_err());
        assert!(version_of(LOCK, "c").is_err());
    }
}
