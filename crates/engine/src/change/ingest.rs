//! Indexes in one call, for native hosts and tests; hosts with workers run the same steps in parallel.

use embed::Embedder;
use source::{FileSet, SourceFile};
use syntax::{Language, Parsers};

use crate::change::unit::FileUnit;
use crate::{Engine, EngineConfig, Error, ErrorKind, Snapshot};

/// Number of texts that are embedded between two reports of progress.
const EMBEDDING_BATCH: usize = 256;

/// Phase of the work, for progress bars.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// Files are read and parsed.
    Parsing,
    /// Texts are embedded.
    Embedding,
    /// The snapshot is built.
    Building,
}

/// Progress of the work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress<'a> {
    /// The phase of the work.
    pub phase: Phase,
    /// Files or texts done.
    pub done: usize,
    /// Files or texts in all.
    pub total: usize,
    /// The file that is being processed; empty between files.
    pub path: &'a str,
}

/// Callback for every step; returning `false` cancels the work.
pub type OnProgress<'a> = &'a mut dyn FnMut(Progress<'_>) -> bool;

impl Engine {
    /// Parses, embeds (where there is an embedder) and builds.
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

    /// Embeds all texts that have no vector yet.
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

/// Reads one file: facts by the parser, then the terms of its chunks. Never fails; costs as much as parsing.
#[must_use]
pub fn read_file(parsers: &mut Parsers, path: &str, text: &str) -> FileUnit {
    let language = parsers.language_of(path, text);
    let facts = parsers.read(language, text);
    FileUnit::new(path, text, facts)
}

/// Reads a file as plain text, after the parser crashed on it; `message` says how. The file is searched like any other
/// and reported as a problem.
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
