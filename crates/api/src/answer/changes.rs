//! The effects of a change.

use engine::{
    ChangeKind, ChangeSource, ChangesConfig, Error, ErrorKind, FileStatus, IndexSide, Reader, Tests,
};

use super::budget::Paging;
use super::impact::{grouped, risk};
use super::{percent, process_place, symbol_ref};
use crate::{
    ChangeSummary, ChangedFile, ChangedProcess, ChangedStep, ChangedSymbol, DetectChangesRequest,
    DetectChangesResponse, ErrorBody, FileVersion, TestScope,
};

const MAX_ITEMS: u32 = 100_000;

/// Reports the effects of a change.
///
/// # Errors
///
/// `query.invalid` where no change, or more than one kind of change, is given, or a bound is none; `snapshot.without`.
pub fn detect_changes(
    reader: &Reader,
    request: &DetectChangesRequest,
) -> Result<DetectChangesResponse, ErrorBody> {
    let config = ChangesConfig {
        depth: request.depth.unwrap_or(2),
        min_confidence: percent(request.min_confidence)?,
        tests: match request.tests {
            TestScope::Include => Tests::Include,
            TestScope::Exclude => Tests::Exclude,
            TestScope::Only => Tests::Only,
        },
    };
    let mut paging = Paging::new(request, 200, MAX_ITEMS)?;
    let after = versions(&request.after);
    let before = request.before.as_deref().map(versions);
    let source = match (&request.diff, &before) {
        (Some(diff), None) if after.is_empty() => ChangeSource::Diff(diff),
        (None, Some(before)) => ChangeSource::Sets(before, &after),
        (None, None) if !after.is_empty() => ChangeSource::After(&after),
        _ => {
            let error = Error::new(ErrorKind::QueryInvalid, "it is not clear what changed");
            return Err(error
                .with_help("give either a diff, or files after, or files before and after")
                .into());
        }
    };
    let found = reader.changes(source, &config)?;
    let (changed_symbols, symbols_page) = paging.list(found.symbols.iter(), |symbol| {
        changed_symbol(reader, symbol)
    });
    let (affected_processes, processes_page) = paging.list(found.processes.iter(), |process| {
        changed_process(reader, process)
    });
    let (changed_files, files_page) = paging.list(found.files.iter(), changed_file);
    let (dependants, dependants_page) = grouped(reader, &found.dependants, &mut paging);
    let risk = risk(found.risk);
    Ok(DetectChangesResponse {
        summary: ChangeSummary {
            n_symbols: found.symbols.len() as u32,
            n_processes: found.processes.len() as u32,
            n_files: found.files.len() as u32,
            n_dependants: found.dependants.len() as u32,
            risk_level: risk.level.clone(),
        },
        risk,
        changed_files,
        files_page,
        changed_symbols,
        symbols_page,
        affected_processes,
        processes_page,
        dependants,
        dependants_page,
    })
}

fn versions(files: &[FileVersion]) -> Vec<engine::FileVersion<'_>> {
    files
        .iter()
        .map(|file| engine::FileVersion {
            path: &file.path,
            text: file.text.as_deref(),
        })
        .collect()
}

fn changed_file(file: &engine::ChangedFile) -> ChangedFile {
    ChangedFile {
        path: file.path.clone(),
        old_path: file.old_path.clone(),
        status: match file.status {
            FileStatus::Added => "added",
            FileStatus::Modified => "modified",
            FileStatus::Deleted => "deleted",
            FileStatus::Renamed => "renamed",
        }
        .to_owned(),
        index: match file.side {
            IndexSide::Old => "old",
            IndexSide::New => "new",
            IndexSide::Stale => "stale",
            IndexSide::Absent => "absent",
        }
        .to_owned(),
        n_added: file.n_added,
        n_deleted: file.n_deleted,
    }
}

fn changed_symbol(reader: &Reader, changed: &engine::ChangedSymbol) -> ChangedSymbol {
    ChangedSymbol {
        symbol: symbol_ref(reader, changed.node),
        change_type: match changed.change {
            ChangeKind::Added => "added",
            ChangeKind::Modified => "modified",
            ChangeKind::Deleted => "deleted",
        }
        .to_owned(),
        touches_declaration: changed.touches_declaration,
        n_lines: changed.n_lines,
    }
}

fn changed_process(reader: &Reader, changed: &engine::ChangedProcess) -> ChangedProcess {
    let step = |step: &engine::ProcessStep| ChangedStep {
        symbol: reader.graph().qualified_name(step.node),
        step: step.step,
    };
    let first = changed.steps.first().map_or(0, |step| step.step);
    ChangedProcess {
        process: process_place(reader, changed.process, first),
        changed_steps: changed.steps.iter().map(step).collect(),
    }
}
