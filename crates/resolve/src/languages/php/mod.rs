//! PHP: namespaces with `\`, functions and constants that fall back to the global one, included files, Composer's
//! autoload.

use syntax::facts::Import;

use crate::modules::Composer;
use crate::program::{Def, Family, FileId, is_type_scope};
use crate::resolver::{Flags, LanguageRules, Place, Resolver, Space};

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
    has_namespaces: true,
    // Files that a file includes hold names of the same namespace; they are found by path. Functions and constants fall
    // back to the global namespace.
    beyond_file: &[
        Place::OwnPackage,
        Place::Includes,
        Place::NamelessPackage,
        Place::Variables("$"),
        Place::Packages,
    ],
    ..Flags::COMMON
};

impl LanguageRules for Php {
    fn flags(&self) -> &'static Flags {
        &FLAGS
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
