//! Blast radius of a change: the code that is reached from a symbol, step by step, with the relations and the
//! certainty.
//!
//! A symbol changes with all that is defined in it, so the walk starts from its members as well: a class that nobody
//! names may still have methods that everybody calls. A function within a function, such as a callback or a closure, runs
//! where it was created or passed on, so it reaches the function around it over their `DEFINES` edge. `DISPATCH` edges link an interface's declaration and its
//! implementations, so a changed implementation reaches those who call through the interface. A type and its
//! constructors are treated as one: `Router()` is a call of the type, but it runs the constructor.

use std::cmp::Reverse;

use graph::{Direction, Edge, EdgeKind, EntryKind, NodeId, ProcessStep};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::ask::candidates::Chosen;
use crate::ask::risk::{Extent, Risk};
use crate::{Error, ErrorKind, Reader};
use syntax::order::InOrder;

/// Maximum depth, in steps.
pub const MAX_IMPACT_DEPTH: u32 = 10;

/// Kinds of relations over which a change spreads. Imports are not among them: that a file imports a symbol says little
/// beside the uses in it.
pub const IMPACT_KINDS: [EdgeKind; 7] = [
    EdgeKind::Calls,
    EdgeKind::References,
    EdgeKind::Extends,
    EdgeKind::Implements,
    EdgeKind::Dispatch,
    EdgeKind::Aliases,
    EdgeKind::Defines,
];

/// How test code is treated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Tests {
    /// Test code is treated like all other code.
    #[default]
    Include,
    /// Test code is neither followed nor listed.
    Exclude,
    /// Only test code is listed: the tests to run.
    Only,
}

/// Which relations are followed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImpactConfig {
    /// Upstream ([`Direction::In`]): code that depends on the symbol. Downstream: code that the symbol depends on.
    pub direction: Direction,
    /// Maximum number of steps, from 1 to [`MAX_IMPACT_DEPTH`].
    pub depth: u32,
    /// Minimum confidence in percent: relations below it are not followed.
    pub min_confidence: u8,
    /// Kinds of relations to follow; `DEFINES` only between a function and a function defined in it.
    pub kinds: Vec<EdgeKind>,
    /// How test code is treated.
    pub tests: Tests,
}

/// A symbol or file that is reached.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Reached {
    /// A symbol, or a file for code at its top level.
    pub node: NodeId,
    /// Number of steps from the change, from 1.
    pub depth: u32,
    /// The relation that reaches it most surely in that number of steps.
    pub edge: Edge,
    /// Product of the confidences on the path, 0 to 1.
    pub certainty: f32,
    /// Whether it is test code.
    pub is_test: bool,
}

/// A flow through changed or reached code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AffectedProcess {
    /// The process.
    pub process: NodeId,
    /// Its first affected step, from 1.
    pub first_step: u32,
    /// Number of its steps that are affected.
    pub n_steps: u32,
}

/// The blast radius of a change.
#[derive(Debug, Clone, PartialEq)]
pub struct Impact {
    /// The symbol that changes, and the other candidates of the selector.
    pub chosen: Chosen,
    /// Sorted by depth; within a depth product code first, then definitions before files, then by certainty.
    pub reached: Vec<Reached>,
    /// Affected flows, those with the most affected steps first; flows of tests for [`Tests::Only`], else all others.
    pub processes: Vec<AffectedProcess>,
    /// Communities of changed and reached code, with the number of affected symbols in each, most first.
    pub communities: Vec<(NodeId, u32)>,
    /// Number of files that contain reached code.
    pub n_files: usize,
    /// Risk of the change.
    pub risk: Risk,
}

impl Reader {
    /// Returns the code reached from the symbol that `selector` matches (of several, from the most likely). Linear in
    /// the relations of the code reached.
    ///
    /// # Errors
    ///
    /// As [`Reader::select`]; `query.invalid` for a depth out of bounds.
    pub fn impact(&self, selector: &str, config: &ImpactConfig) -> Result<Impact, Error> {
        if !(1..=MAX_IMPACT_DEPTH).contains(&config.depth) {
            let message = format!(
                "depth is {}; it can be 1 to {MAX_IMPACT_DEPTH}",
                config.depth
            );
            return Err(Error::new(ErrorKind::QueryInvalid, message));
        }
        let chosen = self.choose(selector)?;
        let mut starts = self.with_members(chosen.symbol);
        if config.direction == Direction::In {
            starts.extend(self.constructed_by(chosen.symbol).map(|edge| edge.source));
        }
        let mut reached = self.spread(&starts, config);
        let all = || starts.iter().copied().chain(reached.iter().map(|r| r.node));
        let processes = self.processes_through(all(), config.tests);
        let communities = self.communities_of(all());
        let risk = extent(&reached, processes.len(), communities.len()).risk();
        if config.tests == Tests::Only {
            reached.retain(|reached| reached.is_test);
        }
        let files: FxHashSet<_> = (reached.iter())
            .filter_map(|reached| self.graph().file_of(reached.node))
            .collect();
        Ok(Impact {
            chosen,
            n_files: files.len(),
            reached,
            processes,
            communities,
            risk,
        })
    }

    /// All nodes reached from `starts`, by depth. Of paths of equal length the most certain counts.
    pub(crate) fn spread(&self, starts: &[NodeId], config: &ImpactConfig) -> Vec<Reached> {
        let graph = self.graph();
        let mut seen: FxHashSet<NodeId> = starts.iter().copied().collect();
        let mut layer: Vec<(NodeId, f32)> = starts.iter().map(|start| (*start, 1.0)).collect();
        let mut all = Vec::new();
        for depth in 1..=config.depth {
            let mut next: Vec<Reached> = Vec::new();
            let mut places: FxHashMap<NodeId, usize> = FxHashMap::default();
            let wanted = |edge: &Edge| {
                config.kinds.contains(&edge.kind)
                    && edge.confidence >= config.min_confidence
                    && (edge.kind != EdgeKind::Defines || self.is_nesting(edge))
            };
            let mut visit = |edge: Edge, node: NodeId, before: f32| {
                if seen.contains(&node) {
                    return;
                }
                let certainty = before * f32::from(edge.confidence) / 100.0;
                match places.get(&node).and_then(|place| next.get_mut(*place)) {
                    Some(known) if known.certainty < certainty => {
                        (known.edge, known.certainty) = (edge, certainty);
                    }
                    Some(_) => {}
                    None => {
                        places.insert(node, next.len());
                        next.push(Reached {
                            node,
                            depth,
                            edge,
                            certainty,
                            is_test: self.is_test(node),
                        });
                    }
                }
            };
            for (node, certainty) in layer {
                match config.direction {
                    Direction::In => (graph.in_(node).filter(wanted))
                        .chain(self.constructed_by(node))
                        .for_each(|edge| visit(edge, edge.source, certainty)),
                    Direction::Out => (graph.out(node).filter(wanted))
                        .chain(self.constructors_of(node))
                        .for_each(|edge| visit(edge, edge.target, certainty)),
                }
            }
            if config.tests == Tests::Exclude {
                next.retain(|reached| !reached.is_test);
            }
            seen.extend(next.iter().map(|reached| reached.node));
            layer = next
                .iter()
                .map(|reached| (reached.node, reached.certainty))
                .collect();
            next.order_by_key(|reached| {
                // Files after definitions: the code at their top level is mostly imports.
                (
                    reached.is_test,
                    !self.is_symbol(reached.node),
                    Reverse(reached.certainty.to_bits()),
                    reached.node,
                )
            });
            all.append(&mut next);
        }
        all
    }

    /// Whether an edge leads from a function to a function defined in it.
    pub(crate) fn is_nesting(&self, edge: &Edge) -> bool {
        let graph = self.graph();
        edge.kind == EdgeKind::Defines
            && graph.node(edge.source).is_function()
            && graph.node(edge.target).is_function()
    }

    /// The flows that contain any of these nodes: those of tests for [`Tests::Only`], else all others.
    pub(crate) fn processes_through(
        &self,
        nodes: impl Iterator<Item = NodeId>,
        tests: Tests,
    ) -> Vec<AffectedProcess> {
        let graph = self.graph();
        let mut steps: Vec<ProcessStep> = nodes
            .flat_map(|node| graph.processes_of(node))
            .filter(|step| self.is_test_flow(step.process) == (tests == Tests::Only))
            .collect();
        steps.order_by_key(|step| (step.process, step.step));
        let mut affected: Vec<AffectedProcess> = steps
            .chunk_by(|a, b| a.process == b.process)
            .filter_map(|steps| {
                let first = steps.first()?;
                Some(AffectedProcess {
                    process: first.process,
                    first_step: first.step,
                    n_steps: steps.len() as u32,
                })
            })
            .collect();
        affected.order_by_key(|process| (Reverse(process.n_steps), process.process));
        affected
    }

    /// Whether a flow begins in a test.
    pub(crate) fn is_test_flow(&self, process: NodeId) -> bool {
        let process = self.graph().process(process);
        process.is_some_and(|process| process.entry_kind == EntryKind::Test)
    }

    /// The communities of these nodes, with the number of nodes in each, most first.
    pub(crate) fn communities_of(&self, nodes: impl Iterator<Item = NodeId>) -> Vec<(NodeId, u32)> {
        let mut communities: Vec<NodeId> = nodes
            .filter_map(|node| self.graph().community_of(node))
            .collect();
        communities.order_by(Ord::cmp);
        let mut counted: Vec<(NodeId, u32)> = Vec::new();
        for community in communities {
            match counted.last_mut() {
                Some((last, count)) if *last == community => *count += 1,
                _ => counted.push((community, 1)),
            }
        }
        counted.order_by_key(|(community, count)| (Reverse(*count), *community));
        counted
    }
}

/// Counts that the risk results from; tests are not counted.
pub(crate) fn extent(reached: &[Reached], n_processes: usize, n_communities: usize) -> Extent {
    let product = || reached.iter().filter(|reached| !reached.is_test);
    Extent {
        n_direct: product().filter(|reached| reached.depth == 1).count(),
        n_reached: product().count(),
        n_processes,
        n_communities,
    }
}
