//! Whether the facts of a file fit together, wherever they come from.

use syntax::facts::{FileFacts, Symbol};

/// Checks what the parts that build an index rely on: every number of a symbol is one that is there, parents come first, chunks
/// end after they start.
///
/// # Errors
///
/// The rule that is broken, in words.
pub fn check(facts: &FileFacts) -> Result<(), &'static str> {
    let n_symbols = facts.symbols.len();
    let known = |symbol: &u32| (*symbol as usize) < n_symbols;
    let is_before = |(idx, symbol): (usize, &Symbol)| {
        symbol.parent.is_none_or(|parent| (parent as usize) < idx)
    };
    if !facts.symbols.iter().enumerate().all(is_before) {
        return Err("a symbol comes before its parent");
    }
    let enclosing = facts.references.iter().map(|reference| reference.enclosing);
    let enclosing = enclosing.chain(facts.imports.iter().map(|import| import.enclosing));
    let mut enclosing = enclosing
        .chain(facts.bindings.iter().map(|binding| binding.enclosing))
        .flatten();
    if !enclosing.all(|symbol| known(&symbol)) {
        return Err("a fact names a symbol that is not there");
    }
    let chunks = facts.chunks.iter();
    if !chunks
        .clone()
        .all(|chunk| chunk.symbol.iter().chain(&chunk.defines).all(known))
    {
        return Err("a chunk names a symbol that is not there");
    }
    if !chunks.clone().all(|chunk| {
        chunk.span.start <= chunk.span.end && chunk.span.start_line <= chunk.span.end_line
    }) {
        return Err("a chunk ends before it starts");
    }
    Ok(())
}
