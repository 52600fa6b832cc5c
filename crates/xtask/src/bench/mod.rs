//! Figures that are measured, not tested: speed, memory, quality, beside the tools that people use today. Each bench
//! prints its table and puts it into docs/benchmarks.md with date and machine.

mod agents;
mod data;
mod latency;
mod native;
mod open;
mod peer;
mod peers;
mod process;
mod read;
mod report;
mod speed;
mod update;

use crate::build;
use crate::measure;
use crate::setup::{self, Need, Toolbox};
use crate::shell::{Result, say};

/// All benches, in the order of the document.
const NAMES: [&str; 10] = [
    "retrieval",
    "graph",
    "symbols",
    "read",
    "speed",
    "open",
    "update",
    "agents",
    "size",
    "peers",
];

/// Where the right answers are.
#[derive(Clone, Copy, Default)]
pub struct Truths<'a> {
    /// What the benchmark says, a folder for each bench.
    pub given: Option<&'a str>,
    /// What `tools/truth` made of further repositories, by their names.
    pub made: Option<&'a str>,
}

/// Runs the benches called `names` over the repositories in the folders `data`.
pub fn run(names: &[String], data: &[&str], truth: Truths<'_>) -> Result<()> {
    let is_known = |name: &&String| name.as_str() == "all" || NAMES.contains(&name.as_str());
    if let Some(unknown) = names.iter().find(|name| !is_known(name)) {
        return Err(format!(
            "there is no bench `{unknown}`; there is {} and all",
            NAMES.join(", ")
        ));
    }
    if names.is_empty() {
        return Err(format!("which bench? {} or all", NAMES.join(", ")));
    }
    let wanted: Vec<_> = NAMES
        .into_iter()
        .filter(|name| names.iter().any(|n| n == name || n == "all"))
        .collect();
    if wanted != ["size"] {
        data::check(data)?;
    }
    let toolbox = setup::prepare(&needs(&wanted))?;
    if wanted.iter().any(|name| {
        [
            "retrieval",
            "read",
            "speed",
            "open",
            "agents",
            "size",
            "peers",
        ]
        .contains(name)
    }) {
        let targets = ["grammars", "engine", "onnx", "reader", "seal", "pkg"].map(str::to_owned);
        build::build(&toolbox, &targets, build::Options::default())?;
    }
    for name in wanted {
        say(&format!("\n── {name}"));
        let section = one(name, &toolbox, data, truth)?;
        say(&section);
        report::write(name, &section, &toolbox)?;
    }
    Ok(())
}

fn one(name: &str, toolbox: &Toolbox, data: &[&str], truth: Truths<'_>) -> Result<String> {
    match name {
        "read" => read::run(toolbox, &data::repositories(data)),
        "speed" => speed::run(toolbox, &data::repositories(data)),
        "open" => open::run(toolbox, &data::repositories(data)),
        "update" => update::run(toolbox, &data::repositories(data)),
        "agents" => agents::run(toolbox, &data::repositories(data)),
        "size" => Ok(format!("```\n{}```\n", measure::table(toolbox)?)),
        "peers" => peers::run(toolbox, &data::repositories(data)),
        quality => native::quality(toolbox, quality, data, truth),
    }
}

fn needs(wanted: &[&str]) -> Vec<Need> {
    let only_native = wanted
        .iter()
        .all(|name| ["graph", "symbols"].contains(name));
    let mut needs = vec![Need::Npm, Need::Grammars];
    if !only_native {
        needs.extend([Need::Wasm, Need::WasmPack]);
    }
    if wanted.contains(&"peers") || wanted.contains(&"agents") {
        needs.push(Need::Node22);
    }
    needs
}
