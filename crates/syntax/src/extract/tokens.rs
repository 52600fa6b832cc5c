//! Calls within a macro's arguments, which the grammar leaves as tokens: `name(`, `x.name(`, `a::name(`, `name!(`.
//!
//! Tokens are read left to right; a receiver is the run of tokens before the name that can form a path or method chain.
//! A match by shape can be wrong (`if (`, a tuple pattern), so keywords are skipped and each reference is marked as
//! inside a macro.

use tree_sitter::Node;

use super::SymbolTable;
use super::nesting::Sweep;
use crate::facts::{Receiver, Reference, ReferenceForm, Span};
use crate::node::{span_of, text_of};

/// Words before a bracket that are not called.
const KEYWORDS: [&str; 18] = [
    "if", "match", "while", "for", "in", "return", "move", "else", "loop", "let", "mut", "ref",
    "fn", "as", "where", "await", "async", "unsafe",
];

/// Kinds of tokens that a receiver can consist of.
const OPERANDS: [&str; 8] = [
    "identifier",
    "self",
    "super",
    "crate",
    "string_literal",
    "integer_literal",
    "metavariable",
    ">",
];

/// A token or a bracketed group.
struct Token<'t> {
    node: Node<'t>,
    is_group: bool,
}

/// Reads a token tree and all trees inside it.
pub(crate) fn read(tree: Node, source: &str, out: &mut Vec<Reference>) {
    let mut pending = vec![tree];
    while let Some(tree) = pending.pop() {
        let mut cursor = tree.walk();
        let tokens: Vec<Token> = tree
            .children(&mut cursor)
            .map(|node| Token {
                node,
                is_group: node.kind() == "token_tree",
            })
            .collect();
        for (index, token) in tokens.iter().enumerate() {
            if token.is_group {
                if !is_quoted(&tokens, index, source) {
                    pending.push(token.node);
                }
            } else if token.node.kind() == "identifier" || token.node.kind() == "self" {
                out.extend(call_at(&tokens, index, source));
            }
        }
    }
}

/// Returns whether the group at `index` is the argument of a macro that takes code as data.
fn is_quoted(tokens: &[Token], index: usize, source: &str) -> bool {
    let word = |back: usize| {
        let token = index.checked_sub(back).and_then(|at| tokens.get(at));
        token.map_or("", |token| text_of(token.node, source))
    };
    word(1) == "!"
        && matches!(
            word(2),
            "quote" | "quote_spanned" | "parse_quote" | "parse_quote_spanned"
        )
}

/// The call or use that the identifier at `index` is.
fn call_at(tokens: &[Token], index: usize, source: &str) -> Option<Reference> {
    let text = |at: usize| {
        tokens.get(at).map_or("", |token| {
            if token.is_group {
                "("
            } else {
                text_of(token.node, source)
            }
        })
    };
    let name = text(index);
    if KEYWORDS.contains(&name) || matches!(name, "self" | "super" | "crate" | "_") {
        return None;
    }
    let before = index.checked_sub(1).map_or("", text);
    let (mut after, mut is_macro) = (index + 1, false);
    if text(after) == "!" && tokens.get(after + 1).is_some_and(|token| token.is_group) {
        (after, is_macro) = (after + 1, true);
    } else if text(after) == "::" && text(after + 1) == "<" {
        after = past_generics(tokens, after + 1, source);
    }
    let group = tokens.get(after).filter(|token| token.is_group);
    let is_call = group.is_some_and(|token| text_of(token.node, source).starts_with('('));
    let form = match (is_macro, is_call, before) {
        (true, ..) => ReferenceForm::MacroCall,
        (_, true, ".") => ReferenceForm::MethodCall,
        (_, true, "::") => ReferenceForm::PathCall,
        (_, true, "fn") => return None,
        (_, true, _) => ReferenceForm::Call,
        (_, false, ".") => ReferenceForm::Member,
        // A path is found at its last segment.
        _ if text(index + 1) == "::" => return None,
        // A field of a struct literal.
        _ if text(index + 1) == ":" => return None,
        (_, false, _) if name.starts_with(char::is_uppercase) && group.is_some() => {
            ReferenceForm::New
        }
        _ => ReferenceForm::Value,
    };
    let receiver = if matches!(before, "." | "::") {
        receiver(tokens, index - 1, source)
    } else {
        None
    };
    let n_arguments = group.filter(|_| is_call).map(|token| arguments(token.node));
    let span = tokens
        .get(index)
        .map(|token| span_of(token.node))
        .unwrap_or_default();
    Some(Reference {
        name: name.to_owned(),
        form,
        receiver,
        span,
        enclosing: None,
        n_arguments,
        in_macro: true,
    })
}

/// Index behind `<…>`; tokens have no structure, so brackets are counted, but not far.
fn past_generics(tokens: &[Token], open: usize, source: &str) -> usize {
    let mut depth = 0_i32;
    for (index, token) in tokens.iter().enumerate().skip(open).take(64) {
        match text_of(token.node, source) {
            "<" => depth += 1,
            ">" => depth -= 1,
            ">>" => depth -= 2,
            _ => {}
        }
        if depth <= 0 {
            return index + 1;
        }
    }
    open
}

/// The expression that ends before the separator at `separator`.
fn receiver(tokens: &[Token], separator: usize, source: &str) -> Option<Receiver> {
    let mut first = separator;
    let mut wants_operand = true;
    while let Some(at) = first.checked_sub(1) {
        let Some(token) = tokens.get(at) else { break };
        let kind = token.node.kind();
        let text = text_of(token.node, source);
        let is_joint = matches!(text, "." | "::");
        let before_group = tokens.get(first).is_some_and(|next| next.is_group);
        let after_mark = tokens
            .get(first)
            .is_some_and(|next| text_of(next.node, source) == "!");
        let fits = if wants_operand {
            token.is_group || OPERANDS.contains(&kind) || text == "?"
        } else {
            // A group is called or indexed by the token before it, or is a macro's; a joint goes on.
            is_joint
                || (before_group && text == "!")
                || ((before_group || after_mark)
                    && kind == "identifier"
                    && !KEYWORDS.contains(&text))
        };
        if !fits {
            break;
        }
        wants_operand = is_joint || text == "?";
        first = at;
    }
    let start = tokens.get(first)?.node.start_byte();
    let end = tokens.get(separator)?.node.start_byte();
    Receiver::between(start, end, source)
}

/// Number of arguments in a group: commas at its own level.
fn arguments(group: Node) -> u8 {
    let mut cursor = group.walk();
    let children: Vec<&str> = group
        .children(&mut cursor)
        .map(|node| node.kind())
        .collect();
    let inner = children
        .get(1..children.len().saturating_sub(1))
        .unwrap_or_default();
    let commas = inner.iter().filter(|kind| **kind == ",").count();
    let trailing = inner.last().is_some_and(|kind| *kind == ",");
    u8::try_from(commas + usize::from(!inner.is_empty()) - usize::from(trailing)).unwrap_or(u8::MAX)
}

/// Sorts references read from tokens, removes duplicates, and sets their enclosing definitions.
pub(crate) fn settle(references: &mut Vec<Reference>, table: &SymbolTable) {
    references.sort_by_key(|reference| (reference.span.start, !reference.in_macro));
    references.dedup_by_key(|reference| reference.span.start);
    let mut sweep = Sweep::new(&table.scopes);
    for reference in references.iter_mut() {
        let Span { start, .. } = reference.span;
        let at = sweep.innermost(start);
        if reference.in_macro {
            reference.enclosing = at.and_then(|at| table.enclosing.get(at).copied().flatten());
        }
    }
}
