//! Takes the files of a host into an engine: decides which are indexed, which must be parsed, and why others are not.

use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use source::{ArchiveError, FileSet, IgnoreRules, SkipReason, Skipped, SourceConfig};
use syntax::Language;

use crate::change::round::IndexingRound;
use crate::{Engine, Error, ErrorKind, FileUnit, Packers, Snapshot, Stamp, Text};

/// A file that belongs in the index and must be parsed, by a parser in any worker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Admitted {
    /// The path, cleaned.
    pub path: String,
    /// The grammar that parsing it needs, if it needs one.
    pub grammar: Option<&'static str>,
}

/// Takes files into an [`Engine`] by the ignore rules and limits of a [`SourceConfig`]. Texts wait here for the units
/// that parsers make of them. A host that updates an index works in rounds: [`Indexer::begin_walk`].
pub struct Indexer {
    pub(crate) config: SourceConfig,
    pub(crate) rules: IgnoreRules,
    /// Names of the languages that are indexed; all if empty.
    only_languages: Vec<String>,
    pub(crate) engine: Engine,
    /// Texts whose units are still awaited.
    pub(crate) texts: FxHashMap<String, Text>,
    /// Paths that came a second time. They are noted at the end, since adding a file's unit removes notes about its
    /// path.
    pub(crate) duplicates: Vec<String>,
    pub(crate) round: IndexingRound,
    /// Stamps of files whose units are still awaited.
    pub(crate) stamps: BTreeMap<String, Stamp>,
}

impl Indexer {
    /// Creates an indexer for this engine. `only_languages` has the names of the languages to index; all if empty.
    #[must_use]
    pub fn new(engine: Engine, config: SourceConfig, only_languages: Vec<String>) -> Self {
        Self {
            rules: IgnoreRules::new(&config),
            config,
            only_languages,
            engine,
            texts: FxHashMap::default(),
            duplicates: Vec::new(),
            round: IndexingRound::default(),
            stamps: BTreeMap::new(),
        }
    }

    /// Returns the engine.
    #[must_use]
    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    /// Returns the engine, for changes other than those of files.
    pub fn engine_mut(&mut self) -> &mut Engine {
        &mut self.engine
    }

    /// Returns the first name in `only_languages` that is no language. Ask after the user's languages are added.
    #[must_use]
    pub fn unknown_language(&self) -> Option<&str> {
        let languages = self.engine.languages();
        let is_known = |name: &str| {
            let language = Language::from_name(name);
            language.or_else(|| languages.find(name)).is_some()
        };
        let mut names = self.only_languages.iter().map(String::as_str);
        names.find(|name| !is_known(name))
    }

    /// Adds the rules of a `.gitignore` or `.portolanignore`. Must come before the entries of its folder.
    pub fn add_ignore_file(&mut self, path: &str, text: &str) {
        self.rules.add_ignore_file(path, text);
    }

    /// Whether a walk enters this folder; if not, the reason is noted.
    pub fn enter_folder(&mut self, path: &str) -> bool {
        let reason = self.rules.check(path, true);
        self.note(format!("{path}/"), reason)
    }

    /// Whether a file of this size in bytes is worth reading; if not, the reason is noted.
    pub fn wants_file(&mut self, path: &str, size: u64) -> bool {
        let reason = self.rules.check(path, false);
        let reason = reason.or_else(|| source::check_size(size, &self.config).err());
        self.note(path.to_owned(), reason)
    }

    /// Leaves out a file, whether or not it was added before.
    pub fn leave_out(&mut self, path: &str, reason: SkipReason) {
        self.texts.remove(path);
        self.stamps.remove(path);
        self.skip(path.to_owned(), reason);
    }

    /// Notes a file that is not read, and removes it from the index.
    pub fn skip(&mut self, path: String, reason: SkipReason) {
        self.round.leave_out(&path);
        self.engine.skip(Skipped { path, reason });
    }

    /// Adds a file to be parsed. Returns none, and notes the reason, where it does not belong in the index or was added
    /// already.
    pub fn add(&mut self, path: &str, bytes: &[u8]) -> Option<Admitted> {
        match self.admit(path, bytes) {
            Ok((path, text)) => self.take(path, text),
            Err(SkipReason::DuplicatePath) => {
                self.duplicates.push(path.to_owned());
                None
            }
            Err(reason) => {
                self.skip(path.to_owned(), reason);
                None
            }
        }
    }

    /// Adds the files of an archive.
    ///
    /// # Errors
    ///
    /// Where nothing can be read from it.
    pub fn add_archive(&mut self, bytes: &[u8]) -> Result<Vec<Admitted>, ArchiveError> {
        let set = FileSet::from_archive(bytes, &self.config)?;
        for skipped in set.skipped {
            self.engine.skip(skipped);
        }
        let files = set.files.into_iter();
        Ok(files
            .filter_map(|file| self.add_text(file.path, file.text))
            .collect())
    }

    /// Adds a file that the rules of `source` admitted already. Returns none, and notes the reason, where its language is not wanted.
    pub fn add_text(&mut self, path: String, text: String) -> Option<Admitted> {
        self.take(path, text.into())
    }

    /// Returns the text of a file that was added and not parsed yet.
    #[must_use]
    pub fn text_of(&self, path: &str) -> Option<&Text> {
        self.texts.get(path)
    }

    /// Adds the unit of a file that was parsed.
    ///
    /// # Errors
    ///
    /// `file.not-found` where the file was not added before.
    pub fn put(&mut self, path: &str, unit: FileUnit) -> Result<(), Error> {
        let text = self.texts.remove(path).ok_or_else(|| {
            Error::new(ErrorKind::FileNotFound, format!("{path} was not taken in"))
        })?;
        self.engine.put(path, text, unit);
        if let Some(stamp) = self.stamps.remove(path) {
            self.engine.set_stamp(path, stamp);
        }
        Ok(())
    }

    /// Builds a snapshot, see [`Engine::update_giving`].
    ///
    /// # Errors
    ///
    /// As [`Engine::build`].
    pub fn build(
        &mut self,
        now_millis: f64,
        packers: &mut dyn Packers,
    ) -> Result<Arc<Snapshot>, Error> {
        for path in std::mem::take(&mut self.duplicates) {
            self.skip(path, SkipReason::DuplicatePath);
        }
        self.engine.update_giving(now_millis, packers)
    }

    /// Whether the index was made by this version of the engine with this recipe; see [`Indexer::set_recipe`].
    #[must_use]
    pub fn is_made_by(&self, recipe: &str) -> bool {
        self.engine.recipe() == with_version(recipe)
    }

    /// Stores with the index how its files are read, to be compared before an update.
    pub fn set_recipe(&mut self, recipe: &str) {
        self.engine.set_recipe(with_version(recipe));
    }

    fn admit(&mut self, path: &str, bytes: &[u8]) -> Result<(String, Text), SkipReason> {
        let path = source::clean_path(path)?;
        let n_files = self.engine.n_files() + self.texts.len();
        if n_files >= self.config.max_files as usize && self.engine.digest_of(&path).is_none() {
            return Err(SkipReason::FileLimit {
                limit: self.config.max_files,
            });
        }
        if !self.round.meet(&path) {
            return Err(SkipReason::DuplicatePath);
        }
        let text = source::admit(&path, bytes, &self.config)?;
        let text = Text::from(&*text);
        Ok((path, text))
    }

    /// Keeps a file to be parsed; none where its language is not wanted, or the file is unchanged.
    fn take(&mut self, path: String, text: Text) -> Option<Admitted> {
        let languages = self.engine.languages();
        let language = languages.language_of(&path, &text);
        let name = languages.name(language);
        let is_wanted = |wanted: &String| wanted == name;
        if !self.only_languages.is_empty() && !self.only_languages.iter().any(is_wanted) {
            let reason = SkipReason::Noted {
                code: "language".to_owned(),
                message: format!("{name} is not among the languages to take in"),
            };
            self.skip(path, reason);
            return None;
        }
        if self.round.is_unchanged(&self.engine, &path, &text) {
            return None;
        }
        let grammar = language.grammar_for(&text);
        self.texts.insert(path.clone(), text);
        Some(Admitted { path, grammar })
    }

    /// Notes a reason, if there is one. Returns true if there is none.
    fn note(&mut self, path: String, reason: Option<SkipReason>) -> bool {
        let is_wanted = reason.is_none();
        if let Some(reason) = reason {
            self.skip(path, reason);
        }
        is_wanted
    }
}

/// The recipe with the engine's version: another version reads files by other rules.
fn with_version(recipe: &str) -> String {
    format!("{} {recipe}", env!("CARGO_PKG_VERSION"))
}
