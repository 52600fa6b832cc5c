//! Exports for the Worker's script (`crates/edge/worker`). Strings, bytes and numbers go in and out; each export
//! unpacks its arguments, makes one call and wraps the result.

use std::rc::Rc;

use ::edge::{Call, ErrorBody, METHODS, Reply, parse, read_model, without_index};
use embed::StaticEmbedder;
use engine::{Incoming, Wanted};
use wasm_bindgen::prelude::wasm_bindgen;

/// Data that a request needs before it can be answered.
#[wasm_bindgen(getter_with_clone)]
pub struct Plan {
    /// The index to open; none where the reply is known without one: `reply` has it then.
    pub repository: Option<String>,
    /// The model of the index is needed too.
    pub wants_vector: bool,
    /// The tool that will answer.
    pub tool: String,
    reply: Option<Reply>,
}

#[wasm_bindgen]
impl Plan {
    /// The reply, if no index is needed: to `/healthz` and to refused requests.
    pub fn reply(&self) -> Option<Answer> {
        self.reply.clone().map(Answer)
    }
}

/// Returns the data that a request needs. `url` is the whole URL; `body` is the posted body; `default_repository` may
/// be empty.
#[wasm_bindgen]
pub fn plan(method: &str, url: &str, body: &str, default_repository: &str) -> Plan {
    match parse(method, url, body, default_repository) {
        Ok(Call {
            repository: Some(repository),
            question,
        }) => Plan {
            repository: Some(repository),
            wants_vector: question.wants_vector(),
            tool: question.tool().to_owned(),
            reply: None,
        },
        Ok(Call {
            repository: None,
            question,
        }) => Plan {
            repository: None,
            wants_vector: false,
            tool: String::new(),
            reply: Some(without_index(&question)),
        },
        Err(error) => Plan {
            repository: None,
            wants_vector: false,
            tool: String::new(),
            reply: Some(Reply::error(&error)),
        },
    }
}

/// A reply on its way out.
#[wasm_bindgen]
pub struct Answer(pub(crate) Reply);

#[wasm_bindgen]
impl Answer {
    /// HTTP status.
    #[wasm_bindgen(getter)]
    pub fn status(&self) -> u16 {
        self.0.status
    }

    /// Returns the JSON and frees the answer.
    pub fn into_body(self) -> Vec<u8> {
        self.0.body
    }
}

/// A refusal or a failure; the script throws it and catches it as an exception.
#[wasm_bindgen]
pub struct Failure(pub(crate) ErrorBody);

#[wasm_bindgen]
impl Failure {
    /// From the script's own words.
    #[wasm_bindgen(constructor)]
    pub fn new(code: String, message: String, help: String) -> Self {
        Self(ErrorBody {
            code,
            message,
            help,
        })
    }

    /// The reply that tells it.
    pub fn reply(&self) -> Answer {
        Answer(Reply::error(&self.0))
    }
}

/// A snapshot while it arrives. Drops sections that no query reads.
#[wasm_bindgen]
pub struct Loading(Incoming);

#[wasm_bindgen]
impl Loading {
    /// Room for `n_bytes`.
    #[wasm_bindgen(constructor)]
    pub fn new(n_bytes: usize) -> Self {
        Self(Incoming::new(n_bytes))
    }

    /// The next piece.
    pub fn push(&mut self, piece: &[u8]) {
        self.0.push(piece);
    }

    /// Bytes that will be kept; asked after the first piece, before there is room for all of them.
    #[wasm_bindgen(getter)]
    pub fn n_bytes(&self) -> usize {
        self.0.n_bytes()
    }

    /// All is there, and it is a snapshot.
    pub fn open(self) -> Result<Index, Failure> {
        ::edge::Index::open(self.0).map(Index).map_err(Failure)
    }
}

/// A file of a model while it arrives.
#[wasm_bindgen]
pub struct ModelFile(Vec<u8>);

#[wasm_bindgen]
impl ModelFile {
    /// Room for `n_bytes`.
    #[wasm_bindgen(constructor)]
    pub fn new(n_bytes: usize) -> Self {
        Self(Vec::with_capacity(n_bytes))
    }

    /// The next piece.
    pub fn push(&mut self, piece: &[u8]) {
        self.0.extend_from_slice(piece);
    }
}

/// An open index.
#[wasm_bindgen]
pub struct Index(pub(crate) ::edge::Index);

#[wasm_bindgen]
impl Index {
    /// The model its vectors were made with; none where there are no vectors.
    #[wasm_bindgen(getter)]
    pub fn embedder(&self) -> Option<String> {
        self.0.embedder().map(str::to_owned)
    }

    /// Opens a snapshot of `n_bytes` of which only the start has come: `n_start` bytes, or all. The rest is provided as questions
    /// ask for it.
    pub fn open_start(start: &[u8], n_bytes: usize) -> Result<Index, Failure> {
        let index = ::edge::Index::open_start(start, n_bytes);
        index.map(Index).map_err(Failure)
    }

    /// Sections to provide before a tool is asked, in this order: name, first byte and end of each, as JSON.
    pub fn missing(&self, tool: &str, wants_vector: bool) -> String {
        to_json(self.0.missing(tool, wants_vector))
    }

    /// Blocks to provide before the question is put again, likewise: if there are any, its answer does not count.
    pub fn missing_blocks(&self) -> String {
        to_json(self.0.missing_blocks())
    }

    /// Takes a missing part.
    pub fn provide(&mut self, name: &str, bytes: &[u8]) -> Result<(), Failure> {
        self.0.provide(name, bytes).map_err(Failure)
    }

    /// Bytes in memory of the parts that were provided.
    #[wasm_bindgen(getter)]
    pub fn n_bytes(&self) -> usize {
        self.0.n_bytes()
    }

    /// Frees the sections that a tool does not read, and all blocks.
    pub fn forget_but(&mut self, tool: &str, wants_vector: bool) -> Result<(), Failure> {
        self.0.forget_but(tool, wants_vector).map_err(Failure)
    }

    /// Returns true if it has that model.
    #[wasm_bindgen(getter)]
    pub fn has_model(&self) -> bool {
        self.0.has_model()
    }

    /// Gives it that model.
    pub fn set_model(&mut self, model: &Model) -> Result<(), Failure> {
        self.0.set_model(Rc::clone(&model.0)).map_err(Failure)
    }

    /// The reply to a request, given once more as it came.
    pub fn answer(&self, method: &str, url: &str, body: &str, default_repository: &str) -> Answer {
        Answer(match parse(method, url, body, default_repository) {
            Ok(call) => self.0.answer(&call.question),
            Err(error) => Reply::error(&error),
        })
    }
}

/// A model for query vectors; several indexes may share one.
#[wasm_bindgen]
pub struct Model(pub(crate) Rc<StaticEmbedder>);

#[wasm_bindgen]
impl Model {
    /// From its ONNX file and its tokenizer.
    #[wasm_bindgen(constructor)]
    pub fn new(onnx: ModelFile, tokenizer: ModelFile) -> Result<Model, Failure> {
        read_model(&onnx.0, &tokenizer.0)
            .map(|model| Self(Rc::new(model)))
            .map_err(Failure)
    }
}

/// Number of bytes at the start of a snapshot that `Index.open_start` needs.
#[wasm_bindgen]
pub fn n_start() -> usize {
    engine::N_START
}

/// As arrays of name, first byte and end.
fn to_json(wanted: Vec<Wanted>) -> String {
    let rows = wanted.into_iter();
    let rows = rows.map(|Wanted { name, range }| (name, range.start, range.end));
    serde_json::to_string(&rows.collect::<Vec<_>>()).unwrap_or_default()
}

/// The methods that are answered, as the headers list them.
#[wasm_bindgen]
pub fn methods() -> String {
    METHODS.to_owned()
}

/// Version of Portolan.
#[wasm_bindgen]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}
