//! Artifacts: wasm by wasm-pack.toml, grammar files by grammars.toml, the npm package, the page and its sample.
//! Each is made only when what it is made from has changed.

mod compiled;
pub mod grammars;
pub mod js;
pub mod lockfile;
pub mod manifest;
mod record;
mod wasm;

pub use compiled::FLAGS as COMPILED_GRAMMAR_FLAGS;
use manifest::WasmPack;

use crate::paths;
use crate::setup::{self, Need, Toolbox};
use crate::shell::Result;

/// What `cargo xtask build` can be asked for, in the order of making.
pub const TARGETS: [&str; 10] = [
    "grammars", "engine", "onnx", "reader", "seal", "hnsw", "edge", "pkg", "www", "all",
];

/// How to build.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Unoptimised wasm with names and checks: quick to make, slow to run.
    pub dev: bool,
}

/// Sets up and builds `targets`; an empty list means all.
pub fn run(targets: &[String], options: Options) -> Result<()> {
    if let Some(unknown) = targets
        .iter()
        .find(|target| !TARGETS.contains(&target.as_str()))
    {
        return Err(format!(
            "cannot build `{unknown}`; there is {}",
            TARGETS.join(", ")
        ));
    }
    let toolbox = setup::prepare(&needs_of(targets))?;
    build(&toolbox, targets, options)
}

/// Builds with what set-up found.
pub fn build(toolbox: &Toolbox, targets: &[String], options: Options) -> Result<()> {
    let is_wanted = |name: &str| wants(targets, name);
    artifacts(toolbox, targets, options)?;
    if is_wanted("pkg") {
        js::package(toolbox)?;
    }
    if is_wanted("www") {
        js::sample(toolbox)?;
        js::page(toolbox)?;
    }
    Ok(())
}

/// Compiles the artifacts among `targets` one after the other, and optimises each while the next is compiled.
pub fn artifacts(toolbox: &Toolbox, targets: &[String], options: Options) -> Result<()> {
    let root = paths::root();
    let file = WasmPack::load(&root)?;
    std::thread::scope(|scope| {
        let mut finishing = Vec::new();
        for name in file.in_order().filter(|name| wants(targets, name)) {
            let plan = file
                .plan(name)
                .ok_or_else(|| format!("wasm-pack.toml has no artifact `{name}`"))?;
            if let Some(compiled) = wasm::compile(toolbox, &root, plan, options)? {
                finishing.push(scope.spawn(|| compiled.finish(toolbox)));
            }
        }
        for thread in finishing {
            thread
                .join()
                .map_err(|_| "wasm-opt's thread stopped".to_owned())??;
        }
        Ok(())
    })
}

fn wants(targets: &[String], name: &str) -> bool {
    targets.is_empty()
        || targets
            .iter()
            .any(|target| target == name || target == "all")
}

fn needs_of(targets: &[String]) -> Vec<Need> {
    let mut needs = Vec::new();
    let any_of = |names: &[&str]| names.iter().any(|name| wants(targets, name));
    if any_of(&["grammars", "pkg", "www"]) {
        needs.push(Need::Grammars);
    }
    if any_of(&["engine", "onnx", "reader", "seal", "hnsw", "edge"]) {
        needs.extend([Need::Npm, Need::Wasm, Need::WasmPack]);
    }
    if any_of(&["pkg", "www"]) {
        needs.push(Need::Npm);
    }
    needs
}
