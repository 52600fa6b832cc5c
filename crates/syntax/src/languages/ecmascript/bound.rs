//! Resolves names that a pattern binds, and parameters of callbacks.

use tree_sitter::Node;

use crate::Language;
use crate::facts::BindingKind;
use crate::fields::ByField;
use crate::node::text_of;
use crate::rules;

/// Patterns are nested no deeper than this.
const MAX_PATTERNS: usize = 6;

/// Returns the binding of a name: a member of the value that its pattern destructures, or a parameter that a call
/// supplies. `around` are the enclosing nodes, nearest last.
pub(super) fn bound(name: Node, around: &[Node], source: &str) -> Option<(BindingKind, String)> {
    let mut path = String::new();
    let mut node = name;
    let mut above = around.iter().rev();
    for _ in 0..MAX_PATTERNS {
        let parent = *above.next()?;
        match parent.kind() {
            "object_pattern" if node.kind() == "shorthand_property_identifier_pattern" => {
                path.insert_str(0, &format!(".{}", text_of(node, source)));
            }
            // `{ a = 1 }`, whose default is another value.
            "object_assignment_pattern" => {
                path.insert_str(0, &format!(".{}", text_of(node, source)));
            }
            "object_pattern" => {}
            "pair_pattern" => {
                let key = parent.field("key")?;
                if key.kind() != "property_identifier" {
                    return None;
                }
                path.insert_str(0, &format!(".{}", text_of(key, source)));
            }
            "array_pattern" => path.insert_str(0, "[0]"),
            _ => return value(node, parent, above, &path, source),
        }
        node = parent;
    }
    None
}

/// The nodes around another, nearest first.
type Above<'a, 't> = std::iter::Rev<std::slice::Iter<'a, Node<'t>>>;

/// `path` within the value bound to the pattern or name `pattern`, a child of `parent`.
fn value<'t>(
    pattern: Node<'t>,
    parent: Node<'t>,
    mut above: Above<'_, 't>,
    path: &str,
    source: &str,
) -> Option<(BindingKind, String)> {
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
            None => argument(parent, *above.next()?, above, path, source),
        },
        "formal_parameters" | "arrow_function" => argument(pattern, parent, above, path, source),
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
fn argument<'t>(
    parameter: Node<'t>,
    list: Node<'t>,
    mut above: Above<'_, 't>,
    path: &str,
    source: &str,
) -> Option<(BindingKind, String)> {
    let (function, place) = if list.kind() == "formal_parameters" {
        (*above.next()?, place_of(parameter, list, source)?)
    } else {
        (list, 0)
    };
    if !matches!(
        function.kind(),
        "arrow_function" | "function_expression" | "function"
    ) {
        return None;
    }
    let arguments = above.next().filter(|list| list.kind() == "arguments")?;
    let number = place_of(function, *arguments, source)?;
    let call = above.next()?;
    let callee = call
        .field("function")
        .or_else(|| call.field("constructor"))?;
    let callee = short(text_of(callee, source))?;
    Some((
        BindingKind::Argument,
        format!("{number}.{place}{path} {callee}"),
    ))
}

/// Returns the index of a node in a list; `this: T` is not a parameter.
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
    rules::callee(text, Language::TypeScript)
}
