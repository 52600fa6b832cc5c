//! One Zstandard frame, made in memory that is kept.
//!
//! Zstandard makes a context for each frame, with tables that it clears: 3 MB for a frame of a megabyte. Natively an allocator gives memory of
//! that size back to the system, and two fifths of all page faults of an index came from it. A context that is used again is not
//! certain to give the same bytes, because it salts the hashes of its rows. So each frame has a new context, in memory of an
//! earlier one.

#[cfg(not(target_family = "wasm"))]
use kept::compress;
#[cfg(target_family = "wasm")]
use zstd_safe::compress;

/// Appends one frame of `bytes` to `packed`, which grows by no more than the frame takes.
pub(super) fn push_frame(packed: &mut Vec<u8>, bytes: &[u8], level: i32) {
    // Room for any frame, of its own, so that what is kept is as long as it says; not filled before, so that only what is written
    // takes memory.
    let mut frame = Vec::with_capacity(zstd_safe::compress_bound(bytes.len()));
    match compress(&mut frame, bytes, level) {
        Ok(_) => packed.extend_from_slice(&frame),
        Err(code) => unreachable!(
            "a frame has room for what it is made of: {}",
            zstd_safe::get_error_name(code)
        ),
    }
}

#[cfg(not(target_family = "wasm"))]
mod kept {
    use std::sync::{Mutex, MutexGuard, PoisonError};

    use zstd_sys::{
        ZSTD_compressCCtx, ZSTD_estimateCCtxSize_usingCParams, ZSTD_getCParams,
        ZSTD_initStaticCCtx, ZSTD_isError,
    };

    /// Memory for a context: words, because it must be aligned like them. It has a length of 0, and nothing in it outlives a call.
    type Room = Vec<u64>;

    /// Rooms that no thread uses, of 4 MB at most each.
    static ROOMS: Mutex<Vec<Room>> = Mutex::new(Vec::new());
    /// As many are kept, however many threads there are.
    const MAX_ROOMS: usize = 2;

    /// [`zstd_safe::compress`], with a context in memory that is kept. The same bytes.
    pub(super) fn compress(frame: &mut Vec<u8>, bytes: &[u8], level: i32) -> zstd_safe::SafeResult {
        let mut room = rooms().pop().unwrap_or_default();
        let made = compress_in(&mut room, frame, bytes, level);
        let mut rooms = rooms();
        if rooms.len() < MAX_ROOMS {
            rooms.push(room);
        }
        drop(rooms);
        match made {
            Some(n_packed) => Ok(n_packed),
            None => zstd_safe::compress(frame, bytes, level),
        }
    }

    fn rooms() -> MutexGuard<'static, Vec<Room>> {
        ROOMS.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The length of the frame, which takes the place of all that was in its vector; nothing where the vector is too short for it.
    #[expect(unsafe_code, reason = "zstd-safe makes no context in given memory")]
    fn compress_in(
        room: &mut Room,
        frame: &mut Vec<u8>,
        bytes: &[u8],
        level: i32,
    ) -> Option<usize> {
        frame.clear();
        // SAFETY: both take numbers and return numbers.
        let n_room = unsafe {
            ZSTD_estimateCCtxSize_usingCParams(ZSTD_getCParams(level, bytes.len() as u64, 0))
        };
        room.reserve_exact(n_room.div_ceil(size_of::<u64>()));
        let (to, n_to) = (frame.as_mut_ptr(), frame.capacity());
        // SAFETY: the room is writable, aligned to eight bytes, has at least `n_room`, and is borrowed until the last call. It is the
        // only memory of the context, which needs no end. A frame is written within the capacity of its vector, and has the
        // length that is returned unless that is an error.
        unsafe {
            let context = ZSTD_initStaticCCtx(room.as_mut_ptr().cast(), n_room);
            if context.is_null() {
                return None;
            }
            let from = bytes.as_ptr().cast();
            let n_packed = ZSTD_compressCCtx(context, to.cast(), n_to, from, bytes.len(), level);
            if ZSTD_isError(n_packed) != 0 {
                return None;
            }
            frame.set_len(n_packed);
            Some(n_packed)
        }
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        /// Bytes that pack as text does: some letters are frequent, and words return.
        fn text(n_bytes: usize, seed: u32) -> Vec<u8> {
            let mut state = seed;
            let mut next = |n: u32| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (state >> 16) % n
            };
            let letters = b"  etaoinshrdlu\n";
            (0..n_bytes)
                .map(|_| letters[(next(4) * next(4) + next(6)) as usize])
                .collect()
        }

        #[test]
        fn frames_are_those_of_new_contexts() {
            let lengths = [0, 1, 9, 300, 131_072, 70_000, 1 << 20, 65_536, 2];
            let mut room = Room::new();
            for level in [1, 3, 6, 9] {
                for (seed, n_bytes) in lengths.into_iter().enumerate() {
                    let bytes = text(n_bytes, seed as u32);
                    let bound = zstd_safe::compress_bound(n_bytes);
                    let mut kept = Vec::with_capacity(bound);
                    let mut new = Vec::with_capacity(bound);
                    let n_kept = compress_in(&mut room, &mut kept, &bytes, level);
                    let n_new = zstd_safe::compress(&mut new, &bytes, level);
                    assert_eq!(n_kept, n_new.ok(), "{n_bytes} bytes, level {level}");
                    assert!(kept == new, "{n_bytes} bytes, level {level}");
                }
            }
        }

        #[test]
        fn a_frame_without_room_is_an_error() {
            let bytes = text(1_000, 7);
            let mut frame = Vec::with_capacity(20);
            assert_eq!(compress_in(&mut Room::new(), &mut frame, &bytes, 6), None);
            assert!(frame.is_empty());
            assert!(compress(&mut frame, &bytes, 6).is_err());
        }

        #[test]
        fn threads_share_few_rooms() {
            let bytes = text(10_000, 1);
            let bound = zstd_safe::compress_bound(bytes.len());
            let mut new = Vec::with_capacity(bound);
            assert!(zstd_safe::compress(&mut new, &bytes, 6).is_ok());
            std::thread::scope(|scope| {
                for _ in 0..4 {
                    scope.spawn(|| {
                        let mut frame = Vec::with_capacity(bound);
                        for _ in 0..50 {
                            assert_eq!(compress(&mut frame, &bytes, 6), Ok(new.len()));
                            assert!(frame == new);
                        }
                    });
                }
            });
            assert!(rooms().len() <= MAX_ROOMS);
        }
    }
}
