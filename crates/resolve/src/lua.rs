//! Lua: what a file returns is what those that require it get; tables are modules and classes.

use syntax::facts::SymbolKind;

use super::follow::{Found, Resolver, Space};
use super::infer::Ty;
use super::names::Name;
use super::program::{Def, is_function};

impl Resolver<'_, '_> {
    /// The file of a required module, in the repository or outside.
    pub(super) fn lua_module(&mut self, from: &str, module: &str) -> Def {
        match super::modules::lua_file(&self.modules.tree, from, module) {
            Some(file) => Def::Node(file),
            None => {
                let head = module.split('.').next().unwrap_or(module).to_owned();
                self.externals.def(&head)
            }
        }
    }

    /// The table that a file returns.
    pub(super) fn lua_table(&mut self, file: u32) -> Option<u32> {
        let default = self.program.names.get("default")?;
        let index = self.program.imports_in(file, default).next()?;
        match self.import(file, index, Space::Value)?.def {
            Def::Node(node) => Some(node),
            _ => None,
        }
    }

    /// A member of what a file returns: of its table, or listed where it returns several.
    pub(super) fn lua_exported(&mut self, file: u32, name: Name, space: Space) -> Option<Found> {
        if let Some(table) = self.lua_table(file) {
            if self.program.is_file(table) {
                return self.nested(|this| this.lua_exported(table, name, space));
            }
            return self
                .type_member(table, name)
                .map(|(def, _)| Found::new(def));
        }
        self.passed_on(file, name, space)
    }

    /// `require("a.b")` at the head of a receiver: the module and what follows it.
    pub(super) fn lua_required<'t>(
        &mut self,
        scope: u32,
        receiver: &'t str,
    ) -> Option<(Ty, &'t str)> {
        let rest = receiver.strip_prefix("require")?;
        let rest = rest.strip_prefix('(').unwrap_or(rest);
        let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\''))?;
        let (module, rest) = rest.get(1..)?.split_once(quote)?;
        let path = self.program.path(self.program.file_of(scope));
        let def = self.lua_module(path, module);
        let ty = match def {
            Def::Node(file) => Ty::Def(Def::Node(file)),
            _ => Ty::Outside,
        };
        Some((
            ty,
            rest.trim_start_matches(')').trim_start_matches(['.', ':']),
        ))
    }

    /// A function of a table that says of no type what it makes: `Router.new()` makes a Router.
    pub(super) fn lua_made(&self, function: u32) -> Option<u32> {
        let symbol = self.program.symbol(function)?;
        let makes = is_function(symbol.kind)
            && symbol.type_text.is_empty()
            && matches!(
                symbol.name.as_str(),
                "new" | "New" | "create" | "init" | "extend" | "instance"
            );
        makes.then(|| self.heritage.owner_of(function)).flatten()
    }

    /// Whether a symbol is a table that may have members.
    pub(super) fn is_table(&self, node: u32) -> bool {
        matches!(
            self.program.kind(node),
            Some(SymbolKind::Variable | SymbolKind::Constant | SymbolKind::Class)
        )
    }
}
