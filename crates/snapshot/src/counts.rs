//! Counts of symbols, chunks and edges, made when an index is built, so that its status reads the section `info` only.

use graph::frozen::Graph;
use graph::{EdgeKind, NodeKind, SYMBOL_KINDS};
use rkyv::{Archive, Deserialize, Serialize};
use syntax::facts::SymbolKind;

/// See the module.
#[derive(Debug, Clone, Default, PartialEq, Eq, Archive, Serialize, Deserialize)]
pub struct Counts {
    /// Definitions.
    pub n_symbols: u32,
    /// Chunks.
    pub n_chunks: u32,
    /// Chunks with a vector.
    pub n_vectors: u32,
    /// Edges.
    pub n_edges: u32,
    /// Definitions of each [`syntax::facts::SymbolKind`], by its number.
    pub kinds: Vec<u32>,
    /// Edges of each [`EdgeKind`], by its number.
    pub edges: Vec<u32>,
}

impl Counts {
    /// Counts what a graph holds. Linear in nodes and edges.
    #[must_use]
    pub fn of(graph: &Graph, n_chunks: usize) -> Self {
        let nodes = graph.nodes.kind.iter().zip(&graph.nodes.symbol_kind);
        let symbols = nodes.filter(|(kind, _)| **kind == NodeKind::Symbol as u8);
        Self {
            n_symbols: graph.by_name.len() as u32,
            n_chunks: n_chunks as u32,
            n_vectors: 0,
            n_edges: graph.edges.targets.len() as u32,
            kinds: by_number(symbols.map(|(_, kind)| *kind)),
            edges: by_number(graph.edges.kinds.iter().copied()),
        }
    }
}

impl ArchivedCounts {
    /// Kinds of edges by their words.
    pub fn edges(&self) -> impl Iterator<Item = (&'static str, usize)> + '_ {
        let counts = (0..=u8::MAX).zip(self.edges.iter());
        counts.filter_map(|(number, count)| {
            let kind = EdgeKind::from_byte(number)?;
            Some((kind.name(), count.to_native() as usize))
        })
    }
}

/// Returns the kind of definition with this number, as it is stored.
#[must_use]
pub fn symbol_kind(number: u32) -> Option<SymbolKind> {
    SYMBOL_KINDS.get(number as usize).copied()
}

/// Counts numbers: entry `n` is how often `n` comes.
pub fn by_number(numbers: impl Iterator<Item = u8>) -> Vec<u32> {
    let mut counts = Vec::new();
    for number in numbers {
        let number = usize::from(number);
        if counts.len() <= number {
            counts.resize(number + 1, 0);
        }
        counts[number] += 1;
    }
    counts
}
