//! Structural search: as a whole where the parser is here, in halves where it is in another worker.

use engine::{Error, ErrorKind, Reader};

use crate::{
    ErrorBody, StructuralFile, StructuralFiles, StructuralFilesRequest, StructuralRequest,
};

/// Selects the files that a structural search must parse.
///
/// # Errors
///
/// `query.invalid` for an unknown language, `glob.syntax`, `snapshot.without`.
pub fn structural_files(
    reader: &Reader,
    request: &StructuralFilesRequest,
) -> Result<StructuralFiles, ErrorBody> {
    let filter = reader.filter(&request.paths, &request.languages)?;
    let users = reader.user_languages();
    let languages = reader.grammar_languages(&filter);
    let mut files = Vec::new();
    if let Some(words) = &request.words {
        let words: Vec<_> = words
            .iter()
            .filter_map(|one| {
                let known = languages
                    .iter()
                    .find(|(language, _)| users.name(*language) == one.language);
                Some((known?.0, one.words.clone()))
            })
            .collect();
        files = reader.files_with(&filter, &words)?;
    }
    let file = |file| StructuralFile {
        path: reader.path(file).to_owned(),
        language: reader.language_name(file).to_owned(),
    };
    Ok(StructuralFiles {
        languages: languages
            .iter()
            .map(|(language, _)| users.name(*language).to_owned())
            .collect(),
        files: files.into_iter().map(file).collect(),
    })
}

/// The form that a request asks for: `pattern` or `query`, not both.
#[cfg_attr(not(feature = "ingest"), expect(dead_code, reason = "parsers ask"))]
fn form(request: &StructuralRequest) -> Result<(bool, &str), Error> {
    match (&request.pattern, &request.query) {
        (Some(pattern), None) => Ok((true, pattern)),
        (None, Some(query)) => Ok((false, query)),
        _ => Err(Error::new(
            ErrorKind::QueryInvalid,
            "give either a pattern or a query",
        )),
    }
}

#[cfg(feature = "ingest")]
pub use here::{structural, structural_found, structural_plan};

#[cfg(feature = "ingest")]
mod here {
    use engine::forms::{self, Structural, StructuralSpec, Wanted};
    use engine::position::character_of;
    use engine::{Language, MAX_STRUCTURAL_STEPS, Parsers, Reader, StructuralQuery};

    use super::form;
    use crate::answer::files::{DEFAULT_MILLIS, cut_off};
    use crate::answer::limit;
    use crate::{
        ErrorBody, LanguageWords, Position, Range, Strictness, StructuralCapture, StructuralFound,
        StructuralMatch, StructuralPlan, StructuralRequest, StructuralResponse, UnreadLanguage,
    };

    /// Bytes of a match or capture that are shown.
    const MAX_SHOWN: usize = 2_000;
    const DEFAULT_LIMIT: u32 = 200;
    const MOST: u32 = 100_000;

    /// Everything that has a form. Parses each file that has the pattern's words.
    ///
    /// # Errors
    ///
    /// `query.invalid`, `query.empty`, `pattern.syntax`, `pattern.size`, `pattern.constraint`, `grammar.missing`,
    /// `glob.syntax`, `snapshot.without`.
    pub fn structural(
        reader: &Reader,
        parsers: &mut Parsers,
        request: &StructuralRequest,
        clock: Option<&dyn Fn() -> f64>,
    ) -> Result<StructuralResponse, ErrorBody> {
        let answer = reader.structural(
            parsers,
            &StructuralQuery {
                spec: spec(request)?,
                files: reader.filter(&request.paths, &request.languages)?,
                limit: limit(request.limit, DEFAULT_LIMIT, MOST)?,
                max_steps: MAX_STRUCTURAL_STEPS,
                max_millis: f64::from(request.max_millis.unwrap_or(DEFAULT_MILLIS)),
                clock,
            },
        )?;
        let mut matches = Vec::with_capacity(answer.matches.len());
        for (file, one) in &answer.matches {
            let language = reader.language_name(*file);
            matches.push(shown(
                reader.path(*file),
                language,
                reader.text(*file)?,
                one,
            ));
        }
        let users = reader.user_languages();
        let unread = |(language, error): &(Language, forms::StructuralError)| UnreadLanguage {
            language: users.name(*language).to_owned(),
            message: error.message.clone(),
        };
        Ok(StructuralResponse {
            matches,
            truncated: answer.truncated,
            timed_out: answer.partial || answer.cut_off.is_some(),
            cut_off: answer.cut_off.map(|end| cut_off(reader, end)),
            n_files: answer.n_files as u32,
            languages: answer
                .languages
                .iter()
                .map(|language| users.name(*language).to_owned())
                .collect(),
            unread: answer.unread.iter().map(unread).collect(),
        })
    }

    /// Reads a pattern in these languages.
    ///
    /// # Errors
    ///
    /// As [`structural`], where none of them can read it.
    pub fn structural_plan(
        parsers: &mut Parsers,
        request: &StructuralRequest,
        languages: &[Language],
    ) -> Result<(StructuralPlan, Vec<Structural>), ErrorBody> {
        let spec = spec(request)?;
        let mut plan = StructuralPlan {
            limit: limit(request.limit, DEFAULT_LIMIT, MOST)? as u32,
            max_steps: MAX_STRUCTURAL_STEPS as f64,
            max_millis: request.max_millis.unwrap_or(DEFAULT_MILLIS),
            ..StructuralPlan::default()
        };
        let (forms, unread) = engine::read_form(parsers, &spec, languages)?;
        let users = parsers.user_languages();
        plan.words = forms
            .iter()
            .map(|form| LanguageWords {
                language: users.name(form.language()).to_owned(),
                words: form.words(),
            })
            .collect();
        plan.unread = unread
            .iter()
            .map(|(language, error)| UnreadLanguage {
                language: users.name(*language).to_owned(),
                message: error.message.clone(),
            })
            .collect();
        Ok((plan, forms))
    }

    /// Finds the matches of a pattern in one text.
    pub fn structural_found(
        parsers: &mut Parsers,
        form: &Structural,
        path: &str,
        text: &str,
        limit: usize,
        max_millis: f64,
    ) -> StructuralFound {
        let found = parsers.find_structural(form, text, limit, max_millis);
        let language = parsers.user_languages().name(form.language());
        StructuralFound {
            matches: found
                .matches
                .iter()
                .map(|one| shown(path, language, text, one))
                .collect(),
            truncated: found.truncated,
            timed_out: found.timed_out,
            n_steps: found.n_steps as f64,
        }
    }

    fn spec(request: &StructuralRequest) -> Result<StructuralSpec, ErrorBody> {
        let (is_code, text) = form(request)?;
        let constraint = |one: &crate::StructuralConstraint| forms::Constraint {
            name: one.name.clone(),
            regex: one.regex.clone(),
            not_regex: one.not_regex.clone(),
            kinds: one.kinds.clone(),
        };
        Ok(StructuralSpec {
            wanted: if is_code {
                Wanted::Code(text.to_owned())
            } else {
                Wanted::Query(text.to_owned())
            },
            constraints: request.constraints.iter().map(constraint).collect(),
            strictness: match request.strictness {
                Strictness::Cst => forms::Strictness::Cst,
                Strictness::Smart => forms::Strictness::Smart,
                Strictness::Ast => forms::Strictness::Ast,
                Strictness::Relaxed => forms::Strictness::Relaxed,
                Strictness::Signature => forms::Strictness::Signature,
            },
        })
    }

    fn shown(
        path: &str,
        language: &str,
        text: &str,
        one: &forms::StructuralMatch,
    ) -> StructuralMatch {
        let capture = |capture: &forms::StructuralCapture| StructuralCapture {
            name: capture.name.clone(),
            range: range(
                text,
                capture.span.start,
                capture.span.end,
                capture.span.start_line,
            ),
            text: piece(text, capture.span.start, capture.span.end),
        };
        StructuralMatch {
            path: path.to_owned(),
            language: language.to_owned(),
            start_line: one.span.start_line.saturating_add(1),
            end_line: one.span.end_line.saturating_add(1),
            range: range(text, one.span.start, one.span.end, one.span.start_line),
            text: piece(text, one.span.start, one.span.end),
            captures: one.captures.iter().map(capture).collect(),
        }
    }

    fn range(text: &str, start: u32, end: u32, start_line: u32) -> Range {
        let within = text.get(start as usize..end as usize).unwrap_or_default();
        let n_breaks = within.bytes().filter(|byte| *byte == b'\n').count() as u32;
        let position = |offset: u32, line: u32| Position {
            line,
            character: character_of(text, offset as usize),
        };
        Range {
            start: position(start, start_line),
            end: position(end, start_line.saturating_add(n_breaks)),
        }
    }

    fn piece(text: &str, start: u32, end: u32) -> String {
        let piece = text.get(start as usize..end as usize).unwrap_or_default();
        piece[..piece.floor_char_boundary(MAX_SHOWN)].to_owned()
    }
}
