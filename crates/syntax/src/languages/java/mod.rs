//! Java: packages, imports of types, members and whole packages, modifiers.

use tree_sitter::Node;

use crate::facts::{Import, ImportFlags, Modifiers, SymbolKind};
use crate::node::{span_of, text_of};
use crate::rules::{Draft, Rules};
use crate::text::squeezed;

pub(super) const RULES: Rules = Rules {
    queries: &[include_str!("symbols.scm"), include_str!("references.scm")],
    highlights: &[include_str!("highlights.scm")],
    imports,
    words: &[
        ("private", Modifiers::PRIVATE),
        ("protected", Modifiers::PROTECTED),
        ("abstract", Modifiers::ABSTRACT),
        ("final", Modifiers::FINAL),
        ("sealed", Modifiers::SEALED),
        ("native", Modifiers::EXTERN),
    ],
    refine,
    is_doc: |comment| comment.starts_with("/**") || comment.starts_with("//"),
    declarator: None,
    parts: None,
    bound: None,
};

fn refine(draft: &mut Draft) -> bool {
    use SymbolKind::{Constant, Constructor, Enum, Field, Interface, Variant};
    let in_interface = draft.parent.is_some_and(|outer| outer.kind == Interface);
    let of_enum = draft.symbol.kind == Variant
        && draft
            .parent
            .is_some_and(|outer| outer.kind == Enum && outer.is(Modifiers::EXPORTED));
    if draft.has_word("public")
        || draft.has_word("protected")
        || (in_interface && !draft.has_word("private"))
        || of_enum
    {
        draft.set(Modifiers::EXPORTED);
    }
    if draft.symbol.kind == Field && draft.has_word("static") && draft.has_word("final") {
        draft.symbol.kind = Constant;
    }
    if draft.symbol.kind == Constructor {
        draft.symbol.type_text = Box::default();
    }
    let is_test = |text: &String| {
        matches!(
            text.split(['(', '.']).next_back().or(Some(text)),
            Some("Test")
        ) || text == "ParameterizedTest"
            || text.starts_with("Test(")
    };
    if draft.symbol.rare.decorators.iter().any(is_test) {
        draft.set(Modifiers::TEST);
    }
    true
}

fn imports(node: Node, source: &str, out: &mut Vec<Import>) {
    if node.kind() != "import_declaration" {
        return;
    }
    let mut cursor = node.walk();
    let children: Vec<Node> = node.children(&mut cursor).collect();
    let Some(path) = children
        .iter()
        .find(|child| matches!(child.kind(), "scoped_identifier" | "identifier"))
    else {
        return;
    };
    let path = squeezed(text_of(*path, source), 400);
    let all = children.iter().any(|child| child.kind() == "asterisk");
    let (module, name, flags) = match path.rsplit_once('.') {
        _ if all => (path.as_str(), "", ImportFlags::GLOB),
        Some((module, name)) => (module, name, ImportFlags::empty()),
        None => ("", path.as_str(), ImportFlags::empty()),
    };
    out.push(Import {
        module: module.to_owned(),
        name: name.to_owned(),
        local: name.to_owned(),
        flags: flags.bits(),
        span: span_of(node),
        enclosing: None,
    });
}
