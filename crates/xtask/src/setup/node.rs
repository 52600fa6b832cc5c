//! Node and the npm packages of this workspace.

use std::path::{Path, PathBuf};

use super::packages::{Missing, Tool};
use super::{Toolbox, checks, there};
use crate::digest::Digest;
use crate::paths;
use crate::shell::{Call, Result, say, timed, version_of, which};

/// Minimum version for the package, the page and the tests.
const OLDEST: (u32, u32) = (20, 12);
/// Minimum version for wrangler and workerd's driver.
const OLDEST_FOR_WORKER: (u32, u32) = (22, 12);
/// npm carries Node itself; this one is used where the machine's is too old.
const PINNED: &str = "22.23.3";

/// Are Node and npm there, of whatever age? A newer Node comes from npm.
pub fn missing() -> Option<Missing> {
    let checked = match (which("node"), which("npm")) {
        (Some(node), Some(npm)) => checks::once("npm", &[node, npm], |_| {
            Call::new("npm").arg("--version").read().map(drop)
        }),
        (None, _) => Err("no node in PATH".to_owned()),
        (_, None) => Err("no npm in PATH".to_owned()),
    };
    let tool = Tool::Node;
    checked.err().map(|why| Missing { tool, why })
}

/// Makes a Node of a usable age the first in PATH.
pub fn prepare(toolbox: &mut Toolbox) -> Result<()> {
    match node_version("node") {
        Some(version) if version >= OLDEST => {}
        _ => {
            let node = from_npm()?;
            toolbox.add_path(node.parent().unwrap_or(&node).to_owned());
        }
    }
    toolbox.add_path(paths::root().join("node_modules/.bin"));
    let node = toolbox.program("node");
    runs_wasm(&node)?;
    let version = version_of(&node).unwrap_or_default();
    there(&format!("Node {version} runs wasm"));
    Ok(())
}

/// Lets a Node call a function of a tiny module.
fn runs_wasm(node: &Path) -> Result<()> {
    const SCRIPT: &str = "WebAssembly.instantiate(require('node:fs').readFileSync(process.argv[1]))\
        .then(({ instance }) => console.log(instance.exports.answer()))";
    let checked = checks::once("node", &[node.to_owned()], |scratch| {
        let module = scratch.join("answer.wasm");
        paths::write(&module, checks::MODULE)?;
        let said = Call::new(node).args(["-e", SCRIPT]).arg(&module).read()?;
        match said.trim() {
            "42" => Ok(()),
            other => Err(format!("a function that returns 42 returned {other:?}")),
        }
    });
    checked.map_err(|why| format!("{} does not run wasm: {why}", node.display()))
}

/// Installs the packages of package-lock.json, unless they are those of the last time.
pub fn packages(toolbox: &mut Toolbox) -> Result<()> {
    let root = paths::root();
    let wanted = Digest::default()
        .file(&root, "package-lock.json")
        .file(&root, "package.json")
        .file(&root, "pkg/package.json")
        .file(&root, "www/package.json")
        .finish();
    let stamp = root.join("node_modules/.portolan-lock");
    if std::fs::read_to_string(&stamp).is_ok_and(|found| found == wanted) {
        there("npm packages of package-lock.json");
        return Ok(());
    }
    let is_new = !root.join("node_modules").exists();
    timed("npm packages of package-lock.json", || {
        if is_new {
            npm(toolbox, "ci").or_else(|why| {
                // A mirror may lack young packages for other platforms than this, which `ci` wants in the lock file, too.
                say(&format!(
                    "    npm ci: {}",
                    why.lines()
                        .find(|line| line.contains("Missing"))
                        .unwrap_or("failed")
                ));
                npm(toolbox, "install")
            })?;
        } else {
            npm(toolbox, "install")?;
        }
        paths::write(&stamp, &wanted)
    })
}

/// Fetches the archives of published packages, each `name` or `name@version`, into `folder`.
pub fn pack(toolbox: &Toolbox, packages: &[String], folder: &Path) -> Result<()> {
    paths::make_dir(folder)?;
    toolbox
        .call("npm")
        .args(["pack", "--silent", "--ignore-scripts", "--pack-destination"])
        .arg(folder)
        .args(packages)
        .dir(folder)
        .read()
        .map(drop)
}

fn npm(toolbox: &Toolbox, verb: &str) -> Result<()> {
    toolbox
        .call("npm")
        .args([verb, "--no-audit", "--no-fund"])
        .run_quietly()
}

/// Names a Node that the Worker's tools accept in `PORTOLAN_NODE22`.
pub fn node22(toolbox: &mut Toolbox) -> Result<()> {
    let system = which("node")
        .filter(|node| node_version(node).is_some_and(|version| version >= OLDEST_FOR_WORKER));
    let node = match system {
        Some(node) => node,
        None => from_npm()?,
    };
    toolbox.set("PORTOLAN_NODE22", node.to_string_lossy());
    Ok(())
}

fn from_npm() -> Result<PathBuf> {
    let (os, cpu) = platform()?;
    let package = format!("node-{os}-{cpu}");
    let home = paths::cache().join("node22");
    let node = home.join("node_modules").join(&package).join("bin/node");
    let wanted = format!("v{PINNED}");
    if version_of(&node).as_deref() == Some(&wanted) {
        there(&format!("Node {PINNED} from npm"));
    } else {
        timed(&format!("Node {PINNED} from npm"), || {
            install_node(&home, &package)
        })?;
    }
    runs_wasm(&node)?;
    Ok(node)
}

fn install_node(home: &Path, package: &str) -> Result<()> {
    paths::write(&home.join("package.json"), "{\"private\": true}\n")?;
    let wanted = format!("{package}@{PINNED}");
    Call::new("npm")
        .args(["install", "--no-audit", "--no-fund", "--no-save", &wanted])
        .dir(home)
        .run_quietly()
}

fn platform() -> Result<(&'static str, &'static str)> {
    let cpu = match std::env::consts::ARCH {
        "x86_64" => "x64",
        "aarch64" => "arm64",
        other => {
            return Err(format!(
                "npm has no Node for {other}: install Node 22 yourself"
            ));
        }
    };
    match std::env::consts::OS {
        "linux" => Ok(("linux", cpu)),
        "macos" => Ok(("darwin", cpu)),
        other => Err(format!(
            "npm has no Node for {other}: install Node 22 yourself"
        )),
    }
}

/// Major and minor number of a Node, if it starts.
fn node_version(node: impl AsRef<std::ffi::OsStr>) -> Option<(u32, u32)> {
    parse_version(&version_of(node)?)
}

fn parse_version(text: &str) -> Option<(u32, u32)> {
    let mut numbers = text.trim().strip_prefix('v')?.split('.');
    Some((numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_compare_by_number() {
        assert_eq!(parse_version("v20.20.2"), Some((20, 20)));
        assert_eq!(parse_version("20.1"), None);
        assert!(parse_version("v22.9.0") < Some(OLDEST_FOR_WORKER));
    }
}
