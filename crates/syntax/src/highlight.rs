//! Colours of a text from its tree: captures of `highlights.scm`, inner ones before outer ones.

use crate::order::InOrder;
use std::ops::ControlFlow;

use streaming_iterator::StreamingIterator;
use tree_sitter::{Node, Query, QueryCursor, QueryCursorOptions};

use crate::deadline::Deadline;
use crate::highlight_class::{Highlight, HighlightClass};

/// A compiled highlights query with the class of each capture; `@none` clears what is around it.
pub(crate) struct HighlightQuery {
    query: Query,
    classes: Vec<Option<HighlightClass>>,
}

impl HighlightQuery {
    pub(crate) fn new(query: Query) -> HighlightQuery {
        let classes = query
            .capture_names()
            .iter()
            .map(|name| class_of(name))
            .collect();
        HighlightQuery { query, classes }
    }

    /// The coloured pieces of a text: sorted, none overlapping, none empty. Where the time is up, the rest is plain.
    pub(crate) fn run(
        &self,
        root: Node,
        text: &str,
        max_depth: u32,
        deadline: &Deadline,
    ) -> Vec<Highlight> {
        let mut cursor = QueryCursor::new();
        cursor.set_max_start_depth(Some(max_depth));
        let mut stop = |_: &tree_sitter::QueryCursorState| {
            if deadline.is_over() {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        let options = QueryCursorOptions::new().progress_callback(&mut stop);
        let mut found = Vec::new();
        let mut matches = cursor.matches_with_options(&self.query, root, text.as_bytes(), options);
        while let Some(one) = matches.next() {
            for capture in one.captures() {
                let class = self.classes.get(capture.index as usize).copied().flatten();
                found.push(Piece {
                    start: capture.node.start_byte() as u32,
                    end: capture.node.end_byte() as u32,
                    class,
                    pattern: one.pattern_index,
                });
            }
        }
        flatten(found)
    }
}

/// The class of a capture. Queries of other tools name finer ones (`string.escape`, `variable.parameter`): the last word
/// that is a class here counts.
fn class_of(capture: &str) -> Option<HighlightClass> {
    HighlightClass::from_name(capture)
        .or_else(|| capture.rsplit('.').find_map(HighlightClass::from_name))
}

/// A captured range; no class: plain text.
struct Piece {
    start: u32,
    end: u32,
    class: Option<HighlightClass>,
    pattern: usize,
}

/// Cuts nested ranges into pieces side by side. Of equal ranges the pattern written first counts.
fn flatten(mut found: Vec<Piece>) -> Vec<Highlight> {
    found.retain(|piece| piece.start < piece.end);
    found.order_by_key(|piece| (piece.start, std::cmp::Reverse(piece.end), piece.pattern));
    found.dedup_by_key(|piece| (piece.start, piece.end));
    let mut out = Flat {
        pieces: Vec::with_capacity(found.len()),
        at: 0,
    };
    let mut open: Vec<(u32, Option<HighlightClass>)> = Vec::new();
    for piece in found {
        out.close(&mut open, piece.start);
        if let Some(&(_, class)) = open.last() {
            out.push(piece.start, class);
        }
        out.at = out.at.max(piece.start);
        // Ranges that overlap without nesting end with the range around them.
        let end = open
            .last()
            .map_or(piece.end, |&(end, _)| end.min(piece.end));
        open.push((end, piece.class));
    }
    out.close(&mut open, u32::MAX);
    out.pieces
}

struct Flat {
    pieces: Vec<Highlight>,
    at: u32,
}

impl Flat {
    /// Ends the ranges that end by `limit`.
    fn close(&mut self, open: &mut Vec<(u32, Option<HighlightClass>)>, limit: u32) {
        while let Some(&(end, class)) = open.last().filter(|(end, _)| *end <= limit) {
            self.push(end, class);
            open.pop();
        }
    }

    fn push(&mut self, end: u32, class: Option<HighlightClass>) {
        if let Some(class) = class.filter(|_| self.at < end) {
            match self.pieces.last_mut() {
                Some(last) if last.end == self.at && last.class == class => last.end = end,
                _ => self.pieces.push(Highlight {
                    start: self.at,
                    end,
                    class,
                }),
            }
        }
        self.at = self.at.max(end);
    }
}
