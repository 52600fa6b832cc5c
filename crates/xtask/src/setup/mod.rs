//! What has to be on the machine: each tool is checked, installed when it is missing, and reported with the time it
//! took. Nothing goes into the system that can live in the cache folder; what only the system's package manager
//! can give is asked of it in one call.

mod apt;
pub mod node;
mod rust;
mod tools;

pub use rust::clang;

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use crate::shell::{Call, Result, say};
use crate::{build::grammars, paths};

/// Something that a command cannot do without.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// A Rust standard library for wasm32, a linker for it, and a C compiler with a wasm back end.
    Wasm,
    /// wasm-pack and a wasm-bindgen of the very version in Cargo.lock.
    WasmPack,
    /// Node 20 or later and the packages of package-lock.json.
    Npm,
    /// Node 22, for the Worker's tool chain.
    Node22,
    /// Chromium and its driver.
    Browser,
    /// The grammar files of grammars.toml.
    Grammars,
}

/// Everything.
pub const ALL: [Need; 6] = [
    Need::Npm,
    Need::Node22,
    Need::Grammars,
    Need::Wasm,
    Need::WasmPack,
    Need::Browser,
];

/// What set-up found: the environment in which builds and tests run.
#[derive(Clone, Debug, Default)]
pub struct Toolbox {
    path: Vec<PathBuf>,
    vars: Vec<(String, String)>,
    /// A compiler that is used for wasm32 only: native builds stay with the user's own.
    wasm: Option<WasmCompiler>,
}

/// A compiler beside the one in PATH.
#[derive(Clone, Debug)]
struct WasmCompiler {
    bin: PathBuf,
    vars: Vec<(String, String)>,
}

impl Toolbox {
    /// Environment variables for every program that builds or tests, PATH included.
    pub fn env(&self) -> Vec<(String, String)> {
        self.env_with_path(&[])
    }

    fn env_with_path(&self, first: &[PathBuf]) -> Vec<(String, String)> {
        let rest = std::env::var_os("PATH").unwrap_or_default();
        let ours = first.iter().chain(&self.path).cloned();
        let dirs = ours.chain(std::env::split_paths(&rest));
        let path = std::env::join_paths(dirs).unwrap_or(rest);
        let mut vars = self.vars.clone();
        vars.push(("PATH".to_owned(), path.to_string_lossy().into_owned()));
        vars
    }

    /// A call of `program` in this environment, started in the root of the repository.
    pub fn call(&self, program: &str) -> Call {
        Call::new(self.program(program))
            .envs(&self.env())
            .dir(paths::root())
    }

    /// The same for a program that compiles to wasm32.
    pub fn call_for_wasm(&self, program: &str) -> Call {
        match &self.wasm {
            None => self.call(program),
            Some(compiler) => {
                let ours = compiler.bin.join(program);
                let program = if ours.is_file() {
                    ours
                } else {
                    self.program(program)
                };
                let env = self.env_with_path(std::slice::from_ref(&compiler.bin));
                Call::new(program)
                    .envs(&env)
                    .envs(&compiler.vars)
                    .dir(paths::root())
            }
        }
    }

    /// Where `program` lies: in a folder of set-up's, else wherever PATH finds it.
    pub fn program(&self, program: &str) -> PathBuf {
        let mut ours = self.path.iter().map(|dir| dir.join(program));
        ours.find(|file| file.is_file())
            .or_else(|| crate::shell::which(program))
            .unwrap_or_else(|| PathBuf::from(program))
    }

    /// The value of a variable that set-up decided.
    pub fn var(&self, name: &str) -> Option<&str> {
        self.vars
            .iter()
            .rev()
            .find(|(key, _)| key == name)
            .map(|(_, value)| value.as_str())
    }

    fn add_path(&mut self, dir: PathBuf) {
        if !self.path.contains(&dir) {
            self.path.insert(0, dir);
        }
    }

    fn set(&mut self, name: &str, value: impl Into<String>) {
        self.vars.push((name.to_owned(), value.into()));
    }
}

/// One set-up at a time: a second one waits, and finds what the first has installed.
static ALONE: Mutex<()> = Mutex::new(());

/// Makes sure that all `needs` are met, and returns the environment that meets them.
pub fn prepare(needs: &[Need]) -> Result<Toolbox> {
    // What another thread left unfinished is looked at anew.
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let start = Instant::now();
    say("set-up");
    let needs_it = |need| needs.contains(&need);
    let mut toolbox = Toolbox::default();
    toolbox.set("PORTOLAN_CACHE", paths::cache().to_string_lossy());
    apt::install(&system_packages(needs))?;
    if needs_it(Need::Npm) || needs_it(Need::Node22) || needs_it(Need::Grammars) {
        node::prepare(&mut toolbox)?;
    }
    if needs_it(Need::Npm) {
        node::packages(&mut toolbox)?;
    }
    if needs_it(Need::Node22) {
        node::node22(&mut toolbox)?;
    }
    if needs_it(Need::Grammars) {
        grammars::fetch(&toolbox)?;
    }
    if needs_it(Need::Wasm) {
        rust::prepare(&mut toolbox)?;
    }
    if needs_it(Need::WasmPack) {
        tools::prepare(&mut toolbox)?;
    }
    if needs_it(Need::Browser) {
        browser(&mut toolbox)?;
    }
    say(&format!(
        "set-up done ({:.1} s)",
        start.elapsed().as_secs_f64()
    ));
    Ok(toolbox)
}

/// One line for a tool that was already there.
fn there(what: &str) {
    say(&format!("  ✓ {what}"));
}

/// The Debian packages behind `needs` that nothing else on the machine stands in for.
fn system_packages(needs: &[Need]) -> Vec<&'static str> {
    let mut packages = Vec::new();
    for need in needs {
        match need {
            Need::Wasm => packages.extend(rust::system_packages()),
            Need::Npm | Need::Node22 | Need::Grammars => packages.extend(node::system_packages()),
            Need::Browser if chromium().is_none() || chromedriver().is_none() => {
                packages.extend(["chromium", "chromium-driver"]);
            }
            Need::Browser | Need::WasmPack => {}
        }
    }
    packages.sort_unstable();
    packages.dedup();
    packages
}

fn browser(toolbox: &mut Toolbox) -> Result<()> {
    let missing =
        |what: &str, var: &str| format!("no {what} found: install it or name it in {var}");
    let chromium = chromium().ok_or_else(|| missing("Chromium", "PORTOLAN_CHROMIUM"))?;
    let driver = chromedriver().ok_or_else(|| missing("chromedriver", "PORTOLAN_CHROMEDRIVER"))?;
    let version = crate::shell::version_of(&chromium)
        .ok_or_else(|| format!("{} does not start", chromium.display()))?;
    there(&format!("{} ({})", version.trim(), chromium.display()));
    toolbox.set("PORTOLAN_CHROMIUM", chromium.to_string_lossy());
    toolbox.set("PORTOLAN_CHROMEDRIVER", driver.to_string_lossy());
    Ok(())
}

fn chromium() -> Option<PathBuf> {
    let named = std::env::var_os("PORTOLAN_CHROMIUM")
        .map(PathBuf::from)
        .filter(|file| file.is_file());
    named.or_else(|| {
        first_of(&[
            "chromium",
            "chromium-browser",
            "google-chrome",
            "google-chrome-stable",
        ])
    })
}

fn chromedriver() -> Option<PathBuf> {
    let named = std::env::var_os("PORTOLAN_CHROMEDRIVER")
        .map(PathBuf::from)
        .filter(|file| file.is_file());
    named.or_else(|| first_of(&["chromedriver"]))
}

fn first_of(programs: &[&str]) -> Option<PathBuf> {
    programs
        .iter()
        .find_map(|program| crate::shell::which(program))
}
