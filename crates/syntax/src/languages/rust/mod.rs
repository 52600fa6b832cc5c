//! Rust: `use` trees, `mod` declarations, visibility and tests by attribute.

mod bound;
mod extent;
mod generated;

use tree_sitter::Node;

use crate::facts::{Import, ImportFlags, Modifiers, SymbolKind};
use crate::fields::ByField;
use crate::node::{parent_of, span_of, text_of};
use crate::platform::leaves_out;
use crate::rules::{Bound, Draft, Rules};
use crate::text::squeezed;

pub(super) const RULES: Rules = Rules {
    queries: &[include_str!("symbols.scm"), include_str!("references.scm")],
    highlights: &[include_str!("highlights.scm")],
    imports,
    words: &[
        ("unsafe", Modifiers::UNSAFE),
        ("const", Modifiers::CONST),
        ("extern", Modifiers::EXTERN),
        ("mut", Modifiers::MUTABLE),
    ],
    refine,
    declarator: None,
    is_doc: |comment| comment.starts_with("///") || comment.starts_with("/**"),
    parts: None,
    bound: Some(Bound {
        value: bound::bound,
        extent: Some(extent::extent),
    }),
};

fn refine(draft: &mut Draft) -> bool {
    if draft.node.kind() == "macro_invocation" {
        let name = draft
            .node
            .field("macro")
            .map(|name| text_of(name, draft.source))
            .unwrap_or_default();
        let generated = draft
            .macros
            .get(name)
            .and_then(|text| generated::function_result(text, name));
        match generated {
            Some(result) => draft.symbol.type_text = result.into(),
            None => return false,
        }
        draft.set(Modifiers::EXPORTED);
    }
    if draft.has_word("pub")
        || draft
            .symbol
            .rare
            .decorators
            .iter()
            .any(|text| text == "macro_export")
    {
        draft.set(Modifiers::EXPORTED);
    }
    if draft.head.contains("pub(") {
        draft.set(Modifiers::INTERNAL);
    }
    let block = parent_of(draft.node).and_then(parent_of);
    if block.is_some_and(|block| block.kind() == "foreign_mod_item") {
        draft.set(Modifiers::EXTERN);
    }
    // Items of a public trait and variants of a public enum are as public as it is.
    let inherits = matches!(draft.symbol.kind, SymbolKind::Variant)
        || draft
            .parent
            .is_some_and(|outer| outer.kind == SymbolKind::Trait);
    if inherits
        && draft
            .parent
            .is_some_and(|outer| outer.is(Modifiers::EXPORTED))
    {
        draft.set(Modifiers::EXPORTED);
    }
    let is_test = |text: &String| {
        text == "test"
            || text.ends_with("::test")
            || text.starts_with("tokio::test")
            || text == "cfg(test)"
            || text == "rstest"
    };
    if draft.symbol.rare.decorators.iter().any(is_test) {
        draft.set(Modifiers::TEST);
    }
    let member = draft
        .parent
        .is_some_and(|outer| matches!(outer.kind, SymbolKind::Impl | SymbolKind::Trait));
    if member && draft.symbol.kind == SymbolKind::Method && !has_self(draft.node) {
        draft.set(Modifiers::STATIC);
    }
    draft.symbol.name != "_"
}

fn has_self(node: Node) -> bool {
    let Some(list) = node.field("parameters") else {
        return false;
    };
    let mut cursor = list.walk();
    list.named_children(&mut cursor).any(|child| {
        child.kind() == "self_parameter"
            || child.start_byte() + 4 == child.end_byte() && child.kind() == "self"
    })
}

fn imports(node: Node, source: &str, out: &mut Vec<Import>) {
    match node.kind() {
        "mod_item" => {
            let name = node
                .field("name")
                .map(|name| text_of(name, source))
                .unwrap_or_default();
            let (path, is_left_out) = attributes(node, source);
            let mut flags = ImportFlags::CHILD_MODULE | ImportFlags::MODULE;
            flags.set(ImportFlags::LEFT_OUT, is_left_out);
            push(out, node, path.unwrap_or(name), "", name, flags);
        }
        "extern_crate_declaration" => {
            let name = node
                .field("name")
                .map(|name| text_of(name, source))
                .unwrap_or_default();
            let alias = node
                .field("alias")
                .map_or(name, |alias| text_of(alias, source));
            push(out, node, name, "", alias, ImportFlags::MODULE);
        }
        _ => use_declaration(node, source, out),
    }
}

/// The path that `#[path = "…"]` before a module gives, and whether the default build leaves the module out.
fn attributes<'s>(node: Node, source: &'s str) -> (Option<&'s str>, bool) {
    let (mut path, mut is_left_out) = (None, false);
    let mut before = node.prev_sibling();
    while let Some(one) = before.filter(|one| one.is_extra() || one.kind() == "attribute_item") {
        let text = text_of(one, source)
            .trim_start_matches("#[")
            .trim_end_matches(']')
            .trim();
        is_left_out |= leaves_out(text);
        let value = text.strip_prefix("path").map(str::trim_start);
        if let Some(value) = value.and_then(|rest| rest.strip_prefix('=')) {
            path = Some(value.trim().trim_matches('"'));
        }
        before = one.prev_sibling();
    }
    (path, is_left_out)
}

/// Unfolds `use a::{b, c::{d as e, *}}`: one import a leaf.
fn use_declaration(node: Node, source: &str, out: &mut Vec<Import>) {
    let mut cursor = node.walk();
    let is_public = node
        .named_children(&mut cursor)
        .any(|child| child.kind() == "visibility_modifier");
    let flags = if is_public {
        ImportFlags::REEXPORT
    } else {
        ImportFlags::empty()
    };
    let Some(argument) = node.field("argument") else {
        return;
    };
    let mut pending = vec![(argument, String::new())];
    while let Some((tree, prefix)) = pending.pop() {
        let field = |name| {
            tree.field(name)
                .map(|child: Node| squeezed(text_of(child, source), 400))
                .unwrap_or_default()
        };
        match tree.kind() {
            "scoped_use_list" => {
                let prefix = join(&prefix, &field("path"));
                if let Some(list) = tree.field("list") {
                    pending.push((list, prefix));
                }
            }
            "use_list" => {
                let mut cursor = tree.walk();
                let children: Vec<Node> = tree
                    .named_children(&mut cursor)
                    .filter(|child| !child.is_extra())
                    .collect();
                pending.extend(
                    children
                        .into_iter()
                        .rev()
                        .map(|child| (child, prefix.clone())),
                );
            }
            "use_wildcard" => {
                let path = squeezed(text_of(tree, source), 400);
                let path = path.trim_end_matches('*').trim_end_matches("::");
                // `use a::{b, *}`: within braces the star has no path.
                let module = if path.is_empty() {
                    prefix
                } else {
                    join(&prefix, path)
                };
                push(out, tree, &module, "", "", flags | ImportFlags::GLOB);
            }
            "use_as_clause" => leaf(
                out,
                tree,
                &join(&prefix, &field("path")),
                Some(&field("alias")),
                flags,
            ),
            _ => leaf(
                out,
                tree,
                &join(&prefix, &squeezed(text_of(tree, source), 400)),
                None,
                flags,
            ),
        }
    }
}

fn leaf(out: &mut Vec<Import>, node: Node, path: &str, alias: Option<&str>, flags: ImportFlags) {
    // `use a::{self}` binds the module a.
    let path = path.strip_suffix("::self").unwrap_or(path);
    let (module, name) = path.rsplit_once("::").unwrap_or((path, ""));
    let bound = if name.is_empty() { module } else { name };
    let flags = if name.is_empty() {
        flags | ImportFlags::MODULE
    } else {
        flags
    };
    let local = alias.unwrap_or(bound);
    push(
        out,
        node,
        module,
        name,
        if local == "_" { "" } else { local },
        flags,
    );
}

fn join(prefix: &str, path: &str) -> String {
    if prefix.is_empty() {
        path.to_owned()
    } else {
        format!("{prefix}::{path}")
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
