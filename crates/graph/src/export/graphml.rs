//! GraphML 1.0 (Brandes et al.): keys first, then nodes and edges with their data.

use std::fmt::Write;

use super::{EDGE_FACTS, Fact, NODE_FACTS, edge_facts, node_facts};
use crate::view::GraphView;
use crate::walk::Subgraph;

pub(super) fn write(view: GraphView<'_>, name: &str, piece: &Subgraph) -> String {
    let mut xml = String::from(concat!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n",
        "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\" ",
        "xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" ",
        "xsi:schemaLocation=\"http://graphml.graphdrawing.org/xmlns ",
        "http://graphml.graphdrawing.org/xmlns/1.0/graphml.xsd\">\n",
    ));
    for (domain, facts) in [("node", &NODE_FACTS[..]), ("edge", &EDGE_FACTS[..])] {
        for (key, kind) in facts {
            let id = key_of(domain, key);
            let _ = writeln!(
                xml,
                "  <key id=\"{id}\" for=\"{domain}\" attr.name=\"{key}\" attr.type=\"{kind}\"/>"
            );
        }
    }
    let _ = write!(xml, "  <graph id=\"");
    escape(name, &mut xml);
    let _ = writeln!(xml, "\" edgedefault=\"directed\">");
    for node in &piece.nodes {
        let _ = writeln!(xml, "    <node id=\"n{}\">", node.0);
        data("node", &NODE_FACTS, &node_facts(view, *node), &mut xml);
        xml.push_str("    </node>\n");
    }
    for (n, edge) in piece.edges.iter().enumerate() {
        let (source, target) = (edge.source.0, edge.target.0);
        let _ = writeln!(
            xml,
            "    <edge id=\"e{n}\" source=\"n{source}\" target=\"n{target}\">"
        );
        data("edge", &EDGE_FACTS, &edge_facts(edge), &mut xml);
        xml.push_str("    </edge>\n");
    }
    xml.push_str("  </graph>\n</graphml>\n");
    xml
}

/// The id of a key. Nodes and edges both have a `line`, so the id says which of them the key belongs to.
fn key_of(domain: &str, key: &str) -> String {
    format!("{}_{key}", &domain[..1])
}

fn data(domain: &str, names: &[(&str, &str)], facts: &[Option<Fact<'_>>], xml: &mut String) {
    for ((key, _), fact) in names.iter().zip(facts) {
        let Some(fact) = fact else { continue };
        let _ = write!(xml, "      <data key=\"{}\">", key_of(domain, key));
        match fact {
            Fact::Text(text) => escape(text, xml),
            Fact::Owned(text) => escape(text, xml),
            Fact::Int(value) => drop(write!(xml, "{value}")),
            Fact::Share(value) => drop(write!(xml, "{value}")),
            Fact::Bool(value) => drop(write!(xml, "{value}")),
        }
        xml.push_str("</data>\n");
    }
}

/// Escapes text for XML 1.0. Characters that XML cannot represent are left out.
fn escape(text: &str, xml: &mut String) {
    for c in text.chars() {
        match c {
            '&' => xml.push_str("&amp;"),
            '<' => xml.push_str("&lt;"),
            '>' => xml.push_str("&gt;"),
            '"' => xml.push_str("&quot;"),
            '\t' | '\n' | '\r' => {
                let _ = write!(xml, "&#{};", c as u32);
            }
            '\0'..'\u{20}' | '\u{fffe}' | '\u{ffff}' => {}
            c => xml.push(c),
        }
    }
}
