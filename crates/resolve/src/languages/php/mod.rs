//! PHP: namespaces with `\`, functions and constants that fall back to the global one, included files, Composer's
//! autoload.

use syntax::facts::Import;

use crate::modules::{Composer, namespace_of};
use crate::program::{Def, Family, FileId, Name, NodeId, is_type_scope};
use crate::resolver::{Flags, LanguageRules, Resolver, Space, Use};
use graph::Reason;

/// The rules of PHP.
pub(crate) struct Php;

const FLAGS: Flags = Flags {
    selves: &["$this"],
    above: "parent",
    own_types: &["Self", "self", "static"],
    types_themselves: &["cls", "Self", "static", "self"],
    receiver_results: &["static", "self", "$this"],
    imports_are_private: true,
    globs_are_private: true,
    ..Flags::COMMON
};

impl LanguageRules for Php {
    fn flags(&self) -> &'static Flags {
        &FLAGS
    }

    fn lookup_in_namespaces(
        &self,
        r: &mut Resolver<'_, '_>,
        module: NodeId,
        name: &str,
        interned: Option<Name>,
        space: Space,
    ) -> Option<Use> {
        let full = namespace_of(r.program, module);
        let package = r.modules.packages.find(Family::Php, &full)?;
        let found = r.package_member(package, name, interned, space)?;
        Some((found.def, Reason::SamePackage))
    }

    fn lookup_beyond_file(
        &self,
        r: &mut Resolver<'_, '_>,
        file: FileId,
        at: u32,
        name: &str,
        interned: Name,
        space: Space,
    ) -> Option<Use> {
        let own = r.declared_package(file);
        if let Some(found) = r.in_own_package(own, name, interned, space) {
            return Some(found);
        }
        // Files that a file includes hold the same namespace's names; they are found by path.
        if let Some(found) = r.by_glob(file.into(), name, space) {
            return Some((found.def, Reason::GlobImport));
        }
        // Functions and constants fall back to the global namespace.
        let global = r.modules.packages.find(Family::Php, "");
        if let Some(found) = r.in_own_package(global, name, interned, space) {
            return Some(found);
        }
        let variable = if name.starts_with('$') && space != Space::Type {
            r.variable_before(file, interned, at)
        } else {
            None
        };
        variable
            .map(|def| (def, Reason::SameFile))
            .or_else(|| self.root_namespace(r, name))
    }

    fn root_namespace(&self, r: &Resolver<'_, '_>, name: &str) -> Option<Use> {
        r.root_package(Family::Php, name)
    }

    /// `use A\B` takes B of the namespace A; `require` the names of a file.
    fn module_of<'a>(
        &self,
        r: &mut Resolver<'_, 'a>,
        file: FileId,
        import: &'a Import,
    ) -> Option<Def> {
        let modules = r.modules;
        if let Some(path) = import.module.strip_prefix("./") {
            return Composer::included(&modules.tree, r.program.path(file), path).map(Def::from);
        }
        let by_class = modules
            .composer
            .file_of_class(&modules.tree, &import.module, &import.name)
            .filter(|&found| {
                r.program.names.get(&import.name).is_some_and(|name| {
                    r.best_symbol(found.into(), name, Space::Type)
                        .and_then(|node| r.program.kind(node))
                        .is_some_and(is_type_scope)
                })
            });
        if let Some(file) = by_class {
            return Some(file.into());
        }
        match modules.packages.find(Family::Php, &import.module) {
            Some(package) => Some(Def::Package(package)),
            None => {
                let vendor = import.module.split('\\').next().unwrap_or_default();
                Some(r.externals.def(vendor))
            }
        }
    }
}
