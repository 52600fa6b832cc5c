//! Debian's package manager, asked once for all that is missing.

use std::path::Path;
use std::sync::OnceLock;

use crate::shell::{Call, Result, say, timed, which};

/// Installs those of `packages` that are missing. Without root, `sudo -n` is tried.
pub fn install(packages: &[String]) -> Result<()> {
    let missing: Vec<_> = packages
        .iter()
        .filter(|package| !is_installed(package))
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    let names: Vec<_> = missing.iter().map(|name| name.as_str()).collect();
    timed(
        &format!("Debian packages installed: {}", names.join(" ")),
        || {
            refresh();
            apt_get()
                .ok_or("no root here, and `sudo -n` asks for a password")?
                .args(["install", "-y", "--no-install-recommends"])
                .args(&missing)
                .run_quietly()
        },
    )
}

/// Is this Debian, or a distribution based on it?
pub fn is_available() -> bool {
    which("apt-get").is_some() && Path::new("/etc/debian_version").exists()
}

/// Is there an apt-get that may install, as root or by `sudo -n`?
pub fn can_install() -> bool {
    is_available() && apt_get().is_some()
}

/// Does this release of Debian have `package`? Its lists are read anew first, once a run.
pub fn offers(package: &str) -> bool {
    if !is_available() {
        return false;
    }
    refresh();
    Call::new("apt-cache")
        .args(["show", "--no-all-versions", package])
        .read()
        .is_ok_and(|text| text.contains("Package: "))
}

/// Reads the lists of packages anew. One source that fails is no reason to give up: the others may have what is needed.
fn refresh() {
    static DONE: OnceLock<()> = OnceLock::new();
    DONE.get_or_init(|| {
        let updated = apt_get().map(|call| call.arg("update").run_quietly());
        if let Some(Err(why)) = updated {
            say(&format!("    {}", why.lines().last().unwrap_or_default()));
        }
    });
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
    // Another installation may be under way.
    let call = call.args(["-o", "DPkg::Lock::Timeout=300"]);
    Some(call.env("DEBIAN_FRONTEND", "noninteractive"))
}

/// Does this process run as root?
pub fn is_root() -> bool {
    Call::new("id")
        .arg("-u")
        .read()
        .is_ok_and(|id| id.trim() == "0")
}
