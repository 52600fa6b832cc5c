//! Scala 2 and 3: packages, imports with selectors, parameter lists, companions, givens and extensions.

mod bound;

use tree_sitter::Node;

use crate::facts::{Import, ImportFlags, Modifiers, Parameter, SymbolKind};
use crate::fields::ByField;
use crate::node::{span_of, text_of};
use crate::rules::{Bound, Draft, Parts, Rules, parameters_in};
use crate::text::{folded, squeezed};

pub(super) const RULES: Rules = Rules {
    queries: &[include_str!("symbols.scm"), include_str!("references.scm")],
    highlights: &[include_str!("highlights.scm")],
    imports,
    words: &[
        ("private", Modifiers::PRIVATE),
        ("protected", Modifiers::PROTECTED),
        ("abstract", Modifiers::ABSTRACT),
        ("final", Modifiers::FINAL),
        ("sealed", Modifiers::SEALED),
        ("open", Modifiers::VIRTUAL),
        ("val", Modifiers::READONLY),
        ("inline", Modifiers::INLINE),
        ("lazy", Modifiers::LAZY),
    ],
    refine,
    is_doc: |comment| comment.starts_with("/**") || comment.starts_with("//"),
    declarator: None,
    parts: Some(parts),
    bound: Some(Bound {
        value: bound::bound,
        extent: None,
    }),
};

/// A function has several lists, and its type parameters have the same field as they.
fn parts(node: Node, kind: SymbolKind, source: &str) -> Parts {
    let mut parts = Parts::default();
    let field = |name| node.field(name);
    let mut cursor = node.walk();
    let is_typed_by_value = matches!(node.kind(), "given_definition");
    for child in node.named_children(&mut cursor) {
        match child.kind() {
            "type_parameters" => parts.type_parameters = type_parameters(child, source),
            "parameters" | "class_parameters" | "bindings"
                if node.kind() != "extension_definition" =>
            {
                parts.parameters.extend(parameters_in(child, source));
            }
            _ => {}
        }
    }
    if node.kind() == "lambda_expression" {
        if let Some(single) = field("parameters").filter(|list| list.kind() == "identifier") {
            parts.parameters = vec![Parameter {
                name: text_of(single, source).to_owned(),
                type_text: String::new(),
                ty: None,
            }];
        }
        parts.body = Some(node.end_byte());
        let mut cursor = node.walk();
        if let Some(last) = node.named_children(&mut cursor).last() {
            parts.body = Some(last.start_byte());
        }
        return parts;
    }
    let body = field("body").map(|body| body.start_byte());
    parts.body = body.filter(|_| !is_typed_by_value || kind == SymbolKind::Class);
    parts.type_text = ["return_type", "type"]
        .iter()
        .find_map(|name| field(name))
        .map(|written| folded(text_of(written, source), 200))
        .unwrap_or_default();
    parts
}

/// `[T <: A : B, +U]` as names and bounds.
fn type_parameters(list: Node, source: &str) -> Vec<Parameter> {
    let text = text_of(list, source);
    let inner = text.trim_start_matches('[').trim_end_matches(']');
    let (mut depth, mut start, mut out) = (0_i32, 0, Vec::new());
    let mut push = |part: &str| {
        let part = part.trim().trim_start_matches(['+', '-']);
        let end = part
            .find(|c: char| !(c.is_alphanumeric() || c == '_'))
            .unwrap_or(part.len());
        let (name, bound) = part.split_at(end);
        if !name.is_empty() {
            out.push(Parameter {
                name: name.to_owned(),
                type_text: folded(bound.trim_start_matches([' ', '<', ':', '>']), 200),
                ty: None,
            });
        }
    };
    for (at, c) in inner.char_indices() {
        match c {
            '[' | '(' => depth += 1,
            ']' | ')' => depth -= 1,
            ',' if depth == 0 => {
                push(inner.get(start..at).unwrap_or_default());
                start = at + 1;
            }
            _ => {}
        }
    }
    push(inner.get(start..).unwrap_or_default());
    out.truncate(64);
    out
}

fn refine(draft: &mut Draft) -> bool {
    use SymbolKind::{Class, Constructor, Field, Function, Method, Variable, Variant};
    let outer = draft.parent.map(|outer| outer.kind);
    let in_function = matches!(outer, Some(Function | Method | Constructor));
    let in_type = outer.is_some_and(crate::facts::SymbolKind::is_type);
    let of_hidden = draft.symbol.kind == Variant
        && draft
            .parent
            .is_some_and(|outer| !outer.is(Modifiers::EXPORTED));
    if !draft.has_word("private") && !in_function && !of_hidden {
        draft.set(Modifiers::EXPORTED);
    }
    match draft.symbol.kind {
        // A body in braces of a package is no type.
        Field if !in_type => draft.symbol.kind = Variable,
        Constructor => {
            let class = draft.parent.map(|outer| outer.name.clone());
            draft.symbol.name = class.unwrap_or_default();
            draft.symbol.type_text = Box::default();
        }
        Class if draft.node.kind() == "given_definition" => {
            let is_unnamed = draft.node.field("name").is_none();
            if is_unnamed {
                let words: Vec<&str> = draft
                    .symbol
                    .name
                    .split(|c: char| !c.is_alphanumeric())
                    .filter(|word| !word.is_empty())
                    .collect();
                draft.symbol.name = format!("given_{}", words.join("_"));
            }
        }
        _ => {}
    }
    let in_object = draft
        .parent
        .is_some_and(|outer| outer.signature.contains("object "));
    if in_object && matches!(draft.symbol.kind, Method | Field) {
        draft.set(Modifiers::STATIC);
    }
    let is_suite = draft.symbol.kind == Class
        && draft.symbol.rare.bases.is_empty()
        && ["Suite", "Spec", "FunSuite"]
            .iter()
            .any(|end| draft.symbol.name.ends_with(end))
        && draft.symbol.signature.contains("extends");
    if is_suite
        || draft
            .symbol
            .rare
            .decorators
            .iter()
            .any(|text| text == "Test")
    {
        draft.set(Modifiers::TEST);
    }
    true
}

fn imports(node: Node, source: &str, out: &mut Vec<Import>) {
    if !matches!(node.kind(), "import_declaration" | "export_declaration") {
        return;
    }
    let flags = if node.kind() == "export_declaration" {
        ImportFlags::REEXPORT
    } else {
        ImportFlags::empty()
    };
    // `import a.b, c.d`: each path ends where the next one begins.
    let mut cursor = node.walk();
    let mut path: Vec<&str> = Vec::new();
    let mut is_done = false;
    for child in node.children(&mut cursor) {
        match child.kind() {
            "import" | "export" => {}
            "," => {
                whole(&mut path, &mut is_done, node, out, flags);
            }
            "namespace_wildcard" => {
                push(
                    out,
                    child,
                    &path.join("."),
                    "",
                    "",
                    flags | ImportFlags::GLOB,
                );
                is_done = true;
            }
            "namespace_selectors" => {
                selectors(child, &path.join("."), source, out, flags);
                is_done = true;
            }
            "as_renamed_identifier" | "arrow_renamed_identifier" => {
                renamed(child, &path.join("."), source, out, flags);
                is_done = true;
            }
            "." => {}
            _ => path.push(text_of(child, source)),
        }
    }
    whole(&mut path, &mut is_done, node, out, flags);
}

fn whole(
    path: &mut Vec<&str>,
    is_done: &mut bool,
    node: Node,
    out: &mut Vec<Import>,
    flags: ImportFlags,
) {
    let name = path.pop();
    if let Some(name) = name.filter(|_| !*is_done) {
        push(
            out,
            node,
            &squeezed(&path.join("."), 400),
            name,
            name,
            flags,
        );
    }
    path.clear();
    *is_done = false;
}

fn selectors(list: Node, module: &str, source: &str, out: &mut Vec<Import>, flags: ImportFlags) {
    let mut cursor = list.walk();
    for child in list.named_children(&mut cursor) {
        match child.kind() {
            "namespace_wildcard" => push(out, child, module, "", "", flags | ImportFlags::GLOB),
            "arrow_renamed_identifier" | "as_renamed_identifier" => {
                renamed(child, module, source, out, flags);
            }
            "identifier" | "type_identifier" => {
                let name = text_of(child, source);
                push(out, child, module, name, name, flags);
            }
            _ => {}
        }
    }
}

/// `A => B`, `A as B`; `A => _` imports nothing.
fn renamed(node: Node, module: &str, source: &str, out: &mut Vec<Import>, flags: ImportFlags) {
    let field = |name| node.field(name).map(|node| text_of(node, source));
    if let (Some(name), Some(alias)) = (field("name"), field("alias"))
        && alias != "_"
    {
        push(out, node, module, name, alias, flags);
    }
}

fn push(
    out: &mut Vec<Import>,
    node: Node,
    module: &str,
    name: &str,
    local: &str,
    flags: ImportFlags,
) {
    out.push(Import {
        module: module.to_owned(),
        name: name.to_owned(),
        local: local.to_owned(),
        flags: flags.bits(),
        span: span_of(node),
        enclosing: None,
    });
}
