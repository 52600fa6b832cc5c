//! The index one asks: a snapshot, and every question as a method.
//!
//! The questions are in modules of their own: `search`, `find`, `definition`, `references`, `calls`, `grep`, `outline`,
//! `status`. All of them read the snapshot in place.

use std::sync::Arc;

use graph::{GraphView, NodeId, NodeKind};
use source::FileId;
use syntax::Language;

use crate::search::SignalColumns;
use crate::{Error, ErrorKind, Snapshot};

/// Answers questions about one snapshot. Cheap to clone: the snapshot and its columns are shared.
#[derive(Clone)]
pub struct Reader {
    pub(crate) snapshot: Arc<Snapshot>,
    pub(crate) signals: Arc<SignalColumns>,
}

impl Reader {
    /// Linear in the number of chunks: the columns that ranking reads are laid out.
    #[must_use]
    pub fn new(snapshot: Arc<Snapshot>) -> Self {
        let signals = Arc::new(SignalColumns::new(&snapshot));
        Self { snapshot, signals }
    }

    /// The snapshot it reads.
    #[must_use]
    pub fn snapshot(&self) -> &Arc<Snapshot> {
        &self.snapshot
    }

    /// The model that the vectors were made with; none where there are no vectors.
    #[must_use]
    pub fn embedder(&self) -> Option<&str> {
        let name = self.snapshot.info().embedder.as_str();
        (self.snapshot.vectors().is_some() && !name.is_empty()).then_some(name)
    }

    /// The code graph.
    #[must_use]
    pub fn graph(&self) -> GraphView<'_> {
        GraphView(self.snapshot.graph())
    }

    /// Number of files.
    #[must_use]
    pub fn n_files(&self) -> usize {
        self.snapshot.files().len()
    }

    /// Every file, in path order.
    pub fn files(&self) -> impl Iterator<Item = FileId> + use<> {
        (0..self.n_files() as u32).map(FileId)
    }

    /// The path of a file; empty if there is no such file.
    #[must_use]
    pub fn path(&self, file: FileId) -> &str {
        self.snapshot
            .files()
            .paths
            .get(file.index())
            .unwrap_or_default()
    }

    /// The language of a file.
    #[must_use]
    pub fn language(&self, file: FileId) -> Language {
        self.snapshot.files().language(file.index())
    }

    /// Bytes of a file.
    #[must_use]
    pub fn n_bytes(&self, file: FileId) -> u32 {
        self.snapshot
            .files()
            .n_bytes
            .get(file.index())
            .map_or(0, |n_bytes| n_bytes.to_native())
    }

    /// Lines of a file.
    #[must_use]
    pub fn n_lines(&self, file: FileId) -> u32 {
        self.snapshot
            .files()
            .n_lines
            .get(file.index())
            .map_or(0, |n_lines| n_lines.to_native())
    }

    /// The file with this path.
    ///
    /// # Errors
    ///
    /// `file.not-found`; its help names files whose path ends so.
    pub fn file(&self, path: &str) -> Result<FileId, Error> {
        let clean = source::clean_path(path).unwrap_or_default();
        if let Some(found) = self.snapshot.files().find(&clean) {
            return Ok(FileId(found));
        }
        let similar: Vec<&str> = self
            .files_ending(source::file_name(&clean))
            .map(|file| self.path(file))
            .take(3)
            .collect();
        let error = Error::new(
            ErrorKind::FileNotFound,
            format!("the index has no file {path:?}"),
        );
        Err(if similar.is_empty() {
            error
        } else {
            error.with_help(format!("did you mean {}?", similar.join(" or ")))
        })
    }

    /// Files whose path is `ending` or ends with it after a `/`.
    pub(crate) fn files_ending<'a>(&'a self, ending: &'a str) -> impl Iterator<Item = FileId> + 'a {
        self.files().filter(move |file| {
            let before = self
                .path(*file)
                .strip_suffix(ending)
                .filter(|_| !ending.is_empty());
            before.is_some_and(|before| before.is_empty() || before.ends_with('/'))
        })
    }

    /// The text of a file.
    ///
    /// # Errors
    ///
    /// `snapshot.without` if the snapshot was saved without texts, `file.not-found` if there is no such file.
    pub fn text(&self, file: FileId) -> Result<&str, Error> {
        let texts = self.snapshot.texts().ok_or_else(|| {
            Error::new(
                ErrorKind::SnapshotWithout,
                "the snapshot was saved without the texts of its files",
            )
        })?;
        let not_found = || {
            Error::new(
                ErrorKind::FileNotFound,
                format!("the index has no file number {}", file.0),
            )
        };
        texts.get(file.index()).ok_or_else(not_found)
    }

    /// The text of a file, or nothing where the snapshot has none: for answers that can do without.
    #[must_use]
    pub fn text_or_empty(&self, file: FileId) -> &str {
        self.text(file).unwrap_or_default()
    }

    /// Whether vectors of this model can be compared with those of the index. An index without vectors fits any model.
    ///
    /// # Errors
    ///
    /// `vectors.mismatch`, naming both models.
    pub fn check_model(&self, name: &str, dim: usize) -> Result<(), Error> {
        let info = self.snapshot.info();
        let (known, dimensions) = (info.embedder.as_str(), info.dimensions.to_native() as usize);
        if known.is_empty() || (known == name && dimensions == dim) {
            return Ok(());
        }
        let message = format!(
            "the index was embedded with {known} ({dimensions} dimensions), the model given is {name} ({dim})"
        );
        Err(Error::new(ErrorKind::VectorsMismatch, message)
            .with_help("give it that model, or embed the index anew with this one"))
    }

    /// Whether a node is a definition, and not a file, folder or package.
    pub(crate) fn is_symbol(&self, node: NodeId) -> bool {
        self.graph().kind(node) == NodeKind::Symbol
    }
}
