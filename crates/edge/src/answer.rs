//! One question, one call to `api`, one reply.

use api::ErrorBody;
use api::answer::{Asked, Json, TOOLS, Tool};
use embed::{Embedder, StaticEmbedder};
use engine::Index;
use serde::Serialize;

use crate::{Question, Reply};

/// The Worker is there.
#[derive(Serialize)]
struct Health {
    status: &'static str,
    version: &'static str,
    format_version: u32,
}

/// The reply to `/healthz`.
fn health() -> Reply {
    Reply::ok(&Health {
        status: "ok",
        version: env!("CARGO_PKG_VERSION"),
        format_version: engine::FORMAT_VERSION,
    })
}

/// The tools as the route lists them.
#[derive(Serialize)]
struct ToolEntry {
    name: &'static str,
    about: &'static str,
}

/// The reply to a question that needs no index.
pub fn without_index(question: &Question) -> Reply {
    match question {
        Question::Tools => {
            let entry = |tool: &Tool| ToolEntry {
                name: tool.name,
                about: tool.about.trim(),
            };
            Reply::ok(&TOOLS.iter().map(entry).collect::<Vec<_>>())
        }
        _ => health(),
    }
}

/// The reply to any question; a refusal where it met what cannot be read.
pub fn answer(index: &Index, model: Option<&StaticEmbedder>, question: &Question) -> Reply {
    let Question::Tool { name, request, .. } = question else {
        return without_index(question);
    };
    let asked = Asked {
        index,
        embed: &|text| query_vector(model, text),
        // A Worker's clock does not move while it computes: counts limit, and the platform ends what takes too long.
        clock: None,
    };
    match api::answer::ask(asked, name, &Json(request)) {
        Ok(answer) => Reply::json(answer.into_bytes()),
        Err(error) => Reply::error(&error),
    }
}

/// The query as a vector, where there is a model.
fn query_vector(
    model: Option<&StaticEmbedder>,
    query: &str,
) -> Result<Option<Vec<f32>>, ErrorBody> {
    let Some(model) = model else {
        return Ok(None);
    };
    let embedded = model.embed(&[query]);
    embedded.map(Some).map_err(|error| ErrorBody {
        code: "model.failed".to_owned(),
        message: format!("the query could not be embedded: {error}"),
        help: "ask with mode=lexical".to_owned(),
    })
}
