//! C#: nested namespaces, `using` of namespaces and types, `global using`, partial types.

use syntax::facts::{Import, ImportFlags, Symbol};

use crate::program::{Def, Family, FileId};
use crate::resolver::{Flags, LanguageRules, Place, Resolver, Space};

/// The rules of C#.
pub(crate) struct CSharp;

const FLAGS: Flags = Flags {
    above: "base",
    has_overloads: true,
    has_namespaces: true,
    beyond_file: &[
        Place::OwnPackage,
        Place::OuterPackages,
        Place::GlobalImports,
        Place::Packages,
    ],
    ..Flags::CLASSES
};

impl LanguageRules for CSharp {
    fn flags(&self) -> &'static Flags {
        &FLAGS
    }

    /// `using A.B`, `using static A.B` (a type), the namespace of an alias.
    fn module_of<'a>(
        &self,
        r: &mut Resolver<'_, 'a>,
        file: FileId,
        import: &'a Import,
    ) -> Option<Def> {
        let module = import.module.as_str();
        let is_static = import.is(ImportFlags::GLOB) && !import.name.is_empty();
        let namespace = r.namespace(Family::CSharp, file, module);
        if is_static {
            return match namespace {
                Some(outer) => r
                    .module_member(outer, &import.name, Space::Type)
                    .map(|found| found.def),
                None => Some(r.externals.def(module)),
            };
        }
        let end = module
            .match_indices('.')
            .nth(1)
            .map_or(module.len(), |(at, _)| at);
        Some(namespace.unwrap_or_else(|| r.externals.def(&module[..end])))
    }

    fn is_partial(&self, symbol: &Symbol) -> bool {
        symbol.signature.split(' ').any(|word| word == "partial")
    }
}
