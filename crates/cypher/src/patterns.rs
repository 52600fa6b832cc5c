//! Compiles patterns into steps: where to start, which direction to go, and when each condition can be tested.
//!
//! The order is greedy: of all nodes of the remaining patterns, begin with the one that has the fewest candidates (a
//! known variable, then an id, a name, a path, a label), follow its pattern in both directions, and go on with the
//! next.

use std::collections::BTreeSet;

use super::access::Hint;
use super::ast::{self, Arrow, Comparison, ExprKind, Shortest};
use super::compile::{Compiler, VariableKind, resolve_labels, unknown_property};
use super::error::{Fault, nearest};
use super::plan::{EdgeKinds, Expand, Expr, Key, Kind, Match, NodeTest, Op, Way};
use super::reach::mark_reach;
use super::schema::{EdgeProperty, NodeProperty};
use graph::EdgeKind;

/// Maximum number of steps of `*` without an upper bound.
pub(super) const DEFAULT_MAX_STEPS: u32 = 15;
/// Maximum number of nodes in the patterns of one MATCH: each costs stack while rows go through it.
const MAX_STEPS_OF_MATCH: usize = 100;
/// Maximum number of steps of a shortest path without an upper bound: it is found breadth first, so more steps cost
/// little.
const SHORTEST_MAX_STEPS: u32 = 100;

/// A pattern with the places of its nodes and relationships.
pub(super) struct Placed<'p> {
    pub pattern: &'p ast::Pattern,
    pub nodes: Vec<usize>,
    pub edges: Vec<usize>,
    pub path: Option<usize>,
}

impl<'a> Compiler<'_, 'a> {
    /// Compiles MATCH into steps.
    pub fn match_(
        &mut self,
        patterns: &[ast::Pattern],
        filter: Option<&ast::Expr>,
        optional: bool,
    ) -> Result<Match<'a>, Fault> {
        let ops = self.ops(patterns, filter)?;
        Ok(Match {
            ops,
            optional,
            width: self.scope.width,
        })
    }

    /// Compiles a pattern that is a condition into steps. Its new names are removed afterwards.
    pub fn exists(
        &mut self,
        patterns: &[ast::Pattern],
        filter: Option<&ast::Expr>,
    ) -> Result<Vec<Op<'a>>, Fault> {
        let n_names = self.scope.names.len();
        let ops = self.ops(patterns, filter);
        self.scope.names.truncate(n_names);
        let mut ops = ops?;
        let named = BTreeSet::new();
        mark_reach(&mut ops, &named);
        Ok(ops)
    }

    fn ops(
        &mut self,
        patterns: &[ast::Pattern],
        filter: Option<&ast::Expr>,
    ) -> Result<Vec<Op<'a>>, Fault> {
        let n_steps: usize = patterns.iter().map(|pattern| 1 + pattern.steps.len()).sum();
        if let Some(first) = patterns.first().filter(|_| n_steps > MAX_STEPS_OF_MATCH) {
            let message = format!("more than {MAX_STEPS_OF_MATCH} nodes in one MATCH");
            return Err(Fault::unsupported(first.at.0, message));
        }
        let mut known: BTreeSet<usize> =
            self.scope.names.iter().map(|(_, slot, _)| *slot).collect();
        let mut placed = patterns
            .iter()
            .map(|pattern| self.place(pattern))
            .collect::<Result<Vec<_>, _>>()?;
        let conditions = conjuncts(filter);
        let hints = self.hints(&placed, &conditions);
        let mut filters = conditions
            .iter()
            .map(|condition| Ok(Some(self.expr(condition)?)))
            .collect::<Result<Vec<Option<Expr<'a>>>, Fault>>()?;
        for pattern in &placed {
            self.compared_properties(pattern, &mut filters)?;
        }
        let mut ops = Vec::new();
        while !placed.is_empty() {
            let (index, start) = self.cheapest(&placed, &hints, &known)?;
            let pattern = placed.remove(index);
            self.walk(&pattern, start, &hints, &mut known, &mut filters, &mut ops)?;
        }
        ops.extend(filters.into_iter().flatten().map(Op::Filter));
        Ok(ops)
    }

    /// Gives every node and relationship of a pattern its place.
    fn place<'p>(&mut self, pattern: &'p ast::Pattern) -> Result<Placed<'p>, Fault> {
        let mut nodes = vec![self.node_slot(&pattern.start)?];
        let mut edges = Vec::new();
        for (relation, node) in &pattern.steps {
            edges.push(self.edge_slot(relation)?);
            nodes.push(self.node_slot(node)?);
        }
        let path = match &pattern.variable {
            Some(name) => {
                self.refuse_known(name)?;
                Some(self.scope.add(&name.text, VariableKind::Path))
            }
            None => None,
        };
        Ok(Placed {
            pattern,
            nodes,
            edges,
            path,
        })
    }

    /// `{name: other.name}`: a property that depends on other variables is tested like a condition of WHERE, once they
    /// are known.
    fn compared_properties(
        &mut self,
        placed: &Placed<'_>,
        filters: &mut Vec<Option<Expr<'a>>>,
    ) -> Result<(), Fault> {
        let nodes = written_nodes(placed.pattern).map(|node| &node.properties);
        let edges = placed
            .pattern
            .steps
            .iter()
            .map(|(relation, _)| &relation.properties);
        let nodes = nodes.zip(placed.nodes.iter().copied());
        for (properties, slot) in nodes.chain(edges.zip(placed.edges.iter().copied())) {
            for (name, value) in properties {
                let value = self.expr(value)?;
                if is_constant(&value) {
                    continue;
                }
                let at = name.at.0;
                let node = Box::new(Expr {
                    kind: Kind::Slot(slot),
                    at,
                });
                let property = Box::new(Expr {
                    kind: Kind::Property(node, Key::new(&name.text)),
                    at,
                });
                let kind = Kind::Compare(property, vec![(Comparison::Equal, value)]);
                filters.push(Some(Expr { kind, at }));
            }
        }
        Ok(())
    }

    fn node_slot(&mut self, node: &ast::NodePattern) -> Result<usize, Fault> {
        let Some(name) = &node.variable else {
            return Ok(self.scope.fresh());
        };
        match self.scope.find(&name.text) {
            Some((slot, VariableKind::Node | VariableKind::Any)) => Ok(slot),
            Some(_) => Err(Fault::types(
                name.at.0,
                format!("`{}` is no node", name.text),
            )),
            None => Ok(self.scope.add(&name.text, VariableKind::Node)),
        }
    }

    fn edge_slot(&mut self, relation: &ast::RelationPattern) -> Result<usize, Fault> {
        let Some(name) = &relation.variable else {
            return Ok(self.scope.fresh());
        };
        let is_list = relation.length.is_some();
        match self.scope.find(&name.text) {
            None if is_list => Ok(self.scope.add(&name.text, VariableKind::Edges)),
            None => Ok(self.scope.add(&name.text, VariableKind::Edge)),
            Some((slot, VariableKind::Edge | VariableKind::Any)) if !is_list => Ok(slot),
            Some(_) => {
                let message = format!("`{}` cannot stand for this relationship as well", name.text);
                Err(Fault::types(name.at.0, message).with_help("choose another name"))
            }
        }
    }

    /// The steps of one pattern from the node at `start`, to the right and then to the left.
    fn walk(
        &mut self,
        placed: &Placed<'_>,
        start: usize,
        hints: &[Hint<'_>],
        known: &mut BTreeSet<usize>,
        filters: &mut [Option<Expr<'a>>],
        ops: &mut Vec<Op<'a>>,
    ) -> Result<(), Fault> {
        let written: Vec<&ast::NodePattern> = written_nodes(placed.pattern).collect();
        let (slot, node) = (placed.nodes[start], written[start]);
        if !known.contains(&slot) {
            let access = self.access(node, slot, hints, known)?;
            ops.push(Op::Scan { slot, access });
        }
        known.insert(slot);
        let test = self.node_test(node)?;
        if !test.is_empty() {
            ops.push(Op::Check { slot, test });
        }
        ask(filters, known, ops);
        let right = (start..placed.edges.len()).map(|edge| (edge, edge, edge + 1));
        let left = (0..start).rev().map(|edge| (edge, edge + 1, edge));
        for (edge, from, to) in right.chain(left) {
            let relation = &placed.pattern.steps[edge].0;
            let mut expand = self.expand(relation, placed.pattern.shortest)?;
            expand.target = self.node_test(written[to])?;
            (expand.from, expand.to) = (placed.nodes[from], placed.nodes[to]);
            expand.edge = placed.edges[edge];
            expand.edge_is_known = !known.insert(expand.edge);
            expand.to_is_known = !known.insert(expand.to);
            expand.is_reversed = from > to;
            expand.way = match (relation.arrow, expand.is_reversed) {
                (Arrow::Both, _) => Way::Both,
                (Arrow::Right, false) | (Arrow::Left, true) => Way::Out,
                _ => Way::In,
            };
            ops.push(Op::Expand(Box::new(expand)));
            ask(filters, known, ops);
        }
        if let Some(path) = placed.path {
            let mut places = vec![placed.nodes[0]];
            for (edge, node) in placed.edges.iter().zip(&placed.nodes[1..]) {
                places.extend([*edge, *node]);
            }
            ops.push(Op::Path { slot: path, places });
            known.insert(path);
            ask(filters, known, ops);
        }
        Ok(())
    }

    fn node_test(&mut self, node: &ast::NodePattern) -> Result<NodeTest<'a>, Fault> {
        let mut properties = Vec::new();
        for (name, value) in &node.properties {
            let property = NodeProperty::from_name(&name.text)
                .ok_or_else(|| unknown_property(name, "node"))?;
            let value = self.expr(value)?;
            if is_constant(&value) {
                properties.push((property, value));
            }
        }
        Ok(NodeTest {
            labels: resolve_labels(&node.labels)?,
            properties,
        })
    }

    fn expand(
        &mut self,
        relation: &ast::RelationPattern,
        shortest: Option<Shortest>,
    ) -> Result<Expand<'a>, Fault> {
        let mut properties = Vec::new();
        for (name, value) in &relation.properties {
            let property = EdgeProperty::from_name(&name.text)
                .ok_or_else(|| unknown_property(name, "relationship"))?;
            let value = self.expr(value)?;
            if is_constant(&value) {
                properties.push((property, value));
            } else if relation.length.is_some() {
                let message =
                    "relationships of a variable length can be compared with constants only";
                return Err(Fault::unsupported(name.at.0, message)
                    .with_help("name them and use all(r IN … WHERE …)"));
            }
        }
        let most = if shortest.is_some() {
            SHORTEST_MAX_STEPS
        } else {
            DEFAULT_MAX_STEPS
        };
        let length = relation.length.map(|length| {
            let min = length.min.unwrap_or(1);
            (min, length.max.unwrap_or(most.max(min)))
        });
        if let Some((min, max)) = length.filter(|(min, max)| min > max) {
            let message = format!("no path has at least {min} and at most {max} steps");
            return Err(Fault::syntax(relation.at.0, message));
        }
        Ok(Expand {
            from: 0,
            to: 0,
            to_is_known: false,
            edge: 0,
            edge_is_known: false,
            way: Way::Both,
            kinds: edge_kinds(&relation.types)?,
            properties,
            length: length.or(shortest.map(|_| (1, 1))),
            shortest,
            reach: false,
            is_reversed: false,
            target: NodeTest::default(),
        })
    }
}

pub(super) fn written_nodes(pattern: &ast::Pattern) -> impl Iterator<Item = &ast::NodePattern> {
    std::iter::once(&pattern.start).chain(pattern.steps.iter().map(|(_, node)| node))
}

/// The conditions that AND joins.
fn conjuncts(filter: Option<&ast::Expr>) -> Vec<&ast::Expr> {
    match filter.map(|filter| (&filter.kind, filter)) {
        None => Vec::new(),
        Some((ExprKind::And(items), _)) => items.iter().collect(),
        Some((_, filter)) => vec![filter],
    }
}

pub(super) fn is_known(expr: &Expr<'_>, known: &BTreeSet<usize>) -> bool {
    let mut all_known = true;
    expr.slots(&mut |slot| all_known &= known.contains(&slot));
    all_known
}

fn is_constant(expr: &Expr<'_>) -> bool {
    is_known(expr, &BTreeSet::new())
}

/// Adds every condition whose variables are known by now. Variables within a condition itself (of a pattern or a list)
/// never are, so such a condition comes last.
fn ask<'a>(filters: &mut [Option<Expr<'a>>], known: &BTreeSet<usize>, ops: &mut Vec<Op<'a>>) {
    for filter in filters {
        if filter
            .as_ref()
            .is_some_and(|filter| is_known(filter, known))
        {
            ops.extend(filter.take().map(Op::Filter));
        }
    }
}

fn edge_kinds(names: &[ast::Name]) -> Result<EdgeKinds, Fault> {
    if names.is_empty() {
        return Ok(EdgeKinds::ANY);
    }
    let mut kinds = EdgeKinds(0);
    for name in names {
        let known = || EdgeKind::ALL.iter().map(|kind| kind.name());
        let kind = EdgeKind::ALL
            .iter()
            .find(|kind| kind.name().eq_ignore_ascii_case(&name.text));
        let kind = kind.ok_or_else(|| {
            let message = format!("there is no relationship type `{}`", name.text);
            Fault::name(name.at.0, message).with_help(match nearest(&name.text, known()) {
                Some(near) => format!("did you mean {near}?"),
                None => format!("the types are {}", known().collect::<Vec<_>>().join(", ")),
            })
        })?;
        kinds.0 |= 1 << *kind as u32;
    }
    Ok(kinds)
}
