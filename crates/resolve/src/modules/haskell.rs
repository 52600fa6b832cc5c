//! Haskell: modules by the name they declare, and the names in each, whichever type they belong to.

use rustc_hash::FxHashMap;
use syntax::facts::SymbolKind;

use crate::program::{Family, FileId, Name, NodeId, Program};

/// Modules of the repository and the names of each.
#[derive(Default)]
pub(crate) struct HaskellModules<'a> {
    by_name: FxHashMap<&'a str, FileId>,
    /// Functions, constructors, fields, types and the methods of classes, by file and name.
    members: FxHashMap<(FileId, Name), Vec<NodeId>>,
}

impl<'a> HaskellModules<'a> {
    pub fn new(program: &Program<'a>) -> Self {
        let mut modules = HaskellModules::default();
        if !program.has_family(Family::Haskell) {
            return modules;
        }
        for file in program.files() {
            let name = program.facts(file).package.as_str();
            if program.family_of(file) == Family::Haskell && !name.is_empty() {
                modules.by_name.entry(name).or_insert(file);
            }
        }
        for (node, symbol) in program.all_symbols() {
            use SymbolKind::{Field, Impl, Trait, Variant};
            if program.family_of(node) != Family::Haskell || symbol.kind == Impl {
                continue;
            }
            let file = program.file_of(node);
            let is_flat = program.parent(node) == Some(file.into())
                || matches!(symbol.kind, Variant | Field)
                || program
                    .parent(node)
                    .is_some_and(|outer| program.kind(outer) == Some(Trait));
            if let Some(name) = program.name(node).filter(|_| is_flat) {
                modules.members.entry((file, name)).or_default().push(node);
            }
        }
        modules
    }

    /// The file of a module.
    pub fn find(&self, name: &str) -> Option<FileId> {
        self.by_name.get(name).copied()
    }

    /// Returns the definitions of a file under a name.
    pub fn members(&self, file: FileId, name: Name) -> &[NodeId] {
        self.members.get(&(file, name)).map_or(&[], Vec::as_slice)
    }
}
