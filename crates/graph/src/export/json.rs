//! Writes JSON for NetworkX's `node_link_graph(data, edges="edges")` and for D3.

use serde_json::{Map, Value, json};

use super::{EDGE_FACTS, Fact, NODE_FACTS, edge_facts, node_facts};
use crate::view::GraphView;
use crate::walk::Subgraph;

pub(super) fn write(view: GraphView<'_>, name: &str, piece: &Subgraph) -> String {
    // One entry a line: a reader of the file, and a diff, sees nodes and edges.
    let mut text = format!(
        "{{\"directed\": true, \"multigraph\": true, \"graph\": {},\n\"nodes\": [",
        json!({ "name": name })
    );
    let nodes = piece.nodes.iter().map(|node| {
        let mut entry = object(&NODE_FACTS, &node_facts(view, *node));
        entry.insert("id".to_owned(), node.0.into());
        entry
    });
    list(nodes, &mut text);
    text.push_str("],\n\"edges\": [");
    let edges = piece.edges.iter().map(|edge| {
        let mut entry = object(&EDGE_FACTS, &edge_facts(edge));
        entry.insert("source".to_owned(), edge.source.0.into());
        entry.insert("target".to_owned(), edge.target.0.into());
        // Two nodes are related at most once in each way, so the type tells parallel edges apart.
        entry.insert("key".to_owned(), edge.kind.name().into());
        entry
    });
    list(edges, &mut text);
    text.push_str("]}\n");
    text
}

fn list(entries: impl Iterator<Item = Map<String, Value>>, text: &mut String) {
    for (n, entry) in entries.enumerate() {
        text.push_str(if n == 0 { "\n" } else { ",\n" });
        text.push_str(&Value::Object(entry).to_string());
    }
}

fn object(names: &[(&str, &str)], facts: &[Option<Fact<'_>>]) -> Map<String, Value> {
    let entries = names.iter().zip(facts).filter_map(|((name, _), fact)| {
        let value = match fact.as_ref()? {
            Fact::Text(text) => Value::from(*text),
            Fact::Owned(text) => Value::from(text.as_str()),
            Fact::Int(value) => Value::from(*value),
            // The shortest decimal of the float: 0.95, not the digits of the double that it converts to.
            Fact::Share(value) => value
                .to_string()
                .parse::<f64>()
                .map_or(Value::Null, Value::from),
            Fact::Bool(value) => Value::from(*value),
        };
        Some(((*name).to_owned(), value))
    });
    entries.collect()
}
