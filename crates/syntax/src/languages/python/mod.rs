//! Python: imports, names that say what they are (`__init__`, `_private`, `UPPER`, `test_x`), decorated properties.

use tree_sitter::Node;

use super::{Rules, span_of, text_of};
use crate::extract::Draft;
use crate::facts::{Import, ImportFlags, Modifiers, SymbolKind};
use crate::text::squeezed;

pub(super) const RULES: Rules = Rules {
    queries: &[include_str!("symbols.scm"), include_str!("references.scm")],
    highlights: &[include_str!("highlights.scm")],
    imports,
    refine,
    declarator: None,
    is_doc: |comment| comment.starts_with('#') && !comment.starts_with("#!"),
    parts: None,
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
    if !name.starts_with('_') || is_dunder {
        draft.set(Modifiers::EXPORTED);
    }
    for decorator in draft.symbol.decorators.clone() {
        let word = decorator.split('(').next().unwrap_or_default();
        match word.rsplit('.').next().unwrap_or_default() {
            "staticmethod" | "classmethod" => draft.set(Modifiers::STATIC),
            "property" | "cached_property" | "setter" | "getter" | "deleter" => {
                draft.set(Modifiers::ACCESSOR)
            }
            "abstractmethod" | "overload" => draft.set(Modifiers::DECLARATION),
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

/// `json = None` where `import json` failed: the name is the import's.
fn replaces_import(draft: &Draft) -> bool {
    let value = draft.node.child_by_field_name("right");
    let is_none = value.is_some_and(|value| value.kind() == "none");
    let mut around = draft.node.parent().filter(|_| is_none);
    for _ in 0..2 {
        around = around.and_then(|node| node.parent());
    }
    around.is_some_and(|node| {
        node.kind() == "except_clause" && text_of(node, draft.source).contains("ImportError")
    })
}

fn imports(node: Node, source: &str, out: &mut Vec<Import>) {
    let text = |node: Node| squeezed(text_of(node, source), 400);
    let module = match node.kind() {
        "future_import_statement" => Some("__future__".to_owned()),
        _ => node.child_by_field_name("module_name").map(text),
    };
    let mut cursor = node.walk();
    for child in node.children_by_field_name("name", &mut cursor) {
        let (name, alias) = match child.kind() {
            "aliased_import" => (
                child
                    .child_by_field_name("name")
                    .map(text)
                    .unwrap_or_default(),
                child.child_by_field_name("alias").map(text),
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
