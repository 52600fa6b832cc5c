//! Makes the section with facts about the index: name, model, languages, files left out or parsed only in part.

use snapshot::{Info, LanguageEntry, ProblemEntry, SkippedEntry};
use syntax::facts::{FileFacts, ProblemKind};

use crate::change::index::{Engine, EngineConfig, Stamp};

/// Makes the section, without its counts, which are filled in later.
pub(crate) fn info(engine: &Engine, has_vectors: bool, now_millis: f64) -> Info {
    let stamps: Vec<Option<Stamp>> = engine.files.values().map(|entry| entry.stamp).collect();
    let model = (engine.vectors.model.as_str(), engine.vectors.dim);
    let problems = (0..).zip(engine.files.values());
    let problems = problems.flat_map(|(file, entry)| problems_of(file, &entry.unit.facts));
    Info {
        problems: problems.chain(stale_documents(engine)).collect(),
        ..info_of(
            &engine.config,
            has_vectors.then_some(model),
            &stamps,
            engine.skipped.values(),
            now_millis,
        )
    }
}

/// The section without counts and problems. `model` has the name and dimensions of the vectors.
pub(crate) fn info_of<'s>(
    config: &EngineConfig,
    model: Option<(&str, usize)>,
    stamps: &[Option<Stamp>],
    skipped: impl Iterator<Item = &'s source::Skipped>,
    now_millis: f64,
) -> Info {
    let (embedder, dimensions) = model.unwrap_or_default();
    Info {
        name: config.name.clone(),
        built_by: env!("CARGO_PKG_VERSION").to_owned(),
        built_at: now_millis,
        embedder: embedder.to_owned(),
        dimensions: dimensions as u32,
        recipe: config.recipe.clone(),
        stamps: stamps_of(stamps),
        languages: config.languages.list().iter().map(language_entry).collect(),
        skipped: skipped.map(skipped_entry).collect(),
        ..Info::default()
    }
}

fn stamps_of(stamps: &[Option<Stamp>]) -> Vec<(u32, f64)> {
    if stamps.iter().all(Option::is_none) {
        return Vec::new();
    }
    let stamps = stamps.iter().map(|stamp| stamp.unwrap_or_default());
    stamps
        .map(|stamp| (stamp.n_bytes, stamp.modified))
        .collect()
}

fn language_entry(language: &syntax::UserLanguage) -> LanguageEntry {
    LanguageEntry {
        name: language.name.clone(),
        extensions: language.extensions.clone(),
    }
}

fn skipped_entry(skipped: &source::Skipped) -> SkippedEntry {
    SkippedEntry {
        path: skipped.path.clone(),
        code: skipped.reason.code().to_owned(),
        message: skipped.reason.to_string(),
    }
}

/// The problems of a file with this number.
pub(crate) fn problems_of(
    file: u32,
    facts: &FileFacts,
) -> impl Iterator<Item = ProblemEntry> + use<'_> {
    facts.problems.iter().map(move |problem| ProblemEntry {
        file,
        line: problem.span.start_line,
        code: problem_code(problem.kind).to_owned(),
        message: problem.message.clone(),
    })
}

/// Problems of files whose SCIP document belongs to another text.
fn stale_documents(engine: &Engine) -> impl Iterator<Item = ProblemEntry> + '_ {
    let paths = engine.files.keys().enumerate();
    paths
        .filter(|(_, path)| engine.is_scip_stale(path))
        .map(|(file, _)| ProblemEntry {
            file: file as u32,
            line: 0,
            code: "scip-stale".to_owned(),
            message:
                "the SCIP index was made from another text of this file, so its document is ignored"
                    .to_owned(),
        })
}

fn problem_code(kind: ProblemKind) -> &'static str {
    match kind {
        ProblemKind::Syntax => "syntax",
        ProblemKind::Timeout => "timeout",
        ProblemKind::NoGrammar => "no-grammar",
        ProblemKind::Limit => "limit",
        ProblemKind::Crash => "crash",
    }
}
