//! The index that one makes: files in, an index out. Owned by the index worker.

use engine::{Engine, EngineConfig, FileUnit, Indexer};
use js_sys::Uint8Array;
use serde::{Deserialize, Serialize};
use source::{SkipReason, SourceConfig};
use syntax::UserLanguage;
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::CodeIndex;
use crate::errors::{JsResult, bad_request, engine_error, error, error_with_help};
use crate::options::SourceOptions;
use crate::packing::Giver;

/// A file that is taken in, to be read by a `ParseWorker`.
#[derive(Debug, Serialize, Deserialize, Tsify)]
pub struct Admitted {
    /// The path, cleaned.
    pub path: String,
    /// The grammar that reading it needs, if it needs one.
    #[tsify(optional)]
    pub grammar: Option<String>,
}

fn admitted(file: engine::Admitted) -> JsResult<Ts<Admitted>> {
    let admitted = Admitted {
        path: file.path,
        grammar: file.grammar.map(str::to_owned),
    };
    admitted.into_ts().map_err(bad_request)
}

/// The result of importing a SCIP index.
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
pub struct CodeIndexBuilder(pub(crate) Indexer);

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
        let engine = self.0.engine_mut();
        engine
            .add_language(UserLanguage { name, extensions })
            .map(|_| ())
            .map_err(|reason| error("grammar.name", reason))
    }

    /// Throws `language.unknown` where a language that is to be taken in is none; after those that the user brings.
    #[wasm_bindgen(js_name = checkLanguages)]
    pub fn check_languages(&self) -> JsResult<()> {
        self.0.unknown_language().map_or(Ok(()), |name| {
            let message = format!("there is no language \"{name}\"");
            Err(error("language.unknown", message))
        })
    }

    /// Adds the rules of a `.gitignore` or `.portolanignore`, before its folder's entries are asked for.
    #[wasm_bindgen(js_name = addIgnoreFile)]
    pub fn add_ignore_file(&mut self, path: &str, text: &str) {
        self.0.add_ignore_file(path, text);
    }

    /// Whether a walk goes into this folder; if not, that is noted.
    #[wasm_bindgen(js_name = enterFolder)]
    pub fn enter_folder(&mut self, path: &str) -> bool {
        self.0.enter_folder(path)
    }

    /// Whether a file of this size is worth reading; if not, that is noted.
    #[wasm_bindgen(js_name = wantsFile)]
    pub fn wants_file(&mut self, path: &str, size: f64) -> bool {
        self.0.wants_file(path, size as u64)
    }

    /// Notes a file that the host could not read.
    #[wasm_bindgen(js_name = skipUnreadable)]
    pub fn skip_unreadable(&mut self, path: &str, message: String) {
        let reason = SkipReason::Unreadable { message };
        self.0.skip(path.to_owned(), reason);
    }

    /// Leaves out a file, taken in or not, for a reason of the host.
    #[wasm_bindgen(js_name = leaveOut)]
    pub fn leave_out_for(&mut self, path: &str, code: String, message: String) {
        self.0.leave_out(path, SkipReason::Noted { code, message });
    }

    /// Notes a link.
    #[wasm_bindgen(js_name = skipLink)]
    pub fn skip_link(&mut self, path: &str) {
        self.0.skip(path.to_owned(), SkipReason::Link);
    }

    /// Takes a file in; nothing is returned, and the reason noted, where it does not belong in an index.
    pub fn add(&mut self, path: &str, bytes: &[u8]) -> JsResult<Option<Ts<Admitted>>> {
        self.0.add(path, bytes).map(admitted).transpose()
    }

    /// Takes the files of an archive in. Throws `archive.…` where nothing can be read from it.
    #[wasm_bindgen(js_name = addArchive)]
    pub fn add_archive(&mut self, bytes: &[u8]) -> JsResult<Vec<Ts<Admitted>>> {
        let files = self.0.add_archive(bytes);
        let files =
            files.map_err(|reason| error_with_help(reason.code(), &reason, reason.help()))?;
        files.into_iter().map(admitted).collect()
    }

    /// The text of a file that was taken in and not read yet, as UTF-8.
    #[wasm_bindgen(js_name = bytesOf)]
    #[must_use]
    pub fn bytes_of(&self, path: &str) -> Uint8Array {
        Uint8Array::from(self.0.text_of(path).map_or(&[][..], str::as_bytes))
    }

    /// Takes what a `ParseWorker` read from a file. Throws `unit.damaged`.
    pub fn put(&mut self, path: &str, unit: &[u8]) -> JsResult<()> {
        let unit = FileUnit::from_bytes(unit).map_err(engine_error)?;
        self.0.put(path, unit).map_err(engine_error)
    }

    /// Takes in a SCIP index, once all files are in; the next build uses it. Throws `scip.damaged`.
    #[wasm_bindgen(js_name = importScip)]
    pub fn import_scip(&mut self, bytes: &[u8]) -> JsResult<Ts<ScipReport>> {
        let report = self
            .0
            .engine_mut()
            .import_scip(bytes)
            .map_err(engine_error)?;
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
        self.0.engine().n_pending_embeddings()
    }

    /// Vectors come from this model from now on; those of another one are dropped.
    #[wasm_bindgen(js_name = useEmbedder)]
    pub fn use_embedder(&mut self, name: &str, dimensions: usize) {
        self.0.engine_mut().use_embedder(name, dimensions);
    }

    /// Up to `limit` texts that have no vector yet.
    #[wasm_bindgen(js_name = pendingEmbeddings)]
    #[must_use]
    pub fn pending_embeddings(&self, limit: usize) -> PendingEmbeddings {
        let tasks = self.0.engine().pending_embeddings(limit);
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
        let engine = self.0.engine_mut();
        engine
            .set_vectors(keys, vectors, dimensions, model)
            .map_err(engine_error)
    }

    /// Puts the index together. `now` is in milliseconds since 1970. `give` gets each section that can be packed elsewhere as soon as it is finished
    /// (`packSection`, `packTexts`); it must not call this builder.
    pub fn build(&mut self, now: f64, give: Option<js_sys::Function>) -> JsResult<CodeIndex> {
        let built = match give {
            Some(give) => self.0.build(now, &mut Giver(give)),
            None => self.0.build(now, &mut ()),
        };
        CodeIndex::new(built.map_err(engine_error)?)
    }

    /// The index built last, with the vectors that came in since; much cheaper than building again.
    #[wasm_bindgen(js_name = attachVectors)]
    pub fn attach_vectors(&mut self, now: f64) -> JsResult<CodeIndex> {
        let snapshot = self
            .0
            .engine_mut()
            .update_vectors(now)
            .map_err(engine_error)?;
        CodeIndex::new(snapshot)
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
        Ok(Self(Indexer::new(engine, config, only_languages)))
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
