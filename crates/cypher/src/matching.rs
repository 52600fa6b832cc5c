//! Finds patterns depth first: each row goes through all steps before the next row begins, so that a LIMIT ends the
//! search.

use std::ops::ControlFlow;
use std::rc::Rc;

use rustc_hash::FxHashSet;

use super::candidates::{as_text, at_paths, named, out, range_of, texts};
use super::cost::Context;
use super::error::Fault;
use super::eval::{eval, truth};
use super::plan::{Access, Expand, Expr, NodeTest, Op, Way};
use super::schema::{edge_property, node_property};
use super::value::{EdgeKey, Path, Value, edge_key, equal};
use graph::Edge;
use graph::NodeId;

pub(super) type Row<'a> = Vec<Value<'a>>;
pub(super) type Flow = Result<ControlFlow<()>, Fault>;
type Sink<'s, 'a> = &'s mut dyn FnMut(&mut Row<'a>) -> Flow;

pub(super) const NEXT: Flow = Ok(ControlFlow::Continue(()));

/// Sets a place of a row.
pub(super) fn put<'a>(row: &mut Row<'a>, slot: usize, value: Value<'a>) {
    if row.len() <= slot {
        row.resize(slot + 1, Value::Null);
    }
    row[slot] = value;
}

/// Whether the steps of a pattern can be taken from this row.
pub(super) fn exists<'a>(
    ctx: &Context<'a>,
    ops: &[Op<'a>],
    row: &[Value<'a>],
) -> Result<bool, Fault> {
    let mut found = false;
    let mut sink = |_: &mut Row<'a>| {
        found = true;
        Ok(ControlFlow::Break(()))
    };
    let _ = Matcher { ctx }.run(ops, &mut row.to_vec(), &mut Vec::new(), &mut sink)?;
    Ok(found)
}

/// Finds every row that the steps lead to from this one.
pub(super) fn find<'a>(
    ctx: &Context<'a>,
    ops: &[Op<'a>],
    row: &mut Row<'a>,
    sink: Sink<'_, 'a>,
) -> Flow {
    Matcher { ctx }.run(ops, row, &mut Vec::new(), sink)
}

#[derive(Clone, Copy)]
pub(super) struct Matcher<'c, 'a> {
    pub ctx: &'c Context<'a>,
}

impl<'a> Matcher<'_, 'a> {
    /// Runs the steps. `used` has the relationships of this MATCH so far; no relationship is used twice.
    fn run(
        self,
        ops: &[Op<'a>],
        row: &mut Row<'a>,
        used: &mut Vec<EdgeKey>,
        sink: Sink<'_, 'a>,
    ) -> Flow {
        let Some((op, rest)) = ops.split_first() else {
            return sink(row);
        };
        match op {
            Op::Scan { slot, access } => {
                let flow = self.scan(access, row.clone(), |node| {
                    put(row, *slot, Value::Node(node));
                    self.run(rest, row, used, sink)
                });
                put(row, *slot, Value::Null);
                flow
            }
            Op::Check { slot, test } => match row.get(*slot) {
                Some(Value::Node(node)) if self.fits(*node, test)? => {
                    self.run(rest, row, used, sink)
                }
                _ => NEXT,
            },
            Op::Filter(expr) => {
                let mark = self.ctx.mark();
                let holds = truth(self.ctx, expr, row, &[])?;
                self.ctx.rest(mark);
                match holds {
                    Some(true) => self.run(rest, row, used, sink),
                    _ => NEXT,
                }
            }
            Op::Path { slot, places } => {
                if let Some(path) = path_of(row, places) {
                    self.ctx.items(path.nodes.len() * 2)?;
                    put(row, *slot, Value::Path(Rc::new(path)));
                    return self.run(rest, row, used, sink);
                }
                NEXT
            }
            Op::Expand(expand) => {
                let from = match row.get(expand.from) {
                    Some(Value::Node(from)) => *from,
                    _ => return NEXT,
                };
                self.expand(expand, from, rest, row, used, sink)
            }
        }
    }

    fn scan(
        self,
        access: &Access<'a>,
        row: Row<'a>,
        mut visit: impl FnMut(NodeId) -> Flow,
    ) -> Flow {
        let view = self.ctx.view;
        let value = |expr: &Expr<'a>| eval(self.ctx, expr, &row, &[]);
        let n_nodes = view.n_nodes() as u32;
        let candidates: Vec<NodeId> = match access {
            Access::All => return self.each((0..n_nodes).map(NodeId), visit),
            Access::Kind(labels) => {
                let fits = |node: &NodeId| labels.iter().any(|label| label.fits(view, *node));
                return self.each(range_of(view, labels).map(NodeId).filter(fits), visit);
            }
            Access::Id(expr) => texts(&value(expr)?, |value| match value {
                Value::Int(id) => u32::try_from(*id).ok().filter(|id| *id < n_nodes),
                _ => None,
            })
            .into_iter()
            .map(NodeId)
            .collect(),
            Access::Name(expr) => {
                let value = value(expr)?;
                named(self.ctx, &texts(&value, as_text))?
            }
            Access::Path(expr) => {
                let value = value(expr)?;
                at_paths(self.ctx, &texts(&value, as_text))?
            }
        };
        let mut seen = FxHashSet::default();
        self.each(
            candidates.into_iter().filter(|node| seen.insert(*node)),
            &mut visit,
        )
    }

    fn each(
        self,
        nodes: impl Iterator<Item = NodeId>,
        mut visit: impl FnMut(NodeId) -> Flow,
    ) -> Flow {
        for node in nodes {
            self.ctx.step()?;
            if visit(node)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        NEXT
    }

    fn fits(self, node: NodeId, test: &NodeTest<'a>) -> Result<bool, Fault> {
        let view = self.ctx.view;
        let has_labels = test
            .labels
            .iter()
            .all(|group| group.iter().any(|label| label.fits(view, node)));
        if !has_labels {
            return Ok(false);
        }
        let mark = self.ctx.mark();
        for (property, wanted) in &test.properties {
            let wanted = eval(self.ctx, wanted, &[], &[])?;
            let wanted = property.compared(wanted);
            if equal(&node_property(view, node, *property), &wanted) != Some(true) {
                self.ctx.rest(mark);
                return Ok(false);
            }
        }
        self.ctx.rest(mark);
        Ok(true)
    }

    fn fits_edge(self, edge: &Edge, expand: &Expand<'a>) -> Result<bool, Fault> {
        let mark = self.ctx.mark();
        for (property, wanted) in &expand.properties {
            let wanted = eval(self.ctx, wanted, &[], &[])?;
            let wanted = property.compared(wanted);
            if equal(&edge_property(edge, *property), &wanted) != Some(true) {
                self.ctx.rest(mark);
                return Ok(false);
            }
        }
        self.ctx.rest(mark);
        Ok(true)
    }

    /// Relationships from a node with the node at their other end, in the order of the graph.
    pub fn neighbours(
        self,
        expand: &Expand<'a>,
        node: NodeId,
    ) -> Result<Vec<(Edge, NodeId)>, Fault> {
        let mut found = Vec::new();
        if expand.way != Way::In {
            for edge in out(self.ctx.view, node, expand.kinds) {
                self.ctx.step()?;
                if self.fits_edge(&edge, expand)? {
                    found.push((edge, edge.target));
                }
            }
        }
        if expand.way != Way::Out {
            for edge in self.ctx.view.in_(node) {
                self.ctx.step()?;
                let is_seen = expand.way == Way::Both && edge.source == edge.target;
                if expand.kinds.has(edge.kind) && !is_seen && self.fits_edge(&edge, expand)? {
                    found.push((edge, edge.source));
                }
            }
        }
        Ok(found)
    }

    fn expand(
        self,
        expand: &Expand<'a>,
        from: NodeId,
        rest: &[Op<'a>],
        row: &mut Row<'a>,
        used: &mut Vec<EdgeKey>,
        sink: Sink<'_, 'a>,
    ) -> Flow {
        let target = match row.get(expand.to) {
            Some(Value::Node(node)) if expand.to_is_known => Some(*node),
            _ if expand.to_is_known => return NEXT,
            _ => None,
        };
        let mut arrive =
            |row: &mut Row<'a>, used: &mut Vec<EdgeKey>, edges: &[Edge], to: NodeId| {
                if target.is_some_and(|target| target != to) || !self.fits(to, &expand.target)? {
                    return NEXT;
                }
                if expand.length.is_none() {
                    let Some(edge) = edges.first() else {
                        return NEXT;
                    };
                    let same = |known: &Value<'a>| equal(known, &Value::Edge(*edge)) == Some(true);
                    if expand.edge_is_known && !row.get(expand.edge).is_some_and(same) {
                        return NEXT;
                    }
                    put(row, expand.edge, Value::Edge(*edge));
                } else if !expand.reach {
                    self.ctx.items(edges.len() * 2)?;
                    let mut list: Vec<Value<'a>> = edges.iter().copied().map(Value::Edge).collect();
                    if expand.is_reversed {
                        list.reverse();
                    }
                    put(row, expand.edge, Value::list(list));
                }
                if !expand.to_is_known {
                    put(row, expand.to, Value::Node(to));
                }
                self.run(rest, row, used, sink)
            };
        let flow = match (expand.length, expand.shortest) {
            (None, _) => self.one(expand, from, row, used, &mut arrive),
            (Some((min, max)), Some(shortest)) => {
                let which = (min, max, shortest);
                self.shortest(expand, from, target, which, row, used, &mut arrive)
            }
            (Some((min, max)), None) if expand.reach => {
                self.reach(expand, from, (min, max), row, used, &mut arrive)
            }
            (Some((min, max)), None) => {
                self.trails(expand, from, (min, max), row, used, &mut arrive)
            }
        };
        if !expand.edge_is_known {
            put(row, expand.edge, Value::Null);
        }
        if !expand.to_is_known {
            put(row, expand.to, Value::Null);
        }
        flow
    }

    /// One relationship.
    fn one(
        self,
        expand: &Expand<'a>,
        from: NodeId,
        row: &mut Row<'a>,
        used: &mut Vec<EdgeKey>,
        arrive: Arrive<'_, 'a>,
    ) -> Flow {
        for (edge, to) in self.neighbours(expand, from)? {
            self.ctx.items(used.len())?;
            if used.contains(&edge_key(&edge)) {
                continue;
            }
            used.push(edge_key(&edge));
            let flow = arrive(row, used, &[edge], to);
            used.pop();
            if flow?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        NEXT
    }
}

/// The continuation at the end of an expansion: row, used relationships, those of the expansion, the node reached.
pub(super) type Arrive<'s, 'a> =
    &'s mut dyn FnMut(&mut Row<'a>, &mut Vec<EdgeKey>, &[Edge], NodeId) -> Flow;

pub(super) fn other_end(edge: &Edge, node: NodeId) -> NodeId {
    if edge.source == node {
        edge.target
    } else {
        edge.source
    }
}

/// The path through these places of a row: nodes and the relationships between them.
fn path_of(row: &Row<'_>, places: &[usize]) -> Option<Path> {
    let node = |slot: usize| match row.get(slot)? {
        Value::Node(node) => Some(*node),
        _ => None,
    };
    let mut path = Path {
        nodes: vec![node(*places.first()?)?],
        edges: Vec::new(),
    };
    for pair in places.get(1..)?.chunks_exact(2) {
        let edges = match row.get(pair[0])? {
            Value::Edge(edge) => vec![*edge],
            Value::List(items) => items
                .iter()
                .filter_map(|item| match item {
                    Value::Edge(edge) => Some(*edge),
                    _ => None,
                })
                .collect(),
            _ => return None,
        };
        for edge in edges {
            let last = *path.nodes.last()?;
            path.nodes.push(other_end(&edge, last));
            path.edges.push(edge);
        }
    }
    Some(path)
}
