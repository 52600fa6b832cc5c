//! Exports a part of the graph in the formats of other tools.

use graph::export::{ExportedFile, Format, export};
use graph::{Edge, EdgeKind, NodeId, NodeKind, Subgraph};
use syntax::order::InOrder;

use crate::ask::walks::WalkWords;
use crate::filter::FileFilter;
use crate::{Error, ErrorKind, Reader};

/// Maximum number of paths in an export.
const MAX_PATHS: usize = 20;

/// Which part of the graph to export, and in which format.
#[derive(Debug, Clone, Copy)]
pub struct ExportQuery<'a> {
    /// Name of the format: `graphml`, `json`, `csv`, `dot`, `mermaid`, `svg`.
    pub format: &'a str,
    /// Only nodes within reach of this symbol, file, folder or package; the whole graph if `None`.
    pub from: Option<&'a str>,
    /// Only the shortest paths from `from` to this symbol, file, folder or package.
    pub to: Option<&'a str>,
    /// Only the steps of the execution flow with this label or number, and the calls from each to the next.
    pub process: Option<&'a str>,
    /// Address that boxes of SVG link to, with `{path}` and `{line}` for the place of a node.
    pub link: Option<&'a str>,
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
    /// format or unknown kinds, for a depth out of bounds, for a `to` without a `from` and for a link that is no web
    /// address; those of [`Reader::select_nodes`] and [`Reader::select_group`].
    pub fn export(&self, query: &ExportQuery<'_>) -> Result<Exported, Error> {
        let format = Format::from_name(query.format).ok_or_else(|| {
            let names = Format::ALL.map(Format::name);
            let message = format!("there is no format {:?}", query.format);
            Error::new(ErrorKind::QueryInvalid, message)
                .with_help(format!("one of {}", names.join(", ")))
        })?;
        if let Some(link) = query.link.filter(|link| !is_address(link)) {
            let message = format!("{link:?} is no address that a drawing links to");
            return Err(Error::new(ErrorKind::QueryInvalid, message)
                .with_help("begin it with #, /, ./, https:// or http://; {path} and {line} are the place of a node"));
        }
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
            files: export(self.graph(), name, &piece, format, query.link),
            n_nodes: piece.nodes.len(),
            n_edges: piece.edges.len(),
        })
    }

    fn piece_of_graph(&self, query: &ExportQuery<'_>) -> Result<Subgraph, Error> {
        let graph = self.graph();
        let mut piece = match (query.process, query.from, query.to) {
            (Some(process), ..) => self.flow_as_graph(process)?,
            (None, Some(from), Some(to)) => self.paths_as_graph(from, to, &query.words)?,
            (None, Some(from), None) => self.subgraph(&self.select_nodes(from)?, &query.words)?,
            (None, None, Some(_)) => {
                let message = "paths to a symbol need the symbol that they begin at";
                return Err(
                    Error::new(ErrorKind::QueryInvalid, message).with_help("name it as from")
                );
            }
            (None, None, None) => {
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

    /// The nodes and edges of the shortest paths.
    fn paths_as_graph(
        &self,
        from: &str,
        to: &str,
        words: &WalkWords<'_>,
    ) -> Result<Subgraph, Error> {
        let (from, to) = (self.select_nodes(from)?, self.select_nodes(to)?);
        let found = self.paths(&from, &to, MAX_PATHS, words)?;
        let (nodes, edges) = found
            .paths
            .into_iter()
            .map(|path| (path.nodes, path.edges))
            .unzip::<_, _, Vec<_>, Vec<_>>();
        Ok(joined(nodes.concat(), edges.concat()))
    }

    /// The steps of a flow, and the edge from each to the next: a call, or one to what is constructed or implements it.
    fn flow_as_graph(&self, process: &str) -> Result<Subgraph, Error> {
        let graph = self.graph();
        let process = self.select_group(NodeKind::Process, process)?;
        let nodes: Vec<NodeId> = graph.steps_of(process).map(|step| step.node).collect();
        let is_step =
            |edge: &Edge| edge.kind != EdgeKind::Defines && edge.kind != EdgeKind::Contains;
        let edges = nodes.windows(2).filter_map(|pair| {
            let mut edges = graph.out(pair[0]);
            edges.find(|edge| edge.target == pair[1] && is_step(edge))
        });
        let edges = edges.collect();
        Ok(joined(nodes, edges))
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

/// A part of the graph from nodes and edges in any order, with repetitions.
fn joined(mut nodes: Vec<NodeId>, mut edges: Vec<Edge>) -> Subgraph {
    nodes.order_by(Ord::cmp);
    nodes.dedup();
    edges.order_by_key(|edge| (edge.source, edge.kind, edge.target));
    edges.dedup();
    Subgraph {
        nodes,
        edges,
        is_cut: false,
    }
}

/// Whether a link leads to a web page: other schemes run code or reach files.
fn is_address(link: &str) -> bool {
    ["#", "/", "./", "https://", "http://"]
        .iter()
        .any(|start| link.starts_with(start))
}
