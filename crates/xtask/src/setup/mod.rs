//! Tools on the machine: each is checked, installed if it is missing, and reported with the time it took. Everything
//! that can live in the cache folder goes there; one call of the system's package manager installs the rest.

pub mod apt;
mod browser;
mod c;
mod checks;
mod compiled;
mod disk;
mod grammars;
pub mod node;
mod packages;
mod python;
mod rust;
mod tools;

use packages::{Missing, Tool};

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use crate::paths;
use crate::shell::{Call, Result, say};

/// Something that a command cannot do without.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// A C compiler for this machine.
    Native,
    /// A Rust standard library for wasm32, a linker for it, and a C compiler with a wasm back end.
    Wasm,
    /// wasm-pack and a wasm-bindgen of the very version in Cargo.lock.
    WasmPack,
    /// Only what makes glue by wasm-bindgen's library: enough for a first look, and compiled in a third of the time.
    Glue,
    /// Node 20 or later and the packages of package-lock.json.
    Npm,
    /// Node 22, for the Worker's tool chain.
    Node22,
    /// Chromium and its driver.
    Browser,
    /// The grammar files of grammars.toml.
    Grammars,
    /// Python and the packages of the suite `contract`.
    Contract,
}

/// Everything.
pub const ALL: [Need; 8] = [
    Need::Native,
    Need::Npm,
    Need::Node22,
    Need::Grammars,
    Need::Wasm,
    Need::WasmPack,
    Need::Browser,
    Need::Contract,
];

/// The environment that set-up found, in which builds and tests run.
#[derive(Clone, Debug, Default)]
pub struct Toolbox {
    path: Vec<PathBuf>,
    vars: Vec<(String, String)>,
    /// A compiler that is used for wasm32 only: native builds stay with the user's own.
    wasm: Option<WasmCompiler>,
    is_gentle: bool,
}

/// A compiler beside the one in PATH.
#[derive(Clone, Debug)]
struct WasmCompiler {
    bin: PathBuf,
    vars: Vec<(String, String)>,
    linker: &'static str,
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
        // Tests and benches begin without what earlier ones indexed; those of the cache turn it on.
        vars.push(("PORTOLAN_INDEX_CACHE".to_owned(), "off".to_owned()));
        vars
    }

    /// The same tools, for work beside which somebody uses the machine.
    pub fn gently(mut self) -> Self {
        self.is_gentle = crate::shell::which("nice").is_some();
        self
    }

    /// Both toolboxes in one; where both decide about something, the other's word counts.
    fn with(mut self, other: Toolbox) -> Self {
        other
            .path
            .into_iter()
            .rev()
            .for_each(|dir| self.add_path(dir));
        self.vars.extend(other.vars);
        self.wasm = other.wasm.or(self.wasm);
        self
    }

    /// A call of `program` in this environment, started in the root of the repository.
    pub fn call(&self, program: &str) -> Call {
        self.start(self.program(program))
            .envs(&self.env())
            .dir(paths::root())
    }

    fn start(&self, program: PathBuf) -> Call {
        match self.is_gentle {
            true => Call::new("nice").args(["-n", "10"]).arg(program),
            false => Call::new(program),
        }
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
                self.start(program)
                    .envs(&env)
                    .envs(&compiler.vars)
                    .dir(paths::root())
            }
        }
    }

    /// Whether another compiler than the one in PATH makes the wasm.
    pub fn has_wasm_compiler_apart(&self) -> bool {
        self.wasm.is_some()
    }

    /// Returns the path of `program`: in one of set-up's folders, else from PATH.
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
    // Work that another thread left unfinished is checked again.
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let start = Instant::now();
    say("set-up");
    if needs.contains(&Need::Native) || needs.contains(&Need::Wasm) {
        disk::warn_if_short();
    }
    let mut toolbox = Toolbox::default();
    toolbox.set("PORTOLAN_CACHE", paths::cache().to_string_lossy());
    let missing = missing(needs);
    if !missing.is_empty() && !apt::can_install() {
        return Err(packages::advice(&missing));
    }
    // Packages come over the network while our own tools are compiled; neither keeps two cores busy.
    let (packages, compilers, tools) = std::thread::scope(|scope| {
        let tools = scope.spawn(|| own_tools(needs));
        let compilers = install(&missing).and_then(|()| {
            let packages = scope.spawn(|| node_and_packages(needs));
            Ok((compilers(needs)?, packages))
        });
        let (compilers, packages) = match compilers {
            Ok((compilers, packages)) => (Ok(compilers), packages.join().map_err(stopped)),
            Err(why) => (Err(why), Ok(Ok(Toolbox::default()))),
        };
        (packages, compilers, tools.join().map_err(stopped))
    });
    toolbox = toolbox.with(compilers?).with(packages??).with(tools??);
    if needs.contains(&Need::Grammars) {
        grammars::fetch(&toolbox)?;
    }
    if needs.contains(&Need::WasmPack) {
        tools::optimiser(&mut toolbox)?;
    }
    say(&format!(
        "set-up done ({:.1} s)",
        start.elapsed().as_secs_f64()
    ));
    Ok(toolbox)
}

fn stopped<T>(_: T) -> String {
    "a thread of set-up stopped".to_owned()
}

/// Node, and what npm carries.
fn node_and_packages(needs: &[Need]) -> Result<Toolbox> {
    let needs_any = |any: &[Need]| any.iter().any(|need| needs.contains(need));
    let mut toolbox = Toolbox::default();
    if needs_any(&[Need::Npm, Need::Node22, Need::Grammars]) {
        node::prepare(&mut toolbox)?;
    }
    if needs_any(&[Need::Npm]) {
        node::packages(&mut toolbox)?;
    }
    if needs_any(&[Need::Node22]) {
        node::node22(&mut toolbox)?;
    }
    if needs_any(&[Need::Contract]) {
        python::contract(&mut toolbox)?;
    }
    Ok(toolbox)
}

/// Compilers and the browser, as the system has them.
fn compilers(needs: &[Need]) -> Result<Toolbox> {
    let mut toolbox = Toolbox::default();
    if needs.contains(&Need::Native) {
        let cc = c::native().map_err(|missing| packages::advice(&[missing]))?;
        there(&format!("{cc} compiles C for this machine"));
    }
    if needs.contains(&Need::Wasm) {
        c::prepare_wasm(&mut toolbox)?;
        rust::prepare(&mut toolbox)?;
    }
    if needs.contains(&Need::Browser) {
        browser::prepare(&mut toolbox)?;
    }
    Ok(toolbox)
}

/// The tools that cargo compiles for us.
fn own_tools(needs: &[Need]) -> Result<Toolbox> {
    let mut toolbox = Toolbox::default();
    if needs.contains(&Need::WasmPack) {
        tools::prepare(&mut toolbox)?;
    } else if needs.contains(&Need::Glue) {
        tools::glue(&mut toolbox)?;
    }
    Ok(toolbox)
}

/// One line for a tool that was already there.
fn there(what: &str) {
    say(&format!("  ✓ {what}"));
}

/// Asks the system's package manager, once, for all that is missing.
fn install(missing: &[Missing]) -> Result<()> {
    if missing.is_empty() {
        return Ok(());
    }
    apt::install(&packages::debian(missing))
        .map_err(|why| format!("{why}\n\n{}", packages::advice(missing)))
}

/// The tools behind `needs` that are not there, or do not do their work.
fn missing(needs: &[Need]) -> Vec<Missing> {
    let needs_any = |any: &[Need]| any.iter().any(|need| needs.contains(need));
    let mut missing = Vec::new();
    if needs_any(&[Need::Native]) {
        missing.extend(c::native().err());
    }
    if needs_any(&[Need::Wasm, Need::Grammars]) {
        missing.extend(c::for_wasm().err());
    }
    if needs_any(&[Need::Npm, Need::Node22, Need::Grammars]) {
        missing.extend(node::missing());
        missing.extend(archives());
        missing.extend(git());
    }
    if needs_any(&[Need::Browser]) {
        missing.extend(browser::missing());
    }
    if needs_any(&[Need::Contract]) {
        missing.extend(python());
    }
    missing
}

/// tar unpacks what npm packs.
fn archives() -> Option<Missing> {
    works(Tool::Tar, "tar", |scratch| {
        paths::write(&scratch.join("a/one"), "1")?;
        let tar = || Call::new("tar").dir(scratch);
        tar().args(["-czf", "a.tgz", "a"]).read()?;
        paths::make_dir(&scratch.join("b"))?;
        tar().args(["-xzf", "a.tgz", "-C", "b"]).read()?;
        paths::read(&scratch.join("b/a/one")).map(drop)
    })
}

/// git lists our sources for the sample, and tests index repositories.
fn git() -> Option<Missing> {
    works(Tool::Git, "git", |scratch| {
        let git = || Call::new("git").dir(scratch);
        git().args(["init", "--quiet"]).read()?;
        paths::write(&scratch.join("one"), "1")?;
        let listed = git()
            .args(["ls-files", "-co", "--exclude-standard"])
            .read()?;
        match listed.trim() {
            "one" => Ok(()),
            other => Err(format!("`git ls-files` printed {other:?}")),
        }
    })
}

/// Python makes a virtual environment with pip; Debian keeps that in a package of its own.
fn python() -> Option<Missing> {
    works(Tool::Python, "python3", |scratch| {
        let python = Call::new("python3").dir(scratch);
        python
            .args(["-c", "import ensurepip, venv"])
            .read()
            .map(drop)
    })
}

/// The check of a program in PATH.
fn works(
    tool: Tool,
    name: &str,
    work: impl FnOnce(&std::path::Path) -> Result<()>,
) -> Option<Missing> {
    let checked = match crate::shell::which(name) {
        Some(path) => checks::once(name, &[path], work),
        None => Err(format!("no {name} in PATH")),
    };
    checked.err().map(|why| Missing { tool, why })
}

/// A clang that makes wasm, by its name or path.
pub fn wasm_clang() -> Result<String> {
    c::for_wasm()
        .map(|compiler| compiler.clang)
        .map_err(|missing| packages::advice(&[missing]))
}
