//! What the edits do to the texts, as a unified diff that `git apply` and `patch` take.

use std::fmt::Write as _;

use super::{FileEdits, TextEdit};
use crate::changes::patch::line_changes;
use crate::{Error, Reader};

impl Reader {
    /// The diff of all files, of the edits that are applied.
    pub(super) fn diff_of(&self, files: &[FileEdits]) -> Result<String, Error> {
        let mut diff = String::new();
        for file in files {
            let before = self.text(file.file)?;
            let after = edited(before, &file.edits);
            if after != before {
                diff.push_str(&unified(self.path(file.file), before, &after));
            }
        }
        Ok(diff)
    }
}

/// The text after the edits that are applied.
pub(crate) fn edited(text: &str, edits: &[TextEdit]) -> String {
    let mut after = String::with_capacity(text.len());
    let mut at = 0;
    for edit in edits.iter().filter(|edit| edit.is_applied) {
        let (start, end) = (edit.start as usize, edit.end as usize);
        if start < at {
            continue;
        }
        after.push_str(text.get(at..start).unwrap_or_default());
        after.push_str(&edit.new_text);
        at = end;
    }
    after.push_str(text.get(at..).unwrap_or_default());
    after
}

/// Lines around a change.
const CONTEXT: usize = 3;

/// A unified diff with three lines of context.
pub(crate) fn unified(path: &str, before: &str, after: &str) -> String {
    let old: Vec<&str> = before.split_inclusive('\n').collect();
    let new: Vec<&str> = after.split_inclusive('\n').collect();
    let changes = line_changes(before, after);
    let mut diff = format!("--- a/{path}\n+++ b/{path}\n");
    // Changes whose context meets are one piece.
    let near = |a: &imara_diff::Hunk, b: &imara_diff::Hunk| {
        (b.before.start - a.before.end) as usize <= 2 * CONTEXT
    };
    for group in changes.chunk_by(near) {
        let (Some(first), Some(last)) = (group.first(), group.last()) else {
            continue;
        };
        let start = (first.before.start as usize).saturating_sub(CONTEXT);
        let end = old.len().min(last.before.end as usize + CONTEXT);
        let n_before_first = first.before.start as usize - start;
        let new_start = first.after.start as usize - n_before_first;
        let new_end = last.after.end as usize + (end - last.before.end as usize);
        let _ = writeln!(
            diff,
            "@@ -{} +{} @@",
            range(start, end - start),
            range(new_start, new_end - new_start)
        );
        let mut at = start;
        for change in group {
            write_lines(&mut diff, ' ', old.get(at..change.before.start as usize));
            write_lines(&mut diff, '-', old.get(indexes(&change.before)));
            write_lines(&mut diff, '+', new.get(indexes(&change.after)));
            at = change.before.end as usize;
        }
        write_lines(&mut diff, ' ', old.get(at..end));
    }
    diff
}

fn indexes(range: &std::ops::Range<u32>) -> std::ops::Range<usize> {
    range.start as usize..range.end as usize
}

/// `start,count` counted from 1; one line goes without its count, no lines are named by the line before.
fn range(start: usize, count: usize) -> String {
    match count {
        0 => format!("{start},0"),
        1 => format!("{}", start + 1),
        _ => format!("{},{count}", start + 1),
    }
}

fn write_lines(diff: &mut String, sign: char, lines: Option<&[&str]>) {
    for line in lines.unwrap_or_default() {
        diff.push(sign);
        diff.push_str(line);
        if !line.ends_with('\n') {
            diff.push_str("\n\\ No newline at end of file\n");
        }
    }
}
