//! Who calls a symbol, whom it calls, step by step; and every edge of the graph by names.

use graph::{Direction, Edge, NodeId, NodeKind, Reason, Step};

use crate::{Error, ErrorKind, Reader};

/// How many steps can be asked for.
pub const MAX_CALL_DEPTH: u32 = 10;

/// Callers or callees.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Calls {
    /// What the selector was taken for.
    pub symbols: Vec<NodeId>,
    /// Breadth first.
    pub calls: Vec<Call>,
    /// How many before the limit.
    pub total: usize,
}

/// A caller or callee.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Call {
    /// Who: a symbol, or the file for code at its top level.
    pub node: NodeId,
    /// The symbol that the call stands in, or its file.
    pub site: NodeId,
    /// 0-based line of the first call.
    pub line: u32,
    /// Steps from the symbol asked for, from 1.
    pub depth: u32,
    /// The symbol one step nearer.
    pub via: NodeId,
    /// Percent of such edges that are right.
    pub confidence: u8,
    /// The rule that found the edge.
    pub reason: Reason,
}

/// What to follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CallsConfig {
    /// To callers ([`Direction::In`]) or to callees.
    pub direction: Direction,
    /// Steps, from 1 to [`MAX_CALL_DEPTH`].
    pub depth: u32,
    /// Edges below this percentage are not followed.
    pub min_confidence: u8,
    /// At most so many.
    pub limit: usize,
}

impl Reader {
    /// The callers or callees of the symbols that `selector` stands for, breadth first, each once.
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

    /// The callers or callees of these, breadth first, and how many before the limit.
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

    /// Every edge between definitions and files (not folders and packages), by source, kind and target.
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
