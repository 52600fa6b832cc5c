//! Who defines, imports, calls, extends whom: facts of many files in, a code graph out.
//!
//! ```text
//! folder ─CONTAINS→ file ─DEFINES→ class ─HAS_METHOD→ method ─CALLS→ function
//!                    └─IMPORTS→ file or package        class ─EXTENDS→ class
//! ```
//!
//! [`GraphBuilder`] takes facts and makes a [`frozen::Graph`]; [`GraphView`] reads it from an archive, in place. Every
//! resolved edge says by which rule it was found ([`Reason`]) and how often that rule is right, measured against
//! compilers in seven languages ([`Reason::confidence`]):
//!
//! | a name is looked for | reasons | percent |
//! |---|---|--:|
//! | in the scopes around it, then at the top of the file | `lexical-scope`, `same-file` | 96, 99 |
//! | where an import leads: directly, through re-exports, by a star or include | `import`, `re-export`, `glob-import` | 99, 99, 96 |
//! | in the module, package or crate before it | `module-member`, `path` | 98, 89 |
//! | in the type around it, or the type before it | `self-type`, `type-member` | 99, 98 |
//! | in its receiver's type: written or constructed, from results of calls, from bounds | `receiver-type`, `inferred-type`, `trait-bound` | 98, 98, 93 |
//! | in supertypes of these | `inherited` | 95 |
//! | in the other files of a package (Go, Java) | `same-package` | 98 |
//! | in the type that parameters of the receiver's name nearly always have | `usual-type` | 98 |
//! | anywhere, if there is only one, and nothing says that it lies outside | `unique-member` (Go, C, JavaScript: 92), `unique-name` | 58, 80 |
//!
//! On top of that stand communities (Leiden), processes (flows of calls from entry points) and walks with filters and
//! bounds ([`WalkConfig`]); petgraph's algorithms run on the archive through its visit traits.
//!
//! What is known to come from outside the repository stays unresolved, and tests are no targets of product code.
//! Not here: text search, vectors, framing of snapshots.
//!
//! ```
//! use portolan_graph::{EdgeKind, GraphBuilder, GraphView, frozen::ArchivedGraph};
//! use syntax::{Language, ParseConfig, Parsers};
//!
//! let facts = Parsers::new(ParseConfig::default()).read(Language::Python, "def a():\n    b()\n\ndef b(): pass\n");
//! let mut builder = GraphBuilder::new();
//! builder.add_file(source::FileId(0), "a.py", &facts);
//! let bytes = rkyv::to_bytes::<rkyv::rancor::Error>(&builder.build())?;
//! let view = GraphView(rkyv::access::<ArchivedGraph, rkyv::rancor::Error>(&bytes)?);
//! let call = view.edges().find(|edge| edge.kind == EdgeKind::Calls).expect("a calls b");
//! assert_eq!((view.name(call.source), view.name(call.target)), ("a", "b"));
//! assert_eq!(call.reason.name(), "same-file");
//! # Ok::<(), rkyv::rancor::Error>(())
//! ```

mod build;
mod centrality;
mod communities;
pub mod cypher;
mod exact;
pub mod export;
mod flows;
mod freeze;
pub mod frozen;
mod kinds;
mod layout;
mod processes;
mod resolve;
mod rows;
mod traverse;
mod validate;
mod view;
mod visit;
mod walk;

pub use build::{GraphBuilder, is_manifest};
pub use exact::{ExactFacts, ExactRelation, ExactUse, Place};
pub use flows::{Community, Process, ProcessStep};
pub use kinds::{EdgeKind, EntryKind, FORMS, NodeId, NodeKind, ProcessKind, Reason};
pub use traverse::{Direction, Step, TraverseConfig};
pub use view::{Edge, GraphView, Node, Occurrence};
pub use visit::{
    EdgeId, EdgeReference, EdgeReferences, Neighbors, NodeIdentifiers, NodeReferences, VisitMap,
};
pub use walk::{Cycle, Cycles, Path, Paths, Subgraph, Walk, WalkConfig, Ways};
