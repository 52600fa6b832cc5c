//! Published packages, fetched once by the registries' own clients and checked against their digests: sources for large runs.
//!
//! `tests/benches/large.tsv` names them. They are kept in the cache folder and are never part of this repository.

use std::path::{Path, PathBuf};

use crate::digest::sha256_of;
use crate::paths;
use crate::setup::{Toolbox, node};
use crate::shell::{Call, Result, say, timed, which};

const TABLE: &str = "tests/benches/large.tsv";

/// A line of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Package {
    registry: Registry,
    name: String,
    version: String,
    /// The archive's name, as its registry's client calls it.
    archive: String,
    sha256: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Registry {
    Crates,
    Npm,
    Pypi,
}

impl Package {
    /// Name of its folder among the packages: `three-0.185.0`, `@babylonjs+core-9.0.0`.
    pub fn folder(&self) -> String {
        format!("{}-{}", self.name.replace('/', "+"), self.version)
    }
}

/// Every package of the table.
pub fn all() -> Result<Vec<Package>> {
    let text = paths::read(&paths::root().join(TABLE))?;
    text.lines().skip(1).map(parse).collect()
}

fn parse(line: &str) -> Result<Package> {
    let fields: Vec<&str> = line.split('\t').collect();
    let &[registry, name, version, archive, sha256] = fields.as_slice() else {
        return Err(format!(
            "{TABLE}: five fields are wanted in each line, not `{line}`"
        ));
    };
    let registry = match registry {
        "crates" => Registry::Crates,
        "npm" => Registry::Npm,
        "pypi" => Registry::Pypi,
        other => return Err(format!("{TABLE}: there is no registry `{other}`")),
    };
    Ok(Package {
        registry,
        name: name.to_owned(),
        version: version.to_owned(),
        archive: archive.to_owned(),
        sha256: sha256.to_owned(),
    })
}

/// Digest of the table: what was made of other packages is another thing.
pub fn digest() -> Result<String> {
    sha256_of(&paths::root().join(TABLE))
}

/// The archives and what was unpacked of them.
fn home() -> PathBuf {
    paths::cache().join("large")
}

/// Fetches and unpacks what is not there yet, and returns the folder of each package.
pub fn fetch(toolbox: &Toolbox, packages: &[Package]) -> Result<Vec<PathBuf>> {
    let archives = home().join("archives");
    paths::make_dir(&archives)?;
    for registry in [Registry::Crates, Registry::Npm, Registry::Pypi] {
        let missing: Vec<_> = packages
            .iter()
            .filter(|package| package.registry == registry)
            .filter(|package| !archives.join(&package.archive).is_file())
            .collect();
        if !missing.is_empty() {
            let what = format!("{} archives from {}", missing.len(), registry.shown());
            timed(&what, || registry.fetch(toolbox, &missing, &archives))
                .map_err(|why| by_hand(&missing, &archives, &why))?;
        }
    }
    packages
        .iter()
        .map(|package| unpacked(package, &archives.join(&package.archive)))
        .collect()
}

/// Explains how to fetch packages without a network.
fn by_hand(missing: &[&Package], archives: &Path, why: &str) -> String {
    let lines: Vec<_> = missing
        .iter()
        .map(|package| {
            let Package {
                registry,
                name,
                version,
                archive,
                sha256,
            } = package;
            format!(
                "  {archive}  ({} {version} of {}, SHA-256 {sha256})",
                name,
                registry.shown()
            )
        })
        .collect();
    format!(
        "{why}\n\n\
         The large runs need packages that could not be fetched. On a machine with a network the same command fetches them; or put these\n\
         archives, as they are published, into {}:\n\n{}\n",
        archives.display(),
        lines.join("\n")
    )
}

/// The folder of an archive that is the published one; unpacked once.
fn unpacked(package: &Package, archive: &Path) -> Result<PathBuf> {
    let folder = home().join("packages").join(package.folder());
    if folder.is_dir() {
        return Ok(folder);
    }
    let found = sha256_of(archive)?;
    if found != package.sha256 {
        return Err(format!(
            "{} is not what was published: its SHA-256 is {found}, not {}. Delete it to fetch it again",
            archive.display(),
            package.sha256
        ));
    }
    let partial = home().join(format!("packages/.making-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&partial);
    paths::make_dir(&partial)?;
    let call = match package.registry {
        Registry::Crates | Registry::Npm => Call::new("tar")
            .arg("xzf")
            .arg(archive)
            .arg("-C")
            .arg(&partial)
            .args(["--strip-components", "1", "--no-same-owner"]),
        Registry::Pypi => Call::new("python3")
            .args(["-m", "zipfile", "-e"])
            .arg(archive)
            .arg(&partial),
    };
    call.read()?;
    std::fs::rename(&partial, &folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    say(&format!("  ✓ {} unpacked", package.folder()));
    Ok(folder)
}

impl Registry {
    fn shown(self) -> &'static str {
        match self {
            Self::Crates => "Cargo's registry",
            Self::Npm => "npm",
            Self::Pypi => "PyPI",
        }
    }

    fn fetch(self, toolbox: &Toolbox, missing: &[&Package], archives: &Path) -> Result<()> {
        match self {
            Self::Crates => crates(toolbox, missing, archives),
            Self::Npm => npm(toolbox, missing, archives),
            Self::Pypi => pypi(missing, archives),
        }
    }
}

/// A project that depends on them, in a workspace of its own; cargo's resolver fetches what they need, too, which is left where it is.
fn crates(toolbox: &Toolbox, missing: &[&Package], archives: &Path) -> Result<()> {
    let project = home().join("project");
    let mut manifest = String::from(
        "[package]\nname = \"fetched\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[workspace]\n[dependencies]\n",
    );
    for Package { name, version, .. } in missing {
        // The part after `+` is not part of cargo's comparison.
        let version = version.split('+').next().unwrap_or(version);
        manifest.push_str(&format!(
            "{name} = {{ version = \"={version}\", default-features = false }}\n"
        ));
    }
    paths::write(&project.join("Cargo.toml"), manifest)?;
    paths::write(&project.join("src/lib.rs"), "")?;
    let _ = std::fs::remove_file(project.join("Cargo.lock"));
    toolbox
        .call("cargo")
        .args(["fetch", "--manifest-path"])
        .arg(project.join("Cargo.toml"))
        .run_quietly()?;
    let cargo_home = std::env::var_os("CARGO_HOME").map_or_else(
        || PathBuf::from(std::env::var_os("HOME").unwrap_or_default()).join(".cargo"),
        PathBuf::from,
    );
    let fetched = paths::files_under(&cargo_home.join("registry/cache"), &[]);
    for package in missing {
        let is_it = |file: &&PathBuf| file.file_name().is_some_and(|n| n == &*package.archive);
        let file = fetched
            .iter()
            .find(is_it)
            .ok_or_else(|| format!("cargo fetched no {}", package.archive))?;
        paths::copy(file, &archives.join(&package.archive))?;
    }
    Ok(())
}

fn npm(toolbox: &Toolbox, missing: &[&Package], archives: &Path) -> Result<()> {
    let names: Vec<_> = missing
        .iter()
        .map(|Package { name, version, .. }| format!("{name}@{version}"))
        .collect();
    node::pack(toolbox, &names, archives)
}

/// Wheels: to fetch a source archive, pip would run its build.
fn pypi(missing: &[&Package], archives: &Path) -> Result<()> {
    if which("python3").is_none() {
        return Err(
            "packages of PyPI are fetched by pip, and there is no Python 3 here".to_owned(),
        );
    }
    let names = missing
        .iter()
        .map(|Package { name, version, .. }| format!("{name}=={version}"));
    Call::new("python3")
        .args(["-m", "pip", "download", "--quiet", "--no-deps"])
        .args(["--disable-pip-version-check", "--only-binary=:all:"])
        // Not to run them: whatever Python is here.
        .args(["--python-version", "3.14", "-d"])
        .arg(archives)
        .args(names)
        .run_quietly()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_table_is_a_pinned_package() {
        let packages = all().expect("the table");
        assert!(packages.len() > 10);
        for package in packages {
            assert_eq!(package.sha256.len(), 64, "{}", package.name);
            assert!(
                package.archive.contains(&package.version)
                    && package.folder().ends_with(&package.version),
                "{}",
                package.name
            );
        }
    }

    #[test]
    fn without_a_network_the_way_to_get_them_is_told() {
        let line = "npm\tthree\t0.1.0\tthree-0.1.0.tgz\tabc";
        let package = parse(line).expect("five fields");
        let why = by_hand(&[&package], Path::new("/cache"), "no network");
        assert!(
            why.contains("three-0.1.0.tgz") && why.contains("/cache"),
            "{why}"
        );
        assert!(parse("npm\tthree").is_err());
    }
}
