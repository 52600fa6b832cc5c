//! Filters files by path globs and languages.

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use syntax::{Language, UserLanguages};

use crate::{Error, ErrorKind};

/// Maximum number of globs: each file is compared with all of them.
const MAX_GLOBS: usize = 1_000;
/// Maximum length of a glob, in bytes.
const MAX_GLOB: usize = 4 * 1024;

/// A filter of files by path and language.
#[derive(Debug, Clone, Default)]
pub struct FileFilter {
    included: Option<GlobSet>,
    excluded: Option<GlobSet>,
    languages: Vec<Language>,
    globs: Vec<String>,
    language_names: Vec<String>,
}

impl FileFilter {
    /// Makes a filter from globs and language names; without any, every file passes.
    ///
    /// A glob without `/` matches file names (`*.rs`), one with `/` whole paths (`src/**/*.ts`); a folder matches all
    /// files in it. A glob that starts with `!` excludes.
    ///
    /// # Errors
    ///
    /// `glob.syntax` for a glob that cannot be read or is too long, `query.invalid` for too many of them and for a
    /// language that is not known.
    pub fn new(globs: &[String], languages: &[String]) -> Result<Self, Error> {
        Self::with(globs, languages, &UserLanguages::default())
    }

    /// As [`FileFilter::new`], with a user's languages.
    ///
    /// # Errors
    ///
    /// The same.
    pub fn with(
        globs: &[String],
        languages: &[String],
        users: &UserLanguages,
    ) -> Result<Self, Error> {
        check_size(globs)?;
        let (excluded, included): (Vec<&str>, Vec<&str>) = globs
            .iter()
            .map(String::as_str)
            .filter(|glob| !glob.is_empty())
            .partition(|glob| glob.starts_with('!'));
        let names = languages;
        let mut languages = Vec::new();
        for name in names {
            let language = language(name, users)?;
            if !languages.contains(&language) {
                languages.push(language);
            }
        }
        Ok(Self {
            included: glob_set(&included)?,
            excluded: glob_set(&excluded)?,
            languages,
            globs: globs.to_vec(),
            language_names: names.to_vec(),
        })
    }

    /// The globs and the names of languages that it was made from.
    pub(crate) fn made_from(&self) -> (&[String], &[String]) {
        (&self.globs, &self.language_names)
    }

    /// Whether every file passes.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.included.is_none() && self.excluded.is_none() && self.languages.is_empty()
    }

    /// Whether the filter names this language.
    #[must_use]
    pub fn names(&self, language: Language) -> bool {
        self.languages.contains(&language)
    }

    /// Whether this file passes.
    #[must_use]
    pub fn passes(&self, path: &str, language: Language) -> bool {
        (self.languages.is_empty() || self.languages.contains(&language))
            && self
                .included
                .as_ref()
                .is_none_or(|globs| globs.is_match(path))
            && !self
                .excluded
                .as_ref()
                .is_some_and(|globs| globs.is_match(path))
    }
}

fn check_size(globs: &[String]) -> Result<(), Error> {
    if globs.len() > MAX_GLOBS {
        let message = format!("{} path patterns; {MAX_GLOBS} are the most", globs.len());
        let help = "name folders that have the files in common";
        return Err(Error::new(ErrorKind::QueryInvalid, message).with_help(help));
    }
    match globs.iter().find(|glob| glob.len() > MAX_GLOB) {
        Some(glob) => {
            let message = format!(
                "a path pattern of {} bytes; {MAX_GLOB} are the most",
                glob.len()
            );
            Err(Error::new(ErrorKind::GlobSyntax, message))
        }
        None => Ok(()),
    }
}

fn language(name: &str, users: &UserLanguages) -> Result<Language, Error> {
    let found = Language::from_name(name).or_else(|| users.find(name));
    found.ok_or_else(|| {
        let ours = Language::ALL.iter().map(|language| language.name());
        let theirs = users.list().iter().map(|language| language.name.as_str());
        let known: Vec<&str> = ours.chain(theirs).collect();
        Error::new(
            ErrorKind::QueryInvalid,
            format!("there is no language {name:?}"),
        )
        .with_help(format!("one of {}", known.join(", ")))
    })
}

fn glob_set(globs: &[&str]) -> Result<Option<GlobSet>, Error> {
    if globs.is_empty() {
        return Ok(None);
    }
    let mut set = GlobSetBuilder::new();
    for glob in globs {
        let pattern = glob.trim_start_matches('!').trim_start_matches("./");
        let pattern = pattern.strip_suffix('/').unwrap_or(pattern);
        let pattern = if pattern.contains('/') {
            pattern.trim_start_matches('/').to_owned()
        } else {
            format!("**/{pattern}")
        };
        for pattern in [format!("{pattern}/**"), pattern] {
            let glob = GlobBuilder::new(&pattern)
                .literal_separator(true)
                .build()
                .map_err(|error| syntax_error(glob, &error))?;
            set.add(glob);
        }
    }
    let set = set
        .build()
        .map_err(|error| syntax_error(&globs.join(" "), &error))?;
    Ok(Some(set))
}

fn syntax_error(glob: &str, error: &globset::Error) -> Error {
    Error::new(
        ErrorKind::GlobSyntax,
        format!("the path pattern {glob:?} cannot be read: {}", error.kind()),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(globs: &[&str], passing: &[&str], failing: &[&str]) {
        let globs: Vec<String> = globs.iter().map(|glob| (*glob).to_owned()).collect();
        let filter = FileFilter::new(&globs, &[]).unwrap();
        for path in passing {
            assert!(
                filter.passes(path, Language::Text),
                "{globs:?} should let {path} through"
            );
        }
        for path in failing {
            assert!(
                !filter.passes(path, Language::Text),
                "{globs:?} should hold {path} back"
            );
        }
    }

    #[test]
    fn globs_include_and_exclude() {
        check(&[], &["a", "a/b.rs"], &[]);
        check(&["*.rs"], &["a.rs", "src/a.rs"], &["a.ts", "a.rs.txt"]);
        check(&["src/*.rs"], &["src/a.rs"], &["src/b/a.rs", "x/src/a.rs"]);
        check(&["src/**/*.rs"], &["src/a.rs", "src/b/a.rs"], &["a.rs"]);
        check(&["src/"], &["src/a.rs", "web/src/b/c"], &["a.rs"]);
        check(&["web/src"], &["web/src/b/c"], &["src/a"]);
        check(&["!tests/"], &["src/a.rs"], &["tests/a.rs", "x/tests/a.rs"]);
        check(
            &["*.{rs,ts}", "!*.d.ts"],
            &["a.rs", "a.ts"],
            &["a.d.ts", "a.js"],
        );
    }

    #[test]
    fn languages_by_name() {
        let filter = FileFilter::new(&[], &["rust".into()]).unwrap();
        assert!(filter.passes("x", Language::Rust) && !filter.passes("x.rs", Language::Text));
        assert_eq!(
            FileFilter::new(&[], &["klingon".into()])
                .unwrap_err()
                .code(),
            "query.invalid"
        );
    }

    #[test]
    fn a_broken_glob_is_named() {
        let error = FileFilter::new(&["src/[a".into()], &[]).unwrap_err();
        assert_eq!(error.code(), "glob.syntax");
        assert!(error.message().contains("src/[a"), "{error}");
    }

    #[test]
    fn many_and_long_globs_are_refused_before_they_are_read() {
        let code = |globs: Vec<String>| FileFilter::new(&globs, &[]).err().map(|e| e.code());
        assert_eq!(code(vec!["*.rs".into(); 1_000]), None);
        assert_eq!(code(vec!["*.rs".into(); 1_001]), Some("query.invalid"));
        assert_eq!(code(vec!["{".repeat(5_000)]), Some("glob.syntax"));
    }
}
