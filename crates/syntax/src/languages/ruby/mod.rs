//! Ruby: classes and modules that are opened again and again, definitions that are calls, visibility by the word above.

mod bound;

use tree_sitter::Node;

use crate::facts::{Import, ImportFlags, Modifiers, SymbolKind};
use crate::fields::ByField;
use crate::node::{span_of, text_of};
use crate::rules::{Bound, Draft, Rules};

pub(super) const RULES: Rules = Rules {
    queries: &[include_str!("symbols.scm"), include_str!("references.scm")],
    highlights: &[include_str!("highlights.scm")],
    imports,
    words: &[
        ("private", Modifiers::PRIVATE),
        ("protected", Modifiers::PROTECTED),
        ("private_class_method", Modifiers::PRIVATE),
    ],
    refine,
    declarator: None,
    is_doc,
    parts: None,
    bound: Some(Bound {
        value: bound::bound,
        extent: None,
    }),
};

/// Bytes of text above a method that are searched for its visibility.
const MAX_ABOVE: usize = 64 * 1024;

fn is_doc(comment: &str) -> bool {
    let text = comment.trim_start_matches(['#', ' ']);
    let is_magic = [
        "frozen_string_literal:",
        "rubocop:",
        "encoding:",
        "typed:",
        "-*-",
        ":nodoc:",
        ":startdoc:",
    ]
    .iter()
    .any(|word| text.starts_with(word));
    !comment.starts_with("#!") && !is_magic
}

fn refine(draft: &mut Draft) -> bool {
    use SymbolKind::{Class, Constructor, Field, Function, Method, Module, Variable};
    unquote(draft);
    let is_singleton = draft.symbol.rare.owner == "self";
    if is_singleton {
        draft.symbol.rare.set(|rare| &mut rare.owner, String::new());
        draft.set(Modifiers::STATIC);
    } else if draft.node.kind() == "singleton_method" {
        draft.set(Modifiers::STATIC);
    }
    let in_type = draft
        .parent
        .is_some_and(|outer| matches!(outer.kind, Module | Class));
    if draft.symbol.kind == Function && in_type && draft.node.kind() == "method" {
        draft.symbol.kind = Method;
    }
    if draft.symbol.kind == Method && !in_type && draft.symbol.rare.owner.is_empty() {
        draft.symbol.kind = Function;
    }
    if draft.symbol.kind == Method && draft.symbol.name == "initialize" {
        draft.symbol.kind = Constructor;
    }
    match draft.node.kind() {
        // A definition made by a call has no body of its own, but is not a mere declaration.
        "call" | "alias" => {
            draft.symbol.modifiers &= !Modifiers::DECLARATION.bits();
            if draft.symbol.kind != Function {
                draft.symbol.parameters.clear();
            }
        }
        "method" | "singleton_method" => draft.symbol.modifiers &= !Modifiers::DECLARATION.bits(),
        _ => {}
    }
    if draft.symbol.kind == Variable {
        draft.symbol.name = draft.symbol.name.trim_start_matches('$').to_owned();
    }
    if matches!(draft.symbol.kind, Method | Constructor | Field) {
        let visibility = visibility(draft);
        draft.set(visibility);
    } else if draft.symbol.kind != Variable {
        draft.set(Modifiers::EXPORTED);
    }
    // `describe Foo do` is about Foo, and is not Foo.
    let is_call = draft.symbol.kind == Function && draft.node.kind() == "call";
    if is_call && draft.symbol.name.starts_with(char::is_uppercase) && !is_in_quotes(draft) {
        draft.symbol.name.insert_str(0, "describe ");
    }
    read_yard(draft);
    mark_test(draft);
    let signature = draft.symbol.signature.trim_end_matches(" do");
    draft.symbol.signature = signature.trim_end_matches("; end").into();
    true
}

fn is_in_quotes(draft: &Draft) -> bool {
    let before = draft.source.get(..draft.symbol.name_span.start as usize);
    before.is_some_and(|before| before.ends_with(['"', '\'']))
}

/// `:name` and `"name"` name `name`.
fn unquote(draft: &mut Draft) {
    let trimmed = draft.symbol.name.trim_start_matches([':', '"', '\'']);
    let cut = draft.symbol.name.len() - trimmed.len();
    if cut > 0 {
        let name = trimmed.trim_end_matches(['"', '\'']).to_owned();
        draft.symbol.name_span.start += cut as u32;
        draft.symbol.name_span.end = draft.symbol.name_span.start + name.len() as u32;
        draft.symbol.name = name;
    }
}

/// Returns the visibility set by `private` or `protected`, before the definition or on a line of its own above it in
/// the same class.
fn visibility(draft: &Draft) -> Modifiers {
    let hidden = Modifiers::PRIVATE | Modifiers::PROTECTED;
    if Modifiers::from_bits_retain(draft.symbol.modifiers).intersects(hidden) {
        return Modifiers::empty();
    }
    if draft.symbol.is(Modifiers::STATIC) {
        return Modifiers::EXPORTED;
    }
    let start = draft.symbol.span.start as usize;
    let from = draft
        .parent
        .map_or(0, |outer| outer.name_span.end as usize)
        .max(start.saturating_sub(MAX_ABOVE));
    let from = draft.source.floor_char_boundary(from);
    let above = draft.source.get(from..start).unwrap_or_default();
    let indent = above.rsplit('\n').next().unwrap_or_default();
    if !indent.trim().is_empty() {
        return Modifiers::EXPORTED;
    }
    for line in above.lines().rev().skip(1) {
        let rest = line.trim_start();
        let own = line.len() - rest.len();
        if rest.is_empty() || own > indent.len() {
            continue;
        }
        if own < indent.len() {
            return Modifiers::EXPORTED;
        }
        match rest.split('#').next().unwrap_or_default().trim_end() {
            "private" => return Modifiers::PRIVATE,
            "protected" => return Modifiers::PROTECTED,
            "public" => return Modifiers::EXPORTED,
            _ => {}
        }
    }
    Modifiers::EXPORTED
}

/// YARD says what Ruby does not: `@param name [Type]`, `@return [Type]`.
fn read_yard(draft: &mut Draft) {
    for line in draft.symbol.rare.doc.lines() {
        let Some((tag, rest)) = line.trim_start().split_once(' ') else {
            continue;
        };
        let Some(written) = rest
            .split_once('[')
            .and_then(|(_, rest)| rest.split_once(']'))
            .map(|(written, _)| written.split(',').next().unwrap_or_default().trim())
            .filter(|written| written.starts_with(char::is_uppercase) && written.len() < 100)
        else {
            continue;
        };
        match tag {
            "@return" if draft.symbol.type_text.is_empty() => {
                draft.symbol.type_text = written.into()
            }
            "@param" => {
                let name = rest.split([' ', '[']).find(|word| !word.is_empty());
                let name = name.filter(|name| !name.ends_with(']'));
                let parameter = draft
                    .symbol
                    .parameters
                    .iter_mut()
                    .find(|one| Some(one.name.as_str()) == name);
                if let Some(parameter) = parameter {
                    parameter.type_text = written.to_owned();
                }
            }
            _ => {}
        }
    }
}

fn mark_test(draft: &mut Draft) {
    use SymbolKind::{Class, Function, Method};
    let name = draft.symbol.name.as_str();
    let is_test = match draft.symbol.kind {
        Method => name.starts_with("test_"),
        Function => {
            draft.node.kind() == "call" && !draft.symbol.signature.contains("define_method")
        }
        Class => draft
            .symbol
            .rare
            .bases
            .iter()
            .any(|base| base.name.ends_with("::Test")),
        _ => false,
    };
    let based = draft.symbol.kind == Class
        && [
            "Minitest::Test",
            "Test::Unit::TestCase",
            "ActiveSupport::TestCase",
        ]
        .iter()
        .any(|base| draft.symbol.signature.ends_with(base));
    if is_test || based {
        draft.set(Modifiers::TEST);
    }
}

fn imports(node: Node, source: &str, out: &mut Vec<Import>) {
    let word = node
        .field("method")
        .map(|method| text_of(method, source))
        .unwrap_or_default();
    let Some(list) = node.field("arguments") else {
        return;
    };
    let mut cursor = list.walk();
    let arguments: Vec<Node> = list.named_children(&mut cursor).take(4).collect();
    let path = arguments.iter().find(|one| one.kind() == "string");
    let Some(path) = path.map(|path| text_of(*path, source).trim_matches(['"', '\''])) else {
        return;
    };
    let name = arguments
        .first()
        .filter(|one| word == "autoload" && one.kind() == "simple_symbol")
        .map(|one| text_of(*one, source).trim_start_matches(':'))
        .unwrap_or_default();
    let is_relative = word == "require_relative" && !path.starts_with('.');
    let flags = if name.is_empty() {
        ImportFlags::SIDE_EFFECT
    } else {
        ImportFlags::empty()
    };
    out.push(Import {
        module: if is_relative {
            format!("./{path}")
        } else {
            path.to_owned()
        },
        name: name.to_owned(),
        local: name.to_owned(),
        flags: flags.bits(),
        span: span_of(node),
        enclosing: None,
    });
}
