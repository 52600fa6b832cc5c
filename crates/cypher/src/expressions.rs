//! Compiles expressions and resolves the names in them.

use super::ast::{self, ExprKind, Name};
use super::compile::{Compiler, VariableKind, resolve_labels, unknown_property};
use super::error::{Fault, nearest};
use super::functions::{AGGREGATES, Function};
use super::plan::{Aggregate, AggregateFunction, Expr, Key, Kind};
use super::regex::Pattern;
use super::value::Value;

impl<'a> Compiler<'_, 'a> {
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
            } => self.case(subject.as_deref(), branches, otherwise.as_deref())?,
            ExprKind::Comprehension {
                variable,
                list,
                filter,
                map,
            } => self.comprehension(variable, list, filter.as_deref(), map.as_deref())?,
            ExprKind::Quantifier {
                quantifier,
                variable,
                list,
                filter,
            } => self.quantifier(*quantifier, variable, list, filter)?,
            ExprKind::Exists { patterns, filter } => {
                Kind::Exists(self.exists(patterns, filter.as_deref())?)
            }
        };
        Ok(Expr { kind, at })
    }

    fn case(
        &mut self,
        subject: Option<&ast::Expr>,
        branches: &[(ast::Expr, ast::Expr)],
        otherwise: Option<&ast::Expr>,
    ) -> Result<Kind<'a>, Fault> {
        Ok(Kind::Case {
            subject: self.opt(subject)?,
            branches: branches
                .iter()
                .map(|(when, then)| Ok((self.expr(when)?, self.expr(then)?)))
                .collect::<Result<_, Fault>>()?,
            otherwise: self.opt(otherwise)?,
        })
    }

    /// Adds the variable of a comprehension; the caller removes it again.
    fn local(&mut self, variable: &Name) -> usize {
        self.scope.add(&variable.text, VariableKind::Any)
    }

    fn comprehension(
        &mut self,
        variable: &Name,
        list: &ast::Expr,
        filter: Option<&ast::Expr>,
        map: Option<&ast::Expr>,
    ) -> Result<Kind<'a>, Fault> {
        let (list, slot) = (self.boxed(list)?, self.local(variable));
        let (filter, map) = (self.opt(filter)?, self.opt(map)?);
        self.scope.names.pop();
        Ok(Kind::Comprehension {
            slot,
            list,
            filter,
            map,
        })
    }

    fn quantifier(
        &mut self,
        quantifier: ast::Quantifier,
        variable: &Name,
        list: &ast::Expr,
        filter: &ast::Expr,
    ) -> Result<Kind<'a>, Fault> {
        let (list, slot) = (self.boxed(list)?, self.local(variable));
        let filter = self.boxed(filter)?;
        self.scope.names.pop();
        Ok(Kind::Quantifier {
            quantifier,
            slot,
            list,
            filter,
        })
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
