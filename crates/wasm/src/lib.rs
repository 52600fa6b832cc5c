//! JavaScript face of the index. Each method parses, makes one call, converts; a method that needs an `if` on meaning
//! belongs in `engine`.
//!
//! Three artifacts are built from this crate (`wasm-pack.toml`): the engine (feature `ingest`), the reader (`read`) and the
//! ONNX runtime (`onnx`). A user of the engine meets the classes in this order:
//!
//! | class | does | feature |
//! |---|---|---|
//! | `CodeIndexBuilder` | walks with the ignore rules, takes files in, builds | `ingest` |
//! | `ParseWorker` | reads texts into file units, in as many workers as one likes | `ingest` |
//! | `OnnxModel` | turns texts into vectors | `onnx` |
//! | `CodeIndex` | answers; saved and opened | `read` |
//!
//! Every error that is thrown is a plain object `{ code, message, help }`.

mod errors;
#[cfg(feature = "read")]
mod index;

#[cfg(feature = "ingest")]
mod builder;
#[cfg(feature = "onnx")]
mod onnx;
#[cfg(feature = "ingest")]
mod options;
#[cfg(feature = "ingest")]
mod parse;
#[cfg(feature = "ingest")]
mod structural;

#[cfg(feature = "read")]
pub use index::CodeIndex;

#[cfg(feature = "ingest")]
pub use builder::{Admitted, CodeIndexBuilder, PendingEmbeddings};
#[cfg(feature = "onnx")]
pub use onnx::OnnxModel;
#[cfg(feature = "ingest")]
pub use options::SourceOptions;
#[cfg(feature = "ingest")]
pub use parse::{ParseWorker, function_table, highlight_classes};
