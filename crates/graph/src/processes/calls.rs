//! The calls that flows follow: of each function those that lead to the most telling code.

use std::cmp::Reverse;

use syntax::facts::SymbolKind;

use super::words::{is_double, is_failure, is_predicate};
use crate::frozen::{Edges, NONE};
use crate::kinds::EdgeKind;
use crate::layout::Layout;

/// Maximum number of callees of one function that are followed: those that lead to the most telling code.
pub(super) const MAX_BRANCHES: usize = 4;
/// Maximum number of steps of a flow, and of the look-ahead.
pub(super) const MAX_STEPS: usize = 6;
/// Potentials are in hundredths of a point: their shares are taken in whole numbers.
const SCALE: u32 = 100;
/// Minimum confidence of a call, in percent: calls that are guessed by a name alone are not followed.
const MIN_CONFIDENCE: u8 = 60;

/// Points for a call that leads to another community.
pub(super) const CROSSING: u32 = 8;

/// A call that can be followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Call {
    target: u32,
    confidence: u8,
    line: u32,
}

/// Calls by caller, as nodes; files call from their top level.
pub(super) struct Calls<'a> {
    offsets: Vec<u32>,
    calls: Vec<Call>,
    /// True for functions that only answer yes or no, or give up: no flow goes on through them.
    is_dead_end: Vec<bool>,
    /// True for members of types that take the place of others in tests.
    pub is_of_double: Vec<bool>,
    /// True for nodes in test code and other code beside the product.
    pub is_aside: Vec<bool>,
    /// How much a flow from each node on can tell.
    pub potential: Vec<u32>,
    /// Sum of the points of each node and all that it calls.
    pub parts: Vec<u32>,
    /// Community of each node, or none.
    communities: &'a [u32],
    /// Functions of any kind outside of tests.
    pub n_functions: usize,
}

impl<'a> Calls<'a> {
    /// Collects the calls of a graph. About O(edges).
    pub fn new(
        layout: &Layout<'_>,
        edges: &Edges,
        is_aside: Vec<bool>,
        communities: &'a [u32],
        points: &[u32],
    ) -> Self {
        let n_nodes = layout.end() as usize;
        let kinds = kinds(layout);
        let mut calls = Calls {
            offsets: vec![0],
            calls: Vec::new(),
            n_functions: (0..n_nodes)
                .filter(|node| !is_aside[*node] && kinds[*node].is_some_and(runs))
                .count(),
            is_dead_end: dead_ends(layout),
            is_of_double: of_doubles(layout),
            is_aside,
            potential: Vec::new(),
            parts: points.to_vec(),
            communities,
        };
        for node in 0..n_nodes as u32 {
            if kinds[node as usize].is_some_and(runs) || (node as usize) < layout.files.len() {
                calls.collect(edges, &kinds, node);
            }
            calls.offsets.push(calls.calls.len() as u32);
        }
        calls.potential = calls.potentials(points);
        calls.add_parts(points);
        calls.prune(points);
        calls
    }

    /// Adds all calls of a node: its own, those of its constructors if it is a type, those of its implementations if it
    /// is a declaration only.
    fn collect(&mut self, edges: &Edges, kinds: &[Option<SymbolKind>], node: u32) {
        let before = self.calls.len();
        let is_type = kinds[node as usize].is_some_and(is_type);
        if is_type {
            let constructors = rows(edges, node, EdgeKind::HasMethod)
                .chain(rows(edges, node, EdgeKind::Defines))
                .map(|index| edges.targets[index])
                .filter(|method| {
                    kinds.get(*method as usize) == Some(&Some(SymbolKind::Constructor))
                });
            for constructor in constructors {
                self.add(edges, kinds, node, constructor, EdgeKind::Calls);
            }
            return;
        }
        self.add(edges, kinds, node, node, EdgeKind::Calls);
        if self.calls.len() == before {
            self.add(edges, kinds, node, node, EdgeKind::Dispatch);
        }
    }

    /// Adds the calls of `from` as calls of `node`.
    fn add(
        &mut self,
        edges: &Edges,
        kinds: &[Option<SymbolKind>],
        node: u32,
        from: u32,
        kind: EdgeKind,
    ) {
        for index in rows(edges, from, kind) {
            let target = edges.targets[index];
            let is_double =
                kind == EdgeKind::Dispatch && self.is_of_double.get(target as usize) == Some(&true);
            let can_follow = kinds
                .get(target as usize)
                .is_some_and(|kind| kind.is_some_and(runs))
                && edges.confidences[index] >= MIN_CONFIDENCE
                && !self.is_dead_end[target as usize]
                && !is_double
                && (!self.is_aside[target as usize] || self.is_aside[node as usize]);
            if can_follow && target != node {
                self.calls.push(Call {
                    target,
                    confidence: edges.confidences[index],
                    line: edges.lines[index],
                });
            }
        }
    }

    /// How much a flow from each node on can tell: its own points, or half of them and most of those of its best callee.
    /// Shares below one keep cycles from growing without end.
    fn potentials(&self, points: &[u32]) -> Vec<u32> {
        let n_nodes = self.offsets.len() - 1;
        let callers: Vec<u32> = (0..n_nodes as u32)
            .filter(|node| !self.row(*node).is_empty())
            .collect();
        let mut potentials: Vec<u32> = points.iter().map(|points| points * SCALE).collect();
        for _ in 0..MAX_STEPS {
            let potential = |node: &u32| {
                let ahead = self.row(*node).iter();
                let best = ahead
                    .map(|call| worth(points, &potentials, call.target))
                    .max();
                let own = points[*node as usize] * SCALE;
                own.max(own / 2 + best.unwrap_or(0) / 8 * 7)
            };
            let next: Vec<u32> = callers.iter().map(potential).collect();
            let mut has_changed = false;
            for (node, next) in callers.iter().zip(next) {
                let known = &mut potentials[*node as usize];
                has_changed |= *known != next;
                *known = next;
            }
            if !has_changed {
                break;
            }
        }
        potentials
    }

    fn add_parts(&mut self, points: &[u32]) {
        let mut targets: Vec<u32> = Vec::new();
        for node in 0..self.offsets.len() as u32 - 1 {
            targets.clear();
            targets.extend(self.next(node));
            targets.sort_unstable();
            targets.dedup();
            let called: u32 = targets.iter().map(|target| points[*target as usize]).sum();
            self.parts[node as usize] += called;
        }
    }

    /// Keeps the calls that lead to the most telling code, in the order of their lines.
    fn prune(&mut self, points: &[u32]) {
        let mut offsets = vec![0];
        let mut kept: Vec<Call> = Vec::new();
        let mut row: Vec<Call> = Vec::new();
        for node in 0..self.offsets.len() as u32 - 1 {
            row.clear();
            row.extend(self.row(node));
            row.sort_by_key(|call| {
                let crossing = SCALE * self.crossing(node, call.target);
                let ahead = worth(points, &self.potential, call.target) + crossing;
                let worth = ahead / 100 * u32::from(call.confidence);
                (Reverse(worth), call.target, call.line)
            });
            row.dedup_by_key(|call| call.target);
            row.truncate(MAX_BRANCHES);
            row.sort_by_key(|call| (call.line, call.target));
            kept.extend(&row);
            offsets.push(kept.len() as u32);
        }
        self.offsets = offsets;
        self.calls = kept;
    }

    /// Points for a call from one community to another.
    pub fn crossing(&self, from: u32, to: u32) -> u32 {
        let community = |node: u32| self.communities.get(node as usize).copied().unwrap_or(NONE);
        let (from, to) = (community(from), community(to));
        if from != to && from != NONE && to != NONE {
            CROSSING
        } else {
            0
        }
    }

    fn row(&self, node: u32) -> &[Call] {
        let node = node as usize;
        match (self.offsets.get(node), self.offsets.get(node + 1)) {
            (Some(start), Some(end)) => &self.calls[*start as usize..*end as usize],
            _ => &[],
        }
    }

    /// The nodes that a flow can go to from this one, in the order of the calls.
    pub fn next(&self, node: u32) -> impl DoubleEndedIterator<Item = u32> + '_ {
        self.row(node).iter().map(|call| call.target)
    }

    /// Confidence of the call that leads to each step, in percent.
    pub fn confidences(&self, steps: &[u32]) -> Vec<u8> {
        let of_pair = |pair: &[u32]| {
            let [from, to] = pair else { return 100 };
            let call = self.row(*from).iter().find(|call| call.target == *to);
            call.map_or(100, |call| call.confidence)
        };
        std::iter::once(100)
            .chain(steps.windows(2).map(of_pair))
            .take(steps.len())
            .collect()
    }
}

/// How much a call can tell. Half of it behind a constructor, whose preparations are seldom the purpose of its caller.
fn worth(points: &[u32], potentials: &[u32], target: u32) -> u32 {
    let potential = potentials[target as usize];
    if points[target as usize] == 0 {
        potential / 2
    } else {
        potential
    }
}

/// The edges of one kind that start at a node, as places in the columns.
pub(super) fn rows(edges: &Edges, node: u32, kind: EdgeKind) -> std::ops::Range<usize> {
    let start = edges.out_offsets[node as usize] as usize;
    let kinds = &edges.kinds[start..edges.out_offsets[node as usize + 1] as usize];
    let first = kinds.partition_point(|other| *other < kind as u8);
    let past = kinds.partition_point(|other| *other <= kind as u8);
    start + first..start + past
}

/// Kind of each node up to the last symbol.
fn kinds(layout: &Layout<'_>) -> Vec<Option<SymbolKind>> {
    let mut kinds = vec![None; layout.first_symbol() as usize];
    kinds.extend(layout.symbols().map(|(_, symbol)| Some(symbol.kind)));
    kinds
}

fn dead_ends(layout: &Layout<'_>) -> Vec<bool> {
    let mut dead_ends = vec![false; layout.first_symbol() as usize];
    let symbols = layout.symbols();
    dead_ends.extend(symbols.map(|(_, symbol)| {
        !is_type(symbol.kind) && (is_predicate(&symbol.name) || is_failure(&symbol.name))
    }));
    dead_ends
}

/// Whether each node up to the last symbol is a member of a type that is named like a double for tests. A declaration
/// leads to its implementations in the product.
fn of_doubles(layout: &Layout<'_>) -> Vec<bool> {
    let mut doubles = vec![false; layout.first_symbol() as usize];
    let symbols = layout.symbols();
    doubles.extend(symbols.map(|(file, symbol)| {
        let around = symbol.parent.map(|parent| layout.node(file, parent));
        let around = around.and_then(|node| layout.symbol(node));
        around.is_some_and(|(_, around)| is_double(&around.name))
    }));
    doubles
}

/// Whether each node up to the last symbol is beside the product.
pub(super) fn aside(layout: &Layout<'_>) -> Vec<bool> {
    let files = &layout.is_aside;
    let mut aside = files.clone();
    aside.resize(layout.first_symbol() as usize, false);
    for (file, symbol) in layout.symbols() {
        let around = symbol
            .parent
            .map(|parent| layout.node(file, parent) as usize);
        let is_aside = files[file as usize]
            || symbol.is(syntax::facts::Modifiers::TEST)
            || around.is_some_and(|parent| aside.get(parent).copied().unwrap_or(false));
        aside.push(is_aside);
    }
    aside
}

/// Whether a flow can go through a symbol of this kind.
pub(super) fn runs(kind: SymbolKind) -> bool {
    use SymbolKind::{Constructor, Function, Macro, Method};
    matches!(kind, Function | Method | Constructor | Macro) || is_type(kind)
}

fn is_type(kind: SymbolKind) -> bool {
    use SymbolKind::{Class, Enum, Struct};
    matches!(kind, Class | Struct | Enum)
}
