//! Resolved uses of names, by place and by target.

use source::FileId;
use syntax::facts::ReferenceForm;

use super::{Either, Form, GraphView, at, row};
use crate::frozen::ArchivedGraph;
use crate::kinds::{FORMS, NodeId, Reason};

/// A resolved use of a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Occurrence {
    /// Number among all occurrences.
    pub index: u32,
    /// The file that contains it.
    pub file: FileId,
    /// First byte of the name.
    pub start: u32,
    /// One past its last byte.
    pub end: u32,
    /// 0-based.
    pub line: u32,
    /// How the name is used.
    pub form: ReferenceForm,
    /// The definition, file or package that the name refers to.
    pub target: NodeId,
    /// Percent.
    pub confidence: u8,
    /// The rule that resolved it.
    pub reason: Reason,
    /// The innermost definition around it, or the file.
    pub enclosing: NodeId,
}

impl<'a> GraphView<'a> {
    /// The resolved uses in a file, by position.
    pub fn occurrences_in(self, file: FileId) -> impl Iterator<Item = Occurrence> + use<'a> {
        match self.0 {
            Form::Whole(graph) => {
                let rows = row(&graph.occurrences.offsets, file.index());
                Either::Whole(rows.filter_map(move |index| occurrence(graph, file, index)))
            }
            Form::Parts(joined) => Either::Parts(joined.occurrences_in(file).into_iter()),
        }
    }

    /// The likeliest resolution of the name at a byte of a file.
    #[must_use]
    pub fn occurrence_at(self, file: FileId, offset: u32) -> Option<Occurrence> {
        self.occurrences_at(file, offset).next()
    }

    /// Every resolution of the name at a byte of a file, the likeliest first. The byte just past a name counts as the
    /// name when no other name starts there.
    pub fn occurrences_at(
        self,
        file: FileId,
        offset: u32,
    ) -> impl Iterator<Item = Occurrence> + use<'a> {
        let found = match self.0 {
            Form::Whole(graph) => Either::Whole(occurrences_at(graph, file, offset)),
            Form::Parts(joined) => {
                let mut found = joined.occurrences_in(file);
                found.retain(|used| used.start <= offset);
                let start = found.last().map(|used| used.start);
                found.retain(|used| Some(used.start) == start);
                Either::Parts(found.into_iter())
            }
        };
        found.filter(move |occurrence| offset <= occurrence.end)
    }

    /// The uses of a node, by file and position.
    pub fn uses_of(self, id: NodeId) -> impl Iterator<Item = Occurrence> + use<'a> {
        match self.0 {
            Form::Whole(graph) => Either::Whole(uses_of(graph, id.index())),
            Form::Parts(joined) => Either::Parts(joined.uses_of(id).into_iter()),
        }
    }

    /// Number of uses of a node.
    #[must_use]
    pub fn n_uses_of(self, id: NodeId) -> usize {
        match self.0 {
            Form::Whole(graph) => row(&graph.occurrences.use_offsets, id.index()).len(),
            Form::Parts(joined) => joined.uses_of(id).len(),
        }
    }
}

fn occurrences_at(
    graph: &ArchivedGraph,
    file: FileId,
    offset: u32,
) -> impl Iterator<Item = Occurrence> + use<'_> {
    let range = row(&graph.occurrences.offsets, file.index());
    let starts = graph.occurrences.start.as_slice();
    let slice = starts.get(range.clone()).unwrap_or_default();
    let past = slice.partition_point(|start| start.to_native() <= offset);
    let start = past
        .checked_sub(1)
        .and_then(|index| slice.get(index))
        .map(|start| start.to_native());
    let first = start.map_or(past, |start| {
        slice.partition_point(|other| other.to_native() < start)
    });
    (range.start + first..range.start + past)
        .filter_map(move |index| occurrence(graph, file, index))
}

/// The uses of a node of one archive, by file and position.
pub(crate) fn uses_of(
    graph: &ArchivedGraph,
    node: usize,
) -> impl Iterator<Item = Occurrence> + use<'_> {
    let columns = &graph.occurrences;
    row(&columns.use_offsets, node).filter_map(move |index| {
        let index = columns.uses.get(index)?.to_native() as usize;
        let past = columns
            .offsets
            .partition_point(|start| start.to_native() as usize <= index);
        occurrence(graph, FileId(past.checked_sub(1)? as u32), index)
    })
}

pub(crate) fn occurrence(graph: &ArchivedGraph, file: FileId, index: usize) -> Option<Occurrence> {
    let columns = &graph.occurrences;
    Some(Occurrence {
        index: index as u32,
        file,
        start: columns.start.get(index)?.to_native(),
        end: at(&columns.end, index),
        line: at(&columns.line, index),
        form: *FORMS.get(usize::from(*columns.form.get(index)?))?,
        target: NodeId(at(&columns.target, index)),
        confidence: *columns.confidence.get(index)?,
        reason: Reason::from_byte(*columns.reason.get(index)?)?,
        enclosing: NodeId(at(&columns.enclosing, index)),
    })
}
