//! Searches the names: exact, then by case, prefix and substring, then a few edits away.

use super::edits::{EditTable, Read};
use super::{ArchivedNames, MatchKind, letters_of};

impl ArchivedNames {
    /// Returns the payloads of the names similar to `query`, at most `limit`: best match first, then shorter names,
    /// then in order. Edits are considered only if nothing matches better, one for names of at least 4 letters, two
    /// from 8. One pass over one number per name; names are compared only if their letters fit, or (edits) their prefix
    /// does.
    #[must_use]
    pub fn lookup(&self, query: &str, limit: usize) -> Vec<(u32, MatchKind)> {
        let matches = self.ranked(query, limit).into_iter();
        let payloads = matches.flat_map(|(kind, idx)| {
            self.payloads_of(idx)
                .iter()
                .map(move |payload| (payload.to_native(), kind))
        });
        payloads.take(limit).collect()
    }

    /// The names near to `query` themselves, as [`ArchivedNames::lookup`] orders them.
    #[must_use]
    pub fn near_names(&self, query: &str, limit: usize) -> Vec<(&str, MatchKind)> {
        let matches = self.ranked(query, limit).into_iter();
        matches
            .take(limit)
            .map(|(kind, idx)| (self.name(idx), kind))
            .collect()
    }

    fn ranked(&self, query: &str, limit: usize) -> Vec<(MatchKind, usize)> {
        let folded = query.to_lowercase();
        if folded.is_empty() || limit == 0 {
            return Vec::new();
        }
        let mut matches = self.matches(query, &folded);
        if matches.is_empty() {
            matches = self.near(&folded);
        }
        let order = |&(kind, idx): &(MatchKind, usize)| (kind, self.folded_name(idx).len(), idx);
        if matches.len() > limit {
            matches.select_nth_unstable_by_key(limit - 1, order);
            matches.truncate(limit);
        }
        matches.sort_unstable_by_key(order);
        matches
    }

    /// Returns the payloads of the names spelt exactly like `query`.
    #[must_use]
    pub fn exact(&self, query: &str) -> Vec<u32> {
        let folded = query.to_lowercase();
        self.range_of(&folded)
            .take_while(|&idx| self.folded_name(idx) == folded)
            .filter(|&idx| self.name(idx) == query)
            .flat_map(|idx| {
                self.payloads_of(idx)
                    .iter()
                    .map(|payload| payload.to_native())
            })
            .collect()
    }

    fn matches(&self, query: &str, folded: &str) -> Vec<(MatchKind, usize)> {
        let wanted = letters_of(folded);
        let candidates = self
            .letters
            .iter()
            .enumerate()
            .filter(|(_, letters)| letters.to_native() & wanted == wanted);
        candidates
            .filter_map(|(idx, _)| Some((self.match_of(idx, query, folded)?, idx)))
            .collect()
    }

    fn match_of(&self, idx: usize, query: &str, folded: &str) -> Option<MatchKind> {
        let name = self.folded_name(idx);
        match name.find(folded)? {
            0 if name.len() == folded.len() && self.name(idx) == query => Some(MatchKind::Exact),
            0 if name.len() == folded.len() => Some(MatchKind::Case),
            0 => Some(MatchKind::Prefix),
            _ => Some(MatchKind::Substring),
        }
    }

    /// Names a few edits away. Names come in order, so neighbours share their beginning and its rows of the table of edits; a
    /// beginning that is already too far off rules out all names that begin so.
    pub(super) fn near(&self, folded: &str) -> Vec<(MatchKind, usize)> {
        let query: Vec<char> = folded.chars().collect();
        let max_edits = match query.len() {
            0..4 => return Vec::new(),
            4..8 => 1,
            _ => 2,
        };
        let mut table = EditTable::new(&query);
        let mut near = Vec::new();
        let mut idx = 0;
        while idx < self.len() {
            let name = self.folded_name(idx);
            match table.read(name, max_edits) {
                Read::Whole(edits) => {
                    if (1..=max_edits).contains(&edits) {
                        near.push((MatchKind::Edit(edits as u8), idx));
                    }
                    idx += 1;
                }
                Read::TooFar(n_bytes) => {
                    idx = self.end_of_prefix(idx, name.get(..n_bytes).unwrap_or(name))
                }
            }
        }
        near
    }

    /// The first name after `idx`, which starts with `prefix`, that does not.
    fn end_of_prefix(&self, idx: usize, prefix: &str) -> usize {
        let has_it = |idx: usize| idx < self.len() && self.folded_name(idx).starts_with(prefix);
        let mut step = 1;
        while has_it(idx + step) {
            step *= 2;
        }
        let (mut low, mut high) = (idx + step / 2, idx + step);
        while low + 1 < high {
            let middle = low.midpoint(high);
            if has_it(middle) {
                low = middle
            } else {
                high = middle
            }
        }
        high.max(idx + 1).min(self.len())
    }

    /// Names from the first one that is not below `folded`.
    fn range_of(&self, folded: &str) -> impl Iterator<Item = usize> + use<> {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low.midpoint(high);
            if self.folded_name(middle) < folded {
                low = middle + 1
            } else {
                high = middle
            }
        }
        low..self.len()
    }
}
