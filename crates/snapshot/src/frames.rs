//! Packed bytes: one Zstandard frame, or several of about a megabyte.
//!
//! Long columns are cut where they begin and at every megabyte, so that an edit changes the frames of the columns that it is
//! in. A frame that an earlier file has, too, is copied from there: compressing takes ten times as long as unpacking. Where frames
//! are cut follows from the bytes alone, so an updated file is that of building anew.

use std::ops::Range;

use rustc_hash::FxHashMap;
use xxhash_rust::xxh3::xxh3_128;

use super::compress::push_frame;

/// Bytes from which on a frame ends with its column; a longer column is cut into frames of this size. Half of the window of the
/// level that is used: smaller ones pack worse.
const FRAME: usize = 1 << 20;
/// How a frame begins, as a number.
const MAGIC: [u8; 4] = 0xFD2F_B528_u32.to_le_bytes();

/// The frames of an earlier file, by a digest of their bytes.
#[derive(Default)]
pub(super) struct KnownFrames(FxHashMap<u128, Box<[u8]>>);

impl KnownFrames {
    /// Adds the frames in the bytes of a section: any number of frames, with lengths of four bytes before some of them.
    pub fn add(&mut self, section: &[u8]) {
        let mut rest = section;
        let mut bytes = Vec::new();
        while rest.len() > MAGIC.len() {
            if !rest.starts_with(&MAGIC) {
                rest = &rest[MAGIC.len()..];
                continue;
            }
            let n_packed = zstd_safe::find_frame_compressed_size(rest);
            let Some((frame, after)) = n_packed.ok().and_then(|n| rest.split_at_checked(n)) else {
                return;
            };
            rest = after;
            let n_bytes = zstd_safe::get_frame_content_size(frame);
            let Some(n_bytes) = n_bytes.ok().flatten().filter(|n| *n <= 2 * FRAME as u64) else {
                continue;
            };
            bytes.clear();
            bytes.reserve(n_bytes as usize);
            if zstd_safe::decompress(&mut bytes, frame).is_ok() {
                self.0.insert(xxh3_128(&bytes), frame.into());
            }
        }
    }

    fn get(&self, bytes: &[u8]) -> Option<&[u8]> {
        if self.0.is_empty() {
            return None;
        }
        self.0.get(&xxh3_128(bytes)).map(|frame| &**frame)
    }
}

/// Packs bytes: their number in four bytes, then their frames. `starts` says where columns begin, in rising order.
pub(super) fn pack(bytes: &[u8], starts: &[usize], level: i32, known: &KnownFrames) -> Vec<u8> {
    let mut packed = (bytes.len() as u32).to_le_bytes().to_vec();
    for range in cut(bytes.len(), starts) {
        let bytes = bytes.get(range).unwrap_or_default();
        match known.get(bytes) {
            Some(frame) => packed.extend_from_slice(frame),
            None => push_frame(&mut packed, bytes, level),
        }
    }
    packed
}

/// The frames of `n_bytes`, at least one.
fn cut(n_bytes: usize, starts: &[usize]) -> Vec<Range<usize>> {
    let mut frames = Vec::new();
    let mut first = 0;
    let mut end_at = |end: usize, first: &mut usize| {
        if end > *first {
            frames.push(*first..end);
            *first = end;
        }
    };
    let ends = starts.iter().skip(1).copied().chain([n_bytes]);
    for (start, end) in starts.iter().copied().zip(ends) {
        if end - start > FRAME {
            end_at(start, &mut first);
            while end - first > FRAME {
                let next = first + FRAME;
                end_at(next, &mut first);
            }
        } else if end - first >= FRAME {
            end_at(end, &mut first);
        }
    }
    end_at(n_bytes, &mut first);
    if frames.is_empty() {
        frames.push(0..0);
    }
    frames
}

#[cfg(test)]
mod tests {
    use super::super::columns::unpack;
    use super::*;

    /// Bytes that pack a little.
    fn noise(n: usize, seed: u32) -> Vec<u8> {
        let mut state = seed;
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 27) as u8
        };
        (0..n).map(|_| next()).collect()
    }

    #[test]
    fn frames_cover_all_bytes_and_long_columns_have_their_own() {
        let only = |n_bytes: usize, starts: &[usize]| {
            let frames = cut(n_bytes, starts);
            frames.first().cloned().filter(|_| frames.len() == 1)
        };
        assert_eq!(only(0, &[]), Some(0..0));
        assert_eq!(only(90, &[0, 40]), Some(0..90));
        let (short, long) = (FRAME / 2, 2 * FRAME + 5);
        let starts = [0, short, short + long, 2 * short + long];
        let n_bytes = 4 * FRAME;
        let frames = cut(n_bytes, &starts);
        assert_eq!(
            frames[..3],
            [
                0..short,
                short..short + FRAME,
                short + FRAME..short + 2 * FRAME
            ]
        );
        assert_eq!(frames.iter().map(Range::len).sum::<usize>(), n_bytes);
        assert!(frames.windows(2).all(|pair| pair[0].end == pair[1].start));
    }

    #[test]
    fn packed_bytes_take_no_more_than_their_room() {
        let packed = pack(&[7; FRAME], &[], 1, &KnownFrames::default());
        assert!(
            packed.capacity() < 4 * packed.len(),
            "{}",
            packed.capacity()
        );
    }

    #[test]
    fn known_frames_give_the_same_bytes() {
        let (first, second) = (noise(3 * FRAME / 2, 1), noise(2 * FRAME, 2));
        let starts = [0, first.len()];
        let bytes = [first.clone(), second.clone()].concat();
        let before = pack(&bytes, &starts, 1, &KnownFrames::default());
        assert_eq!(unpack(&before).as_deref(), Ok(&bytes[..]));
        let mut known = KnownFrames::default();
        known.add(&[&before[..], &before[..]].concat());
        assert_eq!(known.0.len(), 4);
        // A byte more in the first column: the second has the same frames.
        let edited = [&first[..], &[7], &second].concat();
        let starts = [0, first.len() + 1];
        let is_known = |range: Range<usize>| known.get(&edited[range]).is_some();
        let known_frames: Vec<bool> = cut(edited.len(), &starts)
            .into_iter()
            .map(is_known)
            .collect();
        assert_eq!(known_frames, [true, false, true, true]);
        let anew = pack(&edited, &starts, 1, &KnownFrames::default());
        assert!(pack(&edited, &starts, 1, &known) == anew);
        assert_eq!(unpack(&anew), Ok(edited));
        known.add(&before[..before.len() - 9]);
        known.add(b"\x28\xb5\x2f\xfdno frame");
    }
}
