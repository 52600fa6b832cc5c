//! Modifiers: the words before a definition, by language, and those implied by its syntax.

use super::harvest::RawDefinition;
use crate::facts::{Modifiers, SymbolKind};
use crate::node::text_of;
use crate::rules::{Draft, Words, is_function, is_value};

/// Sets what the language's words and the form of the definition say; rules of the language correct it.
pub(crate) fn set(draft: &mut Draft, raw: &RawDefinition, words: Words, has_body: bool) {
    if raw.name.is_none() {
        draft.set(Modifiers::ANONYMOUS);
    }
    if raw.is_default {
        draft.set(Modifiers::DEFAULT_EXPORT | Modifiers::EXPORTED);
    }
    if draft.has_word("static") && draft.parent.is_some_and(|outer| outer.kind.is_type()) {
        draft.set(Modifiers::STATIC);
    }
    let is_async = |text: &str| text.starts_with("async");
    if draft.has_word("async")
        || raw
            .function
            .is_some_and(|node| is_async(text_of(node, draft.source)))
    {
        draft.set(Modifiers::ASYNC);
    }
    let overrides = |text: &String| text == "Override" || text == "override";
    if draft.has_word("override") || draft.symbol.rare.decorators.iter().any(overrides) {
        draft.set(Modifiers::OVERRIDE);
    }
    if is_function(draft.symbol.kind) && !has_body && raw.function.is_none() {
        draft.set(Modifiers::DECLARATION);
    }
    if draft.parent.is_some_and(|outer| outer.is(Modifiers::TEST)) {
        draft.set(Modifiers::TEST);
    }
    draft.set(written(draft, words, raw.function.is_some()));
}

/// Returns the modifiers written before the name.
fn written(draft: &Draft, words: Words, holds_function: bool) -> Modifiers {
    let mut found = Modifiers::empty();
    // The implementation of a trait is described by the words before it, not by those of the trait's path.
    let head = match draft.symbol.kind {
        SymbolKind::Impl => draft.head.split("impl").next().unwrap_or_default(),
        _ => draft.head,
    };
    let is_part = |c: char| !crate::text::is_word(c) && c != '-';
    for word in head.split(is_part).filter(|word| !word.is_empty()) {
        if let Some((_, modifier)) = words.iter().find(|(known, _)| *known == word) {
            found |= *modifier;
        }
    }
    // A value that is final is not set again; what is final of a type or function is what it may become.
    let is_value = holds_function || is_value(draft.symbol.kind);
    if found.contains(Modifiers::FINAL) && is_value {
        found.remove(Modifiers::FINAL);
        found |= Modifiers::READONLY;
    }
    found
}
