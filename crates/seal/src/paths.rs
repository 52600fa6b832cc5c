//! Paths under a key: each part by itself, so that folders stay folders, and always the same way, so that two exports agree.
//!
//! A part is enciphered with the path above it as associated data: equal names in different folders look different. Its
//! length is rounded up to 16 bytes. A short ending (`.py`) stays readable, since it says no more than the language, which a snapshot
//! tells anyway.

use aes_gcm_siv::Aes256GcmSiv;
use aes_gcm_siv::aead::{Aead, Payload};
use aes_siv::KeyInit;
use aes_siv::siv::Aes256Siv;

use crate::{SealError, base32};

/// Names are padded with zeros to a multiple of this.
const BLOCK: usize = 16;
/// Endings up to this length stay as they are.
const LONGEST_ENDING: usize = 8;
const NONCE: usize = 12;

/// A key for paths, made of 32 random bytes.
#[derive(Clone)]
pub struct PathKey {
    siv: [u8; 64],
    bulk: [u8; 32],
}

impl PathKey {
    /// The key of these bytes.
    #[must_use]
    pub fn new(secret: &[u8; 32]) -> Self {
        let mut siv = [0; 64];
        blake3::Hasher::new_derive_key("portolan 1 paths")
            .update(secret)
            .finalize_xof()
            .fill(&mut siv);
        Self {
            siv,
            bulk: blake3::derive_key("portolan 1 bytes", secret),
        }
    }

    /// The path as others see it. A `/` at the end stays. Linear in its length.
    #[must_use]
    pub fn encrypt_path(&self, path: &str) -> String {
        let mut parts = Vec::new();
        for (above, part) in parts_of(path) {
            let (name, ending) = split_ending(part);
            parts.push(if name.is_empty() && ending.is_empty() {
                String::new()
            } else {
                base32::encode(&self.part(above, name)) + ending
            });
        }
        parts.join("/")
    }

    /// Decrypts the output of [`PathKey::encrypt_path`].
    ///
    /// # Errors
    /// [`SealError::Key`] if the key is wrong or the path was changed.
    pub fn decrypt_path(&self, path: &str) -> Result<String, SealError> {
        let mut plain = String::new();
        for (part_idx, part) in path.split('/').enumerate() {
            let (name, ending) = split_ending(part);
            let above = plain.clone();
            if part_idx > 0 {
                plain.push('/');
            }
            if part.is_empty() {
                continue;
            }
            let encrypted = base32::decode(name).ok_or(SealError::Key)?;
            let padded = self
                .cipher()?
                .decrypt([above.as_bytes()], &encrypted)
                .map_err(|_| SealError::Key)?;
            let name = padded.split(|&byte| byte == 0).next().unwrap_or_default();
            plain.push_str(std::str::from_utf8(name).map_err(|_| SealError::Key)?);
            plain.push_str(ending);
        }
        Ok(plain)
    }

    /// Encrypts bytes; the nonce must be random and is stored before them.
    ///
    /// # Errors
    /// [`SealError::TooLarge`].
    pub fn encrypt(
        &self,
        nonce: [u8; NONCE],
        what: &str,
        contents: &[u8],
    ) -> Result<Vec<u8>, SealError> {
        let payload = Payload {
            msg: contents,
            aad: what.as_bytes(),
        };
        let encrypted = self
            .bulk()?
            .encrypt(&nonce.into(), payload)
            .map_err(|_| SealError::TooLarge)?;
        Ok([&nonce[..], &encrypted].concat())
    }

    /// Decrypts the output of [`PathKey::encrypt`] under the same name.
    ///
    /// # Errors
    /// [`SealError::Key`], [`SealError::Truncated`].
    pub fn decrypt(&self, what: &str, encrypted: &[u8]) -> Result<Vec<u8>, SealError> {
        let (nonce, contents) = encrypted
            .split_first_chunk::<NONCE>()
            .ok_or(SealError::Truncated)?;
        let payload = Payload {
            msg: contents,
            aad: what.as_bytes(),
        };
        self.bulk()?
            .decrypt(nonce.into(), payload)
            .map_err(|_| SealError::Key)
    }

    fn part(&self, above: &str, name: &str) -> Vec<u8> {
        let mut padded = name.as_bytes().to_vec();
        padded.resize(name.len().max(1).next_multiple_of(BLOCK), 0);
        // Encrypting fails for texts of 2^36 bytes only.
        self.cipher()
            .and_then(|mut cipher| {
                cipher
                    .encrypt([above.as_bytes()], &padded)
                    .map_err(|_| SealError::TooLarge)
            })
            .unwrap_or_default()
    }

    fn cipher(&self) -> Result<Aes256Siv, SealError> {
        Aes256Siv::new_from_slice(&self.siv).map_err(|_| SealError::Key)
    }

    fn bulk(&self) -> Result<Aes256GcmSiv, SealError> {
        Aes256GcmSiv::new_from_slice(&self.bulk).map_err(|_| SealError::Key)
    }
}

impl std::fmt::Debug for PathKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("PathKey(…)")
    }
}

/// Each part with the path above it.
fn parts_of(path: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut start: usize = 0;
    path.split('/').map(move |part| {
        let above = &path[..start.saturating_sub(1)];
        start += part.len() + 1;
        (above, part)
    })
}

/// `tax.ts` → `tax`, `.ts`; an ending of other characters than letters and digits, or a long one, belongs to the name.
fn split_ending(part: &str) -> (&str, &str) {
    match part.rfind('.') {
        Some(at) if at > 0 && is_plain(&part[at + 1..]) => part.split_at(at),
        _ => (part, ""),
    }
}

fn is_plain(ending: &str) -> bool {
    (1..=LONGEST_ENDING).contains(&ending.len())
        && ending.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};
    use proptest::prelude::*;

    fn key() -> PathKey {
        PathKey::new(&[5; 32])
    }

    fn check(path: &str, expected: Expect) {
        let enciphered = key().encrypt_path(path);
        expected.assert_eq(&enciphered);
        assert_eq!(key().decrypt_path(&enciphered).as_deref(), Ok(path));
    }

    #[test]
    fn a_path_is_the_same_every_time() {
        check(
            "src/tax.ts",
            expect![
                "2mvnsy4qbzfg6ivusywiodn7t3k75j4dda65gfrawow37bur7ikq/md7wosyfzovs2ji4ig3kn3evbo2m3fyugcacxl5q4zpmjm2jawdq.ts"
            ],
        );
        check(
            "src/",
            expect!["2mvnsy4qbzfg6ivusywiodn7t3k75j4dda65gfrawow37bur7ikq/"],
        );
        check("", expect![[""]]);
    }

    #[test]
    fn equal_names_in_different_folders_look_different() {
        let [a, b] = ["a/index.js", "b/index.js"].map(|path| key().encrypt_path(path));
        assert_ne!(
            a.split_once('/').map(|(_, name)| name.to_owned()),
            b.split_once('/').map(|(_, name)| name.to_owned())
        );
        let [c, d] = ["a/x.js", "a/y.js"].map(|path| key().encrypt_path(path));
        assert_eq!(
            c.split_once('/').map(|(folder, _)| folder.to_owned()),
            d.split_once('/').map(|(folder, _)| folder.to_owned())
        );
    }

    #[test]
    fn another_key_or_a_changed_path_is_refused() {
        let enciphered = key().encrypt_path("src/tax.ts");
        assert_eq!(
            PathKey::new(&[6; 32]).decrypt_path(&enciphered),
            Err(SealError::Key)
        );
        assert_eq!(key().decrypt_path("src/tax.ts"), Err(SealError::Key));
        let moved = format!("x/{enciphered}");
        assert_eq!(key().decrypt_path(&moved), Err(SealError::Key));
    }

    #[test]
    fn bytes_are_closed_under_a_name() {
        let encrypted = key()
            .encrypt([3; 12], "originals", b"paths")
            .expect("encrypted");
        assert_eq!(
            key().decrypt("originals", &encrypted).as_deref(),
            Ok(&b"paths"[..])
        );
        assert_eq!(key().decrypt("others", &encrypted), Err(SealError::Key));
        assert_eq!(
            PathKey::new(&[6; 32]).decrypt("originals", &encrypted),
            Err(SealError::Key)
        );
        assert_eq!(
            key().decrypt("originals", &encrypted[..5]),
            Err(SealError::Truncated)
        );
        assert_eq!(
            key().decrypt("originals", &encrypted[..20]),
            Err(SealError::Key)
        );
    }

    proptest! {
        #[test]
        fn there_and_back(path in "[a-zäß. _-]{1,20}(/[a-zäß. _-]{1,20}){0,3}/?") {
            prop_assert_eq!(key().decrypt_path(&key().encrypt_path(&path)), Ok(path));
        }

        #[test]
        fn any_text_is_refused_or_read(path in ".{0,60}") {
            let _ = key().decrypt_path(&path);
        }
    }
}
