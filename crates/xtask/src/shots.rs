//! `cargo xtask shots`: builds the page and takes the pictures of docs/explorer.md.

use crate::build;
use crate::paths;
use crate::setup::{self, Need};
use crate::shell::Result;

const NEEDS: &[Need] = &[
    Need::Npm,
    Need::Browser,
    Need::Grammars,
    Need::Wasm,
    Need::WasmPack,
];

/// Replaces the pictures in `docs/explorer`.
pub fn run() -> Result<()> {
    let toolbox = setup::prepare(NEEDS)?;
    build::build(&toolbox, &["www".to_owned()], build::Form::Released)?;
    let heard = toolbox
        .call("node")
        .arg("tests/browser/shots.mjs")
        .dir(paths::root())
        .listen()?;
    match heard.ok {
        true => Ok(()),
        false => Err("not every picture could be taken; the lines above say why".to_owned()),
    }
}
