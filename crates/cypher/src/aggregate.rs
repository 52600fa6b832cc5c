//! Aggregates: count, sum, avg, min, max and collect.

use rustc_hash::FxHashSet;

use super::cost::Context;
use super::error::Fault;
use super::plan::{Aggregate, AggregateFunction};
use super::value::{Value, order, write_key};

/// The values of one aggregate so far. Nulls do not count.
#[derive(Default)]
pub(super) struct Accumulator<'a> {
    n: i64,
    sum: f64,
    whole: i64,
    is_whole_lost: bool,
    list: Vec<Value<'a>>,
    best: Option<Value<'a>>,
    seen: FxHashSet<Vec<u8>>,
}

impl<'a> Accumulator<'a> {
    pub fn add(
        &mut self,
        ctx: &Context<'a>,
        aggregate: &Aggregate<'a>,
        value: Value<'a>,
    ) -> Result<(), Fault> {
        if value.is_null() {
            return Ok(());
        }
        if aggregate.distinct {
            let key = key_of(ctx, std::slice::from_ref(&value))?;
            let n_bytes = key.len() as u64;
            if !self.seen.insert(key) {
                return Ok(());
            }
            ctx.keep(&[], n_bytes)?;
        }
        self.n += 1;
        match aggregate.function {
            AggregateFunction::Count => {}
            AggregateFunction::Collect => {
                ctx.keep(std::slice::from_ref(&value), 0)?;
                self.list.push(value);
            }
            AggregateFunction::Sum | AggregateFunction::Avg => {
                let number = value.number().ok_or_else(|| {
                    Fault::types(
                        aggregate.at,
                        format!("numbers are added up, not {}", value.kind_name()),
                    )
                })?;
                self.sum += number;
                match value {
                    Value::Int(whole) => match self.whole.checked_add(whole) {
                        Some(sum) => self.whole = sum,
                        None => self.is_whole_lost = true,
                    },
                    _ => self.is_whole_lost = true,
                }
            }
            AggregateFunction::Min | AggregateFunction::Max => {
                let is_max = aggregate.function == AggregateFunction::Max;
                ctx.size(&value)?;
                let is_better = self.best.as_ref().is_none_or(|best| {
                    let order = order(&value, best);
                    if is_max { order.is_gt() } else { order.is_lt() }
                });
                if is_better {
                    ctx.keep(std::slice::from_ref(&value), 0)?;
                    self.best = Some(value);
                }
            }
        }
        Ok(())
    }

    pub fn finish(self, function: AggregateFunction) -> Value<'a> {
        match function {
            AggregateFunction::Count => Value::Int(self.n),
            AggregateFunction::Collect => Value::list(self.list),
            AggregateFunction::Sum if self.is_whole_lost => Value::Float(self.sum),
            AggregateFunction::Sum => Value::Int(self.whole),
            AggregateFunction::Avg if self.n == 0 => Value::Null,
            AggregateFunction::Avg => Value::Float(self.sum / self.n as f64),
            AggregateFunction::Min | AggregateFunction::Max => self.best.unwrap_or(Value::Null),
        }
    }
}

/// The key of a row for grouping and DISTINCT. It is kept, and as large as the row.
pub(super) fn key_of<'a>(ctx: &Context<'a>, row: &[Value<'a>]) -> Result<Vec<u8>, Fault> {
    let mut key = Vec::new();
    for value in row {
        // Texts of the graph are copied into it.
        let borrowed = match value {
            Value::Text(text) => text.len() as u64,
            _ => 0,
        };
        ctx.hold(ctx.size(value)?.bytes() + borrowed)?;
        write_key(value, &mut key);
    }
    ctx.text(key.len())?;
    Ok(key)
}
