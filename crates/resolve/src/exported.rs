//! What a module holds for others under a name: its own, what it passes on, what its stars bring.

use rustc_hash::FxHashMap;
use syntax::facts::{ImportFlags, SymbolKind};

use super::family::Family;
use super::follow::{Found, Memo, Resolver, Space};
use super::modules::folder_of;
use super::names::Name;
use super::program::Def;

impl Resolver<'_, '_> {
    /// What a module, package or type holds under a name.
    pub(super) fn module_member(&mut self, module: Def, name: &str, space: Space) -> Option<Found> {
        let Some(interned) = self.program.names.get(name) else {
            return self.unknown_member(module, name, space);
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

    /// A name that nothing in the repository declares may be a module's, or come from outside. Modules that pass on all names of one
    /// another are asked once each: by every way that leads through them would be for ever. Kept until the question is answered.
    fn unknown_member(&mut self, module: Def, name: &str, space: Space) -> Option<Found> {
        if matches!(module, Def::External(_)) {
            return Some(Found::new(module));
        }
        let key = (module, name.to_owned(), space);
        match self.unknown_members.get(&key) {
            Some(Memo::Open) => return None,
            Some(Memo::Done(found)) => return *found,
            None => {}
        }
        self.unknown_members.insert(key.clone(), Memo::Open);
        self.n_open += 1;
        let found = self.nested(|this| this.module_member_uncached(module, name, None, space));
        self.n_open -= 1;
        if self.n_open == 0 {
            self.unknown_members = FxHashMap::default();
        } else {
            self.unknown_members.insert(key, Memo::Done(found));
        }
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
        let files = files
            .iter()
            .filter(|&&file| self.program.family[file as usize] == Family::Go)
            .copied();
        self.go_member(files, interned, space)
            .map(|node| Found::new(Def::Node(node)))
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
