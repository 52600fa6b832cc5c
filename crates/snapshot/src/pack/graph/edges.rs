//! Edges: their targets and lines, as differences from those that structure and uses predict.

use graph::EdgeKind;
use graph::frozen::{ArchivedEdges, Edges};

use super::super::super::columns::{Fault, Reader, Writer};
use super::super::super::planes::unzigzag32;
use super::scene::Scene;
use super::{at, native, natives};

/// Kinds of edges there can be.
const N_KINDS: usize = 256;

/// Expectations from the structure.
struct Structure {
    /// The first node in each node, and after each node the next in the same.
    first: Vec<u32>,
    next: Vec<u32>,
    /// The last target of each kind.
    last: [u32; N_KINDS],
    /// Kind and target of the edge before in the same row.
    before: Option<(u8, u32)>,
}

impl Structure {
    fn new(scene: &Scene<'_>) -> Self {
        let n_nodes = scene.parent.len();
        let [mut first, mut next] = [vec![0; n_nodes], vec![0; n_nodes]];
        for (node, parent) in (0..n_nodes as u32).zip(&*scene.parent).rev() {
            if let Some(first) = first.get_mut(*parent as usize) {
                next[node as usize] = std::mem::replace(first, node);
            }
        }
        Self {
            first,
            next,
            last: [0; N_KINDS],
            before: None,
        }
    }

    fn target(&self, source: u32, kind: u8) -> u32 {
        let before = self.before.filter(|before| before.0 == kind);
        if kind == EdgeKind::Contains as u8 || kind == EdgeKind::Defines as u8 {
            match before {
                Some((_, before)) => at(&self.next, before as usize),
                None => at(&self.first, source as usize),
            }
        } else if kind == EdgeKind::MemberOf as u8 || kind == EdgeKind::StepInProcess as u8 {
            self.last[usize::from(kind)]
        } else {
            before.map_or(source, |(_, before)| before.wrapping_add(1))
        }
    }

    fn learn(&mut self, kind: u8, target: u32) {
        self.last[usize::from(kind)] = target;
        self.before = Some((kind, target));
    }
}

/// The likely line of an edge: a definition at its name, a use where it is used first.
fn line(scene: &Scene<'_>, source: u32, kind: u8, target: u32, first_use: u32) -> u32 {
    if kind == EdgeKind::Defines as u8 {
        at(&scene.name_line, target as usize)
    } else if kind == EdgeKind::Contains as u8
        || kind == EdgeKind::MemberOf as u8
        || kind == EdgeKind::StepInProcess as u8
    {
        0
    } else if first_use != u32::MAX {
        first_use
    } else {
        at(&scene.start_line, source as usize)
    }
}

/// All columns but lines, which follow uses: see [`write_lines`].
pub(super) fn write(edges: &ArchivedEdges, scene: &Scene<'_>, writer: &mut Writer) {
    writer.archived(&edges.out_offsets);
    writer.bytes(&edges.kinds);
    let mut structure = Structure::new(scene);
    let offsets = natives(&edges.out_offsets);
    let mut pairs = Vec::with_capacity(edges.targets.len());
    let mut last_source = u32::MAX;
    let rows = sources(&offsets, edges.targets.len());
    for ((source, kind), target) in rows.zip(edges.kinds.iter()).zip(native(&edges.targets)) {
        if source != last_source {
            structure.before = None;
        }
        last_source = source;
        pairs.push((target, structure.target(source, *kind)));
        structure.learn(*kind, target);
    }
    writer.differences(pairs.into_iter());
    super::reasons(&edges.reasons, &edges.confidences, writer);
}

/// The reverse of [`write`].
pub(super) fn read(reader: &mut Reader<'_>, scene: &Scene<'_>) -> Result<Edges, Fault> {
    let mut edges = Edges {
        out_offsets: reader.numbers()?,
        kinds: reader.bytes()?.to_vec(),
        targets: reader.numbers()?,
        ..Edges::default()
    };
    let mut structure = Structure::new(scene);
    let mut last_source = u32::MAX;
    let rows = sources(&edges.out_offsets, edges.targets.len());
    for ((source, kind), target) in rows.zip(&edges.kinds).zip(&mut edges.targets) {
        if source != last_source {
            structure.before = None;
        }
        last_source = source;
        *target = unzigzag32(*target).wrapping_add(structure.target(source, *kind));
        structure.learn(*kind, *target);
    }
    (edges.reasons, edges.confidences) = super::read_reasons(reader)?;
    Ok(edges)
}

/// Lines of edges, given the line of the first use that each has.
pub(super) fn write_lines(
    edges: &ArchivedEdges,
    scene: &Scene<'_>,
    first_uses: &[u32],
    writer: &mut Writer,
) {
    let offsets = natives(&edges.out_offsets);
    let rows = sources(&offsets, edges.targets.len()).zip(edges.kinds.iter());
    let expected = rows.zip(native(&edges.targets)).zip(first_uses);
    let expected = expected.map(|(((source, kind), target), first_use)| {
        line(scene, source, *kind, target, *first_use)
    });
    writer.differences(native(&edges.lines).zip(expected));
}

/// The reverse of [`write_lines`].
pub(super) fn read_lines(
    reader: &mut Reader<'_>,
    edges: &mut Edges,
    scene: &Scene<'_>,
    first_uses: &[u32],
) -> Result<(), Fault> {
    edges.lines = reader.numbers()?;
    let rows = sources(&edges.out_offsets, edges.targets.len()).zip(&edges.kinds);
    let expected = rows.zip(&edges.targets).zip(first_uses);
    for (coded, (((source, kind), target), first_use)) in edges.lines.iter_mut().zip(expected) {
        let expected = line(scene, source, *kind, *target, *first_use);
        *coded = unzigzag32(*coded).wrapping_add(expected);
    }
    Ok(())
}

/// The source of each edge.
fn sources(offsets: &[u32], n_edges: usize) -> impl Iterator<Item = u32> + '_ {
    let mut left = 0;
    let rows = (0_u32..).zip(offsets.iter().skip(1));
    rows.flat_map(move |(row, end)| {
        let end = (*end as usize).clamp(left, n_edges);
        let n = end - std::mem::replace(&mut left, end);
        std::iter::repeat_n(row, n)
    })
}
