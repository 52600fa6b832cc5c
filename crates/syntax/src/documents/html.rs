//! HTML and what looks like it (Vue, Svelte, templates): headings, elements with an id, scripts and style sheets.
//!
//! A scan for tags that closes them as far as they are closed; attributes are read, text is not.

use super::css;
use super::outline::{Item, MAX_NAME, Outline, Script, span};
use crate::facts::{Import, ImportFlags, ReferenceForm, SymbolKind};
use crate::text::{Lines, folded, is_word};

const VOID: &[&str] = &[
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source",
    "track", "wbr",
];

/// Elements that are open at once; deeper ones are not closed by name.
const MAX_OPEN: usize = 1_000;

struct Tag<'a> {
    name: &'a str,
    /// Attribute names with their values and where these start.
    attributes: Vec<(&'a str, &'a str, usize)>,
    /// One past the `>`.
    end: usize,
    is_closed: bool,
}

impl<'a> Tag<'a> {
    fn attribute(&self, name: &str) -> Option<(&'a str, usize)> {
        let found = self
            .attributes
            .iter()
            .find(|(own, _, _)| own.eq_ignore_ascii_case(name));
        found.map(|&(_, value, at)| (value, at))
    }
}

/// Reads a whole text.
pub(super) fn read(text: &str, lines: &Lines) -> Outline {
    let mut out = Outline::default();
    let mut open: Vec<(&str, Option<usize>)> = Vec::new();
    let mut at = 0;
    while let Some(start) = text
        .get(at..)
        .and_then(|rest| rest.find('<'))
        .map(|found| at + found)
    {
        let rest = text.get(start..).unwrap_or_default();
        if let Some(past) = aside(rest) {
            at = start + past;
        } else if let Some(name) = rest.strip_prefix("</").map(tag_name) {
            let end = start + rest.find('>').map_or(rest.len(), |at| at + 1);
            close(&mut open, name, start, end, &mut out);
            at = end;
        } else if let Some(tag) = tag(text, start) {
            at = element(text, start, &tag, lines, &mut open, &mut out);
        } else {
            at = start + 1;
        }
    }
    close_all(&mut open, 0, text.len(), &mut out);
    out
}

/// Length of a comment, declaration or a template's own part.
fn aside(rest: &str) -> Option<usize> {
    let pairs = [("<!--", "-->"), ("<?", "?>"), ("<%", "%>"), ("<!", ">")];
    let (open, close) = pairs.iter().find(|(open, _)| rest.starts_with(open))?;
    let inner = rest.get(open.len()..).unwrap_or_default();
    Some(
        inner
            .find(close)
            .map_or(rest.len(), |at| at + open.len() + close.len()),
    )
}

fn tag_name(rest: &str) -> &str {
    let end = rest
        .find(|c: char| !(is_word(c) || matches!(c, '-' | ':' | '.')))
        .unwrap_or(rest.len());
    rest.get(..end).unwrap_or_default()
}

/// The tag that starts at `<`, if one does.
fn tag(text: &str, start: usize) -> Option<Tag<'_>> {
    let name = tag_name(text.get(start + 1..)?);
    if !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return None;
    }
    let mut tag = Tag {
        name,
        attributes: Vec::new(),
        end: text.len(),
        is_closed: false,
    };
    let mut at = start + 1 + name.len();
    loop {
        let rest = text.get(at..).unwrap_or_default();
        let inner = rest.trim_start();
        at += rest.len() - inner.len();
        let Some(first) = inner.chars().next() else {
            return Some(tag);
        };
        match first {
            '>' => {
                tag.end = at + 1;
                return Some(tag);
            }
            '/' => {
                tag.is_closed = inner.starts_with("/>");
                at += 1;
            }
            '<' => {
                tag.end = at;
                return Some(tag);
            }
            _ => at = attribute(text, at, &mut tag),
        }
    }
}

/// Reads one attribute; gives where it ends, which is always further.
fn attribute<'a>(text: &'a str, start: usize, tag: &mut Tag<'a>) -> usize {
    let rest = text.get(start..).unwrap_or_default();
    let length = rest
        .char_indices()
        .skip(1)
        .find(|&(_, c)| c.is_whitespace() || matches!(c, '=' | '>' | '/' | '<'))
        .map_or(rest.len(), |(at, _)| at);
    let name = rest.get(..length).unwrap_or_default();
    let behind = rest.get(length..).unwrap_or_default();
    let Some(value) = behind.trim_start().strip_prefix('=').map(str::trim_start) else {
        tag.attributes.push((name, "", start + length));
        return start + length;
    };
    let at = start + rest.len() - value.len();
    let (from, len, past) = match value.chars().next() {
        Some(quote @ ('"' | '\'')) => {
            let inner = value.get(1..).unwrap_or_default();
            let len = inner.find(quote).unwrap_or(inner.len());
            (at + 1, len, (at + 1 + len + 1).min(text.len()))
        }
        Some('{') => {
            let len = braces(value);
            (at, len, at + len)
        }
        _ => {
            let len = value
                .find(|c: char| c.is_whitespace() || c == '>')
                .unwrap_or(value.len());
            (at, len, at + len)
        }
    };
    let written = text.get(from..from + len).unwrap_or_default();
    tag.attributes.push((name, written, from));
    past.max(start + 1)
}

/// Length of `{…}` with the braces inside.
fn braces(value: &str) -> usize {
    let mut depth = 0_u32;
    for (at, byte) in value.bytes().enumerate() {
        match byte {
            b'{' => depth += 1,
            b'}' if depth <= 1 => return at + 1,
            b'}' => depth -= 1,
            _ => {}
        }
    }
    value.len()
}

/// Reads an element; returns where reading continues.
fn element<'a>(
    text: &'a str,
    start: usize,
    tag: &Tag<'a>,
    lines: &Lines,
    open: &mut Vec<(&'a str, Option<usize>)>,
    out: &mut Outline,
) -> usize {
    let name = tag.name.to_ascii_lowercase();
    if tag.name.starts_with(char::is_uppercase) {
        out.uses
            .push((ReferenceForm::Jsx, start + 1, start + 1 + tag.name.len()));
    }
    let loaded = match name.as_str() {
        "script" => tag.attribute("src"),
        "link"
            if tag
                .attribute("rel")
                .is_some_and(|(rel, _)| rel.contains("stylesheet")) =>
        {
            tag.attribute("href")
        }
        _ => None,
    };
    if let Some((path, _)) = loaded {
        import(path, span(lines, start, tag.end), out);
    }
    let index = item(text, start, tag, &name).map(|item| {
        out.items.push(item);
        out.items.len() - 1
    });
    if tag.is_closed || VOID.contains(&name.as_str()) {
        return tag.end;
    }
    if matches!(name.as_str(), "script" | "style" | "textarea" | "title") {
        let inside = text.get(tag.end..).unwrap_or_default();
        let end = tag.end + find_close(inside, &name);
        raw(text, tag, &name, end, lines, out);
        if let Some(item) = index.and_then(|at| out.items.get_mut(at)) {
            item.end = end;
        }
        out.cuts.push(start);
        return end;
    }
    if open.len() < MAX_OPEN {
        open.push((tag.name, index));
    }
    tag.end
}

/// Finds `</name`, ignoring case.
fn find_close(inside: &str, name: &str) -> usize {
    let is_close = |(at, _): &(usize, &str)| {
        inside
            .get(at + 2..at + 2 + name.len())
            .is_some_and(|found| found.eq_ignore_ascii_case(name))
    };
    inside
        .match_indices("</")
        .find(is_close)
        .map_or(inside.len(), |(at, _)| at)
}

/// Scripts are read by the parser of their language, style sheets here.
fn raw(text: &str, tag: &Tag, name: &str, end: usize, lines: &Lines, out: &mut Outline) {
    let kind = tag.attribute("type").map_or("", |(kind, _)| kind);
    let lang = tag.attribute("lang").map_or("", |(lang, _)| lang);
    match name {
        "script" => {
            let is_script = kind.is_empty()
                || kind == "module"
                || ["javascript", "ecmascript", "babel", "typescript", "jsx"]
                    .iter()
                    .any(|word| kind.contains(word));
            let has_text = text
                .get(tag.end..end)
                .is_some_and(|inside| !inside.trim().is_empty());
            if is_script && has_text {
                out.scripts.push(Script {
                    start: tag.end,
                    end,
                    is_typed: matches!(lang, "ts" | "tsx" | "typescript")
                        || kind.contains("typescript"),
                });
            }
        }
        "style" if lang != "sass" && lang != "stylus" => css::read(text, tag.end, end, lines, out),
        _ => {}
    }
}

/// A heading by its text, an element by its id.
fn item(text: &str, start: usize, tag: &Tag, name: &str) -> Option<Item> {
    let is_heading = matches!(name.as_bytes(), [b'h', b'1'..=b'6']);
    if is_heading {
        let inside = text.get(tag.end..).unwrap_or_default();
        let inside = inside
            .get(..find_close(inside, name).min(inside.len()))
            .unwrap_or_default();
        let name = folded(&plain(inside), MAX_NAME);
        if !name.is_empty() && inside.len() < 4_000 {
            let lead = inside.len() - inside.trim_start().len();
            let from = tag.end + lead;
            let name_at = (from, from + inside.trim().len());
            let mut item = Item::new(SymbolKind::Section, name, name_at, start);
            item.head_end = name_at.1;
            return Some(item);
        }
    }
    let (id, at) = tag.attribute("id")?;
    if id.is_empty() || id.contains(['{', '<', '$']) {
        return None;
    }
    let mut item = Item::new(
        SymbolKind::Section,
        format!("#{}", folded(id, MAX_NAME)),
        (at, at + id.len()),
        start,
    );
    (item.end, item.head_end) = (tag.end, tag.end);
    Some(item)
}

/// Text without tags.
fn plain(inside: &str) -> String {
    let mut out = String::new();
    let mut in_tag = false;
    for c in inside.chars().take(4_000) {
        match c {
            '<' => in_tag = true,
            '>' if in_tag => in_tag = false,
            c if !in_tag => out.push(c),
            _ => {}
        }
    }
    out.trim().to_owned()
}

fn close(
    open: &mut Vec<(&str, Option<usize>)>,
    name: &str,
    start: usize,
    end: usize,
    out: &mut Outline,
) {
    let found = open
        .iter()
        .rposition(|(own, _)| own.eq_ignore_ascii_case(name));
    let Some(found) = found else {
        return;
    };
    close_all(open, found + 1, start, out);
    if let Some(item) = open
        .pop()
        .and_then(|(_, item)| item)
        .and_then(|item| out.items.get_mut(item))
    {
        item.end = end;
    }
}

/// Closes the elements that their parent's end tag closes.
fn close_all(open: &mut Vec<(&str, Option<usize>)>, keep: usize, end: usize, out: &mut Outline) {
    for (_, item) in open.drain(keep.min(open.len())..) {
        if let Some(item) = item.and_then(|item| out.items.get_mut(item)) {
            item.end = end.max(item.end);
        }
    }
}

/// A file that is loaded; those of other hosts are none of ours.
fn import(path: &str, span: crate::facts::Span, out: &mut Outline) {
    let is_elsewhere = path.contains("://") || path.starts_with("//") || path.contains(['{', '<']);
    if path.is_empty() || is_elsewhere {
        return;
    }
    let path = path.split(['?', '#']).next().unwrap_or(path);
    let module = if path.starts_with(['.', '/', '@', '~']) {
        path.to_owned()
    } else {
        format!("./{path}")
    };
    out.imports.push(Import {
        module,
        name: String::new(),
        local: String::new(),
        flags: ImportFlags::SIDE_EFFECT.bits(),
        span,
        enclosing: None,
    });
}
