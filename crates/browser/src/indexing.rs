//! Indexing: reads an input, parses its files one by one with pauses, builds.

use std::collections::BTreeMap;

use api::ErrorBody;
use engine::{Engine, EngineConfig, read_file};
use portolan::Index;
use source::{FileSet, SourceConfig, SourceFile};

use crate::run::{Phase, Progress, Run};
use crate::{Cancel, Error, Grammars, Input};

/// How an index is made.
#[derive(Debug, Clone, PartialEq)]
pub struct IndexOptions {
    /// Name of the index, shown to people.
    pub name: String,
    /// Which files are taken in.
    pub source: SourceConfig,
    /// Milliseconds of work between two pauses (default 24). Higher: indexing is done sooner; lower: the page stays smoother. A worker
    /// needs pauses only to hear of a cancellation.
    pub slice_millis: f64,
}

impl Default for IndexOptions {
    fn default() -> Self {
        Self {
            name: String::new(),
            source: SourceConfig::default(),
            slice_millis: 24.0,
        }
    }
}

impl IndexOptions {
    /// Returns the defaults with a name.
    #[must_use]
    pub fn named(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            ..Self::default()
        }
    }
}

/// An index that was made.
#[derive(Clone)]
pub struct Indexed {
    /// The index.
    pub index: Index,
    /// Grammars that files asked for and that could not be loaded, by name: their files are searched as plain text.
    pub grammar_errors: BTreeMap<String, ErrorBody>,
}

/// Reads and indexes an input on this thread. It pauses often enough that a page stays usable, except in the last step, building.
///
/// # Errors
///
/// `cancelled`; `input.…` and `archive.…` where nothing can be read; `index.too-large`. A single file that cannot be read is skipped
/// with its reason, which [`engine::Reader::status`] lists.
pub async fn index(
    input: Input,
    grammars: &mut Grammars,
    options: &IndexOptions,
    cancel: &Cancel,
    on_progress: &mut dyn FnMut(Progress),
) -> Result<Indexed, Error> {
    let mut run = Run::new(cancel, on_progress, options.slice_millis);
    let files = input.read(&options.source, &mut run).await?;
    parse_and_build(files, grammars, options, &mut run).await
}

/// Indexes files that the program has read itself, as [`index()`] does.
///
/// # Errors
///
/// `cancelled`; `index.too-large`.
pub async fn index_files(
    files: FileSet,
    grammars: &mut Grammars,
    options: &IndexOptions,
    cancel: &Cancel,
    on_progress: &mut dyn FnMut(Progress),
) -> Result<Indexed, Error> {
    let mut run = Run::new(cancel, on_progress, options.slice_millis);
    parse_and_build(files, grammars, options, &mut run).await
}

async fn parse_and_build(
    files: FileSet,
    grammars: &mut Grammars,
    options: &IndexOptions,
    run: &mut Run<'_>,
) -> Result<Indexed, Error> {
    let mut engine = Engine::new(EngineConfig {
        name: options.name.clone(),
        ..EngineConfig::default()
    });
    for skipped in files.skipped {
        engine.skip(skipped);
    }
    let mut grammar_errors = BTreeMap::new();
    let total = files.files.len();
    for (done, SourceFile { path, text }) in files.files.into_iter().enumerate() {
        run.step(Phase::Parsing, done, total).await?;
        let language = grammars.parsers.language_of(&path, &text);
        if let Some(name) = language.grammar_for(&text)
            && !grammar_errors.contains_key(name)
            && let Err(error) = grammars.provide(name).await
        {
            grammar_errors.insert(name.to_owned(), error.body());
        }
        let unit = read_file(&mut grammars.parsers, &path, &text);
        engine.put(&path, text, unit);
    }
    run.step(Phase::Building, total, total).await?;
    let snapshot = engine.update(js_sys::Date::now())?;
    Ok(Indexed {
        index: Index::new(snapshot)?.with_clock(js_sys::Date::now),
        grammar_errors,
    })
}
