//! Neighbours in the graph: the files that the likeliest ones call, import or extend, and those that use them; likewise for the likeliest
//! definitions.

use std::collections::BTreeMap;
use syntax::order::InOrder;

use graph::{Edge, EdgeKind, NodeId};
use source::FileId;

use super::Locating;
use super::clues::{Clue, LocateWeights};
use super::evidence::Found;

/// Files, and definitions, that the graph is followed from.
const MAX_SEEDS: usize = 6;
/// Edges followed from a file with all its definitions, and from one definition.
const MAX_OF_FILE: usize = 4_000;
const MAX_OF_SYMBOL: usize = 100;
/// Factor of a step by its kind.
const STEPS: [(EdgeKind, f32); 6] = [
    (EdgeKind::Calls, 1.0),
    (EdgeKind::Dispatch, 1.0),
    (EdgeKind::Extends, 1.0),
    (EdgeKind::Implements, 1.0),
    (EdgeKind::References, 0.6),
    (EdgeKind::Imports, 0.6),
];
/// Factor of a step against the direction of its edge: a fault is more often in a file that the given one uses than in its users.
const BACK: f32 = 0.7;
/// Share of the value that a file has for its place in the graph alone; words of the text give the rest.
const ALONE: f32 = 0.4;

impl Locating<'_> {
    /// Adds the neighbours, one step away, of the likeliest files and definitions.
    pub(super) fn near(&mut self, weights: &LocateWeights) {
        let mut reached: BTreeMap<FileId, (f32, NodeId)> = BTreeMap::new();
        let mut symbols: BTreeMap<NodeId, (f32, NodeId)> = BTreeMap::new();
        for (seed, share) in self.file_seeds(weights) {
            for (file, value) in self.files_around(FileId(seed.0), share) {
                keep_most(&mut reached, file, value, seed);
            }
        }
        for (seed, share) in self.symbol_seeds(weights) {
            let edges: Vec<(NodeId, f32)> = self.steps(seed).take(MAX_OF_SYMBOL).collect();
            for (node, value) in edges {
                let value = value * share;
                if self.reader.is_symbol(node) {
                    keep_most(&mut symbols, node, value, seed);
                }
                let file = self.reader.graph().file_of(node);
                if let Some(file) =
                    file.filter(|file| self.reader.graph().file_of(seed) != Some(*file))
                {
                    keep_most(&mut reached, file, value, seed);
                }
            }
        }
        for (file, (value, seed)) in reached {
            if self.may_be(file) {
                let detail = self.name_of(seed);
                let found = self.evidence.files.entry(file).or_default();
                found.most(Clue::Near, value * by_words(found), &detail);
            }
        }
        for (node, (value, seed)) in symbols {
            let file = self.reader.graph().file_of(node);
            if file.is_some_and(|file| self.may_be(file)) {
                let detail = self.name_of(seed);
                self.evidence
                    .symbols
                    .entry(node)
                    .or_default()
                    .most(Clue::Near, value, &detail);
            }
        }
    }

    fn name_of(&self, seed: NodeId) -> String {
        let graph = self.reader.graph();
        if self.reader.is_symbol(seed) {
            graph.qualified_name(seed)
        } else {
            graph.path_of(seed).to_owned()
        }
    }

    /// The likeliest files with their shares of the best score.
    fn file_seeds(&self, weights: &LocateWeights) -> Vec<(NodeId, f32)> {
        let files = self.evidence.files.iter();
        let score = |file: &FileId, found: &Found| sum(found, &weights.files) * self.factor(*file);
        likeliest(
            files
                .map(|(file, found)| (NodeId(file.0), score(file, found)))
                .collect(),
        )
    }

    /// The likeliest definitions with their shares of the best score.
    fn symbol_seeds(&self, weights: &LocateWeights) -> Vec<(NodeId, f32)> {
        let symbols = self.evidence.symbols.iter();
        likeliest(
            symbols
                .map(|(node, found)| (*node, sum(found, &weights.functions)))
                .collect(),
        )
    }

    /// The files that a file and its definitions lead to and are led to from, with its share, less for those with fewer steps.
    pub(super) fn files_around(&self, file: FileId, share: f32) -> Vec<(FileId, f32)> {
        let graph = self.reader.graph();
        let nodes = std::iter::once(NodeId(file.0)).chain(graph.symbols_of(file));
        let mut around: BTreeMap<FileId, f32> = BTreeMap::new();
        for (node, value) in nodes.flat_map(|node| self.steps(node)).take(MAX_OF_FILE) {
            if let Some(other) = graph
                .file_of(node)
                .filter(|other| *other != file && self.may_be(*other))
            {
                *around.entry(other).or_default() += value;
            }
        }
        let most = around.values().copied().fold(0.0, f32::max);
        let files = around.into_iter().filter(|_| most > 0.0);
        files
            .map(|(other, value)| (other, share * (value / most).sqrt()))
            .collect()
    }

    /// The nodes one step from a node, with the factor and certainty of the step.
    fn steps(&self, node: NodeId) -> impl Iterator<Item = (NodeId, f32)> + use<'_> {
        let graph = self.reader.graph();
        let out = graph.out(node).map(|edge| (edge.target, edge, 1.0));
        let into = graph.in_(node).map(|edge| (edge.source, edge, BACK));
        out.chain(into)
            .filter_map(|(other, edge, direction): (NodeId, Edge, f32)| {
                let (_, factor) = STEPS.iter().find(|(kind, _)| *kind == edge.kind)?;
                Some((
                    other,
                    factor * direction * f32::from(edge.confidence) / 100.0,
                ))
            })
    }
}

/// The factor of a place in the graph by the words of the text that the file has.
pub(super) fn by_words(found: &Found) -> f32 {
    let words = [Clue::Title, Clue::Prose, Clue::Words].map(|clue| found.values[clue as usize]);
    ALONE + (1.0 - ALONE) * words.into_iter().fold(0.0, f32::max)
}

fn sum(found: &Found, weights: &[f32]) -> f32 {
    found
        .values
        .iter()
        .zip(weights)
        .map(|(value, weight)| value * weight)
        .sum()
}

fn likeliest(mut nodes: Vec<(NodeId, f32)>) -> Vec<(NodeId, f32)> {
    nodes.order_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    nodes.truncate(MAX_SEEDS);
    let best = nodes.first().map_or(0.0, |(_, score)| *score);
    nodes.retain(|(_, score)| *score > 0.0);
    nodes.iter_mut().for_each(|(_, score)| *score /= best);
    nodes
}

fn keep_most<K: Ord>(reached: &mut BTreeMap<K, (f32, NodeId)>, key: K, value: f32, seed: NodeId) {
    let known = reached.entry(key).or_insert((value, seed));
    if value > known.0 {
        *known = (value, seed);
    }
}
