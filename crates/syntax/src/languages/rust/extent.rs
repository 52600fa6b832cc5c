//! Blocks as scopes: where a variable of Rust ends.

use tree_sitter::Node;

use crate::fields::ByField;

/// Returns the node at whose end a name is no longer bound: the block around a `let`, the body behind `if let` and `for`, the arm of a
/// match, the closure. None for names that hold to the end of their function. `around` are the enclosing nodes, nearest last.
pub(super) fn extent<'t>(around: &[Node<'t>]) -> Option<Node<'t>> {
    let mut above = around.iter().rev().copied().peekable();
    while let Some(node) = above.next() {
        match node.kind() {
            "let_declaration" => {
                let block = above.next().filter(|node| node.kind() == "block")?;
                let is_body = above
                    .peek()
                    .is_none_or(|owner| owner.kind() == "function_item");
                return (!is_body).then_some(block);
            }
            "if_expression" => return node.field("consequence"),
            "while_expression" | "for_expression" => return node.field("body"),
            "match_arm" | "closure_expression" => return Some(node),
            // Anything but a pattern, a condition or parameters: no place where a name is bound.
            "parameter" | "block" | "function_item" => return None,
            _ => {}
        }
    }
    None
}
