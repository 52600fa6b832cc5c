//! The inner loop of the exact scan: the integer product of a query and a row.
//!
//! The one place of this crate that knows a processor. Compilers turn the plain loop into SIMD on 64-bit hosts; for wasm they
//! spend five times the instructions, so there it is spelt out with `i32x4.dot_i16x8_s`. No `unsafe`: reads from arrays become
//! vector loads.

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
        i8x16, i16x8, i16x8_extend_low_i8x16, i32x4_add, i32x4_dot_i16x8, i32x4_extract_lane,
        i32x4_splat,
    };

    /// As the plain loop, eight products at a time.
    pub(crate) fn dot(query: &[i16], row: &[i8]) -> i32 {
        let (query_blocks, query_rest) = query.as_chunks::<8>();
        let (row_blocks, row_rest) = row.as_chunks::<8>();
        let mut acc = i32x4_splat(0);
        for (&[a, b, c, d, e, f, g, h], &[i, j, k, l, m, n, o, p]) in
            query_blocks.iter().zip(row_blocks)
        {
            let row = i16x8_extend_low_i8x16(i8x16(i, j, k, l, m, n, o, p, 0, 0, 0, 0, 0, 0, 0, 0));
            acc = i32x4_add(acc, i32x4_dot_i16x8(i16x8(a, b, c, d, e, f, g, h), row));
        }
        let lanes = [
            i32x4_extract_lane::<0>(acc),
            i32x4_extract_lane::<1>(acc),
            i32x4_extract_lane::<2>(acc),
            i32x4_extract_lane::<3>(acc),
        ];
        lanes.iter().sum::<i32>() + super::plain::dot(query_rest, row_rest)
    }

    /// As the plain loop, eight products at a time.
    pub(crate) fn dot_of_rows(one: &[i8], other: &[i8]) -> i32 {
        let (one_blocks, one_rest) = one.as_chunks::<8>();
        let (other_blocks, other_rest) = other.as_chunks::<8>();
        let wide = |&[a, b, c, d, e, f, g, h]: &[i8; 8]| {
            i16x8_extend_low_i8x16(i8x16(a, b, c, d, e, f, g, h, 0, 0, 0, 0, 0, 0, 0, 0))
        };
        let mut acc = i32x4_splat(0);
        for (one, other) in one_blocks.iter().zip(other_blocks) {
            acc = i32x4_add(acc, i32x4_dot_i16x8(wide(one), wide(other)));
        }
        let lanes = [
            i32x4_extract_lane::<0>(acc),
            i32x4_extract_lane::<1>(acc),
            i32x4_extract_lane::<2>(acc),
            i32x4_extract_lane::<3>(acc),
        ];
        lanes.iter().sum::<i32>() + super::plain::dot_of_rows(one_rest, other_rest)
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
