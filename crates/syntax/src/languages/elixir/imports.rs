//! `alias`, `import`, `require` and `use`.

use tree_sitter::Node;

use crate::facts::{Import, ImportFlags};
use crate::fields::ByField;
use crate::node::{span_of, text_of};

/// Reads one of the four.
pub(super) fn read(node: Node, source: &str, out: &mut Vec<Import>) {
    let word = node
        .field("target")
        .map(|target| text_of(target, source))
        .unwrap_or_default();
    let mut cursor = node.walk();
    let list = node
        .children(&mut cursor)
        .find(|child| child.kind() == "arguments");
    let Some(list) = list else {
        return;
    };
    let (mut renamed, mut only) = (None, None);
    let mut cursor = list.walk();
    for keywords in list
        .named_children(&mut cursor)
        .filter(|child| child.kind() == "keywords")
    {
        renamed = renamed.or(option(keywords, "as:", source));
        only = only.or(option(keywords, "only:", source));
    }
    let Some(first) = list.named_child(0) else {
        return;
    };
    for module in modules(first, source) {
        let last = module.rsplit('.').next().unwrap_or_default();
        let local = renamed
            .map_or(last, |name| text_of(name, source))
            .to_owned();
        let names = only.map(|only| listed(only, source)).unwrap_or_default();
        let mut push = |name: &str, local: &str, flags| {
            out.push(Import {
                module: module.clone(),
                name: name.to_owned(),
                local: local.to_owned(),
                flags: ImportFlags::bits(&flags),
                span: span_of(node),
                enclosing: None,
            });
        };
        match word {
            "alias" => push("", &local, ImportFlags::MODULE),
            "import" if !names.is_empty() => names
                .iter()
                .for_each(|name| push(name, name, ImportFlags::empty())),
            "import" | "use" => push("", "", ImportFlags::GLOB),
            _ if renamed.is_some() => push("", &local, ImportFlags::MODULE),
            _ => push("", "", ImportFlags::SIDE_EFFECT),
        }
    }
}

/// The value behind a key.
fn option<'t>(keywords: Node<'t>, key: &str, source: &str) -> Option<Node<'t>> {
    let mut cursor = keywords.walk();
    let pair = keywords.named_children(&mut cursor).find(|pair| {
        pair.field("key")
            .is_some_and(|own| text_of(own, source).trim_end() == key)
    })?;
    pair.field("value")
}

/// `A.B` is one module, `A.{B, C.D}` several.
fn modules(node: Node, source: &str) -> Vec<String> {
    let (Some(left), Some(right)) = (node.field("left"), node.field("right")) else {
        return vec![text_of(node, source).to_owned()];
    };
    let left = text_of(left, source);
    let mut cursor = right.walk();
    right
        .named_children(&mut cursor)
        .take(255)
        .map(|part| format!("{left}.{}", text_of(part, source)))
        .collect()
}

/// The names of `[f: 1, g: 2]`; none for `:macros`.
fn listed(list: Node, source: &str) -> Vec<String> {
    let text = text_of(list, source);
    let inside = text
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'));
    let pairs = inside.into_iter().flat_map(|inside| inside.split(','));
    pairs
        .filter_map(|pair| pair.split_once(':'))
        .map(|(name, _)| name.trim().to_owned())
        .filter(|name| !name.is_empty())
        .collect()
}
