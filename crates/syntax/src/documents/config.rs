//! TOML, JSON and YAML: tables and top-level keys, found by a scan that knows strings, comments and brackets.
//!
//! No value is read and nothing is checked: a file with errors still has the keys that can be seen.

use super::{Section, offset_in};
use crate::text::Lines;

/// Tables, and the keys before the first one.
pub(crate) fn toml(text: &str, _lines: &Lines) -> Vec<Section> {
    let mut out: Vec<Section> = Vec::new();
    let mut scan = Scan {
        quote: None,
        depth: 0,
    };
    let mut in_table = false;
    for (number, line) in text.split_inclusive('\n').enumerate() {
        let inner = line.trim();
        if scan.is_plain() && inner.starts_with('[') {
            in_table = true;
            let name = inner
                .split('#')
                .next()
                .unwrap_or(inner)
                .trim_end()
                .trim_start_matches('[')
                .trim_end_matches(']')
                .trim();
            push(&mut out, text, number, name);
            continue;
        }
        let key = inner
            .split_once('=')
            .filter(|_| scan.is_plain() && !in_table && !inner.starts_with('#'));
        if let Some((key, _)) = key {
            push(&mut out, text, number, key.trim());
        }
        scan.line(line, '#', &["\"\"\"", "'''"]);
    }
    out
}

/// Keys of the outermost object.
pub(crate) fn json(text: &str, lines: &Lines) -> Vec<Section> {
    let mut out = Vec::new();
    let mut depth = 0_i32;
    let mut bytes = text.bytes().enumerate().peekable();
    let mut line = 0;
    while let Some((at, byte)) = bytes.next() {
        match byte {
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth -= 1,
            b'/' if bytes.peek().is_some_and(|(_, next)| *next == b'/') => {
                while bytes.next_if(|(_, next)| *next != b'\n').is_some() {}
            }
            b'/' if bytes.peek().is_some_and(|(_, next)| *next == b'*') => {
                let mut last = b' ';
                bytes.next();
                for (_, inner) in bytes.by_ref() {
                    if last == b'*' && inner == b'/' {
                        break;
                    }
                    last = inner;
                }
            }
            b'"' => {
                let mut end = at + 1;
                while let Some((here, inner)) = bytes.next() {
                    end = here;
                    match inner {
                        b'\\' => drop(bytes.next()),
                        b'"' => break,
                        _ => {}
                    }
                }
                let is_key = depth == 1
                    && text
                        .get(end + 1..)
                        .is_some_and(|rest| rest.trim_start().starts_with(':'));
                if let Some(name) = text.get(at + 1..end).filter(|_| is_key) {
                    while lines.start(line + 1) <= at as u32 && line + 1 < lines.count() {
                        line += 1;
                    }
                    push(&mut out, text, line as usize, name);
                }
            }
            _ => {}
        }
    }
    out
}

/// Keys that are not indented, in every document of the file.
pub(crate) fn yaml(text: &str, _lines: &Lines) -> Vec<Section> {
    let mut out = Vec::new();
    for (number, line) in text.split_inclusive('\n').enumerate() {
        let is_key = line.starts_with(|c: char| {
            c.is_alphanumeric() || matches!(c, '"' | '\'' | '_' | '.' | '/' | '<')
        });
        let line = line.trim_end();
        let key = line
            .split_once(": ")
            .map(|(key, _)| key)
            .or_else(|| line.strip_suffix(':'));
        if let Some(key) = key.filter(|key| is_key && !key.contains(" #")) {
            push(&mut out, text, number, key.trim());
        }
    }
    out
}

fn push(out: &mut Vec<Section>, text: &str, line: usize, name: &str) {
    let name_start = offset_in(text, name);
    let quoted = |quote: char| {
        name.strip_prefix(quote)
            .and_then(|rest| rest.strip_suffix(quote))
    };
    let plain = quoted('"').or_else(|| quoted('\'')).unwrap_or(name);
    if !plain.is_empty() {
        out.push(Section {
            depth: 0,
            line: line as u32,
            name_start,
            name_end: name_start + name.len() as u32,
            name: plain.to_owned(),
        });
    }
}

/// Tracks whether a line begins inside a string or bracket that an earlier one opened.
struct Scan {
    quote: Option<&'static str>,
    depth: i32,
}

impl Scan {
    fn is_plain(&self) -> bool {
        self.quote.is_none() && self.depth <= 0
    }

    fn line(&mut self, line: &str, comment: char, long_quotes: &[&'static str]) {
        let mut rest = line;
        while !rest.is_empty() {
            if let Some(quote) = self.quote {
                let Some(end) = rest.find(quote) else { return };
                rest = rest.get(end + quote.len()..).unwrap_or_default();
                self.quote = None;
                continue;
            }
            if let Some(quote) = long_quotes.iter().find(|quote| rest.starts_with(**quote)) {
                self.quote = Some(quote);
                rest = rest.get(quote.len()..).unwrap_or_default();
                continue;
            }
            let Some(c) = rest.chars().next() else { return };
            rest = rest.get(c.len_utf8()..).unwrap_or_default();
            match c {
                '[' | '{' => self.depth += 1,
                ']' | '}' => self.depth -= 1,
                '"' | '\'' => rest = after_string(rest, c),
                c if c == comment => return,
                _ => {}
            }
        }
    }
}

/// Returns the text after a one-line string.
fn after_string(rest: &str, quote: char) -> &str {
    let mut chars = rest.char_indices();
    while let Some((at, c)) = chars.next() {
        if c == '\\' && quote == '"' {
            chars.next();
        } else if c == quote {
            return rest.get(at + 1..).unwrap_or_default();
        }
    }
    ""
}
