//! Names that patterns bind: from where they hold, and what a pattern takes out of a value.

use tree_sitter::Node;

use super::harvest::RawBinding;
use crate::facts::{BindingKind, Span};
use crate::fields::ByField;
use crate::node::{parent_of, span_of};
use crate::text::{head, is_word};

/// Maximum number of bytes that are looked through behind a name.
const MAX_STATEMENT: usize = 400;

/// Statements whose value is computed before their names are bound.
const STATEMENTS: [&str; 4] = [
    "let_declaration",
    "let_condition",
    "short_var_declaration",
    "var_spec",
];

/// Place of a binding: its name, and the rest of the statement where the value mentions the name.
pub(crate) fn place(name: Node, source: &str) -> Span {
    let mut span = span_of(name);
    let text = source.get(name.byte_range()).unwrap_or_default();
    if !is_mentioned(text, rest_of(source, name.end_byte())) {
        return span;
    }
    let mut around = parent_of(name);
    for _ in 0..4 {
        let Some(node) = around else { break };
        if STATEMENTS.contains(&node.kind()) {
            // A closure in the value binds its parameters at once.
            let is_bound = node
                .field("pattern")
                .or_else(|| node.field("left"))
                .or_else(|| node.field("name"))
                .is_some_and(|bound| name.end_byte() <= bound.end_byte());
            if is_bound {
                let statement = span_of(node);
                (span.end, span.end_line) = (statement.end, statement.end_line);
            }
            break;
        }
        around = parent_of(node);
    }
    span
}

/// The text behind a place, up to the end of the statement or a bound.
fn rest_of(source: &str, from: usize) -> &str {
    let rest = head(source.get(from..).unwrap_or_default(), MAX_STATEMENT);
    rest.split(';').next().unwrap_or_default()
}

/// Returns whether a text contains a name as a whole word.
fn is_mentioned(name: &str, text: &str) -> bool {
    let is_part = |side: Option<char>| side.is_some_and(is_word);
    text.match_indices(name).any(|(at, found)| {
        let (before, after) = (text.get(..at), text.get(at + found.len()..));
        !is_part(before.and_then(|text| text.chars().next_back()))
            && !is_part(after.and_then(|text| text.chars().next()))
    })
}

/// The value of a binding as source, with the content of the option or result that the pattern `Some(x)` or `Ok(x)`
/// takes out of it, or `?` behind it.
pub(crate) fn unwrapped(value: String, raw: &RawBinding, node: Node, source: &str) -> String {
    let before = source.get(..raw.name.start_byte()).unwrap_or_default();
    let before = before.trim_end_matches("ref ").trim_end_matches("mut ");
    let by_pattern = before.ends_with("Some(") || before.ends_with("Ok(");
    match raw.kind {
        Some(BindingKind::Alias) if by_pattern || is_tried(source, node.end_byte()) => {
            format!("{value}.unwrap()")
        }
        Some(BindingKind::Call) if by_pattern || is_call_tried(node, source) => {
            format!("{value}().unwrap")
        }
        _ => value,
    }
}

fn is_tried(source: &str, at: usize) -> bool {
    let rest = source.get(at..).unwrap_or_default();
    let rest = rest.strip_prefix(".await").unwrap_or(rest);
    rest.starts_with("?;") || rest.starts_with("? ")
}

/// Returns whether `?` follows the call of a function.
fn is_call_tried(function: Node, source: &str) -> bool {
    let rest = rest_of(source, function.end_byte());
    let may_be = rest.ends_with('?') && rest.starts_with(['(', ':']);
    may_be && parent_of(function).is_some_and(|call| is_tried(source, call.end_byte()))
}
