//! The graph: spans relative to where they are expected, confidences to what their reason usually gives; the other direction of
//! edges and uses is left out.

use graph::frozen::{
    ArchivedGraph, ArchivedNodes, Communities, Edges, Graph, Nodes, Occurrences, Processes, Strings,
};
use graph::{EdgeKind, GraphView};
use rkyv::rend::u32_le;

use super::super::columns::{Fault, Reader, Writer, unpack};

pub(in super::super) fn pack_graph(graph: &ArchivedGraph) -> Vec<u8> {
    let mut writer = Writer::default();
    writer.number(u64::from(graph.n_files.to_native()));
    writer.number(u64::from(graph.n_folders.to_native()));
    writer.archived(&graph.strings.offsets);
    writer.bytes(graph.strings.text.as_bytes());
    writer.archived(&graph.symbol_offsets);
    writer.archived(&graph.by_name);
    nodes(&graph.nodes, &graph.strings.offsets, &mut writer);
    edges(graph, &mut writer);
    occurrences(graph, &mut writer);
    writer.number(u64::from(graph.communities.first.to_native()));
    writer.archived_float(&graph.communities.cohesion);
    let processes = &graph.processes;
    writer.number(u64::from(processes.first.to_native()));
    writer.bytes(&processes.kinds);
    writer.bytes(&processes.entries);
    writer.archived_float(&processes.scores);
    writer.archived(&processes.offsets);
    writer.archived(&processes.steps);
    writer.bytes(&processes.confidences);
    writer.pack()
}

fn native(column: &[u32_le]) -> impl Iterator<Item = u32> + Clone + '_ {
    column.iter().map(|value| value.to_native())
}

fn nodes(nodes: &ArchivedNodes, offsets: &[u32_le], writer: &mut Writer) {
    writer.bytes(&nodes.kind);
    writer.bytes(&nodes.symbol_kind);
    let mut fresh = Fresh::default();
    let strings = native(&nodes.name)
        .zip(native(&nodes.signature))
        .zip(native(&nodes.doc));
    let coded: Vec<[u32; 3]> = strings
        .map(|((name, signature), doc)| [name, signature, doc].map(|id| fresh.code(id)))
        .collect();
    for column in 0..3 {
        writer.numbers(coded.iter().map(|codes| codes[column]));
    }
    // None is the largest number there is: one more is 0.
    writer.numbers(native(&nodes.parent).map(|parent| parent.wrapping_add(1)));
    writer.numbers(native(&nodes.file).map(|file| file.wrapping_add(1)));
    writer.archived(&nodes.start);
    writer.differences(native(&nodes.end).zip(native(&nodes.start)));
    writer.archived(&nodes.start_line);
    writer.differences(native(&nodes.end_line).zip(native(&nodes.start_line)));
    writer.differences(native(&nodes.name_start).zip(native(&nodes.start)));
    let lengths = native(&nodes.name).zip(native(&nodes.name_start));
    let name_ends = lengths.map(|(name, start)| start.wrapping_add(length_of(offsets, name)));
    writer.differences(native(&nodes.name_end).zip(name_ends));
    writer.differences(native(&nodes.name_line).zip(native(&nodes.start_line)));
    writer.archived(&nodes.modifiers);
    writer.archived_short(&nodes.complexity);
    writer.archived_float(&nodes.centrality);
}

fn length_of(offsets: &[u32_le], string: u32) -> u32 {
    let at = |idx: usize| offsets.get(idx).map_or(0, |at| at.to_native());
    at(string as usize + 1).wrapping_sub(at(string as usize))
}

/// Numbers of strings that were given in the order in which they turned up: the empty one is 0, a new one 1, others are how far
/// back or ahead they are.
struct Fresh {
    next: u32,
}

impl Default for Fresh {
    fn default() -> Self {
        // String 0 is empty.
        Self { next: 1 }
    }
}

impl Fresh {
    fn code(&mut self, id: u32) -> u32 {
        if id == 0 {
            0
        } else if id == self.next {
            self.next += 1;
            1
        } else if id < self.next {
            (self.next - id) << 1
        } else {
            (id - self.next) << 1 | 1
        }
    }

    fn id(&mut self, code: u32) -> u32 {
        match code {
            0 => 0,
            1 => {
                self.next = self.next.wrapping_add(1);
                self.next.wrapping_sub(1)
            }
            ahead if ahead & 1 == 1 => self.next.wrapping_add(ahead >> 1),
            back => self.next.wrapping_sub(back >> 1),
        }
    }
}

fn edges(graph: &ArchivedGraph, writer: &mut Writer) {
    let edges = &graph.edges;
    writer.archived(&edges.out_offsets);
    writer.bytes(&edges.kinds);
    writer.archived(&edges.targets);
    reasons(&edges.reasons, &edges.confidences, writer);
    let sources = sources(&edges.out_offsets, edges.targets.len());
    let native_targets = native(&edges.targets);
    let lines = sources
        .into_iter()
        .zip(native_targets)
        .zip(edges.kinds.iter());
    let expected = lines.map(|((source, target), kind)| {
        expected_line(*kind, source, target, &|node| {
            let line = |column: &[u32_le]| column.get(node as usize).map_or(0, |l| l.to_native());
            (line(&graph.nodes.start_line), line(&graph.nodes.name_line))
        })
    });
    writer.differences(native(&edges.lines).zip(expected));
}

/// The source of each edge.
fn sources(offsets: &[u32_le], n_edges: usize) -> Vec<u32> {
    rows_of(native(offsets), n_edges)
}

fn rows_of(offsets: impl Iterator<Item = u32> + Clone, n_entries: usize) -> Vec<u32> {
    let mut rows = Vec::with_capacity(n_entries);
    for (row, end) in (0..).zip(offsets.skip(1)) {
        rows.resize((end as usize).clamp(rows.len(), n_entries), row);
    }
    rows.resize(n_entries, 0);
    rows
}

/// Where an edge is likely to say it stands: a definition at its name, a use after the start of what uses.
fn expected_line(kind: u8, source: u32, target: u32, lines: &dyn Fn(u32) -> (u32, u32)) -> u32 {
    if kind == EdgeKind::Defines as u8 {
        lines(target).1
    } else if kind == EdgeKind::Contains as u8
        || kind == EdgeKind::MemberOf as u8
        || kind == EdgeKind::StepInProcess as u8
    {
        0
    } else {
        lines(source).0
    }
}

/// Reasons, and confidences as far as they are not what most of their reason have.
fn reasons(reasons: &[u8], confidences: &[u8], writer: &mut Writer) {
    let mut counts = vec![[0_u32; 256]; 256];
    for (reason, confidence) in reasons.iter().zip(confidences) {
        counts[usize::from(*reason)][usize::from(*confidence)] += 1;
    }
    let usual = |counts: &[u32; 256]| {
        let most = (0..=u8::MAX).max_by_key(|confidence| counts[usize::from(*confidence)]);
        most.unwrap_or_default()
    };
    let usual: Vec<u8> = counts.iter().map(usual).collect();
    writer.bytes(reasons);
    writer.bytes(&usual);
    let unusual = reasons.iter().zip(confidences);
    let unusual = unusual.map(|(reason, confidence)| confidence ^ usual[usize::from(*reason)]);
    writer.bytes(&unusual.collect::<Vec<u8>>());
}

fn read_reasons(reader: &mut Reader<'_>) -> Result<(Vec<u8>, Vec<u8>), Fault> {
    let reasons = reader.bytes()?.to_vec();
    let usual = reader.bytes()?;
    let unusual = reader.bytes()?;
    if unusual.len() != reasons.len() {
        return Err("columns of reasons differ in length");
    }
    let usual = |reason: u8| usual.get(usize::from(reason)).copied().unwrap_or_default();
    let pairs = reasons.iter().zip(unusual);
    let confidences = pairs
        .map(|(reason, unusual)| unusual ^ usual(*reason))
        .collect();
    Ok((reasons, confidences))
}

fn occurrences(graph: &ArchivedGraph, writer: &mut Writer) {
    let columns = &graph.occurrences;
    let view = GraphView(graph);
    writer.archived(&columns.offsets);
    writer.archived(&columns.start);
    writer.archived(&columns.target);
    let ends = native(&columns.start).zip(native(&columns.target));
    let ends = ends
        .map(|(start, target)| start.wrapping_add(view.name(graph::NodeId(target)).len() as u32));
    writer.differences(native(&columns.end).zip(ends));
    writer.archived(&columns.line);
    writer.bytes(&columns.form);
    reasons(&columns.reason, &columns.confidence, writer);
    writer.archived(&columns.enclosing);
}

pub(in super::super) fn unpack_graph(packed: &[u8]) -> Result<Graph, Fault> {
    let bytes = unpack(packed)?;
    let mut reader = Reader::new(&bytes);
    let mut graph = Graph {
        n_files: reader.number()? as u32,
        n_folders: reader.number()? as u32,
        ..Graph::default()
    };
    graph.strings = Strings {
        offsets: reader.numbers()?,
        text: reader.text()?.to_owned(),
    };
    graph.symbol_offsets = reader.numbers()?;
    graph.by_name = reader.numbers()?;
    graph.nodes = read_nodes(&mut reader, &graph.strings)?;
    let n_nodes = graph.nodes.kind.len();
    graph.edges = read_edges(&mut reader, &graph.nodes)?;
    graph.edges.index_targets(n_nodes);
    graph.occurrences = read_occurrences(&mut reader, &graph)?;
    graph.occurrences.index_targets(n_nodes);
    graph.communities = Communities {
        first: reader.number()? as u32,
        cohesion: reader.floats()?,
    };
    graph.processes = Processes {
        first: reader.number()? as u32,
        kinds: reader.bytes()?.to_vec(),
        entries: reader.bytes()?.to_vec(),
        scores: reader.floats()?,
        offsets: reader.numbers()?,
        steps: reader.numbers()?,
        confidences: reader.bytes()?.to_vec(),
    };
    reader.end()?;
    Ok(graph)
}

fn read_nodes(reader: &mut Reader<'_>, strings: &Strings) -> Result<Nodes, Fault> {
    let mut nodes = Nodes {
        kind: reader.bytes()?.to_vec(),
        symbol_kind: reader.bytes()?.to_vec(),
        name: reader.numbers()?,
        signature: reader.numbers()?,
        doc: reader.numbers()?,
        ..Nodes::default()
    };
    let mut fresh = Fresh::default();
    let columns = nodes
        .name
        .iter_mut()
        .zip(&mut nodes.signature)
        .zip(&mut nodes.doc);
    for ((name, signature), doc) in columns {
        for id in [name, signature, doc] {
            *id = fresh.id(*id);
        }
    }
    let less_one = |column: Vec<u32>| column.into_iter().map(|id| id.wrapping_sub(1)).collect();
    nodes.parent = less_one(reader.numbers()?);
    nodes.file = less_one(reader.numbers()?);
    let at = |column: &[u32], idx: usize| column.get(idx).copied().unwrap_or_default();
    nodes.start = reader.numbers()?;
    nodes.end = reader.differences(|idx| at(&nodes.start, idx))?;
    nodes.start_line = reader.numbers()?;
    nodes.end_line = reader.differences(|idx| at(&nodes.start_line, idx))?;
    nodes.name_start = reader.differences(|idx| at(&nodes.start, idx))?;
    let length = |string: u32| {
        let start = at(&strings.offsets, string as usize);
        at(&strings.offsets, (string as usize).wrapping_add(1)).wrapping_sub(start)
    };
    nodes.name_end = reader
        .differences(|idx| at(&nodes.name_start, idx).wrapping_add(length(at(&nodes.name, idx))))?;
    nodes.name_line = reader.differences(|idx| at(&nodes.start_line, idx))?;
    nodes.modifiers = reader.numbers()?;
    nodes.complexity = reader.shorts()?;
    nodes.centrality = reader.floats()?;
    Ok(nodes)
}

fn read_edges(reader: &mut Reader<'_>, nodes: &Nodes) -> Result<Edges, Fault> {
    let mut edges = Edges {
        out_offsets: reader.numbers()?,
        kinds: reader.bytes()?.to_vec(),
        targets: reader.numbers()?,
        ..Edges::default()
    };
    (edges.reasons, edges.confidences) = read_reasons(reader)?;
    let sources = rows_of(edges.out_offsets.iter().copied(), edges.targets.len());
    let at = |column: &[u32], idx: usize| column.get(idx).copied().unwrap_or_default();
    edges.lines = reader.differences(|idx| {
        let kind = edges.kinds.get(idx).copied().unwrap_or_default();
        expected_line(kind, at(&sources, idx), at(&edges.targets, idx), &|node| {
            let node = node as usize;
            (at(&nodes.start_line, node), at(&nodes.name_line, node))
        })
    })?;
    Ok(edges)
}

fn read_occurrences(reader: &mut Reader<'_>, graph: &Graph) -> Result<Occurrences, Fault> {
    let mut columns = Occurrences {
        offsets: reader.numbers()?,
        start: reader.numbers()?,
        target: reader.numbers()?,
        ..Occurrences::default()
    };
    let at = |column: &[u32], idx: usize| column.get(idx).copied().unwrap_or_default();
    let length = |node: u32| {
        let string = at(&graph.nodes.name, node as usize) as usize;
        let start = at(&graph.strings.offsets, string);
        at(&graph.strings.offsets, string.wrapping_add(1)).wrapping_sub(start)
    };
    columns.end = reader.differences(|idx| {
        at(&columns.start, idx).wrapping_add(length(at(&columns.target, idx)))
    })?;
    columns.line = reader.numbers()?;
    columns.form = reader.bytes()?.to_vec();
    (columns.reason, columns.confidence) = read_reasons(reader)?;
    columns.enclosing = reader.numbers()?;
    Ok(columns)
}
