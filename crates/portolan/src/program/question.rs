//! A tool that is asked on the command line. Only the sections that it needs are read of the index.

use std::path::Path;
use std::sync::OnceLock;
use std::time::Instant;

use portolan::api::answer::{self, Asked, Json};
use portolan::{Embedder, ErrorBody, embed, engine, open_index};

use crate::arguments::{Command, Failure};
use crate::own_index::is_own_index;
use crate::place::require_index;
use crate::tools::Tool;

pub(crate) fn ask(tool: &Tool, command: &Command) -> Result<String, Failure> {
    let request = tool.request(command)?;
    // The shards of an index that is named are trusted as it is.
    let index = match command.value("index") {
        Some(file) => open_index(Path::new(file), |_| true)?,
        None => open_index(&require_index()?, is_own_index)?,
    };
    let embed = |text: &str| vector_of(&index, text);
    let asked = Asked {
        index: &index,
        embed: &embed,
        clock: Some(&millis),
    };
    let answer = answer::ask(asked, &tool.name, &Json(&request.to_string()));
    Ok(format!("{}\n", answer.map_err(portolan::Error::from)?))
}

/// The query as a vector. An index without vectors, or of another model, answers by words.
fn vector_of(index: &engine::Index, text: &str) -> Result<Option<Vec<f32>>, ErrorBody> {
    if index.embedder().is_none() {
        return Ok(None);
    }
    let unusable = |message: String| ErrorBody {
        code: "model.unusable".to_owned(),
        message,
        help: String::new(),
    };
    let model =
        embed::shipped().map_err(|error| unusable(format!("the model cannot be read: {error}")))?;
    let is_its_own = index.ask(|reader| reader.check_model(model.name(), model.dim()));
    if is_its_own.is_err() {
        return Ok(None);
    }
    let vector = model.embed_query(text);
    vector
        .map(Some)
        .map_err(|error| unusable(error.to_string()))
}

/// Milliseconds since the first call.
fn millis() -> f64 {
    static FIRST: OnceLock<Instant> = OnceLock::new();
    FIRST.get_or_init(Instant::now).elapsed().as_secs_f64() * 1000.0
}
