//! The index one asks: shared by any number of threads, each question with its own place for faults.

use std::sync::Arc;

use snapshot::SectionKind;
use syntax::UserLanguages;

use crate::ask::reader::{Reader, user_languages};
use crate::{Error, Snapshot};

/// An index that can be asked. Cheap to clone: the snapshot is shared.
///
/// The sections of a snapshot that was opened lazily are read when a question needs them first, and may turn out to be damaged then. So
/// a question is asked as a closure, and the answer of one that met damage is the damage:
///
/// ```
/// use std::sync::Arc;
/// use portolan_engine::{Engine, EngineConfig, Error, Index};
///
/// let index = Index::new(Arc::new(Engine::new(EngineConfig::default()).build(0.0)?))?;
/// let n_files = index.ask(|reader| Ok::<_, Error>(reader.n_files()))?;
/// assert_eq!(n_files, 0);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone)]
pub struct Index {
    snapshot: Arc<Snapshot>,
    languages: Arc<UserLanguages>,
    sign_codes: Arc<search::Signs>,
    embedder: Option<Arc<str>>,
}

impl Index {
    /// Reads what the index is.
    ///
    /// # Errors
    ///
    /// `snapshot.checksum`, `.damaged`, `.truncated` or `.unreadable`.
    pub fn new(snapshot: Arc<Snapshot>) -> Result<Self, Error> {
        let has_vectors = snapshot.has(SectionKind::Vectors);
        let (languages, embedder) = snapshot.read(|view| {
            let embedder = view.info().embedder.as_str();
            let embedder = (has_vectors && !embedder.is_empty()).then(|| embedder.into());
            Ok::<_, Error>((user_languages(view), embedder))
        })?;
        Ok(Self {
            snapshot,
            languages: Arc::new(languages),
            sign_codes: Arc::default(),
            embedder,
        })
    }

    /// Puts a question. The answer of a question that met what cannot be read is that fault.
    ///
    /// # Errors
    ///
    /// `snapshot.checksum`, `.damaged`, `.truncated` or `.unreadable`; else those of the question.
    pub fn ask<T, E: From<Error>>(
        &self,
        question: impl FnOnce(&Reader) -> Result<T, E>,
    ) -> Result<T, E> {
        let reader = Reader::of(self.clone());
        let answer = question(&reader);
        reader.finish(answer)
    }

    /// Returns the snapshot that it reads.
    #[must_use]
    pub fn snapshot(&self) -> &Arc<Snapshot> {
        &self.snapshot
    }

    /// Returns the languages that the user brought when the index was made.
    #[must_use]
    pub fn languages(&self) -> &UserLanguages {
        &self.languages
    }

    /// Returns the model that the vectors were made with; none where there are no vectors.
    #[must_use]
    pub fn embedder(&self) -> Option<&str> {
        self.embedder.as_deref()
    }

    pub(crate) fn sign_codes(&self) -> &search::Signs {
        &self.sign_codes
    }
}
