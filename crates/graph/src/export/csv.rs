//! Writes two tables in CSV (RFC 4180), with the column names that Gephi knows (`Id`, `Label`, `Source`, `Target`,
//! `Type`).

use super::{EDGE_FACTS, Fact, NODE_FACTS, edge_facts, node_facts};
use crate::view::GraphView;
use crate::walk::Subgraph;

pub(super) fn nodes(view: GraphView<'_>, piece: &Subgraph) -> String {
    let names = NODE_FACTS.iter().map(|(name, _)| match *name {
        "label" => "Label",
        other => other,
    });
    let mut text = header(std::iter::once("Id").chain(names));
    for node in &piece.nodes {
        row(node.0.to_string(), &node_facts(view, *node), &mut text);
    }
    text
}

pub(super) fn edges(piece: &Subgraph) -> String {
    // Gephi's `Type` says whether an edge is directed, so the kind of edge needs another name.
    let names = EDGE_FACTS.iter().map(|(name, _)| match *name {
        "type" => "kind",
        other => other,
    });
    let mut text = header(["Source", "Target", "Type"].into_iter().chain(names));
    for edge in &piece.edges {
        let ends = format!("{},{},Directed", edge.source.0, edge.target.0);
        row(ends, &edge_facts(edge), &mut text);
    }
    text
}

fn header<'n>(names: impl Iterator<Item = &'n str>) -> String {
    let names: Vec<&str> = names.collect();
    names.join(",") + "\r\n"
}

fn row(first: String, facts: &[Option<Fact<'_>>], text: &mut String) {
    text.push_str(&first);
    for fact in facts {
        text.push(',');
        match fact {
            None => {}
            Some(Fact::Text(value)) => cell(value, text),
            Some(Fact::Owned(value)) => cell(value, text),
            Some(Fact::Int(value)) => text.push_str(&value.to_string()),
            Some(Fact::Share(value)) => text.push_str(&value.to_string()),
            Some(Fact::Bool(value)) => text.push_str(if *value { "true" } else { "false" }),
        }
    }
    text.push_str("\r\n");
}

fn cell(value: &str, text: &mut String) {
    if value.contains([',', '"', '\n', '\r']) {
        text.push('"');
        text.push_str(&value.replace('"', "\"\""));
        text.push('"');
    } else {
        text.push_str(value);
    }
}
