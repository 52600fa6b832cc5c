//! Code for a reader with little room.

use engine::{AssembleConfig, DEFAULT_CONTEXT_TOKENS, Reader, SearchConfig, SearchQuery};

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
        limit: 0,
        offset: 0,
        files: reader.filter(&request.paths, &request.languages)?,
        kinds: Vec::new(),
        explain: false,
        grouped: false,
        config: SearchConfig::default(),
    };
    let config = AssembleConfig {
        max_tokens: request
            .max_tokens
            .map_or(DEFAULT_CONTEXT_TOKENS, |tokens| tokens as usize),
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
