//! Makes the edges of structure and of uses, and writes all edges as columns.

use std::cmp::Reverse;

use syntax::Language;
use syntax::facts::{ReferenceForm, SymbolKind};

use super::offsets;
use crate::frozen::{Edges, NONE};
use crate::kinds::{EdgeKind, Reason};
use crate::layout::Layout;
use crate::resolution::{RawEdge, RawUse};
use crate::rows::{Rows, column};

/// Adds the edges that say which folder, file or definition contains which.
pub(super) fn structure_edges(layout: &Layout<'_>, raw: &mut Vec<RawEdge>) {
    let n_files = layout.files.len();
    let mut add = |source: u32, kind, target: u32, line| {
        if source != NONE {
            raw.push(RawEdge {
                source,
                kind,
                target,
                line,
                confidence: 100,
                reason: Reason::Structure,
            });
        }
    };
    for (file, &folder) in layout.folder_of_file.iter().enumerate() {
        add(folder, EdgeKind::Contains, file as u32, 0);
    }
    for (index, &folder) in layout.folder_of_folder.iter().enumerate() {
        add(folder, EdgeKind::Contains, (n_files + index) as u32, 0);
    }
    for (node, (file, symbol)) in (layout.first_symbol()..).zip(layout.symbols()) {
        let parent = symbol
            .parent
            .map_or(file, |parent| layout.node(file, parent));
        add(parent, EdgeKind::Defines, node, symbol.name_span.start_line);
    }
}

/// Calls and references: one edge for each pair of function (or file) and target.
pub(super) fn use_edges(layout: &Layout<'_>, uses: &[Vec<RawUse>], raw: &mut Vec<RawEdge>) {
    for (file, uses) in uses.iter().enumerate() {
        let base = layout.symbol_offsets[file];
        for used in uses
            .iter()
            .filter(|used| used.target >= layout.first_symbol())
        {
            let source = innermost_function(layout, file as u32, used.enclosing, base);
            // An attribute of Rust is expanded, not called.
            let is_attribute = used.form == ReferenceForm::Decorator
                && layout.files[file].facts.language == Language::Rust;
            let kind = if used.form.is_call() && !is_attribute {
                EdgeKind::Calls
            } else {
                EdgeKind::References
            };
            raw.push(RawEdge {
                source,
                kind,
                target: used.target,
                line: used.span.start_line,
                confidence: used.confidence,
                reason: used.reason,
            });
        }
    }
}

/// The innermost named function around a use, else the file.
fn innermost_function(layout: &Layout<'_>, file: u32, enclosing: u32, base: u32) -> u32 {
    use SymbolKind::{Constructor, Function, Macro, Method};
    let symbols = &layout.files[file as usize].facts.symbols;
    let mut current = enclosing.checked_sub(base);
    while let Some(symbol) = current.and_then(|local| symbols.get(local as usize)) {
        let named = !symbol.is(syntax::facts::Modifiers::ANONYMOUS);
        if named && matches!(symbol.kind, Function | Method | Constructor | Macro) {
            return base + current.unwrap_or_default();
        }
        current = symbol.parent.filter(|&parent| Some(parent) < current);
    }
    file
}

/// One edge for each source, kind and target, in this order.
pub(super) fn sorted(raw: impl Iterator<Item = RawEdge> + Clone, n_nodes: usize) -> Vec<RawEdge> {
    let mut by_source = Rows::of_each(n_nodes, raw, |edge| edge.source);
    // An edge made from several uses gets the reason with the highest confidence, and the first line.
    by_source.sort_each_by_key(|e| (e.kind, e.target, Reverse(e.confidence), e.reason, e.line));
    let mut edges = by_source.into_entries();
    edges.dedup_by(|next, kept| {
        let is_same =
            (next.source, next.kind, next.target) == (kept.source, kept.kind, kept.target);
        if is_same {
            kept.line = kept.line.min(next.line);
        }
        is_same
    });
    // Of many uses one edge remains, and the joint keeps those of all parts.
    edges.shrink_to_fit();
    edges
}

/// Sorted edges as columns.
pub(super) fn edges(kept: &[RawEdge], n_nodes: usize) -> Edges {
    let mut edges = edges_by_source(kept, n_nodes);
    edges.index_targets(n_nodes);
    edges
}

/// Sorted edges as columns, without those by target.
pub(super) fn edges_by_source(kept: &[RawEdge], n_nodes: usize) -> Edges {
    Edges {
        out_offsets: offsets(kept.iter().map(|e| e.source), n_nodes),
        targets: column(kept, |edge| edge.target),
        kinds: column(kept, |edge| edge.kind as u8),
        confidences: column(kept, |edge| edge.confidence),
        reasons: column(kept, |edge| edge.reason as u8),
        lines: column(kept, |edge| edge.line),
        ..Edges::default()
    }
}

/// The edges of columns by source, with more behind those of each source.
pub(super) fn joined(edges: &Edges, more: &[RawEdge], n_nodes: usize) -> Vec<RawEdge> {
    let more_by_source = Rows::new(n_nodes, more, |edge| edge.source);
    let mut all = Vec::with_capacity(edges.targets.len() + more.len());
    let mut at = 0;
    for source in 0..n_nodes as u32 {
        let end = edges.out_offsets.get(source as usize + 1);
        while end.is_some_and(|end| at < *end as usize) {
            all.extend(edge_at(edges, source, at));
            at += 1;
        }
        all.extend_from_slice(more_by_source.of(source));
    }
    all
}

fn edge_at(edges: &Edges, source: u32, at: usize) -> Option<RawEdge> {
    Some(RawEdge {
        source,
        kind: EdgeKind::from_byte(edges.kinds[at])?,
        target: edges.targets[at],
        line: edges.lines[at],
        confidence: edges.confidences[at],
        reason: Reason::from_byte(edges.reasons[at])?,
    })
}
