//! Who defines, imports, calls, extends whom: facts of many files in, a code graph out.
//!
//! ```text
//! folder ─CONTAINS→ file ─DEFINES→ class ─HAS_METHOD→ method ─CALLS→ function
//!                    └─IMPORTS→ file or package        class ─EXTENDS→ class
//! ```
//!
//! [`GraphBuilder`] takes facts and makes a [`frozen::Graph`]; [`GraphView`] reads it from an archive, in place. Every
//! resolved edge says by which rule it was found ([`Reason`]) and how often that rule is right.

mod build;
mod centrality;
mod freeze;
pub mod frozen;
mod kinds;
mod layout;
mod resolve;
mod traverse;
mod validate;
mod view;
mod visit;

pub use build::{GraphBuilder, is_manifest};
pub use kinds::{EdgeKind, NodeId, NodeKind, Reason};
pub use traverse::{Direction, Step, TraverseConfig};
pub use view::{Edge, GraphView, Node, Occurrence};
pub use visit::{EdgeReference, VisitMap};
