//! Ruby: files by the path that `require` names; classes and modules by their full name, with all their openings.

use rustc_hash::FxHashMap;
use syntax::facts::SymbolKind;

use super::{Tree, ancestors, folder_of, join};
use crate::program::{Family, FileId, NodeId, Program};

/// Full names of constants: those of classes and modules with all their openings.
#[derive(Default)]
pub(crate) struct RubyNames {
    by_path: FxHashMap<String, Vec<NodeId>>,
    paths: FxHashMap<NodeId, String>,
}

impl RubyNames {
    pub fn new(program: &Program<'_>) -> Self {
        let mut names = RubyNames::default();
        if !program.has_family(Family::Ruby) {
            return names;
        }
        for (node, symbol) in program.all_symbols() {
            use SymbolKind::{Class, Constant, Module};
            let is_constant = matches!(symbol.kind, Class | Module | Constant);
            if !is_constant || program.family_of(node) != Family::Ruby {
                continue;
            }
            let around = program
                .scopes(node)
                .skip(1)
                .find_map(|outer| names.paths.get(&outer));
            let own = if symbol.rare.owner.is_empty() {
                symbol.name.clone()
            } else {
                format!("{}::{}", symbol.rare.owner, symbol.name)
            };
            let path = match around {
                Some(around) => format!("{around}::{own}"),
                None => own,
            };
            let path = path.trim_start_matches("::").to_owned();
            if symbol.kind != Constant {
                names.paths.insert(node, path.clone());
            }
            names.by_path.entry(path).or_default().push(node);
        }
        names
    }

    /// The full name of a class or module.
    pub fn path(&self, node: NodeId) -> Option<&str> {
        self.paths.get(&node).map(String::as_str)
    }

    /// The first opening of the class or module with this full name.
    pub fn constant(&self, path: &str) -> Option<NodeId> {
        self.by_path.get(path)?.first().copied()
    }

    /// Classes and modules with more than one opening.
    pub fn reopened(&self) -> impl Iterator<Item = &[NodeId]> {
        let several = self.by_path.values().filter(|nodes| nodes.len() > 1);
        several
            .map(Vec::as_slice)
            .filter(|nodes| nodes.iter().all(|node| self.paths.contains_key(node)))
    }

    /// The file that `require` or `require_relative` names.
    pub fn find(&self, tree: &Tree<'_>, from: &str, module: &str) -> Option<FileId> {
        let file = |path: String| {
            let with_ending = format!("{path}.rb");
            tree.file(&with_ending).or_else(|| tree.file(&path))
        };
        let folder = folder_of(from);
        if module.starts_with('.') {
            return join(folder, module).and_then(file);
        }
        ancestors(folder).find_map(|around| {
            ["lib", "", "app", "spec", "test"]
                .iter()
                .find_map(|root| file(join(&join(around, root)?, module)?))
        })
    }
}
