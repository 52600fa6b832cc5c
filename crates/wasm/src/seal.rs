//! Snapshots to share: encrypted with a passphrase, or with encrypted paths. Random bytes come from the caller.

use js_sys::Uint8Array;
use seal::{Cost, SealError};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::errors::{JsResult, error, error_with_help};

/// Encrypts a snapshot with a passphrase. `salt` has 16 random bytes, `nonce` 12.
#[wasm_bindgen(js_name = closeSnapshot)]
pub fn close_snapshot(
    contents: &[u8],
    passphrase: &str,
    salt: &[u8],
    nonce: &[u8],
) -> JsResult<Uint8Array> {
    let file = seal::encrypt(
        contents,
        passphrase.as_bytes(),
        random(salt)?,
        random(nonce)?,
        Cost::USUAL,
    );
    file.map(|file| Uint8Array::from(file.as_slice()))
        .map_err(sealed)
}

/// Decrypts the output of `closeSnapshot`. Throws `seal.…`.
#[wasm_bindgen(js_name = openSnapshot)]
pub fn open_snapshot(file: &[u8], passphrase: &str) -> JsResult<Uint8Array> {
    seal::decrypt(file, passphrase.as_bytes())
        .map(|contents| Uint8Array::from(contents.as_slice()))
        .map_err(sealed)
}

/// Returns the number of bytes that encryption adds.
#[wasm_bindgen(js_name = nOverhead)]
#[must_use]
pub fn n_overhead() -> usize {
    seal::OVERHEAD
}

/// A key for paths, of 32 random bytes.
#[wasm_bindgen]
pub struct PathKey(seal::PathKey);

#[wasm_bindgen]
impl PathKey {
    /// The key of these bytes.
    #[wasm_bindgen(constructor)]
    pub fn new(secret: &[u8]) -> JsResult<PathKey> {
        Ok(Self(seal::PathKey::new(&random(secret)?)))
    }

    /// Encrypts a path.
    #[must_use]
    pub fn encipher(&self, path: &str) -> String {
        self.0.encrypt_path(path)
    }

    /// Decrypts the output of `encipher`. Throws `seal.key`.
    pub fn decipher(&self, path: &str) -> JsResult<String> {
        self.0.decrypt_path(path).map_err(sealed)
    }

    /// Encrypts bytes under a name. `nonce` has 12 random bytes.
    pub fn close(&self, nonce: &[u8], what: &str, contents: &[u8]) -> JsResult<Uint8Array> {
        let closed = self.0.encrypt(random(nonce)?, what, contents);
        closed
            .map(|closed| Uint8Array::from(closed.as_slice()))
            .map_err(sealed)
    }

    /// Decrypts the output of `close`. Throws `seal.key`.
    pub fn open(&self, what: &str, closed: &[u8]) -> JsResult<Uint8Array> {
        let contents = self.0.decrypt(what, closed);
        contents
            .map(|contents| Uint8Array::from(contents.as_slice()))
            .map_err(sealed)
    }
}

fn random<const N: usize>(bytes: &[u8]) -> JsResult<[u8; N]> {
    bytes.try_into().map_err(|_| {
        error(
            "request.invalid",
            format!("expected {N} bytes, not {}", bytes.len()),
        )
    })
}

fn sealed(reason: SealError) -> JsValue {
    error_with_help(reason.code(), reason, reason.help())
}
