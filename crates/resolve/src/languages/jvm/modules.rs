//! Modules of the class path: packages, classes in them, and in Scala names that the file can see.

use crate::program::{Def, Family, FileId};
use crate::resolver::{Found, Resolver, Space};

impl Resolver<'_, '_> {
    /// A package, a class in one (static imports and nested classes), or an external library. Scala's imports may begin
    /// with any name that the file can see.
    pub(crate) fn jvm_module(&mut self, file: FileId, module: &str, is_scala: bool) -> Def {
        let found = self.nested(|this| Some(this.java_module(module)));
        let found = found.unwrap_or_else(|| self.externals.def(module));
        if !matches!(found, Def::External(_)) || !is_scala {
            return found;
        }
        let mut segments = module.split('.');
        let head = segments.next().unwrap_or_default();
        let package = self.declared_package(file);
        let interned = self.program.names.get(head);
        let first = package
            .and_then(|package| self.package_member(package, head, interned, Space::Type))
            .or_else(|| {
                let (def, _) = self.in_outer_packages(package?, head, interned?, Space::Type)?;
                Some(Found::new(def))
            });
        let Some(mut current) = first.map(|found| found.def) else {
            return found;
        };
        for segment in segments {
            match self.module_member(current, segment, Space::Type) {
                Some(next) => current = next.def,
                None => return found,
            }
        }
        current
    }

    fn java_module(&mut self, module: &str) -> Def {
        if let Some(package) = self.modules.packages.find(Family::Java, module) {
            return Def::Package(package);
        }
        let inside = module.rsplit_once('.').and_then(|(outer, name)| {
            let looks_like_class = name.starts_with(char::is_uppercase);
            let may_be = looks_like_class || self.program.names.get(name).is_some();
            let outer = may_be.then(|| self.nested(|this| Some(this.java_module(outer))))??;
            if matches!(outer, Def::External(_)) {
                None
            } else {
                self.module_member(outer, name, Space::Type)
            }
        });
        inside.map_or_else(
            || {
                let end = module
                    .match_indices('.')
                    .nth(1)
                    .map_or(module.len(), |(at, _)| at);
                self.externals.def(&module[..end])
            },
            |found| found.def,
        )
    }
}
