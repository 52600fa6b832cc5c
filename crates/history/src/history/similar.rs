//! Earlier changes whose subjects have words of a text: examples of how such a change was made.

use rustc_hash::FxHashMap;

use super::{CommitInfo, History};

/// Words of the text that are looked for.
const MAX_WORDS: usize = 64;
/// Maximum number of files that are listed for one commit.
const MAX_FILES: usize = 20;
/// Commits that change more files are no example of anything.
const MAX_CHANGED: usize = 50;
/// Words that say nothing about what a commit changed, besides those shorter than three letters.
const COMMON: [&str; 14] = [
    "and", "the", "for", "fix", "fixes", "fixed", "add", "added", "from", "with", "into", "when",
    "not", "use",
];

/// An earlier change.
#[derive(Debug, Clone, PartialEq)]
pub struct Similar {
    /// The commit.
    pub commit: CommitInfo,
    /// Its files, at most 20.
    pub files: Vec<String>,
    /// Part of the text's words, weighted by how rare they are, that its subject has, 0 to 1.
    pub score: f64,
}

impl History {
    /// Returns commits whose subjects share words with a text, at most `limit`, best first; of two as good ones the newer. Reads all subjects:
    /// some milliseconds for 20,000.
    #[must_use]
    pub fn similar(&self, text: &str, limit: usize) -> Vec<Similar> {
        let mut words: Vec<String> = Vec::new();
        for word in words_of(text) {
            if words.len() < MAX_WORDS && !words.contains(&word) {
                words.push(word);
            }
        }
        let number: FxHashMap<&str, usize> = words
            .iter()
            .enumerate()
            .map(|(nth, word)| (word.as_str(), nth))
            .collect();
        let mut n_with = vec![0_u32; words.len()];
        let mut found = Vec::new();
        for (nth, subject) in self.log.subjects.iter().enumerate() {
            let mut bits = 0_u64;
            for word in words_of(subject) {
                bits |= number.get(word.as_str()).map_or(0, |nth| 1 << nth);
            }
            let set = (0..words.len()).filter(|bit| bits >> bit & 1 == 1);
            set.for_each(|bit| n_with[bit] += 1);
            let n_files = self.columns.files_of(nth).len();
            if bits != 0 && (1..=MAX_CHANGED).contains(&n_files) && self.log.is_listed(nth) {
                found.push((nth, bits));
            }
        }
        let n_all = self.log.commits.len() as f64;
        let weight = |n: &u32| (1.0 + n_all / f64::from(*n + 1)).ln();
        let weights: Vec<f64> = n_with.iter().map(weight).collect();
        let all: f64 = weights.iter().sum();
        let score = |bits: u64| -> f64 {
            let set = (0..weights.len()).filter(|bit| bits >> bit & 1 == 1);
            set.map(|bit| weights[bit]).sum::<f64>() / all
        };
        let mut scored: Vec<(f64, usize)> = found
            .into_iter()
            .map(|(nth, bits)| (score(bits), nth))
            .collect();
        scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let similar = |(score, nth): (f64, usize)| Similar {
            commit: self.commit_info(nth),
            files: self
                .files_of(nth)
                .take(MAX_FILES)
                .map(str::to_owned)
                .collect(),
            score,
        };
        scored.into_iter().take(limit).map(similar).collect()
    }
}

/// Words of a text in small letters; names in camel case are one word.
fn words_of(text: &str) -> impl Iterator<Item = String> {
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    let words = words.map(str::to_lowercase);
    words.filter(|word| word.chars().count() > 2 && !COMMON.contains(&word.as_str()))
}
