//! Elixir: modules by their full names, in any file.

use rustc_hash::FxHashMap;
use syntax::facts::SymbolKind;

use crate::program::{Family, NodeId, Program};

/// Modules and protocols of the repository.
#[derive(Default)]
pub(crate) struct ElixirModules {
    by_name: FxHashMap<String, NodeId>,
    names: FxHashMap<NodeId, String>,
}

impl ElixirModules {
    pub fn new(program: &Program<'_>) -> Self {
        let mut modules = ElixirModules::default();
        if !program.has_family(Family::Elixir) {
            return modules;
        }
        for (node, symbol) in program.all_symbols() {
            let is_module = matches!(symbol.kind, SymbolKind::Module | SymbolKind::Interface);
            if !is_module || program.family_of(node) != Family::Elixir {
                continue;
            }
            let around = program
                .scopes(node)
                .skip(1)
                .find_map(|outer| modules.names.get(&outer));
            let name = match around {
                Some(around) => format!("{around}.{}", symbol.name),
                None => symbol.name.clone(),
            };
            modules.names.insert(node, name.clone());
            modules.by_name.entry(name).or_insert(node);
        }
        modules
    }

    /// The module of a full name.
    pub fn find(&self, name: &str) -> Option<NodeId> {
        self.by_name.get(name).copied()
    }

    /// The full name of a module.
    pub fn name(&self, node: NodeId) -> Option<&str> {
        self.names.get(&node).map(String::as_str)
    }
}
