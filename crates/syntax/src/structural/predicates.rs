//! `#match?` and its relatives in queries. tree-sitter would run their expressions by itself, whatever they cost; so they
//! are hidden from it under other names, and answered here, where each search is charged.

use tree_sitter::{Query, QueryCapture, QueryPredicate, QueryPredicateArg};

use super::error::{StructuralError, StructuralErrorKind as Kind};
use super::expression::Expression;
use crate::Budget;
use crate::node::text_of;

/// The predicate as written, and as tree-sitter reads it: of equal length, so that places in messages stay right.
const NAMES: [(&str, &str); 4] = [
    ("#match?", "#Match?"),
    ("#not-match?", "#Not-match?"),
    ("#any-match?", "#Any-match?"),
    ("#any-not-match?", "#Any-not-match?"),
];

/// One predicate.
pub(super) struct Match {
    capture: u32,
    expression: Expression,
    is_wanted: bool,
    /// One of the captured pieces is enough.
    any: bool,
}

/// The query as tree-sitter is to read it.
pub(super) fn hidden(source: &str) -> String {
    let mut hidden = String::with_capacity(source.len());
    let mut rest = source;
    while let Some(c) = rest.chars().next() {
        let length = match c {
            ';' => rest.find('\n').unwrap_or(rest.len()),
            '"' => string_end(rest),
            _ => c.len_utf8(),
        };
        let (piece, behind) = rest.split_at(length);
        match NAMES.iter().find(|(name, _)| begins_with(rest, name)) {
            Some((name, other)) => {
                hidden.push_str(other);
                rest = rest.get(name.len()..).unwrap_or_default();
            }
            None => {
                hidden.push_str(piece);
                rest = behind;
            }
        }
    }
    hidden
}

fn begins_with(text: &str, name: &str) -> bool {
    let behind = text.strip_prefix(name);
    behind
        .is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || "-_?!.".contains(c)))
}

/// Bytes of the string that a text begins with.
fn string_end(text: &str) -> usize {
    let mut is_escaped = true; // the quote that opens it
    let end = text.char_indices().find(|(_, c)| {
        let ends = *c == '"' && !is_escaped;
        is_escaped = *c == '\\' && !is_escaped;
        ends
    });
    end.map_or(text.len(), |(at, _)| at + 1)
}

/// Whether this is one of ours, under its hidden name.
pub(super) fn is_hidden(predicate: &QueryPredicate) -> bool {
    NAMES
        .iter()
        .any(|(_, other)| other.strip_prefix('#') == Some(&predicate.operator))
}

/// The predicates of one pattern of a query.
pub(super) fn of_pattern(query: &Query, pattern: usize) -> Result<Vec<Match>, StructuralError> {
    let predicates = query.general_predicates(pattern).iter();
    predicates.filter(|one| is_hidden(one)).map(read).collect()
}

fn read(predicate: &QueryPredicate) -> Result<Match, StructuralError> {
    let [
        QueryPredicateArg::Capture(capture),
        QueryPredicateArg::String(pattern),
    ] = &*predicate.args
    else {
        let message = format!(
            "#{} takes a capture and an expression: (#match? @name \"^get\")",
            predicate.operator.to_lowercase()
        );
        return Err(StructuralError::new(Kind::Syntax, message));
    };
    Ok(Match {
        capture: *capture,
        expression: Expression::new(pattern)?,
        is_wanted: !predicate.operator.to_lowercase().contains("not-"),
        any: predicate.operator.starts_with("Any-"),
    })
}

impl Match {
    /// Whether the captures fulfil the predicate. Pieces longer than 64 KiB match nothing.
    pub(super) fn holds<C: Fn() -> f64>(
        &self,
        captures: &[QueryCapture<'_>],
        text: &str,
        budget: &Budget<C>,
    ) -> bool {
        let mut pieces = captures
            .iter()
            .filter(|capture| capture.index == self.capture)
            .map(|capture| text_of(capture.node, text));
        let fits = |piece| self.expression.is_match(piece, budget) == self.is_wanted;
        if self.any {
            pieces.any(fits)
        } else {
            pieces.all(fits)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_predicates_are_hidden() {
        let query = r##"((a) @a (#match? @a "#match? \" ö") (#not-match? @a "x")) ; #match?
(#any-not-match? @a "y") (#match?x) (#eq? @a "b")"##;
        let expected = r##"((a) @a (#Match? @a "#match? \" ö") (#Not-match? @a "x")) ; #match?
(#Any-not-match? @a "y") (#match?x) (#eq? @a "b")"##;
        assert_eq!(hidden(query), expected);
        for broken in ["\"", "\"\\", ";", "#match?", "(#match? \"a"] {
            assert_eq!(hidden(broken).len(), broken.len());
        }
    }
}
