//! What is near in the graph: callers, callees, bases and imports of what speaks most for itself.

use std::collections::BTreeMap;

use graph::{Edge, EdgeKind, NodeId};
use source::FileId;

use super::Locating;
use super::clues::{Clue, LocateWeights};
use super::evidence::Found;

/// Definitions and files that the graph is followed from.
const MAX_SEEDS: usize = 12;
/// Edges followed from one of them.
const MAX_EDGES: usize = 200;
/// Factor of a step by its kind.
const STEPS: [(EdgeKind, f32); 6] = [
    (EdgeKind::Calls, 0.8),
    (EdgeKind::Dispatch, 0.8),
    (EdgeKind::Extends, 0.8),
    (EdgeKind::Implements, 0.8),
    (EdgeKind::References, 0.5),
    (EdgeKind::Imports, 0.5),
];

impl Locating<'_> {
    /// Adds what is one step from the likeliest files and definitions.
    pub(super) fn near(&mut self, weights: &LocateWeights) {
        let seeds = self.seeds(weights);
        let mut reached: BTreeMap<NodeId, (f32, NodeId)> = BTreeMap::new();
        for (seed, share) in &seeds {
            for (node, value) in self.steps_from(*seed, *share) {
                let known = reached.entry(node).or_insert((value, *seed));
                if value > known.0 {
                    *known = (value, *seed);
                }
            }
        }
        for (node, (value, seed)) in reached {
            let graph = self.reader.graph();
            let Some(file) = graph.file_of(node).filter(|file| self.may_be(*file)) else {
                continue;
            };
            let detail = if self.reader.is_symbol(seed) {
                graph.qualified_name(seed)
            } else {
                graph.path_of(seed).to_owned()
            };
            self.evidence
                .files
                .entry(file)
                .or_default()
                .most(Clue::Near, value, &detail);
            if self.reader.is_symbol(node) {
                self.evidence
                    .symbols
                    .entry(node)
                    .or_default()
                    .most(Clue::Near, value, &detail);
            }
        }
    }

    /// The likeliest files and definitions, with their shares of the best score.
    fn seeds(&self, weights: &LocateWeights) -> Vec<(NodeId, f32)> {
        let score = |found: &Found, row: &[f32]| -> f32 {
            found
                .values
                .iter()
                .zip(row)
                .map(|(value, weight)| value * weight)
                .sum()
        };
        let mut files: Vec<(NodeId, f32)> = self
            .evidence
            .files
            .iter()
            .map(|(file, found)| {
                (
                    NodeId(file.0),
                    score(found, &weights.files) * self.factor(*file),
                )
            })
            .collect();
        let mut symbols: Vec<(NodeId, f32)> = self
            .evidence
            .symbols
            .iter()
            .map(|(node, found)| (*node, score(found, &weights.functions)))
            .collect();
        for list in [&mut files, &mut symbols] {
            list.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
            list.truncate(MAX_SEEDS / 2);
            let best = list.first().map_or(0.0, |(_, score)| *score);
            if best > 0.0 {
                list.iter_mut().for_each(|(_, score)| *score /= best);
            }
            list.retain(|(_, share)| *share > 0.0);
        }
        files.extend(symbols);
        files
    }

    /// The nodes one step from a seed in other files, with the seed's share by kind and certainty of the step. A definition that
    /// many use is near to none of them.
    fn steps_from(&self, seed: NodeId, share: f32) -> Vec<(NodeId, f32)> {
        let graph = self.reader.graph();
        let file = graph.file_of(seed);
        let out = graph.out(seed).map(|edge| (edge.target, edge));
        let into = graph.in_(seed).map(|edge| (edge.source, edge));
        let edges: Vec<(NodeId, Edge)> = out.chain(into).take(MAX_EDGES).collect();
        let spread = 1.0 / (1.0 + edges.len() as f32).ln().max(1.0);
        let steps = edges.into_iter().filter_map(|(node, edge)| {
            let (_, factor) = STEPS.iter().find(|(kind, _)| *kind == edge.kind)?;
            let other: Option<FileId> = graph.file_of(node);
            let is_elsewhere = other.is_some() && other != file;
            let value = share * factor * spread * f32::from(edge.confidence) / 100.0;
            is_elsewhere.then_some((node, value))
        });
        steps.collect()
    }
}
