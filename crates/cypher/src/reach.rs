//! Finds searches that need to visit each node only once.

use std::collections::BTreeSet;

use super::plan::{Aggregate, AggregateFunction, Op, Projection, SortBy, Stage};

/// Marks searches that visit each node once. Where the next clause does not count rows (DISTINCT, and aggregates that
/// do not count), it does not matter by how many paths a node is reached.
pub(super) fn skip_equal_paths(stages: &mut [Stage<'_>]) {
    let mut counts_rows = true;
    let mut read = BTreeSet::new();
    for stage in stages.iter_mut().rev() {
        match stage {
            Stage::Project(projection) => {
                counts_rows = does_count_rows(projection);
                read.clear();
                projection.slots(&mut |slot| {
                    read.insert(slot);
                });
            }
            Stage::Unwind { list, .. } => list.slots(&mut |slot| {
                read.insert(slot);
            }),
            Stage::Match(matched) => {
                if !counts_rows {
                    mark_reach(&mut matched.ops, &read);
                }
                for op in &matched.ops {
                    if let Op::Expand(expand) = op {
                        read.extend([expand.from, expand.edge]);
                    }
                    if let Op::Filter(filter) = op {
                        filter.slots(&mut |slot| {
                            read.insert(slot);
                        });
                    }
                }
            }
        }
    }
}

fn does_count_rows(projection: &Projection<'_>) -> bool {
    use AggregateFunction::{Max, Min};
    let ignores =
        |aggregate: &Aggregate<'_>| aggregate.distinct || matches!(aggregate.function, Min | Max);
    if projection.is_grouped {
        !projection.aggregates.iter().all(ignores)
    } else {
        !projection.distinct
    }
}

/// Marks the relationships of variable length whose paths no later stage reads.
pub(super) fn mark_reach(ops: &mut [Op<'_>], read: &BTreeSet<usize>) {
    let mut looked_at = read.clone();
    let mut kinds = Vec::new();
    for op in ops.iter() {
        match op {
            Op::Path { places, .. } => looked_at.extend(places),
            Op::Filter(filter) => filter.slots(&mut |slot| {
                looked_at.insert(slot);
            }),
            Op::Expand(expand) => kinds.push(expand.kinds),
            Op::Scan { .. } | Op::Check { .. } => {}
        }
    }
    for op in ops {
        if let Op::Expand(expand) = op
            && let Some((min, _)) = expand.length
        {
            // No relationship is used twice in one MATCH: if another has the same type, paths matter.
            let n_same = kinds
                .iter()
                .filter(|kinds| kinds.0 & expand.kinds.0 != 0)
                .count();
            expand.reach = min <= 1
                && n_same == 1
                && expand.shortest.is_none()
                && !expand.edge_is_known
                && !looked_at.contains(&expand.edge);
        }
    }
}

impl Projection<'_> {
    fn slots(&self, see: &mut dyn FnMut(usize)) {
        self.items.iter().for_each(|item| item.slots(see));
        let arguments = self
            .aggregates
            .iter()
            .filter_map(|aggregate| aggregate.argument.as_ref());
        arguments.for_each(|argument| argument.slots(see));
        for key in &self.order {
            if let SortBy::Expr(expr) = &key.by {
                expr.slots(see);
            }
        }
    }
}
