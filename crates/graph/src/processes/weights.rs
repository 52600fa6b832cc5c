//! How telling each function is as a step of a flow, and how much a flow through it can tell.
//!
//! A step tells much if it does much (lines, branches), acts on the outside (`effects.rs`) or is central. A function that
//! everything calls is a helper and tells little; types, accessors and small functions named like helpers are trivia,
//! with which no flow ends. All sums are of whole numbers, so they are the same on every machine.

use syntax::facts::{Modifiers, Symbol, SymbolKind};

use super::calls::rows;
use super::words::{converts, is_service};
use crate::frozen::Edges;
use crate::kinds::EdgeKind;
use crate::layout::Layout;

/// Numbers of callers above which a function tells half, and a quarter.
const MANY_CALLERS: u32 = 8;
const MOST_CALLERS: u32 = 24;
/// Maximum number of lines of a function that is trivia by its name or the number of its callers.
const TRIVIAL_LINES: u32 = 16;
/// Maximum number of lines of a function that is a helper because it calls nothing.
const LEAF_LINES: u32 = 8;
/// The same of a function that is named like a helper.
const SERVICE_LINES: u32 = 30;

/// How far a function is a helper of others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Help {
    None,
    /// Small, and calls nothing.
    Small,
    /// Calls nothing and is called by several, or gives a value another form and calls nothing that tells nearly as much.
    Serves,
}

/// The weight of each node as a step of a flow, up to the last symbol.
pub(super) struct Weights {
    /// How much each tells as a step.
    pub points: Vec<u32>,
    /// Whether no flow may end there.
    pub is_trivial: Vec<bool>,
    /// Whether a flow ends there only where nothing else is an end.
    pub help: Vec<Help>,
    /// Whether it clearly acts on the world outside.
    pub acts: Vec<bool>,
    /// Functions of the product, other than overloads, that call it.
    pub n_callers: Vec<u32>,
    /// Functions beside the product that call it.
    pub n_users: Vec<u32>,
}

impl Weights {
    /// About O(edges).
    pub fn new(
        layout: &Layout<'_>,
        effects: &[u8],
        edges: &Edges,
        centrality: &[f32],
        is_aside: &[bool],
    ) -> Self {
        let n_nodes = layout.end() as usize;
        let mut weights = Weights {
            points: vec![0; n_nodes],
            is_trivial: vec![true; n_nodes],
            help: vec![Help::None; n_nodes],
            acts: effects.iter().map(|effect| *effect > 1).collect(),
            n_callers: vec![0; n_nodes],
            n_users: vec![0; n_nodes],
        };
        weights.count_callers(layout, edges, is_aside);
        for (node, (_, symbol)) in (layout.first_symbol() as usize..).zip(layout.symbols()) {
            let n_callers = weights.n_callers[node];
            weights.points[node] = points(symbol, effects[node], centrality[node], n_callers);
            weights.is_trivial[node] = is_trivial(symbol, effects[node], n_callers);
        }
        for (node, (_, symbol)) in (layout.first_symbol()..).zip(layout.symbols()) {
            if effects[node as usize] == 0 {
                weights.help[node as usize] = weights.help(layout, edges, node, symbol);
            }
        }
        weights
    }

    /// How far a function without effects is a helper.
    fn help(&self, layout: &Layout<'_>, edges: &Edges, node: u32, symbol: &Symbol) -> Help {
        let own = self.points[node as usize];
        let calls = rows(edges, node, EdgeKind::Calls);
        let called = calls.map(|call| edges.targets[call]);
        let called: Vec<u32> = called.filter(|node| *node < layout.end()).collect();
        let does_most = called
            .iter()
            .all(|target| self.points[*target as usize] * 4 < own * 3);
        if called.is_empty() && self.n_callers[node as usize] > 1
            || does_most && converts(&symbol.name)
        {
            Help::Serves
        } else if called.is_empty() && n_lines(symbol) <= LEAF_LINES {
            Help::Small
        } else {
            Help::None
        }
    }

    fn count_callers(&mut self, layout: &Layout<'_>, edges: &Edges, is_aside: &[bool]) {
        let names: Vec<&str> = layout
            .symbols()
            .map(|(_, symbol)| symbol.name.as_str())
            .collect();
        let name = |node: u32| {
            let symbol = node.checked_sub(layout.first_symbol());
            symbol.and_then(|symbol| names.get(symbol as usize))
        };
        for source in layout.first_symbol()..layout.end() {
            for index in rows(edges, source, EdgeKind::Calls) {
                let target = edges.targets[index];
                if name(target) == name(source) || target >= layout.end() {
                    continue;
                }
                let counts = if is_aside[source as usize] {
                    &mut self.n_users
                } else {
                    &mut self.n_callers
                };
                counts[target as usize] += 1;
            }
        }
    }
}

fn points(symbol: &Symbol, effect: u8, centrality: f32, n_callers: u32) -> u32 {
    // Languages without a syntax for constructors call them by this name.
    if !is_code(symbol.kind) || symbol.name == "new" {
        return 0;
    }
    let lines = n_lines(symbol).min(40) / 2;
    let branches = 2 * u32::from(symbol.complexity).clamp(1, 11) - 2;
    // The square root has the same last digit on every machine.
    let central = (centrality.max(0.0).sqrt() * 4.0) as u32;
    let points = 1 + lines + branches + central;
    let points = if n_callers > MOST_CALLERS {
        points / 4
    } else if n_callers > MANY_CALLERS {
        points / 2
    } else {
        points
    };
    points + 15 * u32::from(effect)
}

fn is_trivial(symbol: &Symbol, effect: u8, n_callers: u32) -> bool {
    let is_small = n_lines(symbol) <= TRIVIAL_LINES;
    !is_code(symbol.kind)
        || symbol.name == "new"
        || symbol.is(Modifiers::ACCESSOR)
        || symbol.is(Modifiers::DECLARATION)
        || (is_small && n_callers > MOST_CALLERS)
        || (is_service(&symbol.name)
            && (n_lines(symbol) <= SERVICE_LINES && effect == 0
                || n_lines(symbol) <= LEAF_LINES && effect < 2))
}

fn n_lines(symbol: &Symbol) -> u32 {
    let n_more = symbol.span.end_line.saturating_sub(symbol.span.start_line);
    n_more.saturating_add(1)
}

fn is_code(kind: SymbolKind) -> bool {
    matches!(kind, SymbolKind::Function | SymbolKind::Method)
}
