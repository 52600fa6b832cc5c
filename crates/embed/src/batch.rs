//! Texts of like length together, so that a batch is padded little.

use crate::Tokenizer;

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
    rows.chunks(max_batch).map(pad).collect()
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
