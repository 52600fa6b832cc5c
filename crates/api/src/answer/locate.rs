//! Localisation: packs the places that a text is about into a token budget.

use std::collections::BTreeMap;

use engine::{Because, FileId, LocateQuery, Located, Partner, Reader};
use engine::{Error, ErrorKind};

use super::ask::Embed;
use super::{limit, tokens};
use crate::{
    ChangesTogether, ErrorBody, LocateReading, LocateRequest, LocateResponse, LocatedFile,
    LocatedFunction,
};

/// Token budget where the request says nothing.
const DEFAULT_TOKENS: u32 = 2_000;
const LEAST_TOKENS: u32 = 256;
const MOST_TOKENS: u32 = 1_000_000;
/// Tokens of the answer around its files.
const FRAME: usize = 160;
/// Lines of code of one function; longer ones are cut, since their start says what they are.
const MAX_CODE_LINES: usize = 80;
/// Details told of one clue.
const MAX_DETAILS: usize = 2;
/// Bytes of one detail.
const MAX_DETAIL: usize = 120;
/// Files of a request that change with others, and others of each.
const MOST_TOGETHER: usize = 100;

/// Files with those that change together with them.
type Partners = BTreeMap<FileId, Vec<Partner>>;

/// The files and functions that a text is about. `embed` makes vectors of its title and prose, if the host has a model.
///
/// # Errors
///
/// `query.empty`, `query.invalid`, `glob.syntax`.
pub fn locate(
    reader: &Reader,
    request: &LocateRequest,
    embed: Embed<'_>,
) -> Result<LocateResponse, ErrorBody> {
    let budget = budget(request.max_tokens)?;
    let (title, spoken) = LocateQuery::spoken(&request.text);
    let vector = |text: &str| {
        if text.trim().is_empty() {
            Ok(None)
        } else {
            embed(text)
        }
    };
    let (title_vector, prose_vector) = (vector(&title)?, vector(&spoken)?);
    let together = together(reader, &request.together)?;
    let partners = |file: FileId| together.get(&file).cloned().unwrap_or_default();
    let function_limit = match request.function_limit {
        Some(0) => 0,
        given => limit(given, 10, 200)?,
    };
    let found = reader.locate(&LocateQuery {
        text: &request.text,
        title_vector: title_vector.as_deref(),
        prose_vector: prose_vector.as_deref(),
        files: reader.filter(&request.paths, &request.languages)?,
        limit: limit(request.limit, 10, 200)?,
        function_limit,
        together: (!together.is_empty()).then_some(&partners),
        ..LocateQuery::default()
    })?;
    Ok(packed(reader, &found, request.code.unwrap_or(true), budget))
}

/// Files that change together, by their numbers; those that the index lacks are left out.
fn together(reader: &Reader, given: &[ChangesTogether]) -> Result<Partners, Error> {
    let most = given.iter().map(|of| of.files.len()).max().unwrap_or(0);
    if given.len().max(most) > MOST_TOGETHER {
        let message = format!(
            "together has {} files with up to {most} others; it can have {MOST_TOGETHER} of each",
            given.len()
        );
        return Err(Error::new(ErrorKind::QueryInvalid, message));
    }
    let mut partners = Partners::new();
    for ChangesTogether { path, files } in given {
        let Ok(file) = reader.file(path) else {
            continue;
        };
        let others = files.iter().filter_map(|other| {
            let confidence = other.confidence.clamp(0.0, 1.0);
            Some(Partner {
                file: reader.file(&other.path).ok()?,
                confidence,
                reverse: other.reverse.unwrap_or(confidence).clamp(0.0, 1.0),
            })
        });
        partners.insert(file, others.collect());
    }
    Ok(partners)
}

fn budget(given: Option<u32>) -> Result<usize, Error> {
    let tokens = given.unwrap_or(DEFAULT_TOKENS);
    if !(LEAST_TOKENS..=MOST_TOKENS).contains(&tokens) {
        let message = format!("max_tokens is {tokens}; it can be {LEAST_TOKENS} to {MOST_TOKENS}");
        return Err(Error::new(ErrorKind::QueryInvalid, message));
    }
    Ok(tokens as usize)
}

/// Files with their functions while there is room, then code for the likeliest functions.
fn packed(reader: &Reader, found: &Located, with_code: bool, budget: usize) -> LocateResponse {
    let mut of_files: BTreeMap<FileId, Vec<LocatedFunction>> = BTreeMap::new();
    for (rank, function) in (1..).zip(&found.functions) {
        let node = reader.graph().node(function.node);
        let own = of_files.entry(function.file).or_default();
        own.push(LocatedFunction {
            symbol: reader.graph().qualified_name(function.node),
            kind: super::kind_of(&node),
            start_line: node.span.start_line.saturating_add(1),
            end_line: node.span.end_line.saturating_add(1),
            rank,
            score: rounded(function.score),
            why: function.why.iter().take(3).map(reason).collect(),
            code: None,
        });
    }
    let mut left = budget.saturating_sub(FRAME);
    let mut files: Vec<LocatedFile> = Vec::new();
    for located in &found.files {
        let file = LocatedFile {
            path: reader.path(located.file).to_owned(),
            score: rounded(located.score),
            confidence: rounded(located.sureness),
            why: located.why.iter().map(reason).collect(),
            functions: of_files.remove(&located.file).unwrap_or_default(),
        };
        match left.checked_sub(n_tokens(&file)) {
            Some(rest) => left = rest,
            None => break,
        }
        files.push(file);
    }
    if with_code {
        add_code(reader, &mut files, &mut left);
    }
    let mut response = LocateResponse {
        title: found.title.clone(),
        confidence: rounded(found.sureness),
        known: found.is_known,
        note: note(found),
        read: reading(found),
        total: found.total as u32,
        n_more: found.files.len().saturating_sub(files.len()) as u32,
        files,
        n_tokens: 0,
        with_history: None,
    };
    response.n_tokens = n_tokens(&response) as u32;
    response
}

/// Adds the code of functions, the likeliest first, while it fits.
fn add_code(reader: &Reader, files: &mut [LocatedFile], left: &mut usize) {
    let mut order: Vec<(u32, usize, usize)> = Vec::new();
    for (at, file) in files.iter().enumerate() {
        order.extend(
            file.functions
                .iter()
                .enumerate()
                .map(|(n, function)| (function.rank, at, n)),
        );
    }
    order.sort_unstable();
    for (_, at, n) in order {
        let Some(file) = files.get_mut(at) else {
            continue;
        };
        let text = reader
            .file(&file.path)
            .and_then(|id| reader.text(id))
            .unwrap_or_default();
        let Some(function) = file.functions.get_mut(n) else {
            continue;
        };
        let first = function.start_line.saturating_sub(1) as usize;
        let n_lines = (function.end_line as usize)
            .saturating_sub(first)
            .min(MAX_CODE_LINES);
        let code: String = text
            .split_inclusive('\n')
            .skip(first)
            .take(n_lines)
            .collect();
        let cost = tokens::count(&serde_json::to_string(&code).unwrap_or_default()) + 4;
        if let Some(rest) = left.checked_sub(cost).filter(|_| !code.is_empty()) {
            *left = rest;
            function.code = Some(code);
        }
    }
}

fn note(found: &Located) -> Option<String> {
    if found.files.is_empty() {
        return Some("nothing in the text points to a file of this index".to_owned());
    }
    (!found.is_known).then(|| "little in the text points to a place: take these as guesses, and search for what it speaks of".to_owned())
}

fn reading(found: &Located) -> LocateReading {
    let read = &found.read;
    LocateReading {
        n_frames: read.n_frames as u32,
        n_names: read.n_names as u32,
        n_paths: read.n_paths as u32,
        n_messages: read.n_messages as u32,
        versions: read.versions.clone(),
        options: read.options.clone(),
        n_left_out: u32::try_from(read.n_left_out).unwrap_or(u32::MAX),
    }
}

/// `frame: src/cart.py:12`; the clue alone where it says all.
fn reason(because: &Because) -> String {
    let details: Vec<&str> = because
        .details
        .iter()
        .take(MAX_DETAILS)
        .map(|detail| &detail[..detail.floor_char_boundary(MAX_DETAIL)])
        .collect();
    let name = because.clue.name();
    if details.is_empty() {
        name.to_owned()
    } else {
        format!("{name}: {}", details.join(", "))
    }
}

fn rounded(value: f32) -> f32 {
    (value * 1_000.0).round() / 1_000.0
}

fn n_tokens<T: serde::Serialize>(item: &T) -> usize {
    serde_json::to_string(item).map_or(usize::MAX, |json| tokens::count(&json))
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::Clue;

    #[test]
    fn budgets_are_bounded() {
        assert_eq!(budget(None).unwrap(), 2_000);
        assert_eq!(budget(Some(LEAST_TOKENS)).unwrap(), 256);
        for tokens in [0, LEAST_TOKENS - 1, MOST_TOKENS + 1] {
            assert_eq!(budget(Some(tokens)).unwrap_err().code(), "query.invalid");
        }
    }

    #[test]
    fn reasons_are_short() {
        let because = |details: &[&str]| Because {
            clue: Clue::Frame,
            points: 1.0,
            details: details.iter().map(|detail| (*detail).to_owned()).collect(),
        };
        assert_eq!(reason(&because(&[])), "frame");
        assert_eq!(
            reason(&because(&["a.py:1", "b.py:2", "c.py:3"])),
            "frame: a.py:1, b.py:2"
        );
        let long = "é".repeat(1_000);
        assert!(reason(&because(&[&long])).len() < 140);
    }
}
