//! Python: packages, `__init__`, relative imports, and the folders in which absolute ones may begin.

use super::{Tree, ancestors, folder_of, join};
use crate::build::Manifest;
use crate::resolve::program::Def;

/// Where absolute imports begin.
pub(crate) struct PythonModules<'a> {
    /// Folders of projects and their `src`.
    roots: Vec<String>,
    _text: std::marker::PhantomData<&'a str>,
}

impl<'a> PythonModules<'a> {
    pub fn new(manifests: &[Manifest<'a>]) -> Self {
        let mut roots = vec![String::new(), "src".to_owned(), "lib".to_owned()];
        for manifest in manifests
            .iter()
            .filter(|manifest| manifest.path.ends_with("pyproject.toml"))
        {
            let folder = folder_of(manifest.path);
            roots.push(folder.to_owned());
            roots.extend(join(folder, "src"));
        }
        let mut seen = rustc_hash::FxHashSet::default();
        roots.retain(|root| seen.insert(root.clone()));
        PythonModules {
            roots,
            _text: std::marker::PhantomData,
        }
    }

    /// The module that a file means by a dotted name.
    pub fn find(&self, tree: &Tree<'_>, from: &str, module: &str) -> Option<Def> {
        let folder = folder_of(from);
        let n_dots = module.len() - module.trim_start_matches('.').len();
        let rest = module[n_dots..].replace('.', "/");
        if n_dots > 0 {
            let base = ancestors(folder).nth(n_dots - 1)?;
            return at(tree, base, &rest);
        }
        // A project's own packages first, then what lies beside the file, as for a script.
        let project = self.roots.iter().find_map(|root| at(tree, root, &rest));
        project.or_else(|| ancestors(folder).find_map(|root| at(tree, root, &rest)))
    }

    /// A module within a package.
    pub fn child(&self, tree: &Tree<'_>, package: &str, name: &str) -> Option<Def> {
        at(tree, package, name)
    }
}

fn at(tree: &Tree<'_>, root: &str, rest: &str) -> Option<Def> {
    let path = join(root, rest)?;
    let files = ["/__init__.py", ".py", "/__init__.pyi", ".pyi"];
    let candidates = files.iter().map(|suffix| {
        if path.is_empty() {
            suffix[1..].to_owned()
        } else {
            format!("{path}{suffix}")
        }
    });
    tree.first_file(candidates).or_else(|| {
        tree.folder(&path)
            .filter(|_| !path.is_empty())
            .map(Def::Folder)
    })
}
