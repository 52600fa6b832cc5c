//! The functions of expressions, by name.

use std::rc::Rc;

use super::ast::Name;
use super::cost::Context;
use super::error::{Fault, nearest};
use super::operators::{copied, shown};
use super::plan::AggregateFunction;
use super::schema::{EdgeProperty, NodeProperty, edge_property, node_property};
use super::value::Value;
use graph::{NodeKind, label};

/// Functions over many rows.
pub(super) const AGGREGATES: [(&str, AggregateFunction); 6] = [
    ("count", AggregateFunction::Count),
    ("collect", AggregateFunction::Collect),
    ("sum", AggregateFunction::Sum),
    ("avg", AggregateFunction::Avg),
    ("min", AggregateFunction::Min),
    ("max", AggregateFunction::Max),
];

/// Maximum number of items of `range`, and of parts of `split`.
const MAX_ITEMS: usize = 100_000;

macro_rules! functions {
    ($($value:ident => $name:literal, $least:literal..=$most:literal;)+) => {
        /// A function of values.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(super) enum Function { $($value,)+ }

        /// Name, function, minimum and maximum number of arguments.
        const FUNCTIONS: &[(&str, Function, usize, usize)] = &[$(($name, Function::$value, $least, $most),)+];
    };
}

functions! {
    Id => "id", 1..=1;
    Labels => "labels", 1..=1;
    Type => "type", 1..=1;
    Keys => "keys", 1..=1;
    Properties => "properties", 1..=1;
    StartNode => "startNode", 1..=1;
    EndNode => "endNode", 1..=1;
    Nodes => "nodes", 1..=1;
    Relationships => "relationships", 1..=1;
    Length => "length", 1..=1;
    Size => "size", 1..=1;
    Head => "head", 1..=1;
    Last => "last", 1..=1;
    Tail => "tail", 1..=1;
    Range => "range", 2..=3;
    Reverse => "reverse", 1..=1;
    Coalesce => "coalesce", 1..=100;
    ToLower => "toLower", 1..=1;
    ToUpper => "toUpper", 1..=1;
    Trim => "trim", 1..=1;
    Split => "split", 2..=2;
    Replace => "replace", 3..=3;
    Substring => "substring", 2..=3;
    Left => "left", 2..=2;
    Right => "right", 2..=2;
    ToText => "toString", 1..=1;
    ToInteger => "toInteger", 1..=1;
    ToFloat => "toFloat", 1..=1;
    Abs => "abs", 1..=1;
    Round => "round", 1..=1;
    Floor => "floor", 1..=1;
    Ceil => "ceil", 1..=1;
    Sqrt => "sqrt", 1..=1;
    Sign => "sign", 1..=1;
}

impl Function {
    /// Finds a function by its name, in any case, and checks the number of arguments.
    pub fn find(name: &Name, n_arguments: usize) -> Result<Function, Fault> {
        let at = name.at.0;
        let found = FUNCTIONS
            .iter()
            .find(|(known, ..)| known.eq_ignore_ascii_case(&name.text));
        let Some((known, function, least, most)) = found else {
            let names = || {
                FUNCTIONS
                    .iter()
                    .map(|(known, ..)| *known)
                    .chain(AGGREGATES.iter().map(|(known, _)| *known))
            };
            let fault = Fault::name(at, format!("there is no function `{}`", name.text));
            return Err(fault.with_help(match nearest(&name.text, names()) {
                Some(near) => format!("did you mean {near}?"),
                None => format!("there are {}", names().collect::<Vec<_>>().join(", ")),
            }));
        };
        if (*least..=*most).contains(&n_arguments) {
            return Ok(*function);
        }
        let wanted = match (least, most) {
            (1, 1) => "one argument".to_owned(),
            (least, most) if least == most => format!("{least} arguments"),
            (least, most) => format!("{least} to {most} arguments"),
        };
        Err(Fault::syntax(
            at,
            format!("`{known}` takes {wanted}, not {n_arguments}"),
        ))
    }

    fn name(self) -> &'static str {
        let found = FUNCTIONS.iter().find(|(_, function, ..)| *function == self);
        found.map_or("", |(name, ..)| name)
    }

    /// Calls the function. A null argument gives null, except for `coalesce`.
    pub fn call<'a>(
        self,
        ctx: &Context<'a>,
        mut arguments: Vec<Value<'a>>,
        at: usize,
    ) -> Result<Value<'a>, Fault> {
        if self == Function::Coalesce {
            return Ok(arguments
                .into_iter()
                .find(|value| !value.is_null())
                .unwrap_or(Value::Null));
        }
        if arguments.iter().any(Value::is_null) {
            return Ok(Value::Null);
        }
        arguments.resize(3, Value::Null);
        let [a, b, c] = [&arguments[0], &arguments[1], &arguments[2]];
        if let Some(value) = self.of_graph(ctx, a)? {
            return Ok(value);
        }
        if let Value::List(items) = a
            && let Some(value) = self.of_list(ctx, items)?
        {
            return Ok(value);
        }
        if let Some(value) = self.of_number(a) {
            return Ok(value);
        }
        match (self, a, b, c) {
            (Function::Range, Value::Int(from), Value::Int(to), step) => {
                range(ctx, *from, *to, step, at)
            }
            (Function::ToText, value, ..) => Ok(shown(value).map_or(Value::Null, Value::text)),
            (_, Value::Text(of), ..) => match self.of_text(ctx, of, b, c)? {
                Some(made) => Ok(made.map_or_else(|other| other, Value::text)),
                None => Err(self.refuse(&arguments, at)),
            },
            _ => Err(self.refuse(&arguments, at)),
        }
    }

    fn refuse(self, arguments: &[Value<'_>], at: usize) -> Fault {
        let given: Vec<&str> = arguments
            .iter()
            .filter(|value| !value.is_null())
            .map(Value::kind_name)
            .collect();
        let message = format!("`{}` does not take {}", self.name(), given.join(" and "));
        Fault::types(at, message)
    }

    /// Functions of nodes, relationships and paths.
    fn of_graph<'a>(
        self,
        ctx: &Context<'a>,
        value: &Value<'a>,
    ) -> Result<Option<Value<'a>>, Fault> {
        let view = ctx.view;
        Ok(Some(match (self, value) {
            (Function::Id, Value::Node(node)) => Value::Int(i64::from(node.0)),
            (Function::Labels, Value::Node(node)) => {
                let mut labels = vec![Value::text(label(view, *node))];
                if view.kind(*node) == NodeKind::Symbol {
                    labels.push(Value::text(NodeKind::Symbol.name()));
                }
                ctx.made(Value::list(labels))?
            }
            (Function::Type, Value::Edge(edge)) => Value::text(edge.kind.name()),
            (Function::StartNode, Value::Edge(edge)) => Value::Node(edge.source),
            (Function::EndNode, Value::Edge(edge)) => Value::Node(edge.target),
            (Function::Nodes, Value::Path(path)) => {
                ctx.hold_items(path.nodes.len())?;
                Value::list(path.nodes.iter().copied().map(Value::Node).collect())
            }
            (Function::Relationships, Value::Path(path)) => {
                ctx.hold_items(path.edges.len())?;
                Value::list(path.edges.iter().copied().map(Value::Edge).collect())
            }
            (Function::Length, Value::Path(path)) => Value::Int(path.edges.len() as i64),
            (Function::Properties | Function::Keys, _) => {
                ctx.size(value)?;
                let Some(properties) = self::properties(ctx, value) else {
                    return Ok(None);
                };
                ctx.made(if self == Function::Properties {
                    Value::Map(Rc::new(properties.into_iter().collect()))
                } else {
                    let keys = properties.into_iter().map(|(key, _)| Value::text(key));
                    Value::list(keys.collect())
                })?
            }
            _ => return Ok(None),
        }))
    }

    fn of_list<'a>(
        self,
        ctx: &Context<'a>,
        items: &[Value<'a>],
    ) -> Result<Option<Value<'a>>, Fault> {
        Ok(Some(match self {
            Function::Size | Function::Length => Value::Int(items.len() as i64),
            Function::Head => ctx.copy(items.first().unwrap_or(&Value::Null))?,
            Function::Last => ctx.copy(items.last().unwrap_or(&Value::Null))?,
            Function::Tail => copied(ctx, items.get(1..).unwrap_or_default())?,
            Function::Reverse => {
                ctx.hold_items(items.len())?;
                let items = items.iter().rev().map(|item| ctx.copy(item));
                Value::list(items.collect::<Result<_, _>>()?)
            }
            _ => return Ok(None),
        }))
    }

    fn of_number<'a>(self, value: &Value<'a>) -> Option<Value<'a>> {
        let number = value.number()?;
        Some(match (self, value) {
            (Function::Abs, Value::Int(whole)) => Value::Int(whole.saturating_abs()),
            (Function::Abs, _) => Value::Float(number.abs()),
            (Function::Sign, _) => Value::Int(i64::from(number > 0.0) - i64::from(number < 0.0)),
            (Function::Round, _) => Value::Float((number + 0.5).floor()),
            (Function::Floor, _) => Value::Float(number.floor()),
            (Function::Ceil, _) => Value::Float(number.ceil()),
            (Function::Sqrt, _) => Value::Float(number.sqrt()),
            (Function::ToFloat, _) => Value::Float(number),
            (Function::ToInteger, Value::Int(whole)) => Value::Int(*whole),
            (Function::ToInteger, _) => Value::Int(number as i64),
            _ => return None,
        })
    }

    /// Functions of texts; none where the arguments do not fit. The result is no longer than `of`, unless it is charged
    /// here.
    fn of_text<'a>(
        self,
        ctx: &Context<'a>,
        of: &str,
        b: &Value<'a>,
        c: &Value<'a>,
    ) -> Result<Option<Result<String, Value<'a>>>, Fault> {
        let chars = |from: usize, n: usize| of.chars().skip(from).take(n).collect::<String>();
        let count = |value: &Value<'_>| match value {
            Value::Int(count) => usize::try_from(*count).ok(),
            _ => None,
        };
        if matches!(self, Function::Size | Function::Length) {
            ctx.text(of.len())?;
            return Ok(Some(Err(Value::Int(of.chars().count() as i64))));
        }
        ctx.hold_text(of.len())?;
        Ok(Some(match (self, b, c) {
            // Some letters are longer in the other case.
            (Function::ToLower | Function::ToUpper, ..) => {
                ctx.hold(of.len() as u64 * 2)?;
                Ok(if self == Function::ToLower {
                    of.to_lowercase()
                } else {
                    of.to_uppercase()
                })
            }
            (Function::Trim, ..) => Ok(of.trim().to_owned()),
            (Function::Reverse, ..) => Ok(of.chars().rev().collect()),
            (Function::Left | Function::Right, b, _) => {
                let Some(n) = count(b) else { return Ok(None) };
                Ok(if self == Function::Left {
                    chars(0, n)
                } else {
                    chars(of.chars().count().saturating_sub(n), usize::MAX)
                })
            }
            (Function::Substring, from, n) => {
                let n = if n.is_null() {
                    Some(usize::MAX)
                } else {
                    count(n)
                };
                let (Some(from), Some(n)) = (count(from), n) else {
                    return Ok(None);
                };
                Ok(chars(from, n))
            }
            (Function::Replace, Value::Text(what), Value::Text(with)) => {
                replace(ctx, of, what, with).map(Ok)?
            }
            (Function::Split, Value::Text(at), _) => Err(split(ctx, of, at)?),
            (Function::ToInteger, ..) => Err(of
                .trim()
                .parse::<f64>()
                .map_or(Value::Null, |number| Value::Int(number as i64))),
            (Function::ToFloat, ..) => Err(of.trim().parse().map_or(Value::Null, Value::Float)),
            _ => return Ok(None),
        }))
    }
}

/// Replaces a part of a text. The length of the result is charged before it is made.
fn replace(ctx: &Context<'_>, of: &str, what: &str, with: &str) -> Result<String, Fault> {
    if what.is_empty() {
        return Ok(of.to_owned());
    }
    let n_found = of.matches(what).count();
    let kept = of.len() - n_found * what.len();
    ctx.hold_text(n_found.saturating_mul(with.len()).saturating_add(kept))?;
    Ok(of.replace(what, with))
}

fn split<'a>(ctx: &Context<'a>, of: &str, at: &str) -> Result<Value<'a>, Fault> {
    let n_parts = of.split(at).take(MAX_ITEMS + 1).count();
    if n_parts > MAX_ITEMS {
        let message = format!("`split` gives no more than {MAX_ITEMS} parts");
        return Err(Fault::limit(message, "split a shorter text"));
    }
    ctx.hold_items(n_parts)?;
    let parts = of.split(at).map(|part| Value::text(part.to_owned()));
    Ok(Value::list(parts.collect()))
}

fn range<'a>(
    ctx: &Context<'a>,
    from: i64,
    to: i64,
    step: &Value<'a>,
    at: usize,
) -> Result<Value<'a>, Fault> {
    let step = match step {
        Value::Null => 1,
        Value::Int(step) if *step != 0 => *step,
        _ => {
            return Err(Fault::types(
                at,
                "the step of `range` is a whole number other than 0",
            ));
        }
    };
    let n_items = (i128::from(to) - i128::from(from)) / i128::from(step) + 1;
    if n_items > MAX_ITEMS as i128 {
        return Err(Fault::types(
            at,
            format!("`range` gives no more than {MAX_ITEMS} items"),
        ));
    }
    ctx.hold_items(usize::try_from(n_items).unwrap_or(0))?;
    let items = (0..n_items.max(0) as i64).map(|n| Value::Int(from + n * step));
    Ok(Value::list(items.collect()))
}

/// The properties that a node, relationship or map has.
pub(super) fn properties<'a>(
    ctx: &Context<'a>,
    value: &Value<'a>,
) -> Option<Vec<(String, Value<'a>)>> {
    let all = match value {
        Value::Node(node) => NodeProperty::ALL
            .iter()
            .map(|key| (key.name().to_owned(), node_property(ctx.view, *node, *key)))
            .collect(),
        Value::Edge(edge) => EdgeProperty::ALL
            .iter()
            .map(|key| (key.name().to_owned(), edge_property(edge, *key)))
            .collect(),
        Value::Map(entries) => entries
            .iter()
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect::<Vec<_>>(),
        _ => return None,
    };
    Some(
        all.into_iter()
            .filter(|(_, value)| !value.is_null())
            .collect(),
    )
}
