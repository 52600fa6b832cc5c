//! From words to ranked chunks: plan → candidates (BM25, vectors) → fusion → signals → hits, each score explainable.
//!
//! This crate sees text and chunks only. Everything else (parsing, the code graph, the embedding model, any host)
//! reaches it as plain numbers: symbols as names, graph measures as [`Signals`] columns, vectors as `&[f32]`.
//!
//! ```
//! use portolan_search::{ChunkFlags, ChunkMeta, ChunkText, IndexBuilder, LexicalConfig, Query, SearchConfig, Signals, TermCounter};
//!
//! let mut builder = IndexBuilder::new(LexicalConfig::default());
//! let files = [("src/router.rs", "fn add_route() {}"), ("src/json.rs", "fn parse() {}"), ("tests/router.rs", "fn add_route() {}")];
//! for (path, body) in files {
//!     let file = builder.add_file(path);
//!     let mut terms = TermCounter::new(path);
//!     terms.add(&ChunkText { symbols: &[], passed_on: &[], doc: "", body });
//!     let (end, language) = (body.len() as u32, syntax::Language::Rust);
//!     let meta = ChunkMeta { file, start: 0, end, start_line: 0, end_line: 0, language, flags: ChunkFlags::empty() };
//!     builder.add_chunks([meta], terms.finish());
//! }
//! let bytes = rkyv::to_bytes::<rkyv::rancor::Error>(&builder.build()).unwrap();
//! let lexical = rkyv::access::<portolan_search::ArchivedLexical, rkyv::rancor::Error>(&bytes).unwrap();
//!
//! let config = SearchConfig::default();
//! let ranked = portolan_search::search(lexical, None, &Query::new("addRoute", None), &Signals::default(), &config);
//! assert_eq!(ranked.hits[0].file, source::FileId(0), "not the test");
//! let explanation = portolan_search::explain(lexical, &ranked.global, &config, &ranked.hits[0]);
//! assert!(explanation.signals.iter().any(|effect| effect.name == "definition"));
//! ```

mod stem;
mod tokenize;

mod definitions;
mod paths;
mod terms;

mod bm25;
mod counts;
mod csr;
mod dot;
mod frozen;
mod hide;
mod hnsw;
#[cfg(feature = "hnsw")]
mod hnsw_build;
mod names;
mod nearest;
mod statistics;
mod update;
mod vectors;

mod config;
mod fusion;
mod intent;
mod knobs;
mod plan;
mod postings;

mod global;
mod pool;
mod raise;
mod rank;

mod conditions;
mod merge;
mod messages;
mod scored;
mod signals;
mod signs;
mod topk;

mod explain;
mod snippet;

pub use bm25::{IndexBuilder, LexicalConfig, QueryTokenizer, TermSpace};
pub use conditions::Conditions;
pub use config::{Blend, Fusion, N_SIGNALS, Penalty, SearchConfig, Signal, SignalWeights};
pub use csr::FrozenError;
pub use definitions::defined_names;
pub use explain::{Explanation, SignalEffect, TermScore, explain};
pub use frozen::{ArchivedLexical, ChunkFlags, ChunkId, ChunkMeta, Lexical};
pub use global::{GlobalPlan, NearNames, Survey};
pub use hnsw::{APPROXIMATE_FROM, ArchivedHnsw, Hnsw};
#[cfg(feature = "hnsw")]
pub use hnsw_build::{HnswConfig, build as build_hnsw};
pub use intent::{Intent, Subject, TYPES};
pub use knobs::{KnobError, knob_names};
pub use merge::{Known, Part, merge};
pub use messages::{
    ChunkPlace, FoundChunk, MAX_MESSAGE, MESSAGE_VERSION, Message, MessageError, ShardPart,
    ShardQuery,
};
pub use names::{ArchivedNames, MatchKind, Names, NamesBuilder};
pub use paths::{PathBits, PathClass, classify, embedding_words};
pub use plan::{Plan, QueryKind, QueryTerm, is_stopword, plan};
pub use postings::{LexicalView, PostingRows, Postings, Row};
pub use raise::Raise;
pub use rank::{Candidates, FileHits, Query, Ranked, search};
pub use scored::Scored;
pub use signals::{Signals, ValueOf};
pub use signs::Signs;
pub use snippet::{Snippet, snippet};
pub use statistics::{ArchivedChunkTable, ChunkTable, FieldNorms, Lengths, Statistics};
pub use stem::stem;
pub use terms::{
    ArchivedFileTerms, ChunkText, Field, FileTerms, N_FIELDS, TermCounter, folded_name_hash,
    name_hash, passed_on_hash, term_hash,
};
pub use tokenize::{
    MAX_TOKEN_BYTES, Token, for_each_token, normalize_identifier, split_identifier, tokenize,
};
pub use update::NextFile;
pub use vectors::{ArchivedVectors, Vectors, VectorsBuilder, scale_of};
