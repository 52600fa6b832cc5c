//! Packs the counts of a term in the fields of a chunk into 16 bits, and computes the weight from them.
//!
//! Four counts of four bits each: exact up to 12, then 16, 24 and 40. At that many occurrences BM25 is nearly
//! saturated, and the next step up adds a hundredth to the weight. Unlike weights, most counts are the same small
//! number, which compresses well.

use crate::terms::N_FIELDS;

/// Counts by code.
const LEVELS: [u8; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 16, 24, 40];

/// Counts of one posting, four bits a field; the last field, whose counts differ most, lowest.
pub(crate) fn pack(counts: &[u8; N_FIELDS]) -> u16 {
    counts
        .iter()
        .fold(0, |packed, count| packed << 4 | step_of(*count))
}

fn step_of(count: u8) -> u16 {
    u16::from(STEPS[usize::from(count)])
}

/// The highest step that a count reaches.
const STEPS: [u8; 256] = {
    let mut steps = [0; 256];
    let mut count = 1;
    while count < 256 {
        let step: u8 = steps[count - 1];
        let next = step as usize + 1;
        let reaches = next < LEVELS.len() && count >= LEVELS[next] as usize;
        steps[count] = step + reaches as u8;
        count += 1;
    }
    steps
};

fn level(packed: u16, field: usize) -> f32 {
    let shift = 4 * (N_FIELDS - 1 - field);
    f32::from(LEVELS[usize::from(packed >> shift & 15)])
}

/// Returns the fields that contain a term, as [`crate::Field`] bits.
pub(crate) fn fields(packed: u16) -> u8 {
    (0..N_FIELDS)
        .filter(|field| level(packed, *field) > 0.0)
        .fold(0, |bits, field| bits | 1 << field)
}

/// The largest weight there can be is `k1 + 1`, reached by a term without end.
pub(crate) fn weight_unit(k1: f32) -> f32 {
    (k1 + 1.0) / f32::from(u16::MAX)
}

/// The weight of a posting in units of [`weight_unit`], given what one occurrence in each field counts in its chunk.
pub(crate) fn weight(packed: u16, norms: &[f32; N_FIELDS], k1: f32) -> u16 {
    let counts = norms.iter().enumerate();
    let count: f32 = counts
        .map(|(field, norm)| level(packed, field) * norm)
        .sum();
    let share = count / (k1 + count).max(f32::MIN_POSITIVE);
    // A field of weight 0 is not searched; a searched field is never rounded to 0.
    if count > 0.0 {
        ((share * f32::from(u16::MAX) + 0.5) as u16).max(1)
    } else {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_in_sixteen_bits() {
        assert_eq!(pack(&[0, 1, 2, 12]), 0x012c);
        assert_eq!(pack(&[255, 15, 16, 23]), 0xfcdd);
        assert_eq!(fields(0x012c), 0b1110);
        assert_eq!(weight(0, &[1.0; N_FIELDS], 1.2), 0);
        assert_eq!(weight(0x0001, &[1.0; N_FIELDS], 1.0), 32_768);
    }
}
