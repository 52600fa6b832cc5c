//! Heads of definitions: no chunk ends on one, or on the comment that documents what follows.

use tree_sitter::Node;

use super::ChunkConfig;
use super::pieces::{Piece, past_line, token_across};
use crate::facts::Symbol;
use crate::text::{Lines, is_doc_comment};

/// Lines that may be between a doc comment and what it documents.
const MAX_GAP: u32 = 1;

/// The definitions of a file, for moving the borders of its chunks.
pub(super) struct Heads<'a> {
    /// First and last line of each definition, rising.
    definitions: Vec<(u32, u32)>,
    root: Node<'a>,
    lines: &'a Lines,
    text: &'a str,
    config: &'a ChunkConfig,
}

impl<'a> Heads<'a> {
    pub(super) fn new(
        symbols: &[Symbol],
        root: Node<'a>,
        lines: &'a Lines,
        text: &'a str,
        config: &'a ChunkConfig,
    ) -> Heads<'a> {
        let span = |symbol: &Symbol| (symbol.span.start_line, symbol.span.end_line);
        let mut definitions: Vec<(u32, u32)> = symbols.iter().map(span).collect();
        definitions.sort_unstable();
        Heads {
            definitions,
            root,
            lines,
            text,
            config,
        }
    }

    /// Moves each border that follows on the head of a definition, or on the comment of the one behind it, before both,
    /// where the chunk behind has room for them.
    pub(super) fn keep(&self, pieces: &mut [Piece]) {
        for at in 1..pieces.len() {
            let (Some(before), Some(behind)) = (pieces.get(at - 1), pieces.get(at)) else {
                return;
            };
            let Some(cut) = self.cut(before.first, behind.first, behind.past) else {
                continue;
            };
            if let Some(before) = pieces.get_mut(at - 1) {
                before.past = cut;
            }
            if let Some(behind) = pieces.get_mut(at) {
                behind.first = cut;
            }
        }
    }

    /// A better border than `border` between the lines `[first, border)` and `[border, past)`.
    fn cut(&self, first: u32, border: u32, past: u32) -> Option<u32> {
        let from = self
            .definitions
            .partition_point(|(start, _)| *start <= first);
        let near = self.definitions.iter().skip(from);
        let headed = near
            .take_while(|(start, _)| *start <= border + MAX_GAP)
            .filter(|(start, end)| *end >= border && self.ink(*start, border) < self.config.min);
        headed
            .map(|(start, _)| self.with_comment(*start, first))
            .find(|cut| {
                *cut > first
                    && *cut < border
                    && self.ink(*cut, past) <= self.config.max
                    && token_across(self.root, self.lines, *cut).is_none()
            })
    }

    fn ink(&self, first: u32, past: u32) -> u32 {
        self.lines.ink(first, past.max(first))
    }

    /// The first line of the comments before a line, not above `first`: those directly before it, or a doc comment with a
    /// blank line between.
    fn with_comment(&self, line: u32, first: u32) -> u32 {
        let mut start = line;
        while start > first {
            let blank = self.is_blank(start - 1);
            let last = if blank {
                start.saturating_sub(2)
            } else {
                start - 1
            };
            let Some((row, text)) = self.comment_ending_on(last) else {
                break;
            };
            let is_doc = is_doc_comment(text) && start == line && row > 0;
            if row < first || blank && !is_doc {
                break;
            }
            start = row;
        }
        start
    }

    fn is_blank(&self, line: u32) -> bool {
        self.lines.text(self.text, line).trim().is_empty()
    }

    /// The first line and the text of a comment that has its lines for itself, down to this one.
    fn comment_ending_on(&self, line: u32) -> Option<(u32, &'a str)> {
        let text = self.lines.text(self.text, line);
        let end = self.lines.start(line) as usize + text.trim_end().len();
        let node = self
            .root
            .descendant_for_byte_range(end.checked_sub(1)?, end)?;
        let row = node.start_position().row as u32;
        let indent = self
            .text
            .get(self.lines.start(row) as usize..node.start_byte())?;
        let is_alone = indent.trim().is_empty() && past_line(node) == line + 1;
        (node.kind().contains("comment") && is_alone)
            .then(|| (row, self.text.get(node.byte_range()).unwrap_or_default()))
    }
}

/// The definition that a piece of nothing but a comment documents: the outermost that starts after it.
pub(super) fn documented(piece: &Piece, symbols: &[Symbol]) -> Option<u32> {
    if !piece.kind.contains("comment") {
        return None;
    }
    let starts = piece.past..=piece.past + MAX_GAP;
    let place = symbols
        .iter()
        .position(|symbol| starts.contains(&symbol.span.start_line))?;
    u32::try_from(place).ok()
}
