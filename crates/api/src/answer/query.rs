//! Search grouped by execution flows.

use engine::{Layers, Reader, SearchQuery};

use super::budget::Paging;
use super::{limit, symbol_ref};
use crate::{DefinitionHit, ErrorBody, ProcessHit, ProcessSymbol, QueryRequest, QueryResponse};

const MAX_FLOWS: u32 = 1_000;
const MAX_DEFINITIONS: u32 = 1_000;
/// Maximum number of steps shown of one flow.
const MAX_STEPS: usize = 10;

/// The flows and definitions that answer. `vector` as in [`super::search`].
///
/// # Errors
///
/// `query.empty`, `query.invalid`, `glob.syntax`.
pub fn query(
    reader: &Reader,
    request: &QueryRequest,
    vector: Option<&[f32]>,
) -> Result<QueryResponse, ErrorBody> {
    let asked = SearchQuery {
        text: &request.query,
        vector,
        layers: Some(Layers::Hybrid),
        files: reader.filter(&request.paths, &request.languages)?,
        ..SearchQuery::default()
    };
    let mut paging = Paging::new(request, 5, MAX_FLOWS)?;
    let n_definitions = limit(request.max_definitions, 10, MAX_DEFINITIONS)?;
    let found = reader.flows(&asked)?;
    let (processes, processes_page) =
        paging.list(found.processes.iter(), |flow| process_hit(reader, flow));
    let (definitions, definitions_page) =
        paging
            .budget
            .page(found.definitions.iter(), 0, n_definitions, |hit| {
                DefinitionHit {
                    symbol: symbol_ref(reader, hit.symbol),
                    priority: hit.priority,
                }
            });
    Ok(QueryResponse {
        query: request.query.clone(),
        by_meaning: found.by_meaning,
        processes,
        processes_page,
        definitions,
        definitions_page,
    })
}

fn process_hit(reader: &Reader, flow: &engine::FlowHit) -> ProcessHit {
    let graph = reader.graph();
    let process = graph.process(flow.process);
    let symbol = |step: &engine::ProcessStep| ProcessSymbol {
        symbol: symbol_ref(reader, step.node),
        step: step.step,
    };
    ProcessHit {
        id: flow.process.0,
        summary: graph.name(flow.process).to_owned(),
        priority: flow.priority,
        process_type: process.map_or("", |process| process.kind.name()).to_owned(),
        entry_kind: process
            .map_or("", |process| process.entry_kind.name())
            .to_owned(),
        n_steps: process.map_or(0, |process| process.n_steps),
        n_symbols: flow.steps.len() as u32,
        symbols: flow.steps.iter().take(MAX_STEPS).map(symbol).collect(),
    }
}
