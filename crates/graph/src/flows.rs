//! Reading communities and processes: which symbols belong together, and which flows of calls go through them.
//!
//! Both are nodes as well: a community is reached from its members by `MEMBER_OF`, a process from its steps by
//! `STEP_IN_PROCESS`. This module reads them from their own tables, without a walk over edges.

use crate::frozen::{ArchivedCommunities, ArchivedProcesses};
use crate::kinds::{EdgeKind, EntryKind, NodeId, ProcessKind};
use crate::view::{Form, GraphView, at, row};

/// Symbols that call and use one another more than others.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Community<'a> {
    /// Its node.
    pub id: NodeId,
    /// Heuristic name, from the folders and names of its members; no two communities share one.
    pub label: &'a str,
    /// Share of the weight of its members' calls and uses that stays inside, 0 to 1. A signal for ranking, not for
    /// display.
    pub cohesion: f32,
    /// How many symbols belong to it.
    pub n_members: u32,
}

/// A flow of calls from an entry point to where it ends: each step calls the next.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Process<'a> {
    /// Its node.
    pub id: NodeId,
    /// Heuristic name: its first and last step.
    pub label: &'a str,
    /// Within one community, or across several.
    pub kind: ProcessKind,
    /// Why it begins where it does.
    pub entry_kind: EntryKind,
    /// Score of its first step as an entry point; higher is likelier.
    pub score: f32,
    /// Number of steps, at least 2.
    pub n_steps: u32,
    /// First step.
    pub entry: NodeId,
    /// Last step.
    pub terminal: NodeId,
}

/// A place in a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProcessStep {
    /// The process.
    pub process: NodeId,
    /// The symbol.
    pub node: NodeId,
    /// Position in the process, from 1.
    pub step: u32,
    /// Confidence of the call that leads to it, in percent; 100 for the first step.
    pub confidence: u8,
}

impl<'a> GraphView<'a> {
    /// Every community, the largest first.
    pub fn communities(self) -> impl ExactSizeIterator<Item = Community<'a>> + use<'a> {
        (0..self.columns().communities.cohesion.len()).map(move |index| self.community_at(index))
    }

    /// The community of this node number; none if the node is not a community.
    #[must_use]
    pub fn community(self, id: NodeId) -> Option<Community<'a>> {
        let columns = &self.columns().communities;
        let index = index_of(id, columns.first.to_native(), columns.cohesion.len())?;
        Some(self.community_at(index))
    }

    fn community_at(self, index: usize) -> Community<'a> {
        let columns: &ArchivedCommunities = &self.columns().communities;
        let id = NodeId(columns.first.to_native().saturating_add(index as u32));
        Community {
            id,
            label: self.name(id),
            cohesion: columns
                .cohesion
                .get(index)
                .map_or(0.0, |value| value.to_native()),
            n_members: match self.0 {
                Form::Whole(graph) => row(&graph.edges.in_offsets, id.index()).len() as u32,
                Form::Parts(joined) => joined.in_(id).len() as u32,
            },
        }
    }

    /// The community that a symbol belongs to; most symbols without calls and uses belong to none.
    #[must_use]
    pub fn community_of(self, symbol: NodeId) -> Option<NodeId> {
        self.out_of_kind(symbol, EdgeKind::MemberOf)
            .map(|edge| edge.target)
            .next()
    }

    /// The symbols of a community, by number.
    pub fn members_of(self, community: NodeId) -> impl Iterator<Item = NodeId> + use<'a> {
        self.in_(community)
            .filter(|edge| edge.kind == EdgeKind::MemberOf)
            .map(|edge| edge.source)
    }

    /// Every process, the surest entry points first.
    pub fn processes(self) -> impl ExactSizeIterator<Item = Process<'a>> + use<'a> {
        (0..self.columns().processes.kinds.len()).map(move |index| self.process_at(index))
    }

    /// The process of this node number; none if the node is not a process.
    #[must_use]
    pub fn process(self, id: NodeId) -> Option<Process<'a>> {
        let columns = &self.columns().processes;
        let index = index_of(id, columns.first.to_native(), columns.kinds.len())?;
        Some(self.process_at(index))
    }

    fn process_at(self, index: usize) -> Process<'a> {
        let columns: &ArchivedProcesses = &self.columns().processes;
        let id = NodeId(columns.first.to_native().saturating_add(index as u32));
        let steps = row(&columns.offsets, index);
        let kind = columns
            .kinds
            .get(index)
            .and_then(|kind| ProcessKind::from_byte(*kind));
        let entry_kind = columns
            .entries
            .get(index)
            .and_then(|kind| EntryKind::from_byte(*kind));
        Process {
            id,
            label: self.name(id),
            kind: kind.unwrap_or(ProcessKind::IntraCommunity),
            entry_kind: entry_kind.unwrap_or(EntryKind::Uncalled),
            score: columns
                .scores
                .get(index)
                .map_or(0.0, |value| value.to_native()),
            n_steps: steps.len() as u32,
            entry: NodeId(at(&columns.steps, steps.start)),
            terminal: NodeId(at(&columns.steps, steps.end.saturating_sub(1))),
        }
    }

    /// The steps of a process in order; empty if the node is not a process.
    pub fn steps_of(self, process: NodeId) -> impl ExactSizeIterator<Item = ProcessStep> + use<'a> {
        let columns: &'a ArchivedProcesses = &self.columns().processes;
        let index = index_of(process, columns.first.to_native(), columns.kinds.len());
        let steps = index.map_or(0..0, |index| row(&columns.offsets, index));
        let start = steps.start;
        steps.map(move |index| ProcessStep {
            process,
            node: NodeId(at(&columns.steps, index)),
            step: (index - start) as u32 + 1,
            confidence: columns.confidences.get(index).copied().unwrap_or(0),
        })
    }

    /// The places of a symbol in processes, by process.
    pub fn processes_of(self, symbol: NodeId) -> impl Iterator<Item = ProcessStep> + use<'a> {
        self.out_of_kind(symbol, EdgeKind::StepInProcess)
            .map(|edge| ProcessStep {
                process: edge.target,
                node: edge.source,
                step: edge.line,
                confidence: edge.confidence,
            })
    }
}

/// Place of a node among `n` that are numbered from `first` on.
fn index_of(id: NodeId, first: u32, n: usize) -> Option<usize> {
    id.0.checked_sub(first)
        .map(|index| index as usize)
        .filter(|index| *index < n)
}
