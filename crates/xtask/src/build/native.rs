//! The native program, and the npm package that carries it for this system: an optional accelerator.

use std::env::consts::{ARCH, OS};
use std::path::{Path, PathBuf};

use serde_json::json;

use crate::paths;
use crate::setup::Toolbox;
use crate::shell::Result;

/// How the program is compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speed {
    /// As it is published.
    Released,
    /// For tests: soon there, and slow.
    Dev,
}

/// Compiles the program `portolan`; returns its path.
pub fn program(toolbox: &Toolbox, speed: Speed) -> Result<PathBuf> {
    let profile = match speed {
        Speed::Released => "native",
        Speed::Dev => "dev",
    };
    toolbox
        .call("cargo")
        .args(["build", "--locked", "--package", "portolan"])
        .args(["--bin", "portolan", "--features", "program"])
        .args(["--profile", profile])
        .run_quietly()?;
    Ok(place(speed))
}

/// Where the program is once it is compiled.
pub fn place(speed: Speed) -> PathBuf {
    let folder = match speed {
        Speed::Released => "native",
        Speed::Dev => "debug",
    };
    let name = format!("portolan{}", std::env::consts::EXE_SUFFIX);
    paths::target_dir(&paths::root()).join(folder).join(name)
}

/// Compiles the program as it is published and makes its npm package in `to`; returns the package's folder. The package `portolan` looks for
/// it under this name.
pub fn package(toolbox: &Toolbox, version: &str, to: &Path) -> Result<PathBuf> {
    let program = program(toolbox, Speed::Released)?;
    let (os, cpu) = node_names(OS, ARCH);
    let name = format!("portolan-{os}-{cpu}");
    let folder = to.join(&name);
    let file = program.file_name().unwrap_or_default();
    paths::copy(&program, &folder.join(file))?;
    let manifest = json!({
        "name": name,
        "version": version,
        "description": "The native program of portolan for this system; portolan works without it, slower",
        "license": "MIT OR Apache-2.0",
        "os": [os],
        "cpu": [cpu],
        "preferUnplugged": true,
    });
    let manifest = serde_json::to_string_pretty(&manifest).map_err(|e| e.to_string())?;
    paths::write(&folder.join("package.json"), manifest + "\n")?;
    Ok(folder)
}

/// Node's names of a system and a processor.
fn node_names<'a>(os: &'a str, arch: &'a str) -> (&'a str, &'a str) {
    let os = match os {
        "macos" => "darwin",
        "windows" => "win32",
        os => os,
    };
    let cpu = match arch {
        "x86_64" => "x64",
        "aarch64" => "arm64",
        "x86" => "ia32",
        cpu => cpu,
    };
    (os, cpu)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn systems_have_the_names_of_node() {
        assert_eq!(node_names("linux", "x86_64"), ("linux", "x64"));
        assert_eq!(node_names("macos", "aarch64"), ("darwin", "arm64"));
        assert_eq!(node_names("freebsd", "riscv64"), ("freebsd", "riscv64"));
    }
}
