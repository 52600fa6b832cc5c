//! Paths, modules and names of a text, resolved to files and definitions.

use graph::NodeId;
use syntax::facts::SymbolKind;

use super::Locating;
use super::clues::Clue;
use super::text::{Name, Part};
use crate::ask::select::kind_rank;

/// Value of a path with a line, and without.
const WITH_LINE: f32 = 0.95;
const WITHOUT_LINE: f32 = 0.8;
/// Definitions of one name that are considered; a name that more have says nothing.
const MAX_SAME: usize = 40;
/// Plain words of a title are names only if at most this number of definitions has them.
const MAX_OF_WORD: usize = 3;
/// Value of a name by where it is written.
const PARTS: [(Part, Clue, f32); 6] = [
    (Part::Title, Clue::Name, 0.9),
    (Part::Quoted, Clue::Name, 0.6),
    (Part::Prose, Clue::Name, 0.5),
    (Part::Code, Clue::Example, 0.4),
    (Part::Output, Clue::Example, 0.5),
    (Part::TitleWord, Clue::Name, 0.3),
];

impl Locating<'_> {
    /// Adds the files whose paths the text names.
    pub(super) fn paths(&mut self) {
        for mention in std::mem::take(&mut self.read.paths) {
            let value = if mention.line.is_some() {
                WITH_LINE
            } else {
                WITHOUT_LINE
            };
            for (file, sure) in self.names.of_path(&mention.path) {
                self.evidence
                    .file(file, Clue::Path, value * sure, &mention.path);
                let line = mention.line.and_then(|line| line.checked_sub(1));
                if let Some(symbol) = line.and_then(|line| self.reader.symbol_on_line(file, line)) {
                    self.evidence.symbols.entry(symbol).or_default().add(
                        Clue::Path,
                        0.6 * sure,
                        &mention.path,
                    );
                }
            }
        }
    }

    /// Adds the definitions and modules that the text names.
    pub(super) fn named(&mut self) {
        for name in std::mem::take(&mut self.read.names) {
            let row = PARTS.iter().find(|(part, ..)| *part == name.part);
            let Some(&(_, clue, weight)) = row else {
                continue;
            };
            let nodes = self.definitions(&name);
            for (node, sure) in &nodes {
                self.evidence
                    .symbol(self.reader, *node, clue, weight * sure, &name.text);
            }
            let is_module =
                name.text.contains('.') || matches!(name.part, Part::Title | Part::Quoted);
            if nodes.is_empty() && is_module {
                self.module(&name, clue, weight);
            }
        }
    }

    /// A name that no definition has may be a module, or begin with one.
    fn module(&mut self, name: &Name, clue: Clue, weight: f32) {
        let mut text = name.text.as_str();
        let mut share = 0.8;
        loop {
            let files = self.names.of_module(text);
            for (file, sure) in &files {
                self.evidence
                    .file(*file, clue, weight * share * sure, &name.text);
            }
            match text.rsplit_once('.') {
                Some((before, _)) if files.is_empty() => text = before,
                _ => return,
            }
            share *= 0.7;
        }
    }

    /// The definitions that a name means, with how sure that is.
    pub(super) fn definitions(&self, name: &Name) -> Vec<(NodeId, f32)> {
        let parts: Vec<&str> = name
            .text
            .split('.')
            .filter(|part| !part.is_empty())
            .collect();
        let Some((last, before)) = parts.split_last() else {
            return Vec::new();
        };
        let mut nodes = self.of_name(last);
        let is_word = name.part == Part::TitleWord;
        if is_word {
            nodes.retain(|node| kind_rank(self.reader.graph().symbol_kind(*node)) == 0);
        }
        if nodes.is_empty() && before.len() == 1 && !is_word {
            // `Cart.colour` is about `Cart` where nothing is called `colour`.
            let owners = self.of_name(before[0]);
            let sure = 0.7 / (owners.len().max(1) as f32).sqrt();
            return owners.into_iter().map(|node| (node, sure)).collect();
        }
        let fits: Vec<usize> = nodes
            .iter()
            .map(|node| self.n_around(*node, before))
            .collect();
        let most = fits.iter().copied().max().unwrap_or(0);
        let meant: Vec<NodeId> = nodes
            .iter()
            .zip(&fits)
            .filter(|(_, fit)| **fit == most)
            .map(|(node, _)| *node)
            .collect();
        let limit = if is_word { MAX_OF_WORD } else { MAX_SAME };
        if meant.len() > limit {
            return Vec::new();
        }
        // An owner that nothing here has: the name may be of another program.
        let foreign = if !before.is_empty() && most == 0 {
            0.4
        } else {
            1.0
        };
        let sure = foreign / (meant.len().max(1) as f32).sqrt();
        meant.into_iter().map(|node| (node, sure)).collect()
    }

    /// Definitions of a simple name outside of tests; headings and implementations are none.
    fn of_name(&self, name: &str) -> Vec<NodeId> {
        let graph = self.reader.graph();
        let nodes = graph.by_name(name).take(4 * MAX_SAME);
        let nodes = nodes.filter(|node| {
            let kind = graph.symbol_kind(*node);
            let is_code = !matches!(kind, None | Some(SymbolKind::Section | SymbolKind::Impl));
            is_code && graph.file_of(*node).is_some_and(|file| self.may_be(file))
        });
        nodes.collect()
    }

    /// How many of these names are around a definition: the types it is in, the parts of its path.
    fn n_around(&self, node: NodeId, names: &[&str]) -> usize {
        if names.is_empty() {
            return 0;
        }
        let graph = self.reader.graph();
        let qualified = graph.qualified_name(node);
        let path = graph
            .file_of(node)
            .map_or("", |file| self.reader.path(file));
        let in_path = |name: &str| path.split(['/', '.']).any(|part| part == name);
        let in_name = |name: &str| qualified.split('.').rev().skip(1).any(|part| part == name);
        // The type around it says more than a folder.
        let value = |name: &&str| {
            if in_name(name) {
                2
            } else {
                usize::from(in_path(name))
            }
        };
        names.iter().map(value).sum()
    }
}
