//! `code_intelligence`: each command is one of the other questions.

use engine::Reader;

use crate::{
    CallersAndReferences, CallsRequest, CodeIntelligenceRequest, CodeIntelligenceResponse,
    ErrorBody, FindRequest, Hit, IntelligenceCommand, ReferencesRequest, SearchMode, SearchRequest,
    SearchResponse, TraverseRequest, WalkDirection,
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
        Command::Similar => Response::Similar(similar(reader, request, vector)?),
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

/// Results of `similar` where the request says nothing.
const N_SIMILAR: u32 = 10;
/// Characters of code that are looked for by words where there are no vectors.
const MAX_WORDS: usize = 2_000;
/// A query without words: only the vector counts.
const NO_WORDS: &str = "…";

/// Code like a symbol's: by the vector that the index holds of it, or else by the words in it. Text that names no symbol is a description.
fn similar(
    reader: &Reader,
    request: &CodeIntelligenceRequest,
    vector: Option<&[f32]>,
) -> Result<SearchResponse, ErrorBody> {
    let ask = |query: String, mode: SearchMode, n: u32, vector: Option<&[f32]>| {
        let asked = SearchRequest {
            query,
            limit: Some(n),
            mode,
            ungrouped: true,
            ..SearchRequest::default()
        };
        search(reader, &asked, vector)
    };
    let limit = request.limit.unwrap_or(N_SIMILAR);
    let named = reader.select(&request.symbol).unwrap_or_default();
    let own = named.first().map(|symbol| reader.chunks_of_symbol(*symbol));
    let Some((own, &first)) = own.as_ref().and_then(|own| Some((own, own.first()?))) else {
        return ask(request.symbol.clone(), SearchMode::Auto, limit, vector);
    };
    let n_asked = limit.saturating_add(own.len() as u32).min(MAX_HITS);
    let mut found = match reader.vector_of_chunk(first) {
        Some(vector) => ask(
            NO_WORDS.to_owned(),
            SearchMode::Vector,
            n_asked,
            Some(&vector),
        )?,
        None => {
            let chunk = reader.chunk(first);
            let code = chunk.map_or("", |chunk| reader.piece(chunk.file, chunk.start, chunk.end));
            let words: String = code.chars().take(MAX_WORDS).collect();
            ask(words, SearchMode::Lexical, n_asked, None)?
        }
    };
    let is_own = |hit: &Hit| {
        own.iter().filter_map(|id| reader.chunk(*id)).any(|chunk| {
            reader.path(chunk.file) == hit.path
                && chunk.start_line.saturating_add(1) == hit.start_line
        })
    };
    let n_before = found.hits.len();
    found.hits.retain(|hit| !is_own(hit));
    found.total = found
        .total
        .saturating_sub((n_before - found.hits.len()) as u32);
    found.hits.truncate(limit as usize);
    found.query.clone_from(&request.symbol);
    Ok(found)
}

/// Hits that a search returns at most.
const MAX_HITS: u32 = 200;

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
