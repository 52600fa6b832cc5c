//! Compiles the tree into the plan: clauses and scopes. Patterns are in [`super::patterns`].

use std::collections::BTreeMap;

use super::ast::{self, Clause, ExprKind, Name};
use super::cost::Context;
use super::error::{Fault, nearest};
use super::functions::{AGGREGATES, Function};
use super::plan::{Aggregate, AggregateFunction, Expr, Key, Kind, Plan, Stage};
use super::reach;
use super::regex::Pattern;
use super::schema::{EdgeProperty, Label, NodeProperty};
use super::value::Value;

/// Values for `$name`.
pub type Parameters<'a> = BTreeMap<String, Value<'a>>;

/// The kind of a variable, as far as it is known.
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

    pub fn exprs(&mut self, exprs: &[ast::Expr]) -> Result<Vec<Expr<'a>>, Fault> {
        exprs.iter().map(|expr| self.expr(expr)).collect()
    }

    fn boxed(&mut self, expr: &ast::Expr) -> Result<Box<Expr<'a>>, Fault> {
        self.expr(expr).map(Box::new)
    }

    fn opt(&mut self, expr: Option<&ast::Expr>) -> Result<Option<Box<Expr<'a>>>, Fault> {
        expr.map(|expr| self.boxed(expr)).transpose()
    }

    /// Compiles an expression and resolves its names.
    pub fn expr(&mut self, expr: &ast::Expr) -> Result<Expr<'a>, Fault> {
        let at = expr.at.0;
        let kind = match &expr.kind {
            ExprKind::Null => Kind::Value(Value::Null),
            ExprKind::Bool(value) => Kind::Value(Value::Bool(*value)),
            ExprKind::Int(value) => Kind::Value(Value::Int(*value)),
            ExprKind::Float(value) => Kind::Value(Value::Float(*value)),
            ExprKind::Text(text) => Kind::Value(Value::text(text.clone())),
            ExprKind::Parameter(name) => Kind::Value(self.parameter(name, at)?),
            ExprKind::Variable(name) => Kind::Slot(self.variable(name, at)?),
            ExprKind::Property(base, name) => self.property(base, name)?,
            ExprKind::List(items) => Kind::List(self.exprs(items)?),
            ExprKind::Map(entries) => Kind::Map(
                entries
                    .iter()
                    .map(|(key, value)| Ok((key.text.clone(), self.expr(value)?)))
                    .collect::<Result<_, Fault>>()?,
            ),
            ExprKind::Index(base, index) => Kind::Index(self.boxed(base)?, self.boxed(index)?),
            ExprKind::Slice(base, from, to) => Kind::Slice(
                self.boxed(base)?,
                self.opt(from.as_deref())?,
                self.opt(to.as_deref())?,
            ),
            ExprKind::Not(inner) => Kind::Not(self.boxed(inner)?),
            ExprKind::Minus(inner) => Kind::Minus(self.boxed(inner)?),
            ExprKind::And(items) => Kind::And(self.exprs(items)?),
            ExprKind::Or(items) => Kind::Or(self.exprs(items)?),
            ExprKind::Xor(items) => Kind::Xor(self.exprs(items)?),
            ExprKind::Arithmetic(op, a, b) => Kind::Arithmetic(*op, self.boxed(a)?, self.boxed(b)?),
            ExprKind::Compare(first, rest) => Kind::Compare(
                self.boxed(first)?,
                rest.iter()
                    .map(|(op, operand)| Ok((*op, self.expr(operand)?)))
                    .collect::<Result<_, Fault>>()?,
            ),
            ExprKind::TestText(test, a, b) => self.text_test(*test, a, b)?,
            ExprKind::In(item, list) => Kind::In(self.boxed(item)?, self.boxed(list)?),
            ExprKind::IsNull(inner, negated) => Kind::IsNull(self.boxed(inner)?, *negated),
            ExprKind::HasLabels(inner, labels) => {
                Kind::HasLabels(self.boxed(inner)?, resolve_labels(labels)?)
            }
            ExprKind::Call(call) => self.call(call)?,
            ExprKind::Case {
                subject,
                branches,
                otherwise,
            } => Kind::Case {
                subject: self.opt(subject.as_deref())?,
                branches: branches
                    .iter()
                    .map(|(when, then)| Ok((self.expr(when)?, self.expr(then)?)))
                    .collect::<Result<_, Fault>>()?,
                otherwise: self.opt(otherwise.as_deref())?,
            },
            ExprKind::Comprehension {
                variable,
                list,
                filter,
                map,
            } => {
                let list = self.boxed(list)?;
                let slot = self.scope.add(&variable.text, VariableKind::Any);
                let filter = self.opt(filter.as_deref())?;
                let map = self.opt(map.as_deref())?;
                self.scope.names.pop();
                Kind::Comprehension {
                    slot,
                    list,
                    filter,
                    map,
                }
            }
            ExprKind::Quantifier {
                quantifier,
                variable,
                list,
                filter,
            } => {
                let list = self.boxed(list)?;
                let slot = self.scope.add(&variable.text, VariableKind::Any);
                let filter = self.boxed(filter)?;
                self.scope.names.pop();
                Kind::Quantifier {
                    quantifier: *quantifier,
                    slot,
                    list,
                    filter,
                }
            }
            ExprKind::Exists { patterns, filter } => {
                Kind::Exists(self.exists(patterns, filter.as_deref())?)
            }
        };
        Ok(Expr { kind, at })
    }

    fn parameter(&self, name: &str, at: usize) -> Result<Value<'a>, Fault> {
        if let Some(value) = self.parameters.get(name) {
            if matches!(value, Value::Text(_)) {
                // Texts are copied for each use in the query; other values are shared.
                self.ctx.keep(std::slice::from_ref(value), 0)?;
            }
            return Ok(value.clone());
        }
        Err({
            let given: Vec<&str> = self.parameters.keys().map(String::as_str).collect();
            let fault = Fault::name(at, format!("no value was given for ${name}"));
            if given.is_empty() {
                fault.with_help("give it in `parameters`")
            } else {
                fault.with_help(format!("there are values for {}", given.join(", ")))
            }
        })
    }

    fn variable(&self, name: &str, at: usize) -> Result<usize, Fault> {
        if let Some((slot, _)) = self.scope.find(name) {
            return Ok(slot);
        }
        let names = || self.scope.names.iter().map(|(known, ..)| known.as_str());
        let fault = Fault::name(at, format!("there is no variable `{name}`"));
        let known: Vec<&str> = names().collect();
        Err(match nearest(name, names()) {
            Some(near) => fault.with_help(format!("did you mean {near}?")),
            None if known.is_empty() => fault,
            None => fault.with_help(format!("the variables here are {}", known.join(", "))),
        })
    }

    fn property(&mut self, base: &ast::Expr, name: &Name) -> Result<Kind<'a>, Fault> {
        let key = Key::new(&name.text);
        let unknown = match self.kind_of(base) {
            VariableKind::Node if key.node.is_none() => Some(unknown_property(name, "node")),
            VariableKind::Edge if key.edge.is_none() => {
                Some(unknown_property(name, "relationship"))
            }
            _ => None,
        };
        match unknown {
            Some(fault) => Err(fault),
            None => Ok(Kind::Property(self.boxed(base)?, key)),
        }
    }

    fn text_test(
        &mut self,
        test: ast::TextTest,
        a: &ast::Expr,
        b: &ast::Expr,
    ) -> Result<Kind<'a>, Fault> {
        let (tested, pattern) = (self.boxed(a)?, self.boxed(b)?);
        if test == ast::TextTest::Matches
            && let Kind::Value(Value::Text(text)) = &pattern.kind
        {
            let regex = Pattern::new(self.ctx, text, pattern.at)?;
            return Ok(Kind::Matches(tested, Box::new(regex)));
        }
        Ok(Kind::TestText(test, tested, pattern))
    }

    fn call(&mut self, call: &ast::Call) -> Result<Kind<'a>, Fault> {
        let aggregate = AGGREGATES
            .iter()
            .find(|(name, _)| name.eq_ignore_ascii_case(&call.name.text));
        if let Some((_, function)) = aggregate {
            return self.aggregate(*function, call);
        }
        if call.star || call.distinct {
            let message = format!("`{}` is no aggregate", call.name.text);
            return Err(Fault::syntax(call.name.at.0, message)
                .with_help("the aggregates are count, collect, sum, avg, min, max"));
        }
        // `exists(n.doc)` tests the property for null, `exists((a)-->(b))` is the pattern itself.
        if call.name.text.eq_ignore_ascii_case("exists")
            && let [argument] = call.arguments.as_slice()
        {
            let inner = self.expr(argument)?;
            return Ok(match inner.kind {
                Kind::Exists(ops) => Kind::Exists(ops),
                _ => Kind::IsNull(Box::new(inner), true),
            });
        }
        let function = Function::find(&call.name, call.arguments.len())?;
        Ok(Kind::Call(function, self.exprs(&call.arguments)?))
    }

    fn aggregate(
        &mut self,
        function: AggregateFunction,
        call: &ast::Call,
    ) -> Result<Kind<'a>, Fault> {
        let at = call.name.at.0;
        let name = &call.name.text;
        // Removed while the argument is compiled: an aggregate cannot contain another.
        let Some(aggregates) = self.aggregates.take() else {
            let message = format!(
                "`{name}` can stand in WITH and RETURN only, and not within another aggregate"
            );
            return Err(
                Fault::syntax(at, message).with_help("count in WITH first, then use its column")
            );
        };
        let argument = match call.arguments.as_slice() {
            [] if call.star && function == AggregateFunction::Count => Ok(None),
            [argument] if !call.star => self.expr(argument).map(Some),
            _ => Err(Fault::syntax(at, format!("`{name}` takes one argument"))),
        };
        let aggregates = self.aggregates.insert(aggregates);
        aggregates.push(Aggregate {
            function,
            distinct: call.distinct,
            argument: argument?,
            at,
        });
        Ok(Kind::Aggregate(aggregates.len() - 1))
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
