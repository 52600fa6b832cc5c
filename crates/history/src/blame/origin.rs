//! Versions of a file in the parents of a commit, and the lines of two versions that are the same.

use std::rc::Rc;

use imara_diff::sources::byte_lines;
use imara_diff::{Algorithm, Diff, InternedInput};

use super::pass::Span;
use crate::commit::Commit;
use crate::diff::{self, Changed};
use crate::objects::{Kind, Object};
use crate::similarity::{SIMILAR, similarity};
use crate::{Error, ErrorKind, Oid, Repository};

/// Changed files of a commit among which the old path is looked for.
const MAX_CHANGED: usize = 5_000;
/// Deleted files whose contents are compared.
const MAX_COMPARED: usize = 50;
/// Lines of two versions between their common start and end, beyond which they are not compared: the time grows with the product of both where
/// every line occurs often.
const MAX_LINES: usize = 60_000;
/// Pairs of such lines that are a byte of work.
const PAIRS: usize = 16;

/// A version of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Origin {
    pub commit: Oid,
    pub path: String,
    pub blob: Oid,
}

/// Reads a version.
pub(crate) fn text(repository: &mut Repository, blob: Oid) -> Result<Rc<Object>, Error> {
    repository.object(blob, Kind::Blob)
}

/// Returns the versions of a file in the parents, with the time of each: first one that is the same if there is any; else all that differ from
/// each other, in the order of the parents. As in git, a parent that has the path comes before one where it was renamed.
pub(crate) fn in_parents(
    repository: &mut Repository,
    origin: &Origin,
    commit: &Commit,
    parents: &[(Oid, Commit)],
) -> Result<Vec<(i64, Origin)>, Error> {
    let mut found: Vec<Option<Origin>> = vec![None; parents.len()];
    for by_rename in [false, true] {
        for (nth, (id, parent)) in parents.iter().enumerate() {
            if found[nth].is_some() {
                continue;
            }
            let version = if by_rename {
                renamed(repository, origin, commit.tree, parent.tree)?
            } else {
                let blob = repository.blob_at(parent.tree, &origin.path)?;
                blob.map(|blob| (origin.path.clone(), blob))
            };
            let Some((path, blob)) = version else {
                continue;
            };
            let version = Origin {
                commit: *id,
                path,
                blob,
            };
            if blob == origin.blob {
                return Ok(vec![(parent.committed, version)]);
            }
            let is_new = |other: &Option<Origin>| other.as_ref().is_none_or(|o| o.blob != blob);
            if found.iter().all(is_new) {
                found[nth] = Some(version);
            }
        }
    }
    let times = parents.iter().map(|(_, parent)| parent.committed);
    let both = times.zip(found);
    Ok(both
        .filter_map(|(time, found)| Some((time, found?)))
        .collect())
}

/// Finds the path that a file had in a parent: a deleted one with the same contents, or with the most lines in common.
fn renamed(
    repository: &mut Repository,
    origin: &Origin,
    tree: Oid,
    parent: Oid,
) -> Result<Option<(String, Oid)>, Error> {
    let changed = diff::trees(repository, Some(parent), Some(tree), MAX_CHANGED)?;
    let gone = |file: &Changed| match (file.old, file.new) {
        (Some(old), None) => Some((file.path.clone(), old)),
        _ => None,
    };
    let mut gone: Vec<(String, Oid)> = changed.files.iter().filter_map(gone).collect();
    let name = |path: &str| path.rsplit('/').next().map(str::to_owned);
    // Those with the same name first, else by path.
    gone.sort_by_key(|(path, _)| name(path) != name(&origin.path));
    if let Some(same) = gone.iter().find(|(_, blob)| *blob == origin.blob) {
        return Ok(Some(same.clone()));
    }
    let own = text(repository, origin.blob)?;
    let mut best = None;
    for (path, blob) in gone.into_iter().take(MAX_COMPARED) {
        let Ok(other) = text(repository, blob) else {
            continue;
        };
        repository.charge(own.bytes.len() + other.bytes.len())?;
        let similarity = similarity(&own.bytes, &other.bytes);
        let is_better = best.as_ref().is_none_or(|(most, _)| similarity > *most);
        if similarity >= SIMILAR && is_better {
            best = Some((similarity, (path, blob)));
        }
    }
    Ok(best.map(|(_, version)| version))
}

/// Returns the lines that two versions have in common, in order.
pub(crate) fn unchanged(
    repository: &mut Repository,
    old: Oid,
    new: Oid,
) -> Result<Vec<Span>, Error> {
    let (old, new) = (text(repository, old)?, text(repository, new)?);
    let (n_old, n_new) = differing_lines(&old.bytes, &new.bytes);
    let work = n_old.saturating_mul(n_new) / PAIRS;
    repository.charge(work.saturating_add(old.bytes.len() + new.bytes.len()))?;
    if n_old + n_new > MAX_LINES {
        let message = format!("two versions differ in up to {n_old} and {n_new} lines");
        return Err(Error::new(ErrorKind::TooLarge, message));
    }
    Ok(spans(&old.bytes, &new.bytes))
}

/// Number of lines of either version between the bytes with which both begin and those with which both end.
fn differing_lines(old: &[u8], new: &[u8]) -> (usize, usize) {
    let same = |(a, b): &(&u8, &u8)| a == b;
    let n_start = old.iter().zip(new).take_while(same).count();
    let (old, new) = (&old[n_start..], &new[n_start..]);
    let n_end = old
        .iter()
        .rev()
        .zip(new.iter().rev())
        .take_while(same)
        .count();
    let lines = |text: &[u8]| memchr::memchr_iter(b'\n', &text[..text.len() - n_end]).count() + 1;
    (lines(old), lines(new))
}

/// Compares by git's own algorithm, with its rule for where an inserted block begins.
fn spans(old: &[u8], new: &[u8]) -> Vec<Span> {
    let input = InternedInput::new(byte_lines(old), byte_lines(new));
    let mut diff = Diff::compute(Algorithm::Myers, &input);
    diff.postprocess_lines(&input);
    let mut spans = Vec::new();
    let (mut old_at, mut new_at) = (0, 0);
    let ends = (input.before.len() as u32, input.after.len() as u32);
    let hunks = diff.hunks().map(|hunk| (hunk.before, hunk.after));
    let last = (ends.0..ends.0, ends.1..ends.1);
    for (before, after) in hunks.chain([last]) {
        let len = before.start - old_at;
        if len > 0 {
            spans.push(Span {
                old: old_at,
                new: new_at,
                len,
            });
        }
        (old_at, new_at) = (before.end, after.end);
    }
    spans
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_in_common() {
        let span = |old, new, len| Span { old, new, len };
        let check = |old: &str, new: &str, expected: &[Span]| {
            assert_eq!(
                spans(old.as_bytes(), new.as_bytes()),
                expected,
                "{old} {new}"
            );
        };
        check("a\nb\nc\n", "a\nx\nb\nc\n", &[span(0, 0, 1), span(1, 2, 2)]);
        check("a\nb\n", "a\nb", &[span(0, 0, 1)]);
        check("a\n", "a\n", &[span(0, 0, 1)]);
        check("", "a\n", &[]);
        check("a\n", "", &[]);
    }

    #[test]
    fn lines_between_a_common_start_and_end() {
        for (old, new, expected) in [
            ("a\nb\nc\n", "a\nX\nc\n", (1, 1)),
            ("a\nb\nc\n", "a\nb\nb\nc\n", (1, 2)),
            ("", "", (1, 1)),
            ("a\n", "a\n", (1, 1)),
            ("x\na\nb\n", "y\na\nc\n", (3, 3)),
        ] {
            let found = differing_lines(old.as_bytes(), new.as_bytes());
            assert_eq!(found, expected, "{old} {new}");
        }
    }
}
