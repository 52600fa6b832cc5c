//! Exports a part of the graph in the formats of other tools.

use graph::export::{ExportedFile, Format, export};
use graph::{NodeId, NodeKind, Subgraph};

use crate::ask::walks::WalkWords;
use crate::filter::FileFilter;
use crate::{Error, ErrorKind, Reader};

/// Which part of the graph to export, and in which format.
#[derive(Debug, Clone, Copy)]
pub struct ExportQuery<'a> {
    /// Name of the format: `graphml`, `json`, `csv`, `dot`, `mermaid`.
    pub format: &'a str,
    /// Only nodes within reach of this symbol, file, folder or package; the whole graph if `None`.
    pub from: Option<&'a str>,
    /// Direction, edges, nodes, depth and confidence. Without a start, direction and depth do not count. If no edges
    /// are named, all edges of the whole graph are exported; around a start, those by which code depends on code.
    pub words: WalkWords<'a>,
    /// Only nodes in these files.
    pub files: &'a FileFilter,
}

/// An exported part of the graph.
#[derive(Debug, Clone, PartialEq)]
pub struct Exported {
    /// One file or two.
    pub files: Vec<ExportedFile>,
    /// Number of nodes in them.
    pub n_nodes: usize,
    /// Number of relationships in them.
    pub n_edges: usize,
}

impl Reader {
    /// Exports a part of the graph as files. Linear in the part; without a start, in the whole graph.
    ///
    /// # Errors
    ///
    /// `export.too-large` for more than the format allows or than `words.max_nodes`; `query.invalid` for an unknown
    /// format or unknown kinds and for a depth out of bounds; those of [`Reader::select_nodes`].
    pub fn export(&self, query: &ExportQuery<'_>) -> Result<Exported, Error> {
        let format = Format::from_name(query.format).ok_or_else(|| {
            let names = Format::ALL.map(Format::name);
            let message = format!("there is no format {:?}", query.format);
            Error::new(ErrorKind::QueryInvalid, message)
                .with_help(format!("one of {}", names.join(", ")))
        })?;
        let piece = self.piece_of_graph(query)?;
        let (most_nodes, most_edges) = format.most();
        let most_nodes = most_nodes.min(query.words.max_nodes);
        if piece.is_cut || piece.nodes.len() > most_nodes || piece.edges.len() > most_edges {
            let (n_nodes, n_edges) = (piece.nodes.len(), piece.edges.len());
            let at_least = if piece.is_cut { "at least " } else { "" };
            let message = format!(
                "{at_least}{n_nodes} nodes and {n_edges} relationships are more than {most_nodes} and {most_edges}, the most for {}",
                format.name()
            );
            return Err(Error::new(ErrorKind::ExportTooLarge, message).with_help(
                "choose a symbol with a depth, kinds of nodes or relationships, or paths; or graphml, json, csv",
            ));
        }
        let name = self.view().info().name.as_str();
        let name = if name.is_empty() { "portolan" } else { name };
        Ok(Exported {
            files: export(self.graph(), name, &piece, format),
            n_nodes: piece.nodes.len(),
            n_edges: piece.edges.len(),
        })
    }

    fn piece_of_graph(&self, query: &ExportQuery<'_>) -> Result<Subgraph, Error> {
        let graph = self.graph();
        let mut piece = match query.from {
            Some(from) => self.subgraph(&self.select_nodes(from)?, &query.words)?,
            None => {
                let all = ["*".to_owned()];
                let words = WalkWords {
                    edges: if query.words.edges.is_empty() {
                        &all
                    } else {
                        query.words.edges
                    },
                    ..query.words
                };
                let config = words.config()?;
                let nodes = (0..graph.n_nodes() as u32).map(NodeId);
                Subgraph {
                    nodes: nodes.filter(|node| config.enters(graph, *node)).collect(),
                    edges: graph.edges().filter(|edge| config.follows(edge)).collect(),
                    is_cut: false,
                }
            }
        };
        if !query.files.is_open() {
            piece
                .nodes
                .retain(|node| self.stands_in_files(*node, query.files));
        }
        let is_in = |node: NodeId| piece.nodes.binary_search(&node).is_ok();
        piece
            .edges
            .retain(|edge| is_in(edge.source) && is_in(edge.target));
        Ok(piece)
    }

    /// Whether a node is one of these files or is in one.
    fn stands_in_files(&self, node: NodeId, files: &FileFilter) -> bool {
        let graph = self.graph();
        match graph.kind(node) {
            NodeKind::File | NodeKind::Symbol => graph
                .node(node)
                .file
                .is_some_and(|file| files.passes(self.path(file), self.language(file))),
            _ => false,
        }
    }
}
