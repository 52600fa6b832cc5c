//! An index that can be changed: put files, remove files, build.
//!
//! Invariants: a file's unit depends on its path and text only, so an unchanged file is never parsed again; a vector
//! depends on its embedding text only, so an unchanged chunk is never embedded again; and [`Engine::build`] depends on
//! the contents of the engine, not on the order of changes, so an updated index equals one built from scratch.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use search::{FileTerms, LexicalConfig};
use snapshot::{ScipDocuments, Text};
use source::{SkipReason, Skipped};
use syntax::{Language, UserLanguage, UserLanguageError, UserLanguages};

use crate::change::build::build;
use crate::change::unit::{FileUnit, terms_of_file};
use crate::change::update::{Last, terms_of};
use crate::change::vectors::{Rows, VectorStore};
use crate::contextual::Contextual;
use crate::{Error, Packers, Snapshot};

/// Name of an index and options for building it.
#[derive(Debug, Clone, PartialEq)]
pub struct EngineConfig {
    /// Name of the index (repository or folder), shown to people.
    pub name: String,
    /// Keep the facts of each file in the snapshot, so that an update parses only changed files. Without them the
    /// snapshot is smaller and read-only.
    pub keep_facts: bool,
    /// Keep the texts. Without them there are no snippets, no regular expressions and no file contents.
    pub keep_texts: bool,
    /// Weights of lexical search.
    pub lexical: LexicalConfig,
    /// How the host reads files, as a text of its own. It is kept in the snapshot, so that the host can see whether an
    /// index that it wants to update was read in the same way.
    pub recipe: String,
    /// The user's languages, the same and in the same order as in every [`syntax::Parsers`] that reads files for it.
    pub languages: UserLanguages,
}

impl Default for EngineConfig {
    fn default() -> Self {
        Self {
            name: String::new(),
            keep_facts: true,
            keep_texts: true,
            lexical: LexicalConfig::default(),
            recipe: String::new(),
            languages: UserLanguages::default(),
        }
    }
}

/// A file in the engine.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Entry {
    pub text: Text,
    pub digest: [u8; 32],
    pub unit: FileUnit,
    /// Key of each chunk's embedding text.
    pub keys: Vec<u64>,
    pub stamp: Option<Stamp>,
}

/// Size and modification time of a file on disk. A file whose stamp is the same counts as unchanged without being read.
/// This is a hint: an editor that sets times back makes it wrong.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Stamp {
    /// Its size on disk, in bytes.
    pub n_bytes: u32,
    /// Time of its last change, in milliseconds since 1970.
    pub modified: f64,
}

impl Entry {
    /// Terms of its chunks; computed again where they were not kept.
    pub fn terms(&self, path: &str) -> Cow<'_, FileTerms> {
        if self.has_terms(&self.unit.terms) {
            Cow::Borrowed(&self.unit.terms)
        } else {
            Cow::Owned(terms_of_file(path, &self.text, &self.unit.facts))
        }
    }

    /// Whether these are the terms of its chunks, and not those of a file whose terms were not kept.
    pub fn has_terms(&self, terms: &FileTerms) -> bool {
        terms.n_chunks() == self.unit.facts.chunks.len()
    }
}

/// An index that can be changed. The module lists its invariants.
pub struct Engine {
    pub(crate) config: EngineConfig,
    pub(crate) files: BTreeMap<String, Entry>,
    pub(crate) skipped: BTreeMap<String, Skipped>,
    pub(crate) vectors: VectorStore,
    /// Documents of imported SCIP indexes, by path.
    pub(crate) scip: ScipDocuments,
    pub(crate) last: Last,
}

impl Engine {
    /// An empty index.
    #[must_use]
    pub fn new(config: EngineConfig) -> Self {
        Self {
            config,
            files: BTreeMap::new(),
            skipped: BTreeMap::new(),
            vectors: VectorStore::default(),
            scip: ScipDocuments::default(),
            last: Last::default(),
        }
    }

    /// Adds a user's language. Must come before files of it are read.
    ///
    /// # Errors
    ///
    /// Where its name is taken or is not a valid name, or where it has no file endings.
    pub fn add_language(&mut self, language: UserLanguage) -> Result<Language, UserLanguageError> {
        self.config.languages.add(language)
    }

    /// The user's languages.
    #[must_use]
    pub fn languages(&self) -> &UserLanguages {
        &self.config.languages
    }

    /// Adds a file, or replaces it. `path` must be clean ([`source::clean_path`]).
    pub fn put(&mut self, path: &str, text: impl Into<Text>, unit: FileUnit) {
        let text = text.into();
        self.note_change(path);
        let digest = source::digest(text.as_bytes());
        let keys = Contextual::new(path, &text, &unit.facts).keys();
        // The note about a second file with this path still holds.
        if self
            .skipped
            .get(path)
            .is_some_and(|skipped| skipped.reason != SkipReason::DuplicatePath)
        {
            self.skipped.remove(path);
        }
        self.files.insert(
            path.to_owned(),
            Entry {
                text,
                digest,
                unit,
                keys,
                stamp: None,
            },
        );
    }

    /// Removes a file. Returns whether it was there.
    pub fn remove(&mut self, path: &str) -> bool {
        self.skipped.remove(path);
        let is_there = self.files.contains_key(path);
        if is_there {
            self.note_change(path);
            self.files.remove(path);
        }
        is_there
    }

    /// Renames a file and keeps its unit, if both paths mean the same language. Returns `false` and changes nothing
    /// where they do not, where there is no such file, or where the new path is taken: the file must be read again.
    pub fn rename(&mut self, from: &str, to: &str) -> bool {
        let Some(entry) = self.files.get(from) else {
            return false;
        };
        let language = self.config.languages.language_of(to, &entry.text);
        if language != entry.unit.facts.language || self.files.contains_key(to) {
            return false;
        }
        self.note_change(from);
        let Some(Entry { text, mut unit, .. }) = self.files.remove(from) else {
            return false;
        };
        // The terms include the words of the path.
        unit.terms = terms_of_file(to, &text, &unit.facts);
        self.put(to, text, unit);
        true
    }

    /// Notes that a file is about to change, with the interface that it has in the last snapshot.
    fn note_change(&mut self, path: &str) {
        if !self.last.changed.contains_key(path) {
            let entry = self.files.get(path);
            let interface = entry.map(|entry| entry.unit.facts.interface());
            self.last.changed.insert(path.to_owned(), interface);
        }
    }

    /// Notes that a file or folder was left out, and why.
    pub fn skip(&mut self, skipped: Skipped) {
        self.skipped.insert(skipped.path.clone(), skipped);
    }

    /// The note about a file that was left out.
    #[must_use]
    pub fn skipped(&self, path: &str) -> Option<Skipped> {
        self.skipped.get(path).cloned()
    }

    /// The notes about files that were left out, by path.
    pub fn all_skipped(&self) -> impl Iterator<Item = &Skipped> {
        self.skipped.values()
    }

    /// Removes all notes about files left out, before a folder is walked again.
    pub fn clear_skipped(&mut self) {
        self.skipped.clear();
    }

    /// BLAKE3 of the text of a file: where it equals that of the file on disk, the file need not be read again.
    #[must_use]
    pub fn digest_of(&self, path: &str) -> Option<[u8; 32]> {
        self.files.get(path).map(|entry| entry.digest)
    }

    /// Stores the stamp of a file that is in the index.
    pub fn set_stamp(&mut self, path: &str, stamp: Stamp) {
        if let Some(entry) = self.files.get_mut(path) {
            entry.stamp = Some(stamp);
        }
    }

    /// The stamp that a file had on disk when it was read.
    #[must_use]
    pub fn stamp_of(&self, path: &str) -> Option<Stamp> {
        self.files.get(path)?.stamp
    }

    /// How files were read: see [`EngineConfig::recipe`].
    #[must_use]
    pub fn recipe(&self) -> &str {
        &self.config.recipe
    }

    /// Sets how files are read from now on: see [`EngineConfig::recipe`].
    pub fn set_recipe(&mut self, recipe: String) {
        self.config.recipe = recipe;
    }

    /// Renames the index.
    pub fn set_name(&mut self, name: String) {
        self.config.name = name;
    }

    /// Paths of all files, in order.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(String::as_str)
    }

    /// Every file in path order: path, text and unit.
    pub fn files(&self) -> impl Iterator<Item = (&str, &str, &FileUnit)> {
        let files = self.files.iter();
        files.map(|(path, entry)| (path.as_str(), &*entry.text, &entry.unit))
    }

    /// Number of files.
    #[must_use]
    pub fn n_files(&self) -> usize {
        self.files.len()
    }

    /// Adds vectors for tasks of [`Engine::pending_embeddings`]: row `n` of `vectors` is that of `keys[n]`. Vectors of
    /// another model are dropped first.
    ///
    /// # Errors
    ///
    /// `vectors.mismatch` if there are not `keys.len()` rows of `dim` numbers, or a number is not finite.
    pub fn set_vectors(
        &mut self,
        keys: &[u64],
        vectors: &[f32],
        dim: usize,
        model: &str,
    ) -> Result<(), Error> {
        self.set_rows(keys, &Rows::of(vectors, dim)?, model)
    }

    /// As [`Engine::set_vectors`], of vectors that were rounded elsewhere.
    ///
    /// # Errors
    ///
    /// `vectors.mismatch` if there are not `keys.len()` rows.
    pub fn set_rows(&mut self, keys: &[u64], rows: &Rows, model: &str) -> Result<(), Error> {
        self.vectors.set(keys, rows, model)
    }

    /// Drops all vectors.
    pub fn drop_vectors(&mut self) {
        self.vectors = VectorStore::default();
    }

    /// Sets the embedding model. Vectors of another model are dropped, so that their texts are embedded again.
    pub fn use_embedder(&mut self, model: &str, dim: usize) {
        if self.vectors.model != model || self.vectors.dim != dim {
            self.vectors = VectorStore::new(model, dim);
        }
    }

    /// Builds a snapshot. `now_millis` (since 1970, 0 if unknown) is kept as the time of building.
    ///
    /// Cost: linear in the facts of all files, with sorting of terms and names; no file is read.
    ///
    /// # Errors
    ///
    /// `index.too-large` where a section would pass 2 GiB.
    pub fn build(&self, now_millis: f64) -> Result<Snapshot, Error> {
        build(self, terms_of(self), now_millis, &mut ())
    }

    /// As [`Engine::build`], with less work: data of unchanged files is copied from the last snapshot. The result is
    /// the same, byte for byte. Terms of files are dropped; they are computed from the texts if they are needed again.
    ///
    /// Cost: resolving the graph, plus copying the last snapshot. Edits that change no declaration, import or value resolve
    /// only the edited files.
    ///
    /// # Errors
    ///
    /// As [`Engine::build`].
    pub fn update(&mut self, now_millis: f64) -> Result<Arc<Snapshot>, Error> {
        self.update_giving(now_millis, &mut ())
    }

    /// As [`Engine::update`]; sections that are built from scratch are offered to `packers` as soon as they are
    /// finished, for a host that will save the snapshot.
    ///
    /// # Errors
    ///
    /// As [`Engine::build`].
    pub fn update_giving(
        &mut self,
        now_millis: f64,
        packers: &mut dyn Packers,
    ) -> Result<Arc<Snapshot>, Error> {
        let snapshot = crate::change::update::update(self, now_millis, packers)?;
        let snapshot = Arc::new(snapshot);
        for path in std::mem::take(&mut self.last.changed).into_keys() {
            if let Some(entry) = self.files.get_mut(&path) {
                entry.unit.terms = FileTerms::default();
            }
        }
        self.last.snapshot = Some(Arc::clone(&snapshot));
        self.last.is_scip_changed = false;
        Ok(snapshot)
    }

    /// Returns the snapshot of the last [`Engine::update`] with the vectors that were added since; where files have
    /// changed, updates.
    ///
    /// # Errors
    ///
    /// As [`Engine::build`].
    pub fn update_vectors(&mut self, now_millis: f64) -> Result<Arc<Snapshot>, Error> {
        match &self.last.snapshot {
            Some(last) if self.last.changed.is_empty() => {
                let snapshot = Arc::new(self.attach_vectors(last, now_millis)?);
                self.last.snapshot = Some(Arc::clone(&snapshot));
                Ok(snapshot)
            }
            _ => self.update(now_millis),
        }
    }

    /// Returns `snapshot` with the vectors that were added since this engine built it. No file may have changed since.
    /// Much cheaper than building again.
    ///
    /// # Errors
    ///
    /// `vectors.mismatch` if the files have changed since; `index.too-large` as in [`Engine::build`].
    pub fn attach_vectors(&self, snapshot: &Snapshot, now_millis: f64) -> Result<Snapshot, Error> {
        crate::change::build::attach_vectors(self, snapshot, now_millis)
    }
}
