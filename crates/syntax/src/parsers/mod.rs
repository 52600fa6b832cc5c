//! Grammars, and the one entry to reading: [`Parsers::read`].

mod colours;
mod locals;
mod read;
mod user;

use std::collections::BTreeMap;

use tree_sitter::Parser;

use crate::deadline::{Deadline, parse};
use crate::grammar::{Grammar, GrammarError};
use crate::languages;
use crate::rules::Rules;
use crate::{Language, ParseConfig};
pub use user::UserQueries;
use user::UserRules;

pub use locals::{LocalKind, LocalName};

/// Reads texts. Holds the parser, the grammars and their compiled queries; one a worker, used for many files.
pub struct Parsers {
    config: ParseConfig,
    parser: Parser,
    grammars: BTreeMap<&'static str, Grammar>,
    user: UserRules,
}

impl Parsers {
    /// Natively every linked grammar is there; in wasm they come by [`Parsers::add_grammar`].
    #[must_use]
    pub fn new(config: ParseConfig) -> Parsers {
        let mut parsers = Parsers {
            config,
            parser: Parser::new(),
            grammars: BTreeMap::new(),
            user: UserRules::default(),
        };
        parsers.link();
        parsers
    }

    #[cfg(feature = "all-languages")]
    fn link(&mut self) {
        let linked: [(&str, tree_sitter::Language); 28] = [
            ("rust", tree_sitter_rust::LANGUAGE.into()),
            ("python", tree_sitter_python::LANGUAGE.into()),
            ("javascript", tree_sitter_javascript::LANGUAGE.into()),
            (
                "typescript",
                tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(),
            ),
            ("tsx", tree_sitter_typescript::LANGUAGE_TSX.into()),
            ("go", tree_sitter_go::LANGUAGE.into()),
            ("java", tree_sitter_java::LANGUAGE.into()),
            ("c", tree_sitter_c::LANGUAGE.into()),
            ("cpp", tree_sitter_cpp::LANGUAGE.into()),
            ("csharp", tree_sitter_c_sharp::LANGUAGE.into()),
            ("php", tree_sitter_php::LANGUAGE_PHP.into()),
            ("kotlin", tree_sitter_kotlin_ng::LANGUAGE.into()),
            ("swift", tree_sitter_swift::LANGUAGE.into()),
            ("scala", tree_sitter_scala::LANGUAGE.into()),
            ("dart", tree_sitter_dart::LANGUAGE.into()),
            ("ruby", tree_sitter_ruby::LANGUAGE.into()),
            ("lua", tree_sitter_lua::LANGUAGE.into()),
            ("bash", tree_sitter_bash::LANGUAGE.into()),
            ("elixir", tree_sitter_elixir::LANGUAGE.into()),
            ("haskell", tree_sitter_haskell::LANGUAGE.into()),
            ("zig", tree_sitter_zig::LANGUAGE.into()),
            ("markdown", tree_sitter_md::LANGUAGE.into()),
            ("toml", tree_sitter_toml_ng::LANGUAGE.into()),
            ("json", tree_sitter_json::LANGUAGE.into()),
            ("yaml", tree_sitter_yaml::LANGUAGE.into()),
            ("html", tree_sitter_html::LANGUAGE.into()),
            ("css", tree_sitter_css::LANGUAGE.into()),
            ("sql", tree_sitter_sequel::LANGUAGE.into()),
        ];
        for (name, language) in linked {
            // A linked grammar of the wrong version is found by the tests; here the language stays without grammar.
            let _ = self.add_grammar(name, language);
        }
    }

    #[cfg(not(feature = "all-languages"))]
    fn link(&mut self) {}

    /// Adds or replaces a grammar by the name that [`Language::tree_grammar`] gives. Its queries are compiled at the first
    /// file; [`Parsers::compile`] does it at once and tells whether they fit.
    pub fn add_grammar(
        &mut self,
        name: &str,
        language: tree_sitter::Language,
    ) -> Result<(), GrammarError> {
        let known = Language::ALL
            .into_iter()
            .chain(Language::USER)
            .find_map(|known| {
                Some((known, known.tree_grammar()?)).filter(|(_, known)| *known == name)
            });
        let (known, slot) = known.ok_or_else(|| GrammarError::UnknownName(name.to_owned()))?;
        let grammar = Grammar::new(self.user.languages().name(known), language)?;
        self.grammars.insert(slot, grammar);
        Ok(())
    }

    /// Compiles the queries of a language now rather than at its first file.
    pub fn compile(&mut self, language: Language) -> Result<(), GrammarError> {
        let (Some(name), Some(rules)) = (language.grammar(), self.rules(language)) else {
            return Ok(());
        };
        match self.grammars.get_mut(name) {
            Some(grammar) => {
                let shown = self.user.languages().name(language);
                grammar.facts(shown, rules)?;
                grammar.highlights(shown, rules).map(|_| ())
            }
            None => Err(GrammarError::UnknownName(name.to_owned())),
        }
    }

    /// Returns true if a language can be parsed: it needs no grammar, or its grammar is loaded.
    #[must_use]
    pub fn has_grammar(&self, language: Language) -> bool {
        language
            .grammar()
            .is_none_or(|name| self.grammars.contains_key(name))
    }

    /// Returns the rules of a language, a user's included.
    fn rules(&self, language: Language) -> Option<&'static Rules> {
        languages::rules(language).or_else(|| self.user.rules(language))
    }

    /// The parser, set to the grammar of a language; none where there is no grammar for it.
    pub(crate) fn parser_of(
        &mut self,
        language: Language,
    ) -> Option<(&mut Parser, tree_sitter::Language)> {
        self.parser_named(language.grammar()?)
    }

    /// The same for structural search, which parses documents, too.
    pub(crate) fn tree_parser_of(
        &mut self,
        language: Language,
    ) -> Option<(&mut Parser, tree_sitter::Language)> {
        self.parser_named(language.tree_grammar()?)
    }

    fn parser_named(&mut self, name: &str) -> Option<(&mut Parser, tree_sitter::Language)> {
        let grammar = self.grammars.get(name)?;
        self.parser.set_language(&grammar.language).ok()?;
        Some((&mut self.parser, grammar.language.clone()))
    }

    /// The clock of the limits.
    pub(crate) fn clock(&self) -> Option<fn() -> f64> {
        self.config.clock
    }

    /// Parses a text and reads nothing of it: the part of [`Parsers::read`] that is tree-sitter's, for measuring. False
    /// where there is no grammar for the language or the time is up.
    pub fn only_parse(&mut self, language: Language, text: &str) -> bool {
        let name = language.grammar().unwrap_or_default();
        let deadline = Deadline::start(&self.config, name, text.len());
        let parser = self.parser_of(language);
        parser.is_some_and(|(parser, _)| parse(parser, name, text, &deadline).is_some())
    }
}
