//! A parsed text as ast-grep's matcher walks it, with a limit on what matching may cost.
//!
//! The matcher recurses over the pattern only, and gives up where a node has no children. So a tree that shows no
//! children once the time or the steps are spent ends any match at once, however the pattern was made.

use std::borrow::Cow;
use std::cell::Cell;

use ast_grep_core::matcher::PatternBuilder;
use ast_grep_core::meta_var::MetaVariable;
use ast_grep_core::source::{Doc, Edit, SgNode};
use ast_grep_core::{Language, Pattern, PatternError, Position};
use tree_sitter::{Node, Tree, TreeCursor};

use super::contexts::{without_filler, without_quotes};
use crate::Budget;
use crate::deadline::Deadline;

/// Two captures of the same metavariable are compared node by node below this size, else by their texts: the comparison
/// recurses.
const MAX_COMPARED: usize = 512;

/// The remaining budget for one text.
pub(super) struct Fuel {
    deadline: Deadline,
    is_spent: Cell<bool>,
}

impl Fuel {
    pub(super) fn new(deadline: Deadline) -> Fuel {
        Fuel {
            deadline,
            is_spent: Cell::new(false),
        }
    }

    /// Returns true once the budget is spent.
    pub(super) fn is_spent(&self) -> bool {
        self.is_spent.get() || self.budget().spent().is_some()
    }

    /// The budget, for work that charges its steps itself.
    pub(super) fn budget(&self) -> &Budget<fn() -> f64> {
        self.deadline.budget()
    }

    /// Takes one step. False where none is left.
    pub(super) fn step(&self) -> bool {
        if !self.is_spent() && self.deadline.is_over_after(1) {
            self.is_spent.set(true);
        }
        !self.is_spent()
    }
}

/// A grammar and the letter in place of `$` if the language has no `$` in names.
#[derive(Clone)]
pub(super) struct PatternLanguage {
    pub(super) grammar: tree_sitter::Language,
    pub(super) expando: char,
}

impl Language for PatternLanguage {
    fn expando_char(&self) -> char {
        self.expando
    }

    fn extract_meta_var(&self, source: &str) -> Option<MetaVariable> {
        let plain = Letter(self.expando);
        let string = || plain.extract_meta_var(without_quotes(source, self.expando)?);
        let found = plain.extract_meta_var(source).or_else(string);
        found.or_else(|| {
            // Among statements and in lists only `$$$` is ever filled; a filled one is the whole node.
            let is_long = |found: &MetaVariable| {
                matches!(
                    found,
                    MetaVariable::Multiple | MetaVariable::MultiCapture(_)
                )
            };
            without_filler(source, self.expando)
                .filter_map(|source| plain.extract_meta_var(source))
                .find(is_long)
        })
    }

    fn kind_to_id(&self, kind: &str) -> u16 {
        self.grammar.id_for_node_kind(kind, true)
    }

    fn field_to_id(&self, field: &str) -> Option<u16> {
        self.grammar.field_id_for_name(field).map(Into::into)
    }

    fn build_pattern(&self, builder: &PatternBuilder) -> Result<Pattern, PatternError> {
        // Patterns are made from nodes of a tree that was parsed under our limits.
        builder.build(|_| Err::<Document, _>("a pattern is made from a parsed text".to_owned()))
    }
}

/// Metavariables as ast-grep spells them, with this letter for `$`.
#[derive(Clone)]
struct Letter(char);

impl Language for Letter {
    fn expando_char(&self) -> char {
        self.0
    }

    fn kind_to_id(&self, _: &str) -> u16 {
        0
    }

    fn field_to_id(&self, _: &str) -> Option<u16> {
        None
    }

    fn build_pattern(&self, builder: &PatternBuilder) -> Result<Pattern, PatternError> {
        builder.build(|_| Err::<Document, _>("a letter reads no patterns".to_owned()))
    }
}

/// A text with its tree.
#[derive(Clone)]
pub(super) struct Document {
    pub(super) language: PatternLanguage,
    pub(super) text: String,
    pub(super) tree: Tree,
    pub(super) fuel: std::rc::Rc<Fuel>,
}

impl Document {
    /// The smallest named node that spans these bytes.
    pub(super) fn spanning(&self, start: usize, end: usize) -> Option<Walked<'_>> {
        let root = self.root_node();
        let node = root.node.named_descendant_for_byte_range(start, end);
        node.map(|node| root.with(node))
    }
}

impl Doc for Document {
    type Source = String;
    type Lang = PatternLanguage;
    type Node<'r> = Walked<'r>;

    fn get_lang(&self) -> &PatternLanguage {
        &self.language
    }

    fn get_source(&self) -> &String {
        &self.text
    }

    fn do_edit(&mut self, _: &Edit<String>) -> Result<(), String> {
        Err("texts are read, not edited".to_owned())
    }

    fn root_node(&self) -> Walked<'_> {
        Walked {
            node: self.tree.root_node(),
            fuel: &self.fuel,
        }
    }

    fn get_node_text<'a>(&'a self, node: &Walked<'a>) -> Cow<'a, str> {
        Cow::Borrowed(crate::node::text_of(node.node, &self.text))
    }
}

/// A node whose children cost steps.
#[derive(Clone)]
pub(super) struct Walked<'r> {
    pub(super) node: Node<'r>,
    fuel: &'r Fuel,
}

impl<'r> Walked<'r> {
    fn with(&self, node: Node<'r>) -> Walked<'r> {
        Walked {
            node,
            fuel: self.fuel,
        }
    }
}

impl<'r> SgNode<'r> for Walked<'r> {
    fn parent(&self) -> Option<Self> {
        self.node.parent().map(|node| self.with(node))
    }

    fn children(&self) -> impl ExactSizeIterator<Item = Self> {
        let mut cursor = self.node.walk();
        let has_children = self.fuel.step() && cursor.goto_first_child();
        Children {
            cursor,
            fuel: self.fuel,
            left: if has_children {
                self.node.child_count() as usize
            } else {
                0
            },
        }
    }

    fn kind(&self) -> Cow<'_, str> {
        Cow::Borrowed(self.node.kind())
    }

    fn kind_id(&self) -> u16 {
        self.node.kind_id()
    }

    fn node_id(&self) -> usize {
        self.node.id()
    }

    fn range(&self) -> std::ops::Range<usize> {
        self.node.byte_range()
    }

    fn start_pos(&self) -> Position {
        let point = self.node.start_position();
        Position::new(point.row, point.column, self.node.start_byte())
    }

    fn end_pos(&self) -> Position {
        let point = self.node.end_position();
        Position::new(point.row, point.column, self.node.end_byte())
    }

    fn dfs(&self) -> impl Iterator<Item = Self> {
        PreOrder {
            cursor: self.node.walk(),
            fuel: self.fuel,
            is_done: false,
        }
    }

    fn is_named(&self) -> bool {
        self.node.is_named()
    }

    fn is_named_leaf(&self) -> bool {
        self.node.named_child_count() == 0 || self.node.descendant_count() > MAX_COMPARED
    }

    fn is_leaf(&self) -> bool {
        self.node.child_count() == 0
    }

    fn is_missing(&self) -> bool {
        self.node.is_missing()
    }

    fn is_error(&self) -> bool {
        self.node.is_error()
    }

    fn is_extra(&self) -> bool {
        self.node.is_extra()
    }

    fn field(&self, name: &str) -> Option<Self> {
        self.node
            .child_by_field_name(name)
            .map(|node| self.with(node))
    }

    fn field_children(&self, field_id: Option<u16>) -> impl Iterator<Item = Self> {
        self.children()
            .zip(0..)
            .filter(move |(_, place): &(Self, u32)| {
                let field = self.node.field_name_for_child(*place);
                field_id.is_some_and(|id| {
                    field == self.node.language().field_name_for_id(id) && field.is_some()
                })
            })
            .map(|(child, _)| child)
    }

    fn child_by_field_id(&self, field_id: u16) -> Option<Self> {
        self.node
            .child_by_field_id(field_id)
            .map(|node| self.with(node))
    }
}

struct Children<'r> {
    cursor: TreeCursor<'r>,
    fuel: &'r Fuel,
    left: usize,
}

impl<'r> Iterator for Children<'r> {
    type Item = Walked<'r>;

    fn next(&mut self) -> Option<Walked<'r>> {
        self.left = self.left.checked_sub(1)?;
        let node = self.cursor.node();
        self.cursor.goto_next_sibling();
        Some(Walked {
            node,
            fuel: self.fuel,
        })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl ExactSizeIterator for Children<'_> {}

/// Every node once, a parent before its children.
struct PreOrder<'r> {
    cursor: TreeCursor<'r>,
    fuel: &'r Fuel,
    is_done: bool,
}

impl<'r> Iterator for PreOrder<'r> {
    type Item = Walked<'r>;

    fn next(&mut self) -> Option<Walked<'r>> {
        if self.is_done || !self.fuel.step() {
            return None;
        }
        let node = self.cursor.node();
        self.is_done = !self.cursor.goto_first_child();
        while self.is_done && !self.cursor.goto_next_sibling() {
            if !self.cursor.goto_parent() {
                return Some(Walked {
                    node,
                    fuel: self.fuel,
                });
            }
        }
        self.is_done = false;
        Some(Walked {
            node,
            fuel: self.fuel,
        })
    }
}
