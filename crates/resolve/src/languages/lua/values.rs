//! Values of Lua: the functions that variables and tables hold, the results of functions, objects of classes.

use syntax::facts::{BindingKind, Bound, Head, Reference, SymbolKind};

use crate::program::{BindingId, Def, Family, FileId, NodeId, is_function};
use crate::resolver::{Resolver, Space, Use};
use crate::types::Ty;
use graph::Reason;

/// The name that the result of a function is bound to.
pub(super) const RESULT: &str = "return";

/// Maximum number of `return` statements of a function that are read.
const MAX_RESULTS: usize = 8;

impl Resolver<'_, '_> {
    /// The function that a call of a member means.
    pub(crate) fn lua_method(
        &mut self,
        file: FileId,
        scope: NodeId,
        reference: &Reference,
    ) -> Option<Use> {
        let name = reference.name.as_str();
        let value = self.value_of_receiver(file, scope, reference.span.start, reference);
        match self.member_for(&value.ty, name, true) {
            Some((Def::External(_), _)) => None,
            Some((def, reason)) => {
                let called = self.lua_called(def).unwrap_or(def);
                matches!(called, Def::Node(_)).then(|| (called, reason.unwrap_or(value.reason)))
            }
            None if value.ty == Ty::Unknown || value.reason == Reason::UsualType => {
                self.unique_member(file, scope, reference)
            }
            None => self.lua_made_member(&value.ty, name),
        }
    }

    /// A member of a module that makes its members at run time: that of the only table named like the module.
    fn lua_made_member(&mut self, module: &Ty, name: &str) -> Option<Use> {
        let Ty::Def(Def::Node(node)) = *module else {
            return None;
        };
        let file = self.program.as_file(node)?;
        if self.lua_table(file).is_some() {
            return None;
        }
        let path = self.program.path(file).trim_end_matches(".lua");
        let path = path.strip_suffix("/init").unwrap_or(path);
        let table = self.lua_only_table(path.rsplit('/').next()?)?;
        match self.type_member(table, self.program.names.get(name)?)? {
            (def @ Def::Node(_), _) => Some((def, Reason::UsualType)),
            _ => None,
        }
    }

    /// The function or class that a call of a variable or field calls, if it is known: [`Def::External`] means none of
    /// the repository.
    pub(crate) fn lua_called(&mut self, def: Def) -> Option<Def> {
        match def {
            Def::Node(node) if self.program.kind(node).is_none_or(is_callee) => return None,
            Def::Node(_) | Def::Binding(..) => {}
            _ => return None,
        }
        match self.value_of(def) {
            Ty::Def(Def::Node(node)) if Def::Node(node) != def => {
                match self.program.as_file(node) {
                    Some(file) => self.module_as_function(file).map(Def::Node),
                    None => Some(Def::Node(node)),
                }
            }
            Ty::Outside | Ty::Opaque(..) | Ty::Def(Def::External(_)) => {
                let outside = self.externals.def("_G");
                Some(outside)
            }
            _ => None,
        }
    }

    /// The result of a function, by its `return` statements. A table that is written in one has the functions of the same
    /// names within the function.
    pub(crate) fn lua_result(&mut self, function: NodeId, this: Option<&Ty>) -> Ty {
        let program = self.program;
        let Some(name) = program.names.get(RESULT) else {
            return Ty::Unknown;
        };
        let file = program.file_of(function);
        let mut result = Ty::Unknown;
        for index in program.bindings_in(function, name).take(MAX_RESULTS) {
            let Some(binding) = program.binding(file, index) else {
                continue;
            };
            let ty = match (binding.value.as_str(), binding.kind, this) {
                ("{}", ..) => Ty::Def(Def::Node(function)),
                // `setmetatable({}, self)` in a function that a class inherits.
                ("self", BindingKind::Constructed, Some(Ty::Def(Def::Node(class)))) => {
                    Ty::instance(*class)
                }
                ("self", _, Some(this @ Ty::Instance(..))) => this.clone(),
                _ => self.value_of(Def::Binding(file, index)),
            };
            match ty {
                Ty::Unknown => {}
                Ty::Outside | Ty::Opaque(..) | Ty::Def(Def::External(_)) => {
                    result = Ty::Outside;
                }
                ty => return ty,
            }
        }
        result
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

    /// The value of a parameter that is named like the only table of that name with functions, or like the only class but
    /// for its capital.
    pub(crate) fn table_named_like(&self, name: &str) -> Ty {
        if let Some(table) = self.lua_only_table(name) {
            return Ty::Def(Def::Node(table));
        }
        let mut rest = name.chars();
        let capital = rest.next().map(|first| first.to_ascii_uppercase());
        let class = capital.map(|first| format!("{first}{}", rest.as_str()));
        let class = class.filter(|class| class != name);
        class
            .and_then(|class| self.lua_only_table(&class))
            .map_or(Ty::Unknown, Ty::instance)
    }

    fn lua_only_table(&self, name: &str) -> Option<NodeId> {
        let program = self.program;
        let mut tables = program.named(program.names.get(name)?).filter(|&node| {
            program.family_of(node) == Family::Lua
                && !program.is_test(node)
                && self.is_table(node)
                && self.heritage.has_methods(node)
        });
        tables.next().filter(|_| tables.next().is_none())
    }

    /// The table that a written type names. Classes of annotations are known in every file.
    pub(crate) fn lua_type(&mut self, scope: NodeId, segments: &[&str]) -> Option<Use> {
        let (first, rest) = segments.split_first()?;
        if *first == "self" {
            return self.self_type(scope).map(|def| (def, Reason::SelfType));
        }
        let found = self
            .lookup(scope, u32::MAX, first, Space::Type)
            .or_else(|| self.lookup(scope, u32::MAX, first, Space::Value));
        let Some((def, reason)) = found else {
            let is_class = rest.is_empty() && first.starts_with(char::is_uppercase);
            let only = self.lua_only_table(first).filter(|_| is_class)?;
            return Some((Def::Node(only), Reason::UniqueName));
        };
        let mut table = self.lua_held_table(def)?;
        for segment in rest {
            let name = self.program.names.get(segment)?;
            let (member, _) = self.type_member(table, name)?;
            table = self.lua_held_table(member)?;
        }
        Some((Def::Node(table), reason))
    }

    /// The table that a module returns or a variable holds.
    fn lua_held_table(&mut self, def: Def) -> Option<NodeId> {
        let node = match def {
            Def::Node(node) => self.lua_aliased(node).unwrap_or(node),
            Def::Binding(file, index) => self.lua_bound_table(file, index)?,
            _ => return None,
        };
        match self.program.as_file(node) {
            Some(file) => self.lua_table(file),
            None => Some(node),
        }
    }

    /// The table of the same scope under another name: `local M = tools`.
    fn lua_aliased(&self, node: NodeId) -> Option<NodeId> {
        let program = self.program;
        let (scope, file) = (program.parent(node)?, program.file_of(node));
        let index = program.bindings_in(scope, program.name(node)?).next()?;
        let Bound::Value(value) = program.binding(file, index)?.bound else {
            return None;
        };
        let chain = program.chain(file, value);
        let Head::Name(name) = chain.head else {
            return None;
        };
        let mut tables = program.symbols_in(scope, program.names.get(name)?);
        let found = tables.find(|&table| table != node && self.is_table(table));
        found.filter(|_| chain.steps.is_empty())
    }

    /// The table that a variable holds by one of the values that it is given.
    fn lua_bound_table(&mut self, file: FileId, index: BindingId) -> Option<NodeId> {
        let program = self.program;
        let binding = program.binding(file, index)?;
        let scope = program.scope(file, binding.enclosing);
        let name = program.names.get(&binding.name)?;
        let others = program.bindings_in(scope, name).take(MAX_RESULTS);
        std::iter::once(index).chain(others).find_map(|index| {
            match self.value_of(Def::Binding(file, index)) {
                Ty::Def(Def::Node(node)) | Ty::Instance(node, _) => Some(node),
                _ => None,
            }
        })
    }

    /// Whether a symbol is a table that may have members.
    pub(crate) fn is_table(&self, node: NodeId) -> bool {
        matches!(
            self.program.kind(node),
            Some(SymbolKind::Variable | SymbolKind::Constant | SymbolKind::Class)
        )
    }
}

/// Whether a call of a symbol of this kind means the symbol itself.
fn is_callee(kind: SymbolKind) -> bool {
    is_function(kind) || kind == SymbolKind::Class
}
