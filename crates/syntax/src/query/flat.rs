//! A tree as a list: parents before children, each with where its inside ends.

use tree_sitter::{Node, TreeCursor};

use super::Matcher;
use crate::deadline::Deadline;

/// Number of nodes flattened between two checks of the deadline.
const CHECK_EVERY: usize = 8_192;

/// A tree in the order of its text.
pub(crate) struct FlatTree<'t> {
    pub(super) nodes: Vec<Flat<'t>>,
    /// Start of the first node whose children are deeper than requested.
    pub(crate) deeper: Option<usize>,
    /// The most children that the nodes around one node have together: what looking for a parent from the root passes at most.
    pub(crate) widest: u64,
    /// The time was up before the tree was.
    pub(crate) timed_out: bool,
}

/// A node in the list.
pub(super) struct Flat<'t> {
    pub(super) node: Node<'t>,
    pub(super) kind: u16,
    /// Field of its parent; 0: none, or nobody asks.
    pub(super) field: u16,
    /// Behind its last descendant: the place of its next sibling.
    pub(super) end: u32,
    pub(super) is_named: bool,
}

/// Whether the work on the file ends at this node.
fn is_over(at: usize, deadline: &Deadline) -> bool {
    at % CHECK_EVERY == CHECK_EVERY - 1 && deadline.is_over_after(CHECK_EVERY as u64)
}

/// The field of a node, which is asked for only below nodes whose fields patterns name.
fn field_of(cursor: &TreeCursor, has_fields: bool) -> u16 {
    match has_fields {
        true => cursor.field_id().map_or(0, std::num::NonZero::get),
        false => 0,
    }
}

impl<'t> FlatTree<'t> {
    /// Flattens the tree below `root`, which has depth 0. A node that begins where its parent does is as deep as it. Tokens that no pattern names are left out. Linear, not recursive.
    pub(crate) fn new(
        root: Node<'t>,
        matcher: &Matcher,
        max_depth: u32,
        deadline: &Deadline,
    ) -> FlatTree<'t> {
        let wanted = &matcher.wanted;
        let mut flat = FlatTree {
            nodes: Vec::with_capacity(root.descendant_count() / 2 + 16),
            deeper: None,
            widest: 0,
            timed_out: false,
        };
        // Nodes that are entered, how many of their children are still to come (asking for one behind the last is slow), and
        // whether the node counts as a level.
        let mut open: Vec<(u32, u32, bool)> = Vec::new();
        let mut depth = 0;
        let mut passed: u64 = 0;
        let mut has_fields = false;
        let mut cursor = root.walk();
        loop {
            let node = cursor.node();
            let kind = node.kind_id();
            let is_named = node.is_named();
            let is_kept = is_named || wanted.tokens.get(kind as usize) == Some(&true);
            if is_kept {
                let at = flat.nodes.len();
                if is_over(at, deadline) {
                    flat.timed_out = true;
                    break;
                }
                let field = field_of(&cursor, has_fields);
                flat.push(node, field);
                let n_children = node.child_count();
                if depth >= max_depth {
                    if flat.deeper.is_none() && n_children > 0 {
                        flat.deeper = Some(node.start_byte());
                    }
                } else if n_children > 0 && cursor.goto_first_child() {
                    // A chain of calls is a level, however long: each call begins where that before it does.
                    let is_level = node.start_byte() != cursor.node().start_byte();
                    depth += u32::from(is_level);
                    open.push((at as u32, n_children - 1, is_level));
                    passed += u64::from(n_children);
                    flat.widest = flat.widest.max(passed);
                    has_fields = wanted.fields.get(kind as usize) == Some(&true);
                    continue;
                }
            }
            loop {
                let Some((parent, n_left, is_level)) = open.last_mut() else {
                    return flat;
                };
                if *n_left > 0 && cursor.goto_next_sibling() {
                    *n_left -= 1;
                    // Children after the first begin behind it.
                    depth += u32::from(!*is_level);
                    *is_level = true;
                    break;
                }
                flat.close(*parent);
                passed -= flat.n_children(*parent);
                depth -= u32::from(*is_level);
                open.pop();
                if !cursor.goto_parent() {
                    return flat;
                }
                has_fields = open
                    .last()
                    .is_some_and(|&(at, ..)| flat.names_fields(at, matcher));
            }
        }
        open.into_iter().rev().for_each(|(at, ..)| flat.close(at));
        flat
    }

    /// Adds a node whose descendants are still to come.
    fn push(&mut self, node: Node<'t>, field: u16) {
        self.nodes.push(Flat {
            node,
            kind: node.kind_id(),
            field,
            end: self.nodes.len() as u32 + 1,
            is_named: node.is_named(),
        });
    }

    fn n_children(&self, at: u32) -> u64 {
        self.nodes
            .get(at as usize)
            .map_or(0, |flat| flat.node.child_count().into())
    }

    /// Whether patterns name fields of the node at this place.
    fn names_fields(&self, at: u32, matcher: &Matcher) -> bool {
        let node = self.nodes.get(at as usize);
        node.is_some_and(|node| matcher.wanted.fields.get(node.kind as usize) == Some(&true))
    }

    /// Calls `take` for each of `wanted`, which are in the order of the text, with its number and the nodes around it, nearest last. Linear:
    /// a node itself would look for its parent from the root.
    pub(crate) fn around(&self, wanted: &[Node<'t>], mut take: impl FnMut(usize, &[Node<'t>])) {
        let mut next = 0;
        let (mut open, mut ends): (Vec<Node<'t>>, Vec<u32>) = (Vec::new(), Vec::new());
        for (at, flat) in self.nodes.iter().enumerate() {
            while ends.last().is_some_and(|&end| end <= at as u32) {
                ends.pop();
                open.pop();
            }
            while wanted
                .get(next)
                .is_some_and(|node| node.id() == flat.node.id())
            {
                take(next, &open);
                next += 1;
            }
            if next == wanted.len() {
                return;
            }
            ends.push(flat.end);
            open.push(flat.node);
        }
    }

    fn close(&mut self, at: u32) {
        let end = self.nodes.len() as u32;
        if let Some(flat) = self.nodes.get_mut(at as usize) {
            flat.end = end;
        }
    }
}
