//! Scopes: what a name means at a place, from the innermost scope outwards to the file and its package.

use syntax::facts::{ImportFlags, Modifiers, SymbolKind};

use super::family::Family;
use super::follow::{Found, Resolver, Space};
use super::names::Name;
use super::program::{Decl, Def, is_declaration, is_function, is_type_name, is_type_scope};
use graph::Reason;

impl Resolver<'_, '_> {
    /// The symbol that a scope declares under a name: one that fits the space, a definition rather than a declaration.
    pub(super) fn best_symbol(&self, scope: u32, name: Name, space: Space) -> Option<u32> {
        self.best_symbol_at(scope, name, space, u32::MAX)
    }

    /// As [`Self::best_symbol`]; what callbacks inside the scope declare is seen only from within them.
    pub(super) fn best_symbol_at(
        &self,
        scope: u32,
        name: Name,
        space: Space,
        at: u32,
    ) -> Option<u32> {
        let program = self.program;
        let mut best: Option<(u8, u32)> = None;
        for node in program.symbols_in(scope, name) {
            let Some(symbol) = program.symbol(node) else {
                continue;
            };
            let Some(fit) = fit(symbol.kind, space, program.family_of(node)) else {
                continue;
            };
            // Methods written outside of their type are its members, no names of the file.
            if !symbol.owner.is_empty()
                || symbol.is(Modifiers::ANONYMOUS) && !symbol.is(Modifiers::DEFAULT_EXPORT)
            {
                continue;
            }
            let callback = program
                .parent(node)
                .filter(|&parent| parent != scope)
                .and_then(|parent| program.symbol(parent));
            if callback.is_some_and(|callback| at < callback.span.start || callback.span.end <= at)
            {
                continue;
            }
            let rank = fit * 2 + u8::from(!is_declaration(symbol));
            if best.is_none_or(|(other, _)| rank > other) {
                best = Some((rank, node));
            }
        }
        best.map(|(_, node)| node)
    }

    /// What a name means at a place.
    pub(super) fn lookup(
        &mut self,
        scope: u32,
        at: u32,
        name: &str,
        space: Space,
    ) -> Option<(Def, Reason)> {
        let (def, reason) = self.nested(|this| this.lookup_outwards(scope, at, name, space))?;
        Some((self.whole_namespace(def), reason))
    }

    pub(super) fn lookup_outwards(
        &mut self,
        scope: u32,
        at: u32,
        name: &str,
        space: Space,
    ) -> Option<(Def, Reason)> {
        let program = self.program;
        let interned = program.names.get(name);
        let family = program.family_of(scope);
        for (depth, node) in program.scopes(scope).enumerate() {
            let found = match program.kind(node) {
                None => return self.lookup_in_file(node, at, name, interned, space),
                Some(kind) if is_type_scope(kind) => {
                    self.lookup_in_type(node, interned, family, depth == 0, space)
                }
                Some(SymbolKind::Module) => {
                    let found = self
                        .lookup_in_module(node, name, interned, space)
                        .or_else(|| self.lookup_in_namespaces(node, name, interned, space));
                    if found.is_none() && !family.modules_inherit_scope() {
                        return None;
                    }
                    found
                }
                Some(_) => interned.and_then(|name| {
                    let own = self.lookup_in_function(node, at, name, space);
                    own.or_else(|| self.lookup_in_owner(node, name, family, space))
                }),
            };
            if found.is_some() {
                return found;
            }
            if let Some(found) = self.scala_local_import(node, name, interned, space) {
                return Some(found);
            }
            let by_glob = match family {
                Family::Rust => self.rust_local_globs(node, name, space),
                Family::C => self.used_namespace(node, interned, space),
                _ => None,
            };
            if by_glob.is_some() {
                return by_glob;
            }
        }
        None
    }

    pub(super) fn rust_local_globs(
        &mut self,
        node: u32,
        name: &str,
        space: Space,
    ) -> Option<(Def, Reason)> {
        let is_function = self.program.kind(node).is_some_and(is_function);
        if !is_function {
            return None;
        }
        self.by_glob(node, name, space)
            .map(|found| (found.def, Reason::GlobImport))
    }

    /// Parameters, variables bound before, nested definitions, local imports.
    pub(super) fn lookup_in_function(
        &mut self,
        node: u32,
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
        let mut import = None;
        for decl in program.decls(node, name) {
            match decl {
                Decl::TypeParam(index) if space != Space::Value => {
                    found = Some(Def::TypeParam(node, index))
                }
                Decl::Param(index) if space != Space::Type => found = Some(Def::Param(node, index)),
                Decl::Binding(index) if space != Space::Type => {
                    let before = program
                        .binding(file, index)
                        .is_some_and(|binding| binding.span.start <= at);
                    // The parameter's own entry among the bindings says no more than the parameter does.
                    let says_more = found.is_none()
                        || program
                            .binding(file, index)
                            .is_some_and(|b| !b.value.is_empty());
                    if before && (says_more || self.is_rebound(node, file, index)) {
                        found = Some(Def::Binding(file, index));
                    }
                }
                Decl::Import(index) => import = Some(index),
                _ => {}
            }
        }
        // In Lua a local that holds a required module is both.
        let is_required = import.is_some() && program.family[file as usize] == Family::Lua;
        if let Some(def) = found.filter(|_| !is_required) {
            return Some((def, Reason::LexicalScope));
        }
        let found = self.import(file, import?, space)?;
        Some((found.def, found.import_reason()))
    }

    /// Whether an untyped binding stands behind the head of its function: it shadows the parameter.
    pub(super) fn is_rebound(&self, function: u32, file: u32, index: u32) -> bool {
        let (Some(symbol), Some(binding)) = (
            self.program.symbol(function),
            self.program.binding(file, index),
        ) else {
            return false;
        };
        let head_end = symbol.name_span.end + symbol.signature.len() as u32;
        binding.span.start > head_end
    }

    /// Type parameters; members where the language lets them be named bare.
    pub(super) fn lookup_in_type(
        &mut self,
        node: u32,
        name: Option<Name>,
        family: Family,
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
        if family.has_implicit_this() {
            // A block of members speaks of its type.
            let target = match self.heritage.impl_target(node) {
                Some(Def::Node(target)) => target,
                _ => node,
            };
            let (def, is_inherited) = self.type_member(target, name)?;
            // `Client Client { get; }`: as a type the class is meant, not the property.
            let is_value = matches!(def, Def::Node(node) if self
                .program
                .kind(node)
                .is_some_and(|kind| !super::program::is_type_name(kind)));
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
        let directly_inside = is_innermost && family == Family::Python;
        directly_inside
            .then(|| self.best_symbol(node, name, space))
            .flatten()
            .map(|node| (Def::Node(node), Reason::SelfType))
    }

    /// A module declared within a file.
    pub(super) fn lookup_in_module(
        &mut self,
        node: u32,
        name: &str,
        interned: Option<Name>,
        space: Space,
    ) -> Option<(Def, Reason)> {
        let file = self.program.file_of(node);
        if let Some(interned) = interned {
            if let Some(symbol) = self.best_symbol(node, interned, space) {
                return Some((Def::Node(symbol), Reason::SameFile));
            }
            if let Some(found) = self.local_import(node, file, interned, space) {
                return Some((found.def, found.import_reason()));
            }
            if self.program.family_of(node) == Family::Rust
                && let Some(child) = self.modules.rust.child(node, interned)
            {
                return Some((Def::Node(child), Reason::Path));
            }
        }
        self.by_glob(node, name, space)
            .map(|found| (found.def, Reason::GlobImport))
    }

    /// `pub mod serve; pub use serve::serve;`: the name stands for what is imported before the module.
    pub(super) fn modules_last(&self, file: u32, imports: impl Iterator<Item = u32>) -> Vec<u32> {
        let mut imports: Vec<u32> = imports.collect();
        let is_module = |index: &u32| {
            self.program
                .import(file, *index)
                .is_some_and(|import| import.is(ImportFlags::CHILD_MODULE))
        };
        imports.sort_by_key(is_module);
        imports
    }

    pub(super) fn local_import(
        &mut self,
        scope: u32,
        file: u32,
        name: Name,
        space: Space,
    ) -> Option<Found> {
        let is_ecma = self.program.family[file as usize] == Family::Ecma;
        let program = self.program;
        let imports = program.imports_in(scope, name).filter(|&index| {
            !is_ecma
                || program
                    .import(file, index)
                    .is_some_and(|import| !import.is(ImportFlags::REEXPORT))
        });
        let imports = self.modules_last(file, imports);
        imports
            .into_iter()
            .find_map(|index| self.import(file, index, space))
    }

    /// The top of a file: its definitions and imports, then what its package or includes hold.
    pub(super) fn lookup_in_file(
        &mut self,
        file: u32,
        at: u32,
        name: &str,
        interned: Option<Name>,
        space: Space,
    ) -> Option<(Def, Reason)> {
        let family = self.program.family[file as usize];
        if let Some(symbol) = interned.and_then(|name| self.best_symbol_at(file, name, space, at)) {
            return Some((Def::Node(symbol), Reason::SameFile));
        }
        if let Some(found) = self.lookup_in_module(file, name, interned, space) {
            return Some(found);
        }
        let Some(interned) = interned else {
            return self.root_namespace(family, name);
        };
        match family {
            Family::Go => self
                .go_package_member(file, interned, space)
                .map(|def| (def, Reason::SamePackage)),
            Family::Java | Family::CSharp | Family::Php | Family::Swift => {
                self.lookup_in_package(file, at, name, interned, space)
            }
            Family::C => self
                .included(file, interned, space)
                .or_else(|| self.used_namespace(file, Some(interned), space)),
            _ if space == Space::Type => None,
            _ => self
                .variable_before(file, interned, at)
                .map(|def| (def, Reason::SameFile)),
        }
    }

    /// The variable of a file that was bound last before a place, else the first.
    pub(super) fn variable_before(&self, file: u32, name: Name, at: u32) -> Option<Def> {
        let bindings = self.program.bindings_in(file, name);
        let is_before = |index: &u32| {
            self.program
                .binding(file, *index)
                .is_some_and(|binding| binding.span.start <= at)
        };
        let before = bindings.clone().take_while(is_before).last();
        before
            .or_else(|| bindings.clone().next())
            .map(|index| Def::Binding(file, index))
    }

    /// Names of the other files of a Go package; those of its tests only for tests.
    pub(super) fn go_package_member(&mut self, file: u32, name: Name, space: Space) -> Option<Def> {
        let folder = self.modules.tree.folder_of(file);
        let package = self.program.facts(file).package.as_str();
        let files = self.modules.tree.files_in(folder);
        let files = files
            .iter()
            .filter(|&&other| {
                self.program.family[other as usize] == Family::Go
                    && self.program.facts(other).package == package
                    && (self.program.is_test[file as usize]
                        || !self.program.is_test[other as usize])
            })
            .copied();
        self.go_member(files, name, space).map(Def::Node)
    }
}

/// How well a kind fits what is wanted; none where it cannot be meant.
pub(super) fn fit(kind: SymbolKind, space: Space, family: Family) -> Option<u8> {
    use SymbolKind::{
        Class, Constant, Enum, Field, Impl, Interface, Macro, Module, Section, Struct, Trait,
        TypeAlias, Variable,
    };
    match (space, kind) {
        (_, Impl | Section) => None,
        (Space::Macro, Macro) => Some(2),
        (Space::Macro, _) => None,
        (_, Macro) => (family == Family::C).then_some(1),
        (Space::Value, Interface | TypeAlias) if family == Family::Ecma => None,
        (Space::Value, Trait | Interface | TypeAlias | Module) => Some(0),
        (Space::Value, Class | Struct | Enum) => Some(1),
        (Space::Value, Field) => Some(1),
        (Space::Value, Variable | Constant) => Some(1),
        (Space::Value, _) => Some(2),
        (Space::Type, kind) if is_type_name(kind) => Some(2),
        (Space::Type, _) => Some(0),
    }
}
