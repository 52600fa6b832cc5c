//! The calls that flows follow: callees of each function.

use std::cmp::Reverse;

use syntax::facts::SymbolKind;

use crate::frozen::Edges;
use crate::kinds::EdgeKind;
use crate::layout::Layout;

/// Maximum number of callees of one function that are followed: those with the longest paths ahead of them.
pub(super) const MAX_BRANCHES: usize = 4;
/// Maximum number of steps of a flow, and of the look-ahead.
pub(super) const MAX_STEPS: usize = 12;
/// Minimum confidence of a call, in percent: calls that are guessed by a name alone are not followed.
const MIN_CONFIDENCE: u8 = 60;

/// A call that can be followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Call {
    target: u32,
    confidence: u8,
    line: u32,
}

/// Calls by caller, as nodes; files call from their top level.
pub(super) struct Calls {
    offsets: Vec<u32>,
    calls: Vec<Call>,
    /// True for nodes in test code.
    pub is_test: Vec<bool>,
    /// Functions of any kind outside of tests.
    pub n_functions: usize,
}

impl Calls {
    /// Collects the calls of a graph. About O(edges).
    pub fn new(layout: &Layout<'_>, edges: &Edges) -> Self {
        let n_nodes = layout.end() as usize;
        let kinds = kinds(layout);
        let is_test = tests(layout);
        let mut calls = Calls {
            offsets: vec![0],
            calls: Vec::new(),
            n_functions: (0..n_nodes)
                .filter(|node| !is_test[*node] && kinds[*node].is_some_and(runs))
                .count(),
            is_test,
        };
        for node in 0..n_nodes as u32 {
            if kinds[node as usize].is_some_and(runs) || (node as usize) < layout.files.len() {
                calls.collect(edges, &kinds, node);
            }
            calls.offsets.push(calls.calls.len() as u32);
        }
        let heights = calls.heights();
        calls.prune(&heights);
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
            let can_follow = kinds
                .get(target as usize)
                .is_some_and(|kind| kind.is_some_and(runs))
                && edges.confidences[index] >= MIN_CONFIDENCE
                && (!self.is_test[target as usize] || self.is_test[node as usize]);
            if can_follow && target != node {
                self.calls.push(Call {
                    target,
                    confidence: edges.confidences[index],
                    line: edges.lines[index],
                });
            }
        }
    }

    /// Number of steps that can follow each node, at most [`MAX_STEPS`], which nodes of a cycle have.
    fn heights(&self) -> Vec<u8> {
        let n_nodes = self.offsets.len() - 1;
        let callers: Vec<u32> = (0..n_nodes as u32)
            .filter(|node| !self.row(*node).is_empty())
            .collect();
        let mut heights = vec![0u8; n_nodes];
        for _ in 0..MAX_STEPS {
            let height = |node: &u32| {
                let ahead = self.row(*node).iter();
                ahead.map(|call| heights[call.target as usize] + 1).max()
            };
            let next: Vec<u8> = callers.iter().filter_map(height).collect();
            let mut has_changed = false;
            for (node, next) in callers.iter().zip(next) {
                let known = &mut heights[*node as usize];
                has_changed |= *known != next;
                *known = next;
            }
            if !has_changed {
                break;
            }
        }
        heights
    }

    /// Keeps the calls that lead furthest, in the order of their lines.
    fn prune(&mut self, heights: &[u8]) {
        let mut offsets = vec![0];
        let mut kept: Vec<Call> = Vec::new();
        for node in 0..heights.len() as u32 {
            let mut row = self.row(node).to_vec();
            row.sort_by_key(|call| {
                let height = heights[call.target as usize];
                (
                    Reverse(height),
                    Reverse(call.confidence),
                    call.line,
                    call.target,
                )
            });
            row.dedup_by_key(|call| call.target);
            row.truncate(MAX_BRANCHES);
            row.sort_by_key(|call| (call.line, call.target));
            kept.extend(row);
            offsets.push(kept.len() as u32);
        }
        self.offsets = offsets;
        self.calls = kept;
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

fn tests(layout: &Layout<'_>) -> Vec<bool> {
    let files = &layout.is_test;
    let mut tests = files.clone();
    tests.resize(layout.first_symbol() as usize, false);
    for (file, symbol) in layout.symbols() {
        let around = symbol
            .parent
            .map(|parent| layout.node(file, parent) as usize);
        let is_test = files[file as usize]
            || symbol.is(syntax::facts::Modifiers::TEST)
            || around.is_some_and(|parent| tests.get(parent).copied().unwrap_or(false));
        tests.push(is_test);
    }
    tests
}

/// Whether a flow can go through a symbol of this kind.
fn runs(kind: SymbolKind) -> bool {
    use SymbolKind::{Constructor, Function, Macro, Method};
    matches!(kind, Function | Method | Constructor | Macro) || is_type(kind)
}

fn is_type(kind: SymbolKind) -> bool {
    use SymbolKind::{Class, Enum, Struct};
    matches!(kind, Class | Struct | Enum)
}
