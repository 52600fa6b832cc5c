//! Looks names up in scopes, from the innermost scope outwards to the file and its package.

use syntax::facts::{Binding, BindingKind, ImportFlags, Modifiers, Symbol, SymbolKind};
use syntax::order::InOrder;

use crate::program::{
    BindingId, Decl, Def, FileId, ImportId, Name, NodeId, is_declaration, is_type_name,
    is_type_scope,
};
use crate::resolver::{Flags, Found, Resolver, Space};
use graph::Reason;

impl Resolver<'_, '_> {
    /// The symbol that a scope declares under a name: one that fits the space, a definition rather than a declaration.
    pub(crate) fn best_symbol(&self, scope: NodeId, name: Name, space: Space) -> Option<NodeId> {
        self.best_symbol_where(scope, name, space, |_, _| true)
    }

    /// The symbol that a bare name at a place means in a scope. Definitions inside a callback are visible only from
    /// within it, members of an object only behind the object.
    pub(crate) fn best_symbol_at(
        &self,
        scope: NodeId,
        name: Name,
        space: Space,
        at: u32,
    ) -> Option<NodeId> {
        let program = self.program;
        let need_receiver = self.rules(scope).flags().members_need_receiver;
        self.best_symbol_where(scope, name, space, |node, symbol| {
            if need_receiver && matches!(symbol.kind, SymbolKind::Method | SymbolKind::Field) {
                return false;
            }
            let callback = program
                .parent(node)
                .filter(|&parent| parent != scope)
                .and_then(|parent| program.symbol(parent));
            callback.is_none_or(|callback| callback.span.start <= at && at < callback.span.end)
        })
    }

    fn best_symbol_where(
        &self,
        scope: NodeId,
        name: Name,
        space: Space,
        is_visible: impl Fn(NodeId, &Symbol) -> bool,
    ) -> Option<NodeId> {
        let program = self.program;
        let flags = self.rules(scope).flags();
        let mut best: Option<((bool, u8), NodeId)> = None;
        for node in program.symbols_in(scope, name) {
            let Some(symbol) = program.symbol(node) else {
                continue;
            };
            let Some(fit) = fit(symbol.kind, space, flags) else {
                continue;
            };
            // Methods written outside of their type are its members, not names of the file.
            if !symbol.rare.owner.is_empty()
                || symbol.is(Modifiers::ANONYMOUS) && !symbol.is(Modifiers::DEFAULT_EXPORT)
            {
                continue;
            }
            if !is_visible(node, symbol) {
                continue;
            }
            let is_built = !program.is_left_out(node);
            let rank = (is_built, fit * 2 + u8::from(!is_declaration(symbol)));
            if best.is_none_or(|(other, _)| rank > other) {
                best = Some((rank, node));
            }
        }
        best.map(|(_, node)| node)
    }

    /// Finds the definition that a name means at a place.
    pub(crate) fn lookup(
        &mut self,
        scope: NodeId,
        at: u32,
        name: &str,
        space: Space,
    ) -> Option<(Def, Reason)> {
        let (def, reason) = self.nested(|this| this.lookup_outwards(scope, at, name, space))?;
        Some((self.whole_namespace(def), reason))
    }

    /// Replaces a block of a namespace by the whole namespace.
    pub(crate) fn whole_namespace(&self, def: Def) -> Def {
        match def {
            Def::Node(node) if self.program.kind(node) == Some(SymbolKind::Module) => {
                self.rules(node).whole_namespace(self, node)
            }
            def => def,
        }
    }

    pub(crate) fn lookup_outwards(
        &mut self,
        scope: NodeId,
        at: u32,
        name: &str,
        space: Space,
    ) -> Option<(Def, Reason)> {
        let program = self.program;
        let interned = program.names.get(name);
        let rules = self.rules(scope);
        for (depth, node) in program.scopes(scope).enumerate() {
            let found = match program.kind(node) {
                None => {
                    let inner = rules.lookup_in_receivers(self, node, at, name, space);
                    let file = program.file_of(node);
                    return inner.or_else(|| self.lookup_in_file(file, at, name, interned, space));
                }
                Some(kind) if is_type_scope(kind) => {
                    let inner = rules.lookup_in_receivers(self, node, at, name, space);
                    inner.or_else(|| self.lookup_in_type(node, interned, depth == 0, space))
                }
                Some(SymbolKind::Module) => {
                    let found = self
                        .lookup_in_module(node, at, name, interned, space)
                        .or_else(|| rules.lookup_in_namespaces(self, node, name, interned, space));
                    if found.is_none() && !rules.flags().modules_inherit_scope {
                        return None;
                    }
                    found
                }
                Some(_) => interned
                    .and_then(|name| self.lookup_in_function(node, at, name, space))
                    .or_else(|| rules.lookup_in_receivers(self, node, at, name, space))
                    .or_else(|| rules.lookup_in_owner(self, node, interned?, space)),
            };
            if found.is_some() {
                return found;
            }
            let found = rules.lookup_in_local_imports(self, node, name, interned, space);
            if found.is_some() {
                return found;
            }
        }
        None
    }

    /// Looks in a function: parameters, variables bound before, nested definitions, local imports.
    pub(crate) fn lookup_in_function(
        &mut self,
        node: NodeId,
        at: u32,
        name: Name,
        space: Space,
    ) -> Option<(Def, Reason)> {
        let program = self.program;
        let file = program.file_of(node);
        if let Some(symbol) = self.best_symbol_at(node, name, space, at) {
            return Some((Def::Node(symbol), Reason::LexicalScope));
        }
        let mut found: Option<Def> = None;
        // Meanings of the name before each binding that holds: the end of its block brings them back.
        let mut hidden: Vec<Option<Def>> = Vec::new();
        let mut import = None;
        for decl in program.decls(node, name) {
            match decl {
                Decl::TypeParam(index) if space != Space::Value => {
                    found = Some(Def::TypeParam(node, index))
                }
                Decl::Param(index) if space != Space::Type => found = Some(Def::Param(node, index)),
                Decl::Binding(index) if space != Space::Type => {
                    let Some(binding) = program.binding(file, index) else {
                        continue;
                    };
                    if !self.holds(file, binding, at) {
                        continue;
                    }
                    if binding.is_end() {
                        found = hidden.pop().flatten();
                        continue;
                    }
                    hidden.push(found);
                    // The parameter's own entry among the bindings adds nothing to the parameter.
                    let says_more = found.is_none() || !binding.value.is_empty();
                    if says_more || self.is_rebound(node, file, index) {
                        found = Some(Def::Binding(file, index));
                    }
                }
                Decl::Import(index) => import = Some(index),
                _ => {}
            }
        }
        // A local variable with a required module is both variable and import.
        let is_required = import.is_some() && self.rules(file).flags().locals_are_modules;
        if let Some(def) = found.filter(|_| !is_required) {
            return Some((def, Reason::LexicalScope));
        }
        let found = self.import(file, import?, space)?;
        Some((found.def, found.import_reason()))
    }

    /// Whether a binding holds at a place: behind it, or within the part of the text in which a test narrows a name.
    fn holds(&self, file: FileId, binding: &Binding, at: u32) -> bool {
        let span = binding.span;
        let is_narrowed = self.rules(file).flags().has_narrowing
            && binding.kind == BindingKind::Annotated
            && span.end - span.start > binding.name.len() as u32;
        if is_narrowed {
            span.start <= at && at < span.end
        } else {
            span.end <= at
        }
    }

    /// Whether a binding is in the body of its function, not in its head: it shadows the parameter.
    pub(crate) fn is_rebound(&self, function: NodeId, file: FileId, index: BindingId) -> bool {
        let (Some(symbol), Some(binding)) = (
            self.program.symbol(function),
            self.program.binding(file, index),
        ) else {
            return false;
        };
        let head_end = symbol.name_span.end + symbol.signature.len() as u32;
        binding.span.start > head_end
    }

    /// Looks in a type: type parameters, and members where the language allows bare names of them.
    pub(crate) fn lookup_in_type(
        &mut self,
        node: NodeId,
        name: Option<Name>,
        is_innermost: bool,
        space: Space,
    ) -> Option<(Def, Reason)> {
        let name = name?;
        let mut decls = self.program.decls(node, name);
        let type_parameter = decls.find_map(|decl| match decl {
            Decl::TypeParam(index) => Some(Def::TypeParam(node, index)),
            _ => None,
        });
        if let Some(def) = type_parameter.filter(|_| space != Space::Value) {
            return Some((def, Reason::LexicalScope));
        }
        let flags = self.rules(node).flags();
        if flags.has_implicit_this {
            // A block of members belongs to its type.
            let target = match self.heritage.impl_target(node) {
                Some(Def::Node(target)) => target,
                _ => node,
            };
            let (def, is_inherited) = self.type_member(target, name)?;
            // `Client Client { get; }`: in type position the name means the class, not the property.
            let is_value = matches!(def, Def::Node(node) if self
                .program
                .kind(node)
                .is_some_and(|kind| !crate::program::is_type_name(kind)));
            if space == Space::Type && is_value {
                return None;
            }
            return Some((
                def,
                if is_inherited {
                    Reason::Inherited
                } else {
                    Reason::SelfType
                },
            ));
        }
        let directly_inside = is_innermost && flags.class_body_is_scope;
        directly_inside
            .then(|| self.best_symbol(node, name, space))
            .flatten()
            .map(|node| (Def::Node(node), Reason::SelfType))
    }

    /// Looks in a module declared within a file.
    pub(crate) fn lookup_in_module(
        &mut self,
        node: NodeId,
        at: u32,
        name: &str,
        interned: Option<Name>,
        space: Space,
    ) -> Option<(Def, Reason)> {
        let file = self.program.file_of(node);
        if let Some(interned) = interned {
            if let Some(symbol) = self.best_symbol_at(node, interned, space, at) {
                return Some((Def::Node(symbol), Reason::SameFile));
            }
            if let Some(found) = self.local_import(node, file, interned, space) {
                return Some((found.def, found.import_reason()));
            }
            if let Some(child) = self.rules(node).declared_child(self, node, interned) {
                return Some((Def::Node(child), Reason::Path));
            }
        }
        self.by_glob(node, name, space)
            .map(|found| (found.def, Reason::GlobImport))
    }

    /// Sorts modules last: after `pub mod serve; pub use serve::serve;` the name means the imported item, not the
    /// module.
    pub(crate) fn modules_last(
        &self,
        file: FileId,
        imports: impl Iterator<Item = ImportId>,
    ) -> Vec<ImportId> {
        let mut imports: Vec<ImportId> = imports.collect();
        let is_module = |index: &ImportId| {
            self.program
                .import(file, *index)
                .is_some_and(|import| import.is(ImportFlags::CHILD_MODULE))
        };
        imports.order_by_key(is_module);
        imports
    }

    pub(crate) fn local_import(
        &mut self,
        scope: NodeId,
        file: FileId,
        name: Name,
        space: Space,
    ) -> Option<Found> {
        let only_own = self.rules(file).flags().reexports_declare_nothing;
        let program = self.program;
        let imports = program.imports_in(scope, name).filter(|&index| {
            !only_own
                || program
                    .import(file, index)
                    .is_some_and(|import| !import.is(ImportFlags::REEXPORT))
        });
        let imports = self.modules_last(file, imports);
        imports
            .into_iter()
            .find_map(|index| self.import(file, index, space))
    }

    /// Looks at the top of a file: its definitions and imports, then names of its package or includes.
    pub(crate) fn lookup_in_file(
        &mut self,
        file: FileId,
        at: u32,
        name: &str,
        interned: Option<Name>,
        space: Space,
    ) -> Option<(Def, Reason)> {
        if let Some(symbol) =
            interned.and_then(|name| self.best_symbol_at(file.into(), name, space, at))
        {
            return Some((Def::Node(symbol), Reason::SameFile));
        }
        if let Some(found) = self.lookup_in_module(file.into(), at, name, interned, space) {
            return Some(found);
        }
        let Some(interned) = interned else {
            return self.root_package(file, name);
        };
        self.rules(file)
            .lookup_beyond_file(self, file, at, name, interned, space)
    }

    /// The variable of a file that was bound last before a place, else the first.
    pub(crate) fn variable_before(&self, file: FileId, name: Name, at: u32) -> Option<Def> {
        let bindings = self.program.bindings_in(file, name);
        let is_before = |index: &BindingId| {
            self.program
                .binding(file, *index)
                .is_some_and(|binding| binding.span.start <= at)
        };
        let before = bindings.clone().take_while(is_before).last();
        before
            .or_else(|| bindings.clone().next())
            .map(|index| Def::Binding(file, index))
    }
}

/// How well a kind of definition fits a space; none where the name cannot mean it.
pub(crate) fn fit(kind: SymbolKind, space: Space, flags: &Flags) -> Option<u8> {
    use SymbolKind::{
        Class, Constant, Enum, Field, Impl, Interface, Macro, Module, Section, Struct, Trait,
        TypeAlias, Variable,
    };
    match (space, kind) {
        (_, Impl | Section) => None,
        (Space::Macro, Macro) => Some(2),
        (Space::Macro, _) => None,
        (_, Macro) => flags.macros_are_values.then_some(1),
        (Space::Value, Interface | TypeAlias) if flags.types_are_erased => None,
        (Space::Value, Trait | Interface | TypeAlias | Module) => Some(0),
        (Space::Value, Class | Struct | Enum) => Some(1),
        (Space::Value, Field) => Some(1),
        (Space::Value, Variable | Constant) => Some(1),
        (Space::Value, _) => Some(2),
        (Space::Type, kind) if is_type_name(kind) => Some(2),
        (Space::Type, _) => Some(0),
    }
}
