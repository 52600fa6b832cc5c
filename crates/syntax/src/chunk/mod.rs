//! Chunks: the pieces of a file that are searched, embedded and shown as one.
//!
//! cAST (Zhang et al. 2025): a node that is too large is split into its children, small neighbours are merged greedily
//! up to a target size; sizes count characters that are not white space. Here pieces are whole lines, so that the chunks
//! of a file cover every line exactly once, and a comment stays with what follows it. No chunk ends on the head of a
//! definition (`class A {`), so that a definition is shown from its first line.

mod heads;
mod pieces;

use tree_sitter::Node;

use crate::facts::{Chunk, FileFacts, Symbol};
use crate::text::Lines;
use pieces::Piece;

/// Sizes in characters that are not white space.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChunkConfig {
    /// Neighbours are merged up to this size. Larger: fewer, more general hits; smaller: sharper ones with less context.
    pub target: u32,
    /// Nodes larger than this are split. Only a single line can make a larger chunk.
    pub max: u32,
    /// Chunks smaller than this join a neighbour where the sum stays within `max`: a chunk of two lines ranks on noise.
    pub min: u32,
}

/// Sizes of chunks that contradict each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "chunk sizes {min} (min), {target} (target), {max} (max): they must not fall, and target must be at least {MIN_TARGET}"
)]
pub struct ChunkConfigError {
    min: u32,
    target: u32,
    max: u32,
}

/// Below this nearly every line is a chunk of its own.
const MIN_TARGET: u32 = 20;

impl ChunkConfig {
    /// Sizes as given, the usual ones where none is. Where only the target is given, the others keep their proportion to
    /// it.
    ///
    /// # Errors
    ///
    /// If they contradict each other.
    pub fn new(
        target: Option<u32>,
        max: Option<u32>,
        min: Option<u32>,
    ) -> Result<ChunkConfig, ChunkConfigError> {
        let usual = ChunkConfig::default();
        let target = target.unwrap_or(usual.target);
        let in_proportion = |size: u32| {
            let scaled = u64::from(size) * u64::from(target) / u64::from(usual.target);
            u32::try_from(scaled).unwrap_or(u32::MAX)
        };
        let config = ChunkConfig {
            target,
            max: max.unwrap_or_else(|| in_proportion(usual.max)),
            min: min.unwrap_or_else(|| in_proportion(usual.min)),
        };
        let ChunkConfig { target, max, min } = config;
        if target >= MIN_TARGET && min <= target && target <= max {
            Ok(config)
        } else {
            Err(ChunkConfigError { min, target, max })
        }
    }
}

impl Default for ChunkConfig {
    fn default() -> ChunkConfig {
        ChunkConfig {
            target: 600,
            max: 1200,
            min: 100,
        }
    }
}

/// Chunks along the tree.
pub(crate) fn by_tree(
    facts: &mut FileFacts,
    root: Node,
    lines: &Lines,
    text: &str,
    config: &ChunkConfig,
) {
    let mut pieces = merge(pieces::of_tree(root, lines, text, config), lines, config);
    if !is_costly(root, &pieces) {
        pieces::keep_tokens(&mut pieces, root, lines, config);
        heads::Heads::new(&facts.symbols, root, lines, text, config).keep(&mut pieces);
    }
    facts.chunks = describe(&pieces, &facts.symbols, lines);
}

/// Nodes that may be passed in search of the tokens at borders: some tenths of a second.
const MAX_PASSED: usize = 20_000_000;

/// Whether looking for the token at each border would take long. A text that fits its grammar nowhere has an error as its root,
/// with everything in one list: each search goes through it from its start. Elsewhere lists are balanced trees.
fn is_costly(root: Node, pieces: &[Piece]) -> bool {
    let n_children = root.child_count() as usize;
    root.is_error() && n_children.saturating_mul(pieces.len()) > MAX_PASSED
}

/// Chunks of blocks between blank lines.
pub(crate) fn by_lines(facts: &mut FileFacts, lines: &Lines, text: &str, config: &ChunkConfig) {
    let mut out = Vec::new();
    pieces::of_lines(0, lines.count(), lines, text, config, "lines", &mut out);
    facts.chunks = describe(&merge(out, lines, config), &facts.symbols, lines);
}

/// Chunks that start at the given lines where they do not become too small or too large.
pub(crate) fn by_cuts(
    facts: &mut FileFacts,
    cuts: &[u32],
    lines: &Lines,
    text: &str,
    config: &ChunkConfig,
) {
    let mut out = Vec::new();
    let mut first = 0;
    for &past in cuts.iter().chain([&lines.count()]) {
        if past > first {
            let kind = if facts.symbols.is_empty() {
                "lines"
            } else {
                "section"
            };
            let from = out.len();
            pieces::of_lines(first, past, lines, text, config, kind, &mut out);
            // The parts of a long section are not merged with its neighbours.
            let is_split = out.len() > from + 1;
            if let Some(piece) = out.get_mut(from) {
                piece.opens = is_split;
            }
            if let Some(piece) = out.last_mut() {
                piece.closes = is_split;
            }
            first = past;
        }
    }
    facts.chunks = describe(&merge(out, lines, config), &facts.symbols, lines);
}

/// Merges neighbours up to the target, then leftovers into their neighbours.
fn merge(pieces: Vec<Piece>, lines: &Lines, config: &ChunkConfig) -> Vec<Piece> {
    let ink = |piece: &Piece| lines.ink(piece.first, piece.past);
    let mut merged: Vec<Piece> = Vec::new();
    for piece in pieces {
        match merged.last_mut() {
            Some(last)
                if !piece.opens && !last.closes && ink(last) + ink(&piece) <= config.target =>
            {
                last.extend(&piece)
            }
            _ => merged.push(piece),
        }
    }
    let mut settled: Vec<Piece> = Vec::new();
    for piece in merged {
        match settled.last_mut() {
            Some(last)
                if (ink(&piece) < config.min || ink(last) < config.min)
                    && ink(last) + ink(&piece) <= config.max =>
            {
                last.absorb(&piece, lines)
            }
            _ => settled.push(piece),
        }
    }
    settled
}

/// Gives each piece its definitions.
fn describe(pieces: &[Piece], symbols: &[Symbol], lines: &Lines) -> Vec<Chunk> {
    let mut order: Vec<u32> = (0..symbols.len() as u32).collect();
    let starts_at = |index: &u32| {
        symbols
            .get(*index as usize)
            .map_or(0, |symbol| symbol.span.start_line)
    };
    order.sort_by_key(starts_at);
    let mut next = 0;
    let mut around: Vec<u32> = Vec::new();
    pieces
        .iter()
        .map(|piece| {
            around.retain(|index| {
                symbols
                    .get(*index as usize)
                    .is_some_and(|symbol| symbol.span.end_line >= piece.first)
            });
            let from = next;
            while order
                .get(next)
                .is_some_and(|index| starts_at(index) < piece.past)
            {
                next += 1;
            }
            let defines = order.get(from..next).unwrap_or_default().to_vec();
            let symbol = main_symbol(piece, &defines, &around, symbols, lines);
            around.extend(&defines);
            Chunk {
                span: lines.whole(piece.first, piece.past),
                node_kind: piece.kind.clone(),
                symbol,
                defines,
                n_chars: lines.ink(piece.first, piece.past),
            }
        })
        .collect()
}

/// The definition that most of a chunk belongs to: the first in it that fills half of it, else the innermost around it,
/// else the one that it documents.
fn main_symbol(
    piece: &Piece,
    defines: &[u32],
    around: &[u32],
    symbols: &[Symbol],
    lines: &Lines,
) -> Option<u32> {
    let total = lines.ink(piece.first, piece.past);
    let overlap = |index: &u32| {
        let span = symbols
            .get(*index as usize)
            .map(|symbol| symbol.span)
            .unwrap_or_default();
        lines.ink(
            span.start_line.max(piece.first),
            (span.end_line + 1).min(piece.past),
        )
    };
    let first = defines.iter().find(|index| overlap(index) * 2 >= total);
    let is_inside = |index: &&u32| {
        symbols
            .get(**index as usize)
            .is_some_and(|symbol| symbol.span.end_line + 1 >= piece.past)
    };
    first
        .or_else(|| around.iter().rev().find(is_inside))
        .copied()
        .or_else(|| heads::documented(piece, symbols))
}
