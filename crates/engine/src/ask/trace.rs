//! Traces how one symbol leads to another: the shortest and most certain paths through calls, nested functions,
//! callbacks and implementations.
//!
//! A function leads to the functions defined in it, since closures run where they were created or passed on. Calling a
//! type leads to its constructors. Naming a function without calling it leads to it as well, at a higher cost. The cost
//! of a step is its length plus its doubt (100 minus its confidence). Each further path is searched with the steps of
//! the earlier ones made more expensive, so that paths differ.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use graph::{Edge, EdgeKind, NodeId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::ask::candidates::Chosen;
use crate::ask::gap::TraceGap;
use crate::{Error, ErrorKind, Reader};
use syntax::order::InOrder;

/// Maximum number of steps of a path.
pub const MAX_TRACE_DEPTH: u32 = 100;
/// Maximum number of paths of a trace.
pub const MAX_TRACE_PATHS: usize = 20;
/// Maximum number of relations followed before the search for further paths stops. One search follows each relation of
/// an index of a million lines once or twice.
const MAX_LOOKS: usize = 50_000_000;
/// Extra cost of a step that another path took already.
const REUSE: u64 = 300;

/// Which steps a trace takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TraceConfig {
    /// Maximum number of steps of a path, from 1 to [`MAX_TRACE_DEPTH`].
    pub max_depth: u32,
    /// Maximum number of paths, from 1 to [`MAX_TRACE_PATHS`].
    pub max_paths: usize,
    /// Minimum confidence in percent: relations below it are not followed.
    pub min_confidence: u8,
    /// Kinds of relations to follow; `DEFINES` only from a function to a function defined in it.
    pub kinds: Vec<EdgeKind>,
    /// Whether paths may lead through test code that is at neither end.
    pub tests: bool,
}

/// Kinds of relations that a trace follows by default.
pub const TRACE_KINDS: [EdgeKind; 4] = [
    EdgeKind::Calls,
    EdgeKind::Dispatch,
    EdgeKind::Defines,
    EdgeKind::References,
];

/// Direction of the paths between two symbols.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TraceDirection {
    /// Forward: from the requested start to the requested end.
    Forward,
    /// Backward: no path leads forward, but one leads from the requested end to the requested start.
    Backward,
    /// None: no path leads either way.
    None,
}

/// The paths from one symbol to another.
#[derive(Debug, Clone, PartialEq)]
pub struct Trace {
    /// Requested start.
    pub from: Chosen,
    /// Requested end.
    pub to: Chosen,
    /// Direction of the paths.
    pub direction: TraceDirection,
    /// Paths of at least one step each, the cheapest first.
    pub paths: Vec<Vec<Edge>>,
    /// The gap between the two where there is no path forward.
    pub gap: Option<TraceGap>,
}

impl Reader {
    /// Finds paths from the symbols that one selector matches to those that another one matches. A type includes the
    /// definitions in it. Each path costs one walk over everything within reach; where walks are long, fewer paths are
    /// searched than requested.
    ///
    /// # Errors
    ///
    /// As [`Reader::select`]; `query.invalid` for bounds out of range.
    pub fn trace(&self, from: &str, to: &str, config: &TraceConfig) -> Result<Trace, Error> {
        if !(1..=MAX_TRACE_DEPTH).contains(&config.max_depth)
            || !(1..=MAX_TRACE_PATHS).contains(&config.max_paths)
        {
            let message = format!(
                "a trace has 1 to {MAX_TRACE_DEPTH} steps and 1 to {MAX_TRACE_PATHS} paths, not {} and {}",
                config.max_depth, config.max_paths
            );
            return Err(Error::new(ErrorKind::QueryInvalid, message));
        }
        let (from, to) = (self.choose(from)?, self.choose(to)?);
        let (starts, ends) = (self.ends(&from), self.ends(&to));
        let mut direction = TraceDirection::Forward;
        let mut paths = self.ways(&starts, &ends, config);
        if paths.is_empty() {
            direction = TraceDirection::Backward;
            paths = self.ways(&ends, &starts, config);
        }
        if paths.is_empty() {
            direction = TraceDirection::None;
        }
        let is_forward = direction == TraceDirection::Forward;
        Ok(Trace {
            gap: (!is_forward).then(|| self.gap(&starts, &ends, config)),
            from,
            to,
            direction,
            paths,
        })
    }

    /// All nodes that an end includes: a function itself, anything else with its members.
    fn ends(&self, chosen: &Chosen) -> Vec<NodeId> {
        let members = chosen.candidates.iter().flat_map(|symbol| {
            if self.graph().node(*symbol).is_function() {
                vec![*symbol]
            } else {
                self.with_members(*symbol)
            }
        });
        let mut all: Vec<NodeId> = members.collect();
        all.order_by(Ord::cmp);
        all.dedup();
        all
    }

    fn ways(&self, starts: &[NodeId], ends: &[NodeId], config: &TraceConfig) -> Vec<Vec<Edge>> {
        let starts: FxHashSet<NodeId> = starts.iter().copied().collect();
        let ends: FxHashSet<NodeId> = ends.iter().copied().collect();
        let mut taken: FxHashMap<(NodeId, NodeId), u64> = FxHashMap::default();
        let mut ways: Vec<Vec<Edge>> = Vec::new();
        let mut n_looks = 0;
        // A search may find a known path again; twice as many searches as requested paths are enough.
        for _ in 0..config.max_paths.saturating_mul(2) {
            let Some(way) = self.way(&starts, &ends, &taken, config, &mut n_looks) else {
                break;
            };
            for edge in &way {
                *taken.entry((edge.source, edge.target)).or_default() += REUSE;
            }
            if !ways.contains(&way) {
                ways.push(way);
            }
            if ways.len() >= config.max_paths || n_looks > MAX_LOOKS {
                break;
            }
        }
        ways.order_by_key(|way| way.iter().map(price).sum::<u64>());
        ways
    }

    /// Finds the cheapest path (Dijkstra's algorithm).
    fn way(
        &self,
        starts: &FxHashSet<NodeId>,
        ends: &FxHashSet<NodeId>,
        taken: &FxHashMap<(NodeId, NodeId), u64>,
        config: &TraceConfig,
        n_looks: &mut usize,
    ) -> Option<Vec<Edge>> {
        let mut best: FxHashMap<NodeId, (u64, Option<Edge>)> = FxHashMap::default();
        let mut sorted: Vec<NodeId> = starts.iter().copied().collect();
        sorted.order_by(Ord::cmp);
        let mut queue: BinaryHeap<Reverse<(u64, u32, NodeId)>> = BinaryHeap::new();
        for start in sorted {
            best.insert(start, (0, None));
            queue.push(Reverse((0, 0, start)));
        }
        while let Some(Reverse((cost, n_steps, node))) = queue.pop() {
            if best.get(&node).is_some_and(|(known, _)| *known < cost) {
                continue;
            }
            if ends.contains(&node) && !starts.contains(&node) {
                return Some(path_to(node, &best));
            }
            if n_steps >= config.max_depth {
                continue;
            }
            let steps = (self.graph().out(node)).filter(|edge| self.is_step(edge, ends, config));
            for edge in steps.chain(self.constructors_of(node)) {
                *n_looks += 1;
                let again = taken.get(&(edge.source, edge.target)).copied().unwrap_or(0);
                let next = cost + price(&edge) + again;
                if best
                    .get(&edge.target)
                    .is_none_or(|(known, _)| next < *known)
                {
                    best.insert(edge.target, (next, Some(edge)));
                    queue.push(Reverse((next, n_steps + 1, edge.target)));
                }
            }
        }
        None
    }

    pub(crate) fn is_step(
        &self,
        edge: &Edge,
        ends: &FxHashSet<NodeId>,
        config: &TraceConfig,
    ) -> bool {
        config.kinds.contains(&edge.kind)
            && edge.confidence >= config.min_confidence
            && (edge.kind != EdgeKind::Defines || self.is_nesting(edge))
            && (config.tests || ends.contains(&edge.target) || !self.is_test(edge.target))
    }
}

/// Cost of a step, in hundredths: its length plus its doubt.
fn price(edge: &Edge) -> u64 {
    let length = match edge.kind {
        EdgeKind::Dispatch | EdgeKind::HasMethod => 50,
        EdgeKind::References => 200,
        EdgeKind::Defines => 120,
        _ => 100,
    };
    length + u64::from(100_u8.saturating_sub(edge.confidence))
}

/// The edges that lead to a node, first to last.
fn path_to(end: NodeId, best: &FxHashMap<NodeId, (u64, Option<Edge>)>) -> Vec<Edge> {
    let mut edges = Vec::new();
    let mut current = end;
    while let Some((_, Some(edge))) = best.get(&current) {
        edges.push(*edge);
        current = edge.source;
        if edges.len() > MAX_TRACE_DEPTH as usize {
            break;
        }
    }
    edges.reverse();
    edges
}
