//! Lua: tables that are modules and classes, `require`, and the types that comments of the language server write down.

mod bound;

use tree_sitter::Node;

use crate::facts::{Base, BaseKind, Import, ImportFlags, Modifiers, SymbolKind};
use crate::fields::ByField;
use crate::node::{parent_of, span_of, text_of};
use crate::rules::{Bound, Draft, Rules};
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
    bound: Some(Bound {
        value: bound::bound,
        extent: None,
    }),
};

/// Maximum number of calls of `setmetatable` in which the metatable of a table is looked for.
const MAX_METATABLES: usize = 200;

fn refine(draft: &mut Draft) -> bool {
    use SymbolKind::{Class, Constant, Field, Function, Method, Variable};
    let value = bound::nth_value(draft.node, 0);
    let is_local = draft.has_word("local");
    if draft.node.kind() == "return_statement" {
        name_returned(draft);
    }
    let symbol = &mut draft.symbol;
    if symbol.kind == Variable && gives_name(&symbol.name, draft.node, is_local, draft.source) {
        return false;
    }
    // A table within a function is a definition if it has functions.
    if symbol.kind == Class {
        if !value.is_some_and(|value| holds_functions(&symbol.name, value, draft.source)) {
            return false;
        }
        symbol.kind = Variable;
    }
    // `Class.__index = Class` says how lookup goes on, and is no field.
    if symbol.kind == Field && symbol.name.starts_with("__") {
        return false;
    }
    symbol
        .parameters
        .retain(|parameter| !parameter.name.is_empty());
    let is_table =
        value.is_some_and(|value| matches!(value.kind(), "table_constructor" | "function_call"));
    if symbol.kind == Variable && is_table {
        let makes_class = value
            .is_some_and(|value| matches!(bound::called(value, draft.source), "class" | "Class"));
        if makes_class || is_class(&symbol.name, &symbol.rare.doc, draft.source) {
            symbol.kind = Class;
        }
        if let Some(base) = metatable_base(&symbol.name, draft.source) {
            symbol.rare.get_mut().bases.push(Base {
                name: base.to_owned(),
                kind: BaseKind::Extends,
                span: symbol.name_span,
                ty: None,
            });
        }
    }
    // A function without statements is defined all the same.
    symbol.modifiers &= !Modifiers::DECLARATION.bits();
    let signature = symbol.signature.trim_end_matches(" end");
    symbol.signature = signature.trim_end_matches(", function()").into();
    let is_upper = symbol.name.len() > 1
        && symbol.name.chars().any(char::is_alphabetic)
        && !symbol.name.chars().any(char::is_lowercase);
    if symbol.kind == Variable && is_upper {
        symbol.kind = Constant;
    }
    let is_test = draft.node.kind() == "function_call";
    read_annotations(draft);
    let symbol = &draft.symbol;
    let has_owner = !symbol.rare.owner.is_empty() || symbol.kind == Method;
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

/// The function that a file returns is called by the name of the module.
fn name_returned(draft: &mut Draft) {
    let span = &mut draft.symbol.name_span;
    (span.end, span.end_line) = (span.start, span.start_line);
    draft.symbol.name = "default".to_owned();
    draft.set(Modifiers::DEFAULT_EXPORT | Modifiers::EXPORTED);
}

/// Returns whether an assignment gives the name to a module, as an import does, or only in this file to a value that
/// has a name: `local insert = table.insert`.
fn gives_name(name: &str, assignment: Node, is_local: bool, source: &str) -> bool {
    let mut cursor = assignment.walk();
    let list = assignment
        .named_children(&mut cursor)
        .find(|child| child.kind() == "variable_list");
    let value = list.and_then(|list| {
        let mut cursor = list.walk();
        let mut names = list.named_children(&mut cursor);
        let named = names.find(|child| text_of(*child, source) == name)?;
        bound::nth_value(assignment, bound::position(named, list)?)
    });
    value.is_some_and(|value| {
        let is_name = matches!(value.kind(), "identifier" | "dot_index_expression");
        is_require(value, source) || is_local && is_name && !is_extended(name, source)
    })
}

/// Returns whether a table has functions: in its constructor, or assigned to it.
fn holds_functions(name: &str, table: Node, source: &str) -> bool {
    let mut cursor = table.walk();
    let is_function = |field: Node| {
        field
            .field("value")
            .is_some_and(|value| value.kind() == "function_definition")
    };
    let has_own =
        table.kind() == "table_constructor" && table.named_children(&mut cursor).any(is_function);
    has_own || is_extended(name, source)
}

/// Returns whether functions are written into a table: `function Table.name()`, `Table.name = function()`.
fn is_extended(table: &str, source: &str) -> bool {
    let heads = [".", ":"].map(|sign| format!("function {table}{sign}"));
    heads.iter().any(|head| source.contains(head)) || is_given_functions(table, source)
}

/// Returns whether functions are assigned to members of a table, each at the beginning of a line.
fn is_given_functions(table: &str, source: &str) -> bool {
    let member = format!("{table}.");
    source.match_indices(&member).any(|(at, _)| {
        let is_first = source
            .get(..at)
            .and_then(|before| before.trim_end_matches([' ', '\t']).chars().next_back())
            .is_none_or(|before| before == '\n');
        let rest = source.get(at + member.len()..).unwrap_or_default();
        let value = rest.trim_start_matches(crate::text::is_word).trim_start();
        let is_function = |value: &str| value.trim_start().starts_with("function");
        is_first && value.strip_prefix('=').is_some_and(is_function)
    })
}

/// The table in which another looks names up, by a statement of its own: `setmetatable(Child, { __index = Base })`.
fn metatable_base<'s>(name: &str, source: &'s str) -> Option<&'s str> {
    let calls = source.match_indices("setmetatable(");
    calls.take(MAX_METATABLES).find_map(|(at, call)| {
        let rest = source.get(at + call.len()..)?.trim_start();
        let rest = rest.strip_prefix(name)?.trim_start().strip_prefix(',')?;
        let rest = rest.trim_start();
        let table = match rest.strip_prefix('{') {
            Some(fields) => {
                let fields = fields.split('}').next()?;
                let (_, value) = fields.split_once("__index")?;
                value.trim_start().strip_prefix('=')?.trim_start()
            }
            None => rest,
        };
        let is_part = |c: char| crate::text::is_word(c) || c == '.';
        let end = table.find(|c| !is_part(c)).unwrap_or(table.len());
        let (base, behind) = table.split_at(end);
        let is_whole =
            behind.trim_start().starts_with([')', ',', ';', '}']) || behind.trim().is_empty();
        (is_whole && base.starts_with(|c: char| c.is_alphabetic() || c == '_') && base != name)
            .then_some(base)
    })
}

/// Returns whether a value is a module, or a member of one.
fn is_require(value: Node, source: &str) -> bool {
    text_of(value, source)
        .strip_prefix("require")
        .is_some_and(|rest| {
            rest.starts_with(['(', ' ', '"', '\'']) && !rest.contains(")(") && !is_called(value)
        })
}

/// Returns whether a call is one of `require`.
fn is_required(call: Node, source: &str) -> bool {
    bound::called(call, source) == "require"
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
    let doc = draft.symbol.rare.doc.clone();
    for line in doc.lines() {
        let Some((tag, rest)) = line.trim_start().split_once(' ') else {
            continue;
        };
        let symbol = &mut draft.symbol;
        match tag {
            "@return" | "@type" if symbol.type_text.is_empty() => {
                symbol.type_text = first_type(rest).into()
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
                symbol.rare.get_mut().bases.extend(names.map(|name| Base {
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
