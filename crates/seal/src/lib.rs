//! Closes bytes with a passphrase, and paths with a key. Knows nothing of what the bytes are.
//!
//! | what | how |
//! |---|---|
//! | [`close`], [`open`]: a whole file, by a passphrase | Argon2id, then AES-256-GCM-SIV |
//! | [`PathKey::encipher`], [`PathKey::decipher`]: a path, part by part, the same way every time | AES-256-SIV |
//! | [`PathKey::close`], [`PathKey::open`]: bytes, by the same key | AES-256-GCM-SIV |
//!
//! Nothing here makes random numbers: salts and nonces are arguments, each to be used once. Both modes bear a nonce that is used twice
//! by mistake: it shows only whether two texts are the same.
//!
//! ```
//! # use portolan_seal::{Cost, close, open};
//! let file = close(b"a snapshot", b"correct horse", [7; 16], [9; 12], Cost::LEAST).unwrap();
//! assert_eq!(open(&file, b"correct horse").unwrap(), b"a snapshot");
//! assert_eq!(open(&file, b"wrong horse").unwrap_err().code(), "seal.passphrase");
//! ```

mod base32;
mod error;
mod file;
mod paths;

pub use error::SealError;
pub use file::{Cost, MAGIC, OVERHEAD, close, is_closed, open};
pub use paths::PathKey;
