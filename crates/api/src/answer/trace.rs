//! Paths from one symbol to another.

use engine::{Edge, Reach, Reader, TRACE_KINDS, Trace, TraceConfig};

use super::budget::{Budget, DEFAULT_BYTES};
use super::context::candidates;
use super::impact::edge_kinds;
use super::{percent, share, symbol_ref};
use crate::{
    ErrorBody, TraceDirection, TraceGap, TracePath, TraceReach, TraceRequest, TraceResponse,
    TraceStep,
};

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
        gap: found.gap.as_ref().map(|gap| TraceGap {
            forward: reach(reader, &gap.forward),
            backward: reach(reader, &gap.backward),
            missing: missing(reader, &found, gap, &config),
            across: gap.across.as_ref().map(|edge| step(reader, edge)),
        }),
    })
}

fn reach(reader: &Reader, reach: &Reach) -> TraceReach {
    TraceReach {
        n_reached: reach.n_reached as u32,
        depth: reach.depth,
        last: reach
            .last
            .iter()
            .map(|id| symbol_ref(reader, *id))
            .collect(),
    }
}

/// The sentence that says which step is missing.
fn missing(reader: &Reader, trace: &Trace, gap: &engine::TraceGap, config: &TraceConfig) -> String {
    let name = |node| reader.graph().qualified_name(node);
    let (from, to) = (name(trace.from.symbol), name(trace.to.symbol));
    if let Some(edge) = &gap.across {
        let (source, target) = (name(edge.source), name(edge.target));
        let kind = edge.kind.name();
        return if edge.confidence < config.min_confidence {
            format!("{source} {kind} {target} is less certain than min_confidence")
        } else if config.kinds.contains(&edge.kind) {
            format!("{source} {kind} {target} leads through test code: `tests` allows it")
        } else {
            format!(
                "{source} {kind} {target} is of a kind that was not followed: name it in `kinds`"
            )
        };
    }
    match (gap.forward.n_reached, gap.backward.n_reached) {
        (0, 0) => format!("{from} calls nothing that is known here, and nothing known calls {to}"),
        (0, _) => format!("{from} calls nothing that is known here"),
        (_, 0) => format!("nothing that is known here calls {to} or passes it on"),
        _ => "no relation leads from the one to the other: a call through a value, an event, a registry or code outside of the index"
            .to_owned(),
    }
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
