//! Evaluates expressions, within the limits of the query.

use std::rc::Rc;

use super::ast::Quantifier;
use super::cost::{Context, VALUE_BYTES};
use super::error::Fault;
use super::matching;
use super::operators::{arithmetic, compared, contains, negative, slice, subscript, text_test};
use super::plan::{Expr, Key, Kind};
use super::schema::{edge_property, kind_as_named, node_property};
use super::value::{Value, all, equal};

/// The value of an expression in a row. `aggregates` are those of the group, where there is one.
pub(super) fn eval<'a>(
    ctx: &Context<'a>,
    expr: &Expr<'a>,
    row: &[Value<'a>],
    aggregates: &[Value<'a>],
) -> Result<Value<'a>, Fault> {
    let value = |expr: &Expr<'a>| eval(ctx, expr, row, aggregates);
    let truth = |expr: &Expr<'a>| truth(ctx, expr, row, aggregates);
    ctx.step()?;
    Ok(match &expr.kind {
        Kind::Value(value) => ctx.copy(value)?,
        Kind::Slot(slot) => ctx.copy(row.get(*slot).unwrap_or(&Value::Null))?,
        Kind::Aggregate(index) => ctx.copy(aggregates.get(*index).unwrap_or(&Value::Null))?,
        Kind::Property(base, key) => property(ctx, &value(base)?, key, base.at)?,
        Kind::List(items) => {
            let items = items.iter().map(value).collect::<Result<_, _>>()?;
            ctx.made(Value::list(items))?
        }
        Kind::Map(entries) => {
            let entries = entries
                .iter()
                .map(|(key, entry)| Ok((key.clone(), value(entry)?)))
                .collect::<Result<_, Fault>>()?;
            ctx.made(Value::Map(Rc::new(entries)))?
        }
        Kind::Index(base, index) => subscript(ctx, &value(base)?, &value(index)?, expr.at)?,
        Kind::Slice(base, from, to) => {
            let end = |end: &Option<Box<Expr<'a>>>| end.as_deref().map(value).transpose();
            slice(ctx, &value(base)?, end(from)?, end(to)?, expr.at)?
        }
        Kind::Not(inner) => from_truth(truth(inner)?.map(|truth| !truth)),
        Kind::Minus(inner) => negative(value(inner)?, expr.at)?,
        Kind::And(items) => from_truth(joined(items, truth, false)?),
        Kind::Or(items) => from_truth(joined(items, truth, true)?),
        Kind::Xor(items) => {
            let mut result = Some(false);
            for item in items {
                let truth = truth(item)?;
                result = result.zip(truth).map(|(a, b)| a ^ b);
            }
            from_truth(result)
        }
        Kind::Arithmetic(operator, a, b) => {
            arithmetic(ctx, *operator, value(a)?, value(b)?, expr.at)?
        }
        Kind::Compare(first, rest) => {
            let is_of_kinds = first.is_kind() || rest.iter().any(|(_, operand)| operand.is_kind());
            let named = |value| match is_of_kinds {
                true => kind_as_named(value),
                false => value,
            };
            let mut left = named(value(first)?);
            let mut result = Some(true);
            for (comparison, operand) in rest {
                let right = named(value(operand)?);
                ctx.size(&right)?;
                result = all([result, compared(*comparison, &left, &right)]);
                left = right;
            }
            from_truth(result)
        }
        Kind::TestText(test, a, b) => text_test(ctx, *test, &value(a)?, &value(b)?, b.at)?,
        Kind::Matches(inner, regex) => match value(inner)? {
            Value::Text(text) => Value::Bool(regex.is_match(ctx, &text)?),
            _ => Value::Null,
        },
        Kind::In(item, list) => {
            let (wanted, mut values) = (value(item)?, value(list)?);
            if let (true, Value::List(items)) = (item.is_kind(), &values) {
                ctx.items(items.len())?;
                let named = items.iter().cloned().map(kind_as_named).collect();
                values = ctx.made(Value::list(named))?;
            }
            contains(ctx, &wanted, &values, list.at)?
        }
        Kind::IsNull(inner, negated) => Value::Bool(value(inner)?.is_null() != *negated),
        Kind::HasLabels(inner, labels) => match value(inner)? {
            Value::Node(node) => Value::Bool(
                labels
                    .iter()
                    .all(|group| group.iter().any(|label| label.fits(ctx.view, node))),
            ),
            _ => Value::Null,
        },
        Kind::Call(function, arguments) => {
            let values = arguments.iter().map(value).collect::<Result<Vec<_>, _>>()?;
            function.call(ctx, values, expr.at)?
        }
        Kind::Case {
            subject,
            branches,
            otherwise,
        } => {
            let subject = subject.as_deref().map(value).transpose()?;
            for (when, then) in branches {
                let holds = match &subject {
                    Some(subject) => equal(subject, &value(when)?),
                    None => truth(when)?,
                };
                if holds == Some(true) {
                    return value(then);
                }
            }
            otherwise
                .as_deref()
                .map(value)
                .transpose()?
                .unwrap_or(Value::Null)
        }
        Kind::Comprehension {
            slot,
            list,
            filter,
            map,
        } => {
            let list = value(list)?;
            let mut items = Vec::new();
            each(ctx, &list, *slot, row, expr.at, |row, item| {
                let keep = match filter {
                    Some(filter) => self::truth(ctx, filter, row, aggregates)? == Some(true),
                    None => true,
                };
                if keep {
                    ctx.hold(VALUE_BYTES)?;
                    items.push(match map {
                        Some(map) => eval(ctx, map, row, aggregates)?,
                        None => ctx.copy(item)?,
                    });
                }
                Ok(true)
            })?;
            if list.is_null() {
                Value::Null
            } else {
                ctx.made(Value::list(items))?
            }
        }
        Kind::Quantifier {
            quantifier,
            slot,
            list,
            filter,
        } => {
            let list = value(list)?;
            let (mut n_true, mut n_unknown, mut n) = (0usize, 0usize, 0usize);
            each(ctx, &list, *slot, row, expr.at, |row, _| {
                n += 1;
                match self::truth(ctx, filter, row, aggregates)? {
                    Some(true) => n_true += 1,
                    None => n_unknown += 1,
                    Some(false) => {}
                }
                Ok(true)
            })?;
            if list.is_null() {
                Value::Null
            } else {
                from_truth(quantified(*quantifier, n_true, n_unknown, n))
            }
        }
        Kind::Exists(ops) => Value::Bool(matching::exists(ctx, ops, row)?),
    })
}

/// Whether a condition holds; none if unknown.
pub(super) fn truth<'a>(
    ctx: &Context<'a>,
    expr: &Expr<'a>,
    row: &[Value<'a>],
    aggregates: &[Value<'a>],
) -> Result<Option<bool>, Fault> {
    match eval(ctx, expr, row, aggregates)? {
        Value::Bool(truth) => Ok(Some(truth)),
        Value::Null => Ok(None),
        other => Err(Fault::types(
            expr.at,
            format!("a condition is needed here, not {}", other.kind_name()),
        )),
    }
}

pub(super) fn from_truth<'a>(truth: Option<bool>) -> Value<'a> {
    truth.map_or(Value::Null, Value::Bool)
}

/// AND (`winner` false) or OR (`winner` true): one operand equal to `winner` decides; otherwise unknown wins.
fn joined<T>(
    items: &[T],
    mut truth: impl FnMut(&T) -> Result<Option<bool>, Fault>,
    winner: bool,
) -> Result<Option<bool>, Fault> {
    let mut result = Some(!winner);
    for item in items {
        match truth(item)? {
            Some(truth) if truth == winner => return Ok(Some(winner)),
            None => result = None,
            Some(_) => {}
        }
    }
    Ok(result)
}

fn quantified(quantifier: Quantifier, n_true: usize, n_unknown: usize, n: usize) -> Option<bool> {
    match quantifier {
        Quantifier::All if n_true + n_unknown < n => Some(false),
        Quantifier::All => (n_unknown == 0).then_some(true),
        Quantifier::Any if n_true > 0 => Some(true),
        Quantifier::Any => (n_unknown == 0).then_some(false),
        Quantifier::None if n_true > 0 => Some(false),
        Quantifier::None => (n_unknown == 0).then_some(true),
        Quantifier::Single if n_true > 1 => Some(false),
        Quantifier::Single => (n_unknown == 0).then_some(n_true == 1),
    }
}

/// Calls `visit` with the row extended by each item, until it says false.
fn each<'a>(
    ctx: &Context<'a>,
    list: &Value<'a>,
    slot: usize,
    row: &[Value<'a>],
    at: usize,
    mut visit: impl FnMut(&[Value<'a>], &Value<'a>) -> Result<bool, Fault>,
) -> Result<(), Fault> {
    let items = match list {
        Value::List(items) => items,
        Value::Null => return Ok(()),
        other => {
            return Err(Fault::types(
                at,
                format!("a list is needed here, not {}", other.kind_name()),
            ));
        }
    };
    let mut extended = row.to_vec();
    extended.resize(extended.len().max(slot + 1), Value::Null);
    for item in items.iter() {
        ctx.step()?;
        extended[slot] = ctx.copy(item)?;
        if !visit(&extended, item)? {
            break;
        }
    }
    Ok(())
}

fn property<'a>(
    ctx: &Context<'a>,
    base: &Value<'a>,
    key: &Key,
    at: usize,
) -> Result<Value<'a>, Fault> {
    Ok(match base {
        Value::Node(node) => key
            .node
            .map_or(Value::Null, |key| node_property(ctx.view, *node, key)),
        Value::Edge(edge) => key.edge.map_or(Value::Null, |key| edge_property(edge, key)),
        Value::Map(entries) => ctx.copy(entries.get(&key.text).unwrap_or(&Value::Null))?,
        Value::Null => Value::Null,
        other => {
            let message = format!("{} has no properties", other.kind_name());
            return Err(Fault::types(at, message));
        }
    })
}
