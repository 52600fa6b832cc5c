//! Renames within one commit: the same object under another path, then the same name in another folder, then similar contents. Contents are only
//! read of what is left, if that is a few files with the same ending.

use std::collections::VecDeque;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::diff::Changed;
use crate::similarity::{SIMILAR, similarity};
use crate::{Error, Oid, Repository};

/// Deleted files with the same contents of which the one with the same name is looked for.
const CANDIDATES: usize = 16;

/// Files that are left of either kind, at most, for their contents to be compared.
const COMPARED: usize = 8;

/// Names that many folders have: they say nothing about where a file went.
const COMMON: [&str; 12] = [
    "__init__.py",
    "mod.rs",
    "lib.rs",
    "main.rs",
    "index.js",
    "index.ts",
    "index.html",
    "package.json",
    "Cargo.toml",
    "Makefile",
    "README.md",
    "CMakeLists.txt",
];

/// The empty file: two of them are not one that moved.
const EMPTY_BLOB: Oid = Oid([
    0xe6, 0x9d, 0xe2, 0x9b, 0xb2, 0xd1, 0xd6, 0x43, 0x4b, 0x8b, 0x29, 0xae, 0x77, 0x5a, 0xd8, 0xc2,
    0xe4, 0x8c, 0x53, 0x91,
]);

/// Returns pairs of a deleted and an added file, as places in `files`, in the order of the added ones. Each file is in one pair at most.
pub(crate) fn pairs(files: &[Changed]) -> Vec<(usize, usize)> {
    let mut deleted: FxHashMap<Oid, VecDeque<usize>> = FxHashMap::default();
    let mut added = Vec::new();
    for (nth, file) in files.iter().enumerate() {
        match (file.old, file.new) {
            (Some(old), None) => deleted.entry(old).or_default().push_back(nth),
            (None, Some(_)) => added.push(nth),
            _ => {}
        }
    }
    if deleted.is_empty() || added.is_empty() {
        return Vec::new();
    }
    let mut pairs = Vec::new();
    let mut taken = FxHashSet::default();
    for &new in &added {
        let oid = files[new].new.filter(|oid| *oid != EMPTY_BLOB);
        let Some(candidates) = oid.and_then(|oid| deleted.get_mut(&oid)) else {
            continue;
        };
        let name = name_of(&files[new].path);
        let mut first = candidates.iter().take(CANDIDATES);
        let same = first.position(|old| name_of(&files[*old].path) == name);
        if let Some(old) = candidates.remove(same.unwrap_or(0)) {
            taken.extend([old, new]);
            pairs.push((old, new));
        }
    }
    pairs.extend(by_name(files, &taken));
    pairs.sort_unstable_by_key(|(_, new)| *new);
    pairs
}

/// Pairs of files whose name was deleted once and added once.
fn by_name(files: &[Changed], taken: &FxHashSet<usize>) -> Vec<(usize, usize)> {
    /// Deleted and added files of a name, and how many of each.
    #[derive(Default)]
    struct Named {
        old: (usize, usize),
        new: (usize, usize),
    }
    let mut named: FxHashMap<&str, Named> = FxHashMap::default();
    let mut order = Vec::new();
    for (nth, file) in files.iter().enumerate() {
        let name = name_of(&file.path);
        if taken.contains(&nth) || COMMON.contains(&name) {
            continue;
        }
        match (file.old, file.new) {
            (Some(_), None) => {
                let named = named.entry(name).or_default();
                named.old = (nth, named.old.1 + 1);
            }
            (None, Some(_)) => {
                let named = named.entry(name).or_default();
                named.new = (nth, named.new.1 + 1);
                order.push(name);
            }
            _ => {}
        }
    }
    let pair = |name: &str| {
        let named = named.get(name)?;
        let is_one = named.old.1 == 1 && named.new.1 == 1;
        is_one.then_some((named.old.0, named.new.0))
    };
    order.into_iter().filter_map(pair).collect()
}

/// Adds pairs of files with the same ending and half of their text in common, the most similar ones first. Objects that are missing or broken are
/// no candidates.
///
/// # Errors
///
/// `history.unreadable` if the host cannot read, `history.too-large` if the budget of work is used up.
pub(crate) fn by_contents(
    repository: &mut Repository,
    files: &[Changed],
    pairs: &mut Vec<(usize, usize)>,
) -> Result<(), Error> {
    let taken: FxHashSet<usize> = pairs.iter().flat_map(|(old, new)| [*old, *new]).collect();
    let left = |is: fn(&Changed) -> Option<Oid>| -> Vec<(usize, Oid)> {
        let files = files.iter().enumerate();
        let files = files.filter(|(nth, _)| !taken.contains(nth));
        files
            .filter_map(|(nth, file)| Some((nth, is(file)?)))
            .collect()
    };
    let deleted = left(|file| file.old.filter(|_| file.new.is_none()));
    let added = left(|file| file.new.filter(|_| file.old.is_none()));
    if deleted.len().max(added.len()) > COMPARED {
        return Ok(());
    }
    let mut similar = Vec::new();
    for &(new, new_oid) in &added {
        for &(old, old_oid) in &deleted {
            let ending = ending_of(&files[new].path);
            if ending.is_none() || ending != ending_of(&files[old].path) {
                continue;
            }
            let (a, b) = (repository.text(old_oid)?, repository.text(new_oid)?);
            let (Some(a), Some(b)) = (a, b) else { continue };
            repository.charge(a.bytes.len() + b.bytes.len())?;
            let similarity = similarity(&a.bytes, &b.bytes);
            if similarity >= SIMILAR {
                similar.push((similarity, old, new));
            }
        }
    }
    similar.sort_by(|a, b| b.0.total_cmp(&a.0).then((a.2, a.1).cmp(&(b.2, b.1))));
    let mut taken = FxHashSet::default();
    for (_, old, new) in similar {
        if !taken.contains(&old) && !taken.contains(&new) {
            taken.extend([old, new]);
            pairs.push((old, new));
        }
    }
    Ok(())
}

fn ending_of(path: &str) -> Option<&str> {
    name_of(path).rsplit_once('.').map(|(_, ending)| ending)
}

fn name_of(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Files as `-path object`, `+path object` or `path object`.
    fn check(files: &str, expected: &[(&str, &str)]) {
        let mut changed: Vec<Changed> = files
            .split(", ")
            .map(|file| {
                let (path, object) = file.split_once(' ').unwrap();
                let oid = match object {
                    "empty" => EMPTY_BLOB,
                    object => Oid([object.as_bytes()[0]; 20]),
                };
                Changed {
                    path: path.trim_start_matches(['+', '-']).to_owned(),
                    old: (!path.starts_with('+')).then_some(oid),
                    new: (!path.starts_with('-')).then_some(oid),
                }
            })
            .collect();
        changed.sort();
        let found = pairs(&changed);
        let path = |nth: usize| changed[nth].path.as_str();
        let found: Vec<_> = found
            .iter()
            .map(|(old, new)| (path(*old), path(*new)))
            .collect();
        assert_eq!(found, expected, "{files}");
    }

    #[test]
    fn renames_by_contents_and_by_name() {
        check("-a.rs 1, +b.rs 1", &[("a.rs", "b.rs")]);
        check("-a.rs 1, +b.rs 2", &[]);
        check("-a.rs 1, +src/a.rs 2", &[("a.rs", "src/a.rs")]);
        check("-a.rs 1, +src/a.rs 2, +lib/a.rs 3", &[]);
        check("-x/mod.rs 1, +y/mod.rs 2", &[]);
        check("-x/mod.rs 1, +y/mod.rs 1", &[("x/mod.rs", "y/mod.rs")]);
        check("-a empty, +b empty", &[]);
        check("a 1, +b 1", &[]);
        // Of two with the same contents the one with the same name.
        check("-x/a 1, -x/b 1, +y/b 1", &[("x/b", "y/b")]);
        check(
            "-x/a 1, -x/b 1, +y/b 1, +y/c 1",
            &[("x/b", "y/b"), ("x/a", "y/c")],
        );
        // One deleted file becomes one added file.
        check("-a 1, +b 1, +c 1", &[("a", "b")]);
    }
}
