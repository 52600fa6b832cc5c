//! Who changed which part.

use std::cmp::Reverse;

use rustc_hash::FxHashMap;

use super::History;

/// A person's part in the commits of a file or folder.
#[derive(Debug, Clone, PartialEq)]
pub struct AuthorShare {
    /// The name used last.
    pub name: String,
    /// The address, by which commits are the same person's.
    pub address: String,
    /// Number of commits.
    pub n_commits: usize,
    /// Part of all commits of the file or folder, 0 to 1.
    pub share: f64,
    /// When the last of them came into this history, seconds since 1970.
    pub last: i64,
}

impl History {
    /// Returns the authors of a folder (`""` for all files) by number of commits, at most `limit`. Files that are gone do not count.
    #[must_use]
    pub fn authors(&self, folder: &str, limit: usize) -> Vec<AuthorShare> {
        let folder = folder.trim_end_matches('/');
        let is_below = |path: &str| {
            let rest = path.strip_prefix(folder);
            rest.is_some_and(|rest| folder.is_empty() || rest.is_empty() || rest.starts_with('/'))
        };
        let mut is_of = vec![false; self.log.commits.len()];
        for &file in &self.log.files {
            if is_below(self.log.paths.get(file as usize)) {
                for &commit in self.columns.commits_of(file) {
                    is_of[commit as usize] = true;
                }
            }
        }
        let commits = (0..is_of.len() as u32).filter(|nth| is_of[*nth as usize]);
        let mut shares = self.shares(commits);
        shares.truncate(limit);
        shares
    }

    /// Counts the authors of commits that come newest first.
    pub(super) fn shares(&self, commits: impl Iterator<Item = u32>) -> Vec<AuthorShare> {
        let mut n_all = 0;
        let mut order: Vec<(u32, usize)> = Vec::new();
        let mut known: FxHashMap<u32, usize> = FxHashMap::default();
        for commit in commits {
            n_all += 1;
            let nth = *known.entry(self.person_of(commit)).or_insert_with(|| {
                order.push((commit, 0));
                order.len() - 1
            });
            order[nth].1 += 1;
        }
        // Of two with as many commits the one whose last is newer.
        order.sort_by_key(|(commit, n)| (Reverse(*n), *commit));
        let share = |(commit, n_commits): (u32, usize)| {
            let author = self.author_of(commit) as usize;
            AuthorShare {
                name: self.log.names.get(author).to_owned(),
                address: self.log.addresses.get(author).to_owned(),
                n_commits,
                share: n_commits as f64 / n_all as f64,
                last: self.committed(commit),
            }
        };
        order.into_iter().map(share).collect()
    }

    pub(super) fn person_of(&self, commit: u32) -> u32 {
        let author = self.author_of(commit) as usize;
        self.columns.person.get(author).copied().unwrap_or(0)
    }

    fn author_of(&self, commit: u32) -> u32 {
        let commit = self.log.commits.get(commit as usize);
        commit.map_or(0, |commit| commit.author)
    }
}
