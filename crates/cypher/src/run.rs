//! Runs a plan: rows are pushed from clause to clause, and kept only where sorting or grouping needs all of them.

use std::ops::ControlFlow;
use syntax::order::InOrder;

use rustc_hash::{FxHashMap, FxHashSet};

use super::aggregate::{Accumulator, key_of};
use super::cost::Context;
use super::error::Fault;
use super::eval::{eval, truth};
use super::matching::{self, Flow, Row, put};
use super::plan::{Plan, Projection, SortBy, Stage};
use super::value::{Value, order};

/// Columns and rows of an answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Table<'a> {
    /// Names of the columns.
    pub columns: Vec<String>,
    /// The rows, each with a value for each column.
    pub rows: Vec<Vec<Value<'a>>>,
    /// Whether there are more rows than the limit allows.
    pub truncated: bool,
    /// Number of steps that the query took: see [`Limits::max_steps`](super::Limits::max_steps).
    pub n_steps: u64,
}

/// Runs a plan.
pub(super) fn run<'a>(ctx: &Context<'a>, plan: &Plan<'a>) -> Result<Table<'a>, Fault> {
    let mut output = Output::default();
    for (index, stages) in plan.parts.iter().enumerate() {
        output.distinct = index > 0 && !plan.all.get(index - 1).copied().unwrap_or(true);
        if output.distinct {
            output.forget_duplicates(ctx)?;
        }
        let mut pipeline = Pipeline {
            ctx,
            stages,
            states: stages.iter().map(|_| State::default()).collect(),
            output: &mut output,
        };
        let _ = pipeline.push(0, &mut Row::new())?;
        for stage in 0..stages.len() {
            let _ = pipeline.finish(stage)?;
        }
    }
    Ok(Table {
        columns: plan.columns.clone(),
        rows: output.rows,
        truncated: output.truncated,
        n_steps: ctx.n_steps(),
    })
}

#[derive(Default)]
struct Output<'a> {
    rows: Vec<Row<'a>>,
    truncated: bool,
    /// Whether this part of a UNION adds only rows that are new.
    distinct: bool,
    seen: FxHashSet<Vec<u8>>,
}

impl<'a> Output<'a> {
    fn forget_duplicates(&mut self, ctx: &Context<'a>) -> Result<(), Fault> {
        self.seen.clear();
        for row in std::mem::take(&mut self.rows) {
            if self.seen.insert(key_of(ctx, &row)?) {
                self.rows.push(row);
            }
        }
        Ok(())
    }

    fn push(&mut self, ctx: &Context<'a>, row: Row<'a>) -> Flow {
        if self.distinct && !self.seen.insert(key_of(ctx, &row)?) {
            return Ok(ControlFlow::Continue(()));
        }
        if self.rows.len() >= ctx.limits.max_rows {
            self.truncated = true;
            return Ok(ControlFlow::Break(()));
        }
        ctx.keep(&row, 0)?;
        self.rows.push(row);
        Ok(ControlFlow::Continue(()))
    }
}

/// Bytes that an aggregate of one group counts.
const ACCUMULATOR_BYTES: u64 = 160;

/// The state of a stage between rows.
#[derive(Default)]
struct State<'a> {
    seen: FxHashSet<Vec<u8>>,
    /// Rows with their sort keys.
    kept: Vec<(Vec<Value<'a>>, Row<'a>)>,
    groups: FxHashMap<Vec<u8>, usize>,
    group_list: Vec<Group<'a>>,
    n_skipped: u64,
    n_passed: u64,
}

/// Rows with equal keys.
struct Group<'a> {
    /// The first of them, from which items without aggregates are read.
    row: Row<'a>,
    accumulators: Vec<Accumulator<'a>>,
}

struct Pipeline<'p, 'a> {
    ctx: &'p Context<'a>,
    stages: &'p [Stage<'a>],
    states: Vec<State<'a>>,
    output: &'p mut Output<'a>,
}

impl<'a> Pipeline<'_, 'a> {
    /// Pushes a row into a stage, then releases the memory of its expressions, except values that stages keep.
    fn push(&mut self, stage: usize, row: &mut Row<'a>) -> Flow {
        let mark = self.ctx.mark();
        let flow = self.push_on(stage, row);
        self.ctx.rest(mark);
        flow
    }

    fn push_on(&mut self, stage: usize, row: &mut Row<'a>) -> Flow {
        let (ctx, stages) = (self.ctx, self.stages);
        match stages.get(stage) {
            None => self.output.push(ctx, row.clone()),
            Some(Stage::Match(matched)) => {
                let mut found = false;
                if row.len() < matched.width {
                    row.resize(matched.width, Value::Null);
                }
                let flow = matching::find(ctx, &matched.ops, row, &mut |row| {
                    found = true;
                    self.push(stage + 1, row)
                })?;
                if matched.optional && !found {
                    return self.push(stage + 1, row);
                }
                Ok(flow)
            }
            Some(Stage::Unwind { list, slot }) => {
                let items = match eval(ctx, list, row, &[])? {
                    Value::Null => return Ok(ControlFlow::Continue(())),
                    Value::List(items) => items,
                    single => std::rc::Rc::new(vec![single]),
                };
                for item in items.iter() {
                    ctx.step()?;
                    put(row, *slot, ctx.copy(item)?);
                    if self.push(stage + 1, row)?.is_break() {
                        return Ok(ControlFlow::Break(()));
                    }
                }
                Ok(ControlFlow::Continue(()))
            }
            Some(Stage::Project(projection)) if projection.is_grouped => {
                self.group(stage, projection, row)?;
                Ok(ControlFlow::Continue(()))
            }
            Some(Stage::Project(projection)) => {
                let projected = projection
                    .items
                    .iter()
                    .map(|item| eval(ctx, item, row, &[]))
                    .collect::<Result<Row<'a>, _>>()?;
                self.projected(stage, projection, row, projected)
            }
        }
    }

    /// Ends a stage: the rows that it kept go on to the next.
    fn finish(&mut self, stage: usize) -> Flow {
        let Some(Stage::Project(projection)) = self.stages.get(stage) else {
            return Ok(ControlFlow::Continue(()));
        };
        if projection.is_grouped {
            self.finish_groups(stage, projection)?;
        }
        let mut kept = std::mem::take(&mut self.states[stage].kept);
        // Comparisons of a sort.
        let n_levels = kept.len().max(1).ilog2() as u64 + 1;
        self.ctx.work(kept.len() as u64 * n_levels / 4)?;
        kept.order_by(|(a, _), (b, _)| {
            let pairs = a.iter().zip(b).zip(&projection.order);
            pairs
                .map(|((a, b), key)| {
                    if key.descending {
                        order(b, a)
                    } else {
                        order(a, b)
                    }
                })
                .find(|order| order.is_ne())
                .unwrap_or(std::cmp::Ordering::Equal)
        });
        for (_, row) in kept {
            if self.pass(stage, projection, row)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Takes a row of items: drops duplicates, and keeps the row where sorting needs all rows.
    fn projected(
        &mut self,
        stage: usize,
        projection: &Projection<'a>,
        row: &[Value<'a>],
        projected: Row<'a>,
    ) -> Flow {
        if projection.distinct {
            let key = key_of(self.ctx, &projected)?;
            let n_bytes = key.len() as u64;
            if !self.states[stage].seen.insert(key) {
                return Ok(ControlFlow::Continue(()));
            }
            self.ctx.keep(&[], n_bytes)?;
        }
        if projection.order.is_empty() {
            return self.pass(stage, projection, projected);
        }
        let mut extended: Option<Row<'a>> = None;
        let mut keys = Vec::with_capacity(projection.order.len());
        for key in &projection.order {
            keys.push(match &key.by {
                SortBy::Item(index) => projected.get(*index).cloned().unwrap_or(Value::Null),
                SortBy::Expr(expr) => {
                    let extended = extended
                        .get_or_insert_with(|| row.iter().chain(&projected).cloned().collect());
                    eval(self.ctx, expr, extended, &[])?
                }
            });
        }
        self.ctx.keep(&projected, 0)?;
        self.ctx.keep(&keys, 0)?;
        self.states[stage].kept.push((keys, projected));
        Ok(ControlFlow::Continue(()))
    }

    /// Applies SKIP, LIMIT and the WHERE of WITH, then pushes the row to the next stage.
    fn pass(&mut self, stage: usize, projection: &Projection<'a>, mut row: Row<'a>) -> Flow {
        let state = &mut self.states[stage];
        if state.n_skipped < projection.skip {
            state.n_skipped += 1;
            return Ok(ControlFlow::Continue(()));
        }
        if projection
            .limit
            .is_some_and(|limit| state.n_passed >= limit)
        {
            return Ok(ControlFlow::Break(()));
        }
        state.n_passed += 1;
        let is_last = projection.limit == Some(state.n_passed);
        let passes = match &projection.filter {
            Some(filter) => truth(self.ctx, filter, &row, &[])? == Some(true),
            None => true,
        };
        if passes && self.push(stage + 1, &mut row)?.is_break() {
            return Ok(ControlFlow::Break(()));
        }
        Ok(if is_last {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        })
    }

    fn group(
        &mut self,
        stage: usize,
        projection: &Projection<'a>,
        row: &Row<'a>,
    ) -> Result<(), Fault> {
        let ctx = self.ctx;
        let mut key = Vec::new();
        for index in &projection.keys {
            let value = eval(ctx, &projection.items[*index], row, &[])?;
            key.extend(key_of(ctx, &[value])?);
        }
        let state = &mut self.states[stage];
        let n_groups = state.group_list.len();
        let n_bytes = key.len() as u64;
        let index = *state.groups.entry(key).or_insert(n_groups);
        if index == n_groups {
            let n_aggregates = projection.aggregates.len() as u64;
            ctx.keep(row, n_bytes + n_aggregates * ACCUMULATOR_BYTES)?;
            state.group_list.push(Group {
                row: row.clone(),
                accumulators: projection
                    .aggregates
                    .iter()
                    .map(|_| Accumulator::default())
                    .collect(),
            });
        }
        let Some(group) = state.group_list.get_mut(index) else {
            return Ok(());
        };
        for (aggregate, accumulator) in projection.aggregates.iter().zip(&mut group.accumulators) {
            let value = match &aggregate.argument {
                Some(argument) => eval(ctx, argument, row, &[])?,
                None => Value::Bool(true),
            };
            accumulator.add(ctx, aggregate, value)?;
        }
        Ok(())
    }

    fn finish_groups(&mut self, stage: usize, projection: &Projection<'a>) -> Result<(), Fault> {
        let mut groups = std::mem::take(&mut self.states[stage].group_list);
        if groups.is_empty() && projection.keys.is_empty() {
            // Counting nothing gives one row: 0.
            groups.push(Group {
                row: Row::new(),
                accumulators: projection
                    .aggregates
                    .iter()
                    .map(|_| Accumulator::default())
                    .collect(),
            });
        }
        for group in groups {
            let mark = self.ctx.mark();
            let results: Vec<Value<'a>> = projection
                .aggregates
                .iter()
                .zip(group.accumulators)
                .map(|(aggregate, accumulator)| {
                    let value = accumulator.finish(aggregate.function);
                    // A list of lists must not be deeper or larger than values may be.
                    self.ctx.size(&value).map(|_| value)
                })
                .collect::<Result<_, _>>()?;
            let projected = projection
                .items
                .iter()
                .map(|item| eval(self.ctx, item, &group.row, &results))
                .collect::<Result<Row<'a>, _>>()?;
            let flow = self.projected(stage, projection, &[], projected)?;
            self.ctx.rest(mark);
            if flow.is_break() {
                break;
            }
        }
        Ok(())
    }
}
