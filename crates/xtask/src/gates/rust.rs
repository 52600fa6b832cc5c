//! cargo's own checks: the format, and clippy natively and for wasm32.

use std::collections::{BTreeMap, BTreeSet};

use super::{Outcome, judged};
use crate::manifest::WasmPack;
use crate::paths;
use crate::setup::Toolbox;
use crate::shell::Result;

/// `cargo fmt` over every crate.
pub fn fmt(toolbox: &Toolbox) -> Result<Outcome> {
    let heard = toolbox
        .call("cargo")
        .args(["fmt", "--all", "--check", "--", "--color=never", "-l"])
        .listen_quietly()?;
    let files: Vec<_> = heard.text.lines().map(str::to_owned).collect();
    match heard.ok {
        true => Ok(Outcome::Passed),
        false => judged(&files, "run `cargo fmt --all`"),
    }
}

/// clippy over the workspace with its tests, examples and benches. Every feature goes with every other.
pub fn clippy(toolbox: &Toolbox) -> Result<Outcome> {
    lint(
        toolbox,
        false,
        &["--workspace", "--all-targets", "--all-features"],
    )
}

/// clippy over what is compiled to wasm32: the crates of the artifacts, and ours below them, with the features of all
/// artifacts at once. Compiling an artifact by itself tells what its own features leave unused.
pub fn clippy_wasm(toolbox: &Toolbox) -> Result<Outcome> {
    if toolbox.has_wasm_compiler_apart() {
        let why = "Debian's compiler makes the wasm here, and its clippy is no part of it";
        return Ok(Outcome::Skipped(why.to_owned()));
    }
    let root = paths::root();
    let artifacts = WasmPack::load(&root)?;
    let mut features: BTreeMap<_, BTreeSet<&str>> = BTreeMap::new();
    let plans: Vec<_> = artifacts
        .in_order()
        .filter_map(|name| artifacts.plan(name))
        .collect();
    for plan in &plans {
        let of_crate = features.entry(plan.crate_dir).or_default();
        of_crate.extend(plan.artifact.features.iter().map(String::as_str));
    }
    for (crate_dir, features) in features {
        let manifest = root.join(crate_dir).join("Cargo.toml");
        let features = features.into_iter().collect::<Vec<_>>().join(",");
        lint(
            toolbox,
            true,
            &[
                "--manifest-path",
                &manifest.to_string_lossy(),
                "--target",
                "wasm32-unknown-unknown",
                "--no-default-features",
                "--features",
                &features,
            ],
        )?;
    }
    lint_crate_for_pages(toolbox)
}

/// clippy over crates/browser and its example, which no artifact is made of.
fn lint_crate_for_pages(toolbox: &Toolbox) -> Result<Outcome> {
    let args = ["--package", "portolan-browser", "--lib", "--examples"];
    lint(
        toolbox,
        true,
        &[&args[..], &["--target", "wasm32-unknown-unknown"]].concat(),
    )
}

fn lint(toolbox: &Toolbox, for_wasm: bool, args: &[&str]) -> Result<Outcome> {
    let cargo = match for_wasm {
        true => toolbox.call_for_wasm("cargo"),
        false => toolbox.call("cargo"),
    };
    // Build scripts and our crates are compiled anew where the settings of a profile differ: the one of the tests, then.
    let heard = cargo
        .args(["clippy", "--locked", "--quiet", "--color=never"])
        .args(args)
        .args(["--", "-D", "warnings"])
        .listen_quietly()?;
    if heard.ok {
        return Ok(Outcome::Passed);
    }
    let remedy = if heard.text.contains("component") || heard.text.contains("no such command") {
        "clippy comes with rustup: `rustup component add clippy rustfmt`"
    } else {
        "mend what clippy found; where a lint does not fit, #[expect] it there with a reason"
    };
    Err(format!("{}\n→ {remedy}", heard.text))
}
