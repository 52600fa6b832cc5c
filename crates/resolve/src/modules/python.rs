//! Python: packages, `__init__`, relative imports, and the root folders of absolute imports.

use rustc_hash::FxHashSet;

use super::Manifest;
use super::{Tree, ancestors, folder_of, join};
use crate::program::{Def, Program};

/// The root folders of absolute imports.
pub(crate) struct PythonModules<'a> {
    /// Folders of projects and their `src`.
    roots: Vec<String>,
    /// Names that a module can have: folders, and files without their ending. Most imports name external modules, and
    /// are rejected by their first part.
    names: FxHashSet<&'a str>,
}

impl<'a> PythonModules<'a> {
    pub fn new(program: &Program<'a>, manifests: &[Manifest<'a>]) -> Self {
        let mut roots = vec![String::new(), "src".to_owned(), "lib".to_owned()];
        for manifest in manifests
            .iter()
            .filter(|manifest| manifest.path.ends_with("pyproject.toml"))
        {
            let folder = folder_of(manifest.path);
            roots.push(folder.to_owned());
            roots.extend(join(folder, "src"));
        }
        let mut seen = FxHashSet::default();
        roots.retain(|root| seen.insert(root.clone()));
        PythonModules {
            roots,
            names: names(program),
        }
    }

    /// The module that a dotted name means in a file of this folder.
    pub fn find(&self, tree: &Tree<'_>, folder: &str, module: &str) -> Option<Def> {
        let n_dots = module.len() - module.trim_start_matches('.').len();
        let dotted = &module[n_dots..];
        let head = dotted.split('.').next().unwrap_or_default();
        if !self.is_possible(head) {
            return None;
        }
        let rest = dotted.replace('.', "/");
        if n_dots > 0 {
            let base = ancestors(folder).nth(n_dots - 1)?;
            return at(tree, base, &rest);
        }
        // A project's own packages first, then modules beside the file, as for a script.
        let project = self.roots.iter().find_map(|root| at(tree, root, &rest));
        project.or_else(|| ancestors(folder).find_map(|root| at(tree, root, &rest)))
    }

    /// A module within a package.
    pub fn child(&self, tree: &Tree<'_>, package: &str, name: &str) -> Option<Def> {
        self.is_possible(name)
            .then(|| at(tree, package, name))
            .flatten()
    }

    /// Whether a module may have this name. Anything but a plain name is looked for in any case.
    fn is_possible(&self, name: &str) -> bool {
        self.names.contains(name) || name.is_empty() || name.starts_with('.') || name.contains('/')
    }
}

fn names<'a>(program: &Program<'a>) -> FxHashSet<&'a str> {
    let layout = program.layout;
    let last = |path: &'a str| path.rsplit('/').next().unwrap_or(path);
    let files = layout.files.iter().filter_map(|file| {
        let name = last(file.path);
        name.strip_suffix(".py")
            .or_else(|| name.strip_suffix(".pyi"))
    });
    files
        .chain(layout.folders.iter().map(|path| last(path)))
        .collect()
}

fn at(tree: &Tree<'_>, root: &str, rest: &str) -> Option<Def> {
    let path = join(root, rest)?;
    if path.is_empty() {
        return tree.first_file("", &["__init__.py", "py", "__init__.pyi", "pyi"]);
    }
    let file = tree.first_file(&path, &["/__init__.py", ".py", "/__init__.pyi", ".pyi"]);
    file.or_else(|| tree.folder(&path).map(Def::Folder))
}
