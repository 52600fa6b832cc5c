//! Colours of HTML, CSS and SQL: tags and attributes, selectors and properties, keywords; strings, numbers and comments.

use crate::highlight_class::{Highlight, HighlightClass};
use crate::text::is_word;

/// Keeps a piece if it is one.
fn push(out: &mut Vec<Highlight>, start: usize, end: usize, class: HighlightClass) {
    if start < end {
        out.push(Highlight {
            start: start as u32,
            end: end as u32,
            class,
        });
    }
}

/// Length of a word that may hold some signs.
fn word(rest: &str, signs: &[char]) -> usize {
    rest.find(|c: char| !(is_word(c) || signs.contains(&c)))
        .unwrap_or(rest.len())
}

/// Length up to and with `end`, which is looked for behind the first `skip` bytes.
fn until(rest: &str, skip: usize, end: &str) -> usize {
    let inner = rest.get(skip..).unwrap_or_default();
    inner
        .find(end)
        .map_or(rest.len(), |at| skip + at + end.len())
}

/// Length of a string that starts with its quote.
fn quoted(rest: &str) -> usize {
    let quote = rest.chars().next().unwrap_or('"');
    let mut chars = rest.char_indices().skip(1);
    while let Some((at, c)) = chars.next() {
        if c == '\\' {
            chars.next();
        } else if c == quote {
            return at + 1;
        }
    }
    rest.len()
}

pub(super) fn html(text: &str, out: &mut Vec<Highlight>) {
    let mut at = 0;
    while let Some(start) = text
        .get(at..)
        .and_then(|rest| rest.find('<'))
        .map(|found| at + found)
    {
        let rest = text.get(start..).unwrap_or_default();
        if rest.starts_with("<!--") {
            at = start + until(rest, 4, "-->");
            push(out, start, at, HighlightClass::Comment);
            continue;
        }
        let from = start + 1 + usize::from(rest.starts_with("</"));
        let name = text.get(from..).unwrap_or_default();
        let length = word(name, &['-', ':', '.']);
        if length == 0 {
            at = start + 1;
            continue;
        }
        push(out, from, from + length, HighlightClass::Tag);
        at = attributes(text, from + length, out);
        let name = name.get(..length).unwrap_or_default();
        if name.eq_ignore_ascii_case("style") && !rest.starts_with("</") {
            let inside = text.get(at..).unwrap_or_default();
            let end = inside.find("</").unwrap_or(inside.len());
            css(inside.get(..end).unwrap_or_default(), at, out);
            at += end;
        } else if name.eq_ignore_ascii_case("script") && !rest.starts_with("</") {
            at += until(text.get(at..).unwrap_or_default(), 0, "</").saturating_sub(2);
        }
    }
}

fn attributes(text: &str, from: usize, out: &mut Vec<Highlight>) -> usize {
    let mut at = from;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let first = rest.chars().next().unwrap_or(' ');
        let length = match first {
            '>' => return at + 1,
            '<' => return at,
            '"' | '\'' => {
                let length = until(rest, 1, if first == '"' { "\"" } else { "'" });
                push(out, at, at + length, HighlightClass::String);
                length
            }
            c if is_word(c) || matches!(c, '@' | ':' | '-') => {
                let length = word(rest, &['-', ':', '.', '@']);
                push(out, at, at + length, HighlightClass::Attribute);
                length
            }
            c => c.len_utf8(),
        };
        at += length.max(1);
    }
    at
}

/// `offset`: place of `text` in the whole file.
pub(super) fn css(text: &str, offset: usize, out: &mut Vec<Highlight>) {
    let (mut at, mut depth) = (0, 0_u32);
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let first = rest.chars().next().unwrap_or(' ');
        let (length, class) = match first {
            '/' if rest.starts_with("/*") => (until(rest, 2, "*/"), Some(HighlightClass::Comment)),
            '/' if rest.starts_with("//")
                && !text.get(..at).is_some_and(|before| before.ends_with(':')) =>
            {
                (
                    rest.find('\n').unwrap_or(rest.len()),
                    Some(HighlightClass::Comment),
                )
            }
            '"' | '\'' => (quoted(rest), Some(HighlightClass::String)),
            '@' => (
                1 + word(rest.get(1..).unwrap_or_default(), &['-']),
                Some(HighlightClass::Keyword),
            ),
            '$' => (
                1 + word(rest.get(1..).unwrap_or_default(), &['-']),
                Some(HighlightClass::Property),
            ),
            '.' | '#' if depth == 0 || is_selector(rest) => (
                1 + word(rest.get(1..).unwrap_or_default(), &['-']),
                Some(HighlightClass::Tag),
            ),
            c if c.is_ascii_digit() || (c == '#' && depth > 0) => (
                1 + word(rest.get(1..).unwrap_or_default(), &['.', '%']),
                Some(HighlightClass::Number),
            ),
            c if is_word(c) || c == '-' => {
                let length = word(rest, &['-']).max(1);
                let behind = rest.get(length..).unwrap_or_default().trim_start();
                let class = if behind.starts_with('(') {
                    Some(HighlightClass::Function)
                } else if depth > 0 && behind.starts_with(':') && !is_selector(rest) {
                    Some(HighlightClass::Property)
                } else if depth == 0 {
                    Some(HighlightClass::Tag)
                } else {
                    None
                };
                (length, class)
            }
            '{' => {
                depth += 1;
                (1, None)
            }
            '}' => {
                depth = depth.saturating_sub(1);
                (1, None)
            }
            c => (c.len_utf8(), None),
        };
        if let Some(class) = class {
            push(out, offset + at, offset + at + length, class);
        }
        at += length.max(1);
    }
}

/// Returns true if a block opens before the next declaration ends. Looks only a little ahead.
fn is_selector(rest: &str) -> bool {
    let head = crate::text::head(rest, 200);
    head.find(['{', ';', '}'])
        .is_some_and(|at| head.as_bytes().get(at) == Some(&b'{'))
}

#[rustfmt::skip]
const SQL_WORDS: &[&str] = &[
    "add", "all", "alter", "and", "as", "asc", "begin", "between", "by", "call", "cascade", "case", "check", "column", "commit",
    "constraint", "create", "cross", "database", "declare", "default", "delete", "desc", "distinct", "drop", "each", "else", "end",
    "exec", "execute", "exists", "false", "foreign", "for", "from", "full", "function", "grant", "group", "having", "if", "in",
    "index", "inner", "insert", "into", "is", "join", "key", "language", "left", "like", "limit", "materialized", "not", "null",
    "offset", "on", "or", "order", "outer", "primary", "procedure", "references", "replace", "return", "returning", "returns",
    "revoke", "right", "rollback", "row", "schema", "select", "sequence", "set", "table", "temporary", "then", "trigger", "true",
    "truncate", "type", "union", "unique", "update", "using", "values", "view", "when", "where", "while", "with",
];

pub(super) fn sql(text: &str, out: &mut Vec<Highlight>) {
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let first = rest.chars().next().unwrap_or(' ');
        let (length, class) = match first {
            '-' if rest.starts_with("--") => (
                rest.find('\n').unwrap_or(rest.len()),
                Some(HighlightClass::Comment),
            ),
            '/' if rest.starts_with("/*") => (until(rest, 2, "*/"), Some(HighlightClass::Comment)),
            '\'' => (until(rest, 1, "'"), Some(HighlightClass::String)),
            c if c.is_ascii_digit() => (word(rest, &['.']), Some(HighlightClass::Number)),
            c if is_word(c) => {
                let length = word(rest, &[]);
                let name = rest.get(..length).unwrap_or_default().to_ascii_lowercase();
                let is_called = rest
                    .get(length..)
                    .is_some_and(|behind| behind.starts_with('('));
                let class = match name.as_str() {
                    name if SQL_WORDS.contains(&name) => Some(HighlightClass::Keyword),
                    _ if is_called => Some(HighlightClass::Function),
                    _ => None,
                };
                (length, class)
            }
            c => (c.len_utf8(), None),
        };
        if let Some(class) = class {
            push(out, at, at + length, class);
        }
        at += length.max(1);
    }
}
