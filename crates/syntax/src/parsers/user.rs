//! Users' languages: their queries as the rules of a language.

use super::Parsers;
use crate::facts::Modifiers;
use crate::grammar::GrammarError;
use crate::rules::Rules;
use crate::{Language, UserLanguage, UserLanguages};

/// The queries of a user's language; the documentation of languages explains the captures. Files named `tags.scm` of
/// grammar packages use the same captures and work as `symbols`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UserQueries {
    /// Definitions, comments, decorators, branches (`symbols.scm`).
    pub symbols: String,
    /// Uses of names, supertypes, bindings (`references.scm`).
    pub references: String,
    /// Colours (`highlights.scm`).
    pub highlights: String,
}

/// The languages of a user with their rules.
#[derive(Default)]
pub(crate) struct UserRules {
    languages: UserLanguages,
    rules: Vec<&'static Rules>,
}

impl UserRules {
    pub(crate) fn languages(&self) -> &UserLanguages {
        &self.languages
    }

    pub(crate) fn rules(&self, language: Language) -> Option<&'static Rules> {
        let at = Language::USER.iter().position(|user| *user == language)?;
        self.rules.get(at).copied()
    }
}

impl Parsers {
    /// Adds a user's language, and returns its number. Its grammar is added by [`Parsers::add_grammar`], under the name
    /// that [`Language::grammar`] has for that number; [`Parsers::compile`] then checks that the queries fit it.
    ///
    /// # Errors
    ///
    /// Where its name is taken or cannot be one, or it has no endings.
    pub fn add_language(
        &mut self,
        language: UserLanguage,
        queries: UserQueries,
    ) -> Result<Language, GrammarError> {
        let number = self.user.languages.add(language)?;
        let kept = |query: String| -> &'static [&'static str] {
            // A language stays for the life of its worker, as its grammar does: there is nothing to give back.
            let query: &'static str = String::leak(query + "\n");
            Box::leak(Box::new([query]))
        };
        self.user.rules.push(Box::leak(Box::new(Rules {
            queries: kept(queries.symbols + "\n" + &queries.references),
            highlights: kept(queries.highlights),
            imports: |_, _, _| {},
            words: crate::rules::USUAL,
            refine: |draft| {
                // Only language rules could tell the body's start.
                draft.symbol.modifiers &= !Modifiers::DECLARATION.bits();
                true
            },
            declarator: None,
            is_doc: |_| true,
            parts: None,
            bound: None,
        })));
        Ok(number)
    }

    /// Returns the languages added by the user.
    #[must_use]
    pub fn user_languages(&self) -> &UserLanguages {
        self.user.languages()
    }

    /// The language of a file: a user's by its ending, else as [`Language::from_text`] says.
    #[must_use]
    pub fn language_of(&self, path: &str, text: &str) -> Language {
        self.user.languages().language_of(path, text)
    }
}
