//! Walks over the graph with edges and nodes chosen by name: from a symbol, a file, a folder or a package.

use graph::{Cycles, EdgeKind, NodeId, NodeKind, Paths, Subgraph, Walk, WalkConfig, Ways};

use syntax::facts::SymbolKind;

use crate::words::{kind_from_name, kind_name};
use crate::{Error, ErrorKind, Reader};

/// Maximum depth, in steps.
pub const MAX_WALK_DEPTH: u32 = 50;

/// Order in which a walk visits nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum WalkOrder {
    /// Near nodes first.
    #[default]
    Breadth,
    /// Each path to its end, then the next.
    Depth,
}

/// Parameters of a walk, with kinds of edges and nodes by name.
#[derive(Debug, Clone, Copy)]
pub struct WalkWords<'a> {
    /// Direction in which edges are followed.
    pub ways: Ways,
    /// Kinds of edges: `CALLS`, `imports`, …; `*` for all; if empty, those by which code depends on code.
    pub edges: &'a [String],
    /// Kinds of nodes: `file`, `folder`, `external`, `community`, `process`, `symbol`, or a kind of symbol; all if
    /// empty.
    pub nodes: &'a [String],
    /// Maximum number of steps, from 1 to [`MAX_WALK_DEPTH`].
    pub depth: u32,
    /// Minimum confidence in percent: edges below it are not followed.
    pub min_confidence: u8,
    /// Maximum number of nodes reached.
    pub max_nodes: usize,
}

impl WalkWords<'_> {
    pub(crate) fn config(&self) -> Result<WalkConfig, Error> {
        if !(1..=MAX_WALK_DEPTH).contains(&self.depth) {
            let message = format!("depth is {}; it can be 1 to {MAX_WALK_DEPTH}", self.depth);
            return Err(Error::new(ErrorKind::QueryInvalid, message));
        }
        let mut config = WalkConfig {
            ways: self.ways,
            min_confidence: self.min_confidence,
            max_depth: self.depth,
            max_nodes: self.max_nodes,
            ..WalkConfig::default()
        };
        if self.edges.is_empty() {
            config.edge_kinds = graph::USES.to_vec();
        } else if !self.edges.iter().any(|name| name == "*") {
            config.edge_kinds = edge_kinds(self.edges)?;
        }
        for name in self.nodes {
            match node_kind(name) {
                Some(kind) => push_new(&mut config.node_kinds, kind),
                None => {
                    let kind = kind_from_name(name).map_err(|_| no_node_kind(name))?;
                    push_new(&mut config.symbol_kinds, kind);
                }
            }
        }
        Ok(config)
    }
}

/// Adds a kind once: a walk compares each edge and node with the list, so a name repeated a hundred thousand times must
/// not lengthen it.
fn push_new<T: PartialEq>(kinds: &mut Vec<T>, kind: T) {
    if !kinds.contains(&kind) {
        kinds.push(kind);
    }
}

/// Parses names of kinds of edges; each kind is returned once.
///
/// # Errors
///
/// As `edge_kind`.
pub fn edge_kinds(names: &[String]) -> Result<Vec<EdgeKind>, Error> {
    let mut kinds = Vec::new();
    for name in names {
        push_new(&mut kinds, edge_kind(name)?);
    }
    Ok(kinds)
}

/// Returns the kind of edge with this name, in upper or lower case.
///
/// # Errors
///
/// `query.invalid`, whose help lists the known names.
pub fn edge_kind(name: &str) -> Result<EdgeKind, Error> {
    EdgeKind::from_name(&name.to_ascii_uppercase()).ok_or_else(|| {
        let names: Vec<&str> = EdgeKind::ALL.iter().map(|kind| kind.name()).collect();
        let message = format!("there is no kind of edge {name:?}");
        Error::new(ErrorKind::QueryInvalid, message)
            .with_help(format!("one of {}", names.join(", ")))
    })
}

fn node_kind(name: &str) -> Option<NodeKind> {
    NodeKind::ALL
        .iter()
        .copied()
        .find(|kind| kind.name().eq_ignore_ascii_case(name))
}

fn no_node_kind(name: &str) -> Error {
    let names: Vec<String> = NodeKind::ALL
        .iter()
        .map(|kind| kind.name().to_lowercase())
        .collect();
    let message = format!("there is no kind of node {name:?}");
    Error::new(ErrorKind::QueryInvalid, message).with_help(format!(
        "one of {}, or a kind of symbol such as function, method, class",
        names.join(", ")
    ))
}

impl Reader {
    /// Returns the nodes that `selector` matches: symbols as in [`Reader::select`], else the file, folder or external
    /// package of this path or name.
    ///
    /// # Errors
    ///
    /// As [`Reader::select`].
    pub fn select_nodes(&self, selector: &str) -> Result<Vec<NodeId>, Error> {
        let graph = self.graph();
        let path = selector.trim().trim_start_matches("./");
        let path = path.strip_suffix('/').unwrap_or(path);
        let error = match self.select(selector) {
            Ok(found) => return Ok(found),
            Err(error) if path.is_empty() => return Err(error),
            Err(error) => error,
        };
        if let Ok(file) = self.file(path) {
            return Ok(vec![NodeId(file.0)]);
        }
        let nodes = (graph.n_files() as u32..graph.n_nodes() as u32).map(NodeId);
        let fits = |node: &NodeId| match graph.kind(*node) {
            NodeKind::Folder => graph.path_of(*node) == path,
            NodeKind::External => graph.name(*node) == path,
            _ => false,
        };
        let found: Vec<NodeId> = nodes.filter(fits).collect();
        if found.is_empty() {
            Err(error)
        } else {
            Ok(found)
        }
    }

    /// Returns those nodes of [`Reader::select_nodes`] that are symbols of this kind; all of them where none is named.
    ///
    /// # Errors
    ///
    /// As [`Reader::select`].
    pub(crate) fn select_of_kind(
        &self,
        selector: &str,
        kind: Option<SymbolKind>,
    ) -> Result<Vec<NodeId>, Error> {
        let mut nodes = self.select_nodes(selector)?;
        let Some(kind) = kind else { return Ok(nodes) };
        nodes.retain(|node| self.graph().symbol_kind(*node) == Some(kind));
        if nodes.is_empty() {
            let message = format!("the index has no {} {selector:?}", kind_name(kind));
            return Err(Error::new(ErrorKind::SymbolNotFound, message)
                .with_help("something of another kind has this name"));
        }
        Ok(nodes)
    }

    /// Returns the nodes within reach of `from`.
    ///
    /// # Errors
    ///
    /// `query.invalid` for unknown kinds and for a depth out of bounds.
    pub fn walk(
        &self,
        from: &[NodeId],
        order: WalkOrder,
        words: &WalkWords<'_>,
    ) -> Result<Walk, Error> {
        let config = words.config()?;
        Ok(match order {
            WalkOrder::Breadth => self.graph().bfs(from, &config),
            WalkOrder::Depth => self.graph().dfs(from, &config),
        })
    }

    /// Returns paths from `from` to `to`, the shortest first.
    ///
    /// # Errors
    ///
    /// As [`Reader::walk`].
    pub fn paths(
        &self,
        from: &[NodeId],
        to: &[NodeId],
        max_paths: usize,
        words: &WalkWords<'_>,
    ) -> Result<Paths, Error> {
        let config = words.config()?;
        Ok(self.graph().find_paths(from, to, max_paths, &config))
    }

    /// Returns the cycles within reach of `from`, or of the whole graph if it is empty.
    ///
    /// # Errors
    ///
    /// As [`Reader::walk`].
    pub fn cycles(
        &self,
        from: &[NodeId],
        max_cycles: usize,
        words: &WalkWords<'_>,
    ) -> Result<Cycles, Error> {
        let config = words.config()?;
        Ok(self.graph().detect_cycles(from, max_cycles, &config))
    }

    /// Returns the nodes within reach of `from` and the edges between them.
    ///
    /// # Errors
    ///
    /// As [`Reader::walk`].
    pub fn subgraph(&self, from: &[NodeId], words: &WalkWords<'_>) -> Result<Subgraph, Error> {
        let config = words.config()?;
        Ok(self.graph().extract_subgraph(from, &config))
    }

    /// Returns the process or community with this number or label; of several, the first.
    ///
    /// # Errors
    ///
    /// `query.empty`; `query.invalid` if there is none, whose help says how one is named.
    pub fn select_group(&self, kind: NodeKind, selector: &str) -> Result<NodeId, Error> {
        let graph = self.graph();
        let selector = selector.trim();
        if selector.is_empty() {
            return Err(Error::new(ErrorKind::QueryEmpty, "nothing was named"));
        }
        let number = selector.parse().ok().map(NodeId);
        let by_number = number.filter(|node| {
            graph.kind(*node) == kind
                && (graph.process(*node).is_some() || graph.community(*node).is_some())
        });
        let labelled = |id: NodeId, label: &str| (label == selector).then_some(id);
        let by_label = || match kind {
            NodeKind::Process => graph
                .processes()
                .find_map(|process| labelled(process.id, process.label)),
            _ => graph
                .communities()
                .find_map(|community| labelled(community.id, community.label)),
        };
        let by_place = || {
            let at = number?.0 as usize;
            match kind {
                NodeKind::Process => graph.processes().nth(at).map(|process| process.id),
                _ => graph.communities().nth(at).map(|community| community.id),
            }
        };
        let found = by_number.or_else(by_label).or_else(by_place);
        found.ok_or_else(|| {
            let word = kind.name().to_lowercase();
            let shown: String = selector.chars().take(80).collect();
            let message = format!("the index has no {word} {shown:?}");
            Error::new(ErrorKind::QueryInvalid, message).with_help(
                "name it by its label, its number in the list of all, or its place there from 0",
            )
        })
    }
}
