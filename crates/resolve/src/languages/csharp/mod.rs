//! C#: nested namespaces, `using` of namespaces and types, `global using`, partial types.

use syntax::facts::{Import, ImportFlags, Symbol};

use crate::modules::namespace_of;
use crate::program::{Def, Family, FileId, Name, NodeId};
use crate::resolver::{Flags, LanguageRules, Resolver, Space, Use};
use graph::Reason;

/// Maximum number of `global using` in which a name is looked for.
const MAX_GLOBAL_USINGS: usize = 200;

/// The rules of C#.
pub(crate) struct CSharp;

const FLAGS: Flags = Flags {
    selves: &["this"],
    above: "base",
    has_implicit_this: true,
    imports_are_private: true,
    globs_are_private: true,
    has_overloads: true,
    has_extensions: true,
    ..Flags::COMMON
};

impl LanguageRules for CSharp {
    fn flags(&self) -> &'static Flags {
        &FLAGS
    }

    /// All parts of the namespace, wherever they are declared, then those around it.
    fn lookup_in_namespaces(
        &self,
        r: &mut Resolver<'_, '_>,
        module: NodeId,
        name: &str,
        interned: Option<Name>,
        space: Space,
    ) -> Option<Use> {
        let full = namespace_of(r.program, module);
        let package = r.modules.packages.find(Family::CSharp, &full)?;
        if let Some(found) = r.package_member(package, name, interned, space) {
            return Some((found.def, Reason::SamePackage));
        }
        r.in_outer_namespaces(Family::CSharp, &full, name, interned?, space)
    }

    fn lookup_beyond_file(
        &self,
        r: &mut Resolver<'_, '_>,
        file: FileId,
        _at: u32,
        name: &str,
        interned: Name,
        space: Space,
    ) -> Option<Use> {
        let package = r.program.facts(file).package.as_str();
        r.in_own_package(r.declared_package(file), name, interned, space)
            .or_else(|| r.in_outer_namespaces(Family::CSharp, package, name, interned, space))
            .or_else(|| r.by_global_using(name, space))
            .or_else(|| self.root_namespace(r, name))
    }

    fn root_namespace(&self, r: &Resolver<'_, '_>, name: &str) -> Option<Use> {
        r.root_package(Family::CSharp, name)
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

impl Resolver<'_, '_> {
    /// `global using` of any file.
    fn by_global_using(&mut self, name: &str, space: Space) -> Option<Use> {
        let globals = self.modules.packages.globals().to_vec();
        globals
            .into_iter()
            .take(MAX_GLOBAL_USINGS)
            .find_map(|(file, index)| {
                let import = self.program.import(file, index)?;
                let found = if import.local.is_empty() {
                    let module = self.module_of(file, import)?;
                    if matches!(module, Def::External(_)) {
                        return None;
                    }
                    self.module_member(module, name, space)?
                } else if import.local == name {
                    self.import(file, index, space)?
                } else {
                    return None;
                };
                Some((found.def, Reason::GlobImport))
            })
    }
}
