//! Finds the file or package of a module name: one file for each ecosystem.
//!
//! These rules see paths and manifests only. `follow.rs` then finds a name within a module.

mod dart;
mod ecma;
mod elixir;
mod go;
mod haskell;
mod include;
mod lua;
mod manifest;
mod packages;
mod php;
mod python;
mod ruby;
mod rust;
mod shell;
mod zig;

use rustc_hash::FxHashMap;

use crate::program::{Def, FileId, NodeId, Program, ROOT_FOLDER};

pub(crate) use dart::DartPackages;
pub(crate) use ecma::{EcmaModules, Target as EcmaTarget};
pub(crate) use elixir::ElixirModules;
pub(crate) use go::GoModules;
pub(crate) use haskell::HaskellModules;
pub(crate) use include::Includes;
pub(crate) use lua::lua_file;
pub use manifest::{Manifest, is_manifest};
pub(crate) use packages::{Packages, namespace_of, separator};
pub(crate) use php::Composer;
pub(crate) use python::PythonModules;
pub(crate) use ruby::RubyNames;
pub(crate) use rust::RustModules;
pub(crate) use shell::{sourced, style_sheet};
pub(crate) use zig::zig_file;

/// The places of modules, for every ecosystem of the repository.
pub(crate) struct Modules<'a> {
    pub tree: Tree<'a>,
    pub rust: RustModules,
    pub python: PythonModules<'a>,
    pub ecma: EcmaModules<'a>,
    pub go: GoModules<'a>,
    pub packages: Packages,
    pub dart: DartPackages<'a>,
    pub composer: Composer,
    pub includes: Includes<'a>,
    pub ruby: RubyNames,
    pub elixir: ElixirModules,
    pub haskell: HaskellModules<'a>,
}

impl<'a> Modules<'a> {
    pub fn new(program: &Program<'a>, manifests: &[Manifest<'a>]) -> Self {
        let tree = Tree::new(program);
        Modules {
            rust: RustModules::new(program, manifests),
            python: PythonModules::new(program, manifests),
            ecma: EcmaModules::new(manifests),
            go: GoModules::new(manifests),
            packages: Packages::new(program),
            dart: DartPackages::new(manifests),
            composer: Composer::new(manifests),
            includes: Includes::new(program),
            ruby: RubyNames::new(program),
            elixir: ElixirModules::new(program),
            haskell: HaskellModules::new(program),
            tree,
        }
    }
}

/// Paths of files and folders.
pub(crate) struct Tree<'a> {
    files: FxHashMap<&'a str, FileId>,
    folders: FxHashMap<&'a str, NodeId>,
    /// Files directly in a folder (none: the root), in order.
    files_in: FxHashMap<NodeId, Vec<FileId>>,
    folder_of_file: &'a [u32],
    folder_paths: Vec<&'a str>,
    first_folder: u32,
}

impl<'a> Tree<'a> {
    fn new(program: &Program<'a>) -> Self {
        let layout = program.layout;
        let first_folder = layout.files.len() as u32;
        let mut files_in: FxHashMap<NodeId, Vec<FileId>> = FxHashMap::default();
        for (file, &folder) in program.files().zip(&layout.folder_of_file) {
            files_in.entry(NodeId(folder)).or_default().push(file);
        }
        Tree {
            files: program.file_by_path.clone(),
            folders: layout
                .folders
                .iter()
                .enumerate()
                .map(|(n, &path)| (path, NodeId(first_folder + n as u32)))
                .collect(),
            files_in,
            folder_of_file: &layout.folder_of_file,
            folder_paths: layout.folders.clone(),
            first_folder,
        }
    }

    /// The file of this path.
    pub fn file(&self, path: &str) -> Option<FileId> {
        self.files.get(path).copied()
    }

    /// The folder of this path; the root by an empty path.
    pub fn folder(&self, path: &str) -> Option<NodeId> {
        if path.is_empty() {
            Some(ROOT_FOLDER)
        } else {
            self.folders.get(path).copied()
        }
    }

    /// Files directly in a folder.
    pub fn files_in(&self, folder: NodeId) -> &[FileId] {
        self.files_in.get(&folder).map_or(&[], Vec::as_slice)
    }

    /// The folder of a file.
    pub fn folder_of(&self, file: FileId) -> NodeId {
        self.folder_of_file
            .get(file.index())
            .map_or(ROOT_FOLDER, |&folder| NodeId(folder))
    }

    /// Path of a folder; empty for the root.
    pub fn folder_path(&self, folder: NodeId) -> &'a str {
        folder
            .0
            .checked_sub(self.first_folder)
            .and_then(|n| self.folder_paths.get(n as usize))
            .copied()
            .unwrap_or_default()
    }

    /// The first file whose path is `stem` with one of these endings.
    pub fn first_file(&self, stem: &str, endings: &[&str]) -> Option<Def> {
        let mut path = String::with_capacity(stem.len() + 16);
        path.push_str(stem);
        endings.iter().find_map(|ending| {
            path.truncate(stem.len());
            path.push_str(ending);
            self.file(&path).map(Def::from)
        })
    }
}

/// The folder part of a path; empty at the root.
pub(crate) fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// `folder/rest` with `.` and `..` resolved; none where it leaves the root.
pub(crate) fn join(folder: &str, rest: &str) -> Option<String> {
    let mut parts: Vec<&str> = Vec::new();
    for part in folder.split('/').chain(rest.split('/')) {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// A folder and those around it, up to the root.
pub(crate) fn ancestors(folder: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(folder), |path| {
        if path.is_empty() {
            None
        } else {
            Some(folder_of(path))
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joining_stays_inside() {
        assert_eq!(join("a/b", "../c.ts").as_deref(), Some("a/c.ts"));
        assert_eq!(join("", "./c").as_deref(), Some("c"));
        assert_eq!(join("a", "../../c"), None);
        assert_eq!(ancestors("a/b").collect::<Vec<_>>(), ["a/b", "a", ""]);
    }
}
