//! The graph as flat columns, stored in snapshots and read by every query.
//!
//! Nodes are numbered files, folders, symbols (file by file, in source order), externals, communities, processes. Edges
//! and occurrences are compressed sparse rows: `offsets[n]..offsets[n + 1]` are the entries of node or file `n`.

use rkyv::{Archive, Deserialize, Serialize};

/// "None" in a column of ids.
pub const NONE: u32 = u32::MAX;

/// Strings one after another; string `n` is `text[offsets[n]..offsets[n + 1]]`. String 0 is empty.
#[derive(Debug, Clone, Default, PartialEq, Eq, Archive, Serialize, Deserialize)]
pub struct Strings {
    /// All strings without separators.
    pub text: String,
    /// Byte offsets, one more than there are strings.
    pub offsets: Vec<u32>,
}

/// Columns of nodes: each has one entry for each node.
#[derive(Debug, Clone, Default, PartialEq, Archive, Serialize, Deserialize)]
pub struct Nodes {
    /// [`crate::NodeKind`] as a byte.
    pub kind: Vec<u8>,
    /// [`syntax::facts::SymbolKind`] as a byte; 255 for nodes that are no symbols.
    pub symbol_kind: Vec<u8>,
    /// String: simple name; of files and folders the last part of the path.
    pub name: Vec<u32>,
    /// Node: the definition, file or folder that contains it; none for externals and at the root.
    pub parent: Vec<u32>,
    /// File of a symbol; a file's own number; none for folders and externals.
    pub file: Vec<u32>,
    /// Bytes and lines of the whole definition.
    pub start: Vec<u32>,
    /// One past the last byte.
    pub end: Vec<u32>,
    /// 0-based.
    pub start_line: Vec<u32>,
    /// 0-based, inclusive.
    pub end_line: Vec<u32>,
    /// Bytes of the name.
    pub name_start: Vec<u32>,
    /// One past the last byte of the name.
    pub name_end: Vec<u32>,
    /// 0-based line of the name.
    pub name_line: Vec<u32>,
    /// String: the declaration; of files and folders the whole path.
    pub signature: Vec<u32>,
    /// String: the doc comment.
    pub doc: Vec<u32>,
    /// [`syntax::facts::Modifiers`] as bits.
    pub modifiers: Vec<u32>,
    /// Cyclomatic complexity; 0 for symbols without a body.
    pub complexity: Vec<u16>,
    /// Share of the PageRank over calls, references and imports, scaled so that the highest is 1.
    pub centrality: Vec<f32>,
}

/// Edges, grouped by source and sorted by kind and target; then the same edges grouped by target.
#[derive(Debug, Clone, Default, PartialEq, Eq, Archive, Serialize, Deserialize)]
pub struct Edges {
    /// One more than nodes.
    pub out_offsets: Vec<u32>,
    /// Node, one an edge.
    pub targets: Vec<u32>,
    /// [`crate::EdgeKind`] as a byte.
    pub kinds: Vec<u8>,
    /// Percent.
    pub confidences: Vec<u8>,
    /// [`crate::Reason`] as a byte.
    pub reasons: Vec<u8>,
    /// 0-based line of the first use, in the file of the source; of `STEP_IN_PROCESS` the step, from 1.
    pub lines: Vec<u32>,
    /// One more than nodes.
    pub in_offsets: Vec<u32>,
    /// Node, one an edge.
    pub in_sources: Vec<u32>,
    /// Number of the edge in the columns above.
    pub in_edges: Vec<u32>,
}

/// Every resolved use of a name, file by file, sorted by position. A use with several possible targets has one row for
/// each of them, the likeliest first.
#[derive(Debug, Clone, Default, PartialEq, Eq, Archive, Serialize, Deserialize)]
pub struct Occurrences {
    /// One more than files.
    pub offsets: Vec<u32>,
    /// First byte of the name.
    pub start: Vec<u32>,
    /// One past its last byte.
    pub end: Vec<u32>,
    /// 0-based.
    pub line: Vec<u32>,
    /// [`syntax::facts::ReferenceForm`] as a byte.
    pub form: Vec<u8>,
    /// Node that the name refers to.
    pub target: Vec<u32>,
    /// Percent.
    pub confidence: Vec<u8>,
    /// [`crate::Reason`] as a byte.
    pub reason: Vec<u8>,
    /// Node: the innermost definition around the use, or the file.
    pub enclosing: Vec<u32>,
    /// One more than nodes: occurrences by target.
    pub use_offsets: Vec<u32>,
    /// Numbers of occurrences, by file and position within one target.
    pub uses: Vec<u32>,
}

/// Columns of communities, which are the nodes from `first` on.
#[derive(Debug, Clone, Default, PartialEq, Archive, Serialize, Deserialize)]
pub struct Communities {
    /// Node of the first.
    pub first: u32,
    /// Share of the weight of its members' calls and uses that stays inside, 0 to 1.
    pub cohesion: Vec<f32>,
}

/// Columns of processes, which are the nodes from `first` on, the likeliest entry points first.
#[derive(Debug, Clone, Default, PartialEq, Archive, Serialize, Deserialize)]
pub struct Processes {
    /// Node of the first.
    pub first: u32,
    /// [`crate::ProcessKind`] as a byte.
    pub kinds: Vec<u8>,
    /// [`crate::EntryKind`] as a byte.
    pub entries: Vec<u8>,
    /// Score of its first step as an entry point; higher is likelier.
    pub scores: Vec<f32>,
    /// One more than processes.
    pub offsets: Vec<u32>,
    /// Node of each step, in order: each calls the next.
    pub steps: Vec<u32>,
    /// Confidence of the call that leads to the step, in percent; 100 for the first.
    pub confidences: Vec<u8>,
}

/// A code graph.
#[derive(Debug, Clone, Default, PartialEq, Archive, Serialize, Deserialize)]
pub struct Graph {
    /// Number of files; they are the nodes from 0.
    pub n_files: u32,
    /// Number of folders; they follow the files.
    pub n_folders: u32,
    /// Names, signatures, docs, paths.
    pub strings: Strings,
    /// Columns of nodes.
    pub nodes: Nodes,
    /// First symbol of each file as a node, and one past the last.
    pub symbol_offsets: Vec<u32>,
    /// Symbols sorted by name, then by node.
    pub by_name: Vec<u32>,
    /// Relations.
    pub edges: Edges,
    /// Resolved uses.
    pub occurrences: Occurrences,
    /// Groups of symbols.
    pub communities: Communities,
    /// Flows of calls.
    pub processes: Processes,
    /// Whether an update may reuse its uses and imports: it is a whole graph, and no limit cut an answer of the resolver short.
    pub is_reusable: bool,
}

impl Graph {
    /// Estimated number of bytes of its archive: a little more than its columns.
    #[must_use]
    pub fn n_bytes(&self) -> usize {
        const NODE: usize = 2 + 13 * 4 + 2 + 4;
        const EDGE: usize = 5 * 4 + 3;
        const USE: usize = 6 * 4 + 3;
        let (nodes, edges) = (self.nodes.kind.len(), self.edges.targets.len());
        let rows = [
            self.strings.offsets.len(),
            self.symbol_offsets.len(),
            self.by_name.len(),
            self.edges.out_offsets.len(),
            self.edges.in_offsets.len(),
            self.occurrences.offsets.len(),
            self.occurrences.use_offsets.len(),
            self.communities.cohesion.len(),
            self.processes.kinds.len() * 3,
            self.processes.steps.len() * 2,
        ];
        let rows: usize = rows.into_iter().sum();
        self.strings.text.len()
            + NODE * nodes
            + EDGE * edges
            + USE * self.occurrences.start.len()
            + 4 * rows
            + 4096
    }
}

impl Edges {
    /// Fills the columns by target from those by source. Linear.
    pub fn index_targets(&mut self, n_nodes: usize) {
        (self.in_offsets, self.in_edges) = by_value(&self.targets, n_nodes);
        let mut sources = Vec::with_capacity(self.targets.len());
        for (source, end) in (0..).zip(self.out_offsets.iter().skip(1)) {
            sources.resize(
                (*end as usize).clamp(sources.len(), self.targets.len()),
                source,
            );
        }
        let source = |edge: &u32| sources.get(*edge as usize).copied().unwrap_or(NONE);
        self.in_sources = self.in_edges.iter().map(source).collect();
    }
}

impl Occurrences {
    /// Fills the columns by target from those by file. Linear.
    pub fn index_targets(&mut self, n_nodes: usize) {
        (self.use_offsets, self.uses) = by_value(&self.target, n_nodes);
    }
}

/// Where each value below `n_values` begins among the places of a column sorted by it, and those places. Values beyond
/// are left out.
fn by_value(column: &[u32], n_values: usize) -> (Vec<u32>, Vec<u32>) {
    let mut offsets = vec![0_u32; n_values + 1];
    for value in column {
        if let Some(count) = offsets.get_mut((*value as usize).saturating_add(1)) {
            *count += 1;
        }
    }
    for idx in 0..n_values {
        offsets[idx + 1] += offsets[idx];
    }
    let mut next = offsets.clone();
    let mut places = vec![0; offsets[n_values] as usize];
    for (place, value) in (0..).zip(column) {
        let next = next
            .get_mut(*value as usize)
            .filter(|_| (*value as usize) < n_values);
        if let Some(next) = next {
            if let Some(slot) = places.get_mut(*next as usize) {
                *slot = place;
            }
            *next += 1;
        }
    }
    (offsets, places)
}
