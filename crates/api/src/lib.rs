//! Every request and response, in one screen each: the words spoken with the outside, once, for JavaScript, HTTP, MCP and the CLI.
//!
//! | question | request | response |
//! |---|---|---|
//! | where is the code for … | [`SearchRequest`] | [`SearchResponse`] |
//! | which symbols have this name | [`FindRequest`] | [`FindResponse`] |
//! | how much is each of them used | [`FindRequest`] | [`UsagesResponse`] |
//! | who uses it | [`ReferencesRequest`] | [`ReferencesResponse`] |
//! | who calls it, whom does it call | [`CallsRequest`] | [`CallsResponse`] |
//! | everything about it | [`ContextRequest`] | [`ContextResponse`] |
//! | what breaks if it changes | [`ImpactRequest`] | [`ImpactResponse`] |
//! | what does my change mean | [`DetectChangesRequest`] | [`DetectChangesResponse`] |
//! | give it another name | [`RenameRequest`] | [`RenameResponse`] |
//! | which flows have to do with … | [`QueryRequest`] | [`QueryResponse`] |
//! | how does this lead to that | [`TraceRequest`] | [`TraceResponse`] |
//! | what is within reach, how does it hang together | [`TraverseRequest`], [`SubgraphRequest`] | [`TraverseResponse`], [`SubgraphResponse`] |
//! | which ways lead there, what goes in circles | [`PathsRequest`], [`CyclesRequest`] | [`PathsResponse`], [`CyclesResponse`] |
//! | which execution flows are there | [`ProcessesRequest`], [`ProcessRequest`] | [`ProcessesResponse`], [`ProcessResponse`] |
//! | which functional areas are there | [`CommunitiesRequest`], [`CommunityRequest`] | [`CommunitiesResponse`], [`CommunityResponse`] |
//! | these about one symbol, under one name | [`CodeIntelligenceRequest`] | [`CodeIntelligenceResponse`] |
//! | what is under the cursor | [`DefinitionRequest`] | [`DefinitionResponse`] |
//! | where does this pattern match | [`RegexRequest`] | [`RegexResponse`] |
//! | what is in this file | path | [`Outline`], [`FileText`] |
//! | what is in the index | – | [`Status`], [`FileList`] |
//!
//! [`answer`] has a function for each question: it reads the request, makes one call to the engine, converts the result.
//!
//! Positions: fields named `line`, `start_line`, `end_line` are 1-based and inclusive, for people and command lines.
//! A [`Range`] is 0-based, half-open, in UTF-16 code units, for editors. Field names are `snake_case` everywhere.

pub mod answer;

mod assemble;
mod calls;
mod changes;
mod chunks;
mod context;
mod cypher;
mod cypher_value;
mod error;
mod export;
mod find;
mod flows;
pub mod guard;
mod impact;
mod intelligence;
mod link;
mod map;
mod position;
mod query;
mod regex;
mod rename;
mod request;
mod search;
mod status;
mod structural;
mod trace;
mod usages;
mod walk;

pub use assemble::*;
pub use calls::*;
pub use changes::*;
pub use chunks::*;
pub use context::*;
pub use cypher::*;
pub use error::*;
pub use export::*;
pub use find::*;
pub use flows::*;
pub use impact::*;
pub use intelligence::*;
pub use link::*;
pub use map::*;
pub use position::*;
pub use query::*;
pub use regex::*;
pub use rename::*;
pub use request::*;
pub use search::*;
pub use status::*;
pub use structural::*;
pub use trace::*;
pub use usages::*;
pub use walk::*;

/// Serde and, with the feature `ts`, TypeScript for one wire type.
macro_rules! wire {
    ($($item:item)*) => {$(
        #[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
        #[cfg_attr(feature = "ts", derive(tsify::Tsify))]
        $item
    )*};
}
pub(crate) use wire;
