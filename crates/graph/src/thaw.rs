//! The resolution of a frozen graph: uses and imports of each file, so that an update need not resolve them again.

use syntax::facts::Span;

use crate::frozen::ArchivedGraph;
use crate::kinds::{EdgeKind, FORMS, NodeId, NodeKind, Reason};
use crate::resolution::{RawEdge, RawUse, Resolution};
use crate::view::GraphView;

impl Resolution {
    /// Restores the uses and imports of a graph's files, with its external packages; none of a graph that may not be reused, or
    /// with what no resolver returns. Other edges follow from declarations and are left out. Of the lines of a use it has the
    /// first only. Linear.
    #[must_use]
    pub fn thawed(graph: &ArchivedGraph) -> Option<Resolution> {
        if !graph.is_reusable {
            return None;
        }
        let externals = externals(graph)?;
        Some(Resolution {
            uses: (0..graph.n_files.to_native() as usize)
                .map(|file| uses(graph, file))
                .collect::<Option<_>>()?,
            edges: imports(graph, externals.len() as u32)?,
            externals,
            was_cut_short: false,
        })
    }
}

/// The first node that is no symbol: packages outside of the repository.
fn first_external(graph: &ArchivedGraph) -> u32 {
    graph.symbol_offsets.last().map_or(0, |end| end.to_native())
}

fn externals(graph: &ArchivedGraph) -> Option<Vec<String>> {
    let nodes = first_external(graph)..graph.communities.first.to_native();
    let view = GraphView::new(graph);
    let name = |node: u32| {
        let is_external = graph.nodes.kind.get(node as usize) == Some(&(NodeKind::External as u8));
        is_external.then(|| view.name(NodeId(node)).to_owned())
    };
    nodes.map(name).collect()
}

fn uses(graph: &ArchivedGraph, file: usize) -> Option<Vec<RawUse>> {
    let columns = &graph.occurrences;
    let [start, end] = [file, file + 1].map(|row| columns.offsets.get(row));
    let rows = start?.to_native() as usize..end?.to_native() as usize;
    let end = first_external(graph);
    rows.map(|row| {
        let line = columns.line.get(row)?.to_native();
        let used = RawUse {
            span: Span {
                start: columns.start.get(row)?.to_native(),
                end: columns.end.get(row)?.to_native(),
                start_line: line,
                end_line: line,
            },
            form: *FORMS.get(usize::from(*columns.form.get(row)?))?,
            target: columns.target.get(row)?.to_native(),
            reason: Reason::from_byte(*columns.reason.get(row)?)?,
            confidence: *columns.confidence.get(row)?,
            enclosing: columns.enclosing.get(row)?.to_native(),
        };
        (used.target < end && used.enclosing < end).then_some(used)
    })
    .collect()
}

fn imports(graph: &ArchivedGraph, n_externals: u32) -> Option<Vec<RawEdge>> {
    let columns = &graph.edges;
    let end = first_external(graph) + n_externals;
    let mut imports = Vec::new();
    for source in 0..graph.n_files.to_native() {
        let [first, past] = [source, source + 1].map(|row| columns.out_offsets.get(row as usize));
        for edge in first?.to_native() as usize..past?.to_native() as usize {
            if *columns.kinds.get(edge)? != EdgeKind::Imports as u8 {
                continue;
            }
            let import = RawEdge {
                source,
                kind: EdgeKind::Imports,
                target: columns.targets.get(edge)?.to_native(),
                line: columns.lines.get(edge)?.to_native(),
                confidence: *columns.confidences.get(edge)?,
                reason: Reason::from_byte(*columns.reasons.get(edge)?)?,
            };
            imports.push(Some(import).filter(|import| import.target < end)?);
        }
    }
    Some(imports)
}
