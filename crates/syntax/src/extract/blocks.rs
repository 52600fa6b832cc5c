//! Ends of blocks: where a name that a block binds means again what it meant before.
//!
//! Bindings hold from their place on. A binding in an inner block that hides another one, or a definition, is followed by an end: a
//! binding with the value [`Binding::END`] at the last byte of its block, which takes the last binding of the name away again. Only names that
//! are hidden have ends, which are few.

use rustc_hash::{FxHashMap, FxHashSet};
use tree_sitter::Node;

use super::SymbolTable;
use crate::facts::{Binding, BindingKind, Bound, Span};
use crate::order::InOrder;

/// The bindings with the ends of those that hide something, in source order.
pub(crate) fn with_ends(
    bindings: Vec<(Binding, Option<Node>)>,
    table: &SymbolTable,
) -> Vec<Binding> {
    if bindings.iter().all(|(_, extent)| extent.is_none()) {
        return bindings.into_iter().map(|(binding, _)| binding).collect();
    }
    let defined: FxHashSet<&str> = table
        .symbols
        .iter()
        .map(|symbol| symbol.name.as_str())
        .collect();
    // Ends of the bindings that still hold, by function and name.
    let mut live: FxHashMap<(Option<u32>, String), Vec<u32>> = FxHashMap::default();
    let mut all: Vec<Binding> = Vec::with_capacity(bindings.len());
    let mut ends = Vec::new();
    for (binding, extent) in bindings {
        let end = extent.map_or(u32::MAX, |block| block.end_byte() as u32);
        let key = (binding.enclosing, binding.name.clone());
        let held = live.entry(key).or_default();
        while held.last().is_some_and(|last| *last <= binding.span.start) {
            held.pop();
        }
        let hides = held.last().is_some_and(|last| *last > end)
            || held.is_empty() && defined.contains(binding.name.as_str());
        if let Some(block) = extent.filter(|_| hides) {
            ends.push(end_of(&binding, block));
        }
        held.push(end);
        all.push(binding);
    }
    all.extend(ends);
    all.order_by_key(|binding| binding.span.start);
    all
}

fn end_of(binding: &Binding, block: Node) -> Binding {
    let (end, line) = (block.end_byte() as u32, block.end_position().row as u32);
    Binding {
        name: binding.name.clone(),
        kind: BindingKind::Alias,
        value: Binding::END.to_owned(),
        bound: Bound::Nothing,
        enclosing: binding.enclosing,
        span: Span {
            start: end.saturating_sub(1),
            end,
            start_line: line,
            end_line: line,
        },
    }
}
