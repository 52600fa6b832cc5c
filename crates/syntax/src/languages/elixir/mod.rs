//! Elixir: everything is a call; clauses of one name and arity are one function; attributes above describe it.

mod imports;

use tree_sitter::Node;

use crate::facts::{Modifiers, Parameter, SymbolKind};
use crate::fields::ByField;
use crate::node::text_of;
use crate::rules::{Draft, Parts, Rules, clean_doc_string};
use crate::text::folded;

pub(super) const RULES: Rules = Rules {
    queries: &[include_str!("symbols.scm"), include_str!("references.scm")],
    highlights: &[include_str!("highlights.scm")],
    imports: imports::read,
    words: &[],
    refine,
    declarator: None,
    is_doc: |comment| !comment.starts_with("#!") && !comment.contains("credo:"),
    parts: Some(parts),
    bound: None,
};

/// Written types are cut at this many bytes.
const MAX_TYPE: usize = 200;

fn refine(draft: &mut Draft) -> bool {
    use SymbolKind::{Constant, Field, Function, Macro, Method, TypeAlias};
    let word = defining_word(draft.node, draft.source);
    if draft.symbol.kind == Field {
        return refine_field(draft);
    }
    read_attributes(draft);
    let is_hidden = matches!(word, "defp" | "defmacrop" | "defguardp" | "defnp" | "typep")
        || draft.symbol.kind == Constant;
    draft.set(if is_hidden {
        Modifiers::PRIVATE
    } else {
        Modifiers::EXPORTED
    });
    let is_impl = |text: &String| text.starts_with("impl");
    if draft.symbol.rare.decorators.iter().any(is_impl) {
        draft.set(Modifiers::OVERRIDE);
    }
    match draft.symbol.kind {
        Function | Macro if matches!(word, "test" | "describe" | "property" | "feature") => {
            draft.set(Modifiers::TEST);
            draft.symbol.parameters.clear();
        }
        Function | Method | Macro => draft.is_clause = true,
        TypeAlias => {
            let text = text_of(draft.node, draft.source);
            let written = text.split_once("::").map_or("", |(_, written)| written);
            draft.symbol.type_text = folded(written, MAX_TYPE).into();
        }
        _ => {}
    }
    // The callbacks of a behaviour are in a module, and are its functions.
    let in_module = draft
        .parent
        .is_some_and(|outer| outer.kind == SymbolKind::Module);
    if draft.symbol.kind == Method && in_module {
        draft.symbol.kind = Function;
    }
    let is_declared = matches!(word, "callback" | "macrocallback");
    let has_body =
        draft.symbol.complexity > 0 || word == "defdelegate" || draft.symbol.kind == Macro;
    if is_declared
        || (matches!(draft.symbol.kind, Function | Method)
            && !has_body
            && !draft.symbol.is(Modifiers::TEST))
    {
        draft.set(Modifiers::DECLARATION);
    } else {
        draft.symbol.modifiers &= !Modifiers::DECLARATION.bits();
    }
    if draft.symbol.name.ends_with("Test") && draft.symbol.kind == SymbolKind::Module {
        draft.set(Modifiers::TEST);
    }
    let signature = draft
        .symbol
        .signature
        .trim_end_matches(" do")
        .trim_end_matches(", do");
    draft.symbol.signature = signature.trim_end_matches(',').into();
    true
}

/// `:name` and `name:` are fields called `name`.
fn refine_field(draft: &mut Draft) -> bool {
    let symbol = &mut draft.symbol;
    let cut = usize::from(symbol.name.starts_with(':'));
    symbol.name = symbol
        .name
        .trim_start_matches(':')
        .trim_end_matches([':', ' '])
        .to_owned();
    symbol.name_span.start += cut as u32;
    symbol.name_span.end = symbol.name_span.start + symbol.name.len() as u32;
    symbol.parameters.clear();
    draft.set(Modifiers::EXPORTED);
    !draft.symbol.name.is_empty()
}

/// The word by which something is defined: `def` of `def f`, `type` of `@type t`.
fn defining_word<'a>(node: Node, source: &'a str) -> &'a str {
    let call = if node.kind() == "unary_operator" {
        node.field("operand").unwrap_or(node)
    } else {
        node
    };
    call.field("target")
        .map(|target| text_of(target, source))
        .unwrap_or_default()
}

/// `@doc` is documentation, `@spec` says what a function returns; neither stays among the decorators.
fn read_attributes(draft: &mut Draft) {
    let from = draft.symbol.span.start as usize;
    let above = draft
        .source
        .get(from..draft.node.start_byte())
        .unwrap_or_default();
    if draft.symbol.rare.doc.is_empty() {
        let said = ["@doc ", "@typedoc "]
            .iter()
            .find_map(|word| above.split_once(word));
        let doc = said.map(|(_, rest)| doc_of(rest)).unwrap_or_default();
        draft.symbol.rare.set(|rare| &mut rare.doc, doc);
    }
    let result = |spec: &str| {
        spec.rsplit_once("::")
            .map(|(_, result)| result.trim().to_owned())
    };
    let spec = draft
        .symbol
        .rare
        .decorators
        .iter()
        .find(|one| one.starts_with("spec "));
    if let Some(written) = spec.and_then(|spec| result(spec)) {
        draft.symbol.type_text = written.into();
    }
    if let Some(rare) = draft.symbol.rare.as_mut() {
        rare.decorators.retain(|one| {
            !["doc ", "typedoc ", "spec "]
                .iter()
                .any(|word| one.starts_with(word))
        });
    }
}

/// The string at the start of a text, sigils included.
fn doc_of(rest: &str) -> String {
    let rest = rest.trim_start_matches(['~', 'S', 's']);
    let quote = if rest.starts_with("\"\"\"") {
        "\"\"\""
    } else {
        "\""
    };
    let inside = rest
        .strip_prefix(quote)
        .and_then(|rest| rest.split(quote).next());
    inside
        .map(|inside| clean_doc_string(&format!("{quote}{inside}{quote}")))
        .unwrap_or_default()
}

/// The defined call contains the parameters; the body is in `do … end` or after `do:`.
fn parts(inner: Node, kind: SymbolKind, source: &str) -> Parts {
    use SymbolKind::{Function, Macro, Method};
    if inner.kind() != "call" {
        return Parts::default();
    }
    let mut cursor = inner.walk();
    let block = inner
        .children(&mut cursor)
        .find(|child| child.kind() == "do_block")
        .map(|block| block.start_byte());
    if !matches!(kind, Function | Method | Macro) {
        return Parts {
            body: block,
            ..Parts::default()
        };
    }
    let arguments = children_of(inner, "arguments");
    let short = arguments
        .iter()
        .find(|one| one.kind() == "keywords" && text_of(**one, source).starts_with("do:"))
        .map(|one| one.start_byte());
    let head = arguments.first().map(|first| match first.kind() {
        "binary_operator" => first.field("left").unwrap_or(*first),
        _ => *first,
    });
    let head = head.filter(|head| head.kind() == "call");
    let list = head
        .map(|head| children_of(head, "arguments"))
        .unwrap_or_default();
    Parts {
        body: block.or(short),
        parameters: list
            .iter()
            .take(255)
            .map(|one| parameter(*one, source))
            .collect(),
        ..Parts::default()
    }
}

fn children_of<'t>(node: Node<'t>, kind: &str) -> Vec<Node<'t>> {
    let mut cursor = node.walk();
    let list = node
        .children(&mut cursor)
        .find(|child| child.kind() == kind);
    let Some(list) = list else {
        return Vec::new();
    };
    let mut cursor = list.walk();
    list.named_children(&mut cursor).collect()
}

/// `opts \\ []` is called opts; `%Conn{} = conn` is a conn of type Conn; other patterns are given as written.
fn parameter(node: Node, source: &str) -> Parameter {
    let side = |name| node.field(name);
    let (Some(left), Some(right)) = (side("left"), side("right")) else {
        return Parameter {
            name: folded(text_of(node, source), 80),
            type_text: struct_name(node, source),
            ty: None,
        };
    };
    let is_match = source
        .get(left.end_byte()..right.start_byte())
        .is_some_and(|between| between.trim() == "=");
    let (name, pattern) = if is_match && right.kind() == "identifier" {
        (right, left)
    } else {
        (left, right)
    };
    Parameter {
        name: folded(text_of(name, source), 80),
        type_text: if is_match {
            struct_name(pattern, source)
        } else {
            String::new()
        },
        ty: None,
    }
}

/// `Conn` of `%Conn{…}`.
fn struct_name(node: Node, source: &str) -> String {
    let name = text_of(node, source)
        .strip_prefix('%')
        .and_then(|rest| rest.split('{').next())
        .filter(|name| !name.is_empty());
    name.map(str::to_owned).unwrap_or_default()
}
