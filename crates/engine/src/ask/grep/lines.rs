//! Matching lines as they are shown: with marks, and with the lines around them.

use source::FileId;

use super::windows::Finder;
use crate::ask::search::utf16_marks;
use crate::position::line_start;

/// Maximum number of bytes shown of a line; longer lines are shown around their first match only.
pub const MAX_SHOWN: usize = 2_000;
/// Number of bytes shown before the first match of such a line.
const SHOWN_BEFORE: usize = 200;

/// A line that matches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MatchingLine {
    /// Its file.
    pub file: FileId,
    /// 0-based line number.
    pub line: u32,
    /// Its text without the break, at most 2,000 bytes around the first match.
    pub text: String,
    /// Matches, as half-open ranges of UTF-16 code units of `text`. A match over several lines is marked in the first.
    pub marks: Vec<(u32, u32)>,
    /// Lines before, at most 2,000 bytes of each.
    pub before: Vec<String>,
    /// Lines after, at most 2,000 bytes of each.
    pub after: Vec<String>,
}

/// Returns the next lines of `file` that match, at most `limit`, with `n_context` lines before and after each.
pub fn matching_lines(
    finder: &mut Finder<'_, '_>,
    file: FileId,
    limit: usize,
    n_context: usize,
) -> Vec<MatchingLine> {
    let text = finder.text;
    let mut lines = Vec::new();
    let (mut counted, mut line) = (0, 0);
    while lines.len() < limit
        && let Some(first) = finder.next()
    {
        let start = line_start(text, first.0);
        let end = text[start..]
            .find('\n')
            .map_or(text.len(), |length| start + length);
        line += text[counted..start].matches('\n').count() as u32;
        counted = start;
        let found = marks_of_line(finder, first, end);
        let (text_shown, marks) = shown(&text[start..end], start, &found);
        lines.push(MatchingLine {
            file,
            line,
            text: text_shown,
            marks,
            before: lines_before(text, start, n_context),
            after: text[end..]
                .lines()
                .skip(1)
                .take(n_context)
                .map(|line| head(line).to_owned())
                .collect(),
        });
    }
    lines
}

/// The first match and the later ones in the shown part of its line: a line may be a whole file.
fn marks_of_line(
    finder: &mut Finder<'_, '_>,
    first: (usize, usize),
    line_end: usize,
) -> Vec<(usize, usize)> {
    let mut found = vec![(first.0, first.1.min(line_end))];
    while let Some(next) = finder.next() {
        if next.0 >= line_end {
            finder.pending = Some(next);
            break;
        }
        if next.0 > first.0 + MAX_SHOWN {
            finder.skip_to(line_end);
            break;
        }
        found.push((next.0, next.1.min(line_end)));
    }
    found
}

fn head(line: &str) -> &str {
    &line[..line.floor_char_boundary(MAX_SHOWN)]
}

/// The line, or the part of a long one around its first match; and the marks in it.
fn shown(line: &str, start: usize, found: &[(usize, usize)]) -> (String, Vec<(u32, u32)>) {
    let line = line.strip_suffix('\r').unwrap_or(line);
    let first = found.first().map_or(0, |(from, _)| from - start);
    let from = if line.len() > MAX_SHOWN {
        line.floor_char_boundary(first.saturating_sub(SHOWN_BEFORE))
    } else {
        0
    };
    let to = line.floor_char_boundary(from + MAX_SHOWN);
    let within = |offset: usize| (offset - start).clamp(from, to) - from;
    let marks = found
        .iter()
        .map(|(mark, end)| (within(*mark), within(*end)))
        .filter(|(mark, end)| mark < end);
    let text = &line[from..to];
    (text.to_owned(), utf16_marks(text, marks))
}

/// Up to `n` lines that end before `start`, in order.
fn lines_before(text: &str, start: usize, n: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut end = start;
    while end > 0 && lines.len() < n {
        let from = line_start(text, end - 1);
        let line = text[from..end].trim_end_matches(['\n', '\r']);
        lines.push(head(line).to_owned());
        end = from;
    }
    lines.reverse();
    lines
}
