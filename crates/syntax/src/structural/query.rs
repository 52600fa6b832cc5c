//! tree-sitter queries: S-expressions with captures and predicates.

use std::ops::ControlFlow;

use regex::RegexBuilder;
use streaming_iterator::StreamingIterator;
use tree_sitter::{Query, QueryCursor, QueryCursorOptions, QueryError, QueryErrorKind, Tree};

use super::error::{StructuralError, StructuralErrorKind as Kind};
use super::{MAX_REGEX, StructuralCapture, StructuralFound, StructuralMatch};
use crate::deadline::Deadline;
use crate::languages::span_of;

/// Matches that may be open at once. A query that needs more loses some, and says so.
const MAX_OPEN_MATCHES: u32 = 65_536;
/// The capture that says what was found, where there is one.
const WHOLE: &str = "match";

/// A compiled query.
pub(super) struct TreeQuery {
    query: Query,
    whole: Option<u32>,
}

impl TreeQuery {
    pub(super) fn new(
        grammar: &tree_sitter::Language,
        language: &str,
        source: &str,
    ) -> Result<TreeQuery, StructuralError> {
        if source.trim().is_empty() {
            return Err(StructuralError::new(Kind::Empty, "the query is empty"));
        }
        check_expressions(source)?;
        let query =
            Query::new(grammar, source).map_err(|error| unusable(&error, language, source))?;
        if query.capture_names().is_empty() {
            let message = "the query captures nothing: write @match behind what is to be found";
            return Err(StructuralError::new(Kind::Syntax, message).at(source, 0));
        }
        let outside = (0..query.pattern_count())
            .map(|pattern| query.start_byte_for_pattern(pattern))
            .find(|start| {
                source
                    .get(*start..)
                    .is_some_and(|rest| rest.starts_with("(#"))
            });
        if let Some(place) = outside {
            let message = "this predicate stands outside of a pattern: put it into the brackets of the one it is about";
            return Err(StructuralError::new(Kind::Syntax, message).at(source, place));
        }
        let unknown = (0..query.pattern_count())
            .flat_map(|pattern| query.general_predicates(pattern))
            .find(|predicate| predicate.operator.ends_with('?'));
        if let Some(predicate) = unknown {
            let operator = &predicate.operator;
            let message = format!(
                "the predicate #{operator} is not known; #eq?, #match?, #any-of? and their opposites with not- are"
            );
            let place = source.find(operator.as_ref()).unwrap_or(0);
            return Err(StructuralError::new(Kind::Syntax, message).at(source, place));
        }
        Ok(TreeQuery {
            whole: query.capture_index_for_name(WHOLE),
            query,
        })
    }

    /// Up to `limit` matches in a parsed text, in the order of their starts.
    pub(super) fn find(
        &self,
        tree: &Tree,
        text: &str,
        limit: usize,
        deadline: &Deadline,
    ) -> StructuralFound {
        let mut cursor = QueryCursor::new();
        cursor.set_match_limit(MAX_OPEN_MATCHES);
        let mut is_over = false;
        let mut stop = |_: &tree_sitter::QueryCursorState| {
            is_over |= deadline.is_over();
            if is_over {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        let options = QueryCursorOptions::new().progress_callback(&mut stop);
        let mut found = StructuralFound::default();
        let mut matches =
            cursor.matches_with_options(&self.query, tree.root_node(), text.as_bytes(), options);
        while let Some(one) = matches.next() {
            if let Some(one) = self.found(one.captures()) {
                found.matches.push(one);
            }
            // A bound on memory; what is behind it would be cut by any limit.
            if found.matches.len() > limit.saturating_mul(2).saturating_add(1_000) {
                break;
            }
        }
        drop(matches);
        found.timed_out = is_over || cursor.did_exceed_match_limit();
        found
            .matches
            .sort_by_key(|one| (one.span.start, std::cmp::Reverse(one.span.end)));
        found.matches.dedup();
        found.truncated = found.matches.len() > limit;
        found.matches.truncate(limit);
        found
    }

    /// Returns the captures of one match; its span is that of `@match`, else from the first to the last capture.
    fn found(&self, captures: &[tree_sitter::QueryCapture<'_>]) -> Option<StructuralMatch> {
        let whole = captures
            .iter()
            .find(|capture| Some(capture.index) == self.whole)
            .map(|capture| span_of(capture.node));
        let spans = captures.iter().map(|capture| span_of(capture.node));
        let span = whole.or_else(|| {
            spans.reduce(|mut all, span| {
                if span.start < all.start {
                    (all.start, all.start_line) = (span.start, span.start_line);
                }
                if span.end > all.end {
                    (all.end, all.end_line) = (span.end, span.end_line);
                }
                all
            })
        })?;
        let names = self.query.capture_names();
        let capture = |capture: &tree_sitter::QueryCapture<'_>| {
            Some(StructuralCapture {
                name: (*names.get(capture.index as usize)?).to_owned(),
                span: span_of(capture.node),
            })
        };
        Some(StructuralMatch {
            span,
            captures: captures.iter().filter_map(capture).collect(),
        })
    }
}

/// Expressions in `#match?` cost their size times the text: large ones are refused. Any string may be one.
fn check_expressions(source: &str) -> Result<(), StructuralError> {
    for (at, string) in strings(source) {
        let compiled = RegexBuilder::new(&string).size_limit(MAX_REGEX).build();
        if let Err(regex::Error::CompiledTooBig(limit)) = compiled {
            let message = format!("the expression compiles to more than {limit} bytes");
            return Err(StructuralError::new(Kind::Size, message).at(source, at));
        }
    }
    Ok(())
}

/// The strings of a query and where they begin, unescaped; comments are passed over.
fn strings(source: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut chars = source.char_indices();
    while let Some((at, c)) = chars.next() {
        if c == ';' {
            chars.by_ref().find(|(_, c)| *c == '\n');
        }
        if c != '"' {
            continue;
        }
        let mut string = String::new();
        while let Some((_, c)) = chars.next() {
            match c {
                '"' => break,
                '\\' => string.extend(chars.next().map(|(_, escaped)| escaped)),
                _ => string.push(c),
            }
        }
        found.push((at, string));
    }
    found
}

fn unusable(error: &QueryError, language: &str, source: &str) -> StructuralError {
    let name = error.message.trim_matches('"');
    let message = match error.kind {
        QueryErrorKind::NodeType => format!("{language} has no node named {name:?}"),
        QueryErrorKind::Field => format!("{language} has no field named {name:?}"),
        QueryErrorKind::Capture => format!("no capture is named {name:?}"),
        QueryErrorKind::Structure => format!("no tree of {language} looks like this"),
        QueryErrorKind::Predicate => format!("a predicate cannot be used: {name}"),
        QueryErrorKind::Syntax => "the query cannot be read from here on".to_owned(),
        QueryErrorKind::Language => {
            return StructuralError::new(Kind::NoGrammar, error.to_string());
        }
    };
    let place = match error.kind {
        QueryErrorKind::Predicate => line_start(source, error.row),
        _ => error.offset,
    };
    StructuralError::new(Kind::Syntax, message).at(source, place.min(source.len()))
}

fn line_start(source: &str, row: usize) -> usize {
    let lines = source.split_inclusive('\n').take(row);
    lines.map(str::len).sum()
}
