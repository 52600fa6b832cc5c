//! The mean of a text's rows: what each token counts, the sum, and its length.

use prost::bytes::Bytes;

/// The vectors of the tokens.
#[derive(Clone)]
pub(crate) enum Table {
    /// Rows of `i8`, from the byte `first` of `file` on, and the scale of each.
    Int8 {
        file: Bytes,
        first: usize,
        scales: Vec<f32>,
    },
    Float {
        rows: Vec<f32>,
    },
}

impl Table {
    /// Adds a row `times` times.
    pub(crate) fn add_row(&self, id: usize, times: f32, sum: &mut [f32]) {
        let range = |first: usize| first + id * sum.len()..first + (id + 1) * sum.len();
        match self {
            Table::Int8 {
                file,
                first,
                scales,
            } => {
                let (Some(row), Some(&scale)) = (file.get(range(*first)), scales.get(id)) else {
                    return;
                };
                add_scaled(row, scale * times, sum);
            }
            Table::Float { rows } => {
                let Some(row) = rows.get(range(0)) else {
                    return;
                };
                sum.iter_mut()
                    .zip(row)
                    .for_each(|(x, cell)| *x += cell * times);
            }
        }
    }
}

/// Below this a sum of rows has no direction.
const MIN_NORM: f32 = 1e-12;

/// Counts the tokens of texts. A table with a place for every token of the vocabulary is made at the first long text: a query
/// has a few tokens, and to clear the table would cost it more than all else.
pub(crate) struct Counter {
    n_tokens: usize,
    /// Empty, or a 0 for every token between two texts.
    counts: Vec<u32>,
}

/// Maximum number of tokens of a text whose tokens are compared with each other.
const FEW: usize = 32;

impl Counter {
    pub(crate) fn new(n_tokens: usize) -> Counter {
        Counter {
            n_tokens,
            counts: Vec::new(),
        }
    }

    /// Calls `add` with each token of a text and what it counts, in the order in which they come first, each in one go: a
    /// chunk says the same words many times.
    pub(crate) fn for_each_token(
        &mut self,
        ids: &[u32],
        power: f32,
        mut add: impl FnMut(usize, f32),
    ) {
        let ids = ids.iter().filter(|id| (**id as usize) < self.n_tokens);
        if ids.clone().count() <= FEW {
            for (at, id) in ids.clone().enumerate() {
                if !ids.clone().take(at).any(|other| other == id) {
                    let count = ids.clone().skip(at).filter(|other| *other == id).count();
                    add(*id as usize, weight(count as u32, power));
                }
            }
            return;
        }
        self.counts.resize(self.n_tokens, 0);
        for id in ids.clone() {
            let count = &mut self.counts[*id as usize];
            *count = count.saturating_add(1);
        }
        for id in ids {
            let count = std::mem::take(&mut self.counts[*id as usize]);
            if count > 0 {
                add(*id as usize, weight(count, power));
            }
        }
    }
}

/// Returns the weight of a token with this count.
fn weight(count: u32, power: f32) -> f32 {
    if count == 1 || power == 1.0 {
        count as f32
    } else if power == 0.5 {
        (count as f32).sqrt()
    } else {
        (count as f32).powf(power)
    }
}

/// A sum of rows as a direction; all zero where it has none.
pub(crate) fn normalise(vector: &mut [f32]) {
    let norm = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
    if norm > MIN_NORM && norm.is_finite() {
        vector.iter_mut().for_each(|x| *x /= norm);
    } else {
        vector.fill(0.0);
    }
}

/// Adds a row of eight-bit numbers, as its bytes.
pub(crate) fn add_scaled(row: &[u8], factor: f32, sum: &mut [f32]) {
    sum.iter_mut()
        .zip(row)
        .for_each(|(x, &cell)| *x += f32::from(cell.cast_signed()) * factor);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counted(counter: &mut Counter, ids: &[u32]) -> Vec<(usize, f32)> {
        let mut all = Vec::new();
        counter.for_each_token(ids, 1.0, |id, times| all.push((id, times)));
        all
    }

    #[test]
    fn short_and_long_texts_are_counted_alike() {
        let mut counter = Counter::new(10);
        let text = [3, 9, 3, 10, 0, 9, 3];
        assert_eq!(counted(&mut counter, &text), [(3, 3.0), (9, 2.0), (0, 1.0)]);
        assert!(counter.counts.is_empty());
        let long = text.repeat(FEW);
        let times = FEW as f32;
        let expected = [(3, 3.0 * times), (9, 2.0 * times), (0, times)];
        for _ in 0..2 {
            assert_eq!(counted(&mut counter, &long), expected);
        }
    }
}
