//! Zig: a file is a container like others; written types include pointers, optionals and error unions.

use syntax::facts::Import;

use crate::program::{Def, FileId, NodeId};
use crate::resolver::{Common, Flags, Found, LanguageRules, Own, Resolver, Space, Use};
use crate::types::Ty;
use graph::Reason;

/// The rules of Zig.
pub(crate) struct Zig;

const FLAGS: Flags = Flags {
    has_implicit_this: true,
    files_are_types: true,
    calls_give_types: true,
    ..Flags::COMMON
};

impl LanguageRules for Zig {
    fn flags(&self) -> &'static Flags {
        &FLAGS
    }

    /// `@import("a.zig").b.C`
    fn imported_member(
        &self,
        r: &mut Resolver<'_, '_>,
        module: Def,
        name: &str,
        space: Space,
    ) -> Option<Found> {
        let mut parts = name.split('.');
        let first = r.module_member(module, parts.next()?, space)?;
        parts.try_fold(first, |found, part| r.module_member(found.def, part, space))
    }

    fn module_of<'a>(
        &self,
        r: &mut Resolver<'_, 'a>,
        file: FileId,
        import: &'a Import,
    ) -> Option<Def> {
        Some(r.zig_module(r.program.path(file), &import.module))
    }

    fn named_type(
        &self,
        r: &mut Resolver<'_, '_>,
        scope: NodeId,
        segments: &[&str],
    ) -> Own<Option<Use>> {
        match segments.first() {
            Some(&"Self") => Ok(Some((r.zig_container(scope), Reason::SelfType))),
            _ => Err(Common),
        }
    }

    fn named_module(&self, r: &mut Resolver<'_, '_>, scope: NodeId, path: &str) -> Ty {
        let from = r.program.path(r.program.file_of(scope));
        Ty::Def(r.zig_module(from, path))
    }
}

impl Resolver<'_, '_> {
    /// The file of an import, or the package outside.
    pub(crate) fn zig_module(&mut self, from: &str, module: &str) -> Def {
        match crate::modules::zig_file(&self.modules.tree, from, module) {
            Some(file) => file.into(),
            None => self.externals.def(module),
        }
    }

    /// The container around a place; at the top the file.
    pub(crate) fn zig_container(&self, scope: NodeId) -> Def {
        self.program
            .enclosing_type(scope)
            .map_or(self.program.file_of(scope).into(), Def::Node)
    }
}
