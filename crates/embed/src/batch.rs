//! Texts of like length together, so that a batch is padded little.

use crate::Tokenizer;

/// Tokens in a batch, padding included: each costs a vector in memory, several times over while the graph runs.
const MAX_CELLS: usize = 16_384;

/// Some texts as a rectangle of token numbers.
pub(crate) struct Batch {
    /// Which texts, one a row.
    pub(crate) texts: Vec<usize>,
    /// Tokens in a row.
    pub(crate) width: usize,
    /// Row after row; what is beyond a text's end is 0.
    pub(crate) ids: Vec<i64>,
    /// 1 where there is a token, 0 beyond the end.
    pub(crate) mask: Vec<i64>,
}

impl Batch {
    pub(crate) fn mask_of(&self, row: usize) -> &[i64] {
        self.mask
            .get(row * self.width..(row + 1) * self.width)
            .unwrap_or(&[])
    }
}

/// Batches of at most `max_batch` texts, shortest first; texts without tokens are left out, those with more than `max_tokens` cut.
pub(crate) fn batches(
    tokenizer: &Tokenizer,
    texts: &[&str],
    max_batch: usize,
    max_tokens: usize,
) -> Vec<Batch> {
    let mut rows: Vec<(usize, Vec<u32>)> = texts
        .iter()
        .map(|text| encode(tokenizer, text, max_tokens))
        .enumerate()
        .filter(|(_, ids)| !ids.is_empty())
        .collect();
    rows.sort_by_key(|(text, ids)| (ids.len(), *text));
    let mut batches = Vec::new();
    let mut rest = rows.as_slice();
    while !rest.is_empty() {
        let (batch, later) = rest.split_at(fitting(rest, max_batch));
        batches.push(pad(batch));
        rest = later;
    }
    batches
}

/// How many of the rows, which grow longer, go into one batch: at least one.
fn fitting(rows: &[(usize, Vec<u32>)], max_batch: usize) -> usize {
    let fits = |(row, (_, ids)): &(usize, &(usize, Vec<u32>))| (row + 1) * ids.len() <= MAX_CELLS;
    let candidates = rows.iter().take(max_batch.max(1)).enumerate();
    candidates.take_while(fits).count().max(1)
}

fn encode(tokenizer: &Tokenizer, text: &str, max_tokens: usize) -> Vec<u32> {
    let mut ids = Vec::new();
    tokenizer.encode(text, &mut ids);
    ids.truncate(max_tokens);
    ids
}

fn pad(rows: &[(usize, Vec<u32>)]) -> Batch {
    let width = rows.iter().map(|(_, ids)| ids.len()).max().unwrap_or(0);
    let mut batch = Batch {
        texts: Vec::new(),
        width,
        ids: vec![0; rows.len() * width],
        mask: vec![0; rows.len() * width],
    };
    for ((text, ids), (cells, mask)) in rows.iter().zip(
        batch
            .ids
            .chunks_exact_mut(width)
            .zip(batch.mask.chunks_exact_mut(width)),
    ) {
        batch.texts.push(*text);
        for ((cell, used), &id) in cells.iter_mut().zip(mask).zip(ids) {
            (*cell, *used) = (i64::from(id), 1);
        }
    }
    batch
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_share_no_batch() {
        let tokenizer = Tokenizer::from_json(include_bytes!("../model/tokenizer.json")).unwrap();
        let long = "a ".repeat(MAX_CELLS);
        let half = "a ".repeat(MAX_CELLS / 2);
        let texts = [long.as_str(), "x", half.as_str(), half.as_str()];
        let rows: Vec<Vec<usize>> = batches(&tokenizer, &texts, 32, usize::MAX)
            .into_iter()
            .map(|batch| batch.texts)
            .collect();
        assert_eq!(rows, [vec![1, 2], vec![3], vec![0]]);
    }

    #[test]
    fn like_lengths_go_together() {
        let tokenizer = Tokenizer::from_json(include_bytes!("../model/tokenizer.json")).unwrap();
        let found = batches(&tokenizer, &["a b c d e", "x", "", "a b"], 2, 4);
        let shapes: Vec<(Vec<usize>, usize)> = found
            .iter()
            .map(|batch| (batch.texts.clone(), batch.width))
            .collect();
        assert_eq!(shapes, [(vec![1, 3], 2), (vec![0], 4)]);
        assert_eq!(found[0].mask, [1, 0, 1, 1]);
    }
}
