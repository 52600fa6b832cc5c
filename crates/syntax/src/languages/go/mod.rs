//! Go: capitals export, methods name their receiver's type, imports bind the last part of a path.

use tree_sitter::Node;

use crate::facts::{Import, ImportFlags, Modifiers, SymbolKind};
use crate::fields::ByField;
use crate::node::{span_of, text_of};
use crate::rules::{Draft, Rules};

pub(super) const RULES: Rules = Rules {
    queries: &[include_str!("symbols.scm"), include_str!("references.scm")],
    highlights: &[include_str!("highlights.scm")],
    imports,
    words: &[],
    refine,
    is_doc: |comment| !comment.starts_with("//go:") && !comment.starts_with("// +build"),
    declarator: None,
    parts: None,
    bound: None,
};

fn refine(draft: &mut Draft) -> bool {
    if draft.symbol.name.starts_with(char::is_uppercase) {
        draft.set(Modifiers::EXPORTED);
    }
    // `*Router[T]` belongs to Router.
    let owner = draft.symbol.rare.owner.trim_start_matches(['*', '(']);
    let owner = owner.split(['[', ')']).next().unwrap_or_default();
    let owner = owner.to_owned();
    draft.symbol.rare.set(|rare| &mut rare.owner, owner);
    let prefixes = ["Test", "Benchmark", "Fuzz", "Example"];
    let is_function = draft.symbol.kind == SymbolKind::Function;
    let takes_test = draft
        .symbol
        .parameters
        .iter()
        .any(|one| one.type_text.starts_with("*testing."));
    let named = prefixes
        .iter()
        .any(|prefix| draft.symbol.name.starts_with(prefix));
    if is_function
        && named
        && (takes_test
            || draft.symbol.name.starts_with("Example") && draft.symbol.parameters.is_empty())
    {
        draft.set(Modifiers::TEST);
    }
    draft.symbol.name != "_"
}

fn imports(node: Node, source: &str, out: &mut Vec<Import>) {
    let module = node
        .field("path")
        .map(|path| text_of(path, source).trim_matches(['"', '`']))
        .unwrap_or_default();
    let alias = node.field("name").map(|name| text_of(name, source));
    let (local, flags) = match alias {
        Some("_") => ("", ImportFlags::SIDE_EFFECT),
        Some(".") => ("", ImportFlags::GLOB),
        Some(alias) => (alias, ImportFlags::MODULE),
        None => (package_name(module), ImportFlags::MODULE),
    };
    out.push(Import {
        module: module.to_owned(),
        name: String::new(),
        local: local.to_owned(),
        flags: flags.bits(),
        span: span_of(node),
        enclosing: None,
    });
}

/// The name a package most likely declares: the last part of its path that is no version (`chi` of `a/chi/v5`,
/// `yaml` of `gopkg.in/yaml.v3`). The package's own files know better; only `graph` sees them.
fn package_name(path: &str) -> &str {
    let is_version = |part: &str| {
        part.strip_prefix('v')
            .is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()))
    };
    let part = path
        .rsplit('/')
        .find(|part| !is_version(part))
        .unwrap_or(path);
    match part.rsplit_once('.') {
        Some((name, version)) if is_version(version) => name,
        _ => part,
    }
}
