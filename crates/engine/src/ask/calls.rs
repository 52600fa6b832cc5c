//! Call hierarchy: who calls a symbol and whom it calls, step by step; and every edge of the graph by name.

use graph::{Direction, Edge, NodeId, NodeKind, Reason, Step};

use crate::{Error, ErrorKind, Reader};

/// Maximum depth, in steps.
pub const MAX_CALL_DEPTH: u32 = 10;

/// Callers or callees.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Calls {
    /// Symbols that the selector matches.
    pub symbols: Vec<NodeId>,
    /// In breadth-first order.
    pub calls: Vec<Call>,
    /// Number of calls before the limit.
    pub total: usize,
}

/// A caller or callee.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Call {
    /// The caller or callee: a symbol, or the file for code at its top level.
    pub node: NodeId,
    /// The symbol that makes the call, or the file for code at its top level.
    pub site: NodeId,
    /// 0-based line of the first call.
    pub line: u32,
    /// Number of steps from the requested symbol, from 1.
    pub depth: u32,
    /// The symbol one step nearer to the requested one.
    pub via: NodeId,
    /// Confidence: percent of such edges that are right.
    pub confidence: u8,
    /// The rule that found the edge.
    pub reason: Reason,
}

/// Which calls to follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CallsConfig {
    /// Direction: to callers ([`Direction::In`]) or to callees.
    pub direction: Direction,
    /// Maximum number of steps, from 1 to [`MAX_CALL_DEPTH`].
    pub depth: u32,
    /// Minimum confidence in percent: edges below it are not followed.
    pub min_confidence: u8,
    /// Maximum number of callers or callees.
    pub limit: usize,
}

impl Reader {
    /// Returns the callers or callees of the symbols that `selector` matches, breadth first, each once.
    ///
    /// # Errors
    ///
    /// As [`Reader::select`]; `query.invalid` for a depth out of bounds.
    pub fn calls(&self, selector: &str, config: &CallsConfig) -> Result<Calls, Error> {
        if !(1..=MAX_CALL_DEPTH).contains(&config.depth) {
            let message = format!("depth is {}; it can be 1 to {MAX_CALL_DEPTH}", config.depth);
            return Err(Error::new(ErrorKind::QueryInvalid, message));
        }
        let symbols = self.select(selector)?;
        let (calls, total) = self.calls_from(&symbols, config);
        Ok(Calls {
            symbols,
            calls,
            total,
        })
    }

    /// Returns the callers or callees of these symbols, breadth first, and their number before the limit.
    pub(crate) fn calls_from(
        &self,
        symbols: &[NodeId],
        config: &CallsConfig,
    ) -> (Vec<Call>, usize) {
        let (depth, min_confidence) = (config.depth, config.min_confidence);
        let steps = match config.direction {
            Direction::In => self.graph().callers(symbols, depth, min_confidence),
            Direction::Out => self.graph().callees(symbols, depth, min_confidence),
        };
        let calls = steps.iter().take(config.limit).map(call).collect();
        (calls, steps.len())
    }

    /// Returns every edge between definitions and files (not folders and packages), by source, kind and target.
    pub fn named_edges(&self) -> impl Iterator<Item = Edge> + '_ {
        let graph = self.graph();
        let in_file =
            move |node: NodeId| matches!(graph.kind(node), NodeKind::File | NodeKind::Symbol);
        graph
            .edges()
            .filter(move |edge| in_file(edge.source) && in_file(edge.target))
    }
}

fn call(step: &Step) -> Call {
    Call {
        node: step.node,
        site: step.edge.source,
        line: step.edge.line,
        depth: step.depth,
        via: step.via(),
        confidence: step.edge.confidence,
        reason: step.edge.reason,
    }
}
