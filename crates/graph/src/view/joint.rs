//! The columns of a joint, stored in the root of an index in shards.

use rkyv::rend::{u16_le, u32_le};
use rkyv::{Archive, Deserialize, Serialize};

use crate::frozen::Graph;
use crate::validate::{ensure, ids};

/// Everything of a graph that is in none of its parts.
#[derive(Debug, Clone, Default, PartialEq, Archive, Serialize, Deserialize)]
pub struct Joint {
    /// Part of each file.
    pub part_of_file: Vec<u16>,
    /// First file of each part in `files`, and one past the last.
    pub file_offsets: Vec<u32>,
    /// Files of each part, rising.
    pub files: Vec<u32>,
    /// First symbol of each file as a node, and one past the last.
    pub symbol_offsets: Vec<u32>,
    /// First use in each file as a number among all uses, and one past the last.
    pub use_offsets: Vec<u32>,
    /// Files, folders, packages, communities and processes: the nodes that are no symbols, without a gap. It has no
    /// edges; steps and first nodes of groups have the numbers of the whole graph.
    pub hub: Graph,
    /// Share of the PageRank of each node.
    pub centrality: Vec<f32>,
    /// Hashes of the symbols' names, rising.
    pub name_hashes: Vec<u32>,
    /// The symbol of each hash; of equal hashes by node.
    pub named: Vec<u32>,
    /// Number of edges of the whole graph.
    pub n_edges: u32,
    /// Number of edges of each kind, by its number.
    pub edge_kinds: Vec<u32>,
    /// Edges that are in no part.
    pub edges: JointEdges,
    /// Uses that are in no part.
    pub uses: JointUses,
}

/// Edges sorted by source, kind and target.
#[derive(Debug, Clone, Default, PartialEq, Eq, Archive, Serialize, Deserialize)]
pub struct JointEdges {
    /// Node, one an edge, rising.
    pub sources: Vec<u32>,
    /// Node.
    pub targets: Vec<u32>,
    /// [`crate::EdgeKind`] as a byte.
    pub kinds: Vec<u8>,
    /// Percent.
    pub confidences: Vec<u8>,
    /// [`crate::Reason`] as a byte.
    pub reasons: Vec<u8>,
    /// As [`crate::frozen::Edges::lines`].
    pub lines: Vec<u32>,
    /// Numbers of the edges by target, then source and kind.
    pub by_target: Vec<u32>,
}

/// Uses sorted by their number among all uses.
#[derive(Debug, Clone, Default, PartialEq, Eq, Archive, Serialize, Deserialize)]
pub struct JointUses {
    /// Number among all uses, rising.
    pub numbers: Vec<u32>,
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
    /// Places in these columns by target, then number.
    pub by_target: Vec<u32>,
}

impl Joint {
    /// Estimated number of bytes of its archive: a little more than its columns.
    #[must_use]
    pub fn n_bytes(&self) -> usize {
        const EDGE: usize = 4 * 4 + 3;
        const USE: usize = 7 * 4 + 3;
        let rows = [
            self.part_of_file.len(),
            self.files.len(),
            self.symbol_offsets.len(),
            self.use_offsets.len(),
            self.centrality.len(),
            self.name_hashes.len(),
            self.named.len(),
        ];
        self.hub.n_bytes()
            + 4 * rows.into_iter().sum::<usize>()
            + EDGE * self.edges.sources.len()
            + USE * self.uses.numbers.len()
    }
}

impl ArchivedJoint {
    /// Number of parts.
    #[must_use]
    pub fn n_parts(&self) -> usize {
        self.file_offsets.len().saturating_sub(1)
    }

    /// Files of a part, rising.
    #[must_use]
    pub fn files_of(&self, part: u16) -> &[u32_le] {
        let range = super::row(&self.file_offsets, usize::from(part));
        self.files.get(range).unwrap_or_default()
    }

    /// Checks that ids and offsets are in range. Costs one pass over the columns.
    ///
    /// # Errors
    ///
    /// A sentence that says which column is wrong.
    pub fn validate(&self) -> Result<(), &'static str> {
        let n_files = self.hub.n_files.to_native() as usize;
        let n_folders = self.hub.n_folders.to_native() as usize;
        let n_plain = self.hub.nodes.kind.len();
        let first_symbol = n_files.saturating_add(n_folders);
        ensure(
            first_symbol <= n_plain,
            "there are fewer nodes than files and folders",
        )?;
        self.hub.validate_columns()?;
        self.check_files(n_files)?;
        let starts = offsets(
            &self.symbol_offsets,
            n_files,
            "symbols of files are out of order",
        )?;
        ensure(
            starts.start as usize == first_symbol || n_files == 0,
            "the first symbol does not follow the folders",
        )?;
        offsets(&self.use_offsets, n_files, "uses of files are out of order")?;
        let n_symbols = (starts.end - starts.start) as usize;
        let n_nodes = n_plain + n_symbols;
        ensure(u32::try_from(n_nodes).is_ok(), "there are too many nodes")?;
        ensure(
            self.centrality.len() == n_nodes
                && [self.name_hashes.len(), self.named.len()] == [n_symbols; 2],
            "columns of nodes differ in length",
        )?;
        ids(&self.named, n_nodes, "a name leads to no node")?;
        let hub = &self.hub;
        for (first, n) in [
            (&hub.communities.first, hub.communities.cohesion.len()),
            (&hub.processes.first, hub.processes.kinds.len()),
        ] {
            let end = (first.to_native() as usize).saturating_add(n);
            ensure(end <= n_nodes, "a group is no node")?;
        }
        hub.processes.validate_columns(n_nodes)?;
        self.edges.validate(n_nodes)?;
        self.uses.validate(n_nodes)
    }

    fn check_files(&self, n_files: usize) -> Result<(), &'static str> {
        let n_parts = self.n_parts();
        ensure(
            [self.part_of_file.len(), self.files.len()] == [n_files; 2],
            "parts of files differ in number",
        )?;
        let rows = offsets(
            &self.file_offsets,
            n_parts,
            "files of parts are out of order",
        )?;
        ensure(
            rows.start == 0 && rows.end as usize == n_files,
            "files of parts are out of order",
        )?;
        for part in 0..n_parts {
            let files = self.files_of(part as u16);
            let is_of = |file: &u32_le| {
                let of = self.part_of_file.get(file.to_native() as usize);
                of.map(|of: &u16_le| usize::from(of.to_native())) == Some(part)
            };
            let rises = files.is_sorted_by(|a, b| a.to_native() < b.to_native());
            ensure(rises && files.iter().all(is_of), "a file is in two parts")?;
        }
        Ok(())
    }
}

impl ArchivedJointEdges {
    fn validate(&self, n_nodes: usize) -> Result<(), &'static str> {
        let n_edges = self.sources.len();
        let columns = [
            self.targets.len(),
            self.kinds.len(),
            self.confidences.len(),
            self.reasons.len(),
            self.lines.len(),
            self.by_target.len(),
        ];
        ensure(columns == [n_edges; 6], "columns of edges differ in length")?;
        let rises = self.sources.is_sorted_by_key(|source| source.to_native());
        ensure(rises, "edges by source are out of order")?;
        ids(&self.sources, n_nodes, "an edge comes from no node")?;
        ids(&self.targets, n_nodes, "an edge leads to no node")?;
        ids(&self.by_target, n_edges, "an edge by target is not there")
    }
}

impl ArchivedJointUses {
    fn validate(&self, n_nodes: usize) -> Result<(), &'static str> {
        let n_uses = self.numbers.len();
        let columns = [
            self.start.len(),
            self.end.len(),
            self.line.len(),
            self.form.len(),
            self.target.len(),
            self.confidence.len(),
            self.reason.len(),
            self.enclosing.len(),
            self.by_target.len(),
        ];
        ensure(columns == [n_uses; 9], "columns of uses differ in length")?;
        let rises = (self.numbers).is_sorted_by(|a, b| a.to_native() < b.to_native());
        ensure(rises, "uses are out of order")?;
        ids(&self.target, n_nodes, "a use means no node")?;
        ids(&self.enclosing, n_nodes, "a use is in no node")?;
        ids(&self.by_target, n_uses, "a use by target is not there")
    }
}

/// The first and the last of offsets of `n_rows` rows.
fn offsets(
    offsets: &[u32_le],
    n_rows: usize,
    fault: &'static str,
) -> Result<std::ops::Range<u32>, &'static str> {
    let rises = offsets.is_sorted_by_key(|offset| offset.to_native());
    match (offsets.first(), offsets.last()) {
        (Some(first), Some(last)) if rises && offsets.len() == n_rows + 1 => {
            Ok(first.to_native()..last.to_native())
        }
        _ => Err(fault),
    }
}

/// A hash of a name that is the same on every machine and in every version: FNV-1a of 32 bits.
pub(crate) fn name_hash(name: &str) -> u32 {
    name.bytes().fold(0x811c_9dc5, |hash, byte| {
        (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    })
}
