//! Connectors: places and symbols to chunks, and callers and callees as results.

use engine::{CallsConfig, ChunkId, Direction, Error, ErrorKind, NodeId, NodeKind, Reader, Reason};

use super::budget::Paging;
use super::{share, symbol_ref};
use crate::{
    Enrichment, ErrorBody, LinkRequest, LinkResponse, LinkedRequest, LinkedResponse, LinkedResult,
    SymbolRef,
};

const MAX_RESULTS: u32 = 1_000;
/// Callers and callees that are named with a result.
const MAX_RELATED: usize = 10;

/// Finds the chunk at a place and the definition of the name there.
///
/// # Errors
///
/// `file.not-found`, `position.outside`, `query.invalid`, `snapshot.without`.
pub fn link(reader: &Reader, request: &LinkRequest) -> Result<LinkResponse, ErrorBody> {
    let wanted = Wanted::new(request.enrich)?;
    let line = request.line.checked_sub(1).ok_or_else(|| {
        Error::new(
            ErrorKind::PositionOutside,
            "there is no line 0: lines are counted from 1",
        )
    })?;
    let found = reader.link(&request.path, line, request.character)?;
    let way = Way::own(found.reason, found.confidence);
    let defined_in = found
        .symbol
        .and_then(|symbol| reader.chunks_of_symbol(symbol).first().copied());
    let definition = defined_in.map(|chunk| result(reader, chunk, found.symbol, way, &wanted));
    let around = match found.symbol {
        Some(symbol) if defined_in == Some(found.chunk) => Some(symbol),
        _ => reader.link(&request.path, line, None)?.symbol,
    };
    let own = Way::own(Reason::Structure, 100);
    Ok(LinkResponse {
        chunk: result(reader, found.chunk, around, own, &wanted),
        definition,
    })
}

/// The chunks that hold a symbol.
///
/// # Errors
///
/// `query.empty`, `query.invalid`, `symbol.not-found`, `file.not-found`.
pub fn chunks_for_symbol(
    reader: &Reader,
    request: &LinkedRequest,
) -> Result<LinkedResponse, ErrorBody> {
    let symbols = reader.select(&request.symbol)?;
    let own = Way::own(Reason::Structure, 100);
    let chunks = symbols.iter().flat_map(|symbol| {
        let chunks = reader.chunks_of_symbol(*symbol).into_iter();
        chunks.map(|chunk| (chunk, *symbol, own))
    });
    let chunks = chunks.collect();
    respond(reader, request, &symbols, chunks)
}

/// Lists the chunks of a symbol's callers.
///
/// # Errors
///
/// As [`chunks_for_symbol`].
pub fn callers_as_results(
    reader: &Reader,
    request: &LinkedRequest,
) -> Result<LinkedResponse, ErrorBody> {
    calls_as_results(reader, request, Direction::In)
}

/// The chunks of those whom a symbol calls.
///
/// # Errors
///
/// As [`chunks_for_symbol`].
pub fn callees_as_results(
    reader: &Reader,
    request: &LinkedRequest,
) -> Result<LinkedResponse, ErrorBody> {
    calls_as_results(reader, request, Direction::Out)
}

fn calls_as_results(
    reader: &Reader,
    request: &LinkedRequest,
    direction: Direction,
) -> Result<LinkedResponse, ErrorBody> {
    let config = CallsConfig {
        kind: None,
        direction,
        depth: request.depth.unwrap_or(1),
        min_confidence: 0,
        offset: 0,
        limit: usize::MAX,
    };
    let found = reader.calls(&request.symbol, &config)?;
    let results = found.calls.iter().filter_map(|call| {
        // A caller is shown where it calls, a callee where it is defined.
        let file = reader.graph().node(call.site).file?;
        let chunk = match direction {
            Direction::In => reader.chunk_on_line(file, call.line),
            Direction::Out => reader.chunks_of_symbol(call.node).first().copied(),
        };
        let way = Way {
            reason: call.reason,
            confidence: call.confidence,
            depth: call.depth,
            line: Some(call.line),
        };
        Some((chunk?, call.node, way))
    });
    let results = results.collect();
    respond(reader, request, &found.symbols, results)
}

fn respond(
    reader: &Reader,
    request: &LinkedRequest,
    symbols: &[NodeId],
    results: Vec<(ChunkId, NodeId, Way)>,
) -> Result<LinkedResponse, ErrorBody> {
    let wanted = Wanted::new(request.enrich)?;
    let mut paging = Paging::new(request, 20, MAX_RESULTS)?;
    let (results, page) = paging.list(results.into_iter(), |(chunk, symbol, way)| {
        result(reader, chunk, Some(symbol), way, &wanted)
    });
    let named = symbols.iter().take(MAX_RELATED);
    Ok(LinkedResponse {
        symbols: named.map(|symbol| symbol_ref(reader, *symbol)).collect(),
        results,
        page,
    })
}

/// Depth and relation by which a result was found.
#[derive(Clone, Copy)]
struct Way {
    reason: Reason,
    confidence: u8,
    depth: u32,
    line: Option<u32>,
}

impl Way {
    fn own(reason: Reason, confidence: u8) -> Self {
        Way {
            reason,
            confidence,
            depth: 0,
            line: None,
        }
    }
}

/// The enrichment with its defaults.
struct Wanted {
    details: bool,
    graph: Option<u32>,
    snippet: Option<usize>,
}

impl Wanted {
    fn new(enrich: Enrichment) -> Result<Self, Error> {
        let depth = enrich.graph_depth.unwrap_or(2);
        let most = enrich.max_snippet.unwrap_or(500);
        let refuse = |what: &str| Err(Error::new(ErrorKind::QueryInvalid, what));
        if !(1..=5).contains(&depth) {
            return refuse("enrich.graph_depth can be 1 to 5");
        }
        if !(40..=100_000).contains(&most) {
            return refuse("enrich.max_snippet can be 40 to 100000");
        }
        Ok(Wanted {
            details: enrich.details.unwrap_or(true),
            graph: enrich.graph.unwrap_or(true).then_some(depth),
            snippet: enrich.snippet.unwrap_or(true).then_some(most as usize),
        })
    }
}

fn result(
    reader: &Reader,
    chunk: ChunkId,
    symbol: Option<NodeId>,
    way: Way,
    wanted: &Wanted,
) -> LinkedResult {
    let graph = reader.graph();
    let meta = reader.chunk(chunk);
    let node = symbol.map(|symbol| graph.node(symbol));
    let related = |direction: Direction| -> Vec<SymbolRef> {
        let (Some(depth), Some(symbol)) = (wanted.graph, symbol) else {
            return Vec::new();
        };
        let calls = reader.calls_of(symbol, direction, depth, MAX_RELATED);
        calls
            .iter()
            .map(|call| symbol_ref(reader, call.node))
            .collect()
    };
    // A chunk may hold several definitions: the code begins with the one that the result is about.
    let text = meta.map_or("", |meta| {
        let own = node.filter(|node| node.file == Some(meta.file) && node.kind == NodeKind::Symbol);
        let start = own.map_or(meta.start, |node| {
            reader.line_at(meta.file, node.span.start).0
        });
        reader.piece(meta.file, start.min(meta.end).max(meta.start), meta.end)
    });
    let (snippet, snippet_cut) = match wanted.snippet.filter(|_| !text.is_empty()) {
        Some(most) => {
            let (snippet, is_cut) = cut(text, most);
            (Some(snippet.to_owned()), is_cut)
        }
        None => (None, false),
    };
    let told = |text: &str| (wanted.details && !text.is_empty()).then(|| text.to_owned());
    LinkedResult {
        chunk: chunk.0,
        path: meta.map_or("", |meta| reader.path(meta.file)).to_owned(),
        language: meta
            .map_or("", |meta| reader.language_name(meta.file))
            .to_owned(),
        start_line: meta.map_or(0, |meta| meta.start_line.saturating_add(1)),
        end_line: meta.map_or(0, |meta| meta.end_line.saturating_add(1)),
        symbol: symbol.map(|symbol| symbol_ref(reader, symbol)),
        reason: way.reason.name().to_owned(),
        confidence: share(way.confidence),
        depth: way.depth,
        call_line: way.line.map(|line| line.saturating_add(1)),
        signature: node
            .filter(|node| node.kind == NodeKind::Symbol)
            .and_then(|node| told(node.signature)),
        doc: node.and_then(|node| told(node.doc)),
        callers: related(Direction::In),
        callees: related(Direction::Out),
        snippet,
        snippet_cut,
    }
}

/// At most `most` characters, to the end of a line if one ends in the second half of them.
fn cut(text: &str, most: usize) -> (&str, bool) {
    let text = text.trim_end();
    let Some((end, _)) = text.char_indices().nth(most) else {
        return (text, false);
    };
    let head = &text[..end];
    match head.rfind('\n').filter(|at| *at >= end / 2) {
        Some(at) => (&head[..at], true),
        None => (head, true),
    }
}
