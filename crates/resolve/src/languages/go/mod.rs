//! Go: multiple results of functions, embedded fields, files for one platform.

mod structural;

use syntax::facts::{Chain, Head, Import, Step, SymbolKind, TypeRef};

use crate::program::{Def, Family, FileId, Name, NodeId, is_function};
use crate::resolver::{Flags, Found, LanguageRules, Resolver, Space, Use};
use crate::types::Ty;
use graph::Reason;

/// The rules of Go.
pub(crate) struct Go;

const FLAGS: Flags = Flags {
    has_defined_types: true,
    has_several_results: true,
    ..Flags::COMMON
};

impl LanguageRules for Go {
    fn flags(&self) -> &'static Flags {
        &FLAGS
    }

    fn module_of<'a>(
        &self,
        r: &mut Resolver<'_, 'a>,
        file: FileId,
        import: &'a Import,
    ) -> Option<Def> {
        let (tree, module) = (&r.modules.tree, import.module.as_str());
        let found = r.modules.go.find(tree, r.program.path(file), module);
        Some(found.unwrap_or_else(|| r.externals.def(module)))
    }

    fn folder_member(
        &self,
        r: &mut Resolver<'_, '_>,
        folder: NodeId,
        _name: &str,
        interned: Option<Name>,
        space: Space,
    ) -> Option<Found> {
        let files = r.modules.tree.files_in(folder).iter().copied();
        let files = files.filter(|&file| r.program.family_of(file) == Family::Go);
        r.go_member(files, interned?, space)
            .map(|node| Found::new(Def::Node(node)))
    }

    fn lookup_beyond_file(
        &self,
        r: &mut Resolver<'_, '_>,
        file: FileId,
        _at: u32,
        _name: &str,
        interned: Name,
        space: Space,
    ) -> Option<Use> {
        let def = r.go_package_member(file, interned, space)?;
        Some((def, Reason::SamePackage))
    }

    fn relate_types(&self, r: &mut Resolver<'_, '_>) {
        r.read_structural_types();
    }

    fn bound(&self, r: &mut Resolver<'_, '_>, scope: NodeId, at: u32, value: &Chain<'_>) -> Ty {
        match (value.steps.last(), &value.head) {
            (Some(Step::Call), _) => r.go_second_result(scope, at, value),
            // The second value of a type assertion.
            (None, Head::Cast(_) | Head::Inner(_)) => Ty::Unknown,
            _ => r.evaluate_chain(scope, at, value).ty,
        }
    }

    /// `s.Storage` of a struct that embeds `storage.Storage`.
    fn embedded(&self, r: &mut Resolver<'_, '_>, node: NodeId, name: &str) -> Option<Ty> {
        if r.program.kind(node) != Some(SymbolKind::Struct) {
            return None;
        }
        let bases = &r.program.symbol(node)?.rare.bases;
        let embedded = bases.iter().find(|base| {
            let written = r.program.written(node, base.ty);
            matches!(written, Some(TypeRef::Named(path, _)) if path.last() == Some(&name))
        })?;
        Some(r.type_of(node, embedded.ty))
    }
}

impl Resolver<'_, '_> {
    /// The second result of a written call, `h, b := r.bucket(hash)`: of named functions and methods only.
    pub(crate) fn go_second_result(&mut self, scope: NodeId, at: u32, call: &Chain<'_>) -> Ty {
        let mut chain = call.clone();
        chain.steps.pop();
        let Some(function) = self.called_function(scope, at, &mut chain) else {
            return Ty::Unknown;
        };
        let written = self.program.symbol(function).and_then(|symbol| symbol.ty);
        let second = written.and_then(|ty| self.result_at(function, ty, 1));
        self.type_of(function, second)
    }

    /// The function that a chain calls; removes the last step of the chain.
    fn called_function(&mut self, scope: NodeId, at: u32, chain: &mut Chain<'_>) -> Option<NodeId> {
        let callee = match chain.steps.pop() {
            Some(Step::Member(name)) => {
                let receiver = self.evaluate_chain(scope, at, chain).ty;
                self.member_for(&receiver, name, true)?.0
            }
            None => match chain.head {
                Head::Name(name) => self.lookup(scope, at, name, Space::Value)?.0,
                _ => return None,
            },
            Some(_) => return None,
        };
        match callee {
            Def::Node(node) if self.program.kind(node).is_some_and(is_function) => Some(node),
            _ => None,
        }
    }

    /// Names of the other files of a Go package; those of its tests only for tests.
    pub(crate) fn go_package_member(
        &mut self,
        file: FileId,
        name: Name,
        space: Space,
    ) -> Option<Def> {
        let folder = self.modules.tree.folder_of(file);
        let package = self.program.facts(file).package.as_str();
        let files = self.modules.tree.files_in(folder);
        let files = files
            .iter()
            .filter(|&&other| {
                self.program.family_of(other) == Family::Go
                    && self.program.facts(other).package == package
                    && (self.program.is_test(file) || !self.program.is_test(other))
            })
            .copied();
        self.go_member(files, name, space).map(Def::Node)
    }

    /// Finds a name in one of the files of a package. A definition that the default build leaves out is found where no
    /// other defines the name.
    pub(crate) fn go_member(
        &self,
        files: impl Iterator<Item = FileId>,
        name: Name,
        space: Space,
    ) -> Option<NodeId> {
        let mut first = None;
        for file in files {
            let Some(node) = self.best_symbol(file.into(), name, space) else {
                continue;
            };
            if !self.program.is_left_out(node) {
                return Some(node);
            }
            first = first.or(Some(node));
        }
        first
    }
}
