//! Definitions: named, nested, described.

use rustc_hash::{FxHashMap, FxHashSet};
use tree_sitter::Node;

use super::details;
use super::harvest::{Harvest, RawDefinition};
use super::inside;
use super::modifiers;
use super::nesting::parents;
use super::prefix::{Prefix, Prefixes};
use super::{SymbolTable, encloses};
use crate::facts::{Modifiers, Rare, RareFacts, Span, Symbol, SymbolKind};
use crate::node::{span_of, text_of};
use crate::rules::{self, Draft, Rules, is_function, is_value};
use crate::text::squeezed;

/// A definition with the places that nesting needs.
struct Placed<'t> {
    raw: RawDefinition<'t>,
    /// The definition with what wraps it.
    outer: Node<'t>,
    prefix: Prefix,
    end: usize,
    end_line: u32,
}

/// Builds the symbols of a file; parents come before their children.
pub(crate) fn build(harvest: &mut Harvest, rules: &Rules, source: &str) -> SymbolTable {
    let placed = place(harvest, rules, source);
    let ranges: Vec<(u32, u32)> = placed
        .iter()
        .map(|one| (one.prefix.scope_start as u32, one.end as u32))
        .collect();
    let nesting = parents(&ranges);
    let mut table = SymbolTable {
        symbols: Vec::new(),
        scopes: Vec::new(),
        enclosing: Vec::new(),
    };
    let mut kept: Vec<Option<u32>> = Vec::with_capacity(placed.len());
    let mut dropped = FxHashSet::default();
    let macros = macros(&placed, source);
    let mut seen = FxHashSet::default();
    let mut last_inside: FxHashMap<Option<u32>, u32> = FxHashMap::default();
    for (one, (outer, range)) in placed.iter().zip(nesting.into_iter().zip(ranges)) {
        let outer = outer.map(|outer| first_of_node(&placed, outer, one));
        let around = outer.and_then(|outer| {
            let (Ok(at) | Err(at)) = outer;
            kept.get(at).copied().flatten()
        });
        let parent = match outer {
            // The substitute for a sibling that is not a symbol is its parent already.
            Some(Err(sibling)) if !dropped.contains(&sibling) => around
                .and_then(|at| table.symbols.get(at as usize))
                .and_then(|symbol| symbol.parent),
            _ => around,
        };
        let symbol = draft(one, parent, &table.symbols, rules, source, &macros);
        let symbol = symbol.filter(|(symbol, _)| !repeats(symbol, &mut seen));
        let Some((symbol, is_clause)) = symbol else {
            release(one, harvest);
            dropped.insert(kept.len());
            kept.push(parent);
            continue;
        };
        if is_clause && let Some(first) = join_clause(&mut table, &last_inside, &symbol, range) {
            kept.push(Some(first));
            continue;
        }
        let index = table.symbols.len() as u32;
        kept.push(Some(index));
        last_inside.insert(parent, index);
        let around =
            parent.and_then(|parent| table.enclosing.get(parent as usize).copied().flatten());
        // `const store = create((set) => …)`: what the function does is done for the store.
        let is_wrapped = symbol.is(Modifiers::ANONYMOUS)
            && parent.is_some_and(|parent| {
                let named = table.symbols.get(parent as usize);
                named.is_some_and(|named| {
                    matches!(named.kind, SymbolKind::Constant | SymbolKind::Variable)
                })
            });
        let around = if is_wrapped {
            around.or(parent)
        } else {
            around
        };
        let itself = encloses(symbol.kind, symbol.is(Modifiers::ANONYMOUS));
        table
            .enclosing
            .push(if itself { Some(index) } else { around });
        table.symbols.push(symbol);
        table.scopes.push(range);
    }
    inside::attach(harvest, source, &mut table);
    inside::show_or_hide(harvest, &mut table);
    table
}

/// Widens the last symbol beside a clause to hold it, where it is of the same function: same name, same number of
/// parameters unless one of the two only says the types.
fn join_clause(
    table: &mut SymbolTable,
    last_inside: &FxHashMap<Option<u32>, u32>,
    clause: &Symbol,
    range: (u32, u32),
) -> Option<u32> {
    let &index = last_inside.get(&clause.parent)?;
    let first = table.symbols.get_mut(index as usize)?;
    let is_same = first.name == clause.name
        && first.kind == clause.kind
        && (first.parameters.len() == clause.parameters.len() || first.complexity == 0);
    if !is_same {
        return None;
    }
    first.span.end = first.span.end.max(clause.span.end);
    first.span.end_line = first.span.end_line.max(clause.span.end_line);
    first.complexity = first.complexity.saturating_add(clause.complexity);
    // A signature has the types, a clause the names.
    if first.parameters.is_empty() {
        first.parameters.clone_from(&clause.parameters);
    }
    for (own, other) in first.parameters.iter_mut().zip(&clause.parameters) {
        if own.name.is_empty() {
            own.name.clone_from(&other.name);
        }
    }
    if first.rare.doc.is_empty() {
        first
            .rare
            .set(|rare| &mut rare.doc, clause.rare.doc.clone());
    }
    if clause.complexity > 0 {
        first.modifiers &= !Modifiers::DECLARATION.bits();
    }
    if let Some(scope) = table.scopes.get_mut(index as usize) {
        scope.1 = scope.1.max(range.1);
    }
    Some(index)
}

/// The macros that a file defines, the last of a name.
fn macros<'s>(placed: &[Placed], source: &'s str) -> FxHashMap<&'s str, &'s str> {
    let defined = placed
        .iter()
        .filter(|one| one.raw.kind == Some(SymbolKind::Macro));
    defined
        .filter_map(|one| {
            Some((
                text_of(one.raw.name?, source),
                text_of(one.raw.node, source),
            ))
        })
        .collect()
}

/// Names declared by one node (`a, b int`) are siblings: `Err` with the first of them, if `outer` is such a name, else
/// `Ok`.
fn first_of_node(placed: &[Placed], outer: usize, one: &Placed) -> Result<usize, usize> {
    if placed
        .get(outer)
        .is_some_and(|found| found.raw.node.id() == one.raw.node.id())
    {
        Err(outer)
    } else {
        Ok(outer)
    }
}

/// Widens each definition to its wrapper and decorators, in order, each place once.
fn place<'t>(harvest: &mut Harvest<'t>, rules: &Rules, source: &str) -> Vec<Placed<'t>> {
    let functions: FxHashSet<usize> = harvest
        .definitions
        .iter()
        .filter_map(|raw| raw.function.map(|node| node.id()))
        .collect();
    let prefixes = Prefixes::new(&harvest.comments, &harvest.decorators, source, rules.is_doc);
    let mut definitions = std::mem::take(&mut harvest.definitions);
    let named: FxHashSet<usize> = definitions
        .iter()
        .filter(|raw| raw.name.is_some())
        .map(|raw| raw.node.id())
        .collect();
    definitions.retain(|raw| {
        !functions.contains(&raw.node.id())
            && (raw.name.is_some() || !named.contains(&raw.node.id()))
    });
    definitions.sort_by_key(|raw| {
        (
            raw.name
                .map_or(raw.node.start_byte(), |name| name.start_byte()),
            raw.name.is_none(),
            raw.pattern,
        )
    });
    definitions.dedup_by(|next, kept| match (next.name, kept.name) {
        (Some(next), Some(kept)) => next.start_byte() == kept.start_byte(),
        _ => next.node.id() == kept.node.id(),
    });
    let mut placed: Vec<Placed> = definitions
        .into_iter()
        .map(|raw| place_one(raw, harvest, &prefixes))
        .collect();
    placed.sort_by_key(|one| {
        (
            one.prefix.scope_start,
            std::cmp::Reverse(one.end),
            one.raw.pattern,
        )
    });
    placed
}

fn place_one<'t>(raw: RawDefinition<'t>, harvest: &Harvest<'t>, prefixes: &Prefixes) -> Placed<'t> {
    let mut outer = raw.node;
    while let Some(&wrapper) = harvest.wrappers.get(&outer.id()) {
        if wrapper.id() == outer.id() {
            break;
        }
        outer = wrapper;
    }
    let name_start = raw
        .name
        .map_or(raw.node.start_byte(), |name| name.start_byte());
    let prefix = prefixes.of(outer.start_byte(), name_start);
    Placed {
        raw,
        outer,
        prefix,
        end: outer.end_byte(),
        end_line: span_of(outer).end_line,
    }
}

fn draft(
    one: &Placed,
    parent: Option<u32>,
    symbols: &[Symbol],
    rules: &Rules,
    source: &str,
    macros: &FxHashMap<&str, &str>,
) -> Option<(Symbol, bool)> {
    let raw = &one.raw;
    let inner = raw.function.unwrap_or(raw.node);
    let (parent, owner) = container(raw, parent, symbols, source)?;
    let outer = parent.and_then(|parent| symbols.get(parent as usize));
    let (name, name_span) = details::name(raw, source);
    let kind = details::kind(raw, outer);
    let parts = match rules.parts {
        Some(parts) => parts(inner, kind, source),
        None => rules::parts(inner, raw.node, one.outer, kind, source),
    };
    let has_body = parts.body.is_some();
    let start_line = line_at(one.prefix.start, raw.node, source);
    let head_end = name_span.start as usize;
    let symbol = Symbol {
        name,
        kind,
        parent,
        span: Span {
            start: one.prefix.start as u32,
            end: one.end as u32,
            start_line,
            end_line: one.end_line,
        },
        name_span,
        signature: details::signature(
            source,
            one.prefix.scope_start,
            parts.body,
            inner,
            kind,
            one.end,
        )
        .into(),
        modifiers: 0,
        parameters: parts.parameters.into(),
        type_text: parts.type_text.into(),
        ty: None,
        complexity: u16::from(has_body && is_function(kind)),
        rare: Rare::from(RareFacts {
            owner,
            doc: one.prefix.doc.clone(),
            type_parameters: parts.type_parameters.into(),
            decorators: one.prefix.decorators.iter().cloned().collect(),
            ..RareFacts::default()
        }),
    };
    let head = source
        .get(one.prefix.scope_start..head_end)
        .unwrap_or_default();
    let mut draft = Draft {
        symbol,
        parent: outer,
        head,
        node: raw.node,
        source,
        macros,
        is_clause: false,
    };
    modifiers::set(&mut draft, raw, rules.words, has_body);
    // Rust's `const` and `static` are items everywhere.
    let is_item = raw.node.kind().ends_with("_item");
    let local = matches!(kind, SymbolKind::Variable | SymbolKind::Constant)
        && !is_item
        && draft.parent.is_some_and(|outer| is_function(outer.kind));
    (!local && !draft.symbol.name.is_empty() && (rules.refine)(&mut draft))
        .then_some((draft.symbol, draft.is_clause))
}

/// The definition that holds one, and its owner as written; none for a field of no type.
fn container(
    raw: &RawDefinition,
    mut parent: Option<u32>,
    symbols: &[Symbol],
    source: &str,
) -> Option<(Option<u32>, String)> {
    let outer = |parent: Option<u32>| parent.and_then(|parent| symbols.get(parent as usize));
    // A field assigned in a method (`self.x = …`, a constructor's parameter) belongs to the class.
    let in_function =
        |parent: Option<u32>| outer(parent).is_some_and(|symbol| is_function(symbol.kind));
    let mut owner = raw
        .owner
        .and_then(|(from, to)| source.get(from..to))
        .map(|text| squeezed(text, 200))
        .unwrap_or_default();
    let is_field = raw.kind == Some(SymbolKind::Field);
    let is_given = matches!(owner.as_str(), "this" | "self");
    if (is_field || is_given) && in_function(parent) {
        let mut class = parent;
        while in_function(class) {
            class = outer(class).and_then(|symbol| symbol.parent);
        }
        match outer(class) {
            Some(symbol) if symbol.kind.is_type() => {
                parent = class;
                owner.clear();
            }
            _ if is_field => return None,
            _ => {}
        }
    }
    // `typedef struct tag { … } name`: the type is written in the alias, but is not part of it.
    while raw.kind.is_some_and(SymbolKind::is_type)
        && outer(parent).is_some_and(|symbol| is_value(symbol.kind))
    {
        parent = outer(parent).and_then(|symbol| symbol.parent);
    }
    Some((parent, owner))
}

/// Returns the line of `at`, which is at or before the start of `node`.
fn line_at(at: usize, node: Node, source: &str) -> u32 {
    let between = source.get(at..node.start_byte()).unwrap_or_default();
    (node.start_position().row as u32)
        .saturating_sub(memchr::memchr_iter(b'\n', between.as_bytes()).count() as u32)
}

/// Returns true if the same scope already defines a variable or field of this name: only its first assignment defines
/// it.
fn repeats(symbol: &Symbol, seen: &mut FxHashSet<(Option<u32>, String)>) -> bool {
    use SymbolKind::{Constant, Field, Variable};
    matches!(symbol.kind, Variable | Field | Constant)
        && !seen.insert((symbol.parent, symbol.name.clone()))
}

/// A field that is set once more is used there.
fn release(one: &Placed, harvest: &mut Harvest) {
    if let (Some(SymbolKind::Field), Some(name)) = (one.raw.kind, one.raw.name) {
        let place = (name.start_byte() as u32, name.end_byte() as u32);
        harvest.claimed.remove(&place);
    }
}
