//! Renaming a symbol everywhere.

use engine::{FileFilter, FileId, Reader, RenameConfig, TextEdit, TextEdits};

use super::budget::{Budget, Paging};
use super::{percent, range, share, symbol_ref};
use crate::{
    EditSource, ErrorBody, FileRename, RenameConflict, RenameEdit, RenameRequest, RenameResponse,
    TextSearch,
};

/// A rename is read edit by edit, so it may be longer than other answers.
const DEFAULT_RENAME_BYTES: u32 = 128 * 1024;
const MAX_EDITS: u32 = 1_000_000;
/// Maximum number of listed symbols of a family.
const MAX_SYMBOLS: usize = 100;
/// Characters of a line that are shown.
const MAX_LINE: usize = 200;

/// The edits that give a symbol another name.
///
/// # Errors
///
/// `query.empty`, `query.invalid`, `query.unsupported`, `symbol.not-found`, `symbol.ambiguous`, `file.not-found`, `glob.syntax`,
/// `snapshot.without`.
pub fn rename(reader: &Reader, request: &RenameRequest) -> Result<RenameResponse, ErrorBody> {
    let config = RenameConfig {
        new_name: &request.new_name,
        text_edits: match request.text_search {
            TextSearch::Off => TextEdits::Off,
            TextSearch::Review => TextEdits::Review,
            TextSearch::Apply => TextEdits::Apply,
        },
        min_confidence: percent(request.min_confidence)?,
        files: FileFilter::new(&request.paths, &[])?,
    };
    let budget = Budget::new(request.max_bytes, DEFAULT_RENAME_BYTES)?;
    let mut paging = Paging::within(budget, request, 500, MAX_EDITS)?;
    let found = reader.rename(&request.symbol, &config)?;
    let all: Vec<(FileId, &TextEdit)> = found
        .files
        .iter()
        .flat_map(|file| file.edits.iter().map(move |edit| (file.file, edit)))
        .collect();
    let n_graph = (all.iter())
        .filter(|(_, edit)| matches!(edit.source, engine::EditSource::Graph { .. }))
        .count();
    let n_left = all.iter().filter(|(_, edit)| !edit.is_applied).count();
    let (edits, page) = paging.list(all.iter(), |(file, edit)| {
        (reader.path(*file), self::edit(reader, *file, edit))
    });
    let mut changes: Vec<FileRename> = Vec::new();
    for (path, edit) in edits {
        match changes.last_mut().filter(|file| file.path == path) {
            Some(file) => file.edits.push(edit),
            None => changes.push(FileRename {
                path: path.to_owned(),
                edits: vec![edit],
            }),
        }
    }
    // The diff as JSON is no shorter than it is, so one that is longer than what is left need not be made.
    let diff = reader.rename_diff(&found.files, paging.budget.left())?;
    let conflict = |conflict: &engine::Conflict| RenameConflict {
        path: reader.path(conflict.file).to_owned(),
        line: conflict.line.saturating_add(1),
        message: conflict.message.clone(),
    };
    Ok(RenameResponse {
        n_files: found.files.len() as u32,
        n_left: n_left as u32,
        n_graph_edits: n_graph as u32,
        n_text_edits: (all.len() - n_graph) as u32,
        changes,
        page,
        conflicts: found.conflicts.iter().map(conflict).collect(),
        symbols: (found.symbols.iter().take(MAX_SYMBOLS))
            .map(|id| symbol_ref(reader, *id))
            .collect(),
        diff: diff.filter(|diff| paging.budget.admits(diff)),
        old_name: found.old_name,
        new_name: request.new_name.clone(),
    })
}

fn edit(reader: &Reader, file: FileId, edit: &TextEdit) -> RenameEdit {
    let line = reader.line_at(file, edit.start).1.trim();
    let (source, confidence, reason) = match edit.source {
        engine::EditSource::Graph { confidence, reason } => (
            EditSource::Graph,
            Some(share(confidence)),
            Some(reason.name().to_owned()),
        ),
        engine::EditSource::TextSearch => (EditSource::TextSearch, None, None),
    };
    RenameEdit {
        line: edit.line.saturating_add(1),
        range: range(reader, file, edit.start, edit.end, edit.line),
        old_text: reader.piece(file, edit.start, edit.end).to_owned(),
        new_text: edit.new_text.clone(),
        text: line.chars().take(MAX_LINE).collect(),
        source,
        confidence,
        reason,
        place: edit.place.name().to_owned(),
        applied: edit.is_applied,
    }
}
