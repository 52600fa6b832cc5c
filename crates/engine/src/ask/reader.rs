//! The index one asks: a snapshot, and every question as a method.
//!
//! Each question is a module of this folder. All of them read the snapshot in place.

use std::sync::Arc;

use graph::{GraphView, NodeId, NodeKind};
use source::FileId;
use syntax::{Language, UserLanguage, UserLanguages};

use crate::position::utf16_len;
use crate::snapshot::Part;
use crate::{Error, ErrorKind, FileFilter, Snapshot};

/// Answers questions about one snapshot. Cheap to clone: the snapshot is shared.
#[derive(Clone)]
pub struct Reader {
    pub(crate) snapshot: Arc<Snapshot>,
    languages: Arc<UserLanguages>,
    /// What queries by meaning make of the vectors.
    pub(crate) signs: Arc<search::Signs>,
}

impl Reader {
    /// Reads what the index is.
    #[must_use]
    pub fn new(snapshot: Arc<Snapshot>) -> Self {
        let languages = Arc::new(user_languages(&snapshot));
        Self {
            snapshot,
            languages,
            signs: Arc::default(),
        }
    }

    /// The snapshot it reads.
    #[must_use]
    pub fn snapshot(&self) -> &Arc<Snapshot> {
        &self.snapshot
    }

    /// Whether all that was read since this was last asked could be read. Of a snapshot that was opened lazily an answer does not count
    /// where it could not.
    ///
    /// # Errors
    ///
    /// `snapshot.checksum`, `.damaged`, `.truncated` or `.unreadable`.
    pub fn check_read(&self) -> Result<(), Error> {
        self.snapshot.take_fault().map_or(Ok(()), Err)
    }

    /// The model that the vectors were made with; none where there are no vectors.
    #[must_use]
    pub fn embedder(&self) -> Option<&str> {
        let name = self.snapshot.info().embedder.as_str();
        (self.snapshot.has(Part::Vectors) && !name.is_empty()).then_some(name)
    }

    /// BLAKE3 over all files and folders: equal digests mean equal sources. Empty indexes have one, too.
    #[must_use]
    pub fn digest(&self) -> [u8; 32] {
        let digest = self.snapshot.files().folder_digest("");
        digest.unwrap_or_default()
    }

    /// What happened to files since `before` was made. Folders of equal digest are passed over.
    #[must_use]
    pub fn differences_since(&self, before: &Self) -> crate::Differences {
        crate::change::merkle::differences(before.snapshot.files(), self.snapshot.files())
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

    /// The name of a file's language.
    #[must_use]
    pub fn language_name(&self, file: FileId) -> &str {
        self.languages.name(self.language(file))
    }

    /// The languages that the user brought when the index was made.
    #[must_use]
    pub fn user_languages(&self) -> &UserLanguages {
        &self.languages
    }

    /// Which files a question is about: path globs and names of languages, those of the user included.
    ///
    /// # Errors
    ///
    /// As [`FileFilter::new`].
    pub fn filter(&self, globs: &[String], languages: &[String]) -> Result<FileFilter, Error> {
        FileFilter::with(globs, languages, &self.languages)
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

    /// What the index is called.
    #[must_use]
    pub fn name(&self) -> &str {
        self.snapshot.info().name.as_str()
    }

    /// The text of a file.
    ///
    /// # Errors
    ///
    /// `snapshot.without` if the snapshot was saved without texts, `snapshot.damaged` if it has no text of this file.
    pub fn text(&self, file: FileId) -> Result<&str, Error> {
        std::str::from_utf8(self.bytes(file)?).map_err(|_| self.unreadable(file))
    }

    /// The text of a file as it lies there, which spares looking whether it is one.
    ///
    /// # Errors
    ///
    /// As [`Reader::text`].
    pub(crate) fn bytes(&self, file: FileId) -> Result<&[u8], Error> {
        let texts = self.snapshot.texts().ok_or_else(|| {
            Error::new(
                ErrorKind::SnapshotWithout,
                "the snapshot was saved without the texts of its files",
            )
        })?;
        texts
            .bytes_of(file.index())
            .ok_or_else(|| self.unreadable(file))
    }

    fn unreadable(&self, file: FileId) -> Error {
        let message = format!(
            "the text of {:?} (file number {}) cannot be read",
            self.path(file),
            file.0
        );
        Error::new(ErrorKind::SnapshotDamaged, message).with_help("index the sources anew")
    }

    /// Bytes `start..end` of a file's text; empty where the snapshot has none or they are no text. Linear in the piece.
    #[must_use]
    pub fn piece(&self, file: FileId, start: u32, end: u32) -> &str {
        let bytes = self
            .snapshot
            .texts()
            .and_then(|texts| texts.bytes_of(file.index()));
        let piece = bytes.and_then(|bytes| bytes.get(start as usize..end as usize));
        piece
            .and_then(|piece| std::str::from_utf8(piece).ok())
            .unwrap_or_default()
    }

    /// The line of a file's text that holds the byte at `offset`, without its break, and where it starts. Linear in the
    /// line.
    #[must_use]
    pub fn line_at(&self, file: FileId, offset: u32) -> (u32, &str) {
        let bytes = self
            .snapshot
            .texts()
            .and_then(|texts| texts.bytes_of(file.index()))
            .unwrap_or_default();
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

    /// UTF-16 code units between the start of its line and the byte at `offset`; 0 without texts. Linear in the line.
    #[must_use]
    pub fn character_at(&self, file: FileId, offset: u32) -> u32 {
        let (start, line) = self.line_at(file, offset);
        let within = line.floor_char_boundary(offset.saturating_sub(start) as usize);
        utf16_len(&line[..within])
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

/// The languages that a snapshot names.
pub(crate) fn user_languages(snapshot: &Snapshot) -> UserLanguages {
    let language = |entry: &crate::frozen::ArchivedLanguageEntry| UserLanguage {
        name: entry.name.as_str().to_owned(),
        extensions: entry
            .extensions
            .iter()
            .map(|extension| extension.as_str().to_owned())
            .collect(),
    };
    snapshot.info().languages.iter().map(language).collect()
}
