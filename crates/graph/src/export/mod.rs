//! Exports a subgraph in the formats of other tools.
//!
//! | format | for | a relationship is |
//! |---|---|---|
//! | GraphML | NetworkX, Gephi, yEd, igraph | an edge with type, confidence and reason |
//! | JSON | NetworkX (`node_link_graph`), D3 | an entry of `edges` |
//! | CSV | Gephi, spreadsheets, databases | a row of the second of two files |
//! | DOT | Graphviz | an arrow; nodes are boxed by file |
//! | Mermaid | Markdown | an arrow; nodes are boxed by file |
//! | SVG | pages and documents | an arrow from left to right, drawn here |
//!
//! GraphML, JSON and CSV have the same properties of nodes and relationships; DOT, Mermaid and SVG, which are pictures,
//! have fewer.

mod csv;
mod drawn;
mod graphml;
mod json;
mod svg;

use crate::kinds::{EdgeKind, NodeId, NodeKind};
use crate::labels::label;
use crate::view::{Edge, GraphView};
use crate::walk::Subgraph;
use syntax::facts::Modifiers;

/// A format to write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// GraphML 1.0.
    GraphMl,
    /// JSON, nodes and links.
    Json,
    /// Two tables.
    Csv,
    /// Graphviz.
    Dot,
    /// A flowchart of Mermaid.
    Mermaid,
    /// A layered drawing.
    Svg,
}

impl Format {
    /// Every format.
    pub const ALL: [Format; 6] = [
        Format::GraphMl,
        Format::Json,
        Format::Csv,
        Format::Dot,
        Format::Mermaid,
        Format::Svg,
    ];

    /// The name of the format in requests.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Format::GraphMl => "graphml",
            Format::Json => "json",
            Format::Csv => "csv",
            Format::Dot => "dot",
            Format::Mermaid => "mermaid",
            Format::Svg => "svg",
        }
    }

    /// Finds a format by its name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Format> {
        let wanted = |format: &Format| format.name().eq_ignore_ascii_case(name);
        Self::ALL.into_iter().find(wanted)
    }

    /// Maximum number of nodes and of relationships that are useful in this format. A picture becomes unreadable long
    /// before a table, and Mermaid refuses more than 500 arrows.
    #[must_use]
    pub fn most(self) -> (usize, usize) {
        match self {
            Format::GraphMl | Format::Json | Format::Csv => (1_000_000, 5_000_000),
            Format::Dot => (5_000, 20_000),
            Format::Mermaid => (400, 500),
            Format::Svg => (500, 1_000),
        }
    }
}

/// A file of an export.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExportedFile {
    /// `graph.graphml`, `nodes.csv`, …
    pub name: &'static str,
    /// Its contents.
    pub text: String,
}

/// Writes a subgraph. Linear in its nodes and relationships; the same subgraph gives the same text. Boxes of SVG link to
/// `link`, in which `{path}` and `{line}` mean the place of a node; without it they link nowhere.
#[must_use]
pub fn export(
    view: GraphView<'_>,
    name: &str,
    piece: &Subgraph,
    format: Format,
    link: Option<&str>,
) -> Vec<ExportedFile> {
    let one = |name, text| vec![ExportedFile { name, text }];
    match format {
        Format::GraphMl => one("graph.graphml", graphml::write(view, name, piece)),
        Format::Json => one("graph.json", json::write(view, name, piece)),
        Format::Dot => one("graph.dot", drawn::dot(view, name, piece)),
        Format::Mermaid => one("graph.mmd", drawn::mermaid(view, piece)),
        Format::Svg => one("graph.svg", svg::write(view, name, piece, link)),
        Format::Csv => vec![
            ExportedFile {
                name: "nodes.csv",
                text: csv::nodes(view, piece),
            },
            ExportedFile {
                name: "edges.csv",
                text: csv::edges(piece),
            },
        ],
    }
}

/// A value of a property, in the types that the formats tell apart.
#[derive(Debug, Clone, PartialEq)]
enum Fact<'a> {
    Text(&'a str),
    Owned(String),
    Int(u32),
    Share(f32),
    Bool(bool),
}

/// Names of the properties of a node, with their types in GraphML.
const NODE_FACTS: [(&str, &str); 12] = [
    ("label", "string"),
    ("kind", "string"),
    ("qualified_name", "string"),
    ("path", "string"),
    ("line", "int"),
    ("end_line", "int"),
    ("signature", "string"),
    ("exported", "boolean"),
    ("test", "boolean"),
    ("complexity", "int"),
    ("centrality", "double"),
    ("community", "string"),
];

/// Names of the properties of a relationship, with their types in GraphML.
const EDGE_FACTS: [(&str, &str); 5] = [
    ("type", "string"),
    ("confidence", "double"),
    ("reason", "string"),
    ("line", "int"),
    ("step", "int"),
];

/// The values of a node, in the order of [`NODE_FACTS`]. `label` is the name, which Gephi and others show.
fn node_facts(view: GraphView<'_>, id: NodeId) -> [Option<Fact<'_>>; 12] {
    let node = view.node(id);
    let is_symbol = node.kind == NodeKind::Symbol;
    let symbol = |fact| Some(fact).filter(|_| is_symbol);
    let path = match node.kind {
        NodeKind::Folder => Some(view.path_of(id)),
        _ => node.file.map(|file| view.path(file)),
    };
    let has_lines = is_symbol || node.kind == NodeKind::File;
    let line = |line: u32| Some(Fact::Int(line.saturating_add(1))).filter(|_| has_lines);
    let shown_line = if is_symbol {
        node.name_span.start_line
    } else {
        node.span.start_line
    };
    [
        Some(Fact::Text(node.name)),
        Some(Fact::Text(label(view, id))),
        Some(Fact::Owned(view.qualified_name(id))),
        path.map(Fact::Text),
        line(shown_line),
        line(node.span.end_line),
        symbol(Fact::Text(node.signature)),
        symbol(Fact::Bool(node.modifiers.contains(Modifiers::EXPORTED))),
        symbol(Fact::Bool(node.modifiers.contains(Modifiers::TEST))),
        Some(Fact::Int(u32::from(node.complexity))).filter(|_| node.complexity > 0),
        Some(Fact::Share(node.centrality)),
        view.community_of(id)
            .map(|community| Fact::Text(view.name(community))),
    ]
}

/// The values of a relationship, in the order of [`EDGE_FACTS`].
fn edge_facts(edge: &Edge) -> [Option<Fact<'static>>; 5] {
    let is_step = edge.kind == EdgeKind::StepInProcess;
    [
        Some(Fact::Text(edge.kind.name())),
        Some(Fact::Share(f32::from(edge.confidence) / 100.0)),
        Some(Fact::Text(edge.reason.name())),
        Some(Fact::Int(edge.line.saturating_add(1))).filter(|_| !is_step),
        edge.step().map(Fact::Int),
    ]
}
