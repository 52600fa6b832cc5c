//! JavaScript face of the index. Each method parses, makes one call, converts; a method that needs an `if` on meaning
//! belongs in `engine`.
//!
//! Seven artifacts are built from this crate (`wasm-pack.toml`): the engine (feature `ingest`), the reader (`read` and `shards`), the
//! ONNX runtime (`onnx`), the seals (`seal`), the reader of git's history (`history`), what builds graphs over vectors (`hnsw`) and the Worker's
//! (`edge`). A user of the engine meets the classes in this order:
//!
//! | class | does | feature |
//! |---|---|---|
//! | `CodeIndexBuilder` | walks with the ignore rules, takes files in, builds | `ingest` |
//! | `ParseWorker` | reads texts into file units, in as many workers as one likes | `ingest` |
//! | `StaticModel` | turns texts into vectors by a table | `read` |
//! | `OnnxModel` | turns texts into vectors by a graph, which tract runs | `onnx` |
//! | `OnnxScorer` | scores pairs of query and passage, by tract, too | `onnx` |
//! | `ShardsBuilder` | builds an index in shards, one after another | `ingest` |
//! | `CodeIndex` | answers; saved and opened | `read` |
//! | `Neighbours` | builds a graph over many vectors, for `CodeIndex` | `hnsw` |
//! | `GitHistory` | reads `.git`: churn, blame, commits of files, differences | `history` |
//! | `PathKey`, `close`, `open` | snapshots to share: paths under a key, all under a passphrase | `seal` |
//!
//! Every error that is thrown is a plain object `{ code, message, help }`.

#[cfg(any(
    feature = "read",
    feature = "onnx",
    feature = "hnsw",
    feature = "seal",
    feature = "history"
))]
mod errors;
#[cfg(feature = "read")]
mod host_file;
#[cfg(feature = "read")]
mod index;
#[cfg(feature = "read")]
mod model;
#[cfg(any(feature = "read", feature = "edge", feature = "seal"))]
mod restart;
#[cfg(feature = "shards")]
mod shards;
#[cfg(feature = "read")]
mod static_model;
#[cfg(any(feature = "read", feature = "onnx"))]
mod texts;

#[cfg(all(test, target_arch = "wasm32", feature = "ingest"))]
mod browser;
#[cfg(feature = "ingest")]
mod builder;
#[cfg(feature = "edge")]
mod edge;
#[cfg(feature = "edge")]
mod edge_shards;
#[cfg(feature = "ingest")]
mod hide;
#[cfg(feature = "history")]
mod history;
#[cfg(feature = "hnsw")]
mod neighbours;
#[cfg(feature = "onnx")]
mod onnx;
#[cfg(feature = "ingest")]
mod options;
#[cfg(feature = "ingest")]
mod packing;
#[cfg(feature = "ingest")]
mod parse;
#[cfg(feature = "ingest")]
mod round;
#[cfg(feature = "seal")]
mod seal;
#[cfg(feature = "ingest")]
mod sharding;
#[cfg(feature = "ingest")]
mod structural;

#[cfg(feature = "read")]
pub use index::CodeIndex;
#[cfg(any(feature = "read", feature = "edge", feature = "seal"))]
pub use restart::{restart, restarted};
#[cfg(feature = "read")]
pub use static_model::StaticModel;

#[cfg(feature = "history")]
pub use self::history::{GitFiles, GitHistory};
#[cfg(feature = "seal")]
pub use self::seal::{PathKey, close_snapshot, n_overhead, open_snapshot};
#[cfg(feature = "ingest")]
pub use builder::{Admitted, CodeIndexBuilder, PendingEmbeddings};
#[cfg(feature = "ingest")]
pub use hide::{HiddenSnapshot, closed_originals, restore_paths};
#[cfg(feature = "hnsw")]
pub use neighbours::Neighbours;
#[cfg(feature = "onnx")]
pub use onnx::{OnnxModel, OnnxScorer};
#[cfg(feature = "ingest")]
pub use options::SourceOptions;
#[cfg(feature = "ingest")]
pub use parse::{ParseWorker, function_table, highlight_classes};
#[cfg(feature = "ingest")]
pub use round::{FileChanges, RenamedFile, SkippedFiles, SkippedNote};
#[cfg(feature = "ingest")]
pub use sharding::ShardsBuilder;
