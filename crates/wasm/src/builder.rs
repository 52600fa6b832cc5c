//! The index that one makes: files in, an index out. Owned by the index worker.

use std::collections::BTreeMap;

use engine::{Engine, EngineConfig, FileUnit, Stamp};
use js_sys::Uint8Array;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use source::{FileSet, IgnoreRules, SkipReason, SourceConfig};
use syntax::{Language, UserLanguage};
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::CodeIndex;
use crate::errors::{JsResult, bad_request, engine_error, error};
use crate::options::SourceOptions;
use crate::packing::Giver;
use crate::round::Round;

/// A file that is taken in, to be read by a `ParseWorker`.
#[derive(Debug, Serialize, Deserialize, Tsify)]
pub struct Admitted {
    /// The path, cleaned.
    pub path: String,
    /// The grammar that reading it needs, if it needs one.
    #[tsify(optional)]
    pub grammar: Option<String>,
}

/// What a SCIP index gave.
#[derive(Debug, Serialize, Deserialize, Tsify)]
pub struct ScipReport {
    /// Name and version of the indexer.
    pub tool: String,
    /// Documents in it.
    pub n_documents: usize,
    /// Documents that hold for files of this index.
    pub n_used: usize,
    /// Files whose text is another than the one that was indexed.
    pub stale: Vec<String>,
    /// Documents of files that are not in this index.
    pub unknown: Vec<String>,
}

/// Makes an index: asks for files by the ignore rules, takes their texts and units, builds.
#[wasm_bindgen]
pub struct CodeIndexBuilder {
    pub(crate) config: SourceConfig,
    pub(crate) rules: IgnoreRules,
    /// Names of the languages that are taken in; all where there is none.
    only_languages: Vec<String>,
    pub(crate) engine: Engine,
    /// Texts whose units are still awaited.
    pub(crate) texts: FxHashMap<String, String>,
    /// Paths that came a second time: noted at the end, since a file's unit takes back what was noted of its path.
    pub(crate) duplicates: Vec<String>,
    pub(crate) round: Round,
    /// What the disk says of files whose units are still awaited.
    pub(crate) stamps: BTreeMap<String, Stamp>,
}

#[wasm_bindgen]
impl CodeIndexBuilder {
    /// An empty index with this name.
    #[wasm_bindgen(constructor)]
    pub fn new(name: String, options: Ts<SourceOptions>) -> JsResult<CodeIndexBuilder> {
        let engine = Engine::new(EngineConfig {
            name,
            ..EngineConfig::default()
        });
        Self::with_engine(engine, options)
    }

    /// Takes in a language that the user brings; the same ones, in the same order, go to every `ParseWorker`. Throws `grammar.name`
    /// where its name is taken or cannot be one.
    #[wasm_bindgen(js_name = addLanguage)]
    pub fn add_language(&mut self, name: String, extensions: Vec<String>) -> JsResult<()> {
        self.engine
            .add_language(UserLanguage { name, extensions })
            .map(|_| ())
            .map_err(|reason| error("grammar.name", reason))
    }

    /// Throws `language.unknown` where a language that is to be taken in is none; after those that the user brings.
    #[wasm_bindgen(js_name = checkLanguages)]
    pub fn check_languages(&self) -> JsResult<()> {
        let languages = self.engine.languages();
        match self.only_languages.iter().find(|name| {
            Language::from_name(name)
                .or_else(|| languages.find(name))
                .is_none()
        }) {
            Some(name) => Err(error(
                "language.unknown",
                format!("there is no language \"{name}\""),
            )),
            None => Ok(()),
        }
    }

    /// Adds the rules of a `.gitignore` or `.portolanignore`, before its folder's entries are asked for.
    #[wasm_bindgen(js_name = addIgnoreFile)]
    pub fn add_ignore_file(&mut self, path: &str, text: &str) {
        self.rules.add_ignore_file(path, text);
    }

    /// Whether a walk goes into this folder; if not, that is noted.
    #[wasm_bindgen(js_name = enterFolder)]
    pub fn enter_folder(&mut self, path: &str) -> bool {
        let reason = self.rules.check(path, true);
        self.note(format!("{path}/"), reason)
    }

    /// Whether a file of this size is worth reading; if not, that is noted.
    #[wasm_bindgen(js_name = wantsFile)]
    pub fn wants_file(&mut self, path: &str, size: f64) -> bool {
        let reason = self
            .rules
            .check(path, false)
            .or_else(|| source::check_size(size as u64, &self.config).err());
        self.note(path.to_owned(), reason)
    }

    /// Notes a file that the host could not read.
    #[wasm_bindgen(js_name = skipUnreadable)]
    pub fn skip_unreadable(&mut self, path: &str, message: String) {
        self.note(path.to_owned(), Some(SkipReason::Unreadable { message }));
    }

    /// Leaves out a file, taken in or not, for a reason of the host.
    #[wasm_bindgen(js_name = leaveOut)]
    pub fn leave_out_for(&mut self, path: &str, code: String, message: String) {
        self.texts.remove(path);
        self.stamps.remove(path);
        self.note(path.to_owned(), Some(SkipReason::Noted { code, message }));
    }

    /// Notes a link.
    #[wasm_bindgen(js_name = skipLink)]
    pub fn skip_link(&mut self, path: &str) {
        self.note(path.to_owned(), Some(SkipReason::Link));
    }

    /// Takes a file in; nothing is returned, and the reason noted, where it does not belong in an index.
    pub fn add(&mut self, path: &str, bytes: &[u8]) -> JsResult<Option<Ts<Admitted>>> {
        match self.admit(path, bytes) {
            Ok((path, text)) => self.take(path, text),
            Err(SkipReason::DuplicatePath) => {
                self.duplicates.push(path.to_owned());
                Ok(None)
            }
            Err(reason) => {
                self.note(path.to_owned(), Some(reason));
                Ok(None)
            }
        }
    }

    /// Takes the files of an archive in. Throws `archive.…` where nothing can be read from it.
    #[wasm_bindgen(js_name = addArchive)]
    pub fn add_archive(&mut self, bytes: &[u8]) -> JsResult<Vec<Ts<Admitted>>> {
        let set = FileSet::from_archive(bytes, &self.config)
            .map_err(|reason| error(reason.code(), &reason))?;
        for skipped in set.skipped {
            self.engine.skip(skipped);
        }
        let taken = set
            .files
            .into_iter()
            .map(|file| self.take(file.path, file.text));
        taken.filter_map(Result::transpose).collect()
    }

    /// The text of a file that was taken in and not read yet, as UTF-8.
    #[wasm_bindgen(js_name = bytesOf)]
    #[must_use]
    pub fn bytes_of(&self, path: &str) -> Uint8Array {
        Uint8Array::from(self.texts.get(path).map_or(&[][..], |text| text.as_bytes()))
    }

    /// Takes what a `ParseWorker` read from a file. Throws `unit.damaged`.
    pub fn put(&mut self, path: &str, unit: &[u8]) -> JsResult<()> {
        let unit = FileUnit::from_bytes(unit).map_err(engine_error)?;
        let text = self
            .texts
            .remove(path)
            .ok_or_else(|| error("file.not-found", format!("{path} was not taken in")))?;
        self.engine.put(path, text, unit);
        if let Some(stamp) = self.stamps.remove(path) {
            self.engine.set_stamp(path, stamp);
        }
        Ok(())
    }

    /// Takes in a SCIP index, once all files are in; the next build uses it. Throws `scip.damaged`.
    #[wasm_bindgen(js_name = importScip)]
    pub fn import_scip(&mut self, bytes: &[u8]) -> JsResult<Ts<ScipReport>> {
        let report = self.engine.import_scip(bytes).map_err(engine_error)?;
        ScipReport {
            tool: report.tool,
            n_documents: report.n_documents,
            n_used: report.n_used,
            stale: report.stale,
            unknown: report.unknown,
        }
        .into_ts()
        .map_err(bad_request)
    }

    /// How many texts have no vector yet.
    #[wasm_bindgen(js_name = pendingCount)]
    #[must_use]
    pub fn pending_count(&self) -> usize {
        self.engine.n_pending_embeddings()
    }

    /// Vectors come from this model from now on; those of another one are dropped.
    #[wasm_bindgen(js_name = useEmbedder)]
    pub fn use_embedder(&mut self, name: &str, dimensions: usize) {
        self.engine.use_embedder(name, dimensions);
    }

    /// Up to `limit` texts that have no vector yet.
    #[wasm_bindgen(js_name = pendingEmbeddings)]
    #[must_use]
    pub fn pending_embeddings(&self, limit: usize) -> PendingEmbeddings {
        let tasks = self.engine.pending_embeddings(limit);
        let (keys, texts) = tasks.into_iter().map(|task| (task.key, task.text)).unzip();
        PendingEmbeddings { keys, texts }
    }

    /// Takes vectors: one of `dimensions` numbers for each key. Throws `vectors.mismatch`.
    #[wasm_bindgen(js_name = setVectors)]
    pub fn set_vectors(
        &mut self,
        keys: &[u64],
        vectors: &[f32],
        dimensions: usize,
        model: &str,
    ) -> JsResult<()> {
        self.engine
            .set_vectors(keys, vectors, dimensions, model)
            .map_err(engine_error)
    }

    /// Puts the index together. `now` is in milliseconds since 1970. `give` is handed what can be packed elsewhere as soon as it stands
    /// (`packSection`, `packTexts`); it must not call this builder.
    pub fn build(&mut self, now: f64, give: Option<js_sys::Function>) -> JsResult<CodeIndex> {
        for path in std::mem::take(&mut self.duplicates) {
            self.note(path, Some(SkipReason::DuplicatePath));
        }
        let built = match give {
            Some(give) => self.engine.update_giving(now, &mut Giver(give)),
            None => self.engine.update(now),
        };
        Ok(CodeIndex::new(built.map_err(engine_error)?))
    }

    /// The index built last, with the vectors that came in since; much cheaper than building again.
    #[wasm_bindgen(js_name = attachVectors)]
    pub fn attach_vectors(&mut self, now: f64) -> JsResult<CodeIndex> {
        let snapshot = self.engine.update_vectors(now).map_err(engine_error)?;
        Ok(CodeIndex::new(snapshot))
    }
}

impl CodeIndexBuilder {
    pub(crate) fn with_engine(
        engine: Engine,
        options: Ts<SourceOptions>,
    ) -> JsResult<CodeIndexBuilder> {
        let mut options = options.to_rust().map_err(bad_request)?;
        let only_languages = options.languages.take().unwrap_or_default();
        let config = SourceConfig::from(options);
        Ok(Self {
            rules: IgnoreRules::new(&config),
            only_languages,
            config,
            engine,
            texts: FxHashMap::default(),
            duplicates: Vec::new(),
            round: Round::default(),
            stamps: BTreeMap::new(),
        })
    }

    fn admit(&mut self, path: &str, bytes: &[u8]) -> Result<(String, String), SkipReason> {
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
        let text = source::admit(&path, bytes, &self.config)?.into_owned();
        Ok((path, text))
    }

    /// Nothing where its language is not wanted.
    fn take(&mut self, path: String, text: String) -> JsResult<Option<Ts<Admitted>>> {
        let languages = self.engine.languages();
        let language = languages.language_of(&path, &text);
        let name = languages.name(language);
        if !self.only_languages.is_empty()
            && !self.only_languages.iter().any(|wanted| wanted == name)
        {
            let message = format!("{name} is not among the languages to take in");
            self.note(
                path,
                Some(SkipReason::Noted {
                    code: "language".to_owned(),
                    message,
                }),
            );
            return Ok(None);
        }
        if self.round.is_unchanged(&self.engine, &path, &text) {
            return Ok(None);
        }
        let grammar = language.grammar_for(&text).map(str::to_owned);
        self.texts.insert(path.clone(), text);
        let admitted = Admitted { path, grammar }.into_ts();
        admitted.map(Some).map_err(bad_request)
    }

    /// Notes a reason, if there is one. Whether there was none.
    fn note(&mut self, path: String, reason: Option<SkipReason>) -> bool {
        let wanted = reason.is_none();
        if let Some(reason) = reason {
            self.leave_out(path, reason);
        }
        wanted
    }
}

/// Texts to embed, and the keys to give back with their vectors.
#[wasm_bindgen]
pub struct PendingEmbeddings {
    keys: Vec<u64>,
    texts: Vec<String>,
}

#[wasm_bindgen]
impl PendingEmbeddings {
    /// The keys.
    #[wasm_bindgen(getter)]
    #[must_use]
    pub fn keys(&self) -> Vec<u64> {
        self.keys.clone()
    }

    /// Texts `start` to `end`, one after the other, as UTF-8.
    #[must_use]
    pub fn texts(&self, start: usize, end: usize) -> Vec<u8> {
        self.texts
            .get(start..end)
            .unwrap_or_default()
            .concat()
            .into_bytes()
    }

    /// Where each of these texts ends, in bytes.
    #[must_use]
    pub fn ends(&self, start: usize, end: usize) -> Vec<u32> {
        let texts = self.texts.get(start..end).unwrap_or_default();
        let mut at = 0;
        let ends = texts.iter().map(|text| {
            at += text.len() as u32;
            at
        });
        ends.collect()
    }
}
