//! Go: a package is a folder; `go.mod` gives the path by which it is imported.

use super::Manifest;
use super::{Tree, ancestors, folder_of, join};
use crate::program::Def;
use syntax::order::InOrder;

/// Modules of the repository: folder and import path, longest path first.
pub(crate) struct GoModules<'a> {
    modules: Vec<(&'a str, String)>,
}

impl<'a> GoModules<'a> {
    pub fn new(manifests: &[Manifest<'a>]) -> Self {
        let mut modules: Vec<(&str, String)> = manifests
            .iter()
            .filter(|manifest| manifest.path.rsplit('/').next() == Some("go.mod"))
            .filter_map(|manifest| {
                let line = manifest
                    .text
                    .lines()
                    .find_map(|line| line.trim().strip_prefix("module "))?;
                let path = line
                    .split("//")
                    .next()
                    .unwrap_or(line)
                    .trim()
                    .trim_matches('"');
                Some((folder_of(manifest.path), path.to_owned()))
            })
            .collect();
        modules.order_by(|a, b| b.1.len().cmp(&a.1.len()).then_with(|| a.cmp(b)));
        GoModules { modules }
    }

    /// The package of an import path.
    pub fn find(&self, tree: &Tree<'_>, from: &str, path: &str) -> Option<Def> {
        if path.starts_with('.') {
            return join(folder_of(from), path)
                .and_then(|path| tree.folder(&path))
                .map(Def::Folder);
        }
        let within = |module: &str| {
            path.strip_prefix(module)
                .filter(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        let by_module = self.modules.iter().find_map(|(folder, module)| {
            let path = join(folder, within(module)?)?;
            tree.folder(&path).map(Def::Folder)
        });
        // Without go.mod, a vendored or GOPATH tree: the end of the path is a folder.
        by_module.or_else(|| {
            if !self.modules.is_empty() || !path.contains('/') {
                return None;
            }
            ancestors(path).next()?;
            let parts: Vec<&str> = path.split('/').collect();
            (1..parts.len())
                .find_map(|skip| tree.folder(&parts[skip..].join("/")))
                .map(Def::Folder)
        })
    }
}
