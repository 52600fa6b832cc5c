//! Finds entry points of flows and scores them.
//!
//! The signs of an entry point are the same in every language: names that runtimes and frameworks call, decorators and
//! annotations that register a function, functions passed to a call that registers them, and functions that are
//! visible from outside and called by nobody. The score weighs the kind of entry point, the number of functions it
//! calls (by the square root, which unlike a logarithm has the same last digit on every machine) and the number of its
//! callers.

use rustc_hash::FxHashSet;
use syntax::Language;
use syntax::facts::{Modifiers, ReferenceForm, Symbol, SymbolKind};

use super::calls::{Calls, rows};
use super::words::{
    HANDLER_TYPES, HANDLERS, MAIN_DECORATORS, MAINS, ROUTES, has_handler_name, is_service,
    last_word,
};
use crate::frozen::{Edges, NONE};
use crate::kinds::{EdgeKind, EntryKind, Reason};
use crate::layout::Layout;
use crate::resolution::RawUse;

/// Maximum number of references, and of lines, to look back from a name for the call that takes it as an argument.
const REFERENCES_BEFORE: usize = 8;
const LINES_BEFORE: u32 = 3;

/// An entry point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Entry {
    pub node: u32,
    pub kind: EntryKind,
    /// Higher is surer.
    pub score: f32,
}

/// Every entry point, the likeliest first.
pub(super) fn entries(
    layout: &Layout<'_>,
    uses: &[Vec<RawUse>],
    edges: &Edges,
    calls: &Calls,
) -> Vec<Entry> {
    let finder = Finder {
        layout,
        edges,
        calls,
        registered: registered(layout, uses),
    };
    let mut entries: Vec<Entry> = (layout.first_symbol()..)
        .zip(layout.symbols())
        .filter_map(|(node, (file, symbol))| finder.entry(node, file, symbol))
        .collect();
    let mains: FxHashSet<u32> = entries
        .iter()
        .filter(|entry| entry.kind == EntryKind::Main)
        .map(|entry| entry.node)
        .collect();
    let scripts = (0..layout.files.len() as u32).filter_map(|file| finder.script(file, &mains));
    entries.extend(scripts);
    entries.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.node.cmp(&b.node)));
    entries.extend(finder.cycles(&entries));
    entries
}

struct Finder<'a> {
    layout: &'a Layout<'a>,
    edges: &'a Edges,
    calls: &'a Calls,
    registered: FxHashSet<u32>,
}

impl Finder<'_> {
    fn entry(&self, node: u32, file: u32, symbol: &Symbol) -> Option<Entry> {
        use SymbolKind::{Function, Method};
        let n_callees = self.calls.next(node).count();
        if n_callees == 0 || !matches!(symbol.kind, Function | Method) {
            return None;
        }
        let is_test = self.calls.is_test[node as usize];
        if is_test && !symbol.is(Modifiers::TEST) {
            return None;
        }
        let n_callers = self.n_callers(node);
        let kind = if is_test {
            EntryKind::Test
        } else {
            self.kind(node, file, symbol, n_callers)?
        };
        let mut score = weight(kind) * (n_callees as f32).sqrt() / (1.0 + n_callers as f32);
        if matches!(kind, EntryKind::Exported | EntryKind::Uncalled) && is_service(&symbol.name) {
            score *= 0.3;
        }
        Some(Entry { node, kind, score })
    }

    fn kind(&self, node: u32, file: u32, symbol: &Symbol, n_callers: usize) -> Option<EntryKind> {
        let decorated = |words: &[&str]| {
            let mut words_of = symbol.decorators.iter().map(|text| last_word(text));
            words_of.any(|word| words.contains(&word.as_str()))
        };
        if MAINS.contains(&symbol.name.as_str()) || decorated(MAIN_DECORATORS) {
            return Some(EntryKind::Main);
        }
        if decorated(ROUTES) || self.registered.contains(&node) {
            return Some(EntryKind::Route);
        }
        if self.is_handler(file, symbol, n_callers) {
            return Some(EntryKind::Handler);
        }
        if n_callers > 0 {
            return None;
        }
        Some(if symbol.is(Modifiers::EXPORTED) {
            EntryKind::Exported
        } else {
            EntryKind::Uncalled
        })
    }

    fn is_handler(&self, file: u32, symbol: &Symbol, n_callers: usize) -> bool {
        let name = symbol.name.as_str();
        if n_callers > 0 || HANDLERS.contains(&name) || has_handler_name(name) {
            return n_callers == 0;
        }
        let symbols = &self.layout.files[file as usize].facts.symbols;
        let around = symbol
            .parent
            .and_then(|parent| symbols.get(parent as usize))
            .map_or("", |parent| parent.name.as_str());
        let owner = if symbol.owner.is_empty() {
            around
        } else {
            symbol.owner.as_str()
        };
        symbol.is(Modifiers::EXPORTED) && HANDLER_TYPES.iter().any(|ending| owner.ends_with(ending))
    }

    /// Number of functions outside of tests that call a node. A file calls from its top level, which is no function.
    fn n_callers(&self, node: u32) -> usize {
        let start = self.edges.in_offsets[node as usize] as usize;
        let end = self.edges.in_offsets[node as usize + 1] as usize;
        (start..end)
            .filter(|index| {
                let source = self.edges.in_sources[*index];
                let edge = self.edges.in_edges[*index] as usize;
                self.edges.kinds[edge] == EdgeKind::Calls as u8
                    && source >= self.layout.first_symbol()
                    && source != node
                    && !self
                        .calls
                        .is_test
                        .get(source as usize)
                        .copied()
                        .unwrap_or(false)
            })
            .count()
    }

    /// A file that no other imports and whose top level calls functions, none of them a main.
    fn script(&self, file: u32, mains: &FxHashSet<u32>) -> Option<Entry> {
        let n_callees = self.calls.next(file).count();
        let language = self.layout.files[file as usize].facts.language;
        if n_callees == 0 || self.calls.is_test[file as usize] || !runs_at_top_level(language) {
            return None;
        }
        if self.calls.next(file).any(|callee| mains.contains(&callee)) {
            return None;
        }
        let row = self.edges.in_offsets[file as usize]..self.edges.in_offsets[file as usize + 1];
        let is_imported = row
            .map(|index| self.edges.in_edges[index as usize] as usize)
            .any(|edge| self.edges.kinds[edge] == EdgeKind::Imports as u8);
        (!is_imported).then(|| Entry {
            node: file,
            kind: EntryKind::Main,
            score: 0.5 * weight(EntryKind::Main) * (n_callees as f32).sqrt(),
        })
    }

    /// Functions that no entry point leads to, since they only call one another. One of each group becomes an entry
    /// point.
    fn cycles(&self, entries: &[Entry]) -> Vec<Entry> {
        let n_nodes = self.layout.end() as usize;
        let mut is_reached = vec![false; n_nodes];
        for entry in entries {
            self.reach(entry.node, &mut is_reached);
        }
        let mut further = Vec::new();
        for (node, (_, symbol)) in (self.layout.first_symbol()..).zip(self.layout.symbols()) {
            let is_new = !is_reached[node as usize]
                && !self.calls.is_test[node as usize]
                && matches!(symbol.kind, SymbolKind::Function | SymbolKind::Method)
                && self.calls.next(node).next().is_some();
            if is_new {
                self.reach(node, &mut is_reached);
                further.push(Entry {
                    node,
                    kind: EntryKind::Uncalled,
                    score: 0.1,
                });
            }
        }
        further
    }

    /// Marks all nodes that a node leads to by calls.
    fn reach(&self, start: u32, is_reached: &mut [bool]) {
        let mut open = vec![start];
        while let Some(node) = open.pop() {
            let Some(is_reached) = is_reached.get_mut(node as usize) else {
                continue;
            };
            if std::mem::replace(is_reached, true) {
                continue;
            }
            open.extend(
                rows(self.edges, node, EdgeKind::Calls).map(|edge| self.edges.targets[edge]),
            );
            open.extend(self.calls.next(node));
        }
    }
}

/// Whether code outside of functions runs from top to bottom. In other languages it only initialises, or is in a macro.
fn runs_at_top_level(language: Language) -> bool {
    use Language::{
        Bash, Elixir, Html, JavaScript, Lua, Php, Python, Ruby, Swift, Tsx, TypeScript,
    };
    matches!(
        language,
        Bash | Elixir | Html | JavaScript | Lua | Php | Python | Ruby | Swift | Tsx | TypeScript
    )
}

fn weight(kind: EntryKind) -> f32 {
    match kind {
        EntryKind::Main => 10.0,
        EntryKind::Route => 8.0,
        EntryKind::Handler => 5.0,
        EntryKind::Exported => 3.0,
        EntryKind::Uncalled | EntryKind::Test => 1.0,
    }
}

/// Functions that are passed to a call that registers them: `app.get("/", show)`, `HandleFunc("/", show)`.
fn registered(layout: &Layout<'_>, uses: &[Vec<RawUse>]) -> FxHashSet<u32> {
    let mut registered = FxHashSet::default();
    for (file, uses) in layout.files.iter().zip(uses) {
        let references = &file.facts.references;
        for used in uses {
            let is_function = used.target != NONE
                && used.form == ReferenceForm::Value
                && used.reason != Reason::ImportStatement
                && layout.symbol(used.target).is_some_and(|(_, symbol)| {
                    matches!(symbol.kind, SymbolKind::Function | SymbolKind::Method)
                });
            if !is_function {
                continue;
            }
            let past = references.partition_point(|other| other.span.start < used.span.start);
            let before = references[..past].iter().rev().take(REFERENCES_BEFORE);
            let is_registered = before
                .take_while(|other| {
                    other.span.start_line.saturating_add(LINES_BEFORE) >= used.span.start_line
                })
                .any(|other| {
                    other.form.is_call()
                        && ROUTES.contains(&other.name.to_ascii_lowercase().as_str())
                });
            if is_registered {
                registered.insert(used.target);
            }
        }
    }
    registered
}
