//! Which files differ between two trees. Subtrees with the same name are never opened, so the cost follows the change.

use std::cmp::Ordering;

use crate::commit::{TreeEntry, next_entry};
use crate::objects::Kind;
use crate::repository::Repository;
use crate::{Error, Oid};

/// Longest path in bytes; a longer one is left out.
const MAX_PATH: usize = 4_096;
/// Entries that are compared for each file that may be listed, beside the entries of a large folder.
const ENTRIES_PER_FILE: usize = 100;
const ENTRIES: usize = 1_000_000;
/// Work for an entry that differs, besides its path, in bytes.
const ENTRY_COST: usize = 256;

/// A file that differs.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Changed {
    /// Its path.
    pub path: String,
    /// Its object on the old side; `None` where it is not there.
    pub old: Option<Oid>,
    /// Its object on the new side.
    pub new: Option<Oid>,
}

/// The files that differ, by path.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Difference {
    /// The files.
    pub files: Vec<Changed>,
    /// There are more than were asked for.
    pub is_cut: bool,
}

/// A folder that is there on one side or on both. Its trees are read when its turn comes: a folder may have a million others, of 16 MiB each.
struct Pair {
    prefix: Vec<u8>,
    old: Option<Oid>,
    new: Option<Oid>,
}

impl Pair {
    fn n_bytes(&self) -> usize {
        ENTRY_COST + self.prefix.len()
    }
}

/// Compares two trees; `None` is an empty one. Lists at most `most` files and then says so.
///
/// # Errors
///
/// Those of reading trees.
pub(crate) fn trees(
    repository: &mut Repository,
    old: Option<Oid>,
    new: Option<Oid>,
    most: usize,
) -> Result<Difference, Error> {
    let mut walk = Walk {
        pending: Vec::new(),
        found: Difference::default(),
        entries_left: ENTRIES.saturating_add(most.saturating_mul(ENTRIES_PER_FILE)),
        bytes_left: repository.limits().path_bytes,
        most,
    };
    if old != new {
        walk.enter(Vec::new(), old, new);
    }
    while let Some(pair) = walk.pending.pop() {
        walk.bytes_left += pair.n_bytes();
        walk.compare(repository, &pair)?;
        if walk.found.is_cut {
            break;
        }
    }
    walk.found.files.sort_unstable();
    Ok(walk.found)
}

struct Walk {
    pending: Vec<Pair>,
    found: Difference,
    entries_left: usize,
    /// Bytes that paths of found files and of folders that wait may still take.
    bytes_left: usize,
    most: usize,
}

impl Walk {
    fn compare(&mut self, repository: &mut Repository, pair: &Pair) -> Result<(), Error> {
        let mut read = |oid: Option<Oid>| {
            let oid = oid.filter(|oid| *oid != EMPTY_TREE);
            oid.map(|oid| repository.object(oid, Kind::Tree))
                .transpose()
        };
        let (old, new) = (read(pair.old)?, read(pair.new)?);
        let mut old_rest = old.as_ref().map_or(&[][..], |object| &object.bytes[..]);
        let mut new_rest = new.as_ref().map_or(&[][..], |object| &object.bytes[..]);
        // Kept folders cost nothing to read, but to compare.
        repository.charge(old_rest.len() + new_rest.len())?;
        loop {
            skip_same(&mut old_rest, &mut new_rest);
            let (mut old_after, mut new_after) = (old_rest, new_rest);
            let (old, new) = (next_entry(&mut old_after)?, next_entry(&mut new_after)?);
            let order = match (&old, &new) {
                (None, None) => return Ok(()),
                (Some(old), Some(new)) => in_tree_order(old, new),
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
            };
            let left = old.filter(|_| order.is_le());
            let right = new.filter(|_| order.is_ge());
            if left.is_some() {
                old_rest = old_after;
            }
            if right.is_some() {
                new_rest = new_after;
            }
            self.entries_left = self.entries_left.saturating_sub(1);
            self.found.is_cut |= self.entries_left == 0;
            if left.map(same) != right.map(same) {
                self.differ(repository, &pair.prefix, left, right)?;
            }
            if self.found.is_cut {
                return Ok(());
            }
        }
    }

    /// Lists a file, or enters a folder later.
    fn differ(
        &mut self,
        repository: &mut Repository,
        prefix: &[u8],
        old: Option<TreeEntry<'_>>,
        new: Option<TreeEntry<'_>>,
    ) -> Result<(), Error> {
        let Some(name) = old.or(new).map(|entry| entry.name) else {
            return Ok(());
        };
        if prefix.len() + name.len() >= MAX_PATH {
            return Ok(());
        }
        let path = [prefix, name].concat();
        // A few folders that contain each other have more paths than anybody can list.
        repository.charge(ENTRY_COST + path.len())?;
        let blob = |entry: Option<TreeEntry<'_>>| entry.filter(|e| e.is_blob()).map(|e| e.oid);
        let (old_blob, new_blob) = (blob(old), blob(new));
        if old_blob.is_some() || new_blob.is_some() {
            let has_room = self.take_bytes(path.len()) && self.found.files.len() < self.most;
            if !has_room {
                self.found.is_cut = true;
                return Ok(());
            }
            self.found.files.push(Changed {
                path: String::from_utf8_lossy(&path).into_owned(),
                old: old_blob,
                new: new_blob,
            });
        }
        let tree = |entry: Option<TreeEntry<'_>>| entry.filter(|e| e.is_tree()).map(|e| e.oid);
        let (old_tree, new_tree) = (tree(old), tree(new));
        if old_tree != new_tree {
            let prefix = [&path[..], b"/"].concat();
            self.enter(prefix, old_tree, new_tree);
        }
        Ok(())
    }

    /// Puts a folder among those that wait.
    fn enter(&mut self, prefix: Vec<u8>, old: Option<Oid>, new: Option<Oid>) {
        let pair = Pair { prefix, old, new };
        match self.take_bytes(pair.n_bytes()) {
            true => self.pending.push(pair),
            false => self.found.is_cut = true,
        }
    }

    /// Takes from the memory for paths, if that much is left.
    fn take_bytes(&mut self, n_bytes: usize) -> bool {
        let left = self.bytes_left.checked_sub(n_bytes);
        self.bytes_left = left.unwrap_or(self.bytes_left);
        left.is_some()
    }
}

/// The tree without entries, which repositories need not contain.
pub(crate) const EMPTY_TREE: Oid = Oid([
    0x4b, 0x82, 0x5d, 0xc6, 0x42, 0xcb, 0x6e, 0xb9, 0xa0, 0x60, 0xe5, 0x4b, 0xf8, 0xd6, 0x92, 0x88,
    0xfb, 0xee, 0x49, 0x04,
]);

/// Skips the entries with which both trees begin. Most are the same, and only their ends are looked for.
fn skip_same(old: &mut &[u8], new: &mut &[u8]) {
    let n_same = same_start(old, new);
    let mut at = 0;
    while let Some(n_name) = memchr::memchr(0, &old[at..n_same]) {
        let end = at + n_name + 1 + Oid::LEN;
        if end > n_same {
            break;
        }
        at = end;
    }
    (*old, *new) = (&old[at..], &new[at..]);
}

/// Number of bytes with which both begin.
fn same_start(a: &[u8], b: &[u8]) -> usize {
    const STEP: usize = 32;
    let steps = a.chunks_exact(STEP).zip(b.chunks_exact(STEP));
    let n = STEP * steps.take_while(|(a, b)| a == b).count();
    let rest = a[n..].iter().zip(&b[n..]);
    n + rest.take_while(|(a, b)| a == b).count()
}

/// Mode and object of an entry: all that can change under a name.
fn same(entry: TreeEntry<'_>) -> (u32, Oid) {
    (entry.mode, entry.oid)
}

/// The order of entries in a tree: a folder's name counts with its slash.
fn in_tree_order(a: &TreeEntry<'_>, b: &TreeEntry<'_>) -> Ordering {
    let n = a.name.len().min(b.name.len());
    let end = |entry: &TreeEntry<'_>| match entry.name.get(n) {
        Some(&byte) => byte,
        None if entry.is_tree() => b'/',
        None => 0,
    };
    a.name[..n]
        .cmp(&b.name[..n])
        .then_with(|| end(a).cmp(&end(b)))
        .then_with(|| a.name.len().cmp(&b.name.len()))
}
