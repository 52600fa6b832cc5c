//! Makes the section with facts about the index: name, model, languages, files left out or parsed only in part.

use snapshot::{Info, LanguageEntry, ProblemEntry, SkippedEntry};
use syntax::facts::ProblemKind;

use crate::change::build::Entries;
use crate::change::index::{Engine, Entry};

/// Makes the section, without its counts, which are filled in later.
pub(crate) fn info(engine: &Engine, has_vectors: bool, now_millis: f64) -> Info {
    Info {
        name: engine.config.name.clone(),
        built_by: env!("CARGO_PKG_VERSION").to_owned(),
        built_at: now_millis,
        embedder: if has_vectors {
            engine.vectors.model.clone()
        } else {
            String::new()
        },
        dimensions: if has_vectors {
            engine.vectors.dim as u32
        } else {
            0
        },
        recipe: engine.config.recipe.clone(),
        stamps: stamps(&engine.files),
        languages: engine
            .config
            .languages
            .list()
            .iter()
            .map(language_entry)
            .collect(),
        skipped: engine.skipped.values().map(skipped_entry).collect(),
        problems: engine
            .files
            .values()
            .enumerate()
            .flat_map(|(file, entry)| problems(file, entry))
            .chain(stale_documents(engine))
            .collect(),
        ..Info::default()
    }
}

fn stamps(entries: &Entries) -> Vec<(u32, f64)> {
    if entries.values().all(|entry| entry.stamp.is_none()) {
        return Vec::new();
    }
    let stamps = entries
        .values()
        .map(|entry| entry.stamp.unwrap_or_default());
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

fn problems(file: usize, entry: &Entry) -> impl Iterator<Item = ProblemEntry> {
    entry
        .unit
        .facts
        .problems
        .iter()
        .map(move |problem| ProblemEntry {
            file: file as u32,
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
