//! JavaScript and TypeScript: one set of rules, with what only one of them has in queries of its own.

mod bound;
mod imports;

use tree_sitter::Node;

use crate::facts::{Modifiers, SymbolKind};
use crate::fields::ByField;
use crate::node::{parent_of, span_of, text_of};
use crate::rules::{Bound, Draft, Rules};
use crate::text::squeezed;

const TYPESCRIPT_QUERIES: &[&str] = &[
    include_str!("typescript_symbols.scm"),
    include_str!("symbols.scm"),
    include_str!("typescript_references.scm"),
    include_str!("references.scm"),
];
const TSX_QUERIES: &[&str] = &[
    include_str!("typescript_symbols.scm"),
    include_str!("symbols.scm"),
    include_str!("jsx.scm"),
    include_str!("typescript_references.scm"),
    include_str!("references.scm"),
];

const JAVASCRIPT_QUERIES: &[&str] = &[
    include_str!("javascript_symbols.scm"),
    include_str!("symbols.scm"),
    include_str!("javascript_fields.scm"),
    include_str!("jsx.scm"),
    include_str!("javascript_references.scm"),
    include_str!("references.scm"),
];

const JAVASCRIPT_HIGHLIGHTS: &[&str] = &[
    include_str!("jsx_highlights.scm"),
    include_str!("javascript_highlights.scm"),
    include_str!("highlights.scm"),
];
const TYPESCRIPT_HIGHLIGHTS: &[&str] = &[
    include_str!("typescript_highlights.scm"),
    include_str!("highlights.scm"),
];
const TSX_HIGHLIGHTS: &[&str] = &[
    include_str!("jsx_highlights.scm"),
    include_str!("typescript_highlights.scm"),
    include_str!("highlights.scm"),
];

pub(super) const JAVASCRIPT: Rules = with(JAVASCRIPT_QUERIES, JAVASCRIPT_HIGHLIGHTS);
pub(super) const TYPESCRIPT: Rules = with(TYPESCRIPT_QUERIES, TYPESCRIPT_HIGHLIGHTS);
pub(super) const TSX: Rules = with(TSX_QUERIES, TSX_HIGHLIGHTS);

const fn with(queries: &'static [&'static str], highlights: &'static [&'static str]) -> Rules {
    Rules {
        queries,
        highlights,
        imports: imports::read,
        words: &[
            ("private", Modifiers::PRIVATE),
            ("protected", Modifiers::PROTECTED),
            ("abstract", Modifiers::ABSTRACT),
            ("readonly", Modifiers::READONLY),
            ("declare", Modifiers::EXTERN),
        ],
        refine,
        declarator: None,
        is_doc: |comment| !comment.starts_with("/* eslint") && !comment.contains("@ts-"),
        parts: None,
        bound: Some(Bound {
            value: bound::bound,
            extent: None,
        }),
    }
}

/// Functions of test runners that take callbacks.
const TEST_WORDS: [&str; 6] = ["describe", "it", "test", "suite", "specify", "bench"];

fn refine(draft: &mut Draft) -> bool {
    use SymbolKind::Method;
    set_exported(draft);
    set_marks(draft);
    export_commonjs(draft);
    name_commonjs(draft);
    // A signature in no type is a statement that the parser misread behind an error.
    let is_stray = draft.parent.is_none()
        && draft.symbol.rare.owner.is_empty()
        && draft.symbol.is(Modifiers::DECLARATION);
    if draft.symbol.kind == Method && is_stray {
        return false;
    }
    let is_value = matches!(
        draft.symbol.kind,
        SymbolKind::Variable | SymbolKind::Constant
    );
    if is_value && is_required(draft) {
        return false;
    }
    name_computed(draft);
    let first_word = draft.symbol.name.split(['(', '.', ' ']).next();
    if draft.symbol.is(Modifiers::ANONYMOUS)
        && first_word.is_some_and(|word| TEST_WORDS.contains(&word))
    {
        draft.set(Modifiers::TEST);
    }
    // A callback of one line says nothing that its surroundings do not.
    let is_short = draft.symbol.span.start_line == draft.symbol.span.end_line;
    let is_silent = is_short || draft.symbol.name == "anonymous";
    !draft.symbol.is(Modifiers::ANONYMOUS)
        || draft.symbol.is(Modifiers::DEFAULT_EXPORT)
        || !is_silent
}

/// Marks what other modules can name.
fn set_exported(draft: &mut Draft) {
    use SymbolKind::{Constructor, Field, Method};
    // One of several declarators: `export` precedes all of them.
    if draft.head.trim().is_empty()
        && draft.node.kind() == "variable_declarator"
        && is_exported(draft.node)
    {
        draft.set(Modifiers::EXPORTED);
    }
    if draft.symbol.kind == SymbolKind::Variant
        && draft
            .parent
            .is_some_and(|outer| outer.is(Modifiers::EXPORTED))
    {
        draft.set(Modifiers::EXPORTED);
    }
    let is_member = matches!(draft.symbol.kind, Method | Field | Constructor);
    if draft.has_word("export") {
        draft.set(Modifiers::EXPORTED);
        if draft.has_word("default") {
            draft.set(Modifiers::DEFAULT_EXPORT);
        }
    }
    if is_member
        && draft.symbol.rare.owner.is_empty()
        && !draft.has_word("private")
        && !draft.has_word("protected")
        && !draft.symbol.name.starts_with('#')
    {
        draft.set(Modifiers::EXPORTED);
    }
}

/// Marks accessors, private names, generators, constant enums and declarations.
fn set_marks(draft: &mut Draft) {
    use SymbolKind::Method;
    if draft.symbol.kind == Method && (draft.has_word("get") || draft.has_word("set")) {
        draft.set(Modifiers::ACCESSOR);
    }
    if draft.symbol.name.starts_with('#') {
        draft.set(Modifiers::PRIVATE);
    }
    // `function*` and `*name() {}`; in `import * as` and types no definition's name follows it.
    let is_function = matches!(draft.symbol.kind, Method | SymbolKind::Function);
    if is_function && draft.head.trim_end().ends_with('*') {
        draft.set(Modifiers::GENERATOR);
    }
    let is_const_enum = draft.symbol.kind == SymbolKind::Enum && draft.has_word("const");
    if is_const_enum {
        draft.set(Modifiers::CONST);
    }
    if draft.has_word("declare") {
        draft.set(Modifiers::DECLARATION);
    }
}

/// `exports.f = …` and `module.exports = …` export.
fn export_commonjs(draft: &mut Draft) {
    let owner = draft.symbol.rare.owner.as_str();
    if owner == "exports"
        || owner == "module.exports"
        || (owner == "module" && draft.symbol.name == "exports")
    {
        draft.set(Modifiers::EXPORTED);
        draft.symbol.kind = if draft.symbol.kind == SymbolKind::Method {
            SymbolKind::Function
        } else {
            draft.symbol.kind
        };
    }
}

/// `const x = require("x")`, `const f = require("x").f` and `const x = await import("x")` import; `const d =
/// require("debug")("x")` and `import(name)` do not.
fn is_required(draft: &Draft) -> bool {
    let mut value = draft.node.field("value");
    while let Some(node) = value {
        value = match node.kind() {
            "member_expression" => node.field("object"),
            "await_expression" | "parenthesized_expression" => node.named_child(0),
            _ => break,
        };
    }
    let call = value.filter(|node| node.kind() == "call_expression");
    let callee = call.and_then(|node| node.field("function"));
    callee.is_some_and(|callee| match text_of(callee, draft.source) {
        "require" => true,
        // Other files import an exported one by its name.
        "import" if !draft.symbol.is(Modifiers::EXPORTED) => {
            let list = call.and_then(|node| node.field("arguments"));
            list.and_then(|list| list.named_child(0))
                .is_some_and(|first| first.kind() == "string")
        }
        _ => false,
    })
}

/// `app["get"] = function () {}` is called `get` and belongs to app; the name of `app[method] = …` is known when it runs.
fn name_computed(draft: &mut Draft) {
    let left = draft.node.field("left");
    let Some(left) = left.filter(|left| left.kind() == "subscript_expression") else {
        return;
    };
    let index = left.field("index");
    match index.filter(|index| index.kind() == "string") {
        Some(index) => {
            let owner = left.field("object");
            let owner = owner
                .map(|owner| squeezed(text_of(owner, draft.source), 200))
                .unwrap_or_default();
            draft.symbol.rare.set(|rare| &mut rare.owner, owner);
            draft.symbol.name_span = span_of(index);
            draft.symbol.name_span.start += 1;
            draft.symbol.name_span.end -= 1;
            draft.symbol.name = text_of(index, draft.source)
                .trim_matches(['"', '\''])
                .to_owned();
            draft.symbol.kind = SymbolKind::Method;
        }
        None => draft.set(Modifiers::ANONYMOUS),
    }
}

fn is_exported(declarator: Node) -> bool {
    let statement = parent_of(declarator).and_then(parent_of);
    statement.is_some_and(|statement| statement.kind() == "export_statement")
}

/// `module.exports = function name() {}` is called by the function's own name, else `default`.
fn name_commonjs(draft: &mut Draft) {
    if draft.symbol.rare.owner != "module" || draft.symbol.name != "exports" {
        return;
    }
    let own = draft
        .node
        .field("right")
        .and_then(|right| right.field("name"));
    draft.symbol.name = match own {
        Some(node) => {
            draft.symbol.name_span = span_of(node);
            text_of(node, draft.source).to_owned()
        }
        None => "default".to_owned(),
    };
    draft.symbol.rare.set(|rare| &mut rare.owner, String::new());
    draft.set(Modifiers::DEFAULT_EXPORT);
}
