//! Exported members of modules: own names, re-exported names, names by stars.

use syntax::facts::{ImportFlags, SymbolKind};

use crate::program::{Def, FileId, Name, NodeId};
use crate::resolver::questions::{MemberOf, UnknownOf};
use crate::resolver::{Found, Resolver, Space};

impl Resolver<'_, '_> {
    /// Finds the member of a module, package or type under a name.
    pub(crate) fn module_member(&mut self, module: Def, name: &str, space: Space) -> Option<Found> {
        let Some(interned) = self.program.names.get(name) else {
            return self.unknown_member(module, name, space);
        };
        self.answer(MemberOf(module, interned, space), None, |this| {
            this.nested(|this| this.module_member_uncached(module, name, Some(interned), space))
        })
    }

    /// Finds a name that nothing in the repository declares, which may be that of a module or come from outside. Each
    /// module is asked once for an outermost question: modules that re-export all names of one another have too many
    /// paths through them.
    fn unknown_member(&mut self, module: Def, name: &str, space: Space) -> Option<Found> {
        if matches!(module, Def::External(_)) {
            return Some(Found::new(module));
        }
        self.answer(UnknownOf(module, name.to_owned(), space), None, |this| {
            this.nested(|this| this.module_member_uncached(module, name, None, space))
        })
    }

    pub(crate) fn module_member_uncached(
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

    pub(crate) fn folder_member(
        &mut self,
        folder: NodeId,
        name: &str,
        interned: Option<Name>,
        space: Space,
    ) -> Option<Found> {
        let mut all = self.all_rules().iter();
        all.find_map(|rules| rules.folder_member(self, folder, name, interned, space))
    }

    /// Finds the name that a file or inline module exports.
    pub(crate) fn exported(
        &mut self,
        module: NodeId,
        name: &str,
        interned: Option<Name>,
        space: Space,
    ) -> Option<Found> {
        self.rules(module)
            .exported(self, module, name, interned, space)
    }

    /// As [`Self::exported`], by the common rules.
    pub(crate) fn common_exported(
        &mut self,
        module: NodeId,
        name: &str,
        interned: Option<Name>,
        space: Space,
    ) -> Option<Found> {
        let rules = self.rules(module);
        if let Some(interned) = interned {
            if let Some(node) = self.best_symbol(module, interned, space) {
                return Some(Found::new(Def::Node(node)));
            }
            // `pub mod a; pub use a::a;`: the head of a path means the module.
            if space == Space::Type
                && let Some(child) = rules.declared_child(self, module, interned)
            {
                return Some(Found::new(Def::Node(child)));
            }
            if let Some(found) = self.passed_on(module, interned, space) {
                return Some(found);
            }
        }
        if let Ok(default) = rules.default_export(self, module, name) {
            return default;
        }
        let child = rules.submodule(self, module, name, interned);
        let own = child.or_else(|| {
            rules
                .assigned_member(self, module, interned?)
                .map(Def::Node)
        });
        own.map(Found::new)
            .or_else(|| self.by_passed_glob(module, name, space))
    }

    /// The function or class that a module is.
    pub(crate) fn module_as_function(&mut self, file: FileId) -> Option<NodeId> {
        self.rules(file).module_as_function(self, file)
    }

    /// A name that a module imports and re-exports.
    pub(crate) fn passed_on(&mut self, module: NodeId, name: Name, space: Space) -> Option<Found> {
        let file = self.program.file_of(module);
        let is_private = self.rules(module).flags().imports_are_private;
        let program = self.program;
        let imports = program.imports_in(module, name).filter(|&index| {
            !is_private
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

    /// A name from the modules whose names are all re-exported by a scope.
    fn by_passed_glob(&mut self, scope: NodeId, name: &str, space: Space) -> Option<Found> {
        let is_private = self.rules(scope).flags().globs_are_private;
        self.by_globs(scope, name, space, is_private)
    }

    pub(crate) fn by_glob(&mut self, scope: NodeId, name: &str, space: Space) -> Option<Found> {
        self.by_globs(scope, name, space, false)
    }

    fn by_globs(
        &mut self,
        scope: NodeId,
        name: &str,
        space: Space,
        only_passed: bool,
    ) -> Option<Found> {
        let file = self.program.file_of(scope);
        let rules = self.rules(scope);
        if !rules.comes_by_glob(name) {
            return None;
        }
        let program = self.program;
        program.globs(scope).find_map(|index| {
            if self.is_out_of_steps() {
                return None;
            }
            let import = self.program.import(file, index)?;
            if only_passed && !import.is(ImportFlags::REEXPORT) {
                return None;
            }
            let module = self.glob_module(file, index, import)?;
            if matches!(module, Def::External(_)) {
                return None;
            }
            let found = rules.glob_member(self, import, module, name, space)?;
            (!matches!(found.def, Def::External(_))).then_some(Found {
                by_glob: true,
                ..found.passed_on()
            })
        })
    }
}
