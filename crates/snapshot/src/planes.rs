//! From byte planes to numbers: the inner loops of opening.
//!
//! Compilers turn the plain loops into SIMD on 64-bit hosts. For wasm they are spelt out, as a process of one question runs them in a
//! first tier that does not optimise, where an instruction for four numbers counts four times.

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
pub(super) use plain::{merge, nibbles, sum};
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub(super) use simd128::{merge, nibbles, sum};

/// Small numbers for small steps whatever their sign: 0, −1, 1, −2 are 0, 1, 2, 3.
pub(super) fn zigzag32(step: u32) -> u32 {
    (step << 1) ^ ((step as i32) >> 31) as u32
}

/// The reverse of [`zigzag32`].
pub(super) fn unzigzag32(coded: u32) -> u32 {
    (coded >> 1) ^ (coded & 1).wrapping_neg()
}

#[cfg_attr(
    all(target_arch = "wasm32", target_feature = "simd128"),
    allow(dead_code)
)]
mod plain {
    use super::unzigzag32;

    /// Numbers whose bytes are in as many planes as there are slices of one length, the lowest first; four at most.
    pub(crate) fn merge(planes: &[&[u8]], values: &mut [u32]) {
        for (shift, plane) in (0..32).step_by(8).zip(planes) {
            for (value, byte) in values.iter_mut().zip(*plane) {
                *value |= u32::from(*byte) << shift;
            }
        }
    }

    /// Replaces differences by their sums, from `last` on.
    pub(crate) fn sum(values: &mut [u32], mut last: u32) {
        for value in values {
            last = last.wrapping_add(unzigzag32(*value));
            *value = last;
        }
    }

    /// Two numbers of four bits and a sign a byte, the lower half first.
    pub(crate) fn nibbles(bytes: &[u8], cells: &mut [i8]) {
        for (byte, pair) in bytes.iter().zip(cells.chunks_exact_mut(2)) {
            pair[0] = (byte << 4) as i8 >> 4;
            pair[1] = *byte as i8 >> 4;
        }
    }
}

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128 {
    use std::arch::wasm32::{
        i8x16_shl, i8x16_shr, i8x16_shuffle, i32x4_add, i32x4_neg, i32x4_shuffle, u8x16_splat,
        u32x4_extract_lane, u32x4_shr, u32x4_splat, v128, v128_and, v128_load, v128_store,
        v128_xor,
    };

    use super::plain;

    #[expect(unsafe_code, reason = "there is no other vector load")]
    fn load<T>(block: &T) -> v128 {
        const { assert!(size_of::<T>() == size_of::<v128>()) };
        // SAFETY: the block is readable, as long as a vector, and any bytes are a vector; it need not be aligned.
        unsafe { v128_load(std::ptr::from_ref(block).cast()) }
    }

    #[expect(unsafe_code, reason = "there is no other vector store")]
    fn store<T: Copy>(block: &mut [T], vector: v128) {
        assert!(size_of_val(block) == size_of::<v128>());
        // SAFETY: the block is writable and as long as a vector, and any bytes are numbers; it need not be aligned. `T` is an integer: this
        // function is private, and called with those only.
        unsafe { v128_store(block.as_mut_ptr().cast(), vector) }
    }

    /// Bytes of both in turn: of their first halves, of their second halves.
    fn zip8(low: v128, high: v128) -> [v128; 2] {
        [
            i8x16_shuffle::<0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23>(low, high),
            i8x16_shuffle::<8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31>(
                low, high,
            ),
        ]
    }

    /// Pairs of bytes of both in turn: of their first halves, of their second halves.
    fn zip16(low: v128, high: v128) -> [v128; 2] {
        [
            i8x16_shuffle::<0, 1, 16, 17, 2, 3, 18, 19, 4, 5, 20, 21, 6, 7, 22, 23>(low, high),
            i8x16_shuffle::<8, 9, 24, 25, 10, 11, 26, 27, 12, 13, 28, 29, 14, 15, 30, 31>(
                low, high,
            ),
        ]
    }

    /// As the plain loop, sixteen at a time.
    pub(crate) fn merge(planes: &[&[u8]], values: &mut [u32]) {
        let plane = |idx: usize| planes.get(idx).map(|plane| plane.as_chunks::<16>().0);
        let zero = u8x16_splat(0);
        let (blocks, rest) = values.as_chunks_mut::<16>();
        let [first, second, third, fourth] = [plane(0), plane(1), plane(2), plane(3)];
        for (idx, block) in blocks.iter_mut().enumerate() {
            let bytes = |plane: Option<&[[u8; 16]]>| {
                plane.and_then(|plane| plane.get(idx)).map_or(zero, load)
            };
            let low = zip8(bytes(first), bytes(second));
            let high = match third {
                Some(_) => zip8(bytes(third), bytes(fourth)),
                None => [zero; 2],
            };
            for (half, (low, high)) in block.chunks_exact_mut(8).zip(low.into_iter().zip(high)) {
                let [a, b] = zip16(low, high);
                store(&mut half[..4], a);
                store(&mut half[4..], b);
            }
        }
        let n_done = blocks.len() * 16;
        let rests = [0, 1, 2, 3].map(|idx| planes.get(idx).and_then(|plane| plane.get(n_done..)));
        let rests: Vec<&[u8]> = rests.into_iter().flatten().collect();
        plain::merge(&rests, rest);
    }

    /// As the plain loop, four at a time.
    pub(crate) fn sum(values: &mut [u32], last: u32) {
        let zero = u32x4_splat(0);
        let mut last = u32x4_splat(last);
        let (blocks, rest) = values.as_chunks_mut::<4>();
        for block in blocks {
            let coded = load(block);
            let sign = i32x4_neg(v128_and(coded, u32x4_splat(1)));
            let steps = v128_xor(u32x4_shr(coded, 1), sign);
            let pairs = i32x4_add(steps, i32x4_shuffle::<4, 0, 1, 2>(steps, zero));
            let sums = i32x4_add(pairs, i32x4_shuffle::<4, 4, 0, 1>(pairs, zero));
            let sums = i32x4_add(sums, last);
            store(block, sums);
            last = i32x4_shuffle::<3, 3, 3, 3>(sums, sums);
        }
        plain::sum(rest, u32x4_extract_lane::<0>(last));
    }

    /// As the plain loop, sixteen bytes at a time.
    pub(crate) fn nibbles(bytes: &[u8], cells: &mut [i8]) {
        let (blocks, rest) = bytes.as_chunks::<16>();
        let n_done = blocks.len() * 32;
        for (block, cells) in blocks.iter().zip(cells.chunks_exact_mut(32)) {
            let block = load(block);
            let low = i8x16_shr(i8x16_shl(block, 4), 4);
            let [first, second] = zip8(low, i8x16_shr(block, 4));
            store(&mut cells[..16], first);
            store(&mut cells[16..], second);
        }
        plain::nibbles(rest, cells.get_mut(n_done..).unwrap_or_default());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_out_of_their_planes_at_every_length() {
        for n in 0..70_usize {
            for n_planes in 0..=4 {
                let mask = (1_u64 << (8 * n_planes)) - 1;
                let expected: Vec<u32> = (0..n as u64)
                    .map(|idx| ((idx * 2_654_435_761) & mask) as u32)
                    .collect();
                let planes: Vec<Vec<u8>> = (0..n_planes)
                    .map(|plane| {
                        expected
                            .iter()
                            .map(|value| (value >> (8 * plane)) as u8)
                            .collect()
                    })
                    .collect();
                let planes: Vec<&[u8]> = planes.iter().map(Vec::as_slice).collect();
                let mut values = vec![0; n];
                merge(&planes, &mut values);
                assert_eq!(values, expected, "{n} numbers of {n_planes} bytes");
            }
            let mut values: Vec<u32> = (0..n as u32)
                .map(|idx| idx.wrapping_mul(2_654_435_761))
                .collect();
            let mut last = 7_u32;
            let expected: Vec<u32> = values
                .iter()
                .map(|value| {
                    last = last.wrapping_add(unzigzag32(*value));
                    last
                })
                .collect();
            sum(&mut values, 7);
            assert_eq!(values, expected);
            let bytes: Vec<u8> = (0..n).map(|idx| (idx * 37) as u8).collect();
            let mut cells = vec![0; 2 * n];
            nibbles(&bytes, &mut cells);
            for (byte, pair) in bytes.iter().zip(cells.chunks(2)) {
                assert_eq!((pair[0] as u8 & 15) | (pair[1] as u8) << 4, *byte);
                assert!(pair.iter().all(|cell| (-8..8).contains(cell)));
            }
        }
    }
}
