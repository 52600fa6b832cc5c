//! Packing sections of a snapshot in a worker that has nothing to parse any more.

use engine::{Archive, Packers, TextBlock};
use js_sys::{Array, Function, Uint8Array, Uint32Array};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::CodeIndex;
use crate::errors::{JsResult, engine_error};

/// Passes a finished section to a function of the host: a name and an archive, or `texts`, blocks, the end of each, and
/// the number of the first.
pub(crate) struct Giver(pub Function);

impl Packers for Giver {
    fn section(&mut self, name: &'static str, archive: &Archive) {
        let bytes = Uint8Array::from(archive.as_slice());
        // A host that fails to take it packs it later.
        let _ = self
            .0
            .call2(&JsValue::UNDEFINED, &JsValue::from(name), &bytes);
    }

    fn texts(&mut self, first: usize, blocks: &[TextBlock]) {
        let bytes = Uint8Array::from(blocks.concat().as_slice());
        let mut end = 0;
        let ends = blocks.iter().map(|block| {
            end += block.len() as u32;
            end
        });
        let ends = Uint32Array::from(ends.collect::<Vec<u32>>().as_slice());
        let arguments = Array::of4(
            &JsValue::from("texts"),
            &bytes,
            &ends,
            &JsValue::from(first as u32),
        );
        let _ = self.0.apply(&JsValue::UNDEFINED, &arguments);
    }
}

/// Compresses a section, and those made from the same archive: names and bytes in turn. Throws `snapshot.damaged`.
#[wasm_bindgen(js_name = packSection)]
pub fn pack_section(name: &str, archive: &[u8]) -> JsResult<Vec<JsValue>> {
    let sections = engine::pack_section(name, archive).map_err(engine_error)?;
    let pairs = sections.into_iter();
    Ok(pairs
        .flat_map(|(name, bytes)| {
            [
                JsValue::from(name),
                Uint8Array::from(bytes.as_slice()).into(),
            ]
        })
        .collect())
}

/// Compresses blocks of texts.
#[wasm_bindgen(js_name = packTexts)]
#[must_use]
pub fn pack_texts(blocks: &[u8], ends: &[u32]) -> Vec<Uint8Array> {
    let packed = engine::pack_texts(blocks, ends);
    packed
        .iter()
        .map(|block| Uint8Array::from(block.as_slice()))
        .collect()
}

#[wasm_bindgen]
impl CodeIndex {
    /// Takes a section that `packSection` made of what this index was built with.
    #[wasm_bindgen(js_name = setPacked)]
    pub fn set_packed(&self, name: &str, packed: Vec<u8>) -> JsResult<()> {
        self.snapshot()?.set_packed(name, packed);
        Ok(())
    }

    /// Takes a block of texts that `packTexts` made.
    #[wasm_bindgen(js_name = setPackedTexts)]
    pub fn set_packed_texts(&self, number: usize, packed: Vec<u8>) -> JsResult<()> {
        self.snapshot()?.set_packed_texts(number, packed);
        Ok(())
    }
}
