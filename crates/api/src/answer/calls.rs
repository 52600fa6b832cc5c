//! References, callers, callees, edges.

use engine::FileId;
use engine::{CallsConfig, Reader};
use engine::{Direction, NodeId, NodeKind, Occurrence};

use super::{kind, limit, percent, range, share, symbol, symbols};
use crate::paging::Paged;
use crate::{
    Call, CallsRequest, CallsResponse, Edge, ErrorBody, Reference, ReferencesRequest,
    ReferencesResponse,
};

/// Name of the top level of a file, in the place of a function's name.
const TOP_LEVEL: &str = "<file>";
const MAX_REFERENCES: u32 = 100_000;

/// Lists the uses of a symbol.
///
/// # Errors
///
/// `query.empty`, `query.invalid`, `symbol.not-found`, `file.not-found`.
pub fn references(
    reader: &Reader,
    request: &ReferencesRequest,
) -> Result<ReferencesResponse, ErrorBody> {
    let limit = limit(request.limit, 100, MAX_REFERENCES)?;
    let offset = request.offset();
    let kind = kind(request.kind.as_deref())?;
    let found = reader.references(&request.symbol, kind, offset, limit)?;
    Ok(ReferencesResponse {
        symbols: symbols(reader, &found.symbols),
        references: found
            .uses
            .iter()
            .map(|used| reference(reader, used))
            .collect(),
        n_product: found.n_product as u32,
        total: found.total as u32,
    })
}

fn reference(reader: &Reader, used: &Occurrence) -> Reference {
    Reference {
        path: reader.path(used.file).to_owned(),
        line: used.line.saturating_add(1),
        range: range(reader, used.file, used.start, used.end, used.line),
        text: reader.line_of_use(used).to_owned(),
        form: engine::form_name(used.form).to_owned(),
        confidence: share(used.confidence),
        reason: used.reason.name().to_owned(),
        target: used.target.0,
        enclosing: reader.enclosing_name(used),
    }
}

/// Lists the callers of a symbol.
///
/// # Errors
///
/// As [`references`].
pub fn callers(reader: &Reader, request: &CallsRequest) -> Result<CallsResponse, ErrorBody> {
    calls(reader, request, Direction::In)
}

/// Whom a symbol calls.
///
/// # Errors
///
/// As [`references`].
pub fn callees(reader: &Reader, request: &CallsRequest) -> Result<CallsResponse, ErrorBody> {
    calls(reader, request, Direction::Out)
}

fn calls(
    reader: &Reader,
    request: &CallsRequest,
    direction: Direction,
) -> Result<CallsResponse, ErrorBody> {
    let config = CallsConfig {
        kind: kind(request.kind.as_deref())?,
        direction,
        depth: request.depth.unwrap_or(1),
        min_confidence: percent(request.min_confidence)?,
        offset: request.offset(),
        limit: limit(request.limit, 100, MAX_REFERENCES)?,
    };
    let found = reader.calls(&request.symbol, &config)?;
    Ok(CallsResponse {
        symbols: symbols(reader, &found.symbols),
        calls: found
            .calls
            .iter()
            .map(|found| call(reader, found))
            .collect(),
        n_product: found.n_product as u32,
        total: found.total as u32,
    })
}

fn call(reader: &Reader, call: &engine::Call) -> Call {
    let is_symbol = reader.graph().kind(call.node) == NodeKind::Symbol;
    Call {
        symbol: is_symbol.then(|| symbol(reader, call.node)),
        path: file_of(reader, call.site)
            .map(|file| reader.path(file))
            .unwrap_or_default()
            .to_owned(),
        line: call.line.saturating_add(1),
        depth: call.depth,
        via: call.via.0,
        confidence: share(call.confidence),
        reason: call.reason.name().to_owned(),
    }
}

/// Every edge between definitions and files, by names.
#[must_use]
pub fn edges(reader: &Reader) -> Vec<Edge> {
    let named = reader.named_edges();
    named
        .map(|edge| {
            let (caller_file, caller_name, caller_line) = end_of(reader, edge.source);
            let (callee_file, callee_name, callee_line) = end_of(reader, edge.target);
            Edge {
                caller_file,
                caller_name,
                caller_line,
                callee_file,
                callee_name,
                callee_line,
                kind: edge.kind.name().to_owned(),
                confidence: share(edge.confidence),
                reason: edge.reason.name().to_owned(),
            }
        })
        .collect()
}

/// Path, simple name and 1-based line of one end of an edge.
fn end_of(reader: &Reader, id: NodeId) -> (String, String, u32) {
    let node = reader.graph().node(id);
    let path = node
        .file
        .map(|file| reader.path(file))
        .unwrap_or_default()
        .to_owned();
    match node.kind {
        NodeKind::Symbol => (
            path,
            node.name.to_owned(),
            node.name_span.start_line.saturating_add(1),
        ),
        _ => (path, TOP_LEVEL.to_owned(), 1),
    }
}

fn file_of(reader: &Reader, id: NodeId) -> Option<FileId> {
    reader.graph().node(id).file
}
