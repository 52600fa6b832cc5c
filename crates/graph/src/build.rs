//! From facts to the frozen graph: number the nodes, resolve the uses, sort everything into columns.

use source::FileId;
use syntax::facts::FileFacts;

use crate::exact::{self, ExactFacts};
use crate::freeze::freeze;
use crate::frozen::Graph;
use crate::layout::Layout;
use crate::resolve;

/// Takes the facts of every file, then makes the graph. Facts are borrowed: nothing is copied until [`Self::build`].
#[derive(Default)]
pub struct GraphBuilder<'a> {
    files: Vec<InputFile<'a>>,
    manifests: Vec<Manifest<'a>>,
    exact: ExactFacts,
}

/// A file as it was given.
#[derive(Clone, Copy)]
pub(crate) struct InputFile<'a> {
    pub path: &'a str,
    pub facts: &'a FileFacts,
}

/// A project file that says where modules are found.
#[derive(Clone, Copy)]
pub(crate) struct Manifest<'a> {
    pub path: &'a str,
    pub text: &'a str,
}

impl<'a> GraphBuilder<'a> {
    /// An empty builder.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a file. Files must come in the order of their ids, from 0, without gaps; paths are relative, with `/`.
    pub fn add_file(&mut self, id: FileId, path: &'a str, facts: &'a FileFacts) {
        debug_assert_eq!(
            id.index(),
            self.files.len(),
            "files come in the order of their ids"
        );
        self.files.push(InputFile { path, facts });
    }

    /// Adds the text of a file for which [`is_manifest`] holds, whether or not it is also a file of the index.
    pub fn add_manifest(&mut self, path: &'a str, text: &'a str) {
        self.manifests.push(Manifest { path, text });
    }

    /// Takes what a compiler's index says of these files; it stands above what the rules find.
    pub fn add_exact(&mut self, exact: ExactFacts) {
        self.exact = exact;
    }

    /// Resolves every use and freezes the graph. The same input gives the same graph, byte for byte.
    #[must_use]
    pub fn build(mut self) -> Graph {
        self.manifests.sort_by(|a, b| a.path.cmp(b.path));
        let layout = Layout::new(&self.files);
        let mut resolution = resolve::resolve(&layout, &self.manifests);
        exact::apply(&layout, &self.exact, &mut resolution);
        freeze(&layout, resolution)
    }
}

/// Whether a file tells where modules are found, and is wanted by [`GraphBuilder::add_manifest`].
#[must_use]
pub fn is_manifest(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    matches!(
        name,
        "Cargo.toml"
            | "package.json"
            | "go.mod"
            | "pyproject.toml"
            | "setup.cfg"
            | "deno.json"
            | "composer.json"
            | "pubspec.yaml"
            | "jsr.json"
    ) || ((name.starts_with("tsconfig") || name.starts_with("jsconfig")) && name.ends_with(".json"))
}
