//! Parts of a file that are parsed once more on their own, and how what they say joins the rest.
//!
//! Two kinds: the inside of an item macro in Rust (`cfg_rt! { pub fn spawn() {} }`), which the grammar leaves as tokens;
//! and what follows a syntax error that swallowed the rest of the file: a parser that recovers has lost its place, one
//! that starts at the next line that looks like a definition has not.

use crate::order::InOrder;
use tree_sitter::{Node, Range, Tree};

use crate::facts::{Binding, FileFacts, Import, Reference, Span, Symbol, SymbolKind};
use crate::text::Lines;

/// Errors of fewer lines are left alone: they seldom hide a definition.
const MIN_ERROR_LINES: u32 = 4;

/// A part of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Region {
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// It follows an error, so its contents belong to nothing before it.
    pub(crate) is_repair: bool,
}

impl Region {
    /// The range as the parser takes it.
    pub(crate) fn range(&self, lines: &Lines) -> Range {
        Range {
            start_byte: self.start,
            end_byte: self.end,
            start_point: lines.point(self.start as u32),
            end_point: lines.point(self.end as u32),
        }
    }

    fn holds(&self, span: &Span) -> bool {
        self.start <= span.start as usize && (span.start as usize) < self.end
    }
}

/// Finds places after large errors of a tree where parsing can start again.
pub(crate) fn behind_errors(
    tree: &Tree,
    facts: &FileFacts,
    text: &str,
    lines: &Lines,
) -> Vec<Region> {
    let mut cursor = tree.walk();
    let mut found = Vec::new();
    let mut budget = 100_000_u32;
    loop {
        let node = cursor.node();
        budget = budget.saturating_sub(1);
        let is_large = node.is_error()
            && node.end_position().row as u32 >= node.start_position().row as u32 + MIN_ERROR_LINES;
        if is_large {
            found.extend(restart(node, facts, text, lines));
        }
        if budget == 0 || found.len() >= 8 {
            return found;
        }
        if !is_large && node.has_error() && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return found;
            }
        }
    }
}

/// The part of an error behind the definition that broke it: from the first line that looks like the start of a
/// definition and is in none that was understood. Where the error itself begins at such a line, that one is the broken
/// one, and the next is taken.
fn restart(error: Node, facts: &FileFacts, text: &str, lines: &Lines) -> Option<Region> {
    let (from, to) = (
        error.start_position().row as u32,
        error.end_position().row as u32,
    );
    // Lines within definitions: their starts and, at the same place, the furthest line that one so far reaches.
    let understood = facts
        .symbols
        .iter()
        .filter(|symbol| from <= symbol.span.start_line && symbol.span.end_line <= to);
    let mut reach: Vec<(u32, u32)> = understood
        .filter(|symbol| is_definition(symbol))
        .map(|symbol| (symbol.span.start_line, symbol.span.end_line))
        .collect();
    reach.extend(whole_statements(error));
    reach.order_by(Ord::cmp);
    let mut furthest = 0;
    for (_, end) in &mut reach {
        furthest = furthest.max(*end);
        *end = furthest;
    }
    let is_understood = |line: u32| {
        let before = reach.partition_point(|&(start, _)| start <= line);
        before
            .checked_sub(1)
            .and_then(|at| reach.get(at))
            .is_some_and(|&(_, end)| end >= line)
    };
    let begins_at_start =
        looks_like_start(text, lines, from) && lines.start(from) as usize == error.start_byte();
    let mut open =
        (from..=to).filter(|&line| looks_like_start(text, lines, line) && !is_understood(line));
    if begins_at_start {
        open.next();
    }
    let line = with_comments(text, lines, open.find(|&line| line > from)?, from + 1);
    Some(Region {
        start: lines.start(line) as usize,
        end: error.end_byte(),
        is_repair: true,
    })
}

/// First and last lines of the statements directly within an error that are complete.
fn whole_statements(error: Node) -> Vec<(u32, u32)> {
    let mut cursor = error.walk();
    let is_whole = |node: &Node| {
        let kind = node.kind();
        !node.has_error()
            && ["statement", "declaration", "_item", "specifier"]
                .iter()
                .any(|end| kind.ends_with(end))
    };
    let lines = |node: Node| {
        (
            node.start_position().row as u32,
            node.end_position().row as u32,
        )
    };
    error
        .children(&mut cursor)
        .filter(is_whole)
        .map(lines)
        .collect()
}

/// Returns true if a symbol is a definition of its own; a method outside a type is a misparsed statement.
fn is_definition(symbol: &Symbol) -> bool {
    use SymbolKind::{Constant, Field, Method, Variable, Variant};
    match symbol.kind {
        Method => symbol.parent.is_some(),
        Variable | Field | Constant | Variant => false,
        _ => true,
    }
}

/// Returns true if a line begins without indentation and with a word or attribute that may begin a definition.
fn looks_like_start(text: &str, lines: &Lines, line: u32) -> bool {
    let here = lines.text(text, line);
    let goes_on = [
        "else", "elif", "except", "finally", "catch", "case", "default:",
    ];
    match here.as_bytes() {
        [b'@' | b'_', ..] | [b'#', b'[', ..] => true,
        [first, ..] => {
            first.is_ascii_alphabetic() && !goes_on.iter().any(|word| here.starts_with(word))
        }
        [] => false,
    }
}

/// The first line of the comments directly above a line.
fn with_comments(text: &str, lines: &Lines, line: u32, not_before: u32) -> u32 {
    let is_comment = |line: &u32| {
        lines
            .text(text, *line)
            .trim_start()
            .starts_with(['/', '*', '#', '@'])
    };
    (not_before..line)
        .rev()
        .take_while(is_comment)
        .last()
        .unwrap_or(line)
}

/// Returns true if the second parse of a region found at least as many definitions as the first.
pub(crate) fn is_better(facts: &FileFacts, part: &FileFacts, region: Region) -> bool {
    let count = |symbols: &[Symbol]| {
        symbols
            .iter()
            .filter(|symbol| region.holds(&symbol.span) && is_definition(symbol))
            .count()
    };
    count(&part.symbols) >= count(&facts.symbols)
}

/// Returns regions that do not overlap, in order; a region inside another is left to the parse of the outer one.
pub(crate) fn disjoint(mut regions: Vec<Region>) -> Vec<Region> {
    regions.order_by_key(|region| (region.start, std::cmp::Reverse(region.end)));
    let mut end = 0;
    regions.retain(|region| {
        let is_free = region.start >= end && region.start < region.end;
        end = end.max(region.end);
        is_free
    });
    regions
}

/// Puts the facts of regions in the place of what the first reading had there. Regions are disjoint and in order.
pub(crate) fn merge(facts: &mut FileFacts, parts: Vec<(Region, FileFacts)>) {
    let starts: Vec<Region> = parts.iter().map(|(region, _)| *region).collect();
    let is_replaced = |span: &Span| {
        let before = starts.partition_point(|region| region.start <= span.start as usize);
        before
            .checked_sub(1)
            .and_then(|at| starts.get(at))
            .is_some_and(|region| region.holds(span))
    };
    facts.references.retain(|one| !is_replaced(&one.span));
    facts.imports.retain(|one| !is_replaced(&one.span));
    facts.bindings.retain(|one| !is_replaced(&one.span));
    // All symbols in one list under provisional numbers: the old ones keep theirs, each part counts on.
    let mut next = facts.symbols.len() as u32;
    let mut all: Vec<(u32, Symbol)> = Vec::new();
    for (region, part) in parts {
        let around = innermost(&facts.symbols, region).filter(|_| !region.is_repair);
        let in_type = around
            .and_then(|at| facts.symbols.get(at as usize))
            .is_some_and(|outer| outer.kind.is_type());
        let base = next;
        next += part.symbols.len() as u32;
        let moved = |number: Option<u32>| number.map(|number| number + base).or(around);
        for (index, mut symbol) in part.symbols.into_iter().enumerate() {
            if symbol.parent.is_none() && symbol.kind == SymbolKind::Function && in_type {
                symbol.kind = SymbolKind::Method;
            }
            symbol.parent = moved(symbol.parent);
            all.push((base + index as u32, symbol));
        }
        facts
            .references
            .extend(part.references.into_iter().map(|one| Reference {
                enclosing: moved(one.enclosing),
                ..one
            }));
        facts
            .imports
            .extend(part.imports.into_iter().map(|one| Import {
                enclosing: moved(one.enclosing),
                ..one
            }));
        facts
            .bindings
            .extend(part.bindings.into_iter().map(|one| Binding {
                enclosing: moved(one.enclosing),
                ..one
            }));
    }
    let old = std::mem::take(&mut facts.symbols).into_iter().enumerate();
    all.extend(
        old.filter(|(_, symbol)| !is_replaced(&symbol.span))
            .map(|(index, symbol)| (index as u32, symbol)),
    );
    renumber(facts, all, next);
}

/// Sorts symbols and everything that refers to them, and gives both their final numbers. References to a replaced
/// symbol are cleared.
fn renumber(facts: &mut FileFacts, mut all: Vec<(u32, Symbol)>, n_numbers: u32) {
    all.order_by_key(|(number, symbol)| {
        (
            symbol.span.start,
            std::cmp::Reverse(symbol.span.end),
            *number,
        )
    });
    let mut places: Vec<Option<u32>> = vec![None; n_numbers as usize];
    for (place, (number, _)) in all.iter().enumerate() {
        if let Some(slot) = places.get_mut(*number as usize) {
            *slot = Some(place as u32);
        }
    }
    let place = |number: Option<u32>| {
        number.and_then(|number| places.get(number as usize).copied().flatten())
    };
    facts.symbols = all
        .into_iter()
        .map(|(_, symbol)| Symbol {
            parent: place(symbol.parent),
            ..symbol
        })
        .collect();
    facts
        .references
        .iter_mut()
        .for_each(|one| one.enclosing = place(one.enclosing));
    facts
        .imports
        .iter_mut()
        .for_each(|one| one.enclosing = place(one.enclosing));
    facts
        .bindings
        .iter_mut()
        .for_each(|one| one.enclosing = place(one.enclosing));
    facts.references.order_by_key(|one| one.span.start);
    facts.imports.order_by_key(|one| one.span.start);
    facts.bindings.order_by_key(|one| one.span.start);
}

/// The innermost definition around a region: the symbol that starts last before it, or one around that.
fn innermost(symbols: &[Symbol], region: Region) -> Option<u32> {
    let holds = |symbol: &Symbol| {
        (symbol.span.start as usize) < region.start && region.end <= symbol.span.end as usize
    };
    let before = symbols.partition_point(|symbol| (symbol.span.start as usize) < region.start);
    let mut at = before.checked_sub(1).map(|index| index as u32);
    while let Some(symbol) = at.and_then(|index| symbols.get(index as usize)) {
        if holds(symbol) && is_definition(symbol) {
            return at;
        }
        at = symbol.parent;
    }
    None
}
