//! Graphviz and Mermaid: pictures, with the nodes of a file in one box.

use std::fmt::Write;

use crate::kinds::{EdgeKind, NodeId, NodeKind};
use crate::view::{Edge, GraphView};
use crate::walk::Subgraph;

/// Longer names are cut: a box holds a line.
const MAX_NAME: usize = 60;

pub(super) fn dot(view: GraphView<'_>, name: &str, piece: &Subgraph) -> String {
    let mut text = format!(
        "digraph \"{}\" {{\n  rankdir=LR;\n  node [shape=box, style=rounded, fontname=\"sans-serif\"];\n",
        in_dot(name)
    );
    for (path, nodes) in boxes(view, piece) {
        let indent = if path.is_empty() { "  " } else { "    " };
        if let Some(first) = nodes.first().filter(|_| !path.is_empty()) {
            let _ = writeln!(
                text,
                "  subgraph cluster_{} {{\n    label=\"{}\";",
                first.0,
                in_dot(path)
            );
        }
        for node in &nodes {
            let label = in_dot(&shown(view, *node));
            let shape = match view.kind(*node) {
                NodeKind::Symbol => "",
                NodeKind::File => ", shape=note",
                NodeKind::Folder => ", shape=folder",
                NodeKind::External => ", shape=component",
                NodeKind::Community | NodeKind::Process => ", shape=ellipse",
            };
            let _ = writeln!(text, "{indent}n{} [label=\"{label}\"{shape}];", node.0);
        }
        if !path.is_empty() {
            text.push_str("  }\n");
        }
    }
    for edge in &piece.edges {
        let style = if edge.kind == EdgeKind::Calls {
            String::new()
        } else {
            format!(" [label=\"{}\", style=dashed]", words(edge))
        };
        let _ = writeln!(text, "  n{} -> n{}{style};", edge.source.0, edge.target.0);
    }
    text.push_str("}\n");
    text
}

pub(super) fn mermaid(view: GraphView<'_>, piece: &Subgraph) -> String {
    let mut text = String::from("flowchart LR\n");
    for (path, nodes) in boxes(view, piece) {
        let indent = if path.is_empty() { "  " } else { "    " };
        if let Some(first) = nodes.first().filter(|_| !path.is_empty()) {
            let _ = writeln!(text, "  subgraph f{}[\"{}\"]", first.0, in_mermaid(path));
        }
        for node in &nodes {
            let label = in_mermaid(&shown(view, *node));
            let (open, close) = match view.kind(*node) {
                NodeKind::Symbol => ("[", "]"),
                NodeKind::File | NodeKind::Folder => ("[/", "/]"),
                NodeKind::External => ("[[", "]]"),
                NodeKind::Community | NodeKind::Process => ("([", "])"),
            };
            let _ = writeln!(text, "{indent}n{}{open}\"{label}\"{close}", node.0);
        }
        if !path.is_empty() {
            text.push_str("  end\n");
        }
    }
    for edge in &piece.edges {
        let arrow = if edge.kind == EdgeKind::Calls {
            "-->".to_owned()
        } else {
            format!("-. {} .->", words(edge))
        };
        let _ = writeln!(text, "  n{} {arrow} n{}", edge.source.0, edge.target.0);
    }
    text
}

/// The nodes of each file, files in the order of their first node; nodes without a file come first.
fn boxes<'a>(view: GraphView<'a>, piece: &Subgraph) -> Vec<(&'a str, Vec<NodeId>)> {
    let mut boxes: Vec<(&str, Vec<NodeId>)> = vec![("", Vec::new())];
    for node in &piece.nodes {
        let path = match view.kind(*node) {
            NodeKind::Symbol => view.node(*node).file.map_or("", |file| view.path(file)),
            _ => "",
        };
        // Nodes come by number, and so the symbols of a file together.
        match boxes.last_mut().filter(|(last, _)| *last == path) {
            Some((_, nodes)) => nodes.push(*node),
            None if path.is_empty() => boxes[0].1.push(*node),
            None => boxes.push((path, vec![*node])),
        }
    }
    boxes.retain(|(_, nodes)| !nodes.is_empty());
    boxes
}

fn shown(view: GraphView<'_>, node: NodeId) -> String {
    let name = view.qualified_name(node);
    match name.char_indices().nth(MAX_NAME) {
        Some((end, _)) => format!("{}…", &name[..end]),
        None => name,
    }
}

fn words(edge: &Edge) -> String {
    edge.kind.name().to_lowercase().replace('_', " ")
}

fn in_dot(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace('"', "\\\"");
    text.replace(['\n', '\r'], " ")
}

/// Entities as Mermaid writes them: `#quot;`.
fn in_mermaid(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '"' => escaped.push_str("#quot;"),
            '#' => escaped.push_str("#35;"),
            '<' => escaped.push_str("#lt;"),
            '>' => escaped.push_str("#gt;"),
            '&' => escaped.push_str("#amp;"),
            '`' => escaped.push_str("#96;"),
            c if c.is_control() => escaped.push(' '),
            c => escaped.push(c),
        }
    }
    escaped
}
