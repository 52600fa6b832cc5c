//! Search: a question in, ranked chunks out.

use std::collections::BTreeMap;

use engine::NodeId;
use engine::{
    AbsentShard, ChunkConditions, Error, ErrorKind, Fusion, Layers, Reader, SearchConfig,
    SearchQuery,
};

use super::limit;
use crate::paging::Paged;
use crate::{
    ErrorBody, Explanation, FoldedHit, Hit, MissingShard, SearchFusion, SearchMode, SearchPlan,
    SearchRequest, SearchResponse, SignalEffect, Snippet, TermScore,
};

/// The chunks that answer. `vector` is the query embedded by the model of the index (see [`crate::Status`]), if the
/// host has it.
///
/// # Errors
///
/// `query.empty`, `query.invalid`, `glob.syntax`; `query.unsupported` where the mode needs vectors that are not there.
pub fn search(
    reader: &Reader,
    request: &SearchRequest,
    vector: Option<&[f32]>,
) -> Result<SearchResponse, ErrorBody> {
    let query = query_of(reader, request, vector)?;
    let answer = reader.search(&query)?;
    let mode = mode_of(answer.plan.layers);
    if request.mode == SearchMode::Hybrid && !answer.by_meaning {
        let error = Error::new(
            ErrorKind::QueryUnsupported,
            "the index or the query has no vectors to search by meaning",
        );
        return Err(error
            .with_help("embed the index and give it a model, or use the mode auto")
            .into());
    }
    Ok(SearchResponse {
        query: request.query.clone(),
        mode: match (mode, answer.by_words, answer.by_meaning) {
            (SearchMode::Hybrid | SearchMode::All, true, false) => SearchMode::Lexical,
            _ => mode,
        },
        plan: SearchPlan {
            mode,
            why: answer.plan.why.to_owned(),
        },
        processing_time: None,
        intent: answer.intent.name().to_owned(),
        total: answer.total as u32,
        did_you_mean: match &answer.note {
            Some(engine::SearchNote::Unknown { similar, .. }) => similar.clone(),
            _ => Vec::new(),
        },
        note: answer.note.map(|note| note_text(&note)),
        missing_shards: reader.absent_shards().iter().map(missing).collect(),
        hits: answer
            .hits
            .into_iter()
            .map(|found| hit(reader, found))
            .collect(),
    })
}

/// The query of a request.
fn query_of<'a>(
    reader: &Reader,
    request: &'a SearchRequest,
    vector: Option<&'a [f32]>,
) -> Result<SearchQuery<'a>, ErrorBody> {
    let mut config = SearchConfig {
        fusion: match request.fusion {
            SearchFusion::Weighted => Fusion::Weighted,
            SearchFusion::Rrf => Fusion::Rrf,
        },
        ..SearchConfig::default()
    };
    set_weights(&mut config, &request.weights)?;
    Ok(SearchQuery {
        text: &request.query,
        vector,
        limit: limit(request.limit, 10, 200)?,
        offset: request.offset(),
        files: reader.filter(&request.paths, &request.languages)?,
        kinds: request
            .kinds
            .iter()
            .map(|kind| engine::kind_from_name(kind))
            .collect::<Result<_, _>>()?,
        only: ChunkConditions {
            node_types: request.node_types.clone(),
            min_complexity: request.min_complexity.unwrap_or(0),
            max_complexity: request.max_complexity,
        },
        min_similarity: request.similarity_threshold,
        layers: layers_of(request.mode),
        explain: request.explain,
        grouped: !request.ungrouped,
        config,
    })
}

fn missing(absent: &AbsentShard) -> MissingShard {
    MissingShard {
        shard: u32::from(absent.shard),
        n_files: absent.n_files,
        code: absent.code.clone(),
        message: absent.message.clone(),
    }
}

/// The layers that a request asks for; none where the planner chooses.
fn layers_of(mode: SearchMode) -> Option<Layers> {
    Some(match mode {
        SearchMode::Auto => return None,
        SearchMode::Lexical => Layers::Lexical,
        SearchMode::Vector => Layers::Vector,
        SearchMode::Hybrid => Layers::Hybrid,
        SearchMode::Ast => Layers::Ast,
        SearchMode::Graph => Layers::Graph,
        SearchMode::All => Layers::All,
    })
}

fn mode_of(layers: Layers) -> SearchMode {
    match layers {
        Layers::Lexical => SearchMode::Lexical,
        Layers::Vector => SearchMode::Vector,
        Layers::Hybrid => SearchMode::Hybrid,
        Layers::Ast => SearchMode::Ast,
        Layers::Graph => SearchMode::Graph,
        Layers::All => SearchMode::All,
    }
}

/// A note as a sentence.
fn note_text(note: &engine::SearchNote) -> String {
    match note {
        engine::SearchNote::Unknown { name, similar } if similar.is_empty() => {
            format!("nothing is called {name}")
        }
        engine::SearchNote::Unknown { name, similar } => {
            let similar = similar.join(" or ");
            format!("nothing is called {name}; did you mean {similar}?")
        }
        engine::SearchNote::Unused { name } => format!("nothing uses {name}"),
        engine::SearchNote::Nothing => "nothing matches the query; try other words".to_owned(),
    }
}

fn set_weights(config: &mut SearchConfig, weights: &BTreeMap<String, f32>) -> Result<(), Error> {
    for (name, value) in weights {
        config.set(name, *value).map_err(|error| {
            let help = format!("weights are {}", engine::knob_names(config).join(", "));
            Error::new(ErrorKind::QueryInvalid, error.to_string()).with_help(help)
        })?;
    }
    Ok(())
}

fn hit(reader: &Reader, hit: engine::Hit) -> Hit {
    Hit {
        path: reader.path(hit.chunk.file).to_owned(),
        language: reader.user_languages().name(hit.chunk.language).to_owned(),
        start_line: hit.chunk.start_line.saturating_add(1),
        end_line: hit.chunk.end_line.saturating_add(1),
        score: hit.score,
        symbol: name(reader, hit.symbol),
        kind: hit
            .symbol
            .and_then(|id| reader.graph().symbol_kind(id))
            .map(|kind| engine::kind_name(kind).to_owned()),
        symbol_line: hit.symbol.map(|id| {
            let line = reader.graph().node(id).name_span.start_line;
            line.saturating_add(1)
        }),
        guess: hit.is_guess,
        snippet: Snippet {
            start_line: hit.snippet.start_line.saturating_add(1),
            text: hit.snippet.text,
            marks: hit.snippet.marks,
        },
        why: hit.why.into_iter().map(str::to_owned).collect(),
        more: hit.more.iter().map(|hit| folded(reader, hit)).collect(),
        explanation: hit.explanation.map(explanation),
    }
}

fn folded(reader: &Reader, hit: &engine::FoldedHit) -> FoldedHit {
    FoldedHit {
        start_line: hit.chunk.start_line.saturating_add(1),
        end_line: hit.chunk.end_line.saturating_add(1),
        score: hit.score,
        symbol: name(reader, hit.symbol),
    }
}

fn name(reader: &Reader, symbol: Option<NodeId>) -> Option<String> {
    symbol.map(|id| reader.graph().qualified_name(id))
}

fn explanation(explanation: engine::Explanation) -> Explanation {
    let term = |term: engine::TermScore| TermScore {
        term: term.term,
        document_frequency: term.document_frequency,
        score: term.score,
    };
    let effect = |effect: engine::SignalEffect| SignalEffect {
        name: effect.name.to_owned(),
        factor: effect.factor,
        added: effect.added,
    };
    Explanation {
        terms: explanation.terms.into_iter().map(term).collect(),
        lexical_score: explanation.lexical_score,
        lexical_rank: explanation.lexical_rank,
        vector_score: explanation.vector_score,
        vector_rank: explanation.vector_rank,
        fused_score: explanation.fused_score,
        signals: explanation.signals.into_iter().map(effect).collect(),
        score: explanation.score,
    }
}
