//! Decompresses zlib streams into buffers of a known length, piece by piece.

use miniz_oxide::inflate::TINFLStatus;
use miniz_oxide::inflate::core::inflate_flags::{
    TINFL_FLAG_HAS_MORE_INPUT, TINFL_FLAG_PARSE_ZLIB_HEADER,
    TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF,
};
use miniz_oxide::inflate::core::{DecompressorOxide, decompress};

use crate::Error;

/// DEFLATE makes at most 1,032 bytes of one, and a stream has a header.
const MAX_RATIO: u64 = 1_032;

/// A decompressor that is used again for the next stream: its tables are large and its start is cheap.
pub(crate) struct Inflater {
    state: Box<DecompressorOxide>,
}

/// Whether `n` bytes can come out of `packed` ones.
pub(crate) fn plausible(n: u64, packed: u64) -> bool {
    n <= packed.saturating_mul(MAX_RATIO)
}

impl Inflater {
    /// Makes a decompressor.
    pub fn new() -> Self {
        Self {
            state: Box::default(),
        }
    }

    /// Fills `out` from the start of a stream that comes in pieces; an empty piece is the end of the file. Returns how many bytes the
    /// stream has given: fewer than `out` has if the stream is shorter.
    ///
    /// # Errors
    ///
    /// `history.damaged` if it is no zlib stream or ends too early; errors of `next`.
    pub fn fill<P: AsRef<[u8]>>(
        &mut self,
        out: &mut [u8],
        mut next: impl FnMut() -> Result<P, Error>,
    ) -> Result<usize, Error> {
        self.state.init();
        let flags = TINFL_FLAG_PARSE_ZLIB_HEADER
            | TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF
            | TINFL_FLAG_HAS_MORE_INPUT;
        let mut written = 0;
        loop {
            let piece = next()?;
            let piece = piece.as_ref();
            if piece.is_empty() {
                return Err(Error::damaged("a compressed object ends too early"));
            }
            let (status, _, n) = decompress(&mut self.state, piece, out, written, flags);
            written += n;
            match status {
                TINFLStatus::Done | TINFLStatus::HasMoreOutput => return Ok(written),
                TINFLStatus::NeedsMoreInput => {}
                _ => return Err(Error::damaged("a compressed object is no zlib stream")),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use miniz_oxide::deflate::compress_to_vec_zlib;

    #[test]
    fn streams_come_in_any_pieces() {
        let text: Vec<u8> = (0..50_000_u32)
            .flat_map(|n| (n * n).to_le_bytes())
            .collect();
        let packed = compress_to_vec_zlib(&text, 6);
        let mut inflater = Inflater::new();
        for n_piece in [1, 7, 4_096, packed.len()] {
            let mut pieces = packed.chunks(n_piece);
            let mut out = vec![0; text.len()];
            let n = inflater.fill(&mut out, || Ok(pieces.next().unwrap_or_default()));
            assert_eq!(n, Ok(text.len()));
            assert!(out == text);
        }
        let mut start = [0; 10];
        let n = inflater.fill(&mut start, || Ok(&packed[..]));
        assert_eq!((n, &start[..]), (Ok(10), &text[..10]));
    }

    #[test]
    fn broken_streams_are_errors() {
        let packed = compress_to_vec_zlib(&[7; 1_000], 6);
        let mut out = vec![0; 1_000];
        let mut inflater = Inflater::new();
        let mut once = [&packed[..packed.len() - 6], &[]].into_iter();
        let cut = inflater.fill(&mut out, || Ok(once.next().unwrap_or_default()));
        assert_eq!(cut.unwrap_err().code(), "history.damaged");
        let noise = inflater.fill(&mut out, || Ok(&b"no zlib at all"[..]));
        assert_eq!(noise.unwrap_err().code(), "history.damaged");
        assert!(plausible(1_000, 10) && !plausible(20_000, 10));
    }
}
