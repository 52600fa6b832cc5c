//! Lua: a file exports the value that it returns; tables are modules and classes.

use syntax::facts::{Import, Modifiers, Symbol, SymbolKind};

use crate::program::{Def, FileId, Name, NodeId, is_function};
use crate::resolver::{Flags, Found, LanguageRules, Resolver, Space};
use crate::text::parse_chain;
use crate::types::{Ty, Value};

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

    fn evaluate(&self, r: &mut Resolver<'_, '_>, scope: NodeId, at: u32, text: &str) -> Value {
        if let Some((ty, rest)) = r.lua_required(scope, text) {
            return r.evaluate_from(ty, &parse_chain(&rest.replace(':', ".")));
        }
        r.evaluate_chain(scope, at, &parse_chain(&text.replace(':', ".")))
    }

    fn call_of(&self, r: &mut Resolver<'_, '_>, scope: NodeId, at: u32, callee: &str) -> Ty {
        let plain = callee.replace(':', ".");
        if plain.starts_with("require") {
            return r.evaluate(scope, at, &format!("{plain}()")).ty;
        }
        r.call_of_chain(scope, at, &plain)
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

    /// `require("a.b")` at the head of a receiver: the module and what follows it.
    pub(crate) fn lua_required<'t>(
        &mut self,
        scope: NodeId,
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

    /// The table whose instance a function makes where no type is written: `Router.new()` makes a Router.
    pub(crate) fn lua_made(&self, function: NodeId) -> Option<NodeId> {
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
    pub(crate) fn is_table(&self, node: NodeId) -> bool {
        matches!(
            self.program.kind(node),
            Some(SymbolKind::Variable | SymbolKind::Constant | SymbolKind::Class)
        )
    }
}
