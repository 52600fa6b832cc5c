//! The log: commits as they were walked, newest first, with the files that each changed. It is all that is saved; everything else is derived
//! from it, so a log that was brought up to date gives the answers of one that was read anew.

mod paths;
mod record;
mod saved;
mod strings;

use rkyv::{Archive, Deserialize, Serialize};

pub(crate) use paths::Paths;
pub(crate) use record::{Files, Record, assemble};
pub(crate) use strings::Strings;

/// All commits, in columns.
#[derive(Debug, Clone, Default, PartialEq, Eq, Archive, Serialize, Deserialize)]
pub(crate) struct Log {
    /// The tree of the newest commit.
    pub head_tree: [u8; 20],
    /// Newest first.
    pub commits: Vec<Logged>,
    pub parents: Vec<[u8; 20]>,
    pub subjects: Strings,
    /// Names and addresses of authors, in order, as many of the one as of the other.
    pub names: Strings,
    pub addresses: Strings,
    /// All paths, in order.
    pub paths: Strings,
    /// Numbers of the paths that the newest commit has, in order.
    pub files: Vec<u32>,
    /// Number of a path, times four, plus how it changed.
    pub changes: Vec<u32>,
    /// Numbers of the paths before and after.
    pub renames: Vec<(u32, u32)>,
    /// See [`Cut`].
    pub cuts: u32,
    /// The limits on commits and on files of each commit that it was read with.
    pub limits: (u32, u32),
}

/// A commit. The ends are those of its rows in other columns.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Archive, Serialize, Deserialize)]
pub(crate) struct Logged {
    pub id: [u8; 20],
    /// Seconds since 1970.
    pub authored: i64,
    pub committed: i64,
    pub author: u32,
    pub parents_end: u32,
    pub changes_end: u32,
    pub renames_end: u32,
    /// A [`Files`] as a number, and whether its parents were not fetched.
    pub files: u8,
    pub is_shallow: bool,
}

/// Why the log is shorter or knows less than it could: bits of [`Log::cuts`].
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cut(pub u32);

impl Cut {
    pub const OLDER: Self = Self(1);
    pub const PARENTS: Self = Self(2);
    pub const TREES: Self = Self(4);
    pub const CHANGES: Self = Self(8);
    pub const WORK: Self = Self(16);
    pub const FILES: Self = Self(32);
    pub const PATHS: Self = Self(64);
    pub const FRONTIER: Self = Self(128);
}

/// How a file changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum How {
    Modified,
    Added,
    Deleted,
}

impl How {
    /// The number of a change of a path.
    pub fn of(self, path: u32) -> u32 {
        path << 2 | self as u32
    }

    /// The reverse of [`How::of`].
    pub fn split(change: u32) -> (u32, Self) {
        let how = match change & 3 {
            1 => Self::Added,
            2 => Self::Deleted,
            _ => Self::Modified,
        };
        (change >> 2, how)
    }
}

impl Log {
    /// Rows of a commit in a column, from the ends of this commit and of the one before it.
    fn rows(&self, nth: usize, end: impl Fn(&Logged) -> u32) -> std::ops::Range<usize> {
        let start = nth
            .checked_sub(1)
            .and_then(|before| self.commits.get(before));
        let start = start.map_or(0, &end) as usize;
        start
            ..self
                .commits
                .get(nth)
                .map_or(start, |commit| end(commit) as usize)
    }

    /// Returns the changes of a commit.
    pub fn changes(&self, nth: usize) -> &[u32] {
        let rows = self.rows(nth, |commit| commit.changes_end);
        self.changes.get(rows).unwrap_or_default()
    }

    /// Returns the renames of a commit.
    pub fn renames(&self, nth: usize) -> &[(u32, u32)] {
        let rows = self.rows(nth, |commit| commit.renames_end);
        self.renames.get(rows).unwrap_or_default()
    }

    /// Returns the parents of a commit.
    pub fn parents(&self, nth: usize) -> &[[u8; 20]] {
        let rows = self.rows(nth, |commit| commit.parents_end);
        self.parents.get(rows).unwrap_or_default()
    }

    /// Removes all that names or describes people: authors become numbers, subjects are empty.
    pub fn remove_people(&mut self) {
        let n = self.names.len();
        let numbers: Vec<String> = (0..n).map(|nth| format!("author {}", nth + 1)).collect();
        self.names = numbers.iter().map(String::as_str).collect();
        // Addresses tell which names are the same person.
        let mut known: Vec<String> = self.addresses.iter().map(str::to_ascii_lowercase).collect();
        let of = known.clone();
        known.sort();
        known.dedup();
        let number = |address: &String| known.binary_search(address).map_or(0, |nth| nth + 1);
        let numbers: Vec<String> = of
            .iter()
            .map(|address| number(address).to_string())
            .collect();
        self.addresses = numbers.iter().map(String::as_str).collect();
        self.subjects = self.commits.iter().map(|_| "").collect();
    }
}
