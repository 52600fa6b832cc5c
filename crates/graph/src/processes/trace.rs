//! Traces calls from an entry point: to each end the path that tells most, cycles cut where they close.

use std::collections::VecDeque;
use syntax::order::InOrder;

use rustc_hash::FxHashMap;

use super::MIN_STEPS;
use super::calls::{Calls, MAX_STEPS};
use super::weights::{Help, Weights};

/// Maximum number of nodes that are visited from one entry point.
const MAX_NODES: usize = 256;
/// Maximum number of ends whose paths are looked at.
const MAX_ENDS: usize = 48;
/// How often the points of the end count more than those of another step.
const END: u32 = 4;
/// Added to the number of steps by which the points of a path are divided: a long path needs telling steps.
const LENGTH: u32 = 2;
/// Up to this number of callers an end has all of its points, and half of them with as many more as `SHARED`.
const FEW_CALLERS: u32 = 3;
const SHARED: u32 = 3;
/// Hundreds by which the share of an end in what its caller does is multiplied: from a third on it is the caller's main part.
const MAIN_PART: u32 = 300;
/// Points that an end loses with each step beyond the fewest, in percent.
const FURTHER: u32 = 15;
/// Share of the points of the most telling step before it, in percent, that an end must have: behind the peak of a path are its details.
const SHARE_OF_PEAK: u32 = 90;
/// Share of the points of the most telling function that is reached, in percent, that an end must have.
const SHARE_OF_MOST: u32 = 50;
/// Number by which the points of an end behind a constructor are divided.
const BUILT: u32 = 4;
/// Share of the points of the best path, in percent, that another path must have: one that tells much less is a detour.
const SHARE_OF_BEST: u32 = 60;

/// The best path to each node.
struct Ways {
    points: Vec<u32>,
    /// Number of its steps.
    length: Vec<u32>,
    /// The node before.
    before: Vec<Option<u32>>,
    /// Points of the most telling step between the entry point and the node.
    peak: Vec<u32>,
    /// Whether a constructor is between them.
    is_built: Vec<bool>,
}

/// How the paths from an entry point are measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tracing {
    /// A program's main may be its largest function, and has a flow even if it only leads to helpers.
    Program,
    /// Any other entry point does a part of the work itself: what tells much less is its detail.
    Part,
}

/// Traces flows; keeps its memory from one entry point to the next.
pub(super) struct Tracer<'a> {
    calls: &'a Calls<'a>,
    weights: &'a Weights,
    /// Index of each node among those of this entry point.
    place: FxHashMap<u32, u32>,
    nodes: Vec<u32>,
}

impl<'a> Tracer<'a> {
    pub fn new(calls: &'a Calls<'a>, weights: &'a Weights) -> Self {
        Tracer {
            calls,
            weights,
            place: FxHashMap::default(),
            nodes: Vec::new(),
        }
    }

    /// The paths from an entry point to telling ends, the most telling first, with their points. An end that tells less
    /// than half of the mean of its path, or much less than a step before it, is a detail. Where all are details, one of them
    /// is taken if the entry point `needs_flow`, for half of the points: it may do many things of equal weight.
    pub fn flows_from(
        &mut self,
        entry: u32,
        tracing: Tracing,
        needs_flow: bool,
    ) -> Vec<(u32, Vec<u32>)> {
        self.collect(entry);
        let order = self.topological_order();
        let ways = self.best_ways(&order, tracing);
        let mut ends = self.ends(&ways, tracing, false);
        if ends.is_empty() && needs_flow {
            ends = self.ends(&ways, tracing, true);
            ends.truncate(1);
            for (points, _) in &mut ends {
                *points /= 2;
            }
        }
        let way = |(points, end)| (points, self.way_to(end, &ways.before));
        ends.into_iter().map(way).collect()
    }

    /// Where the paths end, with their points, the most telling first.
    fn ends(&self, ways: &Ways, tracing: Tracing, is_lenient: bool) -> Vec<(u32, u32)> {
        let around = self.nodes.iter().skip(1);
        let most = around.map(|node| self.weights.points[*node as usize]).max();
        let least = most.unwrap_or(0) * SHARE_OF_MOST;
        let mut ends: Vec<(u32, u32)> = Vec::new();
        for place in 1..self.nodes.len() {
            let node = self.nodes[place] as usize;
            let (sum, length) = (ways.points[place], ways.length[place]);
            let caller = ways.before[place].filter(|_| !is_lenient);
            let own = self.end_points(node, length, caller.map(|at| self.nodes[at as usize]));
            // The preparations of a constructor are seldom the purpose of its caller.
            let own = if ways.is_built[place] {
                own / BUILT
            } else {
                own
            };
            let is_end = length as usize >= MIN_STEPS && !self.weights.is_trivial[node];
            let is_peak = own * 100 >= ways.peak[place] * SHARE_OF_PEAK;
            let is_telling = is_lenient || self.weights.points[node] * 100 >= least;
            if is_end && is_peak && is_telling && own * 2 * (length - 1) >= sum {
                ends.push((10 * (sum + END * own) / (LENGTH + length), place as u32));
            }
        }
        let help =
            |(_, place): &(u32, u32)| self.weights.help[self.nodes[*place as usize] as usize];
        if tracing == Tracing::Part {
            ends.retain(|end| help(end) != Help::Serves);
        }
        if ends.iter().any(|end| help(end) == Help::None) {
            ends.retain(|end| help(end) == Help::None);
        }
        ends.order_by_key(|(points, place)| (std::cmp::Reverse(*points), *place));
        ends.truncate(MAX_ENDS);
        let best = ends.first().map_or(0, |(points, _)| *points);
        ends.retain(|(points, _)| points * 100 >= best * SHARE_OF_BEST);
        ends
    }

    /// How much a node tells as the end of a path of this length. One that several functions share is for none of them in particular,
    /// and what is far from the start is for its neighbours rather than for the start. One of many
    /// parts of its caller, where that is given, is a detail of it.
    fn end_points(&self, node: usize, length: u32, caller: Option<u32>) -> u32 {
        let n_others = self.weights.n_callers[node].saturating_sub(FEW_CALLERS);
        let own = self.weights.points[node] * SHARED / (SHARED + n_others);
        let further = length.saturating_sub(MIN_STEPS as u32);
        let own = own - own * further * FURTHER / 100;
        let Some(caller) = caller.filter(|_| !self.weights.acts[node]) else {
            return own;
        };
        let parts = self.calls.parts[caller as usize];
        let share = self.weights.points[node] * MAIN_PART / parts.max(1);
        own * share.min(100) / 100
    }

    /// Collects the reachable nodes, breadth first.
    fn collect(&mut self, entry: u32) {
        self.place.clear();
        self.nodes.clear();
        self.place.insert(entry, 0);
        self.nodes.push(entry);
        let mut queue = VecDeque::from([(entry, 1)]);
        while let Some((node, depth)) = queue.pop_front() {
            for next in self.calls.next(node) {
                let is_full = depth >= MAX_STEPS || self.nodes.len() >= MAX_NODES;
                if is_full || self.place.contains_key(&next) {
                    continue;
                }
                self.place.insert(next, self.nodes.len() as u32);
                self.nodes.push(next);
                queue.push_back((next, depth + 1));
            }
        }
    }

    fn next(&self, place: u32) -> impl DoubleEndedIterator<Item = u32> + '_ {
        self.calls
            .next(self.nodes[place as usize])
            .filter_map(|node| self.place.get(&node).copied())
    }

    /// Nodes by depth-first search, each before those that it calls, except calls that close a cycle.
    fn topological_order(&self) -> Vec<u32> {
        let mut is_seen = vec![false; self.nodes.len()];
        let mut order = Vec::with_capacity(self.nodes.len());
        let mut open = vec![(0u32, false)];
        while let Some((place, is_done)) = open.pop() {
            if is_done {
                order.push(place);
                continue;
            }
            if std::mem::replace(&mut is_seen[place as usize], true) {
                continue;
            }
            open.push((place, true));
            open.extend(self.next(place).rev().map(|next| (next, false)));
        }
        order.reverse();
        order
    }

    /// The best path of at most [`MAX_STEPS`] to each node.
    fn best_ways(&self, order: &[u32], tracing: Tracing) -> Ways {
        let mut rank = vec![0; self.nodes.len()];
        for (index, place) in order.iter().enumerate() {
            rank[*place as usize] = index;
        }
        let mut ways = Ways {
            points: vec![0; self.nodes.len()],
            length: vec![1; self.nodes.len()],
            before: vec![None; self.nodes.len()],
            peak: vec![0; self.nodes.len()],
            is_built: vec![false; self.nodes.len()],
        };
        for &place in order {
            let at = place as usize;
            if ways.length[at] >= MAX_STEPS as u32 {
                continue;
            }
            let node = self.nodes[at];
            let own = self.weights.points[node as usize];
            let own = match tracing {
                _ if place > 0 => own,
                Tracing::Part => own / 2,
                Tracing::Program => 0,
            };
            let peak = ways.peak[at].max(own);
            let is_type = at > 0 && self.weights.points[node as usize] == 0;
            let is_built = ways.is_built[at] || is_type;
            for next in self.next(place) {
                let to = self.nodes[next as usize];
                let gain = self.weights.points[to as usize] + self.calls.crossing(node, to);
                let sum = ways.points[at] + gain;
                let is_forward = rank[next as usize] > rank[at];
                let next = next as usize;
                let is_first = ways.before[next].is_none() && next != 0;
                if is_forward && (is_first || sum > ways.points[next]) {
                    ways.points[next] = sum;
                    ways.length[next] = ways.length[at] + 1;
                    ways.before[next] = Some(place);
                    ways.peak[next] = peak;
                    ways.is_built[next] = is_built;
                }
            }
        }
        ways
    }

    /// The path to a node.
    fn way_to(&self, end: u32, before: &[Option<u32>]) -> Vec<u32> {
        let mut way = vec![self.nodes[end as usize]];
        let mut place = end;
        while let Some(previous) = before[place as usize] {
            way.push(self.nodes[previous as usize]);
            place = previous;
        }
        way.reverse();
        way
    }
}
