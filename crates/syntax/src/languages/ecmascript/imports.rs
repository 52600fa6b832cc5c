//! Imports and re-exports: ECMAScript modules, CommonJS, TypeScript's own.

use tree_sitter::Node;

use crate::facts::{Import, ImportFlags};
use crate::fields::ByField;
use crate::node::{parent_of, span_of, text_of};
use crate::text::squeezed;

/// Reads one `@import` node.
pub(super) fn read(node: Node, source: &str, out: &mut Vec<Import>) {
    match node.kind() {
        "import_statement" => import_statement(node, source, out),
        "export_statement" => export_statement(node, source, out),
        "call_expression" => call(node, source, out),
        "import_alias" => alias(node, source, out),
        "expression_statement" | "variable_declarator" => assigned_export(node, source, out),
        _ => {}
    }
}

fn import_statement(node: Node, source: &str, out: &mut Vec<Import>) {
    let mut flags = ImportFlags::empty();
    let mut cursor = node.walk();
    let children: Vec<Node> = node.children(&mut cursor).collect();
    if children.iter().any(|child| child.kind() == "type") {
        flags |= ImportFlags::TYPE_ONLY;
    }
    if let Some(clause) = children
        .iter()
        .find(|child| child.kind() == "import_require_clause")
    {
        let module = clause
            .field("source")
            .map(|module| string(module, source))
            .unwrap_or_default();
        let local = clause
            .named_child(0)
            .map(|name| text_of(name, source))
            .unwrap_or_default();
        return push(out, node, &module, "", local, flags | ImportFlags::MODULE);
    }
    let module = node
        .field("source")
        .map(|module| string(module, source))
        .unwrap_or_default();
    let Some(clause) = children
        .iter()
        .find(|child| child.kind() == "import_clause")
    else {
        return push(out, node, &module, "", "", flags | ImportFlags::SIDE_EFFECT);
    };
    let mut cursor = clause.walk();
    for part in clause.named_children(&mut cursor) {
        match part.kind() {
            "identifier" => push(out, part, &module, "default", text_of(part, source), flags),
            "namespace_import" => {
                let local = part
                    .named_child(0)
                    .map(|name| text_of(name, source))
                    .unwrap_or_default();
                push(out, part, &module, "", local, flags | ImportFlags::MODULE);
            }
            _ => specifiers(part, source, &module, flags, out),
        }
    }
}

/// The names between braces of an import or export.
fn specifiers(list: Node, source: &str, module: &str, flags: ImportFlags, out: &mut Vec<Import>) {
    let mut cursor = list.walk();
    for specifier in list.named_children(&mut cursor) {
        let Some(name) = specifier.field("name") else {
            continue;
        };
        let local = specifier.field("alias").unwrap_or(name);
        let is_type = specifier
            .child(0)
            .is_some_and(|first| first.kind() == "type");
        let flags = if is_type {
            flags | ImportFlags::TYPE_ONLY
        } else {
            flags
        };
        push(
            out,
            specifier,
            module,
            &string(name, source),
            &string(local, source),
            flags,
        );
    }
}

fn export_statement(node: Node, source: &str, out: &mut Vec<Import>) {
    let module = node
        .field("source")
        .map(|module| string(module, source))
        .unwrap_or_default();
    let mut flags = ImportFlags::REEXPORT;
    let mut cursor = node.walk();
    let children: Vec<Node> = node.children(&mut cursor).collect();
    if children.iter().any(|child| child.kind() == "type") {
        flags |= ImportFlags::TYPE_ONLY;
    }
    if let Some(namespace) = children
        .iter()
        .find(|child| child.kind() == "namespace_export")
    {
        let local = namespace
            .named_child(0)
            .map(|name| string(name, source))
            .unwrap_or_default();
        push(out, node, &module, "", &local, flags | ImportFlags::MODULE);
    } else if let Some(clause) = children
        .iter()
        .find(|child| child.kind() == "export_clause")
    {
        specifiers(*clause, source, &module, flags, out);
    } else if children.iter().any(|child| child.kind() == "*") {
        push(out, node, &module, "", "", flags | ImportFlags::GLOB);
    }
}

/// `require("x")` and `import("x")`; what it is assigned to tells the local name.
fn call(node: Node, source: &str, out: &mut Vec<Import>) {
    let module = node
        .field("arguments")
        .and_then(|list| list.named_child(0))
        .map(|text| string(text, source))
        .unwrap_or_default();
    let mut target = parent_of(node);
    let mut name = String::new();
    for _ in 0..3 {
        match target.map(|node| node.kind()) {
            Some("await_expression" | "parenthesized_expression") => {
                target = target.and_then(parent_of)
            }
            // `const f = require("x").f`
            Some("member_expression") => {
                name = target
                    .and_then(|node| node.field("property"))
                    .map(|node| text_of(node, source).to_owned())
                    .unwrap_or_default();
                target = target.and_then(parent_of);
            }
            _ => break,
        }
    }
    let pattern = match target.map(|node| node.kind()) {
        Some("variable_declarator") => target.and_then(|node| node.field("name")),
        Some("assignment_expression") => target.and_then(|node| node.field("left")),
        _ => None,
    };
    match pattern.map(|pattern| (pattern, pattern.kind())) {
        Some((pattern, "identifier")) => {
            let flags = if name.is_empty() {
                ImportFlags::MODULE
            } else {
                ImportFlags::empty()
            };
            push(out, node, &module, &name, text_of(pattern, source), flags);
        }
        Some((pattern, "object_pattern")) => destructured(pattern, source, &module, out),
        // `exports.x = require("x")`, `module.exports = require("x")`
        Some((pattern, "member_expression")) => {
            let (object, property) = pattern_parts(pattern, source);
            match (object.as_str(), property.as_str()) {
                ("module", "exports") => push(
                    out,
                    node,
                    &module,
                    &name,
                    "",
                    ImportFlags::REEXPORT | ImportFlags::GLOB,
                ),
                ("exports" | "module.exports", _) => {
                    let module_flag = if name.is_empty() {
                        ImportFlags::MODULE
                    } else {
                        ImportFlags::empty()
                    };
                    push(
                        out,
                        node,
                        &module,
                        &name,
                        &property,
                        ImportFlags::REEXPORT | module_flag,
                    );
                }
                _ => push(out, node, &module, "", "", ImportFlags::SIDE_EFFECT),
            }
        }
        _ => push(out, node, &module, "", "", ImportFlags::SIDE_EFFECT),
    }
}

fn destructured(pattern: Node, source: &str, module: &str, out: &mut Vec<Import>) {
    let mut cursor = pattern.walk();
    for part in pattern.named_children(&mut cursor) {
        match part.kind() {
            "shorthand_property_identifier_pattern" => {
                let name = text_of(part, source);
                push(out, part, module, name, name, ImportFlags::empty());
            }
            "pair_pattern" => {
                let field = |field| {
                    part.field(field)
                        .map(|node: Node| string(node, source))
                        .unwrap_or_default()
                };
                push(
                    out,
                    part,
                    module,
                    &field("key"),
                    &field("value"),
                    ImportFlags::empty(),
                );
            }
            _ => {}
        }
    }
}

/// `import A = b.c` within namespaces.
fn alias(node: Node, source: &str, out: &mut Vec<Import>) {
    let (Some(local), Some(path)) = (node.named_child(0), node.named_child(1)) else {
        return;
    };
    let path = squeezed(text_of(path, source), 400);
    let (module, name) = path.rsplit_once('.').unwrap_or((path.as_str(), ""));
    push(
        out,
        node,
        module,
        name,
        text_of(local, source),
        ImportFlags::empty(),
    );
}

/// `module.exports = name`, `exports.a = name`, `module.exports = { a, b: c }`, `var name = module.exports = {}`: names
/// of this file under others.
fn assigned_export(node: Node, source: &str, out: &mut Vec<Import>) {
    let declared = node.field("name").map(|name| text_of(name, source));
    let mut value = node.field("value").or_else(|| node.named_child(0));
    // `exports = module.exports = name`: a chain of assignments with one value.
    let mut exported = None;
    while let Some(assignment) = value.filter(|value| value.kind() == "assignment_expression") {
        exported = exported.or_else(|| {
            assignment
                .field("left")
                .and_then(|left| exported_as(left, source))
        });
        value = assignment.field("right");
    }
    let (Some(local), Some(value)) = (exported, value) else {
        return;
    };
    match (value.kind(), declared) {
        ("identifier", _) => push(
            out,
            value,
            "",
            text_of(value, source),
            &local,
            ImportFlags::REEXPORT,
        ),
        (_, Some(name)) => push(out, value, "", name, &local, ImportFlags::REEXPORT),
        ("object", None) if local == "default" => {
            let mut cursor = value.walk();
            for part in value.named_children(&mut cursor) {
                exported_pair(part, source, out);
            }
        }
        _ => {}
    }
}

/// The name under which an assignment to `left` exports.
fn exported_as(left: Node, source: &str) -> Option<String> {
    let (object, property) = pattern_parts(left, source);
    match (object.as_str(), property.as_str()) {
        ("module", "exports") => Some("default".to_owned()),
        ("exports" | "module.exports", name) => Some(name.to_owned()),
        _ => None,
    }
}

fn exported_pair(part: Node, source: &str, out: &mut Vec<Import>) {
    if part.kind() == "shorthand_property_identifier" {
        let name = text_of(part, source);
        return push(out, part, "", name, name, ImportFlags::REEXPORT);
    }
    let value = part
        .field("value")
        .filter(|value| value.kind() == "identifier");
    if let (Some(key), Some(value)) = (part.field("key"), value) {
        push(
            out,
            part,
            "",
            text_of(value, source),
            &string(key, source),
            ImportFlags::REEXPORT,
        );
    }
}

fn pattern_parts(member: Node, source: &str) -> (String, String) {
    let field = |field| {
        member
            .field(field)
            .map(|node: Node| squeezed(text_of(node, source), 100))
            .unwrap_or_default()
    };
    (field("object"), field("property"))
}

/// A name or the inside of a string.
fn string(node: Node, source: &str) -> String {
    text_of(node, source)
        .trim_matches(['"', '\'', '`'])
        .to_owned()
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
