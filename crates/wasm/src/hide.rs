//! Snapshots without their paths, and back. Enciphering is another artifact's.

use js_sys::{Function, Uint8Array};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::errors::{JsResult, engine_error};

/// A snapshot with hidden paths, and the sections that were taken from it.
#[wasm_bindgen]
pub struct HiddenSnapshot(engine::Hidden);

#[wasm_bindgen]
impl HiddenSnapshot {
    /// Hides the paths of a snapshot; `encipher` returns the text shown for a path. Throws `snapshot.…`, or the error of `encipher`.
    #[wasm_bindgen(constructor)]
    pub fn new(file: &[u8], keep_texts: bool, encipher: &Function) -> JsResult<HiddenSnapshot> {
        let mut failure = None;
        let mut shown = |path: &str| match encipher.call1(&JsValue::NULL, &JsValue::from_str(path))
        {
            Ok(shown) => shown.as_string().unwrap_or_default(),
            Err(error) => {
                failure = Some(error);
                String::new()
            }
        };
        let hidden = engine::hide_paths(file, keep_texts, &mut shown).map_err(engine_error)?;
        failure.map_or(Ok(Self(hidden)), Err)
    }

    /// Returns the removed data, to be encrypted.
    #[must_use]
    pub fn originals(&self) -> Uint8Array {
        Uint8Array::from(self.0.originals())
    }

    /// The snapshot, with the originals as they were closed.
    #[must_use]
    pub fn finish(&self, closed: &[u8]) -> Uint8Array {
        Uint8Array::from(self.0.finish(closed).as_slice())
    }
}

/// The closed originals in a snapshot; nothing where its paths were never hidden.
#[wasm_bindgen(js_name = closedOriginals)]
pub fn closed_originals(file: &[u8]) -> JsResult<Option<Uint8Array>> {
    let closed = engine::closed_originals(file).map_err(engine_error)?;
    Ok(closed.map(Uint8Array::from))
}

/// The snapshot that was hidden, from what became of it and its originals.
#[wasm_bindgen(js_name = restorePaths)]
pub fn restore_paths(file: &[u8], originals: &[u8]) -> JsResult<Uint8Array> {
    let restored = engine::restore_paths(file, originals).map_err(engine_error)?;
    Ok(Uint8Array::from(restored.as_slice()))
}
