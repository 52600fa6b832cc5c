//! Everything that would be published, made and checked without publishing it: the npm tarball, the crates, an MCP bundle, the entries for
//! the MCP registry and a plugin marketplace, a bill of materials, checksums.

mod sbom;
mod settings;
mod stage;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use crate::build;
use crate::digest::sha256_of;
use crate::notices::{self, inventory};
use crate::paths;
use crate::setup::{self, Need, Toolbox};
use crate::shell::{Call, Result, say, timed};
use settings::Settings;

/// Published crates, each after those that it depends on.
const CRATES: [&str; 14] = [
    "source", "syntax", "embed", "seal", "graph", "resolve", "cypher", "search", "snapshot",
    "engine", "api", "edge", "portolan", "browser",
];

/// The package in a folder of `crates/`.
fn package_of(folder: &str) -> String {
    match folder {
        "portolan" => folder.to_owned(),
        part => format!("portolan-{part}"),
    }
}

/// Checkers from npm, kept in the cache: the package itself needs none of them.
const CHECKERS: [&str; 4] = [
    "@anthropic-ai/mcpb@2.1.2",
    "@cyclonedx/cyclonedx-library@10.3.0",
    "ajv@8.20.0",
    "ajv-formats@3.0.1",
];

/// How far to go.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Make artifacts though release.toml is not filled in.
    pub dry_run: bool,
    /// Compile each packed crate, too.
    pub verify: bool,
}

/// The artifact of a step, or the reason why there is none.
struct Step {
    name: &'static str,
    made: Result<Vec<PathBuf>>,
}

/// Makes and checks the artifacts in target/release-artifacts, and prints what there is.
pub fn run(options: Options) -> Result<()> {
    let root = paths::root();
    let settings = Settings::load(&root)?;
    if !options.dry_run && !settings.is_filled_in() {
        return Err(
            "release.toml is not filled in: give `repository` (and `mcp-name`, where it is not on GitHub), \
             or try it with --dry-run"
                .to_owned(),
        );
    }
    let toolbox = setup::prepare(&[Need::Npm])?;
    let out = root.join("target/release-artifacts");
    let _ = std::fs::remove_dir_all(&out);
    paths::make_dir(&out)?;
    let release = Release {
        version: version(&root)?,
        root,
        out,
        settings,
        toolbox,
        options,
    };
    let steps = release.steps();
    release.conclude(&steps)
}

/// The version of the workspace, which is that of everything.
fn version(root: &Path) -> Result<String> {
    let text = paths::read(&root.join("Cargo.toml"))?;
    let table: toml::Table = toml::from_str(&text).map_err(|e| format!("Cargo.toml: {e}"))?;
    let place = ["workspace", "package", "version"];
    let mut value = None;
    for key in place {
        value = match value {
            None => table.get(key),
            Some(inner) => toml::Value::get(inner, key),
        };
    }
    value
        .and_then(toml::Value::as_str)
        .map(str::to_owned)
        .ok_or_else(|| "Cargo.toml has no workspace.package.version".to_owned())
}

struct Release {
    root: PathBuf,
    out: PathBuf,
    version: String,
    settings: Settings,
    toolbox: Toolbox,
    options: Options,
}

impl Release {
    fn steps(&self) -> Vec<Step> {
        let step = |name, work: &dyn Fn() -> Result<Vec<PathBuf>>| Step {
            name,
            made: timed(name, work),
        };
        vec![
            step("native program", &|| self.native()),
            step("npm package", &|| self.npm()),
            step("crates", &|| self.crates()),
            step("bill of materials", &|| self.bill()),
            step("MCP bundle, registry, marketplace", &|| self.manifests()),
        ]
    }

    fn npm(&self) -> Result<Vec<PathBuf>> {
        let stage = self.out.join("stage/npm");
        notices::write_into(&self.root, &self.root.join("pkg"))?;
        stage::npm(&self.root, &self.settings, &stage)?;
        let mut missing = stage::missing(&stage)?;
        // Made for a first look or for tests: larger and slower than what is published.
        let quick = build::quick_artifacts()?;
        missing.extend(
            quick
                .iter()
                .map(|name| format!("{name}.wasm as it is published")),
        );
        if !missing.is_empty() {
            let why = format!(
                "not built: {}; `cargo xtask build` makes it whole",
                missing.join(", ")
            );
            if !self.options.dry_run {
                return Err(why);
            }
            say(&format!("    {why}"));
        }
        self.toolbox
            .call("npm")
            .args(["pack", "--silent", "--ignore-scripts", "--pack-destination"])
            .arg(&self.out)
            .dir(&stage)
            .read()?;
        Ok(vec![
            self.out.join(format!("portolan-{}.tgz", self.version)),
        ])
    }

    /// The npm package of this system's program, which is published beside the package that may use it.
    fn native(&self) -> Result<Vec<PathBuf>> {
        let stage = self.out.join("stage/native");
        let folder = build::native::package(&self.toolbox, &self.version, &stage)?;
        notices::write_into(&self.root, &folder)?;
        self.toolbox
            .call("npm")
            .args(["pack", "--silent", "--pack-destination"])
            .arg(&self.out)
            .dir(&folder)
            .read()?;
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        let file = format!("{name}-{}.tgz", self.version);
        Ok(vec![self.out.join(file)])
    }

    /// Packs the crates together, so that each finds those of this version that it needs.
    fn crates(&self) -> Result<Vec<PathBuf>> {
        let stage = self.out.join("crates");
        stage::crates(
            &self.root,
            &CRATES.map(str::to_owned),
            &self.settings,
            &stage,
        )?;
        let target = self.out.join("stage/target");
        let mut call = Call::new("cargo")
            .args(["package", "--allow-dirty", "--target-dir"])
            .arg(&target)
            .dir(&stage);
        if !self.options.verify {
            call = call.arg("--no-verify");
        }
        let names = CRATES.map(package_of);
        for name in &names {
            call = call.args(["-p", name]);
        }
        call.run_quietly()?;
        let files = names.map(|name| format!("{name}-{}.crate", self.version));
        for file in &files {
            paths::copy(&target.join("package").join(file), &self.out.join(file))?;
        }
        Ok(files.map(|file| self.out.join(file)).to_vec())
    }

    fn bill(&self) -> Result<Vec<PathBuf>> {
        let components = inventory::components(&self.root)?;
        let bill = sbom::bill(&self.version, &components);
        let text = serde_json::to_string_pretty(&bill).map_err(|e| e.to_string())?;
        let file = self.out.join("sbom.cdx.json");
        paths::write(&file, format!("{text}\n"))?;
        self.script("check-bill.mjs", &[&file])?;
        Ok(vec![file])
    }

    fn manifests(&self) -> Result<Vec<PathBuf>> {
        let settings = serde_json::json!({
            "repository": self.settings.repository,
            "mcpName": self.settings.mcp_name(),
            "version": self.version,
        });
        let file = self.out.join("stage/settings.json");
        paths::write(&file, settings.to_string())?;
        self.script("make-manifests.mjs", &[&self.out])?;
        let bundle = format!("portolan-{}.mcpb", self.version);
        let names = [bundle.as_str(), "server.json", "marketplace.json"];
        Ok(names.map(|name| self.out.join(name)).to_vec())
    }

    /// Runs a script of tools/release with the checkers, which it finds in `PORTOLAN_CHECKERS`.
    fn script(&self, name: &str, args: &[&Path]) -> Result<()> {
        let checkers = self.checkers()?;
        self.toolbox
            .call("node")
            .arg(self.root.join("tools/release").join(name))
            .args(args)
            .env("PORTOLAN_CHECKERS", checkers)
            .run_quietly()
    }

    fn checkers(&self) -> Result<PathBuf> {
        let home = paths::cache().join("release-checkers");
        let wanted = CHECKERS.join("\n");
        let stamp = home.join("installed.txt");
        if std::fs::read_to_string(&stamp).is_ok_and(|found| found == wanted) {
            return Ok(home);
        }
        paths::write(&home.join("package.json"), "{\"private\": true}\n")?;
        let flags = [
            "install",
            "--no-audit",
            "--no-fund",
            "--no-save",
            "--ignore-scripts",
        ];
        self.toolbox
            .call("npm")
            .args(flags)
            .args(CHECKERS)
            .dir(&home)
            .run_quietly()?;
        paths::write(&stamp, wanted)?;
        Ok(home)
    }

    /// Checksums of what there is, the table, and what is missing.
    fn conclude(&self, steps: &[Step]) -> Result<()> {
        let made = steps
            .iter()
            .filter_map(|step| step.made.as_ref().ok())
            .flatten();
        let mut sums = String::new();
        let mut table = String::from("\n| artifact | bytes |\n|---|--:|\n");
        for file in made {
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            let size = std::fs::metadata(file)
                .map_err(|e| format!("{}: {e}", file.display()))?
                .len();
            let _ = writeln!(sums, "{}  {name}", sha256_of(file)?);
            let _ = writeln!(table, "| {name} | {size} |");
        }
        paths::write(&self.out.join("SHA256SUMS"), sums)?;
        say(&table);
        if !self.settings.is_filled_in() {
            say(
                "release.toml is not filled in: no manifest has an address, and npm refuses to publish the package.",
            );
        }
        let failed: Vec<_> = steps
            .iter()
            .filter_map(|step| Some(format!("{}: {}", step.name, step.made.as_ref().err()?)))
            .collect();
        if !failed.is_empty() {
            return Err(failed.join("\n\n"));
        }
        let _ = std::fs::remove_dir_all(self.out.join("stage"));
        say(&format!(
            "Nothing was published. docs/release.md says how; the files are in {}",
            self.out.display()
        ));
        Ok(())
    }
}
