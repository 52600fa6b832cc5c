//! Turns the items found in a document into symbols: an item that starts inside another belongs to it.

use crate::facts::{FileFacts, Import, Modifiers, Parameter, Reference, ReferenceForm, Span};
use crate::facts::{Rare, RareFacts, Symbol, SymbolKind};
use crate::order::InOrder;
use crate::regions::Region;
use crate::text::{Lines, folded};

/// Names of rules and headings are cut at this many bytes.
pub(super) const MAX_NAME: usize = 100;

/// A definition at its bytes.
pub(super) struct Item {
    pub(super) kind: SymbolKind,
    pub(super) name: String,
    /// Bytes of the name as written.
    pub(super) name_at: (usize, usize),
    pub(super) start: usize,
    pub(super) end: usize,
    /// One past what declares it: where its body starts.
    pub(super) head_end: usize,
    pub(super) parameters: Vec<Parameter>,
    pub(super) type_text: String,
    pub(super) doc: String,
}

impl Item {
    /// An item of one place, without parameters, type and comment.
    pub(super) fn new(
        kind: SymbolKind,
        name: String,
        name_at: (usize, usize),
        start: usize,
    ) -> Item {
        Item {
            kind,
            name,
            name_at,
            start,
            end: name_at.1.max(start),
            head_end: name_at.1.max(start),
            parameters: Vec::new(),
            type_text: String::new(),
            doc: String::new(),
        }
    }
}

/// A part of the text in another language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Script {
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// It has types.
    pub(crate) is_typed: bool,
}

impl Script {
    /// It as a part that is read on its own.
    pub(crate) fn region(&self) -> Region {
        Region {
            start: self.start,
            end: self.end,
            is_repair: true,
        }
    }
}

/// All that a scan finds.
#[derive(Default)]
pub(super) struct Outline {
    pub(super) items: Vec<Item>,
    /// Form and bytes of names that are used.
    pub(super) uses: Vec<(ReferenceForm, usize, usize)>,
    pub(super) imports: Vec<Import>,
    pub(super) scripts: Vec<Script>,
    /// Bytes at which a chunk may begin, beyond those of outermost items.
    pub(super) cuts: Vec<usize>,
}

impl Outline {
    /// Writes symbols, references and imports; gives the lines at which chunks may begin.
    pub(super) fn into_facts(
        mut self,
        facts: &mut FileFacts,
        text: &str,
        lines: &Lines,
    ) -> Vec<u32> {
        self.items
            .order_by_key(|item| (item.start, std::cmp::Reverse(item.end), item.name_at));
        let mut open: Vec<(usize, u32)> = Vec::new();
        let mut cuts: Vec<u32> = self.cuts.iter().map(|&at| line_of(lines, at)).collect();
        for item in self.items {
            while open
                .last()
                .is_some_and(|&(end, _)| end < item.end || end <= item.start)
            {
                open.pop();
            }
            let index = facts.symbols.len() as u32;
            let parent = open.last().map(|&(_, parent)| parent);
            open.push((item.end, index));
            if parent.is_none() {
                cuts.push(line_of(lines, item.start));
            }
            facts.symbols.push(symbol(item, parent, text, lines));
        }
        self.uses.order_by_key(|one| one.1);
        self.uses.dedup_by_key(|one| one.1);
        for (form, start, end) in self.uses {
            let Some(name) = text.get(start..end) else {
                continue;
            };
            facts.references.push(Reference {
                name: name.to_owned(),
                form,
                receiver: None,
                span: span(lines, start, end),
                enclosing: enclosing(&facts.symbols, start as u32),
                n_arguments: None,
                in_macro: false,
            });
        }
        self.imports.order_by_key(|one| one.span.start);
        facts.imports = self.imports;
        cuts.order_by(Ord::cmp);
        cuts.dedup();
        cuts
    }
}

/// The innermost symbol around a place: the last that starts before it, or one around that.
fn enclosing(symbols: &[Symbol], at: u32) -> Option<u32> {
    let before = symbols.partition_point(|symbol| symbol.span.start <= at);
    let mut current = before.checked_sub(1).map(|index| index as u32);
    while let Some(symbol) = current.and_then(|index| symbols.get(index as usize)) {
        let is_around = at < symbol.span.end && symbol.kind != SymbolKind::Field;
        if is_around {
            return current;
        }
        current = symbol.parent;
    }
    None
}

fn symbol(item: Item, parent: Option<u32>, text: &str, lines: &Lines) -> Symbol {
    let head = text.get(item.start..item.head_end).unwrap_or_default();
    Symbol {
        name: item.name,
        kind: item.kind,
        parent,
        span: span(lines, item.start, item.end),
        name_span: span(lines, item.name_at.0, item.name_at.1),
        signature: folded(head, 300).trim_end_matches([' ', '{', '(']).into(),
        modifiers: Modifiers::EXPORTED.bits(),
        parameters: item.parameters.into(),
        type_text: item.type_text.into(),
        ty: None,
        complexity: 0,
        rare: Rare::from(RareFacts {
            doc: item.doc,
            ..RareFacts::default()
        }),
    }
}

/// The line of a byte.
pub(super) fn line_of(lines: &Lines, at: usize) -> u32 {
    lines.point(at as u32).row as u32
}

/// Bytes with their lines.
pub(super) fn span(lines: &Lines, start: usize, end: usize) -> Span {
    let last = end.max(start + 1) - 1;
    Span {
        start: start as u32,
        end: end as u32,
        start_line: line_of(lines, start),
        end_line: line_of(lines, last),
    }
}
