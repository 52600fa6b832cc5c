//! Structural search over the sources: which files may have the form, and what of them has it.
//!
//! A pattern's own words say which files need to be parsed at all; of a large repository these are few. Parsing needs
//! grammars, and those may be in another worker: so the two halves, which files and what in a file, can be asked for
//! one by one.

use memchr::memmem::Finder;
use source::FileId;
use syntax::Language;

use crate::order::InOrder;
use crate::{Error, FileFilter, Reader};

impl Reader {
    /// Languages of the files that pass and have a grammar, with their number of files; most first.
    #[must_use]
    pub fn grammar_languages(&self, files: &FileFilter) -> Vec<(Language, usize)> {
        let mut counts: Vec<(Language, usize)> = Vec::new();
        for file in self.files_that_pass(files) {
            let language = self.language(file);
            if language.grammar().is_none() {
                continue;
            }
            match counts.iter_mut().find(|(known, _)| *known == language) {
                Some((_, count)) => *count += 1,
                None => counts.push((language, 1)),
            }
        }
        counts.order_by_key(|(language, count)| (std::cmp::Reverse(*count), *language));
        counts
    }

    /// The files that pass, are of one of these languages, and hold all of its words; in path order. Linear in the texts.
    ///
    /// # Errors
    ///
    /// `snapshot.without` for a snapshot without texts.
    pub fn files_with(
        &self,
        files: &FileFilter,
        words: &[(Language, Vec<String>)],
    ) -> Result<Vec<FileId>, Error> {
        let finders: Vec<(Language, Vec<Finder<'_>>)> = words
            .iter()
            .map(|(language, words)| (*language, words.iter().map(Finder::new).collect()))
            .collect();
        let mut found = Vec::new();
        for file in self.files_that_pass(files) {
            let language = self.language(file);
            let Some((_, finders)) = finders.iter().find(|(known, _)| *known == language) else {
                continue;
            };
            let text = self.text(file)?.as_bytes();
            if finders.iter().all(|finder| finder.find(text).is_some()) {
                found.push(file);
            }
        }
        Ok(found)
    }

    fn files_that_pass<'a>(&'a self, files: &'a FileFilter) -> impl Iterator<Item = FileId> + 'a {
        self.files()
            .filter(|file| files.passes(self.path(*file), self.language(*file)))
    }
}

#[cfg(feature = "ingest")]
pub use here::{
    MAX_STRUCTURAL_STEPS, StructuralAnswer, StructuralQuery, Unread, read_form, structural_error,
};

#[cfg(feature = "ingest")]
mod here {
    use source::FileId;
    use syntax::structural::{
        Structural, StructuralError, StructuralErrorKind, StructuralMatch, StructuralSpec,
    };
    use syntax::{Language, Parsers, Spent};

    use crate::budget::CutOff;
    use crate::{Error, ErrorKind, FileFilter, Reader};

    /// Steps of one search in all files: an ordinary form takes about one for each byte that is parsed.
    pub const MAX_STRUCTURAL_STEPS: u64 = 400_000_000;

    /// What is looked for, and where.
    pub struct StructuralQuery<'a> {
        /// The form.
        pub spec: StructuralSpec,
        /// Files that are looked at. Where the filter names no language, all that can read the pattern.
        pub files: FileFilter,
        /// At most so many matches.
        pub limit: usize,
        /// Steps that all files together may take; [`MAX_STRUCTURAL_STEPS`] as a rule.
        pub max_steps: u64,
        /// Milliseconds that the search may take by `clock`.
        pub max_millis: f64,
        /// Milliseconds since some moment; without it there is no time limit.
        pub clock: Option<&'a dyn Fn() -> f64>,
    }

    /// Matches by path and place.
    #[derive(Debug, Clone, Default, PartialEq, Eq)]
    pub struct StructuralAnswer {
        /// Where, and what.
        pub matches: Vec<(FileId, StructuralMatch)>,
        /// There are more than the limit.
        pub truncated: bool,
        /// A file was too much for the pattern: what is behind in it was not looked at.
        pub partial: bool,
        /// Where the budget ended, if it did before all files were looked at.
        pub cut_off: Option<CutOff>,
        /// Files that were parsed.
        pub n_files: usize,
        /// Languages that were searched.
        pub languages: Vec<Language>,
        /// Languages that cannot read the pattern, and why.
        pub unread: Unread,
    }

    impl Reader {
        /// Everything that has a form.
        ///
        /// # Errors
        ///
        /// `query.empty`, `pattern.…` where no language of the files can read it; `snapshot.without`.
        pub fn structural(
            &self,
            parsers: &mut Parsers,
            query: &StructuralQuery<'_>,
        ) -> Result<StructuralAnswer, Error> {
            let languages: Vec<Language> = self
                .grammar_languages(&query.files)
                .iter()
                .map(|(language, _)| *language)
                .collect();
            let (compiled, unread) = read_form(parsers, &query.spec, &languages)?;
            let mut answer = StructuralAnswer {
                languages: compiled.iter().map(Structural::language).collect(),
                unread,
                ..StructuralAnswer::default()
            };
            let words: Vec<_> = compiled
                .iter()
                .map(|one| (one.language(), one.words()))
                .collect();
            let end = query.clock.map(|now| now() + query.max_millis);
            let left = || match (query.clock, end) {
                (Some(now), Some(end)) => end - now(),
                _ => f64::MAX,
            };
            let mut steps_left = query.max_steps;
            for file in self.files_with(&query.files, &words)? {
                let millis = left();
                if millis <= 0.0 {
                    let spent = Spent::Time;
                    answer.cut_off = Some(CutOff { file, spent });
                    break;
                }
                let language = self.language(file);
                let Some(form) = compiled.iter().find(|one| one.language() == language) else {
                    continue;
                };
                let room = query.limit - answer.matches.len();
                let found = parsers.find_structural(form, self.text(file)?, room, millis);
                // All of a file or nothing: workers that search files side by side come to the same answer.
                let Some(left) = steps_left.checked_sub(found.n_steps) else {
                    let spent = Spent::Steps;
                    answer.cut_off = Some(CutOff { file, spent });
                    break;
                };
                steps_left = left;
                answer.n_files += 1;
                answer.partial |= found.timed_out;
                let matches = found.matches.into_iter().map(|one| (file, one));
                answer.matches.extend(matches);
                if found.truncated {
                    answer.truncated = true;
                    break;
                }
            }
            Ok(answer)
        }
    }

    /// Languages that cannot read a form, and why.
    pub type Unread = Vec<(Language, StructuralError)>;

    /// Reads a form in each of these languages, most wanted first; those that cannot come second.
    ///
    /// # Errors
    ///
    /// Where none can: the reason of the language that came furthest, of equal ones of the first.
    pub fn read_form(
        parsers: &mut Parsers,
        spec: &StructuralSpec,
        languages: &[Language],
    ) -> Result<(Vec<Structural>, Unread), Error> {
        let (mut forms, mut unread) = (Vec::new(), Vec::new());
        for language in languages {
            match parsers.structural(*language, spec) {
                Ok(form) => forms.push(form),
                Err(error) => unread.push((*language, error)),
            }
        }
        let best = unread.iter().rev().max_by_key(|(_, error)| error.reach());
        match best {
            Some((_, error)) if forms.is_empty() => Err(structural_error(error)),
            _ => Ok((forms, unread)),
        }
    }

    /// Why a pattern cannot be used, as the engine's error.
    #[must_use]
    pub fn structural_error(error: &StructuralError) -> Error {
        let kind = match error.kind {
            StructuralErrorKind::Empty => ErrorKind::QueryEmpty,
            StructuralErrorKind::Size => ErrorKind::PatternSize,
            StructuralErrorKind::Syntax => ErrorKind::PatternSyntax,
            StructuralErrorKind::Constraint => ErrorKind::PatternConstraint,
            StructuralErrorKind::NoGrammar => ErrorKind::GrammarMissing,
        };
        Error::new(kind, error.message.clone())
    }
}
