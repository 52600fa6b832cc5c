//! Programs of PyPI, in a virtual environment of the cache.

use super::{Toolbox, there};
use crate::digest::Digest;
use crate::locks;
use crate::paths;
use crate::shell::{Call, Result, timed};

/// Every package that the suite `contract` runs, with its version.
const REQUIREMENTS: &str = "tests/contract/requirements.txt";
/// The variable that names their Python.
pub const VARIABLE: &str = "PORTOLAN_CONTRACT_PYTHON";

/// Installs what the suite `contract` runs, once for each list of versions.
pub fn contract(toolbox: &mut Toolbox) -> Result<()> {
    let root = paths::root();
    let list = Digest::default().file(&root, REQUIREMENTS).finish();
    let name = list.get(..16).unwrap_or(&list);
    let home = paths::cache().join(format!("contract-{name}"));
    let _alone = locks::alone(&paths::cache().join("contract.lock"), "set-up of Python")?;
    let done = home.join(".done");
    if done.is_file() {
        there("the Python packages of tests/contract/requirements.txt");
    } else {
        timed("Python packages of tests/contract/requirements.txt", || {
            Call::new("python3")
                .args(["-m", "venv", "--clear"])
                .arg(&home)
                .run_quietly()?;
            Call::new(home.join("bin/pip"))
                .args(["install", "--quiet", "--disable-pip-version-check"])
                .args(["--no-deps", "-r"])
                .arg(root.join(REQUIREMENTS))
                .run_quietly()
        })?;
        paths::write(&done, "")?;
    }
    let python = home.join("bin/python");
    toolbox.set(VARIABLE, python.to_string_lossy());
    Ok(())
}
