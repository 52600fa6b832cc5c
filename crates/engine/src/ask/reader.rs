//! The view of an index for one question: every question is a method of [`Reader`], in a module of its own in this
//! folder.
//!
//! All of them read the snapshot in place. [`crate::Index`] creates a reader for each question and checks afterwards
//! that everything it read was readable.

use std::sync::Arc;

use graph::{GraphView, NodeId, NodeKind};
use snapshot::{FaultSlot, View};
use source::FileId;
use syntax::{Language, UserLanguages};

use crate::position::utf16_len;
use crate::{Error, ErrorKind, FileFilter, Index, Snapshot};

/// Answers questions about one snapshot. [`Index::ask`] gives one to each question; [`Reader::new`] creates one for a
/// snapshot that it reads completely.
pub struct Reader {
    index: Index,
    /// Faults of the sections that this question could not read.
    faults: FaultSlot,
}

impl Reader {
    /// Reads everything in a snapshot that questions read, so that no damage can appear later. Costs nothing where all
    /// of it is in memory, as after [`crate::Engine::build`] and [`Snapshot::open`]; for a lazily opened snapshot
    /// prefer [`Index`].
    ///
    /// # Errors
    ///
    /// `snapshot.checksum`, `.damaged`, `.truncated` or `.unreadable`.
    pub fn new(snapshot: Arc<Snapshot>) -> Result<Self, Error> {
        snapshot.read(|view| {
            view.read_all();
            Ok::<_, Error>(())
        })?;
        Ok(Self::of(Index::new(snapshot)?))
    }

    /// Creates a reader for one question.
    pub(crate) fn of(index: Index) -> Self {
        Self {
            index,
            faults: FaultSlot::default(),
        }
    }

    /// Ends the question: returns the fault if something could not be read.
    #[inline(never)]
    pub(crate) fn finish(self) -> Option<Error> {
        self.faults.into_fault().map(Error::from)
    }

    /// Returns the index, for further questions with fault slots of their own.
    #[must_use]
    pub fn index(&self) -> &Index {
        &self.index
    }

    /// The contents of the snapshot; faults are recorded for this question.
    pub(crate) fn view(&self) -> View<'_> {
        self.index.snapshot().view(&self.faults)
    }

    /// The place for faults of this question.
    pub(crate) fn faults(&self) -> &FaultSlot {
        &self.faults
    }

    /// Returns the underlying snapshot.
    #[must_use]
    pub fn snapshot(&self) -> &Arc<Snapshot> {
        self.index.snapshot()
    }

    /// Sign codes of the vectors, which speed up queries by meaning.
    pub(crate) fn sign_codes(&self) -> &search::Signs {
        self.index.sign_codes()
    }

    /// Returns the embedding model of the vectors; `None` without vectors.
    #[must_use]
    pub fn embedder(&self) -> Option<&str> {
        self.index.embedder()
    }

    /// Returns the BLAKE3 digest of all files and folders: equal digests mean equal sources. Empty indexes have one,
    /// too.
    #[must_use]
    pub fn digest(&self) -> [u8; 32] {
        let digest = self.view().files().folder_digest("");
        digest.unwrap_or_default()
    }

    /// Returns the changes of files since `before` was built. Folders of equal digest are skipped.
    #[must_use]
    pub fn differences_since(&self, before: &Self) -> crate::Differences {
        crate::merkle::differences(before.view().files(), self.view().files())
    }

    /// Returns the code graph.
    #[must_use]
    pub fn graph(&self) -> GraphView<'_> {
        match self.index.shards() {
            None => GraphView::new(self.view().graph()),
            Some(shards) => GraphView::joined(shards.joint(), self),
        }
    }

    /// Number of files.
    #[must_use]
    pub fn n_files(&self) -> usize {
        self.view().files().len()
    }

    /// Every file, in path order.
    pub fn files(&self) -> impl Iterator<Item = FileId> + use<> {
        (0..self.n_files() as u32).map(FileId)
    }

    /// Returns the path of a file; empty if there is no such file.
    #[must_use]
    pub fn path(&self, file: FileId) -> &str {
        self.view()
            .files()
            .paths
            .get(file.index())
            .unwrap_or_default()
    }

    /// Returns the language of a file.
    #[must_use]
    pub fn language(&self, file: FileId) -> Language {
        self.view().files().language(file.index())
    }

    /// Returns the name of a file's language.
    #[must_use]
    pub fn language_name(&self, file: FileId) -> &str {
        self.user_languages().name(self.language(file))
    }

    /// Returns the languages that the user added when the index was built.
    #[must_use]
    pub fn user_languages(&self) -> &UserLanguages {
        self.index.languages()
    }

    /// Builds a filter of files from path globs and names of languages, those of the user included.
    ///
    /// # Errors
    ///
    /// As [`FileFilter::new`].
    pub fn filter(&self, globs: &[String], languages: &[String]) -> Result<FileFilter, Error> {
        FileFilter::with(globs, languages, self.user_languages())
    }

    /// Number of bytes of a file.
    #[must_use]
    pub fn n_bytes(&self, file: FileId) -> u32 {
        self.view()
            .files()
            .n_bytes
            .get(file.index())
            .map_or(0, |n_bytes| n_bytes.to_native())
    }

    /// Number of lines of a file.
    #[must_use]
    pub fn n_lines(&self, file: FileId) -> u32 {
        self.view()
            .files()
            .n_lines
            .get(file.index())
            .map_or(0, |n_lines| n_lines.to_native())
    }

    /// Finds the file with this path.
    ///
    /// # Errors
    ///
    /// `file.not-found`; its help names files with the same file name.
    pub fn file(&self, path: &str) -> Result<FileId, Error> {
        let clean = source::clean_path(path).unwrap_or_default();
        if let Some(found) = self.view().files().find(&clean) {
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

    /// Returns the name of the index.
    #[must_use]
    pub fn name(&self) -> &str {
        self.view().info().name.as_str()
    }

    /// Returns the text of a file.
    ///
    /// # Errors
    ///
    /// `snapshot.without` if the snapshot was saved without texts, `snapshot.damaged` if it has no text of this file.
    pub fn text(&self, file: FileId) -> Result<&str, Error> {
        std::str::from_utf8(self.bytes(file)?).map_err(|_| self.unreadable(file))
    }

    /// Returns the text of a file as bytes, which saves validating it as UTF-8.
    ///
    /// # Errors
    ///
    /// As [`Reader::text`].
    pub(crate) fn bytes(&self, file: FileId) -> Result<&[u8], Error> {
        let (view, local) = self.view_of(file).ok_or_else(|| self.unreadable(file))?;
        let texts = view.texts().ok_or_else(|| {
            Error::new(
                ErrorKind::SnapshotWithout,
                "the snapshot was saved without the texts of its files",
            )
        })?;
        texts.bytes_of(local).ok_or_else(|| self.unreadable(file))
    }

    fn bytes_if_kept(&self, file: FileId) -> Option<&[u8]> {
        let (view, local) = self.view_of(file)?;
        view.texts()?.bytes_of(local)
    }

    /// Whether the texts of files were saved, as far as this one shows it.
    pub(crate) fn has_text(&self, file: FileId) -> bool {
        self.view_of(file)
            .is_some_and(|(view, _)| view.texts().is_some())
    }

    fn unreadable(&self, file: FileId) -> Error {
        let message = format!(
            "the text of {:?} (file number {}) cannot be read",
            self.path(file),
            file.0
        );
        Error::new(ErrorKind::SnapshotDamaged, message).with_help("index the sources anew")
    }

    /// Returns bytes `start..end` of a file's text; empty if the snapshot has no texts or the bytes are not valid
    /// UTF-8. Linear in the bytes.
    #[must_use]
    pub fn piece(&self, file: FileId, start: u32, end: u32) -> &str {
        let bytes = self.bytes_if_kept(file);
        let piece = bytes.and_then(|bytes| bytes.get(start as usize..end as usize));
        piece
            .and_then(|piece| std::str::from_utf8(piece).ok())
            .unwrap_or_default()
    }

    /// Returns where the line starts that holds the byte at `offset`, and the line without its break. Linear in the
    /// line.
    #[must_use]
    pub fn line_at(&self, file: FileId, offset: u32) -> (u32, &str) {
        let bytes = self.bytes_if_kept(file).unwrap_or_default();
        let (before, after) = bytes.split_at(bytes.len().min(offset as usize));
        let start = before
            .iter()
            .rposition(|byte| *byte == b'\n')
            .map_or(0, |at| at + 1);
        let end = offset as usize
            + after
                .iter()
                .position(|byte| *byte == b'\n')
                .unwrap_or(after.len());
        let line = self.piece(file, start as u32, end.min(bytes.len()) as u32);
        (start as u32, line.strip_suffix('\r').unwrap_or(line))
    }

    /// Number of UTF-16 code units between the start of a line and the byte at `offset` in it; 0 without texts. Linear
    /// in the line.
    #[must_use]
    pub fn character_at(&self, file: FileId, offset: u32) -> u32 {
        let (start, line) = self.line_at(file, offset);
        let within = line.floor_char_boundary(offset.saturating_sub(start) as usize);
        utf16_len(&line[..within])
    }

    /// Checks that vectors of this model can be compared with those of the index. An index without vectors fits any
    /// model.
    ///
    /// # Errors
    ///
    /// `vectors.mismatch`, naming both models.
    pub fn check_model(&self, name: &str, dim: usize) -> Result<(), Error> {
        let info = self.view().info();
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
