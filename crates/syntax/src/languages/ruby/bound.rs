//! Results of methods: the value of the last statement.

use tree_sitter::Node;

use crate::Language;
use crate::facts::BindingKind;
use crate::fields::ByField;
use crate::node::text_of;
use crate::rules;

/// Assignments, branches and alternatives are nested no deeper than this.
const MAX_NESTING: usize = 8;

/// Returns the binding of the last word of a method, which is bound to its result. `around` are the enclosing nodes,
/// nearest last.
pub(super) fn bound(name: Node, around: &[Node], source: &str) -> Option<(BindingKind, String)> {
    let method = around.last()?;
    let is_method = matches!(method.kind(), "method" | "singleton_method");
    if !is_method || !matches!(name.kind(), "end" | "=") {
        return None;
    }
    let body = method.field("body")?;
    match body.kind() {
        "body_statement" => held(last_statement(body)?, source),
        _ => held(body, source),
    }
}

/// The last statement of a body, without what it rescues.
fn last_statement(body: Node) -> Option<Node> {
    let mut cursor = body.walk();
    let statements = body.named_children(&mut cursor);
    statements
        .filter(|one| !one.is_extra() && !matches!(one.kind(), "rescue" | "ensure" | "else"))
        .last()
}

/// The source of a value's type.
fn held(mut value: Node, source: &str) -> Option<(BindingKind, String)> {
    for _ in 0..MAX_NESTING {
        match value.kind() {
            "assignment" | "operator_assignment" => value = value.field("right")?,
            "binary" => {
                let operator = value.field("operator")?.kind();
                if !matches!(operator, "||" | "&&" | "or" | "and") {
                    return None;
                }
                value = value.field("right")?;
            }
            "return" => value = value.named_child(0)?.named_child(0)?,
            "parenthesized_statements" | "begin" | "then" => value = last_statement(value)?,
            "if" | "unless" | "conditional" => value = value.field("consequence")?,
            "if_modifier" | "unless_modifier" => value = value.field("body")?,
            "string" => return Some((BindingKind::Alias, "\"\"".to_owned())),
            "call" => return Some(call(value, source)),
            "identifier" | "instance_variable" | "class_variable" | "self" | "constant"
            | "scope_resolution" => {
                return Some((BindingKind::Alias, expression(text_of(value, source))));
            }
            _ => return None,
        }
    }
    None
}

fn call(call: Node, source: &str) -> (BindingKind, String) {
    let receiver = call.field("receiver");
    let is_new = call
        .field("method")
        .is_some_and(|method| text_of(method, source) == "new");
    match receiver.filter(|class| matches!(class.kind(), "constant" | "scope_resolution")) {
        Some(class) if is_new => (BindingKind::Constructed, text_of(class, source).to_owned()),
        _ => {
            let arguments = call.field("arguments").or_else(|| call.field("block"));
            let end = arguments.map_or(call.end_byte(), |arguments| arguments.start_byte());
            let callee = source.get(call.start_byte()..end).unwrap_or_default();
            (BindingKind::Call, expression(callee.trim_end()))
        }
    }
}

fn expression(text: &str) -> String {
    rules::expression(text, Language::Ruby)
}
