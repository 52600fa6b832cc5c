//! Compiles WITH and RETURN.

use super::ast::{self, ExprKind};
use super::compile::{Compiler, Scope, VariableKind};
use super::error::Fault;
use super::eval::eval;
use super::plan::{Projection, SortBy, SortKey, Stage};
use super::value::Value;

impl<'a> Compiler<'_, 'a> {
    pub fn project(
        &mut self,
        written: &ast::Projection,
        filter: Option<&ast::Expr>,
    ) -> Result<(Stage<'a>, Vec<String>), Fault> {
        let items = self.items(written)?;
        let mut projection = Projection {
            items: Vec::new(),
            aggregates: Vec::new(),
            is_grouped: false,
            keys: Vec::new(),
            distinct: written.distinct,
            order: Vec::new(),
            skip: self.count(written.skip.as_ref(), "SKIP")?.unwrap_or(0),
            limit: self.count(written.limit.as_ref(), "LIMIT")?,
            filter: None,
        };
        let mut after = Scope::default();
        self.aggregates = Some(Vec::new());
        for (index, item) in items.iter().enumerate() {
            let before = self.aggregates.as_ref().map_or(0, Vec::len);
            let kind = self.kind_of(&item.expr);
            projection.items.push(self.expr(&item.expr)?);
            if self.aggregates.as_ref().map_or(0, Vec::len) == before {
                projection.keys.push(index);
            }
            if after.find(&item.name).is_some() {
                let message = format!("two columns have the name `{}`", item.name);
                return Err(Fault::name(item.expr.at.0, message).with_help("name them with AS"));
            }
            after.add(&item.name, kind);
        }
        projection.aggregates = self.aggregates.take().unwrap_or_default();
        projection.is_grouped = !projection.aggregates.is_empty();
        for order in &written.order {
            projection.order.push(SortKey {
                by: self.sort_by(&order.expr, &items, &projection)?,
                descending: order.descending,
            });
        }
        self.scope = after;
        projection.filter = filter.map(|filter| self.expr(filter)).transpose()?;
        let columns = items.into_iter().map(|item| item.name).collect();
        Ok((Stage::Project(projection), columns))
    }

    /// The items, with `*` replaced by all variables.
    fn items(&self, written: &ast::Projection) -> Result<Vec<ast::Item>, Fault> {
        let mut items = Vec::new();
        if written.star {
            if self.scope.names.is_empty() {
                return Err(Fault::name(
                    written.at.0,
                    "`*` stands for nothing: there are no variables",
                ));
            }
            items.extend(self.scope.names.iter().map(|(name, ..)| ast::Item {
                expr: ast::Expr {
                    kind: ExprKind::Variable(name.clone()),
                    at: written.at,
                },
                name: name.clone(),
                has_alias: true,
            }));
        }
        items.extend(written.items.iter().cloned());
        Ok(items)
    }

    pub fn kind_of(&self, expr: &ast::Expr) -> VariableKind {
        match &expr.kind {
            ExprKind::Variable(name) => self
                .scope
                .find(name)
                .map_or(VariableKind::Any, |(_, kind)| kind),
            _ => VariableKind::Any,
        }
    }

    fn sort_by(
        &mut self,
        expr: &ast::Expr,
        items: &[ast::Item],
        projection: &Projection<'a>,
    ) -> Result<SortBy<'a>, Fault> {
        let is_item = |item: &ast::Item| {
            item.expr == *expr
                || matches!(&expr.kind, ExprKind::Variable(name) if *name == item.name)
        };
        if let Some(index) = items.iter().position(is_item) {
            return Ok(SortBy::Item(index));
        }
        // Without grouping or DISTINCT each row comes from one row before, so that its variables can be sorted by, too.
        let saved = self.scope.clone();
        if projection.is_grouped || projection.distinct {
            self.scope.names.clear();
        }
        for (index, item) in items.iter().enumerate() {
            let kind = self.kind_of(&item.expr);
            self.scope
                .names
                .push((item.name.clone(), saved.width + index, kind));
        }
        let compiled = self.expr(expr);
        self.scope = Scope {
            width: self.scope.width,
            ..saved
        };
        compiled.map(SortBy::Expr).map_err(|fault| {
            if projection.is_grouped || projection.distinct {
                fault.with_help("after DISTINCT or an aggregate, sort by a returned column")
            } else {
                fault
            }
        })
    }

    /// The number of SKIP or LIMIT.
    fn count(&mut self, expr: Option<&ast::Expr>, clause: &str) -> Result<Option<u64>, Fault> {
        let Some(expr) = expr else { return Ok(None) };
        let scope = std::mem::take(&mut self.scope);
        let compiled = self.expr(expr);
        self.scope = scope;
        match eval(self.ctx, &compiled?, &[], &[])? {
            Value::Int(count) if count >= 0 => Ok(Some(count as u64)),
            other => Err(Fault::types(
                expr.at.0,
                format!(
                    "{clause} needs a whole number from 0, not {}",
                    other.kind_name()
                ),
            )),
        }
    }
}
