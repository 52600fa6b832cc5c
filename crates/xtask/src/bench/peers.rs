//! The same repositories, indexed by the tools that people use today, in one run on one machine. Versions are pinned,
//! each tool runs as its manual says, on its own copy of the files. A tool that cannot be installed or fails says so
//! in the table.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::data::Repository;
use super::peer::{CACHE, PEERS, Peer, environment, install};
use super::process::{Cost, measure};
use super::speed::{self, Engine};
use crate::paths;
use crate::setup::Toolbox;
use crate::shell::{Call, Result, say, timed};

const LIMIT: Duration = Duration::from_secs(600);
/// A tool that takes longer than these seconds is run once: what else happens on the machine no longer decides.
const SLOW: f64 = 10.0;

/// Files that every tool reads. Documents and configuration are read by Portolan only.
const SOURCE: [&str; 24] = [
    "c", "cc", "cjs", "cpp", "cs", "cxx", "dart", "go", "h", "hpp", "java", "js", "jsx", "kt",
    "lua", "mjs", "mts", "php", "py", "rb", "rs", "scala", "ts", "tsx",
];

/// Which files of a repository the tools are given.
#[derive(Clone, Copy, PartialEq)]
enum Files {
    All,
    Source,
}

impl Files {
    /// Whether a repository has any of them: not every language is read by all tools.
    fn are_in(self, repository: &Path) -> bool {
        self == Files::All
            || paths::files_under(repository, &[".git"])
                .iter()
                .any(|file| is_source(file))
    }
}

/// A tool and its program, or why it could not be installed.
type Installed<'a> = (&'a Peer, Result<PathBuf>);

/// The tables of all repositories and tools.
pub fn run(
    toolbox: &Toolbox,
    repositories: &[Repository],
    ripwire: Option<&str>,
) -> Result<String> {
    let programs = programs(toolbox, ripwire, |_| true);
    let mut text = table(toolbox, repositories, Files::All, &programs)?;
    failures(&mut text, &programs);
    text.push_str(
        "\nWall time / peak resident memory of the process and its children / what it leaves on disk; cold, from source files to a saved index\n\
         (without `NODE_EXTRA_CA_CERTS`, where a machine sets it: certificates that each process of Node would read),\n\
         the faster of two runs of each tool (one, where it takes more than 10 s). Portolan: BM25, graph and vectors of its embedding model;\n\
         native is `portolan index` of the npm package with the native program, the start of Node included.\n\
         Peers: as they come, without embeddings. codegraph's package for Linux parses in machine code; `CODEGRAPH_KERNEL=0` is its own way\n\
         to parse with WebAssembly, as Portolan does. ripwire (C++) is built from its sources with clang-19, libc++ and LTO; it leaves Markdown out.\n\n\
         Only the source files that all of them read (Portolan also reads Markdown, JSON, YAML and other text), beside the fastest peers:\n\n",
    );
    let fast: Vec<_> = programs
        .into_iter()
        .filter(|(peer, _)| peer.is_fast())
        .collect();
    text.push_str(&table(toolbox, repositories, Files::Source, &fast)?);
    Ok(text)
}

/// Many repositories, beside the fastest peers alone: all files, then source files only.
pub fn breadth(
    toolbox: &Toolbox,
    repositories: &[Repository],
    ripwire: Option<&str>,
) -> Result<String> {
    let programs = programs(toolbox, ripwire, Peer::is_fast);
    let mut text = table(toolbox, repositories, Files::All, &programs)?;
    failures(&mut text, &programs);
    text.push_str("\nOnly the source files:\n\n");
    text.push_str(&table(toolbox, repositories, Files::Source, &programs)?);
    text.push_str(
        "\nAs in the table of all peers: wall time / peak memory / what is left on disk, the faster of two runs.",
    );
    Ok(text)
}

fn programs(
    toolbox: &Toolbox,
    ripwire: Option<&str>,
    is_wanted: impl Fn(&Peer) -> bool,
) -> Vec<Installed<'static>> {
    PEERS
        .iter()
        .filter(|peer| is_wanted(peer))
        .map(|peer| {
            (
                peer,
                timed(&peer.shown(), || install(toolbox, peer, ripwire)),
            )
        })
        .collect()
}

/// The tools that could not be installed, and why.
fn failures(text: &mut String, programs: &[Installed]) {
    for (peer, program) in programs {
        if let Err(why) = program {
            let why = one_line(why);
            let _ = writeln!(text, "\n{} could not be installed: {why}", peer.shown());
        }
    }
}

fn table(
    toolbox: &Toolbox,
    repositories: &[Repository],
    files: Files,
    peers: &[Installed],
) -> Result<String> {
    let mut table = String::from(
        "| repository | files | Portolan, native | Portolan, wasm in Node | without vectors |",
    );
    for (peer, _) in peers {
        let _ = write!(table, " {} |", peer.shown());
    }
    let _ = writeln!(
        table,
        " fastest peer / native | / wasm | / without vectors |\n|---|{}",
        "--:|".repeat(peers.len() + 7)
    );
    let mut totals = Totals {
        peers: vec![Some(0.0); peers.len()],
        ..Totals::default()
    };
    for repository in repositories {
        if !files.are_in(&repository.path) {
            continue;
        }
        let row = Row::measure(toolbox, repository, files, peers)?;
        totals.add(&row);
        let line = row.shown(repository);
        say(&format!("  {line}"));
        let _ = writeln!(table, "{line}");
    }
    let _ = writeln!(table, "{}", totals.shown());
    Ok(table)
}

/// Measurements of each tool for one repository, or the reason for a missing figure.
struct Row {
    n_files: usize,
    /// Native, WebAssembly, and WebAssembly without vectors.
    ours: [(Cost, u64); 3],
    peers: Vec<Result<(Cost, u64)>>,
}

impl Row {
    fn measure(
        toolbox: &Toolbox,
        repository: &Repository,
        files: Files,
        peers: &[Installed],
    ) -> Result<Self> {
        let work = Workspace::new(&repository.path, files)?;
        let ours = [
            run_ours(toolbox, &work, Engine::Native, &[])?,
            run_ours(toolbox, &work, Engine::Wasm, &[])?,
            run_ours(toolbox, &work, Engine::Wasm, &["--no-embeddings"])?,
        ];
        let peers = peers.iter().map(|(peer, program)| match program {
            Ok(program) => run_peer(toolbox, peer, program, &work),
            Err(_) => Err("not installed".to_owned()),
        });
        Ok(Self {
            peers: peers.collect(),
            n_files: paths::files_under(&work.repository(), &[".git"]).len(),
            ours,
        })
    }

    fn fastest_peer(&self) -> Option<f64> {
        self.peers
            .iter()
            .flatten()
            .map(|(cost, _)| cost.seconds)
            .min_by(f64::total_cmp)
    }

    fn shown(&self, repository: &Repository) -> String {
        let cell =
            |(cost, disk): &(Cost, u64)| format!("{} / {:.1} MB", cost.shown(), *disk as f64 / 1e6);
        let mut line = format!("| {} | {} |", repository.name, self.n_files);
        let ours = self.ours.iter().map(cell);
        let peers = self
            .peers
            .iter()
            .map(|peer| peer.as_ref().map_or_else(|why| one_line(why), cell));
        let ratios = self.ours.iter().map(|(cost, _)| match self.fastest_peer() {
            Some(peer) => format!("{:.1}", peer / cost.seconds),
            None => "–".to_owned(),
        });
        for text in ours.chain(peers).chain(ratios) {
            let _ = write!(line, " {text} |");
        }
        line
    }
}

#[derive(Default)]
struct Totals {
    ours: [f64; 3],
    /// None: it could not do them all.
    peers: Vec<Option<f64>>,
    /// Of the fastest peer of each repository.
    fastest: f64,
}

impl Totals {
    fn add(&mut self, row: &Row) {
        for (total, (cost, _)) in self.ours.iter_mut().zip(&row.ours) {
            *total += cost.seconds;
        }
        self.fastest += row.fastest_peer().unwrap_or(0.0);
        for (total, peer) in self.peers.iter_mut().zip(&row.peers) {
            *total = total
                .zip(peer.as_ref().ok())
                .map(|(total, (cost, _))| total + cost.seconds);
        }
    }

    fn shown(&self) -> String {
        let ours = self.ours.iter().map(|seconds| Some(*seconds));
        let seconds = ours.chain(self.peers.iter().copied()).map(|seconds| {
            seconds.map_or_else(|| "–".to_owned(), |seconds| format!("{seconds:.1} s"))
        });
        let ratios = self
            .ours
            .iter()
            .map(|ours| format!("{:.1}", self.fastest / ours));
        format!(
            "| all | | {} |",
            seconds.chain(ratios).collect::<Vec<_>>().join(" | ")
        )
    }
}

/// A copy of a repository under git, as tools that ask git expect it, in a home of its own.
struct Workspace(PathBuf);

impl Workspace {
    fn new(source: &Path, files: Files) -> Result<Self> {
        let dir = std::env::temp_dir().join(format!("portolan-peers-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&dir);
        paths::make_dir(&dir.join("home"))?;
        let work = Self(dir);
        work.copy_from(source, files)?;
        Ok(work)
    }

    fn copy_from(&self, source: &Path, files: Files) -> Result<()> {
        let repository = self.repository();
        Call::new("cp")
            .arg("-R")
            .arg(source)
            .arg(&repository)
            .read()?;
        if files == Files::Source {
            let _ = std::fs::remove_dir_all(repository.join(".git"));
            keep_source(&repository)?;
        }
        if repository.join(".git").exists() {
            return Ok(());
        }
        let git = || Call::new("git").dir(&repository);
        git().args(["init", "--quiet"]).read()?;
        git().args(["add", "--all", "--force"]).read()?;
        let who = [
            "-c",
            "user.name=bench",
            "-c",
            "user.email=bench@localhost",
            "-c",
            "commit.gpgsign=false",
        ];
        git()
            .args(who)
            .args(["commit", "--quiet", "--message", "files"])
            .read()
            .map(drop)
    }

    fn repository(&self) -> PathBuf {
        self.0.join("repository")
    }
}

impl Drop for Workspace {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The faster of two runs of our own command line.
fn run_ours(
    toolbox: &Toolbox,
    work: &Workspace,
    engine: Engine,
    more: &[&str],
) -> Result<(Cost, u64)> {
    let saved = work.0.join("portolan.index");
    let once = || speed::index(toolbox, &work.repository(), &saved, engine, more);
    let (first, second) = (once()?, once()?);
    let best = if second.cost.seconds < first.cost.seconds {
        second
    } else {
        first
    };
    Ok((best.cost, best.n_bytes))
}

fn run_peer(
    toolbox: &Toolbox,
    peer: &Peer,
    program: &Path,
    work: &Workspace,
) -> Result<(Cost, u64)> {
    let left = work.0.join(peer.leaves);
    let mut best: Option<Cost> = None;
    let mut n_runs = 0;
    while best.as_ref().is_none_or(|best| best.seconds < SLOW) && n_runs < 2 {
        n_runs += 1;
        // Cold means cold: neither its index nor what it keeps in the home folder.
        let _ = std::fs::remove_dir_all(&left);
        let home = work.0.join("home");
        let _ = std::fs::remove_dir_all(&home);
        paths::make_dir(&home)?;
        let mut env = environment(toolbox, peer);
        env.push(("HOME".to_owned(), home.to_string_lossy().into_owned()));
        let cache = work.0.join(CACHE);
        paths::make_dir(&cache)?;
        env.push((
            "XDG_CACHE_HOME".to_owned(),
            cache.to_string_lossy().into_owned(),
        ));
        let cost = measure(program, peer.args, &work.repository(), &env, LIMIT)?;
        if best.as_ref().is_none_or(|best| cost.seconds < best.seconds) {
            best = Some(cost);
        }
    }
    let cost = best.ok_or("did not run")?;
    let disk = paths::size_of(&left);
    // Files that a tool writes beside its own folder must not be indexed by the next.
    let _ = Call::new("git")
        .args(["clean", "-fdxq"])
        .dir(work.repository())
        .read();
    let _ = Call::new("git")
        .args(["checkout", "-q", "--", "."])
        .dir(work.repository())
        .read();
    Ok((cost, disk))
}

fn is_source(file: &Path) -> bool {
    let extension = file.extension().unwrap_or_default().to_string_lossy();
    SOURCE.contains(&extension.as_ref())
}

fn keep_source(dir: &Path) -> Result<()> {
    for file in paths::files_under(dir, &[]) {
        if !is_source(&file) {
            std::fs::remove_file(&file).map_err(|e| format!("{}: {e}", file.display()))?;
        }
    }
    Ok(())
}

fn one_line(text: &str) -> String {
    let line = text
        .lines()
        .map(str::trim)
        .find(|line| !line.is_empty())
        .unwrap_or_default();
    line.replace('|', "/").chars().take(160).collect()
}
