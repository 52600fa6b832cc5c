//! Rust: the tree of modules, from `mod` declarations and the names of crates in `Cargo.toml`.

use rustc_hash::FxHashMap;
use syntax::facts::{ImportFlags, SymbolKind};

use super::Manifest;
use super::manifest::toml;
use super::{folder_of, join};
use crate::program::{Family, FileId, Name, NodeId, Program};

/// The tree of modules and the crates of the repository. Modules are nodes: files, or modules declared within a file.
pub(crate) struct RustModules {
    /// Module around a file's module.
    parents: FxHashMap<FileId, NodeId>,
    /// File of a module by the module around it and its name, and whether the default build leaves it out.
    children: FxHashMap<(NodeId, Name), (FileId, bool)>,
    /// Crates of the repository by the name in the code that uses them: folder of the package and root file; the
    /// nearest decides.
    crates: FxHashMap<String, Vec<(String, FileId)>>,
    packages: Vec<Package>,
}

/// A package of the repository.
struct Package {
    folder: String,
    /// The root file of its library.
    root: Option<FileId>,
    /// Names of the crates that it depends on.
    dependencies: Vec<String>,
}

impl RustModules {
    pub fn new(program: &Program<'_>, manifests: &[Manifest<'_>]) -> Self {
        let mut modules = RustModules {
            parents: FxHashMap::default(),
            children: FxHashMap::default(),
            crates: FxHashMap::default(),
            packages: Vec::new(),
        };
        for file in program.files() {
            if program.family_of(file) == Family::Rust {
                modules.declare(program, file);
            }
        }
        for manifest in manifests
            .iter()
            .filter(|manifest| manifest.path.ends_with("Cargo.toml"))
        {
            modules.package(program, manifest);
        }
        modules
    }

    /// Finds the files of the `mod` declarations of one file.
    fn declare(&mut self, program: &Program<'_>, file: FileId) {
        let path = program.path(file);
        for import in &program.facts(file).imports {
            if !import.is(ImportFlags::CHILD_MODULE) {
                continue;
            }
            let scope = program.scope(file, import.enclosing);
            let module = program.enclosing_module(scope);
            let inline: Vec<&str> = inline_path(program, module);
            let by_path = (import.module != import.local)
                .then(|| join(folder_of(path), &import.module))
                .flatten()
                .and_then(|path| program.file_by_path.get(path.as_str()).copied());
            let by_name = folders(path).into_iter().find_map(|folder| {
                let folder = join(&folder, &inline.join("/"))?;
                ["{}.rs", "{}/mod.rs"].iter().find_map(|shape| {
                    let path = join(&folder, &shape.replacen("{}", &import.local, 1))?;
                    program.file_by_path.get(path.as_str()).copied()
                })
            });
            let child = by_path.or(by_name);
            if let (Some(child), Some(name)) = (child, program.names.get(&import.local))
                && child != file
            {
                let is_left_out = import.is(ImportFlags::LEFT_OUT);
                let known = self
                    .children
                    .entry((module, name))
                    .or_insert((child, is_left_out));
                if known.1 && !is_left_out {
                    *known = (child, is_left_out);
                }
                self.parents.entry(child).or_insert(module);
            }
        }
    }

    /// Registers the library of a package by its name, and the names that the manifest gives to others.
    fn package(&mut self, program: &Program<'_>, manifest: &Manifest<'_>) {
        let Some(table) = toml(manifest.text) else {
            return;
        };
        let folder = folder_of(manifest.path);
        self.aliases(program, folder, &table);
        let text =
            |section: &str, key: &str| table.get(section)?.get(key)?.as_str().map(str::to_owned);
        let Some(package) = text("package", "name") else {
            return;
        };
        let name = text("lib", "name").unwrap_or(package).replace('-', "_");
        let root = text("lib", "path").unwrap_or_else(|| "src/lib.rs".to_owned());
        let root =
            join(folder, &root).and_then(|path| program.file_by_path.get(path.as_str()).copied());
        if let Some(root) = root {
            self.crates
                .entry(name)
                .or_default()
                .push((folder.to_owned(), root));
        }
        let dependencies = dependencies(&table);
        self.packages.push(Package {
            folder: folder.to_owned(),
            root,
            dependencies,
        });
    }

    /// Registers the names that a manifest gives to packages of the repository.
    fn aliases(&mut self, program: &Program<'_>, folder: &str, table: &toml::Table) {
        for (alias, target, path) in renamed(table) {
            let place = path.as_deref().and_then(|path| join(folder, path));
            let root = place.and_then(|place| {
                program
                    .file_by_path
                    .get(format!("{place}/src/lib.rs").as_str())
                    .copied()
            });
            if let Some(root) = root.filter(|_| alias != target) {
                self.crates
                    .entry(alias.replace('-', "_"))
                    .or_default()
                    .push((folder.to_owned(), root));
            }
        }
    }

    /// The module around a module: for a file the one with its `mod`, for an inline module the one around it.
    pub fn parent(&self, program: &Program<'_>, module: NodeId) -> Option<NodeId> {
        match program.parent(module) {
            Some(around) => Some(program.enclosing_module(around)),
            None => self.parents.get(&program.as_file(module)?).copied(),
        }
    }

    /// The root module of the crate that a module belongs to.
    pub fn root(&self, program: &Program<'_>, module: NodeId) -> NodeId {
        let mut current = module;
        // The bound ends a cycle of `mod` declarations.
        for _ in 0..64 {
            match self.parent(program, current) {
                Some(around) => current = around,
                None => break,
            }
        }
        current
    }

    /// The file of a child module.
    pub fn child(&self, module: NodeId, name: Name) -> Option<FileId> {
        self.children.get(&(module, name)).map(|(child, _)| *child)
    }

    /// Whether code of one file can hold values of types that a file of another crate defines, by direct and indirect
    /// dependencies. True without manifests.
    pub fn sees(&self, program: &Program<'_>, from: FileId, to: FileId) -> bool {
        let target = self.root(program, to.into());
        if self.packages.is_empty() || self.root(program, from.into()) == target {
            return true;
        }
        let package_of = |file: FileId| {
            let path = program.path(file);
            let holds = |package: &&Package| {
                let rest = path.strip_prefix(package.folder.as_str());
                package.folder.is_empty() || rest.is_some_and(|rest| rest.starts_with('/'))
            };
            self.packages
                .iter()
                .filter(holds)
                .max_by_key(|package| package.folder.len())
        };
        let Some(own) = package_of(from) else {
            return true;
        };
        let mut pending = vec![own];
        let mut next = 0;
        while let Some(package) = pending.get(next).copied() {
            next += 1;
            let roots = package
                .dependencies
                .iter()
                .filter_map(|name| self.crate_root(&package.folder, name));
            for root in roots.chain(package.root) {
                if target == root.into() {
                    return true;
                }
                let is_new =
                    |other: &&Package| !pending.iter().any(|seen| seen.folder == other.folder);
                if let Some(other) = package_of(root).filter(is_new) {
                    pending.push(other);
                }
            }
        }
        false
    }

    /// Root file of a crate of the repository by name; of several the nearest to `from`.
    pub fn crate_root(&self, from: &str, name: &str) -> Option<FileId> {
        let candidates = self.crates.get(name)?;
        let shared = |folder: &str| {
            from.split('/')
                .zip(folder.split('/'))
                .take_while(|(a, b)| a == b)
                .count()
        };
        candidates
            .iter()
            .max_by_key(|(folder, root)| (shared(folder), std::cmp::Reverse(*root)))
            .map(|(_, root)| *root)
    }
}

/// Names of the inline modules from the file's module to this one.
fn inline_path<'a>(program: &Program<'a>, module: NodeId) -> Vec<&'a str> {
    let mut names: Vec<&str> = program
        .scopes(module)
        .filter_map(|node| program.symbol(node))
        .filter(|symbol| symbol.kind == SymbolKind::Module)
        .map(|symbol| symbol.name.as_str())
        .collect();
    names.reverse();
    names
}

/// Folders that may contain a file's child modules, likeliest first.
fn folders(path: &str) -> Vec<String> {
    let folder = folder_of(path).to_owned();
    let stem = path
        .rsplit('/')
        .next()
        .and_then(|file| file.strip_suffix(".rs"))
        .unwrap_or_default();
    let own = if folder.is_empty() {
        stem.to_owned()
    } else {
        format!("{folder}/{stem}")
    };
    if matches!(stem, "mod" | "lib" | "main" | "build") {
        vec![folder]
    } else {
        vec![own, folder]
    }
}

/// The names by which a package can use other crates.
fn dependencies(table: &toml::Table) -> Vec<String> {
    let sections = ["dependencies", "dev-dependencies", "build-dependencies"];
    let tables = sections
        .iter()
        .filter_map(|section| table.get(*section)?.as_table());
    tables
        .flat_map(|table| table.keys())
        .map(|name| name.replace('-', "_"))
        .collect()
}

/// Dependencies with `package` or `path`: alias, package, path.
fn renamed(table: &toml::Table) -> Vec<(String, String, Option<String>)> {
    let mut out = Vec::new();
    let own = ["dependencies", "dev-dependencies", "build-dependencies"].map(|key| table.get(key));
    // Members use these names with `workspace = true`.
    let shared = table.get("workspace").and_then(|it| it.get("dependencies"));
    for section in own.into_iter().chain([shared]) {
        let Some(dependencies) = section.and_then(|value| value.as_table()) else {
            continue;
        };
        for (alias, value) in dependencies {
            let field = |key: &str| {
                value
                    .get(key)
                    .and_then(|value| value.as_str())
                    .map(str::to_owned)
            };
            if let Some(package) = field("package") {
                out.push((alias.clone(), package, field("path")));
            }
        }
    }
    out
}
