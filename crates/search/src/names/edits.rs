//! Computes the edit distance of names from a query, for names in order.

/// Optimal string alignment (insert, delete, replace, swap neighbours), a row for each letter of a name. Rows of letters that
/// the next name has, too, are kept.
pub(super) struct EditTable<'a> {
    query: &'a [char],
    letters: Vec<char>,
    /// One row more than letters: the first is that of the empty name.
    rows: Vec<Vec<u32>>,
}

/// Result for a name.
pub(super) enum Read {
    /// The edit distance of the whole name.
    Whole(u32),
    /// This many of its first bytes exceed the limit for any prefix of the query.
    TooFar(usize),
}

impl<'a> EditTable<'a> {
    /// A table for this query, of no name yet.
    pub fn new(query: &'a [char]) -> EditTable<'a> {
        EditTable {
            query,
            letters: Vec::new(),
            rows: vec![(0..=query.len() as u32).collect()],
        }
    }

    /// Reads a name up to the edit limit. Linear in the letters that differ from the last name, times those of the
    /// query.
    pub fn read(&mut self, name: &str, max_edits: u32) -> Read {
        let same = name.chars().zip(&self.letters);
        let n_same = same.take_while(|(one, other)| one == *other).count();
        self.letters.truncate(n_same);
        for (at, letter) in name.char_indices().skip(n_same) {
            self.push(letter);
            let row = self.rows.get(self.letters.len());
            if row
                .and_then(|row| row.iter().min())
                .is_none_or(|&least| least > max_edits)
            {
                return Read::TooFar(at + letter.len_utf8());
            }
        }
        let row = self.rows.get(self.letters.len());
        Read::Whole(row.and_then(|row| row.last()).copied().unwrap_or(u32::MAX))
    }

    fn push(&mut self, letter: char) {
        let n_letters = self.letters.len();
        let mut row = match self.rows.len() > n_letters + 1 {
            true => std::mem::take(&mut self.rows[n_letters + 1]),
            false => {
                self.rows.push(Vec::new());
                Vec::with_capacity(self.query.len() + 1)
            }
        };
        row.clear();
        row.push(n_letters as u32 + 1);
        let last = &self.rows[n_letters];
        let previous = self.letters.last().copied();
        for (idx, &wanted) in self.query.iter().enumerate() {
            let replace = last[idx] + u32::from(letter != wanted);
            let mut best = replace.min(last[idx + 1] + 1).min(row[idx] + 1);
            if idx > 0 && previous == Some(wanted) && self.query[idx - 1] == letter {
                best = best.min(self.rows[n_letters - 1][idx - 1] + 1);
            }
            row.push(best);
        }
        self.rows[n_letters + 1] = row;
        self.letters.push(letter);
    }
}
