//! The digest of a file's text, which shows whether it is unchanged.

/// BLAKE3 of the bytes: equal digests mean equal texts, also where someone tries to make them collide.
#[must_use]
pub fn digest(text: &[u8]) -> [u8; 32] {
    *blake3::hash(text).as_bytes()
}
