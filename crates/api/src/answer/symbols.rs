//! Symbols by name, by position, by file.

use engine::{FindConfig, Reader};

use super::{kind, limit, range, share, symbol, symbols};
use crate::{
    DefinitionRequest, DefinitionResponse, ErrorBody, FindRequest, FindResponse, Outline,
    OutlineEntry, SymbolUsage, Target, UsagesResponse,
};

/// Symbols by name; none is an empty list.
///
/// # Errors
///
/// `query.empty`, `query.invalid`; `file.not-found` where the symbol is named with a file.
pub fn find(reader: &Reader, request: &FindRequest) -> Result<FindResponse, ErrorBody> {
    let config = FindConfig {
        kind: kind(request.kind.as_deref())?,
        fuzzy: request.fuzzy.unwrap_or(true),
        limit: limit(request.limit, 20, 1_000)?,
    };
    let found = reader.find(&request.symbol, &config)?;
    Ok(FindResponse {
        symbols: symbols(reader, &found.symbols),
        total: found.total as u32,
    })
}

/// Symbols by name, each with how much it is used; none is an empty list.
///
/// # Errors
///
/// As [`find`].
pub fn usages(reader: &Reader, request: &FindRequest) -> Result<UsagesResponse, ErrorBody> {
    let FindResponse { symbols, total } = find(reader, request)?;
    let with_usage = |symbol: crate::Symbol| {
        let usage = reader.usage(engine::NodeId(symbol.id));
        SymbolUsage {
            symbol,
            n_references: usage.n_references,
            n_callers: usage.n_callers,
            n_callees: usage.n_callees,
        }
    };
    Ok(UsagesResponse {
        symbols: symbols.into_iter().map(with_usage).collect(),
        total,
    })
}

/// Finds the definition of the name under the cursor.
///
/// # Errors
///
/// `file.not-found`, `position.outside`, `snapshot.without`.
pub fn definition(
    reader: &Reader,
    request: &DefinitionRequest,
) -> Result<DefinitionResponse, ErrorBody> {
    let file = reader.file(&request.path)?;
    let found = reader.definition(file, request.line, request.character)?;
    let target = |target: &engine::Target| Target {
        symbol: symbol(reader, target.symbol),
        confidence: share(target.confidence),
        reason: target.reason.name().to_owned(),
    };
    Ok(DefinitionResponse {
        origin: found
            .origin
            .map(|(start, end)| range(reader, file, start, end, request.line)),
        targets: found.targets.iter().map(target).collect(),
    })
}

/// The symbols of a file as a tree.
///
/// # Errors
///
/// `file.not-found`.
pub fn outline(reader: &Reader, path: &str) -> Result<Outline, ErrorBody> {
    let (file, entries) = reader.outline(path)?;
    let entry = |entry: &engine::OutlineEntry| OutlineEntry {
        symbol: symbol(reader, entry.symbol),
        parent: entry.parent.map(|parent| parent as u32),
    };
    Ok(Outline {
        path: reader.path(file).to_owned(),
        symbols: entries.iter().map(entry).collect(),
    })
}
