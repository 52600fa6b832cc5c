//! An index to be asked.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use api::answer::{self, Asked, Exchange};
use api::{Edge, ErrorBody, StructuralFiles, StructuralFilesRequest, UserLanguageEntry};
use embed::EmbedError;
use engine::{APPROXIMATE_FROM, Error, Index, N_START, Partial, Reader, Snapshot, Wanted};
use js_sys::Uint8Array;
use serde::Serialize;
use serde::de::DeserializeOwned;
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};

use crate::errors::{JsResult, bad_request, engine_error, error, thrown};
use crate::host_file::HostFile;
use crate::model::Model;

/// An index that answers. Made by `CodeIndexBuilder.build` or `CodeIndex.open`.
#[wasm_bindgen]
pub struct CodeIndex {
    index: Index,
    /// Where sections come when they are asked for.
    partial: Option<Partial>,
    /// Maximum number of bytes of the sections of a shard, where the index is in shards.
    limit: Arc<AtomicUsize>,
    model: Option<Model>,
    /// The text that was embedded last by a model that does not run here, and its vector.
    embedded: Option<(String, Vec<f32>)>,
}

impl CodeIndex {
    /// The index in a snapshot. Throws `snapshot.…` where it cannot be read.
    pub fn new(snapshot: Arc<Snapshot>) -> JsResult<Self> {
        let index = Index::new(snapshot).map_err(engine_error)?;
        Ok(Self::of(index, Arc::default()))
    }

    fn of(index: Index, limit: Arc<AtomicUsize>) -> Self {
        Self {
            index,
            partial: None,
            limit,
            model: None,
            embedded: None,
        }
    }

    /// The snapshot that it answers from. Throws `query.unsupported` for an index in shards, which has several.
    pub fn snapshot(&self) -> JsResult<&Arc<Snapshot>> {
        let is_one = |reader: &Reader| reader.needs_one_piece("what needs its one file");
        self.index.ask(is_one).map_err(engine_error)?;
        Ok(self.index.snapshot())
    }

    fn over(file: HostFile, without: &[String]) -> JsResult<CodeIndex> {
        let mut snapshot = Snapshot::open_lazily(file).map_err(engine_error)?;
        let without: Vec<&str> = without.iter().map(String::as_str).collect();
        if !without.is_empty() {
            snapshot = snapshot.without(&without);
        }
        Self::new(Arc::new(snapshot))
    }

    fn check_model(&self, name: &str, dim: usize) -> JsResult<()> {
        let checked = self.index.ask(|reader| reader.check_model(name, dim));
        checked.map_err(engine_error)
    }

    fn take_model(&mut self, model: Result<Model, EmbedError>) -> JsResult<()> {
        let model = model.map_err(|reason| error("model.unusable", reason))?;
        let (name, dim) = model.name();
        self.check_model(name, dim)?;
        self.model = Some(model);
        Ok(())
    }

    /// The query as a vector; none where there is no model, or it fails: words answer then.
    fn vector_of(&self, text: &str) -> Option<Vec<f32>> {
        if let Some((_, vector)) = self.embedded.as_ref().filter(|(of, _)| of == text) {
            return Some(vector.clone());
        }
        self.model.as_ref()?.vector_of(text)
    }
}

#[wasm_bindgen]
impl CodeIndex {
    /// Opens a snapshot: its table and info section. Another section is checked and unpacked when a question reads it first, so the bytes must
    /// stay as they are. Throws `snapshot.…` where it is damaged, foreign or of another version; questions do where a section is.
    pub fn open(bytes: &Uint8Array) -> JsResult<CodeIndex> {
        Self::over(HostFile::bytes(bytes), &[])
    }

    /// Opens a snapshot of `n_bytes` in external storage: `read` gets the first byte and the end of a range and returns
    /// its bytes synchronously. The optional sections (`texts`, `vectors`) named in `without` are skipped. In the reading artifact
    /// it may with `beside` be the root of an index in shards: when a question reaches a shard first, `beside` gets the name of its file and returns an array of its number of bytes and
    /// a function that reads it.
    #[wasm_bindgen(js_name = openFrom)]
    pub fn open_from(
        n_bytes: usize,
        read: js_sys::Function,
        without: Vec<String>,
        beside: Option<js_sys::Function>,
    ) -> JsResult<CodeIndex> {
        let file = HostFile::function(n_bytes, read);
        #[cfg(feature = "shards")]
        if let Some(beside) = beside.filter(|_| crate::shards::starts_as_root(&file)) {
            let (index, limit) = crate::shards::open_root(&file, beside)?;
            return Ok(Self::of(index, limit));
        }
        #[cfg(not(feature = "shards"))]
        drop(beside);
        Self::over(file, &without)
    }

    /// Number of bytes at the start of a snapshot that `openStart` needs, if it has as many.
    #[wasm_bindgen(js_name = nStart)]
    #[must_use]
    pub fn n_start() -> usize {
        N_START
    }

    /// Opens a snapshot of `n_bytes` of which only the start has come. Before each question what is `missing` for it is to be
    /// provided, and after it what is in `missingBlocks`: if there are any, the answer does not count, and the question is put again.
    #[wasm_bindgen(js_name = openStart)]
    pub fn open_start(start: &[u8], n_bytes: usize) -> JsResult<CodeIndex> {
        let partial = Partial::new(start, n_bytes).map_err(engine_error)?;
        let mut index = Self::new(partial.snapshot())?;
        index.partial = Some(partial);
        Ok(index)
    }

    /// Bounds the bytes that sections take once they are unpacked, of each shard where there are some; one that takes more throws
    /// `snapshot.damaged` when it is read.
    #[wasm_bindgen(js_name = limitMemory)]
    pub fn limit_memory(&self, n_bytes: f64) {
        let n_bytes = n_bytes.max(0.0) as usize;
        self.limit.store(n_bytes, Ordering::Relaxed);
        self.index.snapshot().limit_memory(n_bytes);
    }

    /// Returns the name of the index. Throws `snapshot.…` where it cannot be read.
    pub fn name(&self) -> JsResult<String> {
        let name = self
            .index
            .ask(|reader| Ok::<_, Error>(reader.name().to_owned()));
        name.map_err(engine_error)
    }

    /// Sections that a tool reads and that have not come, in the order in which to provide them: name, first byte, end; none of an index
    /// that was opened whole.
    #[must_use]
    pub fn missing(&self, tool: &str) -> Vec<JsValue> {
        let names = answer::sections_of(tool);
        let partial = self.partial.as_ref();
        wanted(partial.map_or_else(Vec::new, |partial| partial.missing(names)))
    }

    /// Blocks of texts that the last question needed and did not find, in the form of `missing`.
    #[wasm_bindgen(js_name = missingBlocks)]
    #[must_use]
    pub fn missing_blocks(&self) -> Vec<JsValue> {
        let partial = self.partial.as_ref();
        wanted(partial.map_or_else(Vec::new, Partial::missing_blocks))
    }

    /// Takes a missing part. Throws `snapshot.…` if its bytes are not those that were saved.
    pub fn provide(&mut self, name: &str, bytes: &[u8]) -> JsResult<()> {
        if let Some(partial) = &mut self.partial {
            partial.provide(name, bytes).map_err(engine_error)?;
            let snapshot = partial.snapshot();
            if !Arc::ptr_eq(&snapshot, self.index.snapshot()) {
                self.index = Index::new(snapshot).map_err(engine_error)?;
            }
        }
        Ok(())
    }

    /// The snapshot's bytes. Throws `snapshot.…` where it cannot be read.
    pub fn save(&self) -> JsResult<Uint8Array> {
        let file = self.snapshot()?.write(&[]).map_err(engine_error)?;
        Ok(Uint8Array::from(file.as_slice()))
    }

    /// Writes the snapshot's bytes piece by piece: `give` gets the offset of each piece in the file, and its bytes.
    /// They come in order, except the first ones, which come last: without them it is not a snapshot. Throws
    /// `snapshot.…` if it cannot be read, and errors of `give`.
    #[wasm_bindgen(js_name = saveTo)]
    pub fn save_to(&self, give: &js_sys::Function) -> JsResult<()> {
        let mut failure = None;
        let written = self.snapshot()?.write_pieces(&mut |at, piece| {
            if failure.is_none() {
                let bytes = Uint8Array::from(piece);
                let given = give.call2(&JsValue::UNDEFINED, &JsValue::from(at as f64), &bytes);
                failure = given.err();
            }
        });
        written.map_err(engine_error)?;
        failure.map_or(Ok(()), Err)
    }

    /// Returns true if this tool would answer better after `setModel`.
    #[wasm_bindgen(js_name = wantsModel)]
    #[must_use]
    pub fn wants_model(&self, tool: &str) -> bool {
        answer::wants_vector(tool) && self.model.is_none() && self.index.embedder().is_some()
    }

    /// Sets the model that turns queries into vectors: the one that the index was made with. Another one is refused.
    #[wasm_bindgen(js_name = setModel)]
    pub fn set_model(&mut self, model: &[u8], tokenizer: &[u8]) -> JsResult<()> {
        self.take_model(Model::whole(model, tokenizer))
    }

    /// As `setModel`, for a few queries: of the model's file of `n_bytes` only the rows of their tokens are read, by `read`, which is given the
    /// first byte of a piece and its end. `lookup` is what `StaticModel.lookup` gave.
    #[wasm_bindgen(js_name = setModelRows)]
    pub fn set_model_rows(
        &mut self,
        lookup: &[u8],
        n_bytes: usize,
        read: js_sys::Function,
    ) -> JsResult<()> {
        self.take_model(Model::rows(lookup, n_bytes, read))
    }

    /// The name of the model that the index was made with; absent where it has no vectors.
    #[wasm_bindgen(getter)]
    #[must_use]
    pub fn embedder(&self) -> Option<String> {
        self.index.embedder().map(str::to_owned)
    }

    /// Hands in the vector of a text that the next question asks about, by the model that the index was made with, which runs elsewhere.
    #[wasm_bindgen(js_name = setVector)]
    pub fn set_vector(&mut self, text: String, vector: Vec<f32>, model: &str) -> JsResult<()> {
        self.check_model(model, vector.len())?;
        self.embedded = Some((text, vector));
        Ok(())
    }

    /// Returns true if an HNSW graph over the vectors would pay off by their number; with `always`, for any number.
    /// False if there is one.
    #[wasm_bindgen(js_name = wantsNeighbours)]
    pub fn wants_neighbours(&self, always: bool) -> JsResult<bool> {
        let threshold = if always { 1 } else { APPROXIMATE_FROM };
        let wants = |reader: &Reader| Ok::<_, Error>(reader.wants_neighbours(threshold));
        self.index.ask(wants).map_err(engine_error)
    }

    /// Returns the input of `Neighbours`: the rows of all chunks.
    #[wasm_bindgen(js_name = vectorRows)]
    pub fn vector_rows(&self) -> JsResult<Vec<i8>> {
        let rows = |reader: &Reader| {
            let rows = reader.vector_rows();
            Ok::<_, Error>(rows.map_or_else(Vec::new, |(_, rows)| rows.to_vec()))
        };
        self.index.ask(rows).map_err(engine_error)
    }

    /// Numbers in a row.
    #[wasm_bindgen(js_name = nNumbers)]
    pub fn n_numbers(&self) -> JsResult<usize> {
        let length = |reader: &Reader| {
            let rows = reader.vector_rows();
            Ok::<_, Error>(rows.map_or(0, |(dim, _)| dim))
        };
        self.index.ask(length).map_err(engine_error)
    }

    /// Takes the graph that was built of the rows: queries by meaning follow it from now on. Throws `vectors.mismatch`.
    #[wasm_bindgen(js_name = setNeighbours)]
    pub fn set_neighbours(&mut self, numbers: &[u32]) -> JsResult<()> {
        let snapshot = engine::with_neighbours(self.snapshot()?, numbers).map_err(engine_error)?;
        self.index = Index::new(Arc::new(snapshot)).map_err(engine_error)?;
        Ok(())
    }

    /// Puts a question: `tool` and `request` are a name and a request of `Tools`, the answer is the one that belongs to it.
    pub fn ask(&self, tool: &str, request: JsValue) -> JsResult<JsValue> {
        let asked = Asked {
            index: &self.index,
            embed: &|text| Ok(self.vector_of(text)),
            clock: Some(&js_sys::Date::now),
        };
        answer::ask(asked, tool, &Values(request)).map_err(thrown)
    }

    /// Selects the files that a structural search must parse: `ParseWorker.readForm` returns the words.
    #[wasm_bindgen(js_name = structuralFiles)]
    pub fn structural_files(
        &self,
        request: Ts<StructuralFilesRequest>,
    ) -> JsResult<Ts<StructuralFiles>> {
        let request = request.to_rust().map_err(bad_request)?;
        let files = |reader: &Reader| answer::structural_files(reader, &request);
        let files = self.index.ask(files);
        files.map_err(thrown)?.into_ts().map_err(bad_request)
    }

    /// Lists the languages that the user added when the index was built, in the order in which every `ParseWorker` adds
    /// them.
    #[wasm_bindgen(js_name = userLanguages)]
    #[must_use]
    pub fn user_languages(&self) -> Vec<Ts<UserLanguageEntry>> {
        let entry = |language: &engine::UserLanguage| {
            let entry = UserLanguageEntry {
                name: language.name.clone(),
                extensions: language.extensions.clone(),
            };
            entry.into_ts().ok()
        };
        let languages = self.index.languages().list();
        languages.iter().filter_map(entry).collect()
    }

    /// Every resolved edge by names.
    pub fn edges(&self) -> JsResult<Vec<Ts<Edge>>> {
        let edges = |reader: &Reader| Ok::<_, Error>(answer::edges(reader));
        let edges = self.index.ask(edges).map_err(engine_error)?;
        edges
            .iter()
            .map(|edge| edge.into_ts().map_err(bad_request))
            .collect()
    }
}

/// Name, first byte and end of each.
fn wanted(all: Vec<Wanted>) -> Vec<JsValue> {
    let entry = |wanted: Wanted| {
        let array = js_sys::Array::new();
        array.push(&JsValue::from(wanted.name));
        array.push(&JsValue::from(wanted.range.start as f64));
        array.push(&JsValue::from(wanted.range.end as f64));
        array.into()
    };
    all.into_iter().map(entry).collect()
}

/// Requests and answers as JavaScript values.
struct Values(JsValue);

impl Exchange for Values {
    type Answer = JsValue;

    fn request<T: DeserializeOwned>(&self) -> Result<T, ErrorBody> {
        check_fields::<T>(&self.0)?;
        serde_wasm_bindgen::from_value(self.0.clone()).map_err(|error| invalid(&error))
    }

    fn answer<T: Serialize>(&self, answer: &T) -> Result<JsValue, ErrorBody> {
        // Maps are objects, as in JSON.
        let serializer = serde_wasm_bindgen::Serializer::new().serialize_maps_as_objects(true);
        answer
            .serialize(&serializer)
            .map_err(|error| invalid(&error))
    }
}

/// Refuses fields that a request does not have; one that is `undefined` counts as absent, as in JSON. Requests are read field by
/// field, so nothing else would see them.
pub(crate) fn check_fields<T: DeserializeOwned>(request: &JsValue) -> Result<(), ErrorBody> {
    match (request.dyn_ref(), api::fields_of::<T>()) {
        (Some(object), Some(fields)) => check_names(object, fields),
        _ => Ok(()),
    }
}

/// As [`check_fields`], for a request of any type: its code is there once.
fn check_names(object: &js_sys::Object, fields: &[&str]) -> Result<(), ErrorBody> {
    for entry in js_sys::Object::entries(object).iter() {
        let entry = js_sys::Array::from(&entry);
        let name = entry.get(0).as_string().unwrap_or_default();
        if !entry.get(1).is_undefined() && !fields.contains(&name.as_str()) {
            return Err(api::unknown_field(&name, fields));
        }
    }
    Ok(())
}

fn invalid(error: &serde_wasm_bindgen::Error) -> ErrorBody {
    // It is a JavaScript error, which says so.
    let message = error.to_string();
    ErrorBody {
        code: "request.invalid".to_owned(),
        message: message
            .strip_prefix("Error: ")
            .unwrap_or(&message)
            .to_owned(),
        help: "the request is an object with the fields of the tool".to_owned(),
    }
}
