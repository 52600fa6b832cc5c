//! Checks that the columns of an archived graph fit together, once when a snapshot is opened, so that a file with right
//! checksums and wrong contents is refused with a reason, and no query reads rows that do not exist.

use rkyv::rend::u32_le;

use crate::frozen::{
    ArchivedEdges, ArchivedGraph, ArchivedNodes, ArchivedOccurrences, ArchivedProcesses,
};

impl ArchivedGraph {
    /// Checks that ids and offsets are in range. Costs one pass over their columns.
    ///
    /// # Errors
    ///
    /// A sentence that says which column is wrong.
    pub fn validate(&self) -> Result<(), &'static str> {
        let n_nodes = self.nodes.kind.len();
        let n_files = self.n_files.to_native() as usize;
        let n_folders = self.n_folders.to_native() as usize;
        ensure(
            n_files.saturating_add(n_folders) <= n_nodes,
            "there are fewer nodes than files and folders",
        )?;
        self.validate_columns()?;
        rows(
            &self.symbol_offsets,
            n_files,
            n_nodes,
            "symbols of files are out of order",
        )?;
        ids(&self.by_name, n_nodes, "a name leads to no node")?;
        self.edges.validate(n_nodes)?;
        self.occurrences.validate(n_files, n_nodes)?;
        let first = self.communities.first.to_native() as usize;
        ensure(
            first.saturating_add(self.communities.cohesion.len()) <= n_nodes,
            "a community is no node",
        )?;
        let first = self.processes.first.to_native() as usize;
        ensure(
            first.saturating_add(self.processes.kinds.len()) <= n_nodes,
            "a process is no node",
        )?;
        self.processes.validate_columns(n_nodes)
    }

    /// Checks the columns of strings and nodes alone.
    pub(crate) fn validate_columns(&self) -> Result<(), &'static str> {
        let n_strings = self.strings.offsets.len().saturating_sub(1);
        rows(
            &self.strings.offsets,
            n_strings,
            self.strings.text.len(),
            "strings are out of order",
        )?;
        self.nodes.validate(n_strings)
    }
}

impl ArchivedProcesses {
    /// Checks that each process has steps that are nodes.
    pub(crate) fn validate_columns(&self, n_nodes: usize) -> Result<(), &'static str> {
        let n_processes = self.kinds.len();
        let columns = [self.entries.len(), self.scores.len()];
        ensure(
            columns == [n_processes; 2] && self.confidences.len() == self.steps.len(),
            "columns of processes differ in length",
        )?;
        rows(
            &self.offsets,
            n_processes,
            self.steps.len(),
            "steps of processes are out of order",
        )?;
        ids(&self.steps, n_nodes, "a step of a process is no node")
    }
}

impl ArchivedNodes {
    fn validate(&self, n_strings: usize) -> Result<(), &'static str> {
        let n_nodes = self.kind.len();
        let columns = [
            self.symbol_kind.len(),
            self.name.len(),
            self.parent.len(),
            self.file.len(),
            self.start.len(),
            self.end.len(),
            self.start_line.len(),
            self.end_line.len(),
            self.name_start.len(),
            self.name_end.len(),
            self.name_line.len(),
            self.signature.len(),
            self.doc.len(),
            self.modifiers.len(),
            self.complexity.len(),
            self.centrality.len(),
        ];
        ensure(
            columns.iter().all(|len| *len == n_nodes),
            "columns of nodes differ in length",
        )?;
        for strings in [&self.name, &self.signature, &self.doc] {
            ids(strings, n_strings, "a node has a string that is not there")?;
        }
        Ok(())
    }
}

impl ArchivedEdges {
    fn validate(&self, n_nodes: usize) -> Result<(), &'static str> {
        let n_edges = self.targets.len();
        let columns = [
            self.kinds.len(),
            self.confidences.len(),
            self.reasons.len(),
            self.lines.len(),
        ];
        ensure(columns == [n_edges; 4], "columns of edges differ in length")?;
        ensure(
            [self.in_sources.len(), self.in_edges.len()] == [n_edges; 2],
            "edges by target are not all edges",
        )?;
        rows(
            &self.out_offsets,
            n_nodes,
            n_edges,
            "edges by source are out of order",
        )?;
        rows(
            &self.in_offsets,
            n_nodes,
            n_edges,
            "edges by target are out of order",
        )?;
        ids(&self.targets, n_nodes, "an edge leads to no node")?;
        ids(&self.in_sources, n_nodes, "an edge comes from no node")?;
        ids(&self.in_edges, n_edges, "an edge by target is not there")
    }
}

impl ArchivedOccurrences {
    fn validate(&self, n_files: usize, n_nodes: usize) -> Result<(), &'static str> {
        let n_uses = self.start.len();
        let columns = [
            self.end.len(),
            self.line.len(),
            self.form.len(),
            self.target.len(),
            self.confidence.len(),
            self.reason.len(),
            self.enclosing.len(),
            self.uses.len(),
        ];
        ensure(
            columns.iter().all(|len| *len == n_uses),
            "columns of uses differ in length",
        )?;
        rows(
            &self.offsets,
            n_files,
            n_uses,
            "uses by file are out of order",
        )?;
        rows(
            &self.use_offsets,
            n_nodes,
            n_uses,
            "uses by target are out of order",
        )?;
        ids(&self.target, n_nodes, "a use means no node")?;
        ids(&self.enclosing, n_nodes, "a use is in no node")?;
        ids(&self.uses, n_uses, "a use by target is not there")
    }
}

/// Checks that `offsets` divide `n_entries` entries, or the first of them, into `n_rows` rows.
fn rows(
    offsets: &[u32_le],
    n_rows: usize,
    n_entries: usize,
    fault: &'static str,
) -> Result<(), &'static str> {
    // An empty graph has no offsets at all.
    let has_rows = offsets.len() == n_rows + 1 || (offsets.is_empty() && n_rows == 0);
    let end = offsets.last().map_or(0, |end| end.to_native() as usize);
    ensure(
        has_rows && offsets.is_sorted_by_key(|offset| offset.to_native()) && end <= n_entries,
        fault,
    )
}

pub(crate) fn ids(column: &[u32_le], n: usize, fault: &'static str) -> Result<(), &'static str> {
    let highest = column.iter().map(|id| id.to_native()).max();
    ensure(highest.is_none_or(|id| (id as usize) < n), fault)
}

pub(crate) fn ensure(holds: bool, fault: &'static str) -> Result<(), &'static str> {
    if holds { Ok(()) } else { Err(fault) }
}
