//! Parameters of functions that are arguments: `xs.map(x => …)`, `xs.map { case (a, b) => … }`, `xs.map(_.run())`; the name that
//! a type gives to its own value.

use tree_sitter::Node;

use crate::Language;
use crate::facts::{BindingKind, CallbackParameter};
use crate::fields::ByField;
use crate::node::text_of;
use crate::rules;

/// Calls and members behind a placeholder are nested no deeper than this.
const MAX_NESTING: usize = 32;
/// Elements of a list behind this number have no position: looking for it would be quadratic.
const MAX_POSITION: usize = 200;

/// Returns the binding of a name. `around` are the enclosing nodes, nearest last.
pub(super) fn bound(name: Node, around: &[Node], source: &str) -> Option<(BindingKind, String)> {
    let (parent, outer) = around.split_last()?;
    if name.kind() == "wildcard" {
        return placeholder(around, source);
    }
    match parent.kind() {
        "self_type" => Some((BindingKind::Alias, "this".to_owned())),
        "lambda_expression" => given(*parent, outer, "0", source),
        "binding" => {
            let (list, outer) = outer.split_last()?;
            let (lambda, outer) = outer.split_last()?;
            let position = position(*parent, *list)?.to_string();
            given(*lambda, outer, &position, source)
        }
        "tuple_pattern" => {
            let (clause, outer) = outer.split_last()?;
            let place = format!("0._{}", position(name, *parent)? + 1);
            of_clause(*clause, outer, &place, source)
        }
        "case_clause" => of_clause(*parent, outer, "0", source),
        _ => None,
    }
}

/// The parameter of a function that is written as its cases: `{ case a => … }`.
fn of_clause(
    clause: Node,
    outer: &[Node],
    place: &str,
    source: &str,
) -> Option<(BindingKind, String)> {
    let (block, outer) = outer.split_last()?;
    let is_function = clause.kind() == "case_clause" && block.kind() == "case_block";
    is_function.then(|| given(*block, outer, place, source))?
}

/// `_` before a member: the parameter of the function that the whole argument is.
fn placeholder(around: &[Node], source: &str) -> Option<(BindingKind, String)> {
    let mut depth = 0;
    let mut inner: Option<Node> = None;
    for node in around.iter().rev().take(MAX_NESTING) {
        let is_inside = match node.kind() {
            "field_expression" | "call_expression" | "generic_function" => true,
            // `_.name == name`
            "infix_expression" => node.field("left") == inner,
            _ => false,
        };
        if !is_inside {
            break;
        }
        inner = Some(*node);
        depth += 1;
    }
    given(inner?, around.get(..around.len() - depth)?, "0", source)
}

/// The parameter that a call gives to a function among its arguments. `place` is its number in the function's list.
fn given(
    function: Node,
    outer: &[Node],
    place: &str,
    source: &str,
) -> Option<(BindingKind, String)> {
    let mut above = outer.iter().rev();
    let around = *above.next()?;
    let (callee, number) = match around.kind() {
        "arguments" | "block" => {
            let call = *above
                .next()
                .filter(|call| call.kind() == "call_expression")?;
            let callee = call.field("function")?;
            let own = position(function, around)?;
            match callee.kind() {
                "call_expression" => (
                    text_of(called(callee)?, source).to_owned(),
                    CallbackParameter::LAST,
                ),
                _ if around.kind() == "block" => (text_of(callee, source).to_owned(), 0),
                _ => (text_of(callee, source).to_owned(), own),
            }
        }
        "call_expression" => {
            let callee = around
                .field("function")
                .filter(|callee| *callee != function)?;
            let number = if callee.kind() == "call_expression" {
                CallbackParameter::LAST
            } else {
                0
            };
            (text_of(called(callee)?, source).to_owned(), number)
        }
        // `xs map (x => …)`
        "parenthesized_expression" => {
            let call = *above
                .next()
                .filter(|call| call.kind() == "infix_expression")?;
            let part = |name| call.field(name).map(|part| text_of(part, source));
            (format!("{}.{}", part("left")?, part("operator")?), 0)
        }
        _ => return None,
    };
    let callee = rules::callee(&callee, Language::Scala)?;
    Some((BindingKind::Argument, format!("{number}.{place} {callee}")))
}

/// The function of a call with several lists of arguments.
fn called(mut callee: Node) -> Option<Node> {
    for _ in 0..MAX_NESTING {
        if callee.kind() != "call_expression" {
            return Some(callee);
        }
        callee = callee.field("function")?;
    }
    None
}

fn position(child: Node, list: Node) -> Option<usize> {
    let mut cursor = list.walk();
    list.named_children(&mut cursor)
        .filter(|other| !other.is_extra())
        .take(MAX_POSITION)
        .position(|other| other == child)
}
