//! An index that answers questions: shared by any number of threads, with a fault slot for each question.

use std::sync::{Arc, OnceLock};

use search::{ArchivedLexical, FieldNorms, Lengths};
use snapshot::SectionKind;
use syntax::UserLanguages;

use crate::ask::parts::ShardSource;
use crate::ask::reader::Reader;
use crate::{Error, Snapshot};

/// An index that answers questions. Cheap to clone: the snapshot is shared.
///
/// The sections of a lazily opened snapshot are read when a question first needs them, and may turn out to be damaged
/// only then. So a question is asked as a closure. If it reads a damaged section, its answer is that error:
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
    among: Option<Arc<Among>>,
    embedder: Option<Arc<str>>,
    shards: Option<Arc<dyn ShardSource>>,
}

impl Index {
    /// Opens an index over a snapshot: reads its languages and its embedding model.
    ///
    /// # Errors
    ///
    /// `snapshot.checksum`, `.damaged`, `.truncated` or `.unreadable`.
    pub fn new(snapshot: Arc<Snapshot>) -> Result<Self, Error> {
        let has_vectors = snapshot.has(SectionKind::Vectors);
        let (languages, embedder) = snapshot.read(|view| {
            let embedder = view.info().embedder.as_str();
            let embedder = (has_vectors && !embedder.is_empty()).then(|| embedder.into());
            Ok::<_, Error>((view.user_languages(), embedder))
        })?;
        Ok(Self {
            snapshot,
            languages: Arc::new(languages),
            sign_codes: Arc::default(),
            among: None,
            embedder,
            shards: None,
        })
    }

    /// Opens an index in shards over its root ([`crate::AllFiles::root`]).
    ///
    /// # Errors
    ///
    /// As [`Index::new`].
    pub fn over_shards(root: Arc<Snapshot>, shards: Arc<dyn ShardSource>) -> Result<Self, Error> {
        // The vectors are in the shards.
        let embedder = root.read(|view| {
            let embedder = view.info().embedder.as_str();
            Ok::<_, Error>((!embedder.is_empty()).then(|| embedder.into()))
        })?;
        Ok(Self {
            shards: Some(shards),
            embedder,
            ..Self::new(root)?
        })
    }

    /// The shards of an index that is in shards.
    #[must_use]
    pub fn shards(&self) -> Option<&dyn ShardSource> {
        self.shards.as_deref()
    }

    /// Runs a question. If the question reads a section that is damaged or unreadable, its answer is that fault.
    ///
    /// # Errors
    ///
    /// `snapshot.checksum`, `.damaged`, `.truncated` or `.unreadable`; else those of the question.
    pub fn ask<T, E: From<Error>>(
        &self,
        question: impl FnOnce(&Reader) -> Result<T, E>,
    ) -> Result<T, E> {
        let reader = self.reader();
        let answer = question(&reader);
        match reader.finish() {
            Some(fault) => Err(fault.into()),
            None => answer,
        }
    }

    // Begins and ends every question, so its code is in none of them.
    #[inline(never)]
    fn reader(&self) -> Reader {
        Reader::of(self.clone())
    }

    /// Returns the underlying snapshot.
    #[must_use]
    pub fn snapshot(&self) -> &Arc<Snapshot> {
        &self.snapshot
    }

    /// Returns the languages that the user added when the index was built.
    #[must_use]
    pub fn languages(&self) -> &UserLanguages {
        &self.languages
    }

    /// Returns the embedding model of the vectors; `None` without vectors.
    #[must_use]
    pub fn embedder(&self) -> Option<&str> {
        self.embedder.as_deref()
    }

    pub(crate) fn sign_codes(&self) -> &search::Signs {
        &self.sign_codes
    }

    /// Makes the index one of several shards that are searched as one, with chunks of these lengths in all of them.
    #[must_use]
    pub fn among(self, lengths: Lengths) -> Self {
        let among = Among {
            lengths,
            norms: OnceLock::new(),
        };
        Self {
            among: Some(Arc::new(among)),
            ..self
        }
    }

    /// Weight of one occurrence of a word in each field of each chunk, if that depends on other shards. Linear in chunks
    /// when it is asked for first.
    pub(crate) fn norms(&self, lexical: &ArchivedLexical) -> Option<&[FieldNorms]> {
        let Among { lengths, norms } = self.among.as_deref()?;
        Some(norms.get_or_init(|| lexical.norms_among(lengths)))
    }
}

/// The lengths of the chunks of all shards, and what follows from them for one.
struct Among {
    lengths: Lengths,
    norms: OnceLock<Vec<FieldNorms>>,
}
