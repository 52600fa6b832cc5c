//! Lua: a file exports the value that it returns; tables are modules and classes.

use syntax::facts::{Import, Modifiers, Symbol, SymbolKind};

use crate::program::{Def, FileId, Name, NodeId, is_function};
use crate::resolver::{Flags, Found, LanguageRules, Resolver, Space};
use crate::types::Ty;

/// The rules of Lua.
pub(crate) struct Lua;

const FLAGS: Flags = Flags {
    selves: &["self"],
    locals_are_modules: true,
    ..Flags::COMMON
};

impl LanguageRules for Lua {
    fn flags(&self) -> &'static Flags {
        &FLAGS
    }

    fn module_of<'a>(
        &self,
        r: &mut Resolver<'_, 'a>,
        file: FileId,
        import: &'a Import,
    ) -> Option<Def> {
        Some(r.lua_module(r.program.path(file), &import.module))
    }

    fn exported(
        &self,
        r: &mut Resolver<'_, '_>,
        module: NodeId,
        name: &str,
        interned: Option<Name>,
        space: Space,
    ) -> Option<Found> {
        if let Some(file) = r.program.as_file(module) {
            return r.lua_exported(file, interned?, space);
        }
        r.common_exported(module, name, interned, space)
    }

    fn is_type_value(&self, r: &Resolver<'_, '_>, node: NodeId) -> bool {
        r.is_table(node)
    }

    fn named_module(&self, r: &mut Resolver<'_, '_>, scope: NodeId, path: &str) -> Ty {
        let from = r.program.path(r.program.file_of(scope));
        match r.lua_module(from, path) {
            def @ Def::Node(_) => Ty::Def(def),
            _ => Ty::Outside,
        }
    }

    fn made_by(&self, r: &Resolver<'_, '_>, function: NodeId) -> Option<NodeId> {
        r.lua_made(function)
    }

    fn guesses_unique(&self, _space: Space) -> bool {
        true
    }

    /// A member of a table is no global, nor is a local of a file.
    fn is_global(&self, symbol: &Symbol) -> bool {
        symbol.owner.is_empty() && symbol.is(Modifiers::EXPORTED)
    }
}

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
    pub(crate) fn lua_exported(&mut self, file: FileId, name: Name, space: Space) -> Option<Found> {
        if let Some(table) = self.lua_table(file) {
            if let Some(file) = self.program.as_file(table) {
                return self.nested(|this| this.lua_exported(file, name, space));
            }
            return self
                .type_member(table, name)
                .map(|(def, _)| Found::new(def));
        }
        self.passed_on(file.into(), name, space)
    }

    /// The table whose instance a function makes where no type is written: `Router.new()` makes a Router.
    pub(crate) fn lua_made(&self, function: NodeId) -> Option<NodeId> {
        let symbol = self.program.symbol(function)?;
        let makes = is_function(symbol.kind)
            && symbol.ty.is_none()
            && matches!(
                symbol.name.as_str(),
                "new" | "New" | "create" | "init" | "extend" | "instance"
            );
        makes.then(|| self.heritage.owner_of(function)).flatten()
    }

    /// Whether a symbol is a table that may have members.
    pub(crate) fn is_table(&self, node: NodeId) -> bool {
        matches!(
            self.program.kind(node),
            Some(SymbolKind::Variable | SymbolKind::Constant | SymbolKind::Class)
        )
    }
}
