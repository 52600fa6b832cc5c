//! Chooses the node at which a pattern begins: the one with the fewest candidates.

use std::collections::BTreeSet;

use super::ast::{self, Comparison, ExprKind};
use super::compile::{Compiler, VariableKind, resolve_labels};
use super::error::Fault;
use super::patterns::{Placed, is_known, written_nodes};
use super::plan::Access;
use super::schema::{Label, NodeProperty};
use graph::NodeKind;

/// A condition on a node, of WHERE or the pattern, that finds candidates.
pub(super) struct Hint<'p> {
    slot: usize,
    property: NodeProperty,
    value: &'p ast::Expr,
}

impl<'a> Compiler<'_, 'a> {
    /// Collects hints: `{name: …}` of nodes, and `n.name = …`, `n.name IN …` of WHERE.
    pub fn hints<'p>(&self, placed: &[Placed<'p>], conditions: &[&'p ast::Expr]) -> Vec<Hint<'p>> {
        let mut hints = Vec::new();
        for pattern in placed {
            for (node, slot) in written_nodes(pattern.pattern).zip(&pattern.nodes) {
                for (name, value) in &node.properties {
                    hints.extend(NodeProperty::from_name(&name.text).map(|property| Hint {
                        slot: *slot,
                        property,
                        value,
                    }));
                }
            }
        }
        for condition in conditions {
            let sides = match &condition.kind {
                ExprKind::Compare(left, rest) => match rest.as_slice() {
                    [(Comparison::Equal, right)] => {
                        [Some((left.as_ref(), right)), Some((right, left.as_ref()))]
                    }
                    _ => continue,
                },
                ExprKind::In(item, list) => [Some((item.as_ref(), list.as_ref())), None],
                _ => continue,
            };
            hints.extend(sides.into_iter().flatten().filter_map(|(asked, value)| {
                let (slot, property) = self.asked(asked)?;
                Some(Hint {
                    slot,
                    property,
                    value,
                })
            }));
        }
        hints.retain(|hint| {
            matches!(
                hint.property,
                NodeProperty::Name | NodeProperty::Path | NodeProperty::Id
            )
        });
        hints
    }

    /// The node and property that `n.name` or `id(n)` reads.
    fn asked(&self, expr: &ast::Expr) -> Option<(usize, NodeProperty)> {
        let (base, property) = match &expr.kind {
            ExprKind::Property(base, name) => (base.as_ref(), NodeProperty::from_name(&name.text)?),
            ExprKind::Call(call) if call.name.text.eq_ignore_ascii_case("id") => {
                (call.arguments.first()?, NodeProperty::Id)
            }
            _ => return None,
        };
        match &base.kind {
            ExprKind::Variable(name) => match self.scope.find(name)? {
                (slot, VariableKind::Node) => Some((slot, property)),
                _ => None,
            },
            _ => None,
        }
    }

    /// Pattern and node to begin with.
    pub fn cheapest(
        &mut self,
        placed: &[Placed<'_>],
        hints: &[Hint<'_>],
        known: &BTreeSet<usize>,
    ) -> Result<(usize, usize), Fault> {
        let mut best = (u64::MAX, 0, 0);
        for (index, pattern) in placed.iter().enumerate() {
            for (place, (node, slot)) in written_nodes(pattern.pattern)
                .zip(&pattern.nodes)
                .enumerate()
            {
                let access = self.access(node, *slot, hints, known)?;
                let cost = if known.contains(slot) {
                    0
                } else {
                    self.cost(&access)
                };
                if cost < best.0 {
                    best = (cost, index, place);
                }
            }
        }
        Ok((best.1, best.2))
    }

    fn cost(&self, access: &Access<'a>) -> u64 {
        let view = self.ctx.view;
        match access {
            Access::Id(_) => 1,
            Access::Name(_) => 10,
            Access::Path(_) => 20,
            Access::Kind(labels) => {
                labels
                    .iter()
                    .map(|label| match label {
                        Label::Node(NodeKind::File) => view.n_files() as u64,
                        Label::Node(NodeKind::Symbol) => view.n_symbols() as u64,
                        Label::Node(_) => 100,
                        Label::Symbol(_) => view.n_symbols() as u64 / 2,
                    })
                    .sum::<u64>()
                    + 30
            }
            Access::All => view.n_nodes() as u64 + 100,
        }
    }

    /// The access to a node that looks at the fewest candidates.
    pub fn access(
        &mut self,
        node: &ast::NodePattern,
        slot: usize,
        hints: &[Hint<'_>],
        known: &BTreeSet<usize>,
    ) -> Result<Access<'a>, Fault> {
        for property in [NodeProperty::Id, NodeProperty::Name, NodeProperty::Path] {
            let fitting = hints
                .iter()
                .filter(|hint| hint.slot == slot && hint.property == property);
            for hint in fitting {
                let value = self.expr(hint.value)?;
                if is_known(&value, known) {
                    return Ok(match property {
                        NodeProperty::Id => Access::Id(value),
                        NodeProperty::Name => Access::Name(value),
                        _ => Access::Path(value),
                    });
                }
            }
        }
        Ok(match resolve_labels(&node.labels)?.into_iter().next() {
            Some(labels) => Access::Kind(labels),
            None => Access::All,
        })
    }
}
