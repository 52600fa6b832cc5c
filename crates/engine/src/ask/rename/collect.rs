//! Collects the family of a symbol, the edits, and the conflicts with the new name.

use std::collections::BTreeMap;
use std::ops::Range;

use graph::{EdgeKind, NodeId, NodeKind};
use rustc_hash::{FxHashMap, FxHashSet};
use source::FileId;
use syntax::facts::SymbolKind;

use super::{Conflict, EditSource, FileEdits, RenameConfig, TextEdit, TextEdits, shorthand};
use crate::ask::places::{Place, places};
use crate::{Error, Reader};
use syntax::order::InOrder;

/// Maximum number of conflicts; further ones say nothing new.
const MAX_CONFLICTS: usize = 50;

/// Edits of a file by their first byte.
type Edits = BTreeMap<u32, TextEdit>;

impl Reader {
    /// The symbol first, then its overloads, its constructors of the same name, and the symbols linked to it by
    /// overriding and implementing.
    pub(super) fn family(&self, symbol: NodeId) -> Vec<NodeId> {
        let graph = self.graph();
        let name = graph.name(symbol);
        let mut family = vec![symbol];
        let mut seen: FxHashSet<NodeId> = family.iter().copied().collect();
        let mut at = 0;
        while let Some(&member) = family.get(at) {
            at += 1;
            let outward = graph.out(member).map(|edge| (edge.kind, edge.target));
            let inward = graph.in_(member).map(|edge| (edge.kind, edge.source));
            let linked = outward
                .chain(inward)
                .filter(|(kind, _)| *kind == EdgeKind::Dispatch)
                .map(|(_, other)| other);
            let constructors = graph
                .out(member)
                .map(|edge| edge.target)
                .filter(|child| graph.symbol_kind(*child) == Some(SymbolKind::Constructor));
            for other in linked
                .chain(constructors)
                .chain(self.overloads(member))
                .filter(|other| graph.name(*other) == name)
            {
                if seen.insert(other) {
                    family.push(other);
                }
            }
        }
        family
    }

    /// Definitions of the same name in the same scope: overloads, the parts of a merged declaration, getter and setter.
    fn overloads(&self, symbol: NodeId) -> impl Iterator<Item = NodeId> + use<'_> {
        let graph = self.graph();
        let parent = graph.parent(symbol);
        graph
            .by_name(graph.name(symbol))
            .filter(move |other| graph.parent(*other) == parent && parent.is_some())
    }

    /// Collects all edits, by file and position.
    pub(super) fn collect_edits(
        &self,
        symbols: &[NodeId],
        old: &str,
        config: &RenameConfig<'_>,
    ) -> Result<Vec<FileEdits>, Error> {
        let mut files: BTreeMap<FileId, Edits> = BTreeMap::new();
        self.graph_edits(symbols, old, config, &mut files)?;
        if config.text_edits != TextEdits::Off {
            let words = Words::new(self, symbols, old);
            for file in self.files().filter(|file| self.may_change(*file, config)) {
                self.text_edits(file, &words, config, &mut files)?;
            }
        }
        let mut all = Vec::new();
        for (file, edits) in files {
            let mut edits: Vec<TextEdit> = edits.into_values().collect();
            let offsets: Vec<usize> = edits.iter().map(|edit| edit.start as usize).collect();
            for (edit, place) in
                edits
                    .iter_mut()
                    .zip(places(self.language(file), self.text(file)?, &offsets))
            {
                edit.place = place;
            }
            all.push(FileEdits { file, edits });
        }
        Ok(all)
    }

    fn graph_edits(
        &self,
        symbols: &[NodeId],
        old: &str,
        config: &RenameConfig<'_>,
        files: &mut BTreeMap<FileId, Edits>,
    ) -> Result<(), Error> {
        let graph = self.graph();
        let is_member = symbols
            .first()
            .is_some_and(|symbol| self.is_member(*symbol));
        for &symbol in symbols {
            let node = graph.node(symbol);
            if let Some(file) = node.file {
                let edit = TextEdit {
                    start: node.name_span.start,
                    end: node.name_span.end,
                    line: node.name_span.start_line,
                    new_text: config.new_name.to_owned(),
                    source: EditSource::Graph {
                        confidence: 100,
                        reason: graph::Reason::Structure,
                    },
                    place: Place::Code,
                    is_applied: self.may_change(file, config),
                };
                self.add(files, file, old, edit);
            }
            for used in graph.uses_of(symbol) {
                if used.confidence < config.min_confidence {
                    continue;
                }
                let is_shorthand = shorthand::is_possible(self.language(used.file))
                    && shorthand::is_shorthand(
                        self.text(used.file)?,
                        used.start as usize,
                        used.end as usize,
                    );
                let new_text = if is_shorthand {
                    shorthand::spelled_out(old, config.new_name, is_member)
                } else {
                    config.new_name.to_owned()
                };
                let edit = TextEdit {
                    start: used.start,
                    end: used.end,
                    line: used.line,
                    new_text,
                    source: EditSource::Graph {
                        confidence: used.confidence,
                        reason: used.reason,
                    },
                    place: Place::Code,
                    is_applied: self.may_change(used.file, config),
                };
                self.add(files, used.file, old, edit);
            }
        }
        Ok(())
    }

    fn may_change(&self, file: FileId, config: &RenameConfig<'_>) -> bool {
        config.files.passes(self.path(file), self.language(file))
    }

    /// Adds an edit if the text at its position is the name: an alias is written otherwise, and stays. Positions such
    /// as `#items` and `self.items` may be wider than the word.
    fn add(
        &self,
        files: &mut BTreeMap<FileId, Edits>,
        file: FileId,
        old: &str,
        mut edit: TextEdit,
    ) {
        let written = self.piece(file, edit.start, edit.end);
        if written != old {
            let Some(before) = written.strip_suffix(old) else {
                return;
            };
            if before.ends_with(is_word_char) {
                return;
            }
            edit.start += before.len() as u32;
        }
        files
            .entry(file)
            .or_default()
            .entry(edit.start)
            .or_insert(edit);
    }

    /// Adds edits for the same word where the graph knows nothing of it.
    fn text_edits(
        &self,
        file: FileId,
        words: &Words<'_>,
        config: &RenameConfig<'_>,
        files: &mut BTreeMap<FileId, Edits>,
    ) -> Result<(), Error> {
        let bytes = self.bytes(file)?;
        let mut found = words.finder.find_iter(bytes).peekable();
        if found.peek().is_none() {
            return Ok(());
        }
        let text = self.text(file)?;
        let mut line = 0;
        let mut counted = 0;
        for start in found {
            let end = start + words.old.len();
            let known = files.get(&file);
            if known.is_some_and(|edits| edits.contains_key(&(start as u32)))
                || !is_whole_word(text, start, end)
                || words.mean_another(self, file, start as u32)
            {
                continue;
            }
            line +=
                memchr::memchr_iter(b'\n', bytes.get(counted..start).unwrap_or_default()).count();
            counted = start;
            let edit = TextEdit {
                start: start as u32,
                end: end as u32,
                line: line as u32,
                new_text: config.new_name.to_owned(),
                source: EditSource::TextSearch,
                place: Place::Code,
                is_applied: config.text_edits == TextEdits::Apply,
            };
            files.entry(file).or_default().insert(edit.start, edit);
        }
        Ok(())
    }

    /// Whether a symbol is accessed through a value or type: `a.name`, not `name`.
    fn is_member(&self, symbol: NodeId) -> bool {
        let graph = self.graph();
        matches!(
            graph.symbol_kind(symbol),
            Some(SymbolKind::Method | SymbolKind::Field | SymbolKind::Variant)
        ) || graph
            .in_(symbol)
            .any(|edge| edge.kind == EdgeKind::HasMethod)
    }

    /// Finds definitions and uses that have the new name already.
    pub(super) fn conflicts(
        &self,
        symbols: &[NodeId],
        files: &[FileEdits],
        new: &str,
    ) -> Vec<Conflict> {
        let graph = self.graph();
        let mut conflicts = Vec::new();
        for symbol in symbols {
            let parent = graph
                .parent(*symbol)
                .filter(|id| graph.kind(*id) != NodeKind::Folder);
            for other in graph
                .by_name(new)
                .filter(|other| graph.parent(*other) == parent)
            {
                let node = graph.node(other);
                conflicts.push(Conflict {
                    file: node.file.unwrap_or(FileId(u32::MAX)),
                    line: node.name_span.start_line,
                    message: format!("{} is defined here already", graph.qualified_name(other)),
                });
            }
        }
        if !symbols
            .first()
            .is_some_and(|symbol| self.is_member(*symbol))
        {
            for FileEdits { file, edits } in files {
                let is_used = edits
                    .iter()
                    .any(|edit| matches!(edit.source, EditSource::Graph { .. }));
                let mut uses = graph.occurrences_in(*file);
                let clash =
                    uses.find(|used| is_used && self.piece(*file, used.start, used.end) == new);
                conflicts.extend(clash.map(|used| Conflict {
                    file: *file,
                    line: used.line,
                    message: format!("{new} means something else in this file"),
                }));
            }
        }
        conflicts.order_by(|a, b| (a.file, a.line, &a.message).cmp(&(b.file, b.line, &b.message)));
        conflicts.dedup();
        conflicts.truncate(MAX_CONFLICTS);
        conflicts
    }
}

/// The old name as a word, and the positions where it means something else.
struct Words<'a> {
    old: &'a str,
    finder: memchr::memmem::Finder<'a>,
    family: FxHashSet<NodeId>,
    /// Byte ranges of definition names outside the family that are spelled the same, by file.
    others: FxHashMap<FileId, Vec<Range<u32>>>,
}

impl<'a> Words<'a> {
    fn new(reader: &Reader, symbols: &[NodeId], old: &'a str) -> Self {
        let graph = reader.graph();
        let family: FxHashSet<NodeId> = symbols.iter().copied().collect();
        let mut others: FxHashMap<FileId, Vec<Range<u32>>> = FxHashMap::default();
        for node in graph.by_name(old).map(|id| graph.node(id)) {
            // The name of an impl block is a use of its type.
            let is_other = !family.contains(&node.id) && node.symbol_kind != Some(SymbolKind::Impl);
            if let Some(file) = node.file.filter(|_| is_other) {
                let name = node.name_span.start..node.name_span.end;
                others.entry(file).or_default().push(name);
            }
        }
        Self {
            old,
            finder: memchr::memmem::Finder::new(old),
            family,
            others,
        }
    }

    /// Whether the word here is the name of something outside the family, or a use of it.
    fn mean_another(&self, reader: &Reader, file: FileId, start: u32) -> bool {
        let mut uses = reader
            .graph()
            .occurrences_at(file, start)
            .filter(|used| used.start <= start && start < used.end)
            .peekable();
        if uses.peek().is_some() {
            return uses.all(|used| !self.family.contains(&used.target));
        }
        let others = self.others.get(&file);
        others.is_some_and(|names| names.iter().any(|name| name.contains(&start)))
    }
}

fn is_word_char(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

fn is_whole_word(text: &str, start: usize, end: usize) -> bool {
    let before = text
        .get(..start)
        .and_then(|before| before.chars().next_back());
    let after = text.get(end..).and_then(|after| after.chars().next());
    !before.is_some_and(is_word_char) && !after.is_some_and(is_word_char)
}
