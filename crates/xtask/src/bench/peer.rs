//! The tools that people use today: what each is, how it is installed into the cache, how it indexes.

use std::path::{Path, PathBuf};

use super::ripwire;
use crate::paths;
use crate::setup::Toolbox;
use crate::shell::{Call, Result, which};

/// A tool and how it indexes.
pub struct Peer {
    /// Its name in the registry.
    pub name: &'static str,
    pub version: &'static str,
    /// The difference from its defaults.
    pub variant: &'static str,
    registry: Registry,
    /// The program below the folder it was installed into, started with Node if it is a script.
    program: &'static str,
    pub args: &'static [&'static str],
    env: &'static [(&'static str, &'static str)],
    /// The folder that it leaves, beside the folders `repository` and `home`.
    pub leaves: &'static str,
}

impl Peer {
    /// Is it worth measuring again on a part of the files?
    pub fn is_fast(&self) -> bool {
        self.name == CODEGRAPH.name || self.registry == Registry::Source
    }

    /// `name version, variant`
    pub fn shown(&self) -> String {
        let comma = if self.variant.is_empty() { "" } else { ", " };
        format!("{} {}{comma}{}", self.name, self.version, self.variant)
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Registry {
    Npm,
    Pypi,
    /// None: it is built from a clone.
    Source,
}

const CODEGRAPH: Peer = Peer {
    name: "@colbymchenry/codegraph",
    version: "1.6.1",
    variant: "",
    registry: Registry::Npm,
    program: "node_modules/.bin/codegraph",
    args: &["init", "."],
    env: &[],
    leaves: "repository/.codegraph",
};

/// All of them.
pub const PEERS: [Peer; 5] = [
    // Its package for Linux brings a parser in machine code; the second entry is its own way without.
    Peer {
        variant: "native parser",
        env: &[],
        ..CODEGRAPH
    },
    Peer {
        variant: "WebAssembly parser",
        env: &[("CODEGRAPH_KERNEL", "0")],
        ..CODEGRAPH
    },
    Peer {
        name: "code-review-graph",
        version: "2.3.9",
        variant: "",
        registry: Registry::Pypi,
        program: "venv/bin/code-review-graph",
        args: &["build"],
        env: &[],
        leaves: "repository/.code-review-graph",
    },
    Peer {
        name: "gitnexus",
        version: "1.6.12",
        variant: "",
        registry: Registry::Npm,
        program: "node_modules/.bin/gitnexus",
        args: &["analyze", "."],
        env: &[],
        leaves: "repository/.gitnexus",
    },
    // It has no command that only indexes: this is from nothing to its first answer, its cache written.
    Peer {
        name: "ripwire",
        version: "a418b5a",
        variant: "to its first answer",
        registry: Registry::Source,
        program: ripwire::PROGRAM,
        args: &[".", "--for=where is a request handled"],
        env: &[],
        leaves: CACHE,
    },
];

/// Where tools that keep their index outside of the repository put it.
pub const CACHE: &str = "home/.cache";

/// Node 22 before any other, and no messages to anybody.
pub fn environment(toolbox: &Toolbox, peer: &Peer) -> Vec<(String, String)> {
    let mut vars = toolbox.env();
    if let Some(bin) = toolbox
        .var("PORTOLAN_NODE22")
        .and_then(|node| Path::new(node).parent())
    {
        let path = vars
            .iter()
            .rev()
            .find(|(name, _)| name == "PATH")
            .map(|(_, path)| path.clone());
        vars.push((
            "PATH".to_owned(),
            format!("{}:{}", bin.display(), path.unwrap_or_default()),
        ));
    }
    let quiet = ["CODEGRAPH_TELEMETRY=0", "DO_NOT_TRACK=1"].map(|pair| pair.split_once('='));
    let quiet = quiet.into_iter().flatten().chain(peer.env.iter().copied());
    vars.extend(quiet.map(|(name, value)| (name.to_owned(), value.to_owned())));
    vars
}

/// Installs it into the cache, once; gives its program.
/// `clone` has the sources of [`Registry::Source`].
pub fn install(toolbox: &Toolbox, peer: &Peer, clone: Option<&str>) -> Result<PathBuf> {
    let home = paths::cache().join("peers").join(format!(
        "{}-{}",
        peer.name.replace('/', "+"),
        peer.version
    ));
    let (program, done) = (home.join(peer.program), home.join(".done"));
    if program.is_file() && done.is_file() {
        return Ok(program);
    }
    paths::make_dir(&home)?;
    match peer.registry {
        Registry::Npm => install_npm(toolbox, peer, &home)?,
        Registry::Pypi => install_pypi(peer, &home)?,
        Registry::Source => ripwire::build(clone, &home)?,
    }
    if !program.is_file() {
        return Err(format!("it has no {}", peer.program));
    }
    paths::write(&done, "")?;
    Ok(program)
}

fn install_npm(toolbox: &Toolbox, peer: &Peer, home: &Path) -> Result<()> {
    paths::write(&home.join("package.json"), "{\"private\": true}\n")?;
    let wanted = format!("{}@{}", peer.name, peer.version);
    let env = environment(toolbox, peer);
    Call::new("npm")
        .args(["install", "--no-audit", "--no-fund", &wanted])
        .envs(&env)
        .dir(home)
        .run_quietly()
}

fn install_pypi(peer: &Peer, home: &Path) -> Result<()> {
    if which("python3").is_none() {
        return Err("it needs Python 3, which is not here".to_owned());
    }
    let venv = home.join("venv");
    Call::new("python3")
        .args(["-m", "venv"])
        .arg(&venv)
        .run_quietly()?;
    let wanted = format!("{}=={}", peer.name, peer.version);
    Call::new(venv.join("bin/pip"))
        .args(["install", "--quiet", "--disable-pip-version-check", &wanted])
        .run_quietly()
}
