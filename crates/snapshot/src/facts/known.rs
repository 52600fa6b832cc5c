//! Other sections' knowledge of a file: its definitions, as the graph has them, and its chunks.

use graph::frozen::{ArchivedGraph, NONE};
use graph::{GraphView, NodeId};
use rkyv::rend::u32_le;
use search::{ArchivedLexical, ChunkId};
use source::FileId;
use syntax::facts::{Chunk, Span};

use super::Beside;
use crate::frozen::ArchivedChunks;

/// A definition as the graph knows it.
#[derive(Default)]
pub(super) struct Expected<'a> {
    pub name: &'a str,
    pub signature: &'a str,
    pub doc: &'a str,
    pub kind: u8,
    pub parent: Option<u32>,
    pub span: Span,
    pub name_span: [u32; 3],
    pub modifiers: u32,
    pub complexity: u16,
}

/// Other sections' knowledge of a file.
pub(crate) struct Known<'a> {
    graph: &'a ArchivedGraph,
    /// Node of the first definition, and one past the last.
    symbols: std::ops::Range<u32>,
    chunks: ChunkSource<'a>,
}

/// The lexical index has the chunks of facts as they are.
enum ChunkSource<'a> {
    Built(&'a [Chunk]),
    Archived(
        &'a ArchivedLexical,
        &'a ArchivedChunks,
        std::ops::Range<u32>,
    ),
}

/// A chunk as the lexical index knows it.
#[derive(Default)]
pub(super) struct ExpectedChunk {
    pub start: u32,
    pub end: u32,
    pub symbol: Option<u32>,
}

impl<'a> Known<'a> {
    /// From a graph, and the chunks that the lexical index has.
    pub fn new(graph: &'a ArchivedGraph, chunks: &'a [Chunk], file: usize) -> Self {
        Self {
            symbols: symbols_of(graph, file),
            graph,
            chunks: ChunkSource::Built(chunks),
        }
    }

    /// From sections of a snapshot.
    pub fn archived<T>(beside: &Beside<'a, T>, file: usize) -> Self {
        let chunks = beside.lexical.chunks_of(FileId(file as u32));
        Self {
            symbols: symbols_of(beside.graph, file),
            graph: beside.graph,
            chunks: ChunkSource::Archived(beside.lexical, beside.chunks, chunks),
        }
    }

    /// How many chunks are expected.
    pub(super) fn n_chunks(&self) -> u32 {
        match &self.chunks {
            ChunkSource::Built(chunks) => chunks.len() as u32,
            ChunkSource::Archived(_, _, chunks) => chunks.len() as u32,
        }
    }

    /// Returns the expectation of its chunk number `idx`.
    pub(super) fn chunk(&self, idx: u32) -> ExpectedChunk {
        let expected = match &self.chunks {
            ChunkSource::Built(chunks) => chunks.get(idx as usize).map(|chunk| ExpectedChunk {
                start: chunk.span.start,
                end: chunk.span.end,
                symbol: chunk.symbol,
            }),
            ChunkSource::Archived(lexical, chunks, range) => {
                let id = range.start.saturating_add(idx);
                let chunk = lexical.chunk(ChunkId(id)).filter(|_| id < range.end);
                chunk.map(|chunk| {
                    let node = chunks
                        .symbols
                        .get(id as usize)
                        .map_or(NONE, |id| id.to_native());
                    let own = self.symbols.contains(&node);
                    ExpectedChunk {
                        start: chunk.start,
                        end: chunk.end,
                        symbol: own.then(|| node - self.symbols.start),
                    }
                })
            }
        };
        expected.unwrap_or_default()
    }

    /// Returns the expectation of its definition number `idx`.
    pub(super) fn symbol(&self, idx: u32) -> Expected<'a> {
        let node = self.symbols.start.saturating_add(idx);
        if node >= self.symbols.end {
            return Expected::default();
        }
        let mut expected = expected(self.graph, node as usize);
        let local = |parent: u32| parent.checked_sub(self.symbols.start);
        expected.parent = expected
            .parent
            .and_then(local)
            .filter(|parent| *parent < idx);
        expected
    }
}

/// Nodes of the definitions of a file.
fn symbols_of(graph: &ArchivedGraph, file: usize) -> std::ops::Range<u32> {
    let offsets = &graph.symbol_offsets;
    let at = |idx: usize| offsets.get(idx).map_or(0, |at| at.to_native());
    at(file)..at(file + 1)
}

fn expected(graph: &ArchivedGraph, node: usize) -> Expected<'_> {
    let nodes = &graph.nodes;
    let at = |column: &[u32_le]| column.get(node).map_or(0, |value| value.to_native());
    let known = GraphView::new(graph).node(NodeId(node as u32));
    Expected {
        name: known.name,
        signature: known.signature,
        doc: known.doc,
        kind: nodes.symbol_kind.get(node).copied().unwrap_or_default(),
        parent: Some(at(&nodes.parent)),
        span: known.span,
        name_span: [
            at(&nodes.name_start),
            at(&nodes.name_end),
            at(&nodes.name_line),
        ],
        modifiers: at(&nodes.modifiers),
        complexity: known.complexity,
    }
}
