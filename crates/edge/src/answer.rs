//! One question, one call to `api`, one reply.

use api::ErrorBody;
use embed::{Embedder, StaticEmbedder};
use engine::Reader;
use serde::Serialize;

use crate::{Question, Reply};

/// The Worker is there.
#[derive(Serialize)]
struct Health {
    status: &'static str,
    version: &'static str,
    format_version: u32,
}

/// The reply to a question that needs no index.
pub fn health() -> Reply {
    Reply::ok(&Health {
        status: "ok",
        version: env!("CARGO_PKG_VERSION"),
        format_version: engine::FORMAT_VERSION,
    })
}

/// The reply to any question.
pub fn answer(reader: &Reader, model: Option<&StaticEmbedder>, question: &Question) -> Reply {
    match question {
        Question::Health => health(),
        Question::Status => Reply::ok(&api::answer::status(reader)),
        Question::Search(request) => match query_vector(model, question) {
            Ok(vector) => api::answer::search(reader, request, vector.as_deref()).into(),
            Err(error) => Reply::error(&error),
        },
        Question::Symbol(request) => api::answer::usages(reader, request).into(),
        Question::References(request) => api::answer::references(reader, request).into(),
        Question::Callers(request) => api::answer::callers(reader, request).into(),
        Question::Callees(request) => api::answer::callees(reader, request).into(),
    }
}

/// The query as a vector, where there is a model and the question has a use for it.
fn query_vector(
    model: Option<&StaticEmbedder>,
    question: &Question,
) -> Result<Option<Vec<f32>>, ErrorBody> {
    let (Some(model), Question::Search(request)) = (model, question) else {
        return Ok(None);
    };
    if !question.wants_vector() {
        return Ok(None);
    }
    let embedded = model.embed(&[request.query.as_str()]);
    embedded.map(Some).map_err(|error| ErrorBody {
        code: "model.failed".to_owned(),
        message: format!("the query could not be embedded: {error}"),
        help: "ask with mode=lexical".to_owned(),
    })
}
