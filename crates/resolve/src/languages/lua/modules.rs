//! Modules of Lua: the value that a file returns, or the global functions of a file that returns nothing.

use syntax::facts::{Modifiers, SymbolKind};

use super::values::RESULT;
use crate::program::{Def, FileId, Name, NodeId};
use crate::resolver::{Found, Resolver, Space};

impl Resolver<'_, '_> {
    /// The file of a required module, in the repository or outside.
    pub(crate) fn lua_module(&mut self, from: &str, module: &str) -> Def {
        match crate::modules::lua_file(&self.modules.tree, from, module) {
            Some(file) => file.into(),
            None => {
                let head = module.split('.').next().unwrap_or(module).to_owned();
                self.externals.def(&head)
            }
        }
    }

    /// The table that a file returns.
    pub(crate) fn lua_table(&mut self, file: FileId) -> Option<NodeId> {
        let default = self.program.names.get("default")?;
        let index = self.program.imports_in(file, default).next()?;
        match self.import(file, index, Space::Value)?.def {
            Def::Node(node) => Some(node),
            _ => None,
        }
    }

    /// A member of the value that a file returns: of its table, or of the list of its results.
    pub(crate) fn lua_exported(
        &mut self,
        file: FileId,
        name: &str,
        interned: Name,
        space: Space,
    ) -> Option<Found> {
        if let Some(table) = self.lua_table(file) {
            if let Some(file) = self.program.as_file(table) {
                return self.nested(|this| this.lua_exported(file, name, interned, space));
            }
            return self
                .type_member(table, interned)
                .map(|(def, _)| Found::new(def));
        }
        self.passed_on(file.into(), interned, space)
            .or_else(|| self.lua_listed(file, name, interned).map(Found::new))
    }

    /// A member of a table that has no name, of the value that a call gives, or a global of a file that returns nothing.
    fn lua_listed(&mut self, file: FileId, name: &str, interned: Name) -> Option<Def> {
        let program = self.program;
        let result = program.names.get(RESULT);
        let mut results = result
            .into_iter()
            .flat_map(|result| program.bindings_in(file, result));
        let Some(index) = results.next() else {
            let is_global = |node: &NodeId| {
                program.symbol(*node).is_some_and(|symbol| {
                    symbol.rare.owner.is_empty() && symbol.is(Modifiers::EXPORTED)
                })
            };
            return program
                .symbols_in(file, interned)
                .find(is_global)
                .map(Def::Node);
        };
        let in_table = |node: &NodeId| {
            program.kind(*node) == Some(SymbolKind::Method)
                && program
                    .symbol(*node)
                    .is_some_and(|symbol| symbol.rare.owner.is_empty())
        };
        if let Some(node) = program.symbols_in(file, interned).find(in_table) {
            return Some(Def::Node(node));
        }
        let value = self.value_of(Def::Binding(file, index));
        self.nested(|this| this.member(&value, name))
            .map(|(def, _)| def)
    }
}
