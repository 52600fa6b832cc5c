//! The repository map.

use engine::{DEFAULT_MAP_TOKENS, MapConfig, Reader};

use crate::{ErrorBody, MapOrder, MapRequest, MapResponse};

/// Bytes of a token where no model counts.
const TOKEN_BYTES: usize = 4;

/// Tokens of a text where no model counts.
pub(super) fn by_bytes(text: &str) -> usize {
    text.len().div_ceil(TOKEN_BYTES)
}

/// A map of the repository; `count` counts tokens as the index's model does.
///
/// # Errors
///
/// `query.invalid` for an unknown language, `glob.syntax`.
pub fn map(
    reader: &Reader,
    request: &MapRequest,
    count: Option<&dyn Fn(&str) -> usize>,
) -> Result<MapResponse, ErrorBody> {
    let map = reader.map(&MapConfig {
        max_tokens: request
            .max_tokens
            .map_or(DEFAULT_MAP_TOKENS, |tokens| tokens as usize),
        order: match request.order {
            MapOrder::Symbols => engine::MapOrder::Symbols,
            MapOrder::Centrality => engine::MapOrder::Centrality,
        },
        files: reader.filter(&request.paths, &request.languages)?,
        count: count.unwrap_or(&by_bytes),
    });
    Ok(MapResponse {
        text: map.text,
        n_tokens: map.n_tokens as u32,
        n_files: map.n_files as u32,
        n_more: map.n_more as u32,
    })
}
