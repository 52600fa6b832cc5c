//! How much two versions of a file have in common.

use imara_diff::sources::byte_lines;
use rustc_hash::FxHashMap;

/// Similarity from which a file under another path is the same one, as in git.
pub(crate) const SIMILAR: f64 = 0.5;
/// Longer texts are not compared, bytes.
const MAX_BYTES: usize = 1 << 20;

/// Part of the longer text's bytes that are in lines of both, 0 to 1; 0 without a look where it is below [`SIMILAR`] by their lengths.
pub(crate) fn similarity(a: &[u8], b: &[u8]) -> f64 {
    let (longer, shorter) = (a.len().max(b.len()), a.len().min(b.len()));
    if longer > MAX_BYTES || (shorter as f64) < longer as f64 * SIMILAR {
        return 0.0;
    }
    let mut lines: FxHashMap<&[u8], u32> = FxHashMap::default();
    for line in byte_lines(a) {
        *lines.entry(line).or_default() += 1;
    }
    let mut n_shared = 0;
    for line in byte_lines(b) {
        if let Some(n) = lines.get_mut(line).filter(|n| **n > 0) {
            *n -= 1;
            n_shared += line.len();
        }
    }
    n_shared as f64 / longer.max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn similar_texts() {
        assert!(similarity(b"a\nb\nc\nd\n", b"a\nb\nc\nx\n") > 0.7);
        assert!(similarity(b"a\na\na\na\n", b"a\nx\ny\nz\n") < 0.3);
        assert!(similarity(b"", b"") < 0.1);
    }
}
