//! Uses: what each counts for follows from its place, its meaning from the edges of the definition around it.

use std::ops::Range;

use graph::frozen::{ArchivedOccurrences, Occurrences};
use graph::{EdgeKind, FORMS};
use rkyv::rend::u32_le;

use super::super::super::columns::{Fault, Reader, Writer};
use super::super::super::planes::{unzigzag32, zigzag32};
use super::scene::{Descent, Scene};
use super::{at, native, usual_confidences};

/// Number of definitions around a use that are looked at; a use that counts for none of them is written out.
const MAX_DEPTH: u8 = 15;

/// Columns of edges.
pub(super) struct Rows<'a> {
    pub offsets: &'a [u32],
    pub kinds: &'a [u8],
    pub targets: &'a [u32],
    pub reasons: &'a [u8],
    pub confidences: &'a [u8],
}

/// Expectations of uses, and the edges that follow from uses.
struct Expecting<'a> {
    rows: Rows<'a>,
    /// Targets of the edges of uses in a node.
    users: Vec<u32>,
    /// Line of the first use of each edge.
    first_uses: Vec<u32>,
    /// The form that uses of edges of a kind had last.
    forms: [u8; 256],
    /// The last node whose row was asked for, and its row.
    last: (u32, Range<usize>),
}

impl<'a> Expecting<'a> {
    fn new(rows: Rows<'a>, scene: &Scene<'_>) -> Self {
        Self {
            users: scene.users(),
            first_uses: vec![u32::MAX; rows.targets.len()],
            forms: [0; 256],
            last: (u32::MAX, 0..0),
            rows,
        }
    }

    /// The first edge that uses in a node can have, and one past the last.
    fn row(&mut self, enclosing: u32) -> Range<usize> {
        if self.last.0 != enclosing {
            let user = at(&self.users, enclosing as usize) as usize;
            let [start, end] = [user, user + 1].map(|row| at(self.rows.offsets, row) as usize);
            let kinds = self.rows.kinds.get(start..end).unwrap_or_default();
            let first = kinds.partition_point(|kind| *kind < EdgeKind::Calls as u8);
            self.last = (enclosing, start + first..end);
        }
        self.last.1.clone()
    }

    /// The edge that a use has, and which of its row it is.
    fn edge(&mut self, enclosing: u32, target: u32, form: u8) -> Option<(usize, usize)> {
        let row = self.row(enclosing);
        let is_call = FORMS
            .get(usize::from(form))
            .is_some_and(|form| form.is_call());
        let likely = [EdgeKind::References, EdgeKind::Calls];
        let kinds = [likely[usize::from(is_call)], likely[usize::from(!is_call)]];
        kinds.into_iter().find_map(|kind| {
            let place = self.place(&row, kind as u8, target)?;
            Some((row.start + place, place))
        })
    }

    /// Where in a row, which is sorted by kind and target, an edge is.
    fn place(&self, row: &Range<usize>, kind: u8, target: u32) -> Option<usize> {
        let kinds = self.rows.kinds.get(row.clone())?;
        let first = kinds.partition_point(|other| *other < kind);
        let n_edges = kinds[first..].partition_point(|other| *other == kind);
        let edges = row.start + first..row.start + first + n_edges;
        let found = self.rows.targets.get(edges)?.binary_search(&target);
        found.ok().map(|place| first + place)
    }

    /// Reason and confidence of an edge, which are likely to be those of its uses.
    fn why(&self, edge: Option<usize>) -> (u8, u8) {
        let of = |column: &[u8]| edge.and_then(|edge| column.get(edge)).copied();
        let why = of(self.rows.reasons).zip(of(self.rows.confidences));
        why.unwrap_or_default()
    }

    /// The form that is expected of a use with such an edge.
    fn form(&mut self, edge: Option<usize>) -> &mut u8 {
        let kind = edge.and_then(|edge| self.rows.kinds.get(edge)).copied();
        &mut self.forms[usize::from(kind.unwrap_or(u8::MAX))]
    }

    fn learn(&mut self, edge: Option<usize>, line: u32) {
        if let Some(first) = edge.and_then(|edge| self.first_uses.get_mut(edge)) {
            *first = line.min(*first);
        }
    }
}

/// The columns of uses beside their places.
#[derive(Default)]
struct Coded {
    /// How many definitions farther out than the innermost a use counts for.
    depths: Vec<u8>,
    others: Vec<u32>,
    /// 0 where it is none, else one more than which edge of its row it has.
    edges: Vec<u32>,
    targets: Vec<u32>,
    forms: Vec<u8>,
    reasons: Vec<u8>,
    confidences: Vec<u8>,
}

/// Writes uses; returns the line of the first use of each edge.
pub(super) fn write(
    columns: &ArchivedOccurrences,
    scene: &Scene<'_>,
    rows: Rows<'_>,
    length: impl Fn(u32) -> u32,
    writer: &mut Writer,
) -> Vec<u32> {
    let usual = usual_confidences(&columns.reason, &columns.confidence);
    let mut expecting = Expecting::new(rows, scene);
    let mut coded = Coded::default();
    let offsets = super::natives(&columns.offsets);
    for (file, range) in (0..).zip(offsets.windows(2)) {
        let mut descent = Descent::new(scene, file);
        for idx in range[0] as usize..range[1] as usize {
            let start = columns.start.get(idx).map_or(0, |start| start.to_native());
            coded.push(
                columns,
                idx,
                descent.to(start),
                scene,
                &mut expecting,
                &usual,
            );
        }
    }
    writer.archived(&columns.offsets);
    writer.archived(&columns.start);
    writer.archived(&columns.line);
    coded.write(&usual, writer);
    let ends = native(&columns.start).zip(native(&columns.target));
    let ends = ends.map(|(start, target)| start.wrapping_add(length(target)));
    writer.differences(native(&columns.end).zip(ends));
    expecting.first_uses
}

impl Coded {
    /// The use with this number, whose innermost definition is `inner`.
    fn push(
        &mut self,
        columns: &ArchivedOccurrences,
        idx: usize,
        inner: u32,
        scene: &Scene<'_>,
        expecting: &mut Expecting<'_>,
        usual: &[u8],
    ) {
        let number = |column: &[u32_le]| column.get(idx).map_or(0, |value| value.to_native());
        let byte = |column: &[u8]| column.get(idx).copied().unwrap_or_default();
        let (target, enclosing) = (number(&columns.target), number(&columns.enclosing));
        let (form, reason) = (byte(&columns.form), byte(&columns.reason));
        self.enclosing(scene, inner, enclosing);
        let edge = expecting.edge(enclosing, target, form);
        self.edges
            .push(edge.map_or(0, |(_, place)| place as u32 + 1));
        if edge.is_none() {
            self.targets.push(target);
        }
        let edge = edge.map(|(edge, _)| edge);
        let expected = std::mem::replace(expecting.form(edge), form);
        self.forms.push(form ^ expected);
        let (likely, sure) = expecting.why(edge);
        self.reasons.push(reason ^ likely);
        let expected = if edge.is_some() && reason == likely {
            sure
        } else {
            usual.get(usize::from(reason)).copied().unwrap_or_default()
        };
        self.confidences.push(byte(&columns.confidence) ^ expected);
        expecting.learn(edge, number(&columns.line));
    }

    fn enclosing(&mut self, scene: &Scene<'_>, inner: u32, enclosing: u32) {
        let mut around = inner;
        for depth in 0..MAX_DEPTH {
            if around == enclosing {
                return self.depths.push(depth);
            }
            around = at(&scene.parent, around as usize);
        }
        self.depths.push(MAX_DEPTH);
        self.others.push(enclosing);
    }

    fn write(self, usual: &[u8], writer: &mut Writer) {
        writer.bytes(&self.depths);
        writer.numbers(self.others.iter().copied());
        writer.numbers(self.edges.iter().copied());
        let before = std::iter::once(0).chain(self.targets.iter().copied());
        let steps = self.targets.iter().zip(before);
        writer.numbers(steps.map(|(target, before)| zigzag32(target.wrapping_sub(before))));
        writer.bytes(&self.forms);
        writer.bytes(&self.reasons);
        writer.bytes(usual);
        writer.bytes(&self.confidences);
    }
}

/// The reverse of [`write`].
pub(super) fn read(
    reader: &mut Reader<'_>,
    scene: &Scene<'_>,
    rows: Rows<'_>,
    length: impl Fn(u32) -> u32,
) -> Result<(Occurrences, Vec<u32>), Fault> {
    let mut columns = Occurrences {
        offsets: reader.numbers()?,
        start: reader.numbers()?,
        line: reader.numbers()?,
        ..Occurrences::default()
    };
    let mut decoding = Decoding {
        depths: reader.bytes()?,
        others: reader.numbers()?.into_iter(),
        edges: reader.numbers()?,
        targets: reader.numbers()?.into_iter(),
        last_target: 0,
        forms: reader.bytes()?,
        reasons: reader.bytes()?,
        usual: reader.bytes()?,
        confidences: reader.bytes()?,
    };
    let n_uses = columns.start.len();
    if decoding.lengths() != [n_uses; 5] || columns.line.len() != n_uses {
        return Err(LENGTHS);
    }
    let mut expecting = Expecting::new(rows, scene);
    decoding.reserve(&mut columns);
    for file in 1..columns.offsets.len() {
        let end = at(&columns.offsets, file) as usize;
        let mut descent = Descent::new(scene, file as u32 - 1);
        for idx in columns.target.len()..end {
            let start = *columns.start.get(idx).ok_or(LENGTHS)?;
            decoding.next(idx, descent.to(start), scene, &mut expecting, &mut columns)?;
        }
    }
    if columns.target.len() != n_uses {
        return Err(LENGTHS);
    }
    columns.end = reader.numbers()?;
    let starts = columns.start.iter().zip(&columns.target);
    for (end, (start, target)) in columns.end.iter_mut().zip(starts) {
        *end = unzigzag32(*end).wrapping_add(start.wrapping_add(length(*target)));
    }
    Ok((columns, expecting.first_uses))
}

/// As [`Coded`], being read.
struct Decoding<'a> {
    depths: &'a [u8],
    others: std::vec::IntoIter<u32>,
    edges: Vec<u32>,
    targets: std::vec::IntoIter<u32>,
    last_target: u32,
    forms: &'a [u8],
    reasons: &'a [u8],
    usual: &'a [u8],
    confidences: &'a [u8],
}

impl Decoding<'_> {
    fn lengths(&self) -> [usize; 5] {
        [
            self.depths.len(),
            self.edges.len(),
            self.forms.len(),
            self.reasons.len(),
            self.confidences.len(),
        ]
    }

    fn reserve(&self, columns: &mut Occurrences) {
        let n_uses = self.edges.len();
        columns.target.reserve_exact(n_uses);
        columns.enclosing.reserve_exact(n_uses);
        columns.form.reserve_exact(n_uses);
        columns.reason.reserve_exact(n_uses);
        columns.confidence.reserve_exact(n_uses);
    }

    /// The use with this number, whose innermost definition is `inner`.
    fn next(
        &mut self,
        idx: usize,
        inner: u32,
        scene: &Scene<'_>,
        expecting: &mut Expecting<'_>,
        columns: &mut Occurrences,
    ) -> Result<(), Fault> {
        let enclosing = match self.depths[idx] {
            MAX_DEPTH => self.others.next().ok_or(NO_EDGE)?,
            depth => (0..depth).fold(inner, |node, _| at(&scene.parent, node as usize)),
        };
        let place = (self.edges[idx] as usize).checked_sub(1);
        let edge = place.map(|place| expecting.row(enclosing).start.saturating_add(place));
        let target = match edge {
            Some(edge) => *expecting.rows.targets.get(edge).ok_or(NO_EDGE)?,
            None => {
                let step = unzigzag32(self.targets.next().ok_or(NO_EDGE)?);
                self.last_target = self.last_target.wrapping_add(step);
                self.last_target
            }
        };
        let form = expecting.form(edge);
        *form ^= self.forms[idx];
        columns.form.push(*form);
        let (likely, sure) = expecting.why(edge);
        let reason = self.reasons[idx] ^ likely;
        let expected = if edge.is_some() && reason == likely {
            sure
        } else {
            let usual = self.usual.get(usize::from(reason));
            usual.copied().unwrap_or_default()
        };
        columns.reason.push(reason);
        columns.confidence.push(self.confidences[idx] ^ expected);
        columns.enclosing.push(enclosing);
        columns.target.push(target);
        expecting.learn(edge, at(&columns.line, idx));
        Ok(())
    }
}

const NO_EDGE: Fault = "a use has no such edge";
const LENGTHS: Fault = "columns of uses differ in length";
