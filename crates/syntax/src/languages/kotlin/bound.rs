//! Values of properties, results of functions that are one expression, receivers and parameters of lambdas.

use tree_sitter::Node;

use crate::Language;
use crate::facts::{BindingKind, CallbackParameter};
use crate::fields::ByField;
use crate::node::text_of;
use crate::rules;

/// Brackets, casts and alternatives are nested no deeper than this.
const MAX_NESTING: usize = 8;

/// Returns the binding of a name. The bracket of a lambda is bound to the function that the lambda is given to, the sign
/// before the only expression of a function to the result. `around` are the enclosing nodes, nearest last.
pub(super) fn bound(name: Node, around: &[Node], source: &str) -> Option<(BindingKind, String)> {
    let (parent, outer) = around.split_last()?;
    match (name.kind(), parent.kind()) {
        ("=", "function_body") => held(parent.named_child(0)?, source),
        ("{", "lambda_literal") => lambda(*parent, outer, source),
        (_, "variable_declaration") => {
            let (above, outer) = outer.split_last()?;
            match above.kind() {
                "property_declaration" => held(value_of(*above)?, source),
                "lambda_parameters" => parameter(*parent, *above, outer, source),
                _ => None,
            }
        }
        _ => None,
    }
}

/// The value behind the sign of a property.
fn value_of(property: Node) -> Option<Node> {
    let mut cursor = property.walk();
    let mut children = property.children(&mut cursor);
    children.find(|child| child.kind() == "=")?;
    children.find(|child| child.is_named() && !child.is_extra())
}

/// The source of a value's type.
fn held(mut value: Node, source: &str) -> Option<(BindingKind, String)> {
    for _ in 0..MAX_NESTING {
        match value.kind() {
            "parenthesized_expression" => value = value.named_child(0)?,
            "unary_expression" => value = value.field("argument")?,
            "binary_expression" => {
                value
                    .field("operator")
                    .filter(|operator| operator.kind() == "?:")?;
                value = value.field("left")?;
            }
            "as_expression" => {
                let written = text_of(value.field("right")?, source);
                return Some((BindingKind::Annotated, written.to_owned()));
            }
            "call_expression" => {
                let callee = callee(value)?;
                return Some((BindingKind::Call, expression(callee, source)));
            }
            "identifier" | "navigation_expression" | "this_expression" => {
                return Some((BindingKind::Alias, expression(value, source)));
            }
            "string_literal" => return Some((BindingKind::Alias, "\"\"".to_owned())),
            _ => return None,
        }
    }
    None
}

/// The function that a call calls: `f` of `f(x) { … }`, which is a call with a lambda around a call with arguments.
fn callee(call: Node) -> Option<Node> {
    let first = call.named_child(0)?;
    let is_inner = first.kind() == "call_expression" && has_lambda(call);
    if is_inner {
        first.named_child(0)
    } else {
        Some(first)
    }
}

fn has_lambda(call: Node) -> bool {
    let mut cursor = call.walk();
    call.named_children(&mut cursor)
        .any(|child| child.kind() == "annotated_lambda")
}

/// The call that a lambda is an argument of, and its number among the arguments.
fn given_to<'t>(lambda: Node<'t>, outer: &[Node<'t>]) -> Option<(Node<'t>, usize)> {
    let mut above = outer.iter().rev();
    let around = *above.next()?;
    match around.kind() {
        "annotated_lambda" => Some((*above.next()?, CallbackParameter::LAST)),
        "value_argument" if around.named_child(0)? == lambda => {
            let list = *above.next()?;
            let mut cursor = list.walk();
            let number = list
                .named_children(&mut cursor)
                .filter(|child| !child.is_extra())
                .position(|child| child == around)?;
            Some((*above.next()?, number))
        }
        _ => None,
    }
}

/// The function that a lambda is given to; of `with(value) { … }` the value, of a default of a parameter its type.
fn lambda(lambda: Node, outer: &[Node], source: &str) -> Option<(BindingKind, String)> {
    let around = *outer.last()?;
    if around.kind() == "function_value_parameters" {
        let mut before = lambda.prev_sibling()?;
        if before.kind() == "=" {
            before = before.prev_named_sibling()?;
        }
        let written = before.named_child(1)?;
        return Some((BindingKind::Annotated, text_of(written, source).to_owned()));
    }
    let (call, number) = given_to(lambda, outer)?;
    let callee = callee(call)?;
    if text_of(callee, source) == "with" {
        return held(first_argument(call)?, source);
    }
    let callee = rules::callee(text_of(callee, source), Language::Kotlin)?;
    Some((BindingKind::Argument, format!("{number}.0 {callee}")))
}

/// The first argument of a call with a lambda behind its arguments.
fn first_argument(call: Node) -> Option<Node> {
    let arguments = call.named_child(0)?.named_child(1)?;
    arguments.named_child(0)?.named_child(0)
}

/// A parameter of a lambda.
fn parameter(
    name: Node,
    list: Node,
    outer: &[Node],
    source: &str,
) -> Option<(BindingKind, String)> {
    let (lambda, outer) = outer.split_last()?;
    let (call, number) = given_to(*lambda, outer)?;
    let mut cursor = list.walk();
    let position = list
        .named_children(&mut cursor)
        .filter(|child| !child.is_extra())
        .position(|child| child == name)?;
    let callee = rules::callee(text_of(callee(call)?, source), Language::Kotlin)?;
    Some((
        BindingKind::Argument,
        format!("{number}.{position} {callee}"),
    ))
}

fn expression(node: Node, source: &str) -> String {
    rules::expression(text_of(node, source), Language::Kotlin)
}
