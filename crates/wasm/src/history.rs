//! The history of a git repository: files of `.git` in, through functions of the host that read synchronously; commits, churn, blame and
//! differences out.

use history::{
    Blame, BlameLimits, CommitInfo, Error, ErrorKind, History, Limits, Note, ObjectFiles, Oid,
    Progress, Repository,
};
use js_sys::Uint8Array;
use serde::Serialize;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::errors::{JsResult, error_with_help};

/// Commits that a blame looks at in one step; a host that wants to stop it ends the worker.
const STEP: usize = 1_000;
/// Files of a comparison.
const MAX_CHANGED: usize = 3_000;

#[wasm_bindgen]
extern "C" {
    /// The files of `.git` on the host, by names with `/`.
    pub type GitFiles;
    #[wasm_bindgen(method, catch)]
    fn size(this: &GitFiles, name: &str) -> Result<Option<f64>, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn read(this: &GitFiles, name: &str, start: f64, end: f64) -> Result<Uint8Array, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn list(this: &GitFiles, folder: &str) -> Result<Vec<String>, JsValue>;
}

struct HostFiles(GitFiles);

impl ObjectFiles for HostFiles {
    fn n_bytes(&self, name: &str) -> Result<Option<u64>, Error> {
        let size = self
            .0
            .size(name)
            .map_err(|thrown| unreadable(name, &thrown))?;
        Ok(size.map(|size| size as u64))
    }

    fn read(&self, name: &str, start: u64, len: usize) -> Result<Vec<u8>, Error> {
        let (start, end) = (start as f64, start as f64 + len as f64);
        let bytes = self.0.read(name, start, end);
        let bytes = bytes.map_err(|thrown| unreadable(name, &thrown))?;
        match bytes.length() as usize > len {
            true => Err(Error::new(
                ErrorKind::Unreadable,
                format!("the host gave too much of {name}"),
            )),
            false => Ok(bytes.to_vec()),
        }
    }

    fn list(&self, folder: &str) -> Result<Vec<String>, Error> {
        self.0
            .list(folder)
            .map_err(|thrown| unreadable(folder, &thrown))
    }
}

/// A repository with its history.
#[wasm_bindgen]
pub struct GitHistory {
    repository: Repository,
    history: History,
}

#[wasm_bindgen]
impl GitHistory {
    /// Reads the newest commits with the files that each changed. 20,000 commits take some seconds. Throws `history.…`.
    #[wasm_bindgen(constructor)]
    pub fn new(files: GitFiles) -> JsResult<GitHistory> {
        let mut repository = open(files)?;
        let history = History::read(&mut repository).map_err(thrown)?;
        Ok(Self {
            repository,
            history,
        })
    }

    /// Takes the files as they are now; commits that are known are not read again.
    pub fn update(&mut self, files: GitFiles) -> JsResult<()> {
        let mut repository = open(files)?;
        self.history = self.history.updated(&mut repository).map_err(thrown)?;
        self.repository = repository;
        Ok(())
    }

    /// The newest commit, numbers of commits and files, and why the history is shorter than it could be.
    pub fn summary(&self) -> JsResult<JsValue> {
        let history = &self.history;
        let notes = self.repository.notes().iter().cloned();
        given(&Summary {
            head: history.head().map(|oid| oid.to_string()),
            n_commits: history.n_commits(),
            n_files: history.n_files(),
            newest: history.newest(),
            notes: notes.chain(history.notes()).map(words).collect(),
        })
    }

    /// How often each file of the newest commit changes.
    pub fn churn(&self) -> JsResult<JsValue> {
        let files = self.history.churn().map(|file| Churn {
            path: file.path,
            n_commits: file.n_commits,
            n_recent: file.n_recent,
            n_authors: file.n_authors,
            last: file.last,
            first: file.first,
        });
        given(&files.collect::<Vec<_>>())
    }

    /// The history of a file, with its newest commits; nothing if the newest commit has no such file.
    pub fn file(&self, path: &str, limit: usize) -> JsResult<JsValue> {
        let Some(file) = self.history.file(path, limit) else {
            return Ok(JsValue::UNDEFINED);
        };
        given(&File {
            path: &file.path,
            n_commits: file.n_commits,
            n_recent: file.n_recent,
            added: file.added,
            commits: file.commits.iter().map(commit).collect(),
            authors: file
                .authors
                .iter()
                .map(|author| Author {
                    name: &author.name,
                    n_commits: author.n_commits,
                    share: author.share,
                })
                .collect(),
            earlier_paths: &file.earlier_paths,
            together: self
                .history
                .co_changed(path, TOGETHER)
                .iter()
                .map(|other| Together {
                    path: other.path.to_owned(),
                    support: other.support as usize,
                    confidence: other.confidence,
                    reverse: other.reverse,
                })
                .collect(),
        })
    }

    /// The commit of each line of a file, as of a commit or a name of one.
    pub fn blame(&mut self, path: &str, at: &str) -> JsResult<JsValue> {
        let repository = &mut self.repository;
        let at = repository.resolve(at).map_err(thrown)?;
        let begun = Blame::begin(repository, path, at, BlameLimits::default());
        let mut blame = begun.map_err(thrown)?;
        while blame.step(repository, STEP).map_err(thrown)? == Progress::More {}
        let blamed = blame.finish(repository).map_err(thrown)?;
        let commits = blamed.commits.into_iter().map(|commit| BlamedCommit {
            id: commit.id.to_string(),
            subject: commit.subject,
            author: commit.author.0,
            authored: commit.authored,
            path: commit.path,
            is_boundary: commit.is_boundary,
        });
        given(&Blamed {
            commits: commits.collect(),
            lines: blamed.lines.into_iter().map(|(commit, _)| commit).collect(),
        })
    }

    /// The files that differ between two commits or names of commits; without an old one, what the new one changed. `since_parted` compares
    /// with the commit where both parted.
    pub fn compare(
        &mut self,
        old: Option<String>,
        new: &str,
        since_parted: bool,
    ) -> JsResult<JsValue> {
        let repository = &mut self.repository;
        let new = repository.resolve(new).map_err(thrown)?;
        let mut old = match old {
            Some(old) => Some(repository.resolve(&old).map_err(thrown)?),
            None => repository.parent(new).map_err(thrown)?,
        };
        if since_parted && let Some(first) = old {
            old = repository.common(first, new).map_err(thrown)?.or(old);
        }
        let found = repository.compare(old, new, MAX_CHANGED).map_err(thrown)?;
        let files = found.files.into_iter().map(|file| Changed {
            path: file.path,
            old: file.old.map(|oid| oid.to_string()),
            new: file.new.map(|oid| oid.to_string()),
        });
        given(&Compared {
            old: old.map(|oid| oid.to_string()),
            new: new.to_string(),
            files: files.collect(),
            is_cut: found.is_cut,
        })
    }

    /// The object of a file of a commit, for `contents`; nothing if the commit has no such file.
    #[wasm_bindgen(js_name = fileAt)]
    pub fn file_at(&mut self, path: &str, at: &str) -> JsResult<Option<String>> {
        let repository = &mut self.repository;
        let commit = repository.resolve(at).map_err(thrown)?;
        let file = repository.file_at(commit, path).map_err(thrown)?;
        Ok(file.map(|oid| oid.to_string()))
    }

    /// The bytes of an object that `compare` or `fileAt` named; nothing if they are missing or too many.
    pub fn contents(&mut self, object: &str) -> JsResult<Option<Uint8Array>> {
        let oid = Oid::from_hex(object.as_bytes()).map_err(thrown)?;
        let bytes = self.repository.contents(oid).map_err(thrown)?;
        Ok(bytes.map(|bytes| Uint8Array::from(bytes.as_slice())))
    }
}

/// Files that usually change with a file.
const TOGETHER: usize = 10;

fn open(files: GitFiles) -> JsResult<Repository> {
    Repository::open(Box::new(HostFiles(files)), Limits::default()).map_err(thrown)
}

fn given(value: &impl Serialize) -> JsResult<JsValue> {
    serde_wasm_bindgen::to_value(value).map_err(JsValue::from)
}

fn thrown(error: Error) -> JsValue {
    error_with_help(error.code(), error.message(), error.help())
}

fn unreadable(name: &str, thrown: &JsValue) -> Error {
    let why = js_sys::Reflect::get(thrown, &"message".into()).ok();
    let why = why.and_then(|why| why.as_string()).unwrap_or_default();
    let message = format!("{name} of the git repository cannot be read: {why}");
    Error::new(ErrorKind::Unreadable, message)
}

fn words(note: Note) -> String {
    match note {
        Note::OlderCommits => "older commits were not read".to_owned(),
        Note::MissingParents => "the copy is shallow: older commits are not there".to_owned(),
        Note::MissingTrees => "the folders of some commits are not there".to_owned(),
        Note::Limit(what) => format!("the limit of {what} ended the reading"),
        Note::RefusedAlternate(_) => "objects that are kept elsewhere were not read".to_owned(),
        Note::UnreadablePack(pack, why) => format!("{pack} was left out: {why}"),
    }
}

fn commit(info: &CommitInfo) -> Commit<'_> {
    Commit {
        id: info.id.to_string(),
        subject: &info.subject,
        author: &info.author.0,
        authored: info.authored,
        n_files: info.n_files,
    }
}

#[derive(Serialize)]
struct Summary {
    head: Option<String>,
    n_commits: usize,
    n_files: usize,
    newest: i64,
    notes: Vec<String>,
}

#[derive(Serialize)]
struct Churn<'a> {
    path: &'a str,
    n_commits: usize,
    n_recent: usize,
    n_authors: usize,
    last: i64,
    first: i64,
}

#[derive(Serialize)]
struct File<'a> {
    path: &'a str,
    n_commits: usize,
    n_recent: usize,
    added: Option<i64>,
    commits: Vec<Commit<'a>>,
    authors: Vec<Author<'a>>,
    earlier_paths: &'a [String],
    together: Vec<Together>,
}

#[derive(Serialize)]
struct Commit<'a> {
    id: String,
    subject: &'a str,
    author: &'a str,
    authored: i64,
    n_files: usize,
}

#[derive(Serialize)]
struct Author<'a> {
    name: &'a str,
    n_commits: usize,
    share: f64,
}

#[derive(Serialize)]
struct Together {
    path: String,
    support: usize,
    confidence: f64,
    reverse: f64,
}

#[derive(Serialize)]
struct Blamed {
    commits: Vec<BlamedCommit>,
    lines: Vec<u32>,
}

#[derive(Serialize)]
struct BlamedCommit {
    id: String,
    subject: String,
    author: String,
    authored: i64,
    path: String,
    is_boundary: bool,
}

#[derive(Serialize)]
struct Compared {
    old: Option<String>,
    new: String,
    files: Vec<Changed>,
    is_cut: bool,
}

#[derive(Serialize)]
struct Changed {
    path: String,
    old: Option<String>,
    new: Option<String>,
}
