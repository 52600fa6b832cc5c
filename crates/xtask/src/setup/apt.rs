//! Debian's package manager, asked once for all that is missing.

use std::path::Path;

use crate::shell::{Call, Result, timed, which};

/// Installs those of `packages` that are missing. Without root, `sudo -n` is tried; without that, the error is the
/// command that the user has to run.
pub fn install(packages: &[&str]) -> Result<()> {
    let missing: Vec<_> = packages
        .iter()
        .copied()
        .filter(|package| !is_installed(package))
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    let names = missing.join(" ");
    if !is_available() {
        return Err(format!(
            "this machine lacks what Debian calls `{names}`; there is no apt-get here, so install the like with your package manager and run this again"
        ));
    }
    timed(&format!("Debian packages installed: {names}"), || {
        apt_get()
            .ok_or_else(|| needs_root(&names))?
            .arg("update")
            .run_quietly()?;
        apt_get()
            .ok_or_else(|| needs_root(&names))?
            .args(["install", "-y", "--no-install-recommends"])
            .args(&missing)
            .run_quietly()
    })
}

/// Is there an apt-get at all?
pub fn is_available() -> bool {
    which("apt-get").is_some() && Path::new("/etc/debian_version").exists()
}

fn is_installed(package: &str) -> bool {
    Call::new("dpkg-query")
        .args(["-W", "-f", "${Status}", package])
        .read()
        .is_ok_and(|status| status.contains("install ok installed"))
}

fn apt_get() -> Option<Call> {
    let call = if is_root() {
        Call::new("apt-get")
    } else {
        Call::new("sudo").args(["-n", "true"]).read().ok()?;
        Call::new("sudo").args(["-n", "DEBIAN_FRONTEND=noninteractive", "apt-get"])
    };
    Some(call.env("DEBIAN_FRONTEND", "noninteractive"))
}

fn is_root() -> bool {
    Call::new("id")
        .arg("-u")
        .read()
        .is_ok_and(|id| id.trim() == "0")
}

fn needs_root(names: &str) -> String {
    format!(
        "Debian packages are missing and need root: run `sudo apt-get install {names}` and then this again"
    )
}
