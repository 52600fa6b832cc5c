//! Functions of the likeliest files, by what speaks for each itself: its words, its name, the chunks and clues that fall on it.

use std::collections::BTreeMap;
use syntax::order::InOrder;

use graph::{Node, NodeId};
use rustc_hash::FxHashMap;
use search::{ChunkId, ChunkMeta};
use source::FileId;

use super::Locating;
use super::clues::{Clue, N_CLUES};
use super::evidence::Found;

/// Files whose functions are all looked at.
const MAX_FILES: usize = 14;
/// Functions of one file.
const MAX_OF_FILE: usize = 2_000;
/// Bytes of functions whose words are counted, of all files together, and of one function.
const MAX_TEXT: usize = 96 * 1024;
/// Functions whose own words are counted.
const MAX_READ: usize = 100;
/// Share of a function's own words in its value by words; its chunks have the rest.
const OF_OWN: f32 = 0.5;
/// Share of its type's name in the value of a function's names.
const OF_TYPE_NAME: f32 = 0.6;
const MAX_BODY: usize = 6 * 1024;
/// Share of a type's clues that its methods get.
const OF_TYPE: f32 = 0.35;
/// Saturation of repeated words and length of a usual function in words, as in BM25.
const K1: f32 = 1.2;
const USUAL: f32 = 60.0;

/// A function and what speaks for it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct FunctionFound {
    pub(crate) node: NodeId,
    pub(crate) file: FileId,
    pub(crate) found: Found,
}

impl Locating<'_> {
    /// The functions of these files and those that clues name elsewhere.
    pub(super) fn functions(&self, files: &[FileId]) -> Vec<FunctionFound> {
        let chunks = self.chunks_by_file();
        let mut all: BTreeMap<NodeId, FunctionFound> = BTreeMap::new();
        for &file in files.iter().take(MAX_FILES) {
            for function in self.of_file(file, &chunks) {
                all.insert(function.node, function);
            }
        }
        for (node, found) in &self.evidence.symbols {
            let graph = self.reader.graph();
            let is_function = graph.node(*node).is_function();
            let file = graph.file_of(*node).filter(|file| self.may_be(*file));
            if let Some(file) = file.filter(|_| is_function && !all.contains_key(node)) {
                let mut found = found.clone();
                self.add_words(&graph.node(*node), file, &mut found);
                all.insert(
                    *node,
                    FunctionFound {
                        node: *node,
                        file,
                        found,
                    },
                );
            }
        }
        let mut all: Vec<FunctionFound> = all.into_values().collect();
        share_of_best(&mut all, Clue::Words);
        self.add_own_words(&mut all);
        share_of_best(&mut all, Clue::Stem);
        all
    }

    /// Adds the words of the functions themselves, for those that speak most for themselves: a chunk may hold several functions,
    /// or a part of one.
    fn add_own_words(&self, all: &mut [FunctionFound]) {
        let terms: FxHashMap<u64, f32> = self.terms.iter().copied().collect();
        let value = |function: &FunctionFound| function.found.values.iter().sum::<f32>();
        let mut order: Vec<(f32, usize)> = all.iter().map(value).zip(0..).collect();
        order.order_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let mut left = MAX_TEXT;
        let mut own: Vec<(usize, f32)> = Vec::new();
        for (_, idx) in order.into_iter().take(MAX_READ) {
            if let Some(function) = all.get(idx) {
                own.push((idx, self.own_words(function.node, &terms, &mut left)));
            }
        }
        let best = own.iter().map(|(_, value)| *value).fold(0.0, f32::max);
        for function in all.iter_mut() {
            function.found.values[Clue::Words as usize] *= 1.0 - OF_OWN;
        }
        for (idx, value) in own {
            if let Some(function) = all.get_mut(idx).filter(|_| best > 0.0) {
                function.found.values[Clue::Words as usize] += OF_OWN * value / best;
            }
        }
    }

    /// The best score by words of the chunks that a function is in, by its share of each.
    fn add_words(&self, node: &Node<'_>, file: FileId, found: &mut Found) {
        let mut best = 0.0_f32;
        let chunks = self.reader.chunks_of(file);
        let scores = self
            .word_scores
            .get(chunks.start as usize..chunks.end as usize);
        for (chunk, &score) in (chunks.start..).zip(scores.unwrap_or_default()) {
            if score <= best {
                continue;
            }
            if let Some(meta) = self.reader.chunk(ChunkId(chunk)) {
                best = best.max(score * common(node, &meta));
            }
        }
        found.values[Clue::Words as usize] = best;
    }

    /// The functions of a file with the clues of their chunks, their types and their names.
    fn of_file(
        &self,
        file: FileId,
        chunks: &FxHashMap<FileId, Vec<ChunkId>>,
    ) -> Vec<FunctionFound> {
        let graph = self.reader.graph();
        let nodes = graph.symbols_of(file).map(|id| graph.node(id));
        let nodes = nodes.filter(|node| {
            node.is_function() && !self.reader.is_test(node.id)
                || self.wants_tests && node.is_function()
        });
        let chunks = chunks.get(&file).map_or(&[][..], Vec::as_slice);
        nodes
            .take(MAX_OF_FILE)
            .map(|node| {
                let mut found = self
                    .evidence
                    .symbols
                    .get(&node.id)
                    .cloned()
                    .unwrap_or_default();
                self.add_type(&node, &mut found);
                for chunk in chunks {
                    self.add_chunk(&node, *chunk, &mut found);
                }
                self.add_words(&node, file, &mut found);
                found.at_least(Clue::Stem, self.share_of_names(&node));
                FunctionFound {
                    node: node.id,
                    file,
                    found,
                }
            })
            .collect()
    }

    /// How well the names of a function and of its type are words of the title.
    fn share_of_names(&self, node: &Node<'_>) -> f32 {
        let own = self.share_of_title(node.name);
        let parent = node.parent.filter(|parent| self.reader.is_symbol(*parent));
        let of_type = parent.map_or(0.0, |parent| {
            self.share_of_title(self.reader.graph().name(parent))
        });
        own.max(OF_TYPE_NAME * of_type + (1.0 - OF_TYPE_NAME) * own)
    }

    fn add_type(&self, node: &Node<'_>, found: &mut Found) {
        let Some(of_type) = node
            .parent
            .and_then(|parent| self.evidence.symbols.get(&parent))
        else {
            return;
        };
        for clue in [Clue::Name, Clue::Example, Clue::Near] {
            found.at_least(clue, OF_TYPE * of_type.values[clue as usize]);
        }
    }

    /// Clues of a chunk fall on a function by the share of it that is in the chunk.
    fn add_chunk(&self, node: &Node<'_>, chunk: ChunkId, found: &mut Found) {
        let (Some(meta), Some(values)) = (self.reader.chunk(chunk), self.chunks.get(&chunk)) else {
            return;
        };
        let share = common(node, &meta);
        for clue in [Clue::Title, Clue::Prose, Clue::Message] {
            found.at_least(clue, share * values[clue as usize]);
        }
    }

    fn chunks_by_file(&self) -> FxHashMap<FileId, Vec<ChunkId>> {
        let mut of_files: FxHashMap<FileId, Vec<ChunkId>> = FxHashMap::default();
        #[expect(
            clippy::iter_over_hash_type,
            reason = "the largest value counts, in whichever order"
        )]
        for chunk in self.chunks.keys() {
            if let Some(file) = self.reader.file_of_chunk(*chunk) {
                of_files.entry(file).or_default().push(*chunk);
            }
        }
        of_files
    }

    /// The weighed words of a function's own text, within the budget of all functions.
    fn own_words(&self, node: NodeId, terms: &FxHashMap<u64, f32>, left: &mut usize) -> f32 {
        let node = self.reader.graph().node(node);
        let Some(file) = node.file else {
            return 0.0;
        };
        let n_bytes = (node.span.end.saturating_sub(node.span.start) as usize)
            .min(MAX_BODY)
            .min(*left);
        *left -= n_bytes;
        let text = self.reader.bytes(file).unwrap_or_default();
        let start = node.span.start as usize;
        let text = text.get(start..start + n_bytes).unwrap_or_default();
        let text = String::from_utf8_lossy(text);
        let mut counts: FxHashMap<u64, f32> = FxHashMap::default();
        let mut n_words = 0.0_f32;
        search::for_each_token(&text, |token| {
            n_words += 1.0;
            let hash = search::term_hash(token.text);
            if terms.contains_key(&hash) {
                *counts.entry(hash).or_default() += 1.0;
            }
        });
        let length = 0.5 + 0.5 * n_words / USUAL;
        let mut values: Vec<f32> = Vec::with_capacity(counts.len());
        #[expect(clippy::iter_over_hash_type, reason = "sorted before they are summed")]
        for (hash, n) in counts {
            let weight = terms.get(&hash).copied().unwrap_or(0.0);
            values.push(weight * n * (K1 + 1.0) / (n + K1 * length));
        }
        values.order_by(f32::total_cmp);
        values.iter().sum()
    }
}

/// The share of a function that is in a chunk, or of the chunk that is in the function: the larger.
fn common(node: &Node<'_>, meta: &ChunkMeta) -> f32 {
    let start = node.span.start_line.max(meta.start_line);
    let end = node.span.end_line.min(meta.end_line);
    if start > end {
        return 0.0;
    }
    let n_lines = |from: u32, to: u32| (to.saturating_sub(from) + 1) as f32;
    let common = n_lines(start, end);
    let of_function = common / n_lines(node.span.start_line, node.span.end_line);
    let of_chunk = common / n_lines(meta.start_line, meta.end_line);
    of_function.max(of_chunk).min(1.0)
}

/// Turns the values of a clue into shares of the largest.
fn share_of_best(all: &mut [FunctionFound], clue: Clue) {
    let value = |function: &FunctionFound| function.found.values[clue as usize];
    let best = all.iter().map(value).fold(0.0, f32::max);
    if best > 0.0 {
        for function in all {
            function.found.values[clue as usize] /= best;
        }
    }
}

/// No clue at all.
pub(super) const NO_VALUES: [f32; N_CLUES] = [0.0; N_CLUES];
