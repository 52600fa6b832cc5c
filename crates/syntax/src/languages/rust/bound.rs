//! Resolves names that a pattern binds, and parameters of closures.

use tree_sitter::Node;

use crate::Language;
use crate::facts::{Binding, BindingKind};
use crate::fields::ByField;
use crate::node::text_of;
use crate::rules;

/// Patterns are nested no deeper than this.
const MAX_PATTERNS: usize = 8;

/// Returns the binding of a name: a part of the value that its pattern takes apart, or a parameter that a call supplies.
/// `around` are the enclosing nodes, nearest last.
pub(super) fn bound(name: Node, around: &[Node], source: &str) -> Option<(BindingKind, String)> {
    taken_apart(name, around, source).or_else(|| {
        // `Some(x)` of a value that is not read: x is of an external type more often than not.
        let parent = around.last()?;
        let of = parent
            .field("type")
            .filter(|_| parent.kind() == "tuple_struct_pattern")?;
        Some((BindingKind::Element, text_of(of, source).to_owned()))
    })
}

fn taken_apart(name: Node, around: &[Node], source: &str) -> Option<(BindingKind, String)> {
    let mut path = String::new();
    let mut node = name;
    let mut above = around.iter().rev();
    for _ in 0..MAX_PATTERNS {
        let parent = *above.next()?;
        match parent.kind() {
            "tuple_pattern" => path.insert_str(0, &format!(".{}", place_of(node, parent)?)),
            "tuple_struct_pattern" => {
                let of = text_of(parent.field("type")?, source);
                if !matches!(of, "Some" | "Ok") {
                    return None;
                }
                path.insert_str(0, ".unwrap()");
            }
            "field_pattern" => {
                let field = text_of(parent.field("name")?, source);
                path.insert_str(0, &format!(".{field}"));
            }
            "struct_pattern" => {
                let of = cast(parent.field("type")?, source)?;
                return Some((BindingKind::Alias, format!("{of}{path}")));
            }
            "mut_pattern" | "ref_pattern" | "reference_pattern" | "match_pattern"
            | "captured_pattern" | "or_pattern" => {}
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
    let alias = |text: String| Some((BindingKind::Alias, text));
    match parent.kind() {
        "let_declaration" if path.is_empty() => closure(parent.field("value")?, source),
        "let_declaration" | "let_condition" if !path.is_empty() => {
            if let Some(written) = parent.field("type") {
                return alias(format!("{}{path}", cast(written, source)?));
            }
            alias(part(parent.field("value")?, path, source)?)
        }
        "match_arm" if !path.is_empty() => {
            let block = above.next()?;
            let matched = above.next().filter(|_| block.kind() == "match_block")?;
            alias(part(matched.field("value")?, path, source)?)
        }
        "for_expression" if !path.is_empty() => {
            let all = expression(parent.field("value")?, source)?;
            alias(format!("{all}.into_iter().next().unwrap(){path}"))
        }
        "parameter" if !path.is_empty() => {
            alias(format!("{}{path}", cast(parent.field("type")?, source)?))
        }
        "closure_parameters" => argument(pattern, parent, above, path, source),
        _ => None,
    }
}

/// A closure with its result: the written type, or the expression that it consists of, behind [`Binding::CLOSURE`].
fn closure(value: Node, source: &str) -> Option<(BindingKind, String)> {
    if value.kind() != "closure_expression" {
        return None;
    }
    if let Some(written) = value.field("return_type") {
        let result = short(text_of(written, source))?;
        return Some((BindingKind::Annotated, format!("fn()->{result}")));
    }
    let body = value.field("body")?;
    let body = if body.kind() == "block" {
        body.named_child(0)
            .filter(|_| body.named_child_count() == 1)?
    } else {
        body
    };
    let result = match body.kind() {
        "struct_expression" => cast(body.field("name")?, source)?,
        _ => expression(body, source)?,
    };
    let result = without_parameter(&result, value.field("parameters")?, source)?;
    Some((BindingKind::Alias, format!("{}{result}", Binding::CLOSURE)))
}

/// An expression with the type of the parameter at its head in place of the name, since it is read where no parameter is
/// bound; none if that type is not written.
fn without_parameter(expression: &str, parameters: Node, source: &str) -> Option<String> {
    let is_of_name = |c: char| c.is_alphanumeric() || c == '_';
    let end = expression.find(|c| !is_of_name(c));
    let (head, rest) = expression.split_at(end.unwrap_or(expression.len()));
    let mut cursor = parameters.walk();
    let mut typed = parameters.named_children(&mut cursor);
    let parameter = typed.find(|node| {
        let pattern = node.field("pattern").unwrap_or(*node);
        let mut words = text_of(pattern, source).split(|c| !is_of_name(c));
        words.any(|word| word == head)
    });
    match parameter.filter(|_| !head.is_empty()) {
        None => Some(expression.to_owned()),
        Some(parameter) => {
            let is_name = parameter.field("pattern")?.kind() == "identifier";
            let written = parameter.field("type").filter(|_| is_name)?;
            Some(format!("{}{rest}", cast(written, source)?))
        }
    }
}

/// A part of a value. Of a tuple that is written out, only the element is read.
fn part(value: Node, path: &str, source: &str) -> Option<String> {
    if value.kind() == "tuple_expression" {
        let path = path.strip_prefix('.')?;
        let end = path.find('.').unwrap_or(path.len());
        let (place, rest) = path.split_at(end);
        let element = value.named_child(place.parse().ok()?)?;
        return Some(format!("{}{rest}", expression(element, source)?));
    }
    Some(format!("{}{path}", expression(value, source)?))
}

/// A value of a written type, as an expression.
fn cast(written: Node, source: &str) -> Option<String> {
    let text = short(text_of(written, source))?;
    Some(format!("(_ as {text})"))
}

/// An expression of names, members and calls; arguments are left out.
fn expression(node: Node, source: &str) -> Option<String> {
    match node.kind() {
        "identifier" | "self" | "field_expression" | "scoped_identifier" | "index_expression" => {
            short(text_of(node, source))
        }
        "call_expression" => {
            let callee = short(text_of(node.field("function")?, source))?;
            Some(format!("{callee}()"))
        }
        "try_expression" => Some(format!(
            "{}.unwrap()",
            expression(node.named_child(0)?, source)?
        )),
        "await_expression" | "parenthesized_expression" | "unary_expression" => {
            expression(node.named_child(0)?, source)
        }
        "reference_expression" => expression(node.field("value")?, source),
        _ => None,
    }
}

/// The parameter of a closure that is written as an argument of a call: which, of which argument, what of it, and who is
/// called.
fn argument<'t>(
    parameter: Node<'t>,
    list: Node<'t>,
    mut above: Above<'_, 't>,
    path: &str,
    source: &str,
) -> Option<(BindingKind, String)> {
    let place = place_of(parameter, list)?;
    let closure = *above.next()?;
    let arguments = *above.next().filter(|list| list.kind() == "arguments")?;
    let number = place_of(closure, arguments)?;
    let callee = short(text_of(above.next()?.field("function")?, source))?;
    let is_plain = !path.contains('(');
    is_plain.then(|| {
        (
            BindingKind::Argument,
            format!("{number}.{place}{path} {callee}"),
        )
    })
}

/// Returns the index of a node in a list; none behind `..`, which counts for several.
fn place_of(child: Node, list: Node) -> Option<usize> {
    let mut cursor = list.walk();
    let children = list
        .named_children(&mut cursor)
        .filter(|node| !node.is_extra())
        .take_while(|node| node.kind() != "remaining_field_pattern");
    children
        .enumerate()
        .find(|(_, node)| node.id() == child.id())
        .map(|(place, _)| place)
}

fn short(text: &str) -> Option<String> {
    rules::callee(text, Language::Rust)
}
