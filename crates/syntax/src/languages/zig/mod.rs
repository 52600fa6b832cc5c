//! Zig: containers that are values of constants, functions that return types, methods by what their first parameter is,
//! imports that are expressions.

use tree_sitter::Node;

use crate::facts::{Import, ImportFlags, Modifiers, SymbolKind};
use crate::fields::ByField;
use crate::node::{parent_of, span_of, text_of};
use crate::rules::{Draft, Parts, Rules, by_fields, parameters_in};
use crate::text::{folded, squeezed};

pub(super) const RULES: Rules = Rules {
    queries: &[include_str!("symbols.scm"), include_str!("references.scm")],
    highlights: &[include_str!("highlights.scm")],
    imports,
    words: &[
        ("inline", Modifiers::INLINE),
        ("extern", Modifiers::EXTERN),
        ("comptime", Modifiers::CONST),
    ],
    refine,
    declarator: None,
    is_doc: |comment| !comment.starts_with("//!") && !comment.starts_with("// zig fmt"),
    parts: Some(parts),
    bound: None,
};

fn refine(draft: &mut Draft) -> bool {
    use SymbolKind::{Constant, Field, Function, Method, Struct, Variant};
    if draft.symbol.kind == Constant && !refine_constant(draft) {
        return false;
    }
    let is_test = draft.node.kind() == "test_declaration";
    if is_test {
        draft.set(Modifiers::TEST);
        draft.symbol.modifiers &= !Modifiers::DECLARATION.bits();
        let quoted = draft.source.get(..draft.symbol.name_span.start as usize);
        if !quoted.is_some_and(|before| before.ends_with('"')) {
            draft.symbol.name.insert_str(0, "test ");
        }
        return true;
    }
    // `fn Stack(comptime T: type) type` makes types: it is one, with parameters.
    if draft.symbol.kind == Function && &*draft.symbol.type_text == "type" {
        draft.symbol.kind = Struct;
    }
    if matches!(draft.symbol.kind, Function | Method) {
        let is_method =
            draft.symbol.parameters.first().is_some_and(|first| {
                is_receiver(first, draft.parent.map(|outer| outer.name.as_str()))
            });
        if is_method {
            draft.symbol.parameters.remove(0);
        } else if draft.symbol.kind == Method {
            draft.set(Modifiers::STATIC);
        }
    }
    let is_member = matches!(draft.symbol.kind, Field | Variant);
    if is_member || draft.has_word("pub") || draft.has_word("export") {
        draft.set(Modifiers::EXPORTED);
    }
    true
}

/// Returns true if a first parameter is the method's receiver.
fn is_receiver(first: &crate::facts::Parameter, around: Option<&str>) -> bool {
    let base = first
        .type_text
        .trim_start_matches(['*', '?'])
        .trim_start_matches("const ");
    let base = base.split('(').next().unwrap_or(base);
    first.name == "self"
        || matches!(base, "Self" | "@This")
        || (around == Some(base) && !base.is_empty())
}

/// Imports are no constants, `Self` is known, and a type by another name is an alias. False drops it.
fn refine_constant(draft: &mut Draft) -> bool {
    let mut cursor = draft.node.walk();
    let value = draft.node.named_children(&mut cursor).skip(1).last();
    let text = value
        .map(|value| text_of(value, draft.source))
        .unwrap_or_default();
    if text.starts_with("@import(") || (draft.symbol.name == "Self" && text.starts_with("@This(")) {
        return false;
    }
    let is_name =
        value.is_some_and(|value| matches!(value.kind(), "identifier" | "field_expression"));
    let is_type = draft.symbol.name.starts_with(char::is_uppercase)
        && draft.symbol.name.chars().any(char::is_lowercase)
        && (is_name || text.starts_with("@This("));
    if is_type {
        draft.symbol.kind = SymbolKind::TypeAlias;
        draft.symbol.type_text = folded(text, 200).into();
    } else if draft.has_word("var") {
        draft.symbol.kind = SymbolKind::Variable;
    }
    true
}

/// A function's parameters are in a node without a field.
fn parts(inner: Node, kind: SymbolKind, source: &str) -> Parts {
    let mut parts = by_fields(inner, kind, source);
    let mut cursor = inner.walk();
    for child in inner.children(&mut cursor) {
        match child.kind() {
            "parameters" => parts.parameters = parameters_in(child, source),
            "struct_declaration"
            | "enum_declaration"
            | "union_declaration"
            | "opaque_declaration"
            | "error_set_declaration"
            | "block"
                if parts.body.is_none() =>
            {
                parts.body = Some(child.start_byte());
            }
            _ => {}
        }
    }
    parts
}

fn imports(node: Node, source: &str, out: &mut Vec<Import>) {
    let text = text_of(node, source);
    let path = text.split('"').nth(1).unwrap_or_default();
    if path.is_empty() {
        return;
    }
    // `@import("a").b.c` is the member c of the member b.
    let mut members: Vec<String> = Vec::new();
    let mut value = node;
    let mut around = parent_of(node);
    while let Some(outer) = around.filter(|outer| outer.kind() == "field_expression") {
        let member = outer.field("member");
        members.extend(member.map(|member| squeezed(text_of(member, source), 100)));
        value = outer;
        around = parent_of(outer);
    }
    let declaration = around.filter(|outer| outer.kind() == "variable_declaration");
    let local = declaration
        .and_then(|declaration| declaration.named_child(0))
        .filter(|name| name.kind() == "identifier" && *name != value)
        .map(|name| text_of(name, source).to_owned())
        .filter(|name| name != "_")
        .unwrap_or_default();
    let is_spread = around.is_some_and(|outer| outer.kind() == "using_namespace_declaration");
    let flags = match (is_spread, local.is_empty(), members.is_empty()) {
        (true, _, _) => ImportFlags::GLOB,
        (false, true, _) => ImportFlags::SIDE_EFFECT,
        (false, false, true) => ImportFlags::MODULE,
        (false, false, false) => ImportFlags::empty(),
    };
    let name = if local.is_empty() {
        String::new()
    } else {
        members.join(".")
    };
    out.push(Import {
        module: path.to_owned(),
        name,
        local,
        flags: flags.bits(),
        span: span_of(node),
        enclosing: None,
    });
}
