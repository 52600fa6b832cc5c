//! Divides files into shards: by folders first, then folders that import each other together.

use std::collections::BTreeMap;

/// Maximum number of shards.
pub const MAX_SHARDS: usize = 1 << 12;

/// A file to place.
#[derive(Debug, Clone, Copy)]
pub struct FileSize<'a> {
    /// Its path.
    pub path: &'a str,
    /// Bytes of its text.
    pub n_bytes: u64,
}

/// Divides files, in path order, into groups of at most `max_bytes`, a larger file by itself. Files of a folder stay
/// together where the folder fits; small neighbours share a group. Returns the group of each file. Linear.
#[must_use]
pub fn shards_of(files: &[FileSize<'_>], max_bytes: u64) -> Vec<u16> {
    // Groups must be fewer than MAX_SHARDS: a budget that is too small for that is raised.
    let total: u64 = files.iter().map(|file| file.n_bytes).sum();
    let max_bytes = max_bytes.max(total / (MAX_SHARDS as u64 / 4)).max(1);
    let mut cuts = Cuts {
        files,
        max_bytes,
        group: 0,
        n_bytes: 0,
        groups: Vec::with_capacity(files.len()),
    };
    cuts.folder(0..files.len(), 0);
    cuts.groups
}

struct Cuts<'f> {
    files: &'f [FileSize<'f>],
    max_bytes: u64,
    /// The group that is being filled, and its bytes.
    group: u16,
    n_bytes: u64,
    groups: Vec<u16>,
}

impl Cuts<'_> {
    /// Places the files of a folder, whose path has `prefix` bytes.
    fn folder(&mut self, files: std::ops::Range<usize>, prefix: usize) {
        let mut open = vec![(files, prefix)];
        while let Some((range, prefix)) = open.pop() {
            let n_bytes = self.files[range.clone()]
                .iter()
                .map(|file| file.n_bytes)
                .sum();
            if self.n_bytes + n_bytes <= self.max_bytes {
                self.place(range.len(), n_bytes);
            } else if range.len() == 1 || n_bytes <= self.max_bytes {
                self.next();
                self.place(range.len(), n_bytes);
            } else {
                let mut entries = self.entries(range, prefix);
                entries.reverse();
                open.extend(entries);
            }
        }
    }

    fn next(&mut self) {
        if self.n_bytes > 0 {
            self.group = self.group.saturating_add(1).min(MAX_SHARDS as u16 - 1);
            self.n_bytes = 0;
        }
    }

    fn place(&mut self, n_files: usize, n_bytes: u64) {
        self.n_bytes += n_bytes;
        let n_all = self.groups.len() + n_files;
        self.groups.resize(n_all, self.group);
    }

    /// The files and folders of a folder, in order, each with its range and the length of its path.
    fn entries(
        &self,
        range: std::ops::Range<usize>,
        prefix: usize,
    ) -> Vec<(std::ops::Range<usize>, usize)> {
        let mut entries: Vec<(std::ops::Range<usize>, usize)> = Vec::new();
        for at in range {
            let rest = self.files[at].path.get(prefix..).unwrap_or_default();
            let end = rest.find('/').map(|end| prefix + end + 1);
            let same = entries.last_mut().filter(|(last, length)| {
                let first = self.files[last.start].path;
                end == Some(*length) && first.get(..*length) == self.files[at].path.get(..*length)
            });
            match same {
                Some((last, _)) => last.end = at + 1,
                None => entries.push((at..at + 1, end.unwrap_or(usize::MAX))),
            }
        }
        entries
    }
}

/// Joins groups into shards of at most `max_bytes`: first those with the most links between them for their size. `links`
/// has how often files of one group name files of another. Returns the shard of each group, numbered without gaps in
/// the order of the groups. About quadratic in the groups, which are few.
#[must_use]
pub fn joined(sizes: &[u64], links: &BTreeMap<(u16, u16), u32>, max_bytes: u64) -> Vec<u16> {
    let mut shard_of: Vec<u16> = (0..sizes.len() as u16).collect();
    let mut sizes = sizes.to_vec();
    let mut links = between(links, &shard_of);
    loop {
        let fits = |(a, b): (u16, u16)| sizes[usize::from(a)] + sizes[usize::from(b)] <= max_bytes;
        let best = links
            .iter()
            .filter(|(pair, _)| fits(**pair))
            .max_by(|(a, n_a), (b, n_b)| {
                let size = |(a, b): (u16, u16)| sizes[usize::from(a)] + sizes[usize::from(b)] + 1;
                // n_a / size(a) against n_b / size(b), in whole numbers; of equals the first pair.
                let left = u128::from(**n_a) * u128::from(size(**b));
                let right = u128::from(**n_b) * u128::from(size(**a));
                left.cmp(&right).then(b.cmp(a))
            });
        let Some((&(kept, gone), _)) = best else {
            break;
        };
        sizes[usize::from(kept)] += sizes[usize::from(gone)];
        sizes[usize::from(gone)] = 0;
        for shard in shard_of.iter_mut().filter(|shard| **shard == gone) {
            *shard = kept;
        }
        links = between(&links, &shard_of);
    }
    without_gaps(&shard_of)
}

/// Links between shards, the lower number first.
fn between(links: &BTreeMap<(u16, u16), u32>, shard_of: &[u16]) -> BTreeMap<(u16, u16), u32> {
    let mut sums = BTreeMap::new();
    for ((a, b), n) in links {
        let (a, b) = (shard_of[usize::from(*a)], shard_of[usize::from(*b)]);
        if a != b {
            *sums.entry((a.min(b), a.max(b))).or_default() += n;
        }
    }
    sums
}

fn without_gaps(shard_of: &[u16]) -> Vec<u16> {
    let mut numbers = BTreeMap::new();
    shard_of
        .iter()
        .map(|shard| {
            let next = numbers.len() as u16;
            *numbers.entry(*shard).or_insert(next)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(files: &[(&str, u64)], max_bytes: u64, expected: &[u16]) {
        let files: Vec<FileSize<'_>> = (files.iter())
            .map(|(path, n_bytes)| FileSize {
                path,
                n_bytes: *n_bytes,
            })
            .collect();
        assert_eq!(shards_of(&files, max_bytes), expected);
    }

    #[test]
    fn folders_that_fit_stay_together() {
        let files = [
            ("a/x", 4),
            ("a/y", 4),
            ("b/c/x", 3),
            ("b/c/y", 3),
            ("b/z", 3),
        ];
        check(&files, 100, &[0, 0, 0, 0, 0]);
        check(&files, 9, &[0, 0, 1, 1, 1]);
        check(&files, 8, &[0, 0, 1, 1, 2]);
        check(&files, 1, &[0, 1, 2, 3, 4]);
    }

    #[test]
    fn groups_that_name_each_other_are_joined() {
        let links = BTreeMap::from([((0, 2), 9), ((1, 2), 5), ((3, 1), 1)]);
        assert_eq!(joined(&[5, 5, 5, 5], &links, 10), [0, 1, 0, 1]);
        assert_eq!(joined(&[5, 5, 5, 5], &links, 5), [0, 1, 2, 3]);
        assert_eq!(joined(&[5, 5, 5, 5], &links, 20), [0, 0, 0, 0]);
    }

    proptest! {
        #[test]
        fn groups_rise_and_hold_no_more_than_their_bytes(sizes in prop::collection::vec((0u8..4, 0u8..4, 1u64..50), 1..40), max in 1u64..120) {
            let mut paths: Vec<(String, u64)> = (0..).zip(&sizes)
                .map(|(at, (a, b, n))| (format!("{a}/{b}/{at}"), *n))
                .collect();
            paths.sort();
            let files: Vec<FileSize<'_>> = paths.iter().map(|(path, n_bytes)| FileSize { path, n_bytes: *n_bytes }).collect();
            let groups = shards_of(&files, max);
            prop_assert_eq!(groups.len(), files.len());
            prop_assert!(groups.is_sorted());
            for group in groups.chunk_by(|a, b| a == b) {
                let first = groups.iter().position(|other| other == &group[0]).unwrap();
                let bytes: u64 = files[first..first + group.len()].iter().map(|file| file.n_bytes).sum();
                prop_assert!(group.len() == 1 || bytes <= max);
            }
        }
    }
}
