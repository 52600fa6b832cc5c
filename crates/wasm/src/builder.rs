//! The index that one makes: files in, an index out. Owned by the index worker.

use engine::{Engine, EngineConfig, FileUnit, Indexer, PendingFile, Rows};
use js_sys::{Uint8Array, Uint32Array};
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
        let text = self.0.text_of(path);
        Uint8Array::from(text.map_or(&[][..], |text| text.as_bytes()))
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

    /// Up to `limit` texts that have no vector yet, or somewhat more, in batches of some hundred.
    #[wasm_bindgen(js_name = pendingEmbeddings)]
    #[must_use]
    pub fn pending_embeddings(&self, limit: usize) -> PendingEmbeddings {
        let mut pending = PendingEmbeddings::default();
        let mut n_texts = 0;
        for file in self.0.engine().pending_files(BATCH_TEXTS) {
            if n_texts >= limit {
                break;
            }
            n_texts += file.len();
            pending.add(file);
        }
        pending
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

    /// As `setVectors`, of rows that `StaticModel.embedRows` made. Throws `vectors.mismatch`.
    #[wasm_bindgen(js_name = setRows)]
    pub fn set_rows(
        &mut self,
        keys: &[u64],
        rows: Vec<i8>,
        dimensions: usize,
        model: &str,
    ) -> JsResult<()> {
        let rows = Rows::of_cells(rows, dimensions).map_err(engine_error)?;
        let engine = self.0.engine_mut();
        engine.set_rows(keys, &rows, model).map_err(engine_error)
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

/// Texts of a batch.
const BATCH_TEXTS: usize = 256;

/// Texts to embed, in batches. A text is made when its batch is asked for.
#[wasm_bindgen]
#[derive(Default)]
pub struct PendingEmbeddings {
    batches: Vec<Vec<PendingFile>>,
    /// Texts of the last batch.
    n_last: usize,
}

impl PendingEmbeddings {
    fn add(&mut self, file: PendingFile) {
        if self.batches.is_empty() || self.n_last >= BATCH_TEXTS {
            self.batches.push(Vec::new());
            self.n_last = 0;
        }
        self.n_last += file.len();
        if let Some(last) = self.batches.last_mut() {
            last.push(file);
        }
    }

    fn batch(&self, number: usize) -> &[PendingFile] {
        self.batches.get(number).map_or(&[], Vec::as_slice)
    }
}

#[wasm_bindgen]
impl PendingEmbeddings {
    /// Number of batches.
    #[wasm_bindgen(getter, js_name = nBatches)]
    #[must_use]
    pub fn n_batches(&self) -> usize {
        self.batches.len()
    }

    /// The keys to give back with the vectors of a batch.
    #[must_use]
    pub fn keys(&self, batch: usize) -> Vec<u64> {
        let files = self.batch(batch).iter();
        files.flat_map(PendingFile::keys).collect()
    }

    /// The texts of a batch, one after the other, as UTF-8.
    #[must_use]
    pub fn texts(&self, batch: usize) -> EmbeddingTexts {
        let mut texts = EmbeddingTexts::default();
        for text in self.batch(batch).iter().flat_map(PendingFile::texts) {
            texts.bytes.extend_from_slice(text.as_bytes());
            texts.ends.push(texts.bytes.len() as u32);
        }
        texts
    }
}

/// Texts, one after the other.
#[wasm_bindgen]
#[derive(Default)]
pub struct EmbeddingTexts {
    bytes: Vec<u8>,
    ends: Vec<u32>,
}

#[wasm_bindgen]
impl EmbeddingTexts {
    /// All of them, as UTF-8.
    #[wasm_bindgen(getter)]
    #[must_use]
    pub fn bytes(&self) -> Uint8Array {
        Uint8Array::from(self.bytes.as_slice())
    }

    /// Where each ends.
    #[wasm_bindgen(getter)]
    #[must_use]
    pub fn ends(&self) -> Uint32Array {
        Uint32Array::from(self.ends.as_slice())
    }
}
