//! Search by execution flow: returns the flows of calls that match a query, and the matching definitions outside
//! every flow. Flows that begin in tests are none of them.
//!
//! Each hit adds its score, as a share of the best hit's, to the flows of its symbols; a symbol in many flows adds less
//! to each. In a flow the best step counts fully, the next half, and so on, so that one good hit beats many weak ones.
//! Flows in cohesive communities get up to a tenth more: a factor, so that it reorders close scores only.

use std::cmp::Reverse;

use graph::{NodeId, ProcessStep};
use rustc_hash::FxHashMap;
use syntax::facts::SymbolKind;

use crate::{Error, Reader, SearchQuery};
use syntax::order::InOrder;

/// Maximum number of hits considered.
const MAX_HITS: usize = 60;
/// Weight of a symbol of a chunk that is not its main one.
const BESIDE: f32 = 0.5;
/// Weight of each further step of a flow, relative to the one before.
const FURTHER: f32 = 0.5;
/// Bonus of a flow in a perfectly cohesive community.
const COHESION_BOOST: f32 = 0.1;
/// Kinds of symbols in code. Chunks without any of them are prose and data, and belong to no flow.
const CODE: [SymbolKind; 13] = [
    SymbolKind::Function,
    SymbolKind::Method,
    SymbolKind::Constructor,
    SymbolKind::Class,
    SymbolKind::Struct,
    SymbolKind::Enum,
    SymbolKind::Trait,
    SymbolKind::Interface,
    SymbolKind::Impl,
    SymbolKind::TypeAlias,
    SymbolKind::Macro,
    SymbolKind::Constant,
    SymbolKind::Variable,
];

/// Flows and definitions that match a query, best first.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Flows {
    /// Flows with hits.
    pub processes: Vec<FlowHit>,
    /// Hits outside every flow.
    pub definitions: Vec<DefinitionHit>,
    /// Whether vectors were searched.
    pub by_meaning: bool,
}

/// A flow that matches.
#[derive(Debug, Clone, PartialEq)]
pub struct FlowHit {
    /// The process.
    pub process: NodeId,
    /// Higher is better; comparable within one answer only.
    pub priority: f32,
    /// Its matching steps, in order.
    pub steps: Vec<ProcessStep>,
}

/// A definition that matches.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DefinitionHit {
    /// The definition.
    pub symbol: NodeId,
    /// As in [`FlowHit`].
    pub priority: f32,
}

impl Reader {
    /// Finds the flows and definitions that match a query. Ignores `limit`, `offset`, `explain` and `grouped` of the
    /// query.
    ///
    /// # Errors
    ///
    /// As [`Reader::search`].
    pub fn flows(&self, query: &SearchQuery<'_>) -> Result<Flows, Error> {
        let query = SearchQuery {
            limit: MAX_HITS,
            offset: 0,
            explain: false,
            grouped: false,
            kinds: if query.kinds.is_empty() {
                CODE.to_vec()
            } else {
                query.kinds.clone()
            },
            ..query.clone()
        };
        let answer = self.search(&query)?;
        let mut found: Vec<(NodeId, f32)> = Vec::new();
        let mut places: FxHashMap<NodeId, usize> = FxHashMap::default();
        let mut add = |symbol: NodeId, score: f32| {
            if let Some((_, known)) = places.get(&symbol).and_then(|at| found.get_mut(*at)) {
                *known = known.max(score);
            } else {
                places.insert(symbol, found.len());
                found.push((symbol, score));
            }
        };
        let best = answer.hits.first().map_or(1.0, |hit| hit.score);
        for hit in &answer.hits {
            let score = (hit.score / best.max(f32::MIN_POSITIVE)).clamp(0.0, 1.0);
            if let Some(symbol) = hit.symbol {
                add(symbol, score);
            }
            let lines = hit.chunk.start_line..=hit.chunk.end_line;
            for symbol in self.graph().symbols_of(hit.chunk.file) {
                let node = self.graph().node(symbol);
                if Some(symbol) != hit.symbol
                    && node.is_function()
                    && lines.contains(&node.name_span.start_line)
                {
                    add(symbol, score * BESIDE);
                }
            }
        }
        Ok(Flows {
            by_meaning: answer.by_meaning,
            ..self.grouped_by_flow(&found)
        })
    }

    fn grouped_by_flow(&self, found: &[(NodeId, f32)]) -> Flows {
        let graph = self.graph();
        let mut flows = Flows::default();
        let mut places: FxHashMap<NodeId, usize> = FxHashMap::default();
        let mut shares: Vec<Vec<f32>> = Vec::new();
        for &(symbol, score) in found {
            let steps: Vec<ProcessStep> = graph
                .processes_of(symbol)
                .filter(|step| !self.is_test_flow(step.process))
                .collect();
            if steps.is_empty() {
                flows.definitions.push(DefinitionHit {
                    symbol,
                    priority: score,
                });
                continue;
            }
            let share = score / (1.0 + (steps.len() as f32).ln());
            for step in steps {
                let place = *places.entry(step.process).or_insert_with(|| {
                    flows.processes.push(FlowHit {
                        process: step.process,
                        priority: 0.0,
                        steps: Vec::new(),
                    });
                    shares.push(Vec::new());
                    shares.len() - 1
                });
                if let (Some(flow), Some(shares)) =
                    (flows.processes.get_mut(place), shares.get_mut(place))
                {
                    flow.steps.push(step);
                    shares.push(share);
                }
            }
        }
        for (flow, shares) in flows.processes.iter_mut().zip(&mut shares) {
            flow.steps.order_by_key(|step| step.step);
            shares.order_by(|a, b| b.total_cmp(a));
            let sum = shares
                .iter()
                .rfold(0.0, |rest, share| share + FURTHER * rest);
            flow.priority = sum * (1.0 + COHESION_BOOST * self.cohesion_of(&flow.steps));
        }
        flows
            .processes
            .order_by_key(|flow| (Reverse(flow.priority.to_bits()), flow.process));
        flows
            .definitions
            .order_by_key(|hit| (Reverse(hit.priority.to_bits()), hit.symbol));
        flows
    }

    /// Mean cohesion of the communities of some steps.
    fn cohesion_of(&self, steps: &[ProcessStep]) -> f32 {
        let graph = self.graph();
        let of = |step: &ProcessStep| {
            let community = graph.community_of(step.node)?;
            Some(graph.community(community)?.cohesion.clamp(0.0, 1.0))
        };
        let sum: f32 = steps.iter().filter_map(of).sum();
        sum / steps.len().max(1) as f32
    }
}
