//! The best lines of a chunk, with what matched marked.

use rustc_hash::FxHashMap;
use syntax::order::InOrder;

use crate::plan::QueryTerm;
use crate::terms::term_hash;
use crate::tokenize::for_each_token;

/// Some lines of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snippet {
    /// First byte in the text, at the start of a line.
    pub start: usize,
    /// One past the last byte, without its line break.
    pub end: usize,
    /// Lines of the text before the first one shown.
    pub start_line: u32,
    /// Matches as byte ranges in the text, rising, not overlapping.
    pub marks: Vec<(usize, usize)>,
}

/// The `n_lines` lines in a row that hold the most of `terms`: different terms count before repeated ones, earlier lines
/// before later ones. One pass over the text.
#[must_use]
pub fn snippet(text: &str, terms: &[QueryTerm], n_lines: usize) -> Snippet {
    let lines = line_ranges(text);
    let matches = find_matches(text, terms);
    let (first, last) = best_window(&lines, &matches, terms.len(), n_lines.max(1));
    let start = lines.get(first).map_or(0, |line| line.0);
    let end = lines.get(last).map_or(text.len(), |line| line.1);
    let marks = merge(
        matches
            .iter()
            .map(|found| (found.start, found.end))
            .filter(|&(from, to)| from >= start && to <= end),
    );
    Snippet {
        start,
        end,
        start_line: first as u32,
        marks,
    }
}

struct Match {
    start: usize,
    end: usize,
    term: usize,
}

/// Start and end of each line, line break excluded.
fn line_ranges(text: &str) -> Vec<(usize, usize)> {
    let mut start = 0;
    let mut ranges = Vec::new();
    for line in text.split_inclusive('\n') {
        let shown = line.strip_suffix('\n').unwrap_or(line);
        let shown = shown.strip_suffix('\r').unwrap_or(shown);
        ranges.push((start, start + shown.len()));
        start += line.len();
    }
    ranges
}

fn find_matches(text: &str, terms: &[QueryTerm]) -> Vec<Match> {
    let wanted: FxHashMap<u64, usize> = terms
        .iter()
        .enumerate()
        .map(|(idx, term)| (term.hash, idx))
        .collect();
    let mut matches = Vec::new();
    for_each_token(text, |token| {
        if let Some(&term) = wanted.get(&term_hash(token.text)) {
            matches.push(Match {
                start: token.start,
                end: token.end,
                term,
            });
        }
    });
    matches
}

/// First and last line of the best window.
fn best_window(
    lines: &[(usize, usize)],
    matches: &[Match],
    n_terms: usize,
    n_lines: usize,
) -> (usize, usize) {
    let line_of = |at: usize| lines.partition_point(|&(_, end)| end < at);
    let placed: Vec<(usize, usize)> = matches
        .iter()
        .map(|found| (line_of(found.end), found.term))
        .collect();
    let mut best = (0, 0, 0);
    let mut seen = vec![0_u32; n_terms];
    for (idx, &(first, _)) in placed.iter().enumerate() {
        if idx > 0 && placed[idx - 1].0 == first {
            continue;
        }
        let window = placed[idx..]
            .iter()
            .take_while(|&&(line, _)| line < first + n_lines);
        seen.fill(0);
        let mut repeated = 0;
        for &(_, term) in window {
            seen[term] += 1;
            repeated += 1;
        }
        let distinct = seen.iter().filter(|&&count| count > 0).count();
        if (distinct, repeated) > (best.0, best.1) {
            best = (distinct, repeated, first);
        }
    }
    // A line of context before the first match, where the window has room for it.
    let first = if n_lines > 2 {
        best.2.saturating_sub(1)
    } else {
        best.2
    };
    (
        first,
        (first + n_lines - 1).min(lines.len().saturating_sub(1)),
    )
}

/// Joins ranges that touch or overlap: an identifier and its parts are one mark.
fn merge(ranges: impl Iterator<Item = (usize, usize)>) -> Vec<(usize, usize)> {
    let mut sorted: Vec<(usize, usize)> = ranges.collect();
    sorted.order_by(Ord::cmp);
    let mut merged: Vec<(usize, usize)> = Vec::new();
    for (start, end) in sorted {
        match merged.last_mut() {
            Some(last) if start <= last.1 => last.1 = last.1.max(end),
            _ => merged.push((start, end)),
        }
    }
    merged
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use proptest::prelude::*;

    use super::*;
    use crate::plan::plan;

    fn check(text: &str, query: &str, n_lines: usize, expected: Expect) {
        let found = snippet(text, &plan(query).terms, n_lines);
        let mut shown = String::new();
        let mut at = found.start;
        for (start, end) in found.marks {
            shown += &format!("{}[{}]", &text[at..start], &text[start..end]);
            at = end;
        }
        expected.assert_eq(&(shown + &text[at..found.end]));
    }

    #[test]
    fn the_lines_with_most_terms() {
        let text = "use a;\n\nfn one() {}\n\n/// Adds a route.\nfn add_route(r: Route) {\n    self.routes.push(r);\n}\n";
        check(
            text,
            "add route",
            1,
            expect!["fn [add_route](r: [Route]) {"],
        );
        check(
            text,
            "add route",
            3,
            expect![[r#"

            /// [Adds] a [route].
            fn [add_route](r: [Route]) {"#]],
        );
        check(text, "nothing here", 1, expect!["use a;"]);
        check("", "x", 3, expect![""]);
    }

    #[test]
    fn line_breaks_of_windows() {
        check("one\r\ntwo\r\nthree\r\n", "two", 1, expect!["[two]"]);
    }

    proptest! {
        #[test]
        fn always_within_the_text(text in "(\\PC{0,8}[ \n\r]{0,2}){0,20}", n_lines in 0_usize..5) {
            let found = snippet(&text, &plan("a b ab").terms, n_lines);
            prop_assert!(text.get(found.start..found.end).is_some());
            prop_assert!(found.marks.iter().all(|&(start, end)| text.get(start..end).is_some()));
        }
    }
}
