//! Code for a reader with little room.

use engine::{AssembleConfig, DEFAULT_CONTEXT_TOKENS, Layers, Reader, SearchQuery};

use super::tokens;
use crate::{AssembleRequest, AssembleResponse, AssembledPiece, ErrorBody};

/// Chunks that score below this share of the best one are rarely worth their tokens.
const MIN_SHARE: f32 = 0.4;
/// Percent of the room for callees and types.
const RELATED_PERCENT: u32 = 25;

/// Packs the code that answers a query.
///
/// # Errors
///
/// `query.empty`, `query.invalid` for an unknown language, `glob.syntax`.
pub fn assemble(
    reader: &Reader,
    request: &AssembleRequest,
    vector: Option<&[f32]>,
) -> Result<AssembleResponse, ErrorBody> {
    let query = SearchQuery {
        text: &request.query,
        vector,
        layers: Some(Layers::Hybrid),
        min_similarity: request.similarity_threshold,
        files: reader.filter(&request.paths, &request.languages)?,
        ..SearchQuery::default()
    };
    let max_tokens = request.max_tokens.unwrap_or(DEFAULT_CONTEXT_TOKENS as u32);
    let config = AssembleConfig {
        max_tokens: match request.budget_ratio {
            Some(ratio) => (max_tokens as f32 * ratio.clamp(0.0, 1.0)) as usize,
            None => max_tokens as usize,
        },
        max_chunks: request
            .max_chunks
            .map_or(usize::MAX, |chunks| chunks as usize),
        min_share: request.min_share.unwrap_or(MIN_SHARE),
        related_percent: request.related_percent.unwrap_or(RELATED_PERCENT) as usize,
        count: &tokens::count,
    };
    let found = reader.assemble(&query, &config)?;
    let name = |node: Option<engine::NodeId>| node.map(|node| reader.graph().qualified_name(node));
    let piece = |piece: &engine::AssembledPiece| AssembledPiece {
        path: reader.path(piece.chunk.file).to_owned(),
        start_line: piece.chunk.start_line.saturating_add(1),
        end_line: piece.chunk.end_line.saturating_add(1),
        symbol: name(piece.symbol),
        score: piece.score,
        used_by: name(piece.used_by),
    };
    Ok(AssembleResponse {
        n_tokens: found.n_tokens as u32,
        pieces: found.pieces.iter().map(piece).collect(),
        n_more: found.n_more as u32,
        text: found.text,
    })
}
