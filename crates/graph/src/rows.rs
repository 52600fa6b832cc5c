//! Entries grouped by a small number, such as the declarations of each scope or the edges of each node.

use std::ops::Range;

/// Entries of each key one after the other; those of key `n` are `entries[offsets[n]..offsets[n + 1]]`.
#[derive(Debug)]
pub struct Rows<T> {
    offsets: Vec<u32>,
    entries: Vec<T>,
}

impl<T> Default for Rows<T> {
    fn default() -> Self {
        Rows {
            offsets: Vec::new(),
            entries: Vec::new(),
        }
    }
}

impl<T: Copy> Rows<T> {
    /// Groups entries by their keys. Those of one key stay in their order; keys from `n_keys` on are left out. Linear.
    #[must_use]
    pub fn new(n_keys: usize, entries: &[T], key: impl Fn(&T) -> u32) -> Self {
        Self::of_each(n_keys, entries.iter().copied(), key)
    }

    /// As [`Self::new`], of entries in several places.
    #[must_use]
    pub fn of_each(
        n_keys: usize,
        entries: impl Iterator<Item = T> + Clone,
        key: impl Fn(&T) -> u32,
    ) -> Self {
        // Offsets are shifted by two while counting and by one while placing, so that no second table of next places is
        // needed.
        let mut offsets = vec![0u32; n_keys + 2];
        for entry in entries.clone() {
            if let Some(count) = offsets.get_mut((key(&entry) as usize).saturating_add(2)) {
                *count += 1;
            }
        }
        for index in 2..offsets.len() {
            offsets[index] += offsets[index - 1];
        }
        let n_entries = offsets[n_keys + 1] as usize;
        let mut placed = match entries.clone().next() {
            Some(first) => vec![first; n_entries],
            None => Vec::new(),
        };
        for entry in entries {
            let key = key(&entry) as usize;
            if key < n_keys {
                let next = &mut offsets[key + 1];
                placed[*next as usize] = entry;
                *next += 1;
            }
        }
        offsets.truncate(n_keys + 1);
        Rows {
            offsets,
            entries: placed,
        }
    }

    /// Returns the entries of a key.
    #[must_use]
    pub fn of(&self, key: u32) -> &[T] {
        &self.entries[self.range(key)]
    }

    /// Puts the entries of each key into order.
    pub fn sort_each_by_key<K: Ord>(&mut self, order: impl Fn(&T) -> K) {
        for key in 0..self.offsets.len().saturating_sub(1) as u32 {
            let range = self.range(key);
            if range.len() > 1 {
                self.entries[range].sort_unstable_by_key(&order);
            }
        }
    }

    /// Returns all entries, by key.
    #[must_use]
    pub fn into_entries(self) -> Vec<T> {
        self.entries
    }

    fn range(&self, key: u32) -> Range<usize> {
        let key = key as usize;
        match (self.offsets.get(key), self.offsets.get(key.wrapping_add(1))) {
            (Some(start), Some(end)) => *start as usize..*end as usize,
            _ => 0..0,
        }
    }
}

/// One column of records. The field is a pointer, so that columns of one type share their code.
#[inline(never)]
pub(crate) fn column<T, F>(records: &[T], field: fn(&T) -> F) -> Vec<F> {
    records.iter().map(field).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn nothing_has_no_rows() {
        let rows: Rows<u32> = Rows::new(0, &[], |entry| *entry);
        assert_eq!((rows.of(0), rows.of(u32::MAX)), (&[][..], &[][..]));
        assert_eq!(Rows::new(0, &[3, 4], |entry| *entry).of(3), [0u32; 0]);
    }

    proptest! {
        #[test]
        fn rows_are_a_stable_sort(entries in prop::collection::vec((0u32..9, 0u32..5), 0..40)) {
            let mut rows = Rows::new(7, &entries, |(key, _)| *key);
            for key in 0..9 {
                let wanted: Vec<_> = entries.iter().filter(|(of, _)| *of == key && key < 7).copied().collect();
                prop_assert_eq!(rows.of(key), &wanted[..]);
            }
            rows.sort_each_by_key(|(_, value)| *value);
            let mut wanted: Vec<_> = entries.into_iter().filter(|(key, _)| *key < 7).collect();
            wanted.sort_unstable();
            prop_assert_eq!(rows.into_entries(), wanted);
        }
    }
}
