//! Call hierarchy: callers and callees of a symbol, step by step; and every edge of the graph by name.

use graph::{Direction, Edge, NodeId, NodeKind, Reason, Step};
use syntax::facts::SymbolKind;
use syntax::order::InOrder;

use crate::{Error, ErrorKind, Reader};

/// Maximum depth, in steps.
pub const MAX_CALL_DEPTH: u32 = 10;

/// Callers or callees.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Calls {
    /// Symbols that the selector matches.
    pub symbols: Vec<NodeId>,
    /// By depth; within a depth product code first, then examples and documents, then tests.
    pub calls: Vec<Call>,
    /// Number of calls in product code.
    pub n_product: usize,
    /// Number of calls before offset and limit.
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
    /// Only of symbols of this kind; any kind if `None`.
    pub kind: Option<SymbolKind>,
    /// Direction: to callers ([`Direction::In`]) or to callees.
    pub direction: Direction,
    /// Maximum number of steps, from 1 to [`MAX_CALL_DEPTH`].
    pub depth: u32,
    /// Minimum confidence in percent: edges below it are not followed.
    pub min_confidence: u8,
    /// Number of callers or callees to skip.
    pub offset: usize,
    /// Maximum number of callers or callees.
    pub limit: usize,
}

impl Reader {
    /// Returns the callers or callees of the symbols that `selector` matches, breadth first, each once.
    ///
    /// # Errors
    ///
    /// As [`Reader::select_nodes`]; `query.invalid` for a depth out of bounds.
    pub fn calls(&self, selector: &str, config: &CallsConfig) -> Result<Calls, Error> {
        if !(1..=MAX_CALL_DEPTH).contains(&config.depth) {
            let message = format!("depth is {}; it can be 1 to {MAX_CALL_DEPTH}", config.depth);
            return Err(Error::new(ErrorKind::QueryInvalid, message));
        }
        let symbols = self.select_of_kind(selector, config.kind)?;
        // The callers of a file or folder are those of all that it defines.
        let starts = self.with_definitions(&symbols);
        let calls = self.calls_from(&starts, config);
        Ok(Calls { symbols, ..calls })
    }

    /// Returns the nodes, and for files and folders among them all that they define.
    pub(crate) fn with_definitions(&self, nodes: &[NodeId]) -> Vec<NodeId> {
        let of = |node: &NodeId| match self.is_symbol(*node) {
            true => vec![*node],
            false => self.with_members(*node),
        };
        nodes.iter().flat_map(of).collect()
    }

    /// Returns the callers or callees of these symbols, breadth first.
    pub(crate) fn calls_from(&self, symbols: &[NodeId], config: &CallsConfig) -> Calls {
        let (depth, min_confidence) = (config.depth, config.min_confidence);
        let mut steps = match config.direction {
            Direction::In => self.graph().callers(symbols, depth, min_confidence),
            Direction::Out => self.graph().callees(symbols, depth, min_confidence),
        };
        steps.order_by_cached_key(|step| (step.depth, self.distance_from_product(step.node)));
        let calls = (steps.iter().skip(config.offset))
            .take(config.limit)
            .map(call)
            .collect();
        Calls {
            symbols: symbols.to_vec(),
            calls,
            n_product: (steps.iter())
                .filter(|step| self.distance_from_product(step.node) == 0)
                .count(),
            total: steps.len(),
        }
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
