//! From names to definitions.

use rustc_hash::FxHashMap;

use crate::build::Manifest;
use crate::freeze::{RawUse, Resolution};
use crate::kinds::Reason;
use crate::layout::Layout;

/// Resolves every use.
pub(crate) fn resolve(layout: &Layout<'_>, _manifests: &[Manifest<'_>]) -> Resolution {
    let mut by_name: FxHashMap<&str, Vec<(u32, u32)>> = FxHashMap::default();
    for (node, (file, symbol)) in (layout.first_symbol()..).zip(layout.symbols()) {
        by_name
            .entry(symbol.name.as_str())
            .or_default()
            .push((file, node));
    }
    let mut resolution = Resolution::default();
    for (file, input) in layout.files.iter().enumerate() {
        let file = file as u32;
        let mut uses = Vec::new();
        for reference in &input.facts.references {
            let Some(candidates) = by_name.get(reference.name.as_str()) else {
                continue;
            };
            let same_file = candidates.iter().find(|(other, _)| *other == file);
            let found = match (same_file, candidates.as_slice()) {
                (Some(&(_, node)), _) => Some((node, Reason::SameFile)),
                (None, &[(_, node)]) => Some((node, Reason::UniqueName)),
                _ => None,
            };
            if let Some((target, reason)) = found {
                uses.push(RawUse {
                    span: reference.span,
                    form: reference.form,
                    target,
                    reason,
                    confidence: reason.confidence(),
                    enclosing: reference
                        .enclosing
                        .map_or(file, |local| layout.node(file, local)),
                });
            }
        }
        resolution.uses.push(uses);
    }
    resolution
}
