//! Encrypts bytes with a passphrase, and paths with a key. Does not interpret the bytes.
//!
//! | function | cipher |
//! |---|---|
//! | [`encrypt`], [`decrypt`]: a whole file, with a passphrase | Argon2id, then AES-256-GCM-SIV |
//! | [`PathKey::encrypt_path`], [`PathKey::decrypt_path`]: a path, component by component, deterministic | AES-256-SIV |
//! | [`PathKey::encrypt`], [`PathKey::decrypt`]: bytes, with the same key | AES-256-GCM-SIV |
//!
//! Nothing here makes random numbers: salts and nonces are arguments, each to be used once. Both modes tolerate a nonce
//! that is used twice by mistake: it reveals only whether two texts are equal.
//!
//! ```
//! # use portolan_seal::{Cost, decrypt, encrypt};
//! let file = encrypt(b"a snapshot", b"correct horse", [7; 16], [9; 12], Cost::LEAST).unwrap();
//! assert_eq!(decrypt(&file, b"correct horse").unwrap(), b"a snapshot");
//! assert_eq!(decrypt(&file, b"wrong horse").unwrap_err().code(), "seal.passphrase");
//! ```

mod base32;
mod error;
mod file;
mod paths;

pub use error::SealError;
pub use file::{Cost, MAGIC, OVERHEAD, decrypt, encrypt, is_encrypted};
pub use paths::PathKey;
