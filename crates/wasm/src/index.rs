//! An index to be asked.

use std::sync::Arc;

use api::{
    CallsRequest, CallsResponse, DefinitionRequest, DefinitionResponse, Edge, FileList, FileText,
    FindRequest, FindResponse, Outline, ReferencesRequest, ReferencesResponse, RegexRequest,
    RegexResponse, SearchRequest, SearchResponse, Status, answer,
};
use embed::{Embedder, StaticEmbedder};
use engine::{Reader, Snapshot};
use js_sys::Uint8Array;
use rkyv::util::AlignedVec;
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::errors::{JsResult, bad_request, engine_error, error, thrown};

/// An index that answers. Made by `CodeIndexBuilder.build` or `CodeIndex.open`.
#[wasm_bindgen]
pub struct CodeIndex {
    snapshot: Arc<Snapshot>,
    reader: Reader,
    model: Option<StaticEmbedder>,
}

impl CodeIndex {
    /// The index in a snapshot.
    #[must_use]
    pub fn new(snapshot: Arc<Snapshot>) -> Self {
        Self {
            reader: Reader::new(Arc::clone(&snapshot)),
            snapshot,
            model: None,
        }
    }

    fn answer_search(
        &self,
        request: &SearchRequest,
        vector: Option<&[f32]>,
    ) -> JsResult<Ts<SearchResponse>> {
        let response = answer::search(&self.reader, request, vector).map_err(thrown)?;
        response.into_ts().map_err(bad_request)
    }
}

#[wasm_bindgen]
impl CodeIndex {
    /// Opens a snapshot. Throws `snapshot.…` where it is damaged, foreign or of another version.
    pub fn open(bytes: &Uint8Array) -> JsResult<CodeIndex> {
        let mut aligned = AlignedVec::new();
        aligned.resize(bytes.length() as usize, 0);
        bytes.copy_to(&mut aligned);
        let snapshot = Snapshot::open_aligned(aligned).map_err(engine_error)?;
        Ok(Self::new(Arc::new(snapshot)))
    }

    /// The snapshot's bytes.
    #[must_use]
    pub fn save(&self) -> Uint8Array {
        Uint8Array::from(self.snapshot.to_bytes())
    }

    /// Whether search by meaning waits for `setModel`.
    #[wasm_bindgen(js_name = wantsModel)]
    #[must_use]
    pub fn wants_model(&self) -> bool {
        self.model.is_none() && self.reader.status().n_vectors > 0
    }

    /// Sets the model that turns queries into vectors: the one that the index was made with. Another one is refused.
    #[wasm_bindgen(js_name = setModel)]
    pub fn set_model(&mut self, model: &[u8], tokenizer: &[u8]) -> JsResult<()> {
        let model = StaticEmbedder::from_onnx(model, tokenizer)
            .map_err(|reason| error("model.unusable", reason))?;
        self.reader
            .check_model(model.name(), model.dim())
            .map_err(engine_error)?;
        self.model = Some(model);
        Ok(())
    }

    /// Ranked pieces of code for words, a question or an identifier.
    pub fn search(&self, request: Ts<SearchRequest>) -> JsResult<Ts<SearchResponse>> {
        let request = request.to_rust().map_err(bad_request)?;
        let model = self.model.as_ref();
        let vector = model.and_then(|model| model.embed(&[&request.query]).ok());
        self.answer_search(&request, vector.as_deref())
    }

    /// As `search`, with the query's vector made elsewhere, by the model that the index was made with.
    #[wasm_bindgen(js_name = searchWithVector)]
    pub fn search_with_vector(
        &self,
        request: Ts<SearchRequest>,
        vector: &[f32],
    ) -> JsResult<Ts<SearchResponse>> {
        let request = request.to_rust().map_err(bad_request)?;
        self.answer_search(&request, Some(vector))
    }

    /// Symbols by name.
    pub fn find(&self, request: Ts<FindRequest>) -> JsResult<Ts<FindResponse>> {
        let request = request.to_rust().map_err(bad_request)?;
        answer::find(&self.reader, &request)
            .map_err(thrown)?
            .into_ts()
            .map_err(bad_request)
    }

    /// Who uses a symbol.
    pub fn references(&self, request: Ts<ReferencesRequest>) -> JsResult<Ts<ReferencesResponse>> {
        let request = request.to_rust().map_err(bad_request)?;
        answer::references(&self.reader, &request)
            .map_err(thrown)?
            .into_ts()
            .map_err(bad_request)
    }

    /// Who calls a symbol, step by step.
    pub fn callers(&self, request: Ts<CallsRequest>) -> JsResult<Ts<CallsResponse>> {
        let request = request.to_rust().map_err(bad_request)?;
        answer::callers(&self.reader, &request)
            .map_err(thrown)?
            .into_ts()
            .map_err(bad_request)
    }

    /// Whom a symbol calls, step by step.
    pub fn callees(&self, request: Ts<CallsRequest>) -> JsResult<Ts<CallsResponse>> {
        let request = request.to_rust().map_err(bad_request)?;
        answer::callees(&self.reader, &request)
            .map_err(thrown)?
            .into_ts()
            .map_err(bad_request)
    }

    /// What the name at a position means.
    pub fn definition(&self, request: Ts<DefinitionRequest>) -> JsResult<Ts<DefinitionResponse>> {
        let request = request.to_rust().map_err(bad_request)?;
        answer::definition(&self.reader, &request)
            .map_err(thrown)?
            .into_ts()
            .map_err(bad_request)
    }

    /// Lines that match a pattern.
    pub fn regex(&self, request: Ts<RegexRequest>) -> JsResult<Ts<RegexResponse>> {
        let request = request.to_rust().map_err(bad_request)?;
        answer::regex(&self.reader, &request, Some(&js_sys::Date::now))
            .map_err(thrown)?
            .into_ts()
            .map_err(bad_request)
    }

    /// The definitions of a file.
    pub fn outline(&self, path: &str) -> JsResult<Ts<Outline>> {
        answer::outline(&self.reader, path)
            .map_err(thrown)?
            .into_ts()
            .map_err(bad_request)
    }

    /// A file's text.
    #[wasm_bindgen(js_name = fileText)]
    pub fn file_text(&self, path: &str) -> JsResult<Ts<FileText>> {
        answer::file_text(&self.reader, path)
            .map_err(thrown)?
            .into_ts()
            .map_err(bad_request)
    }

    /// All indexed files.
    pub fn files(&self) -> JsResult<Ts<FileList>> {
        answer::files(&self.reader).into_ts().map_err(bad_request)
    }

    /// Every resolved edge by names.
    pub fn edges(&self) -> JsResult<Vec<Ts<Edge>>> {
        answer::edges(&self.reader)
            .iter()
            .map(|edge| edge.into_ts().map_err(bad_request))
            .collect()
    }

    /// Counts, sizes, skipped files and problems.
    pub fn status(&self) -> JsResult<Ts<Status>> {
        answer::status(&self.reader).into_ts().map_err(bad_request)
    }
}
