//! The parts of one definition, read by field names that the grammars share.

use tree_sitter::Node;

use super::Parts;
use crate::facts::{Parameter, SymbolKind};
use crate::fields::ByField;
use crate::node::text_of;
use crate::text::folded;

/// Written types are cut at this many bytes.
pub(crate) const MAX_TYPE: usize = 200;

/// Returns true for kinds with parameters that can be called.
pub(crate) fn is_function(kind: SymbolKind) -> bool {
    matches!(
        kind,
        SymbolKind::Function | SymbolKind::Method | SymbolKind::Constructor
    )
}

/// Returns true for kinds that name a value or another type, without members of their own.
pub(crate) fn is_value(kind: SymbolKind) -> bool {
    use SymbolKind::{Constant, Field, TypeAlias, Variable};
    matches!(kind, TypeAlias | Field | Variable | Constant)
}

/// The parts of a definition by the field names that most grammars share.
pub(crate) fn parts(inner: Node, node: Node, outer: Node, kind: SymbolKind, source: &str) -> Parts {
    let body = inner.field("body");
    // The fields of a tuple struct or variant are its declaration: they say what a pattern binds.
    let body = body.filter(|body| body.kind() != "ordered_field_declaration_list");
    Parts {
        body: body.map(|body| body.start_byte()),
        parameters: parameters(inner, source),
        type_text: type_text(inner, node, kind, source),
        type_parameters: type_parameters(inner, node, outer, source),
    }
}

/// The same for a definition that is one node.
pub(crate) fn by_fields(node: Node, kind: SymbolKind, source: &str) -> Parts {
    parts(node, node, node, kind, source)
}

/// Parameters in order; the current object is no parameter.
fn parameters(inner: Node, source: &str) -> Vec<Parameter> {
    if let Some(single) = inner.field("parameter") {
        return vec![Parameter {
            name: folded(text_of(single, source), MAX_TYPE),
            type_text: String::new(),
            ty: None,
        }];
    }
    parameter_list(inner)
        .map(|list| parameters_in(list, source))
        .unwrap_or_default()
}

/// The parameters of a list.
pub(crate) fn parameters_in(list: Node, source: &str) -> Vec<Parameter> {
    let mut cursor = list.walk();
    let mut out = Vec::new();
    for node in list.named_children(&mut cursor).take(255) {
        parameter(node, source, &mut out);
    }
    out
}

/// Returns the parameter list of a function, also inside a C declarator.
fn parameter_list(inner: Node) -> Option<Node> {
    let mut node = inner;
    for _ in 0..8 {
        if let Some(list) = node.field("parameters") {
            return Some(list);
        }
        node = node.field("declarator")?;
    }
    None
}

/// Reads a parameter of C and C++, whose name is inside its type: `const char *s`, `int n[]`, `void (*cb)(int)`.
fn declared_parameter(node: Node, source: &str) -> Option<Parameter> {
    let declarator = node.field("declarator")?;
    let mut name = Some(declarator);
    for _ in 0..16 {
        let Some(inner) = name.filter(|node| node.kind() != "identifier") else {
            break;
        };
        name = inner
            .field("declarator")
            .or_else(|| inner.named_child(inner.named_child_count().saturating_sub(1) as u32));
    }
    let name = name.filter(|node| node.kind() == "identifier");
    let end = declarator.end_byte();
    let (from, to) = name.map_or((end, end), |name| (name.start_byte(), name.end_byte()));
    let before = source.get(node.start_byte()..from)?;
    let behind = source.get(to..end)?;
    Some(Parameter {
        name: source.get(from..to)?.to_owned(),
        type_text: folded(&format!("{}{behind}", before.trim_end()), MAX_TYPE),
        ty: None,
    })
}

fn parameter(node: Node, source: &str, out: &mut Vec<Parameter>) {
    let kind = node.kind();
    if kind == "spread_parameter" {
        return spread_parameter(node, source, out);
    }
    let is_ellipsis = kind == "variadic_parameter" && node.field("name").is_none();
    if is_ellipsis
        || text_of(node, source) == "void"
        || node.is_extra()
        || matches!(
            kind,
            "self_parameter"
                | "receiver_parameter"
                | "attribute_item"
                | "keyword_separator"
                | "positional_separator"
        )
    {
        return;
    }
    if let Some(declared) = declared_parameter(node, source) {
        return out.push(declared);
    }
    let type_text = node
        .field("type")
        .map(|node| type_of(node, source))
        .unwrap_or_default();
    let mut cursor = node.walk();
    let names: Vec<Node> = node.children_by_field_name("name", &mut cursor).collect();
    if names.len() > 1 {
        out.extend(names.iter().map(|name| Parameter {
            name: folded(text_of(*name, source), 80),
            type_text: type_text.clone(),
            ty: None,
        }));
        return;
    }
    let name = ["pattern", "name", "left", "declarator"]
        .iter()
        .find_map(|field| node.field(field));
    let name = name.unwrap_or_else(|| {
        if node.child_count() > 0 && kind != "identifier" {
            first_name(node)
        } else {
            node
        }
    });
    let text = folded(
        text_of(name, source).trim_start_matches(['*', '&', ' ']),
        80,
    );
    let text = text.strip_prefix("...").map_or(text.clone(), str::to_owned);
    let text = text
        .strip_prefix("mut ")
        .map_or(text.clone(), str::to_owned);
    if text == "this"
        || (out.is_empty() && type_text.is_empty() && matches!(text.as_str(), "self" | "cls"))
    {
        return;
    }
    // In C and Go a parameter may be a type alone.
    let is_type_only = text == type_text;
    out.push(Parameter {
        name: if is_type_only { String::new() } else { text },
        type_text,
        ty: None,
    });
}

/// Java's `String... names`: the declarator has no field.
fn spread_parameter(node: Node, source: &str, out: &mut Vec<Parameter>) {
    let mut cursor = node.walk();
    let parts: Vec<Node> = node
        .named_children(&mut cursor)
        .filter(|child| child.kind() != "modifiers")
        .collect();
    let text = |node: &&Node| folded(text_of(**node, source), MAX_TYPE);
    let type_text = parts
        .first()
        .as_ref()
        .map(text)
        .map(|written| format!("{written}..."))
        .unwrap_or_default();
    out.push(Parameter {
        name: parts.last().as_ref().map(text).unwrap_or_default(),
        type_text,
        ty: None,
    });
}

fn first_name(node: Node) -> Node {
    match node.named_child(0) {
        Some(child) if node.kind() != "object_pattern" && node.kind() != "array_pattern" => child,
        _ => node,
    }
}

/// A written type without the punctuation before it.
fn type_of(node: Node, source: &str) -> String {
    let text = text_of(node, source).trim_start_matches([':', ' ', '-', '>']);
    folded(text, MAX_TYPE)
}

/// Returns the result type of a function, the type of a variable, the target of an alias.
fn type_text(inner: Node, node: Node, kind: SymbolKind, source: &str) -> String {
    let fields: &[&str] = if is_function(kind) {
        &["return_type", "result", "type"]
    } else if kind == SymbolKind::TypeAlias {
        &["value", "type", "right"]
    } else if kind.is_type() || kind == SymbolKind::Module {
        &[]
    } else {
        &["type"]
    };
    let field = |node: Node| {
        fields
            .iter()
            .find_map(|field| node.field(field))
            .map(|found| type_of(found, source))
    };
    field(inner).or_else(|| field(node)).unwrap_or_default()
}

/// Written type parameters and the bounds of a `where` clause.
fn type_parameters(inner: Node, node: Node, outer: Node, source: &str) -> Vec<Parameter> {
    let template = if outer.kind() == "template_declaration" {
        outer.field("parameters")
    } else {
        None
    };
    let written = |node: Node<'_>| node.field("type_parameters").is_some();
    let list = if written(inner) { inner } else { node }
        .field("type_parameters")
        .or(template);
    let mut out = list
        .map(|list| type_parameter_list(list, source))
        .unwrap_or_default();
    let mut cursor = inner.walk();
    let clause = inner
        .named_children(&mut cursor)
        .find(|child| child.kind() == "where_clause");
    if let Some(clause) = clause {
        let mut cursor = clause.walk();
        out.extend(
            clause
                .named_children(&mut cursor)
                .filter(|node| !node.is_extra())
                .take(64)
                .map(|node| bound(text_of(node, source))),
        );
    }
    out
}

/// The type parameters of a list.
pub(crate) fn type_parameter_list(list: Node, source: &str) -> Vec<Parameter> {
    let mut cursor = list.walk();
    list.named_children(&mut cursor)
        .filter(|node| !node.is_extra())
        .take(64)
        .map(|node| bound(text_of(node, source)))
        .collect()
}

/// `T: A + B`, `T extends A`, `K any` as name and bound.
fn bound(text: &str) -> Parameter {
    let text = folded(text, MAX_TYPE);
    let text = text
        .strip_prefix("typename ")
        .or_else(|| text.strip_prefix("class "))
        .unwrap_or(&text);
    let (name, bound) = text
        .split_once(" extends ")
        .or_else(|| text.split_once(':'))
        .or_else(|| text.split_once(' '))
        .unwrap_or((text, ""));
    Parameter {
        name: name.trim().to_owned(),
        type_text: bound.trim().to_owned(),
        ty: None,
    }
}
