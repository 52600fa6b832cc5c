//! Repositories made by git in folders of their own, with none of the user's settings.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use portolan_history::{Folder, History, Limits, MemoryFiles, Repository};

/// A folder that is deleted at the end.
pub struct Place {
    pub path: PathBuf,
}

impl Place {
    pub fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let nth = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("portolan-history-{}-{nth}", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::create_dir_all(path.join("home")).unwrap();
        let path = path.canonicalize().unwrap();
        Self { path }
    }

    /// A new repository with the branch `main`.
    pub fn repository(&self, name: &str) -> Git {
        let path = self.path.join(name);
        fs::create_dir_all(&path).unwrap();
        let git = self.at(name);
        git.run(&["init", "--quiet", "--initial-branch=main"]);
        git
    }

    /// Git in a folder that is there.
    pub fn at(&self, name: &str) -> Git {
        Git {
            path: self.path.join(name),
            home: self.path.join("home"),
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.path);
    }
}

/// Runs git in a folder.
pub struct Git {
    pub path: PathBuf,
    pub home: PathBuf,
}

impl Git {
    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new("git");
        command
            .args(["-c", "gc.auto=0", "-c", "protocol.file.allow=always"])
            .args(["-c", "user.name=Ada"])
            .args([
                "-c",
                "user.email=ada@example.com",
                "-c",
                "core.autocrlf=false",
            ])
            .args(args)
            .current_dir(&self.path)
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", &self.home)
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("LC_ALL", "C");
        command
    }

    /// Runs git; returns what it prints, or `None` if it fails.
    pub fn try_run(&self, args: &[&str]) -> Option<String> {
        let output = self.command(args).output().expect("git starts");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        output.status.success().then_some(text)
    }

    pub fn run(&self, args: &[&str]) -> String {
        let text = self.try_run(args);
        text.unwrap_or_else(|| panic!("git {args:?} failed"))
    }

    /// Makes commits of a stream, all in one process.
    pub fn import(&self, stream: &str, as_pack: bool) {
        let limit = if as_pack { "1" } else { "1000000" };
        let setting = format!("fastimport.unpackLimit={limit}");
        let mut child = self
            .command(&["-c", &setting, "fast-import", "--quiet", "--force"])
            .stdin(Stdio::piped())
            .spawn()
            .expect("git starts");
        let mut input = child.stdin.take().unwrap();
        input.write_all(stream.as_bytes()).unwrap();
        drop(input);
        assert!(
            child.wait().unwrap().success(),
            "git fast-import:\n{stream}"
        );
    }

    /// Puts a branch at a commit.
    pub fn set(&self, branch: &str, commit: &str) {
        self.run(&["update-ref", &format!("refs/heads/{branch}"), commit]);
    }

    pub fn open(&self) -> Repository {
        self.open_within(Limits::default())
    }

    pub fn open_within(&self, limits: Limits) -> Repository {
        let folder = Folder::open(&self.path, &[]).unwrap();
        Repository::open(Box::new(folder), limits).unwrap()
    }

    pub fn history(&self) -> History {
        History::read(&mut self.open()).unwrap()
    }

    /// All files of `.git` in memory.
    pub fn memory(&self) -> MemoryFiles {
        let mut files = MemoryFiles::default();
        let git = self.path.join(".git");
        let mut pending = vec![git.clone()];
        while let Some(folder) = pending.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    pending.push(path);
                } else if !path.starts_with(git.join("hooks")) {
                    files
                        .files
                        .insert(name(&git, &path), fs::read(&path).unwrap());
                }
            }
        }
        files
    }
}

fn name(folder: &Path, path: &Path) -> String {
    let below = path.strip_prefix(folder).unwrap();
    let parts = below
        .components()
        .map(|part| part.as_os_str().to_str().unwrap());
    parts.collect::<Vec<_>>().join("/")
}

/// Writes a stream for `git fast-import` from short lines:
///
/// - `commit 1 ada@x Subject` begins commit `:1` at day 1, with the commit before as its parent;
/// - `from 3 4` names other parents;
/// - `+ path text` writes a file (`|` separates lines), `- path` deletes one, `> old new` renames one.
pub fn stream(script: &str) -> String {
    let mut text = String::new();
    let mut before: Option<u32> = None;
    let mut lines = script
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .peekable();
    while let Some(line) = lines.next() {
        let mut words = line.splitn(4, ' ');
        match words.next().unwrap() {
            "commit" => {
                let nth: u32 = words.next().unwrap().parse().unwrap();
                let who = words.next().unwrap();
                let subject = words.next().unwrap_or("");
                let time = 1_000_000_000 + u64::from(nth) * 86_400;
                let name = who.split('@').next().unwrap();
                text.push_str(&format!("commit refs/heads/main\nmark :{nth}\n"));
                text.push_str(&format!("author {name} <{who}> {time} +0000\n"));
                text.push_str(&format!("committer {name} <{who}> {time} +0000\n"));
                text.push_str(&format!("data {}\n{subject}\n", subject.len()));
                let parents: Vec<String> = match lines.peek() {
                    Some(next) if next.starts_with("from ") => {
                        let marks = next[5..].split(' ').map(str::to_owned).collect();
                        lines.next();
                        marks
                    }
                    _ => before.iter().map(u32::to_string).collect(),
                };
                for (nth, parent) in parents.iter().enumerate() {
                    let word = if nth == 0 { "from" } else { "merge" };
                    text.push_str(&format!("{word} :{parent}\n"));
                }
                before = Some(nth);
            }
            "+" => {
                let path = words.next().unwrap();
                let rest: Vec<&str> = words.collect();
                let contents: String = rest
                    .join(" ")
                    .split('|')
                    .map(|line| format!("{line}\n"))
                    .collect();
                text.push_str(&format!("M 100644 inline {path}\n"));
                text.push_str(&format!("data {}\n{contents}\n", contents.len()));
            }
            "-" => text.push_str(&format!("D {}\n", words.next().unwrap())),
            ">" => {
                let (old, new) = (words.next().unwrap(), words.next().unwrap());
                text.push_str(&format!("R {old} {new}\n"));
            }
            other => panic!("unknown line {other}"),
        }
    }
    text
}

/// A repository from a script; see [`stream`].
pub fn scripted(place: &Place, script: &str) -> Git {
    let git = place.repository("scripted");
    git.import(&stream(script), true);
    git
}
