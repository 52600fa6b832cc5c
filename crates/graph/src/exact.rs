//! Replaces the results of the rules by those of a compiler's index.
//!
//! A use that the index resolves gets the index's target, with [`Reason::CompilerIndex`] and confidence 1. A use that
//! the index resolves to something outside the repository, or to something that is no definition here (a local
//! variable), loses the targets that the rules guessed. Uses that the index does not mention (untyped code, other
//! files) keep the results of the rules.

use rustc_hash::{FxHashMap, FxHashSet};
use source::FileId;
use syntax::facts::{ReferenceForm, Span, Symbol, SymbolKind};
use syntax::order::InOrder;

use crate::kinds::{EdgeKind, Reason};
use crate::layout::Layout;
use crate::resolution::{RawEdge, RawUse, Resolution};

/// Where something is defined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The file.
    pub file: FileId,
    /// First byte of the name; none for the file itself.
    pub start: Option<u32>,
}

/// A name in a file, as a compiler understood it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ExactUse {
    /// First byte of the name.
    pub start: u32,
    /// One past its last byte.
    pub end: u32,
    /// 0-based line.
    pub line: u32,
    /// Its definition; none for a name that is defined outside the repository.
    pub target: Option<Place>,
}

/// Two definitions of which the first implements, extends or overrides the second.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ExactRelation {
    /// The one that implements.
    pub from: Place,
    /// The one that is implemented.
    pub to: Place,
}

/// Uses and relations from a compiler's index, for the files of a build.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ExactFacts {
    /// Uses of each file that the index covers; several entries of one span are several possible targets.
    pub uses: Vec<(FileId, Vec<ExactUse>)>,
    /// Inheritance and overriding.
    pub relations: Vec<ExactRelation>,
}

/// Definitions by the places of their names.
struct Places<'l, 'a> {
    layout: &'l Layout<'a>,
    by_start: FxHashMap<(u32, u32), u32>,
    /// Files that the index covers.
    covered: FxHashSet<u32>,
}

impl<'l, 'a> Places<'l, 'a> {
    fn new(layout: &'l Layout<'a>, exact: &ExactFacts) -> Self {
        let mut by_start = FxHashMap::default();
        for (node, (file, symbol)) in (layout.first_symbol()..).zip(layout.symbols()) {
            // An impl block has the name of its type, which is a use there and no definition.
            if symbol.kind != SymbolKind::Impl {
                by_start
                    .entry((file, symbol.name_span.start))
                    .or_insert(node);
            }
        }
        Places {
            layout,
            by_start,
            covered: exact.uses.iter().map(|(file, _)| file.0).collect(),
        }
    }

    fn node(&self, place: Place) -> Option<u32> {
        let file = place.file.0;
        match place.start {
            None => ((file as usize) < self.layout.files.len()).then_some(file),
            Some(start) => self.by_start.get(&(file, start)).copied(),
        }
    }

    /// Returns true for a file that the index covers and for definitions in one.
    fn is_covered(&self, node: u32) -> bool {
        let file = match self.local(node) {
            Some((file, _)) => file as u32,
            None => node,
        };
        self.covered.contains(&file)
    }

    /// The file of a symbol, and its number there.
    fn local(&self, node: u32) -> Option<(usize, usize)> {
        let offsets = &self.layout.symbol_offsets;
        let file = offsets
            .partition_point(|first| *first <= node)
            .checked_sub(1)?;
        Some((file, node.checked_sub(*offsets.get(file)?)? as usize))
    }

    fn symbol(&self, node: u32) -> Option<&'a Symbol> {
        let (file, local) = self.local(node)?;
        self.layout.files.get(file)?.facts.symbols.get(local)
    }

    fn kind(&self, node: u32) -> Option<SymbolKind> {
        self.symbol(node).map(|symbol| symbol.kind)
    }
}

/// Replaces the results of the rules by exact facts. Linear in both, with sorting.
pub(crate) fn apply(layout: &Layout<'_>, exact: &ExactFacts, resolution: &mut Resolution) {
    let places = Places::new(layout, exact);
    for (file, exact_uses) in &exact.uses {
        let Some(found) = resolution.uses.get_mut(file.index()) else {
            continue;
        };
        *found = merge(&places, file.0, exact_uses, std::mem::take(found));
    }
    for relation in &exact.relations {
        resolution.edges.extend(relation_edge(&places, relation));
    }
}

/// The uses of a file: exact ones, and those found by the rules for names that the index does not mention.
fn merge(
    places: &Places<'_, '_>,
    file: u32,
    exact: &[ExactUse],
    found: Vec<RawUse>,
) -> Vec<RawUse> {
    let mut by_start: FxHashMap<u32, Vec<&ExactUse>> = FxHashMap::default();
    for used in exact {
        by_start.entry(used.start).or_default().push(used);
    }
    let mut guessed: FxHashMap<u32, Vec<RawUse>> = FxHashMap::default();
    let mut merged = Vec::with_capacity(found.len());
    for used in found {
        if by_start.contains_key(&used.span.start) {
            guessed.entry(used.span.start).or_default().push(used);
        } else {
            merged.push(used);
        }
    }
    let mut starts: Vec<u32> = by_start.keys().copied().collect();
    starts.order_by(Ord::cmp);
    for start in starts {
        let meant = by_start.get(&start).map_or(&[][..], Vec::as_slice);
        let guesses = guessed.get(&start).map_or(&[][..], Vec::as_slice);
        match exact_use(places, file, meant, guesses) {
            Some(used) => merged.push(used),
            // The target of a use that the index does not resolve may be in a file that it does not cover.
            None => merged.extend(
                guesses
                    .iter()
                    .filter(|guess| !places.is_covered(guess.target)),
            ),
        }
    }
    merged
}

/// The one thing that a name means, if it is a definition here.
fn exact_use(
    places: &Places<'_, '_>,
    file: u32,
    meant: &[&ExactUse],
    guesses: &[RawUse],
) -> Option<RawUse> {
    let first = meant.first()?;
    let span = Span {
        start: first.start,
        end: first.end,
        start_line: first.line,
        end_line: first.line,
    };
    let (form, enclosing) = match guesses.first() {
        Some(guess) => (guess.form, guess.enclosing),
        None => form_at(places.layout, file, &span),
    };
    let targets = meant.iter().filter_map(|used| places.node(used.target?));
    // The name of a definition is no use of it.
    let is_own_name = |node: u32| places.by_start.get(&(file, span.start)) == Some(&node);
    let targets: Vec<u32> = targets.filter(|node| !is_own_name(*node)).collect();
    // `new A()` means the class and its constructor: the target that the rules found decides, else the type.
    let agreed = guesses
        .iter()
        .map(|guess| guess.target)
        .find(|target| targets.contains(target));
    let is_type = |node: &u32| {
        matches!(
            places.kind(*node),
            Some(SymbolKind::Class | SymbolKind::Struct | SymbolKind::Enum | SymbolKind::Interface)
        )
    };
    let of_type = targets
        .iter()
        .copied()
        .find(is_type)
        .filter(|_| form == ReferenceForm::New);
    let target = agreed.or(of_type).or(targets.first().copied())?;
    Some(RawUse {
        span,
        form,
        target,
        reason: Reason::CompilerIndex,
        confidence: Reason::CompilerIndex.confidence(),
        enclosing,
    })
}

/// The form of a use that no rule resolved, and the innermost definition around it.
fn form_at(layout: &Layout<'_>, file: u32, span: &Span) -> (ReferenceForm, u32) {
    let facts = layout.files[file as usize].facts;
    let references = &facts.references;
    let index = references.partition_point(|reference| reference.span.start < span.start);
    if let Some(reference) = references
        .get(index)
        .filter(|reference| reference.span.start == span.start)
    {
        let enclosing = reference
            .enclosing
            .map_or(file, |symbol| layout.node(file, symbol));
        return (reference.form, enclosing);
    }
    let before = facts
        .symbols
        .partition_point(|symbol| symbol.span.start <= span.start);
    let around = facts.symbols[..before]
        .iter()
        .rposition(|symbol| symbol.span.contains(span));
    let enclosing = around.map_or(file, |symbol| layout.node(file, symbol as u32));
    (ReferenceForm::Value, enclosing)
}

fn relation_edge(places: &Places<'_, '_>, relation: &ExactRelation) -> Option<RawEdge> {
    use SymbolKind::{Class, Enum, Field, Interface, Method, Struct, Trait, TypeAlias, Variable};
    let (from, to) = (places.node(relation.from)?, places.node(relation.to)?);
    let (source, kind, target) = match (places.kind(from)?, places.kind(to)?) {
        (Class | Struct | Enum, Interface | Trait) => (from, EdgeKind::Implements, to),
        (
            Class | Struct | Enum | Interface | Trait | TypeAlias,
            Class | Struct | Enum | Interface | Trait | TypeAlias,
        ) => (from, EdgeKind::Extends, to),
        (Method | Field | Variable, Method | Field | Variable) => (to, EdgeKind::Dispatch, from),
        _ => return None,
    };
    Some(RawEdge {
        source,
        kind,
        target,
        line: places.symbol(source)?.name_span.start_line,
        confidence: Reason::CompilerIndex.confidence(),
        reason: Reason::CompilerIndex,
    })
}
