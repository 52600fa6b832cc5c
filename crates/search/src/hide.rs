//! Removes the terms of paths from a lexical index, for an index that is shared without them.

use crate::frozen::Lexical;
use crate::terms::Field;

/// The four bits of a posting's counts that are those of [`Field::Path`]; see [`crate::counts`].
const PATH_COUNT: u16 = 0x0F00;

impl Lexical {
    /// Removes the words of paths: they cannot be found, guessed by their hashes, or read. The class of a file (test,
    /// generated) stays. Linear.
    pub fn forget_paths(&mut self) {
        self.path_words.clear();
        self.word_ends.clear();
        self.path_starts.fill(0);
        self.stem_counts.fill(0);
        self.stem_names.fill(0);
        for lengths in &mut self.field_lengths {
            lengths[Field::Path as usize] = 0;
        }
        let mut starts = Vec::with_capacity(self.posting_starts.len());
        let mut terms = Vec::with_capacity(self.terms.len());
        let (mut chunks, mut counts) = (Vec::new(), Vec::new());
        starts.push(0);
        for (term, bounds) in self.terms.iter().zip(self.posting_starts.windows(2)) {
            let [start, end] = [0, 1].map(|idx| bounds.get(idx).map_or(0, |at| *at as usize));
            let n_before = chunks.len();
            let postings = self.posting_chunks.iter().zip(&self.posting_counts);
            for (chunk, count) in postings.take(end).skip(start) {
                if count & !PATH_COUNT != 0 {
                    chunks.push(*chunk);
                    counts.push(count & !PATH_COUNT);
                }
            }
            if chunks.len() > n_before {
                terms.push(*term);
                starts.push(chunks.len() as u32);
            }
        }
        self.terms = terms;
        self.posting_starts = starts;
        self.posting_chunks = chunks;
        self.posting_counts = counts;
        self.weigh();
    }
}
