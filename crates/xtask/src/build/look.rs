//! The page's first look: one wasm with the features of all that the page loads by itself, laid into the place of each
//! artifact. Compiling four would take twice as long; nobody minds its size on the way from this machine to itself.

use std::path::Path;
use std::time::SystemTime;

use super::Form;
use super::record::BuildOutput;
use super::wasm::{self, CrateManifest};
use crate::manifest::{Artifact, Plan, WasmPack};
use crate::paths;
use crate::setup::Toolbox;
use crate::shell::{Result, say, timed};

/// Name of its record.
const NAME: &str = "look";

/// Makes it, unless the artifacts are there as they are published, or it is there and up to date.
pub fn make(toolbox: &Toolbox, file: &WasmPack) -> Result<()> {
    if super::are_released(toolbox, &file.look.artifacts)? {
        say("  ✓ the wasm of the page is there as it is published");
        return Ok(());
    }
    let root = paths::root();
    let artifact = Artifact::of_look(file.look.features.clone());
    let plan = file.plan_of(NAME, &artifact);
    let manifest = CrateManifest::read(&root, plan.crate_dir)?;
    let built = BuildOutput {
        root: &root,
        out: root.join(plan.out),
        name: NAME,
        settings: format!(
            "{}\n{:?}",
            wasm::settings(toolbox, &plan, &manifest, Form::Look)?,
            file.look.artifacts
        ),
        is_quick: true,
    };
    let _alone = wasm::lock(&root, NAME)?;
    let is_fresh = built.is_fresh()?;
    // From here on their files are not what these records say.
    for name in &file.look.artifacts {
        super::record::forget(&built.out, name);
    }
    if is_fresh {
        say("  ✓ the wasm for a first look is up to date");
        return Ok(());
    }
    let start = SystemTime::now();
    let staging = paths::target_dir(&root).join("wasm-pack").join(NAME);
    timed("wasm for a first look", || {
        let _ = std::fs::remove_dir_all(&staging);
        wasm::cargo_and_glue(toolbox, &plan, &manifest, &staging)?;
        let inputs = wasm::inputs(&root, &plan, &manifest, Form::Look)?;
        let names = file.look.artifacts.iter().map(String::as_str);
        let artifacts = names.map(|name| (name, file.has_glue(name)));
        let outputs = spread(&staging, &built.out, &artifacts.collect::<Vec<_>>())?;
        built.keep(start, inputs, outputs)
    })
}

/// Copies the wasm under the name of each artifact, and the glue where the artifact has its own. The glue does not name the wasm file:
/// hosts hand it over.
fn spread(staging: &Path, out: &Path, artifacts: &[(&str, bool)]) -> Result<Vec<String>> {
    let mut outputs = Vec::new();
    for file in paths::files_under(staging, &[]) {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let Some(rest) = name.strip_prefix(NAME) else {
            return Err(format!("{} has an unexpected name", file.display()));
        };
        for (artifact, has_glue) in artifacts {
            if !has_glue && rest != "_bg.wasm" {
                continue;
            }
            let output = format!("{artifact}{rest}");
            paths::copy(&file, &out.join(&output))?;
            outputs.push(output);
        }
    }
    Ok(outputs)
}

/// Its files are about to be replaced by those of an artifact.
pub fn forget(plan: &Plan, root: &Path) {
    super::record::forget(&root.join(plan.out), NAME);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_wasm_goes_into_the_place_of_each_artifact() {
        let home = std::env::temp_dir().join(format!("portolan-look-{}", std::process::id()));
        let (staging, out) = (home.join("staging"), home.join("out"));
        for file in ["look.js", "look_bg.wasm"] {
            paths::write(&staging.join(file), file).expect("a file");
        }
        let artifacts = [("engine", true), ("engine-node", false), ("seal", true)];
        let mut outputs = spread(&staging, &out, &artifacts).expect("copies");
        outputs.sort();
        let wasm = paths::read(&out.join("seal_bg.wasm"));
        paths::write(&staging.join("snippets.js"), "").expect("a file");
        let why = spread(&staging, &out, &artifacts);
        std::fs::remove_dir_all(&home).expect("the folder of the test");
        assert_eq!(
            outputs,
            [
                "engine-node_bg.wasm",
                "engine.js",
                "engine_bg.wasm",
                "seal.js",
                "seal_bg.wasm"
            ]
        );
        assert_eq!(wasm.as_deref(), Ok("look_bg.wasm"));
        assert!(why.is_err());
    }
}
