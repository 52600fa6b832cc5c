//! Packages and namespaces that files declare by name, in any folder: Java, Kotlin and Scala (which see each other's),
//! C#, PHP and C++. In Swift every file of a target is in the target's module.

use rustc_hash::{FxHashMap, FxHashSet};
use syntax::facts::{Symbol, SymbolKind};

use crate::program::{Family, FileId, ImportId, NodeId, PackageId, Program};

/// Packages of the repository and the scopes that hold their names: files, or namespaces declared within files.
pub(crate) struct Packages {
    by_name: FxHashMap<Family, FxHashMap<String, PackageId>>,
    /// Last parts of their names, to reject most other names early.
    parts: FxHashSet<String>,
    names: Vec<(Family, String)>,
    scopes: Vec<Vec<NodeId>>,
    of_scope: FxHashMap<NodeId, PackageId>,
    /// C#: imports that hold in every file (`global using`), as file and number.
    globals: Vec<(FileId, ImportId)>,
}

impl Packages {
    pub fn new(program: &Program<'_>) -> Self {
        let mut packages = Packages {
            by_name: FxHashMap::default(),
            parts: FxHashSet::default(),
            names: Vec::new(),
            scopes: Vec::new(),
            of_scope: FxHashMap::default(),
            globals: Vec::new(),
        };
        for file in program.files() {
            let family = program.family_of(file);
            let name = match family {
                Family::Java | Family::CSharp | Family::Php => program.facts(file).package.as_str(),
                Family::Swift => swift_target(program.path(file)),
                // Names outside of all namespaces.
                Family::C => "",
                _ => continue,
            };
            packages.add(family, name, file.into());
            if family == Family::CSharp {
                packages.add_globals(program, file);
            }
        }
        for (node, symbol) in program.related_symbols() {
            if symbol.kind != SymbolKind::Module {
                continue;
            }
            let family = program.family_of(node);
            if has_namespaces(family) {
                packages.add(family, &namespace_of(program, node), node);
            } else if is_package_object(symbol) {
                let around = program.facts(program.file_of(node)).package.as_str();
                let inside = namespace_of(program, node);
                let name = [around, &inside].join(".");
                packages.add(family, name.trim_start_matches('.'), node);
            }
        }
        packages
    }

    fn add(&mut self, family: Family, name: &str, scope: NodeId) {
        let id = self.id(family, name);
        self.of_scope.insert(scope, id);
        if let Some(scopes) = self.scopes.get_mut(id.index()) {
            scopes.push(scope);
        }
        // `A.B` makes `A` a namespace, too.
        let mut outer = name;
        while has_namespaces(family)
            && let Some((before, _)) = outer.rsplit_once(separator(family))
        {
            self.id(family, before);
            outer = before;
        }
    }

    fn id(&mut self, family: Family, name: &str) -> PackageId {
        let next = PackageId(self.names.len() as u32);
        if let Some(known) = self.find(family, name) {
            return known;
        }
        let by_name = self.by_name.entry(family).or_default();
        by_name.insert(name.to_owned(), next);
        let last = name.rsplit(separator(family)).next().unwrap_or(name);
        self.parts.insert(last.to_owned());
        self.names.push((family, name.to_owned()));
        self.scopes.push(Vec::new());
        next
    }

    fn add_globals(&mut self, program: &Program<'_>, file: FileId) {
        let imports = ImportId::numbered(&program.facts(file).imports);
        let is_global =
            |import: &syntax::facts::Import| import.is(syntax::facts::ImportFlags::REEXPORT);
        self.globals.extend(
            imports
                .filter(|(_, import)| is_global(import))
                .map(|(index, _)| (file, index)),
        );
    }

    /// The package of this name.
    pub fn find(&self, family: Family, name: &str) -> Option<PackageId> {
        self.by_name.get(&family)?.get(name).copied()
    }

    /// The package within a package.
    pub fn inside(&self, package: PackageId, name: &str) -> Option<PackageId> {
        let (family, outer) = self.names.get(package.index())?;
        if outer.is_empty() {
            return self.find(*family, name);
        }
        if !name.contains(separator(*family)) && !self.parts.contains(name) {
            return None;
        }
        self.find(*family, &format!("{outer}{}{name}", separator(*family)))
    }

    /// The family of languages of a package, and its full name.
    pub fn name(&self, package: PackageId) -> Option<(Family, &str)> {
        let (family, name) = self.names.get(package.index())?;
        Some((*family, name))
    }

    /// The family of languages of a package.
    pub fn family(&self, package: PackageId) -> Option<Family> {
        self.names.get(package.index()).map(|(family, _)| *family)
    }

    /// The package that a file or inline namespace is a part of.
    pub fn of_scope(&self, scope: NodeId) -> Option<PackageId> {
        self.of_scope.get(&scope).copied()
    }

    /// The package around a package; the nameless one around the outermost.
    pub fn outer(&self, package: PackageId) -> Option<PackageId> {
        let (family, name) = self.names.get(package.index())?;
        let around = name
            .rsplit_once(separator(*family))
            .map_or("", |(before, _)| before);
        if name.is_empty() {
            None
        } else {
            self.find(*family, around)
        }
    }

    /// Files and inline namespaces of a package.
    pub fn scopes(&self, package: PackageId) -> &[NodeId] {
        self.scopes.get(package.index()).map_or(&[], Vec::as_slice)
    }

    /// Imports that hold in every C# file.
    pub fn globals(&self) -> &[(FileId, ImportId)] {
        &self.globals
    }
}

/// Returns the separator of a package's name.
pub(crate) fn separator(family: Family) -> &'static str {
    match family {
        Family::Php => "\\",
        Family::C => "::",
        _ => ".",
    }
}

/// Whether namespaces can be declared inside a file.
fn has_namespaces(family: Family) -> bool {
    matches!(family, Family::CSharp | Family::Php | Family::C)
}

/// Returns whether a symbol holds members of a package of Scala: `package object util { … }`.
pub(crate) fn is_package_object(symbol: &Symbol) -> bool {
    symbol.signature.starts_with("package object ")
}

/// The full name of the namespace that a file declares around a node.
pub(crate) fn namespace_of(program: &Program<'_>, node: NodeId) -> String {
    let is_module = |node: &NodeId| program.kind(*node) == Some(SymbolKind::Module);
    let mut parts: Vec<&str> = program
        .scopes(node)
        .filter(is_module)
        .filter_map(|node| program.symbol(node))
        .map(|symbol| symbol.name.as_str())
        .collect();
    parts.reverse();
    parts.join(separator(program.family_of(node)))
}

/// The target of the Swift package manager that a file belongs to: the folder below `Sources` or `Tests`. Other files
/// are one module, as in an Xcode project.
fn swift_target(path: &str) -> &str {
    let mut parts = path.split('/');
    while let Some(part) = parts.next() {
        if matches!(part, "Sources" | "Tests") {
            let target = parts.next().unwrap_or_default();
            return if target.ends_with(".swift") {
                ""
            } else {
                target
            };
        }
    }
    ""
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_of_swift() {
        let check = |path: &str, target: &str| assert_eq!(swift_target(path), target, "{path}");
        check("Sources/Core/Deep/A.swift", "Core");
        check("Packages/X/Tests/CoreTests/A.swift", "CoreTests");
        check("Sources/A.swift", "");
        check("App/A.swift", "");
    }
}
