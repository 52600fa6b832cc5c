//! `cargo xtask edge dev`: the Worker on this machine, with its bucket, its Durable Objects, the sample index and the page.

use crate::build;
use crate::paths;
use crate::setup::{self, Need};
use crate::shell::Result;
use crate::suites::node22;

const NEEDS: &[Need] = &[
    Need::Npm,
    Need::Node22,
    Need::Grammars,
    Need::Wasm,
    Need::WasmPack,
];

/// Runs until it is interrupted. `is_fresh` forgets what an earlier run kept.
pub fn dev(port: u16, is_fresh: bool) -> Result<()> {
    let toolbox = setup::prepare(NEEDS)?;
    build::build(&toolbox, &["all".to_owned()], build::Form::Released)?;
    let heard = toolbox
        .call(&node22(&toolbox))
        .arg("tools/edge/dev.mjs")
        .args(["--port", &port.to_string()])
        .args(is_fresh.then_some("--fresh"))
        .dir(paths::root())
        .listen()?;
    match heard.ok {
        true => Ok(()),
        false => Err("the Worker could not go on; the lines above say why".to_owned()),
    }
}
