//! The index of each issue's commit: made once, kept in a folder, opened again.
//!
//! The commits of one repository are indexed in the order of their times by one engine, which reads only changed files.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use embed::StaticEmbedder;
use engine::{Engine, EngineConfig, Reader, Snapshot};
use source::{FileSet, SourceConfig};
use syntax::{ParseConfig, Parsers};

use super::git;
use super::issues::Issue;
use crate::flags::Failure;

/// Folders of clones and of kept indexes.
pub(crate) struct Places {
    pub(crate) clones: PathBuf,
    pub(crate) kept: PathBuf,
}

impl Places {
    /// The clone of a repository: `OWNER+NAME/repo`, or `OWNER+NAME`.
    pub(crate) fn clone_of(&self, repository: &str) -> Result<PathBuf, Failure> {
        let folder = self.clones.join(repository.replace('/', "+"));
        let inner = folder.join("repo");
        let found = [inner, folder].into_iter().find(|path| path.is_dir());
        found.ok_or_else(|| {
            let clones = self.clones.display();
            format!("{clones} has no clone of {repository}; --repos DIR holds OWNER+NAME/repo")
                .into()
        })
    }

    fn kept_of(&self, issue: &Issue) -> PathBuf {
        self.kept.join(format!("{}.portolan", issue.instance_id))
    }

    /// Opens the kept index of an issue.
    pub(crate) fn open(&self, issue: &Issue) -> Result<Reader, Failure> {
        let bytes = std::fs::read(self.kept_of(issue))?;
        Ok(Reader::new(Arc::new(Snapshot::open(&bytes)?))?)
    }

    /// Makes the indexes of one repository's issues that are not kept yet.
    pub(crate) fn make(&self, issues: &[&Issue], embedder: &StaticEmbedder) -> Result<(), Failure> {
        std::fs::create_dir_all(&self.kept)?;
        let missing: Vec<&&Issue> = issues
            .iter()
            .filter(|issue| !self.kept_of(issue).exists())
            .collect();
        let Some(first) = missing.first() else {
            return Ok(());
        };
        let clone = self.clone_of(&first.repo)?;
        let mut ordered = missing.clone();
        ordered.sort_by_cached_key(|issue| git::commit_time(&clone, &issue.base_commit));
        let mut indexing = Indexing::new(&first.repo);
        for issue in ordered {
            let started = Instant::now();
            let saved = indexing.at(&clone, &issue.base_commit, embedder)?;
            let path = self.kept_of(issue);
            // A run that is ended leaves no half index behind.
            let part = path.with_extension("part");
            std::fs::write(&part, saved)?;
            std::fs::rename(&part, &path)?;
            let seconds = started.elapsed().as_secs_f64();
            eprintln!("{} indexed in {seconds:.1} s", issue.instance_id);
        }
        Ok(())
    }
}

/// One engine over the commits of a repository.
struct Indexing {
    engine: Engine,
    parsers: Parsers,
}

impl Indexing {
    fn new(repository: &str) -> Self {
        let name = repository.rsplit('/').next().unwrap_or(repository);
        Self {
            engine: Engine::new(EngineConfig {
                name: name.to_owned(),
                keep_facts: false,
                ..EngineConfig::default()
            }),
            parsers: Parsers::new(ParseConfig::default()),
        }
    }

    /// Brings the index to a commit and returns it as bytes.
    fn at(
        &mut self,
        clone: &Path,
        commit: &str,
        embedder: &StaticEmbedder,
    ) -> Result<Vec<u8>, Failure> {
        let mut files = Vec::new();
        let blobs = git::files(clone, commit)?;
        git::read(clone, &blobs, |blob, bytes| {
            files.push((blob.path.clone(), bytes))
        })?;
        let set = FileSet::from_files(files, &SourceConfig::default());
        let kept: BTreeSet<&str> = set.files.iter().map(|file| file.path.as_str()).collect();
        let gone: Vec<String> = self
            .engine
            .paths()
            .filter(|path| !kept.contains(path))
            .map(str::to_owned)
            .collect();
        for path in gone {
            self.engine.remove(&path);
        }
        for file in set.files {
            let digest = source::digest(file.text.as_bytes());
            if self.engine.digest_of(&file.path) != Some(digest) {
                let unit = engine::read_file(&mut self.parsers, &file.path, &file.text);
                self.engine.put(&file.path, file.text, unit);
            }
        }
        self.engine.embed(embedder, &mut |_| true)?;
        let snapshot = self.engine.build(0.0)?;
        Ok(snapshot.to_bytes()?.to_vec())
    }
}
