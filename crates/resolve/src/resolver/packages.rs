//! Names in packages and namespaces, by the rules that languages with declared packages share.

use super::{Found, Resolver, Space, Use};
use crate::modules::separator;
use crate::program::{Def, Family, FileId, Name, PackageId};
use graph::Reason;

impl Resolver<'_, '_> {
    /// Finds the member of a package under a name: a definition of one of its files, or a package within.
    pub(crate) fn package_member(
        &mut self,
        package: PackageId,
        name: &str,
        interned: Option<Name>,
        space: Space,
    ) -> Option<Found> {
        self.rules_of_package(package)
            .package_member(self, package, name, interned, space)
    }

    /// As [`Self::package_member`], by the common rules.
    pub(crate) fn common_package_member(
        &mut self,
        package: PackageId,
        name: &str,
        interned: Option<Name>,
        space: Space,
    ) -> Option<Found> {
        let modules = self.modules;
        let mut scopes = modules.packages.scopes(package).iter();
        let definition = interned
            .and_then(|name| scopes.find_map(|&scope| self.best_symbol(scope, name, space)));
        let nested = || modules.packages.inside(package, name).map(Def::Package);
        definition.map(Def::Node).or_else(nested).map(Found::new)
    }

    /// Looks in the other files of a file's package.
    pub(crate) fn in_own_package(
        &mut self,
        package: Option<PackageId>,
        name: &str,
        interned: Name,
        space: Space,
    ) -> Option<Use> {
        let found = self.package_member(package?, name, Some(interned), space)?;
        Some((found.def, Reason::SamePackage))
    }

    /// The package that a file declares for itself or belongs to by its path.
    pub(crate) fn declared_package(&self, file: FileId) -> Option<PackageId> {
        self.modules.packages.of_scope(file.into())
    }

    /// Finds a name in the packages around a package, innermost first.
    pub(crate) fn in_outer_packages(
        &mut self,
        package: PackageId,
        name: &str,
        interned: Name,
        space: Space,
    ) -> Option<Use> {
        let (family, mut outer) = self.modules.packages.name(package)?;
        while !outer.is_empty() {
            outer = outer
                .rsplit_once(separator(family))
                .map_or("", |(before, _)| before);
            let found = self
                .modules
                .packages
                .find(family, outer)
                .and_then(|package| self.package_member(package, name, Some(interned), space));
            if let Some(found) = found {
                return Some((found.def, Reason::SamePackage));
            }
        }
        None
    }

    /// A namespace by its full name, or by its name within the file's own namespace; or a type by that name.
    pub(crate) fn namespace(&mut self, family: Family, file: FileId, name: &str) -> Option<Def> {
        let packages = &self.modules.packages;
        if let Some(package) = packages.find(family, name) {
            return Some(Def::Package(package));
        }
        let own = self.program.facts(file).package.as_str();
        let relative = format!("{own}{}{name}", separator(family));
        if let Some(package) = packages.find(family, &relative) {
            return Some(Def::Package(package));
        }
        let (outer, last) = name.rsplit_once(separator(family))?;
        let outer = self.nested(|this| this.namespace(family, file, outer))?;
        self.module_member(outer, last, Space::Type)
            .map(|found| found.def)
    }
}
