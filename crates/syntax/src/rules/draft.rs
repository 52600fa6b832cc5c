//! A definition before it is kept, which the rules of its language may correct.

use rustc_hash::FxHashMap;
use tree_sitter::Node;

use crate::facts::{Modifiers, Symbol};

/// A symbol before it is kept, with what a language's rules may look at.
pub(crate) struct Draft<'a, 't> {
    pub(crate) symbol: Symbol,
    pub(crate) parent: Option<&'a Symbol>,
    /// The text between decorators and name, which contains the modifiers.
    pub(crate) head: &'a str,
    pub(crate) node: Node<'t>,
    pub(crate) source: &'a str,
    /// Texts of the macros that the file defines, by name.
    pub(crate) macros: &'a FxHashMap<&'a str, &'a str>,
    /// One of the clauses that together define a function: it joins the one of its name before it.
    pub(crate) is_clause: bool,
}

impl Draft<'_, '_> {
    /// Sets modifiers.
    pub(crate) fn set(&mut self, modifiers: Modifiers) {
        self.symbol.modifiers |= modifiers.bits();
    }

    /// Returns true if a word occurs before the name.
    pub(crate) fn has_word(&self, word: &str) -> bool {
        has_word(self.head, word)
    }
}

/// Returns true if `text` contains `word` (ASCII) as a whole word. Called many times for each definition.
fn has_word(text: &str, word: &str) -> bool {
    let is_part = |side: Option<char>| side.is_some_and(crate::text::is_word);
    let Some(first) = word.bytes().next() else {
        return false;
    };
    let starts = text.bytes().enumerate().filter(|(_, byte)| *byte == first);
    starts
        .filter_map(|(at, _)| Some((text.get(..at)?, text.get(at..)?.strip_prefix(word)?)))
        .any(|(before, after)| {
            !is_part(before.chars().next_back()) && !is_part(after.chars().next())
        })
}

#[cfg(test)]
mod tests {
    use super::has_word;

    #[test]
    fn a_word_is_whole() {
        let check = |text, word, expected| assert_eq!(has_word(text, word), expected, "{text}");
        check("pub static", "static", true);
        check("static_cast statics éstatic static", "static", true);
        check("static_cast statics éstatic", "static", false);
        check("", "static", false);
        check("a-b", "b", true);
        check("é", "e", false);
    }
}
