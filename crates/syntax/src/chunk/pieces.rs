//! Cutting: from a tree or from lines to pieces no larger than a chunk may be.

use tree_sitter::{Node, TreeCursor};

use super::ChunkConfig;
use crate::text::Lines;

/// A run of whole lines `[first, past)`.
pub(crate) struct Piece {
    pub(crate) first: u32,
    pub(crate) past: u32,
    pub(crate) kind: String,
    /// Nothing before it may be merged with it: it is the first of a node that was split.
    pub(crate) opens: bool,
    /// Nothing after it may be merged with it.
    pub(crate) closes: bool,
}

impl Piece {
    /// Takes in a neighbour of the same node.
    pub(crate) fn extend(&mut self, next: &Piece) {
        if self.kind != next.kind && self.kind != "comment" {
            self.kind = "module".to_owned();
        } else if self.kind == "comment" {
            self.kind.clone_from(&next.kind);
        }
        self.past = next.past;
        self.closes = next.closes;
    }

    /// Takes in a leftover or is one: the larger part names it.
    pub(crate) fn absorb(&mut self, next: &Piece, lines: &Lines) {
        if lines.ink(next.first, next.past) > lines.ink(self.first, self.past) {
            self.kind.clone_from(&next.kind);
        }
        self.past = next.past;
        self.closes = next.closes;
    }
}

/// Pieces of a tree, in order, covering every line once. Nodes larger than `config.max` are entered; what has no
/// children to cut at is cut between lines.
pub(crate) fn of_tree(root: Node, lines: &Lines, text: &str, config: &ChunkConfig) -> Vec<Piece> {
    let mut cutter = Cutter {
        lines,
        text,
        config,
        out: Vec::new(),
        line: 0,
        entered: None,
    };
    let mut cursor = root.walk();
    if cursor.goto_first_child() {
        cutter.siblings(&mut cursor);
    }
    cutter.rest(lines.count(), "module");
    cutter.out
}

struct Cutter<'a> {
    lines: &'a Lines,
    text: &'a str,
    config: &'a ChunkConfig,
    out: Vec<Piece>,
    /// The first line not yet in a piece.
    line: u32,
    /// The node that was entered and whose first lines are not yet in a piece, and its line: they are named by it.
    entered: Option<(String, u32)>,
}

impl Cutter<'_> {
    /// Walks the siblings at the cursor and, below nodes that are too large, theirs; by the cursor, not by recursion.
    fn siblings(&mut self, cursor: &mut TreeCursor) {
        let mut depth = 0_u32;
        loop {
            let node = cursor.node();
            let past = past_line(node).min(self.lines.count());
            if past > self.line {
                let is_large =
                    self.lines.ink(node.start_position().row as u32, past) > self.config.max;
                let is_lines = past - node.start_position().row as u32 > 1;
                if is_large && is_lines && !is_text(node) && cursor.goto_first_child() {
                    depth += 1;
                    let row = node.start_position().row as u32;
                    self.entered
                        .get_or_insert_with(|| (node.kind().to_owned(), row));
                    continue;
                }
                self.take(cursor, past);
            }
            while !cursor.goto_next_sibling() {
                if depth == 0 || !cursor.goto_parent() {
                    return;
                }
                depth -= 1;
                // The end of a split node: what is left of its lines belongs to it.
                let past = past_line(cursor.node()).min(self.lines.count());
                if past > self.line {
                    self.push(past, cursor.node().kind());
                }
                if let Some(last) = self.out.last_mut() {
                    last.closes = true;
                }
            }
        }
    }

    /// Makes a piece of a node; a comment or attribute waits for what follows it without a blank line.
    fn take(&mut self, cursor: &TreeCursor, past: u32) {
        let kind = cursor.node().kind();
        let leads = kind.contains("comment") || matches!(kind, "attribute_item" | "decorator");
        if leads && self.lines.ink(self.line, past) <= self.config.target {
            let mut ahead = cursor.clone();
            if ahead.goto_next_sibling() && ahead.node().start_position().row as u32 <= past {
                return;
            }
        }
        self.push(past, kind);
    }

    fn push(&mut self, past: u32, kind: &str) {
        let first = self.line;
        let opens = self.entered.is_some();
        let entered = self.entered.take().filter(|(_, row)| *row >= first);
        let kind = entered.as_ref().map_or(kind, |(entered, _)| entered);
        if self.lines.ink(first, past) > self.config.max {
            let from = self.out.len();
            of_lines(
                first,
                past,
                self.lines,
                self.text,
                self.config,
                kind,
                &mut self.out,
            );
            if let Some(piece) = self.out.get_mut(from) {
                piece.opens = true;
            }
            if let Some(piece) = self.out.last_mut() {
                piece.closes = true;
            }
        } else {
            self.out.push(Piece {
                first,
                past,
                kind: kind.to_owned(),
                opens,
                closes: false,
            });
        }
        self.line = past;
    }

    fn rest(&mut self, past: u32, kind: &str) {
        if past > self.line {
            self.push(past, kind);
        }
    }
}

/// Moves borders that fall into a token — a string or comment of several lines — to its first or past its last line,
/// where both neighbours stay within `config.max`. Only a token that is too large for one chunk is cut.
pub(crate) fn keep_tokens(pieces: &mut [Piece], root: Node, lines: &Lines, config: &ChunkConfig) {
    for at in 1..pieces.len() {
        let (Some(before), Some(behind)) = (pieces.get(at - 1), pieces.get(at)) else {
            return;
        };
        let (first, border, past) = (before.first, behind.first, behind.past);
        let Some((from, to)) = token_across(root, lines, border) else {
            continue;
        };
        if lines.ink(from, to) > config.max {
            continue;
        }
        let fits = |cut: &u32| {
            *cut > first
                && *cut < past
                && lines.ink(first, *cut) <= config.max
                && lines.ink(*cut, past) <= config.max
        };
        if let Some(cut) = [from, to].into_iter().find(fits) {
            if let Some(before) = pieces.get_mut(at - 1) {
                before.past = cut;
            }
            if let Some(behind) = pieces.get_mut(at) {
                behind.first = cut;
            }
        }
    }
}

/// The first line and the line past the last one of the token that the start of line `border` falls into.
pub(super) fn token_across(root: Node, lines: &Lines, border: u32) -> Option<(u32, u32)> {
    let start = lines.start(border) as usize;
    let token = root.descendant_for_byte_range(start.checked_sub(1)?, start)?;
    let is_across = token.start_byte() < start && token.end_byte() > start;
    (is_across && token.child_count() == 0)
        .then(|| (token.start_position().row as u32, past_line(token)))
}

/// Returns true for a node of text, without borders to cut at.
fn is_text(node: Node) -> bool {
    let kind = node.kind();
    kind.contains("string") || kind.contains("comment") || kind.contains("text")
}

/// One past the last line a node has characters on.
pub(super) fn past_line(node: Node) -> u32 {
    let (start, end) = (node.start_position(), node.end_position());
    if end.column == 0 && end.row > start.row {
        end.row as u32
    } else {
        end.row as u32 + 1
    }
}

/// Pieces of the lines `[first, past)`: blocks up to the target, cut at blank lines where there are any.
pub(crate) fn of_lines(
    first: u32,
    past: u32,
    lines: &Lines,
    text: &str,
    config: &ChunkConfig,
    kind: &str,
    out: &mut Vec<Piece>,
) {
    let is_blank = |line: u32| {
        text.get(lines.start(line) as usize..lines.start(line + 1) as usize)
            .is_none_or(|line| line.trim().is_empty())
    };
    let mut start = first;
    // The last line before which the block may be cut at a blank line.
    let mut gap = None;
    let mut line = first;
    while line < past {
        if line > start && lines.ink(start, line + 1) > config.target {
            let at = gap
                .filter(|&at| lines.ink(start, at) >= config.min)
                .unwrap_or(line);
            out.push(Piece {
                first: start,
                past: at,
                kind: kind.to_owned(),
                opens: false,
                closes: false,
            });
            start = at;
            gap = None;
            // The rest before the line may still be too large together with it.
            continue;
        }
        if line > start && is_blank(line - 1) && !is_blank(line) {
            gap = Some(line);
        }
        line += 1;
    }
    if start < past {
        out.push(Piece {
            first: start,
            past,
            kind: kind.to_owned(),
            opens: false,
            closes: false,
        });
    }
}
