//! Following names: from a scope outwards, through imports and re-exports, into modules and packages.

use rustc_hash::FxHashMap;
use syntax::facts::{Import, ImportFlags, Modifiers, SymbolKind};

use super::family::Family;
use super::heritage::Heritage;
use super::modules::{Modules, folder_of};
use super::names::Name;
use super::program::{Def, Program};
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
    pub(super) fn new(def: Def) -> Found {
        Found {
            def,
            hops: 0,
            by_glob: false,
        }
    }

    pub(super) fn passed_on(self) -> Found {
        Found {
            hops: self.hops.saturating_add(1),
            ..self
        }
    }

    /// The rule by which a name that an import brings in was resolved.
    pub(super) fn import_reason(self) -> Reason {
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
    /// By family, folder and what is written.
    found_modules: FxHashMap<(Family, u32, &'a str), Option<Def>>,
    /// By file and number of the import: every name that a scope does not declare is looked for in all of its stars.
    found_globs: FxHashMap<(u32, u32), Option<Def>>,
    /// Questions about imports and members that are being answered.
    n_open: u32,
    /// Stars whose modules are being looked for.
    n_open_globs: u32,
    members: FxHashMap<(Def, Name, Space), Memo>,
    default_exports: FxHashMap<u32, u32>,
    pub included: super::cpp::Included,
    /// Shells and style sheets: the files that a file takes in, directly or not.
    pub taken_in: FxHashMap<u32, std::rc::Rc<[u32]>>,
    /// Rust: whether code of one crate root can hold values of another.
    pub crates_seen: FxHashMap<(u32, u32), bool>,
    depth: u32,
}

/// Questions lead to questions at most so deep; what lies deeper stays unresolved.
const MAX_DEPTH: u32 = 48;

/// A star's module is looked for through so many other stars: each of them asks all of its scope.
const MAX_OPEN_GLOBS: u32 = 3;

/// Packages outside, by name.
#[derive(Default)]
pub(crate) struct Externals {
    ids: FxHashMap<String, u32>,
    pub names: Vec<String>,
}

impl Externals {
    pub(super) fn def(&mut self, name: &str) -> Def {
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
    pub(super) fn new(program: &'p Program<'a>, modules: &'p Modules<'a>) -> Self {
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
            found_modules: FxHashMap::default(),
            found_globs: FxHashMap::default(),
            n_open: 0,
            n_open_globs: 0,
            members: FxHashMap::default(),
            default_exports,
            included: super::cpp::Included::default(),
            taken_in: FxHashMap::default(),
            crates_seen: FxHashMap::default(),
            depth: 0,
        }
    }

    /// Asks a question within another, unless that lies too deep.
    pub(super) fn nested<T>(&mut self, ask: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        if self.depth >= MAX_DEPTH {
            return None;
        }
        self.depth += 1;
        let answer = ask(self);
        self.depth -= 1;
        answer
    }

    /// What an import brings in.
    pub(super) fn import(&mut self, file: u32, index: u32, space: Space) -> Option<Found> {
        let import = self.program.import(file, index)?;
        let key = (file, index, space);
        match self.imports.get(&key) {
            Some(Memo::Open) => return None,
            Some(Memo::Done(found)) => return *found,
            None => {}
        }
        self.imports.insert(key, Memo::Open);
        self.n_open += 1;
        let found = self.nested(|this| this.import_uncached(file, import, space));
        self.n_open -= 1;
        self.imports.insert(key, Memo::Done(found));
        found
    }

    pub(super) fn import_uncached(
        &mut self,
        file: u32,
        import: &'a Import,
        space: Space,
    ) -> Option<Found> {
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
        if self.program.family[file as usize] == Family::Zig {
            // `@import("a.zig").b.C`
            let mut parts = import.name.split('.');
            let first = self.module_member(module, parts.next()?, space)?;
            return parts.try_fold(first, |found, part| {
                self.module_member(found.def, part, space)
            });
        }
        self.module_member(module, &import.name, space)
    }

    /// A name of a file that the file itself passes on under another.
    pub(super) fn own_name(&mut self, file: u32, name: &str, space: Space) -> Option<Found> {
        let interned = self.program.names.get(name)?;
        if let Some(node) = self.best_symbol(file, interned, space) {
            return Some(Found::new(Def::Node(node)));
        }
        let program = self.program;
        let import = program.imports_in(file, interned).find(|index| {
            program
                .import(file, *index)
                .is_some_and(|import| !import.is(ImportFlags::REEXPORT))
        })?;
        self.import(file, import, space).map(Found::passed_on)
    }

    /// The module that an import names. What says it by its text and the folder alone is looked for once.
    pub(super) fn module_of(&mut self, file: u32, import: &'a Import) -> Option<Def> {
        let family = self.program.family[file as usize];
        let module = match family {
            Family::Python => bound_module(import),
            Family::Ecma => import.module.as_str(),
            _ => return self.module_by_family(file, import),
        };
        let key = (family, self.modules.tree.folder_of(file), module);
        if let Some(known) = self.found_modules.get(&key) {
            return *known;
        }
        let found = match family {
            Family::Python => self.python_module(file, module),
            _ => self.ecma_module(file, module),
        };
        self.found_modules.insert(key, found);
        found
    }

    /// The module that an import of all names is about. An answer that lacks something is kept only if no question was open that it may
    /// have led back to.
    fn glob_module(&mut self, file: u32, index: u32, import: &'a Import) -> Option<Def> {
        if let Some(known) = self.found_globs.get(&(file, index)) {
            return *known;
        }
        // In Rust the head of its path may come by the other stars of the scope, whose heads may come by this one: two dozen ways
        // of asking in circles are millions.
        if self.n_open_globs >= MAX_OPEN_GLOBS {
            return None;
        }
        self.n_open_globs += 1;
        self.found_globs.insert((file, index), None);
        let found = self.module_of(file, import);
        self.found_globs.remove(&(file, index));
        self.n_open_globs -= 1;
        let is_whole = self.n_open == 0 && self.n_open_globs == 0;
        if is_whole || found.is_some_and(|def| !matches!(def, Def::External(_))) {
            self.found_globs.insert((file, index), found);
        }
        found
    }

    fn python_module(&mut self, file: u32, module: &str) -> Option<Def> {
        let tree = &self.modules.tree;
        let folder = tree.folder_path(tree.folder_of(file));
        let found = self.modules.python.find(tree, folder, module);
        let head = module.split('.').next().unwrap_or(module);
        found.or_else(|| (!module.starts_with('.')).then(|| self.externals.def(head)))
    }

    fn ecma_module(&mut self, file: u32, module: &str) -> Option<Def> {
        let tree = &self.modules.tree;
        let folder = tree.folder_path(tree.folder_of(file));
        match self.modules.ecma.find(tree, folder, module)? {
            super::modules::EcmaTarget::Inside(def) => Some(def),
            super::modules::EcmaTarget::Outside(name) => Some(self.externals.def(&name)),
        }
    }

    fn module_by_family(&mut self, file: u32, import: &'a Import) -> Option<Def> {
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
            Family::Go => {
                let found = self.modules.go.find(tree, path, module);
                Some(found.unwrap_or_else(|| self.externals.def(module)))
            }
            Family::Java => Some(self.jvm_module(file, module)),
            Family::CSharp => self.csharp_module(file, import),
            Family::Php => self.php_module(file, import),
            Family::Swift => Some(match self.modules.packages.find(Family::Swift, module) {
                Some(package) => Def::Package(package),
                None => self
                    .externals
                    .def(module.split('.').next().unwrap_or(module)),
            }),
            Family::Dart => match self.modules.dart.find(tree, path, module) {
                Ok(found) => found,
                Err(outside) => Some(self.externals.def(&outside)),
            },
            Family::C if !import.is(ImportFlags::GLOB) || super::cpp::is_using(import) => {
                let scope = import
                    .enclosing
                    .map_or(file, |local| self.program.layout.node(file, local));
                self.cpp_qualifier(scope, module)
            }
            Family::C => {
                let is_system = import.is(ImportFlags::SYSTEM);
                let file = self
                    .modules
                    .includes
                    .find(tree, self.program, path, module, is_system);
                file.map(Def::Node)
                    .or_else(|| is_system.then(|| self.externals.def(module)))
            }
            Family::Ruby => self.modules.ruby.find(tree, path, module).map(Def::Node),
            Family::Lua => Some(self.lua_module(path, module)),
            Family::Shell => super::modules::sourced(tree, path, module).map(Def::Node),
            Family::Elixir => Some(self.elixir_module(module)),
            Family::Haskell => Some(self.haskell_module(module)),
            Family::Zig => Some(self.zig_module(path, module)),
            Family::Style => super::modules::style_sheet(tree, path, module).map(Def::Node),
            _ => None,
        }
    }

    /// What a module, package or type holds under a name.
    pub(super) fn module_member(&mut self, module: Def, name: &str, space: Space) -> Option<Found> {
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
        self.n_open += 1;
        let found =
            self.nested(|this| this.module_member_uncached(module, name, Some(interned), space));
        self.n_open -= 1;
        self.members.insert(key, Memo::Done(found));
        found
    }

    pub(super) fn module_member_uncached(
        &mut self,
        module: Def,
        name: &str,
        interned: Option<Name>,
        space: Space,
    ) -> Option<Found> {
        match module {
            Def::External(_) => Some(Found::new(module)),
            Def::Folder(folder) => self.folder_member(folder, name, interned, space),
            Def::Package(package) => self.package_member(package, name, interned, space),
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

    pub(super) fn folder_member(
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

    /// What a file or inline module gives to others under a name.
    pub(super) fn exported(
        &mut self,
        module: u32,
        name: &str,
        interned: Option<Name>,
        space: Space,
    ) -> Option<Found> {
        let family = self.program.family_of(module);
        if family == Family::Lua && self.program.is_file(module) {
            return self.lua_exported(module, interned?, space);
        }
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
        own.or_else(|| self.by_passed_glob(module, name, space))
    }

    /// The function or class that a CommonJS module is, itself or by `module.exports = require(…)`.
    pub(super) fn module_as_function(&mut self, file: u32) -> Option<u32> {
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
    pub(super) fn assigned_member(&self, module: u32, name: Name) -> Option<u32> {
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

    pub(super) fn python_child(&self, module: u32, name: &str) -> Option<Def> {
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
    pub(super) fn passed_on(&mut self, module: u32, name: Name, space: Space) -> Option<Found> {
        let file = self.program.file_of(module);
        // Elsewhere than in Python and Rust what a file imports is its own affair.
        let is_ecma = matches!(
            self.program.family_of(module),
            Family::Ecma | Family::Dart | Family::CSharp | Family::Php | Family::Java
        );
        let program = self.program;
        let imports = program.imports_in(module, name).filter(|&index| {
            !is_ecma
                || program
                    .import(file, index)
                    .is_some_and(|import| import.is(ImportFlags::REEXPORT))
        });
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

    /// A name from the modules that another passes on as a whole.
    fn by_passed_glob(&mut self, scope: u32, name: &str, space: Space) -> Option<Found> {
        let is_private = matches!(
            self.program.family_of(scope),
            Family::Dart | Family::CSharp | Family::Php | Family::Java
        );
        self.by_globs(scope, name, space, is_private)
    }

    pub(super) fn by_glob(&mut self, scope: u32, name: &str, space: Space) -> Option<Found> {
        self.by_globs(scope, name, space, false)
    }

    fn by_globs(
        &mut self,
        scope: u32,
        name: &str,
        space: Space,
        only_passed: bool,
    ) -> Option<Found> {
        let file = self.program.file_of(scope);
        let family = self.program.family_of(scope);
        // A default export is not passed on by a star.
        if family == Family::C || (family == Family::Ecma && name == "default") {
            return None;
        }
        let program = self.program;
        program.globs(scope).find_map(|index| {
            let import = self.program.import(file, index)?;
            if only_passed && !import.is(ImportFlags::REEXPORT) {
                return None;
            }
            let module = self.glob_module(file, index, import)?;
            if matches!(module, Def::External(_)) {
                return None;
            }
            let found = match module {
                // A part of a Dart library sees what the library does.
                Def::Node(library)
                    if family == Family::Dart
                        && import.is(ImportFlags::CHILD_MODULE)
                        && !import.is(ImportFlags::REEXPORT) =>
                {
                    self.library_name(library, name, space)?
                }
                module => self.module_member(module, name, space)?,
            };
            (!matches!(found.def, Def::External(_))).then_some(Found {
                by_glob: true,
                ..found.passed_on()
            })
        })
    }
}

/// `import a.b` of Python binds a.
fn bound_module(import: &Import) -> &str {
    let module = import.module.as_str();
    let head = module.split('.').next().unwrap_or(module);
    if import.is(ImportFlags::MODULE) && import.local == head {
        head
    } else {
        module
    }
}
