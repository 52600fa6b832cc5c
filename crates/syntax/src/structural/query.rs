//! tree-sitter queries: S-expressions with captures and predicates.

use crate::order::InOrder;
use std::ops::ControlFlow;

use streaming_iterator::StreamingIterator;
use tree_sitter::{Query, QueryCursor, QueryCursorOptions, QueryError, QueryErrorKind, Tree};

use super::error::{StructuralError, StructuralErrorKind as Kind};
use super::predicates::{self, Match};
use super::{StructuralCapture, StructuralFound, StructuralMatch};
use crate::deadline::Deadline;
use crate::node::{span_of, text_of};

/// Matches that may be open at once. A query that needs more loses some, and says so.
const MAX_OPEN_MATCHES: u32 = 65_536;
/// The capture that marks the match, if there is one.
const WHOLE: &str = "match";
/// Bytes that `#eq?` compares for one step.
const BYTES_PER_STEP: usize = 64;

/// A compiled query.
pub(super) struct TreeQuery {
    query: Query,
    whole: Option<u32>,
    /// Of each pattern of the query.
    matches: Vec<Vec<Match>>,
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
        let query = Query::new(grammar, &predicates::hidden(source))
            .map_err(|error| unusable(&error, language, source))?;
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
            let message = "this predicate is outside of a pattern: put it into the brackets of the one it is about";
            return Err(StructuralError::new(Kind::Syntax, message).at(source, place));
        }
        let unknown = (0..query.pattern_count())
            .flat_map(|pattern| query.general_predicates(pattern))
            .find(|one| one.operator.ends_with('?') && !predicates::is_hidden(one));
        if let Some(predicate) = unknown {
            let operator = &predicate.operator;
            let message = format!(
                "the predicate #{operator} is not known; #eq?, #match?, #any-of? and their opposites with not- are"
            );
            let place = source.find(operator.as_ref()).unwrap_or(0);
            return Err(StructuralError::new(Kind::Syntax, message).at(source, place));
        }
        let matches = (0..query.pattern_count())
            .map(|pattern| {
                let place = query.start_byte_for_pattern(pattern);
                predicates::of_pattern(&query, pattern).map_err(|error| error.at(source, place))
            })
            .collect::<Result<_, _>>()?;
        Ok(TreeQuery {
            whole: query.capture_index_for_name(WHOLE),
            query,
            matches,
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
        let texts = |node: tree_sitter::Node<'_>| {
            let text = text_of(node, text).as_bytes();
            deadline.is_over_after((1 + text.len() / BYTES_PER_STEP) as u64);
            std::iter::once(text)
        };
        let mut matches =
            cursor.matches_with_options(&self.query, tree.root_node(), texts, options);
        while let Some(one) = matches.next() {
            let holds = |check: &Match| check.holds(one.captures(), text, deadline.budget());
            let is_match =
                (self.matches.get(one.pattern_index)).is_none_or(|all| all.iter().all(holds));
            if deadline.budget().spent().is_some() {
                break;
            }
            if is_match && let Some(one) = self.found(one.captures()) {
                found.matches.push(one);
            }
            // A bound on memory; what is behind it would be cut by any limit.
            if found.matches.len() > limit.saturating_mul(2).saturating_add(1_000) {
                break;
            }
        }
        drop(matches);
        found.timed_out =
            is_over || deadline.budget().spent().is_some() || cursor.did_exceed_match_limit();
        found.n_steps = deadline.budget().n_steps();
        found
            .matches
            .order_by_key(|one| (one.span.start, std::cmp::Reverse(one.span.end)));
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
