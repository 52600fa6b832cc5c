//! Lua: a file exports the value that it returns; tables are modules and classes.

mod modules;
mod values;

use syntax::facts::{Import, Modifiers, Reference, Symbol};

use crate::program::{Def, FileId, Name, NodeId};
use crate::resolver::{Common, Flags, Found, LanguageRules, Own, Resolver, Space, Use};
use crate::types::Ty;
use graph::Reason;

/// The rules of Lua.
pub(crate) struct Lua;

const FLAGS: Flags = Flags {
    selves: &["self"],
    own_types: &["self"],
    selves_are_names: true,
    locals_are_modules: true,
    members_need_receiver: true,
    has_usual_types: true,
    tables_are_types: true,
    ..Flags::COMMON
};

/// Global functions of the language.
#[rustfmt::skip]
const GLOBALS: &[&str] = &[
    "assert", "collectgarbage", "dofile", "error", "getfenv", "getmetatable", "ipairs", "load", "loadfile", "loadstring",
    "module", "next", "pairs", "pcall", "print", "rawequal", "rawget", "rawlen", "rawset", "require", "select", "setfenv",
    "setmetatable", "tonumber", "tostring", "type", "unpack", "warn", "xpcall",
];

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
            return r.lua_exported(file, name, interned?, space);
        }
        r.common_exported(module, name, interned, space)
    }

    fn module_as_function(&self, r: &mut Resolver<'_, '_>, file: FileId) -> Option<NodeId> {
        r.default_exports
            .get(&file)
            .copied()
            .or_else(|| r.lua_table(file))
            .filter(|&node| r.program.symbol(node).is_some())
    }

    fn named_type(
        &self,
        r: &mut Resolver<'_, '_>,
        scope: NodeId,
        segments: &[&str],
    ) -> Own<Option<Use>> {
        Ok(r.lua_type(scope, segments))
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

    /// Finds a member of the value that was assigned to a table which has members of its own besides.
    fn dereferenced_member(
        &self,
        r: &mut Resolver<'_, '_>,
        node: NodeId,
        name: &str,
    ) -> Option<Use> {
        let scope = r.program.parent(node).filter(|_| r.is_table(node))?;
        let assigned = r.binding_of(node, scope);
        let (def, _) = r.member_for(&assigned, name, true)?;
        Some((def, Reason::ReceiverType))
    }

    fn made_by(&self, r: &Resolver<'_, '_>, function: NodeId) -> Option<NodeId> {
        r.lua_made(function)
    }

    fn result(&self, r: &mut Resolver<'_, '_>, function: NodeId, this: Option<&Ty>) -> Ty {
        r.lua_result(function, this)
    }

    /// A call of a method calls the function that the table holds under its name.
    fn resolve_use(
        &self,
        r: &mut Resolver<'_, '_>,
        file: FileId,
        scope: NodeId,
        reference: &Reference,
        _space: Space,
    ) -> Own<Option<Use>> {
        if reference.receiver.is_none() || !reference.form.is_call() {
            return Err(Common);
        }
        Ok(r.lua_method(file, scope, reference))
    }

    /// A call of a variable calls the function that it holds.
    fn bare_call(
        &self,
        r: &mut Resolver<'_, '_>,
        scope: NodeId,
        reference: &Reference,
    ) -> Own<Option<Use>> {
        if !reference.form.is_call() {
            return Err(Common);
        }
        let at = reference.span.start;
        let found = r.lookup(scope, at, &reference.name, Space::Value);
        let (def, reason) = found.ok_or(Common)?;
        match r.lua_called(def) {
            Some(called) => Ok(Some((called, reason))),
            None => Err(Common),
        }
    }

    fn guesses_unique(&self, _space: Space) -> bool {
        true
    }

    /// A member of a table is no global, nor is a local of a file. Names of the language mean its own functions.
    fn is_global(&self, symbol: &Symbol) -> bool {
        let is_own = GLOBALS.contains(&symbol.name.as_str());
        symbol.rare.owner.is_empty() && symbol.is(Modifiers::EXPORTED) && !is_own
    }
}
