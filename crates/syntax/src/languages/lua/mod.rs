//! Lua: tables that are modules and classes, `require`, and the types that comments of the language server write down.

use tree_sitter::Node;

use crate::facts::{Base, BaseKind, Import, ImportFlags, Modifiers, SymbolKind};
use crate::fields::ByField;
use crate::node::{parent_of, span_of, text_of};
use crate::rules::{Draft, Rules};
use crate::text::squeezed;

pub(super) const RULES: Rules = Rules {
    queries: &[include_str!("symbols.scm"), include_str!("references.scm")],
    highlights: &[include_str!("highlights.scm")],
    imports,
    words: &[("local", Modifiers::PRIVATE)],
    refine,
    declarator: None,
    is_doc: |comment| !comment.starts_with("-- luacheck") && !comment.starts_with("--[[@as"),
    parts: None,
    bound: None,
};

fn refine(draft: &mut Draft) -> bool {
    use SymbolKind::{Class, Constant, Field, Function, Method, Variable};
    let value = first_value(draft.node);
    let is_required = value.is_some_and(|value| is_require(value, draft.source));
    if is_required && draft.symbol.kind == Variable {
        return false;
    }
    let symbol = &mut draft.symbol;
    // `Class.__index = Class` says how lookup goes on, and is no field.
    if symbol.kind == Field && symbol.name.starts_with("__") {
        return false;
    }
    symbol
        .parameters
        .retain(|parameter| !parameter.name.is_empty());
    let is_table =
        value.is_some_and(|value| matches!(value.kind(), "table_constructor" | "function_call"));
    if symbol.kind == Variable && is_table && is_class(&symbol.name, &symbol.doc, draft.source) {
        symbol.kind = Class;
    }
    // A function without statements is defined all the same.
    symbol.modifiers &= !Modifiers::DECLARATION.bits();
    let signature = symbol.signature.trim_end_matches(" end");
    symbol.signature = signature.trim_end_matches(", function()").to_owned();
    let is_upper = symbol.name.len() > 1
        && symbol.name.chars().any(char::is_alphabetic)
        && !symbol.name.chars().any(char::is_lowercase);
    if symbol.kind == Variable && is_upper {
        symbol.kind = Constant;
    }
    let is_test = draft.node.kind() == "function_call";
    let is_local = draft.has_word("local");
    read_annotations(draft);
    let symbol = &draft.symbol;
    let has_owner = !symbol.owner.is_empty() || symbol.kind == Method;
    let is_static = symbol.kind == Function && has_owner;
    let is_exported = !symbol.name.starts_with('_') && !is_test && !is_local;
    if is_static {
        draft.set(Modifiers::STATIC);
    }
    if is_test {
        draft.set(Modifiers::TEST);
    }
    if is_exported && (has_owner || draft.symbol.parent.is_none()) {
        draft.set(Modifiers::EXPORTED);
    }
    true
}

/// The first value of an assignment.
fn first_value(node: Node) -> Option<Node> {
    let mut cursor = node.walk();
    let list = node
        .children(&mut cursor)
        .find(|child| child.kind() == "expression_list")?;
    list.named_child(0)
}

fn is_require(value: Node, source: &str) -> bool {
    text_of(value, source)
        .strip_prefix("require")
        .is_some_and(|rest| {
            rest.starts_with(['(', ' ', '"', '\'']) && !rest.contains(")(") && !is_called(value)
        })
}

/// `require("a").setup()` is a value, `require("a")` and `require("a").b` are imports.
fn is_called(value: Node) -> bool {
    value.kind() == "function_call"
        && value
            .field("name")
            .is_some_and(|name| name.kind() != "identifier")
}

/// A table that is said to be a class, or in which its instances look things up.
fn is_class(name: &str, doc: &str, source: &str) -> bool {
    let looked_in = format!("{name}.__index");
    let mut places = source.match_indices(&looked_in);
    doc.contains("@class")
        || places.any(|(at, _)| {
            let before = source.get(..at).and_then(|text| text.chars().next_back());
            !before.is_some_and(|c| crate::text::is_word(c) || c == '.')
        })
}

/// `---@param a Type`, `---@return Type`, `---@class Child: Base`.
fn read_annotations(draft: &mut Draft) {
    let span = draft.symbol.name_span;
    let doc = draft.symbol.doc.clone();
    for line in doc.lines() {
        let Some((tag, rest)) = line.trim_start().split_once(' ') else {
            continue;
        };
        let symbol = &mut draft.symbol;
        match tag {
            "@return" | "@type" if symbol.type_text.is_empty() => {
                symbol.type_text = first_type(rest)
            }
            "@param" => {
                let (name, written) = rest.trim().split_once(' ').unwrap_or((rest, ""));
                let name = name.trim_end_matches('?');
                if let Some(one) = symbol.parameters.iter_mut().find(|one| one.name == name) {
                    one.type_text = first_type(written);
                }
            }
            "@class" if symbol.kind == SymbolKind::Class => {
                let above = rest.split_once(':').map(|(_, bases)| bases);
                let names = above.into_iter().flat_map(|bases| bases.split(','));
                symbol.bases.extend(names.map(|name| Base {
                    name: first_type(name),
                    kind: BaseKind::Extends,
                    span,
                    ty: None,
                }));
            }
            _ => {}
        }
    }
}

/// The type at the start of a comment, up to the words about it.
fn first_type(text: &str) -> String {
    let text = text.trim();
    let end = text
        .char_indices()
        .find(|&(at, c)| {
            c.is_whitespace()
                && !text
                    .get(..at)
                    .is_some_and(|head| head.ends_with([',', '|', ':']))
        })
        .map_or(text.len(), |(at, _)| at);
    squeezed(
        text.get(..end).unwrap_or_default().trim_end_matches('?'),
        200,
    )
}

fn imports(node: Node, source: &str, out: &mut Vec<Import>) {
    if node.kind() == "return_statement" {
        return returned(node, source, out);
    }
    let module = node
        .field("arguments")
        .and_then(|arguments| {
            let mut cursor = arguments.walk();
            arguments
                .named_children(&mut cursor)
                .find(|child| child.kind() == "string")
        })
        .and_then(|string| string.field("content"))
        .map(|content| text_of(content, source).to_owned())
        .unwrap_or_default();
    if module.is_empty() {
        return;
    }
    let is_guarded = text_of(node, source).starts_with("pcall");
    let field = parent_of(node)
        .filter(|parent| parent.kind() == "dot_index_expression")
        .filter(|parent| parent.field("table") == Some(node));
    let value = field.unwrap_or(node);
    let name = field
        .and_then(|field| field.field("field"))
        .map(|field| text_of(field, source).to_owned())
        .unwrap_or_default();
    let local = bound_name(value, source, is_guarded).unwrap_or_default();
    let flags = match (local.is_empty(), name.is_empty()) {
        (true, _) => ImportFlags::SIDE_EFFECT,
        (false, true) => ImportFlags::MODULE,
        (false, false) => ImportFlags::empty(),
    };
    let name = if local.is_empty() {
        String::new()
    } else {
        name
    };
    out.push(import(node, module, name, local, flags));
}

/// The variable that takes a value: `x` of `local x = require("a")`, `m` of `local ok, m = pcall(require, "a")`.
fn bound_name(value: Node, source: &str, is_guarded: bool) -> Option<String> {
    let list = parent_of(value).filter(|list| list.kind() == "expression_list")?;
    let assignment = parent_of(list).filter(|one| one.kind() == "assignment_statement")?;
    let mut cursor = list.walk();
    let place = list
        .named_children(&mut cursor)
        .position(|child| child == value)?;
    let names = assignment.named_child(0)?;
    let mut cursor = names.walk();
    let name = names
        .children_by_field_name("name", &mut cursor)
        .nth(place + usize::from(is_guarded))?;
    (name.kind() == "identifier").then(|| text_of(name, source).to_owned())
}

/// Reads the value that a file returns to `require`.
fn returned(node: Node, source: &str, out: &mut Vec<Import>) {
    let mut cursor = node.walk();
    let list = node
        .named_children(&mut cursor)
        .find(|child| child.kind() == "expression_list");
    let Some(value) = list.and_then(|list| list.named_child(0)) else {
        return;
    };
    let pass_on = |name: Node, local: &str| {
        import(
            node,
            String::new(),
            text_of(name, source).to_owned(),
            local.to_owned(),
            ImportFlags::REEXPORT,
        )
    };
    match value.kind() {
        "identifier" => out.push(pass_on(value, "default")),
        "function_call" => {
            let first = value
                .field("arguments")
                .and_then(|arguments| arguments.named_child(0));
            if let Some(first) = first.filter(|first| first.kind() == "identifier") {
                out.push(pass_on(first, "default"));
            }
        }
        "table_constructor" => {
            let mut cursor = value.walk();
            for field in value.named_children(&mut cursor).take(1000) {
                let part = |name| field.field(name);
                if let (Some(name), Some(held)) = (part("name"), part("value"))
                    && held.kind() == "identifier"
                {
                    out.push(pass_on(held, text_of(name, source)));
                }
            }
        }
        _ => {}
    }
}

fn import(node: Node, module: String, name: String, local: String, flags: ImportFlags) -> Import {
    Import {
        module,
        name,
        local,
        flags: flags.bits(),
        span: span_of(node),
        enclosing: None,
    }
}
