//! `code_intelligence`: each command is one of the other questions.

use std::collections::BTreeMap;

use engine::Reader;

use crate::{
    CallersAndReferences, CallsRequest, CodeIntelligenceRequest, CodeIntelligenceResponse,
    ErrorBody, FindRequest, IntelligenceCommand, ReferencesRequest, SearchMode, SearchRequest,
    TraverseRequest, WalkDirection,
};

use super::{callees, callers, find, references, search, traverse};

/// Steps where the request says nothing.
const DEPTH: u32 = 2;
/// Results where the request says nothing.
const LIMIT: u32 = 50;

/// Answers a command. `vector` is `symbol` embedded by the model of the index; only `similar` uses it.
///
/// # Errors
///
/// Those of the tool that the command calls.
pub fn code_intelligence(
    reader: &Reader,
    request: &CodeIntelligenceRequest,
    vector: Option<&[f32]>,
) -> Result<CodeIntelligenceResponse, ErrorBody> {
    use CodeIntelligenceResponse as Response;
    use IntelligenceCommand as Command;
    let calls = calls_request(request);
    let uses = ReferencesRequest {
        symbol: request.symbol.clone(),
        kind: None,
        limit: Some(request.limit.unwrap_or(LIMIT)),
        offset: None,
    };
    Ok(match request.command {
        Command::Find => Response::Find(find(
            reader,
            &FindRequest {
                symbol: request.symbol.clone(),
                kind: None,
                fuzzy: None,
                limit: Some(request.limit.unwrap_or(LIMIT)),
            },
        )?),
        Command::Refs => Response::Refs(references(reader, &uses)?),
        Command::Callers => Response::Callers(callers(reader, &calls)?),
        Command::Callees => Response::Callees(callees(reader, &calls)?),
        Command::Similar => Response::Similar(search(
            reader,
            &SearchRequest {
                query: request.symbol.clone(),
                limit: request.limit,
                offset: None,
                mode: SearchMode::Auto,
                languages: Vec::new(),
                paths: Vec::new(),
                kinds: Vec::new(),
                explain: false,
                ungrouped: false,
                weights: BTreeMap::new(),
            },
            vector,
        )?),
        Command::Graph => Response::Graph(traverse(
            reader,
            &TraverseRequest {
                from: request.symbol.clone(),
                direction: WalkDirection::In,
                edges: vec!["CALLS".to_owned(), "REFERENCES".to_owned()],
                depth: Some(request.depth.unwrap_or(DEPTH)),
                min_confidence: request.min_confidence,
                limit: Some(request.limit.unwrap_or(LIMIT)),
                ..TraverseRequest::default()
            },
        )?),
        Command::Query => Response::Query(CallersAndReferences {
            callers: callers(reader, &calls)?,
            references: references(reader, &uses)?,
        }),
    })
}

fn calls_request(request: &CodeIntelligenceRequest) -> CallsRequest {
    CallsRequest {
        symbol: request.symbol.clone(),
        kind: None,
        depth: Some(request.depth.unwrap_or(DEPTH)),
        min_confidence: request.min_confidence,
        limit: Some(request.limit.unwrap_or(LIMIT)),
        offset: None,
    }
}
