//! Dart: `package:` by the names in pubspec.yaml, else paths relative to the importing file.

use super::Manifest;
use super::{Tree, folder_of, join};
use crate::program::Def;

/// Packages of the repository: name and folder.
pub(crate) struct DartPackages<'a> {
    packages: Vec<(&'a str, &'a str)>,
}

impl<'a> DartPackages<'a> {
    pub fn new(manifests: &[Manifest<'a>]) -> Self {
        let name = |manifest: &Manifest<'a>| {
            let line = manifest
                .text
                .lines()
                .find_map(|line| line.strip_prefix("name:"))?;
            let name = line.split('#').next().unwrap_or(line).trim();
            Some((name.trim_matches(['"', '\'']), folder_of(manifest.path)))
        };
        DartPackages {
            packages: manifests
                .iter()
                .filter(|manifest| manifest.path.rsplit('/').next() == Some("pubspec.yaml"))
                .filter_map(name)
                .collect(),
        }
    }

    /// The file of a URI: inside the repository, or the package or library outside that it names.
    pub fn find(&self, tree: &Tree<'_>, from: &str, uri: &str) -> Result<Option<Def>, String> {
        if let Some(rest) = uri.strip_prefix("package:") {
            let (package, path) = rest.split_once('/').unwrap_or((rest, ""));
            let folders = self
                .packages
                .iter()
                .filter(|(name, _)| *name == package)
                .map(|(_, folder)| *folder);
            let mut known = false;
            for folder in folders {
                known = true;
                let file = join(folder, "lib")
                    .and_then(|lib| join(&lib, path))
                    .and_then(|path| tree.file(&path));
                if let Some(file) = file {
                    return Ok(Some(file.into()));
                }
            }
            return if known {
                Ok(None)
            } else {
                Err(package.to_owned())
            };
        }
        if uri.contains(':') {
            return Err(uri.to_owned());
        }
        let file = join(folder_of(from), uri).and_then(|path| tree.file(&path));
        Ok(file.map(Def::from))
    }
}
