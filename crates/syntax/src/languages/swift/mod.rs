//! Swift: extensions, protocols, computed properties, labelled parameters, access levels.

use tree_sitter::Node;

use crate::facts::{Import, ImportFlags, Modifiers, Parameter, SymbolKind};
use crate::fields::ByField;
use crate::node::{span_of, text_of};
use crate::rules::{Draft, Parts, Rules, type_parameter_list};
use crate::text::{folded, squeezed};

pub(super) const RULES: Rules = Rules {
    queries: &[include_str!("symbols.scm"), include_str!("references.scm")],
    highlights: &[include_str!("highlights.scm")],
    imports,
    words: &[
        ("private", Modifiers::PRIVATE),
        ("fileprivate", Modifiers::PRIVATE),
        ("internal", Modifiers::INTERNAL),
        ("final", Modifiers::FINAL),
        ("open", Modifiers::VIRTUAL),
        ("let", Modifiers::READONLY),
        ("lazy", Modifiers::LAZY),
        ("mutating", Modifiers::MUTABLE),
    ],
    refine,
    is_doc: |comment| comment.starts_with("/**") || comment.starts_with("//"),
    declarator: None,
    parts: Some(parts),
    bound: None,
};

/// A function's name and result have the same field, and parameters are their siblings: parts are recognised by their
/// order.
fn parts(node: Node, kind: SymbolKind, source: &str) -> Parts {
    let mut parts = Parts::default();
    let mut cursor = node.walk();
    let mut n_names = 0;
    let mut has_child = cursor.goto_first_child();
    while has_child {
        let child = cursor.node();
        match (child.kind(), cursor.field_name()) {
            ("parameter", _) => parts.parameters.push(parameter(child, source)),
            ("type_parameters", _) => parts.type_parameters = type_parameter_list(child, source),
            ("type_constraints", _) => parts.type_parameters.extend(
                type_parameter_list(child, source)
                    .into_iter()
                    .filter(|bound| !bound.name.is_empty() && !bound.type_text.is_empty()),
            ),
            ("type_annotation", _) if parts.type_text.is_empty() => {
                parts.type_text = annotation(child, source);
            }
            ("computed_property", _) | (_, Some("body" | "computed_value")) => {
                parts.body = parts.body.or(Some(child.start_byte()));
            }
            ("lambda_function_type", _) => lambda(child, source, &mut parts),
            (_, Some("name")) => {
                n_names += 1;
                let is_result = n_names > 1 || matches!(node.kind(), "subscript_declaration");
                if is_result
                    && !matches!(
                        kind,
                        SymbolKind::Variant | SymbolKind::Field | SymbolKind::Variable
                    )
                {
                    parts.type_text = text(child, source);
                }
            }
            _ => {}
        }
        has_child = cursor.goto_next_sibling();
    }
    if node.kind() == "lambda_literal" {
        parts.body = Some(node.start_byte());
    }
    if kind == SymbolKind::Constructor {
        parts.type_text.clear();
    }
    parts
}

fn text(node: Node, source: &str) -> String {
    folded(text_of(node, source), 200)
}

fn annotation(node: Node, source: &str) -> String {
    folded(text_of(node, source).trim_start_matches([':', ' ']), 200)
}

/// `for a: Foo`: the name is the one used inside.
fn parameter(node: Node, source: &str) -> Parameter {
    let mut cursor = node.walk();
    let mut names = node.children_by_field_name("name", &mut cursor);
    let name = names.next().map(|name| text(name, source));
    let written = names.next().map(|written| text(written, source));
    Parameter {
        name: name.unwrap_or_default(),
        type_text: written.unwrap_or_default(),
        ty: None,
    }
}

fn lambda(node: Node, source: &str, parts: &mut Parts) {
    let mut cursor = node.walk();
    for child in node.named_children(&mut cursor) {
        if child.kind() == "lambda_function_type_parameters" {
            let mut inner = child.walk();
            parts.parameters = child
                .named_children(&mut inner)
                .filter(|part| part.kind() == "lambda_parameter")
                .map(|part| parameter(part, source))
                .collect();
        } else {
            parts.type_text = text(child, source);
        }
    }
}

fn refine(draft: &mut Draft) -> bool {
    use SymbolKind::{Class, Constructor, Field, Function, Impl, Interface, Method, Variant};
    let in_function = draft
        .parent
        .is_some_and(|outer| matches!(outer.kind, Function | Method | Constructor));
    let is_hidden = draft.has_word("private") || draft.has_word("fileprivate");
    let of_hidden = draft.symbol.kind == Variant
        && draft
            .parent
            .is_some_and(|outer| !outer.is(Modifiers::EXPORTED));
    if !is_hidden && !in_function && !of_hidden && draft.symbol.kind != Impl {
        draft.set(Modifiers::EXPORTED);
    }
    if draft.node.kind() == "property_declaration" && draft.node.field("computed_value").is_some() {
        draft.set(Modifiers::ACCESSOR);
    }
    if draft.symbol.kind == Field && draft.has_word("static") && draft.has_word("let") {
        draft.symbol.kind = SymbolKind::Constant;
    }
    // `class func` belongs to the class as `static func` does.
    let in_type = draft.parent.is_some_and(|outer| outer.kind != Interface);
    if in_type && draft.symbol.kind == Method && draft.has_word("class") {
        draft.set(Modifiers::STATIC);
    }
    if draft.symbol.signature.contains(") async") {
        draft.set(Modifiers::ASYNC);
    }
    let is_test = match draft.symbol.kind {
        Class => draft.symbol.signature.contains("TestCase"),
        Method => {
            draft.symbol.name.starts_with("test")
                && draft.parent.is_some_and(|outer| outer.is(Modifiers::TEST))
        }
        _ => false,
    };
    if is_test
        || draft
            .symbol
            .rare
            .decorators
            .iter()
            .any(|text| text == "Test" || text.starts_with("Test("))
    {
        draft.set(Modifiers::TEST);
    }
    true
}

/// `import A`, `import struct A.B`: the module, or one name of it.
fn imports(node: Node, source: &str, out: &mut Vec<Import>) {
    let mut cursor = node.walk();
    let children: Vec<Node> = node.children(&mut cursor).collect();
    let Some(path) = children.iter().find(|child| child.kind() == "identifier") else {
        return;
    };
    let path = squeezed(text_of(*path, source), 400);
    let is_one = children.iter().any(|child| {
        matches!(
            child.kind(),
            "class" | "struct" | "enum" | "protocol" | "func" | "var" | "let" | "typealias"
        )
    });
    let (module, name, flags) = match path.rsplit_once('.') {
        Some((module, name)) if is_one => (module, name, ImportFlags::empty()),
        _ => (path.as_str(), "", ImportFlags::GLOB),
    };
    out.push(Import {
        module: module.to_owned(),
        name: name.to_owned(),
        local: name.to_owned(),
        flags: flags.bits(),
        span: span_of(node),
        enclosing: None,
    });
}
