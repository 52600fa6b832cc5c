//! Swift: all files of a target are one module.

use syntax::facts::Import;

use crate::program::{Def, Family, FileId};
use crate::resolver::{Flags, LanguageRules, Place, Resolver};

/// The rules of Swift.
pub(crate) struct Swift;

const FLAGS: Flags = Flags {
    selves: &["self"],
    has_implicit_this: true,
    has_overloads: true,
    has_extensions: true,
    has_results_behind_names: true,
    beyond_file: &[Place::OwnPackage, Place::Variables(""), Place::Packages],
    ..Flags::COMMON
};

impl LanguageRules for Swift {
    fn flags(&self) -> &'static Flags {
        &FLAGS
    }

    fn module_of<'a>(
        &self,
        r: &mut Resolver<'_, 'a>,
        _file: FileId,
        import: &'a Import,
    ) -> Option<Def> {
        let module = import.module.as_str();
        let package = r.modules.packages.find(Family::Swift, module);
        let outside = module.split('.').next().unwrap_or(module);
        Some(package.map_or_else(|| r.externals.def(outside), Def::Package))
    }
}
