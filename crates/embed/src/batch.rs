//! Texts of like length together, so that a batch is padded little.

use crate::encoder::Tokens;

/// Tokens in a batch, padding included: each costs a vector in memory, several times over while the graph runs.
const MAX_CELLS: usize = 16_384;

/// Some texts as a rectangle of token numbers.
pub(crate) struct Batch {
    /// Indices of the texts, one per row.
    pub(crate) texts: Vec<usize>,
    /// Tokens in a row.
    pub(crate) width: usize,
    /// Row after row; padded beyond the end of a text.
    pub(crate) ids: Vec<i64>,
    /// 1 where there is a token, 0 beyond the end.
    pub(crate) mask: Vec<i64>,
    /// 1 where the token is of the second of two texts.
    pub(crate) types: Vec<i64>,
}

impl Batch {
    pub(crate) fn mask_of(&self, row: usize) -> &[i64] {
        self.mask
            .get(row * self.width..(row + 1) * self.width)
            .unwrap_or(&[])
    }
}

/// Batches of at most `max_batch` texts, shortest first; texts without tokens are left out.
pub(crate) fn batches(texts: Vec<Tokens>, max_batch: usize, padding: u32) -> Vec<Batch> {
    let mut rows: Vec<(usize, Tokens)> = texts
        .into_iter()
        .enumerate()
        .filter(|(_, tokens)| !tokens.ids.is_empty())
        .collect();
    rows.sort_by_key(|(text, tokens)| (tokens.ids.len(), *text));
    let mut batches = Vec::new();
    let mut rest = rows.as_slice();
    while !rest.is_empty() {
        let (batch, later) = rest.split_at(fitting(rest, max_batch));
        batches.push(pad(batch, padding));
        rest = later;
    }
    batches
}

/// Returns the number of rows, sorted by length, that fit into one batch: at least one.
fn fitting(rows: &[(usize, Tokens)], max_batch: usize) -> usize {
    let fits =
        |(row, (_, tokens)): &(usize, &(usize, Tokens))| (row + 1) * tokens.ids.len() <= MAX_CELLS;
    let candidates = rows.iter().take(max_batch.max(1)).enumerate();
    candidates.take_while(fits).count().max(1)
}

fn pad(rows: &[(usize, Tokens)], padding: u32) -> Batch {
    let width = rows.iter().map(|(_, tokens)| tokens.ids.len()).max();
    let width = width.unwrap_or(0);
    let mut batch = Batch {
        texts: Vec::with_capacity(rows.len()),
        width,
        ids: Vec::with_capacity(rows.len() * width),
        mask: Vec::with_capacity(rows.len() * width),
        types: Vec::with_capacity(rows.len() * width),
    };
    for (text, Tokens { ids, types }) in rows {
        batch.texts.push(*text);
        for cell in 0..width {
            let id = ids.get(cell).copied();
            batch.ids.push(i64::from(id.unwrap_or(padding)));
            batch.mask.push(i64::from(id.is_some()));
            let of = types.get(cell).copied().unwrap_or(0);
            batch.types.push(i64::from(of));
        }
    }
    batch
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(lengths: &[usize]) -> Vec<Tokens> {
        let tokens = |length: &usize| Tokens {
            ids: vec![7; *length],
            types: Vec::new(),
        };
        lengths.iter().map(tokens).collect()
    }

    #[test]
    fn long_texts_share_no_batch() {
        let texts = rows(&[MAX_CELLS, 1, MAX_CELLS / 2, MAX_CELLS / 2]);
        let found: Vec<Vec<usize>> = batches(texts, 32, 0)
            .into_iter()
            .map(|batch| batch.texts)
            .collect();
        assert_eq!(found, [vec![1, 2], vec![3], vec![0]]);
    }

    #[test]
    fn like_lengths_go_together() {
        let found = batches(rows(&[5, 1, 0, 2]), 2, 9);
        let shapes: Vec<(Vec<usize>, usize)> = found
            .iter()
            .map(|batch| (batch.texts.clone(), batch.width))
            .collect();
        assert_eq!(shapes, [(vec![1, 3], 2), (vec![0], 5)]);
        assert_eq!(found[0].mask, [1, 0, 1, 1]);
        assert_eq!(found[0].ids, [7, 9, 7, 7]);
        assert_eq!(found[0].types, [0; 4]);
    }
}
