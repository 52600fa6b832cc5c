//! PHP: files that Composer loads by the name of their class (PSR-4), and files that are included by path.

use crate::program::FileId;
use serde_json::Value;
use syntax::order::InOrder;

use super::Manifest;
use super::{Tree, ancestors, folder_of, join, manifest};

/// Prefixes of namespaces and the folders of their classes, longest prefix first.
pub(crate) struct Composer {
    prefixes: Vec<(String, String)>,
}

impl Composer {
    pub fn new(manifests: &[Manifest<'_>]) -> Self {
        let mut prefixes = Vec::new();
        for manifest in manifests {
            if manifest.path.rsplit('/').next() != Some("composer.json") {
                continue;
            }
            let Some(json) = manifest::json(manifest.text) else {
                continue;
            };
            for section in ["autoload", "autoload-dev"] {
                let rules = json
                    .get(section)
                    .and_then(|section| section.get("psr-4"))
                    .and_then(Value::as_object);
                for (prefix, folders) in rules.into_iter().flatten() {
                    let folders = match folders {
                        Value::Array(list) => list.iter().filter_map(Value::as_str).collect(),
                        other => other.as_str().into_iter().collect::<Vec<_>>(),
                    };
                    let root = folder_of(manifest.path);
                    prefixes.extend(folders.into_iter().filter_map(|folder| {
                        Some((
                            prefix.trim_end_matches('\\').to_owned(),
                            join(root, folder)?,
                        ))
                    }));
                }
            }
        }
        prefixes.order_by(|a, b| b.0.len().cmp(&a.0.len()).then_with(|| a.cmp(b)));
        Composer { prefixes }
    }

    /// The file of a class by its full name.
    pub fn file_of_class(&self, tree: &Tree<'_>, namespace: &str, name: &str) -> Option<FileId> {
        self.prefixes.iter().find_map(|(prefix, folder)| {
            let rest = namespace.strip_prefix(prefix.as_str())?;
            if !(rest.is_empty() || prefix.is_empty() || rest.starts_with('\\')) {
                return None;
            }
            let rest = rest.replace('\\', "/");
            let path = join(folder, &format!("{rest}/{name}.php"))?;
            tree.file(&path)
        })
    }

    /// The included file: relative to the folder of the including file, or to one around it.
    pub fn included(tree: &Tree<'_>, from: &str, path: &str) -> Option<FileId> {
        ancestors(folder_of(from)).find_map(|folder| tree.file(&join(folder, path)?))
    }
}
