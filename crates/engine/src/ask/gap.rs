//! Says why no path leads from one symbol to another: how far the search came from both ends, and which relation is missing between them.

use std::collections::VecDeque;

use graph::{Direction, Edge, EdgeKind, NodeId};
use rustc_hash::FxHashMap;

use crate::ask::trace::TraceConfig;
use crate::{Reader, TRACE_KINDS};
use syntax::order::InOrder;

/// Maximum number of symbols named at the end of a search.
const MAX_LAST: usize = 5;

/// The gap between two symbols without a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TraceGap {
    /// The symbols that the start leads to.
    pub forward: Reach,
    /// The symbols that lead to the end.
    pub backward: Reach,
    /// A relation from the one to the other that the trace does not follow: of another kind, or less certain than asked.
    pub across: Option<Edge>,
}

/// How far a search came from one end.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reach {
    /// Number of symbols reached, without those that it began with.
    pub n_reached: usize,
    /// Steps to the farthest of them.
    pub depth: u32,
    /// Some of the farthest, the most central first.
    pub last: Vec<NodeId>,
}

impl Reader {
    /// Explores from both ends of a trace that found nothing. Linear in the relations of all that is reached.
    pub(crate) fn gap(&self, starts: &[NodeId], ends: &[NodeId], config: &TraceConfig) -> TraceGap {
        let from = self.explored(starts, Direction::Out, config);
        let to = self.explored(ends, Direction::In, config);
        let mut across: Vec<Edge> = (from.keys())
            .flat_map(|node| self.graph().out(*node))
            .filter(|edge| to.contains_key(&edge.target) && !from.contains_key(&edge.target))
            .filter(|edge| edge.kind != EdgeKind::MemberOf && self.is_left_out(edge, config))
            .collect();
        // A kind that traces usually follow was left out by the request: that is the likeliest.
        across.order_by_key(|edge| {
            let is_usual = TRACE_KINDS.contains(&edge.kind);
            (
                !is_usual,
                u8::MAX - edge.confidence,
                edge.source,
                edge.target,
            )
        });
        TraceGap {
            forward: self.reach(&from),
            backward: self.reach(&to),
            across: across.first().copied(),
        }
    }

    /// Whether the request leaves a relation out: its kind, its confidence, or test code.
    fn is_left_out(&self, edge: &Edge, config: &TraceConfig) -> bool {
        !config.kinds.contains(&edge.kind)
            || edge.confidence < config.min_confidence
            || !config.tests && self.is_test(edge.target)
    }

    /// The steps to everything within reach.
    fn explored(
        &self,
        starts: &[NodeId],
        direction: Direction,
        config: &TraceConfig,
    ) -> FxHashMap<NodeId, u32> {
        let graph = self.graph();
        let mut depths: FxHashMap<NodeId, u32> = starts.iter().map(|node| (*node, 0)).collect();
        let mut queue: VecDeque<NodeId> = starts.iter().copied().collect();
        let none = rustc_hash::FxHashSet::default();
        while let Some(node) = queue.pop_front() {
            let depth = depths.get(&node).copied().unwrap_or(0);
            if depth >= config.max_depth {
                continue;
            }
            let edges: Vec<Edge> = match direction {
                Direction::Out => (graph.out(node).filter(|e| self.is_step(e, &none, config)))
                    .chain(self.constructors_of(node))
                    .collect(),
                Direction::In => (graph.in_(node).filter(|e| self.is_step(e, &none, config)))
                    .chain(self.constructed_by(node))
                    .collect(),
            };
            for edge in edges {
                let next = match direction {
                    Direction::Out => edge.target,
                    Direction::In => edge.source,
                };
                depths.entry(next).or_insert_with(|| {
                    queue.push_back(next);
                    depth + 1
                });
            }
        }
        depths
    }

    fn reach(&self, depths: &FxHashMap<NodeId, u32>) -> Reach {
        let depth = depths.values().copied().max().unwrap_or(0);
        let mut last: Vec<NodeId> = (depths.iter())
            .filter(|(_, at)| **at == depth && depth > 0)
            .map(|(node, _)| *node)
            .collect();
        last.order_by(Ord::cmp);
        self.sort_by_likelihood(&mut last);
        last.truncate(MAX_LAST);
        Reach {
            n_reached: depths.values().filter(|at| **at > 0).count(),
            depth,
            last,
        }
    }
}
