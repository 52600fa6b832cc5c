//! Places beyond a file where a name is looked for that the file neither declares nor imports. A language lists them in
//! its flags, in the order in which they are asked.

use super::{Resolver, Space, Use};
use crate::program::{Def, FileId, Name, NodeId};
use graph::Reason;

/// Maximum number of imports of other files in which a name is looked for.
const MAX_GLOBAL_IMPORTS: usize = 200;

/// A place beyond a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// The package or namespace that the file is a part of.
    OwnPackage,
    /// The packages around it, innermost first.
    OuterPackages,
    /// Names outside of all packages.
    NamelessPackage,
    /// Imports of any file that hold in every file: `global using`.
    GlobalImports,
    /// The files that the file includes.
    Includes,
    /// Variables at the top of the file whose names begin with these characters.
    Variables(&'static str),
    /// The packages whose full names begin with the name.
    Packages,
}

/// A name that is looked for beyond the file in which it is used.
struct Beyond<'n> {
    file: FileId,
    at: u32,
    name: &'n str,
    interned: Name,
    space: Space,
}

impl Resolver<'_, '_> {
    /// Finds a name in the places that the language of a file lists.
    pub(crate) fn lookup_in_places(
        &mut self,
        file: FileId,
        at: u32,
        name: &str,
        interned: Name,
        space: Space,
    ) -> Option<Use> {
        let places = self.rules(file).flags().beyond_file;
        let wanted = Beyond {
            file,
            at,
            name,
            interned,
            space,
        };
        places
            .iter()
            .find_map(|place| self.lookup_in_place(*place, &wanted))
    }

    /// Finds the package of a name that no file of the repository declares.
    pub(crate) fn root_package(&self, file: FileId, name: &str) -> Option<Use> {
        let places = self.rules(file).flags().beyond_file;
        let has_packages = places.contains(&Place::Packages);
        has_packages.then(|| self.package_called(file, name))?
    }

    /// Finds a name in all parts of the namespace that a module of a file is a part of, wherever they are declared, then
    /// in those around it if the language looks there.
    pub(crate) fn lookup_in_blocks(
        &mut self,
        module: NodeId,
        name: &str,
        interned: Option<Name>,
        space: Space,
    ) -> Option<Use> {
        let package = self.modules.packages.of_scope(module)?;
        if let Some(found) = self.package_member(package, name, interned, space) {
            return Some((found.def, Reason::SamePackage));
        }
        let places = self.rules(module).flags().beyond_file;
        if !places.contains(&Place::OuterPackages) {
            return None;
        }
        self.in_outer_packages(package, name, interned?, space)
    }

    fn lookup_in_place(&mut self, place: Place, wanted: &Beyond<'_>) -> Option<Use> {
        let Beyond {
            file,
            at,
            name,
            interned,
            space,
        } = *wanted;
        match place {
            Place::OwnPackage => {
                self.in_own_package(self.declared_package(file), name, interned, space)
            }
            Place::OuterPackages => {
                let own = self.declared_package(file)?;
                self.in_outer_packages(own, name, interned, space)
            }
            Place::NamelessPackage => {
                let family = self.program.family_of(file);
                let nameless = self.modules.packages.find(family, "");
                self.in_own_package(nameless, name, interned, space)
            }
            Place::GlobalImports => self.in_global_imports(name, space),
            Place::Includes => {
                let found = self.by_glob(file.into(), name, space)?;
                Some((found.def, Reason::GlobImport))
            }
            Place::Variables(prefix) => {
                if space == Space::Type || !name.starts_with(prefix) {
                    return None;
                }
                let found = self.variable_before(file, interned, at)?;
                Some((found, Reason::SameFile))
            }
            Place::Packages => self.package_called(file, name),
        }
    }

    /// The first part of a full name: `Acme` of `Acme.Util.Tool`.
    fn package_called(&self, file: FileId, name: &str) -> Option<Use> {
        let family = self.program.family_of(file);
        let package = self.modules.packages.find(family, name)?;
        Some((Def::Package(package), Reason::SamePackage))
    }

    fn in_global_imports(&mut self, name: &str, space: Space) -> Option<Use> {
        let globals = self.modules.packages.globals();
        let mut globals = globals.iter().take(MAX_GLOBAL_IMPORTS);
        globals.find_map(|&(file, index)| {
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
