//! C and C++: names inside declarators, includes, what a header declares.

mod macros;

use tree_sitter::Node;

use crate::facts::{Import, ImportFlags, Modifiers, SymbolKind};
use crate::fields::ByField;
use crate::node::{parent_of, span_of, text_of};
use crate::rules::{Declared, Draft, Rules};
use crate::text::squeezed;

pub(crate) use macros::without_class_macros;

const C_QUERIES: &[&str] = &[include_str!("symbols.scm"), include_str!("references.scm")];
const CPP_QUERIES: &[&str] = &[
    include_str!("cpp_symbols.scm"),
    include_str!("symbols.scm"),
    include_str!("cpp_references.scm"),
    include_str!("references.scm"),
];

pub(super) const C: Rules = Rules {
    queries: C_QUERIES,
    highlights: &[include_str!("highlights.scm")],
    imports,
    words: &[("inline", Modifiers::INLINE), ("extern", Modifiers::EXTERN)],
    refine,
    is_doc,
    declarator: Some(declarator),
    parts: None,
    bound: None,
};
pub(super) const CPP: Rules = Rules {
    queries: CPP_QUERIES,
    highlights: &[
        include_str!("cpp_highlights.scm"),
        include_str!("highlights.scm"),
    ],
    imports,
    words: &[
        ("virtual", Modifiers::VIRTUAL),
        ("constexpr", Modifiers::CONST),
        ("consteval", Modifiers::CONST),
        ("inline", Modifiers::INLINE),
        ("extern", Modifiers::EXTERN),
        ("mutable", Modifiers::MUTABLE),
    ],
    refine,
    is_doc,
    declarator: Some(declarator),
    parts: None,
    bound: None,
};

fn is_doc(comment: &str) -> bool {
    !comment.contains("clang-format") && !comment.contains("NOLINT")
}

/// Follows a declarator inwards to the name it declares: `*(*f)(int)` → `f`; `a::B::c` → `c`, owned by `a::B`.
/// At most 64 steps; what nests deeper declares nothing.
fn declarator(node: Node) -> Option<Declared> {
    let (mut at, mut is_function, mut owner) = (node, false, None);
    for _ in 0..64 {
        at = match at.kind() {
            "function_declarator" => {
                is_function = true;
                at.field("declarator")?
            }
            "qualified_identifier" => {
                let start = owner.map_or(at.start_byte(), |(start, _): (usize, usize)| start);
                let name = at.field("name")?;
                owner = Some((start, name.start_byte().saturating_sub(2)));
                name
            }
            "template_function" | "template_method" | "template_type" => at.field("name")?,
            "parenthesized_declarator" => {
                let inner = at.named_child(0)?;
                // `CASE(OP_MOVE) { … }` within a function: a macro, and what it is given.
                let is_macro = !is_function && inner.kind() == "identifier";
                if is_macro
                    && parent_of(at).is_some_and(|outer| outer.kind() == "function_definition")
                {
                    return None;
                }
                // `(*f)(int)` is a pointer, no function; `(f)(int)` is one that no macro of its name replaces.
                is_function = is_function && inner.kind() == "identifier";
                inner
            }
            "reference_declarator"
            | "attributed_declarator"
            | "variadic_declarator"
            | "dependent_name" => at.named_child(0)?,
            "identifier"
            | "field_identifier"
            | "type_identifier"
            | "namespace_identifier"
            | "nested_namespace_specifier"
            | "destructor_name"
            | "operator_name"
            | "operator_cast"
            | "property_identifier" => {
                return Some(Declared {
                    name: at,
                    owner,
                    is_function,
                });
            }
            "abstract_pointer_declarator"
            | "abstract_reference_declarator"
            | "abstract_function_declarator"
            | "abstract_array_declarator" => return None,
            _ => at.field("declarator")?,
        };
    }
    None
}

fn refine(draft: &mut Draft) -> bool {
    use SymbolKind::{Class, Constructor, Function, Method, Struct, Variable};
    let outer = draft.parent.map(|outer| (outer.kind, outer.name.clone()));
    let in_type = outer
        .as_ref()
        .is_some_and(|(kind, _)| matches!(kind, Class | Struct));
    let in_function = outer
        .as_ref()
        .is_some_and(|(kind, _)| matches!(kind, Function | Method | Constructor));
    if draft.symbol.kind == Function && (in_type || !draft.symbol.rare.owner.is_empty()) {
        draft.symbol.kind = Method;
    }
    let owner_name = draft
        .symbol
        .rare
        .owner
        .rsplit("::")
        .next()
        .and_then(|last| last.split('<').next())
        .unwrap_or_default();
    let type_name = outer
        .filter(|_| in_type)
        .map_or(owner_name.to_owned(), |(_, name)| name);
    name_conversion(draft);
    if draft.symbol.kind == Method && draft.symbol.name == type_name {
        draft.symbol.kind = Constructor;
    }
    if draft.symbol.kind == Variable && (draft.has_word("const") || draft.has_word("constexpr")) {
        draft.symbol.kind = SymbolKind::Constant;
    }
    // Members of a class are private until a section says otherwise.
    let in_class = draft.parent.is_some_and(|outer| outer.kind == Class);
    if in_class {
        draft.set(Modifiers::PRIVATE);
    } else if in_type || !draft.has_word("static") {
        draft.set(Modifiers::EXPORTED);
    } else if draft.parent.is_none() {
        // The linker does not see static definitions at file level.
        draft.set(Modifiers::PRIVATE);
    }
    if &*draft.symbol.type_text == "auto" {
        // `auto f() -> T` returns T.
        draft.symbol.type_text = draft
            .symbol
            .signature
            .rsplit_once("->")
            .map(|(_, written)| written.trim().into())
            .unwrap_or_default();
    }
    read_marks(draft);
    // `Foo x(1);` within a function reads like a declaration of a function.
    let is_vexing = in_function && draft.symbol.is(Modifiers::DECLARATION);
    name_test(draft);
    // Behind an unknown macro a type is taken for a name.
    let is_word = matches!(
        draft.symbol.name.as_str(),
        "int" | "void" | "char" | "long" | "unsigned" | "struct" | "const"
    );
    !is_vexing && !is_word
}

/// A conversion is named by its type: `operator bool() const`.
fn name_conversion(draft: &mut Draft) {
    if let Some(end) = draft.symbol.name.find('(')
        && draft.symbol.name.starts_with("operator ")
    {
        let name = draft.symbol.name.get(..end).unwrap_or_default();
        draft.symbol.name = name.trim_end().to_owned();
    }
}

/// `TEST(Suite, Name) { … }` reads like a function of that name.
fn name_test(draft: &mut Draft) {
    let is_test = matches!(
        draft.symbol.name.as_str(),
        "TEST" | "TEST_F" | "TEST_P" | "TEST_CASE" | "TYPED_TEST"
    );
    if !is_test {
        return;
    }
    let parts: Vec<String> = draft
        .symbol
        .parameters
        .iter()
        .map(|one| {
            if one.type_text.is_empty() {
                one.name.clone()
            } else {
                one.type_text.clone()
            }
        })
        .collect();
    draft.symbol.name = parts.join(".");
    draft.symbol.parameters.clear();
    draft.set(Modifiers::TEST);
}

/// Reads the marks after the name: `override`, `final`, `= 0`; and `const` of anything but a function.
fn read_marks(draft: &mut Draft) {
    let symbol = &draft.symbol;
    let is_function = crate::rules::is_function(symbol.kind);
    let behind = match symbol.signature.rsplit_once(')') {
        Some((_, behind)) if is_function => behind,
        // Bases come after a colon.
        _ if symbol.kind.is_type() => symbol.signature.split(':').next().unwrap_or_default(),
        _ => "",
    };
    let has = |word: &str| behind.split_whitespace().any(|found| found == word);
    let mut found = Modifiers::empty();
    found.set(Modifiers::OVERRIDE, is_function && has("override"));
    found.set(Modifiers::FINAL, has("final"));
    let is_pure = symbol.is(Modifiers::VIRTUAL) && has("0");
    found.set(Modifiers::ABSTRACT, is_function && is_pure);
    let is_value = crate::rules::is_value(symbol.kind);
    found.set(Modifiers::READONLY, is_value && draft.has_word("const"));
    draft.set(found);
}

fn imports(node: Node, source: &str, out: &mut Vec<Import>) {
    if node.kind() == "using_declaration" {
        return using(node, source, out);
    }
    let Some(path) = node.field("path") else {
        return;
    };
    let flags = if path.kind() == "system_lib_string" {
        ImportFlags::GLOB | ImportFlags::SYSTEM
    } else {
        ImportFlags::GLOB
    };
    push(
        out,
        node,
        text_of(path, source).trim_matches(['"', '<', '>']),
        "",
        "",
        flags,
    );
}

/// `using namespace a::b;` and `using a::b;`
fn using(node: Node, source: &str, out: &mut Vec<Import>) {
    let Some(path) = node.named_child(0) else {
        return;
    };
    let path = squeezed(text_of(path, source), 400);
    let mut cursor = node.walk();
    let all = node
        .children(&mut cursor)
        .any(|child| child.kind() == "namespace");
    match path.rsplit_once("::") {
        _ if all => push(out, node, &path, "", "", ImportFlags::GLOB),
        Some((module, name)) => push(out, node, module, name, name, ImportFlags::empty()),
        None => push(out, node, "", &path, &path, ImportFlags::empty()),
    }
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
