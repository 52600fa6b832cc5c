//! Builds a code graph from files and their resolved uses: which code defines, imports, calls and extends which.
//!
//! ```text
//! folder ─CONTAINS→ file ─DEFINES→ class ─HAS_METHOD→ method ─CALLS→ function
//!                    └─IMPORTS→ file or package        class ─EXTENDS→ class
//! ```
//!
//! [`GraphBuilder`] numbers the nodes, takes the results of a resolver ([`Resolution`]) and makes a [`frozen::Graph`];
//! [`GraphView`] reads it from an archive, in place. Every resolved edge names the rule that found it ([`Reason`]) and
//! how often that rule is right, measured against compilers in seven languages ([`Reason::confidence`]).
//!
//! Derived from these edges: communities (Leiden), processes (flows of calls from entry points) and walks with filters
//! and bounds ([`WalkConfig`]); petgraph's algorithms run on the archive through its visit traits.
//!
//! Not here: how names are resolved (`portolan-resolve`), queries in Cypher (`portolan-cypher`), text search, vectors,
//! framing of snapshots.
//!
//! ```
//! use portolan_graph::{EdgeKind, GraphBuilder, GraphView, frozen::ArchivedGraph};
//! use syntax::{Language, ParseConfig, Parsers};
//!
//! let facts = Parsers::new(ParseConfig::default()).read(Language::Python, "def a():\n    b()\n\ndef b(): pass\n");
//! let mut builder = GraphBuilder::new();
//! builder.add_file(source::FileId(0), "a.py", &facts);
//! let graph = builder.build(|layout| resolve::resolve(layout, &[]));
//! let bytes = rkyv::to_bytes::<rkyv::rancor::Error>(&graph)?;
//! let view = GraphView::new(rkyv::access::<ArchivedGraph, rkyv::rancor::Error>(&bytes)?);
//! let call = view.edges().find(|edge| edge.kind == EdgeKind::Calls).expect("a calls b");
//! assert_eq!((view.name(call.source), view.name(call.target)), ("a", "b"));
//! assert_eq!(call.reason.name(), "same-file");
//! # Ok::<(), rkyv::rancor::Error>(())
//! ```

mod atlas;
mod build;
mod centrality;
mod communities;
mod drawing;
mod each;
mod exact;
pub mod export;
mod flows;
mod freeze;
pub mod frozen;
mod joint;
mod kinds;
mod labels;
mod layout;
mod part;
mod processes;
mod resolution;
mod rows;
mod thaw;
mod traverse;
mod validate;
mod view;
mod visit;
mod walk;

pub use atlas::{Area, Atlas, Disc, USES};
pub use build::GraphBuilder;
pub use each::{Each, both, collect, in_turn};
pub use exact::{ExactFacts, ExactRelation, ExactUse, Place};
pub use flows::{Community, Process, ProcessStep};
pub use joint::JointBuilder;
pub use kinds::{EdgeKind, EntryKind, FORMS, NodeId, NodeKind, ProcessKind, Reason, SYMBOL_KINDS};
pub use labels::{label, symbol_label};
pub use layout::{InputFile, Layout, LayoutShape};
pub use part::PartResolution;
pub use resolution::{RawEdge, RawUse, Resolution};
pub use rows::Rows;
pub use source::FileId;
pub use traverse::{Direction, Step, TraverseConfig};
pub use view::{
    ArchivedJoint, Edge, GraphView, Joint, JointEdges, JointUses, Node, Occurrence, Parts,
};
pub use visit::{
    EdgeId, EdgeReference, EdgeReferences, Neighbors, NodeIdentifiers, NodeReferences, VisitMap,
};
pub use walk::{Cycle, Cycles, Path, Paths, Subgraph, Walk, WalkConfig, Ways};
