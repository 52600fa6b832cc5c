//! Resolved uses of names, by place and by target.

use source::FileId;
use syntax::facts::ReferenceForm;

use super::{GraphView, at, row};
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
        row(&self.0.occurrences.offsets, file.index())
            .filter_map(move |index| self.occurrence(file, index))
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
        let range = row(&self.0.occurrences.offsets, file.index());
        let starts = self.0.occurrences.start.as_slice();
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
            .filter_map(move |index| self.occurrence(file, index))
            .filter(move |occurrence| offset <= occurrence.end)
    }

    /// The uses of a node, by file and position.
    pub fn uses_of(self, id: NodeId) -> impl Iterator<Item = Occurrence> + use<'a> {
        row(&self.0.occurrences.use_offsets, id.index()).filter_map(move |index| {
            let index = self.0.occurrences.uses.get(index)?.to_native() as usize;
            let past = self
                .0
                .occurrences
                .offsets
                .partition_point(|start| start.to_native() as usize <= index);
            self.occurrence(FileId(past.checked_sub(1)? as u32), index)
        })
    }

    /// Number of uses of a node.
    #[must_use]
    pub fn n_uses_of(self, id: NodeId) -> usize {
        row(&self.0.occurrences.use_offsets, id.index()).len()
    }

    fn occurrence(self, file: FileId, index: usize) -> Option<Occurrence> {
        let columns = &self.0.occurrences;
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
}
