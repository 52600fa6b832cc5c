//! Following names: from a scope outwards, through imports and re-exports, into modules and packages.

use rustc_hash::FxHashMap;
use syntax::facts::{Import, ImportFlags, Modifiers, SymbolKind};

use super::family::Family;
use super::heritage::Heritage;
use super::modules::{Modules, folder_of};
use super::names::Name;
use super::program::{
    Decl, Def, Program, is_declaration, is_function, is_type_name, is_type_scope,
};
use crate::kinds::Reason;

/// What is wanted: TypeScript and Rust keep types, values and macros apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Space {
    Value,
    Type,
    Macro,
}

/// A definition and how it was reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Found {
    pub def: Def,
    /// Files that passed the name on.
    pub hops: u8,
    /// Whether a star or glob was on the way.
    pub by_glob: bool,
}

impl Found {
    pub fn new(def: Def) -> Found {
        Found {
            def,
            hops: 0,
            by_glob: false,
        }
    }

    fn passed_on(self) -> Found {
        Found {
            hops: self.hops.saturating_add(1),
            ..self
        }
    }

    /// The rule by which a name that an import brings in was resolved.
    fn import_reason(self) -> Reason {
        match self {
            Found { by_glob: true, .. } => Reason::GlobImport,
            Found { hops: 0, .. } => Reason::Import,
            _ => Reason::ReExport,
        }
    }
}

/// A question that is being answered, or its answer: questions that lead back to themselves have none.
#[derive(Clone, Copy)]
enum Memo {
    Open,
    Done(Option<Found>),
}

/// Answers questions about names; keeps what it has found.
pub(crate) struct Resolver<'p, 'a> {
    pub program: &'p Program<'a>,
    pub modules: &'p Modules<'a>,
    pub heritage: Heritage<'a>,
    pub externals: Externals,
    pub inference: super::infer::Inference<'a>,
    imports: FxHashMap<(u32, u32, Space), Memo>,
    members: FxHashMap<(Def, Name, Space), Memo>,
    default_exports: FxHashMap<u32, u32>,
    depth: u32,
}

/// Questions lead to questions at most so deep; what lies deeper stays unresolved.
const MAX_DEPTH: u32 = 48;

/// Packages outside, by name.
#[derive(Default)]
pub(crate) struct Externals {
    ids: FxHashMap<String, u32>,
    pub names: Vec<String>,
}

impl Externals {
    pub fn def(&mut self, name: &str) -> Def {
        if let Some(&id) = self.ids.get(name) {
            return Def::External(id);
        }
        let id = self.names.len() as u32;
        self.names.push(name.to_owned());
        self.ids.insert(name.to_owned(), id);
        Def::External(id)
    }
}

impl<'p, 'a> Resolver<'p, 'a> {
    pub fn new(program: &'p Program<'a>, modules: &'p Modules<'a>) -> Self {
        let mut default_exports = FxHashMap::default();
        for (node, symbol) in program.all_symbols() {
            if symbol.is(Modifiers::DEFAULT_EXPORT) {
                default_exports.entry(program.file_of(node)).or_insert(node);
            }
        }
        Resolver {
            program,
            modules,
            heritage: Heritage::default(),
            externals: Externals::default(),
            inference: super::infer::Inference::default(),
            imports: FxHashMap::default(),
            members: FxHashMap::default(),
            default_exports,
            depth: 0,
        }
    }

    /// Asks a question within another, unless that lies too deep.
    pub fn nested<T>(&mut self, ask: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        if self.depth >= MAX_DEPTH {
            return None;
        }
        self.depth += 1;
        let answer = ask(self);
        self.depth -= 1;
        answer
    }

    /// What an import brings in.
    pub fn import(&mut self, file: u32, index: u32, space: Space) -> Option<Found> {
        let import = self.program.import(file, index)?;
        let key = (file, index, space);
        match self.imports.get(&key) {
            Some(Memo::Open) => return None,
            Some(Memo::Done(found)) => return *found,
            None => {}
        }
        self.imports.insert(key, Memo::Open);
        let found = self.nested(|this| this.import_uncached(file, import, space));
        self.imports.insert(key, Memo::Done(found));
        found
    }

    fn import_uncached(&mut self, file: u32, import: &'a Import, space: Space) -> Option<Found> {
        if self.program.family[file as usize] == Family::Rust {
            let scope = import
                .enclosing
                .map_or(file, |local| self.program.layout.node(file, local));
            return self.rust_import(scope, import, space);
        }
        let is_own = import.module.is_empty() && import.is(ImportFlags::REEXPORT);
        if is_own {
            return self.own_name(file, &import.name, space);
        }
        let module = self.module_of(file, import)?;
        if import.name.is_empty() || import.is(ImportFlags::MODULE) {
            return Some(Found::new(module));
        }
        self.module_member(module, &import.name, space)
    }

    /// A name of a file that the file itself passes on under another.
    fn own_name(&mut self, file: u32, name: &str, space: Space) -> Option<Found> {
        let interned = self.program.names.get(name)?;
        if let Some(node) = self.best_symbol(file, interned, space) {
            return Some(Found::new(Def::Node(node)));
        }
        let import = self
            .program
            .decls(file, interned)
            .iter()
            .find_map(|entry| match entry.decl {
                Decl::Import(index)
                    if !self.program.import(file, index)?.is(ImportFlags::REEXPORT) =>
                {
                    Some(index)
                }
                _ => None,
            })?;
        self.import(file, import, space).map(Found::passed_on)
    }

    /// The module that an import names.
    pub fn module_of(&mut self, file: u32, import: &Import) -> Option<Def> {
        let path = self.program.path(file);
        let (tree, module) = (&self.modules.tree, import.module.as_str());
        match self.program.family[file as usize] {
            Family::Rust => {
                let scope = import
                    .enclosing
                    .map_or(file, |local| self.program.layout.node(file, local));
                self.rust_path(scope, module, true, Space::Type)
                    .map(|found| found.def)
            }
            Family::Python => {
                // `import a.b` binds a.
                let head = module.split('.').next().unwrap_or(module);
                let bound = if import.is(ImportFlags::MODULE) && import.local == head {
                    head
                } else {
                    module
                };
                let found = self.modules.python.find(tree, path, bound);
                found.or_else(|| (!module.starts_with('.')).then(|| self.externals.def(head)))
            }
            Family::Ecma => match self.modules.ecma.find(tree, path, module)? {
                super::modules::EcmaTarget::Inside(def) => Some(def),
                super::modules::EcmaTarget::Outside(name) => Some(self.externals.def(&name)),
            },
            Family::Go => {
                let found = self.modules.go.find(tree, path, module);
                Some(found.unwrap_or_else(|| self.externals.def(module)))
            }
            Family::Java => Some(self.java_module(module)),
            Family::C => {
                let is_system = import.is(ImportFlags::SYSTEM);
                let file = self
                    .modules
                    .includes
                    .find(tree, self.program, path, module, is_system);
                file.map(Def::Node)
                    .or_else(|| is_system.then(|| self.externals.def(module)))
            }
            Family::None => None,
        }
    }

    /// A package, or a class in one (static imports and nested classes), or a library outside.
    fn java_module(&mut self, module: &str) -> Def {
        if let Some(package) = self.modules.java.find(module) {
            return Def::Package(package);
        }
        let inside = module.rsplit_once('.').and_then(|(outer, name)| {
            let looks_like_class = name.starts_with(char::is_uppercase);
            let outer = looks_like_class.then(|| self.java_module(outer))?;
            if matches!(outer, Def::External(_)) {
                None
            } else {
                self.module_member(outer, name, Space::Type)
            }
        });
        inside.map_or_else(
            || {
                let end = module
                    .match_indices('.')
                    .nth(1)
                    .map_or(module.len(), |(at, _)| at);
                self.externals.def(&module[..end])
            },
            |found| found.def,
        )
    }

    /// What a module, package or type holds under a name.
    pub fn module_member(&mut self, module: Def, name: &str, space: Space) -> Option<Found> {
        let Some(interned) = self.program.names.get(name) else {
            return self.nested(|this| this.module_member_uncached(module, name, None, space));
        };
        let key = (module, interned, space);
        match self.members.get(&key) {
            Some(Memo::Open) => return None,
            Some(Memo::Done(found)) => return *found,
            None => {}
        }
        self.members.insert(key, Memo::Open);
        let found =
            self.nested(|this| this.module_member_uncached(module, name, Some(interned), space));
        self.members.insert(key, Memo::Done(found));
        found
    }

    fn module_member_uncached(
        &mut self,
        module: Def,
        name: &str,
        interned: Option<Name>,
        space: Space,
    ) -> Option<Found> {
        match module {
            Def::External(_) => Some(Found::new(module)),
            Def::Folder(folder) => self.folder_member(folder, name, interned, space),
            Def::Package(package) => self.java_package_member(package, name, interned, space),
            Def::Node(node)
                if self
                    .program
                    .kind(node)
                    .is_some_and(|kind| kind != SymbolKind::Module) =>
            {
                let (def, _) = self.type_member(node, interned?)?;
                Some(Found::new(def))
            }
            Def::Node(node) => self.exported(node, name, interned, space),
            _ => None,
        }
    }

    fn folder_member(
        &mut self,
        folder: u32,
        name: &str,
        interned: Option<Name>,
        space: Space,
    ) -> Option<Found> {
        let path = self.modules.tree.folder_path(folder);
        if let Some(child) = self.modules.python.child(&self.modules.tree, path, name) {
            return Some(Found::new(child));
        }
        let interned = interned?;
        let files = self.modules.tree.files_in(folder);
        files
            .iter()
            .filter(|&&file| self.program.family[file as usize] == Family::Go)
            .find_map(|&file| {
                self.best_symbol(file, interned, space)
                    .map(|node| Found::new(Def::Node(node)))
            })
    }

    fn java_package_member(
        &mut self,
        package: u32,
        name: &str,
        interned: Option<Name>,
        space: Space,
    ) -> Option<Found> {
        let class = interned.and_then(|interned| {
            let mut files = self.modules.java.files(package).iter();
            files.find_map(|&file| self.best_symbol(file, interned, space))
        });
        let nested = || {
            let inner = format!("{}.{name}", self.modules.java.name(package));
            self.modules.java.find(&inner).map(Def::Package)
        };
        class.map(Def::Node).or_else(nested).map(Found::new)
    }

    /// What a file or inline module gives to others under a name.
    fn exported(
        &mut self,
        module: u32,
        name: &str,
        interned: Option<Name>,
        space: Space,
    ) -> Option<Found> {
        let family = self.program.family_of(module);
        if let Some(interned) = interned {
            if let Some(node) = self.best_symbol(module, interned, space) {
                return Some(Found::new(Def::Node(node)));
            }
            // `pub mod a; pub use a::a;`: as the head of a path the module is meant.
            if space == Space::Type
                && family == Family::Rust
                && let Some(child) = self.modules.rust.child(module, interned)
            {
                return Some(Found::new(Def::Node(child)));
            }
            if let Some(found) = self.passed_on(module, interned, space) {
                return Some(found);
            }
        }
        if family == Family::Ecma && name == "default" {
            let default = self
                .default_exports
                .get(&module)
                .map(|&node| Found::new(Def::Node(node)));
            return default;
        }
        let child = match family {
            Family::Rust => interned
                .and_then(|name| self.modules.rust.child(module, name))
                .map(Def::Node),
            Family::Python => self.python_child(module, name),
            _ => None,
        };
        let assigned = || {
            interned
                .and_then(|name| self.assigned_member(module, name))
                .map(Def::Node)
        };
        let own = child.or_else(assigned).map(Found::new);
        own.or_else(|| self.by_glob(module, name, space))
    }

    /// The function or class that a CommonJS module is, itself or by `module.exports = require(…)`.
    pub fn module_as_function(&mut self, file: u32) -> Option<u32> {
        if self.program.family.get(file as usize) != Some(&Family::Ecma) {
            return None;
        }
        let mut current = file;
        for _ in 0..8 {
            if let Some(Found {
                def: Def::Node(node),
                ..
            }) = self.module_member(Def::Node(current), "default", Space::Value)
            {
                return self.program.symbol(node).map(|_| node);
            }
            let glob = self
                .program
                .globs(current)
                .next()
                .and_then(|index| self.program.import(current, index))?;
            match self.module_of(current, glob)? {
                Def::Node(next) if self.program.is_file(next) => current = next,
                _ => return None,
            }
        }
        None
    }

    /// What a CommonJS module sets on what it exports: `exports.f = function () {}`, `app.f = …`.
    fn assigned_member(&self, module: u32, name: Name) -> Option<u32> {
        if self.program.family_of(module) != Family::Ecma {
            return None;
        }
        let mut assigned = self.program.symbols_in(module, name).filter(|&node| {
            self.program.symbol(node).is_some_and(|symbol| {
                !symbol.owner.is_empty() && !symbol.owner.ends_with(".prototype")
            })
        });
        assigned.next()
    }

    fn python_child(&self, module: u32, name: &str) -> Option<Def> {
        let path = self.program.path(module);
        let is_package = path.ends_with("__init__.py") || path.ends_with("__init__.pyi");
        is_package
            .then(|| {
                self.modules
                    .python
                    .child(&self.modules.tree, folder_of(path), name)
            })
            .flatten()
    }

    /// A name that a module imported and others may take from it.
    fn passed_on(&mut self, module: u32, name: Name, space: Space) -> Option<Found> {
        let file = self.program.file_of(module);
        let is_ecma = self.program.family_of(module) == Family::Ecma;
        let imports: Vec<u32> = self
            .program
            .decls(module, name)
            .iter()
            .filter_map(|entry| match entry.decl {
                Decl::Import(index) => Some(index),
                _ => None,
            })
            .filter(|&index| {
                !is_ecma
                    || self
                        .program
                        .import(file, index)
                        .is_some_and(|import| import.is(ImportFlags::REEXPORT))
            })
            .collect();
        let imports = self.modules_last(file, imports);
        imports.into_iter().find_map(|index| {
            let found = self.import(file, index, space)?;
            let is_own = self
                .program
                .import(file, index)
                .is_some_and(|import| import.module.is_empty());
            Some(if is_own { found } else { found.passed_on() })
        })
    }

    fn by_glob(&mut self, scope: u32, name: &str, space: Space) -> Option<Found> {
        let file = self.program.file_of(scope);
        let family = self.program.family_of(scope);
        // A default export is not passed on by a star.
        if family == Family::C || (family == Family::Ecma && name == "default") {
            return None;
        }
        let globs: Vec<u32> = self.program.globs(scope).collect();
        globs.into_iter().find_map(|index| {
            let import = self.program.import(file, index)?;
            let module = self.module_of(file, import)?;
            if matches!(module, Def::External(_)) {
                return None;
            }
            let found = self.module_member(module, name, space)?;
            (!matches!(found.def, Def::External(_))).then_some(Found {
                by_glob: true,
                ..found.passed_on()
            })
        })
    }

    /// The symbol that a scope declares under a name: one that fits the space, a definition rather than a declaration.
    pub fn best_symbol(&self, scope: u32, name: Name, space: Space) -> Option<u32> {
        self.best_symbol_at(scope, name, space, u32::MAX)
    }

    /// As [`Self::best_symbol`]; what callbacks inside the scope declare is seen only from within them.
    fn best_symbol_at(&self, scope: u32, name: Name, space: Space, at: u32) -> Option<u32> {
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
    pub fn lookup(
        &mut self,
        scope: u32,
        at: u32,
        name: &str,
        space: Space,
    ) -> Option<(Def, Reason)> {
        self.nested(|this| this.lookup_outwards(scope, at, name, space))
    }

    fn lookup_outwards(
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
                    let found = self.lookup_in_module(node, name, interned, space);
                    if found.is_none() && !family.modules_inherit_scope() {
                        return None;
                    }
                    found
                }
                Some(_) => interned.and_then(|name| self.lookup_in_function(node, at, name, space)),
            };
            if found.is_some() {
                return found;
            }
            if family == Family::Rust
                && let Some(found) = self.rust_local_globs(node, name, space)
            {
                return Some(found);
            }
        }
        None
    }

    fn rust_local_globs(&mut self, node: u32, name: &str, space: Space) -> Option<(Def, Reason)> {
        let is_function = self.program.kind(node).is_some_and(is_function);
        if !is_function {
            return None;
        }
        self.by_glob(node, name, space)
            .map(|found| (found.def, Reason::GlobImport))
    }

    /// Parameters, variables bound before, nested definitions, local imports.
    fn lookup_in_function(
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
        for entry in program.decls(node, name) {
            match entry.decl {
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
                    if before && says_more {
                        found = Some(Def::Binding(file, index));
                    } else if before && self.is_rebound(node, file, index) {
                        found = Some(Def::Binding(file, index));
                    }
                }
                Decl::Import(index) => import = Some(index),
                _ => {}
            }
        }
        if let Some(def) = found {
            return Some((def, Reason::LexicalScope));
        }
        let found = self.import(file, import?, space)?;
        Some((found.def, found.import_reason()))
    }

    /// Whether an untyped binding stands behind the head of its function: it shadows the parameter.
    fn is_rebound(&self, function: u32, file: u32, index: u32) -> bool {
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
    fn lookup_in_type(
        &mut self,
        node: u32,
        name: Option<Name>,
        family: Family,
        is_innermost: bool,
        space: Space,
    ) -> Option<(Def, Reason)> {
        let name = name?;
        let type_parameter =
            self.program
                .decls(node, name)
                .iter()
                .find_map(|entry| match entry.decl {
                    Decl::TypeParam(index) => Some(Def::TypeParam(node, index)),
                    _ => None,
                });
        if let Some(def) = type_parameter.filter(|_| space != Space::Value) {
            return Some((def, Reason::LexicalScope));
        }
        if family.has_implicit_this() {
            let (def, is_inherited) = self.type_member(node, name)?;
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
    fn lookup_in_module(
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
    fn modules_last(&self, file: u32, mut imports: Vec<u32>) -> Vec<u32> {
        let is_module = |index: &u32| {
            self.program
                .import(file, *index)
                .is_some_and(|import| import.is(ImportFlags::CHILD_MODULE))
        };
        imports.sort_by_key(is_module);
        imports
    }

    fn local_import(&mut self, scope: u32, file: u32, name: Name, space: Space) -> Option<Found> {
        let is_ecma = self.program.family[file as usize] == Family::Ecma;
        let imports: Vec<u32> = self
            .program
            .decls(scope, name)
            .iter()
            .filter_map(|entry| match entry.decl {
                Decl::Import(index) => Some(index),
                _ => None,
            })
            .filter(|&index| {
                !is_ecma
                    || self
                        .program
                        .import(file, index)
                        .is_some_and(|import| !import.is(ImportFlags::REEXPORT))
            })
            .collect();
        let imports = self.modules_last(file, imports);
        imports
            .into_iter()
            .find_map(|index| self.import(file, index, space))
    }

    /// The top of a file: its definitions and imports, then what its package or includes hold.
    fn lookup_in_file(
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
        let interned = interned?;
        match family {
            Family::Go => self
                .go_package_member(file, interned, space)
                .map(|def| (def, Reason::SamePackage)),
            Family::Java => {
                let package = self.modules.java.find(&self.program.facts(file).package)?;
                let found = self.java_package_member(package, name, Some(interned), space)?;
                Some((found.def, Reason::SamePackage))
            }
            Family::C => self.included(file, interned, space),
            _ if space == Space::Type => None,
            _ => self
                .variable_before(file, interned, at)
                .map(|def| (def, Reason::SameFile)),
        }
    }

    /// The variable of a file that was bound last before a place, else the first.
    fn variable_before(&self, file: u32, name: Name, at: u32) -> Option<Def> {
        let bindings = self
            .program
            .decls(file, name)
            .iter()
            .filter_map(|entry| match entry.decl {
                Decl::Binding(index) => Some(index),
                _ => None,
            });
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
    fn go_package_member(&mut self, file: u32, name: Name, space: Space) -> Option<Def> {
        let folder = self.modules.tree.folder_of(file);
        let package = self.program.facts(file).package.as_str();
        let files = self.modules.tree.files_in(folder);
        files
            .iter()
            .filter(|&&other| {
                self.program.family[other as usize] == Family::Go
                    && self.program.facts(other).package == package
                    && (self.program.is_test[file as usize]
                        || !self.program.is_test[other as usize])
            })
            .find_map(|&other| self.best_symbol(other, name, space))
            .map(Def::Node)
    }

    /// A name from the files that a C or C++ file includes, directly or not; the definition where it is only declared.
    fn included(&mut self, file: u32, name: Name, space: Space) -> Option<(Def, Reason)> {
        let mut seen = vec![file];
        let mut next = 0;
        while let Some(&current) = seen.get(next) {
            next += 1;
            if current != file
                && let Some(node) = self.best_symbol(current, name, space)
            {
                return Some((Def::Node(self.definition_of(node)), Reason::GlobImport));
            }
            // Enough for any real tree of headers; ends a runaway one.
            if seen.len() > 400 {
                break;
            }
            for import in &self.program.facts(current).imports {
                if let Some(Def::Node(included)) = self.module_of(current, import)
                    && !seen.contains(&included)
                {
                    seen.push(included);
                }
            }
        }
        None
    }

    /// For what is only declared: the one definition with a body of the same name at the top of a file.
    pub fn definition_of(&self, node: u32) -> u32 {
        let program = self.program;
        let Some((symbol, name)) = program.symbol(node).zip(program.name(node)) else {
            return node;
        };
        if !is_declaration(symbol) || program.family_of(node) != Family::C {
            return node;
        }
        let mut bodies = program.named(name).filter(|&other| {
            program.symbol(other).is_some_and(|other| {
                other.kind == symbol.kind && !is_declaration(other) && other.owner == symbol.owner
            }) && program.family_of(other) == Family::C
                && program
                    .parent(other)
                    .is_some_and(|parent| program.is_file(parent))
        });
        match (bodies.next(), bodies.next()) {
            (Some(only), None) => only,
            _ => node,
        }
    }
}

/// How well a kind fits what is wanted; none where it cannot be meant.
fn fit(kind: SymbolKind, space: Space, family: Family) -> Option<u8> {
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
