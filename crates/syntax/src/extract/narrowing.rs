//! Where `isinstance(x, T)` of Python makes x a T: in the body of its `if`, behind an `assert`, behind an early exit.

use tree_sitter::Node;

use crate::facts::Span;
use crate::fields::ByField;
use crate::node::{parent_of, span_of};

/// Maximum number of nodes between the call and its statement.
const MAX_AROUND: usize = 8;

/// Returns whether a name is the first argument of `isinstance`.
pub(crate) fn is_narrowed(name: Node, source: &str) -> bool {
    let before = source.get(..name.start_byte()).unwrap_or_default();
    before.trim_end().ends_with("isinstance(")
}

/// Returns the part of the text in which a narrowed name has the type; none if that is not clear.
pub(crate) fn extent(name: Node) -> Option<Span> {
    let call = parent_of(parent_of(name)?).filter(|node| node.kind() == "call")?;
    let (mut node, mut is_negated) = (call, false);
    let mut last_term = None;
    for _ in 0..MAX_AROUND {
        let parent = parent_of(node)?;
        match parent.kind() {
            "parenthesized_expression" => {}
            "not_operator" => is_negated = !is_negated,
            // Of `a or b` neither is certain.
            "boolean_operator" => {
                if parent.field("operator")?.kind() != "and" {
                    return None;
                }
                last_term = Some(parent);
            }
            "if_statement" | "elif_clause" | "while_statement" if !is_negated => {
                let body = parent
                    .field("consequence")
                    .or_else(|| parent.field("body"))?;
                return Some(between(call.end_byte(), call, body));
            }
            "if_statement" if is_negated && last_term.is_none() => {
                let leaves =
                    parent.field("alternative").is_none() && exits(parent.field("consequence")?);
                return leaves.then(|| parent_of(parent).map(|block| behind(parent, block)))?;
            }
            "assert_statement" if !is_negated => {
                let block = parent_of(parent)?;
                return Some(behind(parent, block));
            }
            "conditional_expression" if !is_negated => {
                let value = parent.named_child(0)?;
                return (value.id() != node.id()).then(|| span_of(value));
            }
            _ => {
                // `isinstance(x, T) and x.f()`
                let whole = last_term.filter(|_| !is_negated)?;
                return Some(between(call.end_byte(), call, whole));
            }
        }
        node = parent;
    }
    None
}

/// Returns whether a block ends by leaving the function or loop.
fn exits(block: Node) -> bool {
    let n_statements = block.named_child_count();
    let last = n_statements
        .checked_sub(1)
        .and_then(|last| block.named_child(last as _));
    last.is_some_and(|last| {
        matches!(
            last.kind(),
            "return_statement" | "raise_statement" | "continue_statement" | "break_statement"
        )
    })
}

/// The part of a block behind a statement in it.
fn behind(statement: Node, block: Node) -> Span {
    between(statement.end_byte(), statement, block)
}

/// From a byte at the end of one node to the end of another.
fn between(start: usize, from: Node, to: Node) -> Span {
    let (first, last) = (span_of(from), span_of(to));
    Span {
        start: start as u32,
        end: last.end,
        start_line: first.end_line,
        end_line: last.end_line,
    }
}
