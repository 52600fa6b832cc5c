//! One wasm artifact: wasm-pack into a folder of its own, wasm-opt, then all files at once into the place where the
//! package expects them.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::Form;
use super::record::{BuildOutput, inputs_of_dep_info};
use crate::digest::Digest;
use crate::locks;
use crate::manifest::Plan;
use crate::paths;
use crate::setup::Toolbox;
use crate::shell::{Result, say, timed};

/// How many outputs of wasm-opt the cache keeps.
const N_OPTIMISED: usize = 24;

/// An artifact that is compiled and not yet optimised.
pub struct Compiled<'a> {
    plan: Plan<'a>,
    built: BuildOutput<'a>,
    staging: PathBuf,
    inputs: Vec<String>,
    start: SystemTime,
    form: Form,
    _alone: File,
}

/// Compiles the artifact of `plan`, unless it is up to date.
pub fn compile<'a>(
    toolbox: &Toolbox,
    root: &'a Path,
    plan: Plan<'a>,
    form: Form,
) -> Result<Option<Compiled<'a>>> {
    let manifest = CrateManifest::read(root, plan.crate_dir)?;
    let mut built = BuildOutput {
        root,
        out: root.join(plan.out),
        name: plan.name,
        settings: settings(toolbox, &plan, &manifest, Form::Released)?,
        is_quick: false,
    };
    let alone = lock(root, plan.name)?;
    super::look::forget(&plan, root);
    // A released artifact does for every purpose but looking into it.
    let mut is_fresh = form != Form::Dev && built.is_fresh()?;
    if form != Form::Released && !is_fresh {
        built.settings = settings(toolbox, &plan, &manifest, form)?;
        built.is_quick = true;
        is_fresh = built.is_fresh()?;
    }
    if is_fresh {
        say(&format!("  ✓ {}.wasm is up to date", plan.name));
        return Ok(None);
    }
    let start = SystemTime::now();
    let staging = paths::target_dir(root).join("wasm-pack").join(plan.name);
    let inputs = timed(&format!("{}.wasm compiled", plan.name), || {
        let _ = std::fs::remove_dir_all(&staging);
        match form {
            Form::Look => cargo_and_glue(toolbox, &plan, &manifest, &staging)?,
            Form::Released | Form::Tested | Form::Dev => wasm_pack(toolbox, &plan, &staging, form)?,
        }
        // Read at once: the next artifact of the same crate overwrites it.
        inputs(root, &plan, &manifest, form)
    })?;
    Ok(Some(Compiled {
        plan,
        built,
        staging,
        inputs,
        start,
        form,
        _alone: alone,
    }))
}

/// Is the artifact of `plan` there as it is published? The cache is asked, too.
pub fn is_released(toolbox: &Toolbox, root: &Path, plan: &Plan) -> Result<bool> {
    let manifest = CrateManifest::read(root, plan.crate_dir)?;
    let built = BuildOutput {
        root,
        out: root.join(plan.out),
        name: plan.name,
        settings: settings(toolbox, plan, &manifest, Form::Released)?,
        is_quick: false,
    };
    built.is_fresh()
}

impl Compiled<'_> {
    /// Optimises the artifact and puts it into its place. One thread is all that wasm-opt uses, so the next artifact
    /// can be compiled meanwhile.
    pub fn finish(self, toolbox: &Toolbox) -> Result<()> {
        let name = self.plan.name;
        let what = match self.form {
            Form::Released | Form::Tested => "optimised and in place",
            Form::Dev | Form::Look => "in place",
        };
        timed(&format!("{name}.wasm {what}"), || {
            if self.form == Form::Released {
                wasm_opt(
                    toolbox,
                    &self.plan,
                    &self
                        .staging
                        .join(format!("{}_bg.wasm", self.plan.known_as())),
                )?;
            }
            let outputs = match &self.plan.artifact.glue {
                None => publish(&self.staging, &self.built.out)?,
                Some(glue) => vec![publish_wasm(&self.staging, glue, &self.built.out, name)?],
            };
            self.built.keep(self.start, self.inputs, outputs)
        })
    }
}

/// Two builds of one artifact at the same time would write into each other's folder: the second waits, and finds the
/// work done. The lock ends with the process.
pub fn lock(root: &Path, name: &str) -> Result<File> {
    let path = paths::target_dir(root)
        .join("xtask")
        .join(format!("{name}.lock"));
    locks::alone(&path, &format!("build of {name}.wasm"))
}

fn wasm_pack(toolbox: &Toolbox, plan: &Plan, staging: &Path, form: Form) -> Result<()> {
    let profile: &[&str] = match plan.profile(form) {
        "dev" => &["--dev"],
        // Not `--profile release`: wasm-pack reads other metadata of the crate for that.
        "release" => &["--release"],
        other => &["--profile", other],
    };
    toolbox
        .call_for_wasm("wasm-pack")
        .args([
            "build",
            plan.crate_dir,
            "--target",
            plan.target,
            "--out-name",
            plan.known_as(),
        ])
        .args([
            "--no-pack",
            "--no-gitignore",
            "--no-opt",
            "--mode",
            "no-install",
        ])
        .args(profile)
        .arg("--out-dir")
        .arg(staging)
        .args([
            "--",
            "--no-default-features",
            "--features",
            &plan.artifact.features.join(","),
        ])
        .run_quietly()
}

/// The same without wasm-pack, which takes a minute and a half to compile where nothing of ours was ever installed.
pub fn cargo_and_glue(
    toolbox: &Toolbox,
    plan: &Plan,
    manifest: &CrateManifest,
    staging: &Path,
) -> Result<()> {
    let profile = plan.profile(Form::Look);
    toolbox
        .call_for_wasm("cargo")
        .args(["build", "--lib", "--package", &manifest.package])
        .args(["--target", "wasm32-unknown-unknown", "--profile", profile])
        .args(["--no-default-features", "--features"])
        .arg(plan.artifact.features.join(","))
        .run_quietly()?;
    let made = format!("wasm32-unknown-unknown/{profile}/{}.wasm", manifest.library);
    toolbox
        .call("wasm-bindgen")
        .args(["--target", plan.target, "--omit-default-module-path"])
        .args(["--out-name", plan.known_as(), "--out-dir"])
        .arg(staging)
        .arg(paths::target_dir(&paths::root()).join(made))
        .run_quietly()
}

/// Optimises `file` in place. The result is kept by what went in: most edits of comments and tests end here.
fn wasm_opt(toolbox: &Toolbox, plan: &Plan, file: &Path) -> Result<()> {
    let flags = plan.wasm_opt_flags();
    let key = Digest::default()
        .part("flags", flags.join(" ").as_bytes())
        .part("wasm", &paths::read_bytes(file)?)
        .finish();
    let kept = paths::cache().join("wasm-opt").join(&key);
    if !kept.is_file() {
        let optimised = file.with_extension("opt.wasm");
        toolbox
            .call(toolbox.var("PORTOLAN_WASM_OPT").unwrap_or("wasm-opt"))
            .args(&flags)
            .arg(file)
            .arg("-o")
            .arg(&optimised)
            .run_quietly()?;
        paths::copy(&optimised, &kept)?;
        let _ = std::fs::remove_file(optimised);
        forget_old(&paths::cache().join("wasm-opt"));
    }
    paths::copy(&kept, file)
}

fn forget_old(dir: &Path) {
    let entries = std::fs::read_dir(dir).into_iter().flatten().flatten();
    let mut files: Vec<_> = entries
        .filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.path())))
        .collect();
    files.sort();
    for (_, file) in files.iter().rev().skip(N_OPTIMISED) {
        let _ = std::fs::remove_file(file);
    }
}

fn publish(staging: &Path, out: &Path) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for file in paths::files_under(staging, &[]) {
        let relative = file.strip_prefix(staging).unwrap_or(&file);
        paths::copy(&file, &out.join(relative))?;
        names.push(relative.to_string_lossy().into_owned());
    }
    Ok(names)
}

/// The wasm alone, under the name of its artifact: it has glue already.
fn publish_wasm(staging: &Path, glue: &str, out: &Path, name: &str) -> Result<String> {
    let output = format!("{name}_bg.wasm");
    paths::copy(&staging.join(format!("{glue}_bg.wasm")), &out.join(&output))?;
    Ok(output)
}

/// Everything beside sources that decides about the output.
pub fn settings(
    toolbox: &Toolbox,
    plan: &Plan,
    manifest: &CrateManifest,
    form: Form,
) -> Result<String> {
    let compiler = toolbox.call_for_wasm("rustc").arg("--version").read()?;
    let behind = behind(toolbox, plan, manifest)?;
    let manifest = paths::read(&paths::root().join("Cargo.toml"))?;
    let profiles = profiles(&manifest, plan.profile(form))?;
    Ok(format!(
        "{}\n{behind}\n{profiles}\n{compiler}",
        plan.settings(form)
    ))
}

/// Every package that is compiled into the artifact, with version and features, as cargo resolves them.
fn behind(toolbox: &Toolbox, plan: &Plan, manifest: &CrateManifest) -> Result<String> {
    let tree = toolbox
        .call_for_wasm("cargo")
        .args(["tree", "--package", &manifest.package])
        .args(["--no-default-features", "--features"])
        .arg(plan.artifact.features.join(","))
        .args(["--target", "wasm32-unknown-unknown"])
        .args(["--edges", "normal,build", "--prefix", "none", "--no-dedupe"])
        .args(["--format", "{p} {f}"])
        .read()?;
    let root = paths::root();
    let mut lines: Vec<String> = tree
        .lines()
        .map(|line| line.replace(&*root.to_string_lossy(), ""))
        .collect();
    lines.sort();
    lines.dedup();
    Ok(Digest::default()
        .part("packages", lines.join("\n").as_bytes())
        .finish())
}

/// Returns the tables of the workspace's Cargo.toml that decide how code is compiled, without those of packages that
/// the artifact does not use ([`behind`] has the others) and of profiles that it is not built with.
fn profiles(text: &str, name: &str) -> Result<String> {
    let table: toml::Table = toml::from_str(text).map_err(|e| format!("Cargo.toml: {e}"))?;
    let package = table
        .get("workspace")
        .and_then(|workspace| workspace.get("package"));
    let of = |name: &str| table.get("profile")?.get(name);
    let mut used = String::new();
    let mut next = Some(name);
    // Follows the profiles that a profile inherits from, up to cargo's own; cargo reports cycles.
    for _ in 0..8 {
        let Some(profile) = next.and_then(of) else {
            break;
        };
        used.push_str(&format!("{profile:?}\n"));
        next = profile.get("inherits").and_then(toml::Value::as_str);
    }
    Ok(format!("{used}{package:?}"))
}

/// Returns the files that cargo reports as read, and those that it reads without reporting them.
pub fn inputs(
    root: &Path,
    plan: &Plan,
    manifest: &CrateManifest,
    form: Form,
) -> Result<Vec<String>> {
    let profile = match plan.profile(form) {
        "dev" => "debug",
        other => other,
    };
    let dep_info = format!("wasm32-unknown-unknown/{profile}/{}.d", manifest.library);
    let text = paths::read(&paths::target_dir(root).join(dep_info))?;
    let mut inputs = inputs_of_dep_info(&text, root);
    let mut manifests: Vec<_> = inputs
        .iter()
        .filter_map(|input| manifest_of(input))
        .collect();
    manifests.push(".cargo/config.toml".to_owned());
    inputs.append(&mut manifests);
    Ok(inputs)
}

/// `crates/a/src/lib.rs` → `crates/a/Cargo.toml`
fn manifest_of(input: &str) -> Option<String> {
    let name = input.strip_prefix("crates/")?.split('/').next()?;
    Some(format!("crates/{name}/Cargo.toml"))
}

/// The two names of a crate.
pub struct CrateManifest {
    package: String,
    library: String,
}

impl CrateManifest {
    /// Reads both from the crate's Cargo.toml.
    pub fn read(root: &Path, crate_dir: &str) -> Result<Self> {
        let path = root.join(crate_dir).join("Cargo.toml");
        let table: toml::Table =
            toml::from_str(&paths::read(&path)?).map_err(|e| format!("{}: {e}", path.display()))?;
        let name =
            |table_name: &str| Some(table.get(table_name)?.get("name")?.as_str()?.to_owned());
        let package =
            name("package").ok_or_else(|| format!("{} names no package", path.display()))?;
        let library = name("lib").unwrap_or_else(|| package.replace('-', "_"));
        Ok(Self { package, library })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dependency_of_another_crate_does_not_change_the_profiles() {
        let text = "[workspace.dependencies]\na = \"1\"\n[profile.release]\nlto = \"thin\"\n[profile.small]\ninherits = \"release\"\nopt-level = \"z\"\n";
        let read = |text: &str, name| profiles(text, name).expect("a readable manifest");
        for name in ["release", "small"] {
            assert_eq!(read(text, name), read(&text.replace("a = ", "b = "), name));
            assert_ne!(read(text, name), read(&text.replace("thin", "fat"), name));
        }
        let other = text.replace("\"z\"", "\"s\"");
        assert_eq!(read(text, "release"), read(&other, "release"));
        assert_ne!(read(text, "small"), read(&other, "small"));
    }
}
