//! Structural search over the sources: selects the files that may match a pattern, then finds the matches in them.
//!
//! A pattern's own words say which files need to be parsed at all; in a large repository these are few. Parsing needs
//! grammars, which may be in another worker. So the two steps, the files and the matches in a file, can be requested
//! one by one.

use memchr::memmem::Finder;
use source::FileId;
use syntax::Language;

use crate::{Error, FileFilter, Reader};
use syntax::order::InOrder;

impl Reader {
    /// Returns the languages of the files that pass and can be parsed, with their number of files; most files first. Documents count only
    /// if the filter names their language: most of them accept any text, so a pattern for code would be read in each of them.
    #[must_use]
    pub fn grammar_languages(&self, files: &FileFilter) -> Vec<(Language, usize)> {
        let mut counts: Vec<(Language, usize)> = Vec::new();
        for file in self.files_that_pass(files) {
            let language = self.language(file);
            let is_code = language.grammar().is_some();
            if language.tree_grammar().is_none() || !(is_code || files.names(language)) {
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

    /// Returns the files that pass, are of one of these languages, and contain all words listed for it; in path order.
    /// Linear in the texts.
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

    /// Maximum number of steps of one search in all files: an ordinary pattern takes about one for each byte parsed.
    pub const MAX_STRUCTURAL_STEPS: u64 = 400_000_000;

    /// A structural search request.
    pub struct StructuralQuery<'a> {
        /// The pattern and its constraints.
        pub spec: StructuralSpec,
        /// Files to search. If the filter names no language, files of all languages that can read the pattern.
        pub files: FileFilter,
        /// Maximum number of matches.
        pub limit: usize,
        /// Maximum number of steps of all files together; usually [`MAX_STRUCTURAL_STEPS`].
        pub max_steps: u64,
        /// Maximum time of the search, in milliseconds of `clock`.
        pub max_millis: f64,
        /// Milliseconds since some moment; without it there is no time limit.
        pub clock: Option<&'a dyn Fn() -> f64>,
    }

    /// Matches, sorted by path and position.
    #[derive(Debug, Clone, Default, PartialEq, Eq)]
    pub struct StructuralAnswer {
        /// File and match.
        pub matches: Vec<(FileId, StructuralMatch)>,
        /// Whether there are more matches than the limit.
        pub truncated: bool,
        /// Whether a file ran out of time, steps or memory: the rest of that file was not searched.
        pub partial: bool,
        /// Where the budget ended, if it did before all files were searched.
        pub cut_off: Option<CutOff>,
        /// Number of files parsed.
        pub n_files: usize,
        /// Languages that were searched.
        pub languages: Vec<Language>,
        /// Languages that cannot read the pattern, with the reason.
        pub unread: Unread,
    }

    impl Reader {
        /// Finds everything that matches a pattern.
        ///
        /// # Errors
        ///
        /// `query.empty`; `pattern.…` if no language of the files can read the pattern; `snapshot.without`.
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
                // A file counts as a whole or not at all, so that workers that search files in parallel get the same
                // answer.
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

    /// Languages that cannot read a pattern, with the reason.
    pub type Unread = Vec<(Language, StructuralError)>;

    /// Compiles a pattern for each of these languages, in order of preference. Returns the compiled patterns, and the
    /// languages that cannot read it.
    ///
    /// # Errors
    ///
    /// If no language can read the pattern: the error of the language that read it furthest; of equal ones, the first.
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
            Some((_, error)) if forms.is_empty() => Err(none_can_read(error, &unread)),
            _ => Ok((forms, unread)),
        }
    }

    /// The error of a pattern that no language can read: it names them all, since the person may have meant another.
    fn none_can_read(best: &StructuralError, unread: &Unread) -> Error {
        let error = structural_error(best);
        if unread.len() < 2 || best.kind != StructuralErrorKind::Syntax {
            return error;
        }
        let names: Vec<&str> = unread.iter().map(|(language, _)| language.name()).collect();
        let message = format!(
            "no language of these files can read the pattern; {}",
            error.message()
        );
        Error::new(error.kind(), message).with_help(format!(
            "tried {}; `languages` chooses one",
            names.join(", ")
        ))
    }

    /// Converts the error of a pattern to the engine's error.
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
