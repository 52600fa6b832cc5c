//! Sign codes of all rows, for a scan in two stages over many vectors.
//!
//! A row is 128 bytes, its sign code is 16. The codes select the rows that may be among the nearest: the product of the
//! query with a row of ones of these signs, by a table look-up for each four of its numbers, sixteen rows at once
//! (André, Kermarrec and Le Scouarnec 2015). Exact cosines are computed for the selected rows. Nearly exact: it finds
//! 99 and more of the hundred nearest, and all of the ten nearest (docs/decisions/0016-approximate.md).

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::frozen::ChunkId;
use crate::topk::Best;
use crate::vectors::{ArchivedVectors, QueryVector};

/// Rows that are compared together.
const LANES: usize = 16;
/// Below this many rows the exact scan takes less than a millisecond, and little more than this.
const MIN_ROWS: usize = 100_000;
/// Number of rows whose cosines are computed: a minimum, and a factor of the square root of all rows. See
/// docs/decisions/0016-approximate.md.
const MIN_NEAR: usize = 4_096;
const NEAR_FOR_A_ROOT: f32 = 14.0;
/// Fewer than this for each row that is wanted may be too few, where a filter leaves few of them.
const ENOUGH: usize = 16;
/// The largest number in a table: four of them make a byte.
const LARGEST: f32 = 63.0;
/// Sampling rate of the rows that estimate the spread of the numbers.
const SAMPLE: usize = 8;

/// The signs of a snapshot's rows, made when a second query by meaning is put: for one alone it would not pay.
#[derive(Debug, Default)]
pub struct Signs {
    is_asked: AtomicBool,
    rows: OnceLock<SignRows>,
}

impl Signs {
    /// Computes the codes at once and uses them from the first query on, whether they pay off or not.
    #[must_use]
    pub fn of(vectors: &ArchivedVectors) -> Signs {
        Signs {
            is_asked: AtomicBool::new(true),
            rows: OnceLock::from(SignRows::new(vectors)),
        }
    }

    /// The signs, where they pay.
    pub(crate) fn get(&self, vectors: &ArchivedVectors) -> Option<&SignRows> {
        if let Some(rows) = self.rows.get() {
            return Some(rows);
        }
        // Without an instruction for sixteen look-ups at once, the exact scan is faster.
        const PAYS: bool =
            cfg!(all(target_arch = "wasm32", target_feature = "simd128")) || cfg!(test);
        let is_large =
            PAYS && vectors.n_chunks() >= MIN_ROWS && vectors.dim.to_native().is_multiple_of(8);
        let is_asked = is_large && self.is_asked.swap(true, Ordering::Relaxed);
        is_asked.then(|| self.rows.get_or_init(|| SignRows::new(vectors)))
    }
}

/// Signs of rows, sixteen rows side by side: the first byte of each, the second byte of each, …
#[derive(Debug)]
pub(crate) struct SignRows {
    bytes: Vec<[u8; LANES]>,
    n_rows: usize,
}

impl SignRows {
    pub fn new(vectors: &ArchivedVectors) -> SignRows {
        let dim = vectors.dim.to_native() as usize;
        let n_rows = vectors.n_chunks();
        let n_bytes = dim / 8;
        let mut bytes = vec![[0; LANES]; n_rows.div_ceil(LANES) * n_bytes];
        for (idx, row) in vectors.rows.chunks_exact(dim.max(1)).enumerate() {
            let block = idx / LANES * n_bytes;
            let places = bytes.get_mut(block..block + n_bytes).unwrap_or_default();
            for (place, cells) in places.iter_mut().zip(row.as_chunks::<8>().0) {
                place[idx % LANES] = signs_of(cells);
            }
        }
        SignRows { bytes, n_rows }
    }

    /// Offers the rows nearest to `query` to `best`, nearly always all that are among its `limit` best; none where too few
    /// of them come into question.
    pub fn nearest<B: Best>(
        &self,
        vectors: &ArchivedVectors,
        query: &QueryVector,
        limit: usize,
        mut best: B,
    ) -> Option<B> {
        let scores = self.scores(&query.cells);
        let n_near = (NEAR_FOR_A_ROOT * (self.n_rows as f32).sqrt()) as usize;
        let least = least_of(&scores, n_near.max(MIN_NEAR));
        let mut n_kept = 0;
        let near = (0..).zip(&scores).filter(|(_, score)| **score >= least);
        for (idx, _) in near {
            let chunk = ChunkId(idx);
            if let Some(cosine) = vectors.cosine(query, chunk) {
                n_kept += usize::from(best.offer(chunk, cosine));
            }
        }
        (n_kept >= limit.saturating_mul(ENOUGH)).then_some(best)
    }

    /// For each row what its signs have in common with the query.
    #[inline(never)]
    fn scores(&self, query: &[i16]) -> Vec<u16> {
        let tables = tables(query);
        let n_bytes = query.len() / 8;
        let mut scores = Vec::with_capacity(self.n_rows.next_multiple_of(LANES));
        for block in self.bytes.chunks_exact(n_bytes.max(1)) {
            scores.extend_from_slice(&sums(block, &tables));
        }
        scores.truncate(self.n_rows);
        scores
    }
}

/// A bit for each number that is not negative, the first one lowest.
fn signs_of(cells: &[i8; 8]) -> u8 {
    let bits = cells.iter().enumerate();
    bits.fold(0, |bits, (at, cell)| bits | u8::from(*cell >= 0) << at)
}

/// For each four numbers of the query what each way of having signs counts, from 0 on.
fn tables(query: &[i16]) -> Vec<[u8; 16]> {
    let fours = query.as_chunks::<4>().0;
    let reach = |four: &[i16; 4]| {
        four.iter()
            .map(|number| f32::from(*number).abs())
            .sum::<f32>()
    };
    let largest = fours.iter().map(reach).fold(f32::MIN_POSITIVE, f32::max);
    let table = |four: &[i16; 4]| {
        std::array::from_fn(|signs| {
            let agrees = |at: usize, number: i16| (signs >> at & 1 == 1) == (number >= 0);
            let numbers = four.iter().enumerate();
            let common = numbers.filter(|(at, number)| agrees(*at, **number));
            let common: f32 = common.map(|(_, number)| f32::from(*number).abs()).sum();
            (common / largest * LARGEST).round() as u8
        })
    };
    fours.iter().map(table).collect()
}

/// A number that about `n` of these reach, by a sample of them.
fn least_of(scores: &[u16], n: usize) -> u16 {
    let mut counts: Vec<u32> = Vec::new();
    for score in scores.iter().step_by(SAMPLE) {
        let score = usize::from(*score);
        if score >= counts.len() {
            counts.resize(score + 1, 0);
        }
        counts[score] += 1;
    }
    let mut n_left = (n / SAMPLE) as u32;
    while let Some(count) = counts.pop() {
        if count >= n_left {
            break;
        }
        n_left -= count;
    }
    counts.len() as u16
}

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
use plain::sums;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use simd128::sums;

#[cfg(any(test, not(all(target_arch = "wasm32", target_feature = "simd128"))))]
mod plain {
    use super::LANES;

    /// For each of sixteen rows what its signs find in the tables.
    pub(super) fn sums(block: &[[u8; LANES]], tables: &[[u8; 16]]) -> [u16; LANES] {
        let mut sums = [0; LANES];
        for (bytes, [low, high]) in block.iter().zip(tables.as_chunks::<2>().0) {
            for (sum, byte) in sums.iter_mut().zip(bytes) {
                let found = (low[usize::from(byte & 15)], high[usize::from(byte >> 4)]);
                *sum += u16::from(found.0) + u16::from(found.1);
            }
        }
        sums
    }
}

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128 {
    use std::arch::wasm32::{
        u8x16_add, u8x16_shr, u8x16_splat, u8x16_swizzle, u16x8_add, u16x8_extend_high_u8x16,
        u16x8_extend_low_u8x16, u16x8_extract_lane, u16x8_splat, v128, v128_and, v128_load,
    };

    use super::LANES;

    /// For each of sixteen rows what its signs find in the tables.
    pub(super) fn sums(block: &[[u8; LANES]], tables: &[[u8; 16]]) -> [u16; LANES] {
        let low = u8x16_splat(15);
        let found = |bytes: &[u8; LANES], [first, second]: &[[u8; 16]; 2]| {
            let rows = load(bytes);
            u8x16_add(
                u8x16_swizzle(load(first), v128_and(rows, low)),
                u8x16_swizzle(load(second), u8x16_shr(rows, 4)),
            )
        };
        let (mut front, mut back) = (u16x8_splat(0), u16x8_splat(0));
        let (pairs, rest) = block.as_chunks::<2>();
        let (fours, _) = tables.as_chunks::<4>();
        let mut add = |sums: v128| {
            front = u16x8_add(front, u16x8_extend_low_u8x16(sums));
            back = u16x8_add(back, u16x8_extend_high_u8x16(sums));
        };
        for ([one, other], [a, b, c, d]) in pairs.iter().zip(fours) {
            // Four numbers of six bits fit eight.
            add(u8x16_add(found(one, &[*a, *b]), found(other, &[*c, *d])));
        }
        if let ([last], [.., a, b]) = (rest, tables) {
            add(found(last, &[*a, *b]));
        }
        let [a, b, c, d, e, f, g, h] = lanes(front);
        let [i, j, k, l, m, n, o, p] = lanes(back);
        [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p]
    }

    #[expect(
        unsafe_code,
        reason = "spelt as an array of numbers, the bytes are loaded one by one"
    )]
    fn load(bytes: &[u8; LANES]) -> v128 {
        const { assert!(LANES == size_of::<v128>()) };
        // SAFETY: as many bytes as a vector has, of any alignment.
        unsafe { v128_load(bytes.as_ptr().cast()) }
    }

    fn lanes(sums: v128) -> [u16; 8] {
        [
            u16x8_extract_lane::<0>(sums),
            u16x8_extract_lane::<1>(sums),
            u16x8_extract_lane::<2>(sums),
            u16x8_extract_lane::<3>(sums),
            u16x8_extract_lane::<4>(sums),
            u16x8_extract_lane::<5>(sums),
            u16x8_extract_lane::<6>(sums),
            u16x8_extract_lane::<7>(sums),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topk::{Filtered, TopK};
    use crate::vectors::VectorsBuilder;

    /// Rows in clusters, as those of code: each near to one of some directions.
    fn rows(n: usize, dim: usize) -> Vec<u8> {
        let mut state = 0x2545_f491_4f6c_dd1d_u64;
        let mut number = || {
            // Sums of four are spread like a bell.
            let mut one = || {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                (state >> 40) as f32 / (1 << 24) as f32 - 0.5
            };
            one() + one() + one() + one()
        };
        let centres: Vec<Vec<f32>> = (0..200)
            .map(|_| (0..dim).map(|_| number()).collect())
            .collect();
        let mut builder = VectorsBuilder::new(dim, n);
        for idx in 0..n {
            let centre = &centres[idx * 7919 % centres.len()];
            let vector: Vec<f32> = centre.iter().map(|x| x + number()).collect();
            // Some chunks have none.
            assert!(idx % 97 == 0 || builder.set(ChunkId(idx as u32), &vector));
        }
        rkyv::to_bytes::<rkyv::rancor::Error>(&builder.build())
            .unwrap()
            .to_vec()
    }

    #[test]
    fn most_of_the_nearest_are_found_and_with_their_cosines() {
        let bytes = rows(40_000, 128);
        let mut aligned = rkyv::util::AlignedVec::<16>::new();
        aligned.extend_from_slice(&bytes);
        let vectors = rkyv::access::<ArchivedVectors, rkyv::rancor::Error>(&aligned).unwrap();
        let signs = SignRows::new(vectors);
        let (mut n_found, mut n_wanted) = (0, 0);
        for idx in (1..40_000).step_by(1_333) {
            let (row, _) = vectors.row(ChunkId(idx)).unwrap();
            let turned = row.iter().enumerate();
            let query: Vec<f32> = turned
                .map(|(at, cell)| f32::from(*cell) + (at % 5) as f32 - 2.0)
                .collect();
            let exact = vectors.nearest_exact(&query, 100);
            let query = QueryVector::new(&query).unwrap();
            let near = |keep| {
                let top = TopK::new(100);
                signs.nearest(vectors, &query, 100, Filtered { top, keep })
            };
            let found = near(&|_| true).unwrap().top.into_sorted();
            n_wanted += exact.len();
            n_found += exact.iter().filter(|hit| found.contains(hit)).count();
            // A filter that leaves little is for the exact scan.
            assert!(near(&|chunk| chunk.0 % 50 == 0).is_none());
        }
        assert!(n_found * 100 >= n_wanted * 99, "{n_found} of {n_wanted}");
    }

    #[test]
    fn a_sum_is_what_the_tables_say_of_a_row() {
        let query: Vec<i16> = (0..40)
            .map(|at| (at * 331 % 4_095 - 2_000) as i16)
            .collect();
        let tables = tables(&query);
        let block: Vec<[u8; LANES]> = (0..5_usize)
            .map(|byte| std::array::from_fn(|lane| (byte * 71 + lane * 37) as u8))
            .collect();
        let expected: [u16; LANES] = std::array::from_fn(|lane| {
            let nibbles = block
                .iter()
                .flat_map(|bytes| [bytes[lane] & 15, bytes[lane] >> 4]);
            nibbles
                .zip(&tables)
                .map(|(nibble, table)| u16::from(table[usize::from(nibble)]))
                .sum()
        });
        assert_eq!(sums(&block, &tables), expected);
        assert_eq!(plain::sums(&block, &tables), expected);
        assert!(
            tables
                .iter()
                .flatten()
                .all(|number| f32::from(*number) <= LARGEST)
        );
    }

    #[test]
    fn a_second_query_has_signs_made_where_there_are_many_rows() {
        let few = rows(100, 16);
        let many = rows(MIN_ROWS, 16);
        for (bytes, expected) in [(few, [false; 3]), (many, [false, true, true])] {
            let mut aligned = rkyv::util::AlignedVec::<16>::new();
            aligned.extend_from_slice(&bytes);
            let vectors = rkyv::access::<ArchivedVectors, rkyv::rancor::Error>(&aligned).unwrap();
            let signs = Signs::default();
            assert_eq!([(); 3].map(|()| signs.get(vectors).is_some()), expected);
        }
    }

    #[test]
    fn a_least_number_is_reached_by_about_as_many() {
        let scores: Vec<u16> = (0..10_000_u32)
            .map(|at| (at * 7_919 % 8_000) as u16)
            .collect();
        let least = least_of(&scores, 500);
        let n = scores.iter().filter(|score| **score >= least).count();
        assert!((400..600).contains(&n), "{n}");
        assert_eq!(least_of(&[], 10), 0);
        assert_eq!(least_of(&[3, 4], 100), 0);
    }
}
