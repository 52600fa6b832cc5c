//! Children by the names of their fields. tree-sitter compares a name with those of the whole grammar each time that it is asked for one;
//! here it does so once.

use std::cell::RefCell;

use rustc_hash::FxHashMap;
use tree_sitter::{Language, Node};

/// Asks nodes for fields.
pub(crate) trait ByField<'t> {
    /// The first child in this field.
    fn field(&self, name: &'static str) -> Option<Node<'t>>;
}

impl<'t> ByField<'t> for Node<'t> {
    fn field(&self, name: &'static str) -> Option<Node<'t>> {
        FIELDS.with_borrow_mut(|fields| self.child_by_field_id(fields.number(*self, name)?))
    }
}

thread_local! {
    static FIELDS: RefCell<Fields> = RefCell::default();
}

/// Numbers of the fields of the grammar that was asked last.
#[derive(Default)]
struct Fields {
    grammar: Option<Language>,
    /// Keyed by address and length of the name: names are constants.
    numbers: FxHashMap<(usize, usize), Option<u16>>,
}

impl Fields {
    fn number(&mut self, node: Node<'_>, name: &'static str) -> Option<u16> {
        let grammar = node.language();
        if self.grammar.as_ref() != Some(&grammar) {
            self.numbers.clear();
            self.grammar = Some(grammar.clone());
        }
        let place = (name.as_ptr().addr(), name.len());
        let number = self.numbers.entry(place);
        *number.or_insert_with(|| grammar.field_id_for_name(name).map(std::num::NonZero::get))
    }
}

#[cfg(all(test, feature = "all-languages"))]
mod tests {
    use super::*;

    #[test]
    fn fields_of_one_grammar_after_the_other() {
        let grammars: [(Language, &str); 2] = [
            (tree_sitter_python::LANGUAGE.into(), "def f(a): pass"),
            (tree_sitter_rust::LANGUAGE.into(), "fn f(a: u8) {}"),
        ];
        for (grammar, text) in grammars.iter().chain(&grammars) {
            let mut parser = tree_sitter::Parser::new();
            parser.set_language(grammar).unwrap();
            let tree = parser.parse(text, None).unwrap();
            let function = tree.root_node().child(0).unwrap();
            for name in ["name", "parameters", "body", "no such field"] {
                assert_eq!(function.field(name), function.child_by_field_name(name));
            }
        }
    }
}
