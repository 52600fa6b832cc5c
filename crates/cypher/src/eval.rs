//! Evaluates expressions, within the limits of the query.

use std::rc::Rc;

use super::ast::{Comparison, Quantifier};
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
    let place = Place {
        ctx,
        row,
        aggregates,
    };
    place.value(expr)
}

/// Whether a condition holds; none if unknown.
pub(super) fn truth<'a>(
    ctx: &Context<'a>,
    expr: &Expr<'a>,
    row: &[Value<'a>],
    aggregates: &[Value<'a>],
) -> Result<Option<bool>, Fault> {
    let place = Place {
        ctx,
        row,
        aggregates,
    };
    place.truth(expr)
}

/// Where expressions are evaluated: a row, and the aggregates of its group.
#[derive(Clone, Copy)]
struct Place<'e, 'a> {
    ctx: &'e Context<'a>,
    row: &'e [Value<'a>],
    aggregates: &'e [Value<'a>],
}

impl<'a> Place<'_, 'a> {
    fn value(self, expr: &Expr<'a>) -> Result<Value<'a>, Fault> {
        let ctx = self.ctx;
        ctx.step()?;
        Ok(match &expr.kind {
            Kind::Value(value) => ctx.copy(value)?,
            Kind::Slot(slot) => ctx.copy(self.row.get(*slot).unwrap_or(&Value::Null))?,
            Kind::Aggregate(at) => ctx.copy(self.aggregates.get(*at).unwrap_or(&Value::Null))?,
            Kind::Property(base, key) => property(ctx, &self.value(base)?, key, base.at)?,
            Kind::List(items) => ctx.made(Value::list(self.values(items)?))?,
            Kind::Map(entries) => {
                let entries = entries
                    .iter()
                    .map(|(key, entry)| Ok((key.clone(), self.value(entry)?)))
                    .collect::<Result<_, Fault>>()?;
                ctx.made(Value::Map(Rc::new(entries)))?
            }
            Kind::Index(base, index) => {
                subscript(ctx, &self.value(base)?, &self.value(index)?, expr.at)?
            }
            Kind::Slice(base, from, to) => {
                let base = self.value(base)?;
                let (from, to) = (self.opt(from.as_deref())?, self.opt(to.as_deref())?);
                slice(ctx, &base, from, to, expr.at)?
            }
            Kind::Not(inner) => from_truth(self.truth(inner)?.map(|truth| !truth)),
            Kind::Minus(inner) => negative(self.value(inner)?, expr.at)?,
            Kind::And(items) => from_truth(self.joined(items, false)?),
            Kind::Or(items) => from_truth(self.joined(items, true)?),
            Kind::Xor(items) => from_truth(self.either(items)?),
            Kind::Arithmetic(operator, a, b) => {
                arithmetic(ctx, *operator, self.value(a)?, self.value(b)?, expr.at)?
            }
            Kind::Compare(first, rest) => from_truth(self.compared(first, rest)?),
            Kind::TestText(test, a, b) => {
                text_test(ctx, *test, &self.value(a)?, &self.value(b)?, b.at)?
            }
            Kind::Matches(inner, regex) => match self.value(inner)? {
                Value::Text(text) => Value::Bool(regex.is_match(ctx, &text)?),
                _ => Value::Null,
            },
            Kind::In(item, list) => self.contained(item, list)?,
            Kind::IsNull(inner, negated) => Value::Bool(self.value(inner)?.is_null() != *negated),
            Kind::HasLabels(inner, labels) => match self.value(inner)? {
                Value::Node(node) => Value::Bool(
                    labels
                        .iter()
                        .all(|group| group.iter().any(|label| label.fits(ctx.view, node))),
                ),
                _ => Value::Null,
            },
            Kind::Call(function, arguments) => {
                function.call(ctx, self.values(arguments)?, expr.at)?
            }
            Kind::Case {
                subject,
                branches,
                otherwise,
            } => self.case(subject.as_deref(), branches, otherwise.as_deref())?,
            Kind::Comprehension {
                slot,
                list,
                filter,
                map,
            } => self.mapped(list, *slot, filter.as_deref(), map.as_deref(), expr.at)?,
            Kind::Quantifier {
                quantifier,
                slot,
                list,
                filter,
            } => from_truth(self.quantified(*quantifier, list, *slot, filter, expr.at)?),
            Kind::Exists(ops) => Value::Bool(matching::exists(ctx, ops, self.row)?),
        })
    }

    fn values(self, exprs: &[Expr<'a>]) -> Result<Vec<Value<'a>>, Fault> {
        exprs.iter().map(|expr| self.value(expr)).collect()
    }

    fn opt(self, expr: Option<&Expr<'a>>) -> Result<Option<Value<'a>>, Fault> {
        expr.map(|expr| self.value(expr)).transpose()
    }

    fn truth(self, expr: &Expr<'a>) -> Result<Option<bool>, Fault> {
        match self.value(expr)? {
            Value::Bool(truth) => Ok(Some(truth)),
            Value::Null => Ok(None),
            other => Err(Fault::types(
                expr.at,
                format!("a condition is needed here, not {}", other.kind_name()),
            )),
        }
    }

    /// AND (`winner` false) or OR (`winner` true): one operand equal to `winner` decides; otherwise unknown wins.
    fn joined(self, items: &[Expr<'a>], winner: bool) -> Result<Option<bool>, Fault> {
        let mut result = Some(!winner);
        for item in items {
            match self.truth(item)? {
                Some(truth) if truth == winner => return Ok(Some(winner)),
                None => result = None,
                Some(_) => {}
            }
        }
        Ok(result)
    }

    /// XOR: unknown where one operand is.
    fn either(self, items: &[Expr<'a>]) -> Result<Option<bool>, Fault> {
        let mut result = Some(false);
        for item in items {
            let truth = self.truth(item)?;
            result = result.zip(truth).map(|(a, b)| a ^ b);
        }
        Ok(result)
    }

    fn compared(
        self,
        first: &Expr<'a>,
        rest: &[(Comparison, Expr<'a>)],
    ) -> Result<Option<bool>, Fault> {
        let is_of_kinds = first.is_kind() || rest.iter().any(|(_, operand)| operand.is_kind());
        let named = |value| match is_of_kinds {
            true => kind_as_named(value),
            false => value,
        };
        let mut left = named(self.value(first)?);
        let mut result = Some(true);
        for (comparison, operand) in rest {
            let right = named(self.value(operand)?);
            self.ctx.size(&right)?;
            result = all([result, compared(*comparison, &left, &right)]);
            left = right;
        }
        Ok(result)
    }

    fn contained(self, item: &Expr<'a>, list: &Expr<'a>) -> Result<Value<'a>, Fault> {
        let (wanted, mut values) = (self.value(item)?, self.value(list)?);
        if let (true, Value::List(items)) = (item.is_kind(), &values) {
            self.ctx.items(items.len())?;
            let named = items.iter().cloned().map(kind_as_named).collect();
            values = self.ctx.made(Value::list(named))?;
        }
        contains(self.ctx, &wanted, &values, list.at)
    }

    fn case(
        self,
        subject: Option<&Expr<'a>>,
        branches: &[(Expr<'a>, Expr<'a>)],
        otherwise: Option<&Expr<'a>>,
    ) -> Result<Value<'a>, Fault> {
        let subject = self.opt(subject)?;
        for (when, then) in branches {
            let holds = match &subject {
                Some(subject) => equal(subject, &self.value(when)?),
                None => self.truth(when)?,
            };
            if holds == Some(true) {
                return self.value(then);
            }
        }
        Ok(self.opt(otherwise)?.unwrap_or(Value::Null))
    }

    /// The items of a list that pass the filter, each as `map` says.
    fn mapped(
        self,
        list: &Expr<'a>,
        slot: usize,
        filter: Option<&Expr<'a>>,
        map: Option<&Expr<'a>>,
        at: usize,
    ) -> Result<Value<'a>, Fault> {
        let list = self.value(list)?;
        let mut items = Vec::new();
        each(self.ctx, &list, slot, self.row, at, |row, item| {
            let place = Place { row, ..self };
            let keep = match filter {
                Some(filter) => place.truth(filter)? == Some(true),
                None => true,
            };
            if keep {
                self.ctx.hold(VALUE_BYTES)?;
                items.push(match map {
                    Some(map) => place.value(map)?,
                    None => self.ctx.copy(item)?,
                });
            }
            Ok(true)
        })?;
        if list.is_null() {
            return Ok(Value::Null);
        }
        self.ctx.made(Value::list(items))
    }

    fn quantified(
        self,
        quantifier: Quantifier,
        list: &Expr<'a>,
        slot: usize,
        filter: &Expr<'a>,
        at: usize,
    ) -> Result<Option<bool>, Fault> {
        let list = self.value(list)?;
        let (mut n_true, mut n_unknown, mut n) = (0usize, 0usize, 0usize);
        each(self.ctx, &list, slot, self.row, at, |row, _| {
            n += 1;
            match (Place { row, ..self }).truth(filter)? {
                Some(true) => n_true += 1,
                None => n_unknown += 1,
                Some(false) => {}
            }
            Ok(true)
        })?;
        Ok(quantified(quantifier, n_true, n_unknown, n).filter(|_| !list.is_null()))
    }
}

pub(super) fn from_truth<'a>(truth: Option<bool>) -> Value<'a> {
    truth.map_or(Value::Null, Value::Bool)
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
