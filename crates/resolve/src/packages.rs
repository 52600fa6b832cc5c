//! Names of packages and namespaces: Java, Kotlin, Scala, C#, PHP, Swift; the libraries of Dart.

use syntax::Language;
use syntax::facts::{Import, ImportFlags, SymbolKind};

use super::family::Family;
use super::follow::{Found, Resolver, Space};
use super::modules::{Composer, namespace_of, separator};
use super::names::Name;
use super::program::{Def, is_type_scope};
use graph::Reason;

impl Resolver<'_, '_> {
    /// What a package holds under a name: a definition of one of its files, or a package within.
    pub(super) fn package_member(
        &mut self,
        package: u32,
        name: &str,
        interned: Option<Name>,
        space: Space,
    ) -> Option<Found> {
        let modules = self.modules;
        if modules.packages.family(package) == Some(Family::C) {
            return self.cpp_package_member(package, interned?, space);
        }
        let mut scopes = modules.packages.scopes(package).iter();
        let definition = interned
            .and_then(|name| scopes.find_map(|&scope| self.best_symbol(scope, name, space)));
        let nested = || modules.packages.inside(package, name).map(Def::Package);
        definition.map(Def::Node).or_else(nested).map(Found::new)
    }

    /// The package that a file declares for itself, or its Swift module.
    fn package_of(&self, file: u32) -> Option<u32> {
        let packages = &self.modules.packages;
        match self.program.family.get(file as usize)? {
            Family::Swift => {
                let target = super::modules::swift_target(self.program.path(file));
                packages.find(Family::Swift, target)
            }
            family => packages.find(*family, &self.program.facts(file).package),
        }
    }

    /// The other files of a file's package, then the packages around it where a language looks there.
    pub(super) fn lookup_in_package(
        &mut self,
        file: u32,
        at: u32,
        name: &str,
        interned: Name,
        space: Space,
    ) -> Option<(Def, Reason)> {
        let family = *self.program.family.get(file as usize)?;
        let own = self.package_of(file);
        if let Some(found) =
            own.and_then(|package| self.package_member(package, name, Some(interned), space))
        {
            return Some((found.def, Reason::SamePackage));
        }
        let found = match family {
            Family::CSharp => {
                let package = self.program.facts(file).package.as_str();
                self.in_outer_namespaces(Family::CSharp, package, name, interned, space)
                    .or_else(|| self.by_global_using(name, space))
            }
            Family::Php => {
                let found = self.included_name(file, name, space);
                // Functions and constants fall back to the global namespace.
                let global = || {
                    let global = self.modules.packages.find(Family::Php, "")?;
                    self.package_member(global, name, Some(interned), space)
                        .map(|found| (found.def, Reason::SamePackage))
                };
                found.or_else(global).or_else(|| {
                    let variable = name.starts_with('$') && space != Space::Type;
                    variable
                        .then(|| self.variable_before(file, interned, at))?
                        .map(|def| (def, Reason::SameFile))
                })
            }
            Family::Java if self.language(file) == Language::Scala => {
                let package = self.program.facts(file).package.as_str();
                self.in_outer_namespaces(Family::Java, package, name, interned, space)
            }
            Family::Swift if space != Space::Type => self
                .variable_before(file, interned, at)
                .map(|def| (def, Reason::SameFile)),
            _ => None,
        };
        found.or_else(|| self.root_namespace(family, name))
    }

    /// The first part of a full name: `Acme` of `Acme.Util.Tool`.
    pub(super) fn root_namespace(&self, family: Family, name: &str) -> Option<(Def, Reason)> {
        if !matches!(family, Family::CSharp | Family::Php | Family::Swift) {
            return None;
        }
        let package = self.modules.packages.find(family, name)?;
        Some((Def::Package(package), Reason::SamePackage))
    }

    /// Files that a PHP file includes hold the same namespace's names; they are found by path.
    fn included_name(&mut self, file: u32, name: &str, space: Space) -> Option<(Def, Reason)> {
        self.by_glob(file, name, space)
            .map(|found| (found.def, Reason::GlobImport))
    }

    /// Namespaces around an inline one: all its parts, wherever they are declared, then those around it.
    pub(super) fn lookup_in_namespaces(
        &mut self,
        node: u32,
        name: &str,
        interned: Option<Name>,
        space: Space,
    ) -> Option<(Def, Reason)> {
        let family = self.program.family_of(node);
        if family == Family::C {
            return self.cpp_namespace(node, interned?, space);
        }
        if !matches!(family, Family::CSharp | Family::Php) {
            return None;
        }
        let full = namespace_of(self.program, node);
        let package = self.modules.packages.find(family, &full)?;
        if let Some(found) = self.package_member(package, name, interned, space) {
            return Some((found.def, Reason::SamePackage));
        }
        if family == Family::CSharp {
            self.in_outer_namespaces(family, &full, name, interned?, space)
        } else {
            None
        }
    }

    fn in_outer_namespaces(
        &mut self,
        family: Family,
        package: &str,
        name: &str,
        interned: Name,
        space: Space,
    ) -> Option<(Def, Reason)> {
        let mut outer = package;
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

    /// `global using` of any file.
    fn by_global_using(&mut self, name: &str, space: Space) -> Option<(Def, Reason)> {
        let globals = self.modules.packages.globals().to_vec();
        globals.into_iter().take(200).find_map(|(file, index)| {
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

    /// A package, or a class in one (static imports and nested classes), or a library outside. Scala's imports may begin
    /// with what the file can see.
    pub(super) fn jvm_module(&mut self, file: u32, module: &str) -> Def {
        let found = self.nested(|this| Some(this.java_module(module)));
        let found = found.unwrap_or_else(|| self.externals.def(module));
        if !matches!(found, Def::External(_)) || self.language(file) != Language::Scala {
            return found;
        }
        let mut segments = module.split('.');
        let head = segments.next().unwrap_or_default();
        let package = self.package_of(file);
        let interned = self.program.names.get(head);
        let first = package
            .and_then(|package| self.package_member(package, head, interned, Space::Type))
            .or_else(|| {
                let own = self.program.facts(file).package.as_str();
                let (def, _) =
                    self.in_outer_namespaces(Family::Java, own, head, interned?, Space::Type)?;
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

    /// `using A.B`, `using static A.B` (a type), the namespace of an alias.
    pub(super) fn csharp_module(&mut self, file: u32, import: &Import) -> Option<Def> {
        let module = import.module.as_str();
        let is_static = import.is(ImportFlags::GLOB) && !import.name.is_empty();
        let namespace = self.namespace(Family::CSharp, file, module);
        if is_static {
            return match namespace {
                Some(outer) => self
                    .module_member(outer, &import.name, Space::Type)
                    .map(|found| found.def),
                None => Some(self.externals.def(module)),
            };
        }
        let end = module
            .match_indices('.')
            .nth(1)
            .map_or(module.len(), |(at, _)| at);
        Some(namespace.unwrap_or_else(|| self.externals.def(&module[..end])))
    }

    /// A namespace by its full name, or as seen from the file's own; or a type by that name.
    fn namespace(&mut self, family: Family, file: u32, name: &str) -> Option<Def> {
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

    /// `use A\B` takes B of the namespace A; `require` the names of a file.
    pub(super) fn php_module(&mut self, file: u32, import: &Import) -> Option<Def> {
        let modules = self.modules;
        if let Some(path) = import.module.strip_prefix("./") {
            return Composer::included(&modules.tree, self.program.path(file), path).map(Def::Node);
        }
        let by_class = modules
            .composer
            .file_of_class(&modules.tree, &import.module, &import.name)
            .filter(|&found| {
                self.program.names.get(&import.name).is_some_and(|name| {
                    self.best_symbol(found, name, Space::Type)
                        .and_then(|node| self.program.kind(node))
                        .is_some_and(is_type_scope)
                })
            });
        if let Some(file) = by_class {
            return Some(Def::Node(file));
        }
        match modules.packages.find(Family::Php, &import.module) {
            Some(package) => Some(Def::Package(package)),
            None => {
                let vendor = import.module.split('\\').next().unwrap_or_default();
                Some(self.externals.def(vendor))
            }
        }
    }

    /// What a part of a Dart library sees of the library: its names and what it imports.
    pub(super) fn library_name(&mut self, library: u32, name: &str, space: Space) -> Option<Found> {
        let interned = self.program.names.get(name);
        self.lookup_in_module(library, name, interned, space)
            .map(|(def, _)| Found::new(def))
    }

    /// Imports of Scala hold in the class or function that they stand in.
    pub(super) fn scala_local_import(
        &mut self,
        node: u32,
        name: &str,
        interned: Option<Name>,
        space: Space,
    ) -> Option<(Def, Reason)> {
        let file = self.program.file_of(node);
        if node == file || self.language(file) != Language::Scala {
            return None;
        }
        let found = interned
            .and_then(|interned| self.local_import(node, file, interned, space))
            .or_else(|| self.by_glob(node, name, space))?;
        Some((found.def, found.import_reason()))
    }

    /// Whether naming a method calls it: those of Scala that have no parameters.
    pub(super) fn is_called_by_name(&self, node: u32) -> bool {
        let symbol = self.program.symbol(node);
        self.language(self.program.file_of(node)) == Language::Scala
            && symbol.is_some_and(|symbol| {
                symbol.kind != SymbolKind::Constructor && symbol.parameters.is_empty()
            })
    }

    /// A member of the object that accompanies a class: `companion object` in Kotlin, an object of the class's name in
    /// Scala.
    pub(super) fn companion_member(&self, node: u32, name: Name, is_call: bool) -> Option<Def> {
        let program = self.program;
        if program.family_of(node) != Family::Java || program.kind(node) == Some(SymbolKind::Impl) {
            return None;
        }
        let file = program.file_of(node);
        match self.language(file) {
            Language::Kotlin => {
                let companion = program.names.get("Companion");
                let named = companion
                    .into_iter()
                    .flat_map(|name| program.symbols_in(node, name));
                let is_companion = |child: &u32| {
                    program
                        .symbol(*child)
                        .is_some_and(|symbol| symbol.signature.contains("companion object"))
                };
                named
                    .chain(program.types_in(node))
                    .filter(is_companion)
                    .find_map(|child| self.own_member(child, name, is_call))
            }
            Language::Scala => {
                let scope = program.parent(node)?;
                let own = program.name(node)?;
                program
                    .symbols_in(scope, own)
                    .filter(|&other| {
                        other != node && program.kind(other).is_some_and(is_type_scope)
                    })
                    .find_map(|other| self.own_member(other, name, is_call))
            }
            _ => None,
        }
    }

    pub(super) fn language(&self, file: u32) -> Language {
        self.program.facts(file).language
    }
}
