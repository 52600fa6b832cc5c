//! PHP: namespaces, `use` of classes, functions and constants, included files, visibility.

use tree_sitter::Node;

use crate::facts::{Import, ImportFlags, Modifiers, Symbol, SymbolKind};
use crate::fields::ByField;
use crate::node::{span_of, text_of};
use crate::rules::{Draft, Rules};
use crate::text::{folded, squeezed};

pub(super) const RULES: Rules = Rules {
    queries: &[include_str!("symbols.scm"), include_str!("references.scm")],
    highlights: &[include_str!("highlights.scm")],
    imports,
    words: &[
        ("private", Modifiers::PRIVATE),
        ("protected", Modifiers::PROTECTED),
        ("abstract", Modifiers::ABSTRACT),
        ("final", Modifiers::FINAL),
        ("readonly", Modifiers::READONLY),
    ],
    refine,
    is_doc: |comment| {
        comment.starts_with("/**") || comment.starts_with("//") || comment.starts_with("# ")
    },
    declarator: None,
    parts: None,
    bound: None,
};

fn refine(draft: &mut Draft) -> bool {
    use SymbolKind::{Constant, Constructor, Field, Function, Method, Variable, Variant};
    let in_type = draft.parent.is_some_and(|outer| outer.kind.is_type());
    let is_hidden = draft.has_word("private");
    let is_member = matches!(draft.symbol.kind, Method | Constructor | Field | Constant) && in_type;
    let is_local =
        matches!(draft.symbol.kind, Function | Variable) && draft.symbol.name.starts_with('$');
    if !(is_hidden || is_local) && (is_member || !in_type || draft.symbol.kind == Variant) {
        draft.set(Modifiers::EXPORTED);
    }
    if draft.node.kind() == "object_creation_expression" {
        draft.symbol.name = "class@anonymous".to_owned();
        draft.symbol.modifiers &= !Modifiers::EXPORTED.bits();
        draft.set(Modifiers::ANONYMOUS);
    }
    types_from_doc(&mut draft.symbol);
    if draft.symbol.kind == Constructor {
        draft.symbol.type_text = Box::default();
    }
    let name = &draft.symbol.name;
    let is_test = draft.symbol.kind == Method && name.starts_with("test")
        || draft.symbol.rare.doc.contains("@test")
        || draft
            .symbol
            .rare
            .decorators
            .iter()
            .any(|text| text == "Test")
        || draft.symbol.kind == SymbolKind::Class
            && draft.symbol.signature.contains("extends")
            && draft.symbol.signature.contains("TestCase");
    if is_test {
        draft.set(Modifiers::TEST);
    }
    let lists = draft.symbol.rare.decorators.iter();
    let decorators = lists.flat_map(|list| super::csharp::attributes(list));
    let decorators = decorators.collect();
    draft
        .symbol
        .rare
        .set(|rare| &mut rare.decorators, decorators);
    true
}

/// `@param Foo $a`, `@return Foo`, `@var Foo`: types, where none is written in the code.
fn types_from_doc(symbol: &mut Symbol) {
    for line in symbol.rare.doc.lines() {
        let mut words = line.split_whitespace();
        match (words.next(), words.next(), words.next()) {
            (Some("@param"), Some(written), Some(name)) => {
                let known = symbol
                    .parameters
                    .iter_mut()
                    .find(|parameter| parameter.name == name.trim_start_matches(['&', '.']));
                if let Some(parameter) = known.filter(|parameter| parameter.type_text.is_empty()) {
                    parameter.type_text = folded(written, 200);
                }
            }
            (Some("@return" | "@var"), Some(written), _) if symbol.type_text.is_empty() => {
                symbol.type_text = folded(written, 200).into();
            }
            _ => {}
        }
    }
}

fn imports(node: Node, source: &str, out: &mut Vec<Import>) {
    match node.kind() {
        "namespace_use_declaration" => uses(node, source, out),
        "namespace_name" => {}
        _ => included(node, source, out),
    }
}

/// `use A\B;`, `use A\B as C;`, `use A\{B, C as D};`, each also for functions and constants.
fn uses(node: Node, source: &str, out: &mut Vec<Import>) {
    let mut cursor = node.walk();
    let prefix = node
        .named_children(&mut cursor)
        .find(|child| child.kind() == "namespace_name")
        .map(|child| squeezed(text_of(child, source), 400))
        .unwrap_or_default();
    let list = node.field("body").unwrap_or(node);
    let mut cursor = list.walk();
    for clause in list.named_children(&mut cursor) {
        if clause.kind() != "namespace_use_clause" {
            continue;
        }
        let mut inner = clause.walk();
        let path = clause
            .named_children(&mut inner)
            .find(|child| matches!(child.kind(), "name" | "qualified_name"));
        let Some(path) = path else { continue };
        let path = squeezed(text_of(path, source), 400);
        let path = path.trim_start_matches('\\');
        let path = match prefix.trim_start_matches('\\') {
            "" => path.to_owned(),
            prefix => format!("{prefix}\\{path}"),
        };
        let (module, name) = path.rsplit_once('\\').unwrap_or(("", &path));
        let alias = clause.field("alias").map(|alias| text_of(alias, source));
        push(
            out,
            clause,
            module,
            name,
            alias.unwrap_or(name),
            ImportFlags::empty(),
        );
    }
}

/// `require __DIR__ . '/a.php'`: the literal part of the path.
fn included(node: Node, source: &str, out: &mut Vec<Import>) {
    let text = text_of(node, source);
    let quoted = text.find(['\'', '"']).and_then(|from| {
        let quote = text.get(from..=from)?;
        let rest = text.get(from + 1..)?;
        rest.split_once(quote).map(|(path, _)| path)
    });
    let Some(path) = quoted.filter(|path| !path.is_empty() && !path.contains('$')) else {
        return;
    };
    let flags = ImportFlags::GLOB | ImportFlags::SIDE_EFFECT;
    push(
        out,
        node,
        &format!("./{}", path.trim_start_matches(['/', '.'])),
        "",
        "",
        flags,
    );
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
