//! Indexing in one go, for native hosts and tests; hosts with workers take the same steps in parallel.

use embed::Embedder;
use source::{FileSet, SourceFile};
use syntax::{Language, Parsers};

use crate::change::unit::FileUnit;
use crate::{Engine, EngineConfig, Error, ErrorKind, Snapshot};

/// Texts embedded between two looks at whether to go on.
const EMBEDDING_BATCH: usize = 256;

/// Phase of the work, for progress bars.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// Files are read and parsed.
    Parsing,
    /// Texts become vectors.
    Embedding,
    /// The index is put together.
    Building,
}

/// How far it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress<'a> {
    /// The phase of the work.
    pub phase: Phase,
    /// Files or texts done.
    pub done: usize,
    /// Files or texts in all.
    pub total: usize,
    /// The file in work; empty between files.
    pub path: &'a str,
}

/// Told of every step; whoever answers `false` stops everything.
pub type OnProgress<'a> = &'a mut dyn FnMut(Progress<'_>) -> bool;

impl Engine {
    /// Parse, embed (where there is an embedder) and build.
    ///
    /// # Errors
    ///
    /// `cancelled` if `progress` said so; otherwise as [`Engine::build`] and [`Engine::embed`].
    pub fn index(
        config: EngineConfig,
        files: FileSet,
        parsers: &mut Parsers,
        embedder: Option<&dyn Embedder>,
        progress: OnProgress<'_>,
    ) -> Result<(Self, Snapshot), Error> {
        let mut engine = Self::new(EngineConfig {
            languages: parsers.user_languages().clone(),
            ..config
        });
        let total = files.files.len();
        for skipped in files.skipped {
            engine.skip(skipped);
        }
        for (done, SourceFile { path, text }) in files.files.into_iter().enumerate() {
            report(
                progress,
                Progress {
                    phase: Phase::Parsing,
                    done,
                    total,
                    path: &path,
                },
            )?;
            let unit = read_file(parsers, &path, &text);
            engine.put(&path, text, unit);
        }
        if let Some(embedder) = embedder {
            engine.embed(embedder, progress)?;
        }
        report(
            progress,
            Progress {
                phase: Phase::Building,
                done: total,
                total,
                path: "",
            },
        )?;
        let snapshot = engine.build(0.0)?;
        Ok((engine, snapshot))
    }

    /// Embed what has no vector yet.
    ///
    /// # Errors
    ///
    /// `cancelled` if `progress` said so; `vectors.mismatch` if the embedder fails.
    pub fn embed(
        &mut self,
        embedder: &dyn Embedder,
        progress: OnProgress<'_>,
    ) -> Result<(), Error> {
        let tasks = self.pending_embeddings(usize::MAX);
        for (batch_idx, batch) in tasks.chunks(EMBEDDING_BATCH).enumerate() {
            let done = batch_idx * EMBEDDING_BATCH;
            report(
                progress,
                Progress {
                    phase: Phase::Embedding,
                    done,
                    total: tasks.len(),
                    path: "",
                },
            )?;
            let texts: Vec<&str> = batch.iter().map(|task| task.text.as_str()).collect();
            let vectors = embedder.embed(&texts).map_err(|error| {
                Error::new(
                    ErrorKind::VectorsMismatch,
                    format!("the embedder failed: {error}"),
                )
            })?;
            let keys: Vec<u64> = batch.iter().map(|task| task.key).collect();
            self.set_vectors(&keys, &vectors, embedder.dim(), embedder.name())?;
        }
        Ok(())
    }
}

fn report(progress: OnProgress<'_>, state: Progress<'_>) -> Result<(), Error> {
    if progress(state) {
        Ok(())
    } else {
        Err(Error::new(ErrorKind::Cancelled, "indexing was cancelled"))
    }
}

/// Read one file: facts by the parser, then the terms of its chunks. Never fails; cost is that of parsing.
#[must_use]
pub fn read_file(parsers: &mut Parsers, path: &str, text: &str) -> FileUnit {
    let language = parsers.language_of(path, text);
    let facts = parsers.read(language, text);
    FileUnit::new(path, text, facts)
}

/// Read a file as plain text, after the parser broke on it; `message` says how. It is searched like any other and
/// reported as a problem.
#[must_use]
pub fn read_file_after_crash(
    parsers: &mut Parsers,
    path: &str,
    text: &str,
    message: &str,
) -> FileUnit {
    let mut facts = parsers.read(Language::Text, text);
    facts.language = parsers.language_of(path, text);
    facts.problems.push(syntax::facts::Problem {
        kind: syntax::facts::ProblemKind::Crash,
        span: syntax::facts::Span::default(),
        message: format!("the parser broke on this file ({message}); it is searched as text"),
    });
    FileUnit::new(path, text, facts)
}
