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

/// Joins groups into shards of at most `max_bytes`: first those with the most links between them for their size, then
/// neighbours. `links` has how often files of one group name files of another. Returns the shard of each group, numbered
/// without gaps in the order of the groups. About cubic in the groups, which are few.
#[must_use]
pub fn joined(sizes: &[u64], links: &BTreeMap<(u16, u16), u32>, max_bytes: u64) -> Vec<u16> {
    let mut shards = Joining {
        shard_of: (0..sizes.len() as u16).collect(),
        sizes: sizes.to_vec(),
        max_bytes,
    };
    let mut links = shards.between(links);
    while let Some(pair) = shards.best(&links) {
        shards.join(pair);
        links = shards.between(&links);
    }
    shards.join_neighbours();
    without_gaps(&shards.shard_of)
}

struct Joining {
    shard_of: Vec<u16>,
    sizes: Vec<u64>,
    max_bytes: u64,
}

impl Joining {
    fn size(&self, (a, b): (u16, u16)) -> u64 {
        self.sizes[usize::from(a)].saturating_add(self.sizes[usize::from(b)])
    }

    /// The pair that fits and has the most links for its size; of equals the first.
    fn best(&self, links: &BTreeMap<(u16, u16), u32>) -> Option<(u16, u16)> {
        let fitting = links
            .iter()
            .filter(|(pair, _)| self.size(**pair) <= self.max_bytes);
        let best = fitting.max_by(|(a, n_a), (b, n_b)| {
            // n_a / size(a) against n_b / size(b), in whole numbers.
            let left = u128::from(**n_a) * u128::from(self.size(**b) + 1);
            let right = u128::from(**n_b) * u128::from(self.size(**a) + 1);
            left.cmp(&right).then(b.cmp(a))
        });
        best.map(|(pair, _)| *pair)
    }

    fn join(&mut self, (kept, gone): (u16, u16)) {
        self.sizes[usize::from(kept)] = self.size((kept, gone));
        self.sizes[usize::from(gone)] = 0;
        for shard in self.shard_of.iter_mut().filter(|shard| **shard == gone) {
            *shard = kept;
        }
    }

    /// Joins shards that follow each other, whatever links there are: a shard costs more than its bytes.
    fn join_neighbours(&mut self) {
        let mut last: Option<u16> = None;
        for shard in 0..self.sizes.len() as u16 {
            if !self.shard_of.contains(&shard) {
                continue;
            }
            match last {
                Some(kept) if self.size((kept, shard)) <= self.max_bytes => {
                    self.join((kept, shard));
                }
                _ => last = Some(shard),
            }
        }
    }

    /// Links between shards, the lower number first.
    fn between(&self, links: &BTreeMap<(u16, u16), u32>) -> BTreeMap<(u16, u16), u32> {
        let mut sums = BTreeMap::new();
        for ((a, b), n) in links {
            let (a, b) = (
                self.shard_of[usize::from(*a)],
                self.shard_of[usize::from(*b)],
            );
            if a != b {
                *sums.entry((a.min(b), a.max(b))).or_default() += n;
            }
        }
        sums
    }
}

/// Links between groups by what their files import: an import leads to the files with the last name of its module, in
/// equal shares. A guess that costs one pass; only the division depends on it.
#[must_use]
pub fn import_links<'a>(files: &[(&'a str, u16, Vec<&'a str>)]) -> BTreeMap<(u16, u16), u32> {
    let mut groups_of: BTreeMap<&str, Vec<u16>> = BTreeMap::new();
    for (path, group, _) in files {
        groups_of.entry(stem(path)).or_default().push(*group);
    }
    let mut links = BTreeMap::new();
    for (_, group, modules) in files {
        for module in modules {
            let found = groups_of
                .get(last_name(module))
                .map_or(&[][..], Vec::as_slice);
            // A name of many files (`mod`, `index`) says nothing.
            let share = LINK / found.len().max(1) as u32;
            for other in found.iter().filter(|other| *other != group && share > 0) {
                let pair = (*group.min(other), *group.max(other));
                let sum: &mut u32 = links.entry(pair).or_default();
                *sum = sum.saturating_add(share);
            }
        }
    }
    links
}

/// Weight of an import that leads to one file.
const LINK: u32 = 8;

/// The name of a file without its endings: `src/tax.py` has `tax`.
fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.split_once('.').map_or(name, |(stem, _)| stem)
}

/// The last name of a module: `shop.tax`, `crate::shop::tax`, `./tax.js` and `linux/tax.h` have `tax`.
fn last_name(module: &str) -> &str {
    const ENDINGS: [&str; 8] = ["h", "hpp", "hh", "js", "ts", "css", "mjs", "dart"];
    let name = module.rsplit(['/', ':']).next().unwrap_or(module);
    match name.rsplit_once('.') {
        Some((before, ending)) if ENDINGS.contains(&ending) => stem(before),
        Some((_, last)) => last,
        None => name,
    }
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
        // Without links neighbours are joined.
        assert_eq!(joined(&[5, 5, 9, 1], &BTreeMap::new(), 10), [0, 0, 1, 1]);
    }

    #[test]
    fn imports_lead_to_files_of_their_last_name() {
        for (module, name) in [
            ("shop.tax", "tax"),
            ("crate::shop::tax", "tax"),
            ("./tax.js", "tax"),
            ("linux/tax.h", "tax"),
            ("tax.h", "tax"),
            ("..models", "models"),
            ("tax", "tax"),
        ] {
            assert_eq!(last_name(module), name, "{module}");
        }
        let files = [
            ("a/shop.py", 0, vec!["b.tax", "os"]),
            ("b/tax.py", 1, vec![]),
            ("c/mod.rs", 2, vec!["d::mod"]),
            ("d/mod.rs", 3, vec![]),
        ];
        let links = import_links(&files);
        assert_eq!(links, BTreeMap::from([((0, 1), 8), ((2, 3), 4)]));
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
