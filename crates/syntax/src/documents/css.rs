//! CSS, SCSS and Less: rules by their selectors, at-rules, variables, mixins. A scan that knows strings, comments and
//! braces; what it does not know is a rule like others.

use super::outline::{Item, MAX_NAME, Outline, span};
use crate::facts::{Import, ImportFlags, Parameter, ReferenceForm, SymbolKind};
use crate::text::{Lines, folded, is_word};

/// Reads `text[from..to]`.
pub(super) fn read(text: &str, from: usize, to: usize, lines: &Lines, out: &mut Outline) {
    let mut scan = Scan {
        text,
        lines,
        out,
        open: Vec::new(),
        from,
    };
    scan.run(from, to);
    let rest: Vec<usize> = scan.open.drain(..).flatten().collect();
    for item in rest {
        if let Some(item) = out.items.get_mut(item) {
            item.end = to.max(item.end);
        }
    }
}

struct Scan<'a, 'o> {
    text: &'a str,
    lines: &'a Lines,
    out: &'o mut Outline,
    /// Blocks that are open, with the items that they are.
    open: Vec<Option<usize>>,
    /// Start of the current prelude or declaration.
    from: usize,
}

impl Scan<'_, '_> {
    fn run(&mut self, from: usize, to: usize) {
        let bytes = self.text.as_bytes();
        let (mut at, mut in_parens) = (from, 0_u32);
        while let Some(&byte) = bytes.get(at).filter(|_| at < to) {
            let rest = self.text.as_bytes().get(at..to).unwrap_or_default();
            match byte {
                b'/' if rest.starts_with(b"/*") => {
                    at = self.after_comment(at, to, b"*/");
                    continue;
                }
                b'/' if rest.starts_with(b"//") && in_parens == 0 => {
                    at = self.after_comment(at, to, b"\n");
                    continue;
                }
                b'"' | b'\'' => {
                    at = after_string(bytes, at, to);
                    continue;
                }
                b'#' if rest.starts_with(b"#{") => {
                    at += rest
                        .iter()
                        .position(|&b| b == b'}')
                        .unwrap_or(rest.len())
                        .max(1);
                }
                b'(' => in_parens += 1,
                b')' => in_parens = in_parens.saturating_sub(1),
                b'{' => {
                    in_parens = 0;
                    self.open_block(at);
                }
                b'}' => {
                    in_parens = 0;
                    self.declaration(at);
                    self.close_block(at + 1);
                }
                b';' if in_parens == 0 => self.declaration(at),
                _ => {}
            }
            at += 1;
        }
        self.declaration(to);
    }

    /// Comments before a prelude are no part of it.
    fn after_comment(&mut self, at: usize, to: usize, end: &[u8]) -> usize {
        let rest = self.text.as_bytes().get(at + 2..to).unwrap_or_default();
        let length = rest
            .windows(end.len())
            .position(|window| window == end)
            .map_or(rest.len(), |found| found + end.len());
        let past = at + 2 + length;
        let is_before = self
            .text
            .get(self.from..at)
            .is_none_or(|head| head.trim().is_empty());
        if is_before {
            self.from = past;
        }
        past
    }

    /// The text since the last border without white space, and where it starts.
    fn prelude(&mut self, end: usize) -> (usize, &str) {
        let written = self.text.get(self.from..end).unwrap_or_default();
        let start = self.from + (written.len() - written.trim_start().len());
        (start, written.trim())
    }

    fn open_block(&mut self, brace: usize) {
        let (start, prelude) = self.prelude(brace);
        let prelude = prelude.to_owned();
        let end = start + prelude.len();
        let item = classify(&prelude, start);
        self.names_used(start, end);
        let is_step = prelude == "from" || prelude == "to" || prelude.ends_with('%');
        let index = match item {
            Some(mut item) if !prelude.is_empty() && !is_step => {
                item.head_end = end;
                self.out.items.push(item);
                Some(self.out.items.len() - 1)
            }
            _ => None,
        };
        self.open.push(index);
        self.from = brace + 1;
    }

    fn close_block(&mut self, end: usize) {
        if let Some(item) = self
            .open
            .pop()
            .flatten()
            .and_then(|item| self.out.items.get_mut(item))
        {
            item.end = end;
        }
        self.from = end;
    }

    fn declaration(&mut self, end: usize) {
        let (start, written) = self.prelude(end);
        let written = written.to_owned();
        self.from = end + 1;
        if written.is_empty() {
            return;
        }
        let past = start + written.len();
        self.names_used(start, past);
        let word = written
            .split([' ', '"', '\'', '('])
            .next()
            .unwrap_or_default();
        if matches!(
            word,
            "@import" | "@use" | "@forward" | "@require" | "@config" | "@reference"
        ) {
            return self.import(&written, start, past);
        }
        let Some((name, _)) = written.split_once(':') else {
            return;
        };
        let name = name.trim_end();
        let is_variable = name.starts_with("--") || name.starts_with(['$', '@']);
        if is_variable && name.len() > 1 && !name.contains([' ', '(', '{']) {
            let name_at = (start, start + name.len());
            let mut item = Item::new(SymbolKind::Variable, name.to_owned(), name_at, start);
            (item.end, item.head_end) = (past, past);
            self.out.items.push(item);
        }
    }

    fn import(&mut self, written: &str, start: usize, end: usize) {
        let path = written
            .split_once(['"', '\''])
            .and_then(|(_, rest)| rest.split(['"', '\'']).next());
        let bare = || {
            Some(
                written
                    .split_once("url(")?
                    .1
                    .split(')')
                    .next()
                    .unwrap_or_default(),
            )
        };
        if let Some(path) = path.or_else(bare).filter(|path| !path.is_empty()) {
            self.out.imports.push(Import {
                module: path.to_owned(),
                name: String::new(),
                local: String::new(),
                flags: ImportFlags::GLOB.bits(),
                span: span(self.lines, start, end),
                enclosing: None,
            });
        }
    }

    /// `var(--x)`, `$x`, `@include mixin`.
    fn names_used(&mut self, start: usize, end: usize) {
        let written = self.text.get(start..end).unwrap_or_default();
        let is_definition = written.starts_with("--") || written.starts_with('$');
        let value = if is_definition {
            written.find(':').unwrap_or(written.len())
        } else {
            0
        };
        for (mark, skip, form) in [
            ("var(", 4, ReferenceForm::Value),
            ("$", 0, ReferenceForm::Value),
            ("@include ", 9, ReferenceForm::Call),
        ] {
            for (at, _) in written
                .match_indices(mark)
                .filter(|(at, _)| *at >= value)
                .take(1000)
            {
                let name = written.get(at + skip..).unwrap_or_default();
                let length = name
                    .char_indices()
                    .find(|&(at, c)| !(is_word(c) || c == '-' || (c == '$' && at == 0)))
                    .map_or(name.len(), |(at, _)| at);
                if length > usize::from(skip == 0) {
                    let from = start + at + skip;
                    self.out.uses.push((form, from, from + length));
                }
            }
        }
    }
}

/// Classifies a prelude: a mixin or function, an at-rule, else a rule.
fn classify(prelude: &str, start: usize) -> Option<Item> {
    for (word, kind) in [
        ("@mixin ", SymbolKind::Function),
        ("@function ", SymbolKind::Function),
    ] {
        if let Some(rest) = prelude.strip_prefix(word) {
            let name = rest.split(['(', ' ']).next().unwrap_or_default();
            let from = start + word.len();
            let mut item = Item::new(kind, name.to_owned(), (from, from + name.len()), start);
            item.parameters = parameters(rest);
            return (!name.is_empty()).then_some(item);
        }
    }
    if prelude.starts_with("@include") || prelude.starts_with("@else") || prelude.starts_with("@if")
    {
        return None;
    }
    let name = folded(prelude, MAX_NAME);
    let name_at = (start, start + prelude.len());
    Some(Item::new(SymbolKind::Section, name, name_at, start))
}

fn parameters(rest: &str) -> Vec<Parameter> {
    let list = rest
        .split_once('(')
        .and_then(|(_, list)| list.rsplit_once(')'));
    let names = list.into_iter().flat_map(|(list, _)| list.split(','));
    names
        .map(|one| one.split(':').next().unwrap_or(one).trim())
        .filter(|name| name.starts_with(['$', '@']))
        .map(|name| Parameter {
            name: name.to_owned(),
            type_text: String::new(),
            ty: None,
        })
        .collect()
}

fn after_string(bytes: &[u8], start: usize, to: usize) -> usize {
    let quote = bytes.get(start).copied();
    let mut at = start + 1;
    while at < to {
        match bytes.get(at).copied() {
            Some(b'\\') => at += 1,
            Some(b'\n') => return at,
            byte if byte == quote => return at + 1,
            _ => {}
        }
        at += 1;
    }
    to
}
