//! Name, kind and signature of one definition.

use tree_sitter::Node;

use super::callback;
use super::harvest::RawDefinition;
use crate::facts::{Span, Symbol, SymbolKind};
use crate::node::{span_of, text_of};
use crate::rules::{MAX_TYPE, is_function};
use crate::text::folded;

/// Signatures are cut at this many bytes.
const MAX_SIGNATURE: usize = 300;

/// Returns the simple name of a definition and its place.
pub(crate) fn name(raw: &RawDefinition, source: &str) -> (String, Span) {
    let Some(node) = raw.name else {
        let name = if raw.is_default {
            "default".to_owned()
        } else {
            callback::name(source, raw.node.start_byte())
        };
        let start = span_of(raw.node);
        return (
            name,
            Span {
                end: start.start,
                end_line: start.start_line,
                ..start
            },
        );
    };
    let text = text_of(node, source);
    let mut span = span_of(node);
    let (simple, offset) = match raw.kind {
        Some(SymbolKind::Impl) => simple_type(text),
        _ => unquoted(text),
    };
    span.start += offset as u32;
    span.end = span.start + simple.len() as u32;
    (folded(simple, MAX_TYPE), span)
}

fn unquoted(text: &str) -> (&str, usize) {
    let quoted = |quote: char| {
        text.strip_prefix(quote)
            .and_then(|rest| rest.strip_suffix(quote))
    };
    match quoted('"').or_else(|| quoted('\'')) {
        Some(inner) => (inner, 1),
        None => (text, 0),
    }
}

/// The last segment of a type's path without arguments and references, and its offset.
fn simple_type(text: &str) -> (&str, usize) {
    let past = text.find(['<', ' ']).filter(|&at| {
        text.get(..at)
            .is_some_and(|head| !head.is_empty() && !head.starts_with(['&', '*']) && head != "dyn")
    });
    let head = text
        .get(..past.unwrap_or(text.len()))
        .unwrap_or(text)
        .trim_end();
    let start = head
        .rfind(|c: char| !crate::text::is_word(c))
        .map_or(0, |at| at + 1);
    match head.get(start..) {
        Some(name) if !name.is_empty() => (name, start),
        _ => (text, 0),
    }
}

/// Returns the kind, which for functions depends on their container.
pub(crate) fn kind(raw: &RawDefinition, parent: Option<&Symbol>) -> SymbolKind {
    let declared = raw
        .kind
        .filter(|kind| raw.is_function && matches!(kind, SymbolKind::Variable | SymbolKind::Field));
    match declared.map(|_| SymbolKind::Function).or(raw.kind) {
        Some(SymbolKind::Function) if parent.is_some_and(|outer| outer.kind.is_type()) => {
            SymbolKind::Method
        }
        Some(kind) => kind,
        None if raw.node.kind().starts_with("class") => SymbolKind::Class,
        None => SymbolKind::Function,
    }
}

/// The declaration up to its body.
pub(crate) fn signature(
    source: &str,
    start: usize,
    body: Option<usize>,
    inner: Node,
    kind: SymbolKind,
    end: usize,
) -> String {
    let end = match body {
        Some(body) => body.max(start),
        None if is_function(kind) => inner.end_byte().max(start),
        None => end,
    };
    let text = source.get(start..end).unwrap_or_default();
    let text = if body.is_none() && (kind.is_type() || kind == SymbolKind::Macro) {
        text.split('{').next().unwrap_or(text)
    } else {
        text
    };
    let folded = folded(text, MAX_SIGNATURE);
    let cut = folded.trim_end_matches([' ', '{', ':', ';', ',']);
    cut.strip_suffix("=>")
        .unwrap_or(cut)
        .trim_end_matches([' ', '='])
        .to_owned()
}
