//! One graph in parts: each has the symbols of its files and the edges and uses between them; a joint has the rest.
//!
//! A node has the number that it has in the graph of all files, so that walks, ties and answers are the same. The joint
//! knows which file is in which part; folders, packages, communities and processes; edges and uses from one part to
//! another; and the centrality of every node. A part is opened when a question reaches one of its nodes.

mod build;
mod frozen;
mod joined;

pub use build::JointBuilder;
pub use frozen::{ArchivedJoint, Joint, JointEdges, JointUses};
pub(crate) use joined::Joined;

use crate::frozen::ArchivedGraph;

/// Where the graphs of parts are.
pub trait Parts {
    /// The graph of a part. `None` where it cannot be read; who implements this keeps the reason.
    fn graph(&self, part: u16) -> Option<&ArchivedGraph>;
}
