//! Swift: all files of a target are one module.

use syntax::facts::Import;

use crate::modules::swift_target;
use crate::program::{Def, Family, FileId, Name};
use crate::resolver::{Flags, LanguageRules, Resolver, Space, Use};
use graph::Reason;

/// The rules of Swift.
pub(crate) struct Swift;

const FLAGS: Flags = Flags {
    selves: &["self"],
    has_implicit_this: true,
    has_overloads: true,
    has_extensions: true,
    has_results_behind_names: true,
    ..Flags::COMMON
};

impl LanguageRules for Swift {
    fn flags(&self) -> &'static Flags {
        &FLAGS
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
        let target = swift_target(r.program.path(file));
        let own = r.modules.packages.find(Family::Swift, target);
        if let Some(found) = r.in_own_package(own, name, interned, space) {
            return Some(found);
        }
        let variable = if space == Space::Type {
            None
        } else {
            r.variable_before(file, interned, at)
        };
        variable
            .map(|def| (def, Reason::SameFile))
            .or_else(|| self.root_namespace(r, name))
    }

    fn root_namespace(&self, r: &Resolver<'_, '_>, name: &str) -> Option<Use> {
        r.root_package(Family::Swift, name)
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
