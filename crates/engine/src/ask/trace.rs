//! How one symbol leads to another: the surest short ways through calls, nested functions, callbacks and implementations.
//!
//! A function that defines another is taken to lead to it, since closures run where they were made or handed on; calling a type
//! leads to its constructors; naming a
//! function without calling it leads to it as well, at a higher price. The price of a step is its length plus its doubt, and a
//! second way is looked for with the steps of the first made dearer, so that ways differ.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use graph::{Edge, EdgeKind, NodeId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::ask::candidates::Chosen;
use crate::order::InOrder;
use crate::{Error, ErrorKind, Reader};

/// How many steps a way may have.
pub const MAX_TRACE_DEPTH: u32 = 100;
/// How many ways can be asked for.
pub const MAX_TRACE_PATHS: usize = 20;
/// Relations that are followed before no further way is looked for: a search looks at each of an index of a million lines once or twice.
const MAX_LOOKS: usize = 50_000_000;
/// What it costs to take a step again that another way took.
const REUSE: u64 = 300;

/// Which steps are taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TraceConfig {
    /// Most steps of a way, from 1 to [`MAX_TRACE_DEPTH`].
    pub max_depth: u32,
    /// Most ways, from 1 to [`MAX_TRACE_PATHS`].
    pub max_paths: usize,
    /// Relations below this percentage are not followed.
    pub min_confidence: u8,
    /// Relations that are followed; `DEFINES` only from one function to another in it.
    pub kinds: Vec<EdgeKind>,
    /// Whether ways may lead through test code that is at neither end.
    pub tests: bool,
}

/// Relations that a trace follows, if nothing else is asked for.
pub const TRACE_KINDS: [EdgeKind; 4] = [
    EdgeKind::Calls,
    EdgeKind::Dispatch,
    EdgeKind::Defines,
    EdgeKind::References,
];

/// Which end the ways start from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TraceDirection {
    /// As asked.
    Forward,
    /// There is no way as asked, but there is one back.
    Backward,
    /// There is none.
    None,
}

/// The ways from one symbol to another.
#[derive(Debug, Clone, PartialEq)]
pub struct Trace {
    /// Where they were to start.
    pub from: Chosen,
    /// Where they were to end.
    pub to: Chosen,
    /// Which end they start from.
    pub direction: TraceDirection,
    /// Each at least one step; the surest short one first.
    pub paths: Vec<Vec<Edge>>,
}

impl Reader {
    /// The ways from the symbols that one selector stands for to those of another. A type stands for what is defined in it,
    /// too. Each way costs one walk over what can be reached; where walks are long, fewer are looked for than asked.
    ///
    /// # Errors
    ///
    /// As [`Reader::select`]; `query.invalid` for bounds that are none.
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
        Ok(Trace {
            from,
            to,
            direction,
            paths,
        })
    }

    /// All that an end stands for.
    fn ends(&self, chosen: &Chosen) -> Vec<NodeId> {
        let members = chosen.candidates.iter().flat_map(|symbol| {
            if self.graph().node(*symbol).is_function() {
                vec![*symbol]
            } else {
                self.with_members(*symbol)
            }
        });
        let mut all: Vec<NodeId> = members.collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    fn ways(&self, starts: &[NodeId], ends: &[NodeId], config: &TraceConfig) -> Vec<Vec<Edge>> {
        let starts: FxHashSet<NodeId> = starts.iter().copied().collect();
        let ends: FxHashSet<NodeId> = ends.iter().copied().collect();
        let mut taken: FxHashMap<(NodeId, NodeId), u64> = FxHashMap::default();
        let mut ways: Vec<Vec<Edge>> = Vec::new();
        let mut n_looks = 0;
        // A dearer way may be one that is known; a few more tries than ways are asked for are enough.
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

    /// The cheapest way (Dijkstra's algorithm).
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
        sorted.sort_unstable();
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

    fn is_step(&self, edge: &Edge, ends: &FxHashSet<NodeId>, config: &TraceConfig) -> bool {
        let is_nested = || {
            let graph = self.graph();
            graph.node(edge.source).is_function() && graph.node(edge.target).is_function()
        };
        config.kinds.contains(&edge.kind)
            && edge.confidence >= config.min_confidence
            && (edge.kind != EdgeKind::Defines || is_nested())
            && (config.tests || ends.contains(&edge.target) || !self.is_test(edge.target))
    }
}

/// Hundredths of a step, and its doubt.
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
