//! Paths from one symbol to another.

use engine::{Edge, Reader, TRACE_KINDS, TraceConfig};

use super::budget::{Budget, DEFAULT_BYTES};
use super::context::candidates;
use super::impact::edge_kinds;
use super::{percent, share, symbol_ref};
use crate::{ErrorBody, TraceDirection, TracePath, TraceRequest, TraceResponse, TraceStep};

/// The ways from one symbol to another.
///
/// # Errors
///
/// `query.empty`, `query.invalid`, `symbol.not-found`, `file.not-found`.
pub fn trace(reader: &Reader, request: &TraceRequest) -> Result<TraceResponse, ErrorBody> {
    let config = TraceConfig {
        max_depth: request.max_depth.unwrap_or(20),
        max_paths: request.limit.unwrap_or(3) as usize,
        min_confidence: percent(request.min_confidence)?,
        kinds: edge_kinds(&request.kinds, &TRACE_KINDS)?,
        tests: request.tests,
    };
    let mut budget = Budget::new(None, DEFAULT_BYTES)?;
    let found = reader.trace(&request.from, &request.to, &config)?;
    let (from_status, from_candidates) = candidates(reader, &found.from, &mut budget);
    let (to_status, to_candidates) = candidates(reader, &found.to, &mut budget);
    Ok(TraceResponse {
        from_status,
        from: symbol_ref(reader, found.from.symbol),
        from_candidates,
        to_status,
        to: symbol_ref(reader, found.to.symbol),
        to_candidates,
        direction: match found.direction {
            engine::TraceDirection::Forward => TraceDirection::Forward,
            engine::TraceDirection::Backward => TraceDirection::Backward,
            engine::TraceDirection::None => TraceDirection::None,
        },
        paths: found
            .paths
            .iter()
            .map(|edges| path(reader, edges))
            .collect(),
    })
}

fn path(reader: &Reader, edges: &[Edge]) -> TracePath {
    let certainty: f32 = edges.iter().map(|edge| share(edge.confidence)).product();
    TracePath {
        steps: edges.iter().map(|edge| step(reader, edge)).collect(),
        certainty: (certainty * 1000.0).round() / 1000.0,
    }
}

fn step(reader: &Reader, edge: &Edge) -> TraceStep {
    TraceStep {
        from: symbol_ref(reader, edge.source),
        to: symbol_ref(reader, edge.target),
        relation: edge.kind.name().to_owned(),
        use_line: edge.line.saturating_add(1),
        confidence: share(edge.confidence),
        reason: edge.reason.name().to_owned(),
    }
}
