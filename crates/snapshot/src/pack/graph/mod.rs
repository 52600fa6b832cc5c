//! The graph: spans relative to where they are expected, confidences to what their reason usually gives, uses to the edges that come of
//! them; the other direction of edges and uses is left out.

mod edges;
mod nodes;
mod scene;
mod uses;

use std::ops::Range;

use graph::frozen::{ArchivedGraph, Communities, Graph, Processes};
use rkyv::rend::u32_le;

use super::super::columns::{Fault, Reader, Writer};
use super::super::frames::KnownFrames;
use scene::Scene;
use uses::Rows;

pub(in super::super) fn pack_graph(graph: &ArchivedGraph, known: &KnownFrames) -> Vec<u8> {
    let mut writer = Writer::default();
    writer.number(u64::from(graph.n_files.to_native()));
    writer.number(u64::from(graph.n_folders.to_native()));
    writer.archived(&graph.strings.offsets);
    writer.bytes(graph.strings.text.as_bytes());
    writer.archived(&graph.symbol_offsets);
    writer.archived(&graph.by_name);
    nodes::write(&graph.nodes, &graph.strings.offsets, &mut writer);
    let scene = Scene::archived(graph);
    edges::write(&graph.edges, &scene, &mut writer);
    let [offsets, targets] = [&graph.edges.out_offsets, &graph.edges.targets].map(|c| natives(c));
    let rows = Rows {
        offsets: &offsets,
        targets: &targets,
        kinds: &graph.edges.kinds,
        reasons: &graph.edges.reasons,
        confidences: &graph.edges.confidences,
    };
    let view = graph::GraphView::new(graph);
    let length = |node: u32| view.name(graph::NodeId(node)).len() as u32;
    let first_uses = uses::write(&graph.occurrences, &scene, rows, length, &mut writer);
    edges::write_lines(&graph.edges, &scene, &first_uses, &mut writer);
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
    writer.number(u64::from(graph.is_reusable));
    writer.pack_with(known)
}

pub(in super::super) fn unpack_graph(mut bytes: Vec<u8>) -> Result<Graph, Fault> {
    let (mut graph, text) = columns(&bytes)?;
    // The text is most of it, and stays where it is.
    bytes.truncate(text.end);
    bytes.drain(..text.start);
    graph.strings.text = String::from_utf8(bytes).map_err(|_| NO_TEXT)?;
    Ok(graph)
}

/// All but the text of the strings, and where in the bytes that is.
fn columns(bytes: &[u8]) -> Result<(Graph, Range<usize>), Fault> {
    let mut reader = Reader::new(bytes);
    let mut graph = Graph {
        n_files: reader.number()? as u32,
        n_folders: reader.number()? as u32,
        ..Graph::default()
    };
    graph.strings.offsets = reader.numbers()?;
    let text = reader.bytes()?.len();
    let end = bytes.len() - reader.rest().len();
    let text = end - text..end;
    graph.symbol_offsets = reader.numbers()?;
    if !graph.symbol_offsets.is_sorted() {
        return Err("definitions of a file are those of another");
    }
    graph.by_name = reader.numbers()?;
    graph.nodes = nodes::read(&mut reader, &graph.strings)?;
    let n_nodes = graph.nodes.kind.len();
    let scene = Scene::of(&graph);
    let mut edges = edges::read(&mut reader, &scene)?;
    let rows = Rows {
        offsets: &edges.out_offsets,
        targets: &edges.targets,
        kinds: &edges.kinds,
        reasons: &edges.reasons,
        confidences: &edges.confidences,
    };
    let length = |node: u32| {
        let string = at(&graph.nodes.name, node as usize) as usize;
        let start = at(&graph.strings.offsets, string);
        at(&graph.strings.offsets, string.wrapping_add(1)).wrapping_sub(start)
    };
    let (mut uses, first_uses) = uses::read(&mut reader, &scene, rows, length)?;
    edges::read_lines(&mut reader, &mut edges, &scene, &first_uses)?;
    drop(scene);
    edges.index_targets(n_nodes);
    uses.index_targets(n_nodes);
    (graph.edges, graph.occurrences) = (edges, uses);
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
    graph.is_reusable = reader.number()? != 0;
    reader.end()?;
    Ok((graph, text))
}

const NO_TEXT: Fault = "a text is not UTF-8";

fn native(column: &[u32_le]) -> impl Iterator<Item = u32> + Clone + '_ {
    column.iter().map(|value| value.to_native())
}

fn natives(column: &[u32_le]) -> Vec<u32> {
    native(column).collect()
}

fn at(column: &[u32], idx: usize) -> u32 {
    column.get(idx).copied().unwrap_or_default()
}

/// The confidence that most of each reason have.
fn usual_confidences(reasons: &[u8], confidences: &[u8]) -> Vec<u8> {
    let mut counts = vec![[0_u32; 256]; 256];
    for (reason, confidence) in reasons.iter().zip(confidences) {
        counts[usize::from(*reason)][usize::from(*confidence)] += 1;
    }
    let usual = |counts: &[u32; 256]| {
        let most = (0..=u8::MAX).max_by_key(|confidence| counts[usize::from(*confidence)]);
        most.unwrap_or_default()
    };
    counts.iter().map(usual).collect()
}

/// Reasons, and those confidences that differ from the usual one of their reason.
fn reasons(reasons: &[u8], confidences: &[u8], writer: &mut Writer) {
    let usual = usual_confidences(reasons, confidences);
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
