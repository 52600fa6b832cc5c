//! Figures that are measured, not tested: speed, memory, quality, beside the tools that people use today. Each bench
//! prints its table and puts it into docs/benchmarks.md with date and machine.

mod agents;
mod calls;
mod corpus;
mod data;
mod growth;
mod history;
mod large;
mod latency;
pub mod native;
mod open;
mod overlay;
mod packages;
mod peer;
mod peers;
mod process;
mod read;
mod replay;
pub mod report;
mod ripwire;
mod scale;
mod shards;
mod shared;
mod speed;
mod stages;
mod summary;
mod update;

pub use scale::Load;

use crate::build;
use crate::setup::{self, Need, Toolbox};
use crate::shell::{Result, say};
use crate::sizes;

/// All benches, in the order of the document.
const NAMES: [&str; 19] = [
    "retrieval",
    "graph",
    "calls",
    "symbols",
    "read",
    "speed",
    "open",
    "update",
    "overlay",
    "shards",
    "shared",
    "agents",
    "size",
    "peers",
    "breadth",
    "stages",
    "large",
    "scale",
    "history",
];

/// Benches over packages that they fetch themselves, over repositories of their own or over this one; they are run when they are named.
const BY_NAME_ONLY: [&str; 8] = [
    "overlay", "shards", "shared", "stages", "large", "calls", "scale", "history",
];

/// Where the right answers are.
#[derive(Clone, Copy, Default)]
pub struct Truths<'a> {
    /// The benchmark's truth, a folder for each bench.
    pub given: Option<&'a str>,
    /// Truth for further repositories, made by `tools/truth`, by their names.
    pub made: Option<&'a str>,
}

/// Input of the benches.
pub struct Inputs<'a> {
    /// Folders with repositories.
    pub data: &'a [&'a str],
    pub truths: Truths<'a>,
    /// The sizes of `stages` and `large`; with any, tables are only shown.
    pub lines: &'a [u64],
    /// A clone of ripwire, to build it from.
    pub ripwire: Option<&'a str>,
    /// How long and by how many clients `scale` asks; with any, its tables are only shown.
    pub load: Load<'a>,
}

/// Runs the benches called `names`.
pub fn run(names: &[String], inputs: &Inputs<'_>) -> Result<()> {
    let (data, lines) = (inputs.data, inputs.lines);
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
        .filter(|name| {
            let of_all = !BY_NAME_ONLY.contains(name);
            names.iter().any(|n| n == name || (of_all && n == "all"))
        })
        .collect();
    if wanted
        .iter()
        .any(|name| *name != "size" && !BY_NAME_ONLY.contains(name))
    {
        data::check(data)?;
    }
    if wanted.contains(&"shared") {
        data::check(data)?;
        shared::check(&data::repositories(data))?;
    }
    let toolbox = setup::prepare(&needs(&wanted))?;
    artifacts(&toolbox, &wanted)?;
    for name in wanted {
        say(&format!("\n── {name}"));
        let section = match name {
            "stages" => stages::run(&toolbox, lines)?,
            "large" => large::run(&toolbox, lines)?,
            "scale" => scale::run(&toolbox, inputs.load)?,
            "history" => history::run(&toolbox)?,
            "calls" => calls::run(&toolbox, data)?,
            _ => one(name, &toolbox, inputs)?,
        };
        say(&section);
        if lines.is_empty() && inputs.load.is_full() {
            report::write(name, &section, &toolbox)?;
        }
    }
    Ok(())
}

/// Builds what these benches run.
fn artifacts(toolbox: &Toolbox, wanted: &[&str]) -> Result<()> {
    if wanted.iter().any(|name| {
        [
            "retrieval",
            "read",
            "speed",
            "open",
            "agents",
            "size",
            "peers",
            "breadth",
            "large",
            "overlay",
            "shards",
            "shared",
        ]
        .contains(name)
    }) {
        let targets = [
            "grammars", "engine", "onnx", "reader", "seal", "history", "hnsw", "pkg",
        ]
        .map(str::to_owned);
        build::build(toolbox, &targets, build::Form::Released)?;
    }
    if wanted.contains(&"history") {
        let targets = ["history", "pkg"].map(str::to_owned);
        build::build(toolbox, &targets, build::Form::Released)?;
    }
    if wanted.contains(&"scale") {
        let targets = ["grammars", "engine", "reader", "seal", "edge", "pkg"].map(str::to_owned);
        build::build(toolbox, &targets, build::Form::Released)?;
    }
    if wanted
        .iter()
        .any(|name| ["peers", "breadth"].contains(name))
    {
        build::native::program(toolbox, build::native::Speed::Released)?;
    }
    Ok(())
}

/// Asks for every name that only one definition of a repository has, and prints how often it is answered with it.
pub fn names(folders: &[String]) -> Result<()> {
    if folders.is_empty() {
        return Err(
            "which folders? bench names FOLDER…, each with the sources of one repository"
                .to_owned(),
        );
    }
    let toolbox = setup::prepare(&[Need::Npm, Need::Grammars])?;
    let folders: Vec<&str> = folders.iter().map(String::as_str).collect();
    say(&native::names(&toolbox, &folders)?);
    Ok(())
}

/// Asks for the places of issues, whose clones are in `repos`, and puts the tables into the document.
pub fn locate(data: &str, repos: Option<&str>, kept: Option<&str>) -> Result<()> {
    let toolbox = setup::prepare(&[Need::Npm, Need::Grammars])?;
    let section = native::locate(&toolbox, data, repos, kept)?;
    say(&section);
    report::write("locate", &section, &toolbox)
}

/// Counts what is read until an answer is there, by scripted strategies, and puts the tables into the document.
pub fn replay(truth: &str, data: &str, repos: &str) -> Result<()> {
    let toolbox = setup::prepare(&[Need::Npm, Need::Wasm, Need::WasmPack, Need::Node22])?;
    let section = replay::run(&toolbox, truth, data, repos)?;
    say(&section);
    report::write("replay", &section, &toolbox)
}

/// Scores ripwire's call edges and places of issues by our truths, and puts the tables into the document.
pub fn ripwire(clone: Option<&str>, truth: &str, data: &str, repos: &str) -> Result<()> {
    let toolbox = setup::prepare(&[Need::Npm])?;
    let section = ripwire::score(&toolbox, clone, [truth, data, repos])?;
    say(&section);
    report::write("ripwire", &section, &toolbox)
}

/// Only fetches what `large` runs over, for a machine that will have no network then.
pub fn fetch(lines: &[u64]) -> Result<()> {
    let toolbox = setup::prepare(&[Need::Npm])?;
    let sizes = if lines.is_empty() {
        &corpus::SIZES
    } else {
        lines
    };
    corpus::folders(&toolbox, sizes).map(drop)
}

fn one(name: &str, toolbox: &Toolbox, inputs: &Inputs<'_>) -> Result<String> {
    let (data, ripwire) = (inputs.data, inputs.ripwire);
    match name {
        "read" => read::run(toolbox, &data::repositories(data)),
        "speed" => speed::run(toolbox, &data::repositories(data)),
        "open" => open::run(toolbox, &data::repositories(data)),
        "overlay" => overlay::run(toolbox, &data::repositories(data)),
        "shards" => shards::run(toolbox, &data::repositories(data)),
        "shared" => shared::run(toolbox, &data::repositories(data)),
        "update" => update::run(toolbox, &data::repositories(data)),
        "agents" => agents::run(toolbox, &data::repositories(data)),
        "size" => Ok(format!("```\n{}```\n", sizes::table(toolbox)?)),
        "peers" => peers::run(toolbox, &data::repositories(data), ripwire),
        "breadth" => peers::breadth(toolbox, &data::repositories(data), ripwire),
        quality => native::quality(toolbox, quality, data, inputs.truths),
    }
}

fn needs(wanted: &[&str]) -> Vec<Need> {
    let only_native = wanted
        .iter()
        .all(|name| ["graph", "calls", "symbols", "stages"].contains(name));
    let mut needs = vec![Need::Npm, Need::Grammars];
    if !only_native {
        needs.extend([Need::Wasm, Need::WasmPack]);
    }
    if ["peers", "breadth", "agents", "scale"]
        .iter()
        .any(|name| wanted.contains(name))
    {
        needs.push(Need::Node22);
    }
    if ["large", "history"]
        .iter()
        .any(|name| wanted.contains(name))
    {
        needs.push(Need::Browser);
    }
    needs
}
