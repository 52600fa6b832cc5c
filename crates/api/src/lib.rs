//! Every request and response, defined once for JavaScript, HTTP, MCP and the command line.
//!
//! | task | request | response |
//! |---|---|---|
//! | find code by words or meaning | [`SearchRequest`] | [`SearchResponse`] |
//! | places that an issue, message or stack trace is about | [`LocateRequest`] | [`LocateResponse`] |
//! | find definitions by name | [`FindRequest`] | [`FindResponse`] |
//! | count the uses of each | [`FindRequest`] | [`UsagesResponse`] |
//! | uses of a symbol | [`ReferencesRequest`] | [`ReferencesResponse`] |
//! | callers and callees | [`CallsRequest`] | [`CallsResponse`] |
//! | everything about a symbol | [`ContextRequest`] | [`ContextResponse`] |
//! | impact of changing a symbol | [`ImpactRequest`] | [`ImpactResponse`] |
//! | effects of a finished change | [`DetectChangesRequest`] | [`DetectChangesResponse`] |
//! | rename a symbol | [`RenameRequest`] | [`RenameResponse`] |
//! | search execution flows | [`QueryRequest`] | [`QueryResponse`] |
//! | paths between two symbols | [`TraceRequest`] | [`TraceResponse`] |
//! | traverse the graph, neighbourhood of a node | [`TraverseRequest`], [`SubgraphRequest`] | [`TraverseResponse`], [`SubgraphResponse`] |
//! | paths and cycles in the graph | [`PathsRequest`], [`CyclesRequest`] | [`PathsResponse`], [`CyclesResponse`] |
//! | execution flows | [`ProcessesRequest`], [`ProcessRequest`] | [`ProcessesResponse`], [`ProcessResponse`] |
//! | map of areas, files and symbols | [`AtlasRequest`] | [`AtlasResponse`] |
//! | communities | [`CommunitiesRequest`], [`CommunityRequest`] | [`CommunitiesResponse`], [`CommunityResponse`] |
//! | relations of one symbol in one tool | [`CodeIntelligenceRequest`] | [`CodeIntelligenceResponse`] |
//! | definition of the name under the cursor | [`DefinitionRequest`] | [`DefinitionResponse`] |
//! | lines that match a regular expression | [`RegexRequest`] | [`RegexResponse`] |
//! | contents of a file | path | [`Outline`], [`FileText`] |
//! | contents of the index | – | [`Status`], [`FileList`] |
//!
//! [`answer`] has a function for each task: it reads the request, makes one call to the engine, converts the result.
//!
//! Positions: fields named `line`, `start_line`, `end_line` are 1-based and inclusive, for people and command lines.
//! A [`Range`] is 0-based, half-open, in UTF-16 code units, for editors. Field names are `snake_case` everywhere.

pub mod answer;

mod assemble;
mod atlas;
mod calls;
mod changes;
mod changes_with;
mod chunks;
mod context;
mod cut_off;
mod cypher;
mod cypher_value;
mod error;
mod export;
mod fields;
mod find;
mod flows;
pub mod guard;
mod impact;
mod intelligence;
mod link;
mod locate;
mod map;
mod paging;
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
pub use atlas::*;
pub use calls::*;
pub use changes::*;
pub use changes_with::*;
pub use chunks::*;
pub use context::*;
pub use cut_off::*;
pub use cypher::*;
pub use error::*;
pub use export::*;
pub use fields::*;
pub use find::*;
pub use flows::*;
pub use impact::*;
pub use intelligence::*;
pub use link::*;
pub use locate::*;
pub use map::*;
pub use paging::Page;
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
