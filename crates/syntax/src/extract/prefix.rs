//! Reads the parts before a definition: doc comments, decorators and attributes.

use crate::order::InOrder;
use tree_sitter::Node;

use crate::node::text_of;
use crate::rules::cut_doc;
use crate::text::is_doc_comment;

/// A comment or decorator.
struct Item {
    start: usize,
    end: usize,
    is_comment: bool,
}

/// Comments and decorators of a file in order.
pub(crate) struct Prefixes<'a> {
    items: Vec<Item>,
    source: &'a str,
    is_doc: fn(&str) -> bool,
}

/// The parts that belong to one definition.
pub(crate) struct Prefix {
    /// Start of the definition with its decorators.
    pub(crate) start: usize,
    /// Its start after the decorators.
    pub(crate) scope_start: usize,
    pub(crate) doc: String,
    pub(crate) decorators: Vec<String>,
}

impl<'a> Prefixes<'a> {
    pub(crate) fn new(
        comments: &[Node],
        decorators: &[Node],
        source: &'a str,
        is_doc: fn(&str) -> bool,
    ) -> Prefixes<'a> {
        let item = |node: &Node, is_comment| {
            // Some grammars count the line break to the comment.
            let end = node.start_byte() + text_of(*node, source).trim_end().len();
            Item {
                start: node.start_byte(),
                end,
                is_comment,
            }
        };
        let mut items: Vec<Item> = comments
            .iter()
            .map(|node| item(node, true))
            .chain(decorators.iter().map(|node| item(node, false)))
            .collect();
        items.order_by_key(|item| item.start);
        Prefixes {
            items,
            source,
            is_doc,
        }
    }

    /// Reads backwards from `start` over adjacent comments and decorators, then forwards over decorators before `name`.
    pub(crate) fn of(&self, start: usize, name: usize) -> Prefix {
        let mut first = start;
        let mut doc_lines: Vec<&str> = Vec::new();
        let mut decorators = Vec::new();
        let before = self.items.partition_point(|item| item.start < start);
        let mut at = start;
        for item in self.items.iter().take(before).rev().take(400) {
            let gap = self.source.get(item.end..at).unwrap_or("x");
            let text = self.source.get(item.start..item.end).unwrap_or_default();
            let is_apart = item.is_comment && doc_lines.is_empty() && is_doc_comment(text);
            let max_breaks = if is_apart { 2 } else { 1 };
            if !gap.chars().all(char::is_whitespace) || gap.matches('\n').count() > max_breaks {
                break;
            }
            if !item.is_comment {
                decorators.push(clean_decorator(text));
                first = item.start;
            } else if !self.starts_line(item.start) {
                break;
            } else if (self.is_doc)(text) {
                doc_lines.push(text);
            }
            at = item.start;
        }
        doc_lines.reverse();
        decorators.reverse();
        let mut scope_start = start;
        for item in self
            .items
            .iter()
            .skip(before)
            .take_while(|item| item.start < name)
        {
            if !item.is_comment && item.start >= scope_start {
                decorators.push(clean_decorator(
                    self.source.get(item.start..item.end).unwrap_or_default(),
                ));
                let rest = self.source.get(item.end..name).unwrap_or_default();
                scope_start = item.end + (rest.len() - rest.trim_start().len());
            }
        }
        Prefix {
            start: first,
            scope_start,
            doc: clean_doc(&doc_lines),
            decorators,
        }
    }

    fn starts_line(&self, at: usize) -> bool {
        let before = self.source.get(..at).unwrap_or_default();
        let line = before.rsplit('\n').next().unwrap_or_default();
        line.len() < 1000 && line.trim().is_empty()
    }
}

fn clean_decorator(text: &str) -> String {
    let inner = text.trim().trim_start_matches(['@', '#', '!']);
    let inner = inner
        .strip_prefix('[')
        .and_then(|inner| inner.strip_suffix(']'))
        .unwrap_or(inner);
    crate::text::folded(inner, 200)
}

/// Comments without their markers, line by line; common indentation removed.
fn clean_doc(comments: &[&str]) -> String {
    let mut lines: Vec<&str> = Vec::new();
    for comment in comments {
        let inner = unbracketed(comment.trim());
        let is_block = inner.starts_with("/*");
        let inner = inner.strip_prefix("/*").map_or(inner, |rest| {
            rest.trim_end_matches('/').trim_end_matches('*')
        });
        for line in inner.lines() {
            let line = line.trim_start();
            let line = if is_block {
                line.trim_start_matches(['*', '!'])
            } else {
                line.trim_start_matches(['/', '#', '!', '-', '*'])
            };
            lines.push(line.strip_prefix(' ').unwrap_or(line).trim_end());
        }
    }
    cut_doc(&lines.join("\n"))
}

/// The inside of the block comments that are not written as in C: `--[[ Lua ]]`, `{- Haskell -}`.
fn unbracketed(comment: &str) -> &str {
    let inside = |open: &str, close: &str| comment.strip_prefix(open)?.strip_suffix(close);
    inside("--[[", "]]")
        .or_else(|| inside("{-|", "-}"))
        .or_else(|| inside("{-", "-}"))
        .map_or(comment, str::trim)
}
