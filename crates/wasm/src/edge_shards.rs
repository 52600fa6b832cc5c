//! Exports for the Worker's script that are about indexes in shards; see `edge.rs`.

use std::rc::Rc;

use ::edge::{ErrorBody, parse};
use wasm_bindgen::prelude::wasm_bindgen;

use super::edge::{Answer, Failure, Index, Model};

/// Whether a file begins as the root of an index in shards.
#[wasm_bindgen]
pub fn is_root(start: &[u8]) -> bool {
    ::edge::is_root(start)
}

#[wasm_bindgen]
impl Index {
    /// The survey of this index as a shard, for the text of a query.
    pub fn survey(&self, text: &str) -> Result<Vec<u8>, Failure> {
        self.0.survey(text).map_err(Failure)
    }

    /// The candidates of this index as a shard.
    pub fn part(&self, asked: &[u8]) -> Result<Vec<u8>, Failure> {
        self.0.part(asked).map_err(Failure)
    }
}

/// An open index in shards.
#[wasm_bindgen]
pub struct Sharded(::edge::Sharded);

#[wasm_bindgen]
impl Sharded {
    /// Opens a root.
    pub fn open(root: &[u8]) -> Result<Sharded, Failure> {
        ::edge::Sharded::open(root).map(Self).map_err(Failure)
    }

    /// Names of the files of its shards, as JSON.
    pub fn names(&self) -> String {
        serde_json::to_string(&self.0.names()).unwrap_or_default()
    }

    /// The model its vectors were made with.
    #[wasm_bindgen(getter)]
    pub fn embedder(&self) -> Option<String> {
        self.0.embedder()
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

    /// Bytes in memory.
    #[wasm_bindgen(getter)]
    pub fn n_bytes(&self) -> usize {
        self.0.n_bytes()
    }

    /// Begins a question.
    pub fn begin(
        &self,
        method: &str,
        url: &str,
        body: &str,
        default_repository: &str,
    ) -> Result<Asked, Failure> {
        let call = parse(method, url, body, default_repository).map_err(Failure)?;
        Ok(Asked(self.0.begin(call.question)))
    }

    /// Answers a question from what has come; it counts if nothing is `wanted` after it.
    pub fn answer(&self, asked: &mut Asked) -> Answer {
        Answer(self.0.answer(&mut asked.0))
    }

    /// Parts that the last answer lacked, as JSON: `starts`, `pieces`, `surveys`, `parts`.
    pub fn wanted(&mut self, asked: &mut Asked) -> Result<String, Failure> {
        let lacking = self.0.wanted(&mut asked.0).map_err(Failure)?;
        Ok(serde_json::to_string(&lacking).unwrap_or_default())
    }

    /// Takes the start of the file of a shard.
    pub fn start(&mut self, shard: u16, start: &[u8], n_bytes: usize) -> Result<(), Failure> {
        self.0.start(shard, start, n_bytes).map_err(Failure)
    }

    /// Takes a piece of the file of a shard.
    pub fn provide(&mut self, shard: u16, name: &str, bytes: &[u8]) -> Result<(), Failure> {
        self.0.provide(shard, name, bytes).map_err(Failure)
    }

    /// Frees what a question has not met.
    pub fn forget_but_met(&mut self, asked: &Asked) -> Result<(), Failure> {
        self.0.forget_but_met(&asked.0).map_err(Failure)
    }

    /// Goes on without a shard.
    pub fn lose(&self, asked: &mut Asked, shard: u16, code: String, message: String) {
        let help = String::new();
        let error = ErrorBody {
            code,
            message,
            help,
        };
        asked.0.lose(&self.0, shard, error);
    }
}

/// A question to an index in shards.
#[wasm_bindgen]
pub struct Asked(::edge::Asked);

#[wasm_bindgen]
impl Asked {
    /// Number of shards that are missing in the answer.
    #[wasm_bindgen(getter)]
    pub fn n_absent(&self) -> usize {
        self.0.n_absent()
    }

    /// The body for a shard of `surveys` or `parts`.
    pub fn message(&self, shard: u16) -> Result<Vec<u8>, Failure> {
        self.0.message(shard).map_err(Failure)
    }

    /// Takes the answer of a shard.
    pub fn take(&mut self, shard: u16, bytes: &[u8]) -> Result<(), Failure> {
        self.0.take(shard, bytes).map_err(Failure)
    }
}
