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

/// Calls `add` with each token of a text and what it counts, in the order in which they come first, each in one go: a chunk says the same
/// words many times. `counts` has a 0 for every token, before and after.
pub(crate) fn for_each_token(
    ids: &[u32],
    counts: &mut [u32],
    power: f32,
    mut add: impl FnMut(usize, f32),
) {
    for &id in ids {
        if let Some(count) = counts.get_mut(id as usize) {
            *count = count.saturating_add(1);
        }
    }
    for &id in ids {
        if let Some(count) = counts.get_mut(id as usize).filter(|count| **count > 0) {
            add(id as usize, weight(std::mem::take(count), power));
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
