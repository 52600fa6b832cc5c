//! Operators on values.

use std::cmp::Ordering;

use super::ast::{Arithmetic, Comparison, TextTest};
use super::cost::Context;
use super::error::Fault;
use super::eval::from_truth;
use super::regex::Pattern;
use super::value::{Value, compare, equal};

/// The index of an item in a list: negative ones count from the end.
fn place(index: i64, len: usize) -> Option<usize> {
    let place = if index < 0 {
        index.checked_add(len as i64)?
    } else {
        index
    };
    usize::try_from(place).ok()
}

pub(super) fn subscript<'a>(
    ctx: &Context<'a>,
    base: &Value<'a>,
    index: &Value<'a>,
    at: usize,
) -> Result<Value<'a>, Fault> {
    Ok(match (base, index) {
        (Value::Null, _) | (_, Value::Null) => Value::Null,
        (Value::List(items), Value::Int(index)) => {
            let item = place(*index, items.len()).and_then(|place| items.get(place));
            ctx.copy(item.unwrap_or(&Value::Null))?
        }
        (Value::Map(entries), Value::Text(key)) => {
            ctx.copy(entries.get(key.as_ref()).unwrap_or(&Value::Null))?
        }
        (base, index) => {
            let message = format!("{} has no item for {}", base.kind_name(), index.kind_name());
            return Err(Fault::types(at, message));
        }
    })
}

pub(super) fn slice<'a>(
    ctx: &Context<'a>,
    base: &Value<'a>,
    from: Option<Value<'a>>,
    to: Option<Value<'a>>,
    at: usize,
) -> Result<Value<'a>, Fault> {
    let Value::List(items) = base else {
        return match base {
            Value::Null => Ok(Value::Null),
            other => Err(Fault::types(
                at,
                format!("{} has no parts", other.kind_name()),
            )),
        };
    };
    let end = |value: Option<Value<'a>>, otherwise: usize| match value {
        None => Ok(Some(otherwise)),
        Some(Value::Int(index)) => Ok(Some(
            place(index, items.len()).unwrap_or(0).min(items.len()),
        )),
        Some(Value::Null) => Ok(None),
        Some(other) => Err(Fault::types(
            at,
            format!("a whole number is needed here, not {}", other.kind_name()),
        )),
    };
    let (Some(from), Some(to)) = (end(from, 0)?, end(to, items.len())?) else {
        return Ok(Value::Null);
    };
    copied(ctx, items.get(from..to).unwrap_or_default())
}

/// A new list of these items.
pub(super) fn copied<'a>(ctx: &Context<'a>, items: &[Value<'a>]) -> Result<Value<'a>, Fault> {
    ctx.hold_items(items.len())?;
    let items = items.iter().map(|item| ctx.copy(item));
    Ok(Value::list(items.collect::<Result<_, _>>()?))
}

pub(super) fn contains<'a>(
    ctx: &Context<'a>,
    item: &Value<'a>,
    list: &Value<'a>,
    at: usize,
) -> Result<Value<'a>, Fault> {
    let items = match list {
        Value::List(items) => items,
        Value::Null => return Ok(Value::Null),
        other => {
            return Err(Fault::types(
                at,
                format!("IN needs a list, not {}", other.kind_name()),
            ));
        }
    };
    ctx.items(items.len())?;
    let is_nested = matches!(item, Value::List(_) | Value::Map(_));
    let mut result = Some(false);
    for other in items.iter() {
        if is_nested {
            ctx.size(other)?;
        }
        match equal(item, other) {
            Some(true) => return Ok(Value::Bool(true)),
            None => result = None,
            Some(false) => {}
        }
    }
    Ok(from_truth(result))
}

pub(super) fn compared(comparison: Comparison, a: &Value<'_>, b: &Value<'_>) -> Option<bool> {
    let order = |test: fn(Ordering) -> bool| compare(a, b).map(test);
    match comparison {
        Comparison::Equal => equal(a, b),
        Comparison::NotEqual => equal(a, b).map(|equal| !equal),
        Comparison::Less => order(Ordering::is_lt),
        Comparison::LessOrEqual => order(Ordering::is_le),
        Comparison::Greater => order(Ordering::is_gt),
        Comparison::GreaterOrEqual => order(Ordering::is_ge),
    }
}

pub(super) fn text_test<'a>(
    ctx: &Context<'a>,
    test: TextTest,
    text: &Value<'a>,
    part: &Value<'a>,
    at: usize,
) -> Result<Value<'a>, Fault> {
    let (Value::Text(text), Value::Text(part)) = (text, part) else {
        return Ok(Value::Null);
    };
    ctx.text(text.len().saturating_add(part.len()))?;
    Ok(Value::Bool(match test {
        TextTest::StartsWith => text.starts_with(part.as_ref()),
        TextTest::EndsWith => text.ends_with(part.as_ref()),
        TextTest::Contains => text.contains(part.as_ref()),
        TextTest::Matches => Pattern::cached(ctx, part, at)?.is_match(ctx, text)?,
    }))
}

pub(super) fn negative<'a>(value: Value<'a>, at: usize) -> Result<Value<'a>, Fault> {
    match value {
        Value::Int(value) => value
            .checked_neg()
            .map(Value::Int)
            .ok_or_else(|| Fault::types(at, "the number is too large")),
        Value::Float(value) => Ok(Value::Float(-value)),
        Value::Null => Ok(Value::Null),
        other => Err(Fault::types(
            at,
            format!("{} cannot be negative", other.kind_name()),
        )),
    }
}

pub(super) fn arithmetic<'a>(
    ctx: &Context<'a>,
    operator: Arithmetic,
    a: Value<'a>,
    b: Value<'a>,
    at: usize,
) -> Result<Value<'a>, Fault> {
    match (operator, &a, &b) {
        (_, Value::Null, _) | (_, _, Value::Null) => Ok(Value::Null),
        (_, Value::Int(a), Value::Int(b)) => whole(operator, *a, *b, at),
        (Arithmetic::Add, Value::Text(_), _) | (Arithmetic::Add, _, Value::Text(_))
            if !matches!((&a, &b), (Value::List(_), _) | (_, Value::List(_))) =>
        {
            let n_bytes = |value: &Value<'_>| match value {
                Value::Text(text) => text.len(),
                // Digits of a number.
                _ => 32,
            };
            ctx.hold_text(n_bytes(&a).saturating_add(n_bytes(&b)))?;
            match (shown(&a), shown(&b)) {
                (Some(a), Some(b)) => Ok(Value::text(a + &b)),
                _ => Err(mixed("+", &a, &b, at)),
            }
        }
        (Arithmetic::Add, Value::List(items), other)
        | (Arithmetic::Add, other, Value::List(items)) => {
            let others = match other {
                Value::List(others) => others.as_slice(),
                single => std::slice::from_ref(single),
            };
            ctx.hold_items(items.len() + others.len())?;
            let (first, second) = if matches!(a, Value::List(_)) {
                (items.as_slice(), others)
            } else {
                (others, items.as_slice())
            };
            let joined = first.iter().chain(second).map(|item| ctx.copy(item));
            ctx.made(Value::list(joined.collect::<Result<_, _>>()?))
        }
        _ => match (a.number(), b.number()) {
            (Some(a), Some(b)) => Ok(Value::Float(match operator {
                Arithmetic::Add => a + b,
                Arithmetic::Subtract => a - b,
                Arithmetic::Multiply => a * b,
                Arithmetic::Divide => a / b,
                Arithmetic::Modulo => a % b,
                Arithmetic::Power => a.powf(b),
            })),
            _ => Err(mixed(arithmetic_sign(operator), &a, &b, at)),
        },
    }
}

fn whole<'a>(operator: Arithmetic, a: i64, b: i64, at: usize) -> Result<Value<'a>, Fault> {
    let result = match operator {
        Arithmetic::Add => a.checked_add(b),
        Arithmetic::Subtract => a.checked_sub(b),
        Arithmetic::Multiply => a.checked_mul(b),
        Arithmetic::Divide | Arithmetic::Modulo if b == 0 => {
            return Err(Fault::types(at, "division by zero"));
        }
        Arithmetic::Divide => a.checked_div(b),
        Arithmetic::Modulo => a.checked_rem(b),
        Arithmetic::Power => return Ok(Value::Float((a as f64).powf(b as f64))),
    };
    result
        .map(Value::Int)
        .ok_or_else(|| Fault::types(at, "the result is too large a number"))
}

fn arithmetic_sign(operator: Arithmetic) -> &'static str {
    match operator {
        Arithmetic::Add => "+",
        Arithmetic::Subtract => "-",
        Arithmetic::Multiply => "*",
        Arithmetic::Divide => "/",
        Arithmetic::Modulo => "%",
        Arithmetic::Power => "^",
    }
}

fn mixed(sign: &str, a: &Value<'_>, b: &Value<'_>, at: usize) -> Fault {
    let message = format!(
        "`{sign}` does not take {} and {}",
        a.kind_name(),
        b.kind_name()
    );
    Fault::types(at, message)
}

/// A simple value as text.
pub(super) fn shown(value: &Value<'_>) -> Option<String> {
    match value {
        Value::Text(text) => Some(text.to_string()),
        Value::Int(value) => Some(value.to_string()),
        Value::Float(value) => Some(format!("{value:?}")),
        Value::Bool(value) => Some(value.to_string()),
        _ => None,
    }
}
