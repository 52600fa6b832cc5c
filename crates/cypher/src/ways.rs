//! Follows relationships of variable length: every path, every node once, or the shortest paths.

use std::collections::VecDeque;
use std::ops::ControlFlow;

use rustc_hash::{FxHashMap, FxHashSet};

use super::ast::Shortest;
use super::cost::VALUE_BYTES;
use super::error::Fault;
use super::matching::{Arrive, Flow, Matcher, NEXT, Row, other_end};
use super::plan::Expand;
use super::value::{EdgeKey, edge_key};
use graph::Edge;
use graph::NodeId;

/// The relationships that can be followed from a node, and their bytes.
type Level = (std::vec::IntoIter<(Edge, NodeId)>, u64);

impl<'a> Matcher<'_, 'a> {
    /// Finds every path of `min` to `max` relationships that uses none twice, depth first.
    pub fn trails(
        self,
        expand: &Expand<'a>,
        from: NodeId,
        (min, max): (u32, u32),
        row: &mut Row<'a>,
        used: &mut Vec<EdgeKey>,
        arrive: Arrive<'_, 'a>,
    ) -> Flow {
        if min == 0 && arrive(row, used, &[], from)?.is_break() {
            return Ok(ControlFlow::Break(()));
        }
        let n_used = used.len();
        let mut trail: Vec<Edge> = Vec::new();
        let mut pending = Vec::new();
        if max > 0 {
            pending.push(self.level(expand, from)?);
        }
        let mut result = NEXT;
        while let Some((level, n_bytes)) = pending.last_mut() {
            let Some((edge, to)) = level.next() else {
                self.ctx.release(*n_bytes);
                pending.pop();
                trail.pop();
                used.truncate(n_used + trail.len());
                continue;
            };
            self.ctx.items(used.len())?;
            if used.contains(&edge_key(&edge)) {
                continue;
            }
            trail.push(edge);
            used.push(edge_key(&edge));
            let depth = trail.len() as u32;
            if depth >= min {
                match arrive(row, used, &trail, to) {
                    Ok(ControlFlow::Continue(())) => {}
                    end => {
                        result = end;
                        break;
                    }
                }
            }
            if depth < max {
                pending.push(self.level(expand, to)?);
            } else {
                trail.pop();
                used.truncate(n_used + trail.len());
            }
        }
        for (_, n_bytes) in pending {
            self.ctx.release(n_bytes);
        }
        used.truncate(n_used);
        result
    }

    /// Returns the relationships that can be followed from a node, and the bytes that they reserve until released.
    fn level(self, expand: &Expand<'a>, node: NodeId) -> Result<Level, Fault> {
        let next = self.neighbours(expand, node)?;
        let n_bytes = next.len() as u64 * VALUE_BYTES;
        self.ctx.hold(n_bytes)?;
        Ok((next.into_iter(), n_bytes))
    }

    /// Finds every node within `max` relationships once, breadth first.
    pub fn reach(
        self,
        expand: &Expand<'a>,
        from: NodeId,
        (min, max): (u32, u32),
        row: &mut Row<'a>,
        used: &mut Vec<EdgeKey>,
        arrive: Arrive<'_, 'a>,
    ) -> Flow {
        let mut n_bytes = 0;
        let mut seen = FxHashSet::default();
        if min == 0 {
            seen.insert(from);
            if arrive(row, used, &[], from)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        let mut queue = VecDeque::from([(from, 0)]);
        while let Some((node, depth)) = queue.pop_front() {
            if depth >= max {
                break;
            }
            for (_, to) in self.neighbours(expand, node)? {
                if seen.insert(to) {
                    self.ctx.hold(VALUE_BYTES)?;
                    n_bytes += VALUE_BYTES;
                    if arrive(row, used, &[], to)?.is_break() {
                        return Ok(ControlFlow::Break(()));
                    }
                    if to != from {
                        queue.push_back((to, depth + 1));
                    }
                }
            }
        }
        self.ctx.release(n_bytes);
        NEXT
    }

    /// Finds one shortest path, or all shortest paths, to each node, breadth first.
    #[expect(
        clippy::too_many_arguments,
        reason = "the state of one expansion, as for its siblings"
    )]
    pub fn shortest(
        self,
        expand: &Expand<'a>,
        from: NodeId,
        target: Option<NodeId>,
        (min, max, which): (u32, u32, Shortest),
        row: &mut Row<'a>,
        used: &mut Vec<EdgeKey>,
        arrive: Arrive<'_, 'a>,
    ) -> Flow {
        if min == 0 && arrive(row, used, &[], from)?.is_break() {
            return Ok(ControlFlow::Break(()));
        }
        let mut n_bytes = 0;
        // For each node its depth and the last relationships of its shortest paths.
        let mut ways: FxHashMap<NodeId, (u32, Vec<Edge>)> = FxHashMap::default();
        ways.insert(from, (0, Vec::new()));
        let mut level = vec![from];
        for depth in 1..=max {
            let mut next = Vec::new();
            for node in level {
                for (edge, to) in self.neighbours(expand, node)? {
                    let (known, last) = ways.entry(to).or_insert((depth, Vec::new()));
                    if *known == depth && (last.is_empty() || which == Shortest::All) {
                        self.ctx.hold(2 * VALUE_BYTES)?;
                        n_bytes += 2 * VALUE_BYTES;
                        if last.is_empty() {
                            next.push(to);
                        }
                        last.push(edge);
                    }
                }
            }
            for to in next
                .iter()
                .copied()
                .filter(|to| target.is_none_or(|target| target == *to))
            {
                let mark = self.ctx.mark();
                for edges in self.ways_to(&ways, from, to)? {
                    if arrive(row, used, &edges, to)?.is_break() {
                        return Ok(ControlFlow::Break(()));
                    }
                }
                self.ctx.rest(mark);
            }
            if next.is_empty() || target.is_some_and(|target| next.contains(&target)) {
                break;
            }
            level = next;
        }
        self.ctx.release(n_bytes);
        NEXT
    }

    /// The paths that were found from `from` to `to`, each in its order.
    fn ways_to(
        self,
        ways: &FxHashMap<NodeId, (u32, Vec<Edge>)>,
        from: NodeId,
        to: NodeId,
    ) -> Result<Vec<Vec<Edge>>, Fault> {
        let mut finished = Vec::new();
        let mut pending = vec![(to, Vec::new())];
        while let Some((node, edges)) = pending.pop() {
            if node == from {
                finished.push(edges.into_iter().rev().collect());
                continue;
            }
            for edge in ways.get(&node).map(|(_, last)| last).into_iter().flatten() {
                self.ctx.hold_items(edges.len() + 1)?;
                let mut longer: Vec<Edge> = edges.clone();
                longer.push(*edge);
                pending.push((other_end(edge, node), longer));
            }
        }
        Ok(finished)
    }
}
