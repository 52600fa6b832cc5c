//! Assembles code for a reader with little room, such as a language model: the best chunks for a query and the code
//! they depend on, within a token budget.
//!
//! ```text
//! <code_context>
//! <code path="src/cart.ts" lines="3-9" symbol="Cart.total">
//!   total(): number { … }
//! </code>
//! <code path="src/tax.ts" lines="1-4" symbol="addTax" for="Cart.total">
//! …
//! </code>
//! </code_context>
//! ```
//!
//! Greedy: chunks are taken in the order of their scores while they fit; a chunk that does not fit is skipped. A part
//! of the budget is reserved for what the chosen chunks call and the types they name.

use std::cmp::Reverse;

use graph::{EdgeKind, NodeId};
use rustc_hash::FxHashSet;
use search::{ChunkId, ChunkMeta};
use syntax::facts::SymbolKind;

use crate::{Error, Reader, SearchQuery};
use syntax::order::InOrder;

/// Default token budget of a context.
pub const DEFAULT_CONTEXT_TOKENS: usize = 4_096;

/// Parameters of a context.
pub struct AssembleConfig<'a> {
    /// Maximum number of tokens.
    pub max_tokens: usize,
    /// Chunks that score below this share of the best one are left out: 0 fills the budget with whatever was found, 1
    /// takes only the best chunk.
    pub min_share: f32,
    /// Percent of the budget that callees and types may take; at 0 edges are not followed.
    pub related_percent: usize,
    /// Maximum number of chunks, without those that are added as callees and types.
    pub max_chunks: usize,
    /// Counts the tokens of a text. The count of two joined texts must not exceed the sum of their counts.
    pub count: &'a dyn Fn(&str) -> usize,
}

/// Code assembled for a query.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Assembled {
    /// The complete text, `<code_context>` included; empty if not even one chunk fits.
    pub text: String,
    /// Its number of tokens, by [`AssembleConfig::count`].
    pub n_tokens: usize,
    /// Its chunks, in the order of the text.
    pub pieces: Vec<AssembledPiece>,
    /// Number of chunks that scored well enough and did not fit.
    pub n_more: usize,
}

/// A chunk of a context.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AssembledPiece {
    /// Its file and position.
    pub chunk: ChunkMeta,
    /// The definition it mainly consists of.
    pub symbol: Option<NodeId>,
    /// Its score in the search; 0 for a chunk that was added because another depends on it.
    pub score: f32,
    /// The definition that depends on it: calls it or names it as a type.
    pub used_by: Option<NodeId>,
}

const HEAD: &str = "<code_context>\n";
const FOOT: &str = "</code_context>\n";
/// Maximum number of chunks considered: lower ranks do not answer the query.
pub(crate) const MAX_CHUNKS: usize = 100;
/// Maximum number of callees and types considered per chunk.
const MAX_RELATED: usize = 20;

/// Chosen chunks with their texts, and the tokens left.
struct Packing<'a> {
    reader: &'a Reader,
    count: &'a dyn Fn(&str) -> usize,
    taken: FxHashSet<ChunkId>,
    pieces: Vec<(AssembledPiece, String)>,
    left: usize,
}

impl Reader {
    /// Returns code that answers `query`, with the code it depends on. Ignores the query's limit, offset and grouping.
    /// One search, then linear in the text.
    ///
    /// # Errors
    ///
    /// As [`Reader::search`].
    pub fn assemble(
        &self,
        query: &SearchQuery<'_>,
        config: &AssembleConfig<'_>,
    ) -> Result<Assembled, Error> {
        let planned = self.plan_search(query)?;
        let query = &planned.query;
        self.check_search(query, planned.has_vectors)?;
        let mut ranked = self.candidates_of(&planned)?.rank(&query.config);
        ranked.drop_distant(query.min_similarity);
        let best = ranked.hits.first().map_or(0.0, |hit| hit.score);
        let hits: Vec<(ChunkId, f32)> = ranked
            .hits
            .iter()
            .take(config.max_chunks.min(MAX_CHUNKS))
            .filter(|hit| hit.score > 0.0 && hit.score >= best * config.min_share)
            .map(|hit| (hit.chunk, hit.score))
            .collect();
        let frame = (config.count)(HEAD) + (config.count)(FOOT);
        let room = config.max_tokens.saturating_sub(frame);
        let for_related = room * config.related_percent.min(100) / 100;
        let mut packing = Packing {
            reader: self,
            count: config.count,
            taken: FxHashSet::default(),
            pieces: Vec::new(),
            left: room - for_related,
        };
        for &(chunk, score) in &hits {
            packing.take(chunk, score, None);
        }
        packing.left += for_related;
        if for_related > 0 {
            packing.take_related();
        }
        // Room that callees and types left over goes to further hits.
        for &(chunk, score) in &hits {
            packing.take(chunk, score, None);
        }
        let n_more = hits
            .iter()
            .filter(|(chunk, _)| !packing.taken.contains(chunk))
            .count();
        Ok(packing.finish(n_more))
    }

    /// Definitions that the code of a chunk depends on: callees first, then the types it names; each by confidence,
    /// then by centrality.
    fn leant_on(&self, chunk: ChunkId, symbol: NodeId) -> Vec<NodeId> {
        let graph = self.graph();
        let is_type = |node: NodeId| {
            matches!(
                graph.symbol_kind(node),
                Some(
                    SymbolKind::Class
                        | SymbolKind::Struct
                        | SymbolKind::Enum
                        | SymbolKind::Trait
                        | SymbolKind::Interface
                        | SymbolKind::TypeAlias
                )
            )
        };
        let mut edges: Vec<_> = graph
            .out(symbol)
            .filter(|edge| match edge.kind {
                EdgeKind::Calls => true,
                EdgeKind::References => is_type(edge.target),
                _ => false,
            })
            .filter(|edge| self.is_symbol(edge.target))
            .collect();
        edges.order_by_key(|edge| {
            let centrality = graph.centrality(edge.target).max(0.0).to_bits();
            (
                edge.kind != EdgeKind::Calls,
                Reverse(edge.confidence),
                Reverse(centrality),
            )
        });
        let mut targets: Vec<NodeId> = Vec::new();
        for edge in edges {
            let is_here = self.chunks_of_symbol(edge.target).first() == Some(&chunk);
            if !is_here && !targets.contains(&edge.target) {
                targets.push(edge.target);
            }
            if targets.len() == MAX_RELATED {
                break;
            }
        }
        targets
    }
}

impl Packing<'_> {
    /// Takes a chunk if it is new and fits.
    fn take(&mut self, chunk: ChunkId, score: f32, used_by: Option<NodeId>) {
        if self.taken.contains(&chunk) {
            return;
        }
        let Some(meta) = self.reader.chunk(chunk) else {
            return;
        };
        let piece = AssembledPiece {
            chunk: meta,
            symbol: self.reader.symbol_of(chunk),
            score,
            used_by,
        };
        let text = self.shown(&piece);
        let n_tokens = (self.count)(&text);
        if let Some(left) = self.left.checked_sub(n_tokens) {
            self.left = left;
            self.taken.insert(chunk);
            self.pieces.push((piece, text));
        }
    }

    /// Takes the first chunk of each definition that the chosen chunks depend on, in rounds: the most certain callee of
    /// every chunk first.
    fn take_related(&mut self) {
        let leaning: Vec<(NodeId, Vec<NodeId>)> = self
            .pieces
            .iter()
            .filter_map(|(piece, _)| {
                let symbol = piece.symbol?;
                let line = piece.chunk.start_line;
                let chunk = self.reader.chunk_on_line(piece.chunk.file, line)?;
                Some((symbol, self.reader.leant_on(chunk, symbol)))
            })
            .collect();
        for place in 0..MAX_RELATED {
            for (symbol, targets) in &leaning {
                let chunks = targets
                    .get(place)
                    .map(|target| self.reader.chunks_of_symbol(*target));
                if let Some(&chunk) = chunks.as_ref().and_then(|chunks| chunks.first()) {
                    self.take(chunk, 0.0, Some(*symbol));
                }
            }
        }
    }

    fn shown(&self, piece: &AssembledPiece) -> String {
        let (reader, graph) = (self.reader, self.reader.graph());
        let attribute = |name: &str, node: Option<NodeId>| {
            node.map_or_else(String::new, |node| {
                format!(" {name}=\"{}\"", escaped(&graph.qualified_name(node)))
            })
        };
        let chunk = &piece.chunk;
        let code = reader.piece(chunk.file, chunk.start, chunk.end).trim_end();
        format!(
            "<code path=\"{}\" lines=\"{}-{}\"{}{}>\n{code}\n</code>\n",
            escaped(reader.path(chunk.file)),
            chunk.start_line.saturating_add(1),
            chunk.end_line.saturating_add(1),
            attribute("symbol", piece.symbol),
            attribute("for", piece.used_by),
        )
    }

    /// Sorts files by their best chunk and chunks of a file by position, then joins their texts.
    fn finish(mut self, n_more: usize) -> Assembled {
        if self.pieces.is_empty() {
            return Assembled {
                n_more,
                ..Assembled::default()
            };
        }
        let mut files = Vec::new();
        for (piece, _) in &self.pieces {
            if !files.contains(&piece.chunk.file) {
                files.push(piece.chunk.file);
            }
        }
        let place =
            |piece: &AssembledPiece| files.iter().position(|file| *file == piece.chunk.file);
        self.pieces
            .order_by_key(|(piece, _)| (place(piece), piece.chunk.start));
        let texts: String = self.pieces.iter().map(|(_, text)| text.as_str()).collect();
        let text = [HEAD, &texts, FOOT].concat();
        Assembled {
            n_tokens: (self.count)(&text),
            text,
            pieces: self.pieces.into_iter().map(|(piece, _)| piece).collect(),
            n_more,
        }
    }
}

/// Escapes a text for an attribute between double quotes.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('"', "&quot;")
        .replace('<', "&lt;")
        .replace('\n', "&#10;")
}
