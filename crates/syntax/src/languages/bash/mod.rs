//! Bash: functions, variables of the file, sourced files; every word at the start of a command may be a function.

use tree_sitter::Node;

use crate::facts::{Import, ImportFlags, Modifiers, SymbolKind};
use crate::fields::ByField;
use crate::node::{span_of, text_of};
use crate::rules::{Draft, Rules};
use crate::text::squeezed;

pub(super) const RULES: Rules = Rules {
    queries: &[include_str!("symbols.scm"), include_str!("references.scm")],
    highlights: &[include_str!("highlights.scm")],
    imports,
    words: &[("readonly", Modifiers::READONLY)],
    refine,
    declarator: None,
    is_doc: |comment| !comment.starts_with("#!") && !comment.starts_with("# shellcheck"),
    parts: None,
    bound: None,
};

fn refine(draft: &mut Draft) -> bool {
    let symbol = &mut draft.symbol;
    let is_named_by_rule = draft.node.kind() == "command";
    if is_named_by_rule {
        // `@test "name" {` and `alias name=…`: the arguments contain the definition.
        let cut = symbol.name.len() - symbol.name.trim_start_matches('\'').len();
        symbol.name = symbol.name.trim_matches(['\'', '=']).to_owned();
        symbol.name_span.start += cut as u32;
        symbol.name_span.end = symbol.name_span.start + symbol.name.len() as u32;
        symbol.modifiers &= !Modifiers::DECLARATION.bits();
    }
    let is_test = is_named_by_rule && symbol.signature.starts_with("@test");
    let is_upper = symbol.name.chars().any(char::is_alphabetic)
        && !symbol.name.chars().any(char::is_lowercase);
    if symbol.kind == SymbolKind::Variable
        && (is_upper || symbol.signature.starts_with("readonly "))
    {
        symbol.kind = SymbolKind::Constant;
    }
    if symbol.signature.starts_with("declare -r") {
        symbol.modifiers |= Modifiers::READONLY.bits();
    }
    let name = symbol.name.as_str();
    let is_test = is_test || symbol.kind == SymbolKind::Function && name.starts_with("test_");
    let is_exported = !name.starts_with('_') && symbol.parent.is_none();
    if is_test {
        draft.set(Modifiers::TEST);
    }
    if is_exported {
        draft.set(Modifiers::EXPORTED);
    }
    !draft.symbol.name.is_empty()
}

/// `source a.sh`: all that it defines is defined here. A path is kept as written, its quotes apart.
fn imports(node: Node, source: &str, out: &mut Vec<Import>) {
    let Some(path) = node.field("argument") else {
        return;
    };
    let path = squeezed(text_of(path, source).trim_matches(['"', '\'']), 400);
    out.push(Import {
        module: path.replace('"', ""),
        name: String::new(),
        local: String::new(),
        flags: ImportFlags::GLOB.bits(),
        span: span_of(node),
        enclosing: None,
    });
}
