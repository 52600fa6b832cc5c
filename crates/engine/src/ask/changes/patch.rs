//! Reads unified diffs, as `git diff` and `diff -u` write them, and computes differences of texts in the same form.
//!
//! Never fails: lines that are not part of a diff are skipped, so a diff may be embedded in a mail or a log.

use imara_diff::{Algorithm, Diff, InternedInput};

/// The changes of one file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FilePatch {
    /// Path before; none for a new file.
    pub old_path: Option<String>,
    /// Path after; none for a deleted file.
    pub new_path: Option<String>,
    /// Hunks from top to bottom. Empty for binary files, and for files that were only moved.
    pub hunks: Vec<Hunk>,
}

/// A hunk: a changed piece of a file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Hunk {
    /// 0-based line where it starts in the version before.
    pub old_start: u32,
    /// 0-based line where it starts in the version after.
    pub new_start: u32,
    /// Its lines, without line breaks.
    pub lines: Vec<(Sign, String)>,
}

/// Sides of a diff that a line is on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sign {
    /// Both sides.
    Context,
    /// Only before.
    Deleted,
    /// Only after.
    Added,
}

/// Parses the files of a diff.
#[must_use]
pub fn parse(diff: &str) -> Vec<FilePatch> {
    let mut files: Vec<FilePatch> = Vec::new();
    let mut lines = diff.lines().peekable();
    // Whether `diff --git` opened the last entry and its `---` is still to come; a bare `---` opens an entry, too.
    let mut is_open = false;
    while let Some(line) = lines.next() {
        if let Some(rest) = line.strip_prefix("diff --git ") {
            let (old, new) = git_paths(rest);
            files.push(FilePatch {
                old_path: old,
                new_path: new,
                hunks: Vec::new(),
            });
            is_open = true;
        } else if let (Some(old), Some(new)) = (
            line.strip_prefix("--- "),
            lines.peek().and_then(|next| next.strip_prefix("+++ ")),
        ) {
            if !is_open {
                files.push(FilePatch::default());
            }
            if let Some(file) = files.last_mut() {
                (file.old_path, file.new_path) = (path_of(old), path_of(new));
            }
            is_open = false;
            lines.next();
        } else if let Some(file) = files.last_mut() {
            read_header(file, line);
            if let Some((old, new)) = hunk_header(line) {
                let mut hunk = Hunk {
                    old_start: start_of(old),
                    new_start: start_of(new),
                    lines: Vec::new(),
                };
                let (mut n_old, mut n_new) = (old.1, new.1);
                while n_old > 0 || n_new > 0 {
                    let Some(line) = lines.next() else { break };
                    let (sign, text) = match line.as_bytes().first() {
                        Some(b'-') => (Sign::Deleted, line.get(1..)),
                        Some(b'+') => (Sign::Added, line.get(1..)),
                        Some(b'\\') => continue,
                        Some(b' ') => (Sign::Context, line.get(1..)),
                        // Mail programs strip the blank of an empty line.
                        _ => (Sign::Context, Some(line)),
                    };
                    n_old = n_old.saturating_sub(u32::from(sign != Sign::Added));
                    n_new = n_new.saturating_sub(u32::from(sign != Sign::Deleted));
                    hunk.lines.push((sign, text.unwrap_or_default().to_owned()));
                }
                file.hunks.push(hunk);
            }
        }
    }
    files
}

/// Reads a line between `diff --git` and the first hunk, which may say what happened to the file.
fn read_header(file: &mut FilePatch, line: &str) {
    if line.starts_with("new file mode ") {
        file.old_path = None;
    } else if line.starts_with("deleted file mode ") {
        file.new_path = None;
    } else if let Some(path) = line.strip_prefix("rename from ") {
        file.old_path = Some(unquoted(path));
    } else if let Some(path) = line.strip_prefix("rename to ") {
        file.new_path = Some(unquoted(path));
    }
}

/// Splits `a/x b/x`; where paths have blanks, both halves are the same.
fn git_paths(rest: &str) -> (Option<String>, Option<String>) {
    let halves = rest.split_at_checked(rest.len() / 2);
    if let Some((old, new)) = halves
        && let (Some(old), Some(new)) = (path_of(old), path_of(new.trim_start()))
        && old == new
    {
        return (Some(old), Some(new));
    }
    match rest.split_once(" b/") {
        Some((old, new)) => (path_of(old), Some(new.to_owned())),
        None => (None, None),
    }
}

/// Reads the path of a `---` or `+++` line, without its side and without what `diff -u` writes after a tab; `None` for
/// `/dev/null`.
fn path_of(written: &str) -> Option<String> {
    let path = unquoted(written.split('\t').next().unwrap_or(written).trim_end());
    if path == "/dev/null" || path.is_empty() {
        return None;
    }
    // git writes a/ and b/, with `diff.mnemonicPrefix` also c/, i/, w/ and o/.
    let bare = path
        .split_once('/')
        .filter(|(side, rest)| {
            matches!(*side, "a" | "b" | "c" | "i" | "w" | "o") && !rest.is_empty()
        })
        .map(|(_, rest)| rest.to_owned());
    Some(bare.unwrap_or(path))
}

/// Unquotes a path: git quotes paths with special characters as C does, byte by byte.
fn unquoted(path: &str) -> String {
    let Some(inner) = path
        .strip_prefix('"')
        .and_then(|path| path.strip_suffix('"'))
    else {
        return path.to_owned();
    };
    let mut bytes = Vec::with_capacity(inner.len());
    let mut rest = inner.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        if byte != b'\\' {
            bytes.push(byte);
            continue;
        }
        let octal = rest
            .get(..3)
            .and_then(|digits| std::str::from_utf8(digits).ok())
            .and_then(|digits| u8::from_str_radix(digits, 8).ok());
        if let Some(octal) = octal {
            bytes.push(octal);
            rest = rest.get(3..).unwrap_or_default();
        } else if let Some((&escaped, after)) = rest.split_first() {
            bytes.push(match escaped {
                b'n' => b'\n',
                b't' => b'\t',
                other => other,
            });
            rest = after;
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Parses `@@ -start,count +start,count @@`; both pairs as written.
fn hunk_header(line: &str) -> Option<((u32, u32), (u32, u32))> {
    let (ranges, _) = line.strip_prefix("@@ -")?.split_once(" @@")?;
    let (old, new) = ranges.split_once(" +")?;
    let pair = |range: &str| {
        let (start, count) = range.split_once(',').unwrap_or((range, "1"));
        Some((start.parse().ok()?, count.parse().ok()?))
    };
    Some((pair(old)?, pair(new)?))
}

/// First line of a side, 0-based; a side without lines names the line before.
fn start_of((start, count): (u32, u32)) -> u32 {
    if count == 0 {
        start
    } else {
        start.saturating_sub(1)
    }
}

/// Line ranges where two texts differ, from top to bottom; lines include their breaks. Never quadratic (Histogram with
/// a fallback).
pub(crate) fn line_changes(before: &str, after: &str) -> Vec<imara_diff::Hunk> {
    let mut input = InternedInput::default();
    input.update_before(before.split_inclusive('\n'));
    input.update_after(after.split_inclusive('\n'));
    let mut diff = Diff::compute(Algorithm::Histogram, &input);
    diff.postprocess_lines(&input);
    diff.hunks().collect()
}

/// Returns the difference of two versions of a file, without context lines.
#[must_use]
pub fn between(path: &str, before: Option<&str>, after: Option<&str>) -> FilePatch {
    let (old, new) = (before.unwrap_or_default(), after.unwrap_or_default());
    let old_lines: Vec<&str> = old.split_inclusive('\n').collect();
    let new_lines: Vec<&str> = new.split_inclusive('\n').collect();
    let side = |sign, lines: &[&str], range: std::ops::Range<u32>| -> Vec<(Sign, String)> {
        let lines = lines.get(range.start as usize..range.end as usize);
        let lines = lines.unwrap_or_default().iter();
        lines
            .map(|line| (sign, line.trim_end_matches(['\n', '\r']).to_owned()))
            .collect()
    };
    let hunk = |change: imara_diff::Hunk| Hunk {
        old_start: change.before.start,
        new_start: change.after.start,
        lines: [
            side(Sign::Deleted, &old_lines, change.before),
            side(Sign::Added, &new_lines, change.after),
        ]
        .concat(),
    };
    FilePatch {
        old_path: before.map(|_| path.to_owned()),
        new_path: after.map(|_| path.to_owned()),
        hunks: line_changes(old, new).into_iter().map(hunk).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn paths(diff: &str) -> Vec<(Option<String>, Option<String>, usize)> {
        let files = parse(diff).into_iter();
        files
            .map(|file| (file.old_path, file.new_path, file.hunks.len()))
            .collect()
    }

    fn some(path: &str) -> Option<String> {
        Some(path.to_owned())
    }

    #[test]
    fn what_git_writes() {
        let diff = "diff --git a/src/a.ts b/src/a.ts\nindex 1..2 100644\n--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1,2 +1,3 @@ class\n one\n-two\n+zwei\n+drei\n\
            diff --git a/new.ts b/new.ts\nnew file mode 100644\n--- /dev/null\n+++ b/new.ts\n@@ -0,0 +1 @@\n+x\n\\ No newline at end of file\n\
            diff --git a/old.ts b/old.ts\ndeleted file mode 100644\n--- a/old.ts\n+++ /dev/null\n@@ -1 +0,0 @@\n--- not a header\n\
            diff --git a/from me.ts b/to.ts\nsimilarity index 100%\nrename from from me.ts\nrename to to.ts\n\
            diff --git a/x.png b/x.png\nBinary files a/x.png and b/x.png differ\n\
            diff --git \"a/\\303\\244.ts\" \"b/\\303\\244.ts\"\n--- \"a/\\303\\244.ts\"\n+++ \"b/\\303\\244.ts\"\n@@ -3 +3 @@\n-a\n+b\n";
        assert_eq!(
            paths(diff),
            [
                (some("src/a.ts"), some("src/a.ts"), 1),
                (None, some("new.ts"), 1),
                (some("old.ts"), None, 1),
                (some("from me.ts"), some("to.ts"), 0),
                (some("x.png"), some("x.png"), 0),
                (some("ä.ts"), some("ä.ts"), 1),
            ]
        );
        let hunk = &parse(diff)[0].hunks[0];
        assert_eq!(
            (hunk.old_start, hunk.new_start, hunk.lines.len()),
            (0, 0, 4)
        );
        assert_eq!(
            parse(diff)[1].hunks[0].lines,
            [(Sign::Added, "x".to_owned())]
        );
        assert_eq!(
            parse(diff)[2].hunks[0].lines,
            [(Sign::Deleted, "-- not a header".to_owned())]
        );
    }

    #[test]
    fn what_diff_writes() {
        let diff = "Dear all,\n--- old/a.c\t2026-01-01\n+++ new/a.c\t2026-01-02\n@@ -5,0 +6,2 @@\n+a\n+b\n";
        assert_eq!(paths(diff), [(some("old/a.c"), some("new/a.c"), 1)]);
        assert_eq!(parse(diff)[0].hunks[0].old_start, 5);
        assert_eq!(parse("nothing\n@@ -1 +1 @@\n-a\n"), []);
    }

    proptest! {
        #[test]
        fn any_text_can_be_read(diff in "(diff --git |--- |\\+\\+\\+ |@@ -|[0-9, a/b\"\\\\+-]|\n){0,60}") {
            let _ = parse(&diff);
        }

        #[test]
        fn a_difference_leads_from_one_to_the_other(before in "[ab\n]{0,30}", after in "[ab\n]{0,30}") {
            let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
            let patch = between("x", Some(&before), Some(&after));
            let (mut made, mut at) = (Vec::new(), 0);
            let old = lines(&before);
            for hunk in &patch.hunks {
                made.extend_from_slice(&old[at..hunk.old_start as usize]);
                at = hunk.old_start as usize;
                for (sign, text) in &hunk.lines {
                    at += usize::from(*sign != Sign::Added);
                    if *sign != Sign::Deleted {
                        made.push(text.clone());
                    }
                }
            }
            made.extend_from_slice(&old[at..]);
            prop_assert_eq!(made, lines(&after));
        }
    }
}
