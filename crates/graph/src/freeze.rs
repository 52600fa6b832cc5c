//! Sorts nodes, edges and uses into the frozen columns.

use std::borrow::Cow;
use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap;
use syntax::Language;
use syntax::facts::{ReferenceForm, Span, SymbolKind};

use crate::centrality::centrality;
use crate::communities::Clustering;
use crate::frozen::{Communities, Edges, Graph, NONE, Nodes, Occurrences, Processes, Strings};
use crate::kinds::{EdgeKind, NodeKind, Reason};
use crate::layout::Layout;
use crate::processes::{Flow, flows};

/// An edge before it is sorted in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct RawEdge {
    pub source: u32,
    pub kind: EdgeKind,
    pub target: u32,
    pub line: u32,
    pub confidence: u8,
    pub reason: Reason,
}

/// A resolved use before it is sorted in.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RawUse {
    pub span: Span,
    pub form: ReferenceForm,
    pub target: u32,
    pub reason: Reason,
    pub confidence: u8,
    pub enclosing: u32,
}

/// What resolution found.
#[derive(Default)]
pub(crate) struct Resolution {
    /// Uses of each file.
    pub uses: Vec<Vec<RawUse>>,
    /// Edges beyond those of structure and calls.
    pub edges: Vec<RawEdge>,
    /// Names of packages outside; their nodes follow the symbols.
    pub externals: Vec<String>,
}

/// Strings that were met, borrowed from the facts where they can be.
struct StringTable<'a> {
    strings: Strings,
    known: FxHashMap<Cow<'a, str>, u32>,
}

impl<'a> StringTable<'a> {
    /// A table with room for so many strings.
    fn new(n_strings: usize) -> Self {
        let mut table = StringTable {
            strings: Strings {
                text: String::new(),
                offsets: vec![0],
            },
            known: FxHashMap::with_capacity_and_hasher(n_strings, Default::default()),
        };
        table.add(Cow::Borrowed(""));
        table
    }

    fn add(&mut self, text: Cow<'a, str>) -> u32 {
        match self.known.entry(text) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(new) => {
                let id = self.strings.offsets.len() as u32 - 1;
                self.strings.text.push_str(new.key());
                self.strings.offsets.push(self.strings.text.len() as u32);
                *new.insert(id)
            }
        }
    }
}

struct NewNode<'a> {
    kind: NodeKind,
    symbol_kind: Option<SymbolKind>,
    name: &'a str,
    parent: u32,
    file: u32,
    span: Span,
    name_span: Span,
    signature: &'a str,
    doc: &'a str,
    modifiers: u32,
    complexity: u16,
}

impl<'a> NewNode<'a> {
    fn plain(kind: NodeKind, path: &'a str, parent: u32, file: u32) -> Self {
        let name = match kind {
            NodeKind::File | NodeKind::Folder => path.rsplit('/').next().unwrap_or(path),
            _ => path,
        };
        NewNode {
            kind,
            symbol_kind: None,
            name,
            parent,
            file,
            span: Span::default(),
            name_span: Span::default(),
            signature: path,
            doc: "",
            modifiers: 0,
            complexity: 0,
        }
    }

    fn push_to(self, nodes: &mut Nodes, strings: &mut StringTable<'a>) {
        self.push_with(nodes, |text| strings.add(Cow::Borrowed(text)));
    }

    /// As [`Self::push_to`], for names that do not live as long as the table.
    fn push_owned(self, nodes: &mut Nodes, strings: &mut StringTable<'_>) {
        self.push_with(nodes, |text| strings.add(Cow::Owned(text.to_owned())));
    }

    fn push_with(self, nodes: &mut Nodes, mut add: impl FnMut(&'a str) -> u32) {
        nodes.kind.push(self.kind as u8);
        nodes
            .symbol_kind
            .push(self.symbol_kind.map_or(u8::MAX, |kind| kind as u8));
        nodes.name.push(add(self.name));
        nodes.parent.push(self.parent);
        nodes.file.push(self.file);
        nodes.start.push(self.span.start);
        nodes.end.push(self.span.end);
        nodes.start_line.push(self.span.start_line);
        nodes.end_line.push(self.span.end_line);
        nodes.name_start.push(self.name_span.start);
        nodes.name_end.push(self.name_span.end);
        nodes.name_line.push(self.name_span.start_line);
        nodes.signature.push(add(self.signature));
        nodes.doc.push(add(self.doc));
        nodes.modifiers.push(self.modifiers);
        nodes.complexity.push(self.complexity);
    }
}

/// The frozen graph of a layout and what was resolved in it.
pub(crate) fn freeze(layout: &Layout<'_>, resolution: Resolution) -> Graph {
    let mut resolution = resolution;
    let externals = std::mem::take(&mut resolution.externals);
    let mut strings = StringTable::new(2 * layout.end() as usize);
    let mut nodes = nodes(layout, &externals, &mut strings);
    let n_resolved = nodes.kind.len();
    let mut raw = resolution.edges;
    structure_edges(layout, &mut raw);
    use_edges(layout, &resolution.uses, &mut raw);
    let mut sorted = sorted(raw);
    let resolved = edges(&sorted, n_resolved);
    nodes.centrality = centrality(&resolved, n_resolved);

    let clustering = Clustering::new(layout, &resolved, &nodes.centrality);
    let flows = flows(layout, &resolution.uses, &resolved, &clustering);
    let communities = community_nodes(&clustering, &mut nodes, &mut strings, &mut sorted);
    let processes = process_nodes(&flows, &mut nodes, &mut strings, &mut sorted);
    let n_nodes = nodes.kind.len();
    nodes.centrality.resize(n_nodes, 0.0);
    // Two sorted runs: the sort merges them.
    sorted.sort_by_key(|edge| (edge.source, edge.kind, edge.target));
    Graph {
        n_files: layout.files.len() as u32,
        n_folders: layout.folders.len() as u32,
        by_name: by_name(layout),
        strings: strings.strings,
        nodes,
        symbol_offsets: layout.symbol_offsets.clone(),
        edges: edges(&sorted, n_nodes),
        occurrences: occurrences(&resolution.uses, n_nodes),
        communities,
        processes,
    }
}

/// Communities as nodes, and the edges to them.
fn community_nodes(
    clustering: &Clustering,
    nodes: &mut Nodes,
    strings: &mut StringTable<'_>,
    edges: &mut Vec<RawEdge>,
) -> Communities {
    let first = nodes.kind.len() as u32;
    for label in &clustering.labels {
        NewNode::plain(NodeKind::Community, label, NONE, NONE).push_owned(nodes, strings);
    }
    let members = (0u32..).zip(&clustering.of_node);
    for (node, community) in members.filter(|(_, community)| **community != NONE) {
        edges.push(RawEdge {
            source: node,
            kind: EdgeKind::MemberOf,
            target: first + community,
            line: 0,
            confidence: Reason::Clustering.confidence(),
            reason: Reason::Clustering,
        });
    }
    Communities {
        first,
        cohesion: clustering.cohesion.clone(),
    }
}

/// Processes as nodes, and the edges to them.
fn process_nodes(
    flows: &[Flow],
    nodes: &mut Nodes,
    strings: &mut StringTable<'_>,
    edges: &mut Vec<RawEdge>,
) -> Processes {
    let mut processes = Processes {
        first: nodes.kind.len() as u32,
        offsets: vec![0],
        ..Processes::default()
    };
    for flow in flows {
        let target = nodes.kind.len() as u32;
        NewNode::plain(NodeKind::Process, &flow.label, NONE, NONE).push_owned(nodes, strings);
        processes.kinds.push(flow.kind as u8);
        processes.entries.push(flow.entry_kind as u8);
        processes.scores.push(flow.score);
        for (step, (&source, &confidence)) in (1..).zip(flow.steps.iter().zip(&flow.confidences)) {
            processes.steps.push(source);
            processes.confidences.push(confidence);
            edges.push(RawEdge {
                source,
                kind: EdgeKind::StepInProcess,
                target,
                line: step,
                confidence,
                reason: Reason::Tracing,
            });
        }
        processes.offsets.push(processes.steps.len() as u32);
    }
    processes
}

fn nodes<'a>(layout: &Layout<'a>, externals: &'a [String], strings: &mut StringTable<'a>) -> Nodes {
    let mut nodes = Nodes::default();
    for (index, file) in layout.files.iter().enumerate() {
        let mut node = NewNode::plain(
            NodeKind::File,
            file.path,
            layout.folder_of_file[index],
            index as u32,
        );
        node.span.end_line = file.facts.n_lines.saturating_sub(1);
        node.push_to(&mut nodes, strings);
    }
    for (path, &parent) in layout.folders.iter().zip(&layout.folder_of_folder) {
        NewNode::plain(NodeKind::Folder, path, parent, NONE).push_to(&mut nodes, strings);
    }
    for (file, symbol) in layout.symbols() {
        NewNode {
            kind: NodeKind::Symbol,
            symbol_kind: Some(symbol.kind),
            name: &symbol.name,
            parent: symbol
                .parent
                .map_or(file, |parent| layout.node(file, parent)),
            file,
            span: symbol.span,
            name_span: symbol.name_span,
            signature: &symbol.signature,
            doc: &symbol.doc,
            modifiers: symbol.modifiers,
            complexity: symbol.complexity,
        }
        .push_to(&mut nodes, strings);
    }
    for name in externals {
        NewNode::plain(NodeKind::External, name, NONE, NONE).push_to(&mut nodes, strings);
    }
    nodes
}

fn structure_edges(layout: &Layout<'_>, raw: &mut Vec<RawEdge>) {
    let n_files = layout.files.len();
    let mut add = |source: u32, kind, target: u32, line| {
        if source != NONE {
            raw.push(RawEdge {
                source,
                kind,
                target,
                line,
                confidence: 100,
                reason: Reason::Structure,
            });
        }
    };
    for (file, &folder) in layout.folder_of_file.iter().enumerate() {
        add(folder, EdgeKind::Contains, file as u32, 0);
    }
    for (index, &folder) in layout.folder_of_folder.iter().enumerate() {
        add(folder, EdgeKind::Contains, (n_files + index) as u32, 0);
    }
    for (node, (file, symbol)) in (layout.first_symbol()..).zip(layout.symbols()) {
        let parent = symbol
            .parent
            .map_or(file, |parent| layout.node(file, parent));
        add(parent, EdgeKind::Defines, node, symbol.name_span.start_line);
    }
}

/// Calls and references: one edge for each pair of function (or file) and target.
fn use_edges(layout: &Layout<'_>, uses: &[Vec<RawUse>], raw: &mut Vec<RawEdge>) {
    for (file, uses) in uses.iter().enumerate() {
        let base = layout.symbol_offsets[file];
        for used in uses
            .iter()
            .filter(|used| used.target >= layout.first_symbol())
        {
            let source = innermost_function(layout, file as u32, used.enclosing, base);
            // An attribute of Rust is expanded, not called.
            let is_attribute = used.form == ReferenceForm::Decorator
                && layout.files[file].facts.language == Language::Rust;
            let kind = if used.form.is_call() && !is_attribute {
                EdgeKind::Calls
            } else {
                EdgeKind::References
            };
            raw.push(RawEdge {
                source,
                kind,
                target: used.target,
                line: used.span.start_line,
                confidence: used.confidence,
                reason: used.reason,
            });
        }
    }
}

/// The innermost named function around a use, else the file.
fn innermost_function(layout: &Layout<'_>, file: u32, enclosing: u32, base: u32) -> u32 {
    use SymbolKind::{Constructor, Function, Macro, Method};
    let symbols = &layout.files[file as usize].facts.symbols;
    let mut current = enclosing.checked_sub(base);
    while let Some(symbol) = current.and_then(|local| symbols.get(local as usize)) {
        let named = !symbol.is(syntax::facts::Modifiers::ANONYMOUS);
        if named && matches!(symbol.kind, Function | Method | Constructor | Macro) {
            return base + current.unwrap_or_default();
        }
        current = symbol.parent.filter(|&parent| Some(parent) < current);
    }
    file
}

/// One edge for each source, kind and target, in this order.
fn sorted(mut raw: Vec<RawEdge>) -> Vec<RawEdge> {
    // Of several uses the surest rule stands for the edge, and the first line.
    raw.sort_unstable_by_key(|e| {
        (
            e.source,
            e.kind,
            e.target,
            std::cmp::Reverse(e.confidence),
            e.reason,
            e.line,
        )
    });
    let mut kept: Vec<RawEdge> = Vec::with_capacity(raw.len());
    for edge in raw {
        match kept.last_mut() {
            Some(last)
                if (last.source, last.kind, last.target)
                    == (edge.source, edge.kind, edge.target) =>
            {
                last.line = last.line.min(edge.line);
            }
            _ => kept.push(edge),
        }
    }
    kept
}

fn edges(kept: &[RawEdge], n_nodes: usize) -> Edges {
    let mut edges = Edges {
        out_offsets: offsets(kept.iter().map(|e| e.source), n_nodes),
        ..Edges::default()
    };
    for edge in kept {
        edges.targets.push(edge.target);
        edges.kinds.push(edge.kind as u8);
        edges.confidences.push(edge.confidence);
        edges.reasons.push(edge.reason as u8);
        edges.lines.push(edge.line);
    }
    let mut order: Vec<u32> = (0..kept.len() as u32).collect();
    order.sort_by_key(|&index| kept[index as usize].target);
    edges.in_offsets = offsets(
        order.iter().map(|&index| kept[index as usize].target),
        n_nodes,
    );
    edges.in_sources = order
        .iter()
        .map(|&index| kept[index as usize].source)
        .collect();
    edges.in_edges = order;
    edges
}

fn occurrences(uses: &[Vec<RawUse>], n_nodes: usize) -> Occurrences {
    let mut columns = Occurrences::default();
    columns.offsets.push(0);
    for uses in uses {
        let mut sorted: Vec<&RawUse> = uses.iter().collect();
        sorted.sort_by_key(|used| (used.span.start, std::cmp::Reverse(used.confidence)));
        for used in sorted {
            columns.start.push(used.span.start);
            columns.end.push(used.span.end);
            columns.line.push(used.span.start_line);
            columns.form.push(used.form as u8);
            columns.target.push(used.target);
            columns.confidence.push(used.confidence);
            columns.reason.push(used.reason as u8);
            columns.enclosing.push(used.enclosing);
        }
        columns.offsets.push(columns.start.len() as u32);
    }
    let mut order: Vec<u32> = (0..columns.start.len() as u32).collect();
    order.sort_by_key(|&index| columns.target[index as usize]);
    columns.use_offsets = offsets(
        order.iter().map(|&index| columns.target[index as usize]),
        n_nodes,
    );
    columns.uses = order;
    columns
}

/// Row offsets of keys that come sorted and lie below `n_rows`.
fn offsets(sorted_keys: impl Iterator<Item = u32>, n_rows: usize) -> Vec<u32> {
    let mut offsets = vec![0u32; n_rows + 1];
    for key in sorted_keys {
        if let Some(count) = offsets.get_mut(key as usize + 1) {
            *count += 1;
        }
    }
    for index in 0..n_rows {
        offsets[index + 1] += offsets[index];
    }
    offsets
}

fn by_name(layout: &Layout<'_>) -> Vec<u32> {
    let mut order: Vec<(&str, u32)> = (layout.first_symbol()..)
        .zip(layout.symbols())
        .map(|(node, (_, symbol))| (symbol.name.as_str(), node))
        .collect();
    order.sort_unstable();
    order.into_iter().map(|(_, node)| node).collect()
}
