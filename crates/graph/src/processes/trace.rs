//! Traces calls from an entry point to their ends: the longest path to each end, cycles cut where they close.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use super::calls::{Calls, MAX_STEPS};

/// Maximum number of nodes that are visited from one entry point.
const MAX_NODES: usize = 256;

/// Traces flows; keeps its memory from one entry point to the next.
pub(super) struct Tracer<'a> {
    calls: &'a Calls,
    /// Index of each node among those of this entry point.
    place: FxHashMap<u32, u32>,
    nodes: Vec<u32>,
}

impl<'a> Tracer<'a> {
    pub fn new(calls: &'a Calls) -> Self {
        Tracer {
            calls,
            place: FxHashMap::default(),
            nodes: Vec::new(),
        }
    }

    /// The flows from an entry point, the longest first; one for each end.
    pub fn flows_from(&mut self, entry: u32) -> Vec<Vec<u32>> {
        self.collect(entry);
        let order = self.topological_order();
        let (length, before) = self.longest_ways(&order);
        let mut ends: Vec<(usize, u32)> = Vec::new();
        for place in 1..self.nodes.len() as u32 {
            let mut ahead = self.next(place);
            // An end calls nothing, or only nodes of the path that leads to it.
            if !ahead.any(|other| before[other as usize] == Some(place)) {
                ends.push((length[place as usize], place));
            }
        }
        ends.sort_by_key(|(length, place)| (std::cmp::Reverse(*length), *place));
        let mut flows: Vec<Vec<u32>> = Vec::new();
        for (_, end) in ends {
            let flow = self.way_to(end, &before);
            if !flows.contains(&flow) {
                flows.push(flow);
            }
        }
        flows
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

    /// Number of steps of the longest path to each node, and the node before it on that path.
    fn longest_ways(&self, order: &[u32]) -> (Vec<usize>, Vec<Option<u32>>) {
        let mut rank = vec![0; self.nodes.len()];
        for (index, place) in order.iter().enumerate() {
            rank[*place as usize] = index;
        }
        let mut length = vec![1usize; self.nodes.len()];
        let mut before = vec![None; self.nodes.len()];
        for &place in order {
            for next in self.next(place) {
                let is_forward = rank[next as usize] > rank[place as usize];
                if is_forward && length[place as usize] + 1 > length[next as usize] {
                    length[next as usize] = length[place as usize] + 1;
                    before[next as usize] = Some(place);
                }
            }
        }
        (length, before)
    }

    /// The first [`MAX_STEPS`] nodes of the path to a node.
    fn way_to(&self, end: u32, before: &[Option<u32>]) -> Vec<u32> {
        let mut way = vec![self.nodes[end as usize]];
        let mut place = end;
        while let Some(previous) = before[place as usize] {
            way.push(self.nodes[previous as usize]);
            place = previous;
        }
        way.reverse();
        way.truncate(MAX_STEPS);
        way
    }
}
