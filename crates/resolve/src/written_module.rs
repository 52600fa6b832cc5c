//! The module that an import names, by the rules of its language.

use syntax::facts::{Import, ImportFlags};

use super::family::Family;
use super::follow::{Resolver, Space};
use super::modules::EcmaTarget;
use super::program::Def;

/// A star's module is looked for through so many other stars: each of them asks all of its scope.
const MAX_OPEN_GLOBS: u32 = 3;

impl<'a> Resolver<'_, 'a> {
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
    pub(super) fn glob_module(&mut self, file: u32, index: u32, import: &'a Import) -> Option<Def> {
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
            EcmaTarget::Inside(def) => Some(def),
            EcmaTarget::Outside(name) => Some(self.externals.def(&name)),
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
