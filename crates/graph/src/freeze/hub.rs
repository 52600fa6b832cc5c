//! The hub of a joint: the nodes that are no symbols, and the groups that follow from the edges of all parts.
//!
//! Centrality and groups follow from the edges alone, so they may be made side by side.

use crate::centrality::centrality;
use crate::communities::Unlabelled;
use crate::frozen::{Edges, Nodes};
use crate::layout::Layout;
use crate::processes::Signs;
use crate::resolution::RawEdge;

use super::Grouped;
use super::clusters::Clustered;
use super::edges::{edges_by_source, sorted, structure_edges};
use super::nodes::plain_nodes;
use super::strings::StringTable;

/// The nodes so far, and the edges of all parts.
pub(crate) struct Hub<'a> {
    nodes: Nodes,
    strings: StringTable<'a>,
    edges: Edges,
    n_resolved: usize,
    n_symbols: u32,
}

impl<'a> Hub<'a> {
    /// Sorts the edges. `edges` has those of uses, imports and types, each once, in several lists.
    pub fn new(layout: &Layout<'a>, externals: &'a [String], mut edges: Vec<Vec<RawEdge>>) -> Self {
        let mut strings = StringTable::new(2 * layout.first_symbol() as usize);
        let nodes = plain_nodes(layout, externals, &mut strings);
        let n_symbols = layout.end() - layout.first_symbol();
        let mut structure = Vec::with_capacity(layout.end() as usize);
        structure_edges(layout, &mut structure);
        edges.push(structure);
        let n_resolved = nodes.kind.len() + n_symbols as usize;
        let sorted = sorted(edges.iter().flatten().copied(), n_resolved);
        drop(edges);
        Self {
            edges: edges_by_source(&sorted, n_resolved),
            nodes,
            strings,
            n_resolved,
            n_symbols,
        }
    }

    /// The importance of each node.
    pub fn centrality(&self) -> Vec<f32> {
        centrality(&self.edges, self.n_resolved)
    }

    /// The groups of symbols.
    pub fn unlabelled(&self, layout: &Layout<'_>) -> Unlabelled {
        Unlabelled::new(layout, &self.edges)
    }

    /// The hub with its communities and processes.
    pub fn grouped(
        self,
        layout: &Layout<'_>,
        signs: &Signs,
        centrality: Vec<f32>,
        unlabelled: Unlabelled,
    ) -> Grouped {
        let clustered = Clustered {
            clustering: unlabelled.labelled(layout, &self.edges, &centrality),
            edges: self.edges,
            centrality,
        };
        let (nodes, strings) = (self.nodes, self.strings);
        Grouped::new(clustered, layout, signs, nodes, self.n_symbols, strings)
    }
}
