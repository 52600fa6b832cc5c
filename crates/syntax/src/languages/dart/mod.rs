//! Dart: libraries and their parts, import prefixes, constructors with names, privacy by underscore.

use tree_sitter::Node;

use crate::facts::{Import, ImportFlags, Modifiers, Parameter, SymbolKind};
use crate::fields::ByField;
use crate::node::{span_of, text_of};
use crate::rules::{Draft, Parts, Rules, type_parameter_list};
use crate::text::folded;

pub(super) const RULES: Rules = Rules {
    queries: &[include_str!("symbols.scm"), include_str!("references.scm")],
    highlights: &[include_str!("highlights.scm")],
    imports,
    words: &[
        ("abstract", Modifiers::ABSTRACT),
        ("final", Modifiers::FINAL),
        ("sealed", Modifiers::SEALED),
        ("const", Modifiers::CONST),
        ("external", Modifiers::EXTERN),
        ("late", Modifiers::LAZY),
    ],
    refine,
    is_doc: |comment| comment.starts_with("/**") || comment.starts_with("//"),
    declarator: None,
    parts: Some(parts),
    bound: None,
};

/// A definition contains a signature, which contains parameters and result.
fn parts(node: Node, kind: SymbolKind, source: &str) -> Parts {
    let mut parts = Parts::default();
    let mut pending = vec![node];
    let mut depth = 0;
    while let Some(current) = pending.pop() {
        depth += 1;
        let mut cursor = current.walk();
        for child in current.named_children(&mut cursor) {
            match child.kind() {
                "formal_parameter_list" => parameters(child, source, &mut parts.parameters),
                "type_parameters" => parts.type_parameters = type_parameter_list(child, source),
                "type" if parts.type_text.is_empty() && has_type(current, kind) => {
                    parts.type_text = text(child, source);
                }
                "function_body"
                | "function_expression_body"
                | "class_body"
                | "enum_body"
                | "extension_body" => parts.body = parts.body.or(Some(child.start_byte())),
                kind if kind.ends_with("_signature") && depth < 8 => pending.push(child),
                _ => {}
            }
        }
        if let Some(result) = current.field("return_type") {
            parts.type_text = text(result, source);
        }
    }
    parts
}

/// Returns true if a type directly in a node is the type of the node's definition.
fn has_type(node: Node, kind: SymbolKind) -> bool {
    let is_value = matches!(
        kind,
        SymbolKind::Field | SymbolKind::Variable | SymbolKind::Constant | SymbolKind::TypeAlias
    );
    is_value && !node.kind().ends_with("_signature")
}

fn text(node: Node, source: &str) -> String {
    folded(text_of(node, source), 200)
}

/// Parameters by position, optional and named ones.
fn parameters(list: Node, source: &str, out: &mut Vec<Parameter>) {
    let mut cursor = list.walk();
    for child in list.named_children(&mut cursor).take(255) {
        if child.kind() == "optional_formal_parameters" {
            let mut inner = child.walk();
            let optional = child.named_children(&mut inner);
            out.extend(optional.take(255).filter_map(|one| parameter(one, source)));
        } else {
            out.extend(parameter(child, source));
        }
    }
}

fn parameter(node: Node, source: &str) -> Option<Parameter> {
    if node.kind() != "formal_parameter" {
        return None;
    }
    let mut cursor = node.walk();
    let (mut written, mut inner) = (None, None);
    for child in node.named_children(&mut cursor) {
        match child.kind() {
            "type" => written = Some(child),
            "field_formal_parameter" | "super_formal_parameter" => inner = Some(child),
            "identifier" => inner = inner.or(Some(child)),
            _ => {}
        }
    }
    let name = node
        .field("name")
        .or_else(|| inner.map(|inner| inner.field("name").unwrap_or(inner)))?;
    Some(Parameter {
        name: text(name, source),
        type_text: written.map(|node| text(node, source)).unwrap_or_default(),
        ty: None,
    })
}

fn refine(draft: &mut Draft) -> bool {
    use SymbolKind::{Constant, Constructor, Field, Function, Impl, Method, Variable};
    let in_function = draft
        .parent
        .is_some_and(|outer| matches!(outer.kind, Function | Method | Constructor));
    if !draft.symbol.name.starts_with('_') && !in_function && draft.symbol.kind != Impl {
        draft.set(Modifiers::EXPORTED);
    }
    if draft.symbol.name.starts_with('_') {
        draft.set(Modifiers::PRIVATE);
    }
    let head = draft.head.trim_end();
    if head.ends_with("operator") {
        draft.symbol.name = format!("operator{}", draft.symbol.name);
    } else if (head.ends_with(" get") || head.ends_with(" set") || matches!(head, "get" | "set"))
        && matches!(draft.symbol.kind, Method | Function)
    {
        draft.set(Modifiers::ACCESSOR);
    }
    if matches!(draft.symbol.kind, Field | Variable) && draft.has_word("const") {
        draft.symbol.kind = Constant;
    }
    // A constructor without a body is complete, not a declaration of one elsewhere.
    if draft.symbol.kind == Constructor {
        draft.symbol.modifiers &= !Modifiers::DECLARATION.bits();
        draft.symbol.type_text = Box::default();
    }
    let mut cursor = draft.node.walk();
    let is_async = draft.node.named_children(&mut cursor).any(|child| {
        child.kind() == "function_body" && text_of(child, draft.source).starts_with("async")
    });
    if is_async {
        draft.set(Modifiers::ASYNC);
    }
    true
}

fn imports(node: Node, source: &str, out: &mut Vec<Import>) {
    let uri = uri_of(node, source);
    match node.kind() {
        "part_directive" => {
            let flags = ImportFlags::GLOB | ImportFlags::CHILD_MODULE | ImportFlags::REEXPORT;
            out.extend(uri.map(|uri| import(node, &uri, "", "", flags)));
        }
        "part_of_directive" => {
            let flags = ImportFlags::GLOB | ImportFlags::CHILD_MODULE;
            out.extend(uri.map(|uri| import(node, &uri, "", "", flags)));
        }
        "import_or_export" => {
            let is_export = text_of(node, source).starts_with("export");
            if let Some(uri) = uri {
                library(node, &uri, is_export, source, out);
            }
        }
        _ => {}
    }
}

/// The text of the first string in a directive: conditional imports have more.
fn uri_of(node: Node, source: &str) -> Option<String> {
    let text = text_of(node, source);
    let from = text.find(['\'', '"'])?;
    let quote = text.get(from..=from)?;
    let rest = text.get(from + 1..)?;
    rest.split_once(quote).map(|(uri, _)| folded(uri, 400))
}

/// `import 'a.dart' as b show C hide D`.
fn library(node: Node, uri: &str, is_export: bool, source: &str, out: &mut Vec<Import>) {
    let flags = if is_export {
        ImportFlags::REEXPORT
    } else {
        ImportFlags::empty()
    };
    let (mut alias, mut shown) = (None, Vec::new());
    let mut pending = vec![node];
    while let Some(current) = pending.pop() {
        alias = alias.or_else(|| current.field("alias"));
        let mut cursor = current.walk();
        for child in current.named_children(&mut cursor) {
            match child.kind() {
                "combinator" if text_of(child, source).starts_with("show") => {
                    let mut inner = child.walk();
                    shown.extend(child.named_children(&mut inner).collect::<Vec<_>>());
                }
                "library_import" | "library_export" | "import_specification" => pending.push(child),
                _ => {}
            }
        }
    }
    if let Some(alias) = alias {
        out.push(import(
            node,
            uri,
            "",
            text_of(alias, source),
            flags | ImportFlags::MODULE,
        ));
    } else if shown.is_empty() {
        out.push(import(node, uri, "", "", flags | ImportFlags::GLOB));
    } else {
        out.extend(shown.iter().map(|name| {
            let name = text_of(*name, source);
            import(node, uri, name, name, flags)
        }));
    }
}

fn import(node: Node, module: &str, name: &str, local: &str, flags: ImportFlags) -> Import {
    Import {
        module: module.to_owned(),
        name: name.to_owned(),
        local: local.to_owned(),
        flags: flags.bits(),
        span: span_of(node),
        enclosing: None,
    }
}
