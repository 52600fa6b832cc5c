//! wasm-pack and wasm-bindgen, built by cargo into the cache: no package registry has them as programs.

use std::path::{Path, PathBuf};

use super::{Toolbox, checks, there};
use crate::lockfile;
use crate::locks;
use crate::paths;
use crate::shell::{Call, Result, say, timed, version_of, which};

const WASM_PACK: &str = "0.15.1";
/// A program over wasm-bindgen's library that makes glue as its command line does, and nothing else.
const GLUE: &str = include_str!("../../glue/main.rs");

/// Where wasm-bindgen spends its time.
const BUSY: &[&str] = &["walrus", "wasmparser", "wasm-bindgen-cli-support"];

/// Puts both tools into PATH.
pub fn prepare(toolbox: &mut Toolbox) -> Result<()> {
    let home = paths::cache().join("tools");
    let _alone = locks::alone(&paths::cache().join("tools.lock"), "set-up of tools")?;
    let wanted = [
        ("wasm-bindgen-cli", "wasm-bindgen", bindgen_version()?),
        ("wasm-pack", "wasm-pack", WASM_PACK.to_owned()),
    ];
    for (package, program, version) in wanted {
        if is_version(&home.join("bin").join(program), program, &version) {
            there(&format!("{program} {version}"));
        } else {
            timed(&format!("cargo install {package}@{version}"), || {
                install(&home, package, &version)
            })?;
        }
    }
    toolbox.add_path(home.join("bin"));
    check_bindgen(&home.join("bin/wasm-bindgen"))?;
    // The build of the tools is larger than the tools by a thousand times.
    let _ = std::fs::remove_dir_all(build_folder());
    Ok(())
}

/// Puts a `wasm-bindgen` into PATH that makes glue: the whole one where it is there, else one that is compiled without
/// the HTTP client and the web server of its tests.
pub fn glue(toolbox: &mut Toolbox) -> Result<()> {
    let version = bindgen_version()?;
    let _alone = locks::alone(&paths::cache().join("glue.lock"), "set-up of wasm-bindgen")?;
    let whole = paths::cache().join("tools/bin");
    let small = paths::cache().join(format!("glue-{version}"));
    for home in [&whole, &small] {
        if is_version(&home.join("wasm-bindgen"), "wasm-bindgen", &version) {
            there(&format!("wasm-bindgen {version}"));
            toolbox.add_path(home.clone());
            return check_bindgen(&home.join("wasm-bindgen"));
        }
    }
    timed(&format!("wasm-bindgen {version} for a first look"), || {
        build_glue(&small, &version)
    })?;
    check_bindgen(&small.join("wasm-bindgen"))?;
    toolbox.add_path(small);
    Ok(())
}

fn build_glue(home: &Path, version: &str) -> Result<()> {
    let source = glue_folder().join("source");
    let manifest = format!(
        "[package]\nname = \"portolan-glue\"\nversion = \"{version}\"\nedition = \"2024\"\n\
         [[bin]]\nname = \"wasm-bindgen\"\npath = \"main.rs\"\n\
         [dependencies]\nwasm-bindgen-cli-support = \"={version}\"\n[workspace]\n"
    );
    paths::write(&source.join("Cargo.toml"), manifest)?;
    paths::write(&source.join("main.rs"), GLUE)?;
    let target = glue_folder().join("target");
    quickly(Call::new("cargo"), &target)
        .args(["build", "--release"])
        .dir(&source)
        .run_quietly()?;
    let made = target.join("release/wasm-bindgen");
    paths::make_dir(home)?;
    std::fs::copy(&made, home.join("wasm-bindgen"))
        .map_err(|e| format!("{}: {e}", made.display()))?;
    let _ = std::fs::remove_dir_all(target);
    Ok(())
}

/// wasm-bindgen's program must be of exactly the version of its library.
fn bindgen_version() -> Result<String> {
    let lock = paths::read(&paths::root().join("Cargo.lock"))?;
    lockfile::version_of(&lock, "wasm-bindgen")
}

fn is_version(path: &Path, program: &str, version: &str) -> bool {
    path.is_file() && version_of(path).is_some_and(|line| line == format!("{program} {version}"))
}

fn build_folder() -> PathBuf {
    paths::cache().join("build/tools")
}

fn glue_folder() -> PathBuf {
    paths::cache().join("build/glue")
}

/// Tools run a few times a day for seconds: what counts is how soon they are there. Without optimisation, glue for 6 MB
/// takes 2.7 s of processor time in place of 0.7.
fn quickly(call: Call, target: &Path) -> Call {
    call.env("CARGO_TARGET_DIR", target)
        .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0")
        .env("CARGO_PROFILE_RELEASE_LTO", "off")
        .env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16")
}

/// Lets wasm-bindgen make glue for a tiny module.
fn check_bindgen(program: &Path) -> Result<()> {
    let checked = checks::once("wasm-bindgen", &[program.to_owned()], |scratch| {
        paths::write(&scratch.join("answer.wasm"), checks::MODULE)?;
        Call::new(program)
            .args(["--target", "web", "--omit-default-module-path"])
            .args(["--out-name", "answer", "--out-dir", "out", "answer.wasm"])
            .dir(scratch)
            .read()?;
        checks::is_module(&scratch.join("out/answer_bg.wasm"))
    });
    checked.map_err(|why| format!("{} makes no glue: {why}", program.display()))
}

/// Chooses a wasm-opt and lets it optimise a tiny module. That of npm is WebAssembly under Node; a native one of the very
/// same version, where there is one in PATH, writes the same bytes sooner.
pub fn optimiser(toolbox: &mut Toolbox) -> Result<()> {
    let npm = toolbox.program("wasm-opt");
    if let Some(native) = native_optimiser(&npm) {
        check_opt(toolbox, &native)?;
        there(&format!("{} optimises wasm", native.display()));
        toolbox.set("PORTOLAN_WASM_OPT", native.to_string_lossy());
        return Ok(());
    }
    check_opt(toolbox, &npm)
}

fn native_optimiser(npm: &Path) -> Option<PathBuf> {
    let native = which("wasm-opt")?;
    let is_of_npm = native
        .components()
        .any(|part| part.as_os_str() == "node_modules");
    (!is_of_npm && opt_version(&version_of(&native)?)? == opt_version(&version_of(npm)?)?)
        .then_some(native)
}

/// `wasm-opt version 132 (version_132)` → 132
fn opt_version(line: &str) -> Option<u32> {
    line.split_whitespace().find_map(|word| word.parse().ok())
}

fn check_opt(toolbox: &Toolbox, program: &Path) -> Result<()> {
    let programs = [program.to_owned(), toolbox.program("node")];
    let checked = checks::once("wasm-opt", &programs, |scratch| {
        let module = scratch.join("answer.wasm");
        paths::write(&module, checks::MODULE)?;
        let made = scratch.join("out.wasm");
        toolbox
            .call(&program.to_string_lossy())
            .args(["--enable-simd", "-O1"])
            .arg(&module)
            .arg("-o")
            .arg(&made)
            .read()?;
        checks::is_module(&made)
    });
    checked.map_err(|why| format!("{} does not work: {why}", program.display()))
}

fn install(home: &Path, package: &str, version: &str) -> Result<()> {
    let optimised = match package {
        "wasm-bindgen-cli" => BUSY,
        _ => &[],
    };
    let attempt = |locked: &[&str]| {
        let call = quickly(Call::new("cargo"), &build_folder()).arg("install");
        let call = optimised.iter().fold(call, |call, name| {
            call.args([
                "--config",
                &format!("profile.release.package.{name}.opt-level=1"),
            ])
        });
        call.arg(format!("{package}@{version}"))
            .args(["--force", "--root"])
            .arg(home)
            .args(locked)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_of_an_optimiser_is_read() {
        assert_eq!(opt_version("wasm-opt version 132 (version_132)"), Some(132));
        assert_eq!(opt_version("wasm-opt version 108"), Some(108));
        assert_eq!(opt_version("wasm-opt"), None);
    }
}
