//! wasm-pack and wasm-bindgen, built by cargo into the cache. wasm-bindgen's program must be of exactly the version
//! of its library, so that version is read from Cargo.lock.

use std::path::Path;

use super::{Toolbox, checks, there};
use crate::build::lockfile;
use crate::paths;
use crate::shell::{Call, Result, say, timed, version_of};

const WASM_PACK: &str = "0.15.1";

/// Puts both tools into PATH.
pub fn prepare(toolbox: &mut Toolbox) -> Result<()> {
    let home = paths::cache().join("tools");
    let bindgen = lockfile::version_of(
        &paths::read(&paths::root().join("Cargo.lock"))?,
        "wasm-bindgen",
    )?;
    let wanted = [
        ("wasm-pack", "wasm-pack", WASM_PACK.to_owned()),
        ("wasm-bindgen-cli", "wasm-bindgen", bindgen),
    ];
    for (package, program, version) in wanted {
        let found = version_of(home.join("bin").join(program));
        if found.as_deref() == Some(&format!("{program} {version}")) {
            there(&format!("{program} {version}"));
        } else {
            timed(&format!("cargo install {package}@{version}"), || {
                install(&home, package, &version)
            })?;
        }
    }
    toolbox.add_path(home.join("bin"));
    check_bindgen(&home.join("bin/wasm-bindgen"))?;
    check_opt(toolbox)?;
    // The build of the tools is larger than the tools by a thousand times.
    let _ = std::fs::remove_dir_all(paths::cache().join("build/tools"));
    Ok(())
}

/// Lets wasm-bindgen make glue for a tiny module.
fn check_bindgen(program: &Path) -> Result<()> {
    let checked = checks::once("wasm-bindgen", &[program.to_owned()], |scratch| {
        paths::write(&scratch.join("answer.wasm"), checks::MODULE)?;
        Call::new(program)
            .args(["--target", "web", "--out-dir", "out", "answer.wasm"])
            .dir(scratch)
            .read()?;
        checks::is_module(&scratch.join("out/answer_bg.wasm"))
    });
    checked.map_err(|why| format!("{} makes no glue: {why}", program.display()))
}

/// Lets wasm-opt optimise a tiny module.
fn check_opt(toolbox: &Toolbox) -> Result<()> {
    let programs = [toolbox.program("wasm-opt"), toolbox.program("node")];
    let checked = checks::once("wasm-opt", &programs, |scratch| {
        let module = scratch.join("answer.wasm");
        paths::write(&module, checks::MODULE)?;
        let made = scratch.join("out.wasm");
        toolbox
            .call("wasm-opt")
            .args(["--enable-simd", "-O1"])
            .arg(&module)
            .arg("-o")
            .arg(&made)
            .read()?;
        checks::is_module(&made)
    });
    checked.map_err(|why| format!("wasm-opt of node_modules does not work: {why}"))
}

fn install(home: &Path, package: &str, version: &str) -> Result<()> {
    let attempt = |locked: &[&str]| {
        Call::new("cargo")
            .args([
                "install",
                &format!("{package}@{version}"),
                "--force",
                "--root",
            ])
            .arg(home)
            .args(locked)
            .env("CARGO_TARGET_DIR", paths::cache().join("build/tools"))
            // Run a few times a day for seconds: what counts is how soon they are there.
            .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "1")
            .env("CARGO_PROFILE_RELEASE_LTO", "off")
            .env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16")
            .run_quietly()
    };
    attempt(&["--locked"]).or_else(|why| {
        // A mirror may lack a yanked or very young version of its lock file; newer ones of the same series do.
        say(&format!(
            "    {}",
            why.lines().last().unwrap_or_default().trim()
        ));
        say("    its lock file cannot be met here; resolving anew");
        attempt(&[])
    })
}
