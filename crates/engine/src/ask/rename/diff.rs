//! The effect of edits on the texts, as a unified diff that `git apply` and `patch` accept.
//!
//! The edits say which lines change, so texts are not compared: a text costs one search for the line breaks before its
//! edits.

use std::fmt::Write as _;

use super::{FileEdits, TextEdit};
use crate::{Error, Reader};

/// Number of context lines around a change.
const CONTEXT: usize = 3;

impl Reader {
    /// Returns the unified diff of the applied edits; `None` if it has more than `max_bytes`, in which case it is not
    /// completed.
    ///
    /// # Errors
    ///
    /// As [`Reader::text`].
    pub fn rename_diff(
        &self,
        files: &[FileEdits],
        max_bytes: usize,
    ) -> Result<Option<String>, Error> {
        let mut diff = String::new();
        for file in files.iter().filter(|file| file.has_applied()) {
            write_unified(
                &mut diff,
                self.path(file.file),
                self.text(file.file)?,
                &file.edits,
            );
            if diff.len() > max_bytes {
                return Ok(None);
            }
        }
        Ok(Some(diff))
    }
}

impl FileEdits {
    fn has_applied(&self) -> bool {
        self.edits.iter().any(|edit| edit.is_applied)
    }
}

/// Whole lines of the old text that change together, and their replacement.
struct Change<'a> {
    /// 0-based number of the first line.
    line: usize,
    /// Offset of the first line, in bytes.
    start: usize,
    before: &'a str,
    after: String,
}

impl Change<'_> {
    fn end(&self) -> usize {
        self.start + self.before.len()
    }

    fn past_line(&self) -> usize {
        self.line + n_lines(self.before)
    }
}

/// The lines that applied edits change, from top to bottom; edits of adjacent lines are one change.
fn changes<'a>(text: &'a str, edits: &[TextEdit]) -> Vec<Change<'a>> {
    let mut changes: Vec<Change<'a>> = Vec::new();
    // Offset up to which line breaks are counted, their number, and the end of the last edit.
    let (mut counted, mut line, mut written) = (0, 0, 0);
    for edit in edits.iter().filter(|edit| edit.is_applied) {
        let (start, end) = (edit.start as usize, edit.end as usize);
        if start < written || text.get(start..end).is_none() {
            continue;
        }
        let first = text[..start].rfind('\n').map_or(0, |at| at + 1);
        let past = line_end(text, end);
        match changes.last_mut().filter(|last| first <= last.end()) {
            // The edit is in the line that changed last, or in the next one.
            Some(last) => {
                let rest = last.end() - written;
                last.after.truncate(last.after.len() - rest);
                last.after.push_str(&text[written..start]);
                last.before = &text[last.start..past.max(last.end())];
            }
            None => {
                line += count_breaks(&text[counted..first]);
                counted = first;
                changes.push(Change {
                    line,
                    start: first,
                    before: &text[first..past],
                    after: text[first..start].to_owned(),
                });
            }
        }
        if let Some(last) = changes.last_mut() {
            last.after.push_str(&edit.new_text);
            last.after.push_str(&text[end..last.end()]);
        }
        written = end;
    }
    changes
}

/// Writes the header and the hunks of a file.
fn write_unified(diff: &mut String, path: &str, text: &str, edits: &[TextEdit]) {
    let changes = changes(text, edits);
    let _ = write!(diff, "--- a/{path}\n+++ b/{path}\n");
    // Lines added minus lines deleted by the hunks so far.
    let mut grown = 0_isize;
    // Changes whose context meets share a hunk.
    let near = |a: &Change<'_>, b: &Change<'_>| b.line - a.past_line() <= 2 * CONTEXT;
    for group in changes.chunk_by(near) {
        let (Some(first), Some(last)) = (group.first(), group.last()) else {
            continue;
        };
        let (start, n_before) = lines_before(text, first.start);
        let end = lines_behind(text, last.end());
        let n_old = n_before + last.past_line() - first.line + n_lines(&text[last.end()..end]);
        let more: isize = group
            .iter()
            .map(|change| n_lines(&change.after) as isize - n_lines(change.before) as isize)
            .sum();
        let old_start = first.line - n_before;
        let _ = writeln!(
            diff,
            "@@ -{} +{} @@",
            range(old_start, n_old),
            range(
                old_start.saturating_add_signed(grown),
                n_old.saturating_add_signed(more)
            )
        );
        grown += more;
        let mut at = start;
        for change in group {
            write_lines(diff, ' ', &text[at..change.start]);
            write_lines(diff, '-', change.before);
            write_lines(diff, '+', &change.after);
            at = change.end();
        }
        write_lines(diff, ' ', &text[at..end]);
    }
}

/// Start of the context before a line, and its number of lines.
fn lines_before(text: &str, line_start: usize) -> (usize, usize) {
    let (mut start, mut n_lines) = (line_start, 0);
    while n_lines < CONTEXT && start > 0 {
        start = text[..start - 1].rfind('\n').map_or(0, |at| at + 1);
        n_lines += 1;
    }
    (start, n_lines)
}

/// End of the context after a line.
fn lines_behind(text: &str, line_end_at: usize) -> usize {
    (0..CONTEXT).fold(line_end_at, |at, _| line_end(text, at))
}

/// Offset after the break of the line that contains `at`, or the end of the text.
fn line_end(text: &str, at: usize) -> usize {
    memchr::memchr(b'\n', text.as_bytes().get(at..).unwrap_or_default())
        .map_or(text.len(), |found| at + found + 1)
}

fn count_breaks(text: &str) -> usize {
    memchr::memchr_iter(b'\n', text.as_bytes()).count()
}

/// Number of lines, the last with or without a break.
fn n_lines(text: &str) -> usize {
    count_breaks(text) + usize::from(!text.is_empty() && !text.ends_with('\n'))
}

/// Formats a range of lines as `start,count`, counted from 1. A single line omits the count; an empty range names the
/// line before.
fn range(start: usize, count: usize) -> String {
    match count {
        0 => format!("{start},0"),
        1 => format!("{}", start + 1),
        _ => format!("{},{count}", start + 1),
    }
}

fn write_lines(diff: &mut String, sign: char, lines: &str) {
    for line in lines.split_inclusive('\n') {
        diff.push(sign);
        diff.push_str(line);
        if !line.ends_with('\n') {
            diff.push_str("\n\\ No newline at end of file\n");
        }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use proptest::prelude::*;

    use super::*;
    use crate::ask::changes::patch::{self, Sign};
    use crate::ask::places::Place;
    use crate::ask::rename::EditSource;

    fn edits(text: &str, places: &[usize], new: &str) -> Vec<TextEdit> {
        let edit = |start: usize| TextEdit {
            start: start as u32,
            end: start as u32 + 1,
            line: 0,
            new_text: new.to_owned(),
            source: EditSource::TextSearch,
            place: Place::Code,
            is_applied: true,
        };
        let mut starts: Vec<usize> = places.iter().map(|at| at % text.len().max(1)).collect();
        starts.sort_unstable();
        starts.dedup();
        let fits = |start: &usize| text.get(*start..start + 1).is_some_and(|c| c != "\n");
        starts.into_iter().filter(fits).map(edit).collect()
    }

    fn edited(text: &str, edits: &[TextEdit]) -> String {
        let (mut after, mut at) = (String::new(), 0);
        for edit in edits {
            after += &text[at..edit.start as usize];
            after += &edit.new_text;
            at = edit.end as usize;
        }
        after + &text[at..]
    }

    #[test]
    fn pieces_have_context() {
        let text = "a\nb\nc x\nx x\ne\nf\ng\nh\ni\nj\nk\nx";
        let places: Vec<usize> = text.match_indices('x').map(|(at, _)| at).collect();
        let mut diff = String::new();
        write_unified(&mut diff, "src/a.rs", text, &edits(text, &places, "yy"));
        expect![[r"
            --- a/src/a.rs
            +++ b/src/a.rs
            @@ -1,7 +1,7 @@
             a
             b
            -c x
            -x x
            +c yy
            +yy yy
             e
             f
             g
            @@ -9,4 +9,4 @@
             i
             j
             k
            -x
            \ No newline at end of file
            +yy
            \ No newline at end of file
        "]]
        .assert_eq(&diff);
    }

    proptest! {
        #[test]
        fn a_diff_leads_to_the_edited_text(
            text in "[ab\n]{1,60}",
            places in prop::collection::vec(0usize..60, 1..6),
            new in "[cd]{1,3}|c\n",
        ) {
            let edits = edits(&text, &places, &new);
            prop_assume!(!edits.is_empty());
            let mut diff = String::new();
            write_unified(&mut diff, "x", &text, &edits);
            let old: Vec<&str> = text.lines().collect();
            let (mut made, mut at): (Vec<String>, usize) = (Vec::new(), 0);
            for hunk in patch::parse(&diff).iter().flat_map(|file| &file.hunks) {
                let start = hunk.old_start as usize;
                made.extend(old[at..start].iter().map(|line| (*line).to_owned()));
                prop_assert_eq!(made.len(), hunk.new_start as usize);
                at = start;
                for (sign, line) in &hunk.lines {
                    if *sign != Sign::Added {
                        prop_assert_eq!(old[at], line);
                        at += 1;
                    }
                    if *sign != Sign::Deleted {
                        made.push(line.clone());
                    }
                }
            }
            made.extend(old[at..].iter().map(|line| (*line).to_owned()));
            let wanted: Vec<String> = edited(&text, &edits).lines().map(str::to_owned).collect();
            prop_assert_eq!(made, wanted);
        }
    }
}
