//! Values of variables, attributes and results: names of other values, calls, objects of a metatable.

use tree_sitter::Node;

use super::is_required;
use crate::Language;
use crate::facts::BindingKind;
use crate::fields::ByField;
use crate::node::text_of;
use crate::rules;

/// Alternatives, brackets and assertions are nested no deeper than this.
const MAX_NESTING: usize = 8;

/// Returns the binding of a name: the value at its position of an assignment. `return` is bound to the result of the
/// function around it. `around` are the enclosing nodes, nearest last.
pub(super) fn bound(name: Node, around: &[Node], source: &str) -> Option<(BindingKind, String)> {
    let (parent, outer) = around.split_last()?;
    match parent.kind() {
        "return_statement" => held(nth_value(*parent, 0)?, source),
        "variable_list" => {
            let assignment = outer.last()?;
            if assignment.kind() != "assignment_statement" {
                return None;
            }
            let value = nth_value(*assignment, position(name, *parent)?)?;
            held(value, source).filter(|(_, text)| text != "{}")
        }
        _ => None,
    }
}

/// The position of a name in a list.
pub(super) fn position(name: Node, list: Node) -> Option<usize> {
    let mut cursor = list.walk();
    list.named_children(&mut cursor)
        .filter(|child| !child.is_extra())
        .position(|child| child == name)
}

/// The value at a position of the list of an assignment or `return`.
pub(super) fn nth_value(statement: Node, position: usize) -> Option<Node> {
    let mut cursor = statement.walk();
    let list = statement
        .named_children(&mut cursor)
        .find(|child| child.kind() == "expression_list")?;
    let mut cursor = list.walk();
    let mut values = list
        .named_children(&mut cursor)
        .filter(|child| !child.is_extra());
    values.nth(position)
}

/// The source of a value's type: of `a or b` the call, else the first.
fn held(mut value: Node, source: &str) -> Option<(BindingKind, String)> {
    let text = || "\"\"".to_owned();
    for _ in 0..MAX_NESTING {
        match value.kind() {
            "parenthesized_expression" => value = value.named_child(0)?,
            "binary_expression" => {
                let (left, right) = (value.field("left")?, value.field("right")?);
                match value.child(1)?.kind() {
                    "or" if right.kind() == "function_call" => value = right,
                    "or" => value = left,
                    "and" => value = right,
                    ".." => return Some((BindingKind::Alias, text())),
                    _ => return None,
                }
            }
            "identifier" | "dot_index_expression" => {
                return Some((BindingKind::Alias, expression(value, source)));
            }
            "string" => return Some((BindingKind::Alias, text())),
            "table_constructor" => return Some((BindingKind::Alias, "{}".to_owned())),
            "function_call" => match called(value, source) {
                "setmetatable" => return with_metatable(value, source),
                "assert" => value = argument(value, 0)?,
                _ if is_required(value, source) => {
                    return Some((BindingKind::Alias, expression(value, source)));
                }
                _ => {
                    let callee = value.field("name")?;
                    return Some((BindingKind::Call, expression(callee, source)));
                }
            },
            _ => return None,
        }
    }
    None
}

/// The object of `setmetatable(object, metatable)`: an instance of the metatable or of the table in which that looks
/// names up; where neither is named, the object itself.
fn with_metatable(call: Node, source: &str) -> Option<(BindingKind, String)> {
    let class = argument(call, 1).and_then(|metatable| match metatable.kind() {
        "identifier" | "dot_index_expression" => Some(metatable),
        "table_constructor" => looked_in(metatable, source),
        _ => None,
    });
    if let Some(class) = class {
        return Some((BindingKind::Constructed, expression(class, source)));
    }
    let object = argument(call, 0).filter(|object| is_name(*object))?;
    Some((BindingKind::Alias, expression(object, source)))
}

/// The table of `{ __index = Table }`.
fn looked_in<'t>(table: Node<'t>, source: &str) -> Option<Node<'t>> {
    let mut cursor = table.walk();
    let mut fields = table.named_children(&mut cursor).take(100);
    fields.find_map(|field| {
        let name = field.field("name")?;
        let value = field.field("value").filter(|value| is_name(*value))?;
        (text_of(name, source) == "__index").then_some(value)
    })
}

fn is_name(node: Node) -> bool {
    matches!(node.kind(), "identifier" | "dot_index_expression")
}

/// The global function that a call names; empty for any other.
pub(super) fn called<'s>(call: Node, source: &'s str) -> &'s str {
    call.field("name")
        .filter(|name| name.kind() == "identifier")
        .map_or("", |name| text_of(name, source))
}

fn argument(call: Node, position: usize) -> Option<Node> {
    let arguments = call.field("arguments")?;
    let mut cursor = arguments.walk();
    let mut given = arguments
        .named_children(&mut cursor)
        .filter(|child| !child.is_extra());
    given.nth(position)
}

fn expression(node: Node, source: &str) -> String {
    rules::expression(text_of(node, source), Language::Lua)
}
