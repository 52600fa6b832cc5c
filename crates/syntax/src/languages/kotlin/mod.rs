//! Kotlin: packages, imports with aliases, constructor properties, extension functions, companion objects.

mod bound;
mod heads;

use tree_sitter::Node;

use crate::facts::{Import, ImportFlags, Modifiers, Parameter, SymbolKind};
use crate::node::{span_of, text_of};
use crate::rules::{Bound, Draft, Parts, Rules, type_parameter_list};
use crate::text::{folded, squeezed};

pub(crate) use heads::with_joined_constructors;

pub(super) const RULES: Rules = Rules {
    queries: &[include_str!("symbols.scm"), include_str!("references.scm")],
    highlights: &[include_str!("highlights.scm")],
    imports,
    words: &[
        ("private", Modifiers::PRIVATE),
        ("protected", Modifiers::PROTECTED),
        ("internal", Modifiers::INTERNAL),
        ("abstract", Modifiers::ABSTRACT),
        ("final", Modifiers::FINAL),
        ("sealed", Modifiers::SEALED),
        ("open", Modifiers::VIRTUAL),
        ("val", Modifiers::READONLY),
        ("const", Modifiers::CONST),
        ("external", Modifiers::EXTERN),
        ("inline", Modifiers::INLINE),
        ("lateinit", Modifiers::LAZY),
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

/// The grammar has few fields: parts are recognised by their kinds and order.
fn parts(node: Node, kind: SymbolKind, source: &str) -> Parts {
    let mut parts = Parts::default();
    let mut cursor = node.walk();
    let mut is_after_parameters = false;
    for child in node.named_children(&mut cursor) {
        match child.kind() {
            "function_value_parameters" | "lambda_parameters" => {
                parts.parameters = parameters(child, source);
                is_after_parameters = true;
            }
            "primary_constructor" => {
                let list = child
                    .named_children(&mut child.walk())
                    .find(|part| part.kind() == "class_parameters");
                parts.parameters = list
                    .map(|list| parameters(list, source))
                    .unwrap_or_default();
            }
            "type_parameters" => parts.type_parameters = type_parameter_list(child, source),
            "type_constraints" => parts
                .type_parameters
                .extend(type_parameter_list(child, source)),
            "function_body" | "class_body" | "enum_class_body" | "getter" => {
                parts.body = parts.body.or(Some(child.start_byte()));
            }
            // A constructor's body has no node of its own kind.
            "block" if kind == SymbolKind::Constructor => parts.body = Some(child.start_byte()),
            "variable_declaration" if kind != SymbolKind::Class => {
                let mut inner = child.walk();
                let written = child.named_children(&mut inner).nth(1);
                parts.type_text = written.map(|node| text(node, source)).unwrap_or_default();
            }
            "user_type" | "nullable_type" | "function_type" | "parenthesized_type"
            | "non_nullable_type"
                if is_after_parameters
                    || kind == SymbolKind::TypeAlias
                    || kind == SymbolKind::Field =>
            {
                parts.type_text = text(child, source);
            }
            _ => {}
        }
    }
    if node.kind() == "infix_expression" {
        let last = node.child(node.child_count().saturating_sub(1));
        let body = last.and_then(|call| call.child(call.child_count().saturating_sub(1)));
        parts.body = body.map(|body| body.start_byte());
    }
    if node.kind() == "lambda_literal" {
        parts.body = Some(node.start_byte());
    }
    parts
}

fn text(node: Node, source: &str) -> String {
    folded(text_of(node, source), 200)
}

fn parameters(list: Node, source: &str) -> Vec<Parameter> {
    let mut cursor = list.walk();
    let mut out = Vec::new();
    for child in list.named_children(&mut cursor).take(255) {
        if !matches!(
            child.kind(),
            "parameter" | "class_parameter" | "variable_declaration"
        ) {
            continue;
        }
        let mut inner = child.walk();
        let mut fields = child
            .named_children(&mut inner)
            .skip_while(|part| part.kind() != "identifier");
        let name = fields.next().map(|part| text(part, source));
        let written = fields.next().map(|part| text(part, source));
        out.push(Parameter {
            name: name.unwrap_or_default(),
            type_text: written.unwrap_or_default(),
            ty: None,
        });
    }
    out
}

fn refine(draft: &mut Draft) -> bool {
    use SymbolKind::{
        Class, Constant, Constructor, Enum, Field, Function, Method, Variable, Variant,
    };
    let of_variant = draft.parent.is_some_and(|outer| outer.kind == Variant);
    if of_variant && draft.symbol.kind == Function {
        draft.symbol.kind = Method;
    }
    let in_function = draft
        .parent
        .is_some_and(|outer| matches!(outer.kind, Function | Method | Constructor));
    if !draft.has_word("private") && !in_function {
        draft.set(Modifiers::EXPORTED);
    }
    let of_hidden = draft.symbol.kind == Variant
        && draft
            .parent
            .is_some_and(|outer| !outer.is(Modifiers::EXPORTED));
    if of_hidden {
        draft.symbol.modifiers &= !Modifiers::EXPORTED.bits();
    }
    match (draft.symbol.kind, draft.node.kind()) {
        (Class, "class_declaration") if draft.has_word("enum") => draft.symbol.kind = Enum,
        (Class, "companion_object") if draft.symbol.name == "companion" => {
            draft.symbol.name = "Companion".to_owned();
        }
        (Constructor, _) => {
            let class = draft.parent.map(|outer| outer.name.clone());
            draft.symbol.name = class.unwrap_or_default();
        }
        (Function | Method, "property_declaration") if draft.symbol.parameters.is_empty() => {
            let is_lambda =
                draft.symbol.type_text.is_empty() && draft.symbol.signature.contains('=');
            if !is_lambda {
                draft.set(Modifiers::ACCESSOR);
                draft.symbol.modifiers &= !Modifiers::DECLARATION.bits();
            }
        }
        (Variable | Field, _) if draft.has_word("const") => draft.symbol.kind = Constant,
        _ => {}
    }
    if draft.has_word("suspend") {
        draft.set(Modifiers::ASYNC);
    }
    let in_object = draft
        .parent
        .is_some_and(|outer| outer.signature.contains("object"));
    if in_object && matches!(draft.symbol.kind, Method | Field | Constant) {
        draft.set(Modifiers::STATIC);
    }
    let is_test = |text: &String| {
        matches!(
            text.split('(').next(),
            Some("Test" | "ParameterizedTest" | "org.junit.Test")
        )
    };
    if draft.symbol.rare.decorators.iter().any(is_test) {
        draft.set(Modifiers::TEST);
    }
    true
}

fn imports(node: Node, source: &str, out: &mut Vec<Import>) {
    if node.kind() != "import" {
        return;
    }
    let mut cursor = node.walk();
    let children: Vec<Node> = node.children(&mut cursor).collect();
    let path = children
        .iter()
        .find(|child| matches!(child.kind(), "qualified_identifier" | "identifier"));
    let Some(path) = path else { return };
    let alias = children
        .iter()
        .filter(|child| child.kind() == "identifier" && child.id() != path.id())
        .map(|child| text_of(*child, source))
        .next();
    let is_all = children.iter().any(|child| child.kind() == "*");
    let path = squeezed(text_of(*path, source), 400).replace('`', "");
    let (module, name, flags) = match path.rsplit_once('.') {
        _ if is_all => (path.as_str(), "", ImportFlags::GLOB),
        Some((module, name)) => (module, name, ImportFlags::empty()),
        None => ("", path.as_str(), ImportFlags::empty()),
    };
    out.push(Import {
        module: module.to_owned(),
        name: name.to_owned(),
        local: alias.unwrap_or(name).to_owned(),
        flags: flags.bits(),
        span: span_of(node),
        enclosing: None,
    });
}
