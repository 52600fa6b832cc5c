//! Files: their list, their texts, regular expressions over them; and what is in the index.

use engine::{GrepQuery, MAX_CONTEXT_LINES, MAX_GREP_STEPS, MatchingLine, Note, Reader};

use super::limit;
use crate::{
    Count, CutOff, CutOffReason, ErrorBody, FileEntry, FileList, FileProblem, FileText, RegexMatch,
    RegexRequest, RegexResponse, SkippedFile, Status,
};

/// Milliseconds that a search through all texts may take where the request says nothing. Steps end a dear one in less.
pub(super) const DEFAULT_MILLIS: u32 = 30_000;

/// The lines that a pattern matches.
///
/// # Errors
///
/// `query.empty`, `query.invalid`, `regex.syntax`, `regex.size`, `glob.syntax`, `snapshot.without`.
pub fn regex(
    reader: &Reader,
    request: &RegexRequest,
    clock: Option<&dyn Fn() -> f64>,
) -> Result<RegexResponse, ErrorBody> {
    let answer = reader.grep(&GrepQuery {
        pattern: &request.pattern,
        ignore_case: request.ignore_case,
        whole_word: request.whole_word,
        files: reader.filter(&request.paths, &request.languages)?,
        context_lines: (request.context_lines.unwrap_or(0) as usize).min(MAX_CONTEXT_LINES),
        limit: limit(request.limit, 200, 100_000)?,
        max_steps: MAX_GREP_STEPS,
        max_millis: f64::from(request.max_millis.unwrap_or(DEFAULT_MILLIS)),
        clock,
    })?;
    let line = |line: MatchingLine| RegexMatch {
        path: reader.path(line.file).to_owned(),
        line: line.line.saturating_add(1),
        text: line.text,
        marks: line.marks,
        before: line.before,
        after: line.after,
    };
    Ok(RegexResponse {
        matches: answer.lines.into_iter().map(line).collect(),
        truncated: answer.truncated,
        timed_out: answer.cut_off.is_some(),
        cut_off: answer.cut_off.map(|end| cut_off(reader, end)),
        n_files: answer.n_files as u32,
    })
}

pub(super) fn cut_off(reader: &Reader, end: engine::CutOff) -> CutOff {
    let (reason, help) = if end.is_time() {
        (
            CutOffReason::Time,
            "raise max_millis, or name paths or languages",
        )
    } else {
        (
            CutOffReason::Steps,
            "name paths or languages, or say more exactly what is looked for",
        )
    };
    CutOff {
        path: reader.path(end.file).to_owned(),
        reason,
        help: help.to_owned(),
    }
}

/// A file's text.
///
/// # Errors
///
/// `file.not-found`, `snapshot.without`.
pub fn file_text(reader: &Reader, path: &str) -> Result<FileText, ErrorBody> {
    let file = reader.file(path)?;
    Ok(FileText {
        path: reader.path(file).to_owned(),
        language: reader.language_name(file).to_owned(),
        text: reader.text(file)?.to_owned(),
    })
}

/// Indexed files by path.
#[must_use]
pub fn files(reader: &Reader) -> FileList {
    let entry = |file| FileEntry {
        path: reader.path(file).to_owned(),
        language: reader.language_name(file).to_owned(),
        n_bytes: reader.n_bytes(file),
        n_lines: reader.n_lines(file),
        n_symbols: reader.graph().symbols_of(file).len() as u32,
    };
    FileList {
        files: reader.files().map(entry).collect(),
    }
}

/// The index at a glance.
#[must_use]
pub fn status(reader: &Reader) -> Status {
    let status = reader.status();
    let counts = |counts: Vec<(String, usize)>| {
        let count = |(name, count)| Count {
            name,
            count: count as f64,
        };
        counts.into_iter().map(count).collect()
    };
    let skipped = |note: Note| SkippedFile {
        path: note.path,
        code: note.code,
        message: note.message,
    };
    let problem = |note: Note| FileProblem {
        path: note.path,
        code: note.code,
        line: note.line.saturating_add(1),
        message: note.message,
    };
    Status {
        name: status.name,
        built_by: status.built_by,
        built_at: status.built_at,
        format_version: status.format_version,
        n_shards: status.n_shards.map(|n| n as u32),
        n_files: status.n_files as u32,
        n_bytes: status.n_bytes as f64,
        n_lines: status.n_lines as u32,
        n_symbols: status.n_symbols as u32,
        n_chunks: status.n_chunks as u32,
        n_vectors: status.n_vectors as u32,
        n_edges: status.n_edges as u32,
        embedder: status.embedder,
        dimensions: status.dimensions,
        languages: counts(status.languages),
        kinds: counts(status.kinds),
        edges: counts(status.edges),
        sections: counts(status.sections),
        skipped: status.skipped.into_iter().map(skipped).collect(),
        problems: status.problems.into_iter().map(problem).collect(),
    }
}
