//! What names stand for that are bound by a pattern, or are parameters of a function that is handed to another.

use tree_sitter::Node;

use crate::facts::BindingKind;
use crate::fields::ByField;
use crate::languages::text_of;
use crate::text::squeezed;

/// Longer expressions say nothing.
const MAX_EXPRESSION: usize = 160;
/// Patterns are nested no deeper than this.
const MAX_PATTERNS: usize = 4;

/// What the name at `name` stands for: a member of the value that its pattern takes apart, or a parameter that a call gives.
pub(super) fn bound(name: Node, source: &str) -> Option<(BindingKind, String)> {
    let mut path = String::new();
    let mut node = name;
    for _ in 0..MAX_PATTERNS {
        let parent = node.parent()?;
        match parent.kind() {
            "object_pattern" if node.kind() == "shorthand_property_identifier_pattern" => {
                path.insert_str(0, &format!(".{}", text_of(node, source)));
            }
            // `{ a = 1 }`, whose default is another value.
            "object_assignment_pattern" => {
                path.insert_str(0, &format!(".{}", text_of(node, source)));
                node = parent;
                continue;
            }
            "object_pattern" => {}
            "pair_pattern" => {
                let key = parent.field("key")?;
                if key.kind() != "property_identifier" {
                    return None;
                }
                path.insert_str(0, &format!(".{}", text_of(key, source)));
                node = parent;
                continue;
            }
            "array_pattern" => path.insert_str(0, "[0]"),
            _ => return value(parent, node, &path, source),
        }
        node = parent;
    }
    None
}

/// `path` within what is bound to the pattern or name `pattern`, which stands in `parent`: a tree is searched from its root for each
/// parent that is asked for.
fn value(parent: Node, pattern: Node, path: &str, source: &str) -> Option<(BindingKind, String)> {
    let taken = |text: String| Some((BindingKind::Alias, format!("{text}{path}")));
    match parent.kind() {
        "variable_declarator" if !path.is_empty() => {
            if let Some(written) = parent.field("type") {
                return taken(cast(written, source)?);
            }
            taken(expression(parent.field("value")?, source)?)
        }
        "for_in_statement" if !path.is_empty() => {
            let is_of = parent
                .field("operator")
                .is_some_and(|operator| operator.kind() == "of");
            let all = parent.field("right").filter(|_| is_of)?;
            taken(format!("{}[0]", expression(all, source)?))
        }
        "required_parameter" | "optional_parameter" => match parent.field("type") {
            Some(written) if !path.is_empty() => taken(cast(written, source)?),
            Some(_) => None,
            None => argument(parent.parent()?, parent, path, source),
        },
        "formal_parameters" | "arrow_function" => argument(parent, pattern, path, source),
        _ => None,
    }
}

/// A value of a written type, as an expression.
fn cast(written: Node, source: &str) -> Option<String> {
    let text = short(text_of(written, source).trim_start_matches([':', ' ']))?;
    Some(format!("(_ as {text})"))
}

/// An expression of names, members and calls; arguments are left out.
fn expression(node: Node, source: &str) -> Option<String> {
    match node.kind() {
        "identifier" | "this" | "member_expression" => short(text_of(node, source)),
        "call_expression" => {
            let callee = node.field("function")?;
            let text = short(text_of(callee, source))?;
            (!matches!(text.as_str(), "require" | "import")).then(|| format!("{text}()"))
        }
        "await_expression" | "non_null_expression" | "parenthesized_expression" => {
            expression(node.named_child(0)?, source)
        }
        "as_expression" => cast(node.named_child(1)?, source),
        _ => None,
    }
}

/// The parameter of a function that is written as an argument of a call: which, of which argument, what of it, and who is called.
fn argument(
    list: Node,
    parameter: Node,
    path: &str,
    source: &str,
) -> Option<(BindingKind, String)> {
    let (function, place) = if list.kind() == "formal_parameters" {
        (list.parent()?, place_of(parameter, list, source)?)
    } else {
        (list, 0)
    };
    if !matches!(
        function.kind(),
        "arrow_function" | "function_expression" | "function"
    ) {
        return None;
    }
    let arguments = function
        .parent()
        .filter(|list| list.kind() == "arguments")?;
    let number = place_of(function, arguments, source)?;
    let call = arguments.parent()?;
    let callee = call
        .field("function")
        .or_else(|| call.field("constructor"))?;
    let callee = short(text_of(callee, source))?;
    Some((
        BindingKind::Argument,
        format!("{number}.{place}{path} {callee}"),
    ))
}

/// Which child of a list a node is; `this: T` is no parameter.
fn place_of(child: Node, list: Node, source: &str) -> Option<usize> {
    let mut cursor = list.walk();
    let children = list.named_children(&mut cursor).filter(|node| {
        let is_this = node
            .field("pattern")
            .is_some_and(|pattern| text_of(pattern, source) == "this");
        !node.is_extra() && !is_this
    });
    let mut numbered = children.enumerate();
    numbered
        .find(|(_, node)| node.id() == child.id())
        .map(|(place, _)| place)
}

fn short(text: &str) -> Option<String> {
    (!text.is_empty() && text.len() <= MAX_EXPRESSION).then(|| squeezed(text, MAX_EXPRESSION))
}
