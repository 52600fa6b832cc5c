//! Haskell: signatures and clauses that are one function, instances, what a module exports, qualified and hiding imports.

use tree_sitter::Node;

use crate::facts::{Import, ImportFlags, Modifiers, Parameter, SymbolKind};
use crate::fields::ByField;
use crate::node::{span_of, text_of};
use crate::rules::{Draft, Parts, Rules, by_fields};
use crate::text::{folded, is_word, squeezed};

pub(super) const RULES: Rules = Rules {
    queries: &[include_str!("symbols.scm"), include_str!("references.scm")],
    highlights: &[include_str!("highlights.scm")],
    imports,
    words: &[],
    refine,
    declarator: None,
    is_doc,
    parts: Some(parts),
    bound: None,
};

/// Written types are cut at this many bytes.
const MAX_TYPE: usize = 200;
/// The list of what a module exports is looked for in the head of a file.
const MAX_HEAD: usize = 32 * 1024;

/// Headings, rulers, notes on the code before and pragmas are not documentation of the next definition.
fn is_doc(comment: &str) -> bool {
    ![
        "-- *",
        "-- ^",
        "-- $",
        "-----",
        "{-#",
        "-- HLint",
        "-- brittany",
    ]
    .iter()
    .any(|start| comment.starts_with(start))
}

fn refine(draft: &mut Draft) -> bool {
    use SymbolKind::{Enum, Function, Impl, Method, Struct, TypeAlias};
    let kind = draft.node.kind();
    let mark = |line: &str| line.strip_prefix("| ").unwrap_or(line).to_owned();
    let lines = draft.symbol.rare.doc.lines().map(mark);
    let doc = lines.collect::<Vec<_>>().join("\n");
    draft.symbol.rare.set(|rare| &mut rare.doc, doc);
    match draft.symbol.kind {
        Enum if n_constructors(draft.node) == 1 => draft.symbol.kind = Struct,
        Function | Method => {
            draft.is_clause = true;
            let is_signature = kind == "signature";
            if !is_signature {
                draft.symbol.modifiers &= !Modifiers::DECLARATION.bits();
            }
            let in_type = draft
                .parent
                .is_some_and(|outer| matches!(outer.kind, Impl | SymbolKind::Trait));
            draft.symbol.kind = if in_type { Method } else { Function };
        }
        TypeAlias if kind != "type_synomym" => draft.symbol.type_text = Box::default(),
        _ => {}
    }
    let outer = draft.parent.filter(|outer| outer.kind != Impl);
    let is_exported = match outer {
        Some(outer) if outer.kind != Function && outer.kind != Method => {
            outer.is(Modifiers::EXPORTED)
        }
        Some(_) => false,
        None => exports(&draft.symbol.name, draft.source),
    };
    if is_exported {
        draft.set(Modifiers::EXPORTED);
    }
    let name = draft.symbol.name.as_str();
    if draft.parent.is_none() && (name.starts_with("prop_") || name.starts_with("test_")) {
        draft.set(Modifiers::TEST);
    }
    let signature = draft
        .symbol
        .signature
        .trim_end_matches(" where")
        .trim_end_matches(" =");
    draft.symbol.signature = signature.into();
    true
}

fn n_constructors(node: Node) -> usize {
    node.field("constructors")
        .map_or(0, |list| list.named_child_count())
}

/// Returns true if the head of the module names the definition, or has no export list.
fn exports(name: &str, source: &str) -> bool {
    let head = crate::text::head(source, MAX_HEAD);
    let at = if head.starts_with("module ") {
        Some(0)
    } else {
        head.find("\nmodule ")
    };
    let Some(head) = at.and_then(|at| head.get(at..)) else {
        return true;
    };
    let end = head
        .match_indices("where")
        .map(|(at, _)| at)
        .find(|&at| {
            let before = head.get(..at).unwrap_or_default();
            before.ends_with(char::is_whitespace) || before.ends_with(')')
        })
        .unwrap_or(head.len());
    let Some((_, list)) = head.get(..end).and_then(|head| head.split_once('(')) else {
        return true;
    };
    list.match_indices(name).any(|(at, _)| {
        let before = list.get(..at).and_then(|text| text.chars().next_back());
        let after = list
            .get(at + name.len()..)
            .and_then(|text| text.chars().next());
        let is_border = |c: Option<char>| c.is_none_or(|c| !is_word(c) && !matches!(c, '\'' | '.'));
        is_border(before) && is_border(after)
    })
}

/// A signature says the types, a clause the names of the parameters.
fn parts(inner: Node, kind: SymbolKind, source: &str) -> Parts {
    match inner.kind() {
        "signature" => signature(inner, source),
        "function" => Parts {
            body: body(inner),
            parameters: patterns(inner, source),
            ..Parts::default()
        },
        "bind" => Parts {
            body: body(inner),
            ..Parts::default()
        },
        _ => {
            let mut parts = by_fields(inner, kind, source);
            let declarations = inner
                .field("declarations")
                .or_else(|| inner.field("constructors"));
            parts.body = declarations.map(|node| node.start_byte());
            parts
        }
    }
}

fn body(inner: Node) -> Option<usize> {
    let body = inner.field("match")?;
    Some(body.start_byte())
}

/// `(Eq a) => a -> [b] -> IO ()`: parameters without names, and the result.
fn signature(inner: Node, source: &str) -> Parts {
    let written = inner
        .field("type")
        .map(|node| folded(text_of(node, source), 1_000))
        .unwrap_or_default();
    let written = written.rsplit("=> ").next().unwrap_or_default();
    let mut types = arrows(written);
    let result = types.pop().unwrap_or_default();
    let parameter = |ty: &str| Parameter {
        name: String::new(),
        type_text: folded(ty, MAX_TYPE),
        ty: None,
    };
    Parts {
        body: None,
        parameters: types.into_iter().map(parameter).collect(),
        type_text: folded(result, MAX_TYPE),
        type_parameters: Vec::new(),
    }
}

/// Splits at the arrows outside brackets.
fn arrows(written: &str) -> Vec<&str> {
    let (mut depth, mut from, mut out) = (0_i32, 0, Vec::new());
    for (at, byte) in written.bytes().enumerate() {
        match byte {
            b'(' | b'[' => depth += 1,
            b')' | b']' => depth -= 1,
            b'>' if depth == 0 && at > from && written.as_bytes().get(at - 1) == Some(&b'-') => {
                out.push(written.get(from..at - 1).unwrap_or_default().trim());
                from = at + 1;
            }
            _ => {}
        }
    }
    out.push(written.get(from..).unwrap_or_default().trim());
    out
}

fn patterns(inner: Node, source: &str) -> Vec<Parameter> {
    let name = |node: Node| Parameter {
        name: folded(text_of(node, source), 80),
        type_text: String::new(),
        ty: None,
    };
    if let Some(list) = inner.field("patterns") {
        let mut cursor = list.walk();
        return list
            .named_children(&mut cursor)
            .take(255)
            .map(name)
            .collect();
    }
    let infix = inner.named_child(0).filter(|first| first.kind() == "infix");
    let sides = infix
        .into_iter()
        .flat_map(|infix| ["left_operand", "right_operand"].map(|side| infix.field(side)));
    sides.flatten().map(name).collect()
}

fn imports(node: Node, source: &str, out: &mut Vec<Import>) {
    let field = |name| {
        node.field(name)
            .map(|found| squeezed(text_of(found, source), 200))
    };
    let Some(module) = field("module") else {
        return;
    };
    let alias = field("alias");
    let names = node.field("names");
    let head_end = names.map_or(node.end_byte(), |names| names.start_byte());
    let head = source.get(node.start_byte()..head_end).unwrap_or_default();
    let has_word = |word: &str| head.split_whitespace().any(|found| found == word);
    let (is_qualified, is_hiding) = (has_word("qualified"), has_word("hiding"));
    let mut push = |name: String, local: String, flags: ImportFlags| {
        out.push(Import {
            module: module.clone(),
            name,
            local,
            flags: flags.bits(),
            span: span_of(node),
            enclosing: None,
        });
    };
    if is_qualified || alias.is_some() {
        let local = alias.clone().unwrap_or_else(|| module.clone());
        push(String::new(), local, ImportFlags::MODULE);
    }
    if is_qualified {
        return;
    }
    let listed = names.map(|names| listed(names, source)).unwrap_or_default();
    match names {
        None => push(String::new(), String::new(), ImportFlags::GLOB),
        Some(_) if is_hiding => {
            let hidden: Vec<String> = listed.into_iter().map(|(name, _)| name).collect();
            push(hidden.join(","), String::new(), ImportFlags::GLOB);
        }
        Some(_) => {
            for (name, has_all) in listed {
                push(name.clone(), name.clone(), ImportFlags::empty());
                if has_all {
                    // `Shape(..)` imports everything that belongs to the type.
                    push(name.clone(), format!("{name}(..)"), ImportFlags::empty());
                }
            }
        }
    }
}

/// Names of an import list, and whether all that belongs to one is meant.
fn listed(list: Node, source: &str) -> Vec<(String, bool)> {
    let mut out = Vec::new();
    let mut cursor = list.walk();
    for item in list.named_children(&mut cursor).take(2_000) {
        let text = squeezed(text_of(item, source), 1_000);
        let text = text.strip_prefix("type ").unwrap_or(&text);
        // `(!)` is an operator, `Map(..)` a type with its parts.
        if let Some(operator) = text
            .strip_prefix('(')
            .and_then(|rest| rest.strip_suffix(')'))
        {
            out.push((operator.to_owned(), false));
            continue;
        }
        let (name, parts) = text.split_once('(').unwrap_or((text, ""));
        out.push((name.to_owned(), parts.starts_with("..")));
        let parts = parts.trim_end_matches(')').split(',');
        out.extend(
            parts
                .filter(|part| !part.is_empty() && *part != "..")
                .map(|part| (part.to_owned(), false)),
        );
    }
    out.retain(|(name, _)| !name.is_empty());
    out
}
