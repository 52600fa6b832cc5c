//! Finds entry points of flows and scores them.
//!
//! The signs of an entry point are the same in every language: names that runtimes and frameworks call, decorators and
//! annotations that register a function, functions passed to a call that registers them, and functions that are
//! visible from outside and called by nobody, or by tests and examples far more than by the product. The score weighs
//! the kind of entry point, how much a flow from it can tell, how many tests and examples use it and how much of the
//! product calls it (by square roots, which unlike logarithms have the same last digit on every machine). The scripts
//! that build and release a product count less than the product.

use rustc_hash::FxHashSet;
use syntax::Language;
use syntax::facts::{ImportFlags, Modifiers, Symbol, SymbolKind};
use syntax::order::InOrder;

use super::Signs;
use super::calls::{Calls, rows, runs};
use super::passed::Passed;
use super::weights::Weights;
use super::words::{
    BINDINGS, HANDLER_TYPES, HANDLERS, MAIN_DECORATORS, MAINS, ROUTES, RUNNERS, has_handler_name,
    is_service, is_tool, last_word,
};
use crate::frozen::Edges;
use crate::kinds::{EdgeKind, EntryKind};
use crate::layout::Layout;

/// Callers in tests and examples, for each in the product, that make a function an entry point, and the fewest.
const USERS_PER_CALLER: u32 = 3;
const FEWEST_USERS: u32 = 5;
/// Share of its score that an entry point keeps which is written within a function that the product calls.
const OF_PARTS: f32 = 0.4;
/// Share of its score that an entry point in a tool of the repository keeps.
const OF_TOOLS: f32 = 0.1;

/// An entry point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Entry {
    pub node: u32,
    pub kind: EntryKind,
    /// Higher is surer.
    pub score: f32,
    /// Whether it starts a program of the product. Such entries come first.
    is_program: bool,
}

/// Every entry point: those of programs, then the others, the likeliest first.
pub(super) fn entries(
    layout: &Layout<'_>,
    signs: &Signs,
    edges: &Edges,
    calls: &Calls<'_>,
    weights: &Weights,
) -> Vec<Entry> {
    let finder = Finder {
        layout,
        edges,
        calls,
        weights,
        passed: &signs.passed,
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
    entries.order_by(|a, b| {
        let by_program = b.is_program.cmp(&a.is_program);
        let by_score = b.score.total_cmp(&a.score);
        by_program.then(by_score).then(a.node.cmp(&b.node))
    });
    entries.extend(finder.cycles(&entries));
    entries
}

struct Finder<'a> {
    layout: &'a Layout<'a>,
    edges: &'a Edges,
    calls: &'a Calls<'a>,
    weights: &'a Weights,
    passed: &'a Passed,
}

impl Finder<'_> {
    fn entry(&self, node: u32, file: u32, symbol: &Symbol) -> Option<Entry> {
        use SymbolKind::{Function, Method};
        let n_callees = self.calls.next(node).count();
        let has_body =
            matches!(symbol.kind, Function | Method) && !symbol.is(Modifiers::DECLARATION);
        if n_callees == 0 || !has_body || self.calls.is_of_double[node as usize] {
            return None;
        }
        let is_aside = self.calls.is_aside[node as usize];
        if is_aside && !symbol.is(Modifiers::TEST) {
            return None;
        }
        let kind = if is_aside {
            EntryKind::Test
        } else {
            self.kind(node, file, symbol)?
        };
        let mut score = self.score(node, file, kind);
        if !matches!(kind, EntryKind::Main | EntryKind::Test) && self.is_part(file, symbol) {
            score *= OF_PARTS;
        }
        if matches!(kind, EntryKind::Exported | EntryKind::Uncalled) && is_service(&symbol.name) {
            score *= 0.3;
        }
        let is_program = kind == EntryKind::Main && !self.is_tool(file);
        Some(Entry {
            node,
            kind,
            score,
            is_program,
        })
    }

    fn score(&self, node: u32, file: u32, kind: EntryKind) -> f32 {
        let (n_callers, n_users) = self.callers(node);
        let root = |count: u32| (count as f32).sqrt();
        let use_ = 1.0 + root(n_users).min(6.0) / 4.0;
        let score = weight(kind) * root(self.calls.potential[node as usize]) / 10.0 * use_
            / root(1 + n_callers);
        if self.is_tool(file) {
            score * OF_TOOLS
        } else {
            score
        }
    }

    fn is_tool(&self, file: u32) -> bool {
        is_tool(self.layout.files[file as usize].path)
    }

    /// Functions of the product that call a node, or else a declaration that it implements, and others that call it.
    fn callers(&self, node: u32) -> (u32, u32) {
        let callers = &self.weights.n_callers;
        let declared = || {
            let declarations = self.sources(node, EdgeKind::Dispatch);
            declarations
                .map(|declaration| callers[declaration as usize])
                .sum()
        };
        let n_callers = match callers[node as usize] {
            0 => declared(),
            n_callers => n_callers,
        };
        (n_callers, self.weights.n_users[node as usize])
    }

    fn kind(&self, node: u32, file: u32, symbol: &Symbol) -> Option<EntryKind> {
        let (n_callers, n_users) = self.callers(node);
        let decorated = |words: &[&str]| {
            let mut words_of = symbol.rare.decorators.iter().map(|text| last_word(text));
            words_of.any(|word| words.contains(&word.as_str()))
        };
        if MAINS.contains(&symbol.name.as_str()) || decorated(MAIN_DECORATORS) {
            return Some(EntryKind::Main);
        }
        if decorated(ROUTES) || self.passed.registered.contains(&node) {
            return Some(EntryKind::Route);
        }
        if decorated(BINDINGS) || self.is_handler(file, symbol, n_callers) {
            return Some(EntryKind::Handler);
        }
        // Whoever runs a program or a framework calls it by a name like these, and so may its parts.
        let is_visible = symbol.is(Modifiers::EXPORTED) && !symbol.is(Modifiers::INTERNAL);
        if is_visible && RUNNERS.contains(&symbol.name.as_str()) {
            return Some(EntryKind::Handler);
        }
        let is_tested = n_users >= FEWEST_USERS.max(USERS_PER_CALLER * n_callers);
        if n_callers > 0 && (!is_tested || self.is_called_elsewhere(node, file)) {
            return None;
        }
        // Nobody calls it by its name, but a function passes it on: a callback.
        let is_part = [&self.passed.iterated, &self.passed.within];
        let is_part = is_part.iter().any(|passed| passed.contains(&node));
        let is_callback = !is_part && self.is_passed_on(node);
        Some(if n_callers == 0 && is_callback {
            EntryKind::Handler
        } else if self.is_public(file, symbol) {
            EntryKind::Exported
        } else {
            EntryKind::Uncalled
        })
    }

    /// Whether another file of the product calls a function: then it is one of its parts, however well it is tested.
    fn is_called_elsewhere(&self, node: u32, file: u32) -> bool {
        self.sources(node, EdgeKind::Calls).any(|source| {
            let from = self.layout.symbol(source).map_or(source, |(from, _)| from);
            from != file && !self.calls.is_aside[source as usize]
        })
    }

    /// Whether users of the product can name a function: by its modifiers, or by a list of exports of its file.
    fn is_public(&self, file: u32, symbol: &Symbol) -> bool {
        if symbol.is(Modifiers::EXPORTED) {
            return !symbol.is(Modifiers::INTERNAL) && !self.is_of_hidden_type(file, symbol);
        }
        let name = if symbol.rare.owner.is_empty() {
            &symbol.name
        } else {
            &symbol.rare.owner
        };
        let imports = &self.layout.files[file as usize].facts.imports;
        symbol.parent.is_none()
            && imports.iter().any(|import| {
                let is_own = import.is(ImportFlags::REEXPORT) && import.module.is_empty();
                is_own && import.name == *name
            })
    }

    /// Whether a method belongs to a type whose name says that nobody outside uses it.
    fn is_of_hidden_type(&self, file: u32, symbol: &Symbol) -> bool {
        let symbols = &self.layout.files[file as usize].facts.symbols;
        let around = symbol.parent.and_then(|at| symbols.get(at as usize));
        around.is_some_and(|around| around.name.starts_with('_'))
    }

    /// Whether a function is written within another one that the product calls: a part of what that one does.
    fn is_part(&self, file: u32, symbol: &Symbol) -> bool {
        let symbols = &self.layout.files[file as usize].facts.symbols;
        let mut around = symbol.parent;
        while let Some((local, outer)) = around.and_then(|at| Some((at, symbols.get(at as usize)?)))
        {
            let node = self.layout.node(file, local) as usize;
            let is_function = matches!(outer.kind, SymbolKind::Function | SymbolKind::Method);
            if is_function && self.weights.n_callers[node] > 0 {
                return true;
            }
            // Parents come before their children.
            around = outer.parent.filter(|above| *above < local);
        }
        false
    }

    fn is_handler(&self, file: u32, symbol: &Symbol, n_callers: u32) -> bool {
        let name = symbol.name.as_str();
        if n_callers > 0 || HANDLERS.contains(&name) || has_handler_name(name) {
            return n_callers == 0;
        }
        let symbols = &self.layout.files[file as usize].facts.symbols;
        let around = symbol
            .parent
            .and_then(|parent| symbols.get(parent as usize))
            .map_or("", |parent| parent.name.as_str());
        let owner = if symbol.rare.owner.is_empty() {
            around
        } else {
            symbol.rare.owner.as_str()
        };
        symbol.is(Modifiers::EXPORTED) && HANDLER_TYPES.iter().any(|ending| owner.ends_with(ending))
    }

    /// Whether a function of the product names a node without calling it. A table that holds it is read by the product.
    fn is_passed_on(&self, node: u32) -> bool {
        self.sources(node, EdgeKind::References).any(|source| {
            source != node
                && !self.calls.is_aside[source as usize]
                && self
                    .layout
                    .symbol(source)
                    .is_some_and(|(_, from)| runs(from.kind))
        })
    }

    /// Symbols and files from which edges of one kind lead to a node.
    fn sources(&self, node: u32, kind: EdgeKind) -> impl Iterator<Item = u32> + '_ {
        let start = self.edges.in_offsets[node as usize] as usize;
        let end = self.edges.in_offsets[node as usize + 1] as usize;
        let of_kind =
            move |at: &usize| self.edges.kinds[self.edges.in_edges[*at] as usize] == kind as u8;
        let sources = (start..end)
            .filter(of_kind)
            .map(|at| self.edges.in_sources[at]);
        sources.filter(|source| *source < self.layout.end())
    }

    /// A file that no other imports and whose top level calls functions, none of them a main.
    fn script(&self, file: u32, mains: &FxHashSet<u32>) -> Option<Entry> {
        let n_callees = self.calls.next(file).count();
        let language = self.layout.files[file as usize].facts.language;
        if n_callees == 0 || self.calls.is_aside[file as usize] || !runs_at_top_level(language) {
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
            score: 0.5 * self.score(file, file, EntryKind::Main),
            is_program: !self.is_tool(file),
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
                && !self.calls.is_aside[node as usize]
                && !self.calls.is_of_double[node as usize]
                && matches!(symbol.kind, SymbolKind::Function | SymbolKind::Method)
                && self.calls.next(node).next().is_some();
            if is_new {
                self.reach(node, &mut is_reached);
                further.push(Entry {
                    node,
                    kind: EntryKind::Uncalled,
                    score: 0.1,
                    is_program: false,
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
