//! The facts of SCIP documents, as the graph takes them.

use graph::{ExactFacts, ExactRelation, ExactUse, Place};
use rustc_hash::{FxHashMap, FxHashSet};
use snapshot::{ScipDocument, ScipDocuments};
use source::FileId;
use syntax::order::InOrder;

/// Returns the facts of the SCIP documents of unchanged files, with the file numbers of this build. `files` are the path and the digest
/// of each file, in the order of their numbers. Linear in the documents.
pub(crate) fn exact_facts<'a>(
    files: impl Iterator<Item = (&'a str, [u8; 32])>,
    documents: &ScipDocuments,
) -> ExactFacts {
    let mut defined: FxHashMap<u64, Place> = FxHashMap::default();
    let mut defined_in_stale: FxHashSet<u64> = FxHashSet::default();
    let mut fresh: Vec<(FileId, &ScipDocument)> = Vec::new();
    for (idx, (path, digest)) in files.enumerate() {
        let Some(document) = documents.get(path) else {
            continue;
        };
        let file = FileId(idx as u32);
        let is_stale = document.digest != digest;
        for (start, symbol) in document.definitions() {
            if is_stale {
                defined_in_stale.insert(symbol);
            } else {
                // Of overloads, and of several definitions of one name, the first counts.
                let start = (start.1 > start.0).then_some(start.0);
                defined.entry(symbol).or_insert(Place { file, start });
            }
        }
        if !is_stale {
            fresh.push((file, document));
        }
    }
    let mut exact = ExactFacts::default();
    for (file, document) in fresh {
        let uses = document.names().filter(|(_, symbol, _)| {
            defined.contains_key(symbol) || !defined_in_stale.contains(symbol)
        });
        let uses = uses.filter(|(span, _, _)| span.0 < span.1);
        let mut uses: Vec<ExactUse> = uses
            .map(|((start, end), symbol, line)| ExactUse {
                start,
                end,
                line,
                target: defined.get(&symbol).copied(),
            })
            .collect();
        uses.order_by(Ord::cmp);
        uses.dedup();
        exact.uses.push((file, uses));
        exact
            .relations
            .extend(document.relations.iter().filter_map(|(from, to)| {
                Some(ExactRelation {
                    from: *defined.get(from)?,
                    to: *defined.get(to)?,
                })
            }));
    }
    exact.relations.order_by(Ord::cmp);
    exact.relations.dedup();
    exact
}
