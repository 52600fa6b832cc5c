//! Users' languages: a grammar, queries, and file extensions.

use crate::Language;

/// A language added by the user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserLanguage {
    /// The name used in requests, filters and answers.
    pub name: String,
    /// Endings of its files, without the dot. They go before those of languages that are known here.
    pub extensions: Vec<String>,
}

/// Why a language cannot be taken in.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UserLanguageError {
    /// Names occur in filters and file names.
    #[error("a language cannot be named {0:?}: small letters, digits, - and _ can stand in a name")]
    Name(String),
    /// There is such a language already.
    #[error("the name {0:?} is taken: there is a language of that name")]
    Taken(String),
    /// Without an ending no file is of the language.
    #[error("{name} needs the endings of its files, such as \"r\", not {ending:?}")]
    Extension {
        /// The language.
        name: String,
        /// The given extension.
        ending: String,
    },
    /// There are numbers for some only.
    #[error("more than {0} languages are brought")]
    TooMany(usize),
}

/// Languages added by the user, in the order of their numbers. A snapshot keeps their names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UserLanguages {
    list: Vec<UserLanguage>,
}

impl UserLanguages {
    /// Takes a language in and gives its number.
    ///
    /// # Errors
    ///
    /// Where its name is taken or cannot be one, or it has no endings.
    pub fn add(&mut self, language: UserLanguage) -> Result<Language, UserLanguageError> {
        let name = language.name.as_str();
        let is_letter = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-_".contains(c);
        if name.is_empty() || name.len() > 64 || !name.chars().all(is_letter) {
            return Err(UserLanguageError::Name(name.to_owned()));
        }
        if Language::from_name(name).is_some() || self.find(name).is_some() {
            return Err(UserLanguageError::Taken(name.to_owned()));
        }
        let is_bad = |ending: &&String| ending.is_empty() || ending.contains(['.', '/', '\\']);
        let bad = match language.extensions.as_slice() {
            [] => Some(String::new()),
            extensions => extensions.iter().find(is_bad).cloned(),
        };
        if let Some(ending) = bad {
            let name = name.to_owned();
            return Err(UserLanguageError::Extension { name, ending });
        }
        let number = Language::USER
            .get(self.list.len())
            .ok_or(UserLanguageError::TooMany(Language::USER.len()))?;
        self.list.push(language);
        Ok(*number)
    }

    /// The language of a file: one of these by its ending, else as [`Language::from_text`] says.
    #[must_use]
    pub fn language_of(&self, path: &str, text: &str) -> Language {
        let file = path.rsplit(['/', '\\']).next().unwrap_or(path);
        let extension = file.rsplit_once('.').map_or("", |(_, extension)| extension);
        let known = self.list.iter().position(|language| {
            language
                .extensions
                .iter()
                .any(|known| known.eq_ignore_ascii_case(extension))
        });
        known
            .and_then(|at| Language::USER.get(at).copied())
            .unwrap_or_else(|| Language::from_text(path, text))
    }

    /// The language of this name, if it is one of these.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<Language> {
        let at = self.list.iter().position(|known| known.name == name)?;
        Language::USER.get(at).copied()
    }

    /// Its name, also for languages that are not a user's.
    #[must_use]
    pub fn name(&self, language: Language) -> &str {
        let number = Language::USER.iter().position(|user| *user == language);
        number
            .and_then(|at| self.list.get(at))
            .map_or(language.name(), |language| &language.name)
    }

    /// All of them in the order of their numbers.
    #[must_use]
    pub fn list(&self) -> &[UserLanguage] {
        &self.list
    }
}

/// As a snapshot names them: they were taken in when it was made.
impl FromIterator<UserLanguage> for UserLanguages {
    fn from_iter<I: IntoIterator<Item = UserLanguage>>(languages: I) -> Self {
        let list = languages.into_iter().take(Language::USER.len()).collect();
        UserLanguages { list }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn language(name: &str, extensions: &[&str]) -> UserLanguage {
        UserLanguage {
            name: name.to_owned(),
            extensions: extensions.iter().map(|one| (*one).to_owned()).collect(),
        }
    }

    #[test]
    fn names_endings_and_numbers() {
        let mut languages = UserLanguages::default();
        assert_eq!(
            languages.add(language("r", &["r", "Rmd"])),
            Ok(Language::User1)
        );
        assert_eq!(
            languages.add(language("julia", &["jl"])),
            Ok(Language::User2)
        );
        assert_eq!(languages.language_of("a/b.R", ""), Language::User1);
        assert_eq!(languages.language_of("jl", ""), Language::Text);
        assert_eq!(languages.language_of("a.rs", ""), Language::Rust);
        assert_eq!(languages.name(Language::User2), "julia");
        assert_eq!(languages.name(Language::Rust), "rust");
        assert_eq!(languages.name(Language::User3), "user-3");
        assert_eq!(languages.find("r"), Some(Language::User1));
    }

    #[test]
    fn what_cannot_be_taken_in() {
        let mut languages = UserLanguages::default();
        let mut error = |name: &str, extensions: &[&str]| {
            languages
                .add(language(name, extensions))
                .err()
                .map(|error| error.to_string())
        };
        assert_eq!(error("ok", &["x"]), None);
        assert!(error("ok", &["y"]).is_some_and(|message| message.contains("taken")));
        assert!(error("rust", &["y"]).is_some_and(|message| message.contains("taken")));
        assert!(error("../x", &["y"]).is_some());
        assert!(error("z", &[]).is_some());
        assert!(error("z", &[".z"]).is_some());
    }
}
