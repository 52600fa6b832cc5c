//! A new instance in place of one that stopped: after a trap nothing in its memory can be trusted.

use wasm_bindgen::prelude::wasm_bindgen;

/// Has the next call make a new instance with empty memory. That call must be one without arguments, as [`restarted`]: others would
/// still be written into the memory of the old instance.
#[wasm_bindgen]
pub fn restart() {
    wasm_bindgen::handler::schedule_reinit();
}

/// Does nothing, in the new instance after [`restart`].
#[wasm_bindgen]
#[must_use]
pub fn restarted() -> bool {
    true
}
