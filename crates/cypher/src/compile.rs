//! Compiles the tree into the plan: clauses and scopes. Patterns are in [`super::patterns`], expressions in [`super::expressions`].

use std::collections::BTreeMap;

use super::ast::{self, Clause, Name};
use super::cost::Context;
use super::error::{Fault, nearest};
use super::plan::{Aggregate, Plan, Stage};
use super::reach;
use super::schema::{EdgeProperty, Label, NodeProperty};
use super::value::Value;

/// Values for `$name`.
pub type Parameters<'a> = BTreeMap<String, Value<'a>>;

/// The kind of a variable, if it is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum VariableKind {
    Node,
    Edge,
    /// Relationships of a variable length.
    Edges,
    Path,
    /// A computed value.
    Any,
}

/// Names in scope, with the places of their values in a row.
#[derive(Debug, Clone, Default)]
pub(super) struct Scope {
    pub names: Vec<(String, usize, VariableKind)>,
    pub width: usize,
}

impl Scope {
    pub fn find(&self, name: &str) -> Option<(usize, VariableKind)> {
        let found = self.names.iter().rev().find(|(known, ..)| known == name);
        found.map(|(_, slot, kind)| (*slot, *kind))
    }

    pub fn add(&mut self, name: &str, kind: VariableKind) -> usize {
        let slot = self.fresh();
        self.names.push((name.to_owned(), slot, kind));
        slot
    }

    /// Reserves a place without a name.
    pub fn fresh(&mut self) -> usize {
        self.width += 1;
        self.width - 1
    }
}

/// Compiles the queries of a UNION one after another.
pub(super) struct Compiler<'c, 'a> {
    pub ctx: &'c Context<'a>,
    pub parameters: &'c Parameters<'a>,
    pub scope: Scope,
    /// The aggregates found so far; none where aggregates are not allowed.
    pub aggregates: Option<Vec<Aggregate<'a>>>,
}

/// Compiles a query into a plan.
pub(super) fn compile<'a>(
    query: &ast::Query,
    ctx: &Context<'a>,
    parameters: &Parameters<'a>,
) -> Result<Plan<'a>, Fault> {
    let mut plan = Plan {
        parts: Vec::new(),
        all: query.all.clone(),
        columns: Vec::new(),
    };
    for clauses in &query.parts {
        let mut compiler = Compiler {
            ctx,
            parameters,
            scope: Scope::default(),
            aggregates: None,
        };
        let mut stages = Vec::new();
        let mut columns = Vec::new();
        for clause in clauses {
            let (stage, names) = compiler.clause(clause)?;
            stages.push(stage);
            columns = names;
        }
        if plan.parts.is_empty() {
            plan.columns = columns;
        } else if plan.columns != columns {
            let message = format!(
                "the queries of a UNION return different columns: {} and {}",
                plan.columns.join(", "),
                columns.join(", ")
            );
            let at = clauses.last().map_or(0, clause_at);
            return Err(Fault::name(at, message).with_help("name them alike with AS"));
        }
        reach::skip_equal_paths(&mut stages);
        plan.parts.push(stages);
    }
    Ok(plan)
}

fn clause_at(clause: &Clause) -> usize {
    match clause {
        Clause::Return(projection) | Clause::With { projection, .. } => projection.at.0,
        Clause::Unwind { list, .. } => list.at.0,
        Clause::Match { patterns, .. } => patterns.first().map_or(0, |pattern| pattern.at.0),
    }
}

impl<'a> Compiler<'_, 'a> {
    fn clause(&mut self, clause: &Clause) -> Result<(Stage<'a>, Vec<String>), Fault> {
        match clause {
            Clause::Match {
                optional,
                patterns,
                filter,
            } => {
                let matched = self.match_(patterns, filter.as_ref(), *optional)?;
                Ok((Stage::Match(matched), Vec::new()))
            }
            Clause::Unwind { list, variable } => {
                let list = self.expr(list)?;
                self.refuse_known(variable)?;
                let slot = self.scope.add(&variable.text, VariableKind::Any);
                Ok((Stage::Unwind { list, slot }, Vec::new()))
            }
            Clause::With { projection, filter } => self.project(projection, filter.as_ref()),
            Clause::Return(projection) => self.project(projection, None),
        }
    }

    /// Refuses a variable that exists already.
    pub fn refuse_known(&self, name: &Name) -> Result<(), Fault> {
        match self.scope.find(&name.text) {
            None => Ok(()),
            Some(_) => {
                let message = format!("`{}` is a variable already", name.text);
                Err(Fault::name(name.at.0, message).with_help("choose another name"))
            }
        }
    }
}

pub(super) fn unknown_property(name: &Name, of: &str) -> Fault {
    let known: Vec<&str> = if of == "node" {
        NodeProperty::ALL
            .iter()
            .map(|property| property.name())
            .collect()
    } else {
        EdgeProperty::ALL
            .iter()
            .map(|property| property.name())
            .collect()
    };
    let message = format!("a {of} has no property `{}`", name.text);
    Fault::name(name.at.0, message).with_help(match nearest(&name.text, known.iter().copied()) {
        Some(near) => format!("did you mean {near}?"),
        None => format!("it has {}", known.join(", ")),
    })
}

/// Labels by name.
pub(super) fn resolve_labels(labels: &ast::Labels) -> Result<Vec<Vec<Label>>, Fault> {
    let one = |name: &Name| {
        Label::from_name(&name.text).ok_or_else(|| {
            let fault = Fault::name(name.at.0, format!("there is no label `{}`", name.text));
            fault.with_help(match nearest(&name.text, Label::names()) {
                Some(near) => format!("did you mean {near}?"),
                None => format!(
                    "the labels are {}",
                    Label::names().collect::<Vec<_>>().join(", ")
                ),
            })
        })
    };
    labels
        .iter()
        .map(|group| group.iter().map(one).collect())
        .collect()
}
