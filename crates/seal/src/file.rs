//! A file encrypted with a passphrase.
//!
//! ```text
//! 0   magic "PORTSEAL"        24  salt   [u8; 16]
//! 8   version    u8 = 1       40  nonce  [u8; 12]
//! 9   derivation u8 = 1       52  length of the contents  u64
//! 10  zero       u16          60  check of the key        [u8; 16]
//! 12  memory     u32, KiB     76  zero   [u8; 4]
//! 16  passes     u32          80  contents, AES-256-GCM-SIV, with bytes 0 to 80 as associated data
//! 20  lanes      u32          …   tag, 16 bytes
//! ```
//!
//! Numbers are little-endian. Argon2id (RFC 9106) derives 48 bytes: the key, and a check value that distinguishes a
//! wrong passphrase from changed contents. The check value does not help an attacker: each guess costs one Argon2id
//! with it and without it.

use aes_gcm_siv::aead::AeadInOut;
use aes_gcm_siv::{Aes256GcmSiv, KeyInit};
use argon2::{Algorithm, Argon2, Params, Version};

use crate::SealError;

/// First bytes of an encrypted file.
pub const MAGIC: &[u8; 8] = b"PORTSEAL";
const VERSION: u8 = 1;
const ARGON2ID: u8 = 1;
const HEAD: usize = 80;
const TAG: usize = 16;
const KEY: usize = 32;
const CHECK: usize = 16;

/// Number of bytes that encryption adds.
pub const OVERHEAD: usize = HEAD + TAG;

/// Cost of deriving the key, for encryption, decryption and each guess.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cost {
    /// Memory, in KiB.
    pub memory: u32,
    /// Passes over it.
    pub passes: u32,
}

impl Cost {
    /// 64 MiB and three passes: the second choice of RFC 9106, with one lane, since WebAssembly has one thread. Some 0.3 s.
    pub const USUAL: Self = Self {
        memory: 64 * 1024,
        passes: 3,
    };
    /// The minimum that Argon2 allows: for tests.
    pub const LEAST: Self = Self {
        memory: 8,
        passes: 1,
    };
    /// Decryption refuses more than this: a file must not make its reader run out of memory or time. 256 MiB and four
    /// passes take 13 s in WebAssembly, forty times as long as [`Cost::USUAL`].
    pub const MOST: Self = Self {
        memory: 256 * 1024,
        passes: 4,
    };
}

/// Returns true if a file begins like one encrypted with a passphrase.
#[must_use]
pub fn is_encrypted(file: &[u8]) -> bool {
    file.starts_with(MAGIC)
}

/// Encrypts `contents`. Salt and nonce must be random.
///
/// # Errors
/// [`SealError::TooLarge`] above 64 GiB; [`SealError::Cost`] for one that Argon2 does not know, or that [`decrypt`] would refuse.
pub fn encrypt(
    contents: &[u8],
    passphrase: &[u8],
    salt: [u8; 16],
    nonce: [u8; 12],
    cost: Cost,
) -> Result<Vec<u8>, SealError> {
    check(cost)?;
    let derived = derive(passphrase, &salt, cost)?;
    let mut file = Vec::with_capacity(HEAD + contents.len() + TAG);
    file.extend_from_slice(MAGIC);
    file.extend_from_slice(&[VERSION, ARGON2ID, 0, 0]);
    for number in [cost.memory, cost.passes, 1] {
        file.extend_from_slice(&number.to_le_bytes());
    }
    file.extend_from_slice(&salt);
    file.extend_from_slice(&nonce);
    file.extend_from_slice(&(contents.len() as u64).to_le_bytes());
    file.extend_from_slice(&derived[KEY..]);
    file.extend_from_slice(&[0; 4]);
    file.extend_from_slice(contents);
    let (head, body) = file.split_at_mut(HEAD);
    let tag = cipher(&derived)?
        .encrypt_inout_detached(&nonce.into(), head, body.into())
        .map_err(|_| SealError::TooLarge)?;
    file.extend_from_slice(&tag);
    Ok(file)
}

/// Decrypts a file that was encrypted with this passphrase.
///
/// # Errors
/// Every fault has its own: see [`SealError`].
pub fn decrypt(file: &[u8], passphrase: &[u8]) -> Result<Vec<u8>, SealError> {
    if !is_encrypted(file) {
        let is_start = !file.is_empty() && MAGIC.starts_with(file);
        return Err(if is_start {
            SealError::Truncated
        } else {
            SealError::Foreign
        });
    }
    let head = file.get(..HEAD).ok_or(SealError::Truncated)?;
    let [version, derivation] = [head[8], head[9]];
    if version != VERSION || derivation != ARGON2ID {
        return Err(SealError::Version(version.max(2)));
    }
    let [memory, passes, lanes] = [12, 16, 20].map(|at| u32::from_le_bytes(bytes(head, at)));
    let cost = Cost { memory, passes };
    check(cost)?;
    if lanes != 1 {
        return Err(SealError::Cost);
    }
    let length =
        usize::try_from(u64::from_le_bytes(bytes(head, 52))).map_err(|_| SealError::Truncated)?;
    let body = file[HEAD..].get(..length).ok_or(SealError::Truncated)?;
    let tag: [u8; TAG] = file[HEAD + length..]
        .get(..TAG)
        .and_then(|tag| tag.try_into().ok())
        .ok_or(SealError::Truncated)?;
    if file.len() != HEAD + length + TAG {
        return Err(SealError::Changed);
    }
    let salt: [u8; 16] = bytes(head, 24);
    let derived = derive(passphrase, &salt, cost)?;
    if derived[KEY..] != head[60..60 + CHECK] {
        return Err(SealError::Passphrase);
    }
    let nonce: [u8; 12] = bytes(head, 40);
    let mut contents = body.to_vec();
    cipher(&derived)?
        .decrypt_inout_detached(
            &nonce.into(),
            head,
            contents.as_mut_slice().into(),
            &tag.into(),
        )
        .map_err(|_| SealError::Changed)?;
    Ok(contents)
}

/// Refuses what a file must not ask of its reader.
fn check(cost: Cost) -> Result<(), SealError> {
    if cost.memory > Cost::MOST.memory || cost.passes > Cost::MOST.passes {
        return Err(SealError::Cost);
    }
    Ok(())
}

fn derive(passphrase: &[u8], salt: &[u8], cost: Cost) -> Result<[u8; KEY + CHECK], SealError> {
    let mut derived = [0; KEY + CHECK];
    let params = Params::new(cost.memory, cost.passes, 1, Some(derived.len()))
        .map_err(|_| SealError::Cost)?;
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
        .hash_password_into(passphrase, salt, &mut derived)
        .map_err(|_| SealError::Cost)?;
    Ok(derived)
}

fn cipher(derived: &[u8]) -> Result<Aes256GcmSiv, SealError> {
    Aes256GcmSiv::new_from_slice(&derived[..KEY]).map_err(|_| SealError::Key)
}

/// A field of the head, which is known to be long enough.
fn bytes<const N: usize>(head: &[u8], at: usize) -> [u8; N] {
    let mut field = [0; N];
    field.copy_from_slice(&head[at..at + N]);
    field
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const SALT: [u8; 16] = [1; 16];
    const NONCE: [u8; 12] = [2; 12];

    fn encrypted(contents: &[u8]) -> Vec<u8> {
        encrypt(contents, b"passphrase", SALT, NONCE, Cost::LEAST).expect("an encrypted file")
    }

    fn code_of(change: impl Fn(&mut Vec<u8>)) -> &'static str {
        let mut file = encrypted(b"the contents");
        change(&mut file);
        decrypt(&file, b"passphrase").map_or_else(SealError::code, |_| "decrypted")
    }

    #[test]
    fn every_fault_has_its_name() {
        assert_eq!(code_of(|_| ()), "decrypted");
        assert_eq!(code_of(Vec::clear), "seal.foreign");
        assert_eq!(code_of(|file| file.truncate(5)), "seal.truncated");
        assert_eq!(code_of(|file| file.truncate(79)), "seal.truncated");
        assert_eq!(
            code_of(|file| file.truncate(file.len() - 1)),
            "seal.truncated"
        );
        assert_eq!(code_of(|file| file.push(0)), "seal.changed");
        assert_eq!(code_of(|file| file[0] = b'X'), "seal.foreign");
        assert_eq!(code_of(|file| file[8] = 2), "seal.version");
        assert_eq!(code_of(|file| file[15] = 0xff), "seal.cost");
        assert_eq!(code_of(|file| file[19] = 1), "seal.cost");
        assert_eq!(code_of(|file| file[16] = 5), "seal.cost");
        assert_eq!(
            code_of(|file| file[12..16].copy_from_slice(&(Cost::MOST.memory + 1).to_le_bytes())),
            "seal.cost"
        );
        assert_eq!(code_of(|file| file[24] ^= 1), "seal.passphrase");
        assert_eq!(code_of(|file| file[40] ^= 1), "seal.changed");
        assert_eq!(code_of(|file| file[85] ^= 1), "seal.changed");
        assert_eq!(
            code_of(|file| *file.last_mut().expect("a tag") ^= 1),
            "seal.changed"
        );
        assert_eq!(
            decrypt(&encrypted(b"x"), b"Passphrase"),
            Err(SealError::Passphrase)
        );
    }

    #[test]
    fn the_contents_are_not_to_be_seen() {
        let file = encrypted(b"src/secret/plan.rs");
        assert!(!file.windows(6).any(|window| window == b"secret"));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        #[test]
        fn what_is_closed_is_opened(contents in proptest::collection::vec(any::<u8>(), 0..300), passphrase in ".{0,20}") {
            let file = encrypt(&contents, passphrase.as_bytes(), SALT, NONCE, Cost::LEAST).expect("an encrypted file");
            prop_assert_eq!(decrypt(&file, passphrase.as_bytes()), Ok(contents));
        }

        #[test]
        fn a_flipped_bit_is_never_passed_over(at in 0usize..200, bit in 0u8..8) {
            let mut file = encrypted(&[7; 100]);
            let n_bytes = file.len();
            file[at % n_bytes] ^= 1 << bit;
            prop_assert!(decrypt(&file, b"passphrase").is_err());
        }

        #[test]
        fn any_bytes_are_refused(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            prop_assert!(decrypt(&bytes, b"").is_err());
        }
    }
}
