//! Artifacts: wasm by wasm-pack.toml, grammar files by grammars.toml, the npm package, the page and its sample.
//! Each is made only when its inputs have changed.

pub mod js;
mod look;
pub mod native;
mod record;
mod steps;
mod wasm;

pub use crate::manifest::Form;
use crate::manifest::WasmPack;
use crate::paths;
use crate::setup::{self, Need, Toolbox};
use crate::shell::{Result, say, timed};
use steps::Steps;

/// Targets of `cargo xtask build`, in build order.
pub const TARGETS: [&str; 13] = [
    "grammars",
    "engine",
    "engine-node",
    "onnx",
    "reader",
    "seal",
    "history",
    "hnsw",
    "edge",
    "pkg",
    "www",
    "native",
    "all",
];

/// Sets up and builds `targets`; an empty list means all.
pub fn run(targets: &[String], form: Form) -> Result<()> {
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
    // Only if it is named: it is optional.
    if targets.iter().any(|target| target == "native") {
        let made = timed("native program", || {
            native::program(&toolbox, native::Speed::Released)
        })?;
        say(&format!("  {}", made.display()));
    }
    match targets {
        [only] if only == "native" => Ok(()),
        _ => build(&toolbox, targets, form),
    }
}

/// Builds with what set-up found. A first look makes all of its artifacts, whichever `targets` names.
pub fn build(toolbox: &Toolbox, targets: &[String], form: Form) -> Result<()> {
    let file = WasmPack::load(&paths::root())?;
    let is_wanted = |name: &str| wants(targets, name);
    let mut names = match form {
        Form::Look => vec!["wasm for a first look".to_owned()],
        Form::Released | Form::Dev | Form::Tested => names(&file, targets),
    };
    names.extend(is_wanted("pkg").then(|| "pkg".to_owned()));
    if is_wanted("www") {
        names.extend(["sample", "www"].map(str::to_owned));
    }
    let steps = Steps::new(names);
    match form {
        Form::Look => {
            steps.next();
            look::make(toolbox, &file)?;
        }
        Form::Released | Form::Dev | Form::Tested => {
            compile(toolbox, &file, targets, form, &steps)?;
        }
    }
    if is_wanted("pkg") {
        steps.next();
        js::package(toolbox, form)?;
    }
    if is_wanted("www") {
        steps.next();
        js::sample(toolbox)?;
        steps.next();
        js::page(toolbox, form)?;
    }
    Ok(())
}

/// The artifacts of the package that are not as they are published: `look` is that of the first look.
pub fn quick_artifacts() -> Result<Vec<String>> {
    let root = paths::root();
    let out = WasmPack::load(&root)?.build.out;
    Ok(record::quick_in(&root.join(out)))
}

/// The artifacts that the page's first look has.
pub fn look_artifacts() -> Result<Vec<String>> {
    Ok(WasmPack::load(&paths::root())?.look.artifacts)
}

/// Names of all artifacts.
pub fn made_artifacts() -> Result<Vec<String>> {
    let file = WasmPack::load(&paths::root())?;
    Ok(file.in_order().map(str::to_owned).collect())
}

/// Makes the artifacts among `targets`.
pub fn artifacts(toolbox: &Toolbox, targets: &[String], form: Form) -> Result<()> {
    let file = WasmPack::load(&paths::root())?;
    let steps = Steps::new(names(&file, targets));
    compile(toolbox, &file, targets, form, &steps)
}

/// Are the artifacts called `names` there as they are published, made from the present sources?
pub fn are_released(toolbox: &Toolbox, names: &[String]) -> Result<bool> {
    let root = paths::root();
    let file = WasmPack::load(&root)?;
    for name in names {
        let is_there = match file.plan(name) {
            Some(plan) => wasm::is_released(toolbox, &root, &plan)?,
            None => false,
        };
        if !is_there {
            return Ok(false);
        }
    }
    Ok(true)
}

fn names(file: &WasmPack, targets: &[String]) -> Vec<String> {
    let wanted = file.in_order().filter(|name| wants(targets, name));
    wanted.map(|name| format!("{name}.wasm")).collect()
}

/// Compiles the artifacts among `targets` one after the other, and optimises each while the next is compiled.
fn compile(
    toolbox: &Toolbox,
    file: &WasmPack,
    targets: &[String],
    form: Form,
    steps: &Steps,
) -> Result<()> {
    let root = paths::root();
    std::thread::scope(|scope| {
        let mut finishing = Vec::new();
        for name in file.in_order().filter(|name| wants(targets, name)) {
            steps.next();
            let plan = file
                .plan(name)
                .ok_or_else(|| format!("wasm-pack.toml has no artifact `{name}`"))?;
            if let Some(compiled) = wasm::compile(toolbox, &root, plan, file.form_of(name, form))? {
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
    if any_of(&[
        "engine",
        "engine-node",
        "onnx",
        "reader",
        "seal",
        "history",
        "hnsw",
        "edge",
    ]) {
        needs.extend([Need::Npm, Need::Wasm, Need::WasmPack]);
    }
    if any_of(&["pkg", "www"]) {
        needs.push(Need::Npm);
    }
    needs
}
