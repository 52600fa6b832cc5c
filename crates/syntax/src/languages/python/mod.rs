//! Python: imports, names that say what they are (`__init__`, `_private`, `UPPER`, `test_x`), decorated properties.

use tree_sitter::Node;

use crate::facts::{Import, ImportFlags, Modifiers, Symbol, SymbolKind};
use crate::fields::ByField;
use crate::node::{parent_of, span_of, text_of};
use crate::rules::{Draft, Rules};
use crate::text::squeezed;

pub(super) const RULES: Rules = Rules {
    queries: &[include_str!("symbols.scm"), include_str!("references.scm")],
    highlights: &[include_str!("highlights.scm")],
    imports,
    words: &[],
    refine,
    declarator: None,
    is_doc: |comment| comment.starts_with('#') && !comment.starts_with("#!"),
    parts: None,
    bound: None,
};

fn refine(draft: &mut Draft) -> bool {
    let name = draft.symbol.name.clone();
    if draft.symbol.kind == SymbolKind::Method && name == "__init__" {
        draft.symbol.kind = SymbolKind::Constructor;
    }
    let is_upper = name.chars().any(char::is_alphabetic) && !name.chars().any(char::is_lowercase);
    if draft.symbol.kind == SymbolKind::Variable && is_upper {
        draft.symbol.kind = SymbolKind::Constant;
    }
    let is_dunder = name.starts_with("__") && name.ends_with("__");
    let in_class = draft
        .parent
        .is_some_and(|outer| outer.kind == SymbolKind::Class);
    draft.set(match name.as_bytes() {
        [b'_', b'_', ..] if !is_dunder => Modifiers::PRIVATE,
        [b'_', ..] if !is_dunder && in_class => Modifiers::PROTECTED,
        [b'_', ..] if !is_dunder => Modifiers::PRIVATE,
        _ => Modifiers::EXPORTED,
    });
    if draft.symbol.kind == SymbolKind::Field && is_enum_member(draft) {
        draft.symbol.kind = SymbolKind::Variant;
    }
    if draft.symbol.kind == SymbolKind::Class && extends(&draft.symbol, &["ABC", "ABCMeta"]) {
        draft.set(Modifiers::ABSTRACT);
    }
    if draft
        .symbol
        .type_text
        .split(['[', '.'])
        .any(|word| word == "Final")
    {
        draft.set(Modifiers::READONLY);
    }
    for decorator in draft.symbol.rare.decorators.clone() {
        let word = decorator.split('(').next().unwrap_or_default();
        match word.rsplit('.').next().unwrap_or_default() {
            "staticmethod" | "classmethod" => draft.set(Modifiers::STATIC),
            "property" | "cached_property" | "setter" | "getter" | "deleter" => {
                draft.set(Modifiers::ACCESSOR)
            }
            "abstractmethod" => draft.set(Modifiers::DECLARATION | Modifiers::ABSTRACT),
            "overload" => draft.set(Modifiers::DECLARATION),
            "final" => draft.set(Modifiers::FINAL),
            _ => {}
        }
    }
    let is_test = match draft.symbol.kind {
        SymbolKind::Function | SymbolKind::Method => name.starts_with("test_") || name == "test",
        SymbolKind::Class => name.starts_with("Test"),
        _ => false,
    };
    if is_test {
        draft.set(Modifiers::TEST);
    }
    !(draft.symbol.kind == SymbolKind::Variable && replaces_import(draft))
}

/// The classes of the standard library's `enum`, and Django's, whose class-level names are values of the enumeration.
const ENUMS: [&str; 8] = [
    "Enum",
    "IntEnum",
    "StrEnum",
    "Flag",
    "IntFlag",
    "ReprEnum",
    "TextChoices",
    "IntegerChoices",
];

/// Returns true if a class names one of `bases`, with any module before it.
fn extends(class: &Symbol, bases: &[&str]) -> bool {
    let list = class.signature.split_once('(').map_or("", |(_, list)| list);
    list.split(|c: char| !crate::text::is_word(c))
        .any(|word| bases.contains(&word))
}

/// `RED = 1` in a class of the enumerations, and not what a method sets, what starts with an underscore or has no value.
fn is_enum_member(draft: &Draft) -> bool {
    let is_assigned = draft.node.field("right").is_some();
    let is_named = draft.node.field("left");
    let is_plain = is_named.is_some_and(|left| left.kind() == "identifier");
    is_assigned
        && is_plain
        && !draft.symbol.name.starts_with('_')
        && draft.parent.is_some_and(|outer| extends(outer, &ENUMS))
}

/// `json = None` where `import json` failed: the name is the import's.
fn replaces_import(draft: &Draft) -> bool {
    let value = draft.node.field("right");
    let is_none = value.is_some_and(|value| value.kind() == "none");
    let mut around = parent_of(draft.node).filter(|_| is_none);
    for _ in 0..2 {
        around = around.and_then(parent_of);
    }
    around.is_some_and(|node| {
        node.kind() == "except_clause" && text_of(node, draft.source).contains("ImportError")
    })
}

fn imports(node: Node, source: &str, out: &mut Vec<Import>) {
    let text = |node: Node| squeezed(text_of(node, source), 400);
    let module = match node.kind() {
        "future_import_statement" => Some("__future__".to_owned()),
        _ => node.field("module_name").map(text),
    };
    let mut cursor = node.walk();
    for child in node.children_by_field_name("name", &mut cursor) {
        let (name, alias) = match child.kind() {
            "aliased_import" => (
                child.field("name").map(text).unwrap_or_default(),
                child.field("alias").map(text),
            ),
            _ => (text(child), None),
        };
        match &module {
            Some(module) => {
                let local = alias.unwrap_or_else(|| name.clone());
                out.push(import(
                    child,
                    module.clone(),
                    name,
                    local,
                    ImportFlags::empty(),
                ));
            }
            // `import a.b` binds `a`; `import a.b as c` binds the module a.b.
            None => {
                let local =
                    alias.unwrap_or_else(|| name.split('.').next().unwrap_or_default().to_owned());
                out.push(import(
                    child,
                    name,
                    String::new(),
                    local,
                    ImportFlags::MODULE,
                ));
            }
        }
    }
    let mut cursor = node.walk();
    if node
        .named_children(&mut cursor)
        .any(|child| child.kind() == "wildcard_import")
    {
        out.push(import(
            node,
            module.unwrap_or_default(),
            String::new(),
            String::new(),
            ImportFlags::GLOB,
        ));
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
