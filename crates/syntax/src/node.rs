//! The text, the span and the parent of a node of a tree.

use std::cell::Cell;

use tree_sitter::Node;

use crate::facts::Span;

/// Siblings that looking for parents may pass in one tree: about a second of work, for code a hundredth of that.
const MAX_PASSED: u64 = 300_000_000;

thread_local! {
    /// Siblings that may still be passed, and how many one question passes at most, in the tree that this thread reads.
    static PASSES: Cell<(u64, u64)> = const { Cell::new((MAX_PASSED, 1)) };
}

/// Begins with another tree, whose nodes have at most `widest` children.
pub(crate) fn begin_tree(widest: u64) {
    PASSES.set((MAX_PASSED, widest.max(1)));
}

/// The parent of a node. tree-sitter looks for it from the root, past all siblings before: thousands of questions in a file of
/// hundreds of thousands of statements would take minutes, so they have no answer after [`MAX_PASSED`].
pub(crate) fn parent_of<'t>(node: Node<'t>) -> Option<Node<'t>> {
    let (left, widest) = PASSES.get();
    PASSES.set((left.saturating_sub(widest), widest));
    if left < widest { None } else { node.parent() }
}

/// The text of a node; empty where the node reaches beyond the text.
pub(crate) fn text_of<'a>(node: Node, source: &'a str) -> &'a str {
    source.get(node.byte_range()).unwrap_or_default()
}

/// Byte offsets of a node as spans hold them; lines come from the tree.
pub(crate) fn span_of(node: Node) -> Span {
    let (start, end) = (node.start_position(), node.end_position());
    let end_line = if end.column == 0 && end.row > start.row {
        end.row - 1
    } else {
        end.row
    };
    Span {
        start: node.start_byte() as u32,
        end: node.end_byte() as u32,
        start_line: start.row as u32,
        end_line: end_line as u32,
    }
}
