//! The index: change it with [`Engine`], ask it with [`Index`] and [`Reader`]; a [`Snapshot`] is between the two.
//!
//! ```
//! # #[cfg(feature = "all-languages")] {
//! use std::sync::Arc;
//! use portolan_engine::{Engine, EngineConfig, Reader, Snapshot};
//! use syntax::{ParseConfig, Parsers};
//!
//! let mut parsers = Parsers::new(ParseConfig::default());
//! let mut engine = Engine::new(EngineConfig { name: "demo".into(), ..EngineConfig::default() });
//! for (path, text) in [("a.py", "def add(a, b):\n    return a + b\n"), ("b.py", "from a import add\n\nadd(1, 2)\n")] {
//!     let unit = portolan_engine::read_file(&mut parsers, path, text); // in any worker
//!     engine.put(path, text, unit);
//! }
//! let saved = engine.build(0.0)?.to_bytes()?.to_vec();
//!
//! let reader = Reader::new(Arc::new(Snapshot::open(&saved)?))?;
//! assert_eq!(reader.references("add", None, 0, 10)?.total, 2); // the import and the call
//! assert_eq!(reader.select("ad").unwrap_err().help(), "did you mean add?");
//! # }
//! # Ok::<(), portolan_engine::Error>(())
//! ```
//!
//! Invariants: a change to one file re-reads only that file, re-embeds only chunks whose text changed, and gives the
//! same index as building everything from scratch. Nothing here knows a clock, a file system, threads or a host.

mod ask;
mod change;

mod contextual;
mod merkle;

mod budget;
mod error;
mod filter;
pub mod position;
mod words;

pub use ask::assemble::{AssembleConfig, Assembled, AssembledPiece, DEFAULT_CONTEXT_TOKENS};
pub use ask::atlas::{AtlasEdge, AtlasFigures, AtlasLevel, AtlasPart, AtlasQuery};
pub use ask::calls::{Call, Calls, CallsConfig, MAX_CALL_DEPTH};
pub use ask::candidates::Chosen;
pub use ask::changes::{
    ChangeKind, ChangeSource, ChangedFile, ChangedProcess, ChangedSymbol, Changes, ChangesConfig,
    FileStatus, FileVersion, IndexSide,
};
pub use ask::chunks::{ChunkDetail, UsedImport};
pub use ask::context::{Context, ContextConfig, RELATIONS, Relations};
pub use ask::cypher;
pub use ask::definition::{Definition, Target};
pub use ask::export::{ExportQuery, Exported};
pub use ask::find::{FindConfig, Found};
pub use ask::flows::{DefinitionHit, FlowHit, Flows};
pub use ask::gap::{Reach, TraceGap};
pub use ask::grep::{GrepAnswer, GrepQuery, MAX_CONTEXT_LINES, MAX_GREP_STEPS, MatchingLine};
pub use ask::impact::{
    AffectedProcess, IMPACT_KINDS, Impact, ImpactConfig, MAX_IMPACT_DEPTH, Reached, Tests,
};
pub use ask::index::Index;
pub use ask::link::Link;
pub use ask::locate::{
    Because, Clue, LocateEvidence, LocateQuery, LocateReading, LocateWeights, Located, LocatedFile,
    LocatedFunction, N_CLUES, N_SIGNS, Partner, Together,
};
pub use ask::map::{DEFAULT_MAP_TOKENS, MapConfig, MapOrder, RepoMap};
pub use ask::outline::OutlineEntry;
pub use ask::parts::{AbsentShard, Held, ShardSource};
pub use ask::places::Place;
pub use ask::reader::Reader;
pub use ask::references::References;
pub use ask::rename::{Conflict, EditSource, FileEdits, Rename, RenameConfig, TextEdit, TextEdits};
pub use ask::risk::{Extent, Risk, RiskLevel};
pub use ask::search::chunk_filter::ChunkConditions;
pub use ask::search::layers::{Layers, SearchPlan};
pub use ask::search::{FoldedHit, Hit, SearchAnswer, SearchNote, SearchQuery, Snippet};
pub use ask::status::{Note, Status};
#[cfg(feature = "ingest")]
pub use ask::structural::{
    MAX_STRUCTURAL_STEPS, StructuralAnswer, StructuralQuery, Unread, read_form, structural_error,
};
pub use ask::trace::{
    MAX_TRACE_DEPTH, MAX_TRACE_PATHS, TRACE_KINDS, Trace, TraceConfig, TraceDirection,
};
pub use ask::usage::Usage;
pub use ask::walks::{MAX_WALK_DEPTH, WalkOrder, WalkWords, edge_kinds};
pub use budget::CutOff;
pub use change::approximate::with_neighbours;
#[cfg(feature = "hnsw")]
pub use change::approximate::{NearRows, approximated};
pub use change::index::{Engine, EngineConfig, Stamp};
pub use change::indexer::{Admitted, Indexer};
#[cfg(feature = "ingest")]
pub use change::ingest::{OnProgress, Phase, Progress, read_file, read_file_after_crash};
pub use change::parts::AllFiles;
pub use change::pending::{EmbeddingTask, PendingFile};
pub use change::round::RoundKind;
pub use change::scip;
pub use change::scip::ScipReport;
pub use change::unit::FileUnit;
pub use change::vectors::Rows;
pub use error::{Error, ErrorKind};
pub use filter::FileFilter;
pub use merkle::{Differences, renamed};
pub use snapshot::Error as SnapshotError;
pub use snapshot::{
    Archive, FORMAT_VERSION, Give, Hidden, Incoming, N_START, Packers, Partial, Snapshot, Source,
    Text, TextBlock, Wanted, closed_originals, hide_paths, pack_archive, pack_blocks, pack_section,
    pack_texts, restore_paths, table, unreadable,
};
pub use words::{form_name, kind_from_name, kind_name};

// Types of the crates below that are part of requests and answers, so that users of the engine need no other crate.
#[cfg(feature = "hnsw")]
pub use ::search::HnswConfig;
pub use ::search::{
    APPROXIMATE_FROM, ArchivedChunkTable, ChunkId, ChunkMeta, ChunkPlace, ChunkTable, Explanation,
    Fusion, Lengths, Message, MessageError, SearchConfig, ShardPart, ShardQuery, SignalEffect,
    Survey, TermScore, knob_names,
};
pub use graph::export::ExportedFile;
pub use graph::{ArchivedJoint, Each, Joint, JointBuilder, PartResolution, collect, in_turn};
pub use graph::{Community, EntryKind, Process, ProcessKind};
pub use graph::{Cycle, Cycles, Path, Paths, Step, Subgraph, Walk, Ways};
pub use graph::{
    Direction, Edge, EdgeKind, GraphView, Node, NodeId, NodeKind, Occurrence, ProcessStep, Reason,
};
pub use source::{FileId, SkipReason, Skipped};
pub use syntax::facts::{Modifiers, SymbolKind};
pub use syntax::{Language, UserLanguage, UserLanguages};
#[cfg(feature = "ingest")]
pub use syntax::{Parsers, structural as forms};
