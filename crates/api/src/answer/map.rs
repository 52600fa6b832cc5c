//! The repository map.

use engine::{DEFAULT_MAP_TOKENS, MapConfig, Reader};

use super::tokens;
use crate::{ErrorBody, MapOrder, MapRequest, MapResponse};

/// A map of the repository.
///
/// # Errors
///
/// `query.invalid` for an unknown language, `glob.syntax`.
pub fn map(reader: &Reader, request: &MapRequest) -> Result<MapResponse, ErrorBody> {
    let map = reader.map(&MapConfig {
        max_tokens: request
            .max_tokens
            .map_or(DEFAULT_MAP_TOKENS, |tokens| tokens as usize),
        order: match request.order {
            MapOrder::Symbols => engine::MapOrder::Symbols,
            MapOrder::Centrality => engine::MapOrder::Centrality,
        },
        files: reader.filter(&request.paths, &request.languages)?,
        count: &tokens::count,
    });
    Ok(MapResponse {
        text: map.text,
        n_tokens: map.n_tokens as u32,
        n_files: map.n_files as u32,
        n_more: map.n_more as u32,
    })
}
