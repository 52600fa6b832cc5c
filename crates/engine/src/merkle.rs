//! Finds the files that differ between two indexes by a tree of digests (Merkle 1988) of folders and files.
//!
//! The digest of a file is BLAKE3 of its text, that of a folder BLAKE3 of the names and digests of its direct entries.
//! Folders of equal digest have the same contents and are not compared further. A file that is gone from one path and
//! appears, with the same text, at another was renamed.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use snapshot::{ArchivedFiles, Files, Strings};

use syntax::order::InOrder;

/// Differences between the files of two indexes, each list sorted by path.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Differences {
    /// Files that are new.
    pub added: Vec<String>,
    /// Files whose text has changed.
    pub modified: Vec<String>,
    /// Files that are gone.
    pub deleted: Vec<String>,
    /// Files that have another path and the same text: old path, new path.
    pub renamed: Vec<(String, String)>,
    /// Number of unchanged files.
    pub n_unchanged: usize,
    /// Number of folders that were not compared further, because their digests are equal.
    pub n_folders_skipped: usize,
}

impl Differences {
    /// Whether both indexes have the same files.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.added.is_empty()
            && self.modified.is_empty()
            && self.deleted.is_empty()
            && self.renamed.is_empty()
    }

    /// Turns pairs of an added and a deleted file with the same text into renames. Of several with one text, the first
    /// of each by path are a pair.
    fn find_renamed(
        &mut self,
        digest_before: impl Fn(&str) -> Option<[u8; 32]>,
        digest_now: impl Fn(&str) -> Option<[u8; 32]>,
    ) {
        let mut gone: BTreeMap<[u8; 32], Vec<String>> = BTreeMap::new();
        for path in self.deleted.iter().rev() {
            if let Some(digest) = digest_before(path) {
                gone.entry(digest).or_default().push(path.clone());
            }
        }
        let mut renamed = Vec::new();
        self.added.retain(|path| {
            let from = digest_now(path).and_then(|digest| gone.get_mut(&digest)?.pop());
            let is_added = from.is_none();
            renamed.extend(from.map(|from| (from, path.clone())));
            is_added
        });
        self.deleted
            .retain(|path| !renamed.iter().any(|(from, _)| from == path));
        self.renamed = renamed;
    }
}

/// Finds renames among files that were added and deleted, with their digests: old path, new path. Of several with one
/// text, the first of each by path are a pair.
#[must_use]
pub fn renamed(
    deleted: &BTreeMap<String, [u8; 32]>,
    added: &BTreeMap<String, [u8; 32]>,
) -> Vec<(String, String)> {
    let mut differences = Differences {
        added: added.keys().cloned().collect(),
        deleted: deleted.keys().cloned().collect(),
        ..Differences::default()
    };
    differences.find_renamed(
        |path| deleted.get(path).copied(),
        |path| added.get(path).copied(),
    );
    differences.renamed
}

/// Paths and digests of all folders, the root first, whose path is empty. `paths` are sorted.
pub(crate) fn folders<'a>(
    paths: impl Iterator<Item = &'a str> + Clone,
    digests: &[[u8; 32]],
) -> (Strings, Vec<[u8; 32]>) {
    let mut tree = Tree::default();
    tree.number("");
    // Files of one folder mostly follow one another.
    let mut last = ("", 0);
    for (path, digest) in paths.zip(digests) {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        if folder != last.0 {
            last = (folder, tree.number(folder));
        }
        tree.folders[last.1].1.push((name, *digest));
    }
    // From the deepest up: the entries of a folder come before it.
    let mut order: Vec<usize> = (0..tree.folders.len()).collect();
    order.order_by_key(|number| std::cmp::Reverse(depth(tree.folders[*number].0)));
    let mut known: Vec<(&str, [u8; 32])> = Vec::with_capacity(order.len());
    for number in order {
        let (folder, entries) = &mut tree.folders[number];
        let folder = *folder;
        entries.order_by_key(|(name, _)| *name);
        let digest = digest_of(entries);
        known.push((folder, digest));
        if !folder.is_empty() {
            let (parent, name) = folder.rsplit_once('/').unwrap_or(("", folder));
            // A file and a folder cannot have the same name; the mark distinguishes them even so.
            let parent = tree.number(parent);
            tree.folders[parent].1.push((name, mark_folder(digest)));
        }
    }
    known.order_by_key(|(folder, _)| *folder);
    (
        known.iter().map(|(folder, _)| *folder).collect(),
        known.iter().map(|(_, digest)| *digest).collect(),
    )
}

/// Names and digests of the direct entries of a folder.
type Entries<'a> = Vec<(&'a str, [u8; 32])>;

/// Folders with their direct entries.
#[derive(Default)]
struct Tree<'a> {
    folders: Vec<(&'a str, Entries<'a>)>,
    numbers: FxHashMap<&'a str, usize>,
}

impl<'a> Tree<'a> {
    /// Returns the number of a folder; adds it, and the folders around it, if they are new.
    fn number(&mut self, folder: &'a str) -> usize {
        if let Some(known) = self.numbers.get(folder) {
            return *known;
        }
        let number = self.folders.len();
        let mut new = folder;
        loop {
            self.numbers.insert(new, self.folders.len());
            self.folders.push((new, Vec::new()));
            new = new.rsplit_once('/').map_or("", |(parent, _)| parent);
            if self.numbers.contains_key(new) {
                return number;
            }
        }
    }
}

fn depth(path: &str) -> usize {
    if path.is_empty() {
        0
    } else {
        1 + path.bytes().filter(|byte| *byte == b'/').count()
    }
}

/// Marks a folder's digest within its parent, so that it differs from that of any file.
fn mark_folder(digest: [u8; 32]) -> [u8; 32] {
    source::digest(&[&b"folder"[..], &digest].concat())
}

fn digest_of(entries: &[(&str, [u8; 32])]) -> [u8; 32] {
    let mut all = Vec::with_capacity(entries.len() * 64);
    for (name, digest) in entries {
        all.extend_from_slice(&(name.len() as u32).to_le_bytes());
        all.extend_from_slice(name.as_bytes());
        all.extend_from_slice(digest);
    }
    source::digest(&all)
}

/// Computes the digests of all folders from those of the files.
pub(crate) fn with_folders(mut files: Files) -> Files {
    let offsets = files.paths.offsets.windows(2);
    let paths = offsets.map(|at| &files.paths.text[at[0] as usize..at[1] as usize]);
    let (folders, folder_digests) = folders(paths, &files.digests);
    files.folders = folders;
    files.folder_digests = folder_digests;
    files
}

/// Compares the files of two indexes. The cost grows with the differences and the folders that contain them; a folder
/// of equal digest costs one look-up.
pub(crate) fn differences(before: &ArchivedFiles, now: &ArchivedFiles) -> Differences {
    let mut found = Differences::default();
    if before.folder_digest("") == now.folder_digest("") && before.len() == now.len() {
        found.n_unchanged = now.len();
        found.n_folders_skipped = usize::from(!now.is_empty());
        return found;
    }
    let (mut a, mut b) = (0, 0);
    while a < before.len() || b < now.len() {
        let (old, new) = (before.paths.get(a), now.paths.get(b));
        match (old, new) {
            (Some(old), Some(new)) if old == new => {
                if let Some(folder) = equal_folder(before, now, a, b) {
                    let ends = (before.end_of(folder, a), now.end_of(folder, b));
                    found.n_folders_skipped += 1;
                    found.n_unchanged += ends.1 - b;
                    (a, b) = (ends.0.max(a + 1), ends.1.max(b + 1));
                    continue;
                }
                if before.digests.get(a) == now.digests.get(b) {
                    found.n_unchanged += 1;
                } else {
                    found.modified.push(new.to_owned());
                }
                (a, b) = (a + 1, b + 1);
            }
            (Some(old), new) if new.is_none_or(|new| old < new) => {
                found.deleted.push(old.to_owned());
                a += 1;
            }
            (_, Some(new)) => {
                found.added.push(new.to_owned());
                b += 1;
            }
            _ => break,
        }
    }
    found.find_renamed(|path| before.digest(path), |path| now.digest(path));
    found
}

/// The largest folder that begins with this file in both indexes and has the same digest in both.
fn equal_folder<'a>(
    before: &ArchivedFiles,
    now: &'a ArchivedFiles,
    a: usize,
    b: usize,
) -> Option<&'a str> {
    let path = now.paths.get(b)?;
    let is_first = |files: &ArchivedFiles, idx: usize, folder: &str| {
        idx.checked_sub(1)
            .and_then(|last| files.paths.get(last))
            .is_none_or(|last| {
                !last
                    .strip_prefix(folder)
                    .is_some_and(|rest| rest.starts_with('/'))
            })
    };
    path.match_indices('/')
        .map(|(at, _)| &path[..at])
        .filter(|folder| is_first(before, a, folder) && is_first(now, b, folder))
        .find(|folder| {
            let digest = now.folder_digest(folder);
            digest.is_some() && digest == before.folder_digest(folder)
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn frozen(files: &BTreeMap<String, u8>) -> rkyv::util::AlignedVec<16> {
        let files = Files {
            paths: files.keys().map(String::as_str).collect(),
            digests: files
                .values()
                .map(|text| source::digest(&[*text]))
                .collect(),
            ..Files::default()
        };
        rkyv::to_bytes::<rkyv::rancor::Error>(&with_folders(files)).unwrap()
    }

    fn compare(before: &BTreeMap<String, u8>, now: &BTreeMap<String, u8>) -> Differences {
        let (before, now) = (frozen(before), frozen(now));
        let access = |bytes| rkyv::access::<ArchivedFiles, rkyv::rancor::Error>(bytes).unwrap();
        differences(access(&before), access(&now))
    }

    fn of(files: &[(&str, u8)]) -> BTreeMap<String, u8> {
        files
            .iter()
            .map(|(path, text)| ((*path).to_owned(), *text))
            .collect()
    }

    #[test]
    fn each_kind_of_change() {
        let before = of(&[
            ("a/b/c", 1),
            ("a/b/d", 2),
            ("a/e", 3),
            ("a0", 4),
            ("f/g", 5),
            ("h", 6),
        ]);
        let now = of(&[
            ("a/b/c", 1),
            ("a/b/d", 2),
            ("a/e", 9),
            ("a0", 4),
            ("i/g", 5),
            ("j", 7),
        ]);
        let found = compare(&before, &now);
        assert_eq!(found.added, ["j"]);
        assert_eq!(found.modified, ["a/e"]);
        assert_eq!(found.deleted, ["h"]);
        assert_eq!(found.renamed, [("f/g".to_owned(), "i/g".to_owned())]);
        assert_eq!((found.n_unchanged, found.n_folders_skipped), (3, 1));
        assert!(compare(&before, &before).is_empty());
        assert!(compare(&of(&[]), &of(&[])).is_empty());
    }

    #[test]
    fn a_file_is_not_a_folder() {
        let one = frozen(&of(&[("a/b", 1)]));
        let other = frozen(&of(&[("a", 1)]));
        let root = |bytes: &[u8]| {
            rkyv::access::<ArchivedFiles, rkyv::rancor::Error>(bytes)
                .unwrap()
                .folder_digest("")
        };
        assert_ne!(root(&one), root(&other));
    }

    proptest! {
        #[test]
        fn differences_lead_from_one_to_the_other(
            before in prop::collection::btree_map("[ab0]{1,2}(/[ab0]{1,2}){0,3}", 0u8..4, 0..20),
            now in prop::collection::btree_map("[ab0]{1,2}(/[ab0]{1,2}){0,3}", 0u8..4, 0..20),
        ) {
            let found = compare(&before, &now);
            let mut made = before.clone();
            for path in &found.deleted {
                prop_assert!(made.remove(path).is_some());
            }
            for (from, to) in &found.renamed {
                let text = made.remove(from).unwrap();
                prop_assert_eq!(Some(&text), now.get(to));
            }
            for path in found.added.iter().chain(&found.modified).chain(found.renamed.iter().map(|(_, to)| to)) {
                prop_assert_eq!(before.contains_key(path), found.modified.contains(path));
                made.insert(path.clone(), now[path]);
            }
            prop_assert_eq!(&made, &now);
            let n_new = found.added.len() + found.renamed.len() + found.modified.len();
            prop_assert_eq!(found.n_unchanged + n_new, now.len());
        }
    }
}
