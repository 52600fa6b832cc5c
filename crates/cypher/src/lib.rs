//! Queries the graph in Cypher: a read-only subset of openCypher, run on the archive in place.
//!
//! `lex` → `parse` → `compile` (names become places, patterns become steps; see `patterns`) → `run` (rows are pushed
//! from clause to clause, so that a LIMIT ends the search). [`Limits`] bounds the cost of a query.
//!
//! ```
//! # let bytes = rkyv::to_bytes::<rkyv::rancor::Error>(&graph::GraphBuilder::new().build(|_| graph::Resolution::default())).unwrap();
//! # let archive = rkyv::access::<graph::frozen::ArchivedGraph, rkyv::rancor::Error>(&bytes).unwrap();
//! use portolan_cypher::{self as cypher, Options};
//!
//! let view = graph::GraphView::new(archive);
//! let answer = cypher::run(view, "MATCH (f:Function)-[:CALLS]->(g) RETURN g.name, count(f) AS n", &Options::default())?;
//! assert_eq!(answer.columns, ["g.name", "n"]);
//!
//! let error = cypher::run(view, "MATCH (f:Function RETURN f", &Options::default()).unwrap_err();
//! assert_eq!(error.to_string(), "line 1, column 19: expected `|`, `:`, `{` or `)`, found `RETURN`");
//! # Ok::<(), cypher::CypherError>(())
//! ```

mod access;
mod aggregate;
mod ast;
mod atom;
mod candidates;
mod compile;
mod cost;
mod error;
mod eval;
mod expression;
mod expressions;
mod functions;
mod lex;
mod matching;
mod operators;
mod parse;
mod pattern;
mod patterns;
mod plan;
mod projecting;
mod reach;
mod regex;
mod run;
mod schema;
mod tokens;
mod value;
mod ways;

pub use compile::Parameters;
pub use cost::Limits;
pub use error::{CypherError, CypherErrorKind};
pub use run::Table;
pub use value::{Path, Value};

use graph::GraphView;

/// Options of a run.
#[derive(Clone, Default)]
pub struct Options<'a> {
    /// Values for `$name`.
    pub parameters: Parameters<'a>,
    /// The budget of the query.
    pub limits: Limits,
    /// Clock in milliseconds, from any starting point; without it [`Limits::max_millis`] has no effect.
    pub clock: Option<&'a dyn Fn() -> f64>,
}

/// Runs a query. The same graph and query give the same rows in the same order.
///
/// # Errors
///
/// [`CypherError`] with the place in the query, for text that is no query, unknown names, clauses that would write,
/// values of the wrong type, and a cost above the limits.
pub fn run<'a>(
    view: GraphView<'a>,
    query: &str,
    options: &Options<'a>,
) -> Result<Table<'a>, CypherError> {
    let ctx = cost::Context::new(view, options.limits, options.clock);
    for value in options.parameters.values() {
        ctx.keep(std::slice::from_ref(value), 0)
            .map_err(|fault| fault.locate(query))?;
    }
    parse::parse(query)
        .and_then(|tree| compile::compile(&tree, &ctx, &options.parameters))
        .and_then(|plan| run::run(&ctx, &plan))
        .map_err(|fault| fault.locate(query))
}
