//! Colours of a text: by its grammar, by a scan for documents, and of scripts in documents by their grammar.

use crate::order::InOrder;
use tree_sitter::Range;

use super::Parsers;
use super::read::MAX_REGIONS;
use crate::deadline::{Deadline, parse};
use crate::languages;
use crate::rules::Rules;
use crate::text::Lines;
use crate::{Highlight, Language, documents};

impl Parsers {
    /// The coloured pieces of a text: sorted, none overlapping, byte offsets. Where there is no grammar for the language or
    /// the time is up, code is not coloured.
    pub fn highlights(&mut self, language: Language, text: &str) -> Vec<Highlight> {
        let name = language.grammar_for(text).unwrap_or_default();
        let deadline = Deadline::start(&self.config, name, text.len());
        match language.grammar().zip(self.rules(language)) {
            Some((name, rules)) => self.colour(name, rules, text, None, &deadline),
            None => self.colour_document(language, text, &deadline),
        }
    }

    /// A document, and the scripts in it.
    fn colour_document(
        &mut self,
        language: Language,
        text: &str,
        deadline: &Deadline,
    ) -> Vec<Highlight> {
        let mut out = documents::highlights(language, text);
        let grammar = language.grammar_for(text);
        let rules = grammar
            .and_then(Language::from_name)
            .and_then(languages::rules);
        let Some((name, rules)) = grammar.zip(rules) else {
            return out;
        };
        let lines = Lines::new(text);
        let scripts = documents::scripts(language, text, &lines);
        for script in scripts.into_iter().take(MAX_REGIONS) {
            let range = script.region().range(&lines);
            out.extend(self.colour(name, rules, text, Some(range), deadline));
        }
        out.order_by_key(|piece| piece.start);
        // A scan and a parser may disagree where a script ends.
        let mut past = 0;
        out.retain(|piece| {
            let is_apart = piece.start >= past;
            past = past.max(piece.end);
            is_apart
        });
        out
    }

    /// A text, or a part of it, by a grammar.
    fn colour(
        &mut self,
        name: &'static str,
        rules: &Rules,
        text: &str,
        range: Option<Range>,
        deadline: &Deadline,
    ) -> Vec<Highlight> {
        let Parsers {
            config,
            parser,
            grammars,
            ..
        } = self;
        let Some(grammar) = grammars.get_mut(name) else {
            return Vec::new();
        };
        if parser.set_language(&grammar.language).is_err() {
            return Vec::new();
        }
        // One range is in order; an empty list means the whole text.
        let _ = parser.set_included_ranges(range.as_slice());
        let tree = parse(parser, name, text, deadline);
        let _ = parser.set_included_ranges(&[]);
        match (tree, grammar.highlights(name, rules)) {
            (Some(tree), Ok(query)) => {
                query.run(tree.root_node(), text, config.max_depth, deadline)
            }
            _ => Vec::new(),
        }
    }
}
