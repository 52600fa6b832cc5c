//! The inner loop of the exact scan: the integer product of a query and a row.
//!
//! Knows a processor, as the look-ups of `signs` do. Compilers turn the plain loop into SIMD on 64-bit hosts; for wasm they
//! spend five times the instructions, so there it is spelt out with `i32x4.dot_i16x8_s`.

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
pub(crate) use plain::{dot, dot_of_rows};
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub(crate) use simd128::{dot, dot_of_rows};

mod plain {
    /// Exact as long as `query` holds 12 bits and there are at most 4,096 numbers.
    pub(crate) fn dot(query: &[i16], row: &[i8]) -> i32 {
        query
            .iter()
            .zip(row)
            .map(|(&q, &r)| i32::from(q) * i32::from(r))
            .sum()
    }

    /// Of two rows. Exact at up to 4,096 numbers.
    pub(crate) fn dot_of_rows(one: &[i8], other: &[i8]) -> i32 {
        one.iter()
            .zip(other)
            .map(|(&a, &b)| i32::from(a) * i32::from(b))
            .sum()
    }
}

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128 {
    use std::arch::wasm32::{
        i16x8_load_extend_i8x8, i32x4_add, i32x4_dot_i16x8, i32x4_extract_lane, i32x4_splat, v128,
        v128_load,
    };

    /// As the plain loop, thirty-two products at a time: nothing else unrolls it where an artifact is compiled for size.
    pub(crate) fn dot(query: &[i16], row: &[i8]) -> i32 {
        let (query_blocks, query_rest) = query.as_chunks::<32>();
        let (row_blocks, row_rest) = row.as_chunks::<32>();
        let mut sums = [i32x4_splat(0); 2];
        for (query, row) in query_blocks.iter().zip(row_blocks) {
            let ([q0, q1, q2, q3], [r0, r1, r2, r3]) = (loaded(query), widened(row));
            sums = [plus(sums[0], q0, r0), plus(sums[1], q1, r1)];
            sums = [plus(sums[0], q2, r2), plus(sums[1], q3, r3)];
        }
        total(sums) + super::plain::dot(query_rest, row_rest)
    }

    /// As the plain loop, thirty-two products at a time.
    pub(crate) fn dot_of_rows(one: &[i8], other: &[i8]) -> i32 {
        let (one_blocks, one_rest) = one.as_chunks::<32>();
        let (other_blocks, other_rest) = other.as_chunks::<32>();
        let mut sums = [i32x4_splat(0); 2];
        for (one, other) in one_blocks.iter().zip(other_blocks) {
            let ([a0, a1, a2, a3], [b0, b1, b2, b3]) = (widened(one), widened(other));
            sums = [plus(sums[0], a0, b0), plus(sums[1], a1, b1)];
            sums = [plus(sums[0], a2, b2), plus(sums[1], a3, b3)];
        }
        total(sums) + super::plain::dot_of_rows(one_rest, other_rest)
    }

    fn plus(sum: v128, one: v128, other: v128) -> v128 {
        i32x4_add(sum, i32x4_dot_i16x8(one, other))
    }

    fn total([one, other]: [v128; 2]) -> i32 {
        let sum = i32x4_add(one, other);
        i32x4_extract_lane::<0>(sum)
            + i32x4_extract_lane::<1>(sum)
            + i32x4_extract_lane::<2>(sum)
            + i32x4_extract_lane::<3>(sum)
    }

    #[expect(
        unsafe_code,
        reason = "spelt as an array of numbers, sixteen bytes are loaded one by one"
    )]
    fn loaded(numbers: &[i16; 32]) -> [v128; 4] {
        // SAFETY: each reads eight numbers of two bytes, from the 0th, 8th, 16th and 24th of thirty-two; any alignment is allowed.
        [0, 8, 16, 24].map(|at| unsafe { v128_load(numbers.as_ptr().add(at).cast()) })
    }

    #[expect(unsafe_code, reason = "as above")]
    fn widened(numbers: &[i8; 32]) -> [v128; 4] {
        // SAFETY: each reads eight bytes, from the 0th, 8th, 16th and 24th of thirty-two; any alignment is allowed.
        [0, 8, 16, 24].map(|at| unsafe { i16x8_load_extend_i8x8(numbers.as_ptr().add(at)) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equals_the_sum_of_products_at_every_length() {
        for n in 0..70_i32 {
            let query: Vec<i16> = (0..n)
                .map(|idx| ((idx * 977) % 4095 - 2000) as i16)
                .collect();
            let row: Vec<i8> = (0..n).map(|idx| ((idx * 31) % 255 - 127) as i8).collect();
            let expected: i64 = query
                .iter()
                .zip(&row)
                .map(|(&q, &r)| i64::from(q) * i64::from(r))
                .sum();
            assert_eq!(i64::from(dot(&query, &row)), expected);
            let other: Vec<i8> = row.iter().rev().copied().collect();
            let expected: i32 = row
                .iter()
                .zip(&other)
                .map(|(&a, &b)| i32::from(a) * i32::from(b))
                .sum();
            assert_eq!(dot_of_rows(&row, &other), expected);
        }
    }
}
