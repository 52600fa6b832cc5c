//! Markdown: headings outside of code blocks and front matter.

use super::{Section, offset_in};
use crate::text::Lines;

/// Headings in order, `# a` and underlined ones.
pub(crate) fn sections(text: &str, _lines: &Lines) -> Vec<Section> {
    let mut out = Vec::new();
    let mut fence: Option<(char, usize)> = None;
    let mut in_front_matter = false;
    let mut previous = "";
    for (number, line) in text.split_inclusive('\n').enumerate() {
        let trimmed = line.trim_end();
        if number == 0 && matches!(trimmed, "---" | "+++") {
            in_front_matter = true;
            continue;
        }
        if in_front_matter {
            in_front_matter = !matches!(trimmed, "---" | "+++" | "...");
            continue;
        }
        let was_text = fence.is_none();
        fence = after_line(fence, trimmed);
        if was_text && fence.is_none() {
            if let Some((depth, name)) = heading(trimmed) {
                out.push(section(text, number as u32, depth, name));
            } else if let Some(depth) = underline(trimmed).filter(|_| is_paragraph(previous)) {
                out.push(section(text, number as u32 - 1, depth, previous.trim()));
            }
        }
        previous = if fence.is_none() && was_text {
            trimmed
        } else {
            ""
        };
    }
    out
}

/// The fence that is open after a line.
fn after_line(fence: Option<(char, usize)>, line: &str) -> Option<(char, usize)> {
    let inner = line.trim_start();
    let mark = inner
        .chars()
        .next()
        .filter(|mark| matches!(mark, '`' | '~'));
    let length = mark.map_or(0, |mark| inner.chars().take_while(|c| *c == mark).count());
    match (fence, mark) {
        (Some((open, width)), Some(mark))
            if mark == open && length >= width && inner.trim_start_matches(mark).is_empty() =>
        {
            None
        }
        (Some(open), _) => Some(open),
        (None, Some(mark)) if length >= 3 && line.len() - inner.len() < 4 => Some((mark, length)),
        (None, _) => None,
    }
}

/// `## Name ##` as depth and name.
fn heading(line: &str) -> Option<(u32, &str)> {
    let inner = line.trim_start_matches(' ');
    let level = inner.bytes().take_while(|b| *b == b'#').count();
    let rest = inner.get(level..)?;
    let is_heading = (1..=6).contains(&level)
        && line.len() - inner.len() < 4
        && (rest.is_empty() || rest.starts_with([' ', '\t']));
    let name = rest.trim().trim_end_matches('#').trim_end();
    (is_heading && !name.is_empty()).then(|| (level as u32 - 1, name))
}

/// A line of `=` or `-` below a paragraph makes it a heading.
fn underline(line: &str) -> Option<u32> {
    let inner = line.trim();
    match inner.as_bytes() {
        [b'=', ..] if inner.bytes().all(|b| b == b'=') => Some(0),
        [b'-', b'-', ..] if inner.bytes().all(|b| b == b'-') => Some(1),
        _ => None,
    }
}

fn is_paragraph(line: &str) -> bool {
    let inner = line.trim_start();
    !inner.is_empty()
        && !inner.starts_with(['#', '>', '|', '-', '*', '+', '='])
        && line.len() - inner.len() < 4
}

fn section(text: &str, line: u32, depth: u32, name: &str) -> Section {
    let name_start = offset_in(text, name);
    let plain: String = name.chars().filter(|c| !matches!(c, '`' | '*')).collect();
    Section {
        depth,
        line,
        name_start,
        name_end: name_start + name.len() as u32,
        name: plain.trim().to_owned(),
    }
}
