//! An index that answers questions: shared by any number of threads, with a fault slot for each question.

use std::sync::{Arc, Mutex, OnceLock};

use graph::NodeId;
use search::Lengths;
use snapshot::SectionKind;
use syntax::UserLanguages;

use crate::ask::reader::Reader;
use crate::{Error, Snapshot};

/// Measures of a shard's nodes in the code graph of all shards, one each; both are numbers from 0 to 1.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Measures {
    /// Share of the code that depends on a node.
    pub centrality: Vec<f32>,
    /// Cohesion of the community that a node is in.
    pub cohesion: Vec<f32>,
}

impl Measures {
    pub(crate) fn centrality_of(&self, node: NodeId) -> f32 {
        self.centrality.get(node.index()).copied().unwrap_or(0.0)
    }

    pub(crate) fn cohesion_of(&self, node: NodeId) -> f32 {
        self.cohesion.get(node.index()).copied().unwrap_or(0.0)
    }
}

/// What a shard keeps between questions.
#[derive(Default)]
pub(crate) struct Global {
    pub(crate) measures: Option<Measures>,
    pub(crate) lengths: OnceLock<Lengths>,
    /// The lengths of all shards that were last asked for, and the weights of fields for them.
    pub(crate) norms: Mutex<Option<(Lengths, Norms)>>,
}

/// Weight of one occurrence in each field of each chunk.
pub(crate) type Norms = Arc<Vec<search::FieldNorms>>;

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
    global: Option<Arc<Global>>,
    embedder: Option<Arc<str>>,
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
            global: None,
            embedder,
        })
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

    /// Makes the index one of several shards that are searched as one: `measures` are those of its definitions in the code
    /// graph of all shards; without them it uses those of its own graph.
    #[must_use]
    pub fn as_shard(self, measures: Option<Measures>) -> Self {
        let global = Global {
            measures,
            ..Global::default()
        };
        Self {
            global: Some(Arc::new(global)),
            ..self
        }
    }

    pub(crate) fn measures(&self) -> Option<&Measures> {
        self.global.as_ref()?.measures.as_ref()
    }

    /// What a shard keeps between questions; `None` for an index of its own.
    pub(crate) fn global(&self) -> Option<&Global> {
        self.global.as_deref()
    }
}
