//! Finds the place where a pattern does not fit a grammar, for the error message.

use tree_sitter::Node;

use super::error::{StructuralError, StructuralErrorKind as Kind};

/// Deeper patterns are refused: matching recurses over them.
const MAX_DEPTH: usize = 100;

/// The first error in a tree; none where only the end of a statement is missing.
pub(super) fn first_error(node: Node) -> Result<Option<usize>, StructuralError> {
    let mut cursor = node.walk();
    let mut depth = 0;
    loop {
        let here = cursor.node();
        // Only the end of a statement may be left to the reader.
        if here.is_error() || here.is_missing() && !matches!(here.kind(), ";" | "\n") {
            return Ok(Some(here.start_byte()));
        }
        if cursor.goto_first_child() {
            depth += 1;
            if depth > MAX_DEPTH {
                let message = format!("the pattern is nested deeper than {MAX_DEPTH} levels");
                return Err(StructuralError::new(Kind::Size, message));
            }
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return Ok(None);
            }
            depth -= 1;
        }
    }
}

/// Returns the start of the second of several nodes.
pub(super) fn second_piece(node: Node, start: usize) -> usize {
    let mut cursor = node.walk();
    let second = node
        .named_children(&mut cursor)
        .filter(|child| child.start_byte() >= start)
        .nth(1);
    second.map_or(start, |second| second.start_byte())
}

/// Finds the first unbalanced bracket; skips text in quotes.
pub(super) fn unbalanced(pattern: &str) -> Option<usize> {
    let mut open: Vec<(usize, char)> = Vec::new();
    let mut quote = None;
    for (at, c) in pattern.char_indices() {
        match (quote, c) {
            (Some(mark), _) if mark == c => quote = None,
            (Some(_), _) => {}
            (None, '"' | '`') => quote = Some(c),
            (None, '(') => open.push((at, ')')),
            (None, '[') => open.push((at, ']')),
            (None, '{') => open.push((at, '}')),
            (None, ')' | ']' | '}') if open.pop().is_none_or(|(_, close)| close != c) => {
                return Some(at);
            }
            _ => {}
        }
    }
    open.pop().map(|(at, _)| at)
}
