//! Reads the parts inside definitions: doc strings, supertypes, decision points, sections of a class.

use crate::order::InOrder;
use rustc_hash::FxHashMap;
use tree_sitter::Node;

use super::SymbolTable;
use super::harvest::Harvest;
use super::nesting::Sweep;
use crate::facts::{Base, BaseKind, Modifiers};
use crate::node::{span_of, text_of};
use crate::rules::clean_doc_string;
use crate::text::{head, squeezed};

/// Adds doc strings, supertypes and decision points.
pub(super) fn attach(harvest: &mut Harvest, source: &str, table: &mut SymbolTable) {
    let mut sweep = Sweep::new(&table.scopes);
    harvest.docs.order_by_key(Node::start_byte);
    for node in &harvest.docs {
        let around = sweep
            .innermost(node.start_byte() as u32)
            .and_then(|at| table.symbols.get_mut(at));
        if let Some(symbol) = around.filter(|symbol| symbol.rare.doc.is_empty()) {
            let doc = clean_doc_string(text_of(*node, source));
            symbol.rare.set(|rare| &mut rare.doc, doc);
        }
    }
    let mut sweep = Sweep::new(&table.scopes);
    harvest.bases.order_by_key(|(_, node)| node.start_byte());
    for &(kind, node) in &harvest.bases {
        if let Some(symbol) = sweep
            .innermost(node.start_byte() as u32)
            .and_then(|at| table.symbols.get_mut(at))
        {
            symbol.rare.get_mut().bases.push(base(kind, node, source));
        }
    }
    let mut sweep = Sweep::new(&table.scopes);
    harvest.branches.order_by(Ord::cmp);
    for &at in &harvest.branches {
        let mut around = sweep.innermost(at);
        while let Some(symbol) = around.and_then(|index| table.symbols.get_mut(index)) {
            if symbol.complexity > 0 {
                symbol.complexity = symbol.complexity.saturating_add(1);
                break;
            }
            around = symbol.parent.map(|parent| parent as usize);
        }
    }
}

fn base(kind: BaseKind, node: Node, source: &str) -> Base {
    let arguments = node
        .next_named_sibling()
        .filter(|next| next.kind() == "type_arguments");
    let end = arguments.map_or(node.end_byte(), |arguments| arguments.end_byte());
    let text = source.get(node.start_byte()..end).unwrap_or_default();
    Base {
        name: head(&squeezed(text, 200), 200).to_owned(),
        kind,
        span: span_of(node),
        ty: None,
    }
}

/// Members after `public:` in a class are visible outside of it, those after `private:` are not.
pub(super) fn show_or_hide(harvest: &mut Harvest, table: &mut SymbolTable) {
    if harvest.sections.is_empty() {
        return;
    }
    harvest.sections.order_by_key(|(at, _)| *at);
    let mut sections: FxHashMap<u32, Vec<(u32, Modifiers)>> = FxHashMap::default();
    let mut sweep = Sweep::new(&table.scopes);
    for &(at, visibility) in &harvest.sections {
        if let Some(class) = sweep.innermost(at) {
            let of_class = sections.entry(class as u32).or_default();
            of_class.push((at, visibility));
        }
    }
    for symbol in &mut table.symbols {
        let Some(of_class) = symbol.parent.and_then(|class| sections.get(&class)) else {
            continue;
        };
        let before = of_class.partition_point(|&(at, _)| at <= symbol.name_span.start);
        let last = before.checked_sub(1).and_then(|last| of_class.get(last));
        if let Some((_, visibility)) = last {
            let every = Modifiers::EXPORTED | Modifiers::PRIVATE | Modifiers::PROTECTED;
            symbol.modifiers = symbol.modifiers & !every.bits() | visibility.bits();
        }
    }
}
