//! C#: using directives, namespaces, properties that are code, modifiers.

use tree_sitter::Node;

use crate::facts::{Import, ImportFlags, Modifiers, Parameter, SymbolKind};
use crate::fields::ByField;
use crate::node::{span_of, text_of};
use crate::rules::{Draft, Parts, Rules, by_fields, parameters_in, type_parameter_list};
use crate::text::{folded, squeezed};

pub(super) const RULES: Rules = Rules {
    queries: &[include_str!("symbols.scm"), include_str!("references.scm")],
    highlights: &[include_str!("highlights.scm")],
    imports,
    words: &[
        ("private", Modifiers::PRIVATE),
        ("protected", Modifiers::PROTECTED),
        ("internal", Modifiers::INTERNAL),
        ("abstract", Modifiers::ABSTRACT),
        ("sealed", Modifiers::FINAL),
        ("readonly", Modifiers::READONLY),
        ("const", Modifiers::CONST),
        ("virtual", Modifiers::VIRTUAL),
        ("extern", Modifiers::EXTERN),
        ("unsafe", Modifiers::UNSAFE),
        ("partial", Modifiers::PARTIAL),
    ],
    refine,
    is_doc: |comment| !comment.starts_with("//#"),
    declarator: None,
    parts: Some(parts),
    bound: None,
};

/// Most parts have the shared fields; what methods return, primary constructors and accessors have not.
fn parts(node: Node, kind: SymbolKind, source: &str) -> Parts {
    let mut parts = by_fields(node, kind, source);
    if let Some(list) = node.field("parameters") {
        parts.parameters = parameters(list, source);
    }
    let mut cursor = node.walk();
    for child in node.named_children(&mut cursor) {
        match child.kind() {
            "parameter_list" if parts.parameters.is_empty() => {
                parts.parameters = parameters(child, source);
            }
            "type_parameter_list" if parts.type_parameters.is_empty() => {
                parts.type_parameters = type_parameter_list(child, source);
            }
            "type_parameter_constraints_clause" => {
                let text = folded(text_of(child, source), 200);
                let bound = text.trim_start_matches("where ").split_once(':');
                let Some((name, bound)) = bound else { continue };
                let name = name.trim();
                let known = parts
                    .type_parameters
                    .iter_mut()
                    .find(|parameter| parameter.name == name);
                if let Some(parameter) = known {
                    parameter.type_text = bound.trim().to_owned();
                }
            }
            _ => {}
        }
    }
    let code = match node.kind() {
        "property_declaration" => node
            .field("value")
            .filter(|value| value.kind() == "arrow_expression_clause")
            .or_else(|| node.field("accessors")),
        "indexer_declaration" => node.field("accessors").or_else(|| node.field("value")),
        "anonymous_method_expression" => node
            .named_children(&mut node.walk())
            .find(|child| child.kind() == "block"),
        _ => None,
    };
    parts.body = parts.body.or(code.map(|code| code.start_byte()));
    if let Some(result) = node.field("returns") {
        parts.type_text = folded(text_of(result, source), 200);
    }
    if matches!(node.kind(), "field_declaration" | "event_field_declaration") {
        let declaration = node
            .named_children(&mut node.walk())
            .find(|child| child.kind() == "variable_declaration");
        let written = declaration.and_then(|node| node.field("type"));
        parts.type_text = written
            .map(|node| folded(text_of(node, source), 200))
            .unwrap_or_default();
    }
    parts
}

/// `params T[] rest` has no node of its own: its type and name are the list's. A lambda's only parameter is no list.
fn parameters(list: Node, source: &str) -> Vec<Parameter> {
    if list.kind() == "implicit_parameter" {
        return vec![parameter(text_of(list, source), "")];
    }
    let mut out = parameters_in(list, source);
    let rest = list.field("type").zip(list.field("name"));
    if let Some((written, name)) = rest {
        out.truncate(out.len().saturating_sub(2));
        out.push(parameter(text_of(name, source), text_of(written, source)));
    }
    out
}

fn parameter(name: &str, type_text: &str) -> Parameter {
    Parameter {
        name: folded(name, 80),
        type_text: folded(type_text, 200),
        ty: None,
    }
}

/// The type that a method with a first parameter `this T x` extends, without its arguments.
fn extended(parameters: &[Parameter]) -> String {
    let first = parameters
        .first()
        .map(|parameter| parameter.type_text.as_str());
    let name = first.unwrap_or_default().split(['<', '?']).next();
    name.unwrap_or_default().to_owned()
}

/// A doc comment without the lines and marks that only say where its summary begins and ends.
fn without_tags(doc: &str) -> String {
    let doc = doc.replace("<summary>", "").replace("</summary>", "");
    let lines: Vec<&str> = doc.lines().map(str::trim_end).collect();
    lines.join("\n").trim().to_owned()
}

/// `Inject, Key(1, 2)` of one pair of brackets as two attributes.
pub(super) fn attributes(list: &str) -> Vec<String> {
    let (mut out, mut depth) = (vec![String::new()], 0_i32);
    for c in list.chars() {
        match c {
            '(' | '[' | '<' | '{' => depth += 1,
            ')' | ']' | '>' | '}' => depth -= 1,
            _ => {}
        }
        if c == ',' && depth == 0 {
            out.push(String::new());
        } else if let Some(last) = out.last_mut() {
            last.push(c);
        }
    }
    out.retain(|text| !text.trim().is_empty());
    out.iter().map(|text| text.trim().to_owned()).collect()
}

fn refine(draft: &mut Draft) -> bool {
    use SymbolKind::{Constant, Constructor, Enum, Field, Interface, Method, Struct, Variant};
    let outer = draft
        .parent
        .map(|outer| (outer.kind, outer.is(Modifiers::EXPORTED)));
    let inherits = match (draft.symbol.kind, outer) {
        (Variant, Some((Enum, exported))) => exported,
        (_, Some((Interface, _))) => !draft.has_word("private"),
        // A positional parameter of a record is a property of it.
        (Field, Some((Struct, exported))) => exported && draft.node.kind() == "parameter",
        _ => false,
    };
    if inherits || draft.has_word("public") || draft.has_word("protected") {
        draft.set(Modifiers::EXPORTED);
    }
    if draft.symbol.kind == Field && draft.has_word("const") {
        draft.symbol.kind = Constant;
        draft.set(Modifiers::STATIC);
    }
    let name = match draft.node.kind() {
        "destructor_declaration" => format!("~{}", draft.symbol.name),
        "operator_declaration" => format!("operator{}", draft.symbol.name),
        "conversion_operator_declaration" => format!("operator {}", draft.symbol.name),
        "indexer_declaration" => "this[]".to_owned(),
        _ => std::mem::take(&mut draft.symbol.name),
    };
    draft.symbol.name = name;
    if draft.symbol.kind == Method && draft.node.kind() == "property_declaration" {
        draft.set(Modifiers::ACCESSOR);
    }
    if draft.symbol.kind == Constructor {
        draft.symbol.type_text = Box::default();
    }
    if draft.symbol.kind == Method && draft.symbol.signature.contains("(this ") {
        let owner = extended(&draft.symbol.parameters);
        draft.symbol.rare.set(|rare| &mut rare.owner, owner);
    }
    let lists = draft.symbol.rare.decorators.iter();
    let decorators = lists.flat_map(|list| attributes(list)).collect();
    draft
        .symbol
        .rare
        .set(|rare| &mut rare.decorators, decorators);
    let doc = without_tags(&draft.symbol.rare.doc);
    draft.symbol.rare.set(|rare| &mut rare.doc, doc);
    let is_test = |text: &String| {
        let words = text.split(|c: char| !c.is_alphanumeric());
        words.take(1).any(|word| {
            matches!(
                word,
                "Fact"
                    | "Theory"
                    | "Test"
                    | "TestCase"
                    | "TestMethod"
                    | "TestClass"
                    | "TestFixture"
            )
        })
    };
    if draft.symbol.rare.decorators.iter().any(is_test) {
        draft.set(Modifiers::TEST);
    }
    true
}

/// `using A.B;` sees all names of A.B, `using static A.B;` all members of the type B, `using C = A.B;` is an alias.
fn imports(node: Node, source: &str, out: &mut Vec<Import>) {
    let mut cursor = node.walk();
    let children: Vec<Node> = node.children(&mut cursor).collect();
    let alias = node.field("name");
    let target = children
        .iter()
        .rev()
        .find(|child| child.is_named() && Some(child.id()) != alias.map(|node| node.id()));
    let Some(target) = target else { return };
    let has = |word: &str| children.iter().any(|child| child.kind() == word);
    let path = squeezed(text_of(*target, source), 400);
    let path = path.trim_start_matches("global::");
    let plain = path.split('<').next().unwrap_or(path);
    let global = if has("global") {
        ImportFlags::REEXPORT
    } else {
        ImportFlags::empty()
    };
    let (module, name, local, flags) = match (alias, plain.rsplit_once('.')) {
        (Some(alias), Some((module, name))) => {
            (module, name, text_of(alias, source), ImportFlags::empty())
        }
        (Some(alias), None) => ("", plain, text_of(alias, source), ImportFlags::empty()),
        // The members of a type: a glob of the type, not of a namespace.
        (None, Some((module, name))) if has("static") => (module, name, "", ImportFlags::GLOB),
        (None, None) if has("static") => ("", plain, "", ImportFlags::GLOB),
        _ => (plain, "", "", ImportFlags::GLOB),
    };
    out.push(Import {
        module: module.to_owned(),
        name: name.to_owned(),
        local: local.to_owned(),
        flags: (flags | global).bits(),
        span: span_of(node),
        enclosing: None,
    });
}
