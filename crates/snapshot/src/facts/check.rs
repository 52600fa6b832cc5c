//! Whether the facts of a file fit together, wherever they come from.

use syntax::facts::{Bound, FileFacts, Symbol};

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
    check_expressions(facts)?;
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

/// Checks that every chain and type is in the table, and that no part of it leads back to itself.
fn check_expressions(facts: &FileFacts) -> Result<(), &'static str> {
    let expressions = &facts.expressions;
    if !expressions.is_sound(syntax::MAX_EXPRESSION_DEPTH) {
        return Err("an expression contains itself");
    }
    let receivers = facts.references.iter().filter_map(|one| one.receiver);
    let mut chains: Vec<_> = receivers.map(|receiver| receiver.chain).collect();
    let mut types = Vec::new();
    for symbol in &facts.symbols {
        types.extend(symbol.ty.into_iter().chain(symbol.rare.owner_type));
        let parameters = symbol.parameters.iter().chain(&symbol.rare.type_parameters);
        types.extend(parameters.filter_map(|parameter| parameter.ty));
        types.extend(symbol.rare.bases.iter().filter_map(|base| base.ty));
    }
    for binding in &facts.bindings {
        match &binding.bound {
            Bound::Nothing => {}
            Bound::Type(ty) => types.push(*ty),
            Bound::Value(chain) => chains.push(*chain),
            Bound::Parameter(parameter) => chains.extend([parameter.path, parameter.callee]),
        }
    }
    let is_known = chains.iter().all(|chain| expressions.has_chain(*chain))
        && types.iter().all(|ty| expressions.has_type(*ty));
    if is_known {
        Ok(())
    } else {
        Err("a fact names an expression that is not there")
    }
}
